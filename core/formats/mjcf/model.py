# SPDX-License-Identifier: Apache-2.0
"""The robot of an MJCF file as values: a link for each body, and one more for each joint but the last of a body."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from ...body.inertial import Inertial
from ...body.pose import Pose
from ...errors import Finding
from ...robot.model import WORLD, Collision, Frame, InertiaMode, Joint, JointKind, Link, Model, Unusable, Visual
from ..robot_file import ImportedRobot, LostPart, elements_left_out, mesh_not_imported, not_imported, part_key
from ..sdf.spec.names import UniqueNames
from .links import GeomReader, MjcfLink
from .read import Body
from .read import Joint as ReadJoint

KINDS: dict[str, JointKind] = {"hinge": "revolute", "slide": "prismatic", "ball": "ball"}

UNLIMITED = 1e16
"""Means no limit where MJCF demands a number, as we write it."""

_Shown = TypeVar("_Shown", Collision, Visual)

MOVING = ("tendon", "flex")
"""Sections of an MJCF that are not imported, and change how the robot moves."""

LEFT = ("skin", "actuator", "sensor", "keyframe")
"""Other sections that are not imported."""

ALONE = ("flex", "skin")
"""Elements of these that are no sections: they count, and not what is in them."""


def mjcf_model(links: Sequence[MjcfLink], reader: GeomReader, findings: Sequence[Finding]) -> ImportedRobot:
    """Return a robot as a model."""
    return _Reading({link.local_name: link for link in links}, reader, [*findings]).robot()


def mjcf_joints(links: Sequence[MjcfLink], reader: GeomReader) -> Sequence[Joint]:
    """Return the joints of a robot; reads no mesh."""
    return _Reading({link.local_name: link for link in links}, reader, []).joints()[1]


class _Reading:
    def __init__(self, links: Mapping[str, MjcfLink], reader: GeomReader, findings: list[Finding]) -> None:
        self.links, self.reader, self.findings, self.read = links, reader, findings, reader.robot
        self.lost: list[LostPart] = []
        self.names, self.joint_names = UniqueNames(), UniqueNames()
        self.between: dict[str, str] = {}
        self.mimics = dict(self.read.mimics())

    def robot(self) -> ImportedRobot:
        links = {name: self._link(link) for name, link in self.links.items() if self.holders[name] == name}
        for name in links:
            self.names.take(name)
        between, joints = self.joints()
        links |= {link.name: link for link in between}
        for body in self.read.bodies:
            holder = links.get(self.holders[body.name])
            if holder is not None and holder.name != body.name:
                links[holder.name] = self._with_geometry(holder, self.links[body.name])
        frames = tuple(self._frames([*links, *(joint.name for joint in joints)]))
        document = self.read.expanded.document
        tags: Counter[str] = Counter()
        for element in self.read.expanded.places:
            tags[element.tag] += 1 if element.tag in ALONE else len(element)
        others = {f"<{tag}>": tags[tag] for tag in LEFT if tags[tag]}
        others |= {"<geom> of <worldbody>": 1} if self.read.parsed["world_has_geoms"] else {}
        moving = {f"<{tag}>": tags[tag] for tag in MOVING if tags[tag]}
        moving |= Counter(f"<{kind}> of <equality>" for kind in self.read.parsed["constraints"])
        place = str(document.root)
        self.findings += elements_left_out(place, moving)
        self.findings += elements_left_out(place, others, "info")
        return ImportedRobot(
            document.path or Path(document.name),
            Model(self.read.name, tuple(links.values()), tuple(joints), (), frames),
            {link.name: link.manual for link in links.values()},
            self.reader.uses,
            tuple(dict.fromkeys([*self.findings, *self.names.findings, *self.joint_names.findings])),
            tuple(self.lost),
            self.between,
        )

    def joints(self) -> tuple[list[Link], list[Joint]]:
        """Return the links between several joints of a body, and all joints; reads no mesh.

        As in MuJoCo, a joint may have the name of a body.
        """
        links: list[Link] = []
        joints: list[Joint] = []
        for body in self.read.bodies:
            between, of_body = self._joints(body)
            links += between
            joints += of_body
        return links, joints

    @cached_property
    def holders(self) -> Mapping[str, str]:
        """For each body without mass the one that it is fixed to, and for each other body itself.

        MuJoCo moves no body without mass, unless one with mass is fixed to it. One that is fixed to the world belongs
        to the world, but stays a link if it has geometry.
        """
        holders = {WORLD: WORLD}
        for body in self.read.bodies:
            holder = holders[body.parent or WORLD]
            if self._has_mass(body.name) or (holder == WORLD and self.links[body.name].has_geometry):
                holder = body.name
            elif body.joints:
                holder = self._fixed_to(body.name)
            holders[body.name] = holder
        return holders

    def _fixed_to(self, name: str) -> str:
        """Return the first body with mass that is fixed to a body, directly or by others; itself if there is none."""
        fixed = {name}
        for body in self.read.bodies:
            if body.parent in fixed and not body.joints:
                if self._has_mass(body.name):
                    return body.name
                fixed.add(body.name)
        return name

    def _has_mass(self, name: str) -> bool:
        link = self.links[name]
        return link.auto or bool(link.mass)

    def _link(self, link: MjcfLink) -> Link:
        """Return a link whose parts can all be read; one that MuJoCo computes keeps its densities and masses.

        It has MuJoCo's numbers if it is not the sum of solids that can be read.
        """
        read, manual = link.drawn, link.inertial if link.mass else None
        unread = any(isinstance(part.geometry, Unusable) for part in read.weighed)
        if link.auto and (unread or any(self.reader.is_odd(geom) for geom in link.read.geoms if geom.counts)):
            manual = link.body.inertial
        return replace(
            read,
            name=link.local_name,
            mode=_mode(link, manual),
            manual=manual,
            collisions=tuple(self._readable(link.local_name, read.collisions)),
            visuals=tuple(self._readable(link.local_name, read.visuals)),
            masses=tuple(part for part in read.masses if not isinstance(part.geometry, Unusable)),
        )

    def _readable(self, link: str, parts: Sequence[_Shown]) -> Iterator[_Shown]:
        for part in parts:
            if isinstance(part.geometry, Unusable):
                if part.geometry.error.code != "bad_mjcf":
                    self.lost.append(LostPart(link, part_key(part)))
                self.findings.append(mesh_not_imported(f"a mesh of '{part.name}'", part.geometry.error))
            else:
                yield part

    def _with_geometry(self, holder: Link, held: MjcfLink) -> Link:
        """Return a link A with the geometry of a body B without mass that is fixed to it."""
        X_AB, prefix = holder.pose.inverse() @ held.read.pose, f"{held.local_name}_"
        collisions = [
            replace(part, name=prefix + part.name, pose=X_AB @ part.pose, has_mass=False)
            for part in held.link.collisions
        ]
        visuals = [replace(part, name=prefix + part.name, pose=X_AB @ part.pose) for part in held.visuals]
        return replace(
            holder,
            collisions=(*holder.collisions, *self._readable(holder.name, collisions)),
            visuals=(*holder.visuals, *self._readable(holder.name, visuals)),
        )

    def _frames(self, taken: Sequence[str]) -> Iterator[Frame]:
        """Yield the frames of bodies without mass, and sites; MuJoCo allows a site the name of a body or joint."""
        for body in self.read.bodies:
            holder = self.holders[body.name]
            if holder == WORLD:
                self.findings.append(not_imported(str(body.place), "fixed_point", "info", link=body.name))
                continue
            X_HB = self.links[holder].read.pose.inverse() @ body.pose
            if holder != body.name:
                yield Frame(self.names.keep(body.name), X_HB, holder)
            for name, pose in body.sites:
                if name:
                    yield Frame(self.names.keep(f"{name}_site" if name in taken else name), X_HB @ pose, holder)

    def _joints(self, body: Body) -> tuple[list[Link], list[Joint]]:
        """Return the joints to a body, and the links between several of them; a mocap body is fixed, as in MuJoCo."""
        parent, child = self.holders[body.parent or WORLD], self.holders[body.name]
        moving = [joint for joint in body.joints if joint.kind in KINDS]
        if parent == child or (body.joints and not moving):  # one link, or a free joint
            return [], []
        if not moving:
            return [], [Joint(self.joint_names.keep(f"{body.name}_fixed"), "fixed", parent, child)]
        between, joints = [], []
        for joint in moving[:-1]:
            link = Link(self.names.keep(f"{body.name}_{joint.name}"), body.pose, "none")
            between.append(link)
            self.between[link.name] = f"{body.name} ({', '.join(each.name for each in moving)})"
            joints.append(self._joint(joint, parent, link.name, Pose.identity))
            parent = link.name
        X_CB = self.links[child].read.pose.inverse() @ body.pose  # C is the child's frame: that of the body's holder
        return between, [*joints, self._joint(moving[-1], parent, child, X_CB)]

    def _joint(self, joint: ReadJoint, parent: str, child: str, pose: Pose) -> Joint:
        kind = KINDS[joint.kind]
        limits = (joint.limits if joint.kind != "ball" else None) or (None, None)
        lower, upper = (limit if limit is not None and abs(limit) < UNLIMITED else None for limit in limits)
        x, y, z = joint.axis.tolist()
        return Joint(
            self.joint_names.keep(joint.name, str(joint.place)),
            "continuous" if kind == "revolute" and joint.limits is None else kind,
            parent,
            child,
            pose @ Pose(Pose.identity.R, joint.anchor),
            (x, y, z),
            lower=lower,
            upper=upper,
            effort=joint.effort,
            damping=joint.damping,
            friction=joint.friction,
            spring_reference=joint.rest if joint.stiffness else 0.0,
            spring_stiffness=joint.stiffness,
            rotor_inertia=joint.armature,
            mimic=self.mimics.get(joint.name),
            place=joint.place,
        )


def _mode(link: MjcfLink, manual: Inertial | None) -> InertiaMode:
    if manual is not None:
        return "manual"
    return "filled" if link.auto or link.mass else "none"
