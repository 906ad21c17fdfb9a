# SPDX-License-Identifier: GPL-3.0-or-later
"""A robot of fifteen links or more shows in full what the user looks at and what is faulty; nothing covers it."""

import bpy
import numpy as np
import pytest

from .. import scenes

pytestmark = [pytest.mark.usefixtures("scene"), pytest.mark.fault(221)]

SIDES = (0.1, 0.2, 0.3)
SIZE = np.linalg.norm(SIDES)


def row_of(count):
    """Make links in a row, each a box with a density; return their names in the order of the file."""
    mesh = scenes.box_mesh(SIDES)
    for i in range(count):
        ob = scenes.add(mesh, f"link_{i:02}", location=(float(i), 0.0, 0.0))
        scenes.tag(ob, "link", "collision", use_density=True, density=1000.0)
    bpy.context.view_layer.update()
    return [f"link_{i:02}" for i in range(count)]


def spread(name, variance, mass=2.0):
    """Give a link the tensor of a mass whose variance along z is this, and 0 along x and y."""
    ixx = mass * variance
    scenes.tag(bpy.data.objects[name], inertia="MANUAL", manual_mass=mass, manual_inertia=(ixx, ixx, 0, 0, 0, 0))


def shown(positions=None, scope="AUTO", **visible):
    content = scenes.module("sdf_inertia_addon.overlay.content")
    style = scenes.module("sdf_inertia_addon.overlay.style").OverlayStyle(scope=scope)
    model, seen = scenes.live_model(), content.VisibleLinks(**visible)
    return content.content_of(model, style, seen, range(len(model.links)), positions)


def in_full(content):
    return [view.name for view in content.views if view.reach > 0.0]


def test_fourteen_links_are_shown_in_full_each_as_long_as_its_tensor():
    names = row_of(14)
    views = shown().views
    assert in_full(shown()) == names
    assert all(view.labelled and view.solid == 1.0 and view.reach == np.inf for view in views)


def test_fifteen_sound_links_are_only_marks_of_their_centres():
    names = row_of(15)
    content = shown()
    assert [view.name for view in content.views] == names and in_full(content) == []
    assert not any(view.labelled or view.solid for view in content.views)
    np.testing.assert_allclose(content.bodies.center[:, 0], range(15), atol=1e-6)


def test_the_active_hovered_selected_and_faulty_of_a_crowd_are_shown_in_full():
    names = row_of(20)
    bpy.data.objects[names[7]].sdf_inertia.use_density = False  # a warning
    scenes.tag(bpy.data.objects[names[8]], density=-1.0)  # refused
    content = shown(active=1, hovered=2, selected=frozenset({3, 4}))
    assert in_full(content) == [names[i] for i in (1, 2, 3, 4, 7, 8)]
    labelled = {view.name: view for view in content.views if view.labelled}
    assert list(labelled) == in_full(content)
    assert labelled[names[8]].lines == ("Impossible density",) and labelled[names[8]].severity == "error"
    assert "6.000 kg" in labelled[names[1]].lines[0] and "6.000 kg" not in labelled[names[7]].lines[0]


def test_who_selects_a_crowd_does_not_ask_for_its_curtain():
    names = row_of(20)
    assert in_full(shown(selected=frozenset(range(14)))) == names[:14]
    assert in_full(shown(selected=frozenset(range(20)), active=5)) == [names[5]]


@pytest.mark.parametrize("scope", ["ALL", "SELECTED"])
def test_who_chooses_links_sees_them_in_full_however_many(scope):
    names = row_of(20)
    assert in_full(shown(scope=scope, selected=frozenset(range(20)))) == names


def test_hidden_links_and_links_without_mass_are_no_crowd():
    names = row_of(16)
    assert in_full(shown(visible=frozenset(range(14)))) == names[:14]
    scenes.tag(bpy.data.objects[names[0]], inertia="NONE")
    scenes.tag(bpy.data.objects[names[1]], inertia="NONE")
    assert in_full(shown()) == names[2:]


