# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that the outliner's eye hides: Blender evaluates them, but lists neither them nor the instances they make."""

from __future__ import annotations

from typing import Any

import bpy

from ....core.errors import InertiaError


def hidden_by_eye(ob: bpy.types.Object, depsgraph: bpy.types.Depsgraph) -> bpy.types.Object | None:
    """Return the evaluated object, if only the eye hides it."""
    if not ob.hide_get(view_layer=depsgraph.view_layer):
        return None
    evaluated = ob.evaluated_get(depsgraph)
    return evaluated if evaluated.is_evaluated else None


def may_make_instances(evaluated: bpy.types.Object) -> bool:
    """Return True if the object makes instances; before Blender 4.5, which shows them, if it has geometry nodes."""
    if evaluated.is_instancer:  # of a collection, on vertices or faces, by particles
        return True
    if not any(modifier.type == "NODES" and modifier.show_viewport for modifier in evaluated.modifiers):
        return False
    if not hasattr(evaluated, "evaluated_geometry"):
        return True
    geometry: Any = evaluated.evaluated_geometry()
    return geometry.instances_pointcloud() is not None


def hidden_instances(name: str) -> InertiaError:
    return InertiaError.of("hidden_instances", name)
