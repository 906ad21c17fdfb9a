# SPDX-License-Identifier: GPL-3.0-or-later
"""Which surfaces enclose a solid: those whose edges are traversed equally in both directions."""

import numpy as np
import pytest

from core import InertiaError, measure_mesh, mesh_moments

from ....thorough import sample
from ...exact import assert_same
from ...solids import (
    L_CELLS,
    U_CELLS,
    box,
    cells,
    inverted,
    joined,
    polygon,
    prism,
    rotation,
    shuffled,
    subdivided,
    unwelded,
)
from ...solids.awkward import klein, moebius, moved, without

CLOSED = {
    "L": cells(L_CELLS, (0.3, 0.7, 0.11), (1, 2, 3)),
    "star": subdivided(prism(polygon(10) * np.where(np.arange(10) % 2, 0.4, 1.0)[:, None])),
    "two shells": joined(box(), box(low=(3, 0, 0))),
    "cells that share an edge": cells({(0, 0, 0), (1, 1, 0)}),
    "cells that share a corner": cells({(0, 0, 0), (1, 1, 1)}),
    "a cavity": joined(box((3, 3, 3)), inverted(box(low=(1, 1, 1)))),
}


TOLD = {
    "cells that share an edge": ["touching_shells"],
    "cells that share a corner": ["touching_shells"],
    "a cavity": ["cavity"],
}


def codes(measured, but=("unit_suspicion", "precision_lost")):
    return [finding.code for finding in measured.findings if finding.code not in but]


def refusal(vertices, triangles, method="exact"):
    with pytest.raises(InertiaError) as error:
        measure_mesh(vertices, triangles, method)
    return error.value


@pytest.mark.fault(22)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", CLOSED)
def test_an_unwelded_closed_mesh_is_closed(name, dtype):
    rng = np.random.default_rng(0)
    vertices, triangles = shuffled(unwelded(CLOSED[name]), rng)
    for scale, shift in sample([(1, 0), (1e-6, 0), (1e6, 0), (1, 1000)], 2):
        turned = (vertices * scale @ rotation(rng).T + shift).astype(dtype)
        assert codes(measure_mesh(turned, triangles)) == TOLD.get(name, [])


