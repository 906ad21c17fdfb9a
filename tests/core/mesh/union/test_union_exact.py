# SPDX-License-Identifier: GPL-3.0-or-later
"""The union of shells that overlap is exact: what is buried of their faces encloses what counts too often."""

from fractions import Fraction

import numpy as np
import pytest

from core import Moments, measure_mesh, mesh_moments
from core.mesh.diagnose import read_surface
from core.mesh.diagnosis import reading
from core.mesh.geometry.crossing_faces import face_pairs
from core.mesh.surface import Surface
from core.mesh.union import buried as burying
from core.mesh.union import pieces
from core.mesh.union.between import near_other_components, pairs_between
from core.mesh.union.buried import buried
from core.mesh.union.excess import _openness, excess
from core.mesh.union.fronts import winding_in_front
from core.mesh.union.placed import Placed, TooMuch
from core.mesh.union.volumes import STEPS, on_grid, triple

from ....thorough import THOROUGH, sample
from ...exact import true_error
from ...solids import box, joined, polygon, prism, rotation, shuffled, torus, unwelded
from ...solids.overlapping import arranged, boxes_and_union, built, filled, self_overlapping, wound


def surface_and_shells(*meshes):
    label = np.repeat(np.arange(len(meshes)), [len(triangles) for _, triangles in meshes])
    return Surface(*joined(*meshes)), label


def moved(mesh, R, t):
    return mesh[0] @ R.T + t, mesh[1]


def never(*_):
    raise AssertionError("the union was asked for by columns")


# Where the corners of a second box are: beside, in or on the planes of the walls of (0, 0, 0) to (4, 4, 4).
SECOND = {
    "a corner in it": ((2, 3, 1), (5, 6, 7)),
    "an edge in it": ((2, 3, -1), (5, 6, 7)),
    "through it": ((1, 1, -1), (2, 2, 5)),
    "a wall in common": ((2, 1, 0), (5, 2, 3)),
    "four walls in common": ((1, 0, 0), (6, 4, 4)),
    "three walls in common, inside": ((0, 0, 0), (1, 2, 3)),
    "from wall to wall": ((0, 1, 1), (4, 2, 2)),
    "an edge in common": ((0, 0, 2), (-1, 3, 3)),
}


@pytest.mark.parametrize("turn", [False, True], ids=["along the axes", "askew"])
@pytest.mark.parametrize("corners", SECOND.values(), ids=SECOND)
def test_two_boxes_that_overlap_or_touch_are_their_union(corners, turn, monkeypatch):
    monkeypatch.setattr(reading, "union_by_columns", never)
    low, high = np.sort(np.array(corners, dtype=float), axis=0)
    R = rotation(np.random.default_rng(3)) if turn else np.eye(3)
    vertices, triangles, truth = boxes_and_union([((0, 0, 0), (4, 4, 4)), (low, high)], R)
    found = measure_mesh(vertices, triangles)
    assert true_error(found.moments, truth) <= max(found.error, 1e-14)
    assert found.error < 1e-8


@pytest.mark.parametrize("seed", [22, 347, 624, 955, 1097, 2100, *sample(range(3000, 3600), 8)])
def test_boxes_with_walls_in_the_same_planes_need_no_columns(seed, monkeypatch):
    monkeypatch.setattr(reading, "union_by_columns", never)
    rng = np.random.default_rng(seed)
    winding = np.zeros(1)
    while winding.min() < 0 or winding.max() < 2:
        boxes = arranged(rng)
        low, high, winding = wound(boxes)
    found = measure_mesh(*joined(*built(boxes)))
    assert true_error(found.moments, filled(low, high, winding > 0)) <= max(found.error, 1e-14)
    assert found.error < 1e-8


@pytest.mark.parametrize("seed", [19, 30, 32, 34])
def test_walls_nearly_in_the_same_planes_by_the_rounding_of_float32_need_no_columns(seed, monkeypatch):
    monkeypatch.setattr(reading, "union_by_columns", never)
    rng = np.random.default_rng(seed)
    boxes = arranged(rng)
    low, high, winding = wound(boxes)
    vertices, triangles = joined(*built(boxes, rng.integers(0, 3)))
    turn = rotation(rng)
    found = measure_mesh((vertices @ turn.T).astype(np.float32), triangles)
    truth = filled(low, high, winding > 0).transformed(turn)
    assert true_error(found.moments, truth) < 1e-6  # float32 itself is off by 1e-7
    assert found.error < 1e-6


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
    assert found.moments.volume == pytest.approx(sum(apart) - float(clipped_area(one, other)), rel=1e-9)
    assert found.method == "union"
    assert 0.0 < found.error < 1e-8


