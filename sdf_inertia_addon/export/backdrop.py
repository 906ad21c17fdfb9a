# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws the links' own geometry on a ground with a grid: what a viewport would show, without a viewport.

Not Blender's own ``draw_view3d``: that needs a screen with a 3D view in the file, takes over its settings, and shows
the walls of the room that stand around the robot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log10

import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader
from mathutils import Matrix

from ...core.arrays import FloatArray
from ..colors import Color
from ..overlay import shaders
from ..overlay.camera import Camera
from ..overlay.unit_shapes import apply
from .shading import Solid, shaded

TOP: Color = (0.205, 0.210, 0.220)
BOTTOM: Color = (0.265, 0.268, 0.275)
BODY: Color = (0.66, 0.67, 0.69)
CREASE: Color = (0.10, 0.10, 0.12)

FRONT, BEHIND = 0.78, 0.14
"""Opacity of the nearest surface, and of all that lie behind it: bodies are glass enough to see into."""

CREASE_WIDTH = 1.1
LIFT = 4e-4
"""By how much creases are drawn nearer than their faces [share of clip space]."""


@dataclass(frozen=True, eq=False)
class Ground:
    """The plane that carries the grid, in Blender units: its height, the grid's spacing and how far it reaches."""

    middle: FloatArray
    height: float
    spacing: float
    reach: float

    @classmethod
    def under(cls, points: FloatArray) -> Ground:
        """Return the world's own ground if the model is near it, or else one that the model stands on."""
        low, high = points.min(axis=0), points.max(axis=0)
        size = max(float(np.max(high - low)), 1e-9)
        height = 0.0 if abs(float(low[2])) <= 0.75 * size else float(low[2])
        return cls((low + high) / 2.0, height, 10.0 ** floor(log10(size) - 0.3), 9.0 * size)


def draw_backdrop(solids: Sequence[Solid], ground: Ground, camera: Camera) -> None:
    """Fill the bound framebuffer with background, ground and solids; their depth stays for what comes on top."""
    _draw_background()
    bodies = [_Body(solid, camera.view) for solid in solids]
    gpu.state.depth_mask_set(True)
    gpu.state.depth_test_set("LESS_EQUAL")
    gpu.state.color_mask_set(False, False, False, False)
    for body in bodies:
        body.draw_faces(camera, 1.0)
    gpu.state.color_mask_set(True, True, True, True)
    gpu.state.depth_mask_set(False)
    gpu.state.blend_set("ALPHA")
    for test, opacity in (("GREATER", BEHIND), ("LESS_EQUAL", FRONT)):
        gpu.state.depth_test_set(test)
        if test == "GREATER":
            _draw_grid(ground, camera)
        for body in bodies:
            body.draw_faces(camera, opacity)
        for body in bodies:
            body.draw_creases(camera, 0.8 * opacity, LIFT if test == "LESS_EQUAL" else 0.0)
    _draw_grid(ground, camera)
    gpu.state.depth_test_set("NONE")
    gpu.state.blend_set("NONE")


class _Body:
    """A solid on the GPU, for the time of one picture.

    In the camera's space: in the world's, float32 would shake a small model far from the origin.
    """

    def __init__(self, solid: Solid, view: FloatArray) -> None:
        shape = shaded(Solid(apply(view, solid.vertices), solid.triangles))
        corners = {"pos": shape.corners.astype(np.float32), "nor": shape.normals.astype(np.float32)}
        self.faces = batch_for_shader(shaders.solid(), "TRIS", corners)
        segments = {"pos": shape.creases.reshape(-1, 3).astype(np.float32)}
        self.creases = batch_for_shader(shaders.lines(), "LINES", segments) if len(shape.creases) else None

    def draw_faces(self, camera: Camera, opacity: float) -> None:
        shader = shaders.solid()
        shader.bind()
        shader.uniform_float("placed", Matrix(camera.projection))
        shader.uniform_float("color", (*BODY, opacity))
        self.faces.draw(shader)

    def draw_creases(self, camera: Camera, opacity: float, lift: float) -> None:
        if self.creases is None:
            return
        projection = camera.projection.copy()
        projection[2] -= lift * projection[3]
        shader = shaders.lines()
        with gpu.matrix.push_pop(), gpu.matrix.push_pop_projection():
            gpu.matrix.load_identity()
            gpu.matrix.load_projection_matrix(Matrix(projection))
            shader.bind()
            shader.uniform_float("viewportSize", (camera.width, camera.height))
            shader.uniform_float("lineWidth", CREASE_WIDTH * camera.scale)
            shader.uniform_float("color", (*CREASE, opacity))
            self.creases.draw(shader)


def _draw_background() -> None:
    gpu.state.color_mask_set(True, True, True, True)
    gpu.state.face_culling_set("NONE")
    gpu.state.depth_test_set("NONE")
    gpu.state.depth_mask_set(True)
    gpu.state.blend_set("NONE")
    gpu.state.active_framebuffer_get().clear(color=(*BOTTOM, 1.0), depth=1.0)
    gpu.state.depth_mask_set(False)
    corners = np.array([[-1, -1, 0], [1, -1, 0], [-1, 1, 0], [1, 1, 0]], dtype=np.float32)
    colors = np.array([[*BOTTOM, 1]] * 2 + [[*TOP, 1]] * 2, dtype=np.float32)
    shader = gpu.shader.from_builtin("SMOOTH_COLOR")
    with gpu.matrix.push_pop(), gpu.matrix.push_pop_projection():
        gpu.matrix.load_identity()
        gpu.matrix.load_projection_matrix(Matrix.Identity(4))
        batch_for_shader(shader, "TRI_STRIP", {"pos": corners, "color": colors}).draw(shader)


def _draw_grid(ground: Ground, camera: Camera) -> None:
    cell = ground.spacing
    # In cells, from a tenth line near the middle: fract() of a far coordinate would have few digits left.
    start = 10.0 * cell * np.floor(ground.middle[:2] / (10.0 * cell))
    place = np.diag([cell, cell, 1.0, 1.0])
    place[:3, 3] = np.append(start, ground.height)
    middle = (ground.middle[:2] - start) / cell
    reach = ground.reach / cell
    x, y = middle
    corners = [
        [x - reach, y - reach, 0],
        [x + reach, y - reach, 0],
        [x - reach, y + reach, 0],
        [x + reach, y + reach, 0],
    ]
    shader = shaders.grid()
    batch = batch_for_shader(shader, "TRI_STRIP", {"pos": np.array(corners, dtype=np.float32)})
    shader.bind()
    shader.uniform_float("placed", Matrix(camera.projection @ camera.view @ place))
    shader.uniform_float("origin", (*(-start / cell), 1.0 if ground.height == 0.0 else 0.0))
    shader.uniform_float("middle", tuple(middle))
    shader.uniform_float("reach", reach)
    shader.uniform_float("line", 0.5 * camera.scale + 0.5)
    batch.draw(shader)
