# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes whose sides are whole multiples of the voxel come out exact, at every place."""

from itertools import product

import numpy as np
import pytest

from core import Moments, measure_mesh, mesh_moments, voxel_moments

from ....thorough import sample
from ...exact import assert_same, true_error
from ...solids import box, joined

EVERY_WAY = pytest.mark.parametrize("union", [True, False])
WHOLE = pytest.mark.parametrize("whole", [True, False])


def block(size, low):
    size = np.array(size, dtype=float)
    return Moments(size.prod(), np.array(low) + size / 2, np.diag(size**2) * size.prod() / 12)


@EVERY_WAY
@WHOLE
@pytest.mark.parametrize("low", [(0, 0, 0), (0.013, -7.77, 3.1), (1000.3, -2000.7, 4000.1)])
@pytest.mark.parametrize("counts", sample([(1, 1, 1), (3, 2, 1), (2, 5, 4), (1, 2, 6), (7, 7, 7)], 3))
def test_a_box_of_whole_voxels_is_exact_at_every_place(counts, low, union, whole):
    h = 0.1
    size = np.array(counts) * h
    # The corners are rounded where they stand, so that is how well the sides are known.
    rounding = 8 * np.finfo(float).eps * max(1.0, np.abs(low).max() / h)
    assert_same(voxel_moments(*box(size, low), h, union, whole), block(size, low), max(1e-12, rounding))


@EVERY_WAY
@WHOLE
def test_float32_lengths_are_the_whole_multiples_that_were_meant(union, whole):
    size, low = (0.2, 0.4, 0.8), (0.1, 0.2, 0.4)
    vertices, triangles = box(size, low)
    vertices = vertices.astype(np.float32)
    h = float(np.float32(0.1))
    over = np.ptp(vertices.astype(float), axis=0) / h - (2, 4, 8)
    assert (over > 1e-9).all() and (over < 1e-6).all()  # so that by themselves they would take 3 x 5 x 9 voxels
    found = voxel_moments(vertices, triangles, h, union, whole)
    # float32 knows these lengths to 6e-8 each, and the second moment is of fifth order.
    assert_same(found, block(size, low), 1e-6)


@pytest.mark.parametrize("longer", [1e-5, 5e-4])
def test_sides_longer_than_whole_voxels_take_one_more_within_the_error(longer):
    # Voxels fill the whole bounding box: the 11 x 11 columns stand over the end of a side of 10.005, evenly.
    size = np.array([1.0, 1.0, 2.0]) * (1 + longer)
    for union, whole in product((True, False), repeat=2):
        found = voxel_moments(*box(size), 0.1, union, whole)
        assert found.volume == pytest.approx(1.1 * 1.1 * (2.1 if whole else size[2]), rel=1e-7)
    measured = measure_mesh(*box(size), "voxel", 0.1)
    assert measured.error == pytest.approx(true_error(measured.moments, block(size, (0, 0, 0))), rel=1e-6)
    assert measured.error >= 1.21 / (1 + longer) ** 2 - 1


@pytest.mark.parametrize("size", [(0.3, 0.1, 0.1), (0.1, 0.3, 0.1), (0.1, 0.1, 0.3), (0.3, 0.3, 0.7)])
def test_no_voxel_is_gained_or_lost_by_the_rounding_of_a_length(size):
    for scale in (1.0, 1 + 1e-9, 1 - 1e-9):
        found = voxel_moments(*box(np.array(size) * scale), 0.1, whole_voxels=True)
        assert found.volume == pytest.approx(np.prod(size), rel=1e-12)


@EVERY_WAY
@WHOLE
def test_eight_boxes_that_tile_one_add_up_to_it(union, whole):
    h, low = 0.1, np.array([0.37, -5.2, 11.0])
    split, size = np.array([0.2, 0.3, 0.1]), np.array([0.5, 0.7, 0.6])
    total = Moments.zero
    for corner in np.ndindex(2, 2, 2):
        corner = np.array(corner)  # type: ignore[assignment]
        part = np.where(corner, size - split, split)
        total += voxel_moments(*box(part, low + corner * split), h, union, whole)
    assert_same(total, block(size, low), 1e-12)


def test_the_height_of_a_column_is_exact_without_whole_voxels():
    # Along the longest side nothing needs to be a whole multiple.
    size = (0.2, 0.3, 0.987654321)
    for union in (True, False):
        assert_same(voxel_moments(*box(size), 0.1, union), block(size, (0, 0, 0)), 1e-12)
    # Where columns are crossed more than twice, the union sorts heights in fixed point of 2^-26 voxels here.
    twice = joined(box(size), box(size))
    assert_same(voxel_moments(*twice, 0.1, union=True), block(size, (0, 0, 0)), 1e-7)


@pytest.mark.parametrize("size", [(0.2, 0.3, 0.987654321), (0.987654321, 0.2, 0.3), (0.3, 0.987654321, 0.2)])
def test_columns_run_along_the_longest_side(size):
    assert_same(voxel_moments(*box(size, (1, 2, 3)), 0.1, union=False), block(size, (1, 2, 3)), 1e-12)


def test_measuring_a_box_by_voxels_finds_no_error():
    measured = measure_mesh(*box((0.4, 0.8, 1.2), (5, 6, 7)), method="voxel", voxel_size=0.1)
    assert measured.method == "voxel"
    assert measured.error < 1e-12
    assert_same(measured.moments, mesh_moments(*box((0.4, 0.8, 1.2), (5, 6, 7))), 1e-12)


def test_loose_vertices_do_not_stretch_the_grid():
    vertices, triangles = box((0.5, 1.0, 2.0))
    loose = np.vstack([vertices, [[7.0, -8.0, 9.0]]])
    for size in (None, 0.13):
        found = (measure_mesh(points, triangles, "voxel", size).moments for points in (vertices, loose))
        assert_same(*found, 1e-15)


def test_without_a_size_the_longest_side_has_128_voxels():
    vertices, triangles = box((0.5, 1.0, 2.0))
    found = measure_mesh(vertices, triangles, method="voxel").moments
    assert_same(found, voxel_moments(vertices, triangles, 2.0 / 128), 1e-15)
