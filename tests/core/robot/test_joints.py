# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong with how links are connected, and what of it is written."""

from dataclasses import replace

import numpy as np
import pytest
from lxml import etree

from core import Pose
from core.body.shapes import Box
from core.formats.package import Target, write_model
from core.judge.geometry.resolve_model import resolve_model
from core.robot.joints import is_beyond, kinematic_order, posed, with_checked_joints
from core.robot.model import WORLD, Collision, Joint, Link, Model

from ...thorough import many

BOX = Collision("box", Pose.identity, Box((0.1, 0.2, 0.3)), 1000.0)


def robot(*joints, links="abc", **more):
    return Model("robot", tuple(Link(name, collisions=(BOX,), **more) for name in links), joints)


def joint(parent, child, kind="revolute", **more):
    return Joint(f"{child}_joint", kind, parent, child, **more)


def findings_of(model):
    return [(one.severity, one.code, one.subject) for one in with_checked_joints(model).findings]


def written(model, folder):
    model = with_checked_joints(model)
    return etree.parse(write_model(model, resolve_model(model), Target.of(folder, "robot")).file).getroot()


def test_a_tree_of_links_has_nothing_to_be_told():
    assert findings_of(robot(joint("a", "b"), joint("a", "c", "fixed"))) == []
    assert findings_of(robot(joint(WORLD, "a", "fixed"), joint("a", "b"), joint("b", "c"))) == []
    assert findings_of(robot(links="a")) == []
    # An axis that a joint does not have may be anything.
    joints = (joint("a", "b", "fixed", axis=(0.0, 0.0, 0.0)), joint("a", "c", "ball", axis=(0, 0, 0)))
    assert findings_of(robot(*joints)) == []


@pytest.mark.parametrize(
    ("joints", "free"),
    [
        ((), "3 links are not joined"),
        ((joint("a", "b"),), "1 of its 3 links hangs on no joint that leads to a, and in a simulation move freely: c"),
        ((joint(WORLD, "b"),), "2 of its 3 links hang on no joint that leads to world"),
    ],
)
def test_links_that_hang_on_nothing_are_named(joints, free):
    (finding,) = with_checked_joints(robot(*joints)).findings
    assert (finding.severity, finding.code) == ("warning", "free_links")
    assert free in finding.message


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (joint("", "b"), "joint_parent_missing"),
        (joint("nobody", "b"), "joint_parent_missing"),
        (joint("b", "b"), "joint_loop"),
        (joint("a", "b", axis=(0.0, 0.0, 0.0)), "axis_zero"),
        (joint("a", "b", axis=(np.nan, 0.0, 1.0)), "axis_zero"),
        (joint("a", "b", "universal", axis2=(0.0, 0.0, 0.0)), "axis_zero"),
        (joint("a", "b", lower=1.0, upper=0.5), "limits_swapped"),
    ],
)
def test_a_joint_that_cannot_be_is_refused_by_its_links_name(wrong, code, tmp_path):
    model = robot(wrong, joint("a", "c"))
    assert ("error", code, "b") in findings_of(model)
    assert [one.get("name") for one in written(model, tmp_path).iter("joint")] == ["c_joint"]


def test_limits_in_degrees_are_doubted_and_written(tmp_path):
    model = robot(joint("a", "b", lower=-90.0, upper=90.0), joint("a", "c"))
    assert findings_of(model) == [("warning", "limits_in_degrees", "b")]
    assert [one.findtext("axis/limit/upper") for one in written(model, tmp_path).iter("joint")] == ["90", None]


@pytest.mark.fault(54)
def test_loops_and_second_parents_are_reported():
    found = findings_of(robot(joint("c", "b"), joint("b", "c")))
    assert {("error", "joint_loop", "b"), ("error", "joint_loop", "c")} <= {*found}
    assert ("error", "no_root", "robot") in findings_of(robot(joint("b", "a"), joint("a", "b"), links="ab"))
    loop = Joint("close", "revolute", "b", "c")
    assert findings_of(robot(joint("a", "b"), joint("a", "c"), loop)) == [("warning", "two_parents", "c")]


