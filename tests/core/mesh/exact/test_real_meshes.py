# SPDX-License-Identifier: GPL-3.0-or-later
"""Real meshes against the exact truth that lies beside them; those with faults: test_awkward_files.py."""

import json

import numpy as np
import pytest

from core import measure_mesh

from ...exact import assert_exact, integrate
from ...mesh_files import read

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


def test_every_clean_mesh_is_checked_or_left_out_by_name(data):
    truth = json.loads((data / "truth.json").read_text())
    assert set(truth["clean"]) == {*CLEAN, *LEFT_OUT}


@pytest.mark.fault(12, 23)
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


@pytest.mark.thorough
def test_screws_in_their_holes_are_united(data):
    measured = measure_mesh(*read(data / "models" / "double_pendulum" / "meshes" / "base_link.stl"))
    assert measured.method == "union"
    assert {finding.code for finding in measured.findings} == {"overlapping_shells"}
    assert measured.moments.volume == pytest.approx(4.9028334e-05, rel=1e-7)
