# SPDX-License-Identifier: Apache-2.0
"""MuJoCo's MJCF as a format of robots' files."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import numpy as np

from ...arrays import FloatArray
from ...body.few_digits import kept, shortened
from ...body.inertial import Inertial
from ...body.pose import Pose
from ...document.document import Document
from ...document.element import Element
from ...document.numbers import number
from ...document.splice import Editor, Splice, spliced
from ...errors import Finding, InertiaError
from ...files.mesh_store import Loaders, MeshStore
from ...robot.model import Joint
from ...robot.resolve import LinkBody, scaled
from ..file_link import FileLink
from ..robot_file import Arguments, Format, ImportedRobot, Inertials, RobotFile, reads, same
from ..sdf.fill import RewrittenFile, RewrittenLink
from ..sdf.read import SdfFile
from ..urdf.read import WORLD
from .checks import file_findings, link_findings, unscaled, weightless
from .links import GeomReader, MjcfLink, mjcf_links
from .model import mjcf_joints, mjcf_model
from .read import MjcfRobot

ORIENTATIONS = ("quat", "axisangle", "xyaxes", "zaxis", "euler")
"""Attributes that turn an inertial's frame; MuJoCo refuses them beside ``fullinertia``."""

SMALL = 1e-2
"""Trace [kg·m²] of a tensor of which 1e-12 kg·m² is more than a rounding."""

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
        return [self._body(link) for link in self.links]

    def _body(self, link: MjcfLink) -> LinkBody:
        """Return a link's body with MuJoCo's findings; of a computed one, the number that settotalmass makes of it."""
        body = link.body
        body = replace(
            body,
            findings=tuple(dict.fromkeys([*body.findings, *link_findings(link, link.local_name in self._weightless)])),
        )
        if not link.auto or body.inertial is None or self.scale == 1.0:
            return body
        parts = tuple(scaled(part, self.scale) for part in body.parts)
        return replace(body, inertial=body.inertial.scaled_to(self.scale * body.inertial.mass), parts=parts)

    @cached_property
    def _weightless(self) -> frozenset[str]:
        return frozenset(link.local_name for link in weightless(self.links))

    @cached_property
    def scale(self) -> float:
        """The factor of all masses and tensors that the compiler's settotalmass means; 1 without it."""
        wanted = float(self.robot.compiler["settotalmass"])
        total = sum(inertial.mass for link in self.links if (inertial := unscaled(link)) is not None)
        return wanted / total if wanted > 0.0 and total > 0.0 else 1.0

    @cached_property
    def held(self) -> frozenset[str]:
        return self.held_by((body.parent or WORLD, body.name) for body in self.robot.bodies if not body.joints)

    def check_own(self, link: FileLink, included: bool) -> None:
        assert isinstance(link, MjcfLink)
        place = link.inertial_place
        document = place.document
        if place.tag not in ("body", "inertial") or self._uses[place] > 1:
            raise InertiaError.of("macro_inertial", "", "generated")
        if document is self.document:
            return
        if document.path is None or not self.robot.expanded.folders.allow(document.path):
            raise InertiaError.of("included_inertial", "", "not_writable", name=document.name)
        if not included:
            raise InertiaError.of("included_inertial", "", "in_place", name=document.name)

    @cached_property
    def _uses(self) -> Counter[Element]:
        """How many bodies have their inertials from each element."""
        return Counter(link.inertial_place for link in self.links)

    def check_settings(self) -> None:
        if self.robot.computes_all:
            raise InertiaError.of("bad_mjcf", self.document.name, "overridden")
        if float(self.robot.compiler["settotalmass"]) > 0.0:
            raise InertiaError.of("bad_mjcf", self.document.name, "total_set")

    def engine_findings(self) -> list[Finding]:
        return [*file_findings(self.robot, self.links)]

    def for_gazebo(self) -> SdfFile:
        raise InertiaError.of("unread_format", self.document.name, "not_of_gazebo", format=self.format_name)

    def filled(self, keep_auto: bool = False, included: bool = False) -> RewrittenFile:
        if self.robot.computes_all:
            raise InertiaError.of("bad_mjcf", self.document.name, "overridden")
        findings = [*self.findings, *self.engine_findings()]
        links, new = [], {}
        for link, body in zip(self.links, self.bodies, strict=True):
            if not link.auto and (self.scale == 1.0 or body.inertial is None):
                continue
            findings += body.all_findings()
            try:
                self.check_own(link, included)
                if body.inertial is not None and not body.refused:
                    mass = body.inertial.mass * (1.0 if link.auto else self.scale)
                    scaled_body = body.inertial.scaled_to(kept(mass)) if mass else body.inertial
                    new[link.local_name] = shortened(scaled_body)
            except InertiaError as error:
                findings.append(link.element.about(error.finding("warning")))
            links.append(RewrittenLink(link.name, link.local_name in new, body))
        (_, data), *others = self.written({self.robot.name: new}).items()
        changed = {document.path: content for document, content in others if document.path is not None}
        return RewrittenFile(data, tuple(links), tuple(dict.fromkeys(findings)), changed)

    def written(self, inertials: Inertials) -> dict[Document, bytes]:
        links = {link.local_name: link for link in self.links}
        splices: dict[Document, list[Splice]] = {self.document: []}
        for name, inertial in (item for by_link in inertials.values() for item in by_link.items()):
            link = links.get(name)
            if link is None:
                raise InertiaError.of("unknown_link", self.document.name, "import", name=name)
            self.check_own(link, True)
            if link.inertial is None or not same(link.inertial, inertial):
                splices.setdefault(link.inertial_place.document, []).append(_splice(link, inertial))
        return {document: spliced(document.data, changes) for document, changes in splices.items()}

    def joints(self) -> Mapping[str, Sequence[Joint]]:
        return {self.robot.name: mjcf_joints(self.links, self.reader)}

    def robots(self) -> list[ImportedRobot]:
        return [mjcf_model(self.links, self.reader, [*self.findings, *self.engine_findings()])]


