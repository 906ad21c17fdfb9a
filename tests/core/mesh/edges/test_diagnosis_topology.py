# SPDX-License-Identifier: GPL-3.0-or-later
"""Points, edges, loops and shells: each found as counted by hand."""

import numpy as np
import pytest

from core import InertiaError, check_mesh, measure_mesh
from core.mesh import surface
from core.mesh.topology import connected as links
from core.mesh.topology import edges
from core.mesh.topology import orientation as components
from core.mesh.topology.connected import connected

from ...solids import box, cells, frustum, grid, joined, rotation, shuffled, subdivided, unwelded
from ...solids.awkward import welded


def codes(mesh):
    return [finding.code for finding in check_mesh(*mesh)]


BALL = frustum()


@pytest.mark.parametrize("mesh", [BALL, unwelded(BALL), shuffled(unwelded(BALL), np.random.default_rng(1))])
def test_closed_open_and_turned_are_distinguished(mesh):
    assert codes(mesh) == []
    turned = mesh[1].copy()
    turned[17] = turned[17, ::-1]
    assert codes((mesh[0], turned)) == ["inconsistent_winding"]
    assert codes((mesh[0], mesh[1][1:])) in (["open_mesh"], ["small_holes"])


def test_minus_zero_and_zero_are_one_point():
    vertices, triangles = unwelded(box((1, 1, 1), (0, 0, 0)))
    vertices[::2][vertices[::2] == 0] = -0.0
    assert np.signbit(vertices).any()
    assert codes((vertices, triangles)) == []


