# SPDX-License-Identifier: GPL-3.0-or-later
"""The centres of mass that a viewport shows, as pixels: what the overlay has drawn is what can be clicked."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np

from ...core.arrays import FloatArray
from .. import live
from ..overlay.bodies import Bodies
from ..overlay.body_view import BodyView
from ..overlay.camera import Camera
from ..overlay.content import Content
from ..overlay.draw import BALL
from ..overlay.joint_view import JointView
from ..scene.selection import object_by_full_name
from ..viewport import draw_handlers, view_settings


@dataclass(frozen=True, eq=False)
class Centers:
    """Links with a centre of mass on the screen.

    Parameters
    ----------
    views : tuple of BodyView
    camera : Camera
    metres_per_unit : float
    points : ndarray, shape (n, 3)
        Their centres of mass in the world, in Blender units.
    pixels : ndarray, shape (n, 2)
        The same, from the bottom left of the region; NaN behind the camera.
    radii : ndarray, shape (n,)
        Of the balls drawn there [px].
    """

    views: tuple[BodyView, ...]
    camera: Camera
    metres_per_unit: float
    points: FloatArray
    pixels: FloatArray
    radii: FloatArray


_last: tuple[Content, Camera, Centers] | None = None


def centers(context: bpy.types.Context) -> Centers | None:
    """Return what can be clicked in the region of a context: where it was last drawn; None where nothing is."""
    global _last
    drawn = draw_handlers.last_drawn(context.region)
    if drawn is None or drawn[0].style.center == "NONE":
        return None
    if _last is None or _last[0] is not drawn[0] or _last[1] is not drawn[1]:
        _last = *drawn, _found(*drawn)
    return _last[2]


def _found(content: Content, camera: Camera) -> Centers:
    unit, style = content.metres_per_unit, content.style
    views = tuple(view for view in content.views if view.kind == "link" and view.inertial is not None)
    bodies = Bodies.of(views, unit)
    radii = np.full(len(views), BALL * camera.scale * style.ball)
    if not views:
        return Centers(views, camera, unit, bodies.center, np.zeros((0, 2)), radii)
    if style.center == "LEAD":
        radii = np.maximum(radii, bodies.lead_radii(unit) / camera.units_per_pixels(bodies.center))
    return Centers(views, camera, unit, bodies.center, camera.project(bodies.center), radii)


@dataclass(frozen=True, eq=False)
class Joints:
    """Joints on the screen: as drawn, and their places (n, 2) [px]."""

    views: tuple[JointView, ...]
    camera: Camera
    metres_per_unit: float
    pixels: FloatArray


def joint_views(context: bpy.types.Context) -> Joints | None:
    """Return the joints that the region of a context was last drawn with; None where nothing is."""
    drawn = draw_handlers.last_drawn(context.region)
    if drawn is None:
        return None
    content, camera = drawn
    points = np.array([view.frame.p for view in content.joints]).reshape(-1, 3) / content.metres_per_unit
    return Joints(
        content.joints, camera, content.metres_per_unit, camera.project(points) if len(points) else points[:, :2]
    )


def object_of_link(context: bpy.types.Context, link_name: str) -> bpy.types.Object | None:
    """Return the object that is the link of that name in the file."""
    links = live.model(context.evaluated_depsgraph_get()).links
    name = next((link.object for link in links if link.body.name == link_name), None)  # unique, as in the file
    return None if name is None else object_by_full_name(name)


def may_be_clicked(context: bpy.types.Context) -> bool:
    """Return True if there may be anything to click: only then, and in object mode, is a click ours."""
    space = context.space_data
    return bool(
        isinstance(space, bpy.types.SpaceView3D)
        and space.overlay.show_overlays
        and context.mode == "OBJECT"
        and view_settings.of(context.scene).show
    )