def test_a_link_that_holds_nothing_takes_its_joint_along(tmp_path):
    tip = Link("tip", empty=True)
    model = robot(joint("a", "b"), joint("a", "c"), joint("a", "tip", "fixed"))
    model = Model(model.name, (*model.links, tip), model.joints)
    assert findings_of(model) == []
    assert [one.get("name") for one in written(model, tmp_path).iter("joint")] == ["b_joint", "c_joint"]


def test_what_a_joint_says_is_written(tmp_path):
    elbow = joint(
        "a",
        "b",
        pose=Pose.from_sdf([0.1, 0, 0, 0, 0, 0.5]),
        axis=(0.0, 2.0, 0.0),
        lower=-1.5,
        upper=0.25,
        effort=10.0,
        velocity=3.0,
        damping=0.1,
        friction=0.02,
    )
    screw = joint("b", "c", "screw", pitch=0.002)
    root = written(robot(elbow, screw), tmp_path)
    first, second = root.iter("joint")
    assert dict(first.attrib) == {"name": "b_joint", "type": "revolute"}
    read = {one: first.findtext(one) for one in ("parent", "child", "pose", "axis/xyz", "axis/limit/lower")}
    assert read == {
        "parent": "a",
        "child": "b",
        "pose": "0.1 0 0 0 0 0.5",
        "axis/xyz": "0 1 0",
        "axis/limit/lower": "-1.5",
    }
    limits = [first.findtext(f"axis/{one}") for one in ("limit/effort", "limit/velocity", "dynamics/damping")]
    assert limits == ["10", "3", "0.1"]
    assert second.findtext("screw_thread_pitch") == "0.002" and second.find("axis/limit") is None


def test_the_link_that_all_hang_on_is_the_canonical_one(tmp_path):
    root = written(robot(joint("b", "a"), joint("b", "c")), tmp_path / "1").find("model")
    assert (root.find("link").get("name"), root.get("canonical_link")) == ("b", None)  # the first link is the default
    model = with_checked_joints(robot(joint("d", "b"), joint("d", "c"), joint("c", "a"), links="abcde"))
    rest = [body for body in resolve_model(model) if body.name != "d"]
    path = write_model(model, rest, Target.of(tmp_path / "2", "robot")).file
    root = etree.parse(path).getroot().find("model")
    assert (root.find("link").get("name"), root.get("canonical_link")) == ("b", "c")


def test_our_own_check_finds_nothing_wrong_with_joints_of_all_kinds(tmp_path):
    from core.formats.table import read_robot_file
    from core.judge.judge import judge_file

    kinds = ["fixed", "revolute", "continuous", "prismatic", "screw", "universal", "ball"]
    links = ["base", *kinds]
    model = Model(
        "robot",
        tuple(Link(name, collisions=(BOX,)) for name in links),
        tuple(joint("base", kind, kind, lower=-1.0 if kind == "revolute" else None) for kind in kinds),
    )
    model = with_checked_joints(model)
    assert model.findings == ()
    sdf = write_model(model, resolve_model(model), Target.of(tmp_path, "robot")).file
    assert [str(one) for one in judge_file(read_robot_file(sdf)) if one.severity != "info"] == []


def turned(axis, angle):
    """Return the rotation (3, 3) by Rodrigues' formula."""
    x, y, z = np.array(axis) / np.linalg.norm(axis)
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def matrix(R=None, p=(0, 0, 0)):
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = np.eye(3) if R is None else R, p
    return X


MOTIONS = {
    "fixed": lambda axis, q: matrix(),
    "ball": lambda axis, q: matrix(),
    "revolute": lambda axis, q: matrix(turned(axis, q)),
    "continuous": lambda axis, q: matrix(turned(axis, q)),
    "universal": lambda axis, q: matrix(turned(axis, q)),
    "prismatic": lambda axis, q: matrix(p=q * np.array(axis) / np.linalg.norm(axis)),
    "screw": lambda axis, q: matrix(turned(axis, q), 0.02 * q / (2 * np.pi) * np.array(axis) / np.linalg.norm(axis)),
}


