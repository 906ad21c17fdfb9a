# SPDX-License-Identifier: GPL-3.0-or-later
"""A mesh that is sculpted with Multiresolution keeps its last numbers, said to be old, and is not written."""

import bpy
import pytest

from ..scenes import add, box_mesh, live_model, module, select, tag

pytestmark = pytest.mark.usefixtures("scene")


@pytest.fixture
def clay():
    """Return a link whose mesh has two levels of Multiresolution."""
    ob = tag(add(box_mesh((1, 1, 1)), "clay"), "link", "collision", use_density=True, density=1000)
    select(ob)
    ob.modifiers.new("Multiresolution", "MULTIRES")
    for _level in range(2):
        bpy.ops.object.multires_subdivide(modifier="Multiresolution")
    return ob


def link():
    (found,) = live_model().links
    return found


def test_the_numbers_from_before_stay_and_are_stale(clay):
    before = link()
    mass = before.body.inertial.mass
    assert not before.stale and mass < 900  # rounder than the box
    bpy.ops.object.mode_set(mode="SCULPT")
    now = link()
    assert now.stale and not now.body.refused and now.body.inertial.mass == mass
    assert module("sdf_inertia_addon.panels.texts").waiting_text(now.body).startswith("As before sculpting")
    content, style = module("sdf_inertia_addon.overlay.content"), module("sdf_inertia_addon.overlay.style")
    model = live_model()
    (view,) = content.content_of(model, style.OverlayStyle(), content.VisibleLinks(), [0]).views
    assert view.stale and view.severity is None and "before sculpting" in view.lines[0]
    bpy.ops.object.mode_set(mode="OBJECT")
    after = link()
    assert not after.stale and after.body.inertial.mass == pytest.approx(mass, rel=1e-12)


def test_moving_while_sculpting_carries_the_old_numbers_along(clay):
    mass = link().body.inertial.mass
    bpy.ops.object.mode_set(mode="SCULPT")
    clay.location.x = 3.0
    bpy.context.view_layer.update()
    now = link()
    assert now.stale and now.body.inertial.mass == mass and now.body.pose.p[0] == 3.0
    bpy.ops.object.mode_set(mode="OBJECT")


def test_what_nobody_has_measured_is_called_sculpted_not_empty(clay, tmp_path):
    bpy.ops.object.mode_set(mode="SCULPT")
    assert not link().stale and "sculpting" in [finding.code for finding in link().body.all_findings()]
    overlay = module("sdf_inertia_addon.overlay.texts")
    assert overlay.first_error_title(link().body.all_findings()) == "Being sculpted"
    with pytest.raises(RuntimeError, match="sculpt mode"):
        bpy.ops.sdf_inertia.export_sdf(filepath=str(tmp_path))
    bpy.ops.object.mode_set(mode="OBJECT")


def test_sculpting_without_multiresolution_is_live():
    ob = tag(add(box_mesh((1, 1, 1)), "clay"), "link", "collision")
    select(ob)
    bpy.ops.object.mode_set(mode="SCULPT")
    assert not link().stale and link().body.inertial.mass == pytest.approx(1000)
    bpy.ops.object.mode_set(mode="OBJECT")
