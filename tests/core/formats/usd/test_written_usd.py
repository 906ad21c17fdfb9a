# SPDX-License-Identifier: GPL-3.0-or-later
"""A model as USD: OpenUSD reads the same bodies, places, shapes and joints, in single precision."""

from dataclasses import replace
from math import degrees

import numpy as np
import pytest

from core import Inertial, Pose
from core.body.shapes import SHAPES, Box, Cone, Ellipsoid
from core.formats.package import Target, write_model
from core.formats.table import read_robot_file
from core.formats.usd.write import usd_findings
from core.judge.geometry.resolve_model import resolve_model
from core.robot.model import WORLD, Joint, Link, Mesh, Mimic, Model, Texture, Visual
from tests.core.exported import wedge
from tests.core.formats.mjcf.test_model_mjcf import collision, lever, one_link, random_tree
from tests.thorough import many

pytest.importorskip("pxr", reason="OpenUSD has no wheel for this Python")
from pxr import Gf, Usd, UsdGeom, UsdPhysics, UsdShade  # noqa: E402

SINGLE = 2e-7
"""Three roundings in single precision."""

KINDS = ("revolute", "continuous", "prismatic", "fixed", "ball")
LOOP = Joint("loop", "revolute", WORLD, "bar", axis=(0, 1, 0))


def stage_of(model, folder):
    path = write_model(model, resolve_model(model), Target.of(folder / "m.usda", model.name)).file
    stage = Usd.Stage.Open(str(path))
    stage.Reload()  # what another stage of this path has read is still there
    assert stage.GetCompositionErrors() == []
    return stage


def world_of(prim):
    """Return the pose (4, 4) of a prim, for columns."""
    return np.array(UsdGeom.XformCache().GetLocalToWorldTransform(prim)).T


def homogeneous(R, p):
    return np.block([[R, np.reshape(p, (3, 1))], [np.zeros((1, 3)), np.ones((1, 1))]])


def rotation(quaternion):
    return np.array(Gf.Matrix3d(Gf.Quatd(quaternion))).T


def joint_frame(prim, number, stage):
    """Return a joint's frame in the world, from one of its bodies."""
    (body,) = prim.GetRelationship(f"physics:body{number}").GetTargets()
    q, p = (prim.GetAttribute(f"physics:local{what}{number}").Get() for what in ("Rot", "Pos"))
    return world_of(stage.GetPrimAtPath(body)) @ homogeneous(rotation(q), p)


@pytest.mark.parametrize("seed", range(many(30, 6)))
def test_bodies_and_joints_are_those_of_the_model(seed, tmp_path):
    model = random_tree(seed)
    joints = [replace(joint, kind=KINDS[number % 5]) for number, joint in enumerate(model.joints)]
    model = replace(model, joints=(*joints, Joint("held", "fixed", WORLD, "base", axis=(0.0, 0.0, 0.0))))
    stage = stage_of(model, tmp_path)
    poses = {link.name: homogeneous(link.pose.R, link.pose.p) for link in model.links}
    for body in resolve_model(model):
        prim, given = stage.GetPrimAtPath(f"/tree/{body.name}"), body.inertial
        np.testing.assert_allclose(world_of(prim), poses[body.name], atol=2e-9)
        api, size = UsdPhysics.MassAPI(prim), np.trace(given.inertia)
        assert api.GetMassAttr().Get() == pytest.approx(given.mass, rel=SINGLE)
        np.testing.assert_allclose(api.GetCenterOfMassAttr().Get(), given.com, atol=SINGLE * np.abs(given.com).max())
        R = rotation(api.GetPrincipalAxesAttr().Get())
        tensor = R @ np.diag(api.GetDiagonalInertiaAttr().Get()) @ R.T
        np.testing.assert_allclose(tensor, given.inertia, atol=3 * SINGLE * size)
        xx, yy, zz, xy, xz, yz = prim.GetAttribute("newton:inertia").Get()
        np.testing.assert_allclose([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], given.inertia, atol=1e-9 * size)
    for joint in model.joints:
        prim = stage.GetPrimAtPath(f"/tree/Joints/{joint.name}")
        frame, same = (joint_frame(prim, number, stage) for number in (0, 1))
        np.testing.assert_allclose(frame, same, atol=3e-6)
        expected = poses[joint.child] @ homogeneous(joint.pose.R, joint.pose.p)
        np.testing.assert_allclose(frame[:, 3], expected[:, 3], atol=3e-6)
        if joint.kind in KINDS[:3]:
            along = frame[:3, "XYZ".index(prim.GetAttribute("physics:axis").Get())]
            np.testing.assert_allclose(along, expected[:3, :3] @ joint.axis / np.linalg.norm(joint.axis), atol=3e-6)


