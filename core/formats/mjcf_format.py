# SPDX-License-Identifier: Apache-2.0
"""MuJoCo's MJCF as a format of robots' files."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import numpy as np

from ..arrays import IDENTITY, FloatArray
from ..body.few_digits import kept, shortened
from ..body.inertial import COMPONENTS, Inertial
from ..errors import Finding, InertiaError
from ..mjcf.checks import file_findings, link_findings
from ..mjcf.link import FULL, GeomReader, MjcfLink, mjcf_links
from ..mjcf.robot import MjcfRobot
from ..robot.model import Joint
from ..robot.resolve import LinkBody
from ..sdf.file_link import FileLink
from ..sdf.read.mesh_source import Loaders, MeshStore
from ..sdf.read.sdf_file import SdfFile
from ..sdf.simulators.verdicts import held
from ..sdf.urdf.robot import WORLD
from ..sdf.write.edit import Editor, Splice, spliced
from ..sdf.write.fill import RewrittenFile, RewrittenLink
from ..sdf.write.numbers import number
from ..sdf.xml.document import Document, Place, child_of
from .mjcf_model import mjcf_joints, mjcf_model
from .robot_file import Arguments, Format, ImportedRobot, Inertials, RobotFile, same

ORIENTATIONS = ("quat", "axisangle", "xyaxes", "zaxis", "euler")
"""Attributes that turn an inertial's frame; MuJoCo refuses them beside ``fullinertia``."""

DIAGONAL = 1e-9
"""A tensor is diagonal if its products are at most this share of its trace: it has been rounded to nine digits."""


@dataclass(frozen=True, eq=False)
class MjcfRobotFile(RobotFile):
    """An MJCF file; MuJoCo's rules for inertials are checked too."""

    links: Sequence[MjcfLink]
    robot: MjcfRobot
    reader: GeomReader
    format_name: ClassVar[str] = "MJCF"

    @cached_property
    def bodies(self) -> Sequence[LinkBody]:
        return [link.body for link in self.links]

    @cached_property
    def held(self) -> frozenset[str]:
        pairs = [(body.parent or WORLD, body.name) for body in self.robot.bodies if not body.joints]
        masses = zip(self.links, self.bodies, strict=True)
        numbers = [(link, body.inertial if link.auto else link.inertial) for link, body in masses]
        heavy = {link.local_name for link, inertial in numbers if inertial is not None and inertial.mass > 0.0}
        fixed = held(pairs, heavy | {WORLD})
        return frozenset(link.name for link in self.links if link.local_name in fixed)

    def check_own(self, link: FileLink, included: bool) -> None:
        if link.element.tag != "body" or self._uses[link.place] > 1:
            raise InertiaError.of("macro_inertial", "", "generated", count=self._uses[link.place])
        path = link.document.path
        own = path is not None and self.robot.expanded.folders.allow(path)
        if link.document is not self.document and not (included and own):
            raise InertiaError.of("included_inertial", "", "xacro", name=link.document.name)

    @cached_property
    def _uses(self) -> Counter[Place]:
        """How many bodies MuJoCo makes of each element."""
        return Counter(link.place for link in self.links)

    def engine_findings(self) -> list[Finding]:
        return [*file_findings(self.robot, self.links), *(one for link in self.links for one in link_findings(link))]

    def for_gazebo(self) -> SdfFile:
        raise InertiaError.of("unread_format", self.document.name, "not_of_gazebo", format=self.format_name)

    def filled(self, keep_auto: bool = False, included: bool = False) -> RewrittenFile:
        if self.robot.computes_all:
            raise InertiaError.of("bad_mjcf", self.document.name, "overridden")
        findings = [*self.findings]
        links, new = [], {}
        for link, body in zip(self.links, self.bodies, strict=True):
            if not link.auto:
                continue
            findings += body.all_findings()
            try:
                self.check_own(link, included)
                if body.inertial is not None and not body.refused:
                    new[link.local_name] = shortened(body.inertial.scaled_to(kept(body.inertial.mass)))
            except InertiaError as error:
                findings.append(link.place.about(error.finding("warning")))
            links.append(RewrittenLink(link.name, link.local_name in new, body))
        (_, data), *others = self.written({self.robot.name: new}).items()
        changed = {document.path: own for document, own in others if document.path is not None}
        return RewrittenFile(data, tuple(links), tuple(dict.fromkeys(findings)), changed)

    def written(self, inertials: Inertials) -> dict[Document, bytes]:
        links = {link.local_name: link for link in self.links}
        splices: dict[Document, list[Splice]] = {self.document: []}
        for name, inertial in ((name, one) for own in inertials.values() for name, one in own.items()):
            link = links.get(name)
            if link is None:
                raise InertiaError.of("unknown_link", self.document.name, "import", name=name)
            self.check_own(link, True)
            if link.inertial is None or not same(link.inertial, inertial):
                splices.setdefault(link.document, []).append(_splice(link, inertial))
        return {document: spliced(document.data, changes) for document, changes in splices.items()}

    def joints(self) -> Mapping[str, Sequence[Joint]]:
        return {self.robot.name: mjcf_joints(self.links, self.reader)}

    def robots(self) -> list[ImportedRobot]:
        return [mjcf_model(self.links, self.reader, [*self.findings, *self.engine_findings()])]


