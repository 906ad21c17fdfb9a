# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws bodies into whatever framebuffer is bound: a viewport's, in a POST_VIEW handler, or an offscreen's.

A dozen draw calls for any number of bodies: each kind of thing is one unit shape, drawn at once for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import gpu
import numpy as np
import numpy.typing as npt

from ...core.arrays import FloatArray
from ..colors import ERROR, Color, dimmed, lines_on
from . import buffers, shaders
from .body_view import BodyView
from .buffers import InstancedShape
from .camera import Camera
from .content import Content
from .faulty_marks import FaultyMarks
from .ghosts import draw_ghosts
from .ghosts import forget as forget_ghosts
from .instance_rows import ball_rows, glass_rows, outlines, segments, stroke_rows
from .joint_view import lines_of
from .style import OverlayStyle
from .voxels import VoxelBoxes

AXIS_COLORS: tuple[Color, ...] = ((0.93, 0.27, 0.32), (0.50, 0.78, 0.13), (0.26, 0.52, 0.96))
BALL_COLOR: Color = (1.0, 0.82, 0.12)
DARK: tuple[float, ...] = (0.0, 0.0, 0.0, 0.8)

JOINT, JOINT_EDGE = 2.0, 4.0
STATICS, STATICS_EDGE = 3.0, 5.0
"""Widths of the lines of joints and of statics, and of what is dark below them [interface px]."""

RING, OUTLINE, ACTIVE, AXIS, AXIS_EDGE, TIE = 1.3, 1.8, 3.2, 2.2, 4.5, 1.4
BALL, BALL_EDGE, PART_BALL, MARK = 7.0, 1.4, 4.5, 3.5
"""Widths of lines; radii of marks of the centre of mass, and width of their rims [interface px]."""

SMALLEST = 2.5
"""Radius of the least ball of lead that is drawn: smaller ones could not be seen [interface px]."""

TOTAL = 0.2
"""How solid the total is, against a link: it is around all of them, and must not veil them."""

SEEN_THROUGH = 0.25
"""How much is left of what lies behind a surface."""


def draw_bodies(
    views: Sequence[BodyView],
    camera: Camera,
    metres_per_unit: float = 1.0,
    style: OverlayStyle | None = None,
    faulty: Sequence[FaultyMarks] = (),
) -> None:
    """Draw solids, rings, principal axes and centres of mass; depth-tested against what is there already.

    Must be called with a framebuffer bound and its viewport set. Leaves the GPU state as Blender's default.
    """
    Drawing(Content(tuple(views), metres_per_unit, style or OverlayStyle()), camera).draw(faulty=faulty)


def forget() -> None:
    """Drop everything that is on the GPU."""
    buffers.forget()
    forget_ghosts()
    shaders.forget()


