# SPDX-License-Identifier: GPL-3.0-or-later
"""What is copied keeps 1e-9 of each number, as SDF and as URDF in the link's frame, and every digit as a table."""

import numpy as np
import pytest
from lxml import etree

from core import Inertial, Pose
from core.body.inertial import COMPONENTS
from core.body.shapes import Box, Sphere
from core.formats.inertial_text import FORMATS, OF_BODY, markdown_text, mjcf_text, sdf_text, urdf_text
from core.robot.model import Collision, Link
from core.robot.resolve import LinkBody, resolve_link

from ...solids import rotation


def turned_box():
    turn = Pose(rotation(np.random.default_rng(4)), np.array([0.1, -0.2, 1 / 3]))
    box = Collision("a|b", turn, Box((0.3, 0.2, 0.1)), 2700.0)
    ball = Collision("ball", Pose(np.eye(3), np.array([0.0, 0.5, 0.0])), Sphere(0.05), 1240.0)
    return resolve_link(Link("arm", Pose(rotation(np.random.default_rng(5)), np.ones(3)), collisions=(box, ball)))


def thin_plate():
    """Return a body whose tensor gz-math would call impossible in link axes, so that its principal form is written."""
    for seed in range(1000):
        turn = rotation(np.random.default_rng(seed))
        plate = Inertial(1.0, np.array([1.0, 2.0, 3.0]), turn @ np.diag([1e-3, 2e-3, 3e-3]) @ turn.T)
        body = LinkBody("plate", plate, None, "manual", 0.0, (), "manual", Pose.identity, ())
        if etree.fromstring(sdf_text(body)).find("pose").text.split()[3:] != ["0"] * 3:
            return body
    raise AssertionError("no such plate: the test would pass vacuously")


def tensor(read):
    return np.array([[read("ixx"), read("ixy"), read("ixz")], [0, read("iyy"), read("iyz")], [0, 0, read("izz")]])


def upper(inertia):
    return np.triu(inertia)


def read_sdf(text):
    element = etree.fromstring(text)
    assert (element.tag, dict(element.attrib)) == ("inertial", {})  # type: ignore[misc]
    pose = Pose.from_sdf([float(word) for word in element.find("pose").text.split()])
    return float(element.find("mass").text), pose, tensor(lambda name: float(element.find(f"inertia/{name}").text))


def read_urdf(text):
    element = etree.fromstring(text)
    assert [child.tag for child in element] == ["origin", "mass", "inertia"]
    origin = element.find("origin")
    # URDF's rpy are about fixed axes, as SDF's.
    pose = Pose.from_sdf([float(word) for word in f"{origin.get('xyz')} {origin.get('rpy')}".split()])
    attributes = element.find("inertia").attrib
    assert list(attributes) == ["ixx", "ixy", "ixz", "iyy", "iyz", "izz"]
    return float(element.find("mass").get("value")), pose, tensor(lambda name: float(attributes[name]))


@pytest.mark.parametrize(("write", "read"), [(sdf_text, read_sdf), (urdf_text, read_urdf)])
def test_an_inertial_is_copied_in_the_links_frame_with_sdfs_sign(write, read):
    body = turned_box()
    mass, pose, inertia = read(write(body))
    assert mass == pytest.approx(body.inertial.mass, rel=1e-9)
    # Not in the world, where the link is turned and moved.
    np.testing.assert_allclose(pose.p, body.inertial.com, rtol=0, atol=1e-9)
    np.testing.assert_array_equal(pose.R, np.eye(3))
    np.testing.assert_allclose(inertia, upper(body.inertial.inertia), rtol=1e-8, atol=0)
    assert body.inertial.inertia[0, 1] != 0.0


@pytest.mark.fault(41)
def test_the_products_have_the_sign_of_a_mass_in_the_first_quadrant():
    # Two balls on the line y = x: ∫ x y dm is positive, so ixy is negative in SDF and in URDF alike.
    balls = [
        Collision(name, Pose(np.eye(3), np.array([s, s, 1.0])), Sphere(0.1), 1.0) for name, s in (("a", 1), ("b", -1))
    ]
    body = resolve_link(Link("l", collisions=tuple(balls)))
    for write, read in ((sdf_text, read_sdf), (urdf_text, read_urdf)):
        _mass, _pose, inertia = read(write(body))
        assert inertia[0, 1] == pytest.approx(-body.inertial.mass)


@pytest.mark.parametrize(("write", "read"), [(sdf_text, read_sdf), (urdf_text, read_urdf)])
def test_a_turned_origin_stands_for_the_same_body(write, read):
    body = thin_plate()
    mass, pose, inertia = read(write(body))
    assert (mass, pose.p.tolist()) == (1.0, [1.0, 2.0, 3.0])
    full = inertia + np.triu(inertia, 1).T
    np.testing.assert_allclose(pose.R @ full @ pose.R.T, body.inertial.inertia, rtol=0, atol=1e-9 * np.trace(full))


def test_the_table_has_a_row_per_part_and_one_for_the_link():
    body = turned_box()
    head, line, *rows = markdown_text(body).splitlines()
    cells = [[cell.strip() for cell in row.replace(r"\|", "¦").strip("|").split("|")] for row in (head, line, *rows)]
    assert {len(row) for row in cells} == {11}
    assert [row[0] for row in cells] == ["arm", "---", "a¦b", "ball", "**link**"]
    assert cells[0][1:5] == ["mass [kg]", "com x [m]", "com y [m]", "com z [m]"]
    for row, own in zip(cells[2:], [*body.parts, body], strict=True):
        inertial = own.inertial
        expected = [inertial.mass, *inertial.com, *(inertial.inertia[cell] for cell in COMPONENTS.values())]
        assert [float(cell) for cell in row[1:]] == expected


def test_each_format_of_the_panel_has_its_text():
    assert {name: write(turned_box())[:2] for name, write in FORMATS.items()} == {
        "SDF": "<i",
        "URDF": "<i",
        "MARKDOWN": "| ",
    }


def read_mjcf(text):
    element = etree.fromstring(text)
    assert element.tag == "inertial" and list(element) == []
    numbers = [float(word) for word in element.get("fullinertia").split()]
    full = np.array([[numbers[0], *numbers[3:5]], [0, numbers[1], numbers[5]], [0, 0, numbers[2]]])
    return float(element.get("mass")), np.array([float(word) for word in element.get("pos").split()]), full


def test_an_inertial_of_mjcf_has_the_full_tensor_with_sdfs_sign():
    body = turned_box()
    mass, place, inertia = read_mjcf(mjcf_text(body))
    assert mass == pytest.approx(body.inertial.mass, rel=1e-9)
    np.testing.assert_allclose(place, body.inertial.com, rtol=0, atol=1e-9)
    np.testing.assert_allclose(inertia, upper(body.inertial.inertia), rtol=1e-8, atol=0)
    assert {"sdf": sdf_text, "urdf": urdf_text, "mjcf": mjcf_text} == OF_BODY
