# SPDX-License-Identifier: GPL-3.0-or-later
"""Every awkward mesh is right or refused as the fault table says, and none is silently wrong.

The score is printed at the end: ``pytest -s tests/core/mesh/diagnosis/test_awkward_set.py``.
"""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from core import InertiaError, check_mesh, measure_mesh

from ....thorough import THOROUGH
from ...exact import TOLERANCE, assert_exact, integrate
from ...mesh_files import read
from ...solids.awkward import cases

OURS = cases()

TRUTH = cache(lambda name: OURS[name].truth())

UNION = Fraction(1, 10**4)
"""What the policy asks of a union by columns."""

TOLD = {"info", "warning"}

LARGE = 5000 if THOROUGH else 300
"""Triangles from which a mesh is measured only: to check it too would repeat the slow union of handle.stl."""

# Real and derived meshes: the volume (None: refused), the codes, and whether the number is a union by columns. The
# volumes are those of shared/data/truth.json, to as many digits as the files have.
NASTY = {
    "shared.STL": (2.0, {"touching_shells"}),
    "not_convex.obj": (None, {"non_manifold_edges"}),  # no agreed truth: a warning is enough
    "teapot.stl": (None, {"open_mesh"}),
    "7_8ths_cube.stl": (56000.0, {"unit_suspicion"}),
    "flex.obj": (8.0, {"inside_out"}),
    "handle.stl": (7.0286e-05, {"crossing_faces", "overlapping_shells"}),
    "neg_volume.obj": (None, {"open_mesh"}),
    "derived_cavity_inverted.obj": (7.5, {"cavity"}),
    "derived_overlapping_cubes.obj": (1.125, {"overlapping_shells"}),
    "derived_one_face_flipped.obj": (1.0, {"inconsistent_winding"}),
    "derived_stl_soup_closed.obj": (1.0, set()),
    "derived_t_junction.obj": (1.0, {"t_junction"}),
    "derived_micro_1e-6.obj": (1e-18, {"unit_suspicion"}),
    "derived_nan_vertex.obj": (None, {"not_finite"}),
    "derived_flat_box.obj": (None, {"zero_volume"}),
    "derived_moebius.obj": (None, {"not_orientable"}),
    "multibody.stl": (0.0074232205, {"inconsistent_winding", "inside_out"}),
    "joined_tetrahedra.obj": (0.8660254, {"inner_walls"}),
    "empty.stl": (None, {"no_faces"}),
    "stanford_bunny.obj": (None, {"open_mesh"}),
    "derived_cavity_not_inverted.obj": (8.0, {"overlapping_shells"}),
    "derived_one_face_missing_origin.obj": (None, {"open_mesh"}),
    "derived_duplicate_face_same.obj": (1.0, {"duplicate_faces"}),
    "derived_far_offset_1e05.obj": (1.0, set()),
    "derived_index_out_of_range.obj": (None, {"index_out_of_range"}),
    "derived_concave_ngon_L.obj": (5.0, set()),
}
LEFT_OUT = {"plane.ply": "PLY: these few lines do not read it; a sheet is among our own"}

CASES = {
    "L.stl": (2.0, set()),
    "box.obj": (6.0, set()),
    "box.stl": (6.0, set()),
    "box_off.stl": (6.0, set()),
    "box_oneflip.stl": (6.0, {"inconsistent_winding"}),
    "box_open.stl": (None, {"open_mesh"}),
    "box_open_off.stl": (None, {"open_mesh"}),
    "overlap.stl": (6.0, {"overlapping_shells"}),
    "sphere.obj": (0.519871, set()),
    "sphere.stl": (0.519871, set()),
    "two.obj": (7.0, set()),
}

REFUSALS = {
    "open_mesh",
    "not_orientable",
    "negative_winding",
    "zero_volume",
    "no_faces",
    "not_finite",
    "index_out_of_range",
}

score = {"right": 0, "with_truth": 0, "refused": 0, "to_refuse": 0, "silently_wrong": 0}


