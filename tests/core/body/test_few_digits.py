# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers are written with the fewest digits that keep 1e-9 of their size, and bodies stay possible."""

import numpy as np
import pytest

from core import Inertial, Pose
from core.body.few_digits import shortened
from core.body.gz_validity import gz_accepts
from core.document.numbers import few, few_texts, inertial_to_write, pose_texts
from core.units import fewest_digits


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.1 + 0.2, "0.3"),
        (1 / 3, "0.3333333333"),
        (-2.5e-7 * (1 + 1e-12), "-2.5e-07"),
        (123456.78901234, "123456.789"),
        (0.0, "0"),
        (1e16, "1e+16"),
    ],
)
def test_a_number_keeps_1e_9_of_itself(value, text):
    assert few(value) == text


def test_a_number_that_is_none_stays_none():
    assert str(fewest_digits(float("nan"), 1.0)) == "nan"
    assert fewest_digits(float("inf"), 1.0) == float("inf")


def test_what_is_nothing_beside_its_vector_is_0():
    assert few_texts((0.14, -5.35e-20, 1e-6)) == ["0.14", "0", "1e-06"]


def test_an_angle_by_rounding_is_0():
    assert pose_texts(Pose.from_sdf([0, 0, 2e-17, 1e-10, 0, np.pi / 2])) == ["0", "0", "2e-17", "0", "0", "1.570796327"]


@pytest.mark.parametrize("seed", range(200))
def test_a_plate_along_the_axes_keeps_few_digits_and_is_possible(seed):
    rng = np.random.default_rng(seed)
    a, b = 10.0 ** rng.uniform(-8, 2, 2)
    moments = rng.permutation([a, b, a + b])
    body = shortened(Inertial(1.0, np.zeros(3), np.diag(moments)))
    assert gz_accepts(body.inertia) and not body.findings()
    np.testing.assert_allclose(np.diag(body.inertia), moments, rtol=1e-9)
    assert all(float(f"{moment:.11g}") == moment for moment in np.diag(body.inertia))


def test_a_thin_rod_keeps_its_smallest_moment():
    body = shortened(Inertial(1.0, np.zeros(3), np.diag([1 / 3, 1 / 3, 1e-9 / 7])))
    assert body.inertia[2, 2] == pytest.approx(1e-9 / 7, rel=1e-9)


def test_products_by_rounding_are_0():
    inertia = np.diag([1e-5, 2e-5, 2.5e-5])
    inertia[0, 1] = inertia[1, 0] = -5.35e-20
    assert shortened(Inertial(0.1, np.array([1e-19, 0.0, 0.0]), inertia)).inertia[0, 1] == 0.0


def test_a_centre_by_rounding_is_0_beside_the_body():
    assert shortened(Inertial(1.0, np.array([-5e-20, 0.0, 0.1]), np.eye(3))).com.tolist() == [0.0, 0.0, 0.1]
    assert shortened(Inertial(1.0, np.array([-5e-20, 0.0, 0.0]), np.eye(3))).com.tolist() == [0.0, 0.0, 0.0]


def test_what_no_body_can_have_is_left_as_it_is():
    impossible = Inertial(1.0, np.zeros(3), np.diag([-1.0, 1 / 3, 1.0]))
    assert shortened(impossible) is impossible


# --- thin bodies at an angle: every simulator still accepts them ------------------------------------------------------

CELLS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


def thin(seed):
    """Return a plate or a rod of 0.2 to 2 m, 3 to 100 µm thin, turned a little or much about any axis."""
    rng = np.random.default_rng(seed)
    length, width, thickness = 10.0 ** rng.uniform([-0.7, -0.7 if seed % 2 else -5.0, -5.5], [0.3, 0.3, -4.0])
    mass = 10.0 ** rng.uniform(-3.0, 3.0)
    axis = rng.normal(size=3)
    angle = 10.0 ** rng.uniform(-7.5, -4.0) if seed % 3 else rng.uniform(0.0, np.pi)
    half = axis / np.linalg.norm(axis) * np.sin(angle / 2.0)
    R = Pose.from_quaternion(np.zeros(3), [*half, np.cos(angle / 2.0)]).R
    J = mass / 12.0 * R @ np.diag(rng.permutation([length, width, thickness]) ** 2) @ R.T
    tensor = np.trace(J) * np.eye(3) - J
    return Inertial(mass, np.zeros(3), (tensor + tensor.T) / 2.0)


THIN = [thin(seed) for seed in range(600)]


def written(body):
    """Return the tensors that are written for a body: repaired, and in a new file."""
    return [shortened(body).inertia, inertial_to_write(body)[1]]


def test_thin_bodies_at_an_angle_stay_possible_to_drake():
    tree = pytest.importorskip("pydrake.multibody.tree", reason="Drake has no wheel for this Python or numpy")
    for body in THIN:
        for tensor in written(body):
            moments_and_products = [float(tensor[cell]) for cell in CELLS]
            assert tree.RotationalInertia(*moments_and_products).CouldBePhysicallyValid(), moments_and_products


def test_thin_bodies_at_an_angle_stay_possible_to_mujoco():
    mujoco = pytest.importorskip("mujoco")
    for body in THIN:
        for tensor in written(body):
            full = " ".join(repr(float(tensor[cell])) for cell in CELLS)
            inertial = f"<inertial pos='0 0 0' mass='{body.mass!r}' fullinertia='{full}'/>"
            xml = f"<mujoco><worldbody><body><freejoint/>{inertial}</body></worldbody></mujoco>"
            mujoco.MjModel.from_xml_string(xml)  # raises if A + B < C


def test_thin_bodies_at_an_angle_keep_1e_9_of_each_number():
    for body in THIN:
        short, moments = shortened(body).inertia, np.diag(body.inertia)
        nothing = 1e-9 * np.sqrt(np.outer(moments, moments))
        assert np.all(np.abs(short - body.inertia) <= np.maximum(1e-9 * np.abs(body.inertia), nothing))


@pytest.mark.parametrize("seed", range(50))
def test_a_flat_plate_at_an_angle_is_possible_beyond_rounding(seed):
    rng = np.random.default_rng(seed)
    half = rng.normal(size=3) * 10.0 ** rng.uniform(-6.0, 0.0)
    R = Pose.from_quaternion(np.zeros(3), [*half, 1.0]).R
    a, b = rng.uniform(0.1, 1.0, 2)
    tensor = R @ np.diag([a, b, a + b]) @ R.T
    short = shortened(Inertial(1.0, np.zeros(3), (tensor + tensor.T) / 2.0)).inertia
    low, middle, high = np.linalg.eigvalsh(short)
    assert low + middle >= high
    np.testing.assert_allclose(np.diag(short), np.diag(tensor), rtol=1e-9)


def test_a_larger_share_takes_more_digits():
    body = shortened(Inertial(1.0, np.array([0.1 + 3e-9, 0.0, 0.0]), np.diag([0.2 + 3e-9, 0.2 - 3e-9, 0.3])), 5e-7)
    assert body.com.tolist() == [0.1, 0.0, 0.0] and np.diag(body.inertia).tolist() == [0.2, 0.2, 0.3]
