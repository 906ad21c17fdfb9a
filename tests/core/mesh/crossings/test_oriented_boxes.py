# SPDX-License-Identifier: GPL-3.0-or-later
"""Faces are told apart by a tree of oriented boxes as by comparing all with all, and fans of needles in less time."""

from itertools import combinations

import numpy as np
import pytest

from core import check_mesh
from core.mesh.diagnosis.crossings import crossing_pairs
from core.mesh.geometry import crossing_faces, oriented_boxes
from core.mesh.geometry.crossing_faces import deeper, face_pairs
from core.mesh.surface import Surface
from core.mesh.topology.merging import merging_size

from ....thorough import many
from ...rational import HAIR, judge, triangles
from ...solids import rotation
from ...solids.fans import FANS, cone

SEEDS = range(many(12, 1))


@pytest.fixture
def by_tree(monkeypatch):
    """Any faces are compared by the tree, whether or not it pays."""
    monkeypatch.setattr(crossing_faces, "CROWDED", -1)
    monkeypatch.setattr(oriented_boxes, "MOST", np.inf)
    monkeypatch.setattr(crossing_faces.ManyBoxes, "pairs", None)  # type: ignore[attr-defined]


def pairs(faces, least, side=None):
    """Return the pairs of faces (k, 3, 3) that are deeper in each other, sorted; none is there twice."""
    corners = np.array(faces, dtype=float).transpose(2, 1, 0)
    found = [pair for block in face_pairs(corners, least, side) for pair in np.sort(block, axis=0).T.tolist()]
    assert len({*map(tuple, found)}) == len(found)
    return sorted(found)


def soup(rng):
    return triangles(rng, 60, 5)


def fan(rng):
    """Faces in a row around one corner, each sharing a side with the next, that turn and fold at random."""
    rim = rng.integers(-4, 5, (61, 3)).tolist()
    faces = [[[0, 0, 0], *two] for two in zip(rim, rim[1:], strict=False)]
    return [face for face in faces if np.cross(face[1], face[2]).any()]


def two_fans(rng):
    """Fans from two corners that pass through each other."""
    return fan(rng)[:40] + (np.array(fan(rng)[:40]) + [1, 0, 0]).tolist()


def star(rng):
    """A fan that goes round its apex three times, and up and down as it does."""
    angle = np.arange(61) / 20 * 2 * np.pi
    rim = np.column_stack([40 * np.cos(angle), 40 * np.sin(angle), 20 + rng.integers(-9, 10, 61)]).round().astype(int)
    return [[[0, 0, 0], *two] for two in zip(rim.tolist(), rim[1:].tolist(), strict=False)]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", [soup, fan, two_fans, star])
