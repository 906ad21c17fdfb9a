# SPDX-License-Identifier: GPL-3.0-or-later
"""A tensor that gz-math's formula would refuse is written along its principal axes, and is still the same tensor."""

from math import cos, sin

import numpy as np
import pytest
from lxml import etree

from core.body.gz_validity import gz_accepts
from core.body.inertial import Inertial
from core.formats.sdf.write import sdf_bytes
from core.judge.geometry.resolve_model import resolve_model
from core.robot.model import Link, Model

KEPT = 4e-9
"""Of the trace: moments are written to 1e-9 of their size and three angles to 1e-9 rad, which each enter twice."""


def turned(moments, rng):
    """Return a tensor with these principal moments along random axes."""
    R, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    tensor = R @ np.diag(moments) @ R.T
    return (tensor + tensor.T) / 2


def plates(count, thinnest=-9, thickest=-6, narrowest=-4):
    """Return inertials of random thin plates at random angles: m/12 (b², a², a² + b²), which is the very limit."""
    rng = np.random.default_rng(20)
    for _ in range(count):
        a = 10.0 ** rng.uniform(-3, 1)
        b = a * 10.0 ** rng.uniform(narrowest, -narrowest)
        thickness = min(a, b) * 10.0 ** rng.uniform(thinnest, thickest)
        mass = 10.0 ** rng.uniform(-3, 3)
        squares = np.array([a, b, thickness]) ** 2
        yield Inertial(mass, rng.normal(size=3), turned(mass / 12 * (squares.sum() - squares), rng))


def written(inertial):
    """Return pose (6,) and tensor (3, 3) as written in the SDF file of a link with this inertial."""
    model = Model("plate", (Link("link", mode="manual", manual=inertial),))
    bodies = resolve_model(model)
    assert not bodies[0].refused
    (element,) = etree.fromstring(sdf_bytes(model, bodies, {})).iter("inertial")
    xx, xy, xz, yy, yz, zz = (
        float(element.findtext(f"inertia/{name}")) for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    )
    pose = [float(text) for text in element.findtext("pose").split()]
    return np.array(pose), np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def size(body):
    """Return the largest of a body's distance from the origin and its radius of gyration."""
    return max(np.abs(body.com).max(), np.sqrt(np.trace(body.inertia) / body.mass))


def rotation(roll, pitch, yaw):
    """Return SDFormat's rotation, Rz(yaw) Ry(pitch) Rx(roll), as a product of three."""

    def about(axis, angle):
        i, j = (axis + 1) % 3, (axis + 2) % 3
        R = np.eye(3)
        R[i, i], R[i, j], R[j, i], R[j, j] = cos(angle), -sin(angle), sin(angle), cos(angle)
        return R

    return about(2, yaw) @ about(1, pitch) @ about(0, roll)


@pytest.fixture(scope="module")
def refused():
    """Possible bodies that gz-math's formula calls impossible, each with pose and tensor as written."""
    found = [plate for plate in plates(600) if not plate.findings() and not gz_accepts(plate.inertia)]
    assert len(found) > 100
    return [(plate, *written(plate)) for plate in found]


@pytest.mark.fault(40)
def test_a_plate_that_gz_would_refuse_is_accepted_as_written(refused):
    for _, _, tensor in refused:
        assert gz_accepts(tensor)


def test_a_plate_that_gz_would_refuse_is_written_along_its_principal_axes(refused):
    for _, pose, tensor in refused:
        assert pose[3:].any()
        assert not (tensor - np.diag(np.diag(tensor))).any()


@pytest.mark.fault(40)
def test_a_plate_that_gz_would_refuse_is_the_same_body_as_written(refused):
    for plate, pose, tensor in refused:
        R = rotation(*pose[3:])
        np.testing.assert_allclose(pose[:3], plate.com, rtol=0, atol=1e-9 * size(plate))
        assert np.abs(R @ tensor @ R.T - plate.inertia).max() <= KEPT * np.trace(plate.inertia)


def test_a_plate_of_a_thickness_that_things_have_is_written_as_it_is():
    for plate in plates(150, -3, -1, -1):  # down to foil of 0.1 mm, 10 cm by 1 m
        pose, tensor = written(plate)
        np.testing.assert_allclose(pose, [*plate.com, 0, 0, 0], rtol=0, atol=1e-9 * size(plate))
        np.testing.assert_allclose(tensor, plate.inertia, rtol=0, atol=1e-9 * np.trace(plate.inertia))


@pytest.mark.parametrize("size", [1e-320, 1e-160, 1e100, 1e154, 1e250, 1e308])
def test_an_absurd_tensor_is_judged_not_stumbled_over(size):
    tensor = size * np.array([[1.0, 0.1, 0.1], [0.1, 1.0, 0.1], [0.1, 0.1, 1.0]])
    assert gz_accepts(tensor) in (True, False)
