# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Import > Robot, and a robot's file dropped on a 3D view."""

from __future__ import annotations

from pathlib import Path

import bpy
from bpy_extras.io_utils import ImportHelper

from ....core.body.pose import Pose
from ....core.errors import InertiaError
from ....core.files.input_file import noting_reads
from ....core.formats.table import IMPORTED, robots_of
from ...compat import blend_relative
from ...importing.build import build, hide_collisions, left_out
from ...importing.mesh_files import MeshFiles
from ...importing.sources import add_folder, set_included
from ...names import IMPORT_SDF, MODEL
from ...panels.texts import in_words
from ...scene.belonging import is_link
from ...translations.words import StringProperty, nn_, rpt_
from ..base import refused, report_findings


class SDF_INERTIA_OT_import_sdf(bpy.types.Operator, ImportHelper):
    bl_idname = IMPORT_SDF
    bl_label = "Import Robot"
    bl_description = (
        "Import the links, joints, collisions, visuals and inertials of an SDF, URDF or MJCF file, to correct its"
        " inertials and write them back"
    )
    bl_options = {"REGISTER", "UNDO"}

    filename_ext = ".sdf"
    filepath: StringProperty(subtype="FILE_PATH", options={"SKIP_SAVE"})
    filter_glob: StringProperty(default=";".join(f"*{suffix}" for suffix in IMPORTED), options={"HIDDEN"})
    packages: StringProperty(
        name="Packages",
        description="Folder in which package:// and model:// are looked up, besides the folders above the file",
        subtype="DIR_PATH",
        options=blend_relative(),
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[str]:
        if self.filepath and Path(bpy.path.abspath(self.filepath)).is_file():  # dropped
            return self.execute(context)
        chosen: set[str] = ImportHelper.invoke(self, context, event)
        return chosen

    def execute(self, context: bpy.types.Context) -> set[str]:
        if context.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        path = Path(bpy.path.abspath(self.filepath))
        roots = (Path(bpy.path.abspath(self.packages)),) if self.packages else ()
        alone = not any(map(is_link, context.scene.objects))
        files = MeshFiles()
        try:
            with noting_reads() as reads:
                robots = robots_of(path, roots, files.loaders)
            several = len(robots) > 1  # one alone stands at the scene's origin, which is the frame of its model
            made = [
                build(robot, files, context.scene, context.collection, robot.pose if several else Pose.identity)
                for robot in robots
            ]
        except InertiaError as error:
            return refused(self, in_words(error.about(path.name).finding()))
        finally:
            files.close()
        for ob in (ob for collection in made for ob in collection.all_objects if is_link(ob)):
            set_included(ob, reads)
            if self.packages:
                add_folder(ob, Path(bpy.path.abspath(self.packages)))
        alone = alone and len(robots) == 1
        for robot in robots:
            if robot.model.static and alone:
                getattr(context.scene, MODEL).static = True
            elif robot.model.static:
                text = rpt_("{name} is static, which only a scene of one robot can be", name=robot.model.name)
                self.report({"WARNING"}, text)
        context.view_layer.update()
        hide_collisions(context.view_layer, [ob for collection in made for ob in collection.all_objects])
        self._select(context, made)
        report_findings(self, (finding for robot in robots for finding in (*robot.findings, *left_out(robot))))
        links = sum(len(robot.model.links) for robot in robots)
        text = nn_(links, "Imported {count} link of {file}", "Imported {count} links of {file}")
        self.report({"INFO"}, rpt_(text, count=links, file=path.name))
        return {"FINISHED"}

    def _select(self, context: bpy.types.Context, made: list[bpy.types.Collection]) -> None:
        for ob in context.selected_objects:
            ob.select_set(False)
        roots = [ob for collection in made for ob in collection.objects if ob.parent is None]
        for ob in roots:
            ob.select_set(True)
        if roots:
            context.view_layer.objects.active = roots[0]


CLASSES = (SDF_INERTIA_OT_import_sdf,)
