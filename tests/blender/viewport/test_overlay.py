# SPDX-License-Identifier: GPL-3.0-or-later
"""What is drawn of a body, where and how big; without a GPU, but for the last tests."""

from math import radians

import numpy as np
import pytest

from .. import scenes


@pytest.fixture(scope="module", autouse=True)
def _gpu_is_left_empty(addon):
    yield
    scenes.module("sdf_inertia_addon.overlay.draw").forget()


@pytest.fixture(scope="module")
def shapes(addon):
    return scenes.module("sdf_inertia_addon.overlay.body_view")


@pytest.fixture(scope="module")
def texts(addon):
    return scenes.module("sdf_inertia_addon.overlay.texts")


def view(shapes, frame, inertial):
    return shapes.BodyView("link", (), frame, inertial, (1.0, 0.56, 0.18))


@pytest.fixture(scope="module")
def body(shapes):
    """A body, 3 kg, whose moments are those of an ellipsoid (0.1, 0.3, 0.2) turned in a frame that is turned too."""
    Inertial, Pose = scenes.module("core.body.inertial").Inertial, scenes.module("core.body.pose").Pose
    a, b, c = SEMI_AXES
    inertia = 3.0 / 5.0 * np.diag([b * b + c * c, a * a + c * c, a * a + b * b])
    turned = Inertial(3.0, np.zeros(3), inertia).transformed(Pose.from_sdf([0.1, 0.2, 0.3, *TURN]))
    return view(shapes, Pose.from_sdf(FRAME), turned)


SEMI_AXES = np.array([0.1, 0.3, 0.2])
TURN = [radians(10), radians(-20), radians(15)]
FRAME = [1.0, -2.0, 0.5, 0.4, 0.3, -0.6]


def own_axes():
    """Return the ellipsoid's axes in the world, as rows, and its centre: by the poses it was made with."""
    Pose = scenes.module("core.body.pose").Pose
    frame, turn = Pose.from_sdf(FRAME), Pose.from_sdf([0.1, 0.2, 0.3, *TURN])
    return (frame.R @ turn.R).T, frame.R @ turn.p + frame.p


def bodies(view, unit=1.0):
    return scenes.module("sdf_inertia_addon.overlay.bodies").Bodies.of([view], unit)


def surface(view, unit=1.0):
    """Return vertices (n, 3) and triangles (m, 3) of the ellipsoid that is drawn."""
    units = scenes.module("sdf_inertia_addon.overlay.unit_shapes")
    sphere, triangles = units.unit_sphere()
    return units.apply(bodies(view, unit).matrices(thick=False)[0], sphere), triangles


def test_the_ellipsoid_is_closed_with_semi_axes_along_the_principal_axes(body):
    axes, center = own_axes()
    vertices, triangles = surface(body)
    along = (vertices - center) @ axes.T
    # The poles of the sphere are vertices, so only rounding is left.
    np.testing.assert_allclose(along.max(axis=0), SEMI_AXES, rtol=1e-9)
    np.testing.assert_allclose(along.min(axis=0), -SEMI_AXES, rtol=1e-9)
    np.testing.assert_allclose(np.sum((along / SEMI_AXES) ** 2, axis=1), 1.0, rtol=1e-9)
    volume = scenes.module("core.mesh.integrate").mesh_moments(vertices, triangles).volume
    exact = 4 / 3 * np.pi * SEMI_AXES.prod()
    assert 0.98 * exact < volume < exact  # inscribed, 48 x 24 faces: about 1 - (2 pi² / 3) (1/48² + 1/4/24²)
    edges = np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    assert np.all(np.unique(edges, axis=0, return_counts=True)[1] == 2)


def test_red_green_blue_are_the_principal_axes_nearest_to_the_links_axes(body):
    found = bodies(body)
    axes, _center = own_axes()
    np.testing.assert_allclose(found.axes[0], axes, atol=1e-9)
    np.testing.assert_allclose(found.semi_axes[0], SEMI_AXES, rtol=1e-9)
    assert np.linalg.det(found.axes[0]) == pytest.approx(1.0)
    world = body.inertial.transformed(body.frame)
    np.testing.assert_allclose(found.center[0], world.com, rtol=1e-9)
    np.testing.assert_allclose(np.sort(found.semi_axes[0]), np.sort(world.equivalent_ellipsoid()), rtol=1e-9)
    box = found.matrices(box=True, thick=False)[0, :3, :3]
    np.testing.assert_allclose(np.sort(2 * np.linalg.norm(box, axis=0)), np.sort(world.equivalent_box()), rtol=1e-9)


