# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators of ours as a button calls them: refused in words is an answer, an exception inside is not."""

from __future__ import annotations

import bpy


def press(operator: str, **options: object) -> str:
    """Call one of our operators; return what it said where it refused, else nothing.

    Blender makes a RuntimeError of what an operator reports, as of a traceback inside it, and of a poll.
    """
    try:
        getattr(bpy.ops.sdf_inertia, operator)(**options)
        return ""
    except RuntimeError as error:
        said = str(error)
    assert "Traceback" not in said and "Python:" not in said, said
    return said
