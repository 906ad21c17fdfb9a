# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes that nest, touch and overlap, outwards and inwards: each cell between their walls counts by its winding."""

import numpy as np
import pytest

from core import InertiaError, measure_mesh

from ....thorough import sample
from ...exact import true_error
from ...solids import box, cells, inverted, joined, rotation, subdivided
from ...solids.awkward import turned, welded
from ...solids.overlapping import arranged, built, filled, wound


@pytest.mark.parametrize("seed", sample(range(600), 12))
def test_boxes_in_boxes_are_the_cells_that_are_wound_around_or_refused(seed):
    rng = np.random.default_rng(seed)
    boxes = arranged(rng)
    if len({(tuple(low), tuple(high)) for low, high, _ in boxes}) < len(boxes):
        return  # a box in both windings is one with two-sided faces, which counts once
    low, high, winding = wound(boxes)
    mesh = joined(*built(boxes))
    turn = rotation(rng) if rng.random() < 0.5 else np.eye(3)
    try:
        found = measure_mesh(mesh[0] @ turn.T, mesh[1])
    except InertiaError as error:
        assert error.code == "negative_winding"
        assert winding.min() < 0
        return
    assert winding.min() >= 0
    assert found.method == ("union" if winding.max() > 1 else "exact")
    assert true_error(found.moments, filled(low, high, winding > 0).transformed(turn)) <= max(found.error, 1e-12)
    assert found.error <= 1.001e-4  # what may be in doubt in silence, beside the rounding of a union


BLOCK, NEEDLE = box((10, 10, 10.2)), box((0.06, 0.06, 8), (5.05, 5.05, 1))
"""A needle that passes between the columns of a first look at the block, a 64th of its height apart."""


def test_a_needle_in_a_block_that_no_column_meets_is_not_counted_twice():
    # Its walls are wound around twice and its cavities once: all is the block's. They touch, so they are not apart.
    cavities = [inverted(box((0.03, 0.03, 3), (5.065, 5.065, low))) for low in (1.5, 4.5)]
    found = measure_mesh(*joined(BLOCK, NEEDLE, *cavities))
    assert found.method == "union"
    assert abs(found.moments.volume / 1020 - 1) <= found.error + 1e-14
    assert found.error < 1e-6  # the overlap is 3e-5 of the whole
    assert "cavity" not in {finding.code for finding in found.findings}


def test_a_hollow_needle_in_a_block_is_left_out_exactly():
    cavity = inverted(box((0.03, 0.03, 7), (5.065, 5.065, 1.5)))
    found = measure_mesh(*joined(BLOCK, NEEDLE, cavity))
    assert (found.method, found.error) == ("union", 0)
    assert found.moments.volume == pytest.approx(1020, rel=1e-14)
    assert "cavity" not in {finding.code for finding in found.findings}


def test_an_inside_out_needle_in_a_cavity_is_reported():
    cavity = inverted(box((8, 8, 9.8), (1, 1, 0.2)))
    assert measure_mesh(*joined(BLOCK, cavity, NEEDLE)).error == 0
    found = measure_mesh(*joined(BLOCK, cavity, inverted(NEEDLE)))
    (finding,) = [each for each in found.findings if each.code == "small_inside_out"]
    assert "is inside out (28.8 L)" in finding.message and 0 < found.error < 1e-3


def test_blocks_that_share_an_edge_do_so_beside_a_shell_that_is_left_out():
    blocks, inner = cells({(0, 0, 0), (1, 1, 0)}, (3, 3, 3)), box(low=(1, 1, 1))
    for mesh in (joined(inner, blocks), joined(blocks, inner)):
        found = measure_mesh(*mesh)
        assert (found.method, found.error) == ("union", 0)
        assert [finding.code for finding in found.findings] == ["overlapping_shells"]
        assert found.moments.volume == pytest.approx(54, rel=1e-14)


@pytest.mark.parametrize("times", range(5))
def test_a_cavity_is_one_however_many_of_its_faces_lie_on_walls(times):
    block, cavity = box((6, 7, 2), (2, 4, 3)), inverted(box((2, 2, 2), (3, 4, 3)))
    for _ in range(times):
        block, cavity = subdivided(block), subdivided(cavity)
    found = measure_mesh(*joined(block, cavity))
    assert found.moments.volume == pytest.approx(76, rel=1e-14)
    assert {finding.code for finding in found.findings} <= {"cavity", "touching_shells"}


@pytest.mark.parametrize("size", [1, 0.5, 2])
def test_a_box_inside_out_that_hangs_on_a_corner_of_another_is_turned(size):
    # By their points they are one shell, whose volume cancels, or in which something is wound less than never.
    found = measure_mesh(*welded(joined(box(), inverted(box((size,) * 3, (1, 1, 1))))))
    assert [finding.code for finding in found.findings] == ["inside_out", "touching_shells"]
    assert found.moments.volume == pytest.approx(1 + size**3, rel=1e-14)


def test_a_cavity_that_hangs_on_a_corner_of_a_shell_left_out_stays():
    solid = box((0.06, 0.06, 4), (5.05, 5.05, 1))  # no column meets either of the two
    corner = solid[0].max(axis=0)
    cavity = inverted(box((0.03, 0.03, 4), corner))
    found = measure_mesh(*joined(BLOCK, welded(joined(solid, cavity))))
    assert abs(found.moments.volume / (1020 - 0.03**2 * 4) - 1) <= found.error < 1e-6  # all of the cavity is 3.5e-6
    assert {"cavity", "overlapping_shells"} <= {finding.code for finding in found.findings}


def test_an_overlap_by_a_hair_far_from_a_large_one_is_counted_too():
    boxes = [((0, 0, 0), (4, 4, 4)), ((3, 3, 3), (6, 5, 5)), ((-2, 0, 0), (0.002, 4, 4))]
    found = measure_mesh(*joined(*(box(np.subtract(high, low), low) for low, high in boxes)))
    assert abs(found.moments.volume / (64 + 12 - 1 + 32) - 1) <= found.error < 1e-4  # the hair is 3e-4


@pytest.mark.parametrize(("disguise", "volume"), [(lambda mesh: mesh, 27), (inverted, 26)], ids=["solid", "cavity"])
def test_an_inner_shell_is_what_it_says_whatever_the_faces_around_it_say(disguise, volume):
    inner = disguise(box(low=(1, 1, 1)))
    for outer in (turned(box((3, 3, 3)), 0), turned(box((3, 3, 3)), 0, 3, 6, 9)):
        found = measure_mesh(*joined(outer, inner))
        assert found.findings[0].code == "inconsistent_winding"
        assert found.moments.volume == pytest.approx(volume, rel=1e-12)


@pytest.mark.parametrize(("disguise", "volume"), [(lambda mesh: mesh, 27), (inverted, 26)], ids=["solid", "cavity"])
def test_a_fine_shell_in_a_coarse_one_is_what_most_of_its_faces_say(disguise, volume):
    inner = subdivided(subdivided(subdivided(disguise(box(low=(1, 1, 1))))))
    for count in (3, 150):
        which = np.random.default_rng(count).choice(768, count, replace=False)
        found = measure_mesh(*joined(box((3, 3, 3)), turned(inner, *which)))
        assert found.findings[0].message.startswith(f"{count} faces have flipped normals")
        assert found.moments.volume == pytest.approx(volume, rel=1e-12)
