# SPDX-License-Identifier: GPL-3.0-or-later
"""What a grid of cells knows of faces in it, against every face asked about every line and every axis."""

import numpy as np
import pytest

from core.mesh.topology.single_patches import AXES, MIDDLE, _Grid

SHAPE = (9, 10, 11)


def some_faces(count=400):
    rng = np.random.default_rng(0)
    return rng.uniform(1.0, 6.0, (3, 1, count)) + rng.uniform(0.0, 1.6, (3, 3, count))


def inside(a, b):
    """Say whether a triangle in the plane, its corners (a, b), has the origin in it."""
    turns = [a[i] * b[i - 1] - a[i - 1] * b[i] for i in range(3)]
    return min(turns) > 0.0 or max(turns) < 0.0


@pytest.mark.thorough
def test_each_line_along_a_column_meets_the_faces_that_lie_across_it():
    corners, grid = some_faces(), _Grid(SHAPE)
    _, too_large = grid.add(corners)
    assert 50 < len(too_large) < 350
    fits = np.setdiff1d(np.arange(corners.shape[2]), too_large)
    for x, y, z in AXES:
        met = np.bincount(np.concatenate(grid.met[x]) // SHAPE[x], minlength=SHAPE[y] * SHAPE[z])
        lines = np.indices((SHAPE[y], SHAPE[z])).reshape(2, -1).T
        expected = [
            sum(inside(corners[y, :, face] - j - MIDDLE[y], corners[z, :, face] - k - MIDDLE[z]) for face in fits)
            for j, k in lines.tolist()
        ]
        assert met.tolist() == expected
        assert max(expected) > 2


def test_a_cell_knows_every_way_that_one_of_its_faces_does_not_look():
    corners, grid = some_faces(), _Grid(SHAPE)
    place, _ = grid.add(corners)
    expected = np.zeros(np.prod(SHAPE), dtype=np.uint8)
    for face, cell in enumerate(place.tolist()):
        a, b, c = corners[:, :, face].T
        for axis, along in enumerate(np.cross(b - a, c - a)):
            expected[cell] |= (1 if along < 0.0 else 2) << (2 * axis)
    assert grid.other.tolist() == expected.tolist()
