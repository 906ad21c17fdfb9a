# SPDX-License-Identifier: Apache-2.0
"""MuJoCo's reader of URDF: it joins the links of a group, and adds up what their geometry weighs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from ..arrays import FloatArray
from ..body.inertial import MUJOCO_LEAST, Inertial
from ..body.materials import WATER
from ..body.moments import Moments
from ..document.element import children_of
from ..errors import Finding, InertiaError
from ..formats.mjcf.format import MjcfRobotFile
from ..formats.mjcf.read import Body
from ..formats.robot_file import RobotFile
from ..formats.urdf.format import UrdfRobotFile
from ..mesh.surface import Surface
from ..robot.model import Collision, Mesh
from .engine import Engine, EngineBody, EngineView, differs, refuses, unread
from .urdf_links import GivenLink, Group, checked_finite, made_up, urdf_view

NAME = "MuJoCo"

LEAST_MOMENT = 1e-14
"""MuJoCo's least principal moment of a tensor that is written [kg·m²]."""

MESHES = (".obj", ".stl", ".msh")


def _view(file: RobotFile) -> EngineView:
    """MuJoCo has options of its own in a URDF, in ``<mujoco>``; the rules are for the defaults, and for
    strippath="false", which changes no number. An MJCF is compiled by MuJoCo itself.
    """
    if isinstance(file, MjcfRobotFile):
        return _compiled(file)
    if isinstance(file, UrdfRobotFile) and _has_options(file):
        return EngineView((), (unread(NAME, file.document.name, "options"),))
    return urdf_view(NAME, file, _body, _refusals)


def _compiled(file: MjcfRobotFile) -> EngineView:
    try:
        inertials = file.robot.compiled()
    except InertiaError as error:
        if error.code in ("bad_mjcf", "uri_lookup"):
            return EngineView((), (refuses(NAME, error.subject, "compiled", reason=error.sentence),))
        doubt = replace(unread(NAME, error.subject, "file", reason=error.sentence), severity="warning")
        return EngineView((), (doubt,))
    groups: dict[str, list[tuple[Body, Inertial]]] = {}
    first: dict[str, Body] = {}  # the body that each is fused to, itself without fusestatic
    for link, inertial in zip(file.links, inertials, strict=True):
        body = link.read
        fused = file.robot.compiler["fusestatic"] and not body.joints and body.parent in first
        first[body.name] = first[body.parent] if fused and body.parent is not None else body
        groups.setdefault(first[body.name].name, []).append((body, inertial))
    return EngineView(tuple(_fused(group) for group in groups.values() if not group[0][0].is_fixed))


@np.errstate(all="ignore")  # a file may give numbers that are not finite
def _fused(group: list[tuple[Body, Inertial]]) -> EngineBody:
    """MuJoCo makes one body of those without joints and their parent, if the compiler has fusestatic."""
    whole, origin = Inertial.zero, group[0][0].pose.inverse()
    for body, inertial in group:
        whole += inertial.transformed(origin @ body.pose)
    return EngineBody(group[0][0].name, tuple(body.name for body, _ in group), whole if len(group) > 1 else group[0][1])


def _has_options(file: UrdfRobotFile) -> bool:
    options = [option for mujoco in children_of(file.document.root, "mujoco") for option in mujoco]
    return any(option.tag != "compiler" or {*option.attrib.items()} - {("strippath", "false")} for option in options)


def _body(group: Group) -> EngineBody:
    """MuJoCo welds the root to the world, so that its inertial has no effect."""
    if group.is_root:
        welded = differs(NAME, group.links[0].place, "welded", "info")
        return EngineBody(group.links[0].name, group.members, None, (welded,))
    return group.body(lambda link: _rule(link, link is group.links[0]))


def _rule(link: GivenLink, is_first: bool) -> tuple[Inertial | None, tuple[Finding, ...]]:
    """MuJoCo takes a written inertial, or else the collisions at 1000 kg/m³.

    A link without mass that is joined to another one loses its tensor, too.
    """
    if link.has_inertial:
        given = link.as_written
        if given.mass > 0.0:
            return given, ()
        return (Inertial(0.0, given.com, given.inertia) if is_first else Inertial.zero), ()
    try:
        body = at_density(link.collisions)
    except InertiaError as error:
        return None, (unread(NAME, link.place, "geometry", reason=error.sentence),)
    return body, made_up(NAME, link, body)


