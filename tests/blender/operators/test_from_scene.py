# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender already knows of a robot is offered: joints of an armature's bones, masses of rigid bodies."""

from math import radians

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from ..scenes import add, box_mesh, empty, read, select, tag

pytestmark = pytest.mark.usefixtures("scene")


@pytest.fixture
def rigged():
    """An armature of three bones in a row along x, each with a link; where the links are, and their names, differ."""
    data = bpy.data.armatures.new("rig")
    rig = bpy.data.objects.new("rig", data)
    bpy.context.scene.collection.objects.link(rig)
    rig.location, rig.rotation_euler = (0.5, 0.2, 0.1), (0.0, 0.0, 0.3)
    select(rig)
    bpy.ops.object.mode_set(mode="EDIT")
    for number, name in enumerate(("root", "upper", "fore")):
        bone = data.edit_bones.new(name)
        bone.head, bone.tail = (number, 0, 0), (number + 1, 0, 0.2)
        bone.parent = data.edit_bones[-2] if number else None
        bone.use_connect = number == 2
    bpy.ops.object.mode_set(mode="OBJECT")
    for posed in rig.pose.bones:
        posed.rotation_mode = "XYZ"
    links = {}
    for name in ("root", "upper", "fore"):
        link = tag(add(box_mesh((0.2, 0.2, 0.2)), f"{name}_link"), "link", "collision")
        link.parent, link.parent_type, link.parent_bone = rig, "BONE", name
        links[name] = link
    bpy.context.view_layer.update()
    return rig, links


@pytest.mark.versions
def test_a_bone_with_one_free_axis_is_a_revolute_joint_with_its_limits(rigged):
    rig, links = rigged
    upper = rig.pose.bones["upper"]
    upper.lock_rotation = (False, True, True)
    upper.use_ik_limit_x, upper.ik_min_x, upper.ik_max_x = True, -0.5, 1.25
    fore = rig.pose.bones["fore"]
    limit = fore.constraints.new("LIMIT_ROTATION")
    limit.owner_space = "LOCAL"
    limit.use_limit_x = limit.use_limit_y = limit.use_limit_z = True
    limit.min_z, limit.max_z = radians(-20), radians(40)
    assert bpy.ops.sdf_inertia.joints_from_armature() == {"FINISHED"}
    joints = {joint.child: joint for joint in read()[0].joints}
    assert {child: (joint.kind, joint.parent) for child, joint in joints.items()} == {
        "upper_link": ("revolute", "root_link"),
        "fore_link": ("revolute", "upper_link"),
    }
    assert (joints["upper_link"].lower, joints["upper_link"].upper) == pytest.approx((-0.5, 1.25))
    assert (joints["fore_link"].lower, joints["fore_link"].upper) == pytest.approx((radians(-20), radians(40)))
    assert joints["fore_link"].axis == (0.0, 0.0, 1.0)


def test_the_joint_is_at_the_bones_head_with_its_axes(rigged):
    rig, links = rigged
    rig.pose.bones["upper"].lock_rotation = (False, True, True)
    bpy.ops.sdf_inertia.joints_from_armature()
    bpy.context.view_layer.update()
    pivot = links["upper"].sdf_inertia.joint_frame
    there = rig.matrix_world @ rig.pose.bones["upper"].matrix
    np.testing.assert_allclose(pivot.matrix_world, there, atol=1e-5)
    assert pivot.matrix_world.translation[:] == pytest.approx((rig.matrix_world @ Matrix()[0].to_3d())[:], abs=2.0)


@pytest.mark.parametrize(
    ("locked", "slides", "kind"),
    [
        ((True, True, True), (True, True, True), "fixed"),
        ((True, True, True), (True, False, True), "prismatic"),
        ((False, False, True), (True, True, True), "universal"),
        ((False, False, False), (False, False, False), "ball"),
        ((True, False, True), (True, True, True), "continuous"),
    ],
)
def test_locks_of_a_bone_say_the_kind_of_joint(rigged, locked, slides, kind):
    rig, links = rigged
    bone = rig.pose.bones["upper"]
    bone.lock_rotation, bone.lock_location = locked, slides
    select(links["upper"])
    assert bpy.ops.sdf_inertia.joints_from_armature() == {"FINISHED"}
    (joint,) = read()[0].joints
    assert (joint.child, joint.kind) == ("upper_link", kind)


def test_a_joint_that_is_there_and_the_root_stay_as_they_are(rigged):
    _rig, links = rigged
    links["upper"].sdf_inertia.joint_type = "FIXED"
    bpy.ops.sdf_inertia.joints_from_armature()
    assert [links[name].sdf_inertia.joint_type for name in ("root", "upper")] == ["NONE", "FIXED"]


def test_a_second_link_of_a_bone_is_fixed_to_the_first(rigged):
    rig, links = rigged
    other = tag(add(box_mesh((0.1, 0.1, 0.1)), "upper_more"), "link", "collision")
    other.parent, other.parent_type, other.parent_bone = rig, "BONE", "upper"
    bpy.context.view_layer.update()
    bpy.ops.sdf_inertia.joints_from_armature()
    joint = next(joint for joint in read()[0].joints if joint.child == "upper_more")
    assert (joint.kind, joint.parent) == ("fixed", "upper_link")
    assert links["upper"].sdf_inertia.joint_type == "BALL"


def test_links_that_hang_on_no_bone_get_no_joint(capfd):
    tag(add(box_mesh(), "base"), "link")
    assert bpy.ops.sdf_inertia.joints_from_armature() == {"CANCELLED"}
    assert "No link without a joint is parented to a bone" in capfd.readouterr().out


@pytest.mark.versions
def test_the_masses_of_rigid_bodies_are_taken_when_asked():
    base = tag(empty("base"), "link")
    parts = [tag(add(box_mesh(), name, base), "collision") for name in ("a", "b", "c")]
    for ob, mass in zip(parts[:2], (2.5, 0.75), strict=True):
        select(ob)
        bpy.ops.rigidbody.object_add(type="ACTIVE")
        ob.rigid_body.mass = mass
    assert not any(ob.sdf_inertia.use_mass for ob in parts)
    select(*parts)
    assert bpy.ops.sdf_inertia.rigid_body_mass() == {"FINISHED"}
    masses = [ob.sdf_inertia.mass if ob.sdf_inertia.use_mass else None for ob in parts]
    assert masses == [pytest.approx(2.5), pytest.approx(0.75), None]
    select(parts[2])
    assert not bpy.ops.sdf_inertia.rigid_body_mass.poll()
