# SPDX-License-Identifier: GPL-3.0-or-later
"""A model as URDF: the same bodies as in its SDF, wherever its joints stand; and what URDF cannot hold."""

from dataclasses import replace

import numpy as np
import pytest
from lxml import etree

from core import Inertial, Pose
from core.body.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, Sphere
from core.formats.package import Target, write_model
from core.formats.urdf.write import urdf_findings
from core.judge.geometry.resolve_model import resolve_model
from core.mesh.surface import Surface
from core.robot.model import WORLD, Collision, Frame, Joint, Link, Mesh, Model, Visual
from tests.core.drake_inertia import parsed
from tests.core.exported import wedge
from tests.thorough import many

from ...robot_files import check_path

RNG_POSES = many(100, 20)


def anywhere(rng):
    return Pose.from_sdf([*rng.uniform(-0.5, 0.5, 3), *rng.uniform(-1.5, 1.5, 3)])


def part(rng, geometry, name="part"):
    return Collision(name, anywhere(rng), geometry, 700.0)


def arm(seed=3, base="base"):
    """Six links in a tree, each joint with a frame and an axis of its own."""
    rng = np.random.default_rng(seed)
    geometries = {
        "base": Box((0.3, 0.2, 0.1)),
        "turn": Cylinder(0.05, 0.4),
        "spin": Mesh(wedge(), np.diag([0.5, 0.5, 0.5])),
        "slide": Sphere(0.07),
        "hold": Capsule(0.04, 0.2),
        "end": Cone(0.05, 0.1),
    }
    links = tuple(
        Link(name, anywhere(rng), "filled", collisions=(part(rng, one), part(rng, one, "other")))
        for name, one in geometries.items()
    )
    kinds = {"turn": "revolute", "spin": "continuous", "slide": "prismatic", "hold": "fixed", "end": "revolute"}
    parents = {"turn": "base", "spin": "turn", "slide": "base", "hold": "slide", "end": "spin"}
    joints = tuple(
        Joint(
            f"{name}_joint",
            kind,
            parents[name],
            name,
            anywhere(rng),
            tuple(rng.uniform(-1, 1, 3)),
            lower=-2.0,
            upper=2.5,
            effort=10.0,
            velocity=3.0,
            damping=0.1,
        )
        for name, kind in kinds.items()
    )
    return Model("arm", links, joints, frames=(Frame("tip", anywhere(rng), "end"),))


def write(model, folder, file_format="urdf", **options):
    return write_model(model, resolve_model(model), Target.of(folder, model.name, file_format), **options).file


def plant_of(path):
    pytest.importorskip("pydrake", reason="Drake has no wheel for this Python or numpy")
    plant, _ = parsed(path, finalized=False)
    plant.WeldFrames(plant.world_frame(), plant.GetFrameByName("base"))
    plant.Finalize()
    return plant, plant.CreateDefaultContext()


def body_in_world(plant, context, name):
    """Return mass, centre of mass and tensor of a link in the world, and the pose of its frame."""
    body = plant.GetBodyByName(name)
    spatial = body.default_spatial_inertia()
    com = spatial.get_com()
    tensor = spatial.Shift(com).CalcRotationalInertia().CopyToFullMatrix3()
    X = plant.EvalBodyPoseInWorld(context, body).GetAsMatrix4()
    return Inertial(spatial.get_mass(), com, tensor).transformed(Pose(X[:3, :3], X[:3, 3])), X


def test_in_drake_every_body_of_the_urdf_is_that_of_the_sdf(tmp_path):
    model = arm()
    plants = [plant_of(write(model, tmp_path / one, one, uri_style="file")) for one in ("sdf", "urdf")]
    rng = np.random.default_rng(11)
    moving = [joint for joint in model.joints if joint.kind != "fixed"]
    for _ in range(RNG_POSES):
        values = rng.uniform(-1.5, 1.5, len(moving))
        for plant, context in plants:
            for joint, value in zip(moving, values, strict=True):
                positions = plant.GetPositions(context).copy()
                positions[plant.GetJointByName(joint.name).position_start()] = value
                plant.SetPositions(context, positions)
        for link in model.links:
            (ours, X), (theirs, Y) = (body_in_world(plant, context, link.name) for plant, context in plants)
            assert theirs.mass == ours.mass
            # Each number is written to 1e-9, and a few joints add up.
            np.testing.assert_allclose(theirs.com, ours.com, rtol=0, atol=1e-8)
            np.testing.assert_allclose(theirs.inertia, ours.inertia, rtol=0, atol=1e-8 * np.trace(ours.inertia))
            frames = [joint.pose for joint in model.joints if joint.child == link.name] or [Pose.identity]
            moved = np.block([[frames[0].R, frames[0].p[:, None]], [np.zeros((1, 3)), np.ones((1, 1))]])
            np.testing.assert_allclose(Y, X @ moved, rtol=0, atol=1e-8)


