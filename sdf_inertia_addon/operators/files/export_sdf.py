# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Export > SDFormat, and the exporter of a collection."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
from bpy_extras.io_utils import ExportHelper

from ....core.errors import first_error
from ....core.formats.writers import BY_SUFFIX, WRITERS
from ...compat import blend_relative
from ...export import preview
from ...export.export_scene import Export, export_scene, thumbnail_of
from ...live.await_measurements import AwaitsMeasurements
from ...names import EXPORT_SDF, MODEL
from ...panels.sidebar import form
from ...panels.texts import by_severity, in_words
from ...scene.belonging import is_link
from ...scene.scene_read import read_model
from ...translations.words import BoolProperty, EnumProperty, StringProperty, iface_, n_, rpt_, tip_
from ..base import enabled_if, refused, report_findings

NO_LINK = n_("No link to export: select an object and tag it as a link in the SDF tab")

NO_PATH = n_("No path to export to: name a folder, or a file that ends in .sdf, .urdf, .xml or .usda")

SECTIONS = {
    n_("Inertia"): ("inertia", "strict_auto", "skip_invalid"),
    n_("Files"): ("file_format", "mesh_format", "uri_style", "draw_collisions", "dummy_root", "thumbnail"),
}
"""The options as the dialog groups them."""


class Exports(AwaitsMeasurements):
    """What both operators that export are besides a `bpy.types.Operator`: options, and what is done with them."""

    if TYPE_CHECKING:
        layout: bpy.types.UILayout
        collection: str
        report: Callable[[set[str], str], None]
        poll_message_set: Callable[[str], None]

        @property
        def filepath(self) -> str: ...

    inertia: EnumProperty(
        name="Inertia",
        description="How inertials are written",
        items=(
            ("AS_SET", "As Set", "As each link says", 0),
            ("AUTO", "Auto", "Let the simulator compute all but manual ones", 1),
            ("FILLED", "Filled", "Write the computed numbers of all links", 2),
        ),
        default="AS_SET",
    )
    skip_invalid: BoolProperty(
        name="Skip Invalid Links",
        description="Export the other links if some have errors; otherwise nothing is written",
    )
    strict_auto: BoolProperty(
        name="Strict Auto",
        description="Make it an error if a link set to Auto has to be written filled",
    )
    file_format: EnumProperty(
        name="Format",
        description="What the file is written as",
        items=tuple((writer.name, writer.label, writer.description, writer.number) for writer in WRITERS.values()),
        default="sdf",
    )
    uri_style: EnumProperty(
        name="Mesh URIs",
        description="How the file refers to its meshes",
        items=(
            ("relative", "Relative", "meshes/name.obj", 0),
            ("model", "model://", "model://model/meshes/name.obj; package:// in URDF, relative in MJCF and USD", 1),
            ("file", "file://", "Absolute paths: for Drake with auto inertials", 2),
        ),
        default="relative",
    )
    mesh_format: EnumProperty(
        name="Meshes",
        description="File format of the meshes; USD has its own",
        items=(("obj", "OBJ", "Text, every digit", 0), ("stl", "STL", "Binary, float32", 1)),
        default="obj",
    )

    draw_collisions: BoolProperty(
        name="Draw Collisions",
        description="A link without a visual is drawn by its collisions",
        default=True,
    )
    dummy_root: BoolProperty(
        name="Dummy Root",
        description="In URDF, add a link without mass above the root: KDL in ROS ignores the root's mass",
    )
    thumbnail: BoolProperty(name="Thumbnail", description="A picture of the model beside it, for Gazebo's lists")

    @classmethod
    def poll(cls: Any, _context: bpy.types.Context) -> bool:
        return enabled_if(cls, any(map(is_link, bpy.data.objects)), tip_(NO_LINK))

    def draw(self, context: bpy.types.Context) -> None:
        layout = form(self.layout)
        for label, properties in SECTIONS.items():
            header, body = layout.panel(f"{EXPORT_SDF}.{label}", default_closed=False)
            header.label(text=iface_(label))
            if body is not None:
                for name in properties:
                    if name != "dummy_root" or self.file_format == "urdf":
                        body.prop(self, name)
        header, body = layout.panel(f"{EXPORT_SDF}.Model", default_closed=True)
        header.label(text=iface_("Model"))
        if body is not None:
            for name in ("static", "author", "description"):
                body.prop(getattr(context.scene, MODEL), name)

    def execute(self, context: bpy.types.Context) -> set[str]:
        if not self.filepath:
            return refused(self, rpt_(NO_PATH))
        collection: bpy.types.Collection | None = bpy.data.collections.get(self.collection)
        if self.collection and collection is None:
            return refused(self, rpt_("There is no collection '{name}'", name=self.collection))
        depsgraph = context.evaluated_depsgraph_get()
        if self.must_wait(context, lambda: read_model(depsgraph, self.inertia, collection)):
            return {"RUNNING_MODAL"}
        path = Path(bpy.path.abspath(self.filepath))
        try:
            result = export_scene(
                depsgraph,
                path,
                self.inertia,
                self.skip_invalid,
                self.strict_auto,
                self.uri_style,
                self.mesh_format,
                collection,
                self.file_format,
                self.draw_collisions,
                self.dummy_root,
            )
        except OSError as error:
            return refused(self, rpt_("Cannot write {path}: {why}", path=error.filename or path, why=error.strerror))
        if self.thumbnail and result.sdf is not None:
            try:
                preview.write(result, thumbnail_of(result.sdf))
            except (preview.PreviewError, OSError) as error:
                self.report({"WARNING"}, rpt_("The thumbnail was not drawn: {why}", why=error))
        return self._report(result)

    def _report(self, result: Export) -> set[str]:
        if not result.bodies:
            empty = rpt_("The collection {name} has no link", name=self.collection)
            return refused(self, empty if self.collection else rpt_(NO_LINK))
        report_findings(self, by_severity(result.findings))
        if result.sdf is None:
            first = first_error(result.findings)
            assert first is not None
            return refused(self, f"{rpt_('Nothing was written.')} {in_words(first)}")
        written = sum(not body.refused for body in result.bodies)
        text = n_("Wrote {count} of {links} links to {path}")
        self.report({"INFO"}, rpt_(text, count=written, links=len(result.bodies), path=result.sdf))
        return {"FINISHED"}


