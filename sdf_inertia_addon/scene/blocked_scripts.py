# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python in a .blend that Blender did not run, and which objects are not as they should be for it.

Unless a file is trusted, Blender runs neither its scripts nor the drivers that could do harm: what they drive reads 0.
Plain expressions such as ``var * 2``, ``sin(frame)`` or ``len("abc")`` are evaluated always.
"""

from __future__ import annotations

from collections.abc import Iterator

import bpy

from ...core.errors import Finding, InertiaError

APART = (bpy.types.Scene, bpy.types.Material, bpy.types.World)
"""What objects and scenes name without taking their shape or place from it; only a driver may read a value of it."""

HARMLESS = frozenset({"color", "hide_render", "hide_select", "pass_index", "show_render"})
"""Properties that change no shape and no place."""


class BlockedDrivers:
    """The Python drivers of the file that Blender blocked, and what depends on them; lives no longer than a reading."""

    def __init__(self) -> None:
        self._reached: dict[bpy.types.ID, tuple[bpy.types.ID, bpy.types.FCurve]] = {}
        if bpy.app.autoexec_fail:
            self._follow()

    def error_of(self, *objects: bpy.types.Object | None) -> InertiaError | None:
        """Return why the first of some objects, and with it each other, is not as it should be, if so."""
        for ob in objects:
            if ob in self._reached:
                owner, curve = self._reached[ob]
                other = f"it depends on the {owner.id_type.lower()} '{owner.name}', whose"
                whose = "its" if owner == ob else other
                expression = curve.driver.expression
                return InertiaError.of(
                    "driver_blocked", objects[0].name, whose=whose, path=_path(owner, curve), expression=expression
                )
        return None

    def _follow(self) -> None:
        """Go from each ID with a blocked driver to all that use it: children, instancers, users of its data, ..."""
        readers: dict[bpy.types.ID, list[bpy.types.ID]] = {}
        waiting: list[bpy.types.ID] = []
        for owner, curve in _drivers():
            driver = curve.driver
            for read in {target.id for variable in driver.variables for target in variable.targets if target.id}:
                readers.setdefault(read, []).append(owner)
            runs_python = driver.type == "SCRIPTED" and not driver.is_simple_expression
            if runs_python and not driver.is_valid and curve.data_path.rpartition(".")[2] not in HARMLESS:
                self._reached.setdefault(owner, (owner, curve))
                waiting.append(owner)
        users = bpy.data.user_map() if waiting else {}
        while waiting:
            used = waiting.pop()
            takers = readers.get(used, [])
            if not isinstance(used, APART):
                takers = [*takers, *(user for user in users.get(used, ()) if not isinstance(user, APART))]
            for taker in takers:
                if taker not in self._reached:
                    self._reached[taker] = self._reached[used]
                    waiting.append(taker)


def blocked_texts(model: str) -> list[Finding]:
    """Return a warning if scripts that register themselves were not run; nobody knows what they would have done."""
    names = [text.name for text in bpy.data.texts if text.use_module] if bpy.app.autoexec_fail else []
    if not names:
        return []
    return [Finding.of("warning", "scripts_blocked", model, names=", ".join(names))]


def _drivers() -> Iterator[tuple[bpy.types.ID, bpy.types.FCurve]]:
    for kind in bpy.data.bl_rna.properties:
        if kind.type == "COLLECTION":
            for owner in getattr(bpy.data, kind.identifier):
                animated = getattr(owner, "animation_data", None)
                for curve in animated.drivers if animated else ():
                    yield owner, curve


def _path(owner: bpy.types.ID, curve: bpy.types.FCurve) -> str:
    try:
        is_array = hasattr(owner.path_resolve(curve.data_path), "__len__")
    except ValueError:  # what it drives is gone
        is_array = False
    return f"{curve.data_path}[{curve.array_index}]" if is_array else curve.data_path