@pytest.mark.thorough
def test_three_tori_that_cross_in_one_place_are_the_union_in_any_order():
    rng = np.random.default_rng(5)
    rings = [moved(torus(24, 12), rotation(rng), rng.uniform(-0.3, 0.3, 3)) for _ in range(3)]
    one, other = measure_mesh(*joined(*rings)), measure_mesh(*unwelded(shuffled(joined(*rings[::-1]), rng)))
    assert one.error < 1e-8
    assert true_error(one.moments, other.moments) <= one.error + other.error
    by_columns = reading.union_by_columns(  # type: ignore[attr-defined]
        Surface(*joined(*rings)), mesh_moments(*joined(*rings)), mesh_moments(*rings[0]).volume
    )
    assert true_error(by_columns[0], one.moments) <= by_columns[1]


def test_inclusion_and_exclusion_holds_for_what_is_buried():
    # |A + B + C| counted by the shells alone and by pairs: three balls of few faces, all through each other.
    rng = np.random.default_rng(9)
    balls = [moved(prism(polygon(9), -0.7, 0.7), rotation(rng), rng.uniform(-0.2, 0.2, 3)) for _ in range(3)]
    whole = excess(*surface_and_shells(*balls)).moments
    pairs = [excess(*surface_and_shells(balls[i], balls[j])).moments for i, j in ((0, 1), (0, 2), (1, 2))]
    # What all three have in common is twice too often in the sum of pairs once more than in the whole.
    common = sum((pair.volume for pair in pairs), -whole.volume)
    assert 0.0 < common < min(pair.volume for pair in pairs)
    union = sum(mesh_moments(*ball).volume for ball in balls) - whole.volume
    by_columns = reading.union_by_columns(Surface(*joined(*balls)), mesh_moments(*joined(*balls)), whole.volume)  # type: ignore[attr-defined]
    assert by_columns[0].volume == pytest.approx(union, rel=by_columns[1])


@pytest.mark.parametrize("times", [0, 3], ids=["few faces", "many faces"])
def test_one_shell_that_overlaps_itself_is_exact_too(times, monkeypatch):
    monkeypatch.setattr(reading, "union_by_columns", never)
    mesh, twice = self_overlapping(times)
    found = measure_mesh(*mesh)
    assert found.moments.volume == pytest.approx(mesh_moments(*mesh).volume - twice, rel=1e-8)
    assert found.error < 1e-6


def test_what_is_buried_of_two_boxes_is_the_box_that_they_have_in_common():
    surface, shell = surface_and_shells(box((4, 4, 4)), box((4, 4, 4), (1, 2, 3)))
    common = buried(surface, shell)
    gap, area = _openness(common)
    assert gap < 1e-9
    assert area == pytest.approx(2 * (3 * 2 + 2 * 1 + 1 * 3))
    assert mesh_moments(common.vertices, common.triangles).volume == pytest.approx(6)


def test_nothing_is_buried_of_shells_apart():
    assert buried(*surface_and_shells(box(), box((1, 1, 1), (2, 0, 0)))) is None


def test_what_three_shells_enclose_counts_twice_too_often():
    boxes = [((0, 0, 0), (4, 4, 4)), ((1, 1, 1), (5, 5, 5)), ((2, -1, 2), (6, 3, 6))]
    surface, shell = surface_and_shells(*(box(np.subtract(high, low), low) for low, high in boxes))
    vertices, triangles, truth = boxes_and_union(boxes)
    found = excess(surface, shell)
    assert true_error(mesh_moments(vertices, triangles) + -found.moments, truth) < 1e-9


@pytest.mark.parametrize("name", ["MOST", "MOST_PARTS"])
def test_what_is_too_much_work_is_done_by_columns(name, monkeypatch):
    monkeypatch.setattr(pieces if name == "MOST" else burying, name, 0)
    vertices, triangles, truth = boxes_and_union([((0, 0, 0), (4, 4, 4)), ((2, 3, 1), (5, 6, 7))])
    found = measure_mesh(vertices, triangles)
    assert true_error(found.moments, truth) <= found.error
    assert found.error > 1e-7
    assert "by voxels (estimated error" in found.findings[-1].message


