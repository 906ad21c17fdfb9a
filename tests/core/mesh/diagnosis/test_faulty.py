# SPDX-License-Identifier: GPL-3.0-or-later
"""What a finding counts can be found again: just those faces, edges and vertices, and nothing on a good mesh."""

from itertools import combinations, product

import numpy as np
import pytest

from core import check_mesh, measure_mesh
from core.errors import InertiaError
from core.mesh.faulty import SELECTABLE, faulty

from ...solids import box, cells, inverted, joined, unwelded
from ...solids.awkward import doubled, turned, without

VERTICES, TRIANGLES = box()


def edges_of(found):
    return {frozenset(pair) for pair in found.edges.tolist()}


def codes(vertices, triangles):
    return {finding.code for finding in check_mesh(vertices, triangles)}


@pytest.mark.parametrize("code", sorted(SELECTABLE))
def test_nothing_is_found_on_a_good_mesh(code):
    assert not faulty(VERTICES, TRIANGLES, code).found


@pytest.mark.parametrize("split", [False, True])
def test_the_rim_of_a_hole_is_found(split):
    mesh = VERTICES, TRIANGLES[1:]
    vertices, triangles = unwelded(mesh) if split else mesh
    assert "open_mesh" in codes(vertices, triangles)
    found = faulty(vertices, triangles, "open_mesh")
    places = {frozenset(map(tuple, vertices[list(pair)])) for pair in edges_of(found)}
    a, b, c = VERTICES[TRIANGLES[0]].tolist()
    assert places == {frozenset(map(tuple, pair)) for pair in ((a, b), (b, c), (c, a))}
    assert not len(found.faces) and not len(found.vertices)


CUBE, TWO = (VERTICES, TRIANGLES), joined(box(), inverted(box(low=(3, 0, 0))))
MIDDLE = np.vstack([VERTICES, [VERTICES[TRIANGLES[0][:2]].mean(axis=0)]])
A, B, C = TRIANGLES[0]
SLIVER = MIDDLE, np.vstack([TRIANGLES[1:], [[A, 8, C], [8, B, C], [A, B, 8]]])


@pytest.mark.parametrize(
    ("mesh", "code", "faces"),
    [
        (without(turned(CUBE, 3), 11), "inconsistent_winding", [3]),
        (doubled(CUBE, 0), "duplicate_faces", [12]),
        (turned(CUBE, 5), "inconsistent_winding", [5]),
        (inverted(CUBE), "inside_out", range(12)),
        (TWO, "inside_out", range(12, 24)),
        (SLIVER, "degenerate_faces", [13]),
        (turned(CUBE, 2, 7, 8), "inconsistent_winding", [2, 7, 8]),
    ],
)
def test_just_the_faces_of_a_finding_are_found(mesh, code, faces):
    # An open mesh is refused as such; its turned faces can still be asked for.
    assert code in codes(*mesh) or "open_mesh" in codes(*mesh)
    assert faulty(*mesh, code).faces.tolist() == list(faces)
    assert faulty(*mesh, "open_mesh").found == ("open_mesh" in codes(*mesh))


def test_of_all_triangles_in_a_grid_those_on_its_lines_have_no_area():
    grid = np.array(list(product((1, 2, 3), repeat=3)))
    triangles = np.array(list(combinations(range(27), 3)))
    a, b, c = grid[triangles].transpose(1, 0, 2)
    on_a_line = np.flatnonzero((np.cross(b - a, c - a) == 0).all(axis=1))  # integers: nothing is rounded
    assert len(on_a_line) == (5**3 - 3**3) // 2  # each line leads to two cells of the layer around the grid
    assert faulty(grid.astype(float), triangles, "degenerate_faces").faces.tolist() == on_a_line.tolist()


def test_a_shell_that_is_swallowed_is_found():
    mesh = joined(box((3, 3, 3)), box(low=(1, 1, 1)))
    assert "overlapping_shells" in codes(*mesh)
    assert faulty(*mesh, "overlapping_shells").faces.tolist() == list(range(12, 24))


def test_faces_back_to_back_are_found():
    # A box and its mirror image beside it, each with its own wall: four triangles between them.
    vertices = np.vstack([VERTICES, VERTICES * [-1, 1, 1] + [2, 0, 0]])
    triangles = np.vstack([TRIANGLES, TRIANGLES[:, ::-1] + len(VERTICES)])
    assert "inner_walls" in codes(vertices, triangles)
    found = faulty(vertices, triangles, "inner_walls")
    assert (vertices[triangles[found.faces]][:, :, 0] == 1.0).all()
    assert len(found.faces) == 4


def test_the_edges_of_a_t_junction_are_found():
    # A corner in the middle of an edge, on one side of it only.
    edge = frozenset(TRIANGLES[0][:2].tolist())
    a, b, c = TRIANGLES[0]
    vertices = np.vstack([VERTICES, [VERTICES[[a, b]].mean(axis=0)]])
    triangles = np.vstack([TRIANGLES[1:], [[a, 8, c], [8, b, c]]])
    assert "t_junction" in codes(vertices, triangles)
    assert edges_of(faulty(vertices, triangles, "t_junction")) == {edge, frozenset({a, 8}), frozenset({8, b})}
    assert not faulty(vertices, triangles, "open_mesh").found


def test_edges_of_three_fins_are_found():
    # Two boxes that share an edge: four faces meet there.
    vertices, triangles = cells({(0, 0, 0), (1, 1, 0)})
    found = faulty(vertices, triangles, "non_manifold_edges")
    (edge,) = edges_of(found)
    assert (vertices[list(edge)][:, :2] == 1.0).all()


def test_a_vertex_that_is_nowhere_is_found():
    vertices = VERTICES.copy()
    vertices[6, 1] = np.nan
    with pytest.raises(InertiaError, match="not_finite"):
        measure_mesh(vertices, TRIANGLES)
    assert faulty(vertices, TRIANGLES, "not_finite").vertices.tolist() == [6]
    assert not faulty(vertices, TRIANGLES, "open_mesh").found


@pytest.mark.parametrize("shift", [(0.5, 0.4, 0.3), (0.5, 0.0, 0.0)])
def test_the_faces_of_an_overlap_are_found_with_walls_in_one_plane(shift):
    vertices = np.vstack([VERTICES, VERTICES + shift, VERTICES + 5])
    triangles = np.vstack([TRIANGLES, TRIANGLES + 8, TRIANGLES + 16])
    assert "overlapping_shells" in codes(vertices, triangles)
    found = faulty(vertices, triangles, "overlapping_shells").faces
    assert {*found.tolist()} & {*range(12)} and {*found.tolist()} & {*range(12, 24)}
    assert (found < 24).all()
