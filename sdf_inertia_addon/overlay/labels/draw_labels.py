# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws the labels, in pixels: in a POST_PIXEL handler, or into an offscreen after the bodies."""

from __future__ import annotations

from collections.abc import Sequence

import blf
import gpu
import numpy as np
import numpy.typing as npt
from mathutils import Matrix

from ....core.arrays import FloatArray
from ...colors import lines_on
from ...translations.words import iface_, nn_
from .. import shaders
from ..body_view import BodyView
from ..buffers import InstancedShape
from ..camera import Camera
from ..content import Content
from ..draw import BALL, BALL_EDGE, PART_BALL
from ..instance_rows import segments, stroke_rows
from ..style import OverlayStyle
from .label_boxes import FONT, SOUND, VALUE, LabelBoxes, Text, label_boxes
from .layout import Bounds, leader_ends, occupancy
from .placement import Placement, foremost_labels, label_limit

LEADER, LEADER_EDGE = 1.4, 3.0
"""Widths of leaders, without and with their dark border [interface px]."""

WIDEST = 0.7
"""The share of a view's width from which on a name has two lines."""

NOTE_COLOR = (0.86, 0.87, 0.90, 0.9)


def draw_labels(
    views: Sequence[BodyView], camera: Camera, metres_per_unit: float = 1.0, style: OverlayStyle | None = None
) -> str:
    """Draw name and lines of each body in a box that a leader ties to its centre of mass.

    Labels overlap neither each other nor the picture's edge; returns a note about those that found no room.
    """
    labels = Labels(Content(tuple(views), metres_per_unit, style or OverlayStyle()), camera)
    labels.draw()
    return labels.note


class Labels:
    """The labels of bodies as one camera sees them: drawn again for next to nothing while neither changes."""

    def __init__(
        self,
        content: Content,
        camera: Camera,
        placement: Placement | None = None,
        bounds: Bounds | None = None,
        taken: Sequence[Bounds] = (),
    ) -> None:
        boxes, anchors, corners = placed_labels(content, camera, placement or Placement(), bounds, taken)
        placed = np.flatnonzero(np.isfinite(corners[:, 0]))
        corners = np.round(corners)
        self._camera = camera
        self.note = no_room(boxes.rank[np.isfinite(anchors[:, 0]) & np.isnan(corners[:, 0])])
        self._leaders = _leaders(content, boxes, anchors, corners, placed, camera)
        self._boxes = _drawn_boxes(boxes, corners, placed)
        self._texts = [
            (text, size, color, corners[i, 0] + x, corners[i, 1] + y)
            for i in placed
            for text, size, color, x, y in boxes.texts[i]
        ]
        self._texts.sort(key=lambda text: text[1])  # one size after the other

    def draw(self) -> None:
        """Draw into the framebuffer that is bound."""
        viewport = (float(self._camera.width), float(self._camera.height))
        gpu.state.blend_set("ALPHA")
        gpu.state.depth_test_set("NONE")
        gpu.state.face_culling_set("NONE")
        self._leaders.draw(viewport=viewport)
        self._boxes.draw(viewport=viewport)
        _draw_texts(self._texts, self._camera)  # last, since blf leaves blending off
        gpu.state.blend_set("NONE")


def placed_labels(
    content: Content,
    camera: Camera,
    placement: Placement,
    bounds: Bounds | None = None,
    taken: Sequence[Bounds] = (),
) -> tuple[LabelBoxes, FloatArray, FloatArray]:
    """Return the labels of what is shown, what each points at (n, 2), and their corners (n, 2), NaN without a place.

    What is shown of them, and where, does not depend on what is selected, but that the selected ones come on top.
    """
    boxes = label_boxes(content, camera.scale * content.style.label)
    anchors = camera.project(content.bodies.center[boxes.index])
    bounds = bounds or (0.0, 0.0, float(camera.width), float(camera.height))
    inside = np.all((anchors >= bounds[:2]) & (anchors <= bounds[2:]), axis=1)
    anchors[~inside] = np.nan
    whole = np.array([view.kind != "part" for view in content.views], dtype=bool)
    solid = whole & content.bodies.solid() & np.array([view.solid > 0.0 for view in content.views], dtype=bool)
    covered = content.bodies.matrices()[solid]
    if content.geometry is not None:
        covered = np.diag([1.0 / content.metres_per_unit] * 3 + [1.0]) @ content.geometry
    hosts = inside & whole[boxes.index]
    if content.geometry is not None and hosts.sum() > label_limit(boxes.sizes[hosts], bounds, camera.scale, 0):
        # Of many faulty links, the names.
        boxes = label_boxes(content, camera.scale * content.style.label, WIDEST * (bounds[2] - bounds[0]))
    hosts = foremost_labels(boxes.rank, boxes.mass, hosts, label_limit(boxes.sizes[hosts], bounds, camera.scale))
    corners = placement.place(
        boxes.names,
        np.where((hosts | boxes.chosen)[:, None], anchors, np.nan),
        boxes.sizes,
        bounds,
        boxes.rank,
        lambda: occupancy(camera.outlines(covered), camera.width, camera.height, camera.scale),
        camera.scale,
        ~hosts,
        taken,
        boxes.chosen,
    )
    return boxes, anchors, corners


