# SPDX-License-Identifier: GPL-3.0-or-later
"""Small holes are settled by the majority of three directions; large ones are refused."""

import re

import numpy as np
import pytest

from core import InertiaError, mesh_moments
from core.mesh.surface import Surface
from core.mesh.voxels.by_majority import MAX_OPEN, voted
from core.mesh.voxels.columns import Columns
from core.mesh.voxels.crossings import Cuts, listed
from core.mesh.voxels.ordered import Ordered

from ....thorough import sample
from ...exact import assert_same
from ...solids import box, polygon, prism, rotation, subdivided


def ball():
    vertices, triangles = prism(polygon(8), -1, 1, top_scale=0.5)
    for _ in range(4):
        vertices, triangles = subdivided((vertices, triangles))
    return vertices / np.linalg.norm(vertices, axis=1)[:, None], triangles


def without(mesh, faces):
    return Surface(mesh[0], np.delete(mesh[1], faces, axis=0))


def settled_moments(surface, size, progress=None):
    found = voted(surface, size, progress=progress)
    return found.grid.moments_of(found.united), found.share


BALL = ball()


@pytest.mark.parametrize("size", [0.05, 0.031])
@pytest.mark.parametrize("seed", sample(range(5), 2))
def test_a_ball_with_a_few_faces_missing_is_the_ball(size, seed):
    rng = np.random.default_rng(seed)
    vertices = BALL[0] @ rotation(rng).T + (3, 4, 5)
    whole = Surface(vertices, BALL[1])
    assert settled_moments(whole, size)[1] == 0
    found, share = settled_moments(without((vertices, BALL[1]), rng.choice(len(BALL[1]), 8, replace=False)), size)
    assert 0 < share < MAX_OPEN
    assert_same(found, mesh_moments(vertices, BALL[1]), 2e-3)
    # Of the columns laid through the whole ball, no open one has lost or gained more than half a voxel at each end.
    grids = [Columns.around(whole, size, axis) for axis in range(3)]
    volumes = [grid.moments_of(grid.signed_sums(whole.triangles)).volume for grid in grids]
    crossed = 3 * np.pi / size**2
    assert min(abs(found.volume - volume) for volume in volumes) < (share * crossed / 3 + 1) * size**3


def test_a_hole_that_two_directions_cannot_see_changes_nothing():
    # The lid's columns are open; along x and y, all columns close.
    lid = [face for face in range(12) if (box()[0][box()[1][face], 2] == 1).all()]
    vertices, triangles = subdivided(subdivided(subdivided(box((1.0, 1.0, 1.0)))))
    small = [i for i, face in enumerate(triangles) if (vertices[face, 2] == 1).all()][:3]
    assert len(lid) == 2 and len(small) == 3
    found, share = settled_moments(without((vertices, triangles), small), 0.05)
    assert 0 < share <= MAX_OPEN
    assert_same(found, mesh_moments(*box()), 1e-12)


def test_holes_on_all_sides_are_settled_voxel_by_voxel():
    # One face is missing on every side of the cube: no direction is without open columns.
    vertices, triangles = subdivided(subdivided(subdivided(subdivided(box()))))
    missing = []
    for axis in range(3):
        for side in (0.0, 1.0):
            flat = np.flatnonzero((vertices[triangles][:, :, axis] == side).all(axis=1))
            missing.append(flat[len(flat) // 2 + 3 * axis])
    found, share = settled_moments(without((vertices, triangles), missing), 0.025)
    assert 0 < share <= MAX_OPEN
    assert_same(found, mesh_moments(*box()), 1e-9)


@pytest.mark.parametrize("number", range(12))
def test_a_large_hole_is_refused_with_its_share(number):
    with pytest.raises(InertiaError) as error:
        settled_moments(without(box(), [number]), 0.1)
    assert error.value.code == "open_columns"
    (share,) = re.findall(r"^(\S+) % of the columns", error.value.message)
    assert 14 < float(share) < 20  # half of one of six sides, or a third of half the columns


def test_progress_goes_up_to_one_over_all_three_directions():
    told = []
    settled_moments(Surface(*BALL), 0.1, told.append)
    assert told == sorted(told)
    assert told[-1] == 1
    assert told[0] <= 1 / 3


def test_a_direction_votes_only_where_both_ends_of_its_column_agree():
    # One column of four voxels, crossed at 1.5 (into the solid) and at 3.5 (out of it); then without its upper end.
    def column(*crossings):
        z, sign = np.array(crossings, dtype=float).reshape(-1, 2).T
        ones = np.ones(len(z), dtype=np.int32)
        return Ordered.of(listed([Cuts(ones, ones, ones, z, np.zeros(len(z)), sign > 0)]), (1, 1, 4))

    z = np.arange(1, 5)
    ones = np.ones(4, dtype=np.int64)
    assert column((1.5, -1), (3.5, 1)).votes(ones, ones, z).tolist() == [-1, 1, 1, -1]
    assert column((3.5, 1), (1.5, -1)).votes(ones, ones, z).tolist() == [-1, 1, 1, -1]
    assert column((1.5, -1)).votes(ones, ones, z).tolist() == [0, 0, 0, 0]
    assert column((1.5, -1), (2.5, -1), (3.5, 1)).votes(ones, ones, z).tolist() == [0, 0, 1, 0]
    assert column((1.5, -1), (3.5, 1)).votes(2 * ones, ones, z).tolist() == [-1, -1, -1, -1]
    assert column().votes(ones, ones, z).tolist() == [-1, -1, -1, -1]
