# SPDX-License-Identifier: GPL-3.0-or-later
"""Only columns that are not just entered below and left above are put in order, and all of those are."""

from itertools import product

import numpy as np
import pytest

from core import InertiaError, mesh_moments, voxel_moments
from core.mesh.surface import Surface
from core.mesh.voxels import columns, fineness
from core.mesh.voxels.columns import Columns
from core.mesh.voxels.crossings import listed
from core.mesh.voxels.crowded import Crowd
from core.mesh.voxels.ordered import Ordered

from ....thorough import sample
from ...exact import assert_same
from ...solids import TUBE_CELLS, U_CELLS, box, cells, inverted, joined, polygon, prism, rotation, subdivided

H = 0.1
TURN = rotation(np.random.default_rng(11))
TURNED = {
    "U": (cells(U_CELLS, (0.5, 0.7, 0.4))[0] @ TURN.T, cells(U_CELLS)[1]),
    "tube": (cells(TUBE_CELLS, (0.5, 0.7, 0.4))[0] @ TURN.T, cells(TUBE_CELLS)[1]),
    "overlapping": joined(prism(polygon(7), -1, 1, top_scale=0.4), (box((1.0, 0.9, 1.8))[0] @ TURN.T, box()[1])),
    "one inside out": joined(box((1.0, 0.9, 2.5)), inverted(box((0.8, 0.7, 0.9), (2.1, 0.3, 0.4)))),
}


def crowd_of(mesh, axis=2):
    grid = Columns.around(Surface(*mesh), H, axis)
    crowd, found = Crowd(grid.shape, 1, grid.shape[1] + 1), list(grid._cuts(mesh[1], None))
    for cut in found:
        crowd.add(cut)
    _, opened, crowded = crowd.close()
    return grid, crowd, found, opened, crowded


def test_only_columns_through_both_boxes_are_crowded():
    # Above each other with a gap, over 5 x 6 columns in common: those are crossed four times.
    mesh = joined(box((1.0, 1.0, 1.0)), box((1.0, 1.0, 1.0), (0.5, 0.4, 1.7)))
    grid, crowd, found, opened, crowded = crowd_of(mesh)
    assert opened == 0
    assert grid.shape[:2] == (15, 14)
    expected = np.zeros((14, 16), dtype=bool)
    expected[4:10, 5:10] = True
    np.testing.assert_array_equal(crowded, expected)
    ordered = Ordered.of(crowd.listed(found, crowded), grid.shape)
    assert len(ordered.key) == 4 * 5 * 6 and ordered.simple
    x, y = ordered.key[::4] >> ordered.height_bits + 1 & (1 << ordered.x_bits) - 1, len(ordered.last)
    assert set(x) == set(range(6, 11)) and y == 30


@pytest.mark.parametrize("name", TURNED)
def test_all_crossings_of_crowded_columns_are_put_in_order(name):
    grid, crowd, found, _, crowded = crowd_of(TURNED[name])
    assert 0 < crowded.sum() < crowded.size / 2
    every = Ordered.of(listed(found), grid.shape)
    column = every.key >> (every.height_bits + 1)
    x, y = column & ((1 << every.x_bits) - 1), column >> every.x_bits
    within = Ordered.of(crowd.listed(found, crowded), grid.shape)
    np.testing.assert_array_equal(within.key, every.key[crowded[y - 1, x - 1]])
    # Of the others each is entered, then left.
    others = every.key[~crowded[y - 1, x - 1]]
    assert len(others) and Ordered(others, every.x_bits, every.height_bits, every.unit).simple


@pytest.mark.parametrize("thick", [25.0, 1.0, 0.2, 1e-3, 1e-6, 1e-9])
@pytest.mark.parametrize("outward", [True, False])
def test_a_plate_of_any_thickness_counts_in_the_union_whichever_way_it_looks(thick, outward):
    # Thickness in voxels. Thinner than roundings, its columns are crowded also where it looks outward.
    plate = box((0.5, 0.7, thick * H), (2.0, 0.0, 0.0))
    mesh = joined(box((1.0, 1.0, 4.0)), plate if outward else inverted(plate))
    _, crowd, _, opened, crowded = crowd_of(mesh)
    assert opened == 0 and 1e-6 < crowd.thin / crowd.unit < 1e-4
    assert np.count_nonzero(crowded) == (0 if outward and thick > 1e-4 else 5 * 7)
    grid = Columns.around(Surface(*mesh), H, axis=2)
    union, signed = (sums[0, 0] * H**3 for sums in grid.union_sums(mesh[1]))
    extra = 0.5 * 0.7 * thick * H
    assert signed == pytest.approx(4 + (extra if outward else -extra), rel=1e-12)
    assert union == pytest.approx(4 + extra, rel=1e-9)


def test_more_within_a_column_than_32_bits_hold_does_not_spill_over_to_the_next_ones():
    nested = [box((1.0, 1.0, 4.0))] * 7
    mesh = joined(*nested, box((1.0, 1.0, 4.0), (1.0, 0.0, 0.0)), box((1.0, 1.0, 4.0), (3.0, 0.0, 0.0)))
    grid, crowd, _, opened, crowded = crowd_of(mesh)
    assert 7 * 40 * crowd.unit > 1 << 32
    expected = np.zeros((10, 41), dtype=bool)
    expected[:, :10] = True
    np.testing.assert_array_equal(crowded, expected)
    assert opened == 0
    assert [sums[0, 0] * H**3 for sums in grid.union_sums(mesh[1])] == pytest.approx([3 * 4, 9 * 4], rel=1e-7)


@pytest.mark.parametrize("name, strip", sample(list(product(TURNED, [1, 100, 1000])), 5))
def test_strips_of_any_width_give_the_same(name, strip, monkeypatch):
    for whole in (True, False):
        expected = voxel_moments(*TURNED[name], 0.07, True, whole)
        with monkeypatch.context() as patched:
            patched.setattr(columns, "STRIP", strip)
            assert_same(voxel_moments(*TURNED[name], 0.07, True, whole), expected, 1e-13)


def test_strips_of_any_width_count_all_open_columns(monkeypatch):
    vertices, triangles = box((1, 1, 3))
    top = np.flatnonzero((vertices[triangles, 2] == 3).all(axis=1))
    assert len(top) == 2
    told = set()
    for strip in (1, 25, 10_000):
        monkeypatch.setattr(columns, "STRIP", strip)
        with pytest.raises(InertiaError) as error:
            voxel_moments(vertices, np.delete(triangles, top[0], axis=0), H)
        told.add(error.value.message)
    assert len(told) == 1 and told.pop().startswith(("45 columns", "55 columns"))


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
        found = grid.enclosed(surface.triangles)
        assert (found.crossed, found.opened) == (count, 0)
        assert_same(grid.moments_of(found.united), mesh_moments(*box(sides)), 1e-10)


def test_more_crossings_to_be_put_in_order_than_the_sample_told_are_refused(monkeypatch):
    monkeypatch.setattr("core.mesh.voxels.grid.SAMPLE", 200)
    monkeypatch.setattr(fineness, "MAX_CROSSINGS", 5_000)
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
