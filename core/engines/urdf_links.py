# SPDX-License-Identifier: Apache-2.0
"""The links of a URDF with the numbers that it gives, grouped by the fixed joints that join them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce

import numpy as np

from ..arrays import FloatArray
from ..body.inertial import COMPONENTS, Inertial
from ..body.pose import Pose
from ..document.element import child_of
from ..errors import Finding, InertiaError
from ..formats.robot_file import RobotFile
from ..formats.urdf.format import UrdfRobotFile
from ..formats.urdf.read import WORLD, Link
from ..robot.model import Collision
from .engine import EngineBody, EngineView, differs, unread

LinkRule = Callable[["GivenLink"], tuple[Inertial | None, tuple[Finding, ...]]]
"""Returns what an engine makes of a link, in the link's frame: None if that is unknown; and why, if it differs."""


@dataclass(frozen=True, eq=False)
class GivenLink:
    """A link of a URDF, with the numbers that its file gives.

    Parameters
    ----------
    read : urdf.Link
    place : str
    pose : Pose
        In the frame of the first link of its group.
    collisions : tuple of Collision
    meshes : sequence of str
        The files of its collisions' meshes as the URDF names them.
    has_geometry : bool
    """

    read: Link
    place: str
    pose: Pose
    collisions: tuple[Collision, ...]
    meshes: Sequence[str]
    has_geometry: bool

    @property
    def name(self) -> str:
        return self.read.name

    @property
    def has_inertial(self) -> bool:
        return child_of(self.read.element, "inertial") is not None

    @property
    def origin(self) -> Pose:
        return self.read.origin

    @cached_property
    def mass(self) -> float | None:
        """The mass [kg]; None if it is missing."""
        mass = child_of(child_of(self.read.element, "inertial"), "mass")
        return None if mass is None else float(mass.get("value", ""))

    @cached_property
    def components(self) -> Mapping[str, float] | None:
        """The given components of the tensor by name; None without ``<inertia>``."""
        tensor = child_of(child_of(self.read.element, "inertial"), "inertia")
        if tensor is None:
            return None
        return {name: float(tensor.get(name, "")) for name in COMPONENTS if name in tensor.attrib}

    @property
    def missing(self) -> tuple[str, ...]:
        """What its ``<inertial>`` lacks: ``mass``, ``inertia``, or components of the tensor."""
        given = self.components
        tensor = ("inertia",) if given is None else tuple(name for name in COMPONENTS if name not in given)
        return ("mass", *tensor) if self.mass is None else tensor

    @cached_property
    def inertial_axes_tensor(self) -> FloatArray:
        """The tensor about the centre of mass as in the file, in the axes of its origin; what is missing is 0."""
        matrix = np.zeros((3, 3))
        for name, number in (self.components or {}).items():
            i, j = COMPONENTS[name]
            matrix[i, j] = matrix[j, i] = number
        return matrix

    @cached_property
    def tensor(self) -> FloatArray:
        """The tensor about the centre of mass, in the link's axes; what is missing is 0."""
        tensor: FloatArray = self.origin.R @ self.inertial_axes_tensor @ self.origin.R.T
        return tensor

    @property
    def as_written(self) -> Inertial:
        """Its inertial; what is missing is 0."""
        return Inertial(self.mass or 0.0, self.origin.p, self.tensor)

    def check(self) -> None:
        """Raise ``engine_unread`` for numbers that each engine reads in its own way, such as words."""
        fault = self.read.fault
        try:
            numbers = [self.mass or 0.0, *(self.components or {}).values()]
        except ValueError:
            numbers = [float("nan")]
        if not np.isfinite(numbers).all() or (fault is not None and fault.code == "bad_pose"):
            raise InertiaError.of("engine_unread", self.place, "number", engine="")


