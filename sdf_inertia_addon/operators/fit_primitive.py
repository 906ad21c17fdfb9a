# SPDX-License-Identifier: GPL-3.0-or-later
"""Fit a primitive to objects: take a collision for one, or make a collision of one beside the mesh."""

from __future__ import annotations

from typing import Any

import bpy
from bpy.props import EnumProperty, StringProperty

from ...core.errors import InertiaError
from ...core.fit.primitive import Fit, Rule
from ..mesh_tools.fitting import ObjectFit, fit_object, new_collision
from ..names import FIT_PRIMITIVE, PROPERTIES
from ..panels.texts import in_words
from ..scene.belonging import link_above
from ..scene.evaluated.evaluated_mesh import MESH_TYPES
from ..scene.properties import GEOMETRIES
from ..scene.scene_read import metres_per_unit
from .remedy import Remedy, volume_in_words

SHAPES = (
    ("BEST", "Best of All", "The primitive with the least volume between its surface and the mesh's", "SHADERFX", 7),
    *(item for item in GEOMETRIES if item[0] != "MESH"),
)

*_OTHERS, _LAST = (item[1].lower() for item in SHAPES[1:])
KINDS = f"{', '.join(_OTHERS)} or {_LAST}"
"""In words."""

OF_VOLUME = " of the volume"
"""Left out where room is short."""

NOISE = 1e-6
"""Centroids that are apart by less than this share of the size are one: float32's rounding."""

RULES: dict[str, Rule] = {"VOLUME": "volume", "ENCLOSING": "enclosing"}


