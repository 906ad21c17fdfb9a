# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws the labels, in pixels: in a POST_PIXEL handler, or into an offscreen after the bodies."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import blf
import gpu
import numpy as np
import numpy.typing as npt
from mathutils import Matrix

from ...core.arrays import FloatArray
from . import shaders
from .buffers import Instances
from .camera import Camera
from .colors import ERROR, WARNING, Color, dimmed, lighter
from .draw import BALL, BALL_EDGE, PART_BALL
from .instances import Bodies, segments, stroke_rows
from .layout import Bounds, leader_ends, occupancy
from .look import Look
from .placement import Placement
from .shapes import BodyView

NAME, VALUE = 13.0, 11.0
"""Heights of the two fonts [interface px]."""

PADDING, LEADING, RADIUS, LEADER, SHADOW, SIGN = (9.0, 7.0), 1.45, 4.5, 1.4, 7.0, 15.0
BORDER, ACTIVE_BORDER = 1.3, 2.4

NAME_COLOR = (1.0, 1.0, 1.0, 1.0)
VALUE_COLOR = (0.82, 0.83, 0.86, 1.0)
NOTE_COLOR = (0.86, 0.87, 0.90, 0.9)
SIGN_COLOR = (0.08, 0.08, 0.09, 1.0)
FILL = (0.10, 0.10, 0.11, 0.90)
SIGNS: dict[str, Color] = {"warning": WARNING, "error": ERROR}

_FONT = 0

Text = tuple[str, float, tuple[float, ...], float, float]
"""What, how high, in which colour, and where [px]."""


def draw_labels(
    views: Sequence[BodyView], camera: Camera, metres_per_unit: float = 1.0, look: Look | None = None
) -> int:
    """Draw name and lines of each body in a box that a leader ties to its centre of mass.

    Labels overlap neither each other nor the picture's edge; returns how many found no room and were left out.
    """
    labels = Labels(views, camera, metres_per_unit, look or Look())
    labels.draw()
    return labels.left_out


class Labels:
    """The labels of bodies as one camera sees them: drawn again for next to nothing while neither changes."""

    def __init__(
        self,
        views: Sequence[BodyView],
        camera: Camera,
        metres_per_unit: float,
        look: Look,
        placement: Placement | None = None,
        bounds: Bounds | None = None,
    ) -> None:
        shown = [view for view in views if view.labelled]
        self._camera = camera
        self._scale = camera.scale * look.label
        self._texts: list[Text] = []
        self._boxes = self._leaders = Instances(shaders.box, "disc", np.zeros((0, 16), dtype=np.float32))
        self.left_out = 0
        if not shown:
            return
        bodies = Bodies.of(shown, metres_per_unit)
        anchors = camera.project(bodies.center)
        sizes = np.array([_size(view, self._scale) for view in shown])
        all_bodies = Bodies.of([view for view in views if view.kind != "part"], metres_per_unit)
        corners = (placement or Placement()).place(
            [f"{view.kind} {view.name}" for view in shown],
            anchors,
            sizes,
            bounds or (0.0, 0.0, float(camera.width), float(camera.height)),
            np.array([_rank(view) for view in shown]),
            lambda: _occupied(all_bodies, camera),
            camera.scale,
        )
        found = np.flatnonzero(np.isfinite(corners[:, 0]))
        self.left_out = len(shown) - len(found)
        self._fill([shown[i] for i in found], anchors[found], corners[found], sizes[found], look)

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

    def _fill(
        self, views: list[BodyView], anchors: FloatArray, corners: FloatArray, sizes: FloatArray, look: Look
    ) -> None:
        colors = np.array([dimmed(view.color) if view.stale else view.color for view in views]).reshape(-1, 3)
        part = np.array([view.kind == "part" for view in views], dtype=bool)
        self._leaders = self._leader_lines(anchors, corners, sizes, colors, part, look)
        boxes = [_box_row(*row, self._scale) for row in zip(views, corners, sizes, colors, strict=True)]
        for view, corner, size in zip(views, corners, sizes, strict=True):
            self._texts += _placed_texts(view, corner, size, self._scale)
            if view.severity is not None and view.kind != "part":
                boxes.append(_sign_row(corner, size, SIGNS[view.severity], self._scale))
                self._texts.append(_sign_text(corner, size, self._scale))
        self._texts.sort(key=lambda text: text[1])  # one size after the other
        self._boxes = Instances(shaders.box, "disc", np.array(boxes, dtype=np.float32).reshape(-1, 16))

    def _leader_lines(
        self, anchors: FloatArray, corners: FloatArray, sizes: FloatArray, colors: FloatArray,
        part: npt.NDArray[np.bool_], look: Look,
    ) -> Instances:  # fmt: skip
        scale = self._camera.scale
        ends = leader_ends(anchors, corners, sizes)
        length = np.linalg.norm(ends - anchors, axis=1)
        ball = np.where(part, PART_BALL, BALL) * look.ball
        gap = (ball + BALL_EDGE) * scale if look.center != "NONE" else np.zeros(len(length))
        drawn = length > gap
        starts = anchors + (ends - anchors) * (gap / np.maximum(length, 1e-9))[:, None]
        flat = np.zeros((2, int(drawn.sum()), 3))
        flat[0, :, :2], flat[1, :, :2] = starts[drawn], ends[drawn]
        light = np.array([lighter(tuple(color)) for color in colors[drawn]]).reshape(-1, 3)
        inks = np.concatenate([light, np.ones((len(light), 1))], axis=1)
        dark = np.tile((0.0, 0.0, 0.0, 0.45), (len(light), 1))
        half = np.tile((LEADER, LEADER + 1.6), (len(light), 1)) * 0.5 * scale * look.line
        flat_camera = Camera(np.eye(4), _pixels(self._camera), self._camera.width, self._camera.height)
        return Instances(shaders.stroke, "segment", stroke_rows(segments(*flat), inks, dark, half, flat_camera))


