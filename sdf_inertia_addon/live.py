# SPDX-License-Identifier: GPL-3.0-or-later
"""The active link's numbers for the panel: pulled when it draws, recomputed only when something changed."""

from __future__ import annotations

import bpy

from ..core.resolve import LinkBody, resolve_link
from . import evaluated_mesh, scene_read


def link_body(depsgraph: bpy.types.Depsgraph, ob: bpy.types.Object) -> LinkBody | None:
    """Return the link that `ob` is or belongs to, resolved; None if there is none.

    Meshes are integrated once for as long as they do not change: `evaluated_mesh` gives back the same surface, and
    the core remembers what it measured on it.
    """
    link = scene_read.read_link(depsgraph, ob)
    return None if link is None else resolve_link(link)


def forget() -> None:
    """Drop all that is remembered."""
    evaluated_mesh.forget()
