# SPDX-License-Identifier: GPL-3.0-or-later
"""The links of a scene as values, which panel and overlay show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import bpy

from ...core.body.inertial import Inertial
from ...core.body.pose import Pose
from ...core.errors import Finding, Severity, has_error, worst_severity
from ...core.mesh.diagnosis.remarks import NOT_CHECKED
from ...core.robot.joints import own_joints
from ...core.robot.model import Joint
from ...core.robot.resolve import LinkBody
from ..names import PROPERTIES
from ..scene.belonging import find_upwards
from ..scene.selection import object_by_full_name

COMPUTING = Finding.of("info", "computing")
"""Of a link that is stale because it waits for them."""

CANCELLED = Finding.of("info", "computing_cancelled")
"""Of a link that stays stale until something in it changes, or until the user asks again."""


SCULPTED = Finding.of("info", "before_sculpting")
"""Of a link that stays stale while one of its meshes is sculpted with Multiresolution."""

NEXT_STEP = "no_collision"
"""The code of the finding that every link has until its first collision is tagged."""

WAITING = frozenset({COMPUTING.code, CANCELLED.code, SCULPTED.code})
"""Codes of what a link is stale for."""


@dataclass(frozen=True, eq=False)
class LiveLink:
    """A link with its current numbers and pose.

    Parameters
    ----------
    body : LinkBody
        Its numbers in its own frame; ``body.pose`` is that frame in the world [m].
    object : str
        Full name of the object that is the link.
    parts : mapping of str to str
        Full name of each collision's object, by the collision's name.
    stale : bool
        The numbers and parts are from before the last change, or there are none yet (then `body` is refused). The
        body has one of the findings `WAITING`; its pose is up to date.
    checking : bool
        The numbers are up to date, but faults that a quick diagnosis may have missed are still searched for.
    """

    body: LinkBody
    object: str
    parts: Mapping[str, str]
    stale: bool = False
    checking: bool = False

    @cached_property
    def unchecked(self) -> bool:
        """Return True if a mesh was only read quickly, whether or not it is being read in full."""
        return self.checking or any(finding.code == NOT_CHECKED for finding in self.body.all_findings())

    def being_checked(self) -> LiveLink:
        """Return the link with ``checking``, which is shown instead of the findings ``not_checked``."""
        parts = tuple(replace(part, findings=_but_not_checked(part.findings)) for part in self.body.parts)
        return replace(self, body=replace(self.body, parts=parts), checking=True)

    @property
    def left_out(self) -> bool:
        """Return True if the link holds nothing, so that it is not written, which is not an error."""
        link = self.body.link
        return link is not None and link.empty and not has_error(self.body.findings)

    def carried_to(self, pose: Pose) -> LiveLink:
        """Return the link with another pose; a drag does so a hundred times a step, so `replace` is too slow."""
        body, link = object.__new__(LinkBody), object.__new__(LiveLink)
        body.__dict__.update(self.body.__dict__, pose=pose)
        link.__dict__.update(self.__dict__, body=body)
        return link


@dataclass(frozen=True, eq=False)
class LiveModel:
    """All links of a scene, sorted as in the file.

    Parameters
    ----------
    links : tuple of LiveLink
    metres_per_unit : float
    signature : int
        Another one whenever anything in here is other than before.
    findings : tuple of Finding
        About the model as a whole: tagged objects in no link, instances that cannot be read.
    joints : tuple of Joint
        Those that can be written, between links by name.
    """

    links: tuple[LiveLink, ...]
    metres_per_unit: float
    signature: int
    findings: tuple[Finding, ...] = ()
    joints: tuple[Joint, ...] = ()

    def link_of(self, ob: bpy.types.Object) -> LiveLink | None:
        """Return the link that an object is in; see `number_of`."""
        number = self.number_of(ob)
        return None if number is None else self.links[number]

    def number_of(self, ob: bpy.types.Object) -> int | None:
        """Return the number of the link that an object is in.

        That is the link that it is or is below, else the link that an instance of it is a part of, else the first one
        in the collection that it places; of several instances of a link, the first.
        """
        name = ob.name_full
        if name not in self._numbers:  # each redraw asks for all that is visible
            self._numbers[name] = self._number_of(ob)
        return self._numbers[name]

    @property
    def stale(self) -> bool:
        """Return True if any link is."""
        return any(link.stale for link in self.links)

    @property
    def checking(self) -> bool:
        """Return True if any link is."""
        return any(link.checking for link in self.links)

    def total(self, poses: Mapping[str, Pose] | None = None) -> Inertial | None:
        """Return all links that are written together, in the world's frame [m]; None where one has no number.

        Links without inertial do not count.
        Links named in `poses` have that pose instead of their own.
        """
        return self._total if not poses else self._together(poses)

    def _number_of(self, ob: bpy.types.Object) -> int | None:
        number = find_upwards(ob, lambda above: self._links_by_object.get(above.name_full))
        if number is None:
            number = find_upwards(ob, lambda above: self._links_by_part.get(above.name_full))
        return self._placed_by(ob) if number is None else number

    @cached_property
    def _numbers(self) -> dict[str, int | None]:
        return {}

    @cached_property
    def _links_by_object(self) -> dict[str, int]:
        return {link.object: number for number, link in reversed(tuple(enumerate(self.links)))}

    @cached_property
    def _links_by_part(self) -> dict[str, int]:
        links = reversed(tuple(enumerate(self.links)))
        return {part: number for number, link in links for part in link.parts.values()}

    def _placed_by(self, ob: bpy.types.Object) -> int | None:
        if ob.instance_type != "COLLECTION" or ob.instance_collection is None:
            return None
        placed = {other.name_full for other in ob.instance_collection.all_objects}
        return next((number for number, link in enumerate(self.links) if link.object in placed), None)

    @cached_property
    def _total(self) -> Inertial | None:
        return self._together({})

    def _together(self, poses: Mapping[str, Pose]) -> Inertial | None:
        bodies = [link.body for link in self.links if not link.left_out and link.body.mode != "none"]
        if not bodies or any(body.inertial is None for body in bodies):
            return None
        total = Inertial.zero
        for body in bodies:
            assert body.inertial is not None
            total += body.inertial.transformed(poses.get(body.name, body.pose))
        return total


def _but_not_checked(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    return tuple(finding for finding in findings if finding.code != NOT_CHECKED)


def shown_severity(finding: Finding) -> Severity:
    """Return how bad a finding looks: the first click on Link is not an error."""
    return "warning" if finding.code == NEXT_STEP else finding.severity


def worst_shown(findings: Iterable[Finding]) -> Severity | None:
    """Return the severity of what looks worst; None without any."""
    return worst_severity(replace(finding, severity=shown_severity(finding)) for finding in findings)


def is_unfinished(body: LinkBody) -> bool:
    """Return True if nothing is wrong with a link but that it has no collision yet."""
    findings = body.all_findings()
    errors = {finding.code for finding in findings if finding.severity == "error"}
    return errors <= {NEXT_STEP} and any(finding.code == NEXT_STEP for finding in findings)


def joint_positions(model: LiveModel) -> dict[str, float]:
    """Return the positions other than 0 at which joints are shown, by name: [rad], of prismatic ones [m]."""
    links = {link.body.name: link for link in model.links}
    positions = {}
    for name, joint in own_joints(model.joints).items():
        ob = object_by_full_name(links[name].object)
        position = 0.0 if ob is None else float(getattr(ob, PROPERTIES).joint_position)
        if position:
            positions[joint.name] = position * (model.metres_per_unit if joint.kind == "prismatic" else 1.0)
    return positions
