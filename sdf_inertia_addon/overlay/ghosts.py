# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws parts where they are not: as shadows of links whose joint is shown at another position."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from weakref import WeakKeyDictionary

import gpu
import numpy as np
from gpu_extras.batch import batch_for_shader
from mathutils import Matrix

from ...core.arrays import FloatArray
from ...core.body.pose import Pose
from ...core.body.shapes import Shape
from ...core.files.polygons import fans
from ...core.mesh.surface import Surface
from ...core.robot.model import Collision, Link, Mesh, Part, Visual
from ..colors import Color
from . import shaders
from .camera import Camera

OPACITY, BEHIND = 0.30, 0.12
"""Of a ghost, and of what of it lies behind a surface."""


@dataclass(frozen=True, eq=False)
class Ghost:
    """A surface, and the map (4, 4) of its vertices into the world, in Blender units."""

    surface: Surface
    placed: FloatArray
    color: Color


def ghosts_of(link: Link, frame: Pose, color: Color, metres_per_unit: float) -> list[Ghost]:
    """Return the ghosts of what is seen of a link, with its frame elsewhere: of its visuals, or of its solid parts."""
    parts: tuple[Visual | Collision | Part, ...] = link.visuals or link.parts
    ghosts = []
    for part in parts:
        geometry = part.geometry
        if isinstance(geometry, Mesh):
            surface, stretch = geometry.surface, geometry.stretch
        elif isinstance(geometry, Shape):
            surface, stretch = _facets(geometry), np.eye(3)
        else:
            continue
        pose = frame @ part.pose
        placed = np.eye(4)
        placed[:3, :3] = pose.R @ stretch / metres_per_unit
        placed[:3, 3] = pose.p / metres_per_unit
        ghosts.append(Ghost(surface, placed, color))
    return ghosts


def draw_ghosts(ghosts: Iterable[Ghost], camera: Camera) -> None:
    """Draw into the framebuffer that is bound; blending is as `Drawing` sets it."""
    with gpu.matrix.push_pop(), gpu.matrix.push_pop_projection():
        gpu.matrix.load_projection_matrix(Matrix(camera.projection))
        for ghost in ghosts:
            gpu.matrix.load_matrix(Matrix(camera.view @ ghost.placed))
            shader, batch = shaders.faces(), _batch(ghost.surface)
            shader.bind()
            for test, opacity in (("GREATER", BEHIND), ("LESS_EQUAL", OPACITY)):
                gpu.state.depth_test_set(test)
                shader.uniform_float("color", (*ghost.color, opacity))
                batch.draw(shader)
    gpu.state.depth_test_set("NONE")


_batches: WeakKeyDictionary[Surface, gpu.types.GPUBatch] = WeakKeyDictionary()


def forget() -> None:
    """Drop all surfaces."""
    _batches.clear()


def _batch(surface: Surface) -> gpu.types.GPUBatch:
    if surface not in _batches:
        points = surface.vertices.astype(np.float32)
        _batches[surface] = batch_for_shader(
            shaders.faces(), "TRIS", {"pos": points}, indices=surface.triangles.astype(np.int32)
        )
    return _batches[surface]


@lru_cache(maxsize=256)
def _facets(shape: Shape) -> Surface:
    vertices, faces = shape.facets()
    count = np.array([len(face) for face in faces])
    return Surface(vertices, fans(count, np.concatenate([np.array(face) for face in faces])).triangles)
