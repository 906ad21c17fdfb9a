# SPDX-License-Identifier: GPL-3.0-or-later
"""Many objects tagged at once, by name or hierarchy: what is made, what is left alone and why, and that is all."""

import bpy
import pytest

from ..scenes import add, box_mesh, empty, select, tag

pytestmark = pytest.mark.usefixtures("scene")


def tags(name):
    settings = bpy.data.objects[name].sdf_inertia
    return {word for word in ("link", "collision", "mass", "visual", "frame") if getattr(settings, f"is_{word}")}


def robot():
    """Return the root of two links, one by names and one by hierarchy alone, with a lamp and a bare frame."""
    root = empty("robot")
    base = empty("base", root)
    add(box_mesh(), "base_visual", base)
    add(box_mesh(), "base_collision.001", base)
    arm = empty("arm", base)
    add(box_mesh(), "rod", arm)
    empty("sensor_frame", arm)
    add(bpy.data.lights.new("lamp", "POINT"), "lamp", base)
    return root


def run(**options):
    return bpy.ops.sdf_inertia.tag_by_rules(**options)


def test_names_first_then_hierarchy(capfd):
    select(robot())
    assert run() == {"FINISHED"}
    assert (tags("base"), tags("arm")) == ({"link"}, {"link"})
    assert (tags("base_visual"), tags("base_collision.001"), tags("rod")) == (
        {"visual"},
        {"collision"},
        {"collision", "visual"},
    )
    assert tags("sensor_frame") == {"frame"} and not (tags("robot") | tags("lamp"))
    out = capfd.readouterr().out
    assert "Made 2 links, 2 collisions, 2 visuals, 1 frame" in out
    assert "Left alone: 1 empties that are not links" in out and "1 without a mesh" in out


@pytest.mark.versions
def test_names_alone():
    select(robot())
    run(rule="NAMES")
    assert (tags("base_visual"), tags("base_collision.001")) == ({"visual"}, {"collision"})
    assert not (tags("base") | tags("arm") | tags("rod"))


def test_hierarchy_alone_with_meshes_as_both():
    select(robot())
    run(rule="HIERARCHY", parts="BOTH")
    assert tags("base_visual") == tags("base_collision.001") == tags("rod") == {"collision", "visual"}


def test_only_the_selected_without_children():
    root = robot()
    select(root, bpy.data.objects["arm"])
    run(below=False)
    assert tags("arm") == set()  # its mesh was not chosen, so nothing says that it is a link
    select(root, bpy.data.objects["arm"], bpy.data.objects["rod"])
    run(below=False)
    assert (tags("arm"), tags("rod")) == ({"link"}, {"collision", "visual"})
    assert not (tags("base") | tags("base_visual"))


def test_what_is_tagged_stays_and_doing_it_twice_changes_nothing(capfd):
    root = robot()
    tag(bpy.data.objects["rod"], "visual")
    select(root)
    run()
    first = {ob.name: tags(ob.name) for ob in bpy.data.objects}
    assert first["rod"] == {"visual"}
    capfd.readouterr()
    run()
    assert {ob.name: tags(ob.name) for ob in bpy.data.objects} == first
    assert "Nothing was tagged" in capfd.readouterr().out


def test_meshes_and_selection_are_left_alone():
    root = robot()
    select(root, bpy.data.objects["rod"])
    before = {ob.name: (ob.data and ob.data.name, ob.matrix_world.copy(), ob.parent) for ob in bpy.data.objects}
    run()
    assert {ob.name: (ob.data and ob.data.name, ob.matrix_world.copy(), ob.parent) for ob in bpy.data.objects} == before
    assert set(bpy.context.selected_objects) == {root, bpy.data.objects["rod"]}
    assert bpy.context.active_object == root


def test_unreals_prefixes_say_the_shape_where_the_extents_are_its(capfd):
    link = tag(empty("link"), "link")
    for name, size in (("UBX_a", (1, 2, 3)), ("USP_a", (2, 2, 2)), ("USP_b", (1, 2, 2)), ("UCP_a", (1, 1, 3))):
        add(box_mesh(size), name, link)
    select(*link.children)
    run()
    shapes = {ob.name: ob.sdf_inertia.geometry for ob in link.children}
    assert shapes == {"UBX_a": "BOX", "USP_a": "SPHERE", "USP_b": "MESH", "UCP_a": "CAPSULE"}
    assert "1 named sphere, with other extents: a mesh" in capfd.readouterr().out


def test_shapes_can_be_left_out():
    select(add(box_mesh(), "UBX_a", tag(empty("link"), "link")))
    run(shapes=False)
    assert bpy.data.objects["UBX_a"].sdf_inertia.geometry == "MESH"


def test_a_collision_without_a_link_is_reported(capfd):
    select(add(box_mesh(), "wheel_collision"))
    run(rule="NAMES")
    assert "Beware: 1 part without a link above" in capfd.readouterr().out


def test_that_nothing_was_tagged_is_reported_and_why(capfd):
    select(add(box_mesh(), "wheel"))
    run(rule="NAMES")
    out = capfd.readouterr().out
    assert "Nothing was tagged" in out and "1 whose names say nothing" in out


def test_undo_takes_all_tags_back():
    select(robot())
    bpy.ops.ed.undo_push(message="before")
    run()
    bpy.ops.ed.undo_push(message="Tag by Rules")
    assert tags("base") == {"link"}
    bpy.ops.ed.undo()
    assert not tags("base") and not tags("rod")
    bpy.ops.ed.redo()
    assert tags("base") == {"link"}
    assert "UNDO" in bpy.types.SDF_INERTIA_OT_tag_by_rules.bl_options


def test_it_wants_a_selection_and_says_so():
    robot()
    select()
    with pytest.raises(RuntimeError, match="Select the robot's objects"):
        run()


def test_a_thousand_objects_take_no_time():
    from time import process_time

    link, mesh = empty("link"), box_mesh()
    obs = [add(mesh, f"part_{number}", link) for number in range(1000)]
    select(link, *obs)
    start = process_time()
    run()
    assert process_time() - start < 2.0
    assert all(ob.sdf_inertia.is_collision for ob in obs)


def test_a_robot_of_lone_meshes_is_seen_and_has_mass():
    base = add(box_mesh(), "base")
    add(box_mesh(), "bolt", base)
    select(base)
    run()
    assert tags("base") == {"link", "collision", "visual"}
    assert tags("bolt") == {"collision", "visual"}
