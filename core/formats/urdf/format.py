# SPDX-License-Identifier: Apache-2.0
"""URDF as a format of robots' files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from ...body.gz_validity import loadable
from ...body.inertial import COMPONENTS, Inertial
from ...document.document import Document
from ...document.element import Element, child_of, children_of
from ...document.foreign_paths import foreign_paths, found
from ...document.locate import Locator
from ...document.numbers import number
from ...document.splice import Editor, Layout, Splice, spliced
from ...errors import Finding, InertiaError
from ...files.mesh_store import Loaders, MeshStore
from ...robot.model import Joint
from ...robot.resolve import LinkBody
from ..robot_file import Arguments, Format, ImportedRobot, Inertials, RobotFile, inserted, reads, same
from ..sdf.fill import RewrittenFile, make_auto
from ..sdf.read import SdfFile
from ..simulators.verdicts import held
from ..xacro.read import inertial_or_self
from .as_sdf import read_urdf
from .links import GeometryReader, UrdfLink, urdf_links
from .model import urdf_joints, urdf_model
from .read import WORLD, Robot

DEFAULTS = {"xyz": "0 0 0", "rpy": "0 0 0"}
"""What an ``<origin>`` means without these attributes, and an inertial without an ``<origin>``."""


@dataclass(frozen=True, eq=False)
class UrdfRobotFile(RobotFile):
    """A URDF: its own links, checked against physics only.

    Parameters
    ----------
    source : Document
        The file itself, which xacro expands to `document`.
    """

    links: Sequence[UrdfLink]
    source: Document
    robot: Robot
    reader: GeometryReader
    roots: Sequence[Path]
    format_name: ClassVar[str] = "URDF"

    @cached_property
    def bodies(self) -> Sequence[LinkBody]:
        return [link.body for link in self.links]

    @cached_property
    def held(self) -> frozenset[str]:
        joints = [link.joint for link in self.robot.links.values() if link.joint is not None]
        pairs = [(joint.parent, joint.child) for joint in joints if joint.kind == "fixed"]
        heavy = {link.local_name for link in self.links if (link.mass or 0.0) > 0.0} | {WORLD}
        bodies = held(pairs, heavy)
        return frozenset(link.name for link in self.links if link.local_name in bodies)

    def engine_findings(self) -> list[Finding]:
        return [*self._empty_links()]

    def _empty_links(self) -> Iterator[Finding]:
        """Yield a finding for each link that moves and has nothing in it, unless no link of the robot has a mass."""
        robot = self.robot
        pairs = [
            (link.joint.parent, name)
            for name, link in robot.links.items()
            if link.joint is not None and link.joint.kind == "fixed"
        ]
        heavy = {link.local_name for link in self.links if (link.mass or 0.0) > 0.0}
        fixed = held(pairs, heavy | {WORLD})
        shown = {link.local_name for link in self.links}
        for name, link in robot.links.items() if heavy else ():
            moves = link.joint is not None and link.joint.kind != "fixed"
            if moves and name not in fixed and name not in shown:
                yield Finding.of("warning", "massless_link", str(link.element), "empty")

    def structure_findings(self) -> list[Finding]:
        return self.robot.structure_findings()

    def for_gazebo(self) -> SdfFile:
        return read_urdf(self.document, self.roots)

    def made_auto(self) -> RewrittenFile:
        return make_auto(read_urdf(self.document, self.roots, to_write=True))

    def written(self, inertials: Inertials) -> dict[Document, bytes]:
        # A URDF is one model, whatever its name.
        new = {name: inertial for by_link in inertials.values() for name, inertial in by_link.items()}
        splices: dict[Document, list[Splice]] = {self.source: []}
        for name, inertial in new.items():
            link = self.robot.links.get(name)
            if link is None:
                raise InertiaError.of("unknown_link", self.document.name, "import", name=name)
            if link.inertial is None or not same(link.inertial.transformed(link.origin), inertial):
                place = self.text_of(link.element)
                splices.setdefault(place.document, []).append(_splice(place, inertial))
        return {document: spliced(document.data, changes) for document, changes in splices.items()}

    def text_of(self, link: Element) -> Element:
        """Return the place of a link's ``<inertial>``, or without one of the ``<link>``, in the text that has it."""
        return inertial_or_self(link)

    def joints(self) -> Mapping[str, Sequence[Joint]]:
        return urdf_joints(self.robot, self.links, self.reader)

    def robots(self) -> list[ImportedRobot]:
        robot = urdf_model(self.robot, self.links, self.reader)
        return [replace(robot, findings=tuple(dict.fromkeys([*self.findings, *robot.findings])))]


