# SPDX-License-Identifier: GPL-3.0-or-later
"""Link, pressed on a mesh with nothing below it, makes it its own collision too, until there is another."""

import bpy
import pytest

from ..scenes import add, box_link, box_mesh, empty, findings, only_link, select, tag

pytestmark = pytest.mark.usefixtures("scene")


def press_link(*objects):
    """As the panel's button does."""
    select(*objects)
    assert bpy.ops.sdf_inertia.tag_link(own_collision=True) == {"FINISHED"}


def tags(ob):
    return "".join(name[0] for name in ("link", "collision", "visual") if getattr(ob.sdf_inertia, f"is_{name}"))


def test_a_mesh_alone_is_its_own_collision_and_has_a_mass(capfd):
    cube = add(box_mesh(), "cube")
    press_link(cube)
    assert tags(cube) == "lc"
    assert only_link().inertial.mass == 1000.0
    assert {finding.severity for finding in findings().values()} <= {"info", "warning"}
    assert "cube is also tagged as its own collision" in capfd.readouterr().out


def test_from_python_it_is_not_unless_asked_for():
    cube = add(box_mesh(), "cube")
    select(cube)
    bpy.ops.sdf_inertia.tag_link()
    assert tags(cube) == "l"


@pytest.mark.parametrize("below", ["mesh", "visual", "instances", "text"])
def test_a_mesh_with_something_below_it_is_not(below):
    cube = add(box_mesh(), "cube")
    if below == "mesh":
        add(box_mesh(), "part", empty("group", cube))
    elif below == "visual":
        tag(empty("part", cube), "visual")
    elif below == "text":
        add(bpy.data.curves.new("text", "FONT"), "part", cube)
    else:
        place = empty("part", cube)
        place.instance_type, place.instance_collection = "COLLECTION", bpy.data.collections.new("parts")
    press_link(cube)
    assert tags(cube) == "l"


def test_what_belongs_to_another_link_is_not_below_it():
    cube = add(box_mesh(), "cube")
    arm = box_link("arm", cube)
    add(box_mesh(), "bolt", arm)
    add(bpy.data.lights.new("lamp", "POINT"), "lamp", cube)
    press_link(cube)
    assert tags(cube) == "lc"


def test_links_tagged_at_once_are_none_of_each_others_parts():
    cube = add(box_mesh(), "cube")
    arm = add(box_mesh(), "arm", cube)
    press_link(cube, arm)
    assert (tags(cube), tags(arm)) == ("lc", "lc")


def test_an_empty_is_not_a_collision():
    frame = empty("frame")
    press_link(frame)
    assert tags(frame) == "l"


def by_operator(part):
    select(part)
    assert bpy.ops.sdf_inertia.tag_collision() == {"FINISHED"}


def by_switch(part):
    part.sdf_inertia.is_collision = True


def by_rules(part):
    select(part)
    bpy.ops.sdf_inertia.tag_by_rules(parts="COLLISION")


@pytest.mark.parametrize("how", [by_operator, by_switch, by_rules])
def test_it_is_taken_back_when_a_collision_is_tagged_below_it(how):
    cube = add(box_mesh(), "cube")
    press_link(cube)
    part = add(box_mesh((1, 1, 2)), "part", empty("group", cube))
    how(part)
    assert (tags(cube), tags(part)) == ("l", "c")
    assert only_link().inertial.mass == 2000.0


def test_taking_it_back_is_reported(capfd):
    cube = add(box_mesh(), "cube")
    press_link(cube)
    by_operator(add(box_mesh(), "part", cube))
    assert "cube is no longer its own collision" in capfd.readouterr().out


@pytest.mark.parametrize("how", ["operator", "switch", "script"])
def test_a_collision_that_the_user_tagged_stays(how):
    cube = add(box_mesh(), "cube")
    press_link(cube)
    if how == "operator":
        by_operator(cube)
    elif how == "switch":
        cube.sdf_inertia.is_collision = False
        cube.sdf_inertia.is_collision = True
    else:
        cube = box_link("other")
    by_operator(add(box_mesh(), "part", cube))
    assert tags(cube) == "lc"


def test_a_visual_or_a_link_below_it_does_not_take_it_back():
    cube = add(box_mesh(), "cube")
    press_link(cube)
    select(add(box_mesh(), "skin", cube))
    bpy.ops.sdf_inertia.tag_visual()
    press_link(add(box_mesh(), "arm", cube))
    assert tags(cube) == "lc"


def test_it_is_taken_back_after_saving_and_loading(tmp_path):
    cube = add(box_mesh(), "cube")
    press_link(cube)
    add(box_mesh(), "part", cube)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "saved.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "saved.blend"))
    by_operator(bpy.data.objects["part"])
    assert tags(bpy.data.objects["cube"]) == "l"


def test_one_undo_gives_it_back():
    cube = add(box_mesh(), "cube")
    press_link(cube)
    part = add(box_mesh(), "part", cube)
    bpy.ops.ed.undo_push(message="before")
    by_operator(part)
    bpy.ops.ed.undo_push(message="Tag as Collision")
    bpy.ops.ed.undo()
    assert (tags(bpy.data.objects["cube"]), tags(bpy.data.objects["part"])) == ("lc", "")
