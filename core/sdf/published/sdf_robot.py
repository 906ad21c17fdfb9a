# SPDX-License-Identifier: GPL-3.0-or-later
"""The models of an SDF file as values, by libsdformat's rules for frames, names and joints."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast, get_args

import numpy as np

from ...body.inertial import Inertial
from ...body.pose import Pose
from ...errors import Finding, InertiaError, first_error
from ...robot.model import (
    WORLD,
    Collision,
    Frame,
    Geometry,
    Joint,
    JointKind,
    Link,
    Mesh,
    Model,
    Unusable,
    Visual,
)
from ..read.collision import MeshUse
from ..read.joints import Joint as ReadJoint
from ..read.joints import ScopeContents, ends
from ..read.link import ReadLink
from ..read.mesh_source import Loaders
from ..read.sdf_file import ReadModel, SdfFile, read_document
from ..spec.values import boolean, child_number, text_of, vector
from ..xml.document import Document, Element, child_of, children_of, qualified
from .not_imported import not_imported

KINDS = frozenset(get_args(JointKind))

UNLIMITED = 1e16
"""SDFormat's limits from here on are none."""

ITSELF = frozenset(
    {"pose", "link", "joint", "frame", "static", "self_collide", "allow_auto_disable", "enable_wind", "include"}
)
OF_LINK = frozenset({"pose", "inertial", "collision", "visual", "gravity", "self_collide", "kinematic", "enable_wind"})

Parts = tuple[Model, dict[str, Inertial | None], dict[Geometry, MeshUse], tuple[Finding, ...]]
"""What a `PublishedRobot` is made of, after its path."""


def sdf_robots(document: Document, roots: Sequence[Path] = (), loaders: Loaders | None = None) -> list[Parts]:
    """Read every model of a document; see `robots_of`."""
    file = read_document(document, roots, loaders=loaders)
    error = first_error(file.findings)
    if error is not None:
        raise InertiaError(error.code, error.subject, error.message, error.remedy, error.sdf_codes)
    contents = {id(one): one for one in file.contents}
    robots = []
    for model in file.models:
        if "::" in model.name:
            message = f"its model {model.name} stands in another one, which is not brought over"
            raise InertiaError("nested_model", document.name, message, "give that model a file of its own")
        if model.links:
            robots.append(_Reading(file, model, contents[model.links[0].body_key[0]]).robot())
    return robots


