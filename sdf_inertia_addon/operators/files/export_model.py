# SPDX-License-Identifier: GPL-3.0-or-later
"""The export dialog: choose the folder to make the model's folder in, and see what will be written."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import bpy

from ....core.formats.package import folder_name
from ....core.formats.simulators.drake import drake_findings
from ....core.formats.writers import WRITERS
from ....core.judge.geometry.resolve_model import judged_link
from ... import live
from ...compat import blend_relative
from ...importing.missing import count_missing
from ...live import LiveLink, LiveModel
from ...names import EXPORT_MODEL
from ...panels.sidebar import remark
from ...panels.texts import Remark, export_remarks, message_of, model_remarks, remedy_of
from ...scene.link_reader import MODES
from ...scene.scene_read import model_name
from ...translations.words import BoolProperty, StringProperty, iface_
from .export_sdf import Exports


class SDF_INERTIA_OT_export_model(Exports, bpy.types.Operator):
    bl_idname = EXPORT_MODEL
    bl_label = "Export SDFormat"
    bl_description = (
        "Choose a folder, and export the tagged links into a folder of their own in it: an SDFormat 1.11 model with its"
        " meshes and model.config"
    )
    bl_options = {"PRESET"}

    # Without a filepath, Blender's dialog chooses folders.
    directory: StringProperty(name="Folder", subtype="DIR_PATH", options=blend_relative())
    filter_folder: BoolProperty(default=True, options={"HIDDEN", "SKIP_SAVE"})

    collection = ""

    @property
    def filepath(self) -> str:
        """The file itself, so that the name of a chosen folder may end as it likes."""
        return (
            os.path.join(self.directory, folder_name(model_name()), WRITERS[self.file_format].file_name)
            if self.directory
            else ""
        )

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        if not self.directory and bpy.data.filepath:
            self.directory = str(Path(bpy.data.filepath).parent)
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def draw(self, context: bpy.types.Context) -> None:
        box = self.layout.box()
        for shown in self._remarks(context):
            remark(context, box, replace(shown, buttons=()))  # the dialog is no place to change the scene
        super().draw(context)

    def _remarks(self, context: bpy.types.Context) -> list[Remark]:
        model = live.model(context.evaluated_depsgraph_get())
        folder = Path(_browsed(context) or self.directory) / folder_name(model_name())
        return planned(
            model,
            folder,
            self.inertia,
            self.strict_auto,
            self.uri_style,
            self.file_format,
            self.draw_collisions,
            count_missing(context.scene),
        )


def planned(
    model: LiveModel,
    folder: Path,
    inertia: str,
    strict_auto: bool,
    uri_style: str,
    file_format: str = "sdf",
    draw_collisions: bool = True,
    missing: int = 0,
) -> list[Remark]:
    """Return what an export would write, and where.

    Parameters
    ----------
    model : LiveModel
    folder : Path
        Of the model.
    inertia, strict_auto, uri_style, file_format, draw_collisions
        As of `export_scene`.
    missing : int
        Meshes that were not found at import.
    """
    path = f"{folder}{os.sep}"
    if (folder / WRITERS[file_format].file_name).exists():
        path = iface_("{folder} (replaces what is there)", folder=path)
    remarks = [Remark("OUTLINER", model_name()), Remark("FILE_FOLDER", path)]
    if model.stale:
        return [*remarks, Remark("SORTTIME", iface_("Its numbers are being computed"))]
    inertia = inertia if WRITERS[file_format].of_gazebo else "FILLED"
    links = model.links if inertia == "AS_SET" and not strict_auto else _overridden(model, inertia, strict_auto)
    findings = drake_findings(model_name(), [link.body for link in links], uri_style)
    for_drake = [Remark("INFO", f"{message_of(finding)} {remedy_of(finding)}".rstrip()) for finding in findings]
    return [*remarks, *export_remarks(links, draw_collisions), *model_remarks(model, missing), *for_drake]


_last: tuple[object, list[LiveLink]] = (None, [])


def _overridden(model: LiveModel, inertia: str, strict_auto: bool) -> list[LiveLink]:
    """Return the links as they would be written; the dialog asks at each redraw, and nothing has changed mostly."""
    global _last
    key = (model.signature, inertia, strict_auto)
    if _last[0] != key:
        _last = (key, [_as_written(link, inertia, strict_auto) for link in model.links])
    return _last[1]


def _as_written(link: LiveLink, inertia: str, strict_auto: bool) -> LiveLink:
    source = link.body.link
    if source is None or source.mode == "none":
        return link
    mode = source.mode if inertia == "AS_SET" or source.mode == "manual" else MODES[inertia]
    return replace(link, body=judged_link(replace(source, mode=mode), strict_auto, quick=True))


def _browsed(context: bpy.types.Context) -> str:
    """Return the folder that the dialog shows now, which the operator gets only when the dialog closes."""
    params = getattr(context.space_data, "params", None)
    return "" if params is None else os.fsdecode(params.directory)


CLASSES = (SDF_INERTIA_OT_export_model,)
