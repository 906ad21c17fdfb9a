# SPDX-License-Identifier: GPL-3.0-or-later
"""Would an edit help? Found out by trying it on a copy, once for each state of a mesh; no data of the file change.

What methods give instead is found out by `live.alternatives`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import monotonic

import bmesh
import bpy
import numpy as np

from ...core.arrays import VertexArray
from ...core.errors import Finding, InertiaError
from ...core.mesh.measure import measure_surface
from ...core.mesh.methods import PARAMETERS
from ...core.mesh.surface import Surface
from .. import change_counter
from ..names import (
    CLOSE_HOLES,
    CUT_QUADS,
    DELETE_LOOSE_FACES,
    FIT_PRIMITIVE,
    MERGE_BY_DISTANCE,
    PROPERTIES,
    RECALCULATE_OUTSIDE,
)
from ..scene.belonging import link_above
from ..scene.evaluated.evaluated_mesh import MESH_TYPES, corners_of, mesh_version
from ..scene.settings import parameter_value
from .repairs import (
    Repair,
    close_holes,
    copied,
    cut,
    cut_quads,
    delete_loose_faces,
    merge_by_distance,
    recalculate_outside,
)

LARGEST = 10_000
"""Faces of a mesh that is tried out, in some tenths of a second; of a larger one every edit is offered."""

FLAT = 1e-6
"""Points that are this near to a plane, as a share of their extent, have no primitive: float32's rounding."""

KEPT = 512
"""Answers that are remembered; the one that was asked for longest ago goes first."""

EDITS: Mapping[str, Repair] = {
    CLOSE_HOLES: close_holes,
    DELETE_LOOSE_FACES: delete_loose_faces,
    MERGE_BY_DISTANCE: merge_by_distance,
    RECALCULATE_OUTSIDE: recalculate_outside,
    CUT_QUADS: cut_quads,
}

BUDGET, PAUSE = 0.05, 0.02
"""Seconds of trying at a time, and between two times: a user does not notice."""

_answers: OrderedDict[object, bool] = OrderedDict()
_waiting: OrderedDict[object, Callable[[], bool]] = OrderedDict()
_notes: dict[tuple[str, str], tuple[object, str]] = {}
"""What is shown of a remedy that changed nothing, by object and operator, with the state of the mesh."""


@dataclass(frozen=True)
class _Method:
    """How an object is measured, with the lengths by name that are set, in its own units."""

    name: str = "exact"
    lengths: frozenset[tuple[str, float]] = frozenset()


def would_help(ob: bpy.types.Object, operator: str, finding: Finding, depsgraph: bpy.types.Depsgraph) -> bool:
    """Return True if an edit would improve on a finding about an object's mesh, or a primitive can be fitted.

    An edit does where the finding goes away or counts other faces, and no new error comes. In a window nothing is
    tried while it is drawn: until a timer has found out, the answer is no.
    """
    if operator in EDITS and ob.type != "MESH":
        return False
    if ob.type not in MESH_TYPES or ob.mode != "OBJECT":  # of a mesh being edited, its data are not those that are seen
        return True
    evaluated = ob.evaluated_get(depsgraph)
    method = _method_of(ob)
    key = (ob.name_full, mesh_version(evaluated), method, operator, finding.code, finding.severity)
    if key not in _answers:
        trial = _trial(ob, evaluated, operator, finding, method)
        if not bpy.app.background:
            _waiting[key] = trial
            if not bpy.app.timers.is_registered(_try_waiting):
                bpy.app.timers.register(_try_waiting, first_interval=0.0)
            return False
        _keep(key, trial())
    _answers.move_to_end(key)
    return _answers[key]


def note(ob: bpy.types.Object, depsgraph: bpy.types.Depsgraph, operator: str, text: str) -> None:
    """Keep a text about a remedy of an object until its mesh or settings change; without one, forget what was there."""
    _notes.pop((ob.name_full, operator), None)
    if text:
        _notes[ob.name_full, operator] = (mesh_version(ob.evaluated_get(depsgraph)), text)