def test_links_stand_where_their_joints_positions_put_them():
    rng = np.random.default_rng(8)

    def anywhere():
        return Pose.from_sdf([*rng.uniform(-1, 1, 3), *rng.uniform(-1.5, 1.5, 3)])

    def X(pose):
        return matrix(pose.R, pose.p)

    for _ in range(many(100, 15)):
        names = ["root", *MOTIONS]
        frames = {name: anywhere() for name in names}
        chain = tuple(
            joint(names[n], kind, kind, pose=anywhere(), axis=tuple(rng.uniform(-1, 1, 3)), pitch=0.02)
            for n, kind in enumerate(MOTIONS)
        )
        positions = {one.name: rng.uniform(-3, 3) for one in chain}
        found = posed(frames, chain, positions)
        assert "root" not in found
        there = X(frames["root"])
        for one in chain:
            old = np.linalg.inv(X(frames[one.parent])) @ X(frames[one.child])
            moved = MOTIONS[one.kind](one.axis, positions[one.name])
            there = there @ old @ X(one.pose) @ moved @ np.linalg.inv(X(one.pose))
            np.testing.assert_allclose(X(found.get(one.child, frames[one.child])), there, atol=1e-12)


def test_only_what_hangs_on_a_moved_joint_stands_elsewhere():
    frames = {name: Pose.identity for name in "abcd"}
    tree = (joint("a", "b"), joint("b", "c"), joint("a", "d"))
    assert set(posed(frames, tree, {"b_joint": 0.3})) == {"b", "c"}
    assert posed(frames, tree, {}) == {}
    long = [joint(f"l{i}", f"l{i + 1}") for i in reversed(range(2000))]
    assert posed({f"l{i}": Pose.identity for i in reversed(range(2001))}, long, {}) == {}
    assert posed(frames, (joint("c", "b"), joint("b", "c")), {"b_joint": 0.3}).keys() == {"b"}


@pytest.mark.parametrize(
    ("bounds", "position", "beyond"),
    [
        ({}, 9.0, False),
        ({"lower": -1.0, "upper": 1.0}, 1.0, False),
        ({"lower": -1.0, "upper": 1.0}, 1.1, True),
        ({"lower": -1.0}, -1.1, True),
        ({"upper": 1.0}, -9.0, False),
    ],
)
def test_a_position_beyond_a_limit_is_seen(bounds, position, beyond):
    assert is_beyond(joint("a", "b", **bounds), position) == beyond


@pytest.mark.fault(123)
@pytest.mark.parametrize(
    ("joints", "order"),
    [
        ((), "abcdef"),
        ((joint("d", "b"), joint("d", "a"), joint("b", "f")), "dabfce"),
        ((joint(WORLD, "c"), joint("c", "a"), joint("e", "d")), "cabedf"),
        ((joint("f", "a"), joint("f", "b"), joint("a", "e"), joint("b", "e")), "faebcd"),
        ((joint("a", "b"), joint("b", "a"), joint("f", "e")), "fecdab"),
    ],
)
def test_links_stand_in_kinematic_order(joints, order, tmp_path):
    model = with_checked_joints(robot(*joints, links="fedcba"))
    assert "".join(link.name for link in model.links) == order
    assert [order.index(one.child) for one in model.joints] == sorted(order.index(one.child) for one in joints)
    again = with_checked_joints(replace(model, links=model.links[::-1]))
    assert [link.name for link in again.links] == [link.name for link in model.links]


def test_the_joint_that_holds_a_link_stays_its_first():
    closing = joint("a", "c", "ball")
    model = with_checked_joints(robot(joint("b", "c"), closing, joint("a", "b")))
    assert [one.parent for one in model.joints] == ["a", "b", "a"]


def test_a_chain_of_a_thousand_links_is_ordered():
    names = [f"{number:04}" for number in range(1000)]
    joints = [joint(child, parent, "fixed") for parent, child in zip(names, names[1:], strict=False)]
    assert kinematic_order(names, joints) == names[::-1]
