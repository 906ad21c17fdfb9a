# SPDX-License-Identifier: GPL-3.0-or-later
"""The boxes shown of the voxel method are those that it sums."""

import numpy as np
import pytest

from core import Moments, voxel_moments
from core.mesh.surface import Surface
from core.mesh.voxels.runs import voxel_runs

from ...exact import assert_same
from ...solids import HOLLOW_CELLS, L_CELLS, TUBE_CELLS, ball, box, cells


def added(runs):
    """Return the moments of all boxes together: each one's V, centre and V diag(s²)/12."""
    total = Moments.zero
    for low, high in zip(runs.low, runs.high, strict=True):
        size = high - low
        total += Moments(size.prod(), (low + high) / 2, size.prod() / 12 * np.diag(size**2))
    return total


SOLIDS = {
    "box": box((0.3, 0.5, 0.9), (1.0, -2.0, 0.5)),
    "lying box": box((0.9, 0.3, 0.2), (1.0, -2.0, 0.5)),
    "L": cells(L_CELLS, (0.2, 0.3, 0.4)),
    "tube": cells(TUBE_CELLS, (0.2, 0.3, 0.1)),
    "hollow": cells(HOLLOW_CELLS, (0.2, 0.2, 0.2)),
    "ball": ball(),
}


@pytest.mark.parametrize("name", SOLIDS)
@pytest.mark.parametrize("size", [0.1, 0.037])
def test_the_boxes_together_are_what_the_voxel_method_sums(name, size):
    vertices, triangles = SOLIDS[name]
    runs = voxel_runs(Surface(vertices, triangles), size)
    assert runs.voxel_size == size and runs.open_columns == 0 and len(runs.low) > 1
    # Heights are sorted as fixed-point numbers of 40 bits or so.
    assert_same(added(runs), voxel_moments(vertices, triangles, size), 1e-9)


def test_a_box_is_filled_by_columns_of_whole_voxels():
    vertices, triangles = box((0.2, 0.3, 0.5), (1.0, -2.0, 0.5))
    runs = voxel_runs(Surface(vertices, triangles), 0.1)
    assert runs.axis == 2 and len(runs.low) == 6
    np.testing.assert_allclose(runs.low.min(axis=0), [1.0, -2.0, 0.5], atol=1e-9)
    np.testing.assert_allclose(runs.high - runs.low, np.tile([0.1, 0.1, 0.5], (6, 1)), atol=1e-9)
    assert {tuple(np.rint(10 * (low - [1.0, -2.0, 0.5])).astype(int)) for low in runs.low} == {
        (i, j, 0) for i in range(2) for j in range(3)
    }


def test_a_cavity_breaks_its_columns_in_two():
    # 4 x 3 x 3 cells with 2 hollow: columns along x, the two that are hollow would be one, which breaks.
    runs = voxel_runs(Surface(*cells(HOLLOW_CELLS)), 1.0)
    assert runs.axis == 0 and len(runs.low) == 3 * 3 + 1


@pytest.mark.parametrize("most", [10, 300])
def test_too_many_boxes_are_fewer_of_a_whole_multiple_of_the_size(most):
    vertices, triangles = ball()
    runs = voxel_runs(Surface(vertices, triangles), 0.01, most)
    assert 0 < len(runs.low) <= most
    factor = runs.voxel_size / 0.01
    assert factor > 2 and factor == pytest.approx(round(factor))
    assert_same(added(runs), voxel_moments(vertices, triangles, runs.voxel_size), 1e-9)


def test_columns_that_do_not_close_are_counted_and_left_out():
    vertices, triangles = box((0.5, 0.5, 1.0))
    whole = voxel_runs(Surface(vertices, triangles), 0.1)
    lid = np.flatnonzero([np.all(vertices[face][:, 2] == 1.0) for face in triangles])
    opened = voxel_runs(Surface(vertices, np.delete(triangles, lid[0], axis=0)), 0.1)
    assert whole.axis == 2 and whole.open_columns == 0 and len(lid) == 2
    assert opened.open_columns > 0 and len(opened.low) > 0
    assert len(opened.low) + opened.open_columns == len(whole.low)
