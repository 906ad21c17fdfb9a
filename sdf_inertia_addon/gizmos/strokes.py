# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws what a gizmo shows of itself, in pixels of its region."""

from __future__ import annotations

import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader

from ...core.arrays import FloatArray
from ..overlay import shaders
from ..overlay.camera import Camera

WHITE = (1.0, 1.0, 1.0, 0.95)
QUIET = (1.0, 1.0, 1.0, 0.6)
EDGE = (0.0, 0.0, 0.0, 0.6)

WIDTH, EDGE_WIDTH = 1.8, 3.8
"""Of a line, and of the dark one below it that keeps it visible on bright ground [interface px]."""


def circle(center: FloatArray, radius: float, count: int = 48) -> FloatArray:
    """Return a circle as segments (2 count, 2)."""
    angle = 2 * np.pi * np.arange(count + 1) / count
    curve = center + radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return _segments(curve)


def chevrons(center: FloatArray, radius: float, size: float) -> FloatArray:
    """Return arrow heads right, above, left and below a point, which look away from it, as segments (n, 2)."""
    head = np.array([[radius, size], [radius + size, 0.0], [radius, -size]])
    turns = ((1, 0), (0, 1), (-1, 0), (0, -1))
    return np.concatenate([_segments(center + head @ np.array([[c, s], [-s, c]])) for c, s in turns])


def draw(segments: FloatArray, camera: Camera, color: tuple[float, ...] = WHITE) -> None:
    """Draw segments (2 n, 2) [px] with a dark edge."""
    shader = shaders.lines()
    points = np.zeros((len(segments), 3), dtype=np.float32)
    points[:, :2] = segments
    batch = batch_for_shader(shader, "LINES", {"pos": points})
    gpu.state.blend_set("ALPHA")
    gpu.state.depth_test_set("NONE")
    shader.bind()
    shader.uniform_float("viewportSize", (camera.width, camera.height))
    for width, ink in ((EDGE_WIDTH, EDGE), (WIDTH, color)):
        shader.uniform_float("lineWidth", width * camera.scale)
        shader.uniform_float("color", ink)
        batch.draw(shader)
    gpu.state.blend_set("NONE")


def _segments(curve: FloatArray) -> FloatArray:
    segments: FloatArray = np.stack([curve[:-1], curve[1:]], axis=1).reshape(-1, 2)
    return segments
