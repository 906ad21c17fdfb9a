# SPDX-License-Identifier: GPL-3.0-or-later
"""A model as MJCF: in MuJoCo the same bodies as in its SDF in Drake, wherever its joints stand."""

import re
from dataclasses import replace

import numpy as np
import pytest
from lxml import etree

from core import Inertial, Pose
from core.body.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, Sphere
from core.formats.mjcf.write import mjcf_findings
from core.formats.package import Target, write_model
from core.judge.geometry.resolve_model import resolve_model
from core.mesh.surface import Surface
from core.robot.model import WORLD, Collision, Frame, Joint, Link, Mesh, Mimic, Model, Visual
from tests.core.exported import wedge
from tests.core.formats.urdf.test_model_urdf import anywhere, arm
from tests.core.mujoco_bodies import assert_same_bodies, loaded, tensor_of
from tests.thorough import many

mujoco = pytest.importorskip("mujoco", reason="MuJoCo has no wheel for this Python")

SHAPES = (Box((0.3, 0.2, 0.1)), Sphere(0.1), Cylinder(0.05, 0.3), Capsule(0.05, 0.2), Ellipsoid((0.1, 0.2, 0.3)))


def write(model, folder, file_format="mjcf", **options):
    return write_model(model, resolve_model(model), Target.of(folder, model.name, file_format), **options).file


def both(model, folder):
    return [write(model, folder / one, one, uri_style="file") for one in ("mjcf", "sdf")]


def random_tree(seed):
    """Return links in a random tree, of shapes and of mirrored, stretched, turned meshes."""
    rng = np.random.default_rng(seed)
    names = ["base", *(f"l{number}" for number in range(rng.integers(1, 9)))]
    links, joints = [], []
    for number, name in enumerate(names):
        geometries = [SHAPES[rng.integers(len(SHAPES))], Mesh(wedge(), rng.uniform(-0.4, 0.4, (3, 3)))]
        parts = [Collision(f"p{k}", anywhere(rng), one, 700.0) for k, one in enumerate(geometries)]
        links.append(Link(name, anywhere(rng), "filled", collisions=tuple(parts)))
        if number:
            kind = ("revolute", "continuous", "prismatic", "fixed", "universal")[rng.integers(5)]
            axis = (0, 0, 1) if kind == "universal" else tuple(rng.uniform(-1, 1, 3))
            parent = names[rng.integers(number)]
            joints.append(Joint(f"{name}_j", kind, parent, name, anywhere(rng), axis, lower=-2.0, upper=3.0))
    return Model("tree", tuple(links), tuple(joints))


def one_link(*collisions, visuals=(), **settings):
    settings = {"mode": "filled", "density": 700.0} | settings
    return Model("m", (Link("l", collisions=collisions, visuals=visuals, **settings),))


def collision(geometry, name="c"):
    return Collision(name, Pose.identity, geometry, 700.0)


def lever(kind="revolute", mode="filled", **settings):
    """Return a box that is fixed to the world, and one that turns about its edge."""
    post = Link("post", Pose.from_sdf([0, 0, 1, 0, 0, 0]), mode, collisions=(collision(Box((0.2, 0.2, 0.2))),))
    bar = Link("bar", Pose.from_sdf([0.1, 0, 1, 0, 0, 0]), mode, collisions=(collision(Box((0.4, 0.1, 0.1))),))
    hinge = Joint("hinge", kind, "post", "bar", Pose.from_sdf([-0.1, 0, 0, 0, 0, 0]), (0, 1, 0), **settings)
    return Model("lever", (post, bar), (Joint("held", "fixed", WORLD, "post"), hinge))


def found(model):
    return [(one.severity, one.subject) for one in mjcf_findings(model, resolve_model(model))]


@pytest.mark.parametrize("seed", range(many(30, 6)))
def test_bodies_are_those_of_the_sdf_at_random_positions(seed, tmp_path):
    assert_same_bodies(both(random_tree(seed), tmp_path), positions=many(100, 20))


def test_a_hundred_positions_of_an_arm_agree_with_drake(tmp_path):
    assert_same_bodies(both(arm(), tmp_path), positions=100)


@pytest.mark.parametrize("seed", range(many(100, 20)))
def test_mujoco_accepts_thin_plates_and_rods_at_any_angle(seed, tmp_path):
    rng = np.random.default_rng(seed)
    sides = 10.0 ** rng.uniform(-1, 1, 3)
    sides[0] *= 10.0 ** rng.uniform(-7, -2)
    part = Collision("c", anywhere(rng), Box(tuple(sides)), 700.0)
    assert_same_bodies(both(one_link(part), tmp_path), root="l")


