# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws bodies into whatever framebuffer is bound: a viewport's, in a POST_VIEW handler, or an offscreen's.

Ellipsoids, rings and axes are one sphere, three circles and three segments under each body's matrix: a body that
moves or changes costs a matrix, and no batch is ever built again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache

import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader
from mathutils import Matrix

from ...core.arrays import FloatArray
from . import shaders
from .camera import Camera
from .shapes import BodyView, Color, ellipsoid_of, lighter, unit_rings, unit_sphere

AXIS_COLORS: tuple[Color, ...] = ((0.93, 0.27, 0.32), (0.50, 0.78, 0.13), (0.26, 0.52, 0.96))
BALL_COLOR: Color = (1.0, 0.82, 0.12)

RING, AXIS, AXIS_EDGE, BALL, BALL_EDGE = 1.6, 2.2, 4.5, 7.0, 1.4
"""Widths of lines; radius of the centre of mass and width of its rim [interface px]."""

SEEN_THROUGH = 0.25
"""How much is left of what lies behind a surface."""


def draw_bodies(views: Sequence[BodyView], camera: Camera, metres_per_unit: float = 1.0) -> None:
    """Draw ellipsoids, rings, principal axes and centres of mass; depth-tested against what is there already.

    Must be called with a framebuffer bound and its viewport set. Leaves the GPU state as Blender's default.
    """
    shapes = [ellipsoid_of(view, metres_per_unit) for view in views]
    solid = [(view, shape, matrix) for view, shape in zip(views, shapes, strict=True)
             if (matrix := shape.drawn_matrix()) is not None]  # fmt: skip
    with _drawing(camera):
        for test, share in (("GREATER_EQUAL", SEEN_THROUGH), ("LESS_EQUAL", 1.0)):
            gpu.state.depth_test_set(test)
            for face in ("FRONT", "BACK"):  # culled: so the far half of a body comes before its near half
                gpu.state.face_culling_set(face)
                for view, _shape, matrix in solid:
                    _draw_glass(camera, matrix, (*view.color, share))
            gpu.state.face_culling_set("NONE")
            for view, _shape, matrix in solid:
                _draw_lines("rings", camera, matrix, (*lighter(view.color), 0.9 * share), RING)
        gpu.state.depth_test_set("NONE")
        for _view, shape, _matrix in solid:
            for i, color in enumerate(AXIS_COLORS):
                _draw_lines(f"axis {i}", camera, shape.matrix(), (0.0, 0.0, 0.0, 0.8), AXIS_EDGE)
                _draw_lines(f"axis {i}", camera, shape.matrix(), (*color, 1.0), AXIS)
        gpu.state.face_culling_set("BACK")
        for shape in shapes:
            _draw_center(camera, shape.center, shape.axes)


def forget() -> None:
    """Let go of everything that lives on the GPU."""
    _sphere.cache_clear()
    _line_batch.cache_clear()
    shaders.forget()


@contextmanager
def _drawing(camera: Camera) -> Iterator[None]:
    # Offscreen nothing is preset, and in a handler anything may be.
    gpu.state.color_mask_set(True, True, True, True)
    gpu.state.depth_mask_set(False)
    gpu.state.blend_set("ALPHA")
    gpu.state.face_culling_set("NONE")
    with gpu.matrix.push_pop(), gpu.matrix.push_pop_projection():
        gpu.matrix.load_projection_matrix(Matrix(camera.projection))
        try:
            yield
        finally:
            gpu.state.face_culling_set("NONE")
            gpu.state.depth_test_set("NONE")
            gpu.state.depth_mask_set(False)
            gpu.state.blend_set("NONE")


@cache
def _sphere(shader: gpu.types.GPUShader) -> gpu.types.GPUBatch:
    vertices, triangles = unit_sphere()
    return batch_for_shader(shader, "TRIS", {"pos": vertices.astype(np.float32)}, indices=triangles)


@cache
def _line_batch(what: str) -> gpu.types.GPUBatch:
    if what == "rings":
        curves = unit_rings()
        segments = np.stack([curves[:, :-1], curves[:, 1:]], axis=2).reshape(-1, 3)
    else:
        axis = np.eye(3)[int(what[-1])]
        segments = np.stack([-axis, axis])
    return batch_for_shader(shaders.lines(), "LINES", {"pos": segments.astype(np.float32)})


def _draw_glass(camera: Camera, matrix: FloatArray, color: tuple[float, ...]) -> None:
    shader = shaders.glass()
    shader.bind()
    # The columns are orthogonal: their transpose, over the squared semi-axes, is the inverse.
    columns, eye = matrix[:3, :3], camera.eye()
    squared = np.sum(columns * columns, axis=0)
    shader.uniform_float("eye", (*((eye[:3] - eye[3] * matrix[:3, 3]) @ columns / squared), eye[3]))
    shader.uniform_float("scale", (*np.sqrt(squared), 0.0))
    _draw_sphere(shader, camera, matrix, color)


def _draw_sphere(shader: gpu.types.GPUShader, camera: Camera, matrix: FloatArray, color: tuple[float, ...]) -> None:
    shader.bind()
    shader.uniform_float("placed", Matrix(camera.projection @ camera.view @ matrix))
    shader.uniform_float("color", color)
    _sphere(shader).draw(shader)


def _draw_lines(what: str, camera: Camera, matrix: FloatArray, color: tuple[float, ...], width: float) -> None:
    shader = shaders.lines()
    gpu.matrix.load_matrix(Matrix(camera.view @ matrix))
    shader.bind()
    shader.uniform_float("viewportSize", (camera.width, camera.height))
    shader.uniform_float("lineWidth", width * camera.scale)
    shader.uniform_float("color", color)
    _line_batch(what).draw(shader)


def _draw_center(camera: Camera, center: FloatArray, axes: FloatArray) -> None:
    if not np.all(np.isfinite(center)) or camera.clip(center)[0, 3] <= 0.0:
        return
    pixel = camera.units_per_pixel(center) * camera.scale
    for radius, color in ((BALL + BALL_EDGE, (0.05, 0.05, 0.05, 1.0)), (BALL, (*BALL_COLOR, 1.0))):
        matrix = np.eye(4)
        matrix[:3, :3] = axes.T * (radius * pixel)
        matrix[:3, 3] = center
        _draw_sphere(shaders.ball(), camera, matrix, color)
