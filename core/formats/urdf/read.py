# SPDX-License-Identifier: Apache-2.0
"""Reads the links and joints of a URDF file like urdfdom, the parser that libsdformat uses.

If urdfdom cannot parse part of a link, it ignores the rest of that link, and a number that it did not reach is zero.
If it cannot parse a joint or the tree, it refuses the file. Other parsers do not, so such a file is read here too, and
the reasons are kept in `Robot.refusals`. (urdfdom 4: link.cpp, joint.cpp, model.cpp, urdf_model/model.h.)

The XML is parsed as that of SDF. yourdfpy, the maintained library for URDF, gives no line
numbers, accepts a DOCTYPE and needs some thirty packages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import isfinite

import numpy as np

from ...body.inertial import COMPONENTS, Inertial
from ...body.pose import Pose
from ...body.shapes import SHAPES
from ...document.document import Document
from ...document.element import Element, child_of, children_of
from ...errors import Finding, InertiaError
from ..sdf.scope import circle_text
from ..sdf.spec.codes import sdf_error

FIELDS = {kind: SHAPES[kind].fields for kind in ("box", "sphere", "cylinder", "capsule")}
"""URDF's shapes, with the attributes of each and their count of numbers; the names are also those of SDF's elements."""

JOINT_TYPES = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")

IGNORED = "libsdformat ignores it and what follows it in the link"

LOST_JOINTS = ("ends", "two_parents", "two_joints", "joint")
"""Forms of refusals of a joint whose child may have no other one, and then seems to be a root."""

XACRO = "xacro:"

WORLD = "world"

_NUMBER = re.compile(r" *[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


@dataclass
class Part:
    """A collision or visual: its element, and its pose in the link."""

    element: Element
    name: str
    pose: Pose


@dataclass
class Link:
    """A link.

    Parameters
    ----------
    inertial : Inertial or None
        In the frame of ``<inertial>``, whose pose in the link is `origin`.
    fault : InertiaError or None
        Why the inertial cannot be read in full; `inertial` then has what urdfdom makes of it.
    joint : Joint or None
        The joint to its parent.
    children : list of Joint
        The joints to its children.
    """

    element: Element
    name: str
    inertial: Inertial | None = None
    origin: Pose = Pose.identity
    fault: InertiaError | None = None
    parts: dict[str, list[Part]] = field(default_factory=lambda: {"visual": [], "collision": []})
    joint: Joint | None = None
    children: list[Joint] = field(default_factory=list)


@dataclass
class Joint:
    """A joint, with its child's pose in its parent."""

    element: Element
    name: str
    kind: str
    parent: str
    child: str
    origin: Pose


