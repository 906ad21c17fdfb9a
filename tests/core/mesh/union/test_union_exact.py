# SPDX-License-Identifier: GPL-3.0-or-later
"""The union of shells that overlap is exact: what is buried of their faces encloses what counts too often."""

from fractions import Fraction

import numpy as np
import pytest

from core import check_mesh, measure_mesh, mesh_moments

from ...exact import true_error
from ...solids import box, joined, polygon, prism, rotation, torus
from ...solids.overlapping import boxes_and_union, self_overlapping


def moved(mesh, R, t):
    return mesh[0] @ R.T + t, mesh[1]


def clipped_area(one, other):
    """Return the area that two convex polygons, counter-clockwise, have in common, in fractions."""
    points = [tuple(map(Fraction, point)) for point in one]
    corners = [tuple(map(Fraction, point)) for point in other]
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True):
        side = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for x, y in points]
        kept = []
        for (p, h), (q, g) in zip(
            zip(points, side, strict=True),
            zip(points[1:] + points[:1], side[1:] + side[:1], strict=True),
            strict=True,
        ):
            if h >= 0:
                kept.append(p)
            if (h < 0) != (g < 0):
                kept.append(tuple(u + h / (h - g) * (v - u) for u, v in zip(p, q, strict=True)))
        points = kept
    return sum(x * v - y * u for (x, y), (u, v) in zip(points, points[1:] + points[:1], strict=True)) / 2


@pytest.mark.parametrize(("sides", "others"), [(3, 4), (7, 5), (48, 3), (60, 41)])
def test_prisms_that_pass_through_each_other_enclose_what_clipping_says(sides, others):
    one, other = polygon(sides), polygon(others, 0.8) + (0.7, 0.3)
    vertices, triangles = joined(prism(one, 0.0, 2.0), prism(other, 1.0, 4.0))
    found = measure_mesh(vertices @ rotation(np.random.default_rng(sides)).T, triangles)
    apart = [mesh_moments(*mesh).volume for mesh in (prism(one, 0.0, 2.0), prism(other, 1.0, 4.0))]
    assert found.moments.volume == pytest.approx(
        sum(apart) - float(clipped_area(one, other)), rel=max(found.error, 1e-9)
    )
    assert found.method == "union"
    # The caps of some are fans from beside them, which fold over: those are for columns.
    assert found.error < 1e-4


def test_a_union_is_no_worse_far_from_the_origin():
    vertices, triangles, truth = boxes_and_union([((0, 0, 0), (4, 4, 4)), ((2, 3, 1), (5, 6, 7))])
    far = np.array([1e5, -2e5, 3e5])
    found = measure_mesh(vertices + far, triangles)
    assert true_error(found.moments, truth.transformed(np.eye(3), far)) <= 1e-12


PLATE, ROD = box((1.0, 1.0, 0.002)), box((0.003, 0.003, 3.0), (0.5, 0.5, -1.0))


def test_a_thin_rod_listed_twice_counts_once_beside_an_overlap():
    vertices, triangles = joined(PLATE, ROD)
    found = measure_mesh(vertices, np.concatenate([triangles, triangles[12:]]))
    assert found.moments.volume == pytest.approx(0.002 + 0.003**2 * 2.998, rel=1e-8)
    assert {finding.code for finding in found.findings} == {"duplicate_faces", "overlapping_shells"}


def test_faces_without_area_and_vertices_of_no_face_are_left_alone():
    vertices, triangles, truth = boxes_and_union([((0, 0, 0), (4, 4, 4)), ((2, 3, 1), (5, 6, 7))])
    far = np.vstack([vertices, np.full((3, 3), 50.0)])
    for odd in ([[0, 0, 1]], [[15, 15, 14]], [[8, 8, 8]]):
        found = measure_mesh(far, np.vstack([triangles, odd]))
        assert true_error(found.moments, truth) <= 1e-12


@pytest.mark.thorough
def test_unused_vertices_far_away_do_not_hinder_the_search():
    vertices, triangles = joined(torus(60, 30), moved(torus(60, 30), np.eye(3), (0.5, 0.3, 0.2)))
    plain = measure_mesh(vertices, triangles)
    for far in (1e3, -1e9):
        found = measure_mesh(np.vstack([vertices, [[far, 2 * far, -far]]]), triangles)
        assert true_error(found.moments, plain.moments) < 1e-9


def test_a_part_apart_from_one_that_overlaps_itself_is_no_trouble():
    one, twice = self_overlapping(2)
    vertices, triangles = torus(60, 30)
    mesh = joined(one, (vertices + (20.0, 0.0, 0.0), triangles))
    found = measure_mesh(*mesh)
    truth = mesh_moments(*mesh).volume - twice
    assert abs(found.moments.volume / truth - 1) <= found.error < 2e-4


CORNERS = [
    (1.117370367, 0.0, 0.5199217796), (1.117558479, 0.0, 0.5199217796),
    (1.117558479, 0.1881071925, 0.5199217796), (1.117370367, 0.1881071925, 0.5199217796),
    (1.117465377, 0.2351329923, 0.7080296278), (1.117558479, 0.0, 0.7080289721),
    (1.117558479, 0.1881071925, 0.7080289721), (1.117370367, 0.1881071925, 0.7080289721),
    (1.117511392, 0.1881071925, 0.7080289721), (1.117417336, 0.1881071925, 0.7080289721),
    (1.117464423, 0.2351339906, 0.7080289721), (1.117464423, 0.1410803944, 0.7080289721),
    (1.117464423, 0.1881071925, 0.7550557256), (1.117464423, 0.1881071925, 0.6610021591),
    (1.0, 2.0, 3.0), (1.063352257, 2.0, 3.0),
    (1.0, 2.000031676, 3.0), (1.0, 2.0, 2.968323871),
    (1.0, 2.000007919, 2.904971622), (1.063352257, 2.000007919, 2.904971622),
    (1.0, 2.000039595, 2.904971622), (1.0, 2.000007919, 2.873295486),
]  # fmt: skip
CORNERS += CORNERS[14:]
SLIVERS = [
    [0, 3, 2], [0, 2, 1], [4, 5, 6], [4, 6, 7], [0, 1, 5], [0, 5, 4], [1, 2, 6], [1, 6, 5],
    [2, 3, 7], [2, 7, 6], [3, 0, 4], [3, 4, 7], [8, 10, 12], [10, 9, 12], [9, 11, 12], [11, 8, 12],
    [10, 8, 13], [9, 10, 13], [11, 9, 13], [8, 11, 13], [15, 16, 14], [17, 15, 14], [16, 17, 14], [17, 16, 15],
    [19, 20, 18], [21, 19, 18], [20, 21, 18], [21, 20, 19], [17, 20, 14], [15, 15, 21], [17, 14, 18], [19, 18, 18],
    [18, 21, 16], [14, 14, 15], [23, 24, 22], [25, 23, 22], [24, 25, 22], [25, 24, 23], [27, 28, 26], [29, 27, 26],
    [28, 29, 26], [29, 28, 27], [25, 28, 22], [23, 23, 29], [25, 22, 26], [27, 26, 26], [26, 29, 24], [22, 22, 23],
]  # fmt: skip
"""Slivers far apart, found by `make fuzz` (glb, seed 0, number 7731)."""


def test_slivers_of_which_lines_miss_too_much_are_refused():
    assert [finding.code for finding in check_mesh(CORNERS, SLIVERS)][-1:] == ["negative_winding"]
