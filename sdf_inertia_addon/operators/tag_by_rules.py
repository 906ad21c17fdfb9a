# SPDX-License-Identifier: GPL-3.0-or-later
"""Make links, parts, visuals and frames of many objects at once, by their names or by who is whose parent."""

from __future__ import annotations

from collections import Counter

import bpy

from ...core.body.shapes import SHAPES
from ..names import PROPERTIES, TAG_BY_RULES
from ..panels.sidebar import form, summary
from ..scene.begun import begun_on
from ..scene.evaluated.evaluated_mesh import MESH_TYPES
from ..scene.tag_rules import NO_LINK, Candidate, Kind, NewTags, Rule, Tag, tags_by_rules
from ..translations.words import BoolProperty, EnumProperty, StringProperty, n_, nn_, rpt_, tip_
from .base import enabled_if

TAGS: tuple[Tag, ...] = ("link", "collision", "mass", "visual", "frame")

RULES: dict[str, Rule] = {"BOTH": "both", "NAMES": "names", "HIERARCHY": "hierarchy"}

PARTS: dict[str, frozenset[Tag]] = {
    "COLLISION": frozenset({"collision"}),
    "VISUAL": frozenset({"visual"}),
    "BOTH": frozenset({"collision", "visual"}),
}

READ_ONLY = n_("linked from a library")

MADE = {
    "link": (n_("{count} link"), n_("{count} links")),
    "collision": (n_("{count} collision"), n_("{count} collisions")),
    "mass": (n_("{count} mass"), n_("{count} masses")),
    "visual": (n_("{count} visual"), n_("{count} visuals")),
    "frame": (n_("{count} frame"), n_("{count} frames")),
}
"""One and more of each tag."""


class SDF_INERTIA_OT_tag_by_rules(bpy.types.Operator):
    bl_idname = TAG_BY_RULES
    bl_label = "Tag by Names or Hierarchy"
    bl_description = (
        "Make links, parts and visuals of the selected objects by their names (wheel_collision, visual_arm, UCX_hull, "
        "base_link) or by their parents, and frames of empties that hold nothing. What is tagged already stays as it is"
    )
    bl_options = {"REGISTER", "UNDO"}

    rule: EnumProperty(
        name="Rule",
        items=(
            ("BOTH", "Names, then Hierarchy", "What names say, and by hierarchy what they leave open", 0),
            ("NAMES", "Names", "Only what names say, such as wheel_collision, wheel_visual, UBX_wheel, arm_link", 1),
            (
                "HIERARCHY",
                "Hierarchy",
                "An empty with meshes is a link, and so is a mesh without a link above it; meshes are its parts",
                2,
            ),
        ),
        default="BOTH",
    )
    parts: EnumProperty(
        name="Meshes Are",
        description="What a mesh below a link is, where neither its name nor those beside it say so",
        items=(
            ("COLLISION", "Collisions", "They have mass", 0),
            ("VISUAL", "Visuals", "They are only seen", 1),
            ("BOTH", "Both", "They have mass, and are seen", 2),
        ),
        default="BOTH",
    )
    below: BoolProperty(
        name="With Children", description="Also the objects below the selected ones, selected or not", default=True
    )
    shapes: BoolProperty(
        name="Shapes from Names",
        description="UBX_ is a box, USP_ a sphere, UCP_ a capsule, where the extents are those of one",
        default=True,
    )
    summary: StringProperty(options={"HIDDEN", "SKIP_SAVE"})

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return enabled_if(cls, context.selected_objects, tip_("Select the robot's objects first, or its topmost one"))

    def execute(self, context: bpy.types.Context) -> set[str]:
        chosen = _chosen(context, self.below)
        objects = sorted(context.scene.objects, key=lambda ob: ob.name_full)
        tags = tags_by_rules(_candidates(objects, chosen), RULES[self.rule], PARTS[self.parts])
        made: Counter[str] = Counter()
        untagged: Counter[str] = Counter()
        for ob, new in zip(objects, tags, strict=True):
            if new.reason:
                untagged[new.reason if new.reason == NO_LINK else rpt_(new.reason)] += 1
            if new.tags:
                made.update(new.tags)
                if not _apply(ob, new, self.shapes):
                    shape = rpt_(new.geometry.lower())
                    untagged[rpt_("named {shape}, with other extents: a mesh", shape=shape)] += 1
        untagged[rpt_(READ_ONLY)] += sum(not ob.is_editable for ob in chosen)
        self.summary = "\n".join(_lines(made, untagged))
        self.report({"INFO" if made else "WARNING"}, self.summary.replace("\n", ". "))
        # Also where nothing was made: the redo panel is where another rule is chosen.
        return {"FINISHED"}

    def draw(self, _context: bpy.types.Context) -> None:
        layout = form(self.layout)
        layout.prop(self, "rule")
        row = layout.row()
        row.active = self.rule != "NAMES"
        row.prop(self, "parts")
        layout.prop(self, "below")
        row = layout.row()
        row.active = self.rule != "HIERARCHY"
        row.prop(self, "shapes")
        summary(layout, self.summary)


def _chosen(context: bpy.types.Context, below: bool) -> set[bpy.types.Object]:
    chosen = set(context.selected_objects)
    if below:
        chosen |= {child for ob in context.selected_objects for child in ob.children_recursive}
    return chosen & set(context.view_layer.objects)


def _candidates(objects: list[bpy.types.Object], chosen: set[bpy.types.Object]) -> list[Candidate]:
    places = {ob: place for place, ob in enumerate(objects)}
    return [
        Candidate(ob.name, places.get(ob.parent), _kind(ob), ob in chosen and ob.is_editable, _tags(ob))
        for ob in objects
    ]


def _tags(ob: bpy.types.Object) -> frozenset[Tag]:
    tags = frozenset(tag for tag in TAGS if getattr(getattr(ob, PROPERTIES), f"is_{tag}"))
    # A link is its own collision by our button only for as long as there is no other.
    return tags - {"collision"} if begun_on(ob).collision else tags


def _kind(ob: bpy.types.Object) -> Kind:
    if ob.type in MESH_TYPES:
        return "mesh"
    return "empty" if ob.type == "EMPTY" else "other"


def _apply(ob: bpy.types.Object, new: NewTags, shapes: bool) -> bool:
    """Tag an object; return False if, with `shapes`, its name is that of a shape that it does not have."""
    settings = getattr(ob, PROPERTIES)
    for tag in TAGS:  # links first: a collision looks for its own
        if tag in new.tags:
            setattr(settings, f"is_{tag}", True)
    if not (shapes and new.geometry):
        return True
    shape = SHAPES.get(new.geometry.lower())
    if shape is not None and shape.misfit(*ob.dimensions):
        return False
    settings.geometry = new.geometry
    return True


def _lines(made: Counter[str], untagged: Counter[str]) -> list[str]:
    """Return lines of text: how many tags of each kind were set, and what was left untagged and why."""
    tagged = ", ".join(rpt_(MADE[tag][made[tag] > 1], count=made[tag]) for tag in TAGS if made[tag])
    orphans = untagged.pop(NO_LINK, 0)
    lines = [rpt_("Made {tagged}", tagged=tagged) if tagged else rpt_("Nothing was tagged")]
    for reason, count in sorted(untagged.items()):
        if count:
            lines.append(rpt_("Left alone: {count} {reason}", count=count, reason=reason))
    if orphans:
        text = nn_(orphans, "Beware: {count} part without a link above", "Beware: {count} parts without a link above")
        lines.append(rpt_(text, count=orphans))
    return lines


CLASSES = (SDF_INERTIA_OT_tag_by_rules,)
