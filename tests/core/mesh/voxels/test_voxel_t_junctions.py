# SPDX-License-Identifier: GPL-3.0-or-later
"""A mesh that is closed in space, though not by its edges, is not refused where a column runs into one of them."""

import numpy as np

from core import InertiaError, Moments, measure_mesh, voxel_moments

from ....thorough import THOROUGH
from ...exact import true_error
from ...solids import joined, rotation
from ...solids.overlapping import solid


def soup_box(low, high, rng, depth=3):
    """A box of separate rectangles, each side cut on its own, so that edges meet others only in part."""
    points, faces = [], []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        for top in (False, True):
            todo = [((low[u], high[u], low[v], high[v]), depth)]
            while todo:
                (a, b, c, d), left = todo.pop()
                if left and rng.random() > 0.3:
                    share = rng.uniform(0.2, 0.8)
                    m, k = a + share * (b - a), c + share * (d - c)
                    halves = ((a, m, c, d), (m, b, c, d)) if rng.random() < 0.5 else ((a, b, c, k), (a, b, k, d))
                    todo += [(half, left - 1) for half in halves]
                    continue
                corners = np.empty((4, 3))
                corners[:, axis] = (high if top else low)[axis]
                corners[:, u], corners[:, v] = (a, b, b, a), (c, c, d, d)
                n = 4 * len(points)
                faces += [[n, n + 1, n + 2], [n, n + 2, n + 3]] if top else [[n, n + 2, n + 1], [n, n + 3, n + 2]]
                points.append(corners)
    return np.concatenate(points), np.array(faces)


def test_a_closed_mesh_is_measured_where_a_column_meets_a_t_junction():
    truth = solid(np.zeros(3), np.ones(3)) + solid(np.array([1.0, 1.0, 0.0]), np.array([2.0, 2.0, 1.0]))
    rng = np.random.default_rng(7)
    run_into = 0
    for _ in range(60 if THOROUGH else 8):
        vertices, triangles = joined(soup_box((0, 0, 0), (1, 1, 1), rng), soup_box((1, 1, 0), (2, 2, 1), rng))
        R = rotation(rng)
        vertices = vertices @ R.T
        try:
            exact = measure_mesh(vertices, triangles).moments
        except InertiaError:  # corners so close to each other that they are one point
            continue
        assert true_error(exact, truth.transformed(R)) < 1e-12
        try:
            voxel_moments(vertices, triangles, 0.02)
            continue
        except InertiaError as error:
            assert "it has holes" in error.message  # which nothing has been told of
        run_into += 1
        found = measure_mesh(vertices, triangles, "voxel", 0.02)
        assert {finding.code for finding in found.findings} & {"open_mesh", "t_junction"} == {"t_junction"}
        error = true_error(found.moments, exact)
        assert error - 1e-12 <= found.error <= error * (1 + 1e-9) + 1e-12 < 0.01
    assert run_into >= 1


def test_a_box_of_whole_voxels_cut_along_columns_into_t_junctions_is_exact():
    rng = np.random.default_rng(9)
    for _ in range(20 if THOROUGH else 6):
        vertices, triangles = soup_box((0, 0, 0), (1.1, 0.7, 0.9), rng, 4)
        found = measure_mesh(vertices, triangles, "voxel", 0.1)
        assert true_error(found.moments, solid(np.zeros(3), np.array([1.1, 0.7, 0.9]))) < 1e-12
        assert isinstance(found.moments, Moments) and found.error < 1e-12
