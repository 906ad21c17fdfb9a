# SPDX-License-Identifier: GPL-3.0-or-later
"""Left and right links with mirrored geometry whose inertials are copies of each other."""

from functools import partial

import numpy as np
import pytest

from core.body.inertial import Inertial
from core.body.pose import Pose
from core.body.shapes import Box, Cylinder
from core.formats.table import read_robot_file
from core.judge.measured import RepairOptions
from core.mesh.policy import diagnose_surface, rough_moments
from tests.thorough import many

from ..robot_files import check_path, repair
from ..work import calls_of

MIRROR = np.array([1.0, -1.0, 1.0])


def rounded(numbers, digits):
    return [float(f"{number:.{digits - 1}e}") for number in np.ravel(numbers)]


def inertial(body, digits=6):
    x, y, z = rounded(body[1], digits)
    xx, xy, xz, yy, yz, zz = rounded(body[2][np.triu_indices(3)], digits)
    mass = rounded(body[0], digits)[0]
    return (
        f'<inertial><origin xyz="{x} {y} {z}"/><mass value="{mass}"/>'
        f'<inertia ixx="{xx}" ixy="{xy}" ixz="{xz}" iyy="{yy}" iyz="{yz}" izz="{zz}"/></inertial>'
    )


def mirrored(body):
    return body[0], body[1] * MIRROR, body[2] * np.outer(MIRROR, MIRROR)


class Leg:
    """A box and a cylinder that stand anywhere, both of a density of their own."""

    def __init__(self, random, even=False, motor=0.0, spread=200.0):
        self.box = random.uniform(0.05, 0.3, 3)
        self.places = random.uniform(-0.2, 0.2, (2, 3)) * (1.0, 0.0 if even else 1.0, 1.0)
        self.radius, self.length = random.uniform(0.02, 0.1), random.uniform(0.05, 0.4)
        parts = (Box(tuple(self.box)), Cylinder(self.radius, self.length))
        densities = random.uniform(1000.0 - spread, 1000.0 + spread, 2)
        bodies = [
            shape.moments().inertial(density).transformed(Pose(np.eye(3), place))
            for shape, density, place in zip(parts, densities, self.places, strict=True)
        ]
        whole = bodies[0] + bodies[1]
        if motor:  # a share of the mass, of no size, somewhere in the box
            place = self.places[0] + random.uniform(-0.4, 0.4, 3) * self.box
            whole += Inertial(motor * whole.mass, place, np.zeros((3, 3)))
        self.body = whole.mass, whole.com, whole.inertia

    def collisions(self, signs):
        (x, y, z), (u, v, w) = self.places * signs
        return (
            f'<collision><origin xyz="{x} {y} {z}"/><geometry><box size="{" ".join(map(str, self.box))}"/></geometry>'
            f'</collision><collision><origin xyz="{u} {v} {w}"/><geometry><cylinder radius="{self.radius}"'
            f' length="{self.length}"/></geometry></collision>'
        )


def robot(*links):
    joints = "".join(
        f'<joint name="j_{name}" type="continuous"><parent link="base"/><child link="{name}"/>'
        f'<origin xyz="0 {0.2 if side > 0 else -0.2} 0"/></joint>'
        for name, _, side in links
    )
    made = "".join(f'<link name="{name}">{content}</link>' for name, content, _ in links)
    return f'<robot name="r"><link name="base"/>{made}{joints}</robot>'


@pytest.fixture
def pair(tmp_path):
    def write(left, right, names=("left_leg", "right_leg")):
        path = tmp_path / "r.urdf"
        path.write_text(robot((names[0], left, 1), (names[1], right, -1)))
        return path

    return write


def named(path):
    return [one for one in check_path(path) if one.code == "twin_not_mirrored"]


def test_a_copied_right_leg_is_named_and_mirrored(pair):
    leg = Leg(np.random.default_rng(1))
    path = pair(inertial(leg.body, 10) + leg.collisions(1.0), inertial(leg.body, 10) + leg.collisions(MIRROR))
    (finding,) = named(path)
    assert (finding.severity, "right_leg" in finding.subject) == ("warning", True)
    assert "copied from its twin left_leg" in finding.message
    repaired = repair(path)
    assert [one.link.local_name for one in repaired.links] == ["right_leg"]
    path.write_bytes(repaired.data)
    left, right = (link.inertial for link in read_robot_file(path).links if link.has_inertial)
    assert right.com == pytest.approx(leg.body[1] * MIRROR, abs=1e-9)
    assert right.inertia == pytest.approx(left.inertia * np.outer(MIRROR, MIRROR), abs=1e-9 * np.trace(left.inertia))
    assert check_path(path) == []


