# SPDX-License-Identifier: GPL-3.0-or-later
"""Which links the user looks at: the active, the selected, the visible ones."""

from __future__ import annotations

from collections.abc import Mapping

import bpy

from ..live import LiveModel
from ..overlay.content import Focus
from ..overlay.style import Look

_owners: tuple[int, Mapping[str, int]] | None = None


def focus_of(context: bpy.types.Context, model: LiveModel, look: Look, hovered: str = "") -> Focus:
    """Return what is active, selected, visible and under the mouse in a 3D view, as numbers of links in `model`.

    `hovered` is a link's name; where not all links have a label, and the scope does not ask, nothing depends on what is
    selected.
    """
    owners = _owners_of(model)
    active = _owner(context.active_object, owners)
    selected: set[int] = set()
    if look.scope == "SELECTED" or look.labels == "ALL":
        selected = {index for ob in context.selected_objects if (index := _owner(ob, owners)) is not None}
    # Hidden is a link of which nothing can be seen in this view, be it by the eye or by local view.
    shown = {index for ob in context.visible_objects if (index := _owner(ob, owners)) is not None}
    if len(shown) < len(model.links):
        # A link that stands nowhere by itself, as instances do, is hidden by nothing.
        here = {ob.name_full for ob in context.view_layer.objects}
        shown |= {index for index, link in enumerate(model.links) if link.object not in here}
        first = {link.object: index for index, link in reversed(tuple(enumerate(model.links)))}
        shown |= {index for index, link in enumerate(model.links) if first[link.object] in shown}
    below = next((index for index, link in enumerate(model.links) if link.body.name == hovered), None)
    return Focus(active, frozenset(selected), None if len(shown) == len(model.links) else frozenset(shown), below)


def forget() -> None:
    """Drop what is remembered of the last model."""
    global _owners
    _owners = None


def _owners_of(model: LiveModel) -> Mapping[str, int]:
    """Return the number of the first link that each object is, or is a collision of."""
    global _owners
    if _owners is None or _owners[0] != model.signature:
        found: dict[str, int] = {}
        for index, link in enumerate(model.links):
            found.setdefault(link.object, index)
        for index, link in enumerate(model.links):
            for part in link.parts.values():
                found.setdefault(part, index)
        _owners = (model.signature, found)
    return _owners[1]


def _owner(ob: bpy.types.Object | None, owners: Mapping[str, int]) -> int | None:
    while ob is not None:
        index = owners.get(ob.name_full)
        if index is not None:
            return index
        ob = ob.parent
    return None
