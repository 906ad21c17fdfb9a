# SPDX-License-Identifier: GPL-3.0-or-later
"""Mirrored links: their joints move along and about the axes that are set, in Drake as in Blender."""

import itertools

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix

from ..scenes import add, empty, export, findings, module, read, select, tag, wedge_mesh

pytestmark = [pytest.mark.usefixtures("scene"), pytest.mark.fault(102)]

MIRRORS = [(-1.0, 1.0, 1.0), (1.0, -1.0, 1.0), (1.0, 1.0, -1.0)]
EXACT = 2e-6


def robot(kind, scale, above=(1.0, 1.0, 1.0), turned=(0.0, 0.0, 0.0), axis=(0.0, 0.0, 1.0)):
    """A base, and an arm on a joint along an axis of its own."""
    base = tag(add(wedge_mesh(), "base", rotation_euler=(0.2, 0.3, 0.4), scale=above), "link", "collision")
    arm = add(wedge_mesh(), "arm", base, location=(0.5, 0.2, 1.0), rotation_euler=turned, scale=scale)
    tag(arm, "link", "collision", joint_type=kind, joint_axis=axis, joint_pitch=0.01)
    bpy.context.view_layer.update()
    return base, arm


def moved(tmp_path, q):
    """Return the arm's pose against where it stands, in the world, with its joint at q in Drake."""
    parsing = pytest.importorskip("pydrake.multibody.parsing", reason="Drake has no wheel for this Python or numpy")
    from pydrake.multibody.plant import MultibodyPlant

    result = export(tmp_path, inertia="FILLED", uri_style="file")
    plant = MultibodyPlant(0.0)
    parsing.Parser(plant).AddModels(str(result.sdf))
    plant.Finalize()
    context = plant.CreateDefaultContext()
    joint = plant.GetJointByName("arm_joint")
    body = plant.GetBodyByName("arm")
    at = [plant.EvalBodyPoseInWorld(context, body).GetAsMatrix4()]
    plant.SetPositions(context, [*plant.GetPositions(context)[: joint.position_start()], q])
    at.append(plant.EvalBodyPoseInWorld(context, body).GetAsMatrix4())
    base = plant.EvalBodyPoseInWorld(context, plant.GetBodyByName("base")).GetAsMatrix4()
    return np.linalg.inv(base) @ at[0], np.linalg.inv(base) @ at[1]


def rotation_of(*angles):
    return np.array(Euler(angles).to_matrix())


@pytest.mark.parametrize("kind", ["PRISMATIC", "REVOLUTE", "CONTINUOUS"])
@pytest.mark.parametrize("scale", MIRRORS)
@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)])
def test_drake_moves_a_mirrored_link_along_the_axis_that_is_set(kind, scale, axis, tmp_path):
    turned = (0.4, -0.3, 0.9)
    _base, _arm = robot(kind, scale, turned=turned, axis=axis)
    rest, now = moved(tmp_path, 0.1)
    R = rotation_of(*turned)
    np.testing.assert_allclose(rest[:3, :3], R, atol=EXACT)
    along = R @ np.array(axis)
    if kind == "PRISMATIC":
        np.testing.assert_allclose(now[:3, 3] - rest[:3, 3], 0.1 * along, atol=EXACT)
    else:
        turn = np.array(Matrix.Rotation(0.1, 3, along.tolist()))
        np.testing.assert_allclose(now[:3, :3] @ rest[:3, :3].T, turn, atol=EXACT)


@pytest.mark.parametrize("kind", ["PRISMATIC", "REVOLUTE"])
@pytest.mark.parametrize("above", MIRRORS)
def test_a_link_below_a_mirrored_parent_moves_along_its_axis(kind, above, tmp_path):
    _base, arm = robot(kind, (1.0, 1.0, 1.0), above)
    rest, now = moved(tmp_path, 0.1)
    np.testing.assert_allclose(rest[:3, :3], np.eye(3), atol=EXACT)
    if kind == "PRISMATIC":
        np.testing.assert_allclose(now[:3, 3] - rest[:3, 3], (0, 0, 0.1), atol=EXACT)
    else:
        np.testing.assert_allclose(now[:3, :3], np.array(Matrix.Rotation(0.1, 3, "Z")), atol=EXACT)
    assert "link_mirrored" in [finding.code for finding in findings_of(arm)]


def findings_of(ob):
    return next(link for link in read()[0].links if link.name == ob.name).findings


def axes(ob):
    return next(link.pose.R for link in read()[0].links if link.name == ob.name)


@pytest.mark.parametrize("mode", ["XYZ", "ZYX", "QUATERNION", "AXIS_ANGLE"])
@pytest.mark.parametrize("scale", MIRRORS)
def test_the_frame_has_the_rotation_that_was_entered(mode, scale):
    ob = tag(add(wedge_mesh(), "arm"), "link", "collision")
    ob.rotation_mode = mode
    ob.delta_rotation_euler = ob.rotation_euler = (0.1, 0.0, 0.0)
    ob.rotation_quaternion = ob.delta_rotation_quaternion = (0.9, 0.1, 0.3, -0.2)
    ob.rotation_axis_angle = (0.7, 0.2, 0.4, 0.5)
    bpy.context.view_layer.update()
    plain = axes(ob)
    ob.scale = scale
    bpy.context.view_layer.update()
    np.testing.assert_allclose(axes(ob), plain, atol=EXACT)
    assert [finding.severity for finding in findings_of(ob)] == ["info"]


