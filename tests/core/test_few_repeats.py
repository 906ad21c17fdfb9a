# SPDX-License-Identifier: GPL-3.0-or-later
"""A closed mesh of which a few faces are there twice is read as without them."""

import numpy as np
import pytest

from core import InertiaError, check_mesh, measure_mesh, mesh_moments
from core.mesh.diagnosis import closed
from core.mesh.diagnosis.closed import Closed
from core.mesh.diagnosis.mending import without_repeats
from core.mesh.surface import Surface
from core.mesh.topology.weld import weld

from .awkward import cases, doubled, moved, turned, welded, without
from .crossings import SHAPES
from .solids import box, joined, polygon, prism, subdivided, unwelded

BALL = subdivided(subdivided(prism(polygon(12), -0.7, 0.6, top_scale=0.6)))


def is_consistent(mesh):
    try:
        return weld(Surface(*mesh)).verdict.consistent
    except InertiaError:  # no mesh at all
        return False


def once_there(mesh):
    """Return the faces whose corners no other face has."""
    _, triangles = welded(mesh)
    _, which, count = np.unique(np.sort(triangles, axis=1), axis=0, return_inverse=True, return_counts=True)
    return np.flatnonzero(count[which.ravel()] == 1)


MESHES = {name: case.mesh for name, case in cases().items() if "duplicate_faces" not in case.codes}
MESHES |= {name: make(1e-2) for name, make in SHAPES.items()}
del MESHES["snake bites its tail"]  # a wall of it repeats, too, and is judged together with what repeats beside it
MESHES = {name: mesh for name, mesh in MESHES.items() if is_consistent(mesh) and len(once_there(mesh))}


def outcome(mesh):
    """Return what is found in a mesh, and what it is measured to be, or why it is not."""
    told = [str(finding) for finding in check_mesh(*mesh)]
    try:
        found = measure_mesh(*mesh)
    except InertiaError as error:
        return told, str(error)
    return told, found.method, found.moments.volume, found.error


def alone_repeats(mesh):
    """Say whether repeating faces are all that keeps a mesh from being consistent."""
    return without_repeats(Closed(Surface(*mesh), weld(Surface(*mesh)))) is not None


@pytest.mark.parametrize("change", [lambda mesh: mesh, unwelded], ids=["welded", "unwelded"])
@pytest.mark.parametrize("name", MESHES)
def test_a_mesh_with_a_face_there_twice_is_read_as_without_it(monkeypatch, name, change):
    monkeypatch.setattr(closed, "MOST_LOOSE", 1.0)  # most of these are small
    mesh = change(MESHES[name])
    twice = change(doubled(MESHES[name], once_there(MESHES[name])[0]))
    assert alone_repeats(twice)
    told, *read = outcome(mesh)
    told_too, *read_too = outcome(twice)
    found = [text for text in told_too if "1 faces are there twice" in text]
    assert [text for text in told_too if text not in found] == told
    assert read_too == read
    assert found or isinstance(read[-1], str)  # a mesh that is refused is told why, and no more


def test_of_a_fine_mesh_only_the_faces_nearby_are_looked_at():
    assert alone_repeats(doubled(BALL, 5))
    assert not alone_repeats(doubled(BALL, *range(300)))  # everywhere, that is no faster


@pytest.mark.parametrize(
    "fault",
    [lambda mesh: turned(mesh, 100), lambda mesh: without(mesh, 100), lambda mesh: turned(mesh, 5)],
    ids=["another face turned", "another face missing", "that face turned"],
)
def test_repeats_are_not_all_where_something_else_is_wrong(fault):
    assert not alone_repeats(doubled(fault(BALL), 5))


def test_a_face_that_two_shells_need_stays(monkeypatch):
    monkeypatch.setattr(closed, "MOST_LOOSE", 1.0)
    side_by_side = joined(box(), box((2, 1, 1)))  # the walls x = 0 repeat face by face
    assert not alone_repeats(side_by_side)
    assert measure_mesh(*side_by_side).moments.volume == pytest.approx(2)


@pytest.mark.parametrize("most", [-1.0, closed.MOST_LOOSE, 1.0], ids=["everywhere", "nearby", "nearby if at all"])
def test_a_wall_that_two_boxes_need_stays_where_other_faces_repeat_too(monkeypatch, most):
    monkeypatch.setattr(closed, "MOST_LOOSE", most)
    boxes = doubled(welded(joined(box(), box((2, 1, 1)))), 4, 7)
    for mesh, volume in ((boxes, 2.0), (joined(boxes, moved(BALL, 9, 0, 0)), 2.0 + mesh_moments(*BALL).volume)):
        found = measure_mesh(*mesh)
        assert found.method == "union"
        assert found.moments.volume == pytest.approx(volume, rel=found.error)