def test_pairs_that_cross_are_those_of_rational_arithmetic(kind, seed, by_tree):
    rng = np.random.default_rng(seed)
    faces = kind(rng)
    truth = [list(pair) for pair in combinations(range(len(faces)), 2) if judge(*(faces[k] for k in pair))[1]]
    assert len(truth) > 10
    side = rng.random(len(faces)) < 0.5
    across = [pair for pair in truth if side[pair[0]] != side[pair[1]]]
    for A in (np.eye(3), rotation(rng)):
        turned = np.array(faces) @ A.T + 7.0
        assert pairs(turned, HAIR) == truth
        assert pairs(turned, HAIR, side) == across


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("kind", [soup, fan])
def test_pairs_that_touch_are_found_where_they_are_asked_for(kind, seed, by_tree):
    faces = kind(np.random.default_rng(seed))
    truth = [list(pair) for pair in combinations(range(len(faces)), 2) if judge(*(faces[k] for k in pair))[0]]
    one, other = (np.array(faces, dtype=float)[list(side)].transpose(2, 1, 0) for side in zip(*truth, strict=True))
    assert len(deeper(one, other, -HAIR)) == len(truth) > 100
    assert {*map(tuple, truth)} <= {*map(tuple, pairs(faces, -HAIR))}


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_few_faces_are_compared_too(count, by_tree):
    walls = np.array([[(0, 0, 0), (9, 0, 0), (0, 9, 0)], [(1, 1, -1), (2, 1, 1), (1, 2, 1)]])
    faces = [walls[k % 2] + [0, 0, 4 * (k // 2)] for k in range(count)]
    assert pairs(faces, HAIR) == [[k, k + 1] for k in range(0, count - 1, 2)]


@pytest.mark.parametrize("depth, found", [(1e-2, True), (1e-5, True), (1e-6, False)])
@pytest.mark.parametrize("turned", [False, True])
def test_a_blade_bent_through_others_of_its_fan_is_found(depth, found, turned, by_tree):
    # It leaves the flat fan at the apex, one corner below it and one above.
    vertices, faces = cone(40, 0.0)
    faces = vertices[faces[:40]]
    blade = [(0.0, 0.0, 0.0), (0.6, 0.1, -depth), (0.9, 0.03, 2 * depth)]
    faces = np.vstack([faces, [blade]]) @ (rotation(np.random.default_rng(6)) if turned else np.eye(3)).T
    one, other = np.triu_indices(41, 1)
    corners = faces.transpose(2, 1, 0)
    kept = deeper(corners[:, :, one], corners[:, :, other], 4e-6)
    assert bool(len(kept)) == found
    assert pairs(faces, 4e-6) == np.column_stack([one, other])[kept].tolist()


def test_two_faces_of_a_fan_may_be_deeper_in_each_other_than_a_side_is_in_the_box_of_the_other(by_tree):
    wall = [(0, 0, 0), (2, -1, 0), (2, 1, 0)]
    blade = [(0, 0, 0), (1.95, 0, -1), (1.95, 0, 1)]  # cuts the wall all along, and ends 0.05 before it
    for A in (np.eye(3), rotation(np.random.default_rng(6))):
        assert pairs(np.array([wall, blade]) @ A.T, 0.3) == [[0, 1]]
        assert pairs(np.array([wall, blade]) @ A.T, 1.0) == []


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("name", FANS)
@pytest.mark.thorough
def test_twice_as_many_needles_take_little_more_than_twice_the_work(name, turned, monkeypatch):
    monkeypatch.setattr(crossing_faces.ManyBoxes, "pairs", None)  # type: ignore[attr-defined]
    work = []
    for place, compare in (oriented_boxes, oriented_boxes._deeper), (crossing_faces, crossing_faces._deeper):

        def counted(*args, compare=compare):
            work[-1] += args[1].shape[-1]
            return compare(*args)

        monkeypatch.setattr(place, "_deeper", counted)
    A = rotation(np.random.default_rng(1)) if turned else np.eye(3)
    for count in (1000, 2000, 4000):
        work.append(0)
        vertices, faces = FANS[name](count)
        one, _ = crossing_pairs(Surface(vertices @ A.T, faces))
        assert not len(one)
        assert 0 < work[-1] < 100 * len(faces)
    assert work[2] < 2.5 * work[1] < 2.5**2 * work[0]


@pytest.mark.thorough
def test_a_heap_of_faces_that_meet_is_left_to_the_grids(monkeypatch):
    rng = np.random.default_rng(2)
    heap = rng.random((3, 3, 2000))
    vertices, faces = cone(1000)
    assert oriented_boxes.oriented_box_pairs(vertices[faces].transpose(2, 1, 0), 1e-6) is not None
    assert oriented_boxes.oriented_box_pairs(heap, 1e-6) is None
    found = sum(len(one) for one, _ in face_pairs(heap, 1e-6))
    monkeypatch.setattr(crossing_faces, "CROWDED", np.inf)
    assert found == sum(len(one) for one, _ in face_pairs(heap, 1e-6)) > 10000


@pytest.mark.parametrize("name", FANS)
@pytest.mark.thorough
def test_a_fan_with_one_corner_pulled_through_it_is_told_with_the_right_faces(name):
    vertices, faces = FANS[name](1500)
    assert not len(crossing_pairs(Surface(vertices, faces))[0])
    assert "crossing_faces" not in {finding.code for finding in check_mesh(vertices, faces)}
    bent = vertices.copy()
    bent[100] = (-0.6, -0.5, -0.1)
    surface = Surface(bent, faces)
    found = {frozenset(pair) for pair in np.column_stack(crossing_pairs(surface)).tolist()}
    corners = bent[faces].transpose(2, 1, 0)
    truth = set()
    for face in np.flatnonzero((faces == 100).any(axis=1)).tolist():  # all others are as they were
        kept = deeper(np.repeat(corners[:, :, face, None], len(faces), axis=2), corners, merging_size(surface))
        truth |= {frozenset((face, crossed)) for crossed in kept.tolist() if crossed != face}
    assert found == truth
    assert len(found) > 20
