# SPDX-License-Identifier: GPL-3.0-or-later
"""What the overlay paints, and where on the picture: drawn offscreen, and the pixels looked at."""

import bpy
import numpy as np
import pytest

from .. import scenes

WIDTH, HEIGHT = 480, 360


@pytest.fixture(scope="module")
def overlay(addon):
    """The overlay's modules, with a GPU to draw by."""
    picture = scenes.module("sdf_inertia_addon.export.offscreen")
    try:
        picture.require_gpu()
    except picture.NoGpuError as error:
        pytest.skip(f"no picture can be drawn here: {error}")
    names = ("draw", "body_view", "style", "camera", "content", "labels.draw_labels", "voxels", "bodies")
    found = {name.rpartition(".")[2]: scenes.module(f"sdf_inertia_addon.overlay.{name}") for name in names}
    yield {**found, "picture": picture}
    scenes.module("sdf_inertia_addon.overlay.draw").forget()


def box_view(overlay, size=(0.2, 0.6, 0.4), mass=3.0, at=(0.0, 0.0, 0.0), **more):
    """Return a body with the moments of a box: m/12 (y² + z²) and so on."""
    Inertial, Pose = scenes.module("core.body.inertial").Inertial, scenes.module("core.body.pose").Pose
    x, y, z = np.square(size)
    inertial = Inertial(mass, np.zeros(3), mass / 12.0 * np.diag([y + z, x + z, x + y]))
    frame = Pose.from_sdf([*at, 0.3, -0.2, 0.5])
    return overlay["body_view"].BodyView("body", ("text",), frame, inertial, (1.0, 0.56, 0.18), **more)


def corners_of(view, size):
    """Return the corners (8, 3) of the box that the body was made from."""
    signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    return (signs * size / 2.0) @ view.frame.R.T + view.frame.p


def camera_for(overlay, points, scale=1.0):
    return overlay["camera"].Camera.framing(np.asarray(points), 10.0, WIDTH, HEIGHT, scale)


def drawn(overlay, draw, background=(0, 0, 0, 1)):
    """Return what is drawn on black, (HEIGHT, WIDTH, 3) from the bottom."""
    import gpu

    def on_black():
        gpu.state.active_framebuffer_get().clear(color=background, depth=1.0)
        draw()

    return overlay["picture"].picture(WIDTH, HEIGHT, on_black)[::-1, :, :3].astype(int)


def bodies(overlay, views, camera, **style):
    style = overlay["style"].OverlayStyle(**{"show_axes": False, "center": "NONE", **style})
    return drawn(overlay, lambda: overlay["draw"].draw_bodies(views, camera, 1.0, style))


def extent(pixels, above=25):
    rows, columns = np.nonzero(pixels.max(axis=2) > above)
    return [columns.min(), columns.max() + 1, rows.min(), rows.max() + 1]


SIZE = np.array([0.2, 0.6, 0.4])


def test_the_box_of_a_box_is_the_box_itself(overlay):
    view = box_view(overlay, SIZE)
    corners = corners_of(view, SIZE)
    camera = camera_for(overlay, corners)
    pixels = bodies(overlay, [view], camera, shape="BOX")
    wanted = camera.project(corners)
    sides = [*(f(wanted[:, i]) for i in (0, 1) for f in (np.min, np.max))]
    assert extent(pixels) == pytest.approx(sides, abs=2.5)  # half a line, its border, and half a pixel
    bright = pixels.max(axis=2)
    for x, y in wanted:  # an edge ends in every corner, also in the one behind
        assert bright[int(y) - 2 : int(y) + 3, int(x) - 2 : int(x) + 3].max() > 120


def test_box_and_ellipsoid_have_the_proportion_of_their_moments(overlay):
    view = box_view(overlay, SIZE)
    camera = camera_for(overlay, 1.4 * corners_of(view, SIZE))
    ellipsoid = extent(bodies(overlay, [view], camera, shape="ELLIPSOID"))
    # The box's semi-axes times sqrt(5/3): of all tangent planes to an ellipsoid, those that stand on the axes.
    angle, polar = np.meshgrid(np.linspace(0, 2 * np.pi, 300), np.linspace(0, np.pi, 150))
    sphere = np.stack([np.cos(angle) * np.sin(polar), np.sin(angle) * np.sin(polar), np.cos(polar)], -1).reshape(-1, 3)
    surface = camera.project((sphere * SIZE / 2 * np.sqrt(5 / 3)) @ view.frame.R.T)
    sides = [*(f(surface[:, i]) for i in (0, 1) for f in (np.min, np.max))]
    assert ellipsoid == pytest.approx(sides, abs=2.5)


