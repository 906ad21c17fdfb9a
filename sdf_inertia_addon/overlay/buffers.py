# SPDX-License-Identifier: GPL-3.0-or-later
"""What lives on the GPU: the unit shapes, and the rows of their instances."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader
from mathutils import Matrix

from ...core.arrays import FloatArray
from . import glsl
from .instance_rows import Rows
from .unit_shapes import cube_edges, ribbon, unit_cube, unit_rings, unit_sphere

MANY = 30
"""More bodies than this are small on the screen: half the detail will do."""


class InstancedShape:
    """One unit shape, drawn once for each row (n, k); a uniform buffer holds only so many, so there may be several.

    Parameters
    ----------
    shader : callable
        One of `shaders`, with instances.
    shape : str
        One of `_batch`.
    rows : ndarray of float32, shape (n, k)
    """

    def __init__(self, shader: Callable[[], gpu.types.GPUShader], shape: str, rows: Rows) -> None:
        self._shader, self._shape = shader, shape
        self._chunks: list[tuple[gpu.types.GPUUniformBuf, int]] = []
        if len(rows):
            most = glsl.ROWS // (4 * rows.shape[1])
            for start in range(0, len(rows), most):
                chunk = rows[start : start + most]
                whole = np.zeros((most, rows.shape[1]), dtype=np.float32)
                whole[: len(chunk)] = chunk
                self._chunks.append((gpu.types.GPUUniformBuf(whole), len(chunk)))

    def draw(self, share: float = 1.0, **constants: float | Sequence[float] | Matrix) -> None:
        """Draw all instances, their opacity multiplied by `share`; `constants` are the shader's own."""
        if not self._chunks:
            return
        shader = self._shader()
        batch = _batch(self._shape, shader, self._chunks[0][1] > MANY)
        shader.bind()
        shader.uniform_float("share", share)
        for name, value in constants.items():
            shader.uniform_float(name, value)
        for rows, count in self._chunks:
            shader.uniform_block("rows", rows)
            issue(batch, shader, count)


def issue(batch: gpu.types.GPUBatch, shader: gpu.types.GPUShader, count: int) -> None:
    """Draw: the one call that is the GPU's own work, or a software renderer's."""
    batch.draw_instanced(shader, instance_start=0, instance_count=count)


def forget() -> None:
    """Drop all shapes."""
    _batch.cache_clear()


@cache
def _batch(shape: str, shader: gpu.types.GPUShader, many: bool) -> gpu.types.GPUBatch:
    if shape == "sphere":
        vertices, triangles = unit_sphere(24, 12) if many else unit_sphere()
        lit = vertices.astype(np.float32)
        return batch_for_shader(shader, "TRIS", {"pos": lit, "nor": lit}, indices=triangles)
    if shape == "cube":
        vertices, normals, triangles = unit_cube()
        content = {"pos": vertices.astype(np.float32), "nor": normals.astype(np.float32)}
        return batch_for_shader(shader, "TRIS", content, indices=triangles)
    if shape == "disc":
        corners = np.array([[-1, -1, 0], [1, -1, 0], [-1, 1, 0], [1, 1, 0]], dtype=np.float32)
        return batch_for_shader(shader, "TRI_STRIP", {"pos": corners})
    strip, triangles = ribbon(_curves(shape, 48 if many else 96))
    return batch_for_shader(shader, "TRIS", strip, indices=triangles)


def _curves(shape: str, count: int) -> FloatArray:
    if shape == "edges":
        return cube_edges()
    if shape == "segment":
        return np.array([[[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]])
    return unit_rings(count) if shape == "rings" else unit_rings(count)[2:]  # "circle"
