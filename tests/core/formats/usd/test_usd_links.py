# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies and joints of USD: the numbers of OpenUSD, those of closed forms, and those of the model that was written."""

from dataclasses import replace
from math import pi, radians
from pathlib import Path

import numpy as np
import pytest

from core import Pose, read_robot
from core.body.shapes import Box
from core.engines.known import view_of
from core.formats.package import Target, write_model
from core.formats.table import read_robot_file
from core.judge.geometry.resolve_model import resolve_model
from core.judge.judge import judge_file
from core.robot.model import WORLD, Joint, Mimic
from tests.core.formats.mjcf.test_model_mjcf import lever, random_tree
from tests.thorough import many

pytest.importorskip("pxr", reason="OpenUSD has no wheel for this Python")
from pxr import Gf, Usd, UsdPhysics  # noqa: E402

SIDES = np.array([0.2, 0.4, 0.6])
"""Of the collider `CUBE`, whose centre is at x = 0.1."""

SECOND = np.diag(SIDES @ SIDES - SIDES**2) / 12.0
"""The tensor of such a box of 1 kg."""

MASS, COM, TENSOR = (
    "float physics:mass = 3",
    "point3f physics:centerOfMass = (0.3, 0, 0)",
    "float3 physics:diagonalInertia = (1, 2, 2.5)",
)
DENSE, ENDS = "float physics:density = 900", ("low", "high")
JOINTS = ("revolute", "continuous", "prismatic", "fixed", "ball")
WHOLE = f"{MASS}\n{COM}\n{TENSOR}\nquatf physics:principalAxes = (0.5, 0.5, 0.5, 0.5)"
NEWTON = "double[] newton:inertia = [2.5, 1, 2, 0, 0, 0]"


def prim(kind, name, schemas, *attributes, inner=""):
    applied = ", ".join(f'"{schema.replace(":", "API:") if ":" in schema else f"{schema}API"}"' for schema in schemas)
    head = f"(\nprepend apiSchemas = [{applied}]\n)\n" if schemas else ""
    lines = "\n".join(attributes)
    return f'def {kind} "{name}" {head}{{\n{lines}\n{inner}\n}}\n'


def placed(p="(0, 0, 0)", scale="(1, 1, 1)"):
    order = 'uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:scale"]'
    return f"double3 xformOp:translate = {p}\nfloat3 xformOp:scale = {scale}\n{order}"


def cube(name="c", *attributes, x=0.1, scale="(1, 2, 3)"):
    return prim(
        "Cube",
        name,
        ("PhysicsCollision", "PhysicsMass"),
        f"double size = 0.2\n{placed(f'({x}, 0, 0)', scale)}",
        *attributes,
    )


def body(attributes="", inner="", name="a", schemas=("PhysicsRigidBody", "PhysicsMass", "NewtonMass")):
    return prim("Xform", name, schemas, attributes, inner=inner)


def joint(kind, *attributes, bodies=("a", "b"), schemas=(), name="j"):
    ends = [f"rel physics:body{number} = </W/{end}>" for number, end in enumerate(bodies) if end]
    return prim(kind, name, schemas, *ends, *attributes)


def written(folder, *prims, units="metersPerUnit = 1\nkilogramsPerUnit = 1\n", up="Z"):
    path = folder / "robot.usda"
    head = f'#usda 1.0\n(\ndefaultPrim = "W"\n{units}upAxis = "{up}"\n)\n'
    path.write_text(head + prim("Xform", "W", (), inner="".join(prims)))
    return path


def body_of(path, number=0):
    return read_robot_file(path).bodies[number]


def assert_alike(inertial, mass, com, tensor, rtol=1e-6):
    assert inertial.mass == pytest.approx(mass, rel=rtol)
    np.testing.assert_allclose(inertial.com, com, atol=rtol)
    np.testing.assert_allclose(inertial.inertia, tensor, atol=rtol * np.trace(tensor))


def of_openusd(path):
    """Return what OpenUSD computes of the first body, from the boxes as they are."""

    def box(collider):
        information = UsdPhysics.RigidBodyAPI.MassInformation()
        information.volume, information.inertia = np.prod(SIDES), Gf.Matrix3f(np.prod(SIDES) * SECOND)
        information.localPos = Gf.Vec3f(collider.GetAttribute("xformOp:translate").Get())
        information.localRot = Gf.Quatf(1)
        return information

    stage = Usd.Stage.Open(str(path))
    stage.Reload()  # what another test has read of this path is still there
    rigid = UsdPhysics.RigidBodyAPI(stage.GetPrimAtPath("/W/a"))
    mass, moments, com, axes = rigid.ComputeMassProperties(box)
    R = Pose.from_quaternion((0, 0, 0), (*axes.GetImaginary(), axes.GetReal())).R
    return mass, com, R @ np.diag(moments) @ R.T


