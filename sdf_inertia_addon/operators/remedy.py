# SPDX-License-Identifier: GPL-3.0-or-later
"""Remedies for what a finding is about: other settings, or edits of a mesh, on a click only."""

from __future__ import annotations

from typing import Any, ClassVar

import bmesh
import bpy

from ...core.findings.listed import title_of
from .. import live
from ..mesh_tools import trials
from ..mesh_tools.repairs import RepairResult, merge_by_distance, repaired
from ..names import (
    CLOSE_HOLES,
    CUT_QUADS,
    DELETE_LOOSE_FACES,
    MERGE_BY_DISTANCE,
    RECALCULATE_OUTSIDE,
    USE_EXACT,
    USE_HULL,
    USE_MEANT_INERTIAL,
    USE_SHELL,
    USE_VOXELS,
    WRITE_FILLED,
)
from ..panels.active import settings_of
from ..scene.belonging import is_link
from ..scene.scene_read import metres_per_unit
from ..scene.start_values import as_kept
from ..translations.words import FloatProperty, n_, rpt_
from .base import OnTarget, refused

MODES = {
    "EDIT": n_("edit mode"),
    "SCULPT": n_("sculpt mode"),
    "VERTEX_PAINT": n_("vertex paint mode"),
    "WEIGHT_PAINT": n_("weight paint mode"),
    "TEXTURE_PAINT": n_("texture paint mode"),
    "PARTICLE_EDIT": n_("particle edit mode"),
}
"""Modes of a mesh object, besides object mode."""


class Remedy(OnTarget):
    """Change the mesh of one object or how it is measured, and report its volume before and after."""

    def change(self, context: bpy.types.Context, ob: bpy.types.Object) -> set[str]:
        before = volume_in_words(context, ob)
        done = self.apply(ob)
        context.view_layer.update()
        after = volume_in_words(context, ob)
        volumes = rpt_("Volume before: {before}, after: {after}", before=before, after=after)
        self.report({"INFO"}, f"{ob.name}: {done.text}. {volumes}")
        nothing = rpt_("{button} changed nothing: {why}", button=rpt_(self.bl_label), why=done.text)
        trials.note(ob, context.evaluated_depsgraph_get(), type(self).bl_idname, "" if done.changed else nothing)
        return {"FINISHED"}

    def apply(self, ob: bpy.types.Object) -> RepairResult:
        """Change the object; return what was done."""
        raise NotImplementedError


def _set(ob: bpy.types.Object, text: str, **values: object) -> RepairResult:
    """Set properties of an object; return True if anything changed."""
    settings = settings_of(ob)
    before = [getattr(settings, name) for name in values]
    for name, value in values.items():
        setattr(settings, name, value)
    return RepairResult(text, before != [getattr(settings, name) for name in values])


def volume_in_words(context: bpy.types.Context, ob: bpy.types.Object) -> str:
    """Return the volume of an object's collision as its link has it; a click never waits for what takes long."""
    link = live.model(context.evaluated_depsgraph_get()).link_of(ob)
    if link is not None and link.stale:
        return rpt_("being computed")
    parts = [] if link is None else [part for part in link.body.parts if link.parts[part.name] == ob.name_full]
    if not parts:
        return rpt_("unknown (it is not a collision of a link)")
    part = parts[0]
    if part.volume is None:
        return rpt_(title_of(part.findings[-1].code))
    volume = f"{part.volume:.6g} m³"
    return rpt_("{volume} (being checked)", volume=volume) if link is not None and link.checking else volume


class SDF_INERTIA_OT_use_voxels(Remedy):
    bl_idname = USE_VOXELS
    bl_label = "Use Voxels"
    bl_description = "Compute the inertia of this object by voxels; its mesh is not changed"

    voxel_size: FloatProperty(
        name="Voxel Size", description="0 means the longest side divided by 128", min=0.0, unit="LENGTH", precision=4
    )

    def apply(self, ob: bpy.types.Object) -> RepairResult:
        return _set(ob, rpt_("its method is voxels now"), method="VOXEL", voxel_size=self.voxel_size)


class SDF_INERTIA_OT_use_hull(Remedy):
    bl_idname = USE_HULL
    bl_label = "Use Convex Hull"
    bl_description = "Compute the inertia of this object's convex hull; its mesh is not changed"

    def apply(self, ob: bpy.types.Object) -> RepairResult:
        return _set(ob, rpt_("its method is its convex hull now"), method="HULL")


class SDF_INERTIA_OT_use_shell(Remedy):
    bl_idname = USE_SHELL
    bl_label = "Use Shell"
    bl_description = "Compute the inertia of this object's surface with a thickness; its mesh is not changed"

    thickness: FloatProperty(
        name="Thickness", description="Half of it lies on each side of the mesh", min=0.0, unit="LENGTH", precision=4
    )

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[str]:
        ob = self.chosen(context)
        if ob is not None and not self.properties.is_property_set("thickness"):
            self.thickness = settings_of(ob).thickness
        dialog: Any = context.window_manager.invoke_props_dialog
        return set(dialog(self))

    def refusal(self, ob: bpy.types.Object) -> str:
        if not (self.thickness or settings_of(ob).thickness) > 0.0:
            return rpt_("{name} needs a thickness above 0 to be a shell", name=ob.name)
        return super().refusal(ob)

    def apply(self, ob: bpy.types.Object) -> RepairResult:
        thickness = self.thickness or settings_of(ob).thickness
        text = rpt_("it is a shell now, {thickness} units thick", thickness=f"{thickness:.6g}")
        return _set(ob, text, thickness=thickness, method="SHELL")


