# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bodies are drawn of a scene, with what beside them; without a GPU."""

import dataclasses

import bpy
import numpy as np
import pytest

from .. import scenes


@pytest.fixture
def robot(scene):
    """Three links: a box, a box of two parts, and one without a number; in the world's frame at 1, 2 and 3 m."""
    for number, name in enumerate(("arm", "base", "claw"), start=1):
        link = scenes.tag(
            scenes.empty(name, location=(float(number), 0.0, 0.0)), "link", use_density=True, density=1000
        )
        if name == "claw":
            scenes.add(scenes.box_mesh(), "claw_untagged", link)  # without it, the link would be left out
            continue
        part = scenes.tag(scenes.add(scenes.box_mesh((0.1, 0.2, 0.3)), f"{name}_box", link), "collision")
        if name == "base":
            part.location.x = -0.5
            big = scenes.add(scenes.box_mesh((0.3, 0.2, 0.3)), "base_big", link, location=(0.5, 0.0, 0.0))
            scenes.tag(big, "collision")
    bpy.context.view_layer.update()
    return scene


def modules():
    names = ("overlay.content", "overlay.style", "colors", "overlay.texts")
    return [scenes.module(f"sdf_inertia_addon.{name}") for name in names]


def shown(visible=None, **settings):
    content, style, _colors, _texts = modules()
    links = scenes.live_model()
    seen = visible or content.VisibleLinks()
    return content.content_of(links, style.OverlayStyle(**settings), seen, range(len(links.links)))


def names(content, kind="link"):
    return [view.name for view in content.views if view.kind == kind]


def test_links_are_shown_in_the_order_of_the_file_each_in_its_colour(robot):
    content = shown()
    assert names(content) == ["arm", "base", "claw"]
    assert [view.color for view in content.views] == list(modules()[2].COLORS[:3])


def test_the_scope_leaves_links_out(robot):
    VisibleLinks = modules()[0].VisibleLinks
    assert names(shown(VisibleLinks(active=1), scope="ACTIVE")) == ["base"]
    assert names(shown(VisibleLinks(), scope="ACTIVE")) == []
    assert names(shown(VisibleLinks(selected=frozenset({0, 2})), scope="SELECTED")) == ["arm", "claw"]
    assert names(shown(VisibleLinks(active=0, visible=frozenset({1, 2})))) == ["base", "claw"]


def test_a_link_without_a_number_says_why_at_its_origin(robot):
    claw = shown().views[2]
    assert claw.inertial is None and claw.lines == ("no collision yet",)
    np.testing.assert_allclose(shown().bodies.center[2], [3.0, 0.0, 0.0])


@pytest.mark.parametrize("alone", [False, True])
def test_a_link_without_collisions_has_the_same_label_as_in_the_tab(scene, alone):
    if not alone:
        scenes.box_link("base")
    scenes.tag(scenes.empty("tool"), "link")
    tool = shown().views[-1]
    assert (tool.name, tool.lines, tool.severity) == ("tool", ("no collision yet",), "warning")


def test_the_reason_of_a_refused_part_is_given_not_that_there_is_one(robot):
    scenes.tag(bpy.data.objects["base_big"], use_density=True, density=-1.0)
    bpy.context.view_layer.update()
    base = shown().views[1]
    assert base.inertial is None and base.lines[1] == "Impossible density"


def test_parts_stand_where_they_are_with_their_share_of_the_mass(robot):
    VisibleLinks = modules()[0].VisibleLinks
    content = shown(VisibleLinks(active=1), show_parts=True)
    parts = {view.name: (view, center) for view, center in zip(content.views, content.bodies.center, strict=True)
             if view.kind == "part"}  # fmt: skip
    assert sorted(parts) == ["base_big", "base_box"]
    # 0.1 against 0.3 m wide, otherwise equal: a quarter and three quarters.
    assert parts["base_big"][0].lines == ("75 %",) and parts["base_box"][0].lines == ("25 %",)
    np.testing.assert_allclose(parts["base_big"][1], [2.5, 0.0, 0.0], atol=1e-6)
    np.testing.assert_allclose(parts["base_box"][1], [1.5, 0.0, 0.0], atol=1e-6)
    assert not names(shown(VisibleLinks(active=1), show_parts=False), "part")
    # Of one part, the link is all there is to say.
    assert not names(shown(VisibleLinks(active=0), show_parts=True), "part")