@pytest.mark.parametrize(
    ("attributes", "colliders"),
    [
        *(("\n".join(some), [()]) for some in ((), (MASS,), (MASS, COM), (COM,), (TENSOR,), (WHOLE,))),
        ("float physics:density = 500", [()]),
        (f"{MASS}\nfloat physics:density = 500", [()]),
        (f"float physics:density = 500\n{TENSOR}", [("float physics:density = 700",)]),
        ("", [(MASS,), ()]),
        ("float physics:mass = 6", [(MASS,), ()]),
        ("", [(MASS, "point3f physics:centerOfMass = (0.05, 0.01, 0)")]),
        ("float physics:mass = 6", [(MASS, TENSOR)]),
        ("", [(TENSOR,)]),
        ("", [(), ("bool physics:collisionEnabled = false",)]),
        (f"{WHOLE}\n{placed(scale='(-1, 2, 1)')}", [()]),
    ],
)
def test_what_is_not_given_is_what_openusd_computes(attributes, colliders, tmp_path):
    inner = "".join(cube(f"c{k}", *of_collider, x=0.1 + 0.4 * k) for k, of_collider in enumerate(colliders))
    path = written(tmp_path, body(attributes, inner))
    assert_alike(body_of(path).inertial, *of_openusd(path))
    (of_newton,) = view_of("newton", read_robot_file(path)).bodies
    assert of_newton.inertial.mass == pytest.approx(body_of(path).inertial.mass)


def test_engines_ignore_attributes_without_their_schema(tmp_path):
    path = written(tmp_path, body(f"{WHOLE}\n{NEWTON}", cube(), schemas=("PhysicsRigidBody",)))
    assert_alike(body_of(path).inertial, *of_openusd(path))
    findings = judge_file(read_robot_file(path))
    assert [(finding.code, finding.sentence.values["schema"]) for finding in findings] == [
        ("usd_unapplied", "NewtonMassAPI"),
        ("usd_unapplied", "PhysicsMassAPI"),
    ]


def test_newton_ignores_its_tensor_if_that_is_not_positive(tmp_path):
    path = written(tmp_path, body(f"{WHOLE}\n{NEWTON.replace('1, 2', '-1, 2')}"))
    (of_newton,) = view_of("newton", read_robot_file(path)).bodies
    assert_alike(of_newton.inertial, 3.0, (0.3, 0, 0), np.diag([2.5, 1.0, 2.0]))


def test_a_collider_that_is_no_geometry_is_none(tmp_path):
    inner = prim("Xform", "x", ("PhysicsCollision",), inner=cube())
    path = written(tmp_path, body(DENSE, inner))
    assert body_of(path).inertial.mass == pytest.approx(43.2)  # that of the cube


@pytest.mark.parametrize(
    ("kind", "numbers", "scale", "volume", "expected"),
    [
        ("Cylinder", "double radius = 1\ndouble height = 2", "(0.2, 0.2, 0.1)", 0.008 * pi, [0.01, 0.01, 0.04 / 12]),
        ("Sphere", "double radius = 1", "(0.1, 0.2, 0.3)", 0.008 * pi, [0.002, 0.008, 0.018]),
        ("Cube", "double size = 2", "(-0.1, 0.1, 0.2)", 0.016, [0.01 / 3, 0.01 / 3, 0.04 / 3]),
    ],
)
def test_shapes_have_their_closed_forms(kind, numbers, scale, volume, expected, tmp_path):
    inner = prim(
        kind, "c", ("PhysicsCollision",), numbers, placed(scale=scale), *['uniform token axis = "Z"'] * (kind[1] == "y")
    )
    spread = np.diag(expected)
    tensor = 1000 * volume * (np.trace(spread) * np.eye(3) - spread)
    assert_alike(body_of(written(tmp_path, body(inner=inner))).inertial, 1000 * volume, (0, 0, 0), tensor)


