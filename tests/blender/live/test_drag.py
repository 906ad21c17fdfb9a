# SPDX-License-Identifier: GPL-3.0-or-later
"""What a way of the mouse does to a point and to a mass. Clicks in a window are in tests/gui."""

import numpy as np
import pytest

from ..scenes import module


@pytest.fixture(scope="module")
def drag(addon):
    return module("sdf_inertia_addon.gizmos.drag")


@pytest.fixture(params=["perspective", "orthographic"])
def camera(addon, request):
    """A turned camera 5 units from the origin."""
    kind = module("sdf_inertia_addon.overlay.camera").Camera
    R = np.linalg.qr(np.array([[1.0, 2.0, 0.5], [0.3, 1.0, -2.0], [2.0, 0.1, 1.0]]))[0]
    view = np.eye(4)
    view[:3, :3] = R * np.sign(np.linalg.det(R))
    view[2, 3] = -5.0
    if request.param == "perspective":
        projection = np.array([[1.5, 0, 0, 0], [0, 2, 0, 0], [0, 0, -1.02, -0.2], [0, 0, -1, 0]], dtype=np.float64)
    else:
        projection = np.diag([0.15, 0.2, -0.01, 1.0])
    return kind(view, projection, 800, 600)


POINT = np.array([0.4, -0.3, 0.7])


@pytest.mark.parametrize("way", [(0, 0), (37, -12), (-200, 150)])
def test_a_dragged_point_lands_below_the_mouse_and_stays_as_far_away(drag, camera, way):
    there = drag.moved(camera, POINT, way)
    assert camera.project(there) - camera.project(POINT) == pytest.approx(np.array([way]), abs=1e-9)
    assert camera.view[2, :3] @ there == pytest.approx(camera.view[2, :3] @ POINT, abs=1e-12)


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0.6, 0.0, 0.8)])
def test_on_an_axis_no_other_point_of_it_is_nearer_to_the_line_of_sight(drag, camera, axis):
    axis = np.array(axis, dtype=np.float64)
    way = np.array([60.0, -25.0])
    there = drag.moved(camera, POINT, way, axis)
    assert np.cross(there - POINT, axis) == pytest.approx(np.zeros(3), abs=1e-12)

    # The line of sight through the mouse, as two points that project to it.
    near = drag.moved(camera, POINT, way)
    far = drag.moved(camera, POINT - 2.0 * camera.view[2, :3], camera_way(camera, near, -2.0))
    sight = (far - near) / np.linalg.norm(far - near)

    def distance(point):
        return np.linalg.norm(np.cross(point - near, sight))

    best = distance(there)
    for step in (-1e-3, 1e-3, -0.1, 0.1):
        assert distance(there + step * axis) > best - 1e-12


def camera_way(camera, target, depth):
    """Return the way [px] from a point `depth` behind POINT to what is seen at `target`."""
    behind = POINT + depth * camera.view[2, :3]
    return (camera.project(target) - camera.project(behind))[0]


def test_an_axis_seen_from_its_end_does_not_move(drag, camera):
    eye = camera.eye()
    sight = POINT - eye[:3] if eye[3] else eye[:3]
    axis = sight / np.linalg.norm(sight)
    # With perspective the line of sight through the mouse is another: a way of nothing keeps it on the axis.
    assert np.array_equal(drag.moved(camera, POINT, (0.0, 0.0), axis), POINT)


def test_the_nearest_point_in_reach_is_found_and_none_behind_the_camera(drag):
    pixels = np.array([[10.0, 10.0], [14.0, 10.0], [np.nan, np.nan]])
    assert drag.nearest(pixels, (11, 10), np.full(3, 5.0)) == 0
    assert drag.nearest(pixels, (13, 10), np.full(3, 5.0)) == 1
    assert drag.nearest(pixels, (13, 10), np.array([5.0, 0.5, 5.0])) == 0
    assert drag.nearest(pixels, (30, 10), np.full(3, 5.0)) is None
    assert drag.nearest(np.zeros((0, 2)), (0, 0), np.zeros(0)) is None


def test_mass_grows_with_the_cube_of_the_radius_and_back(drag):
    assert np.exp(drag.growth(10.0, 20.0)) == pytest.approx(8.0)
    assert np.exp(drag.growth(30.0, 10.0)) == pytest.approx(1 / 27)
    assert drag.growth(10.0, 17.0) + drag.growth(17.0, 10.0) == pytest.approx(0.0, abs=1e-15)
    assert np.isfinite(drag.growth(10.0, 0.0))  # the mouse on the centre itself


@pytest.mark.parametrize(
    ("mass", "digits", "expected"), [(1234.5, 2, 1200.0), (0.01237, 2, 0.012), (9.96, 2, 10.0), (0.12345, 4, 0.1235)]
)
def test_a_mass_is_rounded_to_significant_digits(drag, mass, digits, expected):
    assert drag.rounded_mass(mass, digits) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("unit", [1.0, 0.3, 2e-5, 7e3])
def test_a_step_is_the_least_power_of_ten_long_enough_on_the_screen(drag, unit):
    size = 10.0 ** -drag.decimals(unit, 12.0)
    assert size / unit >= 12.0 * (1 - 1e-12)
    assert size / 10.0 / unit < 12.0


def test_rounding_leaves_no_minus_before_a_zero(drag):
    assert str(drag.rounded((-1e-9, 0.126, -0.124), 2).tolist()) == "[0.0, 0.13, -0.12]"