@dataclass(frozen=True, eq=False)
class Group:
    """Links that fixed joints join, parents first; `is_root` if the first one has no parent."""

    links: tuple[GivenLink, ...]
    is_root: bool

    @property
    def in_world(self) -> bool:
        """True if its first link is the world, so that it never moves."""
        return self.links[0].name == WORLD

    @property
    def members(self) -> tuple[str, ...]:
        return tuple(link.name for link in self.links)

    @np.errstate(all="ignore")  # absurd sizes overflow, as in the engine
    def body(self, rule: LinkRule) -> EngineBody:
        """Return the sum of its links, each by a rule; None if one of them is unknown or overflows."""
        results = [rule(link) for link in self.links]
        reasons = tuple(reason for _, some in results for reason in some)
        known = [
            inertial.transformed(link.pose)
            for link, (inertial, _) in zip(self.links, results, strict=True)
            if inertial is not None
        ]
        total = reduce(Inertial.__add__, known) if len(known) == len(results) else None
        if total is not None and not total.is_finite():
            total = None
        return EngineBody(self.links[0].name, self.members, total, reasons)


def checked_finite(total: Inertial) -> Inertial:
    """Return a sum of collisions; raises InertiaError ``not_finite`` if their sizes overflow."""
    if not total.is_finite():
        raise InertiaError.of("not_finite", "", "part")
    return total


def groups_of(file: UrdfRobotFile) -> list[Group]:
    """Return the groups of a robot's links, in kinematic order.

    Raises
    ------
    InertiaError
        ``bad_urdf`` for a file that is not one tree of links, ``engine_unread`` for numbers that no rule covers.
    """
    file.robot.check_accepted()
    by_name = {link.local_name: link for link in file.links}
    groups: dict[str, list[GivenLink]] = {}
    group_of: dict[str, tuple[str, Pose]] = {}
    for read in file.robot.in_kinematic_order():
        if read.joint is not None and read.joint.parent not in group_of:  # in a loop
            continue
        first, pose = read.name, Pose.identity
        if read.joint is not None and read.joint.kind == "fixed":
            first, pose = group_of[read.joint.parent]
            pose = pose @ read.joint.origin
        group_of[read.name] = first, pose
        known = by_name.get(read.name)
        collisions = known.link.collisions if known else ()
        uris = [mesh.get("filename", "") for mesh in read.element.iterfind("collision/geometry/mesh")]
        link = GivenLink(read, str(read.element), pose, collisions, uris, known is not None)
        link.check()
        groups.setdefault(first, []).append(link)
    return [Group(tuple(links), links[0].read.joint is None) for links in groups.values()]


def urdf_view(
    engine: str,
    file: RobotFile,
    body_of: Callable[[Group], EngineBody],
    refusals: Callable[[UrdfRobotFile, list[Group]], Iterable[Finding]] = lambda _file, _groups: (),
) -> EngineView:
    """Return a URDF as an engine reads it: the bodies that are not the world, unless it refuses the file."""
    if not isinstance(file, UrdfRobotFile):
        return EngineView((), (unread(engine, file.document.name, "format", format=file.format_name),))
    try:
        groups = groups_of(file)
    except InertiaError as error:
        if error.code == "engine_unread":
            return EngineView((), (unread(engine, error.subject, "number"),))
        return EngineView((), (error.finding("info"),))
    refused = tuple(refusals(file, groups))
    if refused:
        return EngineView((), refused)
    return EngineView(tuple(body_of(group) for group in groups if not group.in_world))


def massless(engine: str, link: GivenLink) -> tuple[Finding, ...]:
    """A link without inertial has no mass."""
    return (differs(engine, link.place, "massless", "info"),) if link.has_geometry else ()


def zeros(engine: str, link: GivenLink) -> tuple[Finding, ...]:
    """What an inertial lacks is zero."""
    if not link.missing:
        return ()
    return (differs(engine, link.place, "zeros", lacking=", ".join(link.missing)),)


def made_up(engine: str, link: GivenLink, body: Inertial) -> tuple[Finding, ...]:
    """A link without inertial gets a density that nobody chose."""
    return (differs(engine, link.place, "density", mass=body.mass),) if body.mass else ()