def test_a_copied_left_leg_is_distinguished_from_a_copied_right_leg(pair):
    leg = Leg(np.random.default_rng(2))
    wrong = inertial(mirrored(leg.body))
    (finding,) = named(pair(wrong + leg.collisions(1.0), wrong + leg.collisions(MIRROR)))
    assert "left_leg" in finding.subject


@pytest.mark.parametrize("digits", [3, 6])
def test_nearly_all_copied_twins_are_named_and_repaired(pair, digits):
    random, right, count = np.random.default_rng(3), 0, many(40, 10)
    for _ in range(count):
        leg = Leg(random)
        copy = inertial(leg.body, digits)
        result = repair(pair(copy + leg.collisions(1.0), copy + leg.collisions(MIRROR)))
        new = {one.link.local_name: one.new for one in result.links}.get("right_leg")
        right += new is not None and np.allclose(new.com, leg.body[1] * MIRROR, rtol=1e-2)
    assert right >= 0.9 * count


def test_a_motor_in_a_leg_never_leads_to_the_wrong_repair(pair):
    random, repaired, named_wrongly, count = np.random.default_rng(8), 0, 0, many(60, 15)
    for _ in range(count):
        leg = Leg(random, motor=random.uniform(0.1, 0.7))
        copy = inertial(leg.body)
        path = pair(copy + leg.collisions(1.0), copy + leg.collisions(MIRROR))
        links = [one.link.local_name for one in repair(path).links]
        assert links in ([], ["right_leg"])
        repaired += bool(links)
        named_wrongly += all("left_leg" in one.subject for one in named(path))
    assert repaired >= count / 3 and named_wrongly <= 1


def test_a_likely_twin_is_repaired_only_by_name(pair):
    random = np.random.default_rng(9)
    legs = [Leg(random, motor=0.5) for _ in range(many(40, 12))]
    likely = 0
    for leg in legs:
        copy = inertial(leg.body)
        path = pair(copy + leg.collisions(1.0), copy + leg.collisions(MIRROR))
        if [one.remedy for one in named(path)] == ["if the twin is right, mirror it; or correct the twin"]:
            likely += 1
            assert repair(path).data == path.read_bytes()
            (link,) = repair(path, RepairOptions(frozenset({"twins"}))).links
            assert link.new.com == pytest.approx(leg.body[1] * MIRROR, rel=1e-3)
    assert likely >= many(3, 1)


def test_centre_and_products_that_disagree_leave_both_twins(pair):
    """The centre of mass fits the left leg, the products fit the right one."""
    leg = Leg(np.random.default_rng(12))
    mass, com, tensor = leg.body
    mixed = inertial((mass, com, mirrored(leg.body)[2]))
    path = pair(mixed + leg.collisions(1.0), mixed + leg.collisions(MIRROR))
    assert len(named(path)) == 2 and repair(path).data == path.read_bytes()


def test_of_twins_with_another_mistake_both_are_named(pair):
    """The products of both have the wrong sign, and the right leg has the centre of mass of the left one."""
    leg = Leg(np.random.default_rng(7), spread=0.0)
    mass, com, tensor = leg.body
    turned = 2.0 * np.diag(np.diag(tensor)) - tensor
    left, right = inertial((mass, com, turned)), inertial((mass, com, turned * np.outer(MIRROR, MIRROR)))
    path = pair(left + leg.collisions(1.0), right + leg.collisions(MIRROR))
    assert [one.code for one in check_path(path)] == ["tensor_products", "twin_not_mirrored"] * 2
    assert all("repair" not in one.remedy for one in named(path))


def test_only_the_products_of_a_twin_are_mirrored(pair):
    leg = Leg(np.random.default_rng(12))
    mass, com, tensor = leg.body
    path = pair(
        inertial(leg.body) + leg.collisions(1.0), inertial((mass, com * MIRROR, tensor)) + leg.collisions(MIRROR)
    )
    (finding,) = named(path)
    assert "products of inertia are copied" in finding.message and "centre" not in finding.message
    (link,) = repair(path).links
    assert link.new.com == pytest.approx(com * MIRROR, rel=1e-5)
    assert link.new.inertia == pytest.approx(mirrored(leg.body)[2], abs=1e-5 * np.trace(tensor))


