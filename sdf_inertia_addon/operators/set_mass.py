# SPDX-License-Identifier: GPL-3.0-or-later
"""Give the selected links a target mass, with what it says about their material."""

from __future__ import annotations

import bpy
from bpy.props import BoolProperty, FloatProperty

from .. import live
from ..fitting import link_above
from ..names import PROPERTIES, SET_MASS
from ..target_mass import draw_implied_density


class SDF_INERTIA_OT_set_mass(bpy.types.Operator):
    bl_idname = SET_MASS
    bl_label = "Set Target Mass"
    bl_description = "Scale each selected link, or the link of each selected object, to a mass, such as a scale's"
    bl_options = {"REGISTER", "UNDO"}

    use: BoolProperty(name="Target Mass", description="Off: the mass follows from the densities again", default=True)
    mass: FloatProperty(
        name="Mass [kg]",
        description="Mass in kg of each link",
        default=1.0,
        soft_min=0.001,
        soft_max=100.0,
        precision=4,
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        if any(link_above(ob) is not None for ob in context.selected_objects):
            return True
        cls.poll_message_set("Select a link, or an object of one: tag objects first")
        return False

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        """Start from the mass that the first link has now."""
        first = _links(context)[0]
        link = live.model(context.evaluated_depsgraph_get()).link_of(first)
        if not self.properties.is_property_set("mass"):
            settings = getattr(first, PROPERTIES)
            if settings.use_mass:
                self.mass = settings.mass
            elif link is not None and not link.stale and link.body.inertial is not None:
                self.mass = link.body.inertial.mass
        return self.execute(context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        links = _links(context)
        editable = [ob for ob in links if ob.is_editable]
        for ob in editable:
            settings = getattr(ob, PROPERTIES)
            settings.use_mass = self.use
            settings.mass = self.mass
        names = ", ".join(ob.name for ob in editable[:3]) + (" ..." if len(editable) > 3 else "")
        text = f"{names}: {self.mass:.6g} kg" if self.use else f"{names}: mass by density"
        manual = sum(getattr(ob, PROPERTIES).inertia == "MANUAL" for ob in editable) if self.use else 0
        if manual:
            text += f"; it does not count for {manual} whose inertia is entered by hand"
        if len(links) > len(editable):
            text += f"; {len(links) - len(editable)} linked from a library and left alone"
        self.report({"INFO" if len(links) == len(editable) and not manual else "WARNING"}, text)
        return {"FINISHED"} if editable else {"CANCELLED"}

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.prop(self, "use")
        row = layout.row()
        row.enabled = self.use
        row.prop(self, "mass", slider=True)
        for ob in _links(context)[:3] if self.use else ():
            link = live.model(context.evaluated_depsgraph_get()).link_of(ob)
            if link is not None:
                draw_implied_density(layout, link.body, getattr(ob, PROPERTIES))


def _links(context: bpy.types.Context) -> list[bpy.types.Object]:
    """Return the links that the selected objects are or belong to, that of the active object first."""
    active = context.active_object
    chosen = sorted(context.selected_objects, key=lambda ob: (ob != active, ob.name_full))
    return list(dict.fromkeys(link for link in map(link_above, chosen) if link is not None))


CLASSES = (SDF_INERTIA_OT_set_mass,)
