# SPDX-License-Identifier: GPL-3.0-or-later
"""From an evaluated object to a `Surface`: the only reader of Blender's mesh data."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any
from weakref import WeakSet

import bpy
import numpy as np
import numpy.typing as npt

from ....core.errors import InertiaError
from ....core.mesh.surface import Surface, check_finite

MESH_TYPES = frozenset({"MESH", "CURVE", "SURFACE", "META", "FONT"})
"""Object types that Blender can turn into a mesh."""

CACHE_BYTES = 512 * 1024 * 1024
"""Surfaces kept for the next reading; the least recently used go first."""

SAMPLES = 64
"""Vertices by which a mesh finds others that may be the same, to be compared whole."""

_surfaces: OrderedDict[int, Surface] = OrderedDict()

_alike: dict[tuple[int, int, bytes], WeakSet[Surface]] = {}
"""Every surface that somebody still has, by its size and a sample of its vertices."""


def surface_of(ob: bpy.types.Object) -> Surface:
    """Return the mesh of an evaluated object in its own coordinates and units.

    While the geometry does not change, the same `Surface` comes back (so what is known of it stays known): its key
    is the evaluated mesh's session_uid, which Blender renews with every change of geometry, in edit mode too, and
    keeps under moves. Blender also renews it where nothing changed, such as with every property that is set in a
    panel: then the mesh is read again, and the surface that is already there comes back.

    Raises
    ------
    InertiaError
        ``no_faces``, ``no_geometry`` or ``not_finite``.
    """
    if ob.type not in MESH_TYPES:
        kinds: Any = ob.bl_rna.properties["type"]
        raise InertiaError.of("no_geometry", ob.name, "type", kind=kinds.enum_items[ob.type].name)
    key = _key(ob)
    if key in _surfaces:
        _surfaces.move_to_end(key)
        return _surfaces[key]
    mesh = ob.to_mesh()
    try:
        surface = _known(Surface(positions(mesh), *_faces(mesh)))
    except InertiaError as error:
        raise error.about(ob.name) from None
    finally:
        ob.to_mesh_clear()
    if key:
        _surfaces[key] = surface
        _trim()
    return surface


def mesh_version(ob: bpy.types.Object) -> object:
    """Return what differs from before if the mesh of an evaluated object may have changed.

    Text, curves and metaballs have no such number: they are read, and the surface itself is the answer.
    """
    key = _key(ob)
    if key or ob.type not in MESH_TYPES:
        return key
    try:
        return surface_of(ob)
    except InertiaError as error:
        return error.code, error.message


def corners_of(ob: bpy.types.Object) -> npt.NDArray[np.float32]:
    """Return the vertices (n, 3) of an evaluated object's mesh, with or without faces.

    Raises
    ------
    InertiaError
        ``not_finite``.
    """
    if ob.type not in MESH_TYPES:
        return np.zeros((0, 3), dtype=np.float32)
    mesh = ob.to_mesh()
    try:
        points = positions(mesh)
        check_finite(points)
        return points
    except InertiaError as error:
        raise error.about(ob.name) from None
    finally:
        ob.to_mesh_clear()


def forget() -> None:
    """Drop every surface."""
    _surfaces.clear()
    _alike.clear()


def _key(ob: bpy.types.Object) -> int:
    return getattr(ob.data, "session_uid", 0) if isinstance(ob.data, bpy.types.Mesh) else 0


def _known(surface: Surface) -> Surface:
    """Return the surface that is there already, if one is the same in every vertex and triangle."""
    step = max(len(surface.vertices) // SAMPLES, 1)
    sample = (len(surface.vertices), len(surface.triangles), surface.vertices[::step].tobytes())
    others = _alike.setdefault(sample, WeakSet())
    for other in others:
        if all(_same(getattr(other, name), getattr(surface, name)) for name in ("triangles", "quads", "vertices")):
            return other
    others.add(surface)
    return surface


def _same(first: npt.NDArray[Any] | None, second: npt.NDArray[Any] | None) -> bool:
    return first is second if first is None or second is None else np.array_equal(first, second)


def positions(mesh: bpy.types.Mesh | None) -> npt.NDArray[np.float32]:
    """Return the vertices (n, 3) of a mesh in its own precision; Blender has none for a curve without splines."""
    if mesh is None:
        return np.zeros((0, 3), dtype=np.float32)
    flat = np.empty(3 * len(mesh.vertices), dtype=np.float32)
    if len(flat):  # an empty mesh has no such attribute
        position: Any = mesh.attributes["position"]
        position.data.foreach_get("vector", flat)
    return flat.reshape(-1, 3)


def cut_faces(mesh: bpy.types.Mesh) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return the triangles (m, 3) that Blender cuts the faces of a mesh into, and the index of each one's face (m,)."""
    mesh.calc_loop_triangles()
    triangles = np.empty(3 * len(mesh.loop_triangles), dtype=np.int32)
    polygons = np.empty(len(mesh.loop_triangles), dtype=np.int32)
    mesh.loop_triangles.foreach_get("vertices", triangles)
    mesh.loop_triangles.foreach_get("polygon_index", polygons)
    return triangles.reshape(-1, 3), polygons


def _faces(mesh: bpy.types.Mesh | None) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32] | None]:
    """Return the triangles (m, 3) that Blender cuts the faces of a mesh into, and those faces that are quads (k, 4)."""
    if mesh is None:
        return np.zeros((0, 3), dtype=np.int32), None
    mesh.calc_loop_triangles()
    corner = np.empty(3 * len(mesh.loop_triangles), dtype=np.uint32)
    if not len(corner):
        return np.zeros((0, 3), dtype=np.int32), None
    # Reading corners and gathering is five times faster than reading "vertices".
    mesh.loop_triangles.foreach_get("loops", corner)
    vertex = np.empty(len(mesh.loops), dtype=np.int32)
    corner_vertex: Any = mesh.attributes[".corner_vert"]
    corner_vertex.data.foreach_get("value", vertex)
    return vertex[corner].reshape(-1, 3), _quads(mesh, vertex)


def _quads(mesh: bpy.types.Mesh, vertex: npt.NDArray[np.int32]) -> npt.NDArray[np.int32] | None:
    if len(mesh.loop_triangles) == len(mesh.polygons):
        return None
    start = np.empty(len(mesh.polygons) + 1, dtype=np.int32)
    mesh.polygons.foreach_get("loop_start", start[:-1])
    start[-1] = len(vertex)
    four = start[:-1][np.diff(start) == 4]
    return vertex.reshape(-1, 4) if 4 * len(four) == len(vertex) else vertex[four[:, None] + np.arange(4)]


def _trim() -> None:
    if len(_alike) > 2 * len(_surfaces) + SAMPLES:
        for sample in [sample for sample, surfaces in _alike.items() if not surfaces]:
            del _alike[sample]
    size = sum(surface.vertices.nbytes + surface.triangles.nbytes for surface in _surfaces.values())
    while size > CACHE_BYTES and len(_surfaces) > 1:
        _, oldest = _surfaces.popitem(last=False)
        size -= oldest.vertices.nbytes + oldest.triangles.nbytes
