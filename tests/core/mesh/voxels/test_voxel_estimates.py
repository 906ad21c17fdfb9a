# SPDX-License-Identifier: GPL-3.0-or-later
"""The error that comes with a voxel result is the true one, or above it; smaller voxels have a smaller one."""

import numpy as np
import pytest

from core import InertiaError, measure_mesh, mesh_moments, voxel_moments

from ....thorough import THOROUGH
from ...exact import true_error
from ...solids import SOLIDS, TUBE_CELLS, U_CELLS, box, cells, joined, polygon, prism, rotation
from ...solids.overlapping import overlapping, solid


def by_voxels(vertices, triangles, size):
    return measure_mesh(vertices, triangles, "voxel", size)


def assert_just_above(found, truth, least=0.0):
    error = true_error(found.moments, truth)
    assert least < error <= found.error * (1 + 1e-9) <= 1.001 * error + 2e-4


@pytest.mark.parametrize("turned", [True, False])
@pytest.mark.parametrize("name", SOLIDS)
def test_without_overlap_the_estimate_is_the_true_error(name, turned, rng):
    # Faces along the columns are the worst case: all their columns err to the same side, at any size of voxel.
    vertices, triangles = SOLIDS[name]
    for n in (11.3, 25.7, 50.9) if THOROUGH else (25.7,):
        moved = vertices @ (rotation(rng).T if turned else np.eye(3))
        size = np.ptp(moved, axis=0).max() / n
        if name == "rod" and not turned and n < 20:  # voxels as wide as the rod: an error above 1 is refused
            with pytest.raises(InertiaError, match="213 %"):
                by_voxels(moved, triangles, size)
            continue
        found = by_voxels(moved, triangles, size)
        error = true_error(found.moments, mesh_moments(moved, triangles))
        assert error - 1e-14 <= found.error <= error * (1 + 1e-9) + 1e-14
        assert error > 1e-6 or name == "box"


@pytest.mark.parametrize("turned", [True, False])
def test_with_overlap_the_estimate_is_the_true_error_or_hardly_above(turned, rng):
    # The truth comes from columns as fine as the union by itself needs, to 1e-4, whatever the size of these voxels.
    for _ in range(20 if THOROUGH else 4):
        mesh, truth = overlapping(rng.uniform(0.05, 0.55, 3))
        R = rotation(rng) if turned else np.eye(3)
        vertices = mesh[0] @ R.T
        found = by_voxels(vertices, mesh[1], np.ptp(vertices, axis=0).max() / rng.uniform(10, 60))
        assert_just_above(found, truth.transformed(R))


def test_an_overlap_thinner_than_a_column_counts_in_the_error():
    # The columns of 0.1 m along z see two boxes side by side, 1.0 + 1.0 m wide; the union is 1.97 m wide.
    mesh = joined(box((1.0, 1.0, 3.0)), box((1.0, 1.0, 3.0), (0.97, 0.0, 0.0)))
    truth = solid(np.zeros(3), np.array([1.97, 1.0, 3.0]))
    found = by_voxels(*mesh, 0.1)
    assert found.moments.volume == pytest.approx(6.0, rel=1e-9)
    assert_just_above(found, truth, 0.015)


def test_overlapping_boxes_along_the_columns_are_known_to_be_off():
    # Doubling the voxel finds the same wrong width again and again: 0.51 m and 0.30 m take 6 and 3 voxels of 0.1 m.
    mesh = joined(box((0.51, 0.51, 1)), box((0.3, 0.3, 0.8), (0.1, 0.1, 0.3)))
    truth = solid(np.zeros(3), np.array([0.51, 0.51, 1])) + solid(np.array([0.1, 0.1, 1]), np.array([0.4, 0.4, 1.1]))
    found = by_voxels(*mesh, 0.1)
    assert_just_above(found, truth, 0.1)


TURN = rotation(np.random.default_rng(8))
SKEW = {
    "U": (cells(U_CELLS, (0.5, 0.7, 0.4))[0] @ TURN.T, cells(U_CELLS)[1]),
    "tube": (cells(TUBE_CELLS, (0.5, 0.7, 0.4))[0] @ TURN.T, cells(TUBE_CELLS)[1]),
    "cone": prism(polygon(32), -1, 1, top_scale=1e-6),
}


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("name", SKEW)
def test_voxels_converge_to_the_exact_polyhedron(name, whole):
    mesh = SKEW[name]
    exact, size = mesh_moments(*mesh), np.ptp(mesh[0], axis=0).max()
    coarse, fine = (
        np.mean([true_error(voxel_moments(*mesh, size / (n + i), True, whole), exact) for i in range(5)])
        for n in (16, 128)
    )
    # Eight times finer; random boundary voxels alone would give 8^1.5 = 22, so 8 holds with luck to spare.
    assert fine < coarse / 8
    assert fine < 2e-3


@pytest.mark.parametrize("name", SKEW)
def test_the_estimated_error_is_of_the_order_of_the_true_one(name):
    mesh = SKEW[name]
    exact, size = mesh_moments(*mesh), np.ptp(mesh[0], axis=0).max()
    for n in (20, 50, 128):
        measured = measure_mesh(*mesh, method="voxel", voxel_size=size / n)
        assert true_error(measured.moments, exact) < 3 * measured.error < 0.5


def test_columns_are_more_accurate_than_whole_voxels():
    mesh = SKEW["tube"]
    exact, size = mesh_moments(*mesh), np.ptp(mesh[0], axis=0).max()
    whole, columns = (
        np.mean([true_error(voxel_moments(*mesh, size / n, True, flag), exact) for n in range(20, 40)])
        for flag in (True, False)
    )
    assert columns < whole
