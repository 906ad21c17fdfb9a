# SPDX-License-Identifier: GPL-3.0-or-later
"""Inertials in the types of Drake, MuJoCo and Pinocchio, by these libraries, and as pseudo-inertia matrices."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest

from core import Inertial


def of_points(where, masses):
    """Return the inertial of point masses, by the definition of each component."""
    com = masses @ where / masses.sum()
    x, y, z = (where - com).T
    moments = [masses @ (y * y + z * z), masses @ (z * z + x * x), masses @ (x * x + y * y)]
    tensor = np.diag(moments)
    for (i, j), product in {(0, 1): x * y, (0, 2): x * z, (1, 2): y * z}.items():
        tensor[i, j] = tensor[j, i] = -masses @ product
    return Inertial(masses.sum(), com, tensor)


@pytest.fixture
def bodies(rng):
    """Ten bodies of point masses: their exact integrals, and the inertials."""
    points = [(rng.normal(size=(6, 3)), rng.uniform(0.1, 2.0, 6)) for _ in range(10)]
    return [(of_points(where, masses), where, masses) for where, masses in points]


def test_the_pseudo_inertia_is_the_integral_of_r_and_1(bodies):
    for body, where, masses in bodies:
        r = np.column_stack([where, np.ones(len(where))])
        np.testing.assert_allclose(body.pseudo_inertia, (r.T * masses) @ r, rtol=1e-12, atol=1e-12)
        again = Inertial.from_pseudo_inertia(body.pseudo_inertia)
        np.testing.assert_allclose(again.inertia, body.inertia, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(again.com, body.com, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("cell", [(3, 3), (0, 1), (3, 0)])
def test_a_matrix_that_is_no_pseudo_inertia_is_refused(cell, bodies):
    matrix = bodies[0][0].pseudo_inertia.copy()
    matrix[cell] = 0.0
    with pytest.raises(ValueError, match="symmetric"):
        Inertial.from_pseudo_inertia(matrix)


def test_pseudo_inertias_of_two_bodies_add_up(bodies):
    (a, *_), (b, *_) = bodies[:2]
    both = Inertial.from_pseudo_inertia(a.pseudo_inertia + b.pseudo_inertia)
    np.testing.assert_allclose(both.inertia, (a + b).inertia, rtol=1e-12, atol=1e-12)


def test_drake_has_the_same_tensor_about_the_origin(bodies):
    pytest.importorskip("pydrake")
    for body, *_ in bodies:
        spatial = body.to_drake()
        np.testing.assert_allclose(spatial.get_com(), body.com, rtol=1e-15)
        about_origin = spatial.CalcRotationalInertia().CopyToFullMatrix3()
        np.testing.assert_allclose(about_origin, body.inertia_about((0, 0, 0)), rtol=1e-12, atol=1e-12)


def test_pinocchio_has_the_same_tensor_and_pseudo_inertia(bodies):
    pytest.importorskip("pinocchio")
    for body, *_ in bodies:
        converted = body.to_pinocchio()
        np.testing.assert_allclose(converted.inertia, body.inertia, rtol=1e-12)
        np.testing.assert_allclose(converted.lever, body.com)
        np.testing.assert_allclose(converted.toPseudoInertia().toMatrix(), body.pseudo_inertia, rtol=1e-12, atol=1e-12)


def test_mujoco_compiles_the_same_body(bodies):
    mujoco = pytest.importorskip("mujoco")
    for body, *_ in bodies:
        spec = mujoco.MjSpec()
        spec.worldbody.add_body(**body.to_mujoco()).add_freejoint()
        model = spec.compile()
        rotation = np.zeros(9)
        mujoco.mju_quat2Mat(rotation, model.body_iquat[1])
        R = rotation.reshape(3, 3)
        np.testing.assert_allclose(R @ np.diag(model.body_inertia[1]) @ R.T, body.inertia, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(model.body_ipos[1], body.com)
        assert model.body_mass[1] == pytest.approx(body.mass)


def test_the_drawing_has_the_outline_of_the_ellipsoid():
    ball = Inertial(2.0, (1, 2, 3), 2.0 / 5.0 * 2.0 * 0.3**2 * np.eye(3))
    drawing = ET.fromstring(ball._repr_html_()).find(".//svg")
    outline = drawing.find("ellipse")
    assert outline.get("rx") == outline.get("ry") and len(drawing.findall("line")) == 12 + 3
    long = Inertial(1.0, (0, 0, 0), np.diag([0.1, 1.0, 1.0]))  # along x, which is drawn to the lower left
    outline = ET.fromstring(long._repr_html_()).find(".//svg/ellipse")
    assert float(outline.get("rx")) > 1.5 * float(outline.get("ry"))
    assert outline.get("transform") in ("rotate(-30.0)", "rotate(150.0)")


def test_an_impossible_body_has_numbers_and_no_drawing():
    html = Inertial(1.0, (0, 0, 0), np.diag([1.0, 1.0, 9.0]))._repr_html_()
    assert "triangle_inequality" in html and ET.fromstring(html).find(".//svg") is None
    assert "svg" not in Inertial(1.0, (0, 0, 0), np.zeros((3, 3)))._repr_html_()
    assert "nan" in Inertial(np.nan, (0, 0, 0), np.eye(3))._repr_html_()
