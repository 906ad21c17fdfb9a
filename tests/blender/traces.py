# SPDX-License-Identifier: GPL-3.0-or-later
"""What of an add-on Blender and Python know at a moment: classes, handlers, menus, properties, operators, modules."""

from __future__ import annotations

import gc
import sys
from typing import Any

import bpy

from .scenes import checkout

KINDS = (
    "Operator",
    "Panel",
    "Menu",
    "Header",
    "UIList",
    "PropertyGroup",
    "FileHandler",
    "AddonPreferences",
    "RenderEngine",
    "NodeTree",
)


def trace() -> dict[str, Any]:
    """Return it once nobody refers to what was unregistered."""
    package = f"{checkout().__name__}."
    gc.collect()
    classes = {kind: registered(getattr(bpy.types, kind)) for kind in KINDS if hasattr(bpy.types, kind)}
    return {
        "classes": classes,
        "names": sorted(name for name in dir(bpy.types) if name.startswith("SDF_INERTIA")),
        "handlers": handlers(),
        "menu": len(getattr(bpy.types.TOPBAR_MT_file_export.draw, "_draw_funcs", ())),
        "gizmos": gizmos(),
        "group": bpy.types.PropertyGroup.bl_rna_get_subclass_py("SDF_INERTIA_PG_object") is not None,
        "property": hasattr(bpy.types.Object, "sdf_inertia"),
        "operators": sorted(dir(bpy.ops.sdf_inertia)),
        "modules": sorted(name for name in sys.modules if name.startswith(package)),
    }


def handlers() -> dict[str, int]:
    """Return how many handlers Blender calls, by their list."""
    lists = {name: getattr(bpy.app.handlers, name) for name in dir(bpy.app.handlers)}
    return {name: len(each) for name, each in lists.items() if isinstance(each, list)}


def registered(base: Any) -> int:
    """Return how many classes of a kind are registered.

    Not how many exist: Blender 4.2 itself never frees a property group that was registered.
    """
    return sum(bool(getattr(cls, "is_registered", False)) for cls in base.__subclasses__())


def gizmos() -> list[str]:
    """Return the gizmos: bpy.types has them under no name, and they do not say whether they are registered."""
    bases = (bpy.types.Gizmo, bpy.types.GizmoGroup)
    named = {(base, cls.__name__) for base in bases for cls in base.__subclasses__()}
    return sorted(name for base, name in named if base.bl_rna_get_subclass_py(name) is not None)