@pytest.mark.parametrize("name", CLOSED)
def test_a_mesh_that_lacks_one_face_is_open(name):
    vertices, triangles = CLOSED[name]
    for mesh in ((vertices, triangles), unwelded((vertices, triangles))):
        assert measure_mesh(*mesh).moments.volume > 0
        for face in (0, len(mesh[1]) // 2, len(mesh[1]) - 1):
            error = refusal(mesh[0], np.delete(mesh[1], face, axis=0))
            assert error.code == "open_mesh"
            assert error.message.startswith("the mesh is not closed: 3 edges have")
            assert error.remedy


@pytest.mark.fault(2)
def test_the_size_of_a_hole_is_named():
    vertices, triangles = box(low=(10, 20, 30))
    top = np.flatnonzero((vertices[triangles, 2] == 31).all(axis=1))
    error = refusal(vertices, np.delete(triangles, top, axis=0))
    assert error.message.endswith(": 4 edges have only one face, in 1 loop")
    assert error.finding().actions[0] == "voxel"


@pytest.mark.fault(7)
@pytest.mark.parametrize("name", CLOSED)
def test_one_face_turned_round_is_read_the_right_way(name):
    vertices, triangles = CLOSED[name]
    for mesh in ((vertices, triangles), unwelded((vertices, triangles))):
        for face in (0, len(mesh[1]) - 1):
            turned = mesh[1].copy()
            turned[face] = turned[face, ::-1]
            measured = measure_mesh(mesh[0], turned)
            assert measured.findings[0].code == "inconsistent_winding"
            assert measured.findings[0].message.startswith("1 face has a flipped normal;")
            assert f"measured as if corrected: {face};" in measured.findings[0].message
            assert_same(measured.moments, mesh_moments(*mesh), 1e-14)
            assert_same(mesh_moments(measured.surface.vertices, measured.surface.triangles), measured.moments, 1e-15)


def test_a_fin_on_a_closed_mesh_is_left_out():
    vertices, triangles = box()
    a, b = triangles[0, :2]
    fin = np.vstack([vertices, [[3, 3, 3]]]), np.vstack([triangles, [[a, b, 8]]])
    measured = measure_mesh(*fin)
    assert codes(measured) == ["open_sheets"]
    assert_same(measured.moments, mesh_moments(*box()))
    assert 0.0 < measured.error < 0.01


@pytest.mark.thorough
@pytest.mark.fault(3)
def test_an_open_mesh_moved_elsewhere_gets_the_same_verdict_and_number():
    lidless, holed = without(box(), 0), without(subdivided(subdivided(subdivided(box()))), 100)
    here, voxels = measure_mesh(*holed), measure_mesh(*lidless, "voxel", 0.05)
    for shift in (0, 0.5, 10, 1e5):
        error = refusal(*moved(lidless, shift, shift, shift))
        assert (error.code, error.message) == ("open_mesh", refusal(*lidless).message)
        there = measure_mesh(*moved(holed, shift, shift, shift))
        assert codes(there) == ["small_holes"] and there.error == pytest.approx(here.error, rel=1e-6)
        assert_same(there.moments.transformed(np.eye(3), [-shift] * 3), here.moments, 1e-9)  # of the rounding at 1e5
        again = measure_mesh(*moved(lidless, shift, shift, shift), "voxel", 0.05)
        assert_same(again.moments.transformed(np.eye(3), [-shift] * 3), voxels.moments, 1e-6)


@pytest.mark.fault(20)
def test_a_moebius_strip_and_a_klein_bottle_are_refused():
    for mesh in (moebius(), klein()):
        for one in (mesh, unwelded(mesh), moved(mesh, 7, 8, 9)):
            assert refusal(*one).code == "not_orientable"
    vertices, triangles = klein(12)
    band = triangles[(triangles % 12 < 6).all(axis=1)]  # cut where it would come back mirrored
    assert refusal(vertices, band).code == "open_mesh"


def test_an_inside_out_mesh_is_turned_with_both_numbers():
    mesh = cells(U_CELLS, (0.5, 0.5, 0.5))
    volume = len(U_CELLS) / 8
    measured = measure_mesh(*inverted(mesh))
    (finding,) = measured.findings
    assert (finding.severity, finding.code) == ("warning", "inside_out")
    assert f"the volume is {volume:g} m³, not −{volume:g} m³" in finding.message
    assert finding.remedy
    assert_same(measured.moments, mesh_moments(*mesh), 1e-14)
    assert mesh_moments(measured.surface.vertices, measured.surface.triangles).volume > 0


def test_degenerate_faces_are_harmless():
    vertices, triangles = CLOSED["L"]
    a, b, c = triangles[0]
    # A face cut at the middle of one side, and slivers without area: two corners alike, and an edge walked and back.
    middle = len(vertices)
    more = np.vstack([vertices, [(vertices[a] + vertices[b]) / 2]])
    slivers = [[a, a, b], [c, c, c], [a, middle, b]]
    faces = np.vstack([triangles[1:], [[a, middle, c], [middle, b, c]], slivers[:2]])
    with_sliver = np.vstack([triangles, [[a, b, middle], [b, a, middle]], slivers[:2]])
    junction = measure_mesh(more, faces)  # the neighbour still walks a-b whole
    assert (junction.findings[0].severity, junction.findings[0].code) == ("warning", "t_junction")
    closing = np.vstack([faces, [[a, b, middle]]])
    for mesh in ((more, closing), (more, with_sliver), unwelded((more, closing))):
        measured = measure_mesh(*mesh)
        assert {finding.severity for finding in measured.findings} == {"info"}
        assert "degenerate_faces" in codes(measured)
        assert_same(measured.moments, mesh_moments(vertices, triangles), 1e-13)
    assert_same(junction.moments, mesh_moments(vertices, triangles), 1e-13)


def test_a_mesh_with_more_faces_than_a_block_is_checked_to_its_last_face():
    mesh = CLOSED["star"]
    while len(mesh[1]) <= 8192:
        mesh = subdivided(mesh)
    assert measure_mesh(*mesh).findings == ()
    assert codes(measure_mesh(mesh[0], mesh[1][:-1])) == ["small_holes"]
    turned = np.vstack([mesh[1][:-1], mesh[1][-1:, ::-1]])
    assert codes(measure_mesh(mesh[0], turned)) == ["inconsistent_winding"]


def test_a_body_present_in_both_windings_counts_once():
    second = box(low=(3, 0, 0))
    measured = measure_mesh(*joined(box(), second, inverted(second)))
    assert_same(measured.moments, mesh_moments(*joined(box(), second)))
    assert codes(measured) == ["duplicate_faces"]
    measured = measure_mesh(*joined(box(), inverted(box())))
    assert_same(measured.moments, mesh_moments(*box()))
