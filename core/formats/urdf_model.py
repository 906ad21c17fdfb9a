# SPDX-License-Identifier: GPL-3.0-or-later
"""A URDF's robot as values: its own links, not lumped, and a frame for each link that is a bare point."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, cast

from ..body.inertial import Inertial
from ..body.pose import Pose
from ..errors import Finding
from ..robot.model import WORLD, Collision, Frame, Geometry, Joint, JointKind, Link, Model, Unusable, Visual
from ..sdf.spec.names import UniqueNames
from ..sdf.urdf.link import GeometryReader, is_point, numbered
from ..sdf.urdf.robot import Joint as ReadJoint
from ..sdf.urdf.robot import Link as ReadLink
from ..sdf.urdf.robot import Part, Robot
from ..sdf.xml.document import Element, child_of, children_of, qualified
from .not_imported import mesh_not_imported, not_imported
from .robot_file import ModelParts

KINDS = ("revolute", "continuous", "prismatic", "fixed")

OF_ROBOT = ("link", "joint", "material")

UNLIMITED = 1e16
"""Means no limit where URDF demands a number."""


def urdf_model(robot: Robot, reader: GeometryReader) -> ModelParts:
    """Return a robot as a model; raises InertiaError if its links and joints are not a tree."""
    robot.check_readable()
    return _Reading(robot, reader).robot()


class _Reading:
    def __init__(self, robot: Robot, reader: GeometryReader) -> None:
        self.document = robot.document
        self.read = robot
        self.reader = reader
        self.findings: list[Finding] = [*self.document.findings, *robot.findings]
        self.colors = _colors(self.document.root)

    def robot(self) -> ModelParts:
        poses = self._poses()
        holders = self._holders()
        names = UniqueNames()
        links: list[Link] = []
        published: dict[str, Inertial | None] = {}
        for name, link in poses.items():
            if holders[name] == name != WORLD:
                read = self.read.links[name]
                given = None if read.inertial is None or read.fault else read.inertial.transformed(read.origin)
                published[names.keep(name)] = given
                links.append(self._link(read, link, given))
        frames = tuple(self._frames(poses, holders, names))
        joints = tuple(self._joints(poses, holders, names))
        left = dict.fromkeys(qualified(one) for one in _elements(self.document.root) if one.tag not in OF_ROBOT)
        if left:
            place = str(self.document.at(self.document.root))
            self.findings.append(not_imported(place, "elements", elements=", ".join(f"<{one}>" for one in left)))
        name = str(self.document.root.get("name"))
        model = Model(name, tuple(links), joints, (), frames)
        return model, published, self.reader.uses, tuple(dict.fromkeys([*self.findings, *names.findings]))

    def _poses(self) -> dict[str, Pose]:
        """Return the pose of each link in the model, all joints at zero; parents first."""
        poses: dict[str, Pose] = {}
        for link in self.read.top_down():
            joint = link.joint
            poses[link.name] = Pose.identity if joint is None else poses[joint.parent] @ joint.origin
        return poses

    def _holders(self) -> dict[str, str]:
        """Return for each bare point the link that it is fixed to, and for each other link itself.

        A bare point may be fixed to a link above or below it: the root of many robots is a bare point. One that is
        fixed only to the world belongs to the world, and one without any fixed joint to itself.
        """
        beside: dict[str, list[str]] = {name: [] for name in self.read.links}
        for link in self.read.top_down():
            if link.joint is not None and link.joint.kind == "fixed":
                beside[link.name].insert(0, link.joint.parent)
                beside[link.joint.parent].append(link.name)
        holders = {}
        for name, link in self.read.links.items():
            reached = [name] if is_point(link) else []
            for one in reached:  # grows while it is read: the nearest first
                reached += [other for other in beside[one] if other not in reached]
            solid = [one for one in reached if one != WORLD and not is_point(self.read.links[one])]
            holders[name] = next(iter(solid), WORLD if WORLD in reached else name)
        return holders

    def _frames(self, poses: Mapping[str, Pose], holders: Mapping[str, str], names: UniqueNames) -> Iterator[Frame]:
        for name, X in poses.items():
            holder = holders[name]
            if WORLD not in (name, holder) and holder != name:
                yield Frame(names.keep(name), poses[holder].inverse() @ X, holder)
            elif holder == WORLD != name:
                place = str(self.document.at(self.read.links[name].element))
                self.findings.append(not_imported(place, "fixed_point", link=name))

    def _joints(self, poses: Mapping[str, Pose], holders: Mapping[str, str], names: UniqueNames) -> Iterator[Joint]:
        for name in poses:
            joint = self.read.links[name].joint
            if joint is None:
                continue
            parent, child = holders[joint.parent], holders[joint.child]
            if parent != child:
                made = self._joint(joint, parent, child, poses[child].inverse() @ poses[joint.child])
                if made is not None:
                    place = str(self.document.at(joint.element))
                    yield replace(made, name=names.keep(joint.name, place))

    def _link(self, link: ReadLink, pose: Pose, given: Inertial | None) -> Link:
        if given is None:
            place = str(self.document.at(link.element))
            self.findings.append(Finding.of("warning", "default_inertial", place, "link", name=link.name))
        collisions, visuals = [], []
        own = {kind: UniqueNames() for kind in link.parts}
        for number, part in enumerate(link.parts["collision"]):
            geometry = self._geometry(part)
            if geometry is not None:
                name = own["collision"].keep(part.name or numbered(link.name, "collision", number))
                collisions.append(Collision(name, part.pose, geometry))
        for number, part in enumerate(link.parts["visual"]):
            geometry = self._geometry(part)
            if geometry is not None:
                name = own["visual"].keep(part.name or numbered(link.name, "visual", number))
                visuals.append(Visual(name, part.pose, geometry, self._color(part.element)))
        mode: Any = "filled" if given is None else "manual"
        return Link(link.name, pose, mode, manual=given, collisions=tuple(collisions), visuals=tuple(visuals))

    def _geometry(self, part: Part) -> Geometry | None:
        """Return a part's geometry, None if its mesh is not imported."""
        geometry = self.reader.geometry(part)
        if isinstance(geometry, Unusable):
            self.findings.append(mesh_not_imported(f"a mesh of '{part.name or 'mesh'}'", geometry.error))
            return None
        return geometry

    def _color(self, visual: Element) -> tuple[float, float, float, float] | None:
        material = child_of(visual, "material")
        return _rgba(material) or (None if material is None else self.colors.get(material.get("name", "")))

    def _joint(self, joint: ReadJoint, parent: str, child: str, pose: Pose) -> Joint | None:
        place = str(self.document.at(joint.element))
        if joint.kind not in KINDS:
            self.findings.append(not_imported(place, "joint", joint=joint.name, kind=joint.kind))
            return None
        for tag in ("mimic", "safety_controller", "calibration"):
            if child_of(joint.element, tag) is not None:
                self.findings.append(not_imported(place, "in_joint", tag=tag, joint=joint.name))
        x, y, z = _vector(child_of(joint.element, "axis"), "xyz", (1.0, 0.0, 0.0))
        limit, dynamics = child_of(joint.element, "limit"), child_of(joint.element, "dynamics")
        limited = joint.kind in ("revolute", "prismatic")
        lower, upper = (_attribute(limit, name) or 0.0 if limited else None for name in ("lower", "upper"))
        return Joint(
            joint.name,
            cast(JointKind, joint.kind),
            parent,
            child,
            pose,
            (x, y, z),
            lower=None if lower is None or lower <= -UNLIMITED else lower,
            upper=None if upper is None or upper >= UNLIMITED else upper,
            effort=_bound(limit, "effort"),
            velocity=_bound(limit, "velocity"),
            damping=_attribute(dynamics, "damping") or 0.0,
            friction=_attribute(dynamics, "friction") or 0.0,
        )


