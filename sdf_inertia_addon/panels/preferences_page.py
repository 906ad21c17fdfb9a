# SPDX-License-Identifier: GPL-3.0-or-later
"""The add-on's page in Blender's preferences, with the list of the user's own materials."""

from __future__ import annotations

import bpy

from ...core.body.materials import MATERIALS, MAX_DENSITY
from ..names import ADD_MATERIAL, REMOVE_MATERIAL
from ..preferences import PACKAGE, Preferences, SDF_INERTIA_PG_material
from ..translations.words import iface_, n_

ROWS = 4
"""Of the list, when it is short: as many as its buttons and a hint are high."""


class SDF_INERTIA_UL_materials(bpy.types.UIList):
    """Name, density and source of each material, to be edited in place."""

    def draw_item(
        self,
        _context: bpy.types.Context,
        layout: bpy.types.UILayout,
        data: Preferences,
        item: SDF_INERTIA_PG_material,
        _icon: int,
        _active_data: Preferences,
        _active_property: str,
    ) -> None:
        row = layout.split(factor=0.36)
        name = row.row()
        name.alert = bool(problem_of(data, item))
        name.prop(item, "name", text="", emboss=False, icon="MATERIAL")
        row = row.split(factor=0.42)
        density = row.row()
        density.alert = not 0.0 < item.density <= MAX_DENSITY
        density.prop(item, "density", text="", emboss=False)
        row.prop(item, "source", text="", emboss=False)


def draw_materials(layout: bpy.types.UILayout, owner: Preferences) -> None:
    """Draw the list with its buttons, what is wrong with the material chosen, and what the list is for."""
    layout.label(text=iface_("My Materials"))
    if not owner.materials:
        box = layout.box().column(align=True)
        beside = iface_("Materials of your own appear beside the {count} of the library", count=len(MATERIALS))
        box.label(text=beside, icon="INFO", translate=False)
        explanation = iface_("wherever one is chosen. Files keep their density on every computer.")
        box.label(text=explanation, icon="BLANK1", translate=False)
        box.separator()
        box.operator(ADD_MATERIAL, icon="ADD", text=iface_("Add Material"))
        return
    split = layout.split(factor=0.36)
    split.label(text=iface_("Name"))
    split = split.split(factor=0.42)
    split.label(text=iface_("Density [kg/m³]"))
    split.label(text=iface_("Source"))
    row = layout.row()
    row.template_list(
        SDF_INERTIA_UL_materials.__name__, "", owner, "materials", owner, "active_material", rows=ROWS, maxrows=12
    )
    buttons = row.column(align=True)
    buttons.operator(ADD_MATERIAL, icon="ADD", text="")
    buttons.operator(REMOVE_MATERIAL, icon="REMOVE", text="")
    if 0 <= owner.active_material < len(owner.materials):
        problem = problem_of(owner, owner.materials[owner.active_material])
        if problem:
            layout.label(text=problem, icon="ERROR", translate=False)


def problem_of(owner: Preferences, item: SDF_INERTIA_PG_material) -> str:
    """Return what is wrong with a material of the list, or nothing."""
    if not item.name:
        return iface_("A material without a name cannot be chosen")
    first = next(material for material in owner.materials if material.name.casefold() == item.name.casefold())
    if first != item:
        return iface_("There are two materials '{name}': the upper one counts", name=item.name)
    if not 0.0 < item.density <= MAX_DENSITY:
        text = n_("{density} kg/m³ is not a density: it must be above 0 and at most {most}")
        return iface_(text, density=f"{item.density:g}", most=f"{MAX_DENSITY:g}")
    return ""


class SDF_INERTIA_AP_preferences(Preferences, bpy.types.AddonPreferences):
    bl_idname = PACKAGE

    def draw(self, _context: bpy.types.Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        layout.prop(self, "units")
        column = layout.column(heading=iface_("Overlay"), align=True)
        column.prop(self, "ball_size")
        column.prop(self, "line_width")
        column.prop(self, "label_size")
        column = layout.column(heading=iface_("Colours"), align=True)
        column.prop(self, "coloring")
        if self.coloring == "SINGLE":
            column.prop(self, "color")
        draw_materials(layout, self)


CLASSES = (SDF_INERTIA_UL_materials, SDF_INERTIA_AP_preferences)
