# SPDX-License-Identifier: Apache-2.0
"""The links of a URDF as written in the file, not lumped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from ...arrays import FloatArray
from ...body.inertial import Inertial
from ...body.pose import Pose
from ...body.shapes import SHAPES
from ...document.element import Element, child_of, children_of
from ...document.locate import Locator
from ...errors import InertiaError
from ...files.mesh_store import MeshStore
from ...judge.geometry.written import Written, written
from ...robot.model import Collision, Geometry, Link, Mesh, Part, Unusable, Visual
from ...robot.resolve import LinkBody
from ..file_link import FileLink, PartNames
from ..sdf.collision import MeshUse
from ..sdf.links import Z_UP
from ..sdf.spec.names import UniqueNames
from . import read as urdf
from .read import FIELDS, WORLD, Robot


@dataclass(frozen=True, eq=False)
class GeometryReader:
    """Reads the geometry of a robot's collisions and visuals; `uses` has the file of each mesh."""

    robot: Robot
    locator: Locator
    store: MeshStore
    uses: dict[Geometry, MeshUse] = field(default_factory=dict)

    def is_y_up(self, geometry: Geometry) -> bool:
        """Return True for a mesh from a COLLADA file with y up: some readers rotate it, some do not."""
        use = self.uses.get(geometry)
        return use is not None and self.store.file(use.path).y_up

    def placed(self, element: Element) -> tuple[Pose, Geometry]:
        """Return a part's pose in its link, and its geometry; `Unusable` if either cannot be read."""
        try:
            part = self.robot.part(element)
        except InertiaError as error:
            return Pose.identity, Unusable(error)
        return part.pose, self.geometry(part)

    def geometry(self, part: urdf.Part) -> Geometry:
        """Return a part's geometry; `Unusable` if its mesh cannot be read."""
        geometry = child_of(part.element, "geometry")
        assert geometry is not None
        shape = geometry[0]
        kind = shape.tag
        if kind in FIELDS:
            numbers = [[float(word) for word in shape.get(name, "").split()] for name in FIELDS[kind]]
            return SHAPES[kind](*(tuple(values) if len(values) > 1 else values[0] for values in numbers))
        try:
            path = self.locator.find_mesh(shape.get("filename", ""), shape)
            x, y, z = (float(word) for word in shape.get("scale", "1 1 1").split())
            mesh = Mesh(self.store.surface(path), np.diag([x, y, z]))
        except InertiaError as error:
            return Unusable(error.about(str(shape)))
        self.uses[mesh] = MeshUse(path, (x, y, z), None, False, "")
        return mesh


@dataclass(frozen=True, eq=False)
class UrdfLink(FileLink):
    """A link of a URDF, with all its parts, even those that urdfdom ignores.

    Its `pose` is in the model's frame, all joints at zero.
    """

    pose: Pose
    read: urdf.Link
    reader: GeometryReader

    @property
    def is_root(self) -> bool:
        return self.read.joint is None

    @property
    def parent(self) -> str | None:
        return None if self.read.joint is None else self.read.joint.parent

    @property
    def inertial(self) -> Inertial | None:
        if self.read.inertial is None or self.read.fault is not None:
            return None
        return self.read.inertial.transformed(self.read.origin)

    def _written(self, mass: Element, tensor: Element) -> Written:
        return written(dict(tensor.attrib), mass.get("value", ""), self.read.origin.R)

    @property
    def mass(self) -> float | None:
        mass = child_of(child_of(self.element, "inertial"), "mass")
        try:
            return None if mass is None else float(mass.get("value", ""))
        except ValueError:
            return None

    @property
    def com(self) -> FloatArray | None:
        # An invalid origin is the identity in `read`, as a missing one is.
        fault = self.read.fault
        return None if self.read.inertial is None or (fault and fault.code == "bad_pose") else self.read.origin.p

    @property
    def com_texts(self) -> Sequence[str]:
        origin = child_of(child_of(self.element, "inertial"), "origin")
        return () if origin is None else origin.get("xyz", "").split()

    @cached_property
    def link(self) -> Link:
        collisions = tuple(Collision(name, *self.reader.placed(element)) for name, element in self._parts("collision"))
        return Link(self.name, self.pose, "manual", manual=self.inertial, collisions=collisions)

    @cached_property
    def visuals(self) -> Sequence[Visual]:
        return [Visual(name, *self.reader.placed(element)) for name, element in self._parts("visual")]

    @cached_property
    def visuals_with_extent(self) -> Sequence[Part | Visual]:
        """Its visuals, with those of y-up files a second time, as rotated by some readers."""
        parts: tuple[Part | Visual, ...] = (*self.link.collisions, *self.visuals)
        turned = [replace(part, pose=part.pose @ Z_UP) for part in parts if self.reader.is_y_up(part.geometry)]
        return [*self.visuals, *turned]

    @property
    def part_names(self) -> PartNames:
        return {
            (kind, name): tuple(_other_names(element))
            for kind in ("collision", "visual")
            for name, element in self._parts(kind)
        }

    @cached_property
    def body(self) -> LinkBody:
        return self._given(self.pose)

    def _parts(self, kind: str) -> Iterator[tuple[str, Element]]:
        names = UniqueNames()
        for number, element in enumerate(children_of(self.element, kind)):
            yield names.keep(element.get("name") or numbered(self.local_name, kind, number)), element


def urdf_links(robot: Robot, reader: GeometryReader) -> list[UrdfLink]:
    """Return a robot's links, parents first, without those that are bare frames."""
    links = []
    model = str(robot.document.root.get("name", ""))
    X_ML: dict[str, Pose] = {}  # of each link L in the model M, all joints at zero
    for link in robot.in_kinematic_order():
        joint = link.joint
        with np.errstate(over="ignore", invalid="ignore"):  # an absurd origin overflows
            pose = Pose.identity if joint is None else X_ML.get(joint.parent, Pose.identity) @ joint.origin
        X_ML.setdefault(link.name, pose)
        if link.name == WORLD or is_point(link):
            continue
        findings = () if link.fault is None else (link.fault.finding(),)
        links.append(UrdfLink(model, link.name, link.element, False, False, findings, pose, link, reader))
    return links


def is_point(link: urdf.Link) -> bool:
    """Return True if a link is only a frame: it has neither inertial nor parts."""
    return all(child_of(link.element, tag) is None for tag in ("inertial", "visual", "collision"))


def numbered(link: str, kind: str, number: int) -> str:
    """Return libsdformat's name for a part without one."""
    return f"{link}_{kind}" if number == 0 else f"{link}_{kind}_{number}"


def _other_names(element: Element) -> Iterator[str]:
    """Yield the names of a part's material and mesh file."""
    for material in children_of(element, "material"):
        yield material.get("name", "")
    for mesh in element.iterfind("geometry/mesh"):
        yield mesh.get("filename", "")
