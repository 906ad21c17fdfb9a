# SPDX-License-Identifier: GPL-3.0-or-later
"""Edit and sculpt mode: some steps happen in any, before the others a user would leave it."""

from __future__ import annotations

from collections.abc import Callable

import bpy

from .robot import Life

_anywhere: set[Callable[[Life], None]] = set()


def in_any_mode(step: Callable[[Life], None]) -> Callable[[Life], None]:
    """Mark a step that happens in edit and sculpt mode as well."""
    _anywhere.add(step)
    return step


def leave_mode_for(step: Callable[[Life], None]) -> None:
    """Go back to object mode, unless the step happens in any."""
    if step not in _anywhere:
        leave_mode()


def leave_mode() -> None:
    if bpy.context.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
