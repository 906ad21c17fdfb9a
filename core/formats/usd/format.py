# SPDX-License-Identifier: Apache-2.0
"""USD as a format of robots' files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from ...body.few_digits import shortened
from ...document.document import Document
from ...errors import Finding, InertiaError
from ...files.mesh_store import Loaders
from ...robot.model import WORLD, Joint
from ...robot.resolve import LinkBody
from ..file_link import FileLink
from ..robot_file import Arguments, Format, ImportedRobot, Inertials, RobotFile
from ..sdf.fill import RewrittenFile, RewrittenLink
from ..sdf.read import SdfFile
from ..simulators.verdicts import held
from .checks import file_findings
from .joints import JointTree, read_joints
from .library import read_stage
from .links import UsdLink, usd_links
from .model import usd_model
from .prims import ROOT, layer_document
from .read import UsdRobot


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
        pairs = [(joint.parent, joint.child) for joint in self.tree.joints if joint.kind == "fixed"]
        masses = zip(self.links, self.bodies, strict=True)
        numbers = [(link, body.inertial if link.auto else link.inertial) for link, body in masses]
        heavy = {link.local_name for link, inertial in numbers if inertial is not None and inertial.mass > 0.0}
        fixed = held(pairs, heavy | {WORLD})
        return frozenset(link.name for link in self.links if link.local_name in fixed)

    def engine_findings(self) -> list[Finding]:
        return [*file_findings(self.robot, self.links)]

    def structure_findings(self) -> list[Finding]:
        return [*self.tree.findings]

    def for_gazebo(self) -> SdfFile:
        raise InertiaError.of("unread_format", self.document.name, "not_of_gazebo", format=self.format_name)

    def joints(self) -> Mapping[str, Sequence[Joint]]:
        return {self.robot.name: self.tree.joints}

    def robots(self) -> list[ImportedRobot]:
        findings = [*self.findings, *self.engine_findings(), *self.structure_findings()]
        return [usd_model(self.robot, self.links, self.tree, findings)]
