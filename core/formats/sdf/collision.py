# SPDX-License-Identifier: Apache-2.0
"""Reads a <collision> as a value of core.robot.model; if that fails, as an `Unusable` with the reason."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...body.pose import Pose
from ...body.shapes import SHAPES
from ...document.element import Element, child_of, text_of
from ...document.locate import Locator
from ...errors import Finding, InertiaError
from ...files.mesh_store import MeshStore
from ...mesh.surface import Surface
from ...robot.model import Collision, Geometry, Mesh, Unusable
from .spec.codes import sdf_error
from .spec.description import shape_of
from .spec.values import boolean, child_number, number, vector

WITHOUT_VOLUME = ("plane", "heightmap", "image", "polyline", "empty")
"""Geometries for which libsdformat computes nothing."""


def part_name(element: Element, number: int) -> str:
    """Return the name of a ``<collision>`` or ``<visual>``, the `number`-th of its link, from 0 on."""
    return element.get("name", "").strip() or f"{element.tag}[{number + 1}]"


def params_of(parent: Element | None) -> dict[str, str] | None:
    """Return the ``auto_inertia_params`` of a collision or inertial by qualified name; None if there are none."""
    element = child_of(parent, "auto_inertia_params")
    return None if element is None else {child.tag: text_of(child) for child in element}


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
    """Reads the collisions of a file, by the meshes that its locator finds."""

    locator: Locator
    meshes: MeshStore

    def collision(self, element: Element, name: str, pose: Pose) -> Collision:
        """Return a collision with the given pose, in its link's frame.

        If its geometry or its numbers are wrong, the geometry is `Unusable`; never raises.
        """
        density, params = None, None
        findings: list[Finding] = []
        try:
            density = child_number(element, "density")
            params = params_of(element)
            geometry = self._geometry(element, findings)
        except InertiaError as error:
            geometry = Unusable(element.led_to(error))
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
        uri, scale = child_of(mesh, "uri"), child_of(mesh, "scale")
        if uri is None:
            raise sdf_error("missing_element", mesh, "mesh", codes=())
        path = self.locator.find_mesh(text_of(uri), uri)
        x, y, z = (1.0, 1.0, 1.0) if scale is None else vector(scale, 3)
        submesh, center = mesh.find("submesh/name"), mesh.find("submesh/center")
        centered = center is not None and boolean(center)
        named = None if submesh is None else text_of(submesh)
        return MeshUse(path, (x, y, z), named, centered, mesh.get("optimization", "").strip())

    def _geometry(self, element: Element, findings: list[Finding]) -> Geometry:
        parent = child_of(element, "geometry")
        shape = shape_of(parent)
        if shape is None:
            reason = "it has none" if parent is None or not len(parent) else f"<{parent[0].tag}> is none"
            raise sdf_error("no_geometry", element, "missing", reason=reason)
        if shape.tag in WITHOUT_VOLUME:
            uri = child_of(shape, "uri") if shape.tag == "heightmap" else None
            if uri is not None:
                try:
                    self.locator.find(text_of(uri), uri)
                except InertiaError as error:
                    findings.append(error.finding())
            raise sdf_error("unsupported_geometry", element, kind=shape.tag)
        use = self.mesh_use(element)
        if use is None:
            kind = SHAPES[shape.tag]
            return kind(*(_size(shape, name, count) for name, count in kind.fields.items()))
        surface, file = self.meshes.surface(use.path, use.submesh, use.center), self.meshes.file(use.path)
        findings += (finding.about(str(element)) for finding in file.findings)
        if use.optimization in ("convex_hull", "convex_decomposition"):
            values = {"optimization": use.optimization.replace("_", " ")}
            findings.append(Finding.of("warning", "mesh_optimization", str(element), **values))
        elif use.submesh is not None and len(file.submeshes) > 1:
            findings.append(Finding.of("warning", "submesh_ignored", str(element), submesh=use.submesh))
        with np.errstate(over="ignore", invalid="ignore"):  # a scale that is not a number is refused like zero
            return Mesh(surface, np.diag(use.scale))


def quad_of(plane: Element) -> Mesh:
    """Return what is drawn of a ``<plane>``: a rectangle about the origin, its z axis turned to the normal.

    Raises
    ------
    InertiaError
        What is wrong with its numbers; ``bad_value`` for a normal of length 0.
    """
    normal, size = child_of(plane, "normal"), child_of(plane, "size")
    x, y = (1.0, 1.0) if size is None else vector(size, 2)
    n = np.array([0.0, 0.0, 1.0] if normal is None else vector(normal, 3))
    length = float(np.linalg.norm(n))
    if not 0.0 < length < np.inf:
        raise sdf_error("bad_value", normal or plane, "normal", codes=(), normal=text_of(normal))
    n /= length
    # The shortest rotation from z to n: R = 1 + K + K² / (1 + cos), K = [z × n]; by half a turn, it is about x.
    K = np.array([[0.0, 0.0, n[0]], [0.0, 0.0, n[1]], [-n[0], -n[1], 0.0]])
    sine_squared = n[0] ** 2 + n[1] ** 2
    one_plus_cos = 1.0 + n[2] if n[2] > 0.0 else sine_squared / (1.0 - n[2])  # keeps its digits near half a turn
    R = np.eye(3) + K + K @ K / one_plus_cos if one_plus_cos > 0.0 else np.diag([1.0, -1.0, -1.0])
    corners = 0.5 * np.array([[-x, -y, 0.0], [x, -y, 0.0], [x, y, 0.0], [-x, y, 0.0]])
    quad = np.array([[0, 1, 2, 3]])
    return Mesh(Surface(corners @ R.T, quad[:, [[0, 1, 2], [0, 2, 3]]].reshape(2, 3), quad), np.eye(3))


def _size(shape: Element, name: str, count: int) -> float | tuple[float, ...]:
    element = child_of(shape, name)
    if element is None:
        raise sdf_error("missing_element", shape, "part", codes=(), tag=shape.tag, child=name)
    return number(element) if count == 1 else vector(element, count)