@pytest.mark.parametrize("block", [1, 2, links.BLOCK])
@pytest.mark.parametrize("count", [1, 5, 300])
def test_components_are_those_of_a_plain_search(count, block, monkeypatch):
    monkeypatch.setattr(links, "BLOCK", block)
    rng = np.random.default_rng(count)
    a, b = rng.integers(0, count, (2, count // 2))
    label = connected(a, b, count)
    plain = list(range(count))
    for _ in range(count):
        for x, y in zip(a.tolist(), b.tolist(), strict=True):
            plain[x] = plain[y] = min(plain[x], plain[y])
    assert label.tolist() == plain


def test_a_long_chain_is_one_component_however_it_is_numbered():
    order = np.random.default_rng(0).permutation(20_000)
    assert not connected(order[1:], order[:-1], len(order)).any()


def refusal(mesh):
    with pytest.raises(InertiaError) as error:
        measure_mesh(*mesh)
    return error.value


def test_boundary_loops_are_counted_with_their_sizes():
    vertices, triangles = cells(grid(4, 3, 2))
    centres = vertices[triangles].mean(axis=1)
    top = (centres[:, 2] == 2) & (centres[:, 0] < 1) & (centres[:, 1] < 1)
    side = (centres[:, 0] == 4) & (centres[:, 1] > 1)
    assert (top.sum(), side.sum()) == (2, 8)
    error = refusal((vertices, triangles[~(top | side)]))
    assert error.code == "open_mesh"
    assert error.message.startswith("the mesh is not closed: 12 edges have only one face, in 2 loops (8, 4 edges)")


def test_an_open_edge_is_one_however_many_corners_lie_on_it():
    # A roof in the middle of a wall's top: of the five pieces of that, the two beside the roof are open.
    wall, x = [[-1, 0, 0], [4, 0, 0], [4, 0, 1], [-1, 0, 1]], [0, 1, 2, 3]
    vertices = np.array([*wall, *([i, 0, 1] for i in x), *([i, 1, 1] for i in x)], float)
    roof = [face for i in range(4, 7) for face in ([i, i + 1, i + 4], [i + 1, i + 5, i + 4])]
    triangles = np.array([[0, 1, 2], [0, 2, 3], *roof])
    wider = refusal((vertices, triangles)).message
    assert ": 9 edges have" in wider, wider
    vertices[[2, 3]] = vertices[[7, 4]]  # where the wall is no wider than its roof, its top is closed
    as_wide = refusal((vertices, triangles)).message
    assert ": 8 edges have" in as_wide, as_wide


def test_the_faces_to_turn_are_listed():
    triangles = BALL[1].copy()
    triangles[[3, 40, 41]] = triangles[[3, 40, 41], ::-1]
    (finding,) = measure_mesh(BALL[0], triangles).findings
    assert (finding.severity, finding.code) == ("warning", "inconsistent_winding")
    start = "3 faces have flipped normals; they were measured as if corrected: 3, 40, 41; the volume is "
    assert finding.message.startswith(start) and ", not " in finding.message


def test_a_t_junction_cut_at_several_corners_closes():
    # One long edge meets eight short ones.
    fine = cells(grid(8, 8, 8), (0.125,) * 3)
    coarse = box(low=(1, 0, 0))
    faces = [mesh[1][~(mesh[0][mesh[1], 0] == 1).all(axis=1)] for mesh in (fine, coarse)]
    vertices, triangles = joined((fine[0], faces[0]), (coarse[0], faces[1]))
    turn = rotation(np.random.default_rng(2))
    for mesh in ((vertices, triangles), (vertices @ turn.T, triangles), ((vertices).astype(np.float32), triangles)):
        measured = measure_mesh(*mesh)
        assert [finding.code for finding in measured.findings] == ["t_junction"]
        assert measured.moments.volume == pytest.approx(2, rel=1e-12)


@pytest.mark.parametrize("far", [0, 60, 1000, 3000])
def test_a_t_junction_is_closed_however_coarse_float32_is_there(far):
    coarse, fine = box(), cells(grid(1, 2, 2), (1, 0.5, 0.5), low=(1, 0, 0))
    wall = [mesh[1][~(abs(mesh[0][mesh[1], 0] - 1) < 0.01).all(axis=1)] for mesh in (coarse, fine)]
    vertices, triangles = joined((coarse[0], wall[0]), (fine[0], wall[1]))
    for seed in range(5):
        moved = vertices @ rotation(np.random.default_rng(seed)).T + far
        measured = measure_mesh(moved.astype(np.float32), triangles)
        assert "t_junction" in {found.code for found in measured.findings}
        assert measured.moments.volume == pytest.approx(2, rel=1e-5 + 3e-7 * far)


def test_a_gap_beside_a_t_junction_is_a_hole():
    fine = cells(grid(2, 2, 2), (0.5,) * 3)
    coarse = box(low=(1.001, 0, 0))
    faces = [mesh[1][~(abs(mesh[0][mesh[1], 0] - 1) < 0.01).all(axis=1)] for mesh in (fine, coarse)]
    assert refusal(joined((fine[0], faces[0]), (coarse[0], faces[1]))).code == "open_mesh"


def test_a_mesh_of_several_blocks_is_closed_across_them():
    mesh = shuffled(subdivided(subdivided(BALL)), np.random.default_rng(3))
    assert len(mesh[1]) > surface.BLOCK
    assert codes(mesh) == []


@pytest.mark.parametrize("seed", range(10))
def test_faces_turned_at_random_are_those_to_turn_back(seed):
    rng = np.random.default_rng(seed)
    vertices, triangles = joined(BALL, box(low=(2, 0, 0)))
    count = len(BALL[1])
    turned = rng.random(len(triangles)) < seed / 25
    turned[count:] = rng.permutation(12) < 5
    points = np.where(turned[:, None], triangles[:, ::-1], triangles).astype(np.int64)
    sheet, found = components.patches(edges.Edges.around(points, np.arange(len(points))), len(points))
    assert sheet.tolist() == [0] * count + [count] * 12
    assert found.tolist() == turned.tolist()


@pytest.mark.parametrize("which", [[1], [0, 1]])
def test_sheets_that_meet_four_at_an_edge_are_turned_as_one(which):
    # Two cubes on one wall with its corners shared, that wall there twice and cut along unlike diagonals: four sheets.
    vertices, triangles = welded(joined(box(), box(low=(1, 0, 0))))
    walls = (vertices[triangles, 0] == 1).all(axis=1)
    sheets = [np.flatnonzero(walls)[:2], np.flatnonzero(~walls)[-10:]]
    turned = triangles.copy()
    for sheet in which:
        turned[sheets[sheet]] = turned[sheets[sheet], ::-1]
    measured = measure_mesh(vertices, turned)
    assert measured.findings[0].code == "inconsistent_winding"
    assert measured.moments.volume == pytest.approx(2, rel=1e-14)


@pytest.mark.parametrize("step", [1, -1, 7])
def test_a_star_is_one_component_in_whatever_order_its_rays_come(step):
    rays = np.arange(5000)[::step]
    label = connected(np.full(len(rays), 5000), rays, 5001)
    assert (label[rays] == 0).all() and label[5000] == 0