def test_sound_twins_stay(pair):
    random = np.random.default_rng(4)
    for number in range(many(120, 20)):  # of each kind with each number of digits
        leg = Leg(random, even=number % 4 == 1)
        ours = inertial(leg.body, 2 + number % 5)
        theirs, signs = inertial(mirrored(leg.body), 2 + number % 5), MIRROR
        if number % 4 == 2:  # the same part on both sides
            theirs, signs = ours, np.ones(3)
        path = pair(ours + leg.collisions(1.0), theirs + leg.collisions(signs))
        assert named(path) == [] and repair(path).data == path.read_bytes()


def test_twins_without_geometry_are_named_by_their_places_and_kept(pair):
    leg = Leg(np.random.default_rng(5))
    path = pair(inertial(leg.body), inertial(leg.body))
    findings = named(path)
    assert ["left_leg" in one.subject for one in findings] == [True, False]
    assert "mirror images (y)" in findings[0].message and repair(path).data == path.read_bytes()
    assert repair(path, RepairOptions(frozenset({"twins"}))).data == path.read_bytes()


def test_equal_parts_without_geometry_on_two_hands_are_not_named(tmp_path):
    """Two grippers of one kind are alike, not mirrored: their fingers hang on different links."""
    part = inertial(Leg(np.random.default_rng(5)).body)
    fingers = "".join(
        f'<link name="{side}_hand"/><link name="{side}_finger">{part}</link>'
        f'<joint name="{side}_wrist" type="continuous"><parent link="base"/><child link="{side}_hand"/>'
        f'<origin xyz="0 {y} 0"/></joint><joint name="{side}_knuckle" type="continuous"><parent link="{side}_hand"/>'
        f'<child link="{side}_finger"/><origin xyz="0.1 0 0"/></joint>'
        for side, y in (("left", 0.2), ("right", -0.2))
    )
    path = tmp_path / "r.urdf"
    path.write_text(f'<robot name="r"><link name="base"/>{fingers}</robot>')
    assert named(path) == []


@pytest.mark.parametrize(
    ("left", "right", "are_twins"),
    [
        ("LeftArm", "RightArm", True),
        ("FL_hip", "FR_hip", True),
        ("l_hip_2", "r_hip_2", True),
        ("arm_left_1_link", "arm_right_1_link", True),
        ("LHipYaw", "RHipYaw", True),
        ("l_gripper_l_tip", "r_gripper_r_tip", True),
        ("l_gripper_r_tip", "r_gripper_l_tip", True),
        ("leftarm", "rightarm", True),
        ("leg_1", "reg_1", False),
        ("xl430", "xr430", False),
    ],
)
def test_twins_are_known_by_their_names(pair, left, right, are_twins):
    leg = Leg(np.random.default_rng(6))
    body = inertial(leg.body)
    path = pair(body + leg.collisions(1.0), body + leg.collisions(MIRROR), (left, right))
    assert bool(named(path)) == are_twins


@pytest.mark.fault(111)
def test_the_zero_tensor_of_a_twin_names_the_sound_one(pair):
    leg = Leg(np.random.default_rng(7))
    zero = inertial((leg.body[0], leg.body[1] * MIRROR, np.zeros((3, 3))))
    path = pair(inertial(leg.body) + leg.collisions(1.0), zero + leg.collisions(MIRROR))
    (finding,) = check_path(path)
    assert finding.code == "zero_tensor" and "its twin left_leg has" in finding.message


def test_the_shapes_of_twins_are_not_measured_roughly(pair, crossing_boxes):
    """The inertials are copies with a centre aside, so the shapes decide if they should be mirrored."""
    leg = inertial((1500.0, np.array([0.75, 0.4, 0.5]), np.diag([200.0, 300.0, 300.0])))
    leg += f"<collision>{crossing_boxes}</collision>"
    judge = partial(check_path, pair(leg, leg))
    assert (calls_of(diagnose_surface, judge), calls_of(rough_moments, judge)) == (1, 0)
