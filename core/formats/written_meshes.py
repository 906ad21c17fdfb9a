# SPDX-License-Identifier: Apache-2.0
"""Prepares meshes for writing: their origins, and which parts share one mesh.

Parts of one surface that differ by a rotation and a uniform scale share a mesh: a pose and a ``<scale>`` give the
difference. Another scale, a shear or a mirror is baked into a mesh of its own, since simulators refuse those or read
them inside out.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np

from ..arrays import FloatArray, readonly
from ..body.pose import Pose
from ..body.shapes import Shape
from ..errors import InertiaError
from ..files.polygons import surface_of
from ..mesh.integrate import surface_moments
from ..mesh.surface import Surface
from ..robot.auto import NOT_LOADED, as_stated, written_surface
from ..robot.model import Collision, Mesh, Model, Visual
from ..robot.resolve import LinkBody
from ..units import fewest_digits
from .sdf.spec.names import UniqueNames

FAR = 10.0
"""A mesh whose centre is further from its origin than this many times its size is written about its centre: simulators
integrate about the origin, and lose digits with the square of that distance."""

NEAR = 1e-6
"""An origin this close to a mesh's centroid, relative to its size, is as good as that: its digits are few. The mesh is
moved by just that, so that nothing changes its place."""

PartT = TypeVar("PartT", Collision, Visual)


SAME = 0.8 * NOT_LOADED
"""Maximum change of a part's inertia by sharing a mesh, relative to its trace. Rotations in float32, through a few
parents, cause half of this."""


def model_as_written(
    model: Model, bodies: Iterable[LinkBody], file_format: str, draw_collisions: bool = False
) -> tuple[Model, dict[Mesh, str], dict[Surface, FloatArray]]:
    """Return the model as it is written, the name for the file of each mesh, and the UVs (m, 3, 2) of some.

    Shapes that the format lacks become meshes. A mesh's surface is then that of its file, and its stretch a uniform
    scale, mostly 1. Meshes that share a file have one surface, named after the first part in the order of links and
    parts. With `draw_collisions`, a link without visuals gets one of each collision's shape.
    """
    resolved = {body.name: body for body in bodies}
    written = _Written(file_format)
    links = []
    for link in model.links:
        if link.name in resolved:
            body = resolved[link.name]
            if body.mode == "auto":
                link = as_stated(body.link or link, body.parts)
            corrected = {part.name: part.surface for part in body.parts}
            centred = body.mode == "auto"
            collisions = [
                written.part(collision, written_surface(collision, corrected.get(collision.name)), centred)
                for collision in link.collisions
            ]
            visuals = [written.part(visual) for visual in link.visuals]
            if draw_collisions and not visuals:
                visuals = _drawn(collisions)
            links.append(replace(link, collisions=tuple(collisions), visuals=tuple(visuals)))
    return replace(model, links=tuple(links)), written.stems, written.uvs


def _drawn(collisions: list[Collision]) -> list[Visual]:
    """Return a visual of each collision, by the same mesh at the same place, with a name that no collision has."""
    names = UniqueNames()
    for collision in collisions:
        names.take(collision.name)
    return [
        Visual(names.give(f"{collision.name}_visual"), collision.pose, collision.geometry, *collision.look)
        for collision in collisions
    ]


@dataclass(frozen=True, eq=False)
class _Placed:
    """A part's surface as it is written, and its origin in the frame of that part [m].

    `mesh` is the part's, `corrected` its surface in metres if that was corrected.
    """

    mesh: Mesh
    corrected: Surface | None
    surface: Surface
    origin: FloatArray


@dataclass(frozen=True, eq=False)
class _Written:
    """Meshes written so far."""

    file_format: str
    stems: dict[Mesh, str] = field(default_factory=dict)
    placed: dict[Hashable, list[_Placed]] = field(default_factory=dict)
    uvs: dict[Surface, FloatArray] = field(default_factory=dict)

    def part(self, part: PartT, corrected: Surface | None = None, centred: bool = False) -> PartT:
        """Return a part with the pose and the mesh that are written."""
        geometry = part.geometry
        if isinstance(geometry, Shape) and self.file_format not in geometry.formats:
            geometry = Mesh(surface_of(geometry), np.eye(3))
        if not isinstance(geometry, Mesh):
            return part
        uv = part.texture.uv if isinstance(part, Visual) and part.texture is not None else None
        placed, scale, origin = self._place(geometry, corrected, centred, uv)
        mesh = Mesh(placed.surface, scale * np.eye(3))
        self.stems[mesh] = part.name.removesuffix("_visual")
        return replace(part, pose=part.pose @ Pose(np.eye(3), origin), geometry=mesh)

    def _place(
        self, mesh: Mesh, corrected: Surface | None, centred: bool, uv: FloatArray | None = None
    ) -> tuple[_Placed, float, FloatArray]:
        """Return the mesh to write, its scale, and its origin in the part's frame [m]."""
        upon = None if uv is None else uv.tobytes()
        alike = self.placed.setdefault((mesh.surface, corrected is None, centred, upon), [])
        if alike:
            # The linear maps from the meshes written before to this one, all at once.
            others = np.array([candidate.mesh.stretch for candidate in alike])
            maps = mesh.stretch @ np.linalg.inv(others)
            maps[(others == mesh.stretch).all(axis=(1, 2))] = np.eye(3)  # exact, without rounding
            scales = _scales(maps)
            for index in np.flatnonzero(scales).tolist():
                if _is_under(maps[index], alike[index].corrected, corrected):
                    return alike[index], float(scales[index]), readonly(maps[index] @ alike[index].origin, (3,))
        surface = corrected or mesh.baked
        origin = _origin(surface, centred)
        moved = surface.moved(-origin)
        if uv is not None:
            moved = moved.with_faces(moved.triangles, moved.quads)  # a copy, which no part without UVs shares
            # In corner order, which a mirror reverses.
            self.uvs[moved] = uv if np.linalg.det(mesh.stretch) > 0.0 else uv[:, ::-1]
        alike.append(_Placed(mesh, corrected, moved, origin))
        return alike[-1], 1.0, origin


