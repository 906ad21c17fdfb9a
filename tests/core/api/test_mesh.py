# SPDX-License-Identifier: GPL-3.0-or-later
"""A mesh measured from its arrays, its file, or trimesh's own type: one answer."""

import numpy as np
import pytest

from core import InertiaError, check_mesh, measure_mesh
from core.mesh.surface import Surface
from tests.core.solids import box as solid_box
from tools.house import CHECKOUT

WRIST = CHECKOUT / "examples" / "desk_arm_description" / "meshes" / "wrist.stl"


def test_a_file_trimesh_and_arrays_give_the_same_moments():
    trimesh = pytest.importorskip("trimesh")
    loaded = trimesh.load_mesh(WRIST)
    loaded.apply_scale(0.001)
    of_file, of_object = measure_mesh(WRIST, scale=0.001), measure_mesh(loaded)
    of_arrays = measure_mesh(loaded.vertices, loaded.faces)
    for one in (of_object, of_arrays):
        np.testing.assert_allclose(one.moments.covariance, of_file.moments.covariance, rtol=1e-6, atol=1e-15)
    assert of_file.moments.volume == pytest.approx(loaded.volume, rel=1e-6)
    assert measure_mesh(str(WRIST), scale=0.001).moments.volume == of_file.moments.volume
    hull = measure_mesh(WRIST, method="hull", scale=0.001)
    assert hull.method == "hull" and hull.moments.volume >= of_file.moments.volume


def test_a_scale_is_that_of_any_mesh_and_a_length_chooses_its_method():
    box = Surface(*solid_box((1000.0, 2000.0, 3000.0)))
    arrays = box.vertices, box.triangles
    assert measure_mesh(*arrays, scale=1e-3).moments.volume == pytest.approx(6.0)
    assert measure_mesh(*arrays, scale=1e-3, thickness=0.01).method == "shell"
    assert measure_mesh(*arrays, scale=1e-3, voxel_size=0.1).method == "voxel"
    for scale in (0.0, -1.0, np.inf, np.nan):
        with pytest.raises(InertiaError, match="above 0"):
            measure_mesh(*arrays, scale=scale)


@pytest.mark.parametrize("mesh", [None, b"solid", 5, object()])
def test_what_is_not_a_mesh_is_a_finding(mesh):
    assert [(one.severity, one.code) for one in check_mesh(mesh)] == [("error", "bad_mesh")]


def test_what_a_reader_notices_is_among_the_findings(tmp_path):
    assert [one.code for one in measure_mesh(WRIST).findings] == ["unit_suspicion"]
    assert [one.code for one in check_mesh(WRIST)] == ["unit_suspicion"]
    assert check_mesh(WRIST, scale=0.001) == ()


def test_a_file_that_is_missing_is_an_error_or_a_finding(tmp_path):
    with pytest.raises(InertiaError, match="check the path"):
        measure_mesh(tmp_path / "nothing.stl")
    (finding,) = check_mesh(tmp_path / "nothing.stl")
    assert finding.code == "unreadable_file" and finding.severity == "error"
