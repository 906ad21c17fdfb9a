# SPDX-License-Identifier: GPL-3.0-or-later
"""The geometry of a tagged object in its link's frame, its mesh or a primitive that fits it; meshes of primitives."""

from __future__ import annotations

from math import pi

import bpy
import numpy as np

from ...core.arrays import FloatArray
from ...core.body.pose import Pose
from ...core.body.shapes import SHAPES, Shape
from ...core.errors import InertiaError
from ...core.robot.model import Geometry, Mesh
from ...core.units import fewest_digits
from .evaluated.instances import TaggedInstance
from .settings import shortest

SHEAR = 1e-6
"""Axes further from orthogonal than this (cosine) are sheared; float32 matrices come to 1e-7."""

FLAT = 64 * float(np.finfo(np.float32).eps)
"""Three axes of length 1 whose thinnest section is below this lie in one plane: a chain of float32 matrices rounds
each number to 6e-8 a few times over."""

NOISE = 5e-7
"""An angle smaller than this [rad] is the rounding of float32 matrices, so none is written."""

STEP = float(np.finfo(np.float32).eps)
"""What a coordinate may be off, relatively, that is a difference or a product of float32 numbers."""


def settled(R: FloatArray, p: FloatArray, size: float) -> Pose:
    """Return a pose without the rounding of float32 matrices, in few digits: as it will read in a file.

    Parameters
    ----------
    R : ndarray, shape (3, 3)
    p : ndarray, shape (3,)
        [m].
    size : float
        Of the coordinates in the world that `p` was computed from [m]: their rounding is that of `p`.
    """
    *_, roll, pitch, yaw = Pose(np.where(np.abs(R) < NOISE, 0.0, R), p).to_sdf()
    place = [fewest_digits(along, STEP * size) for along in p.tolist()]
    return Pose.from_sdf([*place, *map(_angle, (roll, pitch, yaw))])


def _angle(angle: float) -> float:
    """Return an angle in the digits of float32, a right one exactly."""
    right = round(angle / (pi / 2.0)) * pi / 2.0
    return right if abs(angle - right) < NOISE else shortest(angle)


def part_geometry(part: TaggedInstance, kind: str, A: FloatArray, t: FloatArray, size: float) -> tuple[Pose, Geometry]:
    """Return pose and geometry of `part` in its link's frame.

    Parameters
    ----------
    part : TaggedInstance
    kind : str
        One of the properties' geometries.
    A, t : array_like, shapes (3, 3) and (3,)
        The part's map into the link's frame: metres from its own units.
    size : float
        As of `settled`.

    Raises
    ------
    InertiaError
        ``zero_scale``, ``sheared_primitive``, ``unequal_extents``, ``no_extent``, or what reading the mesh raises.
    """
    scale = np.linalg.norm(A, axis=0)
    _check_not_flat(A, scale)
    if kind == "MESH":
        pose = settled(_rotation(A), t, size)
        stretch = pose.R.T @ A
        return pose, Mesh(part.surface(), np.where(np.abs(stretch) < STEP * scale, 0.0, stretch))
    return _primitive(part, kind, A, t, scale, size)


def shear(A: FloatArray) -> float:
    """Return how far the axes of a map (3, 3), none of length 0, are from orthogonal: the largest cosine of two."""
    axes = A / np.linalg.norm(A, axis=0)
    return float(np.abs(axes.T @ axes - np.eye(3)).max())


def _check_not_flat(A: FloatArray, scale: FloatArray) -> None:
    """Raise ``zero_scale`` if the map flattens, whatever the lengths of its axes: any scale but 0 is legal."""
    flattest = np.linalg.svd(A / scale, compute_uv=False) if scale.all() else np.zeros(3)
    if flattest[-1] <= FLAT:
        x, y, z = scale
        raise InertiaError.of("zero_scale", "", "parents", x=x, y=y, z=z, thinnest=flattest[-1])


def _rotation(A: FloatArray) -> FloatArray:
    """Return the rotation nearest to A (its polar factor), or to -A if A mirrors."""
    U, _stretch, Vt = np.linalg.svd(A)
    R: FloatArray = U @ Vt
    return R if np.linalg.det(R) > 0.0 else -R


def _primitive(
    part: TaggedInstance, kind: str, A: FloatArray, t: FloatArray, scale: FloatArray, size: float
) -> tuple[Pose, Geometry]:
    sheared = shear(A)
    if sheared > SHEAR:
        raise InertiaError.of("sheared_primitive", sheared=sheared, kind=kind.lower())
    corners = part.corners()
    if not len(corners):
        raise InertiaError.of("no_extent", "", "no_vertices", kind=kind.lower())
    low, high = corners.min(axis=0).astype(np.float64), corners.max(axis=0).astype(np.float64)
    extents = scale * (high - low)
    columns = A / scale
    if np.linalg.det(columns) < 0.0:
        # All shapes are their own mirror images in x, and not all in z: flipping x keeps a cone's apex where it is.
        columns = columns * [-1.0, 1.0, 1.0]
    shape = SHAPES[kind.lower()].from_extents(*(fewest_digits(extent, STEP * extent) for extent in extents.tolist()))
    reach = float((scale * np.maximum(np.abs(low), np.abs(high))).max())
    return settled(_rotation(columns), A @ (low + (high - low) / 2.0) + t, size + reach), shape


def mesh_of(shape: Shape, name: str) -> bpy.types.Mesh:
    """Make a closed mesh of a shape, centred, its axis z, with exactly its extents, so that it reads back as it."""
    vertices, faces = shape.facets()
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices.tolist(), [], faces)
    mesh.polygons.foreach_set("use_smooth", [shape.smooth] * len(faces))
    mesh.update()
    return mesh
