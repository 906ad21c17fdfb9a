# SPDX-License-Identifier: GPL-3.0-or-later
"""The list shows links with their collisions below them, and a click on a row selects that object."""

import time

import bpy
import pytest
from lxml import etree

from .. import panel_states
from ..scenes import add, box_link, box_mesh, empty, export, live_model, module, select, tag

pytestmark = pytest.mark.usefixtures("scene")


def rows():
    return [*module("sdf_inertia_addon.panels.rows").rows_of(live_model()).values()]


def by_name():
    return module("sdf_inertia_addon.panels.rows").rows_of(live_model())


def listed(text="", only_findings=False):
    """Return the rows as Blender shows them: names in order, a collision's after its indent."""
    functions = module("sdf_inertia_addon.panels.rows")
    shown = functions.matching(rows(), text, only_findings)
    names = [ob.name_full for ob in bpy.data.objects]
    flags, order = functions.flags_and_order(shown, names, 1 << 30)
    assert len(flags) == len(order) == len(bpy.data.objects) and set(flags) <= {0, 1 << 30}
    there = sorted((place, name) for flag, place, name in zip(flags, order, names, strict=True) if flag)
    assert [place for place, _name in there] == sorted({place for place, _name in there})  # no two in one place
    depth = by_name()
    return [name if depth[name].is_link or not depth[name].link else f"  {name}" for _place, name in there]


def two_links():
    """Return links "b" (12 kg of steel parts 1:2) and "a", whose objects Blender sorts in between each other."""
    b = tag(empty("b"), "link", use_density=True, density=4)
    tag(add(box_mesh(), "Alpha", b), "collision")
    tag(add(box_mesh((1, 1, 2)), "zeta", b, location=(5, 0, 0)), "collision", geometry="BOX")
    tag(add(box_mesh(), "seen", b), "visual")
    a = box_link("a", use_density=True, density=1, inertia="FILLED")
    tag(add(box_mesh(), "below", a, location=(5, 0, 0)), "collision", use_density=True, density=3)
    add(box_mesh(), "stranger")
    return a, b


def test_links_stand_in_the_files_order_each_with_its_collisions():
    two_links()
    assert listed() == ["a", "  below", "b", "  Alpha", "  zeta"]


@pytest.mark.fault(123)
def test_joined_links_stand_in_kinematic_order_in_list_and_file(tmp_path):
    base = box_link("zbase")
    add(box_mesh(), "apart", base)
    hand = add(box_mesh(), "hand", base)
    for ob, parent in ((add(box_mesh(), "upper", base), base), (hand, None), (add(box_mesh(), "eye", base), base)):
        tag(ob, joint_type="FIXED", joint_parent=parent or bpy.data.objects["upper"])
    for ob in base.children:
        tag(ob, "link", "collision")
    bpy.context.view_layer.update()
    order = ["zbase", "eye", "upper", "hand", "apart"]
    assert listed() == order
    root = etree.parse(export(tmp_path).sdf).getroot()
    assert [link.get("name") for link in root.iter("link")] == order
    assert [child.text for child in root.iterfind(".//joint/child")] == order[1:4]


def test_a_row_has_mass_share_and_how_it_is_written():
    two_links()
    found = by_name()
    assert [found[name].mass for name in ("a", "below", "b", "Alpha", "zeta")] == pytest.approx([4, 3, 12, 4, 8])
    assert [found[name].share for name in ("below", "Alpha", "zeta")] == pytest.approx([3 / 4, 1 / 3, 2 / 3])
    assert (found["a"].mode, found["b"].mode, found["Alpha"].mode) == ("filled", "auto", "")
    assert (found["Alpha"].geometry, found["zeta"].geometry) == ("mesh", "box")


def test_a_row_has_the_worst_finding_and_a_link_that_of_its_collisions_too():
    panel_states.faulty()
    found = by_name()
    assert (found["open_box"].severity, found["open_box link"].severity) == ("error", "error")
    assert (found["open_box"].mass, found["open_box link"].mass) == (None, None)
    assert (found["one_face_turned"].severity, found["one_face_turned link"].severity) == ("warning", "warning")
    two_links()
    assert by_name()["zeta"].severity is None


def test_what_is_in_no_link_stands_at_the_end():
    two_links()
    tag(add(box_mesh(), "Orphan"), "collision")
    assert listed()[-1] == "Orphan"
    assert (by_name()["Orphan"].link, by_name()["Orphan"].severity) == ("", "error")