@pytest.mark.parametrize("moments", [(2, 2, 2), (2, 2, 1), (1, 2, 2), (2, 1.5, 2)], ids=str)
def test_equal_moments_draw_the_links_own_axes(shapes, moments):
    Inertial, Pose = scenes.module("core.body.inertial").Inertial, scenes.module("core.body.pose").Pose
    frame = Pose.from_sdf(FRAME)
    found = bodies(view(shapes, frame, Inertial(1.0, np.zeros(3), np.diag(moments))))
    np.testing.assert_allclose(found.axes[0], frame.R.T, atol=1e-9)


def test_a_unit_of_a_centimetre_draws_all_a_hundred_times_as_large(body):
    metres, centimetres = surface(body)[0], surface(body, 0.01)[0]
    np.testing.assert_allclose(centimetres, 100 * metres, atol=1e-9)


def test_a_point_mass_and_a_massless_body_have_a_centre_but_no_ellipsoid(shapes):
    Inertial, Pose = scenes.module("core.body.inertial").Inertial, scenes.module("core.body.pose").Pose
    for mass in (1.0, 0.0, float("nan")):
        point = Inertial(mass, [1.0, 2.0, 3.0], np.zeros((3, 3)))
        found = bodies(view(shapes, Pose.identity, point))
        np.testing.assert_array_equal(found.center, [[1.0, 2.0, 3.0]])
        assert not found.solid().any()


@pytest.mark.parametrize(
    ("mass", "text"),
    [
        (12.4, "12.40 kg"),
        (3.17194, "3.172 kg"),
        (0.0123456, "0.01235 kg"),
        (999.96, "1000 kg"),
        (123456.0, "123500 kg"),
    ],
)
def test_a_mass_has_four_significant_digits(texts, mass, text):
    assert texts.mass_text(mass) == text


def test_a_label_says_how_exact_the_numbers_are(texts):
    assert [texts.error_text(error) for error in (0.0, 0.001, 0.0123)] == ["exact", "±0.1 %", "±1.2 %"]


def test_forty_labels_neither_overlap_nor_leave_the_picture(addon):
    layout = scenes.module("sdf_inertia_addon.overlay.labels.layout")
    rng = np.random.default_rng(7)
    anchors, sizes = rng.uniform(300, 700, (40, 2)), rng.uniform((70, 30), (140, 40), (40, 2))
    nothing = layout.occupancy(np.zeros((0, 3, 3)), 1120, 800)
    corners = layout.place_labels(anchors, sizes, (0, 0, 1120, 800), nothing)
    np.testing.assert_array_equal(corners, layout.place_labels(anchors, sizes, (0, 0, 1120, 800), nothing))
    shown = np.flatnonzero(np.isfinite(corners[:, 0]))
    assert len(shown) >= 35
    low, high = corners[shown], corners[shown] + sizes[shown]
    assert np.all(low >= 0) and np.all(high <= [1120, 800])
    overlap = np.all((low[:, None] < high[None]) & (low[None] < high[:, None]), axis=2)
    assert np.array_equal(overlap, np.eye(len(shown), dtype=bool))


def test_a_label_stands_beside_its_body_not_on_it(addon):
    layout = scenes.module("sdf_inertia_addon.overlay.labels.layout")
    circle = np.diag([1.0, 1.0, -(150.0**2)])
    shift = np.array([[1, 0, -400.0], [0, 1, -300.0], [0, 0, 1]])
    occupied = layout.occupancy((shift.T @ circle @ shift)[None], 800, 600)
    assert 0.9 < occupied.sum() * layout.CELL**2 / (np.pi * 150**2) < 1.1
    size = np.array([100.0, 40.0])
    (corner,) = layout.place_labels(np.array([[400.0, 300.0]]), size[None], (0, 0, 800, 600), occupied)
    nearest = np.clip([400.0, 300.0], corner, corner + size)
    assert np.linalg.norm(nearest - [400.0, 300.0]) > 150 - layout.CELL


