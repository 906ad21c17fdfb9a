# SPDX-License-Identifier: GPL-3.0-or-later
"""Edges where shells touch or sheets meet: which faces belong together there, and which way round they are."""

from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest

from core import InertiaError, measure_mesh, mesh_moments
from core.mesh.faulty import faulty

from ....thorough import sample
from ...exact import assert_exact, assert_same, integrate
from ...solids import HOLLOW_CELLS, box, cells, inverted, joined, rotation, subdivided, unwelded
from ...solids.patchwork import quilt


def codes(measured):
    return {finding.code for finding in measured.findings}


def cut_box(low, high, side):
    """Return a box whose face at the low (0) or high (1) x is two rectangles, the others whole: T-junctions."""
    low, high = np.array(low, float), np.array(high, float)
    vertices, triangles = box(high - low, low)
    x = (low, high)[side][0]
    triangles = triangles[(vertices[triangles, 0] != x).any(axis=1)]
    middle = (low[2] + high[2]) / 2
    halves = []
    for bottom, top in ((low[2], middle), (middle, high[2])):
        corners = np.array([[x, low[1], bottom], [x, high[1], bottom], [x, high[1], top], [x, low[1], top]])
        halves.append((corners[:: 2 * side - 1], np.array([[0, 1, 2], [0, 2, 3]])))
    return joined((vertices, triangles), *halves)


@pytest.mark.parametrize("high", [(2, 2, 1), (1.5, 2, 1), (1.008, 3, 1), (1.001, 1.001, 1)])
def test_shells_with_t_junctions_that_touch_along_an_edge_stay_apart(high):
    # The long edge of either is whole in one face only, and so counts two faces, though they have nothing in common.
    one, other = cut_box((0, 0, 0), (1, 1, 1), 1), cut_box((1, 1, 0), high, 0)
    truth = mesh_moments(*box()) + mesh_moments(*box(np.subtract(high, (1, 1, 0)), (1, 1, 0)))
    vertices, triangles = joined(one, other)
    for seed in sample(range(4), 2):
        rng = np.random.default_rng(seed)
        turn, order = rotation(rng), rng.permutation(len(triangles))
        measured = measure_mesh(vertices @ turn.T, triangles[order])
        assert "t_junction" in codes(measured)
        assert not codes(measured) & {"inconsistent_winding", "inside_out"}
        assert measured.error == 0
        assert_same(measured.moments, truth.transformed(turn), 1e-12)


def test_the_edges_where_shells_with_t_junctions_touch_are_found():
    vertices, triangles = joined(cut_box((0, 0, 0), (1, 1, 1), 1), cut_box((1, 1, 0), (2, 2, 1), 0))
    ends = faulty(vertices, triangles, "t_junction").edges
    there = {tuple(sorted(map(tuple, vertices[pair].tolist()))) for pair in ends}
    along = {pair for pair in there if all(point[:2] == (1, 1) for point in pair)}
    assert along == {((1, 1, low), (1, 1, high)) for low, high in ((0, 1), (0, 0.5), (0.5, 1))}
    (finding,) = [found for found in measure_mesh(vertices, triangles).findings if found.code == "t_junction"]
    assert finding.message.startswith(f"{len(there)} edges")


@pytest.mark.parametrize("face", sample(range(28), 10))
def test_a_face_is_turned_where_shells_with_t_junctions_touch(face):
    vertices, triangles = joined(cut_box((0, 0, 0), (1, 1, 1), 1), cut_box((1, 1, 0), (2, 3, 1), 0))
    assert len(triangles) == 28
    (message,) = [found.message for found in measure_mesh(vertices, triangles).findings if found.code == "t_junction"]
    triangles[face] = triangles[face, ::-1]
    measured = measure_mesh(vertices, triangles)
    assert "inconsistent_winding" in codes(measured)
    assert measured.moments.volume == pytest.approx(3, rel=1e-12)
    assert f"measured as if corrected: {face};" in " ".join(finding.message for finding in measured.findings)
    assert message in {finding.message for finding in measured.findings}  # as many edges as without it


def test_a_face_that_repeats_at_a_t_junction_is_dropped():
    vertices, triangles = cut_box((0, 0, 0), (1, 1, 1), 1)
    assert len(triangles) == 14
    for face in range(14):
        measured = measure_mesh(vertices, np.vstack([triangles, triangles[face : face + 1]]))
        assert codes(measured) == {"duplicate_faces", "t_junction"}
        assert measured.moments.volume == pytest.approx(1, rel=1e-12)