def test_the_total_is_all_links_together(robot):
    bpy.data.objects.remove(bpy.data.objects["claw"])
    bpy.context.view_layer.update()
    content = shown(show_total=True)
    (total,) = [view for view in content.views if view.kind == "total"]
    # arm 6 kg at 1 m; base 6 kg at 1.5 m and 18 kg at 2.5 m.
    assert total.inertial.mass == pytest.approx(30.0, rel=1e-6)
    np.testing.assert_allclose(total.inertial.com, [(6 * 1 + 6 * 1.5 + 18 * 2.5) / 30, 0, 0], atol=1e-6)
    assert "30.00 kg" in total.lines[0]


def test_there_is_no_total_of_a_model_with_a_link_without_number(robot):
    assert not names(shown(show_total=True), "total")


def test_labels_are_none_the_active_one_or_all(robot):
    VisibleLinks = modules()[0].VisibleLinks

    def labelled(**settings):
        return [view.name for view in shown(VisibleLinks(active=1), **settings).views if view.labelled]

    assert labelled(labels="ALL") == ["arm", "base", "claw"]
    assert labelled(labels="ACTIVE") == ["base"]
    assert labelled(labels="NONE") == []


def test_a_stale_link_says_that_it_is_being_computed(robot):
    content, style, _colors, _texts = modules()
    links = scenes.live_model()
    stale = dataclasses.replace(links.links[0], stale=True)
    links = dataclasses.replace(links, links=(stale, *links.links[1:]))
    first, second, _third = content.content_of(links, style.OverlayStyle(), content.VisibleLinks(), range(3)).views
    assert first.stale and "computing" in first.lines[0]
    assert not second.stale and "computing" not in second.lines[0]


def test_a_link_never_computed_is_no_error_while_it_waits(robot):
    content, style, _colors, _texts = modules()
    Finding = scenes.module("core.errors").Finding
    links = scenes.live_model()
    for code, text in (("computing", "computing …"), ("computing_cancelled", "cancelled: not up to date")):
        body = dataclasses.replace(links.links[0].body, inertial=None, findings=(Finding("info", code, "arm", "..."),))
        waiting = dataclasses.replace(links.links[0], body=body, stale=True)
        again = dataclasses.replace(links, links=(waiting, *links.links[1:]))
        view = content.content_of(again, style.OverlayStyle(), content.VisibleLinks(), range(3)).views[0]
        assert (view.lines, view.severity) == ((text,), None)
    refused = dataclasses.replace(links, links=(dataclasses.replace(waiting, stale=False), *links.links[1:]))
    view = content.content_of(refused, style.OverlayStyle(), content.VisibleLinks(), range(3)).views[0]
    assert view.severity == "error"


def test_a_warning_has_a_sign_in_active_and_other_labels_alike(robot):
    VisibleLinks = modules()[0].VisibleLinks
    bpy.data.objects["arm"].sdf_inertia.use_density = False
    arm = shown(VisibleLinks(active=0)).views[0]
    assert arm.severity == "warning"
    assert shown().views[0].lines == arm.lines


def test_masses_are_in_the_units_of_the_preferences(robot):
    assert "6.000 kg" in shown().views[0].lines[0]
    assert "6000 g" in shown(units="GRAM").views[0].lines[0]


def test_what_did_not_change_is_the_same_view_as_before(robot):
    content, style, _colors, _texts = modules()
    links = scenes.live_model()
    seen = content.VisibleLinks()
    first, second = (content.content_of(links, style.OverlayStyle(), seen, range(3)).views for _again in range(2))
    assert all(a is b for a, b in zip(first, second, strict=True))


def test_a_link_keeps_its_colour_while_others_come_and_go(addon):
    book = modules()[2].ColorBook()
    assert book.indices(["a", "b", "c"]) == [0, 1, 2]
    assert book.indices(["b", "c"]) == [1, 2]
    assert book.indices(["aa", "b", "c", "d"]) == [0, 1, 2, 3]
    assert book.indices(["a", "aa", "b", "c", "d"]) == [4, 0, 1, 2, 3]


def test_a_link_keeps_its_colour_from_one_session_to_the_next(addon):
    ColorBook = modules()[2].ColorBook
    book = ColorBook()
    book.indices(["a", "b", "c"])
    assert book.indices(["b", "c", "d"]) == [1, 2, 0]
    assert ColorBook(book.text).indices(["b", "c", "d"]) == [1, 2, 0]
    assert ColorBook(book.text).indices(["a", "b", "c", "d"]) == [3, 1, 2, 0]
    assert ColorBook(book.text).indices(["b", "c", "renamed"]) == [1, 2, 0]