def test_an_outline_is_what_the_ellipsoid_covers(body):
    Camera = scenes.module("sdf_inertia_addon.overlay.camera").Camera
    vertices, _triangles = surface(body)
    camera = Camera.framing(vertices, 10.0, 640, 480)
    (conic,) = camera.outlines(bodies(body).matrices(thick=False))
    dual = np.linalg.inv(conic)
    half = np.sqrt(np.diag(dual)[:2] * -dual[2, 2] + dual[:2, 2] ** 2) / abs(dual[2, 2])
    pixels = camera.project(vertices)
    # The mesh is inscribed: at 48 x 24 faces it falls short of the outline by less than 1 % of its radius.
    np.testing.assert_allclose(np.ptp(pixels, axis=0) / 2, half, rtol=0.01)
    np.testing.assert_allclose(pixels.min(axis=0) + np.ptp(pixels, axis=0) / 2, dual[:2, 2] / dual[2, 2], atol=1.0)


@pytest.mark.parametrize("size", [0.01, 1.0, 300.0])
def test_framing_has_every_point_in_the_picture_and_fills_it(addon, size):
    camera_module = scenes.module("sdf_inertia_addon.overlay.camera")
    points = size * np.random.default_rng(3).uniform(-1, 1, (200, 3)) + [100.0, 60.0, 20.0]
    camera = camera_module.Camera.framing(points, 9 * size, 1120, 800)
    pixels = camera.project(points)
    extent = np.ptp(pixels, axis=0) / [1120, 800]
    assert pixels.min() >= 0 and np.all(pixels <= [1120, 800])
    assert np.any(np.abs(extent - camera_module.FILLED) < 0.02)
    depth = camera.clip(points)
    assert np.all(np.abs(depth[:, 2]) < depth[:, 3])


def test_a_drawn_ellipsoid_covers_the_pixels_that_it_projects_to(body):
    draw, picture = scenes.module("sdf_inertia_addon.overlay.draw"), scenes.module("sdf_inertia_addon.export.offscreen")
    Camera = scenes.module("sdf_inertia_addon.overlay.camera").Camera
    usable(picture)
    vertices, _triangles = surface(body)
    camera = Camera.framing(vertices, 10.0, 400, 300)
    pixels = picture.picture(400, 300, lambda: on_black(lambda: draw.draw_bodies([body], camera)))[::-1]
    rows, columns = np.nonzero(pixels[:, :, :3].max(axis=2) > 25)
    expected = camera.project(vertices)
    # Half a line's width and half a pixel.
    assert [columns.min(), rows.min()] == pytest.approx(expected.min(axis=0), abs=2.5)
    assert [columns.max() + 1, rows.max() + 1] == pytest.approx(expected.max(axis=0), abs=2.5)
    # Its own colour: orange has more red than green, and more green than blue.
    red, green, blue = pixels[rows, columns, :3].mean(axis=0)
    assert red > 1.2 * green > 1.2 * blue


def test_the_ball_marks_the_centre_of_mass_at_any_distance(body):
    draw, picture = scenes.module("sdf_inertia_addon.overlay.draw"), scenes.module("sdf_inertia_addon.export.offscreen")
    Camera = scenes.module("sdf_inertia_addon.overlay.camera").Camera
    usable(picture)
    vertices, _triangles = surface(body)
    middle, sizes = bodies(body).center[0], []
    for share in (1.0, 3.0):
        points = middle + share * (vertices - middle)
        camera = Camera.framing(points, 10.0, 400, 300)
        pixels = picture.picture(400, 300, lambda camera=camera: on_black(lambda: draw.draw_bodies([body], camera)))
        red, green, blue = np.moveaxis(pixels[::-1, :, :3].astype(int), 2, 0)
        rows, columns = np.nonzero((red > 220) & (green > 185) & (blue < 70))  # yellow
        (center,) = camera.project(middle)
        sizes.append(np.hypot(columns + 0.5 - center[0], rows + 0.5 - center[1]).max())
    assert sizes == pytest.approx([draw.BALL, draw.BALL], abs=1.5)


def usable(picture):
    try:
        picture.require_gpu()
    except picture.NoGpuError as error:
        pytest.skip(f"no picture can be drawn here: {error}")


def on_black(draw):
    import gpu

    gpu.state.active_framebuffer_get().clear(color=(0, 0, 0, 1), depth=1.0)
    draw()