@dataclass(eq=False)
class _Reading:
    """One model as it is being read."""

    file: SdfFile
    read: ReadModel
    contents: ScopeContents
    meshes: dict[Geometry, MeshUse] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def robot(self) -> Parts:
        own = f"{self.read.name}::"
        self.by_name = {link.name.removeprefix(own): link for link in self.read.links}
        links = tuple(self._link(name, link) for name, link in self.by_name.items())
        joints = tuple(self._joints())
        frames = tuple(self._frames())
        self._tell_rest(self.read.document, self.read.element, self.read.name, ITSELF)
        published = {name: self._published(link) for name, link in self.by_name.items()}
        findings = tuple(dict.fromkeys([*self.file.noted, *self.findings]))
        model = Model(self.read.name, links, joints, (), frames, static=self.read.static)
        return model, published, self.meshes, findings

    def _published(self, link: ReadLink) -> Inertial | None:
        return None if link.auto or child_of(link.element, "inertial") is None else link.manual

    def _link(self, name: str, read: ReadLink) -> Link:
        link = read.link
        refused = [one for one in read.findings if one.severity == "error"]
        if refused and read.manual is None and not read.auto:
            raise InertiaError(refused[0].code, refused[0].subject, refused[0].message, refused[0].remedy)
        self.findings += read.findings
        elements = list(children_of(read.element, "collision"))
        collisions = [
            part for part, element in zip(link.collisions, elements, strict=True) if self._keeps(read, part, element)
        ]
        visuals = list(self._visuals(read))
        self._tell_rest(read.document, read.element, name, OF_LINK)
        return Link(
            name,
            link.pose,
            link.mode,
            link.density,
            link.mass,
            link.params,
            link.manual,
            tuple(collisions),
            tuple(visuals),
        )

    def _keeps(self, read: ReadLink, part: Collision, element: Element) -> bool:
        """Say whether a part is brought over; its mesh is remembered, and what is wrong with it told."""
        if isinstance(part.geometry, Unusable):
            error = part.geometry.error
            self.findings.append(not_imported(error.subject, f"{element.tag} '{part.name}': {error.message}"))
            return False
        if isinstance(part.geometry, Mesh):
            use = read.mesh_use(element)
            assert use is not None
            self.meshes[part.geometry] = use
        return True

    def _visuals(self, read: ReadLink) -> Iterator[Visual]:
        for number, element in enumerate(children_of(read.element, "visual")):
            name = element.get("name") or f"visual[{number + 1}]"
            try:
                part = read.part(element, name, read.part_pose(element))
            except InertiaError as error:
                part = Collision(name, Pose.identity, Unusable(error))
            if self._keeps(read, part, element):
                yield Visual(name, part.pose, part.geometry, _color(read.document, element))

    def _joints(self) -> Iterator[Joint]:
        scope = self.read.links[0]
        for name, joint in self.contents.joints.items():
            document, element = joint.document, joint.element
            place = str(document.at(element))
            kind = element.get("type", "").strip().lower()
            parent, child = (self._body(end) for end in ends(joint))
            if kind == "revolute2":
                kind = "universal"
                self.findings.append(not_imported(place, f"joint '{name}' is of the type revolute2: read as universal"))
            if kind not in KINDS or child is None or parent is None or child == WORLD:
                self.findings.append(not_imported(place, f"joint '{name}' of type '{kind}' is left out"))
                continue
            there = scope.frame_pose(name, place)
            pose = self._pose(child).inverse() @ there
            yield self._joint(joint, name, cast(JointKind, kind), parent, child, pose, there)

    def _joint(
        self, joint: ReadJoint, name: str, kind: JointKind, parent: str, child: str, pose: Pose, there: Pose
    ) -> Joint:
        document, element = joint.document, joint.element
        found = Joint(name, kind, parent, child, pose)
        values = found.__dict__ | {"pitch": child_number(document, element, "screw_thread_pitch") or 0.0}
        if kind == "screw" and child_of(element, "thread_pitch") is not None and not values["pitch"]:
            text = f"joint '{name}' has a <thread_pitch>, which is read as none: SDFormat has <screw_thread_pitch>"
            self.findings.append(not_imported(str(document.at(element)), text))
        for tag, prefix in (("axis", "axis"), ("axis2", "axis2")):
            axis = child_of(element, tag)
            if axis is not None:
                values[prefix] = self._axis(document, axis, there)
                if tag == "axis":
                    values |= _limits(document, axis)
                if child_of(axis, "mimic") is not None:
                    text = f"joint '{name}' mimics another, which is left out"
                    self.findings.append(not_imported(str(document.at(axis)), text))
        return Joint(**values)

    def _axis(self, document: Document, axis: Element, there: Pose) -> tuple[float, float, float]:
        """Return an axis in the joint's frame, which stands `there` in the model."""
        xyz = child_of(axis, "xyz")
        x, y, z = (0.0, 0.0, 1.0) if xyz is None else vector(document, xyz, 3)
        frame = "" if xyz is None else xyz.get("expressed_in", "").strip()
        old = child_of(axis, "use_parent_model_frame")
        if old is not None and boolean(document, old):
            frame = "__model__"
        if not frame:
            return x, y, z
        R = self.read.links[0].frame_pose(frame, document.at(axis)).R
        turned = there.R.T @ (R @ np.array([x, y, z]))
        return float(turned[0]), float(turned[1]), float(turned[2])

    def _frames(self) -> Iterator[Frame]:
        for element in children_of(self.read.element, "frame"):
            name = element.get("name", "")
            link = self._body(name)
            place = str(self.read.document.at(element))
            if link is None or link == WORLD:
                self.findings.append(not_imported(place, f"frame '{name}' is attached to no link"))
                continue
            there = self.read.links[0].frame_pose(name, place)
            yield Frame(name, self._pose(link).inverse() @ there, link)

    def _body(self, name: str) -> str | None:
        """Return the link that a name is fixed to, the world, or None."""
        key = self.contents.body(name)
        if key is None:
            return WORLD if name == WORLD else None
        if key[1] == WORLD and key[0] == 0:
            return WORLD
        return key[1] if key[1] in self.by_name else None

    def _pose(self, link: str) -> Pose:
        return self.by_name[link].link.pose

    def _tell_rest(self, document: Document, parent: Element, name: str, known: frozenset[str]) -> None:
        left = dict.fromkeys(qualified(child) for child in parent if str(child.tag) not in known)
        if left:
            text = f"{name}: {', '.join(f'<{one}>' for one in left)} left out"
            self.findings.append(not_imported(str(document.at(parent)), text))


def _limits(document: Document, axis: Element) -> dict[str, float | None]:
    limit, dynamics = child_of(axis, "limit"), child_of(axis, "dynamics")
    found: dict[str, float | None] = {}
    for name in ("lower", "upper", "effort", "velocity"):
        value = _number(document, limit, name)
        found[name] = None if value is None or abs(value) >= UNLIMITED or value < 0 and name in _NEGATIVE else value
    for name in ("damping", "friction"):
        found[name] = _number(document, dynamics, name) or 0.0
    return found


def _number(document: Document, parent: Element | None, tag: str) -> float | None:
    """Return a child's number as libsdformat reads it: of a text that only begins with one, that; the file tells."""
    try:
        return child_number(document, parent, tag)
    except InertiaError:
        found = child_of(parent, tag)
        begins = None if found is None else _BEGINNING.match(text_of(found))
        return None if begins is None else float(begins[0])


_BEGINNING = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")

_NEGATIVE = ("effort", "velocity")
"""A negative one means no limit."""


def _color(document: Document, visual: Element) -> tuple[float, float, float, float] | None:
    given = child_of(child_of(visual, "material"), "diffuse")
    if given is None:
        return None
    try:
        numbers = [float(word) for word in text_of(given).split()]
    except ValueError:
        return None
    if len(numbers) == 3:
        numbers.append(1.0)
    return (numbers[0], numbers[1], numbers[2], numbers[3]) if len(numbers) == 4 else None