def test_without_inertials_mujoco_sums_the_collisions_alone(tmp_path):
    path = write(replace(arm(), links=tuple(map(drawn, arm().links))), tmp_path)
    text = path.read_text()
    assert text.count("<inertial ") == 6
    path.write_text(re.sub("<inertial .*/>", "", text))
    model = mujoco.MjModel.from_xml_path(str(path))
    for body in resolve_model(arm()):
        number = model.body(body.name).id
        assert model.body_mass[number] == pytest.approx(body.inertial.mass, rel=1e-8)
        # MuJoCo keeps meshes in float32, and those of a cone are smaller.
        np.testing.assert_allclose(model.body_ipos[number], body.inertial.com, atol=1e-6)
        off = 1e-2 if body.name == "end" else 1e-6
        inertia = body.inertial.inertia
        np.testing.assert_allclose(tensor_of(model, number), inertia, rtol=0, atol=off * np.trace(inertia))


def drawn(link):
    return replace(link, visuals=tuple(Visual(f"{one.name}_v", one.pose, one.geometry) for one in link.collisions))


def test_the_ground_and_home_are_those_of_the_model(tmp_path):
    model = loaded(write(arm(), tmp_path))
    np.testing.assert_array_equal(model.key("home").qpos, model.qpos0)
    np.testing.assert_allclose(model.key("home").qpos[:3], arm().links[0].pose.p, rtol=1e-9)
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    floor = model.geom("floor").id
    assert not [one for one in data.contact if floor in one.geom and one.dist < 0.0]
    assert model.body_mass[0] == 0.0


def test_the_stiffness_of_actuators_is_that_of_what_they_move(tmp_path):
    rotor = {"rotor_inertia": 1e-3, "gear_ratio": 30.0}
    model = replace(arm(), joints=tuple(replace(one, **rotor) for one in arm().joints))
    model = loaded(write(model, tmp_path))
    assert model.nu == 4
    for number in range(model.nu):
        dof = model.jnt_dofadr[model.actuator_trnid[number, 0]]
        assert model.dof_armature[dof] == pytest.approx(0.9)
        # MuJoCo's own inertia of the joint.
        assert model.actuator_gainprm[number, 0] == pytest.approx(model.dof_M0[dof] / 0.01**2, rel=1e-8)
    np.testing.assert_array_equal(model.actuator("turn_joint").forcerange, [-10.0, 10.0])
    np.testing.assert_array_equal(model.actuator("turn_joint").ctrlrange, [-2.0, 2.5])
    assert not model.actuator("spin_joint").ctrllimited


def test_an_actuator_holds_a_bar_and_moves_it(tmp_path):
    model = loaded(write(lever(lower=-1.0, upper=1.0), tmp_path))
    data = mujoco.MjData(model)
    for target in (0.0, 0.5, -0.5):
        data.ctrl[:] = target
        for _ in range(1000):
            mujoco.mj_step(model, data)
        assert data.qpos[0] == pytest.approx(target, abs=0.05)
        assert abs(data.qvel[0]) < 1e-3


@pytest.mark.parametrize("seed", range(many(30, 6)))
def test_random_trees_reach_their_targets(seed, tmp_path):
    model = loaded(write(random_tree(seed), tmp_path))
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    data.ctrl[:] = 0.5
    for _ in range(1000):
        mujoco.mj_step(model, data)
    assert not data.warning.number.any()
    np.testing.assert_allclose(data.qpos[7:], 0.5, atol=0.05)


def test_a_link_does_not_collide_with_its_fixed_parent(tmp_path):
    path = write(lever(), tmp_path)
    for text, contacts in ((path.read_text(), False), (re.sub("<exclude.*/>", "", path.read_text()), True)):
        model = mujoco.MjModel.from_xml_string(text)
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        assert (data.ncon > 0) == contacts


def test_damping_friction_and_limits_of_joints_are_written(tmp_path):
    model = loaded(write(lever(lower=-0.5, damping=0.3, friction=0.2), tmp_path))
    assert (model.dof_damping[0], model.dof_frictionloss[0]) == (0.3, 0.2)
    assert model.jnt_limited[0]
    np.testing.assert_array_equal(model.jnt_range[0], [-0.5, 1e16])


@pytest.mark.parametrize("at", [0.0, 0.3])
def test_a_joint_without_play_stays_where_it_is(at, tmp_path):
    model = loaded(write(lever(lower=at, upper=at), tmp_path))
    assert (model.neq, model.nu) == (1, 0)
    data = mujoco.MjData(model)
    for _ in range(2000):
        mujoco.mj_step(model, data)
    assert data.qpos[0] == pytest.approx(at, abs=0.02)


def test_a_passive_joint_has_no_actuator(tmp_path):
    assert loaded(write(lever(effort=0.0), tmp_path)).nu == 0


