# SPDX-License-Identifier: GPL-3.0-or-later
"""Set the target mass of the selected links, the own mass of the selected parts, or the mass of the whole robot."""

from __future__ import annotations

import bpy

from ...core.body.inertial import Inertial
from .. import live
from ..names import MODEL, PROPERTIES, RIGID_BODY_MASS, SET_MASS, SET_MODEL_MASS
from ..panels.active import active_of
from ..panels.sections.density import draw_implied_density, rigid_body_mass
from ..panels.sidebar import form
from ..panels.texts import first_of
from ..scene.begun import begun_on
from ..scene.belonging import is_link, is_part, link_above
from ..scene.selection import object_by_full_name
from ..scene.start_values import start_mass
from ..scene.together import selected_with
from ..translations.words import BoolProperty, FloatProperty, StringProperty, nn_, rpt_, tip_
from .base import and_left_alone, enabled_if, refused
from .set_inertia import target_links


def _mass_typed(self: SDF_INERTIA_OT_set_mass, _context: bpy.types.Context) -> None:
    self.own = False


class SDF_INERTIA_OT_set_mass(bpy.types.Operator):
    bl_idname = SET_MASS
    bl_label = "Set Mass"
    bl_description = (
        "Enter the mass of each selected part, or scale each selected link to a target mass; initially its current mass"
    )
    bl_options = {"REGISTER", "UNDO"}

    use: BoolProperty(name="Set Mass", description="Off: the mass follows from the densities again", default=True)
    mass: FloatProperty(
        name="Mass [kg]",
        description="Mass in kg of each part, or of each link with all its parts",
        default=1.0,
        soft_min=0.001,
        soft_max=100.0,
        precision=4,
        update=_mass_typed,
    )
    own: BoolProperty(
        name="Keep Each Mass",
        description="Each keeps the mass entered for it before, or otherwise its current mass",
        options={"SKIP_SAVE"},
    )
    target: StringProperty(
        name="Object",
        description="Full name of the link, or of the part; empty: the selected ones",
        options={"SKIP_SAVE"},
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        # A button may name the active link, whose objects need not be selected.
        possible = any(map(link_above, context.selected_objects)) or active_of(context).link is not None
        return enabled_if(cls, possible, tip_("Select a link, or an object of one: tag objects first"))

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        """Start from the masses that the links have."""
        chosen = _targets(context, self.target)
        if chosen and self.use and not self.properties.is_property_set("mass"):
            settings, present = getattr(chosen[0], PROPERTIES), _present(context, chosen[0])
            if settings.use_mass or (settings.is_property_set("mass") and not begun_on(chosen[0]).mass):
                self.mass = settings.mass
            elif present is not None:
                self.mass = present.mass
            self.own = True
        return self.execute(context)

    def execute(self, context: bpy.types.Context) -> set[str]:
        chosen = _targets(context, self.target)
        editable = [ob for ob in chosen if ob.is_editable]
        present = {ob: _present(context, ob) for ob in editable} if self.use and self.own else {}
        for ob in editable:
            settings = getattr(ob, PROPERTIES)
            if self.use and not self.own:
                settings.mass = self.mass
            elif self.use and not settings.use_mass:
                start_mass(ob, present[ob])
            settings.use_mass = self.use
        if not editable:
            none = rpt_("None of the selected objects is in a link: tag objects first")
            return refused(self, rpt_("The selected objects are linked from a library") if chosen else none)
        self._report_masses(editable, len(chosen) - len(editable))
        return {"FINISHED"}

    def _report_masses(self, changed: list[bpy.types.Object], linked: int) -> None:
        names = first_of([ob.name for ob in changed])
        masses = ", ".join(list(dict.fromkeys(f"{getattr(ob, PROPERTIES).mass:.6g}" for ob in changed[:4]))[:3])
        links = bool(changed) and is_link(changed[0])
        if not self.use:
            text = rpt_("{names}: mass by density", names=names)
        elif links:
            text = nn_(
                len(changed),
                "Target mass of {names}: {masses} kg",
                "Target mass of {count} links ({names}): {masses} kg",
            )
        else:
            text = nn_(len(changed), "Mass of {names}: {masses} kg", "Mass of {count} parts ({names}): {masses} kg")
        if self.use:
            text = rpt_(text, count=len(changed), names=names, masses=masses)
        manual = sum(getattr(ob, PROPERTIES).inertia == "MANUAL" for ob in changed) if self.use and links else 0
        if manual:
            text += f"; {rpt_('not scaled: {count} with manual inertia', count=manual)}"
        none = sum(getattr(ob, PROPERTIES).inertia == "NONE" for ob in changed) if self.use and links else 0
        if none:
            text += f"; {rpt_('without effect on {count} with inertia None: press Compute Inertia', count=none)}"
        self.report({"WARNING" if linked or manual or none else "INFO"}, and_left_alone(text, linked))

    def draw(self, context: bpy.types.Context) -> None:
        layout = form(self.layout)
        chosen = _targets(context, self.target)
        layout.label(text=first_of([ob.name for ob in chosen]), icon="OBJECT_DATA", translate=False)
        layout.prop(self, "use")
        row = layout.row()
        row.enabled = self.use
        row.prop(self, "mass", slider=True)
        if len(chosen) > 1:
            row = layout.row()
            row.enabled = self.use
            row.prop(self, "own")
        for ob in chosen[:3] if self.use else ():
            link = live.model(context.evaluated_depsgraph_get()).link_of(ob)
            if link is not None:
                draw_implied_density(layout, link.body, getattr(ob, PROPERTIES))


def _targets(context: bpy.types.Context, target: str) -> list[bpy.types.Object]:
    """Return the part or link that is named, or else the selected ones of the active object's kind.

    If the active object is not selected or is neither, they are the selected links, else the selected parts, else the
    links of what is selected.
    """
    ob = object_by_full_name(target) if target else context.active_object
    if target:
        return [ob] if ob is not None and (is_link(ob) or is_part(ob)) else []
    if ob in context.selected_objects and (is_link(ob) or is_part(ob)):
        return selected_with(context, ob)
    selected = sorted(context.selected_objects, key=lambda ob: ob.name_full)
    return list(filter(is_link, selected)) or list(filter(is_part, selected)) or target_links(context)


def _present(context: bpy.types.Context, ob: bpy.types.Object) -> Inertial | None:
    depsgraph = context.evaluated_depsgraph_get()
    if is_link(ob):
        body = live.link_body(depsgraph, ob)
        return None if body is None else body.inertial
    link = live.model(depsgraph).link_of(ob)
    parts = () if link is None else link.body.parts
    return next((part.inertial for part in parts if link and link.parts.get(part.name) == ob.name_full), None)


class SDF_INERTIA_OT_rigid_body_mass(bpy.types.Operator):
    bl_idname = RIGID_BODY_MASS
    bl_label = "Mass of the Rigid Body"
    bl_description = "Set the mass of each selected part or link to that of its rigid body in Blender's physics"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return enabled_if(cls, any(map(rigid_body_mass, _targets(context, ""))), tip_("None has a rigid body"))

    def execute(self, context: bpy.types.Context) -> set[str]:
        chosen = [ob for ob in _targets(context, "") if rigid_body_mass(ob) and ob.is_editable]
        for ob in chosen:
            settings = getattr(ob, PROPERTIES)
            settings.mass, settings.use_mass = rigid_body_mass(ob), True
        names = first_of([ob.name for ob in chosen])
        self.report({"INFO"}, rpt_("Mass of the rigid body: {names}", names=names))
        return {"FINISHED"}


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


CLASSES = (SDF_INERTIA_OT_set_mass, SDF_INERTIA_OT_rigid_body_mass, SDF_INERTIA_OT_set_model_mass)
