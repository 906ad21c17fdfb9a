# SPDX-License-Identifier: GPL-3.0-or-later
"""The error that comes with a voxel result is the true one, or above it."""

import numpy as np
import pytest

from core import Moments, mesh_moments
from core.mesh.surface import Surface
from core.mesh.voxel import estimated_voxel_moments

from .solids import TUBE_CELLS, box, cells, joined, polygon, prism, rotation, subdivided

RNG = np.random.default_rng(17)


def ball():
    vertices, triangles = subdivided(subdivided(subdivided(prism(polygon(8), -1, 1, top_scale=0.5))))
    return vertices / np.linalg.norm(vertices, axis=1)[:, None], triangles


SOLIDS = {
    "ball": ball(),
    "gear": prism(polygon(68) * np.where(np.arange(68) % 4 < 2, 1.0, 0.8)[:, None], -0.2, 0.2),
    "box": box((1.0, 0.7, 0.4)),
    "rod": box((0.1, 0.1, 1.0)),
    "plate": box((1.0, 1.0, 0.05)),
    "tube": cells(TUBE_CELLS, (0.5, 0.7, 0.4)),
}


def true_error(found, exact):
    trace = np.trace(exact.covariance)
    return max(
        abs(found.volume / exact.volume - 1),
        np.abs(found.covariance - exact.covariance).max() / trace,
        np.abs(found.centroid - exact.centroid).max() / np.sqrt(trace / exact.volume),
    )


@pytest.mark.parametrize("turned", [True, False])
@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("name", SOLIDS)
def test_without_overlap_the_estimate_is_the_true_error(name, whole, turned):
    # Faces along the columns are the worst case: all their columns err to the same side, at any size of voxel.
    vertices, triangles = SOLIDS[name]
    for n in (11.3, 25.7, 50.9):
        moved = vertices @ (rotation(RNG).T if turned else np.eye(3))
        h = np.ptp(moved, axis=0).max() / n
        for union in (True, False):
            found, estimate = estimated_voxel_moments(Surface(moved, triangles), h, union, whole)
            error = true_error(found, mesh_moments(moved, triangles))
            # They are relative to the found trace and to the true one: three variances.
            assert error / (1 + 4 * error) - 1e-7 <= estimate <= error * (1 + 4 * error) + 1e-7 or error > 0.3


def overlapping(shift):
    """Two boxes, one moved by `shift`, and the exact moments of their union by inclusion and exclusion."""
    size = np.array([1.0, 0.8, 0.6])

    def solid(low, high):
        side = high - low
        return Moments(side.prod(), (low + high) / 2, np.diag(side**2) * side.prod() / 12)

    union = solid(0 * size, size) + solid(shift, shift + size) + -solid(shift, size)
    return joined(box(size), box(size, shift)), union


def test_with_overlap_the_estimate_is_above_the_true_error_and_of_its_order():
    ratios = []
    for _ in range(40):
        mesh, truth = overlapping(RNG.uniform(0.05, 0.55, 3))
        R = rotation(RNG)
        vertices = mesh[0] @ R.T
        h = np.ptp(vertices, axis=0).max() / RNG.uniform(10, 60)
        found, estimate = estimated_voxel_moments(Surface(vertices, mesh[1]), h)
        ratios.append(true_error(found, truth.transformed(R)) / estimate)
    assert np.mean(np.array(ratios) < 1) >= 0.97
    assert max(ratios) < 3
    assert 1 / 10 < np.median(ratios) < 1


def test_boxes_of_whole_voxels_have_no_error():
    for union in (True, False):
        assert estimated_voxel_moments(Surface(*box((0.4, 0.8, 1.2), (5, 6, 7))), 0.1, union)[1] < 1e-12


def test_overlapping_boxes_along_the_columns_are_known_to_be_off():
    # Doubling the voxel finds the same wrong width again and again: 0.51 m and 0.30 m take 6 and 3 voxels of 0.1 m.
    mesh = joined(box((0.51, 0.51, 1)), box((0.3, 0.3, 0.7), (0.1, 0.1, 0.1)))
    truth = mesh_moments(*box((0.51, 0.51, 1)))
    found, estimate = estimated_voxel_moments(Surface(*mesh), 0.1)
    assert true_error(found, truth) > 0.1
    assert estimate > 0.1


def test_surfaces_whose_signed_sum_is_empty_are_estimated_by_two_more_sizes():
    # Two boxes apart, one inside out: the signed volume is zero, the space they wind around is not.
    outward, inward = box((0.33, 0.5, 0.7)), box((0.33, 0.5, 0.7), (1, 0, 0))
    R = rotation(np.random.default_rng(3))
    vertices, triangles = joined(outward, (inward[0], inward[1][:, ::-1]))
    truth = (mesh_moments(*outward) + mesh_moments(*inward)).transformed(R)
    found, estimate = estimated_voxel_moments(Surface(vertices @ R.T, triangles), 0.05)
    assert 0 < true_error(found, truth) < estimate < 0.1
