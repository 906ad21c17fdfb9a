# SPDX-License-Identifier: GPL-3.0-or-later
"""A union is asked for in a window only, and nothing that counts lies outside."""

import numpy as np
import pytest

from core import check_mesh, measure_mesh, mesh_moments
from core.mesh.diagnose import CROSSING_BELOW, read_surface
from core.mesh.surface import Surface
from core.mesh.union.by_columns import ASKEW, _excess, union_by_columns
from core.mesh.voxels.columns import Columns
from core.mesh.voxels.window import in_line, turned

from ....thorough import THOROUGH
from ...exact import true_error
from ...solids import box, inverted, joined, rotation
from ...solids.overlapping import boxes_and_union, self_overlapping


def reading_of(vertices, triangles):
    return read_surface(Surface(vertices, triangles))


def test_a_self_overlapping_u_encloses_what_is_said_of_it_twice():
    mesh, twice = self_overlapping()
    found = measure_mesh(*mesh)
    assert found.method == "union"
    assert found.moments.volume == pytest.approx(mesh_moments(*mesh).volume - twice, rel=1e-4)


def test_the_window_is_where_both_boxes_are():
    corners = [((0, 0, 0), (4, 4, 4)), ((3, 3, 3), (6, 5, 5)), ((9, 0, 0), (10, 1, 1))]
    vertices, triangles, _ = boxes_and_union(corners)
    low, high = reading_of(vertices, triangles).window
    assert low == pytest.approx([3, 3, 3])
    assert high == pytest.approx([4, 4, 4])


@pytest.mark.parametrize("seed", range(8) if THOROUGH else (1, 4, 6))
def test_a_union_in_a_window_is_the_union_everywhere(seed):
    rng = np.random.default_rng(seed)
    low = rng.uniform(0.0, 0.8, (3, 3))
    corners = [(a, a + rng.uniform(1.0, 2.0, 3)) for a in low]  # each holds the point (0.9, 0.9, 0.9)
    vertices, triangles, truth = boxes_and_union(corners, rotation(rng))
    reading = reading_of(vertices, triangles)
    windowed, error, _ = union_by_columns(reading.watertight, reading.moments, 0.0, reading.window)
    everywhere, other, _ = union_by_columns(reading.watertight, reading.moments, 0.0)
    assert reading.window is not None
    assert true_error(windowed, truth) <= error < 1e-4
    assert true_error(everywhere, truth) <= other < 1e-4


def test_what_overlaps_up_to_the_border_of_its_window_counts_whole():
    rng = np.random.default_rng(7)
    corners = [((0, 0, 0), (3, 3, 3)), ((1, 1, 1), (2, 2, 5))]  # the window is filled to all its sides
    vertices, triangles, truth = boxes_and_union(corners, rotation(rng))
    found = measure_mesh(vertices, triangles)
    assert true_error(found.moments, truth) <= found.error < 1e-4


def test_shells_swallowed_whole_do_not_widen_the_window():
    corners = [((0, 0, 0), (9, 9, 9)), ((1, 1, 1), (2, 2, 2)), ((8, 8, 8), (10, 10, 10))]
    vertices, triangles, truth = boxes_and_union(corners)
    reading = reading_of(vertices, triangles)
    assert reading.swallowed == pytest.approx(1.0)
    assert reading.window[0] == pytest.approx([8, 8, 8])
    assert reading.window[1] == pytest.approx([9, 9, 9])
    found = measure_mesh(vertices, triangles)
    assert true_error(found.moments, truth) <= found.error < 1e-4


def test_a_swallowed_shell_that_a_cavity_needs_is_in_the_window():
    # A wall of winding two around a cavity of winding one: the solid is full.
    mesh = joined(box((9, 9, 9)), box((5, 5, 5), (2, 2, 2)), inverted(box((1, 1, 1), (4, 4, 4))))
    found = measure_mesh(*mesh)
    assert found.method == "union"
    assert found.moments.volume == pytest.approx(9**3, rel=1e-4)


@pytest.mark.parametrize("out", [0.5, 0.1])
def test_a_part_that_sticks_through_the_wall_of_its_cavity_is_counted_where_it_does(out):
    cavity = inverted(box((6, 6, 6), (2, 2, 2)))
    part = box((2, 2, 3), (4, 4, 8 + out - 3))
    far = joined(box((2, 2, 2), (20, 0, 0)), box((2, 2, 2), (21, 1, 1)))
    found = measure_mesh(*joined(box((10, 10, 10)), cavity, part, far))
    assert found.moments.volume == pytest.approx(1000 - 216 + 4 * (3 - out) + 15, rel=1e-4)
    assert found.error < 1e-4