def test_a_joint_that_follows_another_is_held_to_it(tmp_path):
    lead = lever(lower=-1.0, upper=1.0)
    hand = Link("hand", Pose.from_sdf([0.3, 0, 1, 0, 0, 0]), "filled", collisions=(collision(Box((0.1, 0.1, 0.1))),))
    wrist = Joint("wrist", "revolute", "bar", "hand", axis=(0, 1, 0), mimic=Mimic("hinge", -2.0, 0.1))
    robot = replace(lead, links=(*lead.links, hand), joints=(*lead.joints, wrist))
    model = loaded(write(robot, tmp_path))
    assert model.nu == 1
    data = mujoco.MjData(model)
    data.ctrl[0] = 0.2
    for _ in range(2000):
        mujoco.mj_step(model, data)
    assert data.qpos[1] == pytest.approx(0.1 - 2.0 * data.qpos[0], abs=0.02)
    lost = replace(robot, joints=(*lead.joints, replace(wrist, mimic=Mimic("nobody"))))
    assert found(lost) == [("warning", "hand")]
    loaded(write(lost, tmp_path / "lost"))


@pytest.mark.parametrize(("kind", "said"), [("ball", 0), ("fixed", 0), ("revolute", 1)])
def test_a_joint_that_closes_a_loop_is_a_constraint(kind, said, tmp_path):
    model = arm()
    close = Joint("close", kind, "end", "slide", Pose.from_sdf([0.1, 0.2, 0.3, 0.4, 0.5, 0.6]))
    model = replace(model, joints=(*model.joints, close))
    assert found(model).count(("warning", "slide")) == said
    compiled = loaded(write(model, tmp_path))
    assert compiled.neq == 1
    data = mujoco.MjData(compiled)
    mujoco.mj_forward(compiled, data)
    np.testing.assert_allclose(data.efc_pos[: data.ne], 0.0, atol=1e-6)


def test_what_mujoco_lacks_is_named(tmp_path):
    model = arm()
    screw = replace(model.joints[0], kind="screw", pitch=0.01)
    assert ("error", "turn") in found(replace(model, joints=(screw, *model.joints[1:])))
    slides = Joint("close", "prismatic", "end", "slide")
    looped = replace(model, joints=(*model.joints, slides))
    assert ("warning", "slide") in found(looped)
    assert write(looped, tmp_path / "a").read_bytes() == write(model, tmp_path / "b").read_bytes()
    assert ("info", "end") in found(model)


def test_a_ball_joint_and_two_free_robots_load(tmp_path):
    model = arm()
    joints = (replace(model.joints[0], kind="ball"), *model.joints[1:2], *model.joints[3:])
    model = replace(model, joints=joints)
    assert not [one for one in found(model) if one[0] == "error"]
    compiled = loaded(write(model, tmp_path))
    assert sorted(compiled.jnt_type) == sorted([0, 0, 1, 3, 3])
    np.testing.assert_array_equal(compiled.key("home").qpos, compiled.qpos0)


def test_a_static_model_does_not_move(tmp_path):
    compiled = loaded(write(replace(arm(), static=True), tmp_path))
    assert (compiled.nv, compiled.nu, compiled.nbody) == (0, 0, 7)


@pytest.mark.parametrize(("mass", "moment", "refused"), [(1e-16, 1.0, True), (1.0, 0.0, True), (1e-3, 1e-9, False)])
def test_a_moving_body_too_light_for_mujoco_is_refused_before(mass, moment, refused, tmp_path):
    tiny = one_link(
        collision(Box((1.0, 1.0, 1.0))), mode="manual", manual=Inertial(mass, [0, 0, 0], moment * np.eye(3))
    )
    bodies = resolve_model(tiny)
    assert ("error" in [one.severity for one in mjcf_findings(tiny, bodies)]) == refused
    path = write_model(tiny, bodies, Target.of(tmp_path, "m", "mjcf")).file
    if refused:
        with pytest.raises(ValueError, match="mjMINVAL|positive eigenvalues"):
            loaded(path)
    else:
        loaded(path)


def surface(vertices, faces):
    return Mesh(Surface(np.array(vertices, dtype=float), np.array(faces)), np.eye(3))


