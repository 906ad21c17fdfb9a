# SPDX-License-Identifier: Apache-2.0
"""USD as a format of robots' files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import numpy as np

from ...body.compare import difference
from ...body.few_digits import shortened
from ...body.inertial import Inertial
from ...document.document import Document
from ...errors import Finding, InertiaError
from ...robot.model import Joint
from ...robot.resolve import LinkBody
from ..file_link import FileLink
from ..robot_file import ImportedRobot, Inertials, RobotFile
from ..sdf.fill import RewrittenFile, RewrittenLink
from ..sdf.read import SdfFile
from .checks import file_findings
from .library import read_stage
from .links import UsdLink, usd_links
from .mass_text import mass_lines
from .model import JointTree, read_joints, usd_model
from .override import Override, override_path
from .prims import layer_document
from .read import UsdRobot

LEAST, MOST = 1e-9, 1e9
"""No unit of a stage is smaller or larger [m, kg]."""

LARGEST = 1e25
"""A number of an inertial in SI that single precision has, whatever the units of the stage are."""

SINGLE = 2e-7
"""An inertial this close, relatively, to that of the file is the same in single precision: it stays."""


@dataclass(frozen=True, eq=False)
class UsdRobotFile(RobotFile):
    """A USD stage; new inertials go into an override layer beside it."""

    links: Sequence[UsdLink]
    robot: UsdRobot
    tree: JointTree
    format_name: ClassVar[str] = "USD"

    @cached_property
    def bodies(self) -> Sequence[LinkBody]:
        return [link.body for link in self.links]

    @cached_property
    def held(self) -> frozenset[str]:
        return self.held_by((joint.parent, joint.child) for joint in self.tree.joints if joint.kind == "fixed")

    def check_own(self, link: FileLink, included: bool) -> None:
        """Raise nothing: the layer over the file can change all of its links."""

    def engine_findings(self) -> list[Finding]:
        return [*file_findings(self.robot, self.links)]

    def structure_findings(self) -> list[Finding]:
        return [*self.tree.findings]

    def for_gazebo(self) -> SdfFile:
        raise InertiaError.of("unread_format", self.document.name, "not_of_gazebo", format=self.format_name)

    def filled(self, keep_auto: bool = False, included: bool = False) -> RewrittenFile:
        findings = [*self.findings, *self.engine_findings()]
        links, new = [], {}
        for link, body in zip(self.links, self.bodies, strict=True):
            if not link.auto and link.given.is_whole:
                continue
            findings += body.all_findings()
            if body.inertial is not None and not body.refused and _is_writable(body.inertial):
                new[link.local_name] = shortened(body.inertial)
            links.append(RewrittenLink(link.name, link.local_name in new, body))
        ((document, data),) = self.written({self.robot.name: new}).items()
        path = None if document is self.document else document.path
        return RewrittenFile(data, tuple(links), tuple(dict.fromkeys(findings)), path=path)

    def written(self, inertials: Inertials) -> dict[Document, bytes]:
        links = {link.local_name: link for link in self.links}
        masses, unshared = {}, set[str]()
        for name, inertial in (item for by_link in inertials.values() for item in by_link.items()):
            link = links.get(name)
            if link is None:
                raise InertiaError.of("unknown_link", self.document.name, "import", name=name)
            if not _is_writable(inertial):
                raise InertiaError.of("not_finite", str(link.element), "link")
            if link.inertial is None or not link.given.is_whole or difference(link.inertial, inertial).worst > SINGLE:
                masses[link.read.given["path"]] = mass_lines(inertial, link.read.units)
                unshared |= {*link.read.given["instances"]}  # the prims in an instance cannot be changed
        if not masses:
            return {self.document: self.document.data}
        path, layer = self._layer
        document = self.document if path == self._path else layer_document(b"", str(path), path)
        return {document: layer.with_masses(masses, frozenset(unshared)).data}

    def elsewhere(self, path: Path | None, data: bytes) -> tuple[Path | None, bytes]:
        if path is not None:
            return path, data
        over, layer = self._layer
        return over, layer.data

    @property
    def _path(self) -> Path:
        return self.document.path or Path(self.document.name)

    @cached_property
    def _layer(self) -> tuple[Path, Override]:
        """The layer that new inertials are written into, and its path; a layer of ours is changed itself."""
        layer = Override.read(self.document.data)
        if layer is not None:
            return self._path, layer
        over = Override.over(
            self._path, self.robot.stage["default_prim"], *self.robot.units[:2], self.robot.stage["up_axis"]
        )
        return override_path(self._path), over

    def joints(self) -> Mapping[str, Sequence[Joint]]:
        return {self.robot.name: self.tree.joints}

    def robots(self) -> list[ImportedRobot]:
        findings = [*self.findings, *self.engine_findings(), *self.structure_findings()]
        return [usd_model(self.robot, self.links, self.tree, findings)]


def _is_writable(inertial: Inertial) -> bool:
    return bool(max(inertial.mass, np.abs(inertial.com).max(), np.abs(inertial.inertia).max()) < LARGEST)


def read_usd(document: Document, roots: Sequence[Path]) -> UsdRobotFile:
    """Read a stage by its root layer; raises what `read_stage` does, or ``usd_units``."""
    files = read_stage(document, roots)
    robot = UsdRobot(document, files)
    if not all(LEAST < unit < MOST for unit in robot.units[:2]):
        meters, kilograms = robot.units[:2]
        raise InertiaError.of("usd_units", document.name, "wrong", meters=meters, kilograms=kilograms)
    tree = read_joints(robot)
    return UsdRobotFile(document, usd_links(robot, tree.parents), files.findings, robot, tree)
