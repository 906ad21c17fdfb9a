# SPDX-License-Identifier: Apache-2.0
"""What a page shows of a robot's file or of a mesh: links with shapes and inertials, joints, findings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isfinite
from pathlib import Path
from shlex import join
from typing import NamedTuple

import numpy as np

from ..arrays import FloatArray
from ..body.inertial import Inertial
from ..body.pose import Pose
from ..body.shapes import Shape
from ..engines.compared import Comparison, alike
from ..errors import WORST_FIRST, Finding, InertiaError, Severity, worst_severity
from ..files.polygons import surface_of
from ..findings.remedy import file_word
from ..formats.file_link import FileLink
from ..formats.robot_file import Color, ImportedRobot, RobotFile
from ..judge.comparison import compared
from ..judge.verdict import Verdict
from ..mesh.surface import Surface
from ..robot.joints import leaders_of
from ..robot.model import Collision, Joint, Mesh, Visual
from ..robot.part import Body
from ..robot.report import Total, counted, total_of
from ..statics.statics import Statics
from .columns import Units

TO_THE_EYE = 0.01
"""Bodies whose centres and tensors differ by no more than this, relative to their size, are drawn once."""


@dataclass(frozen=True, eq=False)
class ShownPart:
    """A surface, the map (4, 4) of its vertices into the link's frame [m], and its linear RGBA, if any."""

    name: str
    surface: Surface
    placed: FloatArray
    color: Color | None = None


@dataclass(frozen=True, eq=False)
class SceneLink:
    """A link as it is shown.

    Parameters
    ----------
    name : str
        With its model's name if the file has several models.
    pose : Pose
        In the world, all joints at 0.
    published, computed : Inertial or None
        That of the file, and that of its geometry at the same mass, in the link's frame; None if there is none, or its
        numbers are not finite.
    difference : float or None
        The largest relative difference of the two.
    severity : {"error", "warning", "info"} or None
        Of its worst finding.
    auto : bool
        True if a simulator computes its inertial.
    is_default : bool
        True if the file gives no inertial that can be read, and `published` is SDFormat's default.
    listed : bool
        False for a bare point between two joints, which only carries other links.
    is_mesh : bool
        True for a mesh by itself, which no file gives an inertial.
    planned : Inertial or None
        What `repair` writes in place of `published`; None if that stays.
    """

    name: str
    pose: Pose
    published: Inertial | None = None
    computed: Inertial | None = None
    difference: float | None = None
    severity: Severity | None = None
    auto: bool = False
    is_default: bool = False
    visuals: tuple[ShownPart, ...] = ()
    collisions: tuple[ShownPart, ...] = ()
    listed: bool = True
    is_mesh: bool = False
    planned: Inertial | None = None

    @property
    def shown(self) -> Inertial | None:
        """The inertial that a simulator uses: that of the file, or the computed one where the file has none."""
        return self.computed if self.auto or self.is_mesh else self.published

    @property
    def alike(self) -> bool:
        """True if the eye cannot tell the inertial of the file from the computed one."""
        return None not in (self.published, self.computed) and alike(self.published, self.computed, TO_THE_EYE)


class Followed(NamedTuple):
    """The joint that another one follows, by its number in the scene: position = multiplier · its position + offset."""

    number: int
    multiplier: float
    offset: float


@dataclass(frozen=True, eq=False)
class SceneJoint:
    """A joint with the numbers of its links in the scene; `parent` is None for the world."""

    joint: Joint
    parent: int | None
    child: int
    follows: Followed | None = None


@dataclass(frozen=True, eq=False)
class SceneFinding:
    """A finding, and the number of the link that it is about, if it is about one."""

    finding: Finding
    link: int | None = None


@dataclass(frozen=True, eq=False)
class Repair:
    """The command that writes the planned inertials of a scene, and the total of all links after it."""

    command: str
    total: Total | None


