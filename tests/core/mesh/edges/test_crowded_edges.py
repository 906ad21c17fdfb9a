# SPDX-License-Identifier: GPL-3.0-or-later
"""Sheets that meet at edges of three faces and more: cells decide, and crossing faces are refused."""

from itertools import product

import numpy as np
import pytest

from core import InertiaError, measure_mesh, mesh_moments

from ...solids import box, joined
from ...solids.awkward import welded
from ...solids.patchwork import tetrahedra


def turned_round(triangles, which):
    return np.where(which[:, None], triangles[:, ::-1], triangles)


# Found among thousands, each since one wrong decision between two readings changes it: by walls back to back, by an
# edge that does not balance, by a reading that is inside out, or far from the origin.


@pytest.mark.parametrize("seed", [2836])
def test_faces_of_which_as_few_may_be_turned_in_two_ways_are_refused(seed):
    vertices, triangles, which = tetrahedra(seed)
    triangles = turned_round(triangles, which)
    assert len(triangles) == 12
    every = np.array(list(product((1, -1), repeat=12)))  # each choice of faces to turn
    sides = triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    edges, number = np.unique(np.sort(sides, axis=1), axis=0, return_inverse=True)
    walks = np.zeros((12, len(edges)), dtype=int)
    np.add.at(walks, (np.arange(36) // 3, number.ravel()), np.where(sides[:, 0] < sides[:, 1], 1, -1))
    balanced = every[(every @ walks == 0).all(axis=1)]
    turned = (balanced < 0).sum(axis=1)
    assert turned.min() > 0
    volumes = np.linalg.det(vertices[triangles]) / 6
    ways = balanced[turned == turned.min()] @ volumes
    assert np.ptp(abs(ways)) > 0.1 * abs(ways).max()
    with pytest.raises(InertiaError, match="three or more surfaces meet at") as error:
        measure_mesh(vertices, triangles)
    assert error.value.code == "inconsistent_winding"


@pytest.mark.parametrize("seed", [222, 1599, 6439])
def test_boxes_side_by_side_are_solid_cells(seed):
    rng = np.random.default_rng(seed)
    places = [cell for cell in product(*map(range, rng.integers(1, 4, 3))) if rng.random() < 0.7]
    assert len(places) == 5
    vertices, triangles = welded(joined(*(box(low=place) for place in places)))
    which = rng.random(60) < rng.choice([0.2, 0.3, 0.4, 0.45])
    found = measure_mesh(vertices, turned_round(triangles, which))
    assert found.method == "exact"
    assert found.moments.volume == pytest.approx(5, rel=1e-14)
    assert found.moments.centroid == pytest.approx(np.add(places, 0.5).mean(axis=0), rel=1e-14)
    assert mesh_moments(vertices, turned_round(triangles, which)).volume < 4
