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


@pytest.mark.fault(98)
@pytest.mark.parametrize("size", [0.01, 0.02])
def test_a_sound_inertial_with_a_small_contact_shape_is_said_of_the_geometry(size, codes):
    content = of_box(5, 0.3, 0.2, 0.1)  # 833 kg/m³
    assert codes(link(content=content, geometry=shape("sphere", radius=size))) == [("warning", "small_geometry")]
    assert codes(link(content=content, geometry=box(0.3, 0.2, 0.1))) == []


def test_a_ball_of_a_millimetre_stands_for_a_part_that_is_not_drawn(codes):
    assert codes(link(content=of_box(5, 0.3, 0.2, 0.1), geometry=shape("sphere", radius=0.001))) == []


def test_a_tensor_about_another_axis_is_no_matter_of_the_scale(codes):
    found = codes(link(content=of_box(5, 0.3, 0.02, 0.1), geometry=box(0.02, 0.3, 0.1)))
    assert found and ("warning", "small_geometry") not in found


@pytest.mark.parametrize("scale", [0.001, 0.01])
def test_a_geometry_scaled_once_too_often_is_said_of_the_geometry(scale, codes):
    geometry = box(0.3 * scale, 0.2 * scale, 0.1 * scale)
    assert codes(link(content=of_box(5, 0.3, 0.2, 0.1), geometry=geometry)) == [("warning", "small_geometry")]


def test_a_large_geometry_with_the_default_inertial_is_no_matter_of_units(codes):
    found = codes(link(content=inertial(1, (1, 1, 1)), geometry=box(100, 100, 100)))
    assert found == [("warning", "implied_density"), ("warning", "template_tensor")]


@pytest.mark.fault(98)
def test_a_sound_inertial_in_a_much_larger_geometry_is_no_matter_of_units(codes):
    found = codes(link(content=of_box(5, 0.3, 0.2, 0.1), geometry=box(9, 6, 3)))
    assert ("warning", "small_tensor") in found and ("warning", "unit_suspicion") not in found


def test_a_thin_body_in_a_large_simple_collision_has_no_finding(codes):
    content = of_box(0.234, 0.92, 0.27, 0.0034)
    visual = f"<visual name='v'>{box(0.92, 0.27, 0.0034)}</visual>"
    assert codes(link(content=content + visual, geometry=shape("sphere", radius=0.277))) == []


def test_a_tensor_converted_once_too_often_is_still_suspected(codes):
    content = of_box(5, 0.3, 0.2, 0.1, 1e-3)
    assert codes(link(content=content, geometry=box(0.3, 0.2, 0.1))) == [("warning", "unit_suspicion")]


@pytest.mark.parametrize("factor", [1e3, 1e6, 1e9])
def test_a_tensor_in_another_unit_is_still_suspected(factor, codes):
    content = of_box(5, 0.3, 0.2, 0.1, factor)
    assert codes(link(content=content, geometry=box(0.3, 0.2, 0.1))) == [("error", "inertial_unit")]


def test_a_mass_in_grams_is_still_suspected(codes):
    content = of_box(5000, 0.3, 0.2, 0.1)
    assert codes(link(content=content, geometry=box(0.3, 0.2, 0.1))) == [("error", "inertial_unit")]


def test_a_geometry_in_millimetres_is_still_suspected(codes):
    content = of_box(5, 0.3, 0.2, 0.1)
    assert codes(link(content=content, geometry=box(300, 200, 100))) == [("error", "geometry_unit")]
