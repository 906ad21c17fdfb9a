# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panel says of a remedy that was pressed and changed nothing, until the mesh or its settings change."""

from __future__ import annotations

import bpy

from ..scene.evaluated.evaluated_mesh import mesh_version

_notes: dict[tuple[str, str], tuple[object, str]] = {}
"""By the object and the operator: the state of the mesh, and the text."""


def note(ob: bpy.types.Object, depsgraph: bpy.types.Depsgraph, operator: str, text: str) -> None:
    """Keep a text about a remedy of an object; without one, forget what was there."""
    _notes.pop((ob.name_full, operator), None)
    if text:
        _notes[ob.name_full, operator] = (mesh_version(ob.evaluated_get(depsgraph)), text)


def notes_on(ob: bpy.types.Object, depsgraph: bpy.types.Depsgraph, operators: tuple[str, ...]) -> list[str]:
    """Return what is still to be said of some remedies of an object."""
    found = [_notes[ob.name_full, operator] for operator in operators if (ob.name_full, operator) in _notes]
    now = mesh_version(ob.evaluated_get(depsgraph)) if found else None
    return [text for state, text in found if state == now]
