# SPDX-License-Identifier: Apache-2.0
"""PyBullet: by default it ignores the tensors of a URDF and takes that of a box."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from ..arrays import IDENTITY, FloatArray
from ..body.compare import difference
from ..body.inertial import Inertial
from ..body.pose import Pose
from ..body.shapes import Shape
from ..document.element import child_of
from ..errors import Finding
from ..files.input_file import note_missing, on_a_drive_of
from ..formats.robot_file import RobotFile
from ..formats.urdf.format import UrdfRobotFile
from ..formats.urdf.read import WORLD
from ..robot.extent import Extent, mesh_box
from ..robot.model import Geometry, Mesh
from .engine import Engine, EngineView, differs, refuses, unread
from .urdf_links import GivenLink, Group, urdf_view

NAME = "PyBullet"
FILE = "PyBullet with URDF_USE_INERTIA_FROM_FILE"

MARGIN = 1e-3
"""Bullet's collision margin [m]; its hulls have it twice, and a compound of shapes once more."""

MESHES = (".obj", ".stl", ".dae", ".cdf", ".vtk")

_SCHEME = re.compile("^(file://)?(package://|model://)?")
"""What PyBullet removes from the beginning of a path."""

HULLS = ("cylinder", "mesh")

CLOSE = 0.01
"""A relative difference that is worth a finding."""


def _refusals(name: str, file: UrdfRobotFile, groups: list[Group]) -> Iterator[Finding]:
    """PyBullet does not load a file in which an inertial lacks its mass or a moment."""
    for link in (link for group in groups for link in group.links):
        lacking = [attribute for attribute in link.missing if attribute in ("mass", "inertia", "ixx", "iyy", "izz")]
        if link.has_inertial and lacking:
            yield refuses(name, link.place, "missing", lacking=", ".join(lacking))
        for mesh in link.read.element.iter("mesh"):
            yield from _mesh_refusals(name, file, mesh.get("filename", ""), link.place)


def _mesh_refusals(name: str, file: UrdfRobotFile, uri: str, place: str) -> Iterator[Finding]:
    """PyBullet needs every mesh as .obj, .stl or .dae, even of visuals."""
    if Path(uri).suffix.lower() not in MESHES:
        yield refuses(name, place, "mesh_format", name=Path(uri).name)
    elif not _is_found(Path(os.path.abspath(file.document.path or "robot.urdf")).parent, uri):
        yield refuses(name, place, "no_mesh", uri=uri)


def _is_found(folder: Path, uri: str) -> bool:
    """PyBullet looks for a mesh in the folder of the URDF and in those above it, without the scheme of its URI. It has
    no search paths, and takes %20, backslashes and the case of letters as written."""
    path = _SCHEME.sub("", uri, count=1)
    places = [Path(f"{above}/{path}") for above in (folder, *folder.parents)]  # below them, too, if it begins with /
    if os.path.isabs(path) and on_a_drive_of(Path(path), [folder]):
        places.append(Path(path))
    is_found = any(map(os.path.isfile, places))
    for place in () if is_found else places:
        note_missing(place)
    return is_found


def _of_box(link: GivenLink) -> tuple[Inertial | None, tuple[Finding, ...]]:
    """PyBullet keeps mass and centre, and takes the moments of the box around the collisions, in the inertial's axes.

    A link without inertial has 1 kg at its origin.
    """
    mass, origin = _mass(link), link.origin if link.has_inertial else Pose.identity
    if not mass:
        return Inertial(0.0, origin.p, np.zeros((3, 3))), ()
    try:
        moments = mass * _scaling(link) * _moments_per_mass(link, origin)
    except _UnknownError as error:
        return None, (unread(NAME, link.place, "geometry", reason=str(error)),)
    body = Inertial(mass, origin.p, origin.R @ np.diag(moments) @ origin.R.T)
    shown = ", ".join(f"{moment:.4g}" for moment in moments)
    if not link.has_inertial:
        return body, (differs(NAME, link.place, "kilogram", moments=shown),)
    if link.tensor.any() and difference(body, link.as_written).worst < CLOSE:
        return body, ()
    return body, (differs(NAME, link.place, "box" if link.collisions else "no_box", moments=shown),)


def _mass(link: GivenLink) -> float:
    if link.has_inertial:
        return link.mass or 0.0
    return 0.0 if link.name == WORLD else 1.0


class _UnknownError(Exception):
    """The geometry of a link cannot be read."""


