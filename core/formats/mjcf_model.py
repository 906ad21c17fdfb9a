# SPDX-License-Identifier: Apache-2.0
"""The robot of an MJCF file as values: a link for each body, and one more for each joint but the last of a body."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from ..body.pose import Pose
from ..errors import Finding
from ..mjcf.link import GeomReader, MjcfLink
from ..mjcf.robot import Body, MjcfRobot
from ..mjcf.robot import Joint as ReadJoint
from ..robot.model import WORLD, Collision, Joint, JointKind, Link, Model, Unusable, Visual
from ..sdf.spec.names import UniqueNames
from ..sdf.xml.document import Document
from .robot_file import ImportedRobot, LostPart, mesh_not_imported, not_imported, part_key

KINDS: dict[str, JointKind] = {"hinge": "revolute", "slide": "prismatic", "ball": "ball"}

_Shown = TypeVar("_Shown", Collision, Visual)

LEFT = ("tendon", "equality", "flex", "skin", "actuator", "sensor", "keyframe")
"""Sections of an MJCF that are not imported."""


def mjcf_model(
    document: Document, robot: MjcfRobot, links: Sequence[MjcfLink], reader: GeomReader, findings: Sequence[Finding]
) -> ImportedRobot:
    """Return a robot as a model."""
    return _Reading(document, robot, links, reader, findings).robot()


def mjcf_joints(document: Document, robot: MjcfRobot, links: Sequence[MjcfLink], reader: GeomReader) -> Sequence[Joint]:
    """Return the joints of a robot; reads no mesh."""
    return _Reading(document, robot, links, reader, ()).joints()[1]


class _Reading:
    def __init__(
        self,
        document: Document,
        robot: MjcfRobot,
        links: Sequence[MjcfLink],
        reader: GeomReader,
        findings: Sequence[Finding],
    ) -> None:
        self.document, self.read, self.links, self.reader = document, robot, links, reader
        self.findings = [*findings]
        self.lost: list[LostPart] = []
        self.names = UniqueNames()
        self.mimics = dict(robot.mimics())

    def robot(self) -> ImportedRobot:
        between, joints = self.joints()
        links = [*map(self._link, self.links), *between]
        tags = {place.element.tag: place for place in self.read.expanded.places}
        left = [f"<{tag}>" for tag in LEFT if tag in tags]
        if left:
            place = str(self.document.at(self.document.root))
            self.findings.append(not_imported(place, "elements", "info", elements=", ".join(left)))
        return ImportedRobot(
            self.document.path or Path(self.document.name),
            Model(self.read.name, tuple(links), tuple(joints)),
            {link.name: link.manual for link in links},
            self.reader.uses,
            tuple(dict.fromkeys([*self.findings, *self.names.findings])),
            tuple(self.lost),
        )

    def joints(self) -> tuple[list[Link], list[Joint]]:
        """Return the links between several joints of a body, and all joints."""
        for body in self.read.bodies:
            self.names.take(body.name)
        links: list[Link] = []
        joints: list[Joint] = []
        for body in self.read.bodies:
            between, own = self._joints(body)
            links += between
            joints += own
        return links, joints

    def _link(self, link: MjcfLink) -> Link:
        """Return a link whose parts can all be read; one that MuJoCo computes keeps its densities and masses."""
        read = link.drawn
        return replace(
            read,
            name=link.local_name,
            collisions=tuple(self._readable(link, read.collisions)),
            visuals=tuple(self._readable(link, read.visuals)),
            masses=tuple(part for part in read.masses if not isinstance(part.geometry, Unusable)),
        )

    def _readable(self, link: MjcfLink, parts: Sequence[_Shown]) -> Iterator[_Shown]:
        for part in parts:
            if isinstance(part.geometry, Unusable):
                self.lost.append(LostPart(link.local_name, part_key(part)))
                self.findings.append(mesh_not_imported(f"a mesh of '{part.name}'", part.geometry.error))
            else:
                yield part

    def _joints(self, body: Body) -> tuple[list[Link], list[Joint]]:
        """Return the joints to a body, and the links between several of them."""
        parent = body.parent or WORLD
        moving = [joint for joint in body.joints if joint.kind in KINDS]
        if not moving:
            free = any(joint.kind == "free" for joint in body.joints)
            return [], [] if free or body.is_mocap else [self._fixed(body, parent)]
        between, joints = [], []
        for joint in moving[:-1]:
            link = Link(self.names.keep(f"{body.name}_{joint.name}"), body.pose, "filled")
            between.append(link)
            joints.append(self._joint(joint, parent, link.name))
            parent = link.name
        return between, [*joints, self._joint(moving[-1], parent, body.name)]

    def _fixed(self, body: Body, parent: str) -> Joint:
        return Joint(self.names.keep(f"{body.name}_fixed"), "fixed", parent, body.name)

    def _joint(self, joint: ReadJoint, parent: str, child: str) -> Joint:
        kind = KINDS[joint.kind]
        lower, upper = joint.limits or (None, None)
        if joint.kind == "ball":
            lower = upper = None
        x, y, z = joint.axis.tolist()
        return Joint(
            self.names.keep(joint.name, str(joint.place)),
            "continuous" if kind == "revolute" and joint.limits is None else kind,
            parent,
            child,
            Pose(Pose.identity.R, joint.anchor),
            (x, y, z),
            lower=lower,
            upper=upper,
            effort=joint.effort,
            damping=joint.damping,
            friction=joint.friction,
            rotor_inertia=joint.armature,
            mimic=self.mimics.get(joint.name),
        )