def test_units_and_the_up_axis_change_no_number(tmp_path):
    metric = body_of(written(tmp_path, body("float physics:density = 2000", cube())))
    small = cube(x=10, scale="(100, 200, 300)")
    units = "metersPerUnit = 0.01\nkilogramsPerUnit = 0.001\n"
    moved = f"float physics:density = 2\n{placed('(1, 2, 3)')}"
    centimetres = body_of(written(tmp_path, body(moved, small), units=units, up="Y"))
    assert_alike(centimetres.inertial, metric.inertial.mass, metric.inertial.com, metric.inertial.inertia)
    np.testing.assert_allclose(centimetres.pose.p, (0.01, -0.03, 0.02), atol=1e-12)  # y was up


def test_a_scale_multiplies_the_centre_and_not_the_tensor(tmp_path):
    path = written(tmp_path, body(f"{WHOLE}\n{placed(scale='(2, 1, 1)')}", cube()))
    assert_alike(body_of(path).inertial, 3.0, (0.6, 0, 0), np.diag([2.5, 1.0, 2.0]))
    path = written(tmp_path, body(placed(scale="(2, 1, 1)"), cube()))
    assert_alike(body_of(path).inertial, 96.0, (0.2, 0, 0), 96 * np.diag([0.52, 0.52, 0.32]) / 12)


POLYGON = ((0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2))
FACES = [(5, 4, 3, 2, 1, 0), (6, 7, 8, 9, 10, 11), *((k, (k + 1) % 6, 6 + (k + 1) % 6, 6 + k) for k in range(6))]


@pytest.mark.parametrize("hand", ["rightHanded", "leftHanded"])
def test_an_l_of_polygons_is_two_boxes_and_its_hull_is_heavier(hand, tmp_path):
    faces = [face if hand == "rightHanded" else face[::-1] for face in FACES]
    mesh = prim(
        *("Mesh", "c", ("PhysicsCollision", "PhysicsMeshCollision")),
        f"point3f[] points = [{', '.join(f'({x}, {y}, {z})' for z in (0, 1) for x, y in POLYGON)}]",
        f"int[] faceVertexIndices = {[corner for face in faces for corner in face]}",
        f"int[] faceVertexCounts = {[len(face) for face in faces]}",
        f'uniform token orientation = "{hand}"\nuniform token physics:approximation = "convexHull"',
        placed(scale="(0.1, 0.1, 0.1)"),
    )
    path = written(tmp_path, body("float physics:density = 1000", mesh))
    boxes = (Box((0.1, 0.2, 0.1)), (0.05, 0.1, 0.05)), (Box((0.1, 0.1, 0.1)), (0.15, 0.05, 0.05))
    first, second = (box.moments().inertial(1000).transformed(Pose(np.eye(3), p)) for box, p in boxes)
    assert_alike(body_of(path).inertial, 3.0, (first + second).com, (first + second).inertia)
    (finding,) = judge_file(read_robot_file(path))
    assert finding.code == "hull_mass"
    assert [finding.sentence.values[name] for name in ("solid", "hull")] == pytest.approx([3.0, 3.5])


def test_joints_are_those_of_the_model_that_was_written(tmp_path):
    for seed in range(many(30, 6)):
        model = random_tree(seed)
        joints = [replace(joint, kind=JOINTS[number % 5]) for number, joint in enumerate(model.joints)]
        model = replace(model, joints=(*joints, Joint("held", "fixed", WORLD, "base")))
        path = write_model(model, resolve_model(model), Target.of(tmp_path / "robot.usda", model.name)).file
        (robot,) = read_robot_file(path).robots()
        assert [finding.code for finding in robot.findings] == []
        poses = {link.name: link.pose for link in model.links}
        assert poses.keys() == {link.name for link in robot.model.links}
        for link in robot.model.links:
            np.testing.assert_allclose(link.pose.p, poses[link.name].p, atol=1e-8)
            np.testing.assert_allclose(link.pose.R, poses[link.name].R, atol=1e-8)
        read = {joint.name: joint for joint in robot.model.joints}
        for joint in model.joints:
            other, is_turned = read[joint.name], joint.kind in ("revolute", "continuous", "prismatic")
            assert (other.kind, other.parent, other.child) == (joint.kind, joint.parent, joint.child)
            assert joint.kind == "fixed" or other.pose.p == pytest.approx(joint.pose.p, abs=1e-6)
            axis = joint.pose.R @ joint.axis / np.linalg.norm(joint.axis)
            assert not is_turned or other.axis == pytest.approx(axis, abs=1e-6)
            limits = (joint.lower, joint.upper) if joint.kind in ("revolute", "prismatic") else (None, None)
            assert (other.lower, other.upper) == pytest.approx(limits, abs=1e-5)