def at_density(collisions: tuple[Collision, ...]) -> Inertial:
    """MuJoCo adds up the collisions at 1000 kg/m³; overlaps count twice."""
    total = Inertial.zero
    for collision in collisions:
        geometry = collision.geometry
        moments = legacy_moments(geometry.baked) if isinstance(geometry, Mesh) else geometry.moments()
        total += moments.inertial(WATER).transformed(collision.pose)
    return checked_finite(total)


def legacy_moments(surface: Surface) -> Moments:
    """MuJoCo adds up the tetrahedra between a mesh's faces and a point by size, as if the point saw all faces from
    inside: first that between the faces, which gives a centre of mass, then that centre.

    This is exact for convex meshes only: an L gets heavier.
    """
    corners = surface.vertices[surface.triangles].astype(np.float64)
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    point = areas @ corners.mean(axis=1) / areas.sum()
    volumes = _sizes(corners - point)
    centre = point + volumes @ (corners - point).sum(axis=1) / (4.0 * volumes.sum())
    corners = corners - centre
    volumes, sums = _sizes(corners), corners.sum(axis=1)
    second = np.einsum("n,ni,nj->ij", volumes, sums, sums) + np.einsum("n,nki,nkj->ij", volumes, corners, corners)
    return Moments(float(volumes.sum()), centre, second / 20.0)


def _sizes(corners: FloatArray) -> FloatArray:
    """Return the volumes of the tetrahedra between triangles (n, 3, 3) and the origin, all positive."""
    sizes: FloatArray = np.abs(np.linalg.det(corners)) / 6.0
    return sizes


def _refusals(file: UrdfRobotFile, groups: list[Group]) -> Iterator[Finding]:
    """MuJoCo refuses a file for any link, even one that is welded to the world."""
    folder = Path(os.path.realpath(file.document.path or "robot.urdf")).parent
    for group in groups:
        joint = group.links[0].read.joint
        if joint is not None and joint.kind == "floating" and not _is_welded(file, joint.parent):
            yield refuses(NAME, group.links[0].place, "floating")
        numbers = [finding for link in group.links for finding in (*_incomplete(link), *_impossible(link))]
        yield from numbers
        if not numbers:
            yield from _light(group)
        for link in group.links:
            yield from _lost_meshes(link, folder)


def _is_welded(file: UrdfRobotFile, name: str) -> bool:
    """MuJoCo lets bodies float only in the world, or on what is welded to it."""
    joint = file.robot.links[name].joint
    return joint is None or (joint.kind == "fixed" and _is_welded(file, joint.parent))


def _incomplete(link: GivenLink) -> Iterator[Finding]:
    """MuJoCo needs a mass and all six components in an inertial."""
    if link.has_inertial and link.missing:
        yield refuses(NAME, link.place, "missing", lacking=", ".join(link.missing))


def _impossible(link: GivenLink) -> Iterator[Finding]:
    """MuJoCo needs positive moments that fulfil the triangle inequality, unless the tensor is zero."""
    if link.tensor.any():
        low, middle, high = np.linalg.eigvalsh(link.tensor).tolist()
        if low < LEAST_MOMENT:
            yield refuses(NAME, link.place, "moment", moment=low, least=LEAST_MOMENT)
        elif low + middle < high * (1.0 - 1e-15):
            yield refuses(NAME, link.place, "triangle", low=low, middle=middle, high=high)


def _lost_meshes(link: GivenLink, folder: Path) -> Iterator[Finding]:
    """MuJoCo needs the meshes of collisions by paths from the folder of the URDF: it knows no package:// or file://."""
    for uri in link.meshes:
        if Path(uri).suffix.lower() not in MESHES:
            yield refuses(NAME, link.place, "mesh_format", name=Path(uri).name)
        elif not (folder / uri.replace("\\", "/")).exists():
            yield refuses(NAME, link.place, "mesh_path", uri=uri)


def _light(group: Group) -> Iterator[Finding]:
    """MuJoCo needs some mass and moments of each body that moves."""
    inertial = None if group.in_world else _body(group).inertial
    if inertial is None:
        return
    mass, moment = inertial.mass, float(np.linalg.eigvalsh(inertial.inertia)[0])
    if min(mass, moment) < MUJOCO_LEAST:
        values = {"body": group.links[0].name, "mass": mass, "moment": moment, "least": MUJOCO_LEAST}
        yield refuses(NAME, group.links[0].place, "light", **values)


MUJOCO = Engine("mujoco", "MuJoCo 4.0.0", _view)
