# SPDX-License-Identifier: GPL-3.0-or-later
"""The boundary of a surface as simple loops, and the fans over them."""

import numpy as np
import pytest

from core.mesh.integrate import surface_moments
from core.mesh.surface import Surface
from core.mesh.topology.loops import boundary_loops, fans

from ...solids import box


def box_without(*faces):
    vertices, triangles = box((2.0, 3.0, 4.0))
    return Surface(vertices, np.delete(triangles, faces, axis=0))


def grid(count, missing=()):
    """A flat square of count x count unit quads, less some of them."""
    x, y = np.divmod(np.arange((count + 1) ** 2), count + 1)
    low = np.array([i * (count + 1) + j for i in range(count) for j in range(count) if (i, j) not in missing])
    corners = low[:, None] + [0, count + 1, count + 2, 1]
    triangles = np.concatenate([corners[:, [0, 1, 2]], corners[:, [0, 2, 3]]])
    return Surface(np.column_stack([x, y, 0 * x]).astype(float), triangles)


def test_a_closed_surface_has_no_loops_and_is_returned_as_it_is():
    box = box_without()
    loops = boundary_loops(box)
    assert len(loops) == 0
    assert fans(box, loops) is box
    assert loops.areas.shape == loops.domes.shape == (0,)


def test_a_missing_triangle_leaves_a_loop_and_a_fan_restores_the_volume():
    box = box_without(0, 7)
    loops = boundary_loops(box)
    assert sorted(loops.counts) in ([3, 3], [4])  # two triangles of one side share an edge
    closed = fans(box, loops)
    assert len(boundary_loops(closed)) == 0
    assert surface_moments(closed).volume == pytest.approx(24.0, rel=1e-14)


def test_a_sheet_is_bounded_by_its_rim_with_its_length_area_and_normal():
    loops = boundary_loops(grid(5))
    assert len(loops) == 1
    assert loops.lengths[0] == pytest.approx(20.0, rel=1e-14)
    assert loops.areas[0] == pytest.approx(25.0, rel=1e-14)
    assert loops.vector_areas[0] == pytest.approx([0.0, 0.0, -25.0], abs=1e-13)  # the fan looks the other way
    assert loops.apexes[0] == pytest.approx([2.5, 2.5, 0.0], rel=1e-14)
    assert loops.depths[0] == pytest.approx(0.0, abs=1e-13)
    assert loops.domes[0] == pytest.approx(0.376 * 25.0**1.5, rel=1e-14)
    assert loops.farthest(np.array([0.0, 0.0, 1.0]))[0] == pytest.approx(np.sqrt(51.0), rel=1e-14)


def test_holes_that_touch_at_a_corner_are_two_loops():
    loops = boundary_loops(grid(5, {(1, 1), (2, 2)}))
    assert sorted(loops.counts) == [4, 4, 20]


def test_a_seam_of_t_junctions_is_a_loop_without_area():
    # Below y = 0 one edge from 0 to 3, above it three: the seam is a loop, the rim another.
    vertices = [[0, 0, 0], [3, 0, 0], [1, 0, 0], [2, 0, 0], [0, -1, 0], [3, -1, 0], [0, 1, 0], [3, 1, 0]]
    below, above = [[4, 5, 1], [4, 1, 0]], [[0, 2, 6], [2, 7, 6], [2, 3, 7], [3, 1, 7]]
    loops = boundary_loops(Surface(np.array(vertices, float), np.array(below + above)))
    assert sorted(loops.counts) == [4, 6]
    assert sorted(loops.areas) == pytest.approx([0.0, 6.0], abs=1e-12)


def test_random_triangles_become_simple_loops_that_fans_close():
    random = np.random.default_rng(20)
    for _ in range(60):
        count = random.integers(4, 40)
        triangles = random.integers(0, count, (random.integers(1, 150), 3))
        surface = Surface(random.normal(size=(count, 3)), triangles)
        loops = boundary_loops(surface)
        for begin, length in zip(loops.starts, loops.counts, strict=True):
            own = loops.vertices[begin : begin + length]
            assert len(np.unique(own)) == len(own) >= 3
        assert len(boundary_loops(fans(surface, loops))) == 0


def test_thousands_of_triangles_at_one_vertex_are_parted_too():
    random = np.random.default_rng(21)
    rim = np.arange(1, 8001).reshape(-1, 2)
    surface = Surface(random.normal(size=(8001, 3)), np.insert(rim, 0, 0, axis=1))
    loops = boundary_loops(surface)
    assert len(loops) == 4000
    assert (loops.counts == 3).all()