CORNERS = [(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
FACES = [(0, 2, 1), (1, 2, 3), (4, 5, 6), (5, 7, 6), (0, 1, 4), (1, 5, 4), (2, 6, 3), (3, 6, 7), (0, 4, 2), (2, 4, 6)]
FACES += [(1, 3, 5), (3, 7, 5)]
TURNED = Pose.from_sdf([0.3, 0.2, 0.1, 0.5, 0.6, 0.7])
GRID = [tuple(TURNED.R @ (x, y, 0) + TURNED.p) for x in range(6) for y in range(6)]
CELLS = [(6 * i + j, 6 * i + j + 1, 6 * i + j + 7) for i in range(5) for j in range(5)]
MESHES = {
    "solid": (surface(CORNERS, FACES), "exact", 2),
    "open": (surface(CORNERS, FACES[:-1]), "shell", 2),
    "inside out": (surface(CORNERS, [face[::-1] for face in FACES]), "shell", 2),
    "one face turned": (surface(CORNERS, [FACES[0][::-1], *FACES[1:]]), "shell", 2),
    "every face twice": (surface(CORNERS, FACES + [face[::-1] for face in FACES]), "shell", 2),
    "tiny": (surface(1e-6 * np.array(CORNERS), FACES), "shell", 2),
    "a sheet": (surface([*CORNERS[:4]], FACES[:2]), "shell", 1),
    "a tilted sheet": (surface(GRID, CELLS), "shell", 1),
    "a triangle": (surface(CORNERS[:3], [(0, 1, 2)]), "shell", 0),
    "a needle": (surface([(0, 0, 0), (1, 0, 0), (2, 0, 0), (3, 0, 0)], [(0, 1, 2), (1, 2, 3)]), "shell", 0),
}


@pytest.mark.parametrize("name", MESHES)
@pytest.mark.parametrize("mesh_format", ["obj", "stl"])
def test_mujoco_loads_every_mesh_that_is_written(name, mesh_format, tmp_path):
    mesh, inertia, geoms = MESHES[name]
    visual = Visual("v", Pose.identity, mesh, (1.0, 0.5, 0.25, 1.0))
    manual = Inertial(1.0, [0, 0, 0], np.eye(3))
    model = one_link(collision(mesh), visuals=(visual,), mode="manual", manual=manual)
    assert (("warning", "l") in found(model)) == (geoms < 2)
    path = write_model(model, resolve_model(model), Target.of(tmp_path, "m", "mjcf"), mesh_format=mesh_format).file
    compiled = loaded(path)
    assert compiled.ngeom == 1 + geoms
    kinds = {one.get("inertia") for one in etree.parse(path).iter("mesh")}
    assert (inertia in kinds) == bool(geoms)


def test_shapes_that_mjcf_lacks_become_meshes(tmp_path):
    model = one_link(*(collision(shape, shape.kind) for shape in (*SHAPES, Cone(0.1, 0.3))))
    assert found(model) == [("info", "l")]
    path = write(model, tmp_path)
    kinds = [one.get("type") for one in etree.parse(path).iter("geom") if one.get("type") is not None]
    assert kinds == ["plane", *(shape.kind for shape in SHAPES), "mesh"]
    loaded(path)


def test_colours_scales_and_frames_are_written(tmp_path):
    small = Mesh(wedge(), np.eye(3))
    sizes = (("a", small), ("b", Mesh(small.surface, 2.0 * np.eye(3))), ("c", small))
    visuals = tuple(Visual(name, Pose.identity, one, (1.0, 0.5, 0.25, 0.5)) for name, one in sizes)
    model = one_link(collision(Box((1.0, 1.0, 1.0))), visuals=visuals)
    path = write(replace(model, frames=(Frame("tip", TURNED, "l"),)), tmp_path)
    root = etree.parse(path).getroot()
    assert [one.get("scale") for one in root.iter("mesh")] == [None, "2 2 2"]
    assert len({one.get("file") for one in root.iter("mesh")}) == 1
    assert [one.get("rgba") for one in root.iter("geom") if one.get("class") == "visual"] == ["1 0.5 0.25 0.5"] * 3
    compiled = loaded(path)
    np.testing.assert_allclose(compiled.site("tip").pos, TURNED.p)
    assert not any(compiled.geom_contype[compiled.geom_group == 2])


@pytest.mark.parametrize("style", ["relative", "model", "file"])
def test_mujoco_finds_meshes_whatever_the_uris(style, tmp_path):
    loaded(write(arm(), tmp_path, uri_style=style))


def test_a_path_of_xml_or_mjcf_is_mjcf(tmp_path):
    assert Target.of(tmp_path / "robot.XML", "arm").file_format == "mjcf"
    assert Target.of(tmp_path / "robot.mjcf", "arm", "sdf").file_format == "mjcf"
    assert write(arm(), tmp_path) == tmp_path / "arm" / "model.xml"


def test_three_formats_share_a_folder_and_keep_each_others_meshes(tmp_path):
    before = {}
    for file_format in ("mjcf", "sdf", "urdf", "mjcf"):
        write(arm(), tmp_path, file_format)
        assert {path: path.read_bytes() for path in before} == before
        before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}


def test_the_same_model_gives_the_same_bytes(tmp_path):
    assert write(arm(), tmp_path / "a").read_bytes() == write(arm(), tmp_path / "b").read_bytes()
