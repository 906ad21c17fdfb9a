# SPDX-License-Identifier: GPL-3.0-or-later
"""The active link's numbers: centre of mass, tensor, principal moments, and how they were found."""

from __future__ import annotations

import bpy

from ...core.inertial import Inertial
from ...core.units import Units, inertia_text, point_text
from ..names import COPY_INERTIAL
from ..operators.copy_inertial import ITEMS
from ..preferences import units
from .active import active_of
from .parts import Sidebar, facts, numbers
from .texts import link_facts

UPPER = (0, 1, 2, 4, 5, 8)
"""The places of ixx, ixy, ixz, iyy, iyz and izz in a tensor row by row; the others repeat them."""


class SDF_INERTIA_PT_inertia(Sidebar, bpy.types.Panel):
    bl_label = "Inertia"
    bl_parent_id = "SDF_INERTIA_PT_link"
    bl_order = 1

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        link = active_of(context).link
        return link is not None and link.body.inertial is not None

    def draw(self, context: bpy.types.Context) -> None:
        link = active_of(context).link
        assert link is not None and link.body.inertial is not None
        column = self.layout.column()
        column.active = not link.stale
        for label, texts in tables(link.body.inertial, units()):
            column.label(text=label)
            numbers(column, texts)
        facts(column, link_facts(link, units()))
        row = self.layout.row(align=True)
        row.label(text="", icon="COPYDOWN")
        for name, label, _description, _number in ITEMS:
            row.operator(COPY_INERTIAL, text=label).format = name


def tables(inertial: Inertial, shown_in: Units) -> list[tuple[str, tuple[str, ...]]]:
    """Return what stands in boxes of three columns, each with its heading."""
    com, length = point_text(inertial.com, shown_in)
    tensor, unit = inertia_text(inertial.inertia, shown_in)
    moments, principal_unit = inertia_text(inertial.principal().moments, shown_in)
    upper = tuple(text if place in UPPER else "" for place, text in enumerate(tensor))
    return [
        (f"Centre of mass in link [{length}]", com),
        (f"Inertia about it, link axes [{unit}]", upper),
        (f"Principal moments [{principal_unit}]", moments),
    ]


CLASSES = (SDF_INERTIA_PT_inertia,)
