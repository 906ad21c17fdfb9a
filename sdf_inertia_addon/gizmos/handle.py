# SPDX-License-Identifier: GPL-3.0-or-later
"""What the handles of the active link have in common: found under the mouse, dragged, put back by Esc, one undo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import bpy
import numpy as np

from ...core.arrays import FloatArray
from ...core.body.pose import Pose
from ..names import PROPERTIES
from ..overlay.camera import Camera
from ..scene.belonging import is_link
from ..scene.properties import SDF_INERTIA_PG_object
from ..scene.selection import object_by_full_name
from ..translations.words import iface_, n_
from .centers import centers, object_of_link


@dataclass(frozen=True, eq=False)
class HandleTarget:
    """The active link as a viewport shows it.

    Parameters
    ----------
    name : str
        Full name of the object.
    frame : Pose
        The link's, in the world [m].
    camera : Camera
    metres_per_unit : float
    center : ndarray, shape (3,)
        Its centre of mass in the world, in Blender units.
    pixel : ndarray, shape (2,)
        The same in the region.
    radius : float
        Of the ball drawn there [px].
    """

    name: str
    frame: Pose
    camera: Camera
    metres_per_unit: float
    center: FloatArray
    pixel: FloatArray
    radius: float

    @property
    def settings(self) -> SDF_INERTIA_PG_object:
        """The settings of the object, which is looked up each time: it may be gone the next."""
        settings: SDF_INERTIA_PG_object = getattr(object_by_full_name(self.name), PROPERTIES)
        return settings


def handle_target(context: bpy.types.Context) -> HandleTarget | None:
    """Return the active link, if it is shown here and can be changed."""
    shown = centers(context)
    index = None if shown is None else next((i for i, view in enumerate(shown.views) if view.active), None)
    if shown is None or index is None or not np.all(np.isfinite(shown.pixels[index])):
        return None
    ob = object_of_link(context, shown.views[index].name)
    if ob is None or not ob.is_editable or not is_link(ob):
        return None
    stands = shown.points[index], shown.pixels[index], float(shown.radii[index])
    return HandleTarget(ob.name_full, shown.views[index].frame, shown.camera, shown.metres_per_unit, *stands)


class Handle:
    """A gizmo that changes properties of the active link while it is dragged.

    A subclass defines the properties (`changes`), its area (`covers`), its look (`draw_on`) and the effect of a mouse
    movement (`change`). It is a mix-in: Blender registers only subclasses of its Gizmo.
    """

    is_highlight: bool
    is_modal: bool

    changes: ClassVar[tuple[str, ...]]
    """What it changes, and puts back."""

    message: str
    """Its entry in the history."""

    hints: tuple[str, ...] = (n_("Ctrl: in steps"), n_("Shift: finely"), n_("Esc or right click: as it was"))

    def find(self, context: bpy.types.Context) -> HandleTarget | None:
        """Return what there is to be dragged."""
        return handle_target(context)

    def setup(self) -> None:
        self.start: HandleTarget | None = None
        self.before: dict[str, Any] = {}
        self.mouse = np.zeros(2)

    def applies(self, settings: SDF_INERTIA_PG_object) -> bool:
        """Return True if a link has what the handle changes."""
        raise NotImplementedError

    def covers(self, distance: float, link: HandleTarget) -> bool:
        """Return True if the handle is at that distance from the centre of mass [px]."""
        raise NotImplementedError

    def draw_on(self, link: HandleTarget) -> None:
        """Draw the handle."""
        raise NotImplementedError

    def begin(self, link: HandleTarget) -> None:
        """Get ready to be dragged."""

    def change(self, link: HandleTarget, way: FloatArray, event: bpy.types.Event, tweak: set[str]) -> str:
        """Change the link's settings by a way of the mouse (2,) [px] since the last event; return what is shown."""
        raise NotImplementedError

    def test_select(self, context: bpy.types.Context, location: tuple[int, int]) -> int:
        link = self.find(context)
        if link is None or not self.applies(link.settings):
            return -1
        return 0 if self.covers(float(np.linalg.norm(np.array(location) - link.pixel)), link) else -1

    def draw(self, context: bpy.types.Context) -> None:
        link = self.find(context)
        if link is not None and self.applies(link.settings):
            self.draw_on(link)

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        self.start = self.find(context)
        if self.start is None:
            return {"CANCELLED"}
        settings = self.start.settings
        self.before = {name: _plain(getattr(settings, name)) for name in self.changes}
        self.mouse = np.array([event.mouse_region_x, event.mouse_region_y], dtype=np.float64)
        self.begin(self.start)
        context.workspace.status_text_set("    ".join(map(iface_, self.hints)))
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event, tweak: set[str]) -> set[str]:
        if self.start is None or object_by_full_name(self.start.name) is None:
            return {"CANCELLED"}
        mouse = np.array([event.mouse_region_x, event.mouse_region_y], dtype=np.float64)
        text = self.change(self.start, mouse - self.mouse, event, tweak)
        self.mouse = mouse
        context.area.header_text_set(text)
        context.area.tag_redraw()
        return {"RUNNING_MODAL"}

    def exit(self, context: bpy.types.Context, cancel: bool) -> None:
        context.area.header_text_set(None)
        context.workspace.status_text_set(None)
        link, self.start = self.start, None
        if link is None or object_by_full_name(link.name) is None:
            return
        settings = link.settings
        if all(_plain(getattr(settings, name)) == value for name, value in self.before.items()):
            return
        if cancel:
            for name, value in self.before.items():
                setattr(settings, name, value)
        else:
            bpy.ops.ed.undo_push(message=iface_(self.message))


def _plain(value: Any) -> Any:
    return value if isinstance(value, float) else tuple(value)