def _splice(link: MjcfLink, body: Inertial) -> Splice:
    """Return what gives an ``<inertial>`` these numbers, or adds one to a ``<body>``; anything else in it stays."""
    if not link.has_inertial:
        return _inserted(link, body)
    given = link.inertial_place
    editor = Editor(given)
    diagonal = None if "fullinertia" in given.attrib else _diagonal(body, link.read.axes.R)
    values = _attributes(body)
    orientation: tuple[str, ...] = ()
    if diagonal is not None:  # about the axes that it has
        values = {name: values[name] for name in ("pos", "mass")} | {"diaginertia": _texts(diagonal)}
        orientation = ORIENTATIONS
    for name, text in values.items():
        if not reads(given.get(name), text):
            editor.set_attribute(name, text)
    for name in ("diaginertia", "fullinertia", *ORIENTATIONS):
        if name not in values and name not in orientation:
            editor.drop_attribute(name)
    return editor.splice()


def _inserted(link: MjcfLink, body: Inertial) -> Splice:
    """Return what adds an ``<inertial>`` before the other children of a ``<body>``."""
    editor = Editor(link.element)
    before = editor.layout(link.element).before_child
    attributes = "".join(f' {name}="{text}"' for name, text in _attributes(body).items())
    data = f"{before}<inertial{attributes}/>"
    start, _ = link.element.content_span
    return Splice(start, start, data.encode(link.document.characters.codec))


def _attributes(body: Inertial) -> dict[str, str]:
    """Return the attributes of an ``<inertial>``.

    MuJoCo takes products below 1e-12 kg·m² for 0, so that a small tensor is written about its principal axes.
    """
    values = {"pos": _texts(body.com), "mass": number(body.mass)}
    if np.trace(body.inertia) > SMALL or not np.any(body.inertia - np.diag(np.diag(body.inertia))):
        return values | {"fullinertia": _texts(body.to_mujoco()["fullinertia"])}
    # The rows of `axes` are the principal axes, so its transpose turns their frame into the body's.
    principal = body.principal()
    x, y, z, w = Pose(principal.axes.T, body.com).to_quaternion().tolist()
    moments = np.diag(shortened(Inertial(body.mass, body.com, np.diag(principal.moments))).inertia)
    return values | {"diaginertia": _texts(moments), "quat": _texts((w, x, y, z))}


def _diagonal(body: Inertial, axes: FloatArray) -> FloatArray | None:
    """Return the moments of a body about these axes (3, 3), if they are its principal ones."""
    # The same tensor in these axes, its products against the rounding of what was written.
    tensor = axes.T @ body.inertia @ axes
    moments: FloatArray = np.diag(tensor)
    if np.abs(tensor - np.diag(moments)).max() > DIAGONAL * moments.sum():
        return None
    return np.diag(shortened(Inertial(body.mass, body.com, np.diag(moments))).inertia)


def _texts(values: Sequence[float] | FloatArray) -> str:
    return " ".join(map(number, values))


def _read(document: Document, roots: Sequence[Path], loaders: Loaders | None, _: Arguments) -> MjcfRobotFile:
    robot = MjcfRobot.read(document, roots)
    folder = Path(os.path.realpath(document.path or document.name)).parent
    reader = GeomReader(robot, MeshStore((folder, *roots), loaders))
    return MjcfRobotFile(document, mjcf_links(robot, reader), document.findings, robot, reader)


MJCF = Format("MJCF", (".mjcf", ".xml"), "mujoco", _read)