class SDF_INERTIA_OT_fit_primitive(Remedy):
    bl_idname = FIT_PRIMITIVE
    bl_label = "Fit Primitive"
    bl_description = (
        f"Fit a {KINDS} to each selected object, turned as it lies: as a new "
        "collision of its link, or as the geometry of the collision that it is. Meshes are not changed"
    )

    shape: EnumProperty(name="Shape", items=SHAPES, default="BEST")
    rule: EnumProperty(
        name="Size",
        items=(
            ("VOLUME", "Same Volume", "Volume, centroid and proportions of the mesh: its inertia is nearly kept", 0),
            ("ENCLOSING", "Enclosing", "Around the whole mesh: nothing sticks out", 1),
        ),
        default="VOLUME",
    )
    result: EnumProperty(
        name="As",
        items=(
            (
                "AUTO",
                "Automatic",
                "A collision whose own axes fit becomes the primitive; for anything else a new object is made",
                0,
            ),
            ("SETTING", "Its Geometry", "The object is taken for the primitive of its own axes and extents", 1),
            ("OBJECT", "New Collision", "A new object below its link; the mesh, if it was a collision, is a visual", 2),
        ),
        default="AUTO",
    )
    summary: StringProperty(options={"HIDDEN", "SKIP_SAVE"})

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        dialog: Any = context.window_manager.invoke_props_dialog
        return set(dialog(self, width=340))

    def draw(self, _context: bpy.types.Context) -> None:
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.prop(self, "shape")
        layout.prop(self, "rule")
        layout.prop(self, "result")
        if self.summary:
            box = layout.box().column(align=True)
            for number, line in enumerate(self.summary.split("\n")):
                box.label(text=line, icon="BLANK1" if number else "INFO")

    def execute(self, context: bpy.types.Context) -> set[str]:
        if self.target or len(_meshes(context)) < 2:
            return self._fit_one(context)
        lines: list[str] = []
        failures: list[str] = []
        for ob in _meshes(context):
            refusal = self.refusal(ob)
            if not refusal:
                try:
                    headline, *facts = self._fitted(context, ob)[0]
                    lines.append(", ".join([headline, *facts[:1]]).removesuffix(OF_VOLUME))
                except InertiaError as error:
                    refusal = error.message
            if refusal:
                failures.append(f"{ob.name}: {refusal}")
        self.summary = "\n".join([*lines, *failures])
        for line in failures:
            self.report({"WARNING"}, line)
        if lines:
            self.report({"INFO"}, f"{len(lines)} primitives fitted; " + "; ".join(lines[:3]))
        return {"FINISHED"} if lines else {"CANCELLED"}

    def _fit_one(self, context: bpy.types.Context) -> set[str]:
        # The active object need not be selected, and then it is not the one that is meant.
        selected = [] if self.target else _meshes(context)
        ob = selected[0] if selected else self.chosen(context)
        refusal = f"There is no object '{self.target}'" if ob is None else self.refusal(ob)
        if refusal:
            self.report({"ERROR"}, refusal)
            return {"CANCELLED"}
        before = volume_in_words(context, ob)
        try:
            done, now = self._fitted(context, ob)
        except InertiaError as error:
            self.report({"ERROR"}, in_words(error.about(ob.name).finding()))
            return {"CANCELLED"}
        context.view_layer.update()
        self.summary = "\n".join(done)
        headline, *facts = done
        text = headline + (f" ({', '.join(facts)})" if facts else "")
        self.report({"INFO"}, f"{text}. Volume before: {before}, after: {volume_in_words(context, now)}")
        return {"FINISHED"}

    def _fitted(self, context: bpy.types.Context, ob: bpy.types.Object) -> tuple[list[str], bpy.types.Object]:
        """Fit one object; return what was done with how good it is, and the object that is the primitive."""
        settings = getattr(ob, PROPERTIES)
        if self.result == "SETTING" and self.shape != "BEST":
            settings.geometry = self.shape
            return [f"{ob.name}: {self.shape.lower()} of its extents"], ob
        kind = None if self.shape == "BEST" else self.shape.lower()
        try:
            found = fit_object(context.evaluated_depsgraph_get(), ob, kind, RULES[self.rule])
        except InertiaError as error:
            if error.code != "no_faces" or self.result == "OBJECT" or not settings.is_collision:
                raise
            # Vertices alone have extents, if no surface to fit to.
            settings.geometry = "BOX" if kind is None else self.shape
            return [f"{ob.name}: {settings.geometry.lower()} of its extents, since it has no faces"], ob
        shape = found.fit.shape.kind
        if self._is_setting(settings.is_collision, found):
            settings.geometry = shape.upper()
            fit = found.own or found.fit
            return [f"{ob.name}: {shape} of its extents", *_facts(fit, found.by_hull, context)], ob
        made = new_collision(context, ob, found.fit)
        alone = [] if link_above(ob) is not None else ["there is no link above it yet"]
        return [f"{made.name}: {shape}", *_facts(found.fit, found.by_hull, context), *alone], made

    def _is_setting(self, collision: bool, found: ObjectFit) -> bool:
        if self.result == "AUTO":
            return collision and found.own_is_as_good
        return str(self.result) == "SETTING"


def _meshes(context: bpy.types.Context) -> list[bpy.types.Object]:
    return sorted((ob for ob in context.selected_objects if ob.type in MESH_TYPES), key=lambda ob: ob.name_full)


def _facts(fit: Fit, by_hull: bool, context: bpy.types.Context) -> list[str]:
    offset = fit.centroid_offset if fit.centroid_offset > NOISE * fit.moments().volume ** (1.0 / 3.0) else 0.0
    offset *= metres_per_unit(context.scene)
    return [
        f"off by {_percent(fit.error)}{OF_VOLUME}",
        f"volume {fit.volume_ratio:.4g} x that of the mesh" + ("'s hull, since the mesh is open" if by_hull else ""),
        f"centroid off by {offset:.2g} m",
        f"inertia off by {_percent(fit.inertia_difference)}",
    ]


def _percent(share: float) -> str:
    if share < 5e-5:
        return "0 %"
    return f"{share:.0%}".replace("%", " %") if share > 0.1 else f"{100.0 * share:.2g} %"


CLASSES = (SDF_INERTIA_OT_fit_primitive,)
