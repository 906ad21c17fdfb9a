# SPDX-License-Identifier: GPL-3.0-or-later
"""The numbers of an MJCF are those that MuJoCo compiles."""

import numpy as np
import pytest

from core import read_robot
from core.formats.mjcf.library import posed
from tests.core import solids

from .mjcf_files import CUBE, assert_same, compiled, mjcf, moving, read, write_mesh

KINDS = ("sphere", "capsule", "cylinder", "box", "ellipsoid")


def hollow():
    """A box with a hollow: 0.488 m³ as a solid, 1.512 in MuJoCo's legacy way."""
    return solids.joined(
        solids.box((1, 1, 1), (-0.5, -0.5, -0.5)), solids.inverted(solids.box((0.8,) * 3, (-0.4,) * 3))
    )


def geom(rng):
    """Return a random geom; all ways to turn one occur."""
    kind = rng.choice(KINDS)
    turn = rng.choice(['euler="{} {} {}"', 'quat="{} {} {} .3"', 'axisangle="{} {} 1 {}"', 'zaxis="{} {} {}"', "ends"])
    numbers = [f"{value:.4f}" for value in rng.uniform(0.1, 1.0, 9)]
    weight = rng.choice(["", 'mass="0.7"', 'density="230"', 'class="light"', 'shellinertia="true" density="30"'])
    group = rng.choice(["", 'group="3"'])
    if turn == "ends" and kind != "sphere":
        placed = f'size=".05" fromto="{" ".join(numbers[:6])}"'
    else:
        placed = f'size="{" ".join(numbers[3:6])}" pos="{" ".join(numbers[6:])}" '
        placed += "" if turn == "ends" else turn.format(*numbers)
    return f'<geom type="{kind}" {placed} {weight} {group}/>'


def body(rng, name, depth):
    numbers = [f"{value:.4f}" for value in rng.uniform(-1.0, 1.0, 6)]
    inside = CUBE + "\n".join(geom(rng) for _ in range(rng.integers(1, 4)))
    joint = rng.choice(["<joint/>", '<joint type="slide" axis="1 2 3"/>', '<joint type="ball"/>', ""])
    if rng.random() < 0.3:
        inside += (
            f'<inertial mass="2" pos="{" ".join(numbers[:3])}" euler="{" ".join(numbers[3:])}" diaginertia="1 2 2.5"/>'
        )
    below = "".join(body(rng, f"{name}_{number}", depth - 1) for number in range(rng.integers(0, 3))) if depth else ""
    placed = f'pos="{" ".join(numbers[:3])}" euler="{" ".join(numbers[3:])}"'
    text = f'<body name="{name}" {placed}>{joint}{inside}{below}</body>'
    return f'<frame pos="1 2 3" euler="{numbers[1]} 1 2">{text}</frame>' if rng.random() < 0.3 else text


@pytest.mark.parametrize("seed", range(20))
def test_random_robots_are_those_of_the_compiler(tmp_path, seed):
    rng = np.random.default_rng(seed)
    degrees, sequence = rng.choice(["degree", "radian"]), rng.choice(["xyz", "XYZ", "zyx"])
    group = rng.choice(["", 'inertiagrouprange="0 2"'])
    compiler = f'<compiler angle="{degrees}" eulerseq="{sequence}" {group}/>\n'
    default = '<default><geom density="500"/><default class="light"><geom mass=".02"/></default></default>\n'
    path = mjcf(tmp_path, body(rng, "a", 3), compiler + default)
    theirs = compiled(path)
    robot = read_robot(path)
    assert [*robot.links] == [*theirs]
    for name, inertial in theirs.items():
        if inertial.mass > 0.0:
            assert_same(robot.links[name].inertial, inertial)


@pytest.mark.parametrize("how", ["legacy", "exact", "convex", "shell"])
def test_meshes_have_the_inertia_of_the_compiler(tmp_path, how):
    write_mesh(tmp_path / "meshes" / "hollow.obj", *hollow())
    mesh = f'<mesh name="m" file="hollow.obj" scale=".1 .2 -.3" refpos=".1 .2 .3" refquat="1 2 3 4" inertia="{how}"/>'
    before = f'<compiler meshdir="meshes"/>\n<asset>{mesh}</asset>\n'
    path = mjcf(tmp_path, moving('<geom type="mesh" mesh="m" pos="1 0 0" euler="10 20 30"/>'), before)
    assert_same(read(path)["link"], compiled(path)["link"])


