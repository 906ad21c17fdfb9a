# SPDX-License-Identifier: GPL-3.0-or-later
"""A closed mesh of which a few faces are there twice is read as without them."""

import numpy as np
import pytest

from core import InertiaError, check_mesh, measure_mesh, mesh_moments
from core.mesh.diagnosis.closed import Closed
from core.mesh.diagnosis.mending import without_repeats
from core.mesh.surface import Surface
from core.mesh.topology.merging import merge

from ....thorough import sample
from ...solids import box, joined, polygon, prism, subdivided, unwelded
from ...solids.awkward import cases, doubled, moved, turned, welded, without
from ...solids.crossings import SHAPES

BALL = subdivided(subdivided(prism(polygon(12), -0.7, 0.6, top_scale=0.6)))


def is_consistent(mesh):
    try:
        return merge(Surface(*mesh)).verdict.consistent
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
    return without_repeats(Closed(Surface(*mesh), merge(Surface(*mesh)))) is not None


@pytest.mark.parametrize("change", [lambda mesh: mesh, unwelded], ids=["welded", "unwelded"])
@pytest.mark.parametrize("name", sample(list(MESHES), 12))
def test_a_mesh_with_a_face_there_twice_is_read_as_without_it(name, change):
    mesh = change(MESHES[name])
    twice = change(doubled(MESHES[name], once_there(MESHES[name])[0]))
    assert alone_repeats(twice)
    told, *read = outcome(mesh)
    told_too, *read_too = outcome(twice)
    found = [text for text in told_too if "1 duplicate face was counted once" in text]
    assert [text for text in told_too if text not in found] == told
    assert read_too == read
    assert found or isinstance(read[-1], str)  # a mesh that is refused is told why, and no more


@pytest.mark.parametrize("times", [2, 3, 5])
def test_faces_there_several_times_are_left_out_and_told_at_once(times):
    rows = [5, 6, 300] * (times - 1)
    found = measure_mesh(*doubled(BALL, *rows))
    assert [finding.code for finding in found.findings] == ["duplicate_faces"]
    assert f"{len(rows)} duplicate faces were counted once" in found.findings[0].message
    assert np.array_equal(found.surface.triangles, BALL[1])
    assert found.moments.volume == mesh_moments(*BALL).volume


def test_of_a_patch_there_twice_the_inner_faces_are_found_too():
    vertex = BALL[1][100, 0]
    around = np.flatnonzero((BALL[1] == vertex).any(axis=1))
    wider = np.flatnonzero(np.isin(BALL[1], BALL[1][around]).any(axis=1))
    for patch in (around, wider):  # with one inner corner, and with inner faces
        (told,) = measure_mesh(*doubled(BALL, *patch)).findings
        assert f"{len(patch)} duplicate faces were counted once" in told.message
    assert not alone_repeats(doubled(BALL, *wider))


def test_a_face_without_area_is_no_repeat():
    vertices, triangles = cases()["faces without area"].mesh
    (without_area,) = np.flatnonzero([len(set(face)) < 3 for face in triangles.tolist()])
    corners = triangles[without_area]
    beside = next(k for k in once_there((vertices, triangles)) if np.isin(corners, triangles[k]).all())
    told = {
        finding.code: finding.message for finding in check_mesh(*doubled((vertices, triangles), beside, without_area))
    }
    assert "1 duplicate face was counted once" in told["duplicate_faces"]


def test_a_shell_there_twice_and_a_face_of_another_are_told_together():
    ball = moved(BALL, 5, 0, 0)
    (told,) = measure_mesh(*joined(box(), box(), doubled(ball, 3))).findings
    assert "13 duplicate faces were counted once" in told.message


@pytest.mark.parametrize(
    "fault",
    [lambda mesh: turned(mesh, 100), lambda mesh: without(mesh, 100), lambda mesh: turned(mesh, 5)],
    ids=["another face turned", "another face missing", "that face turned"],
)
def test_repeats_are_not_all_where_something_else_is_wrong(fault):
    assert not alone_repeats(doubled(fault(BALL), 5))


def test_a_wall_that_two_boxes_need_stays_where_other_faces_repeat_too():
    boxes = doubled(welded(joined(box(), box((2, 1, 1)))), 4, 7)
    for mesh, volume in ((boxes, 2.0), (joined(boxes, moved(BALL, 9, 0, 0)), 2.0 + mesh_moments(*BALL).volume)):
        found = measure_mesh(*mesh)
        assert found.method == "union"
        assert found.moments.volume == pytest.approx(volume, rel=found.error)


def test_what_is_merged_in_vain_for_a_repeat_is_not_merged_without_it():
    # So far off, corners of the prism share welding cells.
    mesh = joined(box(), moved(prism(polygon(6)), 1e6, 0, 0))
    mesh = turned(doubled(mesh, 15), 7)
    assert not alone_repeats(mesh)
    found = measure_mesh(*mesh)
    assert {finding.code for finding in found.findings} >= {"duplicate_faces", "inconsistent_winding"}
    assert found.moments.volume == pytest.approx(1.0 + mesh_moments(*prism(polygon(6))).volume, rel=1e-9)


@pytest.mark.parametrize("seed", [30, 47, 60])
def test_a_crack_that_only_the_corners_of_a_repeat_bridge_is_closed(seed):
    # The cracks are about as wide as a welding cell: chosen so that without these corners, they stay open.
    vertices, triangles = unwelded(doubled(box((3, 3, 3)), 2, 4, 4, 7, 7))
    vertices = vertices + np.random.default_rng(seed).uniform(-9e-7, 9e-7, vertices.shape)
    found = measure_mesh(vertices, triangles)
    assert "duplicate_faces" in {finding.code for finding in found.findings}
    assert found.moments.volume == pytest.approx(27, rel=1e-6)
