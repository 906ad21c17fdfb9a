# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws the labels, in pixels: in a POST_PIXEL handler, or into an offscreen after the bodies."""

from __future__ import annotations

from collections.abc import Sequence

import blf
import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader
from mathutils import Matrix

from ...core.arrays import FloatArray
from . import shaders
from .camera import Camera
from .draw import BALL, BALL_EDGE
from .layout import leader_end, occupancy, place_labels
from .shapes import BodyView, Color, ellipsoid_of, lighter

NAME, VALUE = 13.0, 11.0
"""Heights of the two fonts [interface px]."""

PADDING, LEADING, BORDER, RADIUS, LEADER = (9.0, 7.0), 1.45, 1.3, 4.5, 1.4

NAME_COLOR = (1.0, 1.0, 1.0, 1.0)
VALUE_COLOR = (0.82, 0.83, 0.86, 1.0)

NOTE_COLOR = (0.80, 0.81, 0.84, 0.75)

_FONT = 0


def draw_labels(views: Sequence[BodyView], camera: Camera, metres_per_unit: float = 1.0) -> int:
    """Draw name and lines of each body in a box that a leader ties to its centre of mass.

    Labels overlap neither each other nor the picture's edge; returns how many found no room and were left out.
    """
    if not views:
        return 0
    shapes = [ellipsoid_of(view, metres_per_unit) for view in views]
    anchors = np.concatenate([camera.project(shape.center) for shape in shapes])
    drawn = [matrix for shape in shapes if (matrix := shape.drawn_matrix()) is not None]
    outlines = [outline for matrix in drawn if (outline := camera.outline(matrix)) is not None]
    occupied = occupancy(outlines, camera.width, camera.height, camera.scale)
    sizes = np.array([_size(view, camera.scale) for view in views])
    corners = place_labels(anchors, sizes, camera.width, camera.height, occupied, camera.scale)
    shown = [i for i in range(len(views)) if np.isfinite(corners[i, 0])]
    pixels = _pixel_matrix(camera.width, camera.height)
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_test_set("NONE")
    with gpu.matrix.push_pop(), gpu.matrix.push_pop_projection():
        gpu.matrix.load_identity()
        gpu.matrix.load_projection_matrix(pixels)
        for i in shown:
            _draw_leader(anchors[i], leader_end(anchors[i], corners[i], sizes[i]), views[i].color, camera)
        for i in shown:
            _draw_box(corners[i], sizes[i], views[i].color, pixels, camera.scale)
        for i in shown:  # last, since blf leaves blending off
            _draw_text(views[i], corners[i], sizes[i], camera.scale)
    gpu.state.blend_set("NONE")
    return len(views) - len(shown)


def draw_note(text: str, camera: Camera) -> None:
    """Write a line in the lower left corner."""
    with gpu.matrix.push_pop(), gpu.matrix.push_pop_projection():
        gpu.matrix.load_identity()
        gpu.matrix.load_projection_matrix(_pixel_matrix(camera.width, camera.height))
        blf.size(_FONT, VALUE * camera.scale)
        blf.color(_FONT, *NOTE_COLOR)
        blf.position(_FONT, round(12.0 * camera.scale), round(12.0 * camera.scale), 0.0)
        blf.draw(_FONT, text)


def _texts(view: BodyView, scale: float) -> list[tuple[str, float, tuple[float, ...]]]:
    return [(view.name, NAME * scale, NAME_COLOR), *((line, VALUE * scale, VALUE_COLOR) for line in view.lines)]


def _size(view: BodyView, scale: float) -> tuple[float, float]:
    width = height = 0.0
    for text, size, _color in _texts(view, scale):
        blf.size(_FONT, size)
        width = max(width, blf.dimensions(_FONT, text)[0])
        height += LEADING * size
    return float(round(width + 2 * PADDING[0] * scale)), float(round(height + PADDING[1] * scale))


def _draw_text(view: BodyView, low: FloatArray, size: FloatArray, scale: float) -> None:
    baseline = low[1] + size[1] - PADDING[1] * scale / 2.0
    for text, font_size, color in _texts(view, scale):
        blf.size(_FONT, font_size)
        blf.color(_FONT, *color)
        baseline -= LEADING * font_size
        blf.position(_FONT, round(low[0] + PADDING[0] * scale), round(baseline + 0.38 * font_size), 0.0)
        blf.draw(_FONT, text)


def _draw_leader(anchor: FloatArray, end: FloatArray, color: Color, camera: Camera) -> None:
    length = float(np.linalg.norm(end - anchor))
    if length <= (BALL + BALL_EDGE) * camera.scale:
        return
    start = anchor + (end - anchor) * ((BALL + BALL_EDGE) * camera.scale / length)
    points = np.array([[*start, 0.0], [*end, 0.0]], dtype=np.float32)
    shader = gpu.shader.from_builtin("POLYLINE_UNIFORM_COLOR")
    batch = batch_for_shader(shader, "LINES", {"pos": points})
    shader.bind()
    shader.uniform_float("viewportSize", (camera.width, camera.height))
    for width, tint in ((LEADER + 1.6, (0.0, 0.0, 0.0, 0.45)), (LEADER, (*lighter(color), 1.0))):
        shader.uniform_float("lineWidth", width * camera.scale)
        shader.uniform_float("color", tint)
        batch.draw(shader)


def _draw_box(low: FloatArray, size: FloatArray, color: tuple[float, ...], pixels: Matrix, scale: float) -> None:
    (x0, y0), (x1, y1) = low - 1.0, low + size + 1.0
    corners = np.array([[x0, y0, 0], [x1, y0, 0], [x0, y1, 0], [x1, y1, 0]], dtype=np.float32)
    shader = shaders.box()
    batch = batch_for_shader(shader, "TRI_STRIP", {"pos": corners})
    shader.bind()
    shader.uniform_float("placed", pixels)
    shader.uniform_float("box", (*(low + size / 2.0), *(size / 2.0)))
    shader.uniform_float("color", (*color, 1.0))
    shader.uniform_float("radius", RADIUS * scale)
    shader.uniform_float("line", BORDER * scale)
    batch.draw(shader)


def _pixel_matrix(width: int, height: int) -> Matrix:
    return Matrix(((2.0 / width, 0, 0, -1.0), (0, 2.0 / height, 0, -1.0), (0, 0, -1.0, 0), (0, 0, 0, 1.0)))