def test_a_surface_left_open_shows():
    vertices, triangles = box((2, 2, 2), (5, 5, 5))
    assert _openness(Surface(vertices, triangles))[0] < 1e-13
    for face in range(12):
        assert _openness(Surface(vertices, np.delete(triangles, face, axis=0)))[0] > 1.0
    tube = np.delete(triangles, np.flatnonzero((vertices[triangles][:, :, 2] == 5).all(axis=1)), axis=0)
    tube = np.delete(tube, np.flatnonzero((vertices[tube][:, :, 2] == 7).all(axis=1)), axis=0)
    assert len(tube) == 8  # its areas cancel as vectors
    assert _openness(Surface(vertices, tube))[0] > 1.0


def test_signs_of_volumes_are_those_of_fractions():
    rng = np.random.default_rng(4)
    a, b = on_grid(rng.uniform(-0.5, 0.5, (2, 3, 400)))
    u, v = rng.uniform(-0.5, 0.5, (2, 400))
    flat = on_grid(u * a + v * b)  # nearly in one plane with them
    found = triple(a, b, flat)
    u, v, w = ([[Fraction(x) for x in row] for row in side] for side in (a, b, flat))
    truth = [
        u[0][k] * (v[1][k] * w[2][k] - v[2][k] * w[1][k])
        + u[1][k] * (v[2][k] * w[0][k] - v[0][k] * w[2][k])
        + u[2][k] * (v[0][k] * w[1][k] - v[1][k] * w[0][k])
        for k in range(400)
    ]
    assert max(abs(float(volume)) for volume in truth) < 1e-15
    np.testing.assert_allclose(found, [float(volume) for volume in truth], rtol=1e-7)
    assert (np.sign(found) == [(volume > 0) - (volume < 0) for volume in truth]).all()
    np.testing.assert_array_equal(triple(a, b, a), 0.0)
    np.testing.assert_array_equal(a * STEPS, np.rint(a * STEPS))


def test_a_line_that_meets_another_face_where_it_begins_does_not_tell():
    surface, shell = surface_and_shells(box((2, 2, 2)), box((1, 1, 1)))
    together = Placed(surface, None)  # not shifted: three walls lie in the same planes
    apart = Placed(surface, shell.astype(np.uint8))
    floor = int(np.flatnonzero((surface.vertices[surface.triangles][:, :, 2] == 0).all(axis=1) & (shell == 1))[0])
    corners = [0, 1, 2, 2]
    assert winding_in_front(together, floor, together.corners(np.array([floor]))[:, corners, 0]) is None
    assert winding_in_front(apart, floor, apart.corners(np.array([floor]))[:, corners, 0]) in (0, 1)


@pytest.mark.parametrize("seed", range(12 if THOROUGH else 3))
@pytest.mark.thorough
def test_all_faces_that_pass_through_those_of_another_shell_are_looked_at(seed):
    rng = np.random.default_rng(seed)
    ring, rod = torus(100, 50), prism(polygon(5, 0.2), -3.0, 3.0)
    meshes = [moved(mesh, rotation(rng), rng.uniform(-0.9, 0.9, 3)) for mesh in (ring, rod, ring, rod)]
    surface, label = surface_and_shells(*meshes)
    shell = label.astype(np.uint8)
    corners = Placed(surface, shell).corners(np.arange(len(shell)))
    crossing = np.concatenate([np.column_stack(pair) for pair in face_pairs(corners, 1e-12, shell)])
    assert len(crossing) > 100
    near = near_other_components(surface, shell)
    assert set(crossing.ravel().tolist()) <= set(near.tolist())
    assert len(near) < 0.7 * len(shell)
    looked_at = set(map(tuple, np.column_stack(pairs_between(corners, shell)).tolist()))
    assert set(map(tuple, np.sort(crossing).tolist())) <= looked_at


def test_a_box_there_twice_but_for_a_corner_drawn_to_the_next_is_one_without_columns(monkeypatch):
    monkeypatch.setattr(reading, "union_by_columns", never)
    vertices, triangles = joined(box(), box())
    found = measure_mesh(vertices, np.where(triangles == 7, 14, triangles))
    assert found.moments.volume == pytest.approx(1.0, rel=1e-8)
    assert found.error < 1e-8


