# SPDX-License-Identifier: GPL-3.0-or-later
"""Take the inertial of a link from the text with mass properties that a CAD system prints."""

from __future__ import annotations

import bpy

from ...core.errors import InertiaError
from ...core.printed.printed_inertial import PrintedInertial, Products, inertial_of_text
from ..importing.accepted import accept_numbers
from ..names import PASTE_INERTIAL
from ..panels.active import settings_of
from ..panels.texts import in_words
from ..scene.link_reader import set_manual
from ..scene.scene_read import metres_per_unit
from ..translations.words import EnumProperty, FloatProperty, StringProperty, rpt_
from .base import refused
from .set_inertia import target_links

PRODUCTS = (
    ("STATED", "As Stated", "As the text states, or as its two tensors show", 0),
    ("TENSOR", "Of the Tensor", "The text has the products of the tensor, -∫xy dm", 1),
    ("INTEGRAL", "Integrals", "The text has the integrals, +∫xy dm", 2),
)


class SDF_INERTIA_OT_paste_inertial(bpy.types.Operator):
    bl_idname = PASTE_INERTIAL
    bl_label = "Paste Inertial from CAD"
    bl_description = (
        "Take mass, centre of mass and inertia from the clipboard, in the link's frame: the text with mass properties"
        " of SolidWorks, Fusion, Inventor, Onshape, FreeCAD or MeshLab"
    )
    bl_options = {"REGISTER", "UNDO"}

    target: StringProperty(
        name="Link", description="Full name of the link; empty: those of the selected objects", options={"SKIP_SAVE"}
    )
    mass: FloatProperty(name="Mass [kg]", description="Measured mass; 0: that in the text", min=0.0)
    density: FloatProperty(
        name="Density [kg/m³]", description="Of a text about a volume, such as MeshLab's; 0: none", min=0.0
    )
    unit: FloatProperty(
        name="Unit [m]", description="Length of the text's unit, if it names none; 0: it does", min=0.0, precision=4
    )
    products: EnumProperty(name="Products", description="What Ixy, Ixz and Iyz are", items=PRODUCTS, default="STATED")
    problem: StringProperty(options={"HIDDEN", "SKIP_SAVE"})

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        """Ask for what the text lacks."""
        try:
            self._read(context)
        except InertiaError as error:
            if error.code == "bad_text" and target_links(context, self.target):
                self.problem = in_words(error.finding())
                return {*context.window_manager.invoke_props_dialog(self, width=420)}
        return self.execute(context)

    def draw(self, _context: bpy.types.Context) -> None:
        if self.problem:
            self.layout.label(text=self.problem, icon="INFO", translate=False)
        column = self.layout.column()
        column.use_property_split = True
        for name in ("mass", "density", "unit", "products"):
            column.prop(self, name)

    def execute(self, context: bpy.types.Context) -> set[str]:
        links = [ob for ob in target_links(context, self.target) if ob.is_editable]
        if not links:
            return refused(self, rpt_("None of the selected objects is a link: tag objects first"))
        try:
            read = self._read(context)
        except InertiaError as error:
            return refused(self, in_words(error.finding()))
        unit = metres_per_unit(context.scene)
        for ob in links:
            if settings_of(ob).source:  # its numbers in the file are kept, to be taken back
                accept_numbers(ob, read.inertial, unit)
            else:
                set_manual(settings_of(ob), read.inertial, unit)
        for finding in read.findings:
            self.report({"INFO" if finding.severity == "info" else "WARNING"}, in_words(finding))
        mass = f"{read.inertial.mass:.6g}"
        self.report(
            {"INFO"}, rpt_("Pasted {mass} kg into {names}", mass=mass, names=", ".join(ob.name for ob in links))
        )
        return {"FINISHED"}

    def _read(self, context: bpy.types.Context) -> PrintedInertial:
        meant: dict[str, Products] = {"TENSOR": "tensor", "INTEGRAL": "integral"}
        text = context.window_manager.clipboard
        return inertial_of_text(
            text, self.mass or None, self.density or None, self.unit or None, meant.get(self.products)
        )


CLASSES = (SDF_INERTIA_OT_paste_inertial,)