def draw_note(text: str, camera: Camera, corner: tuple[float, float] = (0.0, 0.0)) -> None:
    """Write a line above and right of a corner [px], with a shadow, so that it can be read on any ground."""
    x, y = (round(edge + 12.0 * camera.scale) for edge in corner)
    blf.enable(_FONT, blf.SHADOW)
    blf.shadow(_FONT, 5, 0.0, 0.0, 0.0, 0.8)
    blf.shadow_offset(_FONT, 1, -1)
    _draw_texts([(text, VALUE * camera.scale, NOTE_COLOR, x, y)], camera)
    blf.disable(_FONT, blf.SHADOW)


def _draw_texts(texts: Sequence[Text], camera: Camera) -> None:
    with gpu.matrix.push_pop(), gpu.matrix.push_pop_projection():
        gpu.matrix.load_identity()
        gpu.matrix.load_projection_matrix(Matrix(_pixels(camera)))
        last: tuple[object, object] = (None, None)
        for text, size, color, x, y in texts:
            if (size, color) != last:
                blf.size(_FONT, size)
                blf.color(_FONT, *color)
                last = (size, color)
            blf.position(_FONT, x, y, 0.0)
            blf.draw(_FONT, text)


def _texts_of(view: BodyView) -> list[tuple[str, float, tuple[float, ...]]]:
    if view.kind == "part":
        return [("  ".join((view.name, *view.lines)), VALUE, VALUE_COLOR)]
    return [(view.name, NAME, NAME_COLOR), *((line, VALUE, VALUE_COLOR) for line in view.lines)]


def _rank(view: BodyView) -> int:
    """Return who is placed first: the active link, the total, what is wrong; parts last."""
    if view.kind == "part":
        return 4
    return 0 if view.active else 1 if view.kind == "total" else 2 if view.severity is not None else 3


@lru_cache(maxsize=4096)
def _width(text: str, size: float) -> float:
    blf.size(_FONT, size)
    return float(blf.dimensions(_FONT, text)[0])


def _size(view: BodyView, scale: float) -> tuple[float, float]:
    width = height = 0.0
    for number, (text, size, _color) in enumerate(_texts_of(view)):
        sign = (SIGN + 5.0) * scale if number == 0 and view.severity is not None and view.kind != "part" else 0.0
        width = max(width, _width(text, size * scale) + sign)
        height += LEADING * size * scale
    return float(round(width + 2 * PADDING[0] * scale)), float(round(height + PADDING[1] * scale))


def _placed_texts(view: BodyView, low: FloatArray, size: FloatArray, scale: float) -> list[Text]:
    x = float(round(low[0] + PADDING[0] * scale))
    baseline = float(low[1] + size[1]) - PADDING[1] * scale / 2.0
    texts: list[Text] = []
    for text, points, color in _texts_of(view):
        baseline -= LEADING * points * scale
        ink = (*color[:3], 0.6) if view.stale else color
        texts.append((text, points * scale, ink, x, float(round(baseline + 0.38 * points * scale))))
    return texts


def _box_row(view: BodyView, low: FloatArray, size: FloatArray, color: FloatArray, scale: float) -> Sequence[float]:
    border = ACTIVE_BORDER if view.active and view.kind != "part" else BORDER
    if view.kind == "part":
        border *= 0.7
    tint = SIGNS["error"] if view.severity == "error" else color
    middle = low + size / 2.0
    return (*middle, *(size / 2.0), *tint, 1.0, *FILL, RADIUS * scale, border * scale, SHADOW * scale, 0.0)


def _sign_middle(low: FloatArray, size: FloatArray, scale: float) -> FloatArray:
    """Return where the sign of a label stands: at the right of its first line."""
    high = low + size
    middle: FloatArray = high - [PADDING[0] * scale + SIGN * scale / 2.0 - 2.0 * scale, LEADING * NAME * scale / 2.0]
    return middle - [0.0, PADDING[1] * scale / 2.0]


def _sign_row(low: FloatArray, size: FloatArray, color: Color, scale: float) -> Sequence[float]:
    half = SIGN * scale / 2.0
    return (*_sign_middle(low, size, scale), half, half, *color, 1.0, *color, 1.0, half, 0.0, 0.0, 0.0)


def _sign_text(low: FloatArray, size: FloatArray, scale: float) -> Text:
    x, y = _sign_middle(low, size, scale)
    points = NAME * scale
    return "!", points, SIGN_COLOR, float(round(x - _width("!", points) / 2.0)), float(round(y - 0.36 * points))


def _occupied(bodies: Bodies, camera: Camera) -> npt.NDArray[np.bool_]:
    drawn = bodies.matrices()[bodies.solid()]
    found = [outline for matrix in drawn if (outline := camera.outline(matrix)) is not None]
    return occupancy(found, camera.width, camera.height, camera.scale)


def _pixels(camera: Camera) -> FloatArray:
    """Return the map (4, 4) from pixels to clip space."""
    pixels = np.diag([2.0 / camera.width, 2.0 / camera.height, -1.0, 1.0])
    pixels[:2, 3] = -1.0
    return pixels