def test_a_mesh_stands_where_the_compiler_puts_it(tmp_path):
    write_mesh(tmp_path / "hollow.obj", *hollow())
    mesh = '<mesh name="m" file="hollow.obj" scale=".1 .2 -.3" refpos=".1 .2 .3" refquat="1 2 3 4" inertia="exact"/>'
    path = mjcf(
        tmp_path, moving('<geom type="mesh" mesh="m" pos="1 0 0" euler="10 20 30"/>'), f"<asset>{mesh}</asset>\n"
    )
    assert_same(read_robot(path).links["link"].computed, compiled(path)["link"], 1e-6)  # OBJ in float32


def test_a_shape_that_fits_a_mesh_is_the_compilers(tmp_path):
    write_mesh(tmp_path / "box.obj", *solids.box((0.2, 0.4, 0.6), (0.1, 0.0, 0.0)))
    before = '<asset><mesh name="m" file="box.obj"/></asset>\n'
    path = mjcf(tmp_path, moving('<geom type="box" mesh="m" pos="1 0 0" euler="10 20 30"/>'), before)
    theirs = compiled(path)["link"]
    assert_same(read(path)["link"], theirs)
    assert_same(read_robot(path).links["link"].computed, theirs, 1e-6)  # MuJoCo keeps the vertices in float32


def test_bodies_that_replicate_makes_have_their_numbers(tmp_path):
    path = mjcf(tmp_path, f'<replicate count="3" euler="0 0 30" offset="1 0 0">{moving(CUBE)}</replicate>')
    robot = read_robot(path)
    assert [*robot.links] == ["link0", "link1", "link2"]
    assert {link.line for link in robot.links.values()} == {3}


def test_full_inertia_has_the_order_of_mujoco(tmp_path):
    inertial = '<inertial pos="1 2 3" mass="2" fullinertia="3 4 5 .1 .2 .3"/>'
    path = mjcf(tmp_path, moving(inertial))
    assert_same(read(path)["link"], compiled(path)["link"])
    assert read(path)["link"].inertia[0, 2] == 0.2


def test_nameless_bodies_have_the_numbers_of_mujoco(tmp_path):
    path = mjcf(tmp_path, f"<body>{CUBE}</body><body><joint/>{CUBE}<body>{CUBE}</body></body>")
    assert [*read_robot(path).links] == ["body_1", "body_2", "body_3"]


def test_geoms_outside_the_group_range_do_not_count(tmp_path):
    visual = '<geom type="box" size=".1 .1 .1" group="2" contype="0" conaffinity="0"/>'
    before = '<compiler inertiagrouprange="0 1"/>\n'
    assert read(mjcf(tmp_path, moving(CUBE + visual), before))["link"].mass == pytest.approx(8.0)
    assert read(mjcf(tmp_path, moving(CUBE + visual)))["link"].mass == pytest.approx(16.0)


def test_joints_are_those_of_the_compiler(tmp_path):
    import mujoco

    joint = '<joint name="hip" pos=".1 .2 .3" axis="1 2 3" range="-30 60" damping="2" frictionloss="3" armature=".04"/>'
    text = f'<body name="a" pos="0 0 1" euler="10 20 30"><frame euler="0 0 40">{joint}</frame>{CUBE}</body>'
    path = mjcf(tmp_path, text)
    model = mujoco.MjModel.from_xml_path(str(path))
    ours = read_robot(path).joints["hip"]
    assert ours.kind == "revolute"
    assert ours.pose.p == pytest.approx(model.jnt_pos[0])
    assert np.array(ours.axis) / np.linalg.norm(ours.axis) == pytest.approx(model.jnt_axis[0])
    assert (ours.lower, ours.upper) == pytest.approx(tuple(model.jnt_range[0]))
    assert (ours.damping, ours.friction, ours.armature) == (2.0, 3.0, 0.04)


def test_a_body_with_several_joints_hangs_on_links_between(tmp_path):
    joints = '<joint name="x" axis="1 0 0"/><joint name="y" axis="0 1 0"/>'
    robot = read_robot(mjcf(tmp_path, f'<body name="a">{joints}{CUBE}</body>'))
    assert [(one.parent, one.child) for one in robot.joints.values()] == [("world", "a_x"), ("a_x", "a")]


def test_bodies_stand_where_the_compiler_puts_them(tmp_path):
    import mujoco

    text = f'<frame euler="0 0 90"><body name="a" pos="1 2 3" euler="1 2 3">{CUBE}<body name="b" pos="1 0 0" '
    path = mjcf(tmp_path, text + f'axisangle="1 1 0 50"><joint/>{CUBE}</body></body></frame>')
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    (robot,) = read_robot(path).file.robots()
    for link in robot.model.links:
        number = model.body(link.name).id
        expected = posed([(data.xpos[number], data.xquat[number])])
        assert link.pose.p == pytest.approx(expected.p)
        assert pytest.approx(expected.R, abs=1e-12) == link.pose.R