def test_drake_has_the_limits_and_the_damping_of_the_sdf(tmp_path):
    model = arm()
    plants = [plant_of(write(model, tmp_path / one, one, uri_style="file"))[0] for one in ("sdf", "urdf")]
    for joint in model.joints:
        ours, theirs = (plant.GetJointByName(joint.name) for plant in plants)
        assert theirs.type_name() == ours.type_name()
        if joint.kind in ("revolute", "prismatic"):
            assert theirs.position_upper_limits() == ours.position_upper_limits() == 2.5
            assert theirs.velocity_upper_limits() == ours.velocity_upper_limits() == 3.0
            assert theirs.default_damping() == ours.default_damping() == 0.1


def test_check_has_nothing_against_the_file(tmp_path):
    assert [str(one) for one in check_path(write(arm(), tmp_path)) if one.severity != "info"] == []


def test_mujoco_has_the_same_bodies(tmp_path):
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo has no wheel for this Python")
    model = arm()
    spec = mujoco.MjSpec.from_file(str(write(model, tmp_path)))
    spec.compiler.fusestatic = False
    loaded = spec.compile()
    for body in resolve_model(model):
        moved = [joint.pose for joint in model.joints if joint.child == body.name] or [Pose.identity]
        if body.name == "base":
            continue  # the root is MuJoCo's world
        ours = body.inertial.transformed(moved[0].inverse())
        number = mujoco.mj_name2id(loaded, mujoco.mjtObj.mjOBJ_BODY, body.name)
        assert loaded.body_mass[number] == pytest.approx(ours.mass, rel=1e-9)
        np.testing.assert_allclose(loaded.body_ipos[number], ours.com, atol=2e-9)
        R = np.zeros(9)
        mujoco.mju_quat2Mat(R, loaded.body_iquat[number])
        R = R.reshape(3, 3)
        tensor = R @ np.diag(loaded.body_inertia[number]) @ R.T
        np.testing.assert_allclose(tensor, ours.inertia, rtol=0, atol=4e-9 * np.trace(ours.inertia))


def test_in_mujoco_friction_holds_an_arm_that_falls_without_it(tmp_path):
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo has no wheel for this Python")
    bar = Link("bar", Pose.from_sdf([0, 0, 1, 0, 0, 0]), "filled", collisions=(_bar(),))
    post = Link("post", mode="filled", collisions=(Collision("post", Pose.identity, Box((0.1, 0.1, 0.1)), 700.0),))
    moved = {}
    for friction in (0.0, 5.0):  # its weight turns it with 0.2 m * 0.7 kg * g = 1.4 N·m
        hinge = Joint("hinge", "continuous", "post", "bar", axis=(0.0, 1.0, 0.0), friction=friction)
        path = write(Model("lever", (post, bar), (hinge,)), tmp_path / str(friction))
        loaded = mujoco.MjModel.from_xml_path(str(path))
        loaded.dof_solimp[:, :2] = 0.9999  # MuJoCo's friction is soft by default: the bar would creep
        data = mujoco.MjData(loaded)
        while data.time < 2.0:
            mujoco.mj_step(loaded, data)
        moved[friction] = abs(data.qpos[0])
    assert moved[5.0] < 1e-2 < 1.0 < moved[0.0]


def _bar():
    return Collision("bar", Pose.from_sdf([0.2, 0, 0, 0, 0, 0]), Box((0.4, 0.05, 0.05)), 700.0)


def severities_of(model):
    return [(one.severity, one.subject) for one in urdf_findings(model, resolve_model(model))]


@pytest.mark.parametrize("kind", ["screw", "universal", "ball"])
def test_a_joint_that_urdf_lacks_is_refused(kind):
    model = arm()
    joints = (replace(model.joints[0], kind=kind), *model.joints[1:])
    assert ("error", "turn") in severities_of(replace(model, joints=joints))


