# SPDX-License-Identifier: GPL-3.0-or-later
"""Tag and untag the selected objects."""

from __future__ import annotations

from typing import ClassVar

import bpy

from ..names import PROPERTIES, TAG_COLLISION, TAG_LINK, TAG_MASS, TAG_VISUAL, UNTAG
from ..panels.texts import first_of
from ..scene.begun import begun_on
from ..scene.belonging import below, is_or_could_be_part, link_above
from ..scene.evaluated.evaluated_mesh import MESH_TYPES
from ..translations.words import BoolProperty, nn_, rpt_, tip_
from .base import enabled_if


class _TagSelected(bpy.types.Operator):
    """Set tags on every selected object that can be edited."""

    bl_options = {"REGISTER", "UNDO"}
    tags: ClassVar[dict[str, bool]]

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return enabled_if(cls, context.selected_objects, tip_("Select one or more objects first"))

    def execute(self, context: bpy.types.Context) -> set[str]:
        editable = [ob for ob in context.selected_objects if ob.is_editable]
        report = self.apply(editable)
        linked = len(context.selected_objects) - len(editable)
        if linked:
            self.report(
                {"WARNING"}, rpt_("{count} objects are linked from a library and were left alone", count=linked)
            )
        if report:
            self.report({"INFO"}, report)
        return {"FINISHED"} if editable else {"CANCELLED"}

    def apply(self, objects: list[bpy.types.Object]) -> str:
        """Set the tags; return what else that did, if anything."""
        for ob in objects:
            for tag, value in self.tags.items():
                setattr(getattr(ob, PROPERTIES), tag, value)
        return ""


class SDF_INERTIA_OT_tag_link(_TagSelected):
    bl_idname = TAG_LINK
    bl_label = "Tag as Link"
    bl_description = "Make each selected object a link: a rigid body with the parts and visuals below it"
    tags = {"is_link": True}

    own_collision: BoolProperty(
        name="Its Own Collision",
        description="A mesh with nothing below it is its own collision too, until a collision is tagged below it",
        options={"SKIP_SAVE"},
    )

    def apply(self, objects: list[bpy.types.Object]) -> str:
        super().apply(objects)
        made = [ob for ob in objects if self.own_collision and _is_alone(ob)]
        for ob in made:
            getattr(ob, PROPERTIES).is_collision = True
            begun_on(ob).collision = True
        text = nn_(
            len(made),
            "{names} is also tagged as its own collision",
            "{names} are each also tagged as its own collision",
        )
        return rpt_(text, names=first_of([ob.name for ob in made])) if made else ""


class SDF_INERTIA_OT_tag_collision(_TagSelected):
    bl_idname = TAG_COLLISION
    bl_label = "Tag as Collision"
    bl_description = "Make each selected object a collision of the nearest link above it"
    tags = {"is_collision": True}

    def apply(self, objects: list[bpy.types.Object]) -> str:
        links = dict.fromkeys(link for link in map(link_above, objects) if link is not None)
        begun = [link for link in links if begun_on(link).collision and link not in objects]
        super().apply(objects)
        ended = [link for link in begun if not getattr(link, PROPERTIES).is_collision]
        text = nn_(len(ended), "{names} is no longer its own collision", "{names} are each no longer its own collision")
        return rpt_(text, names=first_of([ob.name for ob in ended])) if ended else ""


class SDF_INERTIA_OT_tag_mass(_TagSelected):
    bl_idname = TAG_MASS
    bl_label = "Tag as Mass"
    bl_description = (
        "Give each selected object mass in the nearest link above it, whether or not it collides: a battery, a board,"
        " or the detailed shape behind a simple collision"
    )
    tags = {"is_mass": True}


class SDF_INERTIA_OT_tag_visual(_TagSelected):
    bl_idname = TAG_VISUAL
    bl_label = "Tag as Visual"
    bl_description = "Make each selected object a visual of the nearest link above it"
    tags = {"is_visual": True}


class SDF_INERTIA_OT_untag(_TagSelected):
    bl_idname = UNTAG
    bl_label = "Untag"
    bl_description = "Remove the tags of each selected object; its settings stay"
    tags = dict.fromkeys(("is_link", "is_collision", "is_mass", "is_visual", "is_frame", "is_joint"), False)


def _is_alone(link: bpy.types.Object) -> bool:
    """Return True if a link has a mesh, and nothing below it that is or could be a part of it."""
    settings = getattr(link, PROPERTIES)
    return link.type in MESH_TYPES and not settings.is_collision and not any(map(is_or_could_be_part, below(link)))


CLASSES = (
    SDF_INERTIA_OT_tag_link,
    SDF_INERTIA_OT_tag_collision,
    SDF_INERTIA_OT_tag_mass,
    SDF_INERTIA_OT_tag_visual,
    SDF_INERTIA_OT_untag,
)
