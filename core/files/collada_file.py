# SPDX-License-Identifier: Apache-2.0
"""Reads COLLADA as gz-common's loader does: a submesh per node and primitive, with the unit and without the up axis.

gz-common's ColladaLoader.cc ignores ``up_axis``; with Assimp, its AssimpLoader.cc drops the rotation of the root, which
holds that axis. Read with pycollada rather than through trimesh, which drops the names of nodes.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from io import BytesIO
from math import inf, isclose
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from lxml import etree

from ..arrays import FloatArray, TriangleArray
from ..errors import Finding
from ..mesh.surface import Surface
from .input_file import guard_xml, naming
from .limits import Repeats
from .look import SubmeshLook, collada_look
from .trimesh_scene import Piece, complaints

METRES = {
    "m": 1.0,
    "meter": 1.0,
    "decimeter": 0.1,
    "cm": 0.01,
    "centimeter": 0.01,
    "mm": 0.001,
    "millimeter": 0.001,
    "micrometer": 1e-6,
    "kilometer": 1000.0,
    "in": 0.0254,
    "inch": 0.0254,
    "ft": 0.3048,
    "foot": 0.3048,
    "feet": 0.3048,
    "yard": 0.9144,
}
"""Metres per unit, by the unit's name."""

UNIT_NAME = "unit_name"


class ColladaFile(NamedTuple):
    """The content of a file: its submeshes, their looks if they were asked for, its unit by name and in metres, and in
    words what was left out."""

    pieces: list[Piece]
    looks: list[SubmeshLook]
    unit: str
    meter: float
    left_out: list[str]

    def lost(self, path: Path) -> tuple[Finding, ...]:
        """Return ``reader_warning`` for each element that was left out, once."""
        texts = (f"not all of it could be read: {text}" for text in dict.fromkeys(self.left_out))
        return tuple(Finding.of("warning", "reader_warning", str(path), text=text) for text in texts)

    def findings(self) -> tuple[Finding, ...]:
        """Return ``unit_name``, if the unit has the name of another."""
        known = METRES.get(self.unit.lower().replace("metre", "meter").removesuffix("s"))
        if known is None or isclose(known, self.meter, rel_tol=1e-2):
            return ()
        return (Finding.of("warning", UNIT_NAME, unit=self.unit[:40], metres=self.meter),)


def read_collada(
    path: Path, data: bytes, meter: float | None = None, lenient: bool = False, with_looks: bool = False
) -> ColladaFile:
    """Read a file.

    Parameters
    ----------
    path : Path
        The file of the data.
    meter : float or None
        Metres per unit, instead of the file's own; None for the file's.
    lenient : bool
        Leave out broken elements instead of refusing the file.
    with_looks : bool
        Read materials, texture coordinates and normals too.

    Raises
    ------
    InertiaError
        ``no_trimesh`` if pycollada is not installed; ``bad_mesh_file``; ``file_too_large``; what is wrong with the
        XML, see `guard_xml`, or with a mesh, see `Surface`.
    """
    with naming(path), complaints():
        collada = import_module("collada")
        guard_xml(data, str(path))
        return _read(collada, _in_order(data), meter, lenient, with_looks)


def _in_order(data: bytes) -> bytes:
    """Return a file whose library nodes stand after those that they place.

    In another order pycollada tries all of them again after each that it has read.
    """
    if b"instance_node" not in data:
        return data
    root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True))
    for library in root.iter("{*}library_nodes"):
        nodes = {node.get("id"): node for node in library if node.get("id")}
        waiting, ordered = [*reversed(library)], dict[Any, None]()
        begun = set[Any]()
        while waiting:
            node = waiting.pop()
            if node in begun:
                ordered.setdefault(node)
                continue
            begun.add(node)
            named = (nodes.get(instance.get("url", "")[1:]) for instance in node.iter("{*}instance_node"))
            waiting += [node, *(placed for placed in named if placed is not None and placed not in begun)]
        library[:] = ordered
    return etree.tostring(root)


