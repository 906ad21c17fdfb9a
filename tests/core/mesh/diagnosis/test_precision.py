# SPDX-License-Identifier: GPL-3.0-or-later
"""Digits that coordinates have lost are reported for any type, and what was drawn on a round grid is not."""

import numpy as np
import pytest

from core import measure_mesh
from core.files.mesh_file import load_surface
from core.files.mesh_writers import stl_bytes
from core.mesh.diagnosis.precision import COARSE_STEP, lost_steps, precision, rounding_error
from core.mesh.integrate import mesh_moments
from core.mesh.surface import Surface

from ...solids import box, rotation, subdivided

RNG = np.random.default_rng(7)


def ball(times=3):
    vertices, triangles = box((2.0, 2.0, 2.0), (-1.0, -1.0, -1.0))
    for _ in range(times):
        vertices, triangles = subdivided((vertices, triangles))
    return vertices / np.linalg.norm(vertices, axis=1)[:, None] @ rotation(RNG).T, triangles


BALL, TRIANGLES = ball()
FAR = np.array([3000.0, -1700.0, 2500.0])


def texts(form, values):
    return np.array([[float(form % one) for one in row] for row in values])


ROUNDED = {
    "float32": lambda far: far.astype(np.float32),
    "float32 held in float64": lambda far: far.astype(np.float32).astype(np.float64),
    "float32 written with six places": lambda far: texts("%.6f", far.astype(np.float32)),
    "six digits": lambda far: texts("%g", far),
    "seven digits": lambda far: texts("%.7g", far),
}


@pytest.mark.fault(31)
@pytest.mark.parametrize("name", ROUNDED)
def test_digits_lost_far_from_the_origin_are_reported(name):
    far = BALL + FAR
    rounded = ROUNDED[name](far)
    assert np.abs(rounded - far).max() > COARSE_STEP
    ((found,), _) = precision(Surface(rounded, TRIANGLES))
    assert found.code == "precision_lost" and "times its size away" in found.message
    assert precision(Surface(far, TRIANGLES)) == ((), 0.0)
    assert precision(Surface(ROUNDED[name](BALL), TRIANGLES)) == ((), 0.0)


@pytest.mark.parametrize("name", ROUNDED)
def test_the_error_told_is_above_what_rounding_does_and_not_far_above(name):
    bounds, actual = [], []
    for _ in range(20):
        far = BALL + FAR * RNG.uniform(0.5, 1.5, 3)
        exact, rounded = mesh_moments(far, TRIANGLES), ROUNDED[name](far).astype(np.float64)
        steps = lost_steps(rounded.T, COARSE_STEP)
        assert (steps > 0).all()
        bounds.append(rounding_error(Surface(rounded, TRIANGLES), steps))
        moments = mesh_moments(rounded, TRIANGLES)
        traces = [np.trace(one.covariance) for one in (moments, exact)]
        actual.append(max(abs(moments.volume / exact.volume - 1), abs(traces[0] / traces[1] - 1)))
    assert np.less_equal(actual, bounds).all()
    assert max(bounds) < 20 * max(actual)


def test_the_error_of_a_cube_is_that_of_its_six_planes():
    # Each of six planes is off by step / √12, which changes the volume by as much, and the integral of |x|², which is
    # 1/4, by that times its mean over a face: 1/4 + 1/6.
    error = rounding_error(Surface(*box()), np.full(3, 1e-4))
    assert error == pytest.approx(3 * 1e-4 * np.sqrt(6 / 12) * (5 / 12) / (1 / 4), rel=1e-12)


@pytest.mark.parametrize("single", [True, False])
@pytest.mark.parametrize("corner, size", [(1000.0, 1.0), (1000.25, 0.5), (100000.0, 0.25), (-4096.0, 0.125)])
def test_a_box_drawn_on_a_round_grid_has_lost_nothing(corner, size, single):
    vertices = box((size, size, size), (corner, 0.0, corner))[0]
    assert np.array_equal(vertices.astype(np.float32), vertices)
    assert np.spacing(np.float32(abs(corner))) > COARSE_STEP * size
    assert precision(Surface(vertices.astype(np.float32 if single else np.float64), box()[1])) == ((), 0.0)


