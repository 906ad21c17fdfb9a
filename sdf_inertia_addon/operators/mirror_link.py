# SPDX-License-Identifier: GPL-3.0-or-later
"""Mirror Link: make the other half of a robot."""

from __future__ import annotations

from collections.abc import Iterator

import bpy
from mathutils import Matrix

from ...core.errors import InertiaError
from ..mesh_tools.mirrored_copy import mirror_links
from ..names import MIRROR_LINK
from ..panels.texts import first_of, in_words
from ..scene.belonging import is_link, parent_link
from ..scene.upright import upright
from ..translations.words import EnumProperty, nn_, rpt_, tip_
from .base import enabled_if, refused

AXES = ("X", "Y", "Z")


class SDF_INERTIA_OT_mirror_link(bpy.types.Operator):
    bl_idname = MIRROR_LINK
    bl_label = "Mirror Link"
    bl_description = (
        "Copy each selected link, with its parts, its joint and all links below it, to the other side of the robot."
        " Names with left become names with right"
    )
    bl_options = {"REGISTER", "UNDO"}

    axis: EnumProperty(
        name="Axis",
        description="Along which axis it is mirrored",
        items=tuple((axis, axis, "", number) for number, axis in enumerate(AXES)),
        default="Y",
    )
    about: EnumProperty(
        name="Plane Of",
        description="Whose origin and axes are those of the mirror",
        items=(
            ("PARENT", "Link Above", "The link that each is joined to; the world where it has none", 0),
            ("WORLD", "World", "The world", 1),
        ),
        default="PARENT",
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        return enabled_if(cls, any(map(is_link, context.selected_objects)), tip_("Select the links"))

    def execute(self, context: bpy.types.Context) -> set[str]:
        chosen = sorted(filter(is_link, context.selected_objects), key=lambda ob: ob.name_full)
        tops: dict[bpy.types.Object | None, list[bpy.types.Object]] = {}
        for ob in chosen:
            above = list(_hangs_on(ob))
            if not any(other in chosen for other in above):
                tops.setdefault(above[0] if above and self.about == "PARENT" else None, []).append(ob)
        made: list[bpy.types.Object] = []
        try:
            for parent, links in tops.items():
                made += mirror_links(links, _plane(parent), AXES.index(self.axis), context)
        except InertiaError as error:
            if not made:
                return refused(self, in_words(error.finding()))
            self.report({"WARNING"}, in_words(error.finding()))
        for ob in context.selected_objects:
            ob.select_set(False)
        for ob in made:
            ob.select_set(True)
        context.view_layer.objects.active = made[0]
        context.view_layer.update()
        links = [copy for ob in made for copy in (ob, *ob.children_recursive) if is_link(copy)]
        text = nn_(len(links), "Made {names}", "Made {count} links: {names}")
        self.report({"INFO"}, rpt_(text, count=len(links), names=first_of([ob.name for ob in links])))
        return {"FINISHED"}


def _plane(parent: bpy.types.Object | None) -> Matrix:
    if parent is None:
        return Matrix.Identity(4)
    location, rotation, _scale = upright(parent.matrix_world, parent).decompose()
    return Matrix.LocRotScale(location, rotation, None)


def _hangs_on(ob: bpy.types.Object) -> Iterator[bpy.types.Object]:
    """Yield the link that a link is joined to, or is below, and so on up to the root."""
    seen = {ob}
    while True:
        parent = parent_link(ob)
        if parent is None or parent in seen:
            return
        yield parent
        seen.add(parent)
        ob = parent


CLASSES = (SDF_INERTIA_OT_mirror_link,)
