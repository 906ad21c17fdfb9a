# SPDX-License-Identifier: GPL-3.0-or-later
"""Enter the inertial of a link from the text that a CAD system printed."""

from __future__ import annotations

from typing import Any

import bpy

from ...core.errors import InertiaError
from ...core.printed.printed_inertial import PrintedInertial, inertial_of_text
from ..names import PASTE_INERTIAL, PROPERTIES
from ..panels.sidebar import form, paragraph
from ..panels.texts import in_words, message_of
from ..scene.link_reader import set_manual
from ..scene.scene_read import metres_per_unit
from ..translations.words import EnumProperty, FloatProperty, StringProperty, rpt_
from .base import OnTarget, report_findings

AMOUNTS = (
    ("PRINTED", "Printed Mass", "The mass in the text"),
    ("MASS", "Mass", "This mass; the tensor is scaled with it"),
    ("DENSITY", "Density", "The volume in the text, with this density"),
)

PRODUCTS = (
    ("PRINTED", "As the Text Shows", "By its notation, or by its two tensors"),
    ("POSITIVE", "+∫xy dm", "Their sign is changed"),
    ("NEGATIVE", "-∫xy dm", "Their sign is SDF's"),
)

POINTS = (
    ("PRINTED", "As the Text Shows", "By the heading of the tensor"),
    ("CENTER", "Centre of Mass", "The tensor is about the centre of mass"),
    ("ORIGIN", "Origin", "The tensor is about the origin, and moved to the centre of mass"),
)

WIDTH = 400
"""Width of the dialog [interface px]."""

STATED = frozenset({"state_mass", "state_scale", "state_point", "state_products"})
"""Actions of refusals that the operator's own settings can resolve."""


class SDF_INERTIA_OT_paste_inertial(OnTarget):
    bl_idname = PASTE_INERTIAL
    bl_label = "Paste from CAD"
    bl_description = (
        "Enter mass, centre of mass and inertia from the clipboard: the mass properties of a CAD system, copied as"
        " text. Its coordinate system must be that of the link"
    )

    text: StringProperty(
        name="Text", description="The text; empty: that of the clipboard", options={"SKIP_SAVE", "HIDDEN"}
    )
    amount: EnumProperty(name="Mass From", description="What the link weighs", items=AMOUNTS, default="PRINTED")
    mass: FloatProperty(name="Mass [kg]", description="Mass in kg", default=1.0, min=1e-9, precision=4)
    density: FloatProperty(
        name="Density [kg/m³]", description="Density in kg/m³", default=1000.0, min=1e-3, max=3e4, precision=1
    )
    products: EnumProperty(
        name="Products", description="What the printed Ixy, Ixz and Iyz are", items=PRODUCTS, default="PRINTED"
    )
    about: EnumProperty(name="Point", description="What the tensor is about", items=POINTS, default="PRINTED")
    scale: FloatProperty(
        name="Metres per Unit",
        description="Unit of length of a text without units, such as MeshLab's; 0: not stated",
        min=0.0,
        precision=4,
    )

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        """Ask for what the text lacks, if that can be asked for."""
        self.text = self.text or context.window_manager.clipboard
        try:
            self._read()
        except InertiaError as error:
            if not STATED.isdisjoint(error.finding().actions):
                return set(context.window_manager.invoke_props_dialog(self, width=WIDTH))
        return set(self.execute(context))

    def draw(self, context: bpy.types.Context) -> None:
        try:
            self._read()
        except InertiaError as error:
            paragraph(context, self.layout, in_words(error.finding()), "ERROR", WIDTH - 20.0)
        column = form(self.layout.column())
        column.prop(self, "amount")
        if self.amount != "PRINTED":
            column.prop(self, self.amount.lower())
        for name in ("products", "about", "scale"):
            column.prop(self, name)

    def refusal(self, ob: bpy.types.Object) -> str:
        return super().refusal(ob) or (
            "" if getattr(ob, PROPERTIES).is_link else rpt_("{name} is not a link: tag objects first", name=ob.name)
        )

    def change(self, context: bpy.types.Context, ob: bpy.types.Object) -> set[str]:
        self.text = self.text or context.window_manager.clipboard
        try:
            read = self._read()
        except InertiaError as error:
            self.report({"ERROR"}, in_words(error.about(ob.name).finding()))
            return {"CANCELLED"}
        set_manual(getattr(ob, PROPERTIES), read.inertial, metres_per_unit(context.scene))
        report_findings(self, (finding.about(ob.name) for finding in read.findings))
        taken = " ".join(message_of(finding) for finding in read.findings if finding.severity == "info")
        self.report({"INFO"}, f"{ob.name}: {taken}")
        return {"FINISHED"}

    def _read(self) -> PrintedInertial:
        return inertial_of_text(
            self.text,
            mass=self.mass if self.amount == "MASS" else None,
            density=self.density if self.amount == "DENSITY" else None,
            scale=self.scale or None,
            products=_stated(self.products),
            about=_stated(self.about),
        )


def _stated(choice: str) -> Any:
    """Return a choice as core has it; empty if the text shows it."""
    return "" if choice == "PRINTED" else choice.lower()


CLASSES = (SDF_INERTIA_OT_paste_inertial,)