@pytest.mark.parametrize("times", [0, 2], ids=["few faces", "faces that a quick reading does not compare"])
@pytest.mark.parametrize("soup", [False, True], ids=["welded", "soup"])
@pytest.mark.thorough
def test_a_shell_that_overlaps_itself_beside_two_that_overlap_is_not_lost(times, soup):
    one, twice = self_overlapping(times)
    beside = joined(box((1, 1, 1), (6, 0, 0)), box((1, 1, 1), (6.5, 0.5, 0.5)))
    vertices, triangles = joined(one, beside)
    if soup:
        vertices, triangles = vertices[triangles].reshape(-1, 3), np.arange(triangles.size).reshape(-1, 3)
    assert not times or len(triangles) > CROSSING_BELOW
    found = measure_mesh(vertices, triangles)
    assert found.method == "union"
    assert found.moments.volume == pytest.approx(mesh_moments(vertices, triangles).volume - twice - 0.125, rel=1e-4)
    codes = [finding.code for finding in check_mesh(vertices, triangles)]
    assert "crossing_faces" in codes
    assert reading_of(vertices, triangles).window is None


def test_screws_far_apart_in_a_plate_are_all_counted():
    rows = [(x, y) for x in range(5) for y in range(3)]
    screws = [((x - 0.03, y - 0.03, -0.1), (x + 0.03, y + 0.03, 0.2)) for x, y in rows]
    corners = [((-0.5, -0.5, 0), (4.5, 2.5, 0.1)), *screws]
    parts = joined(*(box(np.subtract(high, low), low) for low, high in corners))
    found = measure_mesh(*parts)
    truth = 5 * 3 * 0.1 + len(screws) * 0.06**2 * 0.2
    assert abs(found.moments.volume / truth - 1) <= found.error < 1e-4


def test_a_turned_window_holds_what_the_window_holds():
    rng = np.random.default_rng(7)
    low, high = np.array([1.0, 2.0, 3.0]), np.array([2.0, 5.0, 3.5])
    R, centre = rotation(rng), np.array([1.0, 1.0, 1.0])
    points = (rng.uniform(low, high, (200, 3)) - centre) @ R.T
    bottom, top = turned((low, high), R, centre, (np.full(3, -99.0), np.full(3, 99.0)))
    assert (points >= bottom).all()
    assert (points <= top).all()


@pytest.mark.parametrize("along", range(3))
def test_what_lines_through_a_window_meet_is_kept(along):
    extent = np.roll((1.0, 0.5, 0.5), along)
    there = [box(extent, np.roll((x, 0, 0), along)) for x in (-40.0, 0.0, 40.0)]  # below, inside and above
    over = box(np.roll((1, 9, 9), along), np.roll((80, -4, -4), along))  # no corner of it is near the window
    beside = [box(extent, np.roll((0, y, 0), along)) for y in range(2, 20)]
    kept = in_line(Surface(*joined(*there, over, *beside)), (np.zeros(3), extent))
    assert len(kept.triangles) == 12 * 3 + 4  # of the last box, the faces below and above
    assert mesh_moments(kept.vertices, kept.triangles[: 12 * 3]).volume == pytest.approx(3 * 0.25)


def cracked(width):
    """Return two boxes of 64 and 12 that have 8 in common, and a small face too many in there."""
    vertices, triangles = joined(box((4, 4, 4)), box((2, 2, 3), (1, 1, 2)))
    crack = np.array([[-0.5, -0.5, 1.0], [0.5, -0.5, 1.05], [-0.5, 0.5, 1.1]]) * (width, width, 1) + 2.0
    return Surface(np.vstack([vertices, crack]), np.vstack([triangles, np.arange(3) + len(vertices)]))


@pytest.mark.parametrize("width", [0.2, 0.8])
def test_columns_that_fall_through_a_crack_are_settled_in_their_window(width):
    surface = cracked(width)
    askew = Surface((surface.vertices - 2.0) @ ASKEW.T, surface.triangles)
    window = turned((np.array([1.0, 1.0, 2.0]), np.array([3.0, 3.0, 4.0])), ASKEW, np.full(3, 2.0), askew.bounds())
    assert Columns.around(askew, 0.04, window=window).excess(askew.triangles)[1] > 0
    excess = [_excess(askew, askew, window, columns).volume for columns in (24.0, 48.0, 96.0)]
    assert excess == pytest.approx([8.0] * 3, rel=1e-2)  # of the wider one, open columns are 8 %


def test_columns_that_fall_through_a_crack_are_settled_and_the_union_goes_on():
    exact = mesh_moments(*joined(box((4, 4, 4)), box((2, 2, 3), (1, 1, 2))))
    found, error, _ = union_by_columns(cracked(0.2), exact, 0.0)
    assert found.volume == pytest.approx(64 + 12 - 8, rel=1e-3)
    assert error < 1e-2


def test_an_overlap_that_columns_miss_is_in_the_error():
    thin = 1e-7
    vertices, triangles = joined(box((4, 4, 4)), box((4, 4, thin), (5, 0, 0)))
    found, error, seen = union_by_columns(Surface(vertices, triangles), mesh_moments(vertices, triangles), 2.0)
    assert seen == 0.0
    assert error == pytest.approx(2.0 / (64 + 16 * thin))