class _MeshRemedy(Remedy):
    """Edit the mesh of one object."""

    def refusal(self, ob: bpy.types.Object) -> str:
        if ob.type != "MESH":
            return rpt_("{name} is not a mesh: convert it first (Object > Convert > Mesh)", name=ob.name)
        if ob.mode != "OBJECT":
            text = n_("{name} is in {mode}: go to object mode first")
            return rpt_(text, name=ob.name, mode=rpt_(MODES[ob.mode]))
        if not ob.data.is_editable:
            return rpt_("The mesh of {name} is linked from a library: make it local first", name=ob.name)
        return super().refusal(ob)

    def apply(self, ob: bpy.types.Object) -> RepairResult:
        assert isinstance(ob.data, bpy.types.Mesh)
        done, changed = repaired(ob.data, self.repair)
        if ob.data.users > 1:
            shared = n_("(in the mesh '{name}', which {count} objects share)")
            done += f" {rpt_(shared, name=ob.data.name, count=ob.data.users)}"
        if any(modifier.show_viewport for modifier in ob.modifiers):
            done += f" {rpt_('(in the mesh below its modifiers)')}"
        return RepairResult(done, changed)

    def repair(self, bm: bmesh.types.BMesh) -> RepairResult:
        """Edit a copy of the mesh; return what was done."""
        return trials.EDITS[type(self).bl_idname](bm)


class SDF_INERTIA_OT_close_holes(_MeshRemedy):
    bl_idname = CLOSE_HOLES
    bl_label = "Close Holes"
    bl_description = "Edit the mesh: close each hole with flat faces, and report the possible error of the volume"


class SDF_INERTIA_OT_delete_loose_faces(_MeshRemedy):
    bl_idname = DELETE_LOOSE_FACES
    bl_label = "Delete Loose Faces"
    bl_description = "Edit the mesh: delete faces that enclose nothing, such as fins on a body and stray patches"


class SDF_INERTIA_OT_recalculate_outside(_MeshRemedy):
    bl_idname = RECALCULATE_OUTSIDE
    bl_label = "Recalculate Outside"
    bl_description = "Edit the mesh: turn the faces that face the wrong way; cavities stay cavities"


class SDF_INERTIA_OT_merge_by_distance(_MeshRemedy):
    bl_idname = MERGE_BY_DISTANCE
    bl_label = "Merge by Distance"
    bl_description = "Edit the mesh: merge vertices at the same place, and remove duplicate faces"

    distance: FloatProperty(
        name="Distance", description="0 means a millionth of the longest side", min=0.0, unit="LENGTH", precision=6
    )

    def repair(self, bm: bmesh.types.BMesh) -> RepairResult:
        return merge_by_distance(bm, self.distance)


class SDF_INERTIA_OT_cut_quads(_MeshRemedy):
    bl_idname = CUT_QUADS
    bl_label = "Cut Bent Quads"
    bl_description = "Edit the mesh: cut each non-planar quad along the diagonal that is used to measure it"


class _Choice(OnTarget):
    """Set one property of one object."""

    choice: ClassVar[tuple[str, str]]

    def change(self, context: bpy.types.Context, ob: bpy.types.Object) -> set[str]:
        setattr(settings_of(ob), *self.choice)
        return {"FINISHED"}


class SDF_INERTIA_OT_write_filled(_Choice):
    bl_idname = WRITE_FILLED
    bl_label = "Write Filled"
    bl_description = "Write the numbers computed here for this link, instead of leaving them to the simulator"
    choice = ("inertia", "FILLED")


class SDF_INERTIA_OT_use_exact(_Choice):
    bl_idname = USE_EXACT
    bl_label = "Use Exact"
    bl_description = "Compute the inertia of this object by the exact integral over its mesh"
    choice = ("method", "EXACT")


class SDF_INERTIA_OT_use_meant_inertial(OnTarget):
    bl_idname = USE_MEANT_INERTIAL
    bl_label = "Correct the Mistake"
    bl_description = "Replace the entered numbers with those that fit this link's geometry"

    def change(self, context: bpy.types.Context, ob: bpy.types.Object) -> set[str]:
        body = live.link_body(context.evaluated_depsgraph_get(), ob)
        if body is None or body.right is None or not is_link(ob):
            return refused(self, rpt_("{name} has no mistake with one certain correction", name=ob.name))
        settings = settings_of(ob)
        settings.manual_mass = body.right.mass
        settings.manual_com = body.right.com / metres_per_unit(context.scene)
        settings.manual_inertia = as_kept(body.right)
        return {"FINISHED"}


CLASSES = (
    SDF_INERTIA_OT_use_voxels,
    SDF_INERTIA_OT_use_hull,
    SDF_INERTIA_OT_use_shell,
    SDF_INERTIA_OT_close_holes,
    SDF_INERTIA_OT_delete_loose_faces,
    SDF_INERTIA_OT_recalculate_outside,
    SDF_INERTIA_OT_merge_by_distance,
    SDF_INERTIA_OT_cut_quads,
    SDF_INERTIA_OT_write_filled,
    SDF_INERTIA_OT_use_exact,
    SDF_INERTIA_OT_use_meant_inertial,
)
