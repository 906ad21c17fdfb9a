# SPDX-License-Identifier: GPL-3.0-or-later
"""Which link an object is in: panel and overlay ask the same function, also of what only instances place."""

import bpy
import pytest

from ..scenes import add, box_link, box_mesh, empty, live_model, module, select, tag

pytestmark = pytest.mark.usefixtures("scene")


@pytest.fixture
def group(scene):
    group = bpy.data.collections.new("group")
    bpy.context.scene.collection.children.link(group)
    return group


def placed(group, name, parent=None):
    place = empty(name, parent)
    place.instance_type, place.instance_collection = "COLLECTION", group
    return place


def moved_into(group, ob):
    for collection in ob.users_collection:
        collection.objects.unlink(ob)
    group.objects.link(ob)
    return ob


def link_of(ob):
    """Return the name of the link that the panel shows when an object is active, if the overlay marks that one too."""
    bpy.context.view_layer.update()
    select(ob)
    link = module("sdf_inertia_addon.panels.active").active_of(bpy.context).link
    model = live_model()
    style = module("sdf_inertia_addon.overlay.style").OverlayStyle()
    seen = module("sdf_inertia_addon.viewport.in_view").links_in_view(bpy.context, model, style)
    assert seen.active == (None if link is None else model.links.index(link))
    return None if link is None else link.object


def test_a_part_is_in_the_nearest_link_above_it_and_a_stranger_in_none():
    base = tag(empty("base"), "link")
    arm = tag(empty("arm", base), "link")
    parts = [tag(add(box_mesh(), "box", link), "collision") for link in (base, arm)]
    assert [link_of(ob) for ob in (base, arm, *parts)] == ["base", "arm", "base", "arm"]
    assert link_of(add(box_mesh(), "stranger")) is None


def test_a_part_that_only_instances_place_is_in_the_link_of_the_first(group):
    tyre = moved_into(group, tag(add(box_mesh(), "tyre"), "collision"))
    places = [placed(group, f"place {name}", tag(empty(name), "link")) for name in ("front", "rear")]
    assert link_of(tyre) == "front"
    assert [link_of(place) for place in places] == ["front", "rear"]


def test_what_places_a_link_stands_for_it(group):
    wheel = moved_into(group, box_link("wheel"))
    assert link_of(placed(group, "place")) == "wheel"
    assert link_of(wheel) == "wheel"
