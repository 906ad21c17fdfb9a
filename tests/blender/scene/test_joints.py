# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints of a scene: read from settings, hierarchy and constraints, and posed in Drake as Blender poses its objects."""

from math import radians

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from .. import scenes
from ..scenes import add, box_mesh, empty, export, module, read, select, tag

pytestmark = pytest.mark.usefixtures("scene")


def arm():
    """Three links in a row, turned and scaled, and a slider that stands beside them under the first."""
    base = tag(add(box_mesh((1, 1, 0.2)), "base", location=(0.3, -0.2, 0.1), rotation_euler=(0.1, 0.2, 0.3)), "link")
    upper = add(box_mesh((0.2, 0.2, 1)), "upper", parent=base, location=(0, 0, 0.6), rotation_euler=(0.0, 0.7, 0.2))
    fore = add(box_mesh((0.1, 0.1, 0.8)), "fore", parent=upper, location=(0.1, 0, 0.9), scale=(1.5, 1.0, 1.0))
    slide = add(box_mesh((0.3, 0.1, 0.1)), "slide", parent=base, location=(0.4, 0.2, 0.3), rotation_euler=(0, 0, 1.0))
    for ob in (base, upper, fore, slide):
        tag(ob, "link", "collision", density=500.0)
    tag(upper, joint_type="REVOLUTE", joint_axis=(0, 1, 0), joint_use_limits=True, joint_lower=-1, joint_upper=2)
    tag(fore, joint_type="CONTINUOUS", joint_axis=(1, 0, 0))
    tag(slide, joint_type="PRISMATIC", joint_axis=(0, 0, 1))
    bpy.context.view_layer.update()
    return base, upper, fore, slide


def codes():
    return [finding.code for finding in read()[0].findings]


def exported(folder, **options):
    return export(folder, inertia="FILLED", **options)


def test_joints_are_read_with_their_parents_from_the_hierarchy():
    arm()
    model = read()[0]
    assert {(joint.name, joint.kind, joint.parent, joint.child) for joint in model.joints} == {
        ("upper_joint", "revolute", "base", "upper"),
        ("fore_joint", "continuous", "upper", "fore"),
        ("slide_joint", "prismatic", "base", "slide"),
    }
    assert "free_links" not in codes()


def test_drake_poses_each_link_as_blender_does(tmp_path):
    pytest.importorskip("pydrake", reason="Drake has no wheel for this Python or numpy")
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import MultibodyPlant

    base, upper, fore, slide = arm()
    result = exported(tmp_path, uri_style="file")
    plant = MultibodyPlant(0.0)
    Parser(plant).AddModels(str(result.sdf))
    plant.WeldFrames(plant.world_frame(), plant.GetFrameByName("base"), _drake(_frame(base)))
    plant.Finalize()
    assert plant.num_positions() == 3
    context = plant.CreateDefaultContext()
    for ob in (upper, fore, slide):
        ob.rotation_mode = "QUATERNION"  # Blender's Euler angles lose digits, and they are only for posing here
    rest = {ob: ob.matrix_basis.copy() for ob in (upper, fore, slide)}
    rng = np.random.default_rng(5)
    for _ in range(100):
        turned, spun, slid = rng.uniform(-1, 1, 3)
        for name, value in (("upper_joint", turned), ("fore_joint", spun), ("slide_joint", slid)):
            positions = plant.GetPositions(context).copy()
            positions[plant.GetJointByName(name).position_start()] = value
            plant.SetPositions(context, positions)
        upper.matrix_basis = rest[upper] @ Matrix.Rotation(turned, 4, "Y")
        scale = Matrix.Diagonal((*rest[fore].to_scale(), 1.0))
        fore.matrix_basis = rest[fore] @ scale.inverted() @ Matrix.Rotation(spun, 4, "X") @ scale
        slide.matrix_basis = rest[slide] @ Matrix.Translation((0, 0, slid))
        bpy.context.view_layer.update()
        for ob in (base, upper, fore, slide):
            there = plant.EvalBodyPoseInWorld(context, plant.GetBodyByName(ob.name)).GetAsMatrix4()
            np.testing.assert_allclose(there, _frame(ob), rtol=0, atol=2e-6, err_msg=ob.name)


def _frame(ob):
    location, rotation, _scale = ob.matrix_world.decompose()
    return np.array(Matrix.LocRotScale(location, rotation, None), dtype=float)


def _drake(matrix):
    from pydrake.math import RigidTransform, RotationMatrix

    return RigidTransform(RotationMatrix.ProjectToRotationMatrix(matrix[:3, :3]), matrix[:3, 3])


def test_a_joint_of_another_objects_place_and_axes_and_of_the_world():
    base, upper, fore, slide = arm()
    pin = empty("pin", location=(1, 2, 3), rotation_euler=(0, 0, radians(90)))
    tag(upper, joint_frame=pin, joint_name="hinge")
    tag(base, joint_type="FIXED", joint_world=True)
    tag(slide, joint_parent=fore)
    bpy.context.view_layer.update()
    joints = {joint.child: joint for joint in read()[0].joints}
    assert joints["upper"].name == "hinge" and joints["base"].parent == "world" and joints["slide"].parent == "fore"
    placed = _frame(upper) @ np.block(
        [[joints["upper"].pose.R, joints["upper"].pose.p[:, None]], [np.zeros((1, 3)), np.ones((1, 1))]]
    )
    np.testing.assert_allclose(placed, _frame(pin), atol=1e-6)