@dataclass(frozen=True, eq=False)
class RobotScene:
    """All that a page shows.

    Parameters
    ----------
    title : str
        The name of the robot, or of the file.
    file : str
        The name of the file, without its folder.
    total : Total or None
        All links together in the world, all joints at 0.
    counted : str
        How many links that is.
    left_out : str
        Which links have no numbers that could be added; empty if all have.
    engines : Comparison or None
        The moving bodies as the engines simulate them that were asked for.
    repair : Repair or None
        None if it would change nothing.
    statics : Statics or None
        None unless it was asked for.
    """

    title: str
    file: str
    links: Sequence[SceneLink]
    joints: Sequence[SceneJoint] = ()
    findings: Sequence[SceneFinding] = ()
    total: Total | None = None
    counted: str = ""
    left_out: str = ""
    engines: Comparison | None = None
    repair: Repair | None = None
    statics: Statics | None = None

    @cached_property
    def units(self) -> Units:
        """The units of the columns of its table."""
        return Units.for_all(link.planned or link.shown for link in self.links if link.listed)

    def with_statics(self, statics: Statics) -> RobotScene:
        """Return the scene with the torques at its joints, and what is wrong with these."""
        findings = (*self.findings, *map(SceneFinding, statics.findings))
        return replace(self, statics=statics, findings=findings)


def robot_scene(file: RobotFile, path: Path, verdicts: Sequence[Verdict], findings: Iterable[Finding]) -> RobotScene:
    """Return the scene of a robot's file.

    Parameters
    ----------
    file : RobotFile
    path : Path
        Of the file; only its name is shown.
    verdicts : sequence of Verdict
        On its links.
    findings : iterable of Finding
        About the file and its links.
    """
    models = _Models(file)
    several = len({link.model for link in file.links}) > 1
    options, planned = _chosen_plans(verdicts)
    links = []
    for link, verdict in zip(file.links, verdicts, strict=True):
        shown = _scene_link(link, models, worst_severity(verdict.findings))
        name = link.name if several else link.local_name
        links.append(replace(shown, name=name, planned=planned.get(link.name)))
    numbers = {link.name: number for number, link in reversed([*enumerate(file.links)])}
    links += models.bare_points(numbers)
    about = {finding: number for number, verdict in enumerate(verdicts) for finding in verdict.findings}
    named = {} if several else {link.local_name: number for number, link in reversed([*enumerate(file.links)])}
    placed_findings = [(finding, about.get(finding, named.get(finding.link or ""))) for finding in findings]
    for finding, place in placed_findings:  # such as a mesh that is not read, which is not a finding about its inertial
        if place is not None:
            worst = min(finding.severity, links[place].severity, key=(*WORST_FIRST, None).index)
            links[place] = replace(links[place], severity=worst)
    arguments = file.reading.arguments.items()
    more = join(word for name, value in arguments for word in ("--xacro-arg", f"{name}:={value}"))
    shown_findings = tuple(SceneFinding(_worded(finding, path, more), place) for finding, place in placed_findings)
    placed = zip(file.bodies, links, strict=False)
    bodies = [replace(body, name=link.name, pose=link.pose) for body, link in placed]
    names = list(dict.fromkeys(link.model.split("::")[0] for link in file.links))
    title = names[0] if len(names) == 1 else path.name
    total, joints = total_of(bodies, partial=True), models.joints(numbers)
    scene = RobotScene(title, path.name, links, joints, shown_findings, total, *counted(bodies))
    if not planned:
        return scene
    after = [replace(body, inertial=link.planned or body.inertial) for body, link in zip(bodies, links, strict=False)]
    command = " ".join(filter(None, ("sdf-inertia repair --in-place", *options, more, file_word(path.name))))
    return replace(scene, repair=Repair(command, total_of(after, partial=True)))


def mesh_scene(surface: Surface, body: Body, path: Path) -> RobotScene:
    """Return the scene of one mesh, in metres, with its computed body."""
    part = ShownPart(path.stem, surface, np.eye(4))
    inertial = _finite(body.inertial)
    severity = worst_severity(body.findings)
    link = SceneLink(path.stem, Pose.identity, None, inertial, None, severity, visuals=(part,), is_mesh=True)
    findings = [SceneFinding(_worded(finding, path), 0) for finding in body.findings if finding.severity != "info"]
    total = None if inertial is None else Total(inertial.mass, inertial)
    return RobotScene(path.stem, path.name, [link], (), findings, total)


