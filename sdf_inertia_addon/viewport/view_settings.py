# SPDX-License-Identifier: GPL-3.0-or-later
"""What the viewport shows of a scene's inertia: `Scene.sdf_inertia`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy

from ..names import PROPERTIES
from ..overlay.style import OverlayStyle
from ..preferences import palette, sizes, unit_name
from ..scene.belonging import link_above
from ..scene.selection import active_row, choose_row
from ..translations.words import BoolProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty, StringProperty
from .shown_parts import are_shown, show

# Blender stores the number of an item, not its name: never renumber.
SCOPES = (
    ("AUTO", "Automatic", "All links; from 15 on, in full only the active, hovered, selected and faulty ones", 3),
    ("ALL", "All Links", "Every link of the model", 0),
    ("SELECTED", "Selected", "The links that selected objects are or belong to", 1),
    ("ACTIVE", "Active", "The link that the active object is or belongs to", 2),
)

SHAPES = (
    ("ELLIPSOID", "Ellipsoid", "The uniform ellipsoid with the link's mass and moments", "MESH_UVSPHERE", 0),
    ("BOX", "Box", "The uniform box with the link's mass and moments, as Gazebo shows it", "MESH_CUBE", 1),
    ("NONE", "None", "No solid", "X", 2),
)

LABELS = (
    ("NONE", "None", "No labels", 0),
    ("ACTIVE", "Active", "The active link's name and mass", 1),
    ("ALL", "All", "Name and mass of every link shown", 2),
)

CENTERS = (
    ("CONSTANT", "Constant", "Centres of mass are of the same size on the screen whatever their distance", 0),
    ("LEAD", "Lead Ball", "Centres of mass are balls of lead of the link's mass, as in Gazebo", 1),
    ("NONE", "None", "No centres of mass", 2),
)


def _row(name: str, listed: Callable[[bpy.types.Object | None], bpy.types.Object | None]) -> dict[str, Any]:
    """Return what makes a property the active row of a list; `listed` is the object in it for the active object."""
    return {
        "get": lambda _settings: active_row(listed(bpy.context.view_layer.objects.active), name),
        "set": lambda _settings, index: choose_row(index, name),
        "options": {"SKIP_SAVE"},
    }


def _eye(kind: str) -> dict[str, Any]:
    """Return what makes a property the eye of all parts of a kind."""
    return {
        "get": lambda settings: are_shown(kind, settings.id_data),
        "set": lambda settings, shown: show(kind, shown, settings.id_data),
    }


class SDF_INERTIA_PG_scene(bpy.types.PropertyGroup):
    """The overlay's settings, saved with the scene; sizes and colours are the user's preferences."""

    show: BoolProperty(name="Inertia", description="Show the inertia of links in the viewport", default=True)
    scope: EnumProperty(name="Links", description="Which links are shown", items=SCOPES, default="AUTO")
    shape: EnumProperty(name="Solid", description="How moments of inertia are shown", items=SHAPES, default="ELLIPSOID")
    center: EnumProperty(name="Centre of Mass", description="How centres of mass are shown", items=CENTERS)
    show_axes: BoolProperty(name="Principal Axes", description="Show the principal axes", default=True)
    show_total: BoolProperty(name="Total", description="Show the inertia of all links together")
    show_parts: BoolProperty(name="Parts", description="Show centre of mass and share of each part of the active link")
    show_voxels: BoolProperty(
        name="Voxels", description="Show the voxels of the active link's collisions that are computed by voxels"
    )
    show_faulty: BoolProperty(
        name="Mesh Faults",
        description="Show where the active part's mesh has holes, intersecting faces, or is inside out",
        default=True,
    )
    show_joints: BoolProperty(name="Joints", description="Show the axes and limits of joints", default=True)
    show_statics: BoolProperty(
        name="Statics",
        description="Show the torque of gravity at each joint, coloured by what its motor has left, and the centre of "
        "mass above what the robot stands on",
        default=False,
    )
    labels: EnumProperty(name="Labels", description="Which links have a label", items=LABELS, default="ALL")
    in_front: BoolProperty(
        name="In Front", description="Draw over the geometry, or hide what is behind it", default=False
    )
    opacity: FloatProperty(
        name="Opacity", description="Opacity of the solids", default=1.0, min=0.0, max=1.0, subtype="FACTOR"
    )
    colors: StringProperty(
        name="Colours", description="The number of each link's colour, kept with the file", options={"HIDDEN"}
    )
    show_visuals: BoolProperty(
        name="Visuals", description="Show the visuals of links", **_eye("visuals"), options={"SKIP_SAVE"}
    )
    show_collisions: BoolProperty(
        name="Collisions", description="Show the collisions of links", **_eye("collisions"), options={"SKIP_SAVE"}
    )
    show_masses: BoolProperty(
        name="Masses", description="Show the parts that have only mass", **_eye("masses"), options={"SKIP_SAVE"}
    )
    row: IntProperty(
        name="Object",
        description="Click to select the object. Shift: up to it as well. Ctrl: it as well, or no longer",
        **_row("row", lambda ob: ob),
    )
    imported_row: IntProperty(
        name="Link",
        description="Click to select the link. Shift: up to it as well. Ctrl: it as well, or no longer",
        **_row("imported_row", link_above),
    )


def of(scene: bpy.types.Scene) -> SDF_INERTIA_PG_scene:
    """Return a scene's settings."""
    settings: SDF_INERTIA_PG_scene = getattr(scene, PROPERTIES)
    return settings


def style_of(scene: bpy.types.Scene) -> OverlayStyle:
    """Return how a scene's inertia is to be shown, by its settings and the user's preferences."""
    settings: Any = of(scene)
    return OverlayStyle(
        settings.scope,
        settings.shape,
        settings.center,
        settings.show_axes,
        settings.show_total,
        settings.show_parts,
        settings.show_voxels,
        settings.labels,
        settings.in_front,
        settings.opacity,
        *sizes(),
        unit_name(scene),
        settings.show_faulty,
        palette(),
        settings.show_joints,
        settings.show_statics,
    )


CLASSES = (SDF_INERTIA_PG_scene,)


def attach() -> None:
    setattr(bpy.types.Scene, PROPERTIES, PointerProperty(type=SDF_INERTIA_PG_scene, name="SDF Inertia"))


def detach() -> None:
    delattr(bpy.types.Scene, PROPERTIES)
