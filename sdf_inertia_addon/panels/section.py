# SPDX-License-Identifier: GPL-3.0-or-later
"""A part of the Link panel that folds.

Not a panel of its own below it: Blender places those by the height that their parent had one redraw before, so that
they would overlap whenever another object becomes active.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import bpy

from ..translations.words import iface_
from .active import Active

Draw = Callable[[bpy.types.Context, bpy.types.UILayout, Active], None]


def _no_header(_context: bpy.types.Context, _layout: bpy.types.UILayout, _active: Active) -> None:
    pass


@dataclass(frozen=True)
class Section:
    """What folds.

    Parameters
    ----------
    label : str
        In English, marked by `n_`.
    shown : callable
        Whether there is anything to show.
    draw : callable
        Lays out what it holds.
    closed : bool
        At first.
    of_link : bool
        About the link alone: closed at first where one of its parts is active.
    draw_header : callable
        Lays out what stands beside its label, folded or not.
    """

    label: str
    shown: Callable[[Active], bool]
    draw: Draw
    closed: bool = False
    of_link: bool = False
    draw_header: Draw = _no_header

    def draw_folding(self, context: bpy.types.Context, layout: bpy.types.UILayout, active: Active) -> None:
        """Lay out the header and, if it is open, the rest."""
        if not self.shown(active):
            return
        beside_part = self.of_link and active.part_object is not None
        name = f"SDF_INERTIA_{self.label}" + ("_of_link" if beside_part else "")
        header, body = layout.panel(name, default_closed=self.closed or beside_part)
        header.label(text=iface_(self.label))
        self.draw_header(context, header, active)
        if body is not None:
            self.draw(context, body, active)