def test_limits_losses_and_drives_are_in_degrees(tmp_path):
    settings = {"lower": -2.0, "upper": 3.0, "effort": 5.0, "velocity": 1.5, "damping": 0.2, "friction": 0.1}
    model = lever(**settings, rotor_inertia=0.01, gear_ratio=3.0)
    finger = replace(model.joints[1], name="finger", parent="bar", child="tip", mimic=Mimic("hinge", -2.0, 0.5))
    model = replace(model, links=(*model.links, replace(model.links[1], name="tip")), joints=(*model.joints, finger))
    stage = stage_of(model, tmp_path)
    hinge, tip = (stage.GetPrimAtPath(f"/lever/Joints/{name}") for name in ("hinge", "finger"))
    # What the hinge moves: both boxes, and the rotor.
    felt = 0.09 + sum(body.inertial.inertia_about((-0.1, 0, 0))[1, 1] for body in resolve_model(model)[1:])
    given = {"physics:lowerLimit": degrees(-2.0), "physics:upperLimit": degrees(3.0), "newton:armature": 0.09}
    given |= {"newton:velocityLimit": degrees(1.5), "physxJoint:maxJointVelocity": degrees(1.5), "newton:friction": 0.1}
    given |= {"newton:damping": 0.2 / degrees(1.0), "drive:angular:physics:maxForce": 5.0}
    given |= {"drive:angular:physics:stiffness": felt / 0.01**2 / degrees(1.0)}
    follower = {"newton:mimicCoef0": degrees(0.5), "newton:mimicCoef1": -2.0}
    follower |= {"physxMimicJoint:rotX:gearing": 2.0, "physxMimicJoint:rotX:offset": degrees(-0.5)}
    for prim, numbers in ((hinge, given), (tip, follower)):
        read = {name: prim.GetAttribute(name).Get() for name in numbers}
        assert read == pytest.approx(numbers, rel=SINGLE)
    assert tip.GetRelationship("newton:mimicJoint").GetTargets() == [hinge.GetPath()]


def test_shapes_fill_the_boxes_that_they_fill_here(tmp_path):
    shapes = [shape for kind in SHAPES.values() if (shape := kind.proportioned(0.01, 0.01, 0.04)) is not None]
    mesh = Mesh(wedge(), np.random.default_rng(4).uniform(-0.4, 0.4, (3, 3)))
    stage = stage_of(one_link(*(collision(shape, shape.kind) for shape in shapes), collision(mesh, "mesh")), tmp_path)
    boxes = {shape.kind: (-shape.half_sizes(np.eye(3)), shape.half_sizes(np.eye(3))) for shape in shapes}
    for name, (low, high) in (boxes | {"mesh": mesh.baked.bounds()}).items():
        prim = stage.GetPrimAtPath(f"/m/l/{name}")
        box = UsdGeom.BBoxCache(0, ["guide"]).ComputeRelativeBound(prim, prim.GetParent()).ComputeAlignedRange()
        np.testing.assert_allclose((box.GetMin(), box.GetMax()), (low, high), rtol=0, atol=0.002 * np.abs(high).max())
        assert prim.HasAPI(UsdPhysics.CollisionAPI)
    assert len([*(tmp_path / "meshes").iterdir()]) == 2  # the ellipsoid is one


