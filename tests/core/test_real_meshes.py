# SPDX-License-Identifier: GPL-3.0-or-later
"""Real meshes against the exact truth that lies beside them."""

import json

import numpy as np
import pytest

from core import InertiaError, measure_mesh

from .exact import assert_exact, integrate
from .mesh_files import read

CLEAN = [
    "featuretype.STL",
    "torus.STL",
    "plate_holes.STL",
    "quadknot.obj",
    "two_objects_mixed_case_names.stl",
    "cube_cup.obj",
    "cube_with_hole.obj",
    "link1.stl",
]

LEFT_OUT = {"cylinder.dae": "COLLADA; neither the product nor these few lines read it"}

SOUND = {
    "derived_cavity_inverted.obj": 7.5,
    "derived_stl_soup_closed.obj": 1.0,
    "derived_far_offset_1e05.obj": 1.0,
    "derived_concave_ngon_L.obj": 5.0,
    "derived_micro_1e-6.obj": 1e-18,
    "shared.STL": 2.0,
    "joined_tetrahedra.obj": 0.8660254037844386,
    "7_8ths_cube.stl": 56000.0,
}

REFUSED = {
    "stanford_bunny.obj": "open_mesh",
    "teapot.stl": "open_mesh",
    "neg_volume.obj": "open_mesh",
    "derived_one_face_missing_origin.obj": "open_mesh",
    "derived_nan_vertex.obj": "not_finite",
    "derived_index_out_of_range.obj": "index_out_of_range",
    "empty.stl": "no_faces",
}


def test_every_clean_mesh_is_checked_or_left_out_by_name(data):
    truth = json.loads((data / "truth.json").read_text())
    assert set(truth["clean"]) == {*CLEAN, *LEFT_OUT}


@pytest.mark.parametrize("name", CLEAN)
def test_a_clean_mesh_has_the_true_moments(data, name):
    vertices, triangles = read(data / "meshes" / "clean" / name)
    truth = json.loads((data / "truth.json").read_text())["clean"][name]
    measured = measure_mesh(vertices, triangles)
    assert {finding.code for finding in measured.findings} <= {"unit_suspicion"}  # two are in millimetres
    assert measured.error == 0
    moments = measured.moments
    body = moments.inertial(1.0)
    size = np.ptp(vertices.astype(float), axis=0).max()
    assert body.mass == pytest.approx(truth["volume"], rel=1e-12)
    np.testing.assert_allclose(body.com, truth["com"], rtol=0, atol=1e-12 * size)
    np.testing.assert_allclose(body.inertia, truth["I"], rtol=0, atol=1e-12 * np.trace(truth["I"]))
    if len(triangles) < 2000:  # the large ones have been held to truth.json, to the same 1e-12
        assert_exact(moments, integrate(vertices, triangles))


@pytest.mark.parametrize("name", SOUND)
def test_an_awkward_but_sound_mesh_has_its_volume(data, name):
    mesh = read(data / "meshes" / "nasty" / name)
    moments = measure_mesh(*mesh).moments
    assert_exact(moments, integrate(*mesh))
    assert moments.volume == pytest.approx(SOUND[name], rel=1e-6)  # as many digits as the files have


def test_an_inside_out_mesh_is_turned_with_a_finding(data):
    measured = measure_mesh(*read(data / "meshes" / "nasty" / "flex.obj"))
    assert measured.moments.volume == pytest.approx(8, rel=1e-12)
    assert [finding.code for finding in measured.findings] == ["inside_out"]


@pytest.mark.parametrize("name", REFUSED)
def test_a_mesh_without_an_answer_is_refused(data, name):
    with pytest.raises(InertiaError) as error:
        measure_mesh(*read(data / "meshes" / "nasty" / name))
    assert error.value.code == REFUSED[name]
    assert error.value.remedy


def test_screws_in_their_holes_are_united(data):
    measured = measure_mesh(*read(data / "models" / "double_pendulum" / "meshes" / "base_link.stl"))
    assert measured.method == "union"
    assert {finding.code for finding in measured.findings} == {"overlapping_shells", "touching_shells"}
    assert "1 pairs of its 51 shells" in measured.findings[0].message
    assert measured.moments.volume == pytest.approx(4.902865e-05, rel=measured.error)
