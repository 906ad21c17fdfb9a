# SPDX-License-Identifier: GPL-3.0-or-later
"""COLLADA as gz-common's loader sees it: a submesh per node and primitive, the unit applied, the up axis not.

gz-common's ColladaLoader.cc never looks at ``up_axis``; where Assimp is asked for instead, its AssimpLoader.cc drops
the rotation of the root, into which Assimp puts that axis. Read with pycollada rather than through trimesh, which drops
the names of nodes.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from io import BytesIO
from typing import Any

import numpy as np

from ...arrays import FloatArray
from ...mesh.surface import Surface
from ..xml.guard import guard

Piece = tuple[str, Surface]
"""A submesh's name and its mesh, checked by itself: an index past its end would be another one's vertex."""


def read_collada(data: bytes, name: str) -> list[Piece]:
    """Return the name and the mesh [m] of each submesh.

    Raises
    ------
    ImportError
        Where pycollada is not installed.
    InertiaError
        Where the XML is refused; see `guard`.
    ValueError
        Where the file has no scene.
    Exception
        Whatever pycollada trips over in a broken file.
    """
    collada = import_module("collada")
    guard(data, name)
    common = collada.common
    file = collada.Collada(BytesIO(data), ignore=[common.DaeUnsupportedError, common.DaeBrokenRefError])
    if file.scene is None:
        raise ValueError("it has no scene")
    meter = float(file.assetInfo.unitmeter or 1.0)
    pieces: list[Piece] = []
    for node in file.scene.nodes:
        for label, geometry, A in _instances(collada, node, np.eye(4), ""):
            for primitive in geometry.primitives:
                triangles = primitive.triangleset() if isinstance(primitive, collada.polylist.Polylist) else primitive
                if isinstance(triangles, collada.triangleset.TriangleSet) and len(triangles.index):
                    points = _positions(triangles) @ A[:3, :3].T + A[:3, 3]
                    faces = np.asarray(triangles.vertex_index, dtype=np.int64)
                    pieces.append((label, Surface(points * meter, faces)))
    return pieces


def _instances(collada: Any, node: Any, A: FloatArray, label: str) -> Iterator[tuple[str, Any, FloatArray]]:
    """Yield each geometry below a node with the name of the nearest named node, and its matrix."""
    scene = collada.scene
    if isinstance(node, scene.GeometryNode):
        yield label, node.geometry, A
    elif isinstance(node, scene.ControllerNode):
        yield label, node.controller.geometry, A
    elif isinstance(node, scene.NodeNode):
        yield from _instances(collada, node.node, A, label)
    elif isinstance(node, scene.Node):
        label = node.xmlnode.get("name") or label
        matrix = A @ np.asarray(node.matrix, dtype=np.float64)
        for child in node.children:
            yield from _instances(collada, child, matrix, label)


def _positions(triangles: Any) -> FloatArray:
    """Return the positions (n, 3) in double precision, where pycollada has them in single."""
    source = triangles.sources["VERTEX"][0][4]
    single = np.asarray(source.data, dtype=np.float64)
    array = source.xmlnode.find("{*}float_array") if source.xmlnode is not None else None
    words = [] if array is None or array.text is None else array.text.split()
    if len(words) != single.size:
        return single.reshape(-1, 3)
    return np.array(words, dtype=np.float64).reshape(-1, 3)
