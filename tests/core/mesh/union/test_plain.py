# SPDX-License-Identifier: GPL-3.0-or-later
"""A surface is plain where two faces meet at each edge and none is there twice: told as by a list of all edges."""

from collections import Counter

import numpy as np
import pytest

from core import InertiaError, measure_mesh
from core.mesh.topology import plain as table
from core.mesh.topology.plain import plain

from ....thorough import many, sample
from ...exact import true_error
from ...solids import box, inverted, joined, rotation, shuffled, subdivided, torus, unwelded
from ...solids.awkward import doubled, welded
from ...solids.overlapping import arranged, built, filled, wound
from ...solids.patchwork import tetrahedra


def plain_by_lists(triangles):
    sides = Counter(tuple(sorted((f[i], f[i - 1]))) for f in triangles.tolist() for i in range(3))
    faces = Counter(tuple(sorted(f)) for f in triangles.tolist())
    solid = all(len(set(f)) == 3 for f in triangles.tolist())
    return solid and set(sides.values()) == {2} and set(faces.values()) == {1}


def is_plain(mesh, parts=None):
    return plain(np.asarray(mesh[1], dtype=np.int64), len(mesh[0]), None if parts is None else lambda: parts)


@pytest.mark.parametrize("size", [(12, 6), many((120, 60), (40, 20))])
def test_a_ring_is_plain_in_any_order(size):
    for mesh in (torus(*size), shuffled(torus(*size), np.random.default_rng(1)), joined(torus(*size), torus(*size))):
        assert is_plain(mesh) and plain_by_lists(mesh[1])


def test_tetrahedra_that_share_corners_edges_and_walls_are_plain_as_by_lists():
    said = Counter()
    for seed in range(many(200, 40)):
        vertices, triangles, _ = tetrahedra(seed)
        for count in (4, 8, len(triangles)):
            said[is_plain((vertices, triangles[:count]))] += 1
            assert is_plain((vertices, triangles[:count])) == plain_by_lists(triangles[:count])
    assert min(said[True], said[False]) > many(150, 30)


BOX = subdivided(subdivided(box()))
NOT_PLAIN = {
    "all there twice": (BOX[0], np.concatenate([BOX[1], BOX[1]])),
    "a face there both ways": doubled(doubled(BOX, 7), 7, reverse=True),
    "a pillow beside it": (BOX[0], np.concatenate([BOX[1], [[1, 2, 3], [1, 3, 2]]])),
    "a face without area": (BOX[0], np.concatenate([BOX[1], [[5, 5, 6]]])),
    "blocks that share an edge": welded(joined(box(), box(low=(1, 1, 0)))),
    "blocks that share a wall": welded(joined(box(), box(low=(1, 0, 0)))),
}


@pytest.mark.parametrize("mesh", NOT_PLAIN.values(), ids=NOT_PLAIN)
def test_what_is_not_plain_is_told_wherever_it_is_listed(mesh):
    for seed in range(5):
        assert not is_plain(shuffled(mesh, np.random.default_rng(seed)))
    assert not is_plain(joined(mesh, torus(20, 10)))
    assert not is_plain((np.vstack([mesh[0], np.zeros((3, 3))]), mesh[1]))  # with vertices of no face


def test_no_faces_are_plain():
    assert is_plain((np.zeros((0, 3)), np.zeros((0, 3), dtype=int)))


def test_what_shares_few_places_is_plain_all_the_same(monkeypatch):
    monkeypatch.setattr(table, "PLACES", 0)  # about six sides to a place
    assert is_plain(BOX)
    assert not any(is_plain(mesh) for mesh in NOT_PLAIN.values())


