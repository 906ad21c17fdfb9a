# SPDX-License-Identifier: GPL-3.0-or-later
"""Generated closed meshes against exact rational arithmetic."""

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from core import mesh_moments

from ...exact import assert_exact, integrate
from ...solids import cells, grid, polygon, prism, shuffled, subdivided, unwelded

SEED = st.integers(0, 2**32 - 1)
DTYPE = st.sampled_from([np.float32, np.float64])


def check(mesh, dtype):
    vertices, triangles = mesh[0].astype(dtype), mesh[1]
    exact = integrate(vertices, triangles)
    # Far below a hundredth of its box the sum cancels, and 1e-12 of the volume is more than is promised.
    assume(abs(exact.volume) > 0.01 * float(np.ptp(vertices.astype(float), axis=0).prod()))
    assert_exact(mesh_moments(vertices, triangles), exact)


@given(SEED, st.integers(3, 12), DTYPE)
def test_extruded_outlines_are_exact(seed, sides, dtype):
    rng = np.random.default_rng(seed)
    outline = polygon(sides) * rng.uniform(0.2, 2.0, (sides, 1))
    low, height = rng.normal(), rng.uniform(0.1, 3.0)
    mesh = prism(outline, low, low + height, top_scale=rng.uniform(0.3, 2.0))
    check(shuffled(subdivided(mesh), rng), dtype)


@given(SEED, st.sets(st.sampled_from(sorted(grid(3, 3, 2))), min_size=1), DTYPE)
def test_solids_of_cells_with_moved_corners_are_exact(seed, which, dtype):
    # Cells may touch along an edge or in a corner; every corner moved, faces are skew and no side is axis-parallel.
    rng = np.random.default_rng(seed)
    vertices, triangles = cells(which)
    moved = vertices + rng.uniform(-0.3, 0.3, vertices.shape)
    check(shuffled((moved * rng.uniform(0.01, 100, 3) + rng.normal(size=3), triangles), rng), dtype)


@given(SEED, DTYPE)
def test_unwelded_triangle_soups_are_exact(seed, dtype):
    rng = np.random.default_rng(seed)
    check(shuffled(unwelded(prism(polygon(7) * rng.uniform(0.3, 1, (7, 1)))), rng), dtype)
