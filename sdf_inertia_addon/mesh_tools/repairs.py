# SPDX-License-Identifier: GPL-3.0-or-later
"""What a click does to a mesh: ordinary edits of its data, in object mode, that Blender's undo takes back.

Nothing here runs unless the user asks for it, but on a copy, to find out whether it would help (`trials`). Each repair
edits a BMesh and returns what it did.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import bmesh
import bpy
import numpy as np

from ...core.arrays import Ints, VertexArray
from ...core.errors import InertiaError
from ...core.mesh.measure import measure_surface
from ...core.mesh.surface import Surface
from ...core.units import LEAST_PERCENT
from ..translations.words import n_, nn_, rpt_
from .free_edges import SAME, hole_caps, loose_faces


class RepairResult(NamedTuple):
    """What a repair did, in words, and whether that was anything."""

    text: str
    changed: bool


Repair = Callable[[bmesh.types.BMesh], RepairResult]


@contextmanager
def copied(mesh: bpy.types.Mesh) -> Iterator[bmesh.types.BMesh]:
    """Yield a copy of a mesh to edit, which is not saved with the file."""
    bm = bmesh.new()
    try:
        bm.from_mesh(mesh)
        yield bm
    finally:
        bm.free()


def repaired(mesh: bpy.types.Mesh, repair: Repair) -> RepairResult:
    """Repair a mesh; one that has nothing to be repaired is not touched."""
    with copied(mesh) as bm:
        done = repair(bm)
        if done.changed:
            bm.to_mesh(mesh)
            mesh.update()
        return done


def close_holes(bm: bmesh.types.BMesh) -> RepairResult:
    """Close every hole by a fan of triangles around a new vertex in its middle, wound as its neighbours.

    Faces that share no vertices, as in an STL file, have a boundary all around: there, vertices that are one are
    merged first.
    """
    rim = [vertex for vertex in bm.verts if vertex.is_boundary]
    vertices = len(bm.verts)
    bmesh.ops.remove_doubles(bm, verts=rim, dist=SAME * _longest_side(bm))
    merged = vertices - len(bm.verts)
    points, triangles, _polygons = cut(bm)
    caps = hole_caps(points, triangles)
    corners = [*bm.verts, *(bm.verts.new(point) for point in caps.vertices)]
    for ring in caps.triangles.tolist():
        face = [corners[index] for index in ring]
        if bm.faces.get(face) is None:  # there may be one of more corners, which Blender cut another way
            bm.faces.new(face)
    also = f", {rpt_('{count} vertices merged', count=merged)}" if merged else ""
    if not len(caps.triangles):
        return RepairResult(rpt_("there is no hole") + also, merged > 0)
    closed = rpt_(nn_(len(caps.vertices), "{count} hole closed", "{count} holes closed"), count=len(caps.vertices))
    off = f"{max(100.0 * caps.bound, LEAST_PERCENT):.2g} %" if round(caps.bound, 2) < 1.0 else rpt_("all of it")
    doubt = rpt_("the volume may be off by at most {off}", off=off)
    return RepairResult(f"{closed}{also}; {doubt}", True)


def delete_loose_faces(bm: bmesh.types.BMesh) -> RepairResult:
    """Delete the faces that enclose nothing beside those that do: fins on a body, and patches on their own."""
    vertices, _triangles, _polygons = cut(bm)
    rings = [tuple(vertex.index for vertex in face.verts) for face in bm.faces]
    loose = loose_faces(vertices, rings)
    bm.faces.ensure_lookup_table()
    bmesh.ops.delete(bm, geom=[bm.faces[number] for number in loose], context="FACES")
    deleted = rpt_("{count} loose faces deleted", count=len(loose))
    return RepairResult(deleted if loose else rpt_("there are no loose faces"), bool(loose))


def recalculate_outside(bm: bmesh.types.BMesh) -> RepairResult:
    """Turn the faces that are read turned, so that the mesh looks as it is measured.

    Blender's own Recalculate Outside turns every island outward, cavities too; it is left with what has no
    inside to measure, such as an open mesh.
    """
    turned = _read_turned(bm)
    bm.faces.ensure_lookup_table()
    if turned is not None:
        bmesh.ops.reverse_faces(bm, faces=[bm.faces[number] for number in turned])
        return RepairResult(rpt_("{count} faces turned", count=len(turned)), bool(turned))
    before = [face.normal.copy() for face in bm.faces]
    bmesh.ops.recalc_face_normals(bm, faces=bm.faces[:])
    count = sum(face.normal.dot(normal) < 0.0 for face, normal in zip(bm.faces, before, strict=True))
    text = n_("{count} faces turned (each island outward, since the mesh as a whole has no inside)")
    return RepairResult(rpt_(text, count=count), count > 0)


def merge_by_distance(bm: bmesh.types.BMesh, distance: float = 0.0) -> RepairResult:
    """Merge vertices no further apart than `distance` (Blender units; 0: a millionth of the longest side).

    Of faces that then are the same, one is left; of faces back to back (the wall between two solids that touch), none,
    unless the mesh is nothing but such pairs: a sheet.
    """
    doubles = bmesh.ops.find_doubles(bm, verts=bm.verts[:], dist=distance or SAME * _longest_side(bm))
    target = doubles["targetmap"]
    vertices, faces = len(bm.verts), len(bm.faces)
    bmesh.ops.delete(bm, geom=_doubles(bm, target), context="FACES_ONLY")
    bmesh.ops.weld_verts(bm, targetmap=target)
    merged, removed = vertices - len(bm.verts), faces - len(bm.faces)
    text = rpt_("{vertices} vertices merged, {faces} faces removed", vertices=merged, faces=removed)
    return RepairResult(text, bool(merged or removed))


def cut_quads(bm: bmesh.types.BMesh) -> RepairResult:
    """Cut each quad that is not plane along the diagonal that Blender draws and measures it with."""
    _vertices, triangles, polygons = cut(bm)
    first = np.flatnonzero(polygons[1:] == polygons[:-1])  # the halves of a face follow each other
    halves = {int(polygons[k]): set(triangles[k].tolist()) & set(triangles[k + 1].tolist()) for k in first}
    bm.verts.ensure_lookup_table()
    bent = [face for face in bm.faces if len(face.verts) == 4 and not _is_plane(face)]
    for face in bent:
        bmesh.utils.face_split(face, *(bm.verts[index] for index in halves[face.index]))
    return RepairResult(rpt_("{count} quads cut", count=len(bent)), bool(bent))


def cut(bm: bmesh.types.BMesh) -> tuple[VertexArray, Ints, Ints]:
    """Return the vertices (n, 3), the triangles (m, 3) that Blender cuts the faces into, and each one's face (m,)."""
    bm.verts.index_update()
    bm.faces.index_update()
    corners = bm.calc_loop_triangles()
    vertices = np.array([vertex.co[:] for vertex in bm.verts], dtype=np.float32).reshape(-1, 3)
    triangles = np.array([[loop.vert.index for loop in corner] for corner in corners], dtype=np.int64).reshape(-1, 3)
    return vertices, triangles, np.array([corner[0].face.index for corner in corners], dtype=np.int64)