@pytest.mark.parametrize("mass", [0.5, 40.0])
def test_a_ball_of_lead_has_the_bodys_mass(overlay, mass):
    view = box_view(overlay, mass=mass)
    radius = (mass / 11340.0 * 3.0 / 4.0 / np.pi) ** (1 / 3)
    camera = camera_for(overlay, [[-0.15, -0.15, -0.15], [0.15, 0.15, 0.15]])
    pixels = bodies(overlay, [view], camera, shape="NONE", center="LEAD")
    left, right, bottom, top = extent(pixels, 100)
    # A sphere seen from the distance d: its outline is at r / sqrt(1 - (r/d)²).
    distance = np.linalg.norm(camera.eye()[:3])
    outline = radius / np.sqrt(1 - (radius / distance) ** 2) / camera.units_per_pixel([0.0, 0.0, 0.0])
    assert outline > 4
    assert [(right - left) / 2, (top - bottom) / 2] == pytest.approx([outline, outline], abs=1.5)


def test_a_ball_of_lead_that_could_not_be_seen_is_as_small_as_can_be(overlay):
    camera = camera_for(overlay, [[-1, -1, -1], [1, 1, 1]])
    pixels = bodies(overlay, [box_view(overlay, mass=1e-6)], camera, shape="NONE", center="LEAD")
    left, right, _bottom, _top = extent(pixels, 100)
    assert 3 <= right - left <= 2 * overlay["draw"].SMALLEST + 2


@pytest.mark.fault(124)
def test_a_fainter_solid_keeps_its_outline_and_none_has_no_pixel(overlay):
    camera = camera_for(overlay, [[-1, -1, -1], [1, 1, 1]])
    means = []
    for solid in (1.0, 0.1, 0.0):
        pixels = bodies(overlay, [box_view(overlay, size=(2.0, 2.0, 2.0), solid=solid)], camera)
        means.append(float(np.median(pixels[140:220, 200:280].max(axis=2))))
        assert (pixels.max() > 100) == (solid > 0.0)  # its outline
    assert means[0] > 40 and means[1] < 0.2 * means[0] and means[2] == 0.0


@pytest.mark.fault(221)
@pytest.mark.parametrize("reach", [0.05, 0.2, 10.0])
def test_axes_reach_no_farther_than_the_link_and_not_beyond_the_solid(overlay, reach):
    view = box_view(overlay, SIZE, reach=reach)
    camera = camera_for(overlay, 1.4 * corners_of(view, SIZE))
    pixels = bodies(overlay, [view], camera, show_axes=True, shape="NONE")
    # The axes of a box are √(5/3) times its sides.
    half = np.minimum(SIZE / 2.0 * np.sqrt(5.0 / 3.0), reach)
    ends = camera.project(np.concatenate([half[:, None] * view.frame.R.T, -half[:, None] * view.frame.R.T]))
    sides = [*(f(ends[:, i]) for i in (0, 1) for f in (np.min, np.max))]
    assert extent(pixels) == pytest.approx(sides, abs=3.0)  # half a line, its border, and half a pixel


@pytest.mark.fault(221)
def test_a_link_that_is_only_marked_is_a_ball_half_as_large_without_axes(overlay):
    camera = camera_for(overlay, [[-1, -1, -1], [1, 1, 1]])
    widths = []
    for more in ({}, {"solid": 0.0, "reach": 0.0}):
        view = box_view(overlay, **more)
        left, right, bottom, top = extent(bodies(overlay, [view], camera, shape="NONE", center="CONSTANT"))
        assert bodies(overlay, [view], camera, show_axes=True).any() == (not more)
        widths.append((right - left, top - bottom))
    assert np.divide(widths[1], widths[0]) == pytest.approx([0.5, 0.5], abs=0.15)


