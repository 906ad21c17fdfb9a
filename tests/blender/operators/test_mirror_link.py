# SPDX-License-Identifier: GPL-3.0-or-later
"""Mirror Link makes the other half of a robot: in Drake, the mirror image at the same joint positions."""

import bpy
import numpy as np
import pytest

from ..scenes import add, empty, module, only_link, read, select, tag, wedge_mesh

pytestmark = pytest.mark.usefixtures("scene")

MIRROR = np.diag([1.0, -1.0, 1.0, 1.0])
EXACT = 4e-6


def leg():
    """A trunk, turned and off the origin, with a left leg of a hip, a slider and a foot that is a mesh and mirrored."""
    trunk = tag(add(wedge_mesh(), "trunk", location=(0.3, 0.1, 2), rotation_euler=(0.1, 0.2, 0.3)), "link", "collision")
    hip = tag(empty("left_hip", trunk, location=(0.1, 0.5, -0.2), rotation_euler=(0.2, 0.1, 1.2)), "link")
    tag(add(wedge_mesh(), "left_thigh", hip, location=(0, 0.1, -0.3), scale=(0.5, 0.4, 0.3)), "collision", "visual")
    tag(
        hip, joint_type="REVOLUTE", joint_axis=(0.3, 0.9, 0.1), joint_use_limits=True, joint_lower=-0.4, joint_upper=1.1
    )
    pin = empty("pin", hip, location=(0.2, 0, -0.5), rotation_euler=(0.4, 1.3, 0.2))
    slide = tag(empty("left_shank", hip, location=(0, 0.1, -0.6), rotation_euler=(0, 0.4, 0.1)), "link")
    tag(add(wedge_mesh(), "sleeve", slide, scale=(0.2, 0.2, 0.6)), "mass", use_mass=True, mass=0.4)
    tag(slide, joint_type="PRISMATIC", joint_axis=(0, 0.6, 0.8), joint_frame=pin)
    foot = add(
        wedge_mesh(), "foot_L", slide, location=(0.1, 0, -0.5), rotation_euler=(0.5, 0, 0.3), scale=(-0.3, 0.2, 0.2)
    )
    tag(foot, "link", "collision", joint_type="SCREW", joint_axis=(1, 0, 0), joint_pitch=0.05)
    bpy.context.view_layer.update()
    return trunk, hip, slide, foot


PAIRS = {"left_hip": "right_hip", "left_shank": "right_shank", "foot_L": "foot_R"}
JOINTS = ("left_hip", "left_shank", "foot_L")


def plant_of(folder):
    parsing = pytest.importorskip("pydrake.multibody.parsing", reason="Drake has no wheel for this Python or numpy")
    from pydrake.multibody.plant import MultibodyPlant

    export_scene = module("sdf_inertia_addon.export.export_scene").export_scene
    result = export_scene(bpy.context.evaluated_depsgraph_get(), folder, "FILLED", uri_style="file")
    assert result.sdf is not None, result.findings
    plant = MultibodyPlant(0.0)
    parsing.Parser(plant).AddModels(str(result.sdf))
    plant.Finalize()
    return plant


def test_the_copy_is_the_mirror_image_at_every_joint_position(tmp_path):
    trunk, hip, *_ = leg()
    select(hip)
    assert bpy.ops.sdf_inertia.mirror_link() == {"FINISHED"}
    plant = plant_of(tmp_path)
    context = plant.CreateDefaultContext()
    random = np.random.default_rng(3)
    for _ in range(20):
        for left in JOINTS:
            q = random.uniform(-1.0, 1.0)
            for link in (left, PAIRS[left]):
                positions = plant.GetPositions(context)
                positions[plant.GetJointByName(f"{link}_joint").position_start()] = q
                plant.SetPositions(context, positions)
        base = np.linalg.inv(plant.EvalBodyPoseInWorld(context, plant.GetBodyByName("trunk")).GetAsMatrix4())
        for left, right in PAIRS.items():
            mine, other = (
                base @ plant.EvalBodyPoseInWorld(context, plant.GetBodyByName(name)).GetAsMatrix4()
                for name in (left, right)
            )
            inertias = [plant.GetBodyByName(name).default_spatial_inertia() for name in (left, right)]
            assert inertias[0].get_mass() == pytest.approx(inertias[1].get_mass(), rel=EXACT)
            coms = [(one @ [*own.get_com(), 1.0]) for one, own in zip((mine, other), inertias, strict=True)]
            np.testing.assert_allclose(coms[1], MIRROR @ coms[0], atol=EXACT)
            tensors = [
                one[:3, :3] @ own.Shift(own.get_com()).CalcRotationalInertia().CopyToFullMatrix3() @ one[:3, :3].T
                for one, own in zip((mine, other), inertias, strict=True)
            ]
            flip = MIRROR[:3, :3]
            np.testing.assert_allclose(tensors[1], flip @ tensors[0] @ flip, atol=EXACT * np.abs(tensors[0]).max())


