# SPDX-License-Identifier: GPL-3.0-or-later
"""Close faces of a heap or a fan are found as by comparing all with all; where that takes too long, a finding."""

from itertools import combinations

import numpy as np
import pytest

from core import InertiaError, check_mesh, measure_mesh
from core.mesh.diagnosis.crossings import crossing_pairs
from core.mesh.surface import Surface
from core.mesh.topology import crossing_faces, nesting
from core.mesh.topology.crossing_faces import face_pairs
from core.mesh.topology.merging import merging_size

from ....thorough import many
from ...rational import HAIR, judge, triangles
from ...solids import box, joined, rotation
from ...solids.fans import FANS, cone

SEEDS = range(many(12, 1))

CROSS = [box(size, -np.array(size) / 2.0) for size in ((1.0, 1.0, 1.0), (0.5, 0.5, 3.0), (0.2, 0.2, 0.2))]
"""A block, a bar through it, and a small box inside both: 1.5 m³ together."""


def pairs(faces, least, side=None):
    """Return the pairs of faces (k, 3, 3) that are deeper in each other, sorted; none is repeated."""
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
def test_pairs_that_cross_are_those_of_rational_arithmetic(kind, seed):
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
def test_pairs_that_touch_are_found_where_they_are_asked_for(kind, seed):
    faces = kind(np.random.default_rng(seed))
    truth = [list(pair) for pair in combinations(range(len(faces)), 2) if judge(*(faces[k] for k in pair))[0]]
    assert len(truth) > 100
    assert {*map(tuple, truth)} <= {*map(tuple, pairs(faces, -HAIR))}


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_few_faces_are_compared_too(count):
    walls = np.array([[(0, 0, 0), (9, 0, 0), (0, 9, 0)], [(1, 1, -1), (2, 1, 1), (1, 2, 1)]])
    faces = [walls[k % 2] + [0, 0, 4 * (k // 2)] for k in range(count)]
    assert pairs(faces, HAIR) == [[k, k + 1] for k in range(0, count - 1, 2)]


@pytest.mark.parametrize("depth, found", [(1e-2, True), (1e-5, True), (1e-6, False)])
@pytest.mark.parametrize("turned", [False, True])
def test_a_blade_bent_through_others_of_its_fan_is_found(depth, found, turned):
    # It leaves the flat fan at the apex, one corner below it and one above.
    vertices, faces = cone(40, 0.0)
    faces = vertices[faces[:40]]
    blade = [(0.0, 0.0, 0.0), (0.6, 0.1, -depth), (0.9, 0.03, 2 * depth)]
    faces = np.vstack([faces, [blade]]) @ (rotation(np.random.default_rng(6)) if turned else np.eye(3)).T
    through = pairs(faces, 4e-6)
    assert bool(through) == found
    assert all(pair[1] == 40 for pair in through)


def test_a_narrow_tip_far_through_the_inside_of_a_face_is_found():
    # Their planes meet in a line of which the tip covers 0.0004: to shift it out along that takes far more.
    floor = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)]
    tip = [(0.3, 0.3, -0.02), (0.31, 0.3, 1.0), (0.29, 0.3, 1.0)]
    assert pairs([floor, tip], 1e-3) == [[0, 1]]


def test_faces_of_a_fan_may_be_deeper_in_each_other_than_in_boxes():
    wall = [(0, 0, 0), (2, -1, 0), (2, 1, 0)]
    blade = [(0, 0, 0), (1.95, 0, -1), (1.95, 0, 1)]  # cuts the wall all along, and ends 0.05 before it
    for A in (np.eye(3), rotation(np.random.default_rng(6))):
        assert pairs(np.array([wall, blade]) @ A.T, 0.3) == [[0, 1]]
        assert pairs(np.array([wall, blade]) @ A.T, 1.0) == []


@pytest.mark.parametrize("name", FANS)
@pytest.mark.thorough
def test_the_faces_of_a_fan_pulled_through_itself_are_found(name):
    vertices, faces = FANS[name](1500)
    assert not len(crossing_pairs(Surface(vertices, faces))[0])
    assert "crossing_faces" not in {finding.code for finding in check_mesh(vertices, faces)}
    bent = vertices.copy()
    bent[100] = (-0.6, -0.5, -0.1)
    surface = Surface(bent, faces)
    found = {frozenset(pair) for pair in np.column_stack(crossing_pairs(surface)).tolist()}
    corners = bent[faces].transpose(2, 1, 0)
    bent_faces = {*np.flatnonzero((faces == 100).any(axis=1)).tolist()}  # all others are as they were
    compared = np.concatenate([np.stack(block) for block in face_pairs(corners, merging_size(surface))], axis=1).T
    assert found == {frozenset(pair) for pair in compared.tolist()}
    assert all(pair & bent_faces for pair in found)
    assert len(found) > 20


def test_more_faces_than_can_be_compared_are_reported():
    vertices, faces = cone(12_500)
    vertices[-1, 2] = 0.8  # the base is drawn in beyond the middle, which sees its faces from behind
    found = measure_mesh(vertices, faces)
    assert [finding.code for finding in found.findings] == ["overlaps_not_checked"]
    assert found.method == "exact"
    assert found.moments.volume == pytest.approx(np.pi / 15.0, rel=1e-6)


@pytest.mark.parametrize("turned", [False, True])
def test_what_they_enclose_twice_is_still_counted_once(turned, monkeypatch):
    monkeypatch.setattr(crossing_faces, "MOST_MEETING", 30)
    vertices, faces = joined(*CROSS)
    found = measure_mesh(vertices @ (rotation(np.random.default_rng(6)) if turned else np.eye(3)).T, faces)
    assert [finding.code for finding in found.findings] == ["overlapping_shells"]
    assert found.moments.volume == pytest.approx(1.5, rel=found.error)
    assert 0.0 < found.error < 1e-2


def test_too_many_parts_are_refused_only_where_some_are_inside_out(monkeypatch):
    monkeypatch.setattr(nesting, "BOX_PAIRS", 1)
    one, other, third = CROSS
    found = measure_mesh(*joined(one, other, third))
    assert found.moments.volume == pytest.approx(1.5, rel=max(found.error, 1e-9))
    with pytest.raises(InertiaError, match="3 loose parts") as caught:
        measure_mesh(*joined(one, other, (third[0], third[1][:, ::-1])))
    assert caught.value.code == "inconsistent_winding"