@pytest.mark.parametrize("keep", [False, True])
def test_parented_to_a_mirrored_one_it_has_the_rotation_that_is_shown(keep):
    base = tag(add(wedge_mesh(), "base", scale=(1, -1, 1), rotation_euler=(0.3, 0.2, 0.1)), "link", "collision")
    arm = tag(add(wedge_mesh(), "arm", rotation_euler=(0.5, 0.6, 0.7), scale=(-2, 2, 2)), "link", "collision")
    bpy.context.view_layer.update()
    select(base, arm)
    assert bpy.ops.object.parent_set(type="OBJECT", keep_transform=keep) == {"FINISHED"}
    bpy.context.view_layer.update()
    assert arm.parent == base
    np.testing.assert_allclose(axes(arm), rotation_of(*arm.rotation_euler), atol=EXACT)
    np.testing.assert_allclose(axes(base), rotation_of(0.3, 0.2, 0.1), atol=EXACT)


def test_a_mirror_along_two_axes_is_a_half_turn():
    ob = tag(add(wedge_mesh(), "arm", scale=(-1, -1, 1)), "link", "collision")
    bpy.context.view_layer.update()
    np.testing.assert_allclose(axes(ob), np.diag([-1.0, -1.0, 1.0]), atol=EXACT)
    assert findings_of(ob) == ()


def test_a_turned_child_of_a_mirrored_parent_is_named():
    _base, arm = robot("REVOLUTE", (1.0, 1.0, 1.0), (1.0, -1.0, 1.0), (0.3, 0.4, 0.5))
    (found,) = (finding for finding in findings_of(arm) if finding.code == "link_mirrored")
    assert found.severity == "warning" and "turned by a parent" in found.message


def test_numbers_entered_by_hand_on_a_mirrored_link_are_to_be_checked():
    ob = tag(add(wedge_mesh(), "arm", scale=(1, -1, 1)), "link", inertia="MANUAL")
    (found,) = (finding for finding in findings_of(ob) if finding.code == "link_mirrored")
    assert found.severity == "warning" and "by hand" in found.remedy


@pytest.mark.parametrize("scale", MIRRORS)
def test_an_instance_of_a_mirrored_link_has_its_axes(scale):
    arm = tag(add(wedge_mesh(), "arm", scale=scale, rotation_euler=(0.1, 0.2, 0.3)), "link", "collision")
    collection = bpy.data.collections.new("arms")
    collection.objects.link(arm)
    bpy.context.scene.collection.objects.unlink(arm)
    place = empty("place", location=(1, 2, 3), rotation_euler=(0.0, 0.0, 0.5))
    place.instance_type, place.instance_collection = "COLLECTION", collection
    bpy.context.view_layer.update()
    (link,) = read()[0].links
    np.testing.assert_allclose(link.pose.R, rotation_of(0, 0, 0.5) @ rotation_of(0.1, 0.2, 0.3), atol=EXACT)


@pytest.mark.parametrize("scale", MIRRORS)
def test_a_mirrored_link_that_is_moved_keeps_its_axes_live(scale):
    live = module("sdf_inertia_addon.live")
    ob = tag(add(wedge_mesh(), "arm", scale=scale, rotation_euler=(0.1, 0.2, 0.3)), "link", "collision")

    def poses():
        bpy.context.view_layer.update()
        depsgraph = bpy.context.evaluated_depsgraph_get()
        return live.model(depsgraph).links[0].body.pose, read()[0].links[0].pose

    poses()
    for angles in itertools.product((0.5, 3.0), (0.2,), (-1.0, 2.0)):
        ob.rotation_euler, ob.location.x = angles, angles[0]
        followed, whole = poses()
        np.testing.assert_allclose(followed.R, whole.R, atol=EXACT)
        np.testing.assert_allclose(followed.R, rotation_of(*angles), atol=EXACT)


def test_what_is_mirrored_weighs_the_same_wherever_its_frame_is():
    ob = tag(add(wedge_mesh(), "arm"), "link", "collision")
    bpy.context.view_layer.update()
    body = module("sdf_inertia_addon.live").link_body(bpy.context.evaluated_depsgraph_get(), ob)
    plain = body.inertial
    ob.scale = (1, -1, 1)
    bpy.context.view_layer.update()
    mirrored = module("sdf_inertia_addon.live").link_body(bpy.context.evaluated_depsgraph_get(), ob).inertial
    mirror = np.diag([1.0, -1.0, 1.0])
    np.testing.assert_allclose(mirrored.com, mirror @ plain.com, rtol=1e-9)
    np.testing.assert_allclose(mirrored.inertia, mirror @ plain.inertia @ mirror, rtol=1e-9)
    assert "link_mirrored" in findings()