def test_what_is_seen_has_its_material(tmp_path):
    red, uv = (0.5, 0.25, 0.125, 0.5), np.random.default_rng(1).uniform(0, 1, (len(wedge().triangles), 3, 2))
    image = Visual("image", Pose.identity, Mesh(wedge(), np.eye(3)), texture=Texture("wood", ".png", b"bytes", uv))
    parts = [collision(Box((1, 1, 1))), collision(Cone(0.1, 0.2), "seen")]
    stage = stage_of(one_link(*parts, visuals=(Visual("v", Pose.identity, Cone(0.1, 0.2), red), image)), tmp_path)
    prims = {name: stage.GetPrimAtPath(f"/m/l/{name}") for name in ("c", "seen", "image", "v")}
    purposes = {name: UsdGeom.Imageable(prim).ComputePurpose() for name, prim in prims.items() if prim}
    assert purposes == {"c": "guide", "seen": "default", "image": "default"}  # one prim is seen and collides
    plain, textured = (UsdShade.MaterialBindingAPI(prims[name]).ComputeBoundMaterial()[0] for name in ("seen", "image"))
    assert plain.ComputeSurfaceSource()[0].GetInput("diffuseColor").Get() == red[:3]
    texture = UsdShade.Shader(textured.GetPrim().GetChild("texture")).GetInput("file").Get()
    with open(texture.resolvedPath, "rb") as file:
        assert file.read() == b"bytes"
    st = UsdGeom.PrimvarsAPI(prims["image"]).GetPrimvar("st").Get()
    np.testing.assert_allclose(st, uv.reshape(-1, 2), atol=SINGLE)
    (link,) = read_robot_file(tmp_path / "m.usda").robots()[0].model.links
    assert {part.name for part in link.collisions} == {"c", "seen"}  # what is seen and collides is both again
    assert {part.name: part.color for part in link.visuals} == {"seen": red, "image": None}


def test_names_are_shown_as_they_are_and_prims_unlike(tmp_path):
    names = ('a "b" \\c', "a_b_c", "Träger", "1", "Joints")
    links = [Link(name, Pose.identity, "filled", collisions=(collision(Box((1, 1, 1))),)) for name in names]
    stage = stage_of(Model("Größe 1", tuple(links)), tmp_path)
    prims = [prim for prim in stage.Traverse() if prim.HasAPI(UsdPhysics.RigidBodyAPI)]
    assert [prim.GetDisplayName() or prim.GetName() for prim in prims] == [*names]
    model = read_robot_file(tmp_path / "m.usda").robots()[0].model
    assert (model.name, [link.name for link in model.links]) == ("Größe 1", [*names])


def test_a_link_without_mass_is_a_frame_and_a_loop_is_excluded(tmp_path):
    tip = Link("tip", Pose.from_sdf([0.25, 0, 1, 0, 0, 0]), "none")
    model = replace(lever(), links=(*lever().links, tip))
    stage = stage_of(replace(model, joints=(*model.joints, LOOP, Joint("t", "fixed", "bar", "tip"))), tmp_path)
    np.testing.assert_allclose(world_of(stage.GetPrimAtPath("/lever/bar/tip"))[:3, 3], (0.25, 0, 1), atol=1e-9)
    joints = [UsdPhysics.Joint(prim) for prim in stage.Traverse() if prim.IsA(UsdPhysics.Joint)]
    excluded = {joint.GetPrim().GetName(): joint.GetExcludeFromArticulationAttr().Get() for joint in joints}
    assert excluded == {"held": False, "hinge": False, "loop": True}
    stage = stage_of(replace(model, static=True), tmp_path)
    bodies = [UsdPhysics.RigidBodyAPI(prim) for prim in stage.Traverse() if prim.HasAPI(UsdPhysics.RigidBodyAPI)]
    assert [body.GetRigidBodyEnabledAttr().Get() for body in bodies] == [False, False]