@pytest.mark.fault(13)
@pytest.mark.parametrize("low", [(1, 1, 0), (1, 0, 0)], ids=["edge", "face"])
@pytest.mark.parametrize("seed", sample(range(20), 6))
def test_boxes_cut_at_random_that_touch_are_the_sum_of_both(low, seed):
    rng = np.random.default_rng(seed)
    vertices, triangles = joined(quilt((0, 0, 0), (1, 1, 1), rng), quilt(low, np.add(low, 1), rng))
    turn = rotation(rng)
    measured = measure_mesh(vertices @ turn.T, triangles)
    assert "t_junction" in codes(measured)
    assert not codes(measured) & {"inconsistent_winding", "inside_out"}
    truth = mesh_moments(*box()) + mesh_moments(*box(low=low))
    assert_same(measured.moments, truth.transformed(turn), 1e-12)


NARROW = np.array([[1, 7, 4], [2, 0, 6], [4, 6, 0], [5, 1, 5], [6, 5, 0], [7, 7, 9], [8, 5, 8]], float)
TETRAHEDRA = np.array(
    [
        *([3, 0, 4], [3, 4, 6], [3, 6, 0], [3, 0, 5], [5, 0, 1], [3, 5, 6], [5, 1, 6], [3, 6, 1], [2, 4, 0]),
        *([2, 0, 5], [5, 0, 6], [2, 5, 4], [5, 6, 4], [2, 0, 3], [2, 1, 0], [2, 3, 4], [3, 1, 4], [2, 4, 1]),
    ]
)
"""Tetrahedra in general position that share edges: of four faces and more at seven of them."""


@pytest.mark.parametrize("face", range(18))
def test_one_face_turned_beside_crowded_edges_is_the_one_read_turned(face):
    turned = TETRAHEDRA.copy()
    turned[face] = turned[face, ::-1]
    measured = measure_mesh(NARROW, turned)
    assert f": {face};" in measured.findings[0].message
    assert measured.method == "exact"
    assert_exact(measured.moments, integrate(NARROW, TETRAHEDRA))


def tetrahedra(rng):
    """Return what encloses some of the tetrahedra of a crooked grid, each cube cut into six along its diagonal."""
    side = int(rng.integers(2, 4))
    index = np.arange(side**3).reshape(side, side, side)
    vertices = np.array(list(product(range(side), repeat=3))) + rng.uniform(-0.1, 0.1, (side**3, 3))
    sides = {}
    share = rng.uniform(0.1, 0.9)
    for cell in product(range(side - 1), repeat=3):
        for order in permutations(range(3)):
            if rng.random() > share:
                continue
            steps = np.cumsum(np.vstack([cell, np.eye(3, dtype=int)[list(order)]]), axis=0)
            a, b, c, d = (int(index[tuple(step)]) for step in steps)
            if np.linalg.det(vertices[[b, c, d]] - vertices[a]) < 0:
                c, d = d, c
            for face in ((a, c, b), (a, b, d), (b, c, d), (a, d, c)):
                key = tuple(sorted(face))
                if sides.pop(key, None) is None:
                    sides[key] = face
    return vertices, np.array(list(sides.values()))


@pytest.mark.parametrize("seed", sample(range(60), 4))
@pytest.mark.parametrize("share", [0.0, 0.1, 0.3])
def test_sheets_that_meet_at_crowded_edges_enclose_what_lies_between_them(share, seed):
    rng = np.random.default_rng((seed, int(share * 10)))
    vertices, triangles = tetrahedra(rng)
    if not len(triangles):
        return
    turned = triangles.copy()
    which = rng.permutation(len(triangles))[: max(int(share * len(triangles)), share > 0)]
    turned[which] = turned[which, ::-1]
    try:
        measured = measure_mesh(vertices, turned)
    except InertiaError as error:  # what some of the faces say against the others is not always settled
        assert share == 0.3
        assert error.code in ("inconsistent_winding", "negative_winding")
        return
    exact = integrate(vertices, triangles)
    if share == 0.3 and abs(measured.moments.volume / float(exact.volume) - 1.0) > 1e-9:
        assert "inconsistent_winding" in codes(measured)  # too many disagree to be sure, which is reported
        return
    assert_exact(measured.moments, exact)


def two_bodies():
    """Return two bodies that are connected along a square, where either reaches 1 into the other."""
    square = np.array([[1, 0, 0], [0, 1, 0], [-1, 0, 0], [0, -1, 0]], float)
    around = np.array([[i, (i + 1) % 4] for i in range(4)])
    meshes = []
    for apex, up in ((2, True), (-1, False), (-2, False), (1, True)):
        faces = np.column_stack([around, np.full(4, 4 + len(meshes))])
        meshes.append((apex, faces if up else faces[:, ::-1]))
    vertices = np.vstack([square, [[0, 0, apex] for apex, _ in meshes]])
    return vertices, np.vstack([faces for _, faces in meshes])


def test_bodies_that_overlap_stay_two_with_one_face_turned():
    vertices, triangles = two_bodies()
    union = 2 * 4 / 3  # an octahedron of that base and height 4
    assert mesh_moments(vertices, triangles).volume == pytest.approx(2 * 2 * 3 / 3)
    for face in sample(range(len(triangles)), 6):
        turned = triangles.copy()
        turned[face] = turned[face, ::-1]
        measured = measure_mesh(vertices, turned)
        assert f"measured as if corrected: {face};" in measured.findings[0].message
        assert measured.method == "union"
        assert measured.moments.volume == pytest.approx(union, rel=1e-4)