@dataclass(eq=False)
class _Models:
    """The models of a file, with poses in its world; none if they cannot be read, which a finding reports."""

    file: RobotFile
    models: Sequence[ImportedRobot] = ()
    poses: dict[str, Pose] = field(default_factory=dict)
    colors: dict[str, Mapping[str, Color | None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        try:
            self.models = self.file.robots()
        except InertiaError:
            return
        for placed in self.models:
            for link in placed.model.links:
                name = f"{placed.model.name}::{link.name}"
                self.poses[name] = placed.pose @ link.pose
                self.colors[name] = {visual.name: visual.color for visual in link.visuals}

    def bare_points(self, numbers: dict[str, int]) -> Iterator[SceneLink]:
        """Yield the links that only carry others, and add their numbers."""
        for name, pose in self.poses.items():
            if name not in numbers:
                numbers[name] = len(numbers)
                yield SceneLink(name, pose, listed=False)

    def joints(self, numbers: Mapping[str, int]) -> tuple[SceneJoint, ...]:
        joints: list[SceneJoint] = []
        for placed in self.models:
            of_model: dict[str, int] = {}
            for joint in placed.model.joints:
                parent, child = (numbers.get(f"{placed.model.name}::{end}") for end in (joint.parent, joint.child))
                if child is not None and all(map(isfinite, (*joint.axis, *joint.axis2))):
                    of_model.setdefault(joint.name, len(joints))
                    joints.append(SceneJoint(joint, parent, child))
            leaders = {name: leader for name, leader in leaders_of(placed.model.joints).items() if name in of_model}
            for name, (leader, multiplier, offset) in leaders.items():
                if leader in of_model:
                    follows = Followed(of_model[leader], multiplier, offset)
                    joints[of_model[name]] = replace(joints[of_model[name]], follows=follows)
        return tuple(joints)


def _chosen_plans(verdicts: Sequence[Verdict]) -> tuple[tuple[str, ...], dict[str, Inertial]]:
    """Return the options of one run of `repair` and what it writes by the names of links: the default run if it
    changes any, else that with the options that most links need. A density that the user has to give is not one.
    """
    plans = {verdict.link.name: verdict.plan for verdict in verdicts if verdict.plan is not None}
    new = {name: plan for name, plan in plans.items() if plan.new is not None and "KG_M3" not in plan.options}
    runs = Counter(plan.options for plan in new.values())
    options = () if () in runs else max(runs, key=runs.__getitem__, default=())
    return options, {name: plan.new for name, plan in new.items() if plan.new is not None and plan.options == options}


def _scene_link(link: FileLink, models: _Models, severity: Severity | None) -> SceneLink:
    published, computed, apart = None, link.body.inertial, None
    if not link.auto:
        published = link.body.inertial if link.inertial is None else link.inertial
        comparison = compared(link.drawn, link.inertial)
        computed, apart = comparison.computed.inertial, comparison.apart
    return SceneLink(
        link.local_name,
        models.poses.get(link.name, link.body.pose),
        _finite(published),
        _finite(computed),
        apart,
        severity,
        link.auto,
        not link.auto and link.inertial is None and published is not None,
        tuple(_shown(link.visuals, models.colors.get(link.name, {}))),
        tuple(_shown(link.link.collisions, {})),
    )


def _shown(parts: Iterable[Visual | Collision], colors: Mapping[str, Color | None]) -> Iterator[ShownPart]:
    """Yield those parts that can be drawn."""
    for part in parts:
        geometry, placed = part.geometry, np.eye(4)
        placed[:3, 3] = part.pose.p
        if isinstance(geometry, Mesh):
            placed[:3, :3] = part.pose.R @ geometry.stretch
            surface = geometry.surface
        elif isinstance(geometry, Shape):
            placed[:3, :3] = part.pose.R
            try:
                surface = surface_of(geometry)
            except InertiaError:  # an impossible size, which is a finding
                continue
        else:
            continue
        if np.isfinite(placed).all():
            yield ShownPart(part.name, surface, placed, colors.get(part.name))


def _finite(inertial: Inertial | None) -> Inertial | None:
    return inertial if inertial is not None and inertial.is_finite() else None


def _worded(finding: Finding, path: Path, more: str = "") -> Finding:
    """Return a finding with its remedy worded for a terminal, and without the folders of this machine.

    `more` are options that its commands need.
    """
    worded = finding.about(path.name).for_reader("check", robot=path.name, mesh=path.name, more=more)
    subject, message, remedy = worded.subject, worded.message, worded.remedy
    if path.parent != Path():
        subject = subject.removeprefix(f"{path.parent}/")
    for folder in sorted({f"{path.parent.resolve()}/", f"{Path.cwd()}/"} - {"//"}, key=len, reverse=True):
        whole = re.compile(rf"(?<![\w./-]){re.escape(folder)}")  # not a part of a longer path
        subject, message, remedy = (whole.sub("", text) for text in (subject, message, remedy))
    return Finding(worded.severity, worded.code, subject, message, remedy, worded.sdf_codes)
