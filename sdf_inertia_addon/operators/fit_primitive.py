# SPDX-License-Identifier: GPL-3.0-or-later
"""Fit a primitive to objects: take a collision for one, or make a collision of one beside the mesh."""

from __future__ import annotations

from typing import Any

import bpy

from ...core.errors import InertiaError
from ...core.fit.primitive import Fit, Rule
from ...core.units import rounded
from ..mesh_tools.fitting import fit_object, new_collision
from ..names import FIT_PRIMITIVE, PROPERTIES
from ..panels.sidebar import form, summary
from ..panels.texts import in_words
from ..scene.belonging import link_above
from ..scene.evaluated.evaluated_mesh import MESH_TYPES
from ..scene.properties import GEOMETRIES
from ..scene.scene_read import metres_per_unit
from ..translations.words import EnumProperty, StringProperty, n_, rpt_
from .base import refused
from .remedy import Remedy, volume_in_words

SHAPES = (
    ("BEST", "Best of All", "The primitive with the least volume between its surface and the mesh's", "SHADERFX", 7),
    *(item for item in GEOMETRIES if item[0] != "MESH"),
)

KINDS = (n_("box"), n_("sphere"), n_("cylinder"), n_("capsule"), n_("cone"), n_("ellipsoid"))
"""The shapes, as reports name them in the user's language."""

NOISE = 1e-6
"""Centroids that are apart by less than this share of the size are one: float32's rounding."""

RULES: dict[str, Rule] = {"VOLUME": "volume", "ENCLOSING": "enclosing"}


class SDF_INERTIA_OT_fit_primitive(Remedy):
    bl_idname = FIT_PRIMITIVE
    bl_label = "Fit Primitive"
    bl_description = (
        "Fit a box, sphere, cylinder, capsule, cone or ellipsoid to each selected object, turned as it lies: as a new"
        " collision of its link, or as the geometry of the collision that it is. Meshes are not changed"
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
        layout = form(self.layout)
        layout.prop(self, "shape")
        layout.prop(self, "rule")
        layout.prop(self, "result")
        summary(layout, self.summary)

    def execute(self, context: bpy.types.Context) -> set[str]:
        if self.target or len(_meshes(context)) < 2:
            return self._fit_one(context)
        lines: list[str] = []
        failures: list[str] = []
        for ob in _meshes(context):
            refusal = self.refusal(ob)
            if not refusal:
                try:
                    headline, *facts = self._fitted(context, ob, short=True)[0]
                    lines.append(", ".join([headline, *facts[:1]]))
                except InertiaError as error:
                    refusal = error.message
            if refusal:
                failures.append(f"{ob.name}: {refusal}")
        self.summary = "\n".join([*lines, *failures])
        for line in failures:
            self.report({"WARNING"}, line)
        if lines:
            fitted = rpt_("{count} primitives fitted", count=len(lines))
            self.report({"INFO"}, "; ".join([fitted, *lines[:3]]))
        return {"FINISHED"} if lines else {"CANCELLED"}

    def _fit_one(self, context: bpy.types.Context) -> set[str]:
        # The active object need not be selected, and then it is not the one that is meant.
        selected = [] if self.target else _meshes(context)
        ob = selected[0] if selected else self.chosen(context)
        why_not = self.missing() if ob is None else self.refusal(ob)
        if why_not:
            return refused(self, why_not)
        before = volume_in_words(context, ob)
        try:
            done, now = self._fitted(context, ob)
        except InertiaError as error:
            return refused(self, in_words(error.about(ob.name).finding()))
        context.view_layer.update()
        self.summary = "\n".join(done)
        headline, *facts = done
        text = headline + (f" ({', '.join(facts)})" if facts else "")
        volumes = rpt_("Volume before: {before}, after: {after}", before=before, after=volume_in_words(context, now))
        self.report({"INFO"}, f"{text}. {volumes}")
        return {"FINISHED"}

    def _fitted(
        self, context: bpy.types.Context, ob: bpy.types.Object, short: bool = False
    ) -> tuple[list[str], bpy.types.Object]:
        """Fit one object; return what was done with how good it is, and the object that is the primitive."""
        settings = getattr(ob, PROPERTIES)
        if self.result == "SETTING" and self.shape != "BEST":
            settings.geometry = self.shape
            return [_of_extents(ob, self.shape)], ob
        kind = None if self.shape == "BEST" else self.shape.lower()
        try:
            fitted = fit_object(context.evaluated_depsgraph_get(), ob, kind, RULES[self.rule])
        except InertiaError as error:
            if error.code != "no_faces" or self.result == "OBJECT" or not settings.is_collision:
                raise
            # Vertices alone have extents, if no surface to fit to.
            settings.geometry = "BOX" if kind is None else self.shape
            text = n_("{name}: {shape} of its extents, since it has no faces")
            return [rpt_(text, name=ob.name, shape=rpt_(settings.geometry.lower()))], ob
        shape = fitted.fit.shape.kind
        is_own = settings.is_collision and fitted.own_is_as_good if self.result == "AUTO" else self.result == "SETTING"
        if is_own:
            settings.geometry = shape.upper()
            fit = fitted.in_own_axes or fitted.fit
            return [_of_extents(ob, shape), *_facts(fit, fitted.by_hull, context, short)], ob
        made = new_collision(context, ob, fitted.fit)
        alone = [] if link_above(ob) is not None else [rpt_("there is no link above it yet")]
        return [f"{made.name}: {rpt_(shape)}", *_facts(fitted.fit, fitted.by_hull, context, short), *alone], made


def _meshes(context: bpy.types.Context) -> list[bpy.types.Object]:
    return sorted((ob for ob in context.selected_objects if ob.type in MESH_TYPES), key=lambda ob: ob.name_full)


def _of_extents(ob: bpy.types.Object, shape: str) -> str:
    return rpt_("{name}: {shape} of its extents", name=ob.name, shape=rpt_(shape.lower()))


def _facts(fit: Fit, by_hull: bool, context: bpy.types.Context, short: bool) -> list[str]:
    """Return how good a fit is; where room is short, in fewer words."""
    offset = fit.centroid_offset if fit.centroid_offset > NOISE * fit.moments().volume ** (1.0 / 3.0) else 0.0
    offset *= metres_per_unit(context.scene)
    return [
        rpt_("off by {percent}" if short else "off by {percent} of the volume", percent=_percent(fit.error)),
        rpt_(
            "volume {ratio} x that of the mesh's hull, since the mesh is open"
            if by_hull
            else "volume {ratio} x that of the mesh",
            ratio=f"{fit.volume_ratio:.4g}",
        ),
        rpt_("centroid off by {distance} m", distance=f"{offset:.2g}"),
        rpt_("inertia off by {percent}", percent=_percent(fit.inertia_difference)),
    ]


def _percent(share: float) -> str:
    if rounded(share, 2) < 5e-5:
        return "0 %"
    return f"{share:.0%}".replace("%", " %") if share > 0.1 else f"{100.0 * share:.2g} %"


CLASSES = (SDF_INERTIA_OT_fit_primitive,)