@pytest.mark.parametrize("text", ["", "{", "[1]", "3", '{"a": -1, "b": "x", "c": 1e999, "d": true, "e": 9e9}'])
def test_whatever_a_file_holds_links_have_colours(addon, text):
    assert modules()[2].ColorBook(text).indices(["a", "b"]) == [0, 1]


def test_colours_are_saved_with_the_file_and_found_when_it_is_opened(robot, tmp_path):
    viewport, names = scenes.module("sdf_inertia_addon.viewport.draw_handlers"), ["base", "claw"]
    book = viewport._colors_of(robot)
    book.indices(["arm", *names])
    before = book.indices(["aaa", *names, "arm"])
    assert before == [3, 1, 2, 0]
    viewport.keep_colors()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "robot.blend"))
    viewport.forget()
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "robot.blend"))
    assert viewport._colors_of(bpy.context.scene).indices(["aaa", *names, "arm"]) == before
    preview = scenes.module("sdf_inertia_addon.export.preview")
    bodies = [link.body for link in scenes.live_model().links]
    colors = modules()[2].COLORS
    assert [view.color for view in preview.views_of(bodies[1:], bpy.context.scene)] == [colors[1], colors[2]]
    viewport.forget()


def test_a_renamed_link_keeps_its_colour(addon):
    book = modules()[2].ColorBook()
    book.indices(["a", "b", "c"])
    assert book.indices(["a", "c", "x"]) == [0, 2, 1]


@pytest.mark.parametrize(("share", "text"), [(0.6234, "62 %"), (0.033, "3.3 %"), (0.00548, "0.5 %"), (1.0, "100 %")])
def test_a_share_has_two_digits_or_so(addon, share, text):
    assert modules()[3].share_text(3.0 * share, 3.0) == text


def test_hidden_links_are_not_among_the_visible(robot):
    in_view, style = scenes.module("sdf_inertia_addon.viewport.in_view"), modules()[1].OverlayStyle()
    scenes.select(bpy.data.objects["base_big"])
    seen = in_view.links_in_view(bpy.context, scenes.live_model(), style)
    assert (seen.active, seen.visible) == (1, None)
    for name in ("base_big", "base_box"):
        bpy.data.objects[name].hide_set(True)
    seen = in_view.links_in_view(bpy.context, scenes.live_model(), style)
    assert seen.visible is None  # the link itself is still there
    bpy.data.objects["base"].hide_set(True)
    assert in_view.links_in_view(bpy.context, scenes.live_model(), style).visible == {0, 2}


def test_selected_parts_and_visuals_stand_for_their_link(robot):
    in_view = scenes.module("sdf_inertia_addon.viewport.in_view")
    style = modules()[1].OverlayStyle(scope="SELECTED")
    visual = scenes.tag(scenes.add(scenes.box_mesh(), "shell", bpy.data.objects["arm_box"]), "visual")
    bpy.context.view_layer.update()
    scenes.select(visual, bpy.data.objects["base_box"])
    seen = in_view.links_in_view(bpy.context, scenes.live_model(), style)
    assert seen.active == 0 and seen.selected == {0, 1}


def test_the_settings_of_the_scene_are_the_style(robot):
    view_settings = scenes.module("sdf_inertia_addon.viewport.view_settings")
    OverlayStyle = modules()[1].OverlayStyle
    assert view_settings.style_of(robot) == OverlayStyle()
    settings = view_settings.of(robot)
    settings.scope, settings.shape, settings.center, settings.labels = "SELECTED", "BOX", "LEAD", "ACTIVE"
    settings.show_axes = False
    settings.show_total = settings.show_parts = settings.show_voxels = settings.in_front = True
    settings.opacity = 0.5
    expected = OverlayStyle("SELECTED", "BOX", "LEAD", False, True, True, True, "ACTIVE", True, 0.5)
    assert view_settings.style_of(robot) == expected


@pytest.mark.parametrize(
    ("system", "length", "name"),
    [("METRIC", "METERS", "SI"), ("METRIC", "MILLIMETERS", "GRAM"), ("METRIC", "ADAPTIVE", "SI"), ("NONE", None, "SI")],
)
def test_numbers_are_in_grams_where_the_scene_is_in_millimetres(robot, system, length, name):
    settings = robot.unit_settings
    settings.system = system
    if length is not None:
        settings.length_unit = length
    assert scenes.module("sdf_inertia_addon.preferences").units() is scenes.module("core.units").UNITS[name]
    assert scenes.module("sdf_inertia_addon.viewport.view_settings").style_of(robot).units == name