def test_a_union_is_no_worse_far_from_the_origin():
    vertices, triangles, truth = boxes_and_union([((0, 0, 0), (4, 4, 4)), ((2, 3, 1), (5, 6, 7))])
    far = np.array([1e5, -2e5, 3e5])
    found = measure_mesh(vertices + far, triangles)
    assert true_error(found.moments, truth.transformed(np.eye(3), far)) <= found.error < 1e-8


@pytest.mark.thorough
def test_shells_alone_all_faces_and_another_thread_give_the_same(monkeypatch):
    one, other = torus(80, 40), moved(torus(80, 40), np.eye(3), (0.5, 0.3, 0.2))
    found = read_surface(Surface(*joined(one, other)), quick=True).found
    shells, faces = found.excess_of_components, found.excess
    assert true_error(shells.moments, faces.moments) < 1e-9
    monkeypatch.setattr("core.mesh.diagnose.DETAILS_BELOW", 1000)
    beside = read_surface(Surface(*joined(one, other)))
    assert "excess_of_components" in vars(beside.found)
    assert true_error(beside.found.excess_of_components.moments, shells.moments) == 0.0


PLATE, ROD = box((1.0, 1.0, 0.002)), box((0.003, 0.003, 3.0), (0.5, 0.5, -1.0))


def test_a_thin_rod_listed_twice_beside_an_overlap_that_no_column_sees_is_there_once():
    vertices, triangles = joined(PLATE, ROD)
    found = measure_mesh(vertices, np.concatenate([triangles, triangles[12:]]))
    assert found.moments.volume == pytest.approx(0.002 + 0.003**2 * 2.998, rel=1e-8)
    assert {finding.code for finding in found.findings} == {"duplicate_faces", "overlapping_shells"}


def test_faces_without_area_and_vertices_of_no_face_are_left_alone():
    vertices, triangles, truth = boxes_and_union([((0, 0, 0), (4, 4, 4)), ((2, 3, 1), (5, 6, 7))])
    far = np.vstack([vertices, np.full((3, 3), 50.0)])
    for odd in ([[0, 0, 1]], [[15, 15, 14]], [[8, 8, 8]]):
        found = measure_mesh(far, np.vstack([triangles, odd]))
        assert true_error(found.moments, truth) <= found.error < 1e-8


@pytest.mark.thorough
def test_vertices_of_no_face_far_away_do_not_hinder_the_search_of_many_faces():
    vertices, triangles = joined(torus(60, 30), moved(torus(60, 30), np.eye(3), (0.5, 0.3, 0.2)))
    plain = measure_mesh(vertices, triangles)
    for far in (1e3, -1e9):
        found = measure_mesh(np.vstack([vertices, [[far, 2 * far, -far]]]), triangles)
        assert true_error(found.moments, plain.moments) < 1e-9


@pytest.mark.thorough
def test_a_part_apart_from_one_that_overlaps_itself_is_no_trouble_to_another_thread(monkeypatch):
    monkeypatch.setattr("core.mesh.diagnose.DETAILS_BELOW", 10)
    one, twice = self_overlapping(3)
    mesh = joined(one, moved(torus(60, 30), np.eye(3), (20.0, 0.0, 0.0)))
    found = measure_mesh(*mesh)
    assert found.moments.volume == pytest.approx(mesh_moments(*mesh).volume - twice, rel=1e-8)


@pytest.mark.thorough
def test_two_fans_one_on_the_other_are_left_to_columns():
    one = prism(polygon(1200), 0.0, 1.0)
    found = measure_mesh(*joined(one, moved(one, rotation(np.random.default_rng(1)), (0.1, 0.0, 0.0))))
    assert found.error < 1e-4
    fans = joined(one, (one[0] * (0.99, 0.99, 1.0) + (0.1, 0.05, 0.0), one[1]))
    with pytest.raises(TooMuch):
        pairs_between(
            Placed(Surface(*fans), None).corners(np.arange(len(fans[1]))), np.repeat(np.arange(2), len(one[1]))
        )


def test_moments_of_an_excess_are_those_of_the_box_in_common():
    R = rotation(np.random.default_rng(2))
    meshes = [moved(box((3, 3, 3)), R, (0, 0, 0)), moved(box((3, 3, 3), (1, 2, 0.5)), R, (0, 0, 0))]
    found = excess(*surface_and_shells(*meshes))
    vertices, triangles = moved(box((2, 1, 2.5), (1, 2, 0.5)), R, (0, 0, 0))
    truth: Moments = mesh_moments(vertices, triangles)
    assert true_error(found.moments, truth) < 1e-9
    assert found.off < 1e-8