def test_bodies_each_of_which_balances_with_a_face_turned_stay_two():
    # Two of the eight faces of the lens, each of another patch: turned back, all patches balance as they come.
    vertices, triangles = two_bodies()
    triangles[[4, 12]] = triangles[[4, 12], ::-1]
    measured = measure_mesh(vertices, triangles)
    assert "2 faces have flipped normals" in measured.findings[0].message
    assert measured.method == "union"
    assert measured.moments.volume == pytest.approx(2 * 4 / 3, rel=1e-4)


def test_of_two_equal_readings_the_one_without_overlap_wins():
    vertices, triangles = two_bodies()
    triangles[[4, 5, 12, 13]] = triangles[[4, 5, 12, 13], ::-1]
    measured = measure_mesh(vertices, triangles)
    assert measured.method == "exact"
    assert measured.moments.volume == pytest.approx(2 * 4 / 3 - 2 * 2 / 3, rel=1e-12)


@pytest.mark.parametrize("seed", sample(range(40), 8))
def test_a_cavity_with_half_of_its_faces_turned_is_within_the_error(seed):
    vertices, triangles = cells(HOLLOW_CELLS)
    turn = np.random.default_rng(seed).random(len(triangles)) < 0.45
    measured = measure_mesh(vertices, np.where(turn[:, None], triangles[:, ::-1], triangles))
    assert "inconsistent_winding" in codes(measured)
    assert measured.moments.volume == pytest.approx(len(HOLLOW_CELLS), rel=max(measured.error, 1e-12))


@pytest.mark.parametrize("seed", sample(range(10), 3))
def test_an_inner_shell_is_what_most_of_its_faces_say(seed):
    solid, cavity = joined(box((3, 3, 3)), box(low=(1, 1, 1))), joined(box((3, 3, 3)), inverted(box(low=(1, 1, 1))))
    for mesh, volume in ((solid, 27), (cavity, 26)):
        vertices, triangles = subdivided(mesh)
        turn = np.random.default_rng(seed).random(len(triangles)) < 0.15
        assert turn.any()
        measured = measure_mesh(vertices, np.where(turn[:, None], triangles[:, ::-1], triangles))
        assert codes(measured) == {"inconsistent_winding", "overlapping_shells" if volume == 27 else "cavity"}
        assert measured.moments.volume == pytest.approx(volume, rel=1e-12)


def test_an_inner_shell_whose_faces_disagree_adds_to_the_error():
    vertices, triangles = joined(box((3, 3, 3)), box(low=(1, 1, 1)))
    triangles[[12, 14, 19, 20]] = triangles[[12, 14, 19, 20], ::-1]
    measured = measure_mesh(vertices, triangles)
    assert 1 / 26 <= measured.error < 0.2
    thick = box((2.9, 2.9, 2.9), (0.05, 0.05, 0.05))
    vertices, triangles = joined(box((3, 3, 3)), thick)
    triangles[[12, 14, 19, 20]] = triangles[[12, 14, 19, 20], ::-1]
    with pytest.raises(InertiaError, match="uncertain which of 1 loose part") as error:
        measure_mesh(vertices, triangles)
    assert error.value.code == "inconsistent_winding"


@pytest.mark.parametrize("wall", sample([5e-7, 1e-5, 1e-6, 1e-7, 1e-9], 2))
@pytest.mark.parametrize("disguise", [lambda mesh: mesh, subdivided, unwelded], ids=["plain", "fine", "soup"])
def test_a_cavity_behind_a_wall_thinner_than_a_welding_cell_is_a_cavity(wall, disguise):
    outer, inner = disguise(box()), disguise(inverted(box((1 - 2 * wall,) * 3, (wall,) * 3)))
    turn = rotation(np.random.default_rng(0))
    for vertices, triangles in (joined(outer, inner), joined(inner, outer)):
        for there in (vertices, vertices @ turn.T):
            measured = measure_mesh(there, triangles)
            assert codes(measured) & {"cavity"}
            assert not codes(measured) & {"inside_out", "overlapping_shells"}
            assert measured.method == "exact"
            true = float(1 - (1 - 2 * Fraction(wall)) ** 3)
            assert measured.moments.volume == pytest.approx(true, rel=1e-14 / wall)


@pytest.mark.parametrize("gap", [0.0, 1e-9, 5e-7])
def test_a_box_beside_another_is_not_inside_it_however_near(gap):
    measured = measure_mesh(*joined(box(), box(low=(1 + gap, 0, 0))))
    assert codes(measured) <= {"touching_shells"}
    assert measured.moments.volume == pytest.approx(2, rel=1e-14)
