# SPDX-License-Identifier: GPL-3.0-or-later
"""What is no fault has no finding, and what is odd is named: the geometry where the numbers are sound in themselves."""

import pytest

from core.cli.check import check_path

from ..sdf_oracle import assert_same_links, oracle_file
from ..sdf_text import inertial, joint, link


def shape(kind, **sizes):
    inner = "".join(f"<{name}>{value}</{name}>" for name, value in sizes.items())
    return f"<geometry><{kind}>{inner}</{kind}></geometry>"


def box(a, b, c):
    return shape("box", size=f"{a} {b} {c}")


def of_box(mass, a, b, c, factor=1.0):
    return inertial(mass, [factor * mass / 12 * one for one in (b * b + c * c, a * a + c * c, a * a + b * b)])


def of_cylinder(mass, radius, length):
    across = mass / 12 * (3 * radius**2 + length**2)
    return inertial(mass, (across, across, mass * radius**2 / 2))


@pytest.fixture
def codes(tmp_path):
    def found(content):
        path = tmp_path / "m.sdf"
        path.write_text(f"<sdf version='1.11'><model name='m'>{content}</model></sdf>")
        return [(finding.severity, finding.code) for finding in check_path(path)]

    return found


@pytest.mark.fault(98)
def test_several_polylines_are_one_shape(data, tmp_path):
    path, oracle = oracle_file(data, tmp_path, "polyline_repeated_false_alarm")
    assert_same_links(path, oracle)
    assert check_path(path) == []


def test_a_good_robot_has_no_finding(codes):
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
    assert codes(robot) == []


LARGE = of_box(5, 0.3, 0.2, 0.1)  # 833 kg/m³
ITS_BOX = box(0.3, 0.2, 0.1)
THIN = of_box(0.234, 0.92, 0.27, 0.0034) + f"<visual name='v'>{box(0.92, 0.27, 0.0034)}</visual>"
SMALL, ANOTHER_UNIT = [("warning", "small_geometry")], [("error", "inertial_unit")]

CASES = {
    "its own box": (LARGE, ITS_BOX, []),
    # The geometry is wrong, not the inertial.
    "a contact ball": (LARGE, shape("sphere", radius=0.01), SMALL),
    "a larger contact ball": (LARGE, shape("sphere", radius=0.02), SMALL),
    "scaled by 0.01 once too often": (LARGE, box(0.003, 0.002, 0.001), SMALL),
    "scaled by 0.001 once too often": (LARGE, box(3e-4, 2e-4, 1e-4), SMALL),
    "a ball of a millimetre stands for a part that is not drawn": (LARGE, shape("sphere", radius=0.001), []),
    "a thin body in a large simple collision": (THIN, shape("sphere", radius=0.277), []),
    "the default in a large geometry": (
        inertial(1, (1, 1, 1)),
        box(100, 100, 100),
        [("warning", "implied_density"), ("warning", "template_tensor")],
    ),
    # A wrong unit is still suspected.
    "a tensor converted once too often": (
        of_box(5, 0.3, 0.2, 0.1, 1e-3),
        ITS_BOX,
        [("warning", "unit_suspicion")],
    ),
    "a tensor in g·m²": (of_box(5, 0.3, 0.2, 0.1, 1e3), ITS_BOX, ANOTHER_UNIT),
    "a tensor in kg·mm²": (of_box(5, 0.3, 0.2, 0.1, 1e6), ITS_BOX, ANOTHER_UNIT),
    "a tensor in g·mm²": (of_box(5, 0.3, 0.2, 0.1, 1e9), ITS_BOX, ANOTHER_UNIT),
    "a mass in grams": (of_box(5000, 0.3, 0.2, 0.1), ITS_BOX, ANOTHER_UNIT),
    "a geometry in millimetres": (LARGE, box(300, 200, 100), [("error", "geometry_unit")]),
}


@pytest.mark.fault(98)
def test_the_geometry_is_named_if_the_inertial_is_sound_in_itself(codes):
    for name, (content, geometry, expected) in CASES.items():
        assert codes(link(content=content, geometry=geometry)) == expected, name


@pytest.mark.fault(98)
def test_neither_other_axes_nor_a_larger_geometry_are_a_matter_of_units(codes):
    found = codes(link(content=of_box(5, 0.3, 0.02, 0.1), geometry=box(0.02, 0.3, 0.1)))
    assert found and ("warning", "small_geometry") not in found
    found = codes(link(content=LARGE, geometry=box(9, 6, 3)))
    assert ("warning", "small_tensor") in found and ("warning", "unit_suspicion") not in found
