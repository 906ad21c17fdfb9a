# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts of the add-on that are not marked in its sources: those of registered classes, and core's fixed lists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import bpy

from core.body.materials import CATEGORIES
from core.findings.listed import areas
from core.findings.remedy import ACTIONS, OR
from core.mesh.methods import METHODS

from .message import CONTEXT, TOOLTIP, Message

LABELLED = (bpy.types.Operator, bpy.types.Panel, bpy.types.Menu)
"""Kinds of classes whose label is shown."""

WITH_PROPERTIES = (bpy.types.PropertyGroup, bpy.types.AddonPreferences, bpy.types.UIList)

EXPLAINED = (
    *("Meshes", "Methods", "Mass and inertia", "Doubtful numbers", "Blender scene", "Simulators and auto"),
    "Text from CAD",
)
"""Areas of findings that a scene can have, which the panel explains; of others it shows only titles, when a file is
imported."""

SHOWN = (*EXPLAINED, "Engines")
"""Areas of findings whose messages the panel shows."""


def declared(classes: tuple[type, ...]) -> Iterator[Message]:
    """Yield what Blender shows of registered classes by itself."""
    for cls in classes:
        rna: Any = cls
        place = _place(cls)
        kind = next((kind.__name__ for kind in LABELLED if issubclass(cls, kind)), "")
        if kind:
            yield Message(CONTEXT, rna.bl_label, place, f"label: {kind.lower()}")
        if issubclass(cls, bpy.types.Operator):
            namespace, name = cls.bl_idname.split(".")
            operator = getattr(getattr(bpy.ops, namespace), name).get_rna_type()
            yield Message(TOOLTIP, operator.description, place, f"tooltip: {cls.bl_label}")
            yield from _properties(operator.properties, {"rna_type"}, place)
        base: Any = next((base for base in WITH_PROPERTIES if issubclass(cls, base)), None)
        if base is not None:
            yield from _properties(rna.bl_rna.properties, {*base.bl_rna.properties.keys()}, place)


def _place(cls: type) -> str:
    module = cls.__module__
    return f"{module[module.index('sdf_inertia_addon') :].replace('.', '/')}.py"


def _properties(properties: Any, inherited: set[str], place: str) -> Iterator[Message]:
    for prop in properties:
        if prop.is_hidden or prop.identifier in inherited:
            continue
        if prop.name != prop.identifier:  # Blender shows the identifier of a property without a name
            yield Message(CONTEXT, prop.name, place, "setting")
        yield Message(TOOLTIP, prop.description, place, f"tooltip: {prop.name}")
        for item in getattr(prop, "enum_items", ()):
            yield Message(CONTEXT, item.name, place, f"choice: {prop.name}")
            yield Message(TOOLTIP, item.description, place, f"tooltip: {prop.name}, {item.name}")


def listed_in_core() -> Iterator[Message]:
    """Yield texts of core's lists that the interface shows."""
    for category in CATEGORIES:
        yield Message(CONTEXT, category, "core/body/materials.csv", "kind of materials")
    for method in METHODS.values():
        yield Message(CONTEXT, method.label, "core/mesh/methods.py", "method")
    for area in areas():
        for entry in area.entries:
            place = f"core/findings: {entry.code}"
            yield Message(CONTEXT, entry.title, place, "title of a finding")
            if area.title in EXPLAINED:
                yield Message(TOOLTIP, entry.meaning, place, f"meaning: {entry.title}")
                yield Message(TOOLTIP, entry.remedy, place, f"remedy: {entry.title}")
            for template in entry.messages.values() if area.title in SHOWN else ():
                yield Message(CONTEXT, template.text, place, f"message: {entry.title}")
                if area.title in EXPLAINED:
                    yield from (
                        Message(CONTEXT, alternative, place, f"remedy: {entry.title}")
                        for alternative in template.remedy.split(OR)
                        if re.sub(r"{.*}", "", alternative)
                    )
    for action in ACTIONS.values():
        yield Message(CONTEXT, action.blender or action.plain, "core/findings/remedy.py", "what a remedy says to do")
    yield Message(CONTEXT, OR, "core/findings/remedy.py", "between two alternatives")
