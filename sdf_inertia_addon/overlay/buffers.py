# SPDX-License-Identifier: GPL-3.0-or-later
"""What lives on the GPU: the unit shapes, and the rows of their instances."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader

from . import glsl
from .instances import Rows
from .primitives import cube_edges, ribbon, unit_cube, unit_rings, unit_sphere


class Instances:
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

    def draw(self, share: float = 1.0, **constants: tuple[float, ...]) -> None:
        """Draw all instances, their opacity multiplied by `share`; `constants` are the shader's own."""
        if not self._chunks:
            return
        shader = self._shader()
        batch = _batch(self._shape, shader)
        shader.bind()
        shader.uniform_float("share", share)
        for name, value in constants.items():
            shader.uniform_float(name, value)
        for rows, count in self._chunks:
            shader.uniform_block("rows", rows)
            batch.draw_instanced(shader, instance_start=0, instance_count=count)


def forget() -> None:
    """Let go of all shapes."""
    _batch.cache_clear()


@cache
def _batch(shape: str, shader: gpu.types.GPUShader) -> gpu.types.GPUBatch:
    if shape == "sphere":
        vertices, triangles = unit_sphere()
        lit = vertices.astype(np.float32)
        return batch_for_shader(shader, "TRIS", {"pos": lit, "nor": lit}, indices=triangles)
    if shape == "cube":
        vertices, normals, triangles = unit_cube()
        content = {"pos": vertices.astype(np.float32), "nor": normals.astype(np.float32)}
        return batch_for_shader(shader, "TRIS", content, indices=triangles)
    if shape == "disc":
        corners = np.array([[-1, -1, 0], [1, -1, 0], [-1, 1, 0], [1, 1, 0]], dtype=np.float32)
        return batch_for_shader(shader, "TRI_STRIP", {"pos": corners})
    curves = {
        "rings": unit_rings(96),
        "circle": unit_rings(96)[2:],
        "edges": cube_edges(),
        "segment": np.array([[[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]]),
    }
    strip, triangles = ribbon(curves[shape])
    return batch_for_shader(shader, "TRIS", strip, indices=triangles)
