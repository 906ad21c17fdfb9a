# SPDX-License-Identifier: GPL-3.0-or-later
"""Links that look like wheels are offered a joint that turns without end about their own axis; none gets it unasked."""

import bmesh
import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector

from ..scenes import add, box_link, box_mesh, empty, module, select, tag

pytestmark = [pytest.mark.usefixtures("scene"), pytest.mark.fault(227)]


def round_mesh(radius=0.3, length=0.1, segments=32, axis="Z"):
    """Return a cylinder about an axis of its own frame."""
    turn = {"X": Matrix.Rotation(np.pi / 2, 4, "Y"), "Y": Matrix.Rotation(np.pi / 2, 4, "X"), "Z": Matrix()}[axis]
    mesh, edited = bpy.data.meshes.new("round"), bmesh.new()
    sizes = {"radius1": radius, "radius2": radius, "depth": length, "segments": segments}
    bmesh.ops.create_cone(edited, cap_ends=True, matrix=turn, **sizes)
    edited.to_mesh(mesh)
    edited.free()
    return mesh


def wheel(name, base, mesh=None, **place):
    return tag(add(mesh or round_mesh(axis="Y"), name, base, **place), "link", "collision")


def found(link):
    return module("sdf_inertia_addon.mesh_tools.fitting").wheel_of(bpy.context.evaluated_depsgraph_get(), link)


@pytest.fixture
def base():
    return box_link("base")


@pytest.mark.parametrize("axis", ["X", "Y"])
def test_a_wheel_turns_about_the_axis_of_its_cylinder(base, axis):
    link = wheel("wheel", base, round_mesh(axis=axis), location=(1, 2, 3))
    bpy.context.view_layer.update()
    along, middle = found(link)
    assert tuple(along) == pytest.approx((1, 0, 0) if axis == "X" else (0, 1, 0), abs=1e-6)
    assert tuple(middle) == pytest.approx((0, 0, 0), abs=1e-6)


def test_a_rotated_and_scaled_wheel_has_its_axis_in_its_links_frame(base):
    link = tag(empty("wheel", base, location=(1, 0, 0), rotation_euler=(0.3, 0.2, 0.1)), "link")
    part = tag(add(round_mesh(), "tyre", link), "collision")
    turn = Matrix.Rotation(np.pi / 2, 4, "X")
    part.matrix_local = Matrix.Translation((0.1, 0.2, 0.3)) @ turn @ Matrix.Diagonal((2, 2, 1, 1))
    bpy.context.view_layer.update()
    along, middle = found(link)
    assert tuple(along) == pytest.approx((0, 1, 0), abs=1e-5)
    assert tuple(middle) == pytest.approx((0.1, 0.2, 0.3), abs=1e-5)


def test_wheels_on_both_sides_turn_the_same_way(base):
    left = wheel("left", base, rotation_euler=(0, 0, 0), location=(0, 1, 0))
    right = wheel("right", base, rotation_euler=(0, 0, np.pi), location=(0, -1, 0))
    bpy.context.view_layer.update()
    axes = [link.matrix_world.to_3x3() @ found(link)[0] for link in (left, right)]
    assert tuple(axes[0]) == pytest.approx((0, 1, 0), abs=1e-6) == tuple(axes[1])


@pytest.mark.parametrize(
    "mesh",
    [
        lambda: round_mesh(axis="Z"),  # a turntable
        lambda: round_mesh(radius=0.1, length=0.5, axis="Y"),  # a rod
        lambda: box_mesh((0.6, 0.1, 0.6)),  # a square plate
        lambda: round_mesh(segments=6, axis="Y"),  # a nut
    ],
)
def test_what_is_no_wheel_is_not_offered_to_turn(base, mesh):
    link = wheel("other", base, mesh())
    bpy.context.view_layer.update()
    assert found(link) is None


def test_a_link_of_several_parts_is_no_wheel(base):
    link = wheel("wheel", base)
    tag(add(box_mesh(), "motor", link), "mass")
    bpy.context.view_layer.update()
    assert found(link) is None


@pytest.mark.versions
def test_joints_from_hierarchy_let_wheels_turn_only_if_asked(base):
    first, second = wheel("first", base), box_link("second", base)
    bpy.context.view_layer.update()
    select(base)
    bpy.ops.sdf_inertia.joints_from_hierarchy(joint_type="FIXED", everywhere=True)
    assert (first.sdf_inertia.joint_type, second.sdf_inertia.joint_type) == ("FIXED", "FIXED")
    first.sdf_inertia.joint_type = second.sdf_inertia.joint_type = "NONE"
    bpy.ops.sdf_inertia.joints_from_hierarchy(joint_type="FIXED", everywhere=True, wheels=True)
    assert (first.sdf_inertia.joint_type, second.sdf_inertia.joint_type) == ("CONTINUOUS", "FIXED")
    assert tuple(first.sdf_inertia.joint_axis) == pytest.approx((0, 1, 0), abs=1e-6)
    assert first.sdf_inertia.joint_frame is None


def test_the_button_of_a_wheel_leaves_other_links_alone(base):
    first, second = wheel("first", base), box_link("second", base)
    bpy.context.view_layer.update()
    select(first, second)
    bpy.ops.sdf_inertia.joints_from_hierarchy("INVOKE_DEFAULT", wheels_only=True)
    assert (first.sdf_inertia.joint_type, second.sdf_inertia.joint_type) == ("CONTINUOUS", "NONE")
    first.sdf_inertia.joint_type = "NONE"
    bpy.ops.sdf_inertia.set_joint(joint_type="NONE", wheels=True)
    assert first.sdf_inertia.joint_type == "NONE"


def test_a_wheel_beside_its_links_origin_turns_about_its_own_middle(base):
    mesh = round_mesh(axis="Y")
    mesh.transform(Matrix.Translation((0.2, 0.5, 0.4)))
    link = wheel("wheel", base, mesh, location=(1, 0, 0))
    bpy.context.view_layer.update()
    select(link)
    bpy.ops.sdf_inertia.set_joint(joint_type="REVOLUTE", wheels=True)
    bpy.context.view_layer.update()
    assert link.sdf_inertia.joint_type == "CONTINUOUS"
    frame = link.sdf_inertia.joint_frame.matrix_world
    on_axis = frame.to_translation() - Vector((1.2, 0.5, 0.4))
    assert (on_axis.x, on_axis.z) == pytest.approx((0, 0), abs=1e-6)
    assert tuple(frame.to_3x3() @ link.sdf_inertia.joint_axis) == pytest.approx((0, 1, 0), abs=1e-6)
