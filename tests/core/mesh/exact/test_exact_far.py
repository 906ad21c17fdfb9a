# SPDX-License-Identifier: GPL-3.0-or-later
"""Distance from the origin costs nothing beyond the rounding of the vertices themselves."""

from functools import cache

import numpy as np
import pytest

from core import InertiaError, many_mesh_moments, mesh_moments

from ....thorough import sample
from ...exact import assert_exact, integrate
from ...solids import L_CELLS, box, cells, frustum, polygon, prism, rotation, subdivided

SOLIDS = {
    "cube": box(low=(-0.5, -0.5, -0.5)),
    "L": cells(L_CELLS, (0.3, 0.7, 0.11)),
    "star": prism(polygon(10) * np.where(np.arange(10) % 2, 0.4, 1.0)[:, None]),
}
DIRECTIONS = [(1, 0, 0), (0, -1, 0), (1, 1, 1), (-0.6, 0.3, 0.7)]


@pytest.mark.fault(30)
@pytest.mark.parametrize("direction", sample(DIRECTIONS, 2))
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", SOLIDS)
@pytest.mark.parametrize("distance", [1e3, 1e4, 1e5])
def test_far_from_the_origin_the_vertices_as_given_are_exact(name, dtype, direction, distance):
    vertices, triangles = SOLIDS[name]
    R = rotation(np.random.default_rng(0))
    far = (vertices @ R.T + distance * np.array(direction)).astype(dtype)
    assert_exact(mesh_moments(far, triangles), integrate(far, triangles))


@pytest.mark.parametrize("measure", [mesh_moments, lambda *mesh: many_mesh_moments([mesh, box()])[0]])
@pytest.mark.parametrize("thickness", [1e-2, 1e-3, 1e-5, 1e-7])
@pytest.mark.parametrize("width", [1, "thickness"])
def test_a_slanted_plate_loses_as_many_digits_as_it_is_thin(thickness, width, measure):
    vertices, triangles = subdivided(box((1, thickness if width == "thickness" else 1, thickness)))
    for seed in sample(range(5), 2):
        slanted = vertices @ rotation(np.random.default_rng(seed)).T + (3, 4, 5)
        assert_exact(measure(slanted, triangles), integrate(slanted, triangles), 1e-15 / thickness)


def test_a_slanted_foil_is_no_plane_and_keeps_its_winding():
    # A billionth of its bounding box: nine of sixteen digits cancel.
    vertices, triangles = box((1, 1, 1e-9))
    slanted = vertices @ rotation(np.random.default_rng(0)).T
    assert_exact(mesh_moments(slanted, triangles), integrate(slanted, triangles), tolerance=1e-6)
    assert_exact(mesh_moments(slanted, triangles[:, ::-1]), integrate(slanted, triangles[:, ::-1]), tolerance=1e-6)


@pytest.mark.parametrize("faces", [[[0, 1, 2], [0, 2, 1]], [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]]])
def test_what_is_plane_has_no_volume_however_it_lies(faces):
    vertices = np.array([[0, 0, 0], [1, 0, 0], [0.3, 0.9, 0], [0.4, 0.3, 0]])
    for seed in sample(range(40), 12):
        slanted = vertices @ rotation(np.random.default_rng(seed)).T + (1, 2, 3)
        with pytest.raises(InertiaError) as error:
            mesh_moments(slanted, faces)
        assert error.value.code == "zero_volume"


@cache
def ball(inverted):
    """Return a mesh and what is exact of it."""
    vertices, triangles = frustum()
    triangles = triangles[:, ::-1] if inverted else triangles
    return vertices, triangles, integrate(vertices, triangles)


@pytest.mark.fault(32)
@pytest.mark.parametrize("measure", [mesh_moments, lambda *mesh: many_mesh_moments([mesh, box()])[0]])
@pytest.mark.parametrize("far", [(90, 0, 0), (0, -99, 0), (99, 99, 0), (1e6, -1e6, 1e6), (0, -1e9, 1e9)])
@pytest.mark.parametrize("inverted", [False, True])
def test_a_vertex_in_no_face_costs_no_digit_wherever_it_is(far, inverted, measure):
    vertices, triangles, truth = ball(inverted)
    assert_exact(measure(np.vstack([vertices, far]), triangles), truth, 1e-14)


def test_a_ball_at_the_end_of_a_long_needle_is_as_exact_as_without_it():
    round_, needle = ball(inverted=False), box((300, 1e-4, 1e-4), (2, 0, 0))
    vertices, triangles = np.vstack([round_[0], needle[0]]), np.vstack([round_[1], needle[1] + len(round_[0])])
    assert_exact(mesh_moments(vertices, triangles), integrate(vertices, triangles), 1e-13)


@pytest.mark.fault(30)
def test_a_unit_cube_ten_thousand_kilometres_away_is_exact():
    vertices, triangles = box(low=(1e7, -1e7, 1e7))
    moments = mesh_moments(vertices, triangles)
    assert moments.volume == pytest.approx(1, rel=1e-12)
    np.testing.assert_allclose(moments.covariance, np.eye(3) / 12, rtol=0, atol=1e-13)
