# SPDX-License-Identifier: GPL-3.0-or-later
"""Mirror Link makes the other half of a robot: in Drake, the mirror image at the same joint positions."""

import bpy
import numpy as np
import pytest

from ..scenes import add, box_mesh, empty, export, only_link, read, select, tag, wedge_mesh

pytestmark = pytest.mark.usefixtures("scene")

EXACT = 4e-6


def leg(hip_scale=(1.0, 1.0, 1.0), foot_scale=(-0.3, 0.2, 0.2)):
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

    result = export(folder, inertia="FILLED", uri_style="file")
    assert result.sdf is not None, result.findings
    plant = MultibodyPlant(0.0)
    parsing.Parser(plant).AddModels(str(result.sdf))
    plant.Finalize()
    return plant


SIGNS = ((-1.0, 1.0, 1.0), (1.0, -1.0, 1.0), (1.0, 1.0, -1.0), (-1.0, -1.0, 1.0), (-1.0, -1.0, -1.0))


@pytest.mark.parametrize(
    ("axis", "hip_scale", "foot_scale"),
    [
        ("Y", (1.0, 1.0, 1.0), (-0.3, 0.2, 0.2)),
        *(("XYZ"[number % 3], (1.0, 1.0, 1.0), [0.3 * sign for sign in signs]) for number, signs in enumerate(SIGNS)),
        *(("Y", signs, (0.3, 0.3, 0.3)) for signs in SIGNS),
        ("X", (1.0, -1.0, 1.0), (0.3, 0.3, -0.3)),
    ],
)
def test_the_copy_is_the_mirror_image_at_every_joint_position(axis, hip_scale, foot_scale, tmp_path):
    trunk, hip, *_ = leg(hip_scale, foot_scale)
    select(hip)
    assert bpy.ops.sdf_inertia.mirror_link(axis=axis) == {"FINISHED"}
    MIRROR = np.diag([*(-1.0 if name == axis else 1.0 for name in "XYZ"), 1.0])
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


@pytest.mark.versions
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


def test_links_that_hang_on_it_by_their_joint_are_copied_too():
    base = tag(add(wedge_mesh(), "base"), "link", "collision")
    hip = tag(add(wedge_mesh(), "left_hip", location=(0, 1, 0)), "link", "collision")
    knee = tag(add(wedge_mesh(), "left_knee", location=(0, 1, -1)), "link", "collision")
    tag(hip, joint_type="REVOLUTE", joint_parent=base)
    tag(knee, joint_type="REVOLUTE", joint_parent=hip)
    bpy.context.view_layer.update()
    for chosen in ((hip,), (hip, knee)):
        select(*chosen)
        bpy.ops.sdf_inertia.mirror_link()
        made = bpy.data.objects["right_knee"]
        assert made.matrix_world.translation[:] == pytest.approx((0, -1, -1))
        assert made.sdf_inertia.joint_parent == bpy.data.objects["right_hip"]
        for name in ("right_knee", "right_hip"):
            bpy.data.objects.remove(bpy.data.objects[name])


def test_a_loop_closes_on_its_own_side():
    base = tag(add(wedge_mesh(), "base"), "link", "collision")
    crank, rocker = (tag(add(wedge_mesh(), f"left_{name}", base), "link", "collision") for name in ("crank", "rocker"))
    coupler = tag(add(wedge_mesh(), "left_coupler", crank), "link", "collision", joint_type="REVOLUTE")
    loop = tag(empty("left_loop", rocker), joint_type="REVOLUTE")
    loop.sdf_inertia.is_joint, loop.sdf_inertia.joint_child = True, coupler
    bpy.context.view_layer.update()
    select(crank, rocker)
    bpy.ops.sdf_inertia.mirror_link()
    assert bpy.data.objects["right_loop"].sdf_inertia.joint_child == bpy.data.objects["right_coupler"]


def test_a_modifier_uses_the_mirrored_cutter():
    leg = tag(add(box_mesh(), "left_leg", location=(0, 2, 0)), "link", "collision")
    cutter = add(box_mesh((0.5, 0.5, 3)), "left_cut", leg, location=(0.2, 0.1, 0))
    cut = leg.modifiers.new("cut", "BOOLEAN")
    cut.object, cut.operation, cut.solver = cutter, "DIFFERENCE", "EXACT"
    bpy.context.view_layer.update()
    before = only_link().inertial
    assert before.mass == pytest.approx(750.0)
    select(leg)
    bpy.ops.sdf_inertia.mirror_link()
    assert bpy.data.objects["right_leg"].modifiers[0].object == bpy.data.objects["right_cut"]
    leg.sdf_inertia.is_link = leg.sdf_inertia.is_collision = False
    after = only_link().inertial
    assert after.mass == pytest.approx(before.mass, rel=1e-6)
    assert after.com == pytest.approx(before.com * [1, -1, 1], abs=1e-6)


def test_a_hidden_part_is_mirrored_from_where_it_is():
    arm = tag(add(wedge_mesh(), "left_arm", location=(0, 1, 0)), "link", "collision")
    part = tag(add(wedge_mesh(), "left_part", arm, location=(0, 0.5, 0)), "visual")
    bpy.context.view_layer.update()
    part.hide_viewport = True
    arm.location.y = 5.0
    bpy.context.view_layer.update()
    select(arm)
    bpy.ops.sdf_inertia.mirror_link()
    other = bpy.data.objects["right_part"]
    other.hide_viewport = False
    bpy.context.view_layer.update()
    assert other.matrix_world.translation[:] == pytest.approx((0, -5.5, 0))


def test_a_pitch_of_a_right_angle_keeps_its_rotation():
    arm = tag(add(wedge_mesh(), "arm_l", rotation_euler=(-1.20727, 1.57084, 2.61476)), "link", "collision")
    bpy.context.view_layer.update()
    select(arm)
    bpy.ops.sdf_inertia.mirror_link(about="WORLD")
    mirror = np.diag([1.0, -1.0, 1.0, 1.0])
    np.testing.assert_allclose(bpy.data.objects["arm_r"].matrix_world, mirror @ np.array(arm.matrix_world), atol=EXACT)


def test_copies_of_objects_in_a_linked_collection_are_in_the_scene(tmp_path):
    arm = tag(add(wedge_mesh(), "left_arm", location=(0, 1, 0)), "link", "collision")
    robot = bpy.data.collections.new("robot")
    robot.objects.link(arm)
    bpy.context.scene.collection.objects.unlink(arm)
    bpy.context.scene.collection.children.link(robot)
    path = str(tmp_path / "library.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(path, link=True) as (_there, here):
        here.collections = ["robot"]
    bpy.context.scene.collection.children.link(bpy.data.collections["robot"])
    bpy.context.view_layer.update()
    select(bpy.data.objects["left_arm"])
    assert bpy.ops.sdf_inertia.mirror_link(about="WORLD") == {"FINISHED"}
    assert bpy.data.objects["right_arm"].users_collection[0] == bpy.context.scene.collection
