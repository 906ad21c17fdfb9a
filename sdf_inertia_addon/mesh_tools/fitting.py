# SPDX-License-Identifier: GPL-3.0-or-later
"""Fit primitives to objects of a scene: read the mesh, let the core fit, and put the primitive where it belongs."""

from __future__ import annotations

from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ...core.arrays import FloatArray
from ...core.body.moments import Moments
from ...core.errors import InertiaError
from ...core.fit.primitive import Fit, Rule, fit_best, fit_primitive, own_axes_fit
from ...core.mesh.measure import measure_surface
from ...core.mesh.surface import Surface
from ..names import PROPERTIES
from ..scene import geometry
from ..scene.belonging import below, collections_for, is_solid, link_above
from ..scene.evaluated.evaluated_mesh import surface_of
from ..scene.geometry import mesh_of

NEARLY = 0.02
"""The object's own axes are taken where the error, or the box around the mesh, is at most this much larger so, in
shares of the volume; or where the error is twice as large, which round meshes of few faces need."""

ROUND = 0.03
"""How far, relatively, a wheel may be from round: a cylinder of 16 faces is 0.02 off."""

STEEPEST = 0.5
"""The sine of the largest angle between the axis of a wheel and the horizontal."""

COLOR = (1.0, 0.45, 0.1, 1.0)
"""Of new collisions, where the viewport shows objects' colours."""


@dataclass(frozen=True, eq=False)
class ObjectFit:
    """What was found for an object; lengths are Blender units.

    Parameters
    ----------
    fit : Fit
        In the object's frame: its location and rotation, without its scale.
    in_own_axes : Fit or None
        The same kind by the object's own axes and extents; None where they are not those of one.
    own_is_as_good : bool
        True if the object can as well be the primitive itself. For the best of all kinds its error decides; for a
        chosen kind, whether the smallest box around the mesh is rotated.
    by_hull : bool
        The mesh encloses no volume by itself, so its convex hull was taken.
    """

    fit: Fit
    in_own_axes: Fit | None
    own_is_as_good: bool
    by_hull: bool


def fit_object(depsgraph: bpy.types.Depsgraph, ob: bpy.types.Object, kind: str | None, rule: Rule) -> ObjectFit:
    """Fit a primitive to an object's evaluated mesh.

    Parameters
    ----------
    depsgraph : bpy.types.Depsgraph
    ob : bpy.types.Object
    kind : str or None
        As the core's; None is the best of all.
    rule : {"volume", "enclosing"}

    Raises
    ------
    InertiaError
        What reading the mesh raises, or fitting.
    """
    evaluated = ob.evaluated_get(depsgraph)
    A = np.array(frame_of(evaluated).inverted() @ evaluated.matrix_world, dtype=np.float64)[:3, :3]
    lengths = np.linalg.norm(A, axis=0)
    if not lengths.all():
        raise InertiaError.of("zero_scale", ob.name, "object")
    surface = surface_of(evaluated).stretched(A)
    moments, by_hull = _moments(surface)
    fit = fit_best(surface, rule, moments) if kind is None else fit_primitive(surface, kind, rule, moments)
    in_own_axes = None
    # The reader of primitives knows no shear, and a mirror would turn a cone over.
    if geometry.shear(A) <= geometry.SHEAR and np.linalg.det(A) > 0.0:
        try:
            in_own_axes = own_axes_fit(surface, fit.shape.kind, moments)
        except InertiaError as error:
            if error.code != "no_fit":
                raise
    as_good = in_own_axes is not None and in_own_axes.error <= max(2.0 * fit.error, fit.error + NEARLY)
    if in_own_axes is not None and kind is not None:
        box, turned = own_axes_fit(surface, "box", moments), fit_primitive(surface, "box", "enclosing", moments)
        as_good = box.volume_ratio <= (1.0 + NEARLY) * turned.volume_ratio
    return ObjectFit(fit, in_own_axes, as_good, by_hull)


def new_collision(context: bpy.types.Context, ob: bpy.types.Object, fit: Fit) -> bpy.types.Object:
    """Make a collision of the primitive that was fitted to an object, below the object's link.

    A collision that the object itself was is a visual from now on, and its density is the new one's.
    """
    matrix = frame_of(ob) @ _matrix(fit)
    settings = getattr(ob, PROPERTIES)
    stem = ob.name.removesuffix("_visual").removesuffix("_collision")
    made = bpy.data.objects.new(f"{stem}_collision", mesh_of(fit.shape, f"{stem}_{fit.shape.kind}"))
    for collection in collections_for(ob, context.scene):
        collection.objects.link(made)
    parent = link_above(ob) or ob
    made.parent = parent
    made.matrix_parent_inverse = parent.matrix_world.inverted_safe()
    made.location, made.rotation_euler = matrix.to_translation(), matrix.to_euler()
    made.display_type, made.color, made.hide_render = "WIRE", COLOR, True
    new = getattr(made, PROPERTIES)
    new.is_collision = True
    new.geometry = fit.shape.kind.upper()
    if settings.is_collision:
        settings.is_collision, settings.is_visual = False, True
        if not settings.is_link and settings.use_density:
            new.material, new.density, new.infill = settings.material, settings.density, settings.infill
            new.use_density = True
    return made


def frame_of(ob: bpy.types.Object) -> Matrix:
    """Return the location and rotation of an object, without its scale."""
    location, rotation, _scale = ob.matrix_world.decompose()
    return Matrix.LocRotScale(location, rotation, None)


def wheel_of(depsgraph: bpy.types.Depsgraph, link: bpy.types.Object) -> tuple[Vector, Vector] | None:
    """Return the axis and the middle of the wheel that a link looks like, in its frame; None if it looks like none.

    A wheel is the link's one solid part, or else its one visual: round, wider than long, its axis nearly horizontal.
    """
    family = (link, *below(link))
    parts = [*filter(is_solid, family)] or [ob for ob in family if getattr(ob, PROPERTIES).is_visual]
    try:
        vertices = surface_of(parts[0].evaluated_get(depsgraph)).vertices if len(parts) == 1 else None
    except InertiaError:
        return None
    if vertices is None:
        return None
    to_link = frame_of(link).inverted() @ parts[0].matrix_world
    points = vertices * np.array(to_link.to_scale())
    low, high = points.min(axis=0), points.max(axis=0)
    along = int(np.argmin(high - low))
    diameter = 2.0 * np.linalg.norm(np.delete(points - (low + high) / 2.0, along, axis=1), axis=1).max()
    axis = to_link.to_3x3().col[along].normalized()
    in_world = frame_of(link).to_3x3() @ axis
    is_disc = (high - low)[along] < diameter <= np.delete(high - low, along).min() / (1.0 - ROUND)
    if not is_disc or abs(in_world.z) > STEEPEST:
        return None
    sense = 1.0 if max(in_world, key=abs) > 0.0 else -1.0  # those of both sides turn the same way
    middle = to_link @ Vector((vertices.min(axis=0) + vertices.max(axis=0)) / 2.0)
    return Vector([round(sense * part, 6) + 0.0 for part in axis]), middle


def _matrix(fit: Fit) -> Matrix:
    matrix: FloatArray = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = fit.pose.R, fit.pose.p
    return Matrix(matrix.tolist())


def _moments(surface: Surface) -> tuple[Moments, bool]:
    """Return the moments of the solid, or of the hull of what is none."""
    try:
        return measure_surface(surface).moments, False
    except InertiaError:
        return measure_surface(surface, "hull").moments, True