def test_a_crowd_shows_the_joints_of_chosen_links_alone():
    names = row_of(16)
    for child, parent in zip(names[1:], names, strict=False):
        above = bpy.data.objects[parent]
        scenes.tag(bpy.data.objects[child], joint_type="REVOLUTE", joint_parent=above)
    assert len(shown(scope="ALL").joints) == 15
    assert [view.joint.child for view in shown(active=3, hovered=9).joints] == [names[3], names[9]]


def test_axes_in_a_crowd_are_no_longer_than_the_box_around_the_link():
    row_of(15)
    assert shown(active=3).views[3].reach == pytest.approx(SIZE / 2.0, rel=1e-6)


@pytest.mark.parametrize("links", [2, 15])
def test_a_tensor_that_no_body_in_the_box_can_have_is_a_marker_with_the_word(links):
    # Two points at opposite corners have a variance of d²/4; no body in the box has more (Popoviciu 1935).
    names = row_of(links)
    spread(names[0], 0.98 * SIZE**2 / 4.0)
    spread(names[1], 36.0 * SIZE**2 / 4.0)
    possible, too_large = shown().views[:2]
    assert possible.solid > 0.0 and "too large" not in " ".join(possible.lines)
    # An ellipsoid with semi-axis a has a²/5: its axis 2a is √5 · 6 times the diagonal d.
    assert too_large.solid == 0.0 and too_large.lines[-1] == "Tensor too large: 13× the link"
    assert too_large.reach == pytest.approx(SIZE / 2.0, rel=1e-6)


def test_an_ellipsoid_longer_than_any_uniform_bodys_is_fainter():
    names = row_of(3)
    spread(names[0], SIZE**2 / 12.0)  # a rod
    spread(names[1], SIZE**2 / 6.0)
    spread(names[2], SIZE**2 / 4.1)
    first, second, third = (view.solid for view in shown().views)
    assert first == pytest.approx(1.0) and second == pytest.approx(0.25) and 0.0 < third < second


def test_a_link_without_geometry_is_compared_to_the_whole_robot():
    names = row_of(4)
    scenes.tag(scenes.empty("imu"), "link", inertia="MANUAL")
    spread("imu", 3.0**2 / 12.0)  # a rod of 3 m, as long as the robot
    assert shown().views[0].name == "imu" and shown().views[0].solid == pytest.approx(1.0)
    spread("imu", 100.0)
    imu = shown().views[0]
    assert imu.solid == 0.0 and imu.lines[-1].endswith("× the robot")
    assert imu.reach == pytest.approx(SIZE / 2.0, rel=1e-6)
    assert names == [view.name for view in shown().views[1:]]


def test_a_total_larger_than_the_robot_is_a_marker_too():
    names = row_of(3)
    spread(names[0], 1000.0)
    content = scenes.module("sdf_inertia_addon.overlay.content")
    style = scenes.module("sdf_inertia_addon.overlay.style").OverlayStyle(show_total=True)
    total = content.content_of(scenes.live_model(), style, content.VisibleLinks(), range(3)).views[-1]
    assert total.kind == "total" and total.solid == 0.0 and total.lines[-1].endswith("× the robot")


def test_what_did_not_change_in_a_crowd_is_the_same_view_as_before():
    row_of(20)
    scenes.tag(scenes.empty("imu"), "link", inertia="MANUAL", manual_mass=1.0)
    before = shown(active=3).views
    bpy.data.objects["link_19"].location.x += 0.05
    bpy.context.view_layer.update()
    after = shown(active=3).views
    assert [view.name for a, view in zip(before, after, strict=True) if a is not view] == ["link_19"]