PLANE = 1e-6
"""A quad whose corner is nearer than this share of its size to the plane of the others is plane, but for rounding."""


def _is_plane(face: bmesh.types.BMFace) -> bool:
    a, b, c, d = (vertex.co for vertex in face.verts)
    u, v, w = b - a, c - a, d - a
    return bool(abs(u.cross(v).dot(w)) <= PLANE * max(u.length, v.length, w.length) ** 3)


def _longest_side(bm: bmesh.types.BMesh) -> float:
    points = np.array([vertex.co[:] for vertex in bm.verts]).reshape(-1, 3)
    return float(np.ptp(points, axis=0).max()) if len(points) else 0.0


def _doubles(bm: bmesh.types.BMesh, target: dict[bmesh.types.BMVert, bmesh.types.BMVert]) -> list[bmesh.types.BMFace]:
    """Return the faces to delete before vertices are merged, which would leave one of a pair back to back."""
    same: dict[tuple[int, ...], tuple[list[bmesh.types.BMFace], list[bmesh.types.BMFace]]] = {}
    doomed: list[bmesh.types.BMFace] = []
    bm.verts.index_update()
    for face in bm.faces:
        ring = [target.get(vertex, vertex).index for vertex in face.verts]
        if len(set(ring)) < len(ring):
            continue
        forth, back = _from_lowest(ring), _from_lowest(ring[::-1])
        ways = same.setdefault(min(forth, back), ([], []))
        ways[forth > back].append(face)
    sheet = all(len(forth) == len(back) for forth, back in same.values())
    for some, others in same.values():
        more, fewer = (some, others) if len(some) >= len(others) else (others, some)
        keep = 0 if len(more) == len(fewer) and not sheet else 1
        doomed += more[keep:] + fewer
    return doomed


def _from_lowest(ring: list[int]) -> tuple[int, ...]:
    start = ring.index(min(ring))
    return (*ring[start:], *ring[:start])


def _read_turned(bm: bmesh.types.BMesh) -> list[int] | None:
    """Return the faces that the core reads turned; None if it cannot read the mesh."""
    vertices, triangles, polygons = cut(bm)
    try:
        read = measure_surface(Surface(vertices, triangles), quick=True).surface
    except InertiaError:
        return None
    if read is None:
        return []
    read_rings = {_from_lowest(ring) for ring in read.triangles.tolist()}
    rings = [_from_lowest(ring) for ring in triangles.tolist()]
    turned = [_from_lowest(ring[::-1]) for ring in triangles.tolist()]
    pairs = zip(polygons.tolist(), rings, turned, strict=True)
    return sorted({polygon for polygon, ring, other in pairs if ring not in read_rings and other in read_rings})
