# SPDX-License-Identifier: GPL-3.0-or-later
"""The order of crossings, column by column, against one that is walked upwards in plain Python."""

from collections import defaultdict

import numpy as np
import pytest

from core.mesh.surface import Surface
from core.mesh.voxels.columns import Columns

from ...solids import box, inverted, joined
from ...solids.awkward import soup

RNG = np.random.default_rng(4)
FLOOR = box()[1][(box()[0][box()[1], 2] == 0).all(axis=1)][0]
MESHES = {
    "a soup, where few columns close": soup(40, RNG),
    "boxes that overlap": joined(box(), box((1, 1, 1.3), (0.3, 0.2, 0.15)), box(low=(3, 0, 0))),
    "boxes one above the other": joined(box(), box(low=(0, 0, 1.5))),
    "boxes of which one is inside out": joined(inverted(box()), box(low=(0, 0, 1.5))),
    "two floors, entered and never left": (np.vstack([box()[0], box()[0] + [0, 0, 2]]), np.array([FLOOR, FLOOR + 8])),
    "a steep face in one column": (np.array([[0, 0, 0], [0.05, 0.01, 1], [0, 0.05, 1]]), np.array([[0, 2, 1]])),
    "one column, twice": joined(box((0.05, 0.05, 1)), box((0.05, 0.05, 1), (0, 0, 2))),
    "one wall": (box()[0], box()[1][2:]),
}


def columns_of(crossings):
    """Return for each column (x, y) its heights and ways, upwards: -1 into the solid, 1 out of it."""
    found = defaultdict(list)
    for block in crossings:
        for x, y, height, weight in zip(*(part.tolist() for part in block), strict=True):
            found[int(x), int(y)].append((height, weight))
    return {column: sorted(found[column]) for column in sorted(found, key=lambda xy: (xy[1], xy[0]))}


def in_order(name):
    """Return a mesh's grid, its crossings in order, and the same column by column."""
    surface = Surface(*MESHES[name])
    grid = Columns.around(surface, float(surface.extent().max()) / 12.7, axis=2)
    ordered = grid.ordered(surface.triangles)
    return grid, ordered, columns_of(ordered.each())


@pytest.mark.parametrize("name", MESHES)
def test_what_is_known_of_each_column_is_what_walking_up_it_finds(name):
    _, ordered, walked = in_order(name)
    assert len(walked) > 10 or "one column" in name
    above, net, simple, union = [], [], True, {}
    for column, crossings in walked.items():
        winding, kept = 0, []
        for number, (height, way) in enumerate(crossings):
            last = number == len(crossings) - 1
            before, winding = winding, winding - int(way)
            above.append(winding)
            simple &= winding == (number + 1) % 2
            filled, empty = bool(before), winding == 0 or last  # what lies above the last of an open one is left out
            if filled == empty:
                kept.append((height, 1.0 if empty else -1.0))
        net.append(winding)
        simple &= winding == 0
        if kept:
            union[column] = kept
    assert ordered.above.tolist() == above
    assert ordered.net.tolist() == net
    assert ordered.simple == simple
    assert columns_of(ordered.united()) == union
    loose = [column for column, left in zip(walked, net, strict=True) if left]
    assert columns_of(ordered.closed().each()) == {column: walked[column] for column in walked if column not in loose}


@pytest.mark.parametrize("name", [name for name in MESHES if name.startswith("boxes")])
def test_the_winding_of_a_voxel_counts_what_is_crossed_below_it(name):
    grid, ordered, walked = in_order(name)
    x, y, z = (axis.ravel() + 1 for axis in np.indices(grid.shape))
    expected = [
        -sum(way for height, way in walked.get(column, []) if height < centre)
        for column, centre in zip(zip(x.tolist(), y.tolist(), strict=True), z.tolist(), strict=True)
    ]
    assert {*expected} > {0}
    assert ordered.winding(x, y, z).tolist() == expected