def test_limits_are_in_metres_whatever_the_scenes_unit():
    *_, slide = arm()
    tag(slide, joint_use_limits=True, joint_lower=-50.0, joint_upper=120.0)
    bpy.context.scene.unit_settings.scale_length = 0.001
    (joint,) = [one for one in read()[0].joints if one.child == "slide"]
    assert (joint.lower, joint.upper) == (pytest.approx(-0.05, rel=1e-12), pytest.approx(0.12, rel=1e-12))
    slide.sdf_inertia.joint_lower_length = -25.0
    assert slide.sdf_inertia.joint_lower == -25.0


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"joint_axis": (0, 0, 0)}, "axis_zero"),
        ({"joint_lower": 3.0}, "limits_swapped"),
    ],
)
def test_what_is_wrong_with_a_joint_refuses_the_export(settings, code, tmp_path):
    _, upper, _, _ = arm()
    tag(upper, **settings)
    assert code in codes()
    assert exported(tmp_path).sdf is None


def test_a_joint_without_a_parent_is_reported():
    base, *_ = arm()
    tag(base, joint_type="FIXED")
    assert "joint_parent_missing" in codes()
    tag(base, joint_parent=empty("nobody"))
    (finding,) = [one for one in read()[0].findings if one.code == "joint_parent_missing"]
    assert "nobody" in finding.message


def test_a_loop_is_closed_by_a_joint_of_its_own():
    _, _, fore, slide = arm()
    close = tag(empty("close", parent=fore), joint_type="BALL", joint_child=slide)
    close.sdf_inertia.is_joint = True
    (joint,) = [one for one in read()[0].joints if one.name == "close"]
    assert (joint.parent, joint.child, joint.kind) == ("fore", "slide", "ball")
    assert "two_parents" in codes()


def test_the_panel_hears_of_a_joint_that_became_wrong():
    _, upper, _, _ = arm()
    live = module("sdf_inertia_addon.live")

    def said():
        return [finding.code for finding in live.model(bpy.context.evaluated_depsgraph_get()).findings]

    assert said() == []
    tag(upper, joint_axis=(0, 0, 0))
    assert said() == ["axis_zero", "free_links"]
    tag(upper, joint_axis=(0, 0, 2))
    assert said() == []


def test_joints_from_the_hierarchy_are_fixed_and_leave_others_alone():
    base, upper, fore, slide = arm()
    tag(upper, joint_type="NONE")
    select()
    assert bpy.ops.sdf_inertia.joints_from_hierarchy() == {"FINISHED"}
    assert [ob.sdf_inertia.joint_type for ob in (base, upper, fore, slide)] == [
        "NONE",
        "FIXED",
        "CONTINUOUS",
        "PRISMATIC",
    ]
    assert bpy.ops.sdf_inertia.joints_from_hierarchy() == {"CANCELLED"}


def test_joints_from_limits_with_one_free_axis():
    base, upper, _fore, slide = arm()
    for ob in (upper, slide):
        tag(ob, joint_type="NONE")
    upper.rotation_euler = (0.0, 0.25, 0.0)
    turns = upper.constraints.new("LIMIT_ROTATION")
    turns.owner_space = "LOCAL"
    turns.use_limit_x = turns.use_limit_y = turns.use_limit_z = True
    turns.min_y, turns.max_y = -1.0, 1.5
    slides = slide.constraints.new("LIMIT_LOCATION")
    slides.owner_space = "LOCAL"
    for axis in "xy":
        for end in ("min", "max"):
            setattr(slides, f"use_{end}_{axis}", True)
            setattr(slides, f"{end}_{axis}", getattr(slide.location, axis))
    bpy.context.view_layer.update()
    select()
    bpy.ops.sdf_inertia.joints_from_constraints()
    found = upper.sdf_inertia
    assert (found.joint_type, tuple(found.joint_axis)) == ("REVOLUTE", (0.0, 1.0, 0.0))
    assert (found.joint_lower, found.joint_upper) == (pytest.approx(-1.25), pytest.approx(1.25))
    assert (slide.sdf_inertia.joint_type, slide.sdf_inertia.joint_use_limits) == ("PRISMATIC", False)
    np.testing.assert_allclose(slide.sdf_inertia.joint_axis, (0, 0, 1), atol=1e-7)
    assert base.sdf_inertia.joint_type == "NONE"


@pytest.mark.parametrize(
    ("kind", "joint", "axis"),
    [
        ("HINGE", "REVOLUTE", (0, 0, 1)),
        ("SLIDER", "PRISMATIC", (1, 0, 0)),
        ("POINT", "BALL", None),
        ("FIXED", "FIXED", None),
    ],
)
def test_joints_from_rigid_body_constraints(kind, joint, axis):
    base, upper, _fore, slide = arm()
    tag(slide, joint_type="NONE")
    pin = empty("pin", location=(0.5, 0, 0))
    select(pin)
    bpy.ops.rigidbody.world_add()
    bpy.ops.rigidbody.constraint_add(type=kind)
    constraint = pin.rigid_body_constraint
    constraint.object1, constraint.object2 = slide, upper
    tag(upper, joint_type="NONE")
    if kind == "HINGE":
        constraint.use_limit_ang_z = True
        constraint.limit_ang_z_lower, constraint.limit_ang_z_upper = -0.5, 0.75
    select()
    bpy.ops.sdf_inertia.joints_from_constraints()
    found = upper.sdf_inertia
    assert (found.joint_type, found.joint_parent, found.joint_frame) == (joint, slide, pin)
    if axis is not None:
        assert tuple(found.joint_axis) == axis
    if kind == "HINGE":
        assert (found.joint_lower, found.joint_upper) == (-0.5, 0.75)
    assert (
        scenes.module("sdf_inertia_addon.panels.sections.joint").parent_remark(upper, found).text
        == "upper is joined to slide"
    )
