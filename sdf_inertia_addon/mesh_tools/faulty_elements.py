# SPDX-License-Identifier: GPL-3.0-or-later
"""Which vertices, edges and polygons of an object's own mesh a finding about its evaluated mesh means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import bmesh
import bpy
import numpy as np
import numpy.typing as npt

from ...core.mesh.faulty import Faulty, faulty
from ..scene.evaluated.evaluated_mesh import cut_faces, positions
from ..translations.words import rpt_

Ints = npt.NDArray[np.int32]
Kind = Literal["VERT", "EDGE", "FACE"]


@dataclass(frozen=True)
class FaultyElements:
    """Elements of a mesh, of one kind, by their indices."""

    kind: Kind
    elements: tuple[int, ...]


def why_unseen(ob: bpy.types.Object, depsgraph: bpy.types.Depsgraph) -> str:
    """Return why the faults of an object's evaluated mesh cannot be shown in its own mesh, or nothing."""
    if ob.type != "MESH":
        return rpt_("{name} is not a mesh: convert it first (Object > Convert > Mesh)", name=ob.name)
    if not ob.visible_get():
        return rpt_("{name} is hidden: show it first", name=ob.name)
    if not (ob.is_editable and ob.data.is_editable):
        return rpt_("{name} or its mesh is linked from a library: make it local first", name=ob.name)
    evaluated = ob.evaluated_get(depsgraph)
    assert isinstance(ob.data, bpy.types.Mesh)
    same = _ring(ob.data) == _ring(evaluated.to_mesh())
    evaluated.to_mesh_clear()
    other = rpt_("The modifiers of {name} change its faces: apply them to see the faults", name=ob.name)
    return "" if same else other


def find_faulty_elements(ob: bpy.types.Object, depsgraph: bpy.types.Depsgraph, code: str) -> FaultyElements:
    """Find what a finding counts, where `why_unseen` has no objection; nothing where it is there no more."""
    evaluated = ob.evaluated_get(depsgraph)
    mesh = evaluated.to_mesh()
    try:
        triangles, polygons = cut_faces(mesh)
        elements = faulty(positions(mesh), triangles, code)
        return _elements(mesh, elements, polygons)
    finally:
        evaluated.to_mesh_clear()


def select(mesh: bpy.types.Mesh, elements: FaultyElements) -> None:
    """Select these elements of a mesh in edit mode, and show those of them that are hidden."""
    bm = bmesh.from_edit_mesh(mesh)
    bm.select_mode = {elements.kind}
    sequence: Any = {"VERT": bm.verts, "EDGE": bm.edges, "FACE": bm.faces}[elements.kind]
    sequence.ensure_lookup_table()
    for index in elements.elements:
        sequence[index].hide_set(False)
        sequence[index].select_set(True)
    bm.select_flush_mode()
    bmesh.update_edit_mesh(mesh, loop_triangles=False, destructive=False)


def _elements(mesh: bpy.types.Mesh, elements: Faulty, polygons: Ints) -> FaultyElements:
    if len(elements.vertices):
        return FaultyElements("VERT", tuple(elements.vertices.tolist()))
    if len(elements.faces):
        return FaultyElements("FACE", tuple(np.unique(polygons[elements.faces]).tolist()))
    ends = np.empty(2 * len(mesh.edges), dtype=np.int32)
    mesh.edges.foreach_get("vertices", ends)
    # A diagonal that Blender drew through a polygon is not an edge of the mesh.
    count = len(mesh.vertices)
    wanted = np.sort(elements.edges, axis=1) @ (count, 1)
    edges = np.isin(np.sort(ends.reshape(-1, 2).astype(np.int64), axis=1) @ (count, 1), wanted)
    return FaultyElements("EDGE", tuple(np.flatnonzero(edges).tolist()))


def _ring(mesh: bpy.types.Mesh) -> tuple[int, bytes, bytes]:
    """Return what two meshes share if they differ in nothing but where their vertices are."""
    corners, starts = np.empty(len(mesh.loops), dtype=np.int32), np.empty(len(mesh.polygons), dtype=np.int32)
    mesh.loops.foreach_get("vertex_index", corners)
    mesh.polygons.foreach_get("loop_start", starts)
    return len(mesh.vertices), corners.tobytes(), starts.tobytes()
