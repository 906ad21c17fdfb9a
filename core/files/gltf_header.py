# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks what a glTF file says about itself before a library reads it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from ..errors import InertiaError
from .input_file import bad_file
from .limits import MAX_MESH_BYTES, Repeats

TRIANGLES = 4
"""The mode of a primitive whose every three corners are a triangle; the others have about one per corner."""


def check_gltf(path: Path, data: bytes) -> None:
    """Check that no accessor lies about its length, no node has two parents, and nodes do not repeat too much.

    Raises
    ------
    InertiaError
        ``bad_mesh_file`` or ``file_too_large``.
    """
    try:
        _check(data)
    except InertiaError as error:
        raise error.about(str(path)) from None
    except Exception as error:  # it may contain any JSON
        raise bad_file(path, error) from None


def _check(data: bytes) -> None:
    start, end = (20, 20 + int.from_bytes(data[12:16], "little")) if data[:4] == b"glTF" else (0, len(data))
    header = json.loads(data[start:end].decode("utf-8", "replace"))
    counts = [accessor["count"] for accessor in header.get("accessors", ())]
    for count in counts:
        if not isinstance(count, int) or not 0 <= count <= MAX_MESH_BYTES // 4:
            raise ValueError(f"an accessor of it says that it has {count} elements")
    _check_tree(header)
    meshes = [[_size(primitive, counts) for primitive in mesh["primitives"]] for mesh in header.get("meshes", ())]
    placed = [meshes[node["mesh"]] for node in header.get("nodes", ()) if "mesh" in node]
    for made in (meshes, placed):  # each is read once, and then copied wherever a node places it
        repeats = Repeats(len(data))
        for primitives in made:
            repeats.visit(len(primitives))
            for size in primitives:
                repeats.place(*size)


def _size(primitive: Any, counts: list[int]) -> tuple[int, int]:
    """Return the numbers of vertices and triangles of a primitive."""
    number = primitive["attributes"].get("POSITION")
    vertices = 0 if number is None else counts[number]
    corners = counts[primitive["indices"]] if "indices" in primitive else vertices
    return vertices, corners // 3 if primitive.get("mode", TRIANGLES) == TRIANGLES else corners


def _check_tree(header: Any) -> None:
    nodes = header.get("nodes", ())
    children = Counter(child for node in nodes for child in node.get("children", ()))
    for scene in header.get("scenes", ()):
        for number, count in (children + Counter(scene.get("nodes", ()))).items():
            if count > 1:
                raise ValueError(f"its node {_name(nodes, number)} is listed {count} times; a node has one parent")


def _name(nodes: Any, number: int) -> str:
    name = nodes[number].get("name") if 0 <= number < len(nodes) else None
    return f"{number} '{name[:40]}'" if isinstance(name, str) else str(number)