def _moments_per_mass(link: GivenLink, origin: Pose) -> FloatArray:
    """Bullet has formulas for a single shape at the inertial's origin; else it takes the box around all shapes."""
    placed = [(_relative(origin, collision.pose), collision.geometry) for collision in link.collisions]
    if len(placed) == 1 and (placed[0][0].R == IDENTITY).all() and not placed[0][0].p.any():
        return _of_single(placed[0][1], _is_nested(link, 0))
    whole: Extent | None = None
    for number, (pose, geometry) in enumerate(placed):
        centre, half = _local_box(geometry)
        if geometry.kind != "sphere":
            half = np.abs(pose.R) @ (half + (MARGIN if _is_nested(link, number) else 0.0))
        centre = pose.R @ centre + pose.p
        whole = Extent(centre - half, centre + half) | whole
    sides = np.zeros(3) if whole is None else whole.sides
    return _of_sides(sides + 2.0 * MARGIN)


def _relative(origin: Pose, pose: Pose) -> Pose:
    """Return a pose in the inertial's frame, rounded in Bullet's order: only the exact identity is one.

    Of two frames with the same turned axes that still depends on the last digit, and with it 1 mm of margin.
    """
    a, b = origin.R, pose.R
    R = a[0][:, None] * b[0] + a[1][:, None] * b[1] + a[2][:, None] * b[2]
    return Pose(R, a.T @ (pose.p - origin.p))


def _is_nested(link: GivenLink, number: int) -> bool:
    """Bullet makes a compound of the shapes in an .obj, with a margin of its own."""
    meshes = [isinstance(collision.geometry, Mesh) for collision in link.collisions]
    uri = link.meshes[sum(meshes[:number])] if meshes[number] else ""
    return uri.lower().endswith(".obj")


def _of_single(geometry: Geometry, nested: bool) -> FloatArray:
    _, half = _local_box(geometry)
    if geometry.kind == "sphere":
        return np.full(3, 0.4 * half[0] ** 2)
    return _of_sides(2.0 * (half + (MARGIN if geometry.kind in HULLS else 0.0)))


def _of_sides(sides: FloatArray) -> FloatArray:
    squares = sides**2
    moments: FloatArray = (squares.sum() - squares) / 12.0
    return moments


def _local_box(geometry: Geometry) -> tuple[FloatArray, FloatArray]:
    """Return the centre and half the sides of a shape's box in its own axes, with the margins of a hull."""
    centre, half = np.zeros(3), np.zeros(3)
    if isinstance(geometry, Shape):
        half = geometry.half_sizes(IDENTITY)
    elif isinstance(geometry, Mesh):
        low, high = (geometry.stretch @ corner for corner in mesh_box(geometry))
        centre, half = (low + high) / 2.0, np.abs(high - low) / 2.0
    else:
        raise _UnknownError(geometry.error.message)
    return centre, half + (2.0 * MARGIN if geometry.kind in HULLS else 0.0)


def _of_file(link: GivenLink) -> tuple[Inertial, tuple[Finding, ...]]:
    """With the flag, PyBullet takes the tensor of the file, and zero if no body can have it; without inertial 1 kg·m²
    about each axis."""
    if not link.has_inertial:
        if link.name == WORLD:
            return Inertial.zero, ()
        return Inertial(1.0, np.zeros(3), _scaling(link) * np.eye(3)), (
            differs(FILE, link.place, "kilogram", moments="1, 1, 1"),
        )
    # In the file's axes: Bullet does not rotate it first, and that costs digits that differ between processors.
    low, middle, high = np.linalg.eigvalsh(link.inertial_axes_tensor).tolist()
    if low < 0.0 or high > low + middle:
        zero = Inertial(link.mass or 0.0, link.origin.p, np.zeros((3, 3)))
        return zero, (differs(FILE, link.place, "zeroed"),)
    given = link.as_written
    return Inertial(given.mass, given.com, given.inertia * (_scaling(link) if given.mass else 1.0)), ()


def _scaling(link: GivenLink) -> float:
    """PyBullet multiplies the moments by an element of its own, <inertia_scaling> in <contact>."""
    scaling = child_of(child_of(link.read.element, "contact"), "inertia_scaling")
    return 1.0 if scaling is None else float(scaling.get("value", "1"))


def _view(file: RobotFile) -> EngineView:
    return urdf_view(NAME, file, lambda group: group.body(_of_box), partial(_refusals, NAME))


def _view_of_file(file: RobotFile) -> EngineView:
    return urdf_view(FILE, file, lambda group: group.body(_of_file), partial(_refusals, FILE))


PYBULLET = Engine("pybullet", "PyBullet 3.2.7", _view)
PYBULLET_FILE = Engine("pybullet-file", "PyBullet 3.2.7 with URDF_USE_INERTIA_FROM_FILE", _view_of_file)