def test_a_part_that_is_seen_and_collides_comes_back_as_both(tmp_path):
    arm = read_robot(Path(__file__).parents[4] / "examples" / "arm.urdf").repair()
    (given,), (read,) = (robot.file.robots() for robot in (arm, read_robot(arm.convert(tmp_path / "arm.usda").file)))
    for link, other in zip(given.model.links, read.model.links, strict=True):
        for kind in ("visuals", "collisions"):
            solids = [[part.geometry.moments() for part in getattr(of, kind)] for of in (link, other)]
            assert [solid.volume for solid in solids[1]] == pytest.approx([solid.volume for solid in solids[0]])
        looks = [(visual.material, visual.color) for visual in (*link.visuals, *other.visuals)]
        assert looks[0] == (looks[1][0], pytest.approx(looks[1][1], rel=1e-6))


def test_numbers_of_joints_come_back_in_si(tmp_path):
    settings = {"lower": -2.0, "upper": 3.0, "effort": 5.0, "velocity": 1.5, "damping": 0.2, "friction": 0.1}
    model = lever(**settings, rotor_inertia=0.09)
    finger = replace(model.joints[1], name="finger", parent="bar", child="tip", mimic=Mimic("hinge", -2.0, 0.5))
    loop = Joint("loop", "revolute", "post", "tip", axis=(0, 1, 0))
    links = (*model.links, replace(model.links[1], name="tip"))
    model = replace(model, links=links, joints=(*model.joints, finger, loop))
    path = write_model(model, resolve_model(model), Target.of(tmp_path / "robot.usda", "lever")).file
    held, hinge, follower, closing = read_robot_file(path).joints()["lever"]
    for name in (*settings, "rotor_inertia"):
        assert getattr(hinge, name) == pytest.approx(getattr(model.joints[1], name), rel=1e-6)
    assert (held.parent, held.kind, closing.name) == (WORLD, "fixed", "loop")
    assert follower.mimic == pytest.approx(("hinge", -2.0, 0.5))


Z = 'uniform token physics:axis = "Z"'
LOCKED = ("transX", "transY", "transZ", "rotX", "rotY")
GENERIC = [f"float limit:{axis}:physics:{end} = {1 if end == 'low' else -1}" for axis in LOCKED for end in ENDS]
TURNED = "float limit:rotZ:physics:low = -90"


@pytest.mark.parametrize(
    ("kind", "bodies", "attributes", "expected"),
    [
        ("PhysicsRevoluteJoint", ("b", "a"), [Z], ("continuous", "b", "a", 1, None)),
        ("PhysicsRevoluteJoint", ("", "a"), [Z], ("continuous", WORLD, "a", 1, None)),
        ("PhysicsRevoluteJoint", ("a", ""), [Z], ("continuous", WORLD, "a", -1, None)),  # from its other end
        ("PhysicsPrismaticJoint", ("a", "b"), [Z, "float physics:lowerLimit = -2"], ("prismatic", "a", "b", 1, -2)),
        ("PhysicsJoint", ("a", "b"), [*GENERIC, TURNED], ("revolute", "a", "b", 1, -pi / 2)),
        (
            *("PhysicsRevoluteJoint", ("a", "b")),
            [Z, "float physics:lowerLimit = -90", "quatf physics:localRot1 = (0.9659258, 0, 0, 0.2588190)"],
            ("revolute", "a", "b", 1, radians(-120)),  # it stands at 30 degrees in the stage
        ),
    ],
)
def test_a_joint_is_measured_from_the_pose_in_the_stage(kind, bodies, attributes, expected, tmp_path):
    schemas = [f"PhysicsLimit:{axis}" for axis in (*LOCKED, "rotZ") if kind == "PhysicsJoint"]
    prims = body(inner=cube()), body(inner=cube(), name="b"), joint(kind, *attributes, bodies=bodies, schemas=schemas)
    (read,) = read_robot_file(written(tmp_path, *prims)).joints()["W"]
    *ends, axis, lower = expected
    assert [read.kind, read.parent, read.child, read.axis[2]] == [*ends, axis]
    assert read.lower == (lower if lower is None else pytest.approx(lower, abs=1e-6))


