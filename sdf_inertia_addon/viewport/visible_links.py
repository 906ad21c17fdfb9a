# SPDX-License-Identifier: GPL-3.0-or-later
"""Which links the user looks at: the active, the selected, the visible ones; and which faulty parts."""

from __future__ import annotations

from collections.abc import Iterable

import bpy

from ..live import LiveModel
from ..live.faulty_search import FaultyPart, SearchTask, faulty_parts
from ..overlay.content import VisibleLinks
from ..overlay.style import OverlayStyle


def links_in_view(context: bpy.types.Context, model: LiveModel, style: OverlayStyle, hovered: str = "") -> VisibleLinks:
    """Return what is active, selected, visible and under the mouse in a 3D view, as numbers of links in `model`.

    `hovered` is a link's name; where not all links have a label, and the scope does not ask, nothing depends on what is
    selected.
    """
    active = None if context.active_object is None else model.number_of(context.active_object)
    selected: set[int] = set()
    if style.scope == "SELECTED" or style.labels == "ALL":
        selected = _numbers(model, context.selected_objects)
    # A link is hidden if nothing of it can be seen in this view, because of the eye icon or of local view.
    visible = _numbers(model, context.visible_objects)
    if len(visible) < len(model.links):
        # A link without a place of its own, such as an instance, cannot be hidden.
        here = {ob.name_full for ob in context.view_layer.objects}
        visible |= {index for index, link in enumerate(model.links) if link.object not in here}
        first = {link.object: index for index, link in reversed(tuple(enumerate(model.links)))}
        visible |= {index for index, link in enumerate(model.links) if first[link.object] in visible}
    below = next((index for index, link in enumerate(model.links) if link.body.name == hovered), None)
    seen = None if len(visible) == len(model.links) else frozenset(visible)
    return VisibleLinks(active, frozenset(selected), seen, below)


def faults_of(ob: bpy.types.Object | None, model: LiveModel) -> tuple[list[FaultyPart], list[SearchTask]]:
    """Return where the meshes of the active object's part are faulty, or those of its link where it is no part."""
    link = None if ob is None else model.link_of(ob)
    if link is None or ob is None or link.stale or not ob.visible_get():
        return [], []
    names = {name for name, owner in link.parts.items() if owner == ob.name_full}
    return faulty_parts(link.body, names or None)


def _numbers(model: LiveModel, objects: Iterable[bpy.types.Object]) -> set[int]:
    return {index for ob in objects if (index := model.number_of(ob)) is not None}