def test_a_body_behind_the_eye_is_not_drawn(overlay):
    camera = camera_for(overlay, [[-1, -1, -1], [1, 1, 1]])
    behind = camera.eye()[:3] * 2.0
    view = box_view(overlay, at=behind)
    pixels = bodies(overlay, [view], camera, show_axes=True, center="CONSTANT")
    assert pixels.max() < 25
    assert bodies(overlay, [box_view(overlay)], camera, show_axes=True, center="CONSTANT").max() > 100


def test_more_bodies_than_a_buffer_holds_are_all_drawn(overlay):
    columns, rows = 24, 18
    views = [box_view(overlay, at=(0.0, 1.0 * i, 1.0 * k)) for i in range(columns) for k in range(rows)]
    flat = overlay["camera"].Camera(
        np.array([[0, 1.0, 0, 0], [0, 0, 1.0, 0], [1.0, 0, 0, -50.0], [0, 0, 0, 1]]),
        np.diag([2 / columns, 2 / rows, -0.01, 1.0]),
        WIDTH,
        HEIGHT,
    )
    flat.view[:2, 3] = -(columns - 1) / 2, -(rows - 1) / 2
    pixels = bodies(overlay, views, flat, shape="NONE", center="CONSTANT", ball=0.7)
    cell = WIDTH // columns
    blocks = pixels.max(axis=2).reshape(rows, cell, columns, cell).max(axis=(1, 3))
    assert blocks.shape == (rows, columns) and blocks.min() > 150


@pytest.mark.parametrize("kind", ["nothing", "no number", "no mass", "everything"])
def test_whatever_there_is_can_be_drawn(overlay, kind):
    Inertial, Pose = scenes.module("core.body.inertial").Inertial, scenes.module("core.body.pose").Pose
    BodyView = overlay["body_view"].BodyView
    none = BodyView("none", ("no inertia", "why"), Pose.identity, None, (1.0, 0.5, 0.2), severity="error")
    empty = BodyView("empty", (), Pose.identity, Inertial.zero, (1.0, 0.5, 0.2))
    every = [none, empty, box_view(overlay, active=True, severity="warning"), box_view(overlay, stale=True),
             box_view(overlay, kind="part", active=True), box_view(overlay, kind="total")]  # fmt: skip
    views = {"nothing": [], "no number": [none], "no mass": [empty], "everything": every}[kind]
    camera = camera_for(overlay, [[-1, -1, -1], [1, 1, 1]])
    style = overlay["style"].OverlayStyle

    def draw():
        for shape in ("ELLIPSOID", "BOX", "NONE"):
            for center in ("CONSTANT", "LEAD", "NONE"):
                overlay["draw"].draw_bodies(views, camera, 1.0, style(shape=shape, center=center, in_front=True))
        overlay["draw_labels"].draw_labels(views, camera)

    assert (drawn(overlay, draw).max() > 25) == (kind != "nothing")


def test_a_body_in_front_hides_nothing_of_itself_behind_geometry(overlay):
    import gpu

    view = box_view(overlay, SIZE)
    camera = camera_for(overlay, corners_of(view, SIZE))
    style = overlay["style"].OverlayStyle

    def behind(in_front):
        def draw():
            gpu.state.active_framebuffer_get().clear(depth=0.0)  # something stands before everything
            overlay["draw"].draw_bodies([view], camera, 1.0, style(show_axes=False, center="NONE", in_front=in_front))

        return drawn(overlay, draw)

    full, free = behind(True).sum(), bodies(overlay, [view], camera).sum()
    hint = behind(False).sum()
    assert 0.1 * full < hint < 0.5 * full
    assert full == pytest.approx(free, rel=0.3)  # what is open is drawn once faint and once full


def test_the_active_link_stands_out(overlay):
    camera = camera_for(overlay, corners_of(box_view(overlay), 2 * SIZE))
    plain, active = (bodies(overlay, [box_view(overlay, active=active)], camera) for active in (False, True))
    assert (active.min(axis=2) > 180).sum() > 3 * max((plain.min(axis=2) > 180).sum(), 20)


def test_a_stale_body_loses_its_colour(overlay):
    camera = camera_for(overlay, corners_of(box_view(overlay), 1.4 * SIZE))

    def saturation(pixels):
        seen = pixels[pixels.max(axis=2) > 60]
        return (seen.max(axis=1) - seen.min(axis=1)).mean() / seen.max(axis=1).mean()

    fresh, stale = (saturation(bodies(overlay, [box_view(overlay, stale=stale)], camera)) for stale in (False, True))
    assert stale < 0.6 * fresh


