# SPDX-License-Identifier: Apache-2.0
"""A body of an MJCF file as a link: its inertial, or what MuJoCo computes from its geoms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ...arrays import FloatArray
from ...body.inertial import Inertial
from ...body.pose import Pose
from ...body.shapes import SHAPES
from ...document.element import Element
from ...errors import InertiaError
from ...files.mesh_store import MeshStore
from ...judge.geometry.written import SIX, Written, written
from ...mesh.surface import Surface
from ...robot.model import Collision, Geometry, InertiaMode, Link, Look, Mesh, Part, Unusable, Visual
from ...robot.part import PartBody
from ...robot.resolve import LinkBody
from ..file_link import FileLink, PartNames
from ..sdf.collision import MeshUse
from .read import WEIGHTLESS, Body, Compiled, Geom, MeshAsset, MjcfRobot

DRAWN = range(3)
"""Groups of geoms that MuJoCo draws by default."""


@dataclass(frozen=True, eq=False)
class GeomReader:
    """Reads the geometry of a robot's geoms; `uses` has the file of each mesh."""

    robot: MjcfRobot
    store: MeshStore

    @cached_property
    def uses(self) -> dict[Geometry, MeshUse]:
        return {}

    @cached_property
    def compiled(self) -> Mapping[Geom, Compiled | InertiaError]:
        """What MuJoCo computes from all geoms whose numbers are needed."""
        return self.robot.compile_geoms(self._needed())

    def _needed(self) -> Iterator[Geom]:
        for body in self.robot.bodies:
            for geom in body.geoms:
                if is_fitted(geom) or (geom.counts and is_computed(self.robot, body)):
                    yield geom

    def is_odd(self, geom: Geom) -> bool:
        """Return True if MuJoCo does not take a geom as the solid that its shape or mesh encloses."""
        convex = geom.kind == "mesh" and self.robot.meshes[geom.mesh].inertia in ("shell", "convex")
        return geom.is_shell or convex

    def placed(self, geom: Geom) -> tuple[Pose, Geometry]:
        """Return a geom's pose in its body, and its geometry; `Unusable` if its mesh cannot be read."""
        try:
            if geom.mesh and geom.kind in ("mesh", "sdf"):
                return self._mesh(geom)
            kind, size, pose = geom.kind, geom.size, geom.pose
            if is_fitted(geom):
                fitted = self.compiled[geom]
                if isinstance(fitted, InertiaError):
                    raise fitted
                kind, size, pose = fitted.kind, fitted.size, pose @ fitted.pose
            return pose, _shape(kind, size)
        except InertiaError as error:
            return geom.pose, Unusable(error.about(str(geom.place)))

    def _mesh(self, geom: Geom) -> tuple[Pose, Mesh]:
        mesh = self.robot.meshes[geom.mesh]
        if isinstance(mesh.path, InertiaError):
            raise mesh.path
        surface = _given_surface(mesh) if mesh.path is None else self.store.surface(mesh.path)
        # MuJoCo takes the vertices in the mesh's reference frame F, and scales them along its axes: S Rᵀ (v - p).
        R_FV = mesh.frame.R.T
        if not np.array_equal(R_FV, np.eye(3)):  # an object in Blender can be scaled along its own axes alone
            surface = surface.stretched(R_FV)
        read = Mesh(surface, np.diag(mesh.scale))
        if mesh.path is not None:
            x, y, z = mesh.scale
            self.uses[read] = MeshUse(mesh.path, (x, y, z), None, False, "")
        return geom.pose @ Pose(np.eye(3), -read.stretch @ R_FV @ mesh.frame.p), read


