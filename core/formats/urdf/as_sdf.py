# SPDX-License-Identifier: Apache-2.0
"""Converts URDF to SDF as libsdformat does; findings name the elements of the URDF.

Links behind fixed joints are lumped into their parents before any check; links without mass are dropped, with all of
their descendants (libsdformat 16, parser_urdf.cc).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from ...body.inertial import COMPONENTS, Inertial
from ...body.pose import Pose
from ...document.document import Document
from ...document.element import Element, child_of
from ...document.numbers import number
from ...errors import Finding
from ..sdf.read import SdfFile, read_document
from ..sdf.spec.codes import sdf_error
from .read import FIELDS, WORLD, Joint, Link, Part, Robot

YES = ("true", "yes", "1")


def read_urdf(document: Document, roots: Sequence[Path] = (), to_write: bool = False) -> SdfFile:
    """Read a URDF as libsdformat does; `to_write` gives the SDF bytes of its own.

    Raises
    ------
    InertiaError
        What `Robot.read` raises, ``bad_urdf`` for a file that libsdformat refuses, or what `read_document`
        raises.
    """
    robot = Robot.read(document)
    robot.check_accepted()
    translated = _Translation(robot).document()
    file = read_document(translated.with_bytes() if to_write else translated, roots, check_schema=False)
    return replace(file, findings=(*document.findings, *robot.findings, *file.findings))


@dataclass
class _Translation:
    """Makes the SDF of a robot.

    `preserved` are the fixed joints that stay, `turning` those that become revolute ones with limits of zero.
    """

    robot: Robot
    preserved: set[str] = field(default_factory=set)
    turning: set[str] = field(default_factory=set)

    def document(self) -> Document:
        """Return the SDF."""
        urdf = self.robot.document.root
        sdf = Document.derived("sdf", {"version": "1.11"}, urdf)
        with np.errstate(over="ignore", invalid="ignore"):  # infinite values are refused later
            self._model(sdf.root.add("model", name=urdf.get("name", "")))
        return sdf

    def _model(self, model: Element) -> None:
        robot = self.robot
        self._keep_joints()
        if any(
            _is_yes(static) for gazebo in robot.document.root.iterfind("gazebo") for static in gazebo.iterfind("static")
        ):
            model.add("static", "true")
        robot.findings += self._without_centre()
        self._lump(model)
        starts = [robot.root]
        if robot.root == WORLD:
            starts = [joint.child for joint in robot.links[WORLD].children]
        branches: list[list[Link]] = []  # of what is left out: a massless link and its descendants
        branch_of: dict[str, list[Link]] = {}
        for start in starts:
            for link in robot.top_down(start):
                massless = link.inertial is None or link.inertial.mass <= 0.0
                if link.joint is not None and link.joint.parent in branch_of:
                    branch_of[link.name] = branch_of[link.joint.parent]
                    branch_of[link.name].append(link)
                elif massless and not self._reducible(link.joint):
                    branch_of[link.name] = [link]
                    branches.append(branch_of[link.name])
                elif not massless and not self._lumped(link):
                    self._link(model, link)
        for branch in branches:
            orphans = _remove_frames(model, {link.name for link in branch})
            robot.findings.append(self._not_modelled(branch[0], branch[1:], orphans))
            robot.findings += [finding for link in branch for finding in self._impossible(link)]
        if not model.findall("link"):
            first = starts[0] if starts else robot.root  # the world, which has no links
            robot.findings.append(sdf_error("no_link", robot.links[first].element, "urdf").finding())
        self._check_names(model)

    def _keep_joints(self) -> None:
        for gazebo in self.robot.document.root.iterfind("gazebo"):
            for tag, names in (("preserveFixedJoint", self.preserved), ("disableFixedJointLumping", self.turning)):
                if any(map(_is_yes, gazebo.iterfind(tag))):
                    names.add(gazebo.get("reference", ""))
        self.turning -= self.preserved

    def _reducible(self, joint: Joint | None) -> bool:
        return joint is not None and joint.kind == "fixed" and joint.name not in self.preserved | self.turning

    def _lumped(self, link: Link) -> bool:
        return self._reducible(link.joint) and link.joint is not None and link.joint.parent != WORLD

    def _lump(self, model: Element) -> None:
        """Move the contents of links behind fixed joints to the link that they are fixed to, with the joints on
        them."""
        holders: dict[str, tuple[Link, Pose]] = {}
        for link in self.robot.top_down():
            joint = link.joint
            if joint is None or not self._lumped(link):
                holders[link.name] = (link, Pose.identity)
                if joint is not None and joint.parent != holders[joint.parent][0].name:
                    holder, X_HP = holders[joint.parent]
                    joint.parent, joint.origin = holder.name, X_HP @ joint.origin
                continue
            holder, X_HP = holders[joint.parent]
            X_HL = X_HP @ joint.origin
            holders[link.name] = (holder, X_HL)
            _take(holder, link, X_HL)
            self._frame(model, joint.name, joint.element, joint.parent, joint.origin)
            self._frame(model, link.name, link.element, joint.name, Pose.identity)

    def _without_centre(self) -> Iterator[Finding]:
        """Yield an error for each link whose centre of mass is undefined after links of mass 0 were lumped.

        libsdformat goes from the leaves to the root, and divides each time by the mass of the two links.
        """
        links = [*self.robot.top_down(last_first=True)]
        masses = {link.name: 0.0 if link.inertial is None else link.inertial.mass for link in links}
        given = {link.name for link in links if link.inertial is not None}
        lost: dict[str, tuple[Link, str]] = {}
        for link in reversed(links):
            if link.name in given and link.joint is not None and self._lumped(link):
                parent = link.joint.parent
                masses[parent] += masses[link.name]
                given.add(parent)
                if link.name in lost or masses[parent] == 0.0:
                    lost.setdefault(parent, lost.get(link.name, (link, parent)))
            elif link.name in lost and masses[link.name] > 0.0:
                culprit, parent = lost[link.name]
                yield sdf_error("massless_lump", culprit.element, link=culprit.name, parent=parent).finding()

    def _frame(self, model: Element, name: str, origin: Element, attached_to: str, X: Pose) -> None:
        _pose(model.add("frame", origin=origin, name=name, attached_to=attached_to), X)

    def _link(self, model: Element, link: Link) -> None:
        element = model.add("link", origin=link.element, name=link.name)
        joint = link.joint
        if joint is not None:
            element.add("pose", relative_to=joint.name)
            self._joint(model, joint, link)
        assert link.inertial is not None
        inertial = element.add("inertial", origin=child_of(link.element, "inertial"))
        _pose(inertial, link.origin)
        inertial.add("mass", number(link.inertial.mass))
        tensor = inertial.add("inertia")
        for name, cell in COMPONENTS.items():
            tensor.add(name, number(float(link.inertial.inertia[cell])))
        for tag, parts in link.parts.items():
            for count, part in enumerate(parts):
                name = f"{part.name or link.name}_{tag}" + (f"_{count}" if count else "")
                if not name.startswith(link.name):
                    name = f"{link.name}_fixed_joint_lump__{name}"
                _part(element.add(tag, origin=part.element, name=name), part)

    def _joint(self, model: Element, joint: Joint, link: Link) -> None:
        kinds = {"continuous": "revolute", "floating": "", "planar": ""}
        kind = "revolute" if joint.name in self.turning else kinds.get(joint.kind, joint.kind)
        if not kind:
            return  # so that the link's pose is relative to nothing, which is an error
        element = model.add("joint", origin=joint.element, name=joint.name, type=kind)
        _pose(element, joint.origin).set("relative_to", "__model__" if joint.parent == WORLD else joint.parent)
        element.add("parent", joint.parent)
        element.add("child", link.name)

    def _not_modelled(self, link: Link, others: list[Link], orphans: list[str]) -> Finding:
        """Return the finding for a dropped branch; an error if fixed joints in it leave frames behind."""
        form = "no_inertial" if link.inertial is None else "lost"
        mass = None if link.inertial is None else link.inertial.mass
        names = {"others": ", ".join(other.name for other in others), "orphans": ", ".join(orphans)}
        codes = (23,) if orphans else ()
        error = sdf_error("massless_link", link.element, form, codes=codes, mass=mass, **names)
        return error.finding("error" if orphans else "warning")

    def _impossible(self, link: Link) -> list[Finding]:
        """Return what no body can have, for a link that libsdformat never checks: other simulators read it."""
        if link.inertial is None or link.inertial.mass == 0.0:
            return []
        return [doubt.about(str(link.element)) for doubt in link.inertial.findings() if doubt.severity == "error"]

    def _check_names(self, model: Element) -> None:
        for element in model.iter():
            name = element.get("name", "")
            if "::" in name or (name.startswith("__") and name.endswith("__")):
                self.robot.findings.append(sdf_error("reserved_name", element, "urdf", name=name[:60]).finding())


def _part(element: Element, part: Part) -> None:
    _pose(element, part.pose)
    given = child_of(part.element, "geometry")
    assert given is not None  # otherwise it would not be one of the link's parts
    old = given[0]
    shape = element.add("geometry", origin=given).add(old.tag, origin=old)
    if old.tag == "mesh":
        shape.add("uri", old.get("filename", ""))
        if old.get("scale"):
            shape.add("scale", old.get("scale"))
    for size in FIELDS.get(old.tag, ()):
        shape.add(size, old.get(size))


def _remove_frames(model: Element, gone: set[str]) -> list[str]:
    """Remove the frames that depend on links or frames by these names; return those of joints."""
    orphans = []
    for frame in model.findall("frame"):  # what a frame is attached to comes first
        if frame.get("attached_to") in gone:
            gone.add(frame.get("name", ""))
            orphans.append(frame.get("name", ""))
            model.remove(frame)
    return orphans[::2]  # each fixed joint has one for itself and one for its link


def _take(holder: Link, link: Link, X_HL: Pose) -> None:
    """Move the contents of a link L into its holder H; the holder's inertial keeps its axes."""
    if link.inertial is not None:
        # The sum is in H; its tensor is rotated back to the axes I of the holder's inertial.
        total = (holder.inertial or Inertial.zero).transformed(holder.origin)
        total += link.inertial.transformed(X_HL @ link.origin)
        R_HI = holder.origin.R
        holder.inertial = Inertial(total.mass, np.zeros(3), R_HI.T @ total.inertia @ R_HI)
        holder.origin = Pose(R_HI, total.com)
    for tag, parts in link.parts.items():
        holder.parts[tag] += [Part(part.element, part.name or link.name, X_HL @ part.pose) for part in parts]


def _pose(parent: Element, X: Pose) -> Element:
    return parent.add("pose", " ".join(number(value) for value in X.to_sdf()))


def _is_yes(element: Element) -> bool:
    return str(element.get("value") or element.text or "").strip().lower() in YES
