# SPDX-License-Identifier: GPL-3.0-or-later
"""What differs between Blender versions: one small function each, which names both."""

import bpy


def blend_relative() -> set[str]:
    """Options of a path that may start with ``//``: 4.5 warns at every use without it, 4.2 does not know it."""
    return {"PATH_SUPPORTS_BLEND_RELATIVE"} if bpy.app.version >= (4, 5, 0) else set()
