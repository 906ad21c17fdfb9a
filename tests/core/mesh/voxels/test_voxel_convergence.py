# SPDX-License-Identifier: GPL-3.0-or-later
"""Smaller voxels come closer to the exact polyhedron, and the estimated error tells how close."""

import numpy as np
import pytest

from core import measure_mesh, mesh_moments, voxel_moments

from ...exact import true_error
from ...solids import TUBE_CELLS, U_CELLS, cells, polygon, prism, rotation

TURN = rotation(np.random.default_rng(8))
SOLIDS = {
    "U": (cells(U_CELLS, (0.5, 0.7, 0.4))[0] @ TURN.T, cells(U_CELLS)[1]),
    "tube": (cells(TUBE_CELLS, (0.5, 0.7, 0.4))[0] @ TURN.T, cells(TUBE_CELLS)[1]),
    "cone": prism(polygon(32), -1, 1, top_scale=1e-6),
}


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("name", SOLIDS)
def test_voxels_converge_to_the_exact_polyhedron(name, whole):
    mesh = SOLIDS[name]
    exact, size = mesh_moments(*mesh), np.ptp(mesh[0], axis=0).max()
    coarse, fine = (
        np.mean([true_error(voxel_moments(*mesh, size / (n + i), True, whole), exact) for i in range(5)])
        for n in (16, 128)
    )
    # Eight times finer; random boundary voxels alone would give 8^1.5 = 22, so 8 holds with luck to spare.
    assert fine < coarse / 8
    assert fine < 2e-3


@pytest.mark.parametrize("name", SOLIDS)
def test_the_estimated_error_is_of_the_order_of_the_true_one(name):
    mesh = SOLIDS[name]
    exact, size = mesh_moments(*mesh), np.ptp(mesh[0], axis=0).max()
    for n in (20, 50, 128):
        measured = measure_mesh(*mesh, method="voxel", voxel_size=size / n)
        assert true_error(measured.moments, exact) < 3 * measured.error < 0.5


def test_columns_are_more_accurate_than_whole_voxels():
    mesh = SOLIDS["tube"]
    exact, size = mesh_moments(*mesh), np.ptp(mesh[0], axis=0).max()
    whole, columns = (
        np.mean([true_error(voxel_moments(*mesh, size / n, True, flag), exact) for n in range(20, 40)])
        for flag in (True, False)
    )
    assert columns < whole
