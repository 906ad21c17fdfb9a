# SPDX-License-Identifier: GPL-3.0-or-later
"""From one redraw to the next: labels that travel, and a failure that is reported once."""

import bpy
import numpy as np
import pytest

from .. import scenes

BOUNDS = (0.0, 0.0, 1000.0, 800.0)


@pytest.fixture
def crowd(addon):
    """Thirty labels: names, anchors, sizes, ranks."""
    rng = np.random.default_rng(11)
    anchors = rng.uniform((200, 150), (800, 650), (30, 2))
    sizes = rng.uniform((70, 30), (140, 40), (30, 2)).round()
    return [f"label {i}" for i in range(30)], anchors, sizes, np.arange(30)


def placement():
    return scenes.module("sdf_inertia_addon.overlay.labels.placement").Placement()


def free():
    return scenes.module("sdf_inertia_addon.overlay.labels.layout").occupancy(np.zeros((0, 3, 3)), 1000, 800)


def overlaps(corners, sizes):
    shown = np.flatnonzero(np.isfinite(corners[:, 0]))
    low, high = corners[shown], corners[shown] + sizes[shown]
    pairs = np.all((low[:, None] < high[None]) & (low[None] < high[:, None]), axis=2)
    return int(pairs.sum()) - len(shown)


def test_labels_travel_with_their_bodies(crowd):
    names, anchors, sizes, rank = crowd
    placed = placement()
    first = placed.place(names, anchors, sizes, BOUNDS, rank, free, 1.0)
    assert placed.final and np.isfinite(first[:, 0]).sum() >= 25
    second = placed.place(names, anchors + [7.0, -4.0], sizes, BOUNDS, rank, free, 1.0)
    assert not placed.final
    np.testing.assert_allclose(second, first + [7.0, -4.0])


def test_moving_labels_never_cover_another_and_the_first_in_rank_stays(crowd):
    names, anchors, sizes, rank = crowd
    placed = placement()
    first = placed.place(names, anchors, sizes, BOUNDS, rank, free, 1.0)
    middle = anchors.mean(axis=0)
    crushed = middle + 0.3 * (anchors - middle)
    assert overlaps(crushed + (first - anchors), sizes) > 0  # left alone, they would
    second = placed.place(names, crushed, sizes, BOUNDS, rank, free, 1.0)
    assert overlaps(second, sizes) == 0
    assert np.isfinite(second[0, 0]) and 3 < np.isfinite(second[:, 0]).sum() < 30


def test_at_rest_they_find_new_places_and_keep_good_ones(crowd):
    names, anchors, sizes, rank = crowd
    placed = placement()
    first = placed.place(names, anchors, sizes, BOUNDS, rank, free, 1.0)
    middle = anchors.mean(axis=0)
    crushed = middle + 0.3 * (anchors - middle)
    lost = placed.place(names, crushed, sizes, BOUNDS, rank, free, 1.0)
    placed.still = True
    found = placed.place(names, crushed, sizes, BOUNDS, rank, free, 1.0)
    assert placed.final and not placed.still and overlaps(found, sizes) == 0
    assert np.isfinite(found[:, 0]).sum() > np.isfinite(lost[:, 0]).sum()
    placed.still = True
    again = placed.place(names, crushed + 0.5, sizes, BOUNDS, rank, free, 1.0)
    assert (np.abs(again - found - 0.5).max(axis=1) < 1e-9).sum() > 15  # no need to go elsewhere
    assert np.isfinite(first).any()


def test_labels_stay_out_of_what_covers_the_edges(crowd):
    names, anchors, sizes, rank = crowd
    bounds = (150.0, 30.0, 700.0, 600.0)
    inside = np.all((anchors >= bounds[:2]) & (anchors <= bounds[2:]), axis=1)
    corners = placement().place(names, anchors, sizes, bounds, rank, free, 1.0)
    shown = np.isfinite(corners[:, 0])
    assert shown.sum() > 10 and not np.any(shown & ~inside)
    assert np.all(corners[shown] >= bounds[:2]) and np.all((corners + sizes)[shown] <= bounds[2:])


def test_the_rows_of_one_camera_do_not_shake_far_from_the_origin(addon):
    """A body of 1 cm at 10 km from the origin is placed to a hundredth of a pixel, though float32 is 1 mm there."""
    instances = scenes.module("sdf_inertia_addon.overlay.instance_rows")
    Camera = scenes.module("sdf_inertia_addon.overlay.camera").Camera
    matrix = np.diag([0.01, 0.02, 0.005, 1.0])
    points = np.array([[-0.01, -0.02, -0.005], [0.01, 0.02, 0.005]])
    near, far = (Camera.framing(points + shift, 1.0, 800, 600) for shift in (0.0, 1e4))
    moved = matrix.copy()
    moved[:3, 3] = 1e4
    colors = np.ones((1, 4))
    a, b = (instances.glass_rows(m[None], colors, c) for m, c in ((matrix, near), (moved, far)))
    np.testing.assert_allclose(a[:, :16], b[:, :16], atol=2e-6 * np.abs(a[:, :16]).max())


@pytest.fixture
def viewport(scene):
    module = scenes.module("sdf_inertia_addon.viewport.draw_handlers")
    module.forget()
    yield module
    module.forget()


def test_a_failure_is_reported_once_and_switches_the_overlay_off(viewport, scene, capsys):
    calls = []

    def fails(_context):
        calls.append(1)
        raise ValueError("a number that cannot be drawn")

    for _redraw in range(5):
        viewport._guarded(fails)
    said = capsys.readouterr()
    assert len(calls) == 1 and said.err.count("a number that cannot be drawn") == 1
    assert "Traceback" not in said.err + said.out
    assert "ValueError" in viewport.failure()
    scene.sdf_inertia.show = False
    viewport._guarded(fails)
    scene.sdf_inertia.show = True
    assert viewport.failure() is None and len(calls) == 1
    viewport._guarded(fails)
    assert len(calls) == 2


def test_in_the_background_there_are_no_handlers(viewport):
    assert bpy.app.background
    viewport.attach()
    assert viewport._handles == []


def test_the_popover_has_our_section(scene):
    panel = bpy.types.SDF_INERTIA_PT_overlay
    assert panel.is_registered and panel.bl_parent_id == "VIEW3D_PT_overlay"
    assert hasattr(bpy.types, panel.bl_parent_id)
