# SPDX-License-Identifier: GPL-3.0-or-later
"""Labels stand where they stood whatever is selected, off what Blender paints itself, and not all of a hundred."""

from dataclasses import replace

import bpy
import numpy as np
import pytest

from .. import scenes

WIDTH, HEIGHT = 1000, 800
GIZMO, TEXT = (900.0, 550.0, 1000.0, 800.0), (0.0, 740.0, 260.0, 800.0)


@pytest.fixture
def hundred(scene):
    """Ten by ten links; the mass falls with the number, number 70 has a warning and number 80 no inertia."""
    mesh = scenes.box_mesh((0.3, 0.3, 0.3))
    for i in range(100):
        ob = scenes.add(mesh, f"link_{i:02}", location=(i % 10, 0.0, i // 10))
        scenes.tag(ob, "link", "collision", use_density=i != 70, density=3000 - 20 * i)
    bpy.data.objects["link_70"].sdf_inertia.is_collision = True
    bpy.data.objects["link_80"].sdf_inertia.is_collision = False
    bpy.context.view_layer.update()
    return scenes.live_model()


@pytest.fixture
def camera(addon):
    """From the front, without perspective, all of the links in the middle."""
    view = np.array([[1, 0, 0, -4.5], [0, 0, 1, -4.5], [0, -1, 0, -10], [0, 0, 0, 1.0]])
    projection = np.diag([1 / 6.0, WIDTH / HEIGHT / 6.0, -0.01, 1.0])
    return scenes.module("sdf_inertia_addon.overlay.camera").Camera(view, projection, WIDTH, HEIGHT)


class Screen:
    """One viewport's labels, redrawn as the user goes on."""

    def __init__(self, model, camera):
        self.model, self.camera = model, camera
        self.placement = scenes.module("sdf_inertia_addon.overlay.labels.placement").Placement()

    def labels(self, taken=(GIZMO, TEXT), still=False, **visible):
        """Return the corner and size of each label that is shown, by name."""
        content = scenes.module("sdf_inertia_addon.overlay.content")
        style = scenes.module("sdf_inertia_addon.overlay.style").OverlayStyle(scope="ALL")
        shown = content.content_of(self.model, style, content.VisibleLinks(**visible), range(100))
        self.placement.still = still
        placed = scenes.module("sdf_inertia_addon.overlay.labels.draw_labels").placed_labels
        boxes, _anchors, corners = placed(shown, self.camera, self.placement, None, taken)
        return {
            name.removeprefix("link "): (*corner, *size)
            for name, corner, size in zip(boxes.names, corners, boxes.sizes, strict=True)
            if np.isfinite(corner[0])
        }


def test_of_all_of_a_hundred_links_the_faulty_and_heaviest_have_a_label(hundred, camera):
    labels = Screen(hundred, camera).labels()
    assert 10 <= len(labels) <= 40
    rest = sorted(set(labels) - {"link_70", "link_80"})
    assert {"link_70", "link_80"} <= set(labels)
    assert rest == [f"link_{i:02}" for i in range(len(rest))]


def test_a_smaller_view_has_fewer_labels(hundred, camera):
    small = replace(camera, height=HEIGHT // 2, projection=np.diag([1 / 8.0, 2.0 / 8.0, -0.01, 1.0]))
    assert len(Screen(hundred, small).labels(())) < 0.7 * len(Screen(hundred, camera).labels(()))


def test_selected_active_and_hovered_links_get_a_label_and_no_other_moves(hundred, camera):
    screen = Screen(hundred, camera)
    before = screen.labels()
    for visible in ({"active": 95}, {"selected": frozenset({40, 41, 95})}, {"hovered": 99}, {"active": 3}, {}):
        for still in (False, True):
            after = screen.labels(still=still, **visible)
            wanted = {visible.get("active"), visible.get("hovered"), *visible.get("selected", ())} - {None}  # type: ignore[misc]
            assert set(after) == set(before) | {f"link_{i:02}" for i in wanted}
            assert {name: after[name] for name in before} == before


def placement_of(bounds, anchors, sizes):
    """Return a function that places two labels, of which one may be chosen."""
    layout = scenes.module("sdf_inertia_addon.overlay.labels.layout")
    placement = scenes.module("sdf_inertia_addon.overlay.labels.placement").Placement()
    grid = layout.occupancy(np.zeros((0, 3, 3)), *bounds[2:])

    def corners(chosen):
        asked = np.arange(2) == chosen
        nobody = np.zeros(2, dtype=bool)
        ranks = np.array([0, 3])
        return placement.place(["a", "b"], anchors, sizes, bounds, ranks, lambda: grid, 1.0, nobody, (), asked)

    return corners


def test_where_there_is_room_for_one_label_it_is_the_selected_ones(addon):
    layout = scenes.module("sdf_inertia_addon.overlay.labels.layout")
    placement = scenes.module("sdf_inertia_addon.overlay.labels.placement").Placement()
    anchors, sizes = np.array([[60.0, 20.0], [70.0, 25.0]]), np.full((2, 2), (90.0, 30.0))
    bounds = (0.0, 0.0, 120.0, 60.0)

    def corners(selected):
        guests = np.array([False, True])
        asked = anchors if selected else np.where(guests[:, None], np.nan, anchors)
        grid = layout.occupancy(np.zeros((0, 3, 3)), 120, 60)
        return placement.place(["a", "b"], asked, sizes, bounds, np.array([0, 3]), lambda: grid, 1.0, guests)

    first, _ = before = corners(False)
    assert np.isfinite(first).all()
    there = np.isfinite(corners(True)[:, 0])
    assert there.tolist() == [False, True]
    # So it is where the selected one is among those that are shown anyway, and comes last.
    both = placement_of(bounds, anchors, sizes)
    assert np.isfinite(both(None)[:, 0]).tolist() == [True, False]
    assert np.isfinite(both(1)[:, 0]).tolist() == [False, True]
    assert np.isfinite(both(None)[:, 0]).tolist() == [True, False]
    np.testing.assert_array_equal(corners(False), before)


def test_nothing_moves_when_the_view_comes_to_rest_without_having_moved(hundred, camera):
    screen = Screen(hundred, camera)
    assert screen.labels(active=5) == screen.labels(active=5, still=True) == Screen(hundred, camera).labels(active=5)


@pytest.mark.parametrize("still", [True, False])
def test_no_label_covers_what_blender_paints_in_a_moving_or_still_view(hundred, camera, still):
    over = (300.0, 300.0, 700.0, 500.0)  # where labels would stand
    free = Screen(hundred, camera)
    assert any(on(label, over) for label in free.labels(()).values())
    screen = Screen(hundred, camera)
    assert not any(on(label, over) for label in screen.labels([over]).values())
    for step in range(1, 6):
        view = camera.view.copy()
        view[0, 3] += 0.3 * step
        screen.camera = replace(camera, view=view)
        labels = screen.labels([over], still)
        assert len(labels) > 5 and not any(on(label, over) for label in labels.values())


def on(label, area):
    x, y, width, height = label
    return x < area[2] and x + width > area[0] and y < area[3] and y + height > area[1]


def test_text_and_navigation_of_the_view_are_taken_as_far_as_they_reach(scene):
    region_of = scenes.module("sdf_inertia_addon.viewport.region")
    area = next(area for area in bpy.context.window.screen.areas if area.type == "VIEW_3D")
    window = next(region for region in area.regions if region.type == "WINDOW")
    view = area.spaces.active
    ob = scenes.add(scenes.box_mesh(), "cube")
    scenes.select(ob)

    def taken():
        with bpy.context.temp_override(area=area, region=window):
            left, _bottom, right, top = region_of.free_of(bpy.context)
            found = region_of.taken_of(bpy.context)
        assert all(one[0] == left or one[2] == right for one in found) and all(one[3] == top for one in found[1:])
        return found[1:]  # the first is our own note's

    text, *_navigation = taken()
    ob.name = "a name that is as long as a name may well be in a file"
    assert taken()[0][2] > text[2]
    view.overlay.show_stats = True
    assert taken()[0][1] < text[1]
    view.overlay.show_stats = view.overlay.show_text = view.show_gizmo_navigate = False
    assert taken() == []
