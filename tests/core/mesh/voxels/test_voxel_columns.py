# SPDX-License-Identifier: GPL-3.0-or-later
"""What lies in columns that are crossed often, in very many columns, and in more than can be held.

The order of crossings is compared, column by column, with one that is walked upwards in plain Python.
"""

from collections import defaultdict

import numpy as np
import pytest

from core import InertiaError, mesh_moments, voxel_moments
from core.mesh.surface import Surface
from core.mesh.voxels.columns import Columns

from ...exact import assert_same
from ...solids import box, inverted, joined, polygon, prism, subdivided
from ...solids.awkward import soup

H = 0.1


@pytest.mark.parametrize("thick", [25.0, 1.0, 0.2, 1e-3, 1e-6, 1e-9])
@pytest.mark.parametrize("outward", [True, False])
def test_a_plate_of_any_thickness_and_winding_counts_in_the_union(thick, outward):
    # Thickness in voxels: down to less than the least difference of heights that separates crossings.
    plate = box((0.5, 0.7, thick * H), (2.0, 0.0, 0.0))
    mesh = joined(box((1.0, 1.0, 4.0)), plate if outward else inverted(plate))
    grid = Columns.around(Surface(*mesh), H, axis=2)
    union, signed = (sums[0, 0] * H**3 for sums in grid.union_sums(mesh[1]))
    extra = 0.5 * 0.7 * thick * H
    assert signed == pytest.approx(4 + (extra if outward else -extra), rel=1e-12)
    assert union == pytest.approx(4 + extra, rel=1e-9)


def test_columns_that_lie_in_seven_boxes_at_once_count_once():
    nested = [box((1.0, 1.0, 4.0))] * 7
    mesh = joined(*nested, box((1.0, 1.0, 4.0), (1.0, 0.0, 0.0)), box((1.0, 1.0, 4.0), (3.0, 0.0, 0.0)))
    grid = Columns.around(Surface(*mesh), H, axis=2)
    assert [sums[0, 0] * H**3 for sums in grid.union_sums(mesh[1])] == pytest.approx([3 * 4, 9 * 4], rel=1e-7)


@pytest.mark.parametrize("union", [True, False])
def test_more_columns_in_a_row_than_16_bits_can_number(union):
    size = 2.0**-16
    for sides in ((size, 1.0, 1.25), (1.0, size, 1.25)):
        mesh = box(sides)  # its corners lie beside columns 1 and 65537, of which the lower 16 bits are the same
        assert max(Columns.around(Surface(*mesh), size).shape[:2]) == 1 << 16
        assert_same(voxel_moments(*mesh, size, union), mesh_moments(*mesh), 1e-10)


def test_a_row_of_very_many_columns_has_none_beyond_its_ends(monkeypatch):
    count = 100_000
    size = 1 / count
    monkeypatch.setattr("core.mesh.voxels.grid.SNAP", 1e-5)  # as of a million columns a millionth is a whole one
    for sides in ((size, 1.0, 1.0), (1.0, size, 1.0)):
        surface = Surface(*box(sides))
        grid = Columns.around(surface, size, axis=2)
        assert sorted(grid.shape[:2]) == [1, count]
        united, _ = grid.union_sums(surface.triangles)
        assert_same(grid.moments_of(united), mesh_moments(*box(sides)), 1e-10)


def test_more_crossings_than_the_sample_had_shown_are_refused(monkeypatch):
    monkeypatch.setattr("core.mesh.voxels.grid.SAMPLE", 200)
    monkeypatch.setattr("core.mesh.voxels.grid.MAX_CROSSINGS", 5_000)
    dust = prism(polygon(6), 0, 1)
    for _ in range(4):
        dust = subdivided(dust)
    assert len(dust[1]) > 5_000
    below, above = box((1, 1, 0.75)), box((1, 1, 0.75), (0, 0, 1))
    vertices, triangles = joined(below, above, (dust[0] * 0.001 + (0.5, 0.5, 0.85), dust[1]))
    surface = Surface(vertices, np.roll(triangles, 1, axis=0))  # every 30th is asked, from the first on
    grid = Columns.around(surface, 0.01, axis=2)
    for order in (grid.ordered, grid.union_sums):
        with pytest.raises(InertiaError) as error:
            order(surface.triangles)
        assert error.value.code == "voxels_too_fine"
    assert grid.signed_sums(surface.triangles)[0, 0] * 0.01**3 == pytest.approx(1.5, rel=1e-6)


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