@dataclass(frozen=True, eq=False)
class MjcfLink(FileLink):
    """A body of an MJCF file; its `element` is its ``<body>``, or what it was made from."""

    read: Body
    reader: GeomReader

    @property
    def is_root(self) -> bool:
        return self.read.parent is None

    @property
    def parent(self) -> str | None:
        return self.read.parent

    @property
    def is_frame(self) -> bool:
        return self.read.inertial is None and not self.auto

    @property
    def inertial_place(self) -> Element:
        """The place of its ``<inertial>``, or without one of its body."""
        return self.element if self.read.inertial_place is None else self.read.inertial_place

    @property
    def has_inertial(self) -> bool:
        return self.read.inertial_place is not None

    @property
    def has_tensor(self) -> bool:
        given = self.inertial_place
        return self.has_inertial and ("diaginertia" in given.attrib or "fullinertia" in given.attrib)

    @property
    def has_collision(self) -> bool:
        return any(not geom.is_visual for geom in self._shapes)

    @property
    def collision_places(self) -> Sequence[Element | None]:
        return [None if geom.group in DRAWN else geom.place for geom in self._shapes if not geom.is_visual]

    @property
    def has_geometry(self) -> bool:
        return bool(self._shapes)

    @property
    def inertial(self) -> Inertial | None:
        return None if self.auto or not self.has_tensor else self.read.inertial

    @property
    def mass(self) -> float | None:
        return None if self.auto or self.read.inertial is None else self.read.inertial.mass

    @property
    def com(self) -> FloatArray | None:
        return None if self.auto or self.read.inertial is None else self.read.inertial.com

    @property
    def com_texts(self) -> Sequence[str]:
        return self.inertial_place.get("pos", "").split() if self.has_inertial else ()

    @property
    def written(self) -> Written | None:
        given = self.inertial_place
        return self._written(given, given) if self.has_inertial and self.inertial is not None else None

    def _written(self, mass: Element, tensor: Element) -> Written:
        full, diagonal = tensor.get("fullinertia", "").split(), tensor.get("diaginertia", "").split()
        texts = dict(zip(SIX, full or [*diagonal, "0", "0", "0"], strict=False))
        return written(texts, mass.get("mass", ""), np.eye(3) if full else self.read.axes.R)

    @cached_property
    def link(self) -> Link:
        """Its visuals weigh something too, if its inertial is computed from them."""
        collisions = tuple(self._collision(geom) for geom in self._shapes if not geom.is_visual)
        weighed = [geom for geom in self._shapes if geom.is_visual and geom.counts and self.auto]
        masses = tuple(
            Part(geom.name, *self.reader.placed(geom), density=_density(geom), mass=geom.mass) for geom in weighed
        )
        mode: InertiaMode = "filled" if self.auto else "manual"
        return Link(self.name, self.read.pose, mode, manual=self.inertial, collisions=collisions, masses=masses)

    def _collision(self, geom: Geom) -> Collision:
        pose, geometry = self.reader.placed(geom)
        look = Look(geom.color)
        if not self.auto:
            return Collision(geom.name, pose, geometry, look=look)
        return Collision(geom.name, pose, geometry, _density(geom), mass=geom.mass, has_mass=geom.counts, look=look)

    @property
    def solid(self) -> Link:
        return replace(super().solid, masses=())

    @cached_property
    def visuals(self) -> Sequence[Visual]:
        return [
            Visual(geom.name, *self.reader.placed(geom), color=geom.color, material=geom.material)
            for geom in self._shapes
            if geom.is_visual
        ]

    @property
    def _shapes(self) -> Sequence[Geom]:
        return [geom for geom in self.read.geoms if geom.kind not in WEIGHTLESS]

    @property
    def part_names(self) -> PartNames:
        return {
            ("visual" if geom.is_visual else "collision", geom.name): (geom.material, geom.mesh)
            for geom in self.read.geoms
        }

    @cached_property
    def body(self) -> LinkBody:
        return self._computed() if self.auto else self._given(self.read.pose)

    def _computed(self) -> LinkBody:
        """Return what MuJoCo computes from the geoms."""
        parts = [self._part(geom) for geom in self._shapes if geom.counts]
        known = [part.inertial for part in parts if part.inertial is not None]
        total = None
        if len(known) == len(parts):
            total = sum(known[1:], start=known[0]).without_noise()
        methods = {part.method for part in parts}
        method = methods.pop() if len(methods) == 1 else "sum"
        pose, link = self.read.pose, self.link
        return LinkBody(self.name, total, None, method, 0.0, self.findings, "auto", pose, tuple(parts), link)

    def _part(self, geom: Geom) -> PartBody:
        compiled = self.reader.compiled[geom]
        density = _density(geom)
        if isinstance(compiled, InertiaError):
            finding = compiled.about(f"{self.name}/{geom.name}").finding()
            return PartBody(geom.name, None, None, "mujoco", 0.0, (finding,), geom.kind, density)
        inertial = compiled.inertial.transformed(geom.pose)
        method = "mujoco" if geom.kind == "mesh" else "primitive"
        return PartBody(geom.name, inertial, None, method, 0.0, (), geom.kind, density)


def mjcf_links(robot: MjcfRobot, reader: GeomReader) -> list[MjcfLink]:
    """Return a robot's bodies as links, parents first; one without inertial and geoms is a frame."""
    links = []
    for body in robot.bodies:
        computed = is_computed(robot, body) and any(geom.counts and geom.kind not in WEIGHTLESS for geom in body.geoms)
        static = body.is_mocap or (body.is_fixed and body.inertial is None)
        element = body.place
        if "name" not in element.attrib and element.tag == "body":
            element.document.given_names.setdefault(element, body.name)
        links.append(MjcfLink(robot.name, body.name, element, computed, static, (), body, reader))
    return links


def _density(geom: Geom) -> float | None:
    return geom.density if geom.mass is None else None


def is_computed(robot: MjcfRobot, body: Body) -> bool:
    """Return True if MuJoCo computes a body's inertial from its geoms."""
    return robot.computes_all or (body.inertial is None and not robot.computes_none)


def is_fitted(geom: Geom) -> bool:
    """Return True for a shape that MuJoCo fits to a mesh."""
    return bool(geom.mesh) and geom.kind not in ("mesh", "sdf")


def _shape(kind: str, size: tuple[float, float, float]) -> Geometry:
    """Return a shape of MuJoCo's half sizes."""
    x, y, z = size
    sizes: dict[str, tuple[object, ...]] = {
        "box": ((2.0 * x, 2.0 * y, 2.0 * z),),
        "sphere": (x,),
        "ellipsoid": ((x, y, z),),
        "cylinder": (x, 2.0 * y),
        "capsule": (x, 2.0 * y),
    }
    if kind not in sizes:
        raise InertiaError.of("bad_mjcf", "", "kind", kind=kind)
    return SHAPES[kind](*sizes[kind])


def _given_surface(mesh: MeshAsset) -> Surface:
    """Return a mesh whose vertices are in the MJCF."""
    if not len(mesh.faces):
        raise InertiaError.of("bad_mjcf", "", "points")
    return Surface(mesh.vertices.astype(float), mesh.faces.astype(int))
