# SPDX-License-Identifier: Apache-2.0
"""Reads a <collision> as a value of core.robot.model; if that fails, as an `Unusable` with the reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...body.pose import Pose
from ...body.shapes import SHAPES
from ...errors import Finding, InertiaError
from ...robot.model import Collision, Geometry, Mesh, Unusable
from ..codes import sdf_error
from ..spec.description import shape_of
from ..spec.values import boolean, child_number, number, vector
from ..xml.document import Document, Element, child_of, qualified, text_of
from .locate import Locator
from .mesh_source import MeshStore

WITHOUT_VOLUME = ("plane", "heightmap", "image", "polyline", "empty")
"""Geometries for which libsdformat computes nothing."""


def part_name(element: Element, number: int) -> str:
    """Return the name of a ``<collision>`` or ``<visual>``, the `number`-th of its link, from 0 on."""
    return element.get("name", "").strip() or f"{element.tag}[{number + 1}]"


@dataclass(frozen=True)
class MeshUse:
    """How a ``<mesh>`` uses its file, for Gazebo's own calculator.

    `submesh` is None for the whole file; `optimization` is empty, ``convex_hull`` or ``convex_decomposition``.
    """

    path: Path
    scale: tuple[float, float, float]
    submesh: str | None
    center: bool
    optimization: str


@dataclass(frozen=True, eq=False)
class CollisionReader:
    """Reads collisions of one document."""

    document: Document
    locator: Locator
    meshes: MeshStore

    def collision(self, element: Element, name: str, pose: Pose) -> Collision:
        """Return a collision with the given pose, in its link's frame.

        If its geometry or its numbers are wrong, the geometry is `Unusable`; never raises.
        """
        place = self.document.at(element)
        density, params = None, None
        findings: list[Finding] = []
        try:
            density = child_number(element, "density")
            params = params_of(element)
            geometry = self._geometry(element, place, findings)
        except InertiaError as error:
            geometry = Unusable(place.led_to(error))
        return Collision(name, pose, geometry, density, params, tuple(findings))

    def mesh_use(self, element: Element) -> MeshUse | None:
        """Return how a collision's mesh uses its file, or None without a mesh.

        Raises
        ------
        InertiaError
            What is wrong with its URI or its numbers.
        """
        mesh = shape_of(child_of(element, "geometry"))
        if mesh is None or mesh.tag != "mesh":
            return None
        place = self.document.at(mesh)
        uri = child_of(mesh, "uri")
        if uri is None:
            raise sdf_error("missing_element", place, "mesh", codes=())
        path = self.locator.find_mesh(text_of(uri), self.document.at(uri))
        found = child_of(mesh, "scale")
        x, y, z = (1.0, 1.0, 1.0) if found is None else vector(found, 3)
        submesh, center = mesh.find("submesh/name"), mesh.find("submesh/center")
        centered = center is not None and boolean(center)
        named = None if submesh is None else text_of(submesh)
        return MeshUse(path, (x, y, z), named, centered, mesh.get("optimization", "").strip())

    def _geometry(self, element: Element, place: object, findings: list[Finding]) -> Geometry:
        parent = child_of(element, "geometry")
        shape = shape_of(parent)
        if shape is None:
            found = "it has none" if parent is None or not len(parent) else f"<{qualified(parent[0])}> is none"
            raise sdf_error("no_geometry", place, "missing", reason=found)
        kind = str(shape.tag)
        if kind in WITHOUT_VOLUME:
            if kind == "heightmap":
                self._look_for_heightmap(shape, findings)
            raise sdf_error("unsupported_geometry", place, kind=kind)
        if kind == "mesh":
            return self._mesh(element, place, findings)
        return SHAPES[kind](*(self._size(shape, name, count) for name, count in SHAPES[kind].fields.items()))

    def _mesh(self, element: Element, place: object, findings: list[Finding]) -> Mesh:
        use = self.mesh_use(element)
        assert use is not None
        surface = self.meshes.surface(use.path, use.submesh, use.center)
        findings += [finding.about(str(place)) for finding in self.meshes.file(use.path).findings]
        if use.optimization in ("convex_hull", "convex_decomposition"):
            findings.append(
                Finding.of("warning", "mesh_optimization", str(place), optimization=use.optimization.replace("_", " "))
            )
        elif use.submesh is not None and len(self.meshes.file(use.path).submeshes) > 1:
            findings.append(Finding.of("warning", "submesh_ignored", str(place), submesh=use.submesh))
        with np.errstate(over="ignore", invalid="ignore"):  # a scale that is not a number is refused like zero
            return Mesh(surface, np.diag(use.scale))

    def _look_for_heightmap(self, shape: Element, findings: list[Finding]) -> None:
        uri = child_of(shape, "uri")
        if uri is not None:
            try:
                self.locator.find(text_of(uri), self.document.at(uri))
            except InertiaError as error:
                findings.append(error.finding())

    def _size(self, shape: Element, name: str, count: int) -> float | tuple[float, ...]:
        element = child_of(shape, name)
        if element is None:
            raise sdf_error("missing_element", self.document.at(shape), "part", codes=(), tag=shape.tag, child=name)
        return number(element) if count == 1 else tuple(vector(element, count))


def params_of(parent: Element | None) -> Mapping[str, str] | None:
    """Return the ``auto_inertia_params`` of a collision or inertial by qualified name; None if there are none."""
    element = child_of(parent, "auto_inertia_params")
    return None if element is None else {qualified(child): text_of(child) for child in element}