def _read(document: Document, roots: Sequence[Path], loaders: Loaders | None, _: Arguments) -> UrdfRobotFile:
    robot = Robot.read(document)
    folder = Path(os.path.realpath(document.path or "robot.urdf")).parent
    locator = replace(Locator.of(folder, roots, _only_package(document)), by_end=True)
    reader = GeometryReader(robot, locator, MeshStore(locator.readable, loaders))
    uris = ((mesh, mesh.get("filename", "").strip(), locator) for mesh in document.root.iter("mesh"))
    about_uris = (*_renamed_package(document, locator), *foreign_paths(uris), *_backslashes(document))
    findings = (*document.findings, *_lost_inertials(document, robot), *about_uris)
    return UrdfRobotFile(document, urdf_links(robot, reader), findings, document, robot, reader, roots)


def _only_package(document: Document) -> str:
    """Return the package that all meshes of a file are in by their URIs; empty if they name several, or none."""
    uris = (str(mesh.get("filename", "")).strip() for mesh in document.root.iter("mesh"))
    names = {uri.removeprefix("package://").partition("/")[0] for uri in uris if uri.startswith("package://")}
    return names.pop() if len(names) == 1 else ""


def _renamed_package(document: Document, locator: Locator) -> Iterator[Finding]:
    """Yield a finding if meshes are found only because their package has another name."""
    locator = replace(locator, by_end=False)
    by_name = replace(locator, only_package="")
    for mesh in document.root.iter("mesh") if locator.only_package else ():
        uri = mesh.get("filename", "").strip()
        path = found(locator, uri)
        if path is None:
            continue
        if found(by_name, uri) is None:
            folder = path.parents[uri.removeprefix("package://").count("/") - 1]
            yield Finding.of("warning", "package_renamed", str(mesh), package=locator.only_package, folder=folder.name)
        return


def _backslashes(document: Document) -> Iterator[Finding]:
    """Yield a finding if paths of meshes have backslashes."""
    meshes = [mesh for mesh in document.root.iter("mesh") if "\\" in mesh.get("filename", "")]
    if meshes:
        values = {"count": len(meshes), "uri": ascii(meshes[0].get("filename", "")).replace("\\\\", "\\")}
        yield Finding.of("warning", "backslashes", str(meshes[0]), **values)


def _lost_inertials(document: Document, robot: Robot) -> Iterator[Finding]:
    """Yield a finding for each ``<inertial>`` that no reader sees."""
    for element in children_of(document.root, "inertial"):
        yield Finding.of("warning", "misplaced", str(element))
    for link in robot.all_links:
        for element in children_of(link.element, "inertial")[1:]:
            yield Finding.of("warning", "repeated", str(element))


def _text(body: Inertial, layout: Layout) -> str:
    children = "".join(layout.before_child + _written(tag, values) for tag, values in _attributes(body).items())
    return f"<inertial>{children}{layout.before_end}</inertial>"


def _splice(given: Element, body: Inertial) -> Splice:
    """Return what gives an ``<inertial>`` these numbers, or adds one to a ``<link>``; anything else in it stays."""
    if given.tag == "link":
        return inserted(given, body, _text)
    editor = Editor(given)
    new = []
    for tag, values in _attributes(body).items():
        child = child_of(given, tag)
        there = DEFAULTS if child is None else {**DEFAULTS, **child.attrib}
        if all(reads(there.get(name), text) for name, text in values.items()):
            continue
        if child is None:
            new.append(_written(tag, values))
        else:
            editor.replace(child, _written(tag, values))
    if new:
        editor.append(given, new)
    return editor.splice()


def _attributes(body: Inertial) -> dict[str, dict[str, str]]:
    pose, tensor = loadable(body)
    values = [number(value) for value in pose.to_sdf()]
    return {
        "origin": {"xyz": " ".join(values[:3]), "rpy": " ".join(values[3:])},
        "mass": {"value": number(body.mass)},
        "inertia": {name: number(tensor[cell]) for name, cell in COMPONENTS.items()},
    }


def _written(tag: str, values: Mapping[str, str]) -> str:
    return f"<{tag} {' '.join(f'{name}={chr(34)}{text}{chr(34)}' for name, text in values.items())}/>"


URDF = Format("URDF", (".urdf",), "robot", _read)
