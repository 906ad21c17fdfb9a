# SPDX-License-Identifier: GPL-3.0-or-later
"""Set the target mass of the selected links, of a part, or of the whole robot."""

from __future__ import annotations

import bpy

from ...core.body.inertial import Inertial
from .. import live
from ..names import MODEL, PROPERTIES, SET_MASS, SET_MODEL_MASS
from ..panels.active import active_of
from ..panels.sections.density import draw_implied_density
from ..panels.sidebar import form
from ..panels.texts import first_of
from ..scene.begun import begun_on
from ..scene.belonging import is_link, is_solid, link_above
from ..scene.selection import object_by_full_name
from ..scene.start_values import start_mass
from ..translations.words import BoolProperty, FloatProperty, StringProperty, rpt_, tip_
from .base import and_left_alone, enabled_if
from .set_inertia import target_links


def _mass_typed(self: SDF_INERTIA_OT_set_mass, _context: bpy.types.Context) -> None:
    self.own = False


class SDF_INERTIA_OT_set_mass(bpy.types.Operator):
    bl_idname = SET_MASS
    bl_label = "Set Target Mass"
    bl_description = (
        "Scale each selected link, or the link of each selected object, to a mass you enter; initially its current mass"
    )
    bl_options = {"REGISTER", "UNDO"}

    use: BoolProperty(name="Target Mass", description="Off: the mass follows from the densities again", default=True)
    mass: FloatProperty(
        name="Mass [kg]",
        description="Mass in kg of each link",
        default=1.0,
        soft_min=0.001,
        soft_max=100.0,
        precision=4,
        update=_mass_typed,
    )
    own: BoolProperty(
        name="Keep Each Mass",
        description="Each link's target is the mass entered for it before, or otherwise its current mass",
        options={"SKIP_SAVE"},
    )
    target: StringProperty(
        name="Object",
        description="Full name of the link, or of the part; empty: the links of the selected objects",
        options={"SKIP_SAVE"},
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        # A button may name the active link, whose objects need not be selected.
        possible = any(map(link_above, context.selected_objects)) or active_of(context).link is not None
        return enabled_if(cls, possible, tip_("Select a link, or an object of one: tag objects first"))

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        """Start from the masses that the links have."""
        links = _targets(context, self.target)
        if links and self.use and not self.properties.is_property_set("mass"):
            settings, present = getattr(links[0], PROPERTIES), _present(context, links[0])
            if settings.use_mass or (settings.is_property_set("mass") and not begun_on(links[0]).mass):
                self.mass = settings.mass
            elif present is not None:
                self.mass = present.mass
            self.own = True
        return self.execute(context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        links = _targets(context, self.target)
        editable = [ob for ob in links if ob.is_editable]
        present = {ob: _present(context, ob) for ob in editable} if self.use and self.own else {}
        for ob in editable:
            settings = getattr(ob, PROPERTIES)
            if self.use and not self.own:
                settings.mass = self.mass
            elif self.use and not settings.use_mass:
                start_mass(ob, present[ob])
            settings.use_mass = self.use
        self._tell(editable, len(links) - len(editable))
        return {"FINISHED"} if editable else {"CANCELLED"}

    def _tell(self, links: list[bpy.types.Object], linked: int) -> None:
        names = first_of([ob.name for ob in links])
        masses = list(dict.fromkeys(f"{getattr(ob, PROPERTIES).mass:.6g}" for ob in links[:4]))
        by_density = rpt_("{names}: mass by density", names=names)
        text = f"{names}: {', '.join(masses[:3])} kg" if self.use else by_density
        manual = sum(getattr(ob, PROPERTIES).inertia == "MANUAL" for ob in links) if self.use else 0
        if manual:
            text += f"; {rpt_('not scaled: {count} with manual inertia', count=manual)}"
        self.report({"WARNING" if linked or manual else "INFO"}, and_left_alone(text, linked))

    def draw(self, context: bpy.types.Context) -> None:
        layout = form(self.layout)
        layout.prop(self, "use")
        row = layout.row()
        row.enabled = self.use
        row.prop(self, "mass", slider=True)
        links = _targets(context, self.target)
        if len(links) > 1:
            row = layout.row()
            row.enabled = self.use
            row.prop(self, "own")
        for ob in links[:3] if self.use else ():
            link = live.model(context.evaluated_depsgraph_get()).link_of(ob)
            if link is not None:
                draw_implied_density(layout, link.body, getattr(ob, PROPERTIES))


def _targets(context: bpy.types.Context, target: str) -> list[bpy.types.Object]:
    """Return the part that is named, or else the links that are meant."""
    ob = object_by_full_name(target) if target else None
    return [ob] if ob is not None and not is_link(ob) and is_solid(ob) else target_links(context, target)


def _present(context: bpy.types.Context, ob: bpy.types.Object) -> Inertial | None:
    depsgraph = context.evaluated_depsgraph_get()
    if is_link(ob):
        body = live.link_body(depsgraph, ob)
        return None if body is None else body.inertial
    link = live.model(depsgraph).link_of(ob)
    parts = () if link is None else link.body.parts
    return next((part.inertial for part in parts if link and link.parts.get(part.name) == ob.name_full), None)


class SDF_INERTIA_OT_set_model_mass(bpy.types.Operator):
    bl_idname = SET_MODEL_MASS
    bl_label = "Set the Robot's Mass"
    bl_description = (
        "Scale all links of unknown mass by one factor, so that the whole robot has the mass you enter; initially its"
        " current mass"
    )
    bl_options = {"REGISTER", "UNDO"}

    use: BoolProperty(name="Target Mass", description="Off: the mass is the sum of the links again", default=True)

    def execute(self, context: bpy.types.Context) -> set[str]:
        settings = getattr(context.scene, MODEL)
        if self.use and not settings.is_property_set("mass"):
            total = live.model(context.evaluated_depsgraph_get()).total()
            if total is not None:
                settings.mass = total.mass
        settings.use_mass = self.use
        return {"FINISHED"}


CLASSES = (SDF_INERTIA_OT_set_mass, SDF_INERTIA_OT_set_model_mass)