class SDF_INERTIA_OT_export_sdf(Exports, bpy.types.Operator, ExportHelper):
    bl_idname = EXPORT_SDF
    bl_label = "Export SDFormat"
    bl_description = (
        "Export the tagged links as an SDFormat 1.11 model with its meshes and model.config, or as URDF, MJCF or USD"
    )
    bl_options = {"PRESET"}

    filename_ext = ".sdf"
    # A path without .sdf is a folder to make the model's folder in, so Blender must not append the ending.
    check_extension = None

    filepath: StringProperty(subtype="FILE_PATH", options=blend_relative())
    filter_glob: StringProperty(default="*.sdf", options={"HIDDEN"})
    # Blender sets it where a collection exports itself.
    collection: StringProperty(
        name="Collection", description="Export only the links in this collection", options={"HIDDEN"}
    )

    def invoke(self, _context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        """Open a dialog for a folder: Blender's own asks for a file, because the operator has the path of a file."""
        names = [name for names in SECTIONS.values() for name in names if self.properties.is_property_set(name)]
        options = {name: getattr(self, name) for name in names}
        if self.filepath:
            path = Path(bpy.path.abspath(self.filepath))
            options["directory"] = str(path.parent if path.suffix.lower() in BY_SUFFIX else path)
        operators: Any = bpy.ops
        operators.sdf_inertia.export_model("INVOKE_DEFAULT", **options)
        return {"FINISHED"}


CLASSES = (SDF_INERTIA_OT_export_sdf,)
