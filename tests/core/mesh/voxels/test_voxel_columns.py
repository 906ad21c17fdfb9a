# SPDX-License-Identifier: GPL-3.0-or-later
"""What lies in columns that are crossed often, in very many columns, and in more than can be held."""

import numpy as np
import pytest

from core import InertiaError, mesh_moments, voxel_moments
from core.mesh.surface import Surface
from core.mesh.voxels.columns import Columns

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


@pytest.mark.parametrize("thick", [25.0, 1.0, 0.2, 1e-3, 1e-6, 1e-9])
@pytest.mark.parametrize("outward", [True, False])
def test_a_plate_of_any_thickness_and_winding_counts_in_the_union(thick, outward):
    # Thickness in voxels: down to less than the heights of crossings are told apart by.
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