@dataclass
class Robot:
    """A robot as written in its file.

    Parameters
    ----------
    links : dict of str to Link
        By name; of links with the same name, the first.
    all_links : list of Link
        All, in the file's order.
    root : str
        The first link that is not the child of a joint.
    findings : list of Finding
        What urdfdom ignores in single links.
    refusals : list of InertiaError
        Why urdfdom, and so libsdformat, refuses the file (``bad_urdf``).
    """

    document: Document
    links: dict[str, Link] = field(default_factory=dict)
    all_links: list[Link] = field(default_factory=list)
    root: str = ""
    findings: list[Finding] = field(default_factory=list)
    refusals: list[InertiaError] = field(default_factory=list)

    @classmethod
    def read(cls, document: Document) -> Robot:
        """Read a robot.

        Raises
        ------
        InertiaError
            ``xacro`` for a file whose macros are not expanded, ``bad_urdf`` for one without links.
        """
        if any(element.tag.startswith(XACRO) for element in document.root.iter()):
            raise unexpanded(document)
        robot = cls(document)
        if document.root.get("name") is None:
            robot._add_refusal(document.root, "no_name")
        for element in children_of(document.root, "link"):
            robot._add_link(element)
        if not robot.links:
            raise sdf_error("bad_urdf", document.root, "no_link")
        joints: dict[str, Joint] = {}
        for element in children_of(document.root, "joint"):
            try:
                joint = robot._read_joint(element)
            except InertiaError as error:
                robot.refusals.append(error)
                continue
            if joint.name in joints:
                robot._add_refusal(element, "two_joints", name=joint.name)
            joints.setdefault(joint.name, joint)
        for name in sorted(joints, key=str.encode):  # urdfdom keeps joints in a std::map, so children have its order
            robot._attach(joints[name])
        robot._find_root()
        return robot

    def check_accepted(self) -> None:
        """Raise the first reason why urdfdom refuses the file, if there is one."""
        if self.refusals:
            raise self.refusals[0]

    def structure_findings(self) -> list[Finding]:
        """Return what is wrong with the tree of links for every reader; urdfdom refuses some of it, too."""
        has_root = any(link.joint is None for link in self.links.values())
        forms = {refusal.sentence.form for refusal in self.refusals}
        findings = []
        for refusal in self.refusals:
            place, form, values = refusal.subject, refusal.sentence.form, refusal.sentence.values
            if form == "ends":
                findings.append(Finding.of("error", "joint_parent_missing", place, "file", **values))
            elif form == "two_parents":
                findings.append(Finding.of("warning", "two_parents", place, "file", **values))
            elif form == "roots" and not has_root:
                findings.append(Finding.of("error", "no_root", place, "file"))
            elif form == "roots" and forms.isdisjoint(LOST_JOINTS):
                findings.append(Finding.of("warning", "free_links", place, "file", **values))
        return [*findings, *(self._loops() if has_root else ())]

    def _loops(self) -> Iterator[Finding]:
        """Yield the cycles of links, which no joint joins to the root."""
        done: set[str] = set()
        for start in self.links.values():
            above: dict[str, None] = {}
            link = start
            while link.joint is not None and link.name not in above and link.name not in done:
                above[link.name] = None
                link = self.links[link.joint.parent]
            if link.joint is not None and link.name in above:
                circle = [*above][::-1]
                circle = circle[: circle.index(link.name) + 1]
                names = circle_text(circle, circle[0])
                yield Finding.of("error", "joint_loop", str(link.joint.element), "file", names=names)
            done.update(above)

    def in_kinematic_order(self) -> list[Link]:
        """Return all links, parents before children, siblings in file order; last, those in a loop or repeated."""
        place = {link.name: number for number, link in enumerate(self.links.values())}
        waiting = [link.name for link in reversed(self.links.values()) if link.joint is None]
        ordered = []
        while waiting:
            link = self.links[waiting.pop()]
            ordered.append(link)
            waiting += sorted((joint.child for joint in link.children), key=place.__getitem__, reverse=True)
        known = {id(link) for link in ordered}
        return [*ordered, *(link for link in self.all_links if id(link) not in known)]

    def _refusal(self, element: Element, form: str, **values: object) -> InertiaError:
        return sdf_error("bad_urdf", element, form, **values)

    def _add_refusal(self, element: Element, form: str, **values: object) -> None:
        self.refusals.append(self._refusal(element, form, **values))

    def top_down(self, name: str = "", last_first: bool = False) -> Iterator[Link]:
        """Yield a link, by default the root, and its descendants, parents before children."""
        waiting = [name or self.root]
        while waiting:
            link = self.links[waiting.pop()]
            yield link
            waiting += [joint.child for joint in (link.children if last_first else reversed(link.children))]

    def _add_link(self, element: Element) -> None:
        link = Link(element, element.get("name", ""))
        if link.name in self.links:
            self._add_refusal(element, "two_links", name=link.name)
        self.links.setdefault(link.name, link)
        self.all_links.append(link)
        try:
            self._read_into(link)
        except _PartlyReadError as error:
            finding = error.finding("warning")
            self.findings.append(finding.with_values({"rest": error.effect}))

    def _read_into(self, link: Link) -> None:
        """Read the inertial and the parts of a link; raise `_PartlyReadError` where urdfdom stops."""
        given = child_of(link.element, "inertial")
        if given is not None:
            self._read_inertial(link, given)
        for tag in link.parts:
            for element in children_of(link.element, tag):
                link.parts[tag].append(self.part(element))

    def part(self, element: Element) -> Part:
        """Return a ``<visual>`` or ``<collision>``; raises InertiaError if urdfdom cannot parse it."""
        X = self._pose(element, IGNORED)
        self._check_geometry(element)
        return Part(element, element.get("name", ""), X)

    def _read_inertial(self, link: Link, given: Element) -> None:
        effect = "libsdformat reads {}, and none of the link's visuals and collisions"
        mass, tensor = 0.0, np.zeros((3, 3))
        try:
            link.origin = self._pose(given, effect.format("no mass"))
            mass = self._number(given, "mass", "value", effect.format("no mass"))
            inertia = child_of(given, "inertia")
            missing = [name for name in COMPONENTS if inertia is None or name not in inertia.attrib]
            if missing:
                zeros = effect.format("a tensor of zeros")
                raise self._partly_read(given, "bad_number", "inertia", zeros, absent=", ".join(missing))
            for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"):
                i, j = COMPONENTS[name]
                tensor[i, j] = tensor[j, i] = self._number(given, "inertia", name, effect.format("zeros from here on"))
        except InertiaError as error:
            link.fault = error
            raise
        finally:  # keep what was parsed
            link.inertial = Inertial(mass, np.zeros(3), tensor)

    def _check_geometry(self, element: Element) -> None:
        geometry = child_of(element, "geometry")
        shape = geometry[0] if geometry is not None and len(geometry) else None
        if shape is None or shape.tag not in (*FIELDS, "mesh"):
            raise self._partly_read(element, "no_geometry", "urdf", IGNORED)
        for name, count in FIELDS.get(shape.tag, {}).items():
            if len(_numbers(shape.get(name, "")) or ()) != count:
                text = shape.get(name, "")
                raise self._partly_read(shape, "bad_number", "size", IGNORED, name=name, text=text)
        if shape.tag == "mesh" and (not shape.get("filename") or len(_numbers(shape.get("scale", "1 1 1")) or ()) != 3):
            raise self._partly_read(shape, "bad_number", "mesh", IGNORED)

    def _read_joint(self, element: Element) -> Joint:
        """Return a joint; raises InertiaError for one without a name or between links that do not exist."""
        name, kind = element.get("name"), element.get("type", "")
        if name is None:
            raise self._refusal(element, "joint", kind=kind)
        if kind not in JOINT_TYPES:
            self._add_refusal(element, "joint", kind=kind)
        ends = [child_of(element, tag) for tag in ("parent", "child")]
        parent, child = ("" if end is None else end.get("link", "") for end in ends)
        for link in (parent, child):
            if link not in self.links:
                raise self._refusal(element, "ends", joint=name, link=link)
        limit = child_of(element, "limit")
        if kind in ("revolute", "prismatic") and (
            limit is None or any(not _numbers(limit.get(attribute, "")) for attribute in ("effort", "velocity"))
        ):
            self._add_refusal(element, "limit", joint=name)
        origin = Pose.identity
        try:
            origin = self._pose(element, "")
        except InertiaError as error:
            self._add_refusal(element, "pose", reason=error.sentence)
        return Joint(element, name, kind, parent, child, origin)

    def _attach(self, joint: Joint) -> None:
        child = self.links[joint.child]
        if child.joint is not None:
            values = {"child": joint.child, "first": child.joint.name, "second": joint.name}
            self._add_refusal(joint.element, "two_parents", **values)
            return
        child.joint = joint
        self.links[joint.parent].children.append(joint)

    def _find_root(self) -> None:
        roots = [link for link in self.links.values() if link.joint is None]
        if len(roots) != 1:
            names = ", ".join(f"'{link.name}'" for link in roots[:5]) or "none"
            element = roots[1].element if len(roots) > 1 else self.document.root
            self._add_refusal(element, "roots", links=names)
        self.root = roots[0].name if roots else next(iter(self.links))

    def _pose(self, element: Element, effect: str) -> Pose:
        origin = child_of(element, "origin")
        if origin is None:
            return Pose.identity
        numbers: list[float] = []
        for name in ("xyz", "rpy"):
            text = origin.get(name, "0 0 0")
            values = _numbers(text)
            if values is None or len(values) != 3:
                raise self._partly_read(origin, "bad_pose", "urdf", effect, name=name, text=text[:40])
            numbers += values
        return Pose.from_sdf(numbers)

    def _number(self, parent: Element, tag: str, name: str, effect: str) -> float:
        element = child_of(parent, tag)
        text = "" if element is None else element.get(name, "")
        numbers = _numbers(text)
        if numbers is None or not _NUMBER.fullmatch(text):
            where = parent if element is None else element
            raise self._partly_read(where, "bad_number", "urdf", effect, name=name, tag=tag, text=text[:40])
        return numbers[0]

    def _partly_read(self, element: Element, code: str, form: str, effect: str, **values: str) -> _PartlyReadError:
        error = _PartlyReadError.of(code, str(element), form, **values)
        error.effect = effect
        return error


def unexpanded(document: Document) -> InertiaError:
    """Return the error for a xacro file that has not been expanded."""
    return InertiaError.of("xacro", document.name, "not_expanded")


class _PartlyReadError(InertiaError):
    """What urdfdom cannot parse; `effect` is what libsdformat makes of the link then."""

    effect = ""


def _numbers(text: str) -> list[float] | None:
    """Return the numbers of a text; None if a word is not a number, or is too large for a float."""
    words = text.split()
    if not all(map(_NUMBER.fullmatch, words)):
        return None
    numbers = [float(word) for word in words]
    return numbers if all(map(isfinite, numbers)) else None