@pytest.mark.parametrize("places", [0, 3])
def test_parts_that_share_corners_only_hang_together_by_points_and_not_by_edges(places, monkeypatch):
    monkeypatch.setattr(table, "PLACES", places)
    row = [subdivided(box(low=(i, i, i))) for i in range(4)]
    for seed in range(5):
        rng = np.random.default_rng(seed)
        ring, chain, apart = (shuffled(mesh, rng) for mesh in (torus(40, 20), welded(joined(*row)), joined(*row)))
        assert is_plain(ring, 1) and is_plain(chain) and not is_plain(chain, 1)
        assert is_plain(chain, 4) and is_plain(apart, 4)


@pytest.mark.parametrize(("overlap", "large"), [(True, False), (True, True), (False, False)])
def test_a_thin_shell_inside_out_that_hangs_on_a_corner_is_turned(overlap, large, monkeypatch):
    if large:
        monkeypatch.setattr("core.mesh.diagnose.DETAILS_BELOW", 10)
    first, second = box((2, 2, 2)), box((2, 2, 2), (1, 1.1, 1.2) if overlap else (1, 1.1, 2.2))
    thin = inverted(box((1, 0.052, 1), (8, 7, 8)))  # thinner than a column: only the nesting of shells tells
    chain = welded(joined(box((1, 1, 1), (7, 6, 7)), thin, box((1, 1.8, 1), (9, 7.052, 9))))
    vertices, triangles = joined(first, second, chain)
    assert len(vertices) == 38
    found = measure_mesh(vertices, triangles)
    assert found.moments.volume == pytest.approx(16 - 0.9 * 0.8 * overlap + 1 + 0.052 + 1.8, rel=1e-8)
    assert {finding.code for finding in found.findings} >= {"inside_out", "touching_shells"}
    assert found.method == ("union" if overlap else "exact")


@pytest.fixture
def as_if_large(monkeypatch):
    monkeypatch.setattr("core.mesh.diagnose.DETAILS_BELOW", 10)
    monkeypatch.setattr("core.mesh.topology.single_patches.MANY", 10)
    monkeypatch.setattr("core.mesh.union.between.MANY", 10)
    monkeypatch.setattr("core.mesh.diagnosis.side_by_side.LARGE", 10)


WAYS = {"corners shared": welded, "no corner shared": lambda mesh: mesh, "soup": unwelded}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("seed", sample(range(300), 3))
def test_boxes_as_a_large_mesh_are_the_cells_that_are_wound_around_or_refused(seed, way, as_if_large):
    rng = np.random.default_rng(seed)
    boxes = arranged(rng)
    low, high, winding = wound(boxes)
    vertices, triangles = way(joined(*built(boxes, rng.integers(0, 3))))
    turn = rotation(rng) if rng.random() < 0.3 else np.eye(3)
    try:
        found = measure_mesh(vertices @ turn.T, triangles)
    except InertiaError as error:
        assert error.code == "negative_winding"
        assert winding.min() < 0
        return
    assert winding.min() >= 0
    assert true_error(found.moments, filled(low, high, winding > 0).transformed(turn)) <= max(found.error, 1e-12)


@pytest.mark.parametrize(
    "low, common",
    [((0.5, 0.5, 0.25), 0.1875), ((1, 1, 1), 0.0), ((1, 0.5, 0), 0.0), ((0, 0, 0), 1.0)],
    ids=["a corner in it", "a corner in common", "half a wall", "there twice"],
)
@pytest.mark.parametrize("way", sample(list(WAYS), 2))
def test_shells_beside_an_overlap_are_united_whatever_they_share(low, common, way, as_if_large):
    pair = joined(torus(40, 20), (torus(40, 20)[0] + (0.5, 0.3, 0.2), torus(40, 20)[1]))
    cubes = joined(subdivided(box()), subdivided(box(low=low)))
    alone = measure_mesh(*pair).moments.volume
    found = measure_mesh(*WAYS[way](joined(pair, (cubes[0] + 9.0, cubes[1]))))
    assert found.moments.volume == pytest.approx(alone + 2.0 - common, rel=max(found.error, 1e-12))
    assert found.error < 1e-4
    assert "overlapping_shells" in {finding.code for finding in found.findings}
