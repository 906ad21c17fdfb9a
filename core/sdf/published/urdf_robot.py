# SPDX-License-Identifier: GPL-3.0-or-later
"""A URDF's robot as values: its own links, none of them lumped together, and a frame for each that is a bare point."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np

from ...body.inertial import Inertial
from ...body.pose import Pose
from ...body.shapes import SHAPES
from ...errors import Finding, InertiaError
from ...robot.model import WORLD, Collision, Frame, Geometry, Joint, JointKind, Link, Mesh, Model, Unusable, Visual
from ..read.collision import MeshUse
from ..read.locate import Locator
from ..read.mesh_source import Loaders, MeshStore
from ..spec.names import UniqueNames
from ..urdf.robot import FIELDS, Part, Robot
from ..urdf.robot import Joint as ReadJoint
from ..urdf.robot import Link as ReadLink
from ..xml.document import Document, Element, child_of, children_of, qualified
from .not_imported import mesh_not_imported, not_imported
from .published_link import PublishedLink

KINDS = ("revolute", "continuous", "prismatic", "fixed")

OF_ROBOT = ("link", "joint", "material")

UNLIMITED = 1e16
"""What stands for no limit where URDF demands a number."""


def urdf_robot(
    document: Document, roots: Sequence[Path] = (), loaders: Loaders | None = None
) -> tuple[Model, dict[str, Inertial | None], dict[Geometry, MeshUse], tuple[Finding, ...]]:
    """Read a robot; see `robots_of`."""
    return _Reading(document, roots, loaders).robot()


def urdf_links(document: Document, roots: Sequence[Path] = ()) -> Iterator[PublishedLink]:
    """Yield the links of a robot but those that are bare points; see `links_of`."""
    reading = _Reading(document, roots, None)
    for link in reading.read.links.values():
        if link.name != WORLD and not _is_point(link):
            yield reading.published(link)


class _Reading:
    def __init__(self, document: Document, roots: Sequence[Path], loaders: Loaders | None) -> None:
        if any(str(element.tag).startswith("xacro") for element in document.root.iter("*")):
            message = "it is a xacro file, whose macros are not expanded"
            raise InertiaError("xacro", document.name, message, "expand it: xacro FILE > robot.urdf")
        self.document = document
        self.read = Robot.read(document)
        folder = Path(os.path.realpath(document.path or "robot.urdf")).parent
        self.locator = Locator.of(folder, roots)
        self.store = MeshStore(self.locator.roots, loaders or {})
        self.meshes: dict[Geometry, MeshUse] = {}
        self.findings: list[Finding] = [*document.findings, *self.read.findings]
        self.colors = _colors(document.root)

    def robot(self) -> tuple[Model, dict[str, Inertial | None], dict[Geometry, MeshUse], tuple[Finding, ...]]:
        poses = self._poses()
        holders = self._holders()
        names = UniqueNames()
        links: list[Link] = []
        published: dict[str, Inertial | None] = {}
        for name, link in poses.items():
            if holders[name] == name != WORLD:
                read = self.read.links[name]
                given = None if read.inertial is None or read.unread else read.inertial.transformed(read.origin)
                published[names.keep(name)] = given
                links.append(self._link(read, link, given))
        frames = tuple(self._frames(poses, holders, names))
        joints = tuple(self._joints(poses, holders, names))
        left = dict.fromkeys(qualified(one) for one in _elements(self.document.root) if one.tag not in OF_ROBOT)
        if left:
            text = f"{', '.join(f'<{one}>' for one in left)} left out"
            self.findings.append(not_imported(str(self.document.at(self.document.root)), text))
        name = str(self.document.root.get("name"))
        model = Model(name, tuple(links), joints, (), frames)
        return model, published, self.meshes, tuple(dict.fromkeys([*self.findings, *names.findings]))

    def published(self, link: ReadLink) -> PublishedLink:
        """Return a link with all its parts, those too that urdfdom does not get to."""
        names: dict[tuple[str, str], tuple[str, ...]] = {}
        elements: dict[str, list[tuple[str, Element]]] = {}
        for kind in link.parts:
            own = UniqueNames()
            found = enumerate(children_of(link.element, kind))
            elements[kind] = [(own.keep(one.get("name") or _numbered(link.name, kind, n)), one) for n, one in found]
            names |= {(kind, name): tuple(_other_names(one)) for name, one in elements[kind]}

        def visuals() -> tuple[Visual, ...]:
            return tuple(Visual(name, *self._placed(one)) for name, one in elements["visual"])

        collisions = tuple(Collision(name, *self._placed(one)) for name, one in elements["collision"])
        place = self.document.at(link.element)
        model = str(self.document.root.get("name"))
        inertial = child_of(link.element, "inertial")
        given = inertial is not None
        mass = _attribute(child_of(inertial, "mass"), "value")
        published = None
        findings: tuple[Finding, ...] = ()
        if given and link.inertial is not None:
            published = None if link.unread else link.inertial.transformed(link.origin)
        if given and link.unread:
            said = [one for one in self.read.findings if one.subject.startswith(f"{place}/inertial")]
            other = Finding("error", "bad_number", str(place), "its inertial cannot be read", "write it anew")
            findings = (replace(said[0] if said else other, severity="error"),)
        whole = Link(link.name, Pose.identity, "filled", collisions=collisions)
        return PublishedLink(
            *(model, link.name, place, self.document, whole, published, given, mass, False, findings, names),
            has_visual=bool(elements["visual"]),
            read_visuals=visuals,
            read_seen=visuals,
        )

    def _placed(self, element: Element) -> tuple[Pose, Geometry]:
        try:
            part = self.read.part(element)
        except InertiaError as error:
            return Pose.identity, Unusable(error)
        return part.pose, self.geometry(part)

    def _poses(self) -> dict[str, Pose]:
        """Return where each link is in the model, all joints at zero; parents first."""
        poses: dict[str, Pose] = {}
        for link in self.read.top_down():
            joint = link.joint
            poses[link.name] = Pose.identity if joint is None else poses[joint.parent] @ joint.origin
        return poses

    def _holders(self) -> dict[str, str]:
        """Return for each link that is a bare point the link that it is fixed to, for each other one itself.

        What bare points are fixed to may be above or below them: the root of many robots is one. One that is fixed to
        the world alone is held by that, and one that nothing holds by itself.
        """
        beside: dict[str, list[str]] = {name: [] for name in self.read.links}
        for link in self.read.top_down():
            if link.joint is not None and link.joint.kind == "fixed":
                beside[link.name].insert(0, link.joint.parent)
                beside[link.joint.parent].append(link.name)
        holders = {}
        for name, link in self.read.links.items():
            reached = [name] if _is_point(link) else []
            for one in reached:  # which grows: the nearest first
                reached += [other for other in beside[one] if other not in reached]
            solid = [one for one in reached if one != WORLD and not _is_point(self.read.links[one])]
            holders[name] = next(iter(solid), WORLD if WORLD in reached else name)
        return holders

    def _frames(self, poses: Mapping[str, Pose], holders: Mapping[str, str], names: UniqueNames) -> Iterator[Frame]:
        for name, X in poses.items():
            holder = holders[name]
            if WORLD not in (name, holder) and holder != name:
                yield Frame(names.keep(name), poses[holder].inverse() @ X, holder)
            elif holder == WORLD != name:
                place = str(self.document.at(self.read.links[name].element))
                self.findings.append(not_imported(place, f"link '{name}' is a bare point fixed to the world"))

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
            text = f"link '{link.name}' has no inertial: its inertia would be computed from its collisions"
            self.findings.append(Finding("warning", "default_inertial", place, text, "give it one"))
        collisions, visuals = [], []
        own = {kind: UniqueNames() for kind in link.parts}
        for number, part in enumerate(link.parts["collision"]):
            geometry = self._geometry(part)
            if geometry is not None:
                name = own["collision"].keep(part.name or _numbered(link.name, "collision", number))
                collisions.append(Collision(name, part.pose, geometry))
        for number, part in enumerate(link.parts["visual"]):
            geometry = self._geometry(part)
            if geometry is not None:
                name = own["visual"].keep(part.name or _numbered(link.name, "visual", number))
                visuals.append(Visual(name, part.pose, geometry, self._color(part.element)))
        mode: Any = "filled" if given is None else "manual"
        return Link(link.name, pose, mode, manual=given, collisions=tuple(collisions), visuals=tuple(visuals))

    def _geometry(self, part: Part) -> Geometry | None:
        """Return a part's geometry, None where its mesh is not brought over."""
        geometry = self.geometry(part)
        if isinstance(geometry, Unusable):
            self.findings.append(mesh_not_imported(f"a mesh of '{part.name or 'mesh'}'", geometry.error))
            return None
        return geometry

    def geometry(self, part: Part) -> Geometry:
        """Return a part's geometry; one whose mesh cannot be read is `Unusable`."""
        geometry = child_of(part.element, "geometry")
        assert geometry is not None
        shape = next(geometry.iterchildren("*"))
        place = self.document.at(shape)
        kind = str(shape.tag)
        if kind in FIELDS:
            numbers = [[float(word) for word in shape.get(name, "").split()] for name in FIELDS[kind]]
            return SHAPES[kind](*(tuple(one) if len(one) > 1 else one[0] for one in numbers))
        try:
            path = self.locator.find_mesh(shape.get("filename", ""), place)
            x, y, z = (float(word) for word in shape.get("scale", "1 1 1").split())
            mesh = Mesh(self.store.surface(path), np.diag([x, y, z]))
        except InertiaError as error:
            return Unusable(error.about(str(place)))
        self.meshes[mesh] = MeshUse(path, (x, y, z), None, False, "")
        return mesh

    def _color(self, visual: Element) -> tuple[float, float, float, float] | None:
        material = child_of(visual, "material")
        return _rgba(material) or (None if material is None else self.colors.get(material.get("name", "")))

    def _joint(self, joint: ReadJoint, parent: str, child: str, pose: Pose) -> Joint | None:
        place = str(self.document.at(joint.element))
        if joint.kind not in KINDS:
            self.findings.append(not_imported(place, f"joint '{joint.name}' of type {joint.kind} is left out"))
            return None
        for tag in ("mimic", "safety_controller", "calibration"):
            if child_of(joint.element, tag) is not None:
                self.findings.append(not_imported(place, f"<{tag}> of joint '{joint.name}' is left out"))
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


def _other_names(element: Element) -> Iterator[str]:
    """Yield what else a part is called: its material, its mesh file."""
    for material in children_of(element, "material"):
        yield material.get("name", "")
    for mesh in element.iterfind("geometry/mesh"):
        yield mesh.get("filename", "")


def _elements(root: Element) -> list[Element]:
    """Return the elements right below the root."""
    return [child for child in root if isinstance(child.tag, str)]


def _is_point(link: ReadLink) -> bool:
    """Say whether a link is no more than a frame: without inertial and parts."""
    return all(child_of(link.element, tag) is None for tag in ("inertial", "visual", "collision"))


def _numbered(link: str, kind: str, number: int) -> str:
    """Return the name that libsdformat gives a part without one."""
    return f"{link}_{kind}" if number == 0 else f"{link}_{kind}_{number}"


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
