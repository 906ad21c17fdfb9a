# SPDX-License-Identifier: GPL-3.0-or-later
"""File > Import > Robot, and a robot's file dropped on a 3D view."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import bpy
from bpy_extras.io_utils import ImportHelper

from ....core.body.pose import Pose
from ....core.errors import InertiaError
from ....core.files.input_file import noting_reads
from ....core.files.mesh_store import KeptMeshes
from ....core.formats.robot_file import ImportedRobot
from ....core.formats.table import IMPORTED, robots_of
from ...compat import blend_relative
from ...importing.build import build, hide_collisions, left_out
from ...importing.mesh_files import MeshFiles
from ...importing.sources import add_folder, set_included
from ...names import IMPORT_SDF, MODEL
from ...panels.texts import in_words
from ...scene.belonging import is_link
from ...steps import Step, Steps, in_other_thread
from ...translations.words import StringProperty, iface_, nn_, rpt_
from ..base import refused, report_findings
from ..stepwise import Stepwise


class SDF_INERTIA_OT_import_sdf(Stepwise, bpy.types.Operator, ImportHelper):
    bl_idname = IMPORT_SDF
    bl_label = "Import Robot"
    bl_description = (
        "Import the links, joints, collisions, visuals and inertials of an SDF, URDF, MJCF or USD file, to correct"
        " its inertials and write them back"
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
        self.at_once = 0.0  # Blender stores an undo step when the dialog ends, which must hold nothing half-built
        chosen: set[str] = ImportHelper.invoke(self, context, event)
        return chosen

    def steps(self, context: bpy.types.Context, threaded: bool) -> Steps[set[str]]:
        if context.mode != "OBJECT":
            bpy.ops.object.mode_set(mode="OBJECT")
        path = Path(bpy.path.abspath(self.filepath))
        roots = (Path(bpy.path.abspath(self.packages)),) if self.packages else ()
        alone = not any(map(is_link, context.scene.objects))
        files, made = MeshFiles(), []
        meshes = KeptMeshes(files.loaders)
        try:
            robots, reads = yield from in_other_thread(
                partial(_read, path, roots, meshes),
                lambda: Step(iface_("reading {file}, {count} meshes", file=path.name, count=len(meshes.files)), 0.0),
                threaded,
            )
            for robot in robots:  # one alone stands at the scene's origin, which is the frame of its model
                origin = robot.pose if len(robots) > 1 else Pose.identity
                made.append((yield from build(robot, files, context.scene, reads[str(path)] or "", origin)))
        except BaseException as error:  # also if the user cancels
            files.discard()
            if not isinstance(error, InertiaError):
                raise
            return refused(self, in_words(error.about(path.name).finding()))
        finally:
            files.close()
        objects = [ob for collection in made for ob in collection.all_objects]
        links = [ob for ob in objects if is_link(ob)]
        set_included(links, path, reads)
        for ob in links if self.packages else ():
            add_folder(ob, Path(bpy.path.abspath(self.packages)))
        for robot in robots:
            if robot.model.static and alone and len(robots) == 1:
                getattr(context.scene, MODEL).static = True
            elif robot.model.static:
                text = rpt_("{name} is static, which only a scene of one robot can be", name=robot.model.name)
                self.report({"WARNING"}, text)
        for collection in made:
            context.collection.children.link(collection)
        context.view_layer.update()
        hide_collisions(context.view_layer, objects)
        self._select(context, made)
        report_findings(self, (finding for robot in robots for finding in (*robot.findings, *left_out(robot))))
        text = nn_(len(links), "Imported {count} link of {file}", "Imported {count} links of {file}")
        self.report({"INFO"}, rpt_(text, count=len(links), file=path.name))
        return {"FINISHED"}

    def _select(self, context: bpy.types.Context, made: list[bpy.types.Collection]) -> None:
        for ob in context.selected_objects:
            ob.select_set(False)
        roots = [ob for collection in made for ob in collection.objects if ob.parent is None]
        for ob in roots:
            ob.select_set(True)
        if roots:
            context.view_layer.objects.active = roots[0]


def _read(
    path: Path, roots: tuple[Path, ...], meshes: KeptMeshes
) -> tuple[list[ImportedRobot], Mapping[str, str | None]]:
    """Return the robots of a file, and the states of all files that were read."""
    with noting_reads() as reads:
        return robots_of(path, roots, meshes), reads


CLASSES = (SDF_INERTIA_OT_import_sdf,)