def _read(collada: Any, data: bytes, meter: float | None, lenient: bool, with_looks: bool) -> ColladaFile:
    common = collada.common
    ignored = [common.DaeUnsupportedError, common.DaeBrokenRefError]
    if lenient:
        ignored += [common.DaeError, common.DaeIncompleteError, common.DaeMalformedError]
    file = collada.Collada(BytesIO(data), ignore=ignored)
    if file.scene is None:
        raise ValueError("it has no scene")
    stated = float(file.assetInfo.unitmeter or 1.0)
    if not 0.0 < stated < inf:
        raise ValueError(f"its unit is {stated:g} m")
    unit = stated if meter is None else meter
    uses: list[tuple[str, Any, FloatArray, Any, _Triangles]] = []
    known: dict[int, _Triangles | None] = {}
    repeats = Repeats(len(data))
    for label, node, A in _instances(collada, file.scene.nodes, repeats):
        geometry = node.controller.geometry if isinstance(node, collada.scene.ControllerNode) else node.geometry
        for primitive in geometry.primitives:
            if id(primitive) not in known:
                known[id(primitive)] = _triangles(collada, primitive)
            triangles = known[id(primitive)]
            if triangles is not None:
                repeats.place(len(triangles.positions), len(triangles.faces))
                uses.append((label, node, A, primitive.material, triangles))
    pieces: list[Piece] = []
    looks: list[SubmeshLook] = []
    for label, node, A, material, triangles in uses:
        with np.errstate(over="ignore", invalid="ignore"):  # infinite values are refused later
            points = (triangles.positions @ A[:3, :3].T + A[:3, 3]) * unit
        pieces.append(Piece(label, Surface(points, triangles.faces), bool(np.linalg.det(A[:3, :3]) < 0.0)))
        if with_looks:
            looks.append(collada_look(node, material, triangles.read))
    left_out = [" ".join(str(error).split())[:300] for error in file.errors]
    if hulls := data.count(b"<convex_mesh"):  # pycollada ignores them silently
        if not uses:
            raise ValueError(
                "its geometry is only convex meshes of COLLADA, which are not supported: export it as a mesh"
            )
        left_out.append(f"convex meshes: {hulls}")
    return ColladaFile(pieces, looks, (file.assetInfo.unitname or "").strip(), stated, left_out)


class _Triangles(NamedTuple):
    """A primitive as pycollada's triangles, their positions (n, 3), and their faces (m, 3)."""

    read: Any
    positions: FloatArray
    faces: TriangleArray


def _triangles(collada: Any, primitive: Any) -> _Triangles | None:
    """Return the triangles of a primitive; None if it has none, as lines."""
    if isinstance(primitive, collada.polylist.Polylist) and primitive.nvertices > len(primitive.index):
        raise ValueError(f"its polygons have {primitive.nvertices} corners, but only {len(primitive.index)} are listed")
    triangles = primitive.triangleset() if isinstance(primitive, collada.polylist.Polylist) else primitive
    if not isinstance(triangles, collada.triangleset.TriangleSet) or not len(triangles.index):
        return None
    return _Triangles(triangles, _positions(triangles), np.asarray(triangles.vertex_index, dtype=np.int64))


def _instances(collada: Any, nodes: Any, repeats: Repeats) -> Iterator[tuple[str, Any, FloatArray]]:
    """Yield each node that places a geometry, with the name of the nearest named node above it, and its matrix."""
    waiting: list[tuple[Any, FloatArray, str]] = [(node, np.eye(4), "") for node in reversed(nodes)]
    scene = collada.scene
    while waiting:
        repeats.visit()
        node, A, label = waiting.pop()
        if isinstance(node, scene.GeometryNode | scene.ControllerNode):
            yield label, node, A
        elif isinstance(node, scene.NodeNode):
            waiting.append((node.node, A, label))
        elif isinstance(node, scene.Node):
            label = node.xmlnode.get("name") or label
            matrix = A @ np.asarray(node.matrix, dtype=np.float64)
            waiting += [(child, matrix, label) for child in reversed(node.children or ())]


def _positions(triangles: Any) -> FloatArray:
    """Return the positions (n, 3) in double precision; pycollada has them in single."""
    source = triangles.sources["VERTEX"][0][4]
    single = np.asarray(source.data, dtype=np.float64)
    array = source.xmlnode.find("{*}float_array") if source.xmlnode is not None else None
    words = [] if array is None or array.text is None else array.text.split()
    if len(words) != single.size:
        return single.reshape(-1, 3)
    return np.array(words, dtype=np.float64).reshape(-1, 3)