@pytest.mark.parametrize(
    ("change", "forms"),
    [
        ({"kind": "universal"}, ["kind"]),
        ({"spring_stiffness": 2.0, "gear_ratio": 2.0}, ["springs", "gear"]),
        ({"mimic": Mimic("held")}, ["follows"]),
        ({"mimic": Mimic("slide")}, ["mixed"]),
        ({"damping": 1.0}, []),
    ],
)
def test_what_usd_lacks_is_a_finding(change, forms):
    model = lever()
    joints = (model.joints[0], replace(model.joints[1], **change), LOOP, Joint("slide", "prismatic", "bar", "tip"))
    model = replace(model, links=(*model.links, replace(model.links[1], name="tip")), joints=joints)
    assert [finding.sentence.form for finding in usd_findings(model, resolve_model(model))] == forms


@pytest.mark.parametrize(("scale", "forms"), [(1e-4, ["tiny"]), (1e-30, ["light"]), (1.0, [])])
def test_a_plate_stays_possible_and_a_mass_too_small_is_reported(scale, forms, tmp_path):
    for a, b in np.random.default_rng(3).uniform(0.1, 1.0, (20, 2)):
        plate = Inertial(scale, np.zeros(3), scale**2 * np.diag([a, a + b, b]))
        model = Model("m", (Link("l", Pose.identity, "manual", manual=plate, collisions=(collision(Box((1, 1, 1))),)),))
        assert [finding.sentence.form for finding in usd_findings(model, resolve_model(model))] == forms
        stage = stage_of(model, tmp_path)
        prim = stage.GetPrimAtPath("/m/l")
        low, middle, high = sorted(map(float, UsdPhysics.MassAPI(prim).GetDiagonalInertiaAttr().Get()))
        assert high <= low + middle


def test_the_same_model_has_the_same_files_and_none_of_another(tmp_path):
    def state():
        return {path.name: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    stage_of(one_link(collision(Mesh(wedge(), np.eye(3)))), tmp_path)
    first, crate = state(), tmp_path / "crate.usdc"
    crate.write_bytes(b"PXR-USDC")
    stage_of(one_link(collision(Ellipsoid((1, 2, 3)))), tmp_path)
    assert first.keys() <= state().keys()  # the crate may name any of them
    crate.unlink()
    stage_of(one_link(collision(Mesh(wedge(), np.eye(3)))), tmp_path)
    assert state() == first


def test_a_held_point_becomes_a_frame_and_its_mass_stays(tmp_path):
    tip = Link(
        "tip", Pose(np.eye(3), np.array([0.0, 0.0, 0.5])), "manual", manual=Inertial(0.1, np.zeros(3), np.zeros((3, 3)))
    )
    model = one_link(collision(Box((0.2, 0.3, 0.1))))
    model = replace(model, links=(*model.links, tip), joints=(Joint("weld", "fixed", model.links[0].name, "tip"),))
    bodies = resolve_model(model)
    assert [finding.sentence.form for finding in usd_findings(model, bodies)] == ["points"]
    base, point = (body.inertial for body in bodies)
    stage = stage_of(model, tmp_path)
    root = stage.GetDefaultPrim().GetPath()
    assert not stage.GetPrimAtPath(f"{root}/tip") and stage.GetPrimAtPath(f"{root}/l/tip")
    api = UsdPhysics.MassAPI(stage.GetPrimAtPath(f"{root}/{model.links[0].name}"))
    X_BT = model.links[0].pose.inverse() @ tip.pose
    whole = base + point.transformed(X_BT)
    assert api.GetMassAttr().Get() == pytest.approx(base.mass + 0.1, rel=SINGLE)
    np.testing.assert_allclose(api.GetCenterOfMassAttr().Get(), whole.com, atol=1e-7)
    joints = (replace(model.joints[0], kind="revolute"),)
    assert "light" in [finding.sentence.form for finding in usd_findings(replace(model, joints=joints), bodies)]