@pytest.fixture
def voxels(overlay, scene):
    """A link whose one collision is a block of 0.4 x 0.2 x 0.6 m, by voxels of 0.1 m, turned."""
    block = scenes.add(
        scenes.box_mesh((0.4, 0.2, 0.6)), "block", location=(0.3, 0.2, 0.1), rotation_euler=(0.2, 0.3, 0)
    )
    scenes.tag(block, "link", "collision", method="VOXEL", voxel_size=0.1, use_density=True)
    bpy.context.view_layer.update()
    return block


def read_voxels(block):
    read = scenes.module("sdf_inertia_addon.viewport.in_view").read_voxels
    body = scenes.module("sdf_inertia_addon.live").link_body(bpy.context.evaluated_depsgraph_get(), block)
    return read(body, (0.96, 0.45, 0.62))


def test_the_voxels_of_a_block_fill_it_on_the_screen(overlay, voxels):
    (view,), problem = read_voxels(voxels)
    assert problem == "" and len(view.runs.low) == 4 * 2 and overlay["voxels"].note_of([view]) == ""
    corners = np.array([voxels.matrix_world @ vertex.co for vertex in voxels.data.vertices])
    camera = camera_for(overlay, corners)
    boxes = overlay["voxels"].VoxelBoxes(view, 1.0)
    empty = overlay["content"].Content(())
    pixels = drawn(overlay, lambda: overlay["draw"].Drawing(empty, camera).draw([boxes]))
    wanted = camera.project(corners)
    sides = [*(f(wanted[:, i]) for i in (0, 1) for f in (np.min, np.max))]
    assert extent(pixels) == pytest.approx(sides, abs=1.0)
    # Dark lines between the voxels, on faces in the link's pink.
    red, green, blue = np.moveaxis(pixels, 2, 0)
    pink = (red > 1.3 * blue) & (blue > green)
    assert pink.sum() > 0.95 * (pixels.max(axis=2) > 25).sum()


def test_voxels_follow_the_link_without_being_computed_again(overlay, voxels):
    (before,), _problem = read_voxels(voxels)
    voxels.location.x += 1.0
    bpy.context.view_layer.update()
    (after,), _problem = read_voxels(voxels)
    assert after.runs is before.runs
    np.testing.assert_allclose(after.frame.p - before.frame.p, [1.0, 0.0, 0.0], atol=1e-6)


def test_a_link_without_voxels_says_so_and_an_impossible_size_too(voxels):
    scenes.tag(voxels, voxel_size=-1.0)
    bpy.context.view_layer.update()
    assert read_voxels(voxels)[0] == [] and "voxel size" in read_voxels(voxels)[1]
    scenes.tag(voxels, method="EXACT")
    bpy.context.view_layer.update()
    assert read_voxels(voxels) == ([], "block: no part is computed by voxels")


def test_drawing_leaves_the_gpu_and_the_scene_as_they_were(overlay, voxels):
    import gpu

    (view,), _problem = read_voxels(voxels)
    camera = camera_for(overlay, [[-1, -1, -1], [1, 1, 1]])
    content = overlay["content"].Content((box_view(overlay, active=True), box_view(overlay, kind="part", active=True)))
    scenes.select(voxels)

    def state():
        matrices = gpu.matrix.get_projection_matrix(), gpu.matrix.get_model_view_matrix()
        flags = gpu.state.blend_get(), gpu.state.depth_test_get(), gpu.state.depth_mask_get()
        gpu_state = flags, [tuple(row) for matrix in matrices for row in matrix]
        names = [sorted(item.name for item in getattr(bpy.data, kind)) for kind in ("objects", "meshes", "scenes")]
        return gpu_state, names, voxels.select_get(), tuple(map(tuple, voxels.matrix_world))

    found = []

    def draw():
        gpu.state.depth_test_set("NONE")
        gpu.state.depth_mask_set(False)
        gpu.state.blend_set("NONE")
        found.append(state())
        overlay["draw"].Drawing(content, camera).draw([overlay["voxels"].VoxelBoxes(view, 1.0)])
        overlay["draw_labels"].Labels(content, camera).draw()
        found.append(state())

    drawn(overlay, draw)
    assert found[0] == found[1]
    assert bpy.context.view_layer.objects.active is voxels