def _splice(link: MjcfLink, body: Inertial) -> Splice:
    """Return what gives an ``<inertial>`` these numbers, or adds one to a ``<body>``; anything else in it stays."""
    given = child_of(link.element, "inertial")
    if given is None:
        return _inserted(link, body)
    editor = Editor(link.document, given)
    axes = link.read.axes.R if link.read.inertial is not None else IDENTITY
    diagonal = None if "fullinertia" in given.attrib else _diagonal(body, axes)
    values = {"pos": _texts(body.com), "mass": number(body.mass)}
    values |= {"fullinertia": _full(body)} if diagonal is None else {"diaginertia": _texts(diagonal)}
    for name, text in values.items():
        if not _reads(given.get(name), text):
            editor.set_attribute(name, text)
    if diagonal is None:
        for name in ("diaginertia", *ORIENTATIONS):
            editor.drop_attribute(name)
    return editor.splice()


def _inserted(link: MjcfLink, body: Inertial) -> Splice:
    """Return what adds an ``<inertial>`` before the other children of a ``<body>``."""
    editor = Editor(link.document, link.element)
    before = editor.layout(link.element).before_child
    data = f'{before}<inertial pos="{_texts(body.com)}" mass="{number(body.mass)}" fullinertia="{_full(body)}"/>'
    start, _ = link.document.content_span(link.element)
    return Splice(start, start, data.encode(link.document.codec))


def _full(body: Inertial) -> str:
    return _texts([float(body.inertia[COMPONENTS[name]]) for name in FULL])


def _diagonal(body: Inertial, axes: FloatArray) -> FloatArray | None:
    """Return the moments of a body about these axes (3, 3), if they are its principal ones."""
    tensor = axes.T @ body.inertia @ axes
    moments: FloatArray = np.diag(tensor)
    if np.abs(tensor - np.diag(moments)).max() > DIAGONAL * moments.sum():
        return None
    return np.diag(shortened(Inertial(body.mass, body.com, np.diag(moments))).inertia)


def _texts(values: Sequence[float] | FloatArray) -> str:
    return " ".join(map(number, values))


def _reads(given: str | None, text: str) -> bool:
    """Return True if an attribute already holds these numbers: then its own digits stay."""
    try:
        return given is not None and [float(word) for word in given.split()] == [float(word) for word in text.split()]
    except ValueError:
        return False


def _read(document: Document, roots: Sequence[Path], loaders: Loaders | None, _: Arguments) -> MjcfRobotFile:
    robot = MjcfRobot.read(document, roots)
    folder = Path(os.path.realpath(document.path or document.name)).parent
    reader = GeomReader(robot, roots, MeshStore((folder, *roots), loaders or {}))
    return MjcfRobotFile(document, mjcf_links(robot, reader), document.findings, robot, reader)


MJCF = Format("MJCF", (".mjcf", ".xml"), "mujoco", _read)