@pytest.mark.parametrize("place", [0.1, 0.01, 0.05])
@pytest.mark.parametrize("corner", [0.0, 1000.0, -123456.0])
def test_a_few_corners_of_a_few_digits_have_lost_nothing(place, corner):
    vertices = np.round(box()[0] * (37 * place, 12 * place, 5 * place) + corner, 2)
    assert precision(Surface(vertices, box()[1])) == ((), 0.0)


@pytest.mark.parametrize("scale", [1.0, 0.001])
@pytest.mark.parametrize("suffix", ["stl", "obj", "ply"])
def test_a_file_far_from_its_origin_says_so_in_any_unit(suffix, scale, tmp_path):
    far = (BALL + FAR).astype(np.float32)
    path = tmp_path / f"far.{suffix}"
    rows = {
        "obj": ["v {:.6f} {:.6f} {:.6f}".format(*row) for row in far.tolist()],
        "ply": ["{} {} {}".format(*row) for row in far.tolist()],
    }
    if suffix == "stl":
        path.write_bytes(stl_bytes(Surface(far, TRIANGLES)))
    elif suffix == "obj":
        path.write_text("\n".join([*rows["obj"], *("f {} {} {}".format(*row + 1) for row in TRIANGLES), ""]))
    else:
        head = ["ply", "format ascii 1.0", f"element vertex {len(far)}", *(f"property float {axis}" for axis in "xyz")]
        head += [f"element face {len(TRIANGLES)}", "property list uchar int vertex_index", "end_header"]
        path.write_text("\n".join([*head, *rows["ply"], *("3 {} {} {}".format(*row) for row in TRIANGLES), ""]))
    surface, findings = load_surface(path, scale)
    all_findings = findings + measure_mesh(surface.vertices, surface.triangles).findings
    assert [one.code for one in all_findings if one.code != "unit_suspicion"] == ["precision_lost"]


def test_parts_of_clean_data_have_lost_nothing(data):
    paths = sorted(path for path in (data / "meshes" / "clean").iterdir() if path.suffix.lower() in (".stl", ".obj"))
    assert len(paths) > 5
    assert [path.name for path in paths if precision(load_surface(path)[0])[0]] == []


def test_numbers_at_the_end_of_floating_point_have_no_last_digits():
    points = np.array([[0.0, 3e-320, 1e-310], [0.0, 1e-300, 0.0], [1.0, 2.0, 3.0]])
    with np.errstate(all="raise"):
        assert lost_steps(points, 1e-9).tolist() == [0.0, 0.0, 0.0]


@pytest.mark.fault(164)
@pytest.mark.parametrize("thickness", [1e-5, 3e-5, 1e-3])
@pytest.mark.parametrize("distance", [5.0, 40.0, 900.0])
def test_the_error_of_a_foil_covers_the_rounding_of_its_thickness(thickness, distance):
    stated, truth = [], thickness
    for _ in range(20):
        place = distance * RNG.uniform(0.9, 1.1, 3)
        rounded = box((1.0, 1.0, thickness), place)[0].astype(np.float32)
        if np.ptp(rounded[:, 2]) == 0.0:  # not even two sides are left
            continue
        found = measure_mesh(rounded, box()[1])
        off = abs(found.moments.volume - truth) / max(found.moments.volume, truth)
        assert off <= max(found.error, 2e-3)
        stated.append(found.error)
        assert (found.error > 0.0) == ("precision_lost" in {one.code for one in found.findings})
    if distance * 6e-8 > 1e-3 * thickness:
        assert stated and min(stated) > 1e-3


def test_a_thin_plate_near_its_origin_has_lost_nothing():
    plate = box((1.0, 0.5, 1e-3), (0.1, -0.3, 0.2))[0]
    assert precision(Surface(plate.astype(np.float32), box()[1])) == ((), 0.0)


def test_an_open_sheet_has_no_thickness_to_lose():
    vertices, triangles = box((1.0, 1.0, 1e-5), (9.4, 9.4, 9.4))
    surface = Surface(vertices.astype(np.float32), triangles)
    assert precision(surface)[0]
    assert precision(Surface(surface.vertices, triangles[:-1])) == ((), 0.0)
