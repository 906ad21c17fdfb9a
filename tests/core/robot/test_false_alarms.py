# SPDX-License-Identifier: GPL-3.0-or-later
"""Sound robots have no finding."""

import pytest

from ..robot_files import check_path
from ..sdf_oracle import assert_same_links, oracle_file
from ..sdf_text import inertial, joint, link


def shape(kind, **sizes):
    inner = "".join(f"<{name}>{value}</{name}>" for name, value in sizes.items())
    return f"<geometry><{kind}>{inner}</{kind}></geometry>"


def box(a, b, c):
    return shape("box", size=f"{a} {b} {c}")


def of_box(mass, a, b, c):
    return inertial(mass, [mass / 12 * one for one in (b * b + c * c, a * a + c * c, a * a + b * b)])


def of_cylinder(mass, radius, length):
    across = mass / 12 * (3 * radius**2 + length**2)
    return inertial(mass, (across, across, mass * radius**2 / 2))


@pytest.mark.fault(98)
def test_several_polylines_are_one_shape(data, tmp_path):
    path, oracle = oracle_file(data, tmp_path, "polyline_repeated_false_alarm")
    assert_same_links(path, oracle)
    assert check_path(path) == []


def test_a_good_robot_has_no_finding(tmp_path):
    wheel = of_cylinder(2.5, 0.1, 0.05), shape("cylinder", radius=0.1, length=0.05)
    ball = inertial(0.5, [0.4 * 0.5 * 0.05**2] * 3), shape("sphere", radius=0.05)
    lidar = of_cylinder(0.13, 0.055, 0.04), shape("cylinder", radius=0.055, length=0.04)
    robot = (
        link("chassis", of_box(15, 0.6, 0.4, 0.2), box(0.6, 0.4, 0.2)) + link("left", *wheel) + link("right", *wheel)
    )
    robot += link("caster", *ball) + link("lidar", *lidar) + "<link name='optical'/>"
    robot += link("camera", of_box(0.035, 0.015, 0.05, 0.015), box(0.015, 0.05, 0.015))
    robot += "".join(joint("revolute", "chassis", name) for name in ("left", "right"))
    robot += joint("ball", "chassis", "caster")
    robot += "".join(joint("fixed", "chassis", name) for name in ("lidar", "camera", "optical"))
    path = tmp_path / "m.sdf"
    path.write_text(f"<sdf version='1.11'><model name='m'>{robot}</model></sdf>")
    assert check_path(path) == []