def _elements(root: Element) -> list[Element]:
    """Return the elements right below the root."""
    return [child for child in root if isinstance(child.tag, str)]


def _colors(root: Element) -> Mapping[str, tuple[float, float, float, float]]:
    named = {}
    for material in children_of(root, "material"):
        color = _rgba(material)
        if color is not None:
            named[material.get("name", "")] = color
    return named


def _rgba(material: Element | None) -> tuple[float, float, float, float] | None:
    color = child_of(material, "color")
    try:
        numbers = [] if color is None else [float(word) for word in color.get("rgba", "").split()]
    except ValueError:
        return None
    return (numbers[0], numbers[1], numbers[2], numbers[3]) if len(numbers) == 4 else None


def _vector(element: Element | None, name: str, default: tuple[float, float, float]) -> tuple[float, float, float]:
    try:
        numbers = [] if element is None else [float(word) for word in element.get(name, "").split()]
    except ValueError:
        return default
    return (numbers[0], numbers[1], numbers[2]) if len(numbers) == 3 else default


def _attribute(element: Element | None, name: str) -> float | None:
    try:
        return None if element is None or element.get(name) is None else float(element.get(name, ""))
    except ValueError:
        return None


def _bound(limit: Element | None, name: str) -> float | None:
    value = _attribute(limit, name)
    return None if value is None or value >= UNLIMITED or value < 0.0 else value
