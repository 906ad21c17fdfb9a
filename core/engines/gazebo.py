# SPDX-License-Identifier: Apache-2.0
"""Gazebo: the file as libsdformat reads it, with Gazebo's own mesh calculator."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..body.inertial import Inertial
from ..document.element import child_of, text_of
from ..errors import PART_REFUSED, Finding, InertiaError
from ..formats.robot_file import RobotFile
from ..formats.sdf.links import SdfLink
from ..formats.sdf.read import SdfFile
from ..formats.simulators.gazebo import MESHES, gazebo_findings, gazebo_inertial
from ..formats.simulators.verdicts import link_verdicts
from ..formats.urdf.format import UrdfRobotFile
from ..robot.resolve import LinkBody
from .engine import Engine, EngineBody, EngineView, differs
from .urdf_links import Group, groups_of

NAME = "Gazebo"


def _view(file: RobotFile) -> EngineView:
    try:
        sdf = file.for_gazebo()
    except InertiaError as error:
        return EngineView((), (error.about(file.document.name).finding(),))
    bodies = link_verdicts(sdf)
    findings = [*sdf.findings, *sdf.notes]
    findings += [finding for body in bodies for finding in body.all_findings() if finding.code != PART_REFUSED]
    findings += [finding for link in sdf.links for finding in (*gazebo_findings(link), *_unread_meshes(link))]
    view = EngineView((), tuple(dict.fromkeys(findings)))
    return view if view.refused else EngineView(_bodies(file, sdf, bodies), view.findings)


def _unread_meshes(link: SdfLink) -> Iterator[Finding]:
    """Gazebo leaves out meshes that it cannot read, and needs only those of auto links."""
    for mesh in () if link.auto else link.element.iter("mesh"):
        path = Path(text_of(child_of(mesh, "uri")))
        if path.suffix and path.suffix.lower() not in MESHES:
            yield differs(NAME, str(link.element), "mesh_format", name=path.name)


def _bodies(file: RobotFile, sdf: SdfFile, bodies: tuple[LinkBody, ...]) -> tuple[EngineBody, ...]:
    """Gazebo keeps the links of an SDF apart; those of a URDF are joined, and those without mass are left out."""
    numbers = {link.name: _number(link, body) for link, body in zip(sdf.links, bodies, strict=True)}
    if not isinstance(file, UrdfRobotFile):
        return tuple(EngineBody(name, (name,), number) for name, number in numbers.items())
    local = {link.local_name: numbers[link.name] for link in sdf.links}
    return tuple(_joined(group, local) for group in groups_of(file) if not group.in_world)


def _number(link: SdfLink, body: LinkBody) -> Inertial | None:
    try:
        return gazebo_inertial(link) or body.inertial
    except InertiaError:
        return body.inertial


def _joined(group: Group, numbers: dict[str, Inertial | None]) -> EngineBody:
    """A joint that keeps its links apart, as <preserveFixedJoint> does, makes several of a group."""
    total: Inertial | None = None
    for link in group.links:
        inertial = numbers.get(link.name)
        if inertial is not None:
            placed = inertial.transformed(link.pose)
            total = placed if total is None else total + placed
    return EngineBody(group.links[0].name, group.members, total)


GAZEBO = Engine("gazebo", "Gazebo (libsdformat 16.1)", _view)
