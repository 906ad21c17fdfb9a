# SPDX-License-Identifier: GPL-3.0-or-later
"""Voxels against a brute force that asks of every centre, by its winding number, whether it is inside."""

from functools import cache

import numpy as np
import pytest

from core import mesh_moments, voxel_moments

from ...exact import assert_same
from ...solids import HOLLOW_CELLS, L_CELLS, TUBE_CELLS, U_CELLS, box, cells, inverted, joined, polygon, prism, rotation
from ...winding_numbers import winding_numbers

TURN = rotation(np.random.default_rng(5))


@cache
def windings(name, h):
    """Return the centres of a grid of voxels, centred on the bounding box, and the winding numbers there."""
    vertices, triangles = SOLIDS[name]
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    counts = np.ceil((high - low) / h * (1 - 1e-6)).astype(int)
    centres = (np.indices(counts).reshape(3, -1).T + 0.5 - counts / 2) * h + (low + high) / 2
    return centres, np.rint(winding_numbers(vertices, triangles, centres))


def brute_force(name, h, union):
    """A solid cube for every voxel of the grid whose centre is inside."""
    centres, weight = windings(name, h)
    weight = (weight != 0).astype(float) if union else weight
    volume = h**3 * weight.sum()
    centroid = weight @ centres / weight.sum()
    away = centres - centroid
    covariance = h**3 * (away * weight[:, None]).T @ away + volume * h**2 / 12 * np.eye(3)
    return volume, centroid, covariance


SOLIDS = {
    "turned L": (cells(L_CELLS, (0.5, 0.7, 0.4))[0] @ TURN.T, cells(L_CELLS)[1]),
    "turned U": (cells(U_CELLS, (0.5, 0.7, 0.4))[0] @ TURN.T, cells(U_CELLS)[1]),
    "turned tube": (cells(TUBE_CELLS, (0.5, 0.7, 0.4))[0] @ TURN.T, cells(TUBE_CELLS)[1]),
    "turned hollow box": (cells(HOLLOW_CELLS)[0] @ TURN.T, cells(HOLLOW_CELLS)[1]),
    "star": prism(polygon(10) * np.where(np.arange(10) % 2, 0.4, 1.0)[:, None], -0.31, 0.77),
    "frustum": prism(polygon(7), 0, 2, top_scale=0.3),
    "two overlapping boxes": joined(box((1.0, 1.1, 1.2)), box((1.3, 0.9, 1.0), (0.45, 0.33, 0.21))),
    "a shell within a shell, both outward": joined(box((2.0, 2.1, 2.2)), box((1.0, 1.1, 0.9), (0.51, 0.43, 0.61))),
    "a cavity": joined(box((2.0, 2.1, 2.2)), inverted(box((1.0, 1.1, 0.9), (0.51, 0.43, 0.61)))),
}


@pytest.mark.parametrize("union", [True, False])
@pytest.mark.parametrize("name", SOLIDS)
def test_whole_voxels_are_those_whose_centre_is_inside(name, union):
    vertices, triangles = SOLIDS[name]
    h = np.ptp(vertices, axis=0).max() / 9.7  # the grid reaches past the solid on every side
    found = voxel_moments(vertices, triangles, h, union, whole_voxels=True)
    volume, centroid, covariance = brute_force(name, h, union)
    assert found.volume / h**3 == pytest.approx(volume / h**3, abs=1e-9)
    np.testing.assert_allclose(found.centroid, centroid, rtol=0, atol=1e-13)
    np.testing.assert_allclose(found.covariance, covariance, rtol=0, atol=1e-12 * np.trace(covariance))


def test_the_union_counts_an_overlap_once_and_the_signed_sum_twice():
    # Sides in whole voxels of 0.1: 1 m³ each, 0.5 x 0.6 x 0.7 m in common.
    mesh = joined(box(), box(low=(0.5, 0.4, 0.3)))
    for whole in (True, False):
        assert voxel_moments(*mesh, 0.1, True, whole).volume == pytest.approx(2 - 0.5 * 0.6 * 0.7, rel=1e-7)
        assert voxel_moments(*mesh, 0.1, False, whole).volume == pytest.approx(2, rel=1e-12)
    assert_same(voxel_moments(*mesh, 0.1, False), mesh_moments(*mesh), 1e-12)


def test_a_cavity_stays_hollow():
    mesh = joined(box((2, 2, 2)), inverted(box(low=(0.5, 0.5, 0.5))))
    for union in (True, False):
        assert_same(voxel_moments(*mesh, 0.1, union), mesh_moments(*mesh), 1e-12)


def test_touching_boxes_are_counted_once_each():
    mesh = joined(box(), box(low=(0, 0, 1)), box(low=(0, 0, 2)))
    for union in (True, False):
        assert_same(voxel_moments(*mesh, 0.25, union), mesh_moments(*box((1, 1, 3))), 1e-12)


@pytest.mark.parametrize("n", [20, 21, 41])
def test_a_column_through_an_edge_or_a_corner_crosses_it_once(n):
    # An octahedron with its points on the axes: with n odd, centre lines meet the points and run along the edges.
    vertices = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 2], [0, 0, -2]], dtype=float)
    triangles = np.array([[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]])
    x, y = np.meshgrid(*[(np.arange(n) + 0.5) * 2 / n - 1] * 2)
    heights = 4 * np.maximum(1 - abs(x) - abs(y), 0)
    for union in (True, False):
        found = voxel_moments(vertices, triangles, 2 / n, union)
        assert found.volume == pytest.approx(heights.sum() * (2 / n) ** 2, rel=1e-7 if union else 1e-12)


@pytest.mark.parametrize(
    ("mesh", "union", "signed"),
    [
        (joined(box(), box(low=(3, 0, 0))), 2, 2),
        (joined(box(), box(low=(1, 0, 0))), 2, 2),
        (joined(box(), box(low=(0.3, 0.2, 0.1))), 2 - 0.7 * 0.8 * 0.9, 2),
        (joined(box((2, 2, 2)), box(low=(0.5, 0.5, 0.5))), 8, 9),
    ],
)
def test_the_union_is_the_sum_without_what_is_counted_twice(mesh, union, signed):
    assert voxel_moments(*mesh, 0.05).volume == pytest.approx(union, rel=1e-7)
    assert voxel_moments(*mesh, 0.05, union=False).volume == pytest.approx(signed, rel=1e-12)