def test_a_joint_that_closes_a_loop_is_left_out_and_named(tmp_path):
    model = arm()
    looped = replace(model, joints=(*model.joints, Joint("close", "revolute", "end", "slide")))
    assert ("warning", "slide") in severities_of(looped)
    assert write(looped, tmp_path / "a").read_bytes() == write(model, tmp_path / "b").read_bytes()


def test_links_that_hang_on_nothing_are_refused_together():
    model = arm()
    bodies = resolve_model(model)
    found = urdf_findings(replace(model, joints=model.joints[1:]), bodies)
    (finding,) = [one for one in found if one.severity == "error"]
    assert "2 of its links hang on no joint (base, turn)" in finding.message


def test_shapes_that_urdf_lacks_become_meshes_of_their_extents(tmp_path):
    shapes = (Capsule(0.1, 0.3), Cone(0.1, 0.3), Ellipsoid((0.1, 0.2, 0.3)), Box((1.0, 1.0, 1.0)))
    parts = tuple(Collision(shape.kind, Pose.identity, shape, 700.0) for shape in shapes)
    model = Model("shapes", (Link("l", mode="filled", collisions=parts),))
    assert severities_of(model) == [("info", "l")]
    root = etree.parse(write(model, tmp_path)).getroot()
    assert [one[-1][0].tag for one in root.iter("collision")] == ["mesh", "mesh", "mesh", "box"]


def test_a_robot_that_stands_in_the_world_hangs_on_a_link_of_that_name(tmp_path):
    model = arm()
    held = replace(model, joints=(Joint("hold_it", "fixed", WORLD, "base"), *model.joints))
    assert [one for one in severities_of(held) if one[0] == "error"] == []
    root = etree.parse(write(held, tmp_path)).getroot()
    first = root.find("link")
    assert (first.get("name"), len(first)) == ("world", 0)
    origin = root.find("joint[@name='hold_it']/origin")
    np.testing.assert_allclose([float(x) for x in origin.get("xyz").split()], model.links[0].pose.p)


def test_frames_are_links_that_hold_nothing(tmp_path):
    root = etree.parse(write(arm(), tmp_path)).getroot()
    assert len(root.find("link[@name='tip']")) == 0
    assert root.find("joint[@name='tip_joint']/parent").get("link") == "end"


def test_colours_and_scales_are_written(tmp_path):
    wide = Mesh(Surface(wedge().vertices, wedge().triangles), 2.0 * np.eye(3))
    small = Mesh(wide.surface, np.eye(3))
    visuals = tuple(
        Visual(name, Pose.identity, one, (1.0, 0.5, 0.25, 1.0)) for name, one in (("a", small), ("b", wide))
    )
    model = Model("seen", (Link("l", mode="filled", collisions=(_bar(),), visuals=visuals),))
    root = etree.parse(write(model, tmp_path)).getroot()
    assert [one.get("rgba") for one in root.iter("color")] == ["1 0.5 0.25 1"] * 2
    assert [one.get("scale") for one in root.iter("mesh")] == [None, "2 2 2"]
    assert len({one.get("filename") for one in root.iter("mesh")}) == 1


def test_package_uris_name_the_models_folder(tmp_path):
    path = write(arm(), tmp_path, uri_style="model")
    assert path == tmp_path / "arm" / "model.urdf"
    names = {one.get("filename") for one in etree.parse(path).iter("mesh")}
    assert all(name.startswith("package://arm/meshes/") for name in names)


def test_both_formats_share_a_folder_and_keep_each_others_meshes(tmp_path):
    model = arm()
    sdf = write(model, tmp_path, "sdf")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    urdf = write(model, tmp_path, "urdf")
    assert sdf.parent == urdf.parent
    assert {path: path.read_bytes() for path in before} == before


def test_a_file_is_in_the_format_of_its_ending(tmp_path):
    assert Target.of(tmp_path / "robot.URDF", "arm").file_format == "urdf"
    assert Target.of(tmp_path / "robot.sdf", "arm", "urdf").file_format == "sdf"


def test_the_same_model_gives_the_same_bytes(tmp_path):
    one, other = write(arm(), tmp_path / "a"), write(arm(), tmp_path / "b")
    assert one.read_bytes() == other.read_bytes()