URDF = """<robot name="many"><link name="link_0"/>{links}</robot>"""
LINK = """<link name="link_{i}"><inertial><mass value="1"/>
<inertia ixx="{ixx}" ixy="0" ixz="0" iyy="{iyy}" iyz="0" izz="{izz}"/></inertial>
<collision><geometry><box size="0.3 0.3 0.3"/></geometry></collision></link>
<joint name="joint_{i}" type="fixed"><parent link="link_0"/><child link="link_{i}"/><origin xyz="{i} 0 0"/></joint>"""
SOUND = (0.015, 0.015, 0.015)
WRONG = {3: (0.015, 0.015, 0.9), 8: (-0.015, 0.015, 0.015), 11: (15, 15, 15), 17: (0, 0, 0)}


def test_the_crowd_and_the_list_of_the_file_name_the_same_links(tmp_path):
    links = "".join(
        LINK.format(i=i, ixx=ixx, iyy=iyy, izz=izz) for i in range(1, 21) for ixx, iyy, izz in [WRONG.get(i, SOUND)]
    )
    path = tmp_path / "many.urdf"
    path.write_text(URDF.format(links=links))
    scenes.imported(path)
    scenes.select()
    listed = scenes.module("sdf_inertia_addon.panels.published")
    compared = scenes.module("sdf_inertia_addon.panels.compared")
    units = scenes.module("core.units").SI
    icons = {
        ob.sdf_inertia.sdf_name: listed.verdict(compared.comparison_of(bpy.context, ob), units)[1]
        for ob in scenes.module("sdf_inertia_addon.importing.sources").imported_links(bpy.context.scene)
    }
    wrong = [name for name, icon in icons.items() if icon in ("CANCEL", "ERROR", "QUESTION")]
    assert sorted(in_full(shown())) == sorted(wrong) == sorted(f"link_{i}" for i in WRONG)


def labels_of(content, width, height):
    """Return the texts of the labels that fit into a view, by the names of their links, and the note."""
    Camera = scenes.module("sdf_inertia_addon.overlay.camera").Camera
    view = np.array([[1, 0, 0, -9.5], [0, 0, 1, 0], [0, -1, 0, -10], [0, 0, 0, 1.0]])
    camera = Camera(view, np.diag([0.09, 0.09 * width / height, -0.01, 1.0]), width, height)
    draw_labels = scenes.module("sdf_inertia_addon.overlay.labels.draw_labels")
    placement = scenes.module("sdf_inertia_addon.overlay.labels.placement").Placement()
    boxes, anchors, corners = draw_labels.placed_labels(content, camera, placement)
    placed = np.isfinite(corners[:, 0])
    texts = {
        name.removeprefix("link "): [text for text, *_ in texts]
        for name, texts, there in zip(boxes.names, boxes.texts, placed, strict=True)
        if there
    }
    return texts, draw_labels.no_room(boxes.rank[np.isfinite(anchors[:, 0]) & ~placed])


def test_few_faulty_links_are_labelled_with_their_faults_many_with_their_names():
    names = row_of(20)
    for name in names[5:7]:
        scenes.tag(bpy.data.objects[name], density=-1.0)
    texts, note = labels_of(shown(), 1000, 800)
    assert texts == {name: [name, "Impossible density", "!"] for name in names[5:7]} and note == ""
    for name in names[:18]:
        scenes.tag(bpy.data.objects[name], density=-1.0)
    texts, note = labels_of(shown(active=19), 1000, 300)
    assert texts.pop(names[19])[0] == names[19]
    assert len(texts) > 5 and all(texts[name] == [name, "!"] for name in texts)
    assert note == f"and {18 - len(texts)} more faulty links"


def test_a_name_wider_than_the_view_has_two_lines():
    names = row_of(15)
    long = "gripper_left_motor_double_link"
    bpy.data.objects[names[7]].name = long
    scenes.tag(bpy.data.objects[long], density=-1.0)
    bpy.context.view_layer.update()
    (wide,) = labels_of(shown(), 1000, 800)[0].values()
    (narrow,) = labels_of(shown(), 200, 160)[0].values()
    assert wide == [long, "Impossible density", "!"] and narrow == ["gripper_left_", "motor_double_link", "!"]