def test_what_is_in_no_link_and_linked_from_a_library_is_no_namesake_of_it(tmp_path):
    library = tmp_path / "library.blend"
    tag(add(box_mesh(), "Orphan"), "collision")
    bpy.ops.wm.save_as_mainfile(filepath=str(library))
    bpy.ops.wm.read_homefile(use_empty=True)
    add(box_mesh(), "Orphan")
    with bpy.data.libraries.load(str(library), link=True) as (_there, here):
        here.objects = ["Orphan"]
    bpy.context.scene.collection.objects.link(here.objects[0])
    bpy.context.view_layer.update()
    (row,) = rows()
    assert module("sdf_inertia_addon.scene.selection").object_by_full_name(row.object) == here.objects[0]
    assert row.object == "Orphan [library.blend]"


def test_a_link_that_is_placed_four_times_is_one_row():
    panel_states.instanced()
    assert [(row.object, row.count) for row in rows()] == [("wheel", 4)]
    assert len(live_model().links) == 4


def test_a_row_that_stands_for_several_has_the_mass_of_them_all():
    panel_states.instanced()
    bpy.data.objects["at 0"].scale = (1, 1, 2)
    tag(add(box_mesh(), "hub", bpy.data.objects["wheel"]), "collision", use_density=True, density=1)
    hub = bpy.data.objects["hub"]
    bpy.data.collections["wheels"].objects.link(hub)
    bpy.context.scene.collection.objects.unlink(hub)
    bpy.context.view_layer.update()
    masses = [link.body.inertial.mass for link in live_model().links]
    assert len(masses) == 4 and max(masses) == pytest.approx(2 * min(masses))
    wheel, part = rows()
    assert (wheel.count, part.count) == (4, 4)
    assert wheel.mass == pytest.approx(sum(masses)) == pytest.approx(live_model().total().mass)
    assert part.mass == pytest.approx(5) and part.share == pytest.approx(5 / sum(masses))


def test_rows_are_made_once_for_each_state_of_the_model():
    two_links()
    now = live_model()
    made = module("sdf_inertia_addon.panels.rows").rows_of
    assert made(now) is made(now)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ALPHA", ["b", "  Alpha"]),  # a collision brings its link
        ("b", ["a", "  below", "b", "  Alpha", "  zeta"]),  # a link brings its collisions
        ("z*a", ["b", "  zeta"]),
        ("nobody", []),
    ],
)
def test_a_search_finds_names(text, expected):
    two_links()
    assert listed(text) == expected


def test_only_what_has_findings_can_be_shown():
    two_links()
    panel_states.by_hand()
    assert listed(only_findings=True) == ["impossible"]


def row_of(ob):
    return list(bpy.data.objects).index(ob)


def test_the_row_of_the_active_object_is_the_active_row():
    a, b = two_links()
    for ob in (a, b, bpy.data.objects["stranger"]):
        select(ob)
        assert bpy.context.scene.sdf_inertia.row == row_of(ob)
    bpy.context.view_layer.objects.active = None
    assert bpy.context.scene.sdf_inertia.row == -1


def test_a_click_on_a_row_selects_that_object_alone():
    a, b = two_links()
    select(a, bpy.data.objects["stranger"])
    bpy.context.scene.sdf_inertia.row = row_of(b)
    assert bpy.context.view_layer.objects.active == b
    assert bpy.context.selected_objects == [b]


def test_a_click_leaves_edit_mode_of_another_object_first():
    a, b = two_links()
    select(a)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.context.scene.sdf_inertia.row = row_of(b)
    assert (a.mode, bpy.context.view_layer.objects.active) == ("OBJECT", b)


def test_a_click_on_what_is_in_no_view_layer_changes_nothing():
    panel_states.instanced()
    select(bpy.data.objects["at 1"])
    bpy.context.scene.sdf_inertia.row = row_of(bpy.data.objects["wheel"])
    assert bpy.context.selected_objects == [bpy.data.objects["at 1"]]
    for index in (-1, len(bpy.data.objects)):
        bpy.context.scene.sdf_inertia.row = index
    assert bpy.context.selected_objects == [bpy.data.objects["at 1"]]


@pytest.mark.versions
def test_an_object_is_selected_by_name():
    a, b = two_links()
    select(a)
    assert bpy.ops.sdf_inertia.select_object(target="b") == {"FINISHED"}
    assert bpy.context.selected_objects == [b]
    with pytest.raises(RuntimeError, match="no such object"):
        bpy.ops.sdf_inertia.select_object(target="nobody")


def test_the_list_of_a_file_of_ten_thousand_objects_is_filtered_quickly():
    a, b = two_links()
    for index in range(10_000):
        bpy.data.objects.new(f"clutter {index}", None)
    rows()  # the numbers themselves are live's
    functions = module("sdf_inertia_addon.panels.rows")
    now, times = live_model(), []
    for _ in range(5):
        start = time.process_time()
        shown = functions.matching(functions.rows_of(now).values(), "", False)
        names = [ob.name_full for ob in bpy.data.objects]
        functions.flags_and_order(shown, names, 1)
        times.append(time.process_time() - start)
    assert min(times) < 0.2  # of the processor's time; measured: 0.0024
