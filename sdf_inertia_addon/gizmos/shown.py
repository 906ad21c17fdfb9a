# SPDX-License-Identifier: GPL-3.0-or-later
"""The centres of mass that a viewport shows, as pixels: what the overlay has drawn is what can be clicked."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np

from ...core.arrays import FloatArray
from .. import live, view_settings, viewport
from ..live import LiveLink
from ..overlay.camera import Camera
from ..overlay.draw import BALL
from ..overlay.instances import Bodies
from ..overlay.shapes import BodyView


@dataclass(frozen=True, eq=False)
class Shown:
    """Links with a centre of mass on the screen.

    Parameters
    ----------
    views : list of BodyView
    camera : Camera
    metres_per_unit : float
    centers : ndarray, shape (n, 3)
        Their centres of mass in the world, in Blender units.
    pixels : ndarray, shape (n, 2)
        The same, from the bottom left of the region; NaN behind the camera.
    radii : ndarray, shape (n,)
        Of the balls drawn there [px].
    model : LiveModel
    """

    views: list[BodyView]
    camera: Camera
    metres_per_unit: float
    centers: FloatArray
    pixels: FloatArray
    radii: FloatArray
    model: live.LiveModel

    def link(self, index: int) -> LiveLink | None:
        """Return the link that a centre belongs to."""
        name = self.views[index].name  # as in the file, where it is unique
        return next((link for link in self.model.links if link.body.name == name), None)

    def object_of(self, index: int) -> bpy.types.Object | None:
        link = self.link(index)
        return None if link is None else object_named(link.object)


_last: tuple[viewport.Seen, Shown] | None = None


def shown(context: bpy.types.Context) -> Shown | None:
    """Return what can be clicked in the region of a context: where it was last drawn; None where nothing is."""
    global _last
    seen = viewport.seen(context.region)
    if seen is None or seen.look.center == "NONE":
        return None
    if _last is None or _last[0] is not seen:
        _last = seen, _shown(seen, live.model(context.evaluated_depsgraph_get()))
    return _last[1]


def _shown(seen: viewport.Seen, model: live.LiveModel) -> Shown:
    camera, unit = seen.camera, seen.metres_per_unit
    views = [view for view in seen.views if view.kind == "link" and view.inertial is not None]
    bodies = Bodies.of(views, unit)
    radii = np.full(len(views), BALL * camera.scale * seen.look.ball)
    if seen.look.center == "LEAD":
        radii = np.maximum(radii, bodies.lead_radii(unit) / camera.units_per_pixels(bodies.center))
    return Shown(views, camera, unit, bodies.center, camera.project(bodies.center), radii, model)


def wanted(context: bpy.types.Context) -> bool:
    """Say whether there may be anything to click: only then, and in object mode, is a click ours."""
    space = context.space_data
    return bool(
        isinstance(space, bpy.types.SpaceView3D)
        and space.overlay.show_overlays
        and context.mode == "OBJECT"
        and view_settings.of(context.scene).show
    )


def object_named(full_name: str) -> bpy.types.Object | None:
    """Return the object of that full name, which may be a library's."""
    ob: bpy.types.Object | None = bpy.data.objects.get(full_name)
    if ob is not None and ob.name_full == full_name:
        return ob
    return next((other for other in bpy.data.objects if other.name_full == full_name), None)