def test_names_parts_joints_and_limits_are_those_of_the_other_side():
    _trunk, hip, *_ = leg()
    select(hip)
    bpy.ops.sdf_inertia.mirror_link()
    assert [ob.name for ob in bpy.context.selected_objects] == ["right_hip"]
    names = {ob.name for ob in bpy.data.objects}
    assert {"right_hip", "right_thigh", "right_shank", "sleeve_mirrored", "foot_R", "pin_mirrored"} <= names
    made = {name: bpy.data.objects[name] for name in names}
    assert made["foot_R"].parent == made["right_shank"] and made["right_shank"].parent == made["right_hip"]
    assert made["right_shank"].sdf_inertia.joint_frame == made["pin_mirrored"]
    right = made["right_hip"].sdf_inertia
    assert (right.joint_lower, right.joint_upper) == pytest.approx((-0.4, 1.1))
    assert made["sleeve_mirrored"].sdf_inertia.mass == pytest.approx(0.4)
    assert made["right_thigh"].data == made["left_thigh"].data
    assert {joint.child for joint in read()[0].joints} == {*PAIRS, *PAIRS.values()}


def test_an_inertia_entered_by_hand_is_mirrored():
    link = tag(empty("arm_l", rotation_euler=(0.1, 0, 0)), "link", inertia="MANUAL", manual_mass=2.0)
    tag(link, manual_com=(0.1, 0.2, 0.3), manual_inertia=(1.0, 1.2, 1.3, 0.1, 0.2, 0.3))
    bpy.context.view_layer.update()
    select(link)
    bpy.ops.sdf_inertia.mirror_link(axis="Y")
    copy = bpy.data.objects["arm_r"].sdf_inertia
    assert list(copy.manual_com) == pytest.approx([0.1, -0.2, 0.3])
    assert list(copy.manual_inertia) == pytest.approx([1.0, 1.2, 1.3, -0.1, 0.2, -0.3])


def test_mirrored_twice_it_stands_where_it_stood():
    _trunk, hip, *_ = leg()
    select(hip)
    bpy.ops.sdf_inertia.mirror_link()
    before = {ob.name: ob.matrix_world.copy() for ob in (hip, *hip.children_recursive)}
    for ob in (*hip.children_recursive, hip):
        bpy.data.objects.remove(ob)
    select(bpy.data.objects["right_hip"])
    bpy.ops.sdf_inertia.mirror_link()
    for name in ("left_hip", "left_shank", "left_thigh", "foot_L"):
        np.testing.assert_allclose(bpy.data.objects[name].matrix_world, before[name], atol=EXACT)
    assert bpy.data.objects["left_hip"].sdf_inertia.joint_axis[:] == pytest.approx((0.3, 0.9, 0.1))


def test_a_twin_that_is_there_is_not_made_again():
    _trunk, hip, *_ = leg()
    select(hip)
    bpy.ops.sdf_inertia.mirror_link()
    count = len(bpy.data.objects)
    select(hip)
    with pytest.raises(RuntimeError, match="right_hip"):
        bpy.ops.sdf_inertia.mirror_link()
    assert len(bpy.data.objects) == count


def test_a_sheared_object_is_refused_and_nothing_is_copied():
    squash = empty("squash", scale=(1, 2, 0.5))
    link = tag(add(wedge_mesh(), "left_arm", squash, rotation_euler=(0.5, 0.6, 0.7)), "link", "collision")
    bpy.context.view_layer.update()
    select(link)
    with pytest.raises(RuntimeError, match="sheared"):
        bpy.ops.sdf_inertia.mirror_link()
    assert "right_arm" not in bpy.data.objects


def test_the_original_is_as_it_was():
    trunk, hip, slide, foot = leg()
    before = [only_values(ob) for ob in (trunk, hip, slide, foot)]
    select(hip)
    bpy.ops.sdf_inertia.mirror_link(axis="X", about="WORLD")
    assert [only_values(ob) for ob in (trunk, hip, slide, foot)] == before


def only_values(ob):
    return [tuple(row) for row in ob.matrix_world], tuple(ob.sdf_inertia.joint_axis), ob.sdf_inertia.joint_parent


def test_a_lone_link_is_mirrored_in_the_world():
    link = tag(add(wedge_mesh(), "wheel_left", location=(0.2, 0.5, 0.1)), "link", "collision")
    bpy.context.view_layer.update()
    before = only_link().inertial
    select(link)
    bpy.ops.sdf_inertia.mirror_link()
    other = bpy.data.objects["wheel_right"]
    assert other.matrix_world.translation[:] == pytest.approx((0.2, -0.5, 0.1))
    link.sdf_inertia.is_link = link.sdf_inertia.is_collision = False
    assert only_link().inertial.com == pytest.approx(before.com * [1, -1, 1], rel=1e-6)