NEAR, AWAY = "point3f physics:centerOfMass = (0.15, 0, 0)", "point3f physics:localPos1 = (0, 0, 1)"
TURNED = 'double3 xformOp:rotateXYZ = (30, 0, 0)\nuniform token[] xformOpOrder = ["xformOp:rotateXYZ"]'
BALL, STRETCHED = NEWTON.replace("2.5, 1", "2, 2"), placed(scale="(1, 1, 2)")


@pytest.mark.parametrize(
    ("prims", "expected"),
    [
        ([body(MASS + "\n" + DENSE, cube(x=0))], {}),
        ([body(DENSE, cube() + body(DENSE, cube(), "b"))], {"nested_bodies": "b"}),
        ([body(f"{DENSE}\n{placed(scale='(2, 1, 1)')}", cube())], {"scaled_body": "2, 1, 1"}),
        ([body(inner=cube()), body(inner=cube(), name="b")], {"unchosen_density": "2 bodies (a, b)"}),
        ([body(MASS, cube())], {"usd_partial": "(0.1, 0, 0) m, and not the origin"}),
        ([body(f"{MASS}\n{NEAR}", cube())], {"usd_partial": "(0.13, 0.1075, 0.0575) kg·m², Newton (0.13, 0.1, 0.05)"}),
        ([body(TENSOR)], {"usd_partial": "neither mass nor a collider"}),
        (
            [body(f"{WHOLE}\n{NEWTON.replace('2.5, 1', '2, 2')}")],
            {"two_tensors": "(2, 2, 2) kg·m², diagonalInertia (1, 2, 2.5)"},
        ),
        ([body(f"{WHOLE}\n{NEWTON}")], {}),
        ([body(DENSE, prim("Plane", "c", ("PhysicsCollision",)))], {"usd_shape": "plane"}),
        (
            [body(DENSE, prim("Capsule", "c", ("PhysicsCollision",), placed(scale="(1, 1, 2)")))],
            {"usd_shape": "(1, 1, 2)"},
        ),
        (
            [body(f"{DENSE}\n{STRETCHED}", prim("Xform", "t", (), TURNED, inner=cube()))],
            {"scaled_body": "1, 1, 2", "usd_shape": "a cube"},
        ),
        ([body("float physics:mass = 5")], {"zero_tensor": "5 kg"}),
        ([body("bool physics:kinematicEnabled = true", cube())], {}),
        ([body("bool physics:rigidBodyEnabled = false", cube())], {"no_link": "no model with a link"}),
        ([body(WHOLE), joint("PhysicsFixedJoint", bodies=("a", "gone"))], {"usd_joint": "/W/gone"}),
        (
            [body(WHOLE), joint("PhysicsFixedJoint", "point3f physics:localPos1 = (0, 0, 1)", bodies=("", "a"))],
            {"usd_joint": "1 m"},
        ),
    ],
)
def test_check_names_the_cause_once(prims, expected, tmp_path):
    findings = judge_file(read_robot_file(written(tmp_path, *prims)))
    assert sorted(finding.code for finding in findings) == sorted(expected)
    assert all(expected[finding.code] in finding.message for finding in findings)


def test_links_have_the_names_that_are_shown_where_these_are_unique(tmp_path):
    names = {"a": "arm", "b": "arm", "c": "Träger 1"}
    shown = [body(WHOLE, name=name).replace("prepend", f'displayName = "{names[name]}"\nprepend', 1) for name in names]
    below = [prim("Xform", side, (), inner=body(WHOLE, name="foot")) for side in ("left", "right")]
    file = read_robot_file(written(tmp_path, *shown, *below))
    assert [link.local_name for link in file.links] == ["a", "b", "Träger 1", "left/foot", "right/foot"]
    assert str(file.links[0].element) == f"{tmp_path / 'robot.usda'} </W/a>"


def test_a_stage_without_unit_is_in_centimetres(tmp_path):
    findings = judge_file(read_robot_file(written(tmp_path, body(WHOLE), units="")), engines=["newton"])
    assert [finding.code for finding in findings] == ["usd_units", "engine_unread"]  # Newton takes it for metres
    assert "0.01 m" in findings[0].message


def test_a_default_prim_that_does_not_exist_names_the_model(tmp_path):
    path = written(tmp_path, body(WHOLE))
    path.write_text(path.read_text().replace('defaultPrim = "W"', 'defaultPrim = "gone"'))
    (robot,) = read_robot_file(path).robots()
    assert robot.model.name == "gone"