class Drawing:
    """Bodies as one camera sees them, on the GPU: drawn again for nothing while neither changes."""

    def __init__(self, content: Content, camera: Camera) -> None:
        self.camera, self.style = camera, content.style
        self._metres_per_unit = content.metres_per_unit
        bodies = content.bodies
        depth = bodies.center @ camera.view[2, :3] + camera.view[2, 3]
        order = np.argsort(np.nan_to_num(depth), kind="stable")  # the farthest first: each is seen through the next
        self._views = [content.views[i] for i in order]
        self._bodies = bodies.take(order)
        self._colors = np.array([dimmed(v.color) if v.stale else v.color for v in self._views]).reshape(-1, 3)
        self._part = np.array([view.kind == "part" for view in self._views], dtype=bool)
        self._active = np.array([view.active for view in self._views], dtype=bool)
        self._opacity = np.array([view.solid for view in self._views])
        self._solid = self._bodies.solid() & (self._opacity > 0.0) & (self.style.shape != "NONE")
        self._reach = np.array([view.reach for view in self._views]) / content.metres_per_unit
        self.glass = self._glass()
        self.lines = self._lines()
        self.over = self._part_lines() + self._axes() + self._joints(content)
        self.ghosts = content.ghosts
        self.balls = self._balls(content.metres_per_unit)

    def draw(self, voxels: Sequence[VoxelBoxes] = (), faulty: Sequence[FaultyMarks] = ()) -> None:
        """Draw into the framebuffer that is bound, with voxels below the rest, and faulty places above the solids."""
        with _drawing():
            for boxes in voxels:
                boxes.draw(self.camera)
            draw_ghosts(self.ghosts, self.camera)
            if self.style.in_front:
                self._draw_solids("NONE", 1.0)
            else:
                self._draw_solids("GREATER_EQUAL", SEEN_THROUGH)
                self._draw_solids("LESS_EQUAL", 1.0)
            for marks in faulty:
                marks.draw(self.camera, self._metres_per_unit, self.style.in_front)
            gpu.state.depth_test_set("NONE")
            for strokes in self.over:
                strokes.draw(viewport=self._viewport())
            self.balls.draw()

    def _draw_solids(self, test: str, share: float) -> None:
        gpu.state.depth_test_set(test)
        for face in ("FRONT", "BACK"):  # culled: so the far half of a body comes before its near half
            gpu.state.face_culling_set(face)
            self.glass.draw(share)
        gpu.state.face_culling_set("NONE")
        for strokes in self.lines:
            strokes.draw(share, viewport=self._viewport())

    def _viewport(self) -> tuple[float, float]:
        return float(self.camera.width), float(self.camera.height)

    def _glass(self) -> InstancedShape:
        drawn = self._solid & ~self._part
        box = self.style.shape == "BOX"
        weight = np.array([TOTAL if view.kind == "total" else 0.6 if view.stale else 1.0 for view in self._views])
        weight *= self.style.opacity * self._opacity
        colors = np.concatenate([self._colors, weight[:, None]], axis=1)[drawn]
        rows = glass_rows(self._bodies.matrices(box)[drawn], colors, self.camera)
        return InstancedShape(shaders.glass, "cube" if box else "sphere", rows)

    def _lines(self) -> list[InstancedShape]:
        return self._outlined(self._solid & ~self._part, 0.8, 1.0)

    def _part_lines(self) -> list[InstancedShape]:
        """Return the outlines of the parts, thin, and what ties each to its link's centre of mass."""
        lines = self._outlined(self._solid & self._part, 0.35, 0.6)
        (link,) = np.flatnonzero(self._active & ~self._part)[:1] if self._part.any() and self._active.any() else (None,)
        if link is not None:
            starts = self._bodies.center[self._part]
            ends = np.broadcast_to(self._bodies.center[link], starts.shape)
            colors = lines_on(self._colors[self._part], self.style.on_light)
            lines.append(self._strokes("segment", segments(starts, ends), colors, 0.95, TIE, TIE + 1.8))
        return lines

    def _outlined(self, drawn: npt.NDArray[np.bool_], ring: float, weight: float) -> list[InstancedShape]:
        colors = lines_on(self._colors[drawn], self.style.on_light)
        active = (self._active & ~self._part)[drawn]
        colors[active] = 0.4 * colors[active] + (0.0 if self.style.on_light else 0.6)
        width = np.where(active, ACTIVE, OUTLINE) * weight
        if self.style.shape == "BOX":
            matrices = self._bodies.matrices(True)[drawn]
            return [self._strokes("edges", matrices, colors, 0.95 * weight, width, width + 1.2)]
        matrices = self._bodies.matrices()[drawn]
        seen, circles = outlines(matrices, self.camera)
        return [
            self._strokes("rings", matrices, colors, ring, RING * weight, 0.0),
            self._strokes("circle", circles, colors[seen], 0.95 * weight, width[seen], width[seen] + 1.2),
        ]

    def _axes(self) -> list[InstancedShape]:
        drawn = self._bodies.solid() & ~self._part & self.style.show_axes & (self._reach > 0.0)
        if not drawn.any():
            return []
        matrices = self._bodies.matrices(self.style.shape == "BOX", thick=False)[drawn]
        turned = np.zeros((len(matrices), 3, 4, 4))  # the segment along x becomes the i-th axis
        half = matrices[:, :3, :3].transpose(0, 2, 1)
        lengths = np.maximum(np.linalg.norm(half, axis=2, keepdims=True), np.finfo(np.float64).tiny)
        turned[:, :, :3, 0] = half * np.minimum(self._reach[drawn, None, None] / lengths, 1.0)
        turned[:, :, :, 3] = matrices[:, None, :, 3]
        colors = np.tile(AXIS_COLORS, (len(matrices), 1))
        return [self._strokes("segment", turned.reshape(-1, 4, 4), colors, 1.0, AXIS, AXIS_EDGE)]

    def _joints(self, content: Content) -> list[InstancedShape]:
        of_joints = lines_of(content.joints, self.camera, content.metres_per_unit)
        of_statics = content.statics.lines(self.camera, content.metres_per_unit)
        return [
            self._strokes("segment", segments(starts, ends), lines_on(colors, self.style.on_light), 1.0, width, edge)
            for (starts, ends, colors), width, edge in (
                (of_joints, JOINT, JOINT_EDGE),
                (of_statics, STATICS, STATICS_EDGE),
            )
            if len(starts)
        ]

    def _strokes(
        self, shape: str, matrices: FloatArray, colors: FloatArray, alpha: float, width: float | FloatArray,
        border: float | FloatArray,
    ) -> InstancedShape:  # fmt: skip
        """Return lines of `width` on darker ones of the width `border` [interface px]."""
        count = len(matrices)
        half = np.empty((count, 2))
        half[:, 0], half[:, 1] = width, border
        half *= 0.5 * self.camera.scale * self.style.line
        inks = np.concatenate([colors.reshape(-1, 3), np.full((count, 1), alpha)], axis=1)
        dark = (*DARK[:3], DARK[3] if shape == "segment" else 0.35)
        edges = np.tile(dark, (count, 1))
        edges[half[:, 1] <= half[:, 0], 3] = 0.0
        return InstancedShape(shaders.stroke, shape, stroke_rows(matrices, inks, edges, half, self.camera))

    def _balls(self, metres_per_unit: float) -> InstancedShape:
        known = np.array([view.inertial is not None for view in self._views], dtype=bool)
        drawn = np.all(np.isfinite(self._bodies.center), axis=1) & (known if self.style.center == "NONE" else True)
        if self.style.center == "NONE":
            drawn &= self._part
        pixel = self.camera.units_per_pixels(self._bodies.center) * self.camera.scale
        radius = np.where(self._reach == 0.0, MARK, np.where(self._active, 1.2, 1.0) * BALL)
        radius = np.where(self._part, PART_BALL, radius) * pixel * self.style.ball
        if self.style.center == "LEAD":
            lead = self._bodies.lead_radii(metres_per_unit)
            radius = np.where(known & ~self._part, np.maximum(lead, SMALLEST * pixel), radius)
        active = self._active & ~self._part
        opaque = np.ones((len(drawn), 1))
        colors = np.array([_ball_color(view) for view in self._views]).reshape(-1, 3)
        inks = np.concatenate([colors, opaque], axis=1)[drawn]
        rims = np.concatenate([np.where(active[:, None], 1.0, 0.05) * np.ones(3), opaque], axis=1)[drawn]
        rim = (BALL_EDGE * self.camera.scale * np.where(active, 1.4, 1.0))[drawn]
        rows = ball_rows(self._bodies.balls(radius)[drawn], inks, rims, rim, self.camera)
        return InstancedShape(shaders.ball, "disc", rows)


def _ball_color(view: BodyView) -> Color:
    if view.inertial is None and not view.stale:
        return ERROR if view.severity == "error" else view.color
    color = BALL_COLOR if view.kind == "link" else view.color
    return dimmed(color) if view.stale else color


@contextmanager
def _drawing() -> Iterator[None]:
    # Offscreen nothing is preset, and in a handler anything may be.
    gpu.state.color_mask_set(True, True, True, True)
    gpu.state.depth_mask_set(False)
    gpu.state.blend_set("ALPHA")
    gpu.state.face_culling_set("NONE")
    try:
        yield
    finally:
        gpu.state.face_culling_set("NONE")
        gpu.state.depth_test_set("NONE")
        gpu.state.depth_mask_set(False)
        gpu.state.blend_set("NONE")
