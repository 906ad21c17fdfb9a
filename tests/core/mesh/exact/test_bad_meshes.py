# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes that are none: each is refused with what was seen, and where."""

from functools import partial

import numpy as np
import pytest

from core import InertiaError, check_mesh, many_mesh_moments, measure_mesh, mesh_moments, voxel_moments

from ...solids import L_CELLS, box, cells, joined

MEASURES = pytest.mark.parametrize(
    "measure",
    [
        mesh_moments,
        measure_mesh,
        partial(measure_mesh, method="hull"),
        partial(measure_mesh, method="shell", thickness=0.01),
        lambda v, t: voxel_moments(v, t, 0.1),
    ],
    ids=["exact", "measure", "hull", "shell", "voxel"],
)


def refusal(measure, vertices, triangles):
    with pytest.raises(InertiaError) as error:
        measure(vertices, triangles)
    return error.value


@pytest.mark.fault(26)
@MEASURES
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_vertex_that_is_not_finite_is_named(measure, bad, dtype):
    vertices, triangles = cells(L_CELLS)
    vertices[5, 1] = bad
    error = refusal(measure, vertices.astype(dtype), triangles)
    assert error.code == "not_finite"
    assert "vertex 5 " in error.message
    assert f"{bad:g}" in error.message
    assert error.remedy


@MEASURES
def test_infinities_that_cancel_are_not_overlooked(measure):
    vertices, triangles = cells(L_CELLS)
    vertices[3, 0], vertices[7, 0] = np.inf, -np.inf
    error = refusal(measure, vertices, triangles)
    assert error.code == "not_finite"
    assert "2 of" in error.message
    assert "vertex 3 " in error.message


@pytest.mark.fault(27)
@MEASURES
@pytest.mark.parametrize("index", [8, 1_000_000, -1])
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_an_index_out_of_range_names_its_face(measure, index, dtype):
    vertices, triangles = box()
    triangles = triangles.astype(dtype)
    triangles[4, 1] = index
    error = refusal(measure, vertices, triangles)
    assert error.code == "index_out_of_range"
    assert f"face 4 names vertex {index}," in error.message
    assert "8 vertices" in error.message


@MEASURES
def test_the_face_named_is_the_one_that_holds_the_index(measure):
    vertices, triangles = box()
    triangles[2, 0], triangles[9, 2] = 77, 99
    error = refusal(measure, vertices, triangles)
    assert "face 2 names vertex 77," in error.message


@pytest.mark.fault(1)
@MEASURES
@pytest.mark.parametrize(
    ("vertices", "triangles"),
    [
        (np.zeros((0, 3)), np.zeros((0, 3), int)),
        (np.eye(3), np.zeros((0, 3), int)),
        ([], []),
        (np.eye(3), []),
    ],
)
def test_a_mesh_without_faces_is_refused(measure, vertices, triangles):
    error = refusal(measure, vertices, triangles)
    assert error.code == "no_faces"
    assert error.remedy


@pytest.mark.parametrize(
    ("vertices", "triangles"),
    [
        ([[0, 0, 0], [1]], [[0, 1, 2]]),
        (np.eye(3), [[0, 1, 2], [0, 1]]),
        ([[0, 0, 0], [1, [2], 3]], [[0, 1, 2]]),
        (None, []),
        (None, [[0, 1, 2]]),
        (np.eye(3), 5),
        ("mesh", [[0, 1, 2]]),
        ([[0, 0, "x"]], [[0, 0, 0]]),
        ([[10**400, 0, 0]], [[0, 0, 0]]),
    ],
)
def test_what_is_no_array_of_numbers_is_refused(vertices, triangles):
    for measure in (measure_mesh, mesh_moments, lambda v, t: voxel_moments(v, t, 0.1)):
        assert refusal(measure, vertices, triangles).code == "bad_mesh"
    error = refusal(lambda v, t: many_mesh_moments([box(), (v, t)]), vertices, triangles)
    assert (error.code, error.subject) == ("bad_mesh", "mesh 1")
    assert [finding.code for finding in check_mesh(vertices, triangles)] == ["bad_mesh"]