def no_room(ranks: npt.NDArray[np.int64]) -> str:
    """Return in words how many labels of such ranks were left out; nothing if none was."""
    count = len(ranks)
    text = nn_(count, "{count} more label has no room", "{count} more labels have no room")
    if (ranks < SOUND).all():
        text = nn_(count, "and {count} more faulty link", "and {count} more faulty links")
    return iface_(text, count=count) if count else ""


def draw_note(text: str, camera: Camera, corner: tuple[float, float] = (0.0, 0.0)) -> None:
    """Write a line above and right of a corner [px], with a shadow, so that it can be read on any ground."""
    if not text:
        return
    x, y = (edge + 12.0 * camera.scale for edge in corner)
    blf.enable(FONT, blf.SHADOW)
    blf.shadow(FONT, 5, 0.0, 0.0, 0.0, 0.8)
    blf.shadow_offset(FONT, 1, -1)
    _draw_texts([(text, VALUE * camera.scale, NOTE_COLOR, x, y)], camera)
    blf.disable(FONT, blf.SHADOW)


def _draw_texts(texts: Sequence[Text], camera: Camera) -> None:
    with gpu.matrix.push_pop(), gpu.matrix.push_pop_projection():
        gpu.matrix.load_identity()
        gpu.matrix.load_projection_matrix(Matrix(_pixels(camera)))
        last: tuple[object, object] = (None, None)
        for text, size, color, x, y in texts:
            if (size, color) != last:
                blf.size(FONT, size)
                blf.color(FONT, *color)
                last = (size, color)
            blf.position(FONT, round(x), round(y), 0.0)
            blf.draw(FONT, text)


def _drawn_boxes(boxes: LabelBoxes, corners: FloatArray, placed: npt.NDArray[np.intp]) -> InstancedShape:
    rows = np.concatenate([boxes.box_rows[placed], boxes.sign_rows[placed]])
    rows[:, :2] += np.tile(corners[placed], (2, 1))
    return InstancedShape(shaders.box, "disc", rows[rows[:, 2] > 0.0].astype(np.float32))


def _leaders(
    content: Content,
    boxes: LabelBoxes,
    anchors: FloatArray,
    corners: FloatArray,
    placed: npt.NDArray[np.intp],
    camera: Camera,
) -> InstancedShape:
    style = content.style
    anchors, ends = anchors[placed], leader_ends(anchors[placed], corners[placed], boxes.sizes[placed])
    length = np.linalg.norm(ends - anchors, axis=1)
    part = np.array([content.views[i].kind == "part" for i in boxes.index[placed]], dtype=bool)
    mark = (np.where(part, PART_BALL, BALL) * style.ball + BALL_EDGE) * camera.scale
    gap = mark * (part | (style.center != "NONE"))
    drawn = length > gap
    starts = anchors + (ends - anchors) * (gap / np.maximum(length, 1e-9))[:, None]
    flat = np.zeros((2, int(drawn.sum()), 3))
    flat[0, :, :2], flat[1, :, :2] = starts[drawn], ends[drawn]
    inks = np.ones((flat.shape[1], 4))
    inks[:, :3] = lines_on(boxes.colors[placed][drawn], style.on_light)
    dark = np.tile((0.0, 0.0, 0.0, 0.45), (len(inks), 1))
    half = np.tile((LEADER, LEADER_EDGE), (len(inks), 1)) * 0.5 * camera.scale * style.line
    in_pixels = Camera(np.eye(4), _pixels(camera), camera.width, camera.height)
    return InstancedShape(shaders.stroke, "segment", stroke_rows(segments(*flat), inks, dark, half, in_pixels))


def _pixels(camera: Camera) -> FloatArray:
    """Return the map (4, 4) from pixels to clip space."""
    pixels = np.diag([2.0 / camera.width, 2.0 / camera.height, -1.0, 1.0])
    pixels[:2, 3] = -1.0
    return pixels
