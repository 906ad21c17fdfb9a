# SPDX-License-Identifier: GPL-3.0-or-later
"""Remedies for what is wrong with a mesh: other settings, which leave it alone, or edits of it, on a click only."""

from __future__ import annotations

from typing import Any

import bmesh
import bpy

from ...core.findings.listed import title_of
from .. import live
from ..mesh_tools.remedy_notes import note
from ..mesh_tools.repairs import (
    RepairResult,
    close_holes,
    cut_quads,
    delete_loose_faces,
    merge_by_distance,
    recalculate_outside,
    repaired,
)
from ..names import (
    CLOSE_HOLES,
    CUT_QUADS,
    DELETE_LOOSE_FACES,
    MERGE_BY_DISTANCE,
    PROPERTIES,
    RECALCULATE_OUTSIDE,
    USE_HULL,
    USE_SHELL,
    USE_VOXELS,
)
from ..scene.properties import SDF_INERTIA_PG_object
from ..scene.selection import object_by_full_name
from ..translations.words import FloatProperty, StringProperty, n_, rpt_

MODES = {
    "EDIT": n_("edit mode"),
    "SCULPT": n_("sculpt mode"),
    "VERTEX_PAINT": n_("vertex paint mode"),
    "WEIGHT_PAINT": n_("weight paint mode"),
    "TEXTURE_PAINT": n_("texture paint mode"),
    "PARTICLE_EDIT": n_("particle edit mode"),
}
"""Of a mesh object, besides object mode."""


class Remedy(bpy.types.Operator):
    """Change one object, and report its volume before and after; registered only as one of its kinds below."""

    bl_options = {"REGISTER", "UNDO"}
    target: StringProperty(name="Object", description="Full name of the object; the active one if empty")

    def execute(self, context: bpy.types.Context) -> set[str]:
        ob = self.chosen(context)
        refusal = rpt_("There is no object '{name}'", name=self.target) if ob is None else self.refusal(ob)
        if refusal:
            self.report({"ERROR"}, refusal)
            return {"CANCELLED"}
        before = volume_in_words(context, ob)
        done = self.apply(ob)
        context.view_layer.update()
        after = volume_in_words(context, ob)
        volumes = rpt_("Volume before: {before}, after: {after}", before=before, after=after)
        self.report({"INFO"}, f"{ob.name}: {done.text}. {volumes}")
        nothing = rpt_("{button} changed nothing: {why}", button=rpt_(self.bl_label), why=done.text)
        note(ob, context.evaluated_depsgraph_get(), type(self).bl_idname, "" if done.changed else nothing)
        return {"FINISHED"}

    def chosen(self, context: bpy.types.Context) -> bpy.types.Object | None:
        """Return the object of that full name, or else of that name."""
        if not self.target:
            return context.active_object
        exactly = object_by_full_name(self.target)
        if exactly is not None:
            return exactly
        named = [ob for ob in bpy.data.objects if ob.name == self.target]
        return min(named, key=lambda ob: ob.library is not None, default=None)

    def refusal(self, ob: bpy.types.Object) -> str:
        """Return why the object cannot be changed so, or nothing."""
        linked = rpt_("{name} is linked from a library: make it local first", name=ob.name)
        return "" if ob.is_editable else linked

    def apply(self, ob: bpy.types.Object) -> RepairResult:
        """Change the object; return what was done."""
        raise NotImplementedError


def _settings(ob: bpy.types.Object) -> SDF_INERTIA_PG_object:
    settings: SDF_INERTIA_PG_object = getattr(ob, PROPERTIES)
    return settings


def _set(ob: bpy.types.Object, text: str, **settings: object) -> RepairResult:
    """Set properties of an object; return whether any was other before."""
    kept = _settings(ob)
    before = [getattr(kept, name) for name in settings]
    for name, value in settings.items():
        setattr(kept, name, value)
    return RepairResult(text, before != [getattr(kept, name) for name in settings])


def volume_in_words(context: bpy.types.Context, ob: bpy.types.Object) -> str:
    """Return the volume of an object's collision as its link has it; a click never waits for what takes long."""
    link = live.model(context.evaluated_depsgraph_get()).link_of(ob)
    if link is not None and link.stale:
        return rpt_("being computed")
    parts = [] if link is None else [part for part in link.body.parts if link.parts[part.name] == ob.name_full]
    if not parts:
        return rpt_("unknown (it is no collision of a link)")
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
            self.thickness = _settings(ob).thickness
        dialog: Any = context.window_manager.invoke_props_dialog
        return set(dialog(self))

    def refusal(self, ob: bpy.types.Object) -> str:
        if not (self.thickness or _settings(ob).thickness) > 0.0:
            return rpt_("{name} needs a thickness above 0 to be a shell", name=ob.name)
        return super().refusal(ob)

    def apply(self, ob: bpy.types.Object) -> RepairResult:
        thickness = self.thickness or _settings(ob).thickness
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
        raise NotImplementedError


class SDF_INERTIA_OT_close_holes(_MeshRemedy):
    bl_idname = CLOSE_HOLES
    bl_label = "Close Holes"
    bl_description = "Edit the mesh: close each hole by a fan of faces, and say how far the volume may be off"

    def repair(self, bm: bmesh.types.BMesh) -> RepairResult:
        return close_holes(bm)


class SDF_INERTIA_OT_delete_loose_faces(_MeshRemedy):
    bl_idname = DELETE_LOOSE_FACES
    bl_label = "Delete Loose Faces"
    bl_description = "Edit the mesh: delete faces that enclose nothing, such as fins on a body and stray patches"

    def repair(self, bm: bmesh.types.BMesh) -> RepairResult:
        return delete_loose_faces(bm)


class SDF_INERTIA_OT_recalculate_outside(_MeshRemedy):
    bl_idname = RECALCULATE_OUTSIDE
    bl_label = "Recalculate Outside"
    bl_description = "Edit the mesh: turn the faces that look the wrong way; cavities stay cavities"

    def repair(self, bm: bmesh.types.BMesh) -> RepairResult:
        return recalculate_outside(bm)


class SDF_INERTIA_OT_merge_by_distance(_MeshRemedy):
    bl_idname = MERGE_BY_DISTANCE
    bl_label = "Merge by Distance"
    bl_description = "Edit the mesh: merge vertices at the same place, and remove faces that are there twice"

    distance: FloatProperty(
        name="Distance", description="0 means a millionth of the longest side", min=0.0, unit="LENGTH", precision=6
    )

    def repair(self, bm: bmesh.types.BMesh) -> RepairResult:
        return merge_by_distance(bm, self.distance)


class SDF_INERTIA_OT_cut_quads(_MeshRemedy):
    bl_idname = CUT_QUADS
    bl_label = "Cut Bent Quads"
    bl_description = "Edit the mesh: cut each quad that is not plane along the diagonal that it is measured with"

    def repair(self, bm: bmesh.types.BMesh) -> RepairResult:
        return cut_quads(bm)


CLASSES = (
    SDF_INERTIA_OT_use_voxels,
    SDF_INERTIA_OT_use_hull,
    SDF_INERTIA_OT_use_shell,
    SDF_INERTIA_OT_close_holes,
    SDF_INERTIA_OT_delete_loose_faces,
    SDF_INERTIA_OT_recalculate_outside,
    SDF_INERTIA_OT_merge_by_distance,
    SDF_INERTIA_OT_cut_quads,
)