def notes_on(ob: bpy.types.Object, depsgraph: bpy.types.Depsgraph, operators: tuple[str, ...]) -> list[str]:
    """Return what is still to be shown of some remedies of an object."""
    notes = [_notes[ob.name_full, operator] for operator in operators if (ob.name_full, operator) in _notes]
    now = mesh_version(ob.evaluated_get(depsgraph)) if notes else None
    return [text for state, text in notes if state == now]


def forget() -> None:
    """Try nothing any more, and forget what was found out."""
    _waiting.clear()
    _answers.clear()
    if bpy.app.timers.is_registered(_try_waiting):
        bpy.app.timers.unregister(_try_waiting)


def _keep(key: object, answer: bool) -> None:
    _answers[key] = answer
    while len(_answers) > KEPT:
        _answers.popitem(last=False)


@change_counter.reported_once
def _try_waiting() -> float | None:
    until = monotonic() + BUDGET
    while _waiting and monotonic() < until:
        key, trial = _waiting.popitem(last=False)
        _keep(key, trial())
    if _waiting:
        return PAUSE
    change_counter.redraw()
    return None


def _trial(
    ob: bpy.types.Object, evaluated: bpy.types.Object, operator: str, finding: Finding, method: _Method
) -> Callable[[], bool]:
    """Return what finds the answer: it may be asked later, so it holds nothing of Blender's."""
    if operator == FIT_PRIMITIVE:
        try:
            corners = corners_of(evaluated)
        except InertiaError:  # what has no mesh has nothing to be tried
            return lambda: False
        return lambda: _is_solid(corners)
    if operator not in EDITS or not isinstance(ob.data, bpy.types.Mesh) or len(ob.data.polygons) > LARGEST:
        return lambda: True
    mesh = ob.data.session_uid

    def edit_helps() -> bool:
        current = next((each for each in bpy.data.meshes if each.session_uid == mesh), None)
        return current is not None and _edit_helps(current, EDITS[operator], finding, method)

    return edit_helps


def _edit_helps(mesh: bpy.types.Mesh, repair: Repair, finding: Finding, method: _Method) -> bool:
    with copied(mesh) as bm:
        surface = _surface(bm)
        if not repair(bm).changed:
            return False
        before, after = _findings(surface, method), _findings(_surface(bm), method)
    errors = {code for code, after_edit in after.items() if after_edit.severity == "error"}
    if finding.code not in before or after.get(finding.code) == before[finding.code]:
        return False  # it is a modifier's, or stays
    return all(code in before and before[code].severity == "error" for code in errors)


def _findings(surface: Surface | None, method: _Method) -> dict[str, Finding]:
    """Return the findings about a mesh measured by a method, by their codes."""
    if surface is None:
        return {"no_faces": Finding("error", "no_faces", "", "")}
    try:
        findings = measure_surface(surface, method.name, dict(method.lengths)).findings
    except InertiaError as error:
        findings = (error.finding(),)
    return {finding.code: finding for finding in findings}


def _surface(bm: bmesh.types.BMesh) -> Surface | None:
    vertices, triangles, _polygons = cut(bm)
    if not len(triangles):
        return None
    quads = [[vertex.index for vertex in face.verts] for face in bm.faces if len(face.verts) == 4]
    return Surface(vertices, triangles, np.array(quads, dtype=np.int64) if quads else None)


def _is_solid(points: VertexArray) -> bool:
    """Return True if points have an extent in all three directions."""
    if len(points) < 4:
        return False
    extents = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
    return bool(extents[2] > FLAT * extents[0])


def _method_of(ob: bpy.types.Object) -> _Method:
    """Return the method for an object: its own, or that of its link."""
    link = link_above(ob)
    settings = getattr(ob, PROPERTIES)
    if settings.method == "INHERIT" and link is not None:
        settings = getattr(link, PROPERTIES)
    name = "exact" if settings.method == "INHERIT" else settings.method.lower()
    values = ((parameter, parameter_value(settings, parameter, 1.0)) for parameter in PARAMETERS)
    return _Method(name, frozenset((of.name, value) for of, value in values if value or not of.unit))