@pytest.fixture(scope="module", autouse=True)
def tally():
    yield
    print(
        f"\n{score['right']} of {score['with_truth']} right, {score['silently_wrong']} silently wrong,"
        f" {score['refused']} of {score['to_refuse']} that must be refused, refused"
    )


def judge(mesh, codes, right):
    """Measure, keep the score, and compare: `right` raises AssertionError for a wrong number; None: refuse."""
    must_refuse = right is None and codes <= REFUSALS and bool(codes)
    score["to_refuse"] += must_refuse
    score["with_truth"] += right is not None
    before = [array.copy() for array in map(np.asarray, mesh)]
    try:
        measured = measure_mesh(*mesh)
    except InertiaError as error:
        assert {error.code} == codes
        assert error.message
        assert error.remedy
        assert "error" in {finding.severity for finding in check_mesh(*mesh)}
        score["refused"] += must_refuse
        return
    assert not must_refuse
    for array, copy in zip(mesh, before, strict=True):
        assert np.array_equal(array, copy)  # the user's mesh is never touched
    found = {finding.code for finding in measured.findings}
    warned = any(finding.severity == "warning" for finding in measured.findings)
    if right is not None:
        try:
            right(measured)
        except AssertionError:
            score["silently_wrong"] += not warned
            raise
        score["right"] += 1
    else:
        score["silently_wrong"] += not warned
        assert warned
    assert found == codes
    assert {finding.severity for finding in measured.findings} <= TOLD
    if len(mesh[1]) < LARGE:
        assert found <= {finding.code for finding in check_mesh(*mesh)}


@pytest.mark.parametrize("name", OURS)
def test_our_own_awkward_meshes_are_right_or_refused(name):
    case = OURS[name]
    truth = TRUTH(name)

    def right(measured):
        assert_exact(measured.moments, truth, UNION if case.union else TOLERANCE)
        assert measured.error < UNION
        assert (measured.error > 0) == case.union  # by columns: the others are united exactly
        assert (measured.method == "union") == ("overlapping_shells" in case.codes)
        if measured.surface is not None and not case.union:  # what an exporter writes says the same
            assert_exact(measured.moments, integrate(measured.surface.vertices, measured.surface.triangles))

    judge(case.mesh, case.codes, None if truth is None else right)


@pytest.mark.parametrize("folder, name", [("nasty", name) for name in NASTY] + [("cases", name) for name in CASES])
def test_real_awkward_meshes_are_right_or_refused(data, folder, name):
    volume, codes = (NASTY if folder == "nasty" else CASES)[name]
    mesh = read(data / "meshes" / folder / name)

    def right(measured):
        tolerance = 1e-4 if measured.error else 1e-6
        assert measured.moments.volume == pytest.approx(volume, rel=tolerance)
        assert measured.error < UNION
        if not codes & {"inside_out", "inconsistent_winding", "duplicate_faces", "overlapping_shells"}:
            assert_exact(measured.moments, integrate(*mesh))

    judge(mesh, codes, None if volume is None else right)


def test_every_real_mesh_is_judged_or_left_out_by_name(data):
    for folder, table in (("nasty", NASTY), ("cases", CASES)):
        there = {path.name for path in (data / "meshes" / folder).iterdir() if path.suffix != ".dae"}
        assert there - set(LEFT_OUT) == set(table)


def test_the_truth_of_our_own_set_is_not_the_products():
    # A union by rational arithmetic: three cubes' volumes, and the wall of a hollow one.
    volumes = {name: TRUTH(name).volume for name, case in OURS.items() if case.solid is not None}
    assert volumes["cubes overlap"] == Fraction(15, 8)
    assert volumes["cavity"] == 26
    assert volumes["part in a cavity"] == Fraction(209, 8)
    assert volumes["snake bites its tail"] == 8
    assert float(volumes["a prism through a cube"]) == pytest.approx(1 + 0.5 - 0.75 * 0.125, rel=1e-12)