@MEASURES
@pytest.mark.parametrize(
    ("vertices", "triangles"),
    [
        (np.eye(4), [[0, 1, 2]]),
        (np.zeros(9), [[0, 1, 2]]),
        (np.eye(3), [[0, 1, 2, 0]]),
        (np.eye(3), [0, 1, 2]),
        (np.eye(3), [[0.0, 1.0, 2.0]]),
        (np.eye(3, dtype=complex), [[0, 1, 2]]),
    ],
)
def test_arrays_of_the_wrong_shape_or_type_are_refused(measure, vertices, triangles):
    assert refusal(measure, vertices, triangles).code == "bad_mesh"


SQUARE = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], dtype=float)
FRONT, BACK = np.array([[0, 1, 2], [0, 2, 3]]), np.array([[2, 1, 0], [3, 2, 0]])


@pytest.mark.fault(4)
def test_a_plane_is_open_and_encloses_nothing():
    for measure, code in ((measure_mesh, "open_mesh"), (mesh_moments, "zero_volume")):
        error = refusal(measure, SQUARE, FRONT)
        assert error.code == code
        assert "shell" in error.finding().actions


@pytest.mark.fault(5)
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("shift", [0.0, 1e4])
def test_a_sheet_with_two_sides_encloses_nothing_however_it_lies(scale, shift):
    R = np.array([[2, -1, 2], [2, 2, -1], [-1, 2, 2]]) / 3
    sheet = np.vstack([FRONT, BACK])
    for vertices in (SQUARE, SQUARE @ R.T):
        error = refusal(measure_mesh, scale * (vertices + shift), sheet)
        assert error.code == "zero_volume"
        assert "m³" in error.message
        assert error.remedy


@pytest.mark.parametrize("method", ["exact", "voxel"])
def test_a_mesh_shrunk_to_a_point_encloses_nothing(method):
    vertices, triangles = box()
    measure = partial(measure_mesh, method=method)
    assert refusal(measure, 0 * vertices + [1.0, 2.0, 3.0], triangles).code == "zero_volume"


def test_two_solids_that_cancel_are_distinguished():
    vertices, triangles = box()
    opposite = joined((vertices, triangles), (vertices + 2, triangles[:, ::-1]))
    assert refusal(mesh_moments, *opposite).code == "zero_volume"
    measured = measure_mesh(*opposite)
    assert measured.moments.volume == pytest.approx(2, rel=1e-15)
    assert [finding.code for finding in measured.findings] == ["inside_out"]


@pytest.mark.parametrize("thickness", [1e-3, 1e-6, 1e-9])
def test_a_thin_plate_is_no_plane(thickness):
    assert measure_mesh(*box((1, 1, thickness))).moments.volume == pytest.approx(thickness, rel=1e-12)


def test_an_unknown_method_is_refused_by_name():
    with pytest.raises(InertiaError) as error:
        measure_mesh(*box(), method="monte_carlo")
    assert error.value.code == "unknown_method"
    assert "monte_carlo" in error.value.message


@MEASURES
def test_coordinates_beyond_floating_point_are_refused_not_answered(measure):
    for scale in (1e52, 1e80, 1e200, 1e308, 1e-52, 1e-100, 1e-300):
        assert refusal(measure, box()[0] * scale, box()[1]).code == "out_of_range"
        error = refusal(lambda v, t: many_mesh_moments([box(), (v, t)]), box()[0] * scale, box()[1])
        assert (error.code, error.subject) == ("out_of_range", "mesh 1")


@pytest.mark.parametrize("size", [5e-324, 1e-310, 1e-155, 1e-70, 1e70, 1e308])
def test_a_voxel_size_beyond_floating_point_is_refused(size):
    code = "voxels_too_fine" if size < 1.0 else "bad_voxel_size"
    assert refusal(lambda v, t: voxel_moments(v, t, size), *box()).code == code


@pytest.mark.parametrize("scale", [1e48, 1e-48])
def test_what_floating_point_can_hold_is_measured(scale):
    found = measure_mesh(box()[0] * scale, box()[1]).moments
    assert found.volume == pytest.approx(scale**3, rel=1e-12)
    np.testing.assert_allclose(found.covariance, np.eye(3) * scale**5 / 12, rtol=1e-12, atol=1e-13 * scale**5)