def _scales(maps: FloatArray) -> FloatArray:
    """Return the scale (n,) of linear maps (n, 3, 3) that are uniform scales as far as inertia shows; 0 for others.

    With T = k (1 + E), det T = k³, a mesh under k alone has the same volume; its tensor differs by at most 2 |E| of the
    trace, and by 5 times what is left out of k.
    """
    determinant = np.linalg.det(maps)
    scale = np.cbrt(np.where(determinant > 0.0, determinant, 1.0))
    slack = SAME - 2.0 * np.linalg.norm(maps / scale[:, None, None] - np.eye(3), ord=2, axis=(1, 2))
    same = (determinant > 0.0) & (slack > 0.0)
    uniform = np.zeros(len(maps))
    uniform[same] = [fewest_digits(k, share / 5.0 * k) for k, share in zip(scale[same], slack[same], strict=True)]
    return uniform


def _is_under(map_: FloatArray, first: Surface | None, second: Surface | None) -> bool:
    """Return True if two surfaces were corrected alike: the second is the first under a map."""
    if first is None or second is None:
        return first is second
    if not np.array_equal(first.triangles, second.triangles) or first.vertices.shape != second.vertices.shape:
        return False
    apart = np.abs(first.vertices @ map_.T - second.vertices).max()
    return bool(apart <= SAME * np.linalg.norm(second.extent()))


def _origin(surface: Surface, centred: bool) -> FloatArray:
    """Choose a surface's origin.

    The mesh of an AUTO collision is written about its centroid: there every simulator loses the fewest digits, and
    Drake 1.51, which uses a mesh's tensor about its origin as that about its centre of mass, is right too.
    """
    low, high = surface.bounds()
    size = float(np.linalg.norm(high - low))
    origin = low + (high - low) / 2.0
    if np.linalg.norm(origin) <= FAR * size:
        origin = np.zeros(3)
    if centred:
        with suppress(InertiaError):  # a mesh flattened by its part's scale has no centroid
            origin = surface_moments(surface).centroid
    return readonly([fewest_digits(along, NEAR * size) for along in origin], (3,))
