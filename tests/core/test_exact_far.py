# SPDX-License-Identifier: GPL-3.0-or-later
"""Distance from the origin costs nothing beyond the rounding of the vertices themselves."""

import numpy as np
import pytest

from core import mesh_moments

from .exact import assert_exact, integrate
from .solids import L_CELLS, box, cells, polygon, prism, rotation

SOLIDS = {
    "cube": box(low=(-0.5, -0.5, -0.5)),
    "L": cells(L_CELLS, (0.3, 0.7, 0.11)),
    "star": prism(polygon(10) * np.where(np.arange(10) % 2, 0.4, 1.0)[:, None]),
}
DIRECTIONS = [(1, 0, 0), (0, -1, 0), (1, 1, 1), (-0.6, 0.3, 0.7)]


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", SOLIDS)
@pytest.mark.parametrize("distance", [1e3, 1e4, 1e5])
def test_far_from_the_origin_the_vertices_as_given_are_exact(name, dtype, direction, distance):
    vertices, triangles = SOLIDS[name]
    R = rotation(np.random.default_rng(0))
    far = (vertices @ R.T + distance * np.array(direction)).astype(dtype)
    assert_exact(mesh_moments(far, triangles), integrate(far, triangles))


def test_a_slanted_foil_keeps_the_digits_that_cancellation_leaves():
    # A billionth of its bounding box: nine of sixteen digits cancel, and it is no plane yet.
    vertices, triangles = box((1, 1, 1e-9))
    slanted = vertices @ rotation(np.random.default_rng(0)).T
    assert_exact(mesh_moments(slanted, triangles), integrate(slanted, triangles), tolerance=1e-5)


def test_a_unit_cube_ten_thousand_kilometres_away_is_exact():
    vertices, triangles = box(low=(1e7, -1e7, 1e7))
    moments = mesh_moments(vertices, triangles)
    assert moments.volume == pytest.approx(1, rel=1e-12)
    np.testing.assert_allclose(moments.covariance, np.eye(3) / 12, rtol=0, atol=1e-13)
