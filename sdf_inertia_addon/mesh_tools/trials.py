# SPDX-License-Identifier: GPL-3.0-or-later
"""Would a remedy help? Found out by trying it on a copy, once for each state of a mesh; no data of the file change."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import monotonic

import bmesh
import bpy
import numpy as np

from ...core.arrays import Ints, VertexArray
from ...core.errors import Finding, InertiaError, has_error
from ...core.mesh.measure import measure_surface
from ...core.mesh.methods import PARAMETERS
from ...core.mesh.surface import Surface
from .. import change_counter
from ..names import (
    CUT_QUADS,
    DELETE_LOOSE_FACES,
    FILL_HOLES,
    FIT_PRIMITIVE,
    MERGE_BY_DISTANCE,
    PROPERTIES,
    RECALCULATE_OUTSIDE,
    USE_HULL,
    USE_SHELL,
    USE_VOXELS,
)
from ..scene.belonging import link_above
from ..scene.evaluated_mesh import MESH_TYPES, corners_of, mesh_version, surface_of
from .repairs import (
    Repair,
    copied,
    cut,
    cut_quads,
    delete_loose_faces,
    fill_holes,
    merge_by_distance,
    recalculate_outside,
)

LARGEST = 10_000
"""Faces of a mesh that is tried out, in some tenths of a second; of a larger one every remedy is offered."""

THIN = 0.01
"""A wall to try out, as a share of the longest side: which one it is, is asked on the click."""

FLAT = 1e-6
"""Points that are this near to a plane, as a share of their extent, have no primitive: float32's rounding."""

KEPT = 512
"""Answers that are remembered; the one that was asked for longest ago goes first."""

EDITS: Mapping[str, Repair] = {
    FILL_HOLES: fill_holes,
    DELETE_LOOSE_FACES: delete_loose_faces,
    MERGE_BY_DISTANCE: merge_by_distance,
    RECALCULATE_OUTSIDE: recalculate_outside,
    CUT_QUADS: cut_quads,
}

BUDGET = 0.1
"""Seconds of trying in one drawing of the panel; the rest waits for the next."""

_until = float("inf")
_answers: OrderedDict[object, bool] = OrderedDict()


@dataclass(frozen=True)
class _Method:
    """How an object is measured, with the lengths by name that are set, in its own units."""

    name: str = "exact"
    lengths: frozenset[tuple[str, float]] = frozenset()


CHOICES: Mapping[str, Callable[[float, _Method], _Method]] = {
    USE_VOXELS: lambda _longest, _now: _Method("voxel"),
    USE_SHELL: lambda longest, now: _Method(
        "shell", frozenset({"thickness": THIN * longest, **dict(now.lengths)}.items())
    ),
}


def begin_drawing() -> None:
    """Let this drawing of a window's panel try no longer than a user would not notice."""
    global _until
    _until = float("inf") if bpy.app.background else monotonic() + BUDGET


def would_help(ob: bpy.types.Object, operator: str, finding: Finding, depsgraph: bpy.types.Depsgraph) -> bool:
    """Say whether a remedy would change a finding about an object's mesh for the better.

    For one that edits the mesh that is: the finding goes away or counts other faces, and no new error comes. For one
    that chooses a method: the mesh has a number then, and the finding goes away or is an error no more. What has
    to wait for the next drawing would not, for now.
    """
    if operator in EDITS and ob.type != "MESH":
        return False
    if ob.type not in MESH_TYPES or ob.mode != "OBJECT":  # of a mesh being edited, its data are not those that are seen
        return True
    evaluated = ob.evaluated_get(depsgraph)
    method = _method_of(ob)
    key = (ob.name_full, mesh_version(evaluated), method, operator, finding.code, finding.severity)
    if key not in _answers:
        if monotonic() > _until:
            if not bpy.app.timers.is_registered(change_counter.redraw):
                bpy.app.timers.register(change_counter.redraw, first_interval=0.0)
            return False  # until it is known
        _answers[key] = _tried(ob, evaluated, operator, finding, method)
        while len(_answers) > KEPT:
            _answers.popitem(last=False)
    _answers.move_to_end(key)
    return _answers[key]


def _tried(ob: bpy.types.Object, evaluated: bpy.types.Object, operator: str, finding: Finding, method: _Method) -> bool:
    try:
        if operator in (FIT_PRIMITIVE, USE_HULL):
            return _is_solid(corners_of(evaluated))
        if operator in EDITS:
            assert isinstance(ob.data, bpy.types.Mesh)
            return len(ob.data.polygons) > LARGEST or _edit_helps(ob.data, EDITS[operator], finding, method)
        if operator in CHOICES:
            surface = surface_of(evaluated)
            return len(surface.triangles) > LARGEST or _method_helps(surface, CHOICES[operator], finding, method)
    except InertiaError:  # what has no mesh has nothing to be tried
        return False
    return True


def _edit_helps(mesh: bpy.types.Mesh, repair: Repair, finding: Finding, method: _Method) -> bool:
    with copied(mesh) as bm:
        surface = _surface(bm)
        if not repair(bm).changed:
            return False
        before, after = _findings(surface, method), _findings(_surface(bm), method)
    errors = {code for code, found in after.items() if found.severity == "error"}
    if finding.code not in before or after.get(finding.code) == before[finding.code]:
        return False  # it is a modifier's, or stays
    return all(code in before and before[code].severity == "error" for code in errors)


def _method_helps(
    surface: Surface, chosen: Callable[[float, _Method], _Method], finding: Finding, now: _Method
) -> bool:
    low, high = surface.bounds()
    after = _findings(surface, chosen(float((high - low).max()), now))
    if has_error(after.values()):
        return False
    same = after.get(finding.code)
    return same is None or (finding.severity == "error" and same.severity != "error")


def _findings(surface: Surface | None, method: _Method) -> dict[str, Finding]:
    """Return what there is to say of a mesh measured so, by its code."""
    if surface is None:
        return {"no_faces": Finding("error", "no_faces", "", "")}
    try:
        found = measure_surface(surface, method.name, dict(method.lengths)).findings
    except InertiaError as error:
        found = (error.finding(),)
    return {finding.code: finding for finding in found}


def _surface(bm: bmesh.types.BMesh) -> Surface | None:
    vertices, triangles, _polygons = cut(bm)
    if not len(triangles):
        return None
    quads = [[vertex.index for vertex in face.verts] for face in bm.faces if len(face.verts) == 4]
    return Surface(vertices, triangles, _array(quads))


def _array(quads: list[list[int]]) -> Ints | None:
    return np.array(quads, dtype=np.int64) if quads else None


def _is_solid(points: VertexArray) -> bool:
    """Say whether points have an extent in all three directions."""
    if len(points) < 4:
        return False
    extents = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
    return bool(extents[2] > FLAT * extents[0])


def _method_of(ob: bpy.types.Object) -> _Method:
    """Return how the core measures an object: as it says itself, or its link."""
    link = link_above(ob)
    settings = getattr(ob, PROPERTIES)
    if settings.method == "INHERIT" and link is not None:
        settings = getattr(link, PROPERTIES)
    name = "exact" if settings.method == "INHERIT" else settings.method.lower()
    lengths = ((parameter.name, getattr(settings, parameter.name)) for parameter in PARAMETERS)
    return _Method(name, frozenset((length_of, length) for length_of, length in lengths if length))
