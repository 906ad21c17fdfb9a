# SPDX-License-Identifier: Apache-2.0
"""Checks what a glTF file says about itself before a library reads it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from ..errors import InertiaError
from .input_file import SiblingFiles, bad_file
from .limits import MAX_MESH_BYTES, Repeats

NUMBERS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
BYTES = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}
"""Numbers in an element of an accessor, by its type, and bytes of a number, by its kind."""

TRIANGLES = 4
"""The mode of a primitive whose every three corners are a triangle; the others have about one per corner."""


def check_gltf(path: Path, data: bytes, siblings: SiblingFiles | None = None) -> None:
    """Check that no accessor lies about its length, no node has two parents, and nodes do not repeat too much.

    Parameters
    ----------
    siblings : SiblingFiles or None
        Check too that the file names only files that may be read; a reader that asks for them there needs no check.

    Raises
    ------
    InertiaError
        ``bad_mesh_file``, ``file_too_large`` or what `SiblingFiles` raises; a picture may be missing.
    """
    try:
        header = _header(data)
        _check(header, len(data))
        if siblings is not None:
            _check_named(header, siblings)
    except InertiaError as error:
        raise error.about(str(path)) from None
    except MemoryError:
        raise
    except Exception as error:  # it may contain any JSON
        raise bad_file(path, error) from None


def _header(data: bytes) -> Any:
    start, end = (20, 20 + int.from_bytes(data[12:16], "little")) if data[:4] == b"glTF" else (0, len(data))
    return json.loads(data[start:end].decode("utf-8", "replace"))


def _check_named(header: Any, siblings: SiblingFiles) -> None:
    for entry in (*header.get("buffers", ()), *header.get("images", ())):
        uri = entry.get("uri", "data:")
        try:
            if not uri.startswith("data:"):
                siblings.get(uri)
        except InertiaError as error:
            if "byteLength" in entry or error.code != "file_read":  # a picture may be missing
                raise


def _check(header: Any, length: int) -> None:
    counts, size = [], 0
    for accessor in header.get("accessors", ()):
        count = accessor["count"]
        if not isinstance(count, int) or not 0 <= count <= MAX_MESH_BYTES // 4:
            raise ValueError(f"an accessor of it says that it has {count} elements")
        counts.append(count)
        size += count * NUMBERS[accessor["type"]] * BYTES[accessor["componentType"]]
    if size > MAX_MESH_BYTES:
        raise InertiaError.of("file_too_large", "", "accessors", size=size, limit=MAX_MESH_BYTES)
    Repeats(length).visit(len(header.get("nodes", ())))
    _check_tree(header)
    meshes = [[_size(primitive, counts) for primitive in mesh["primitives"]] for mesh in header.get("meshes", ())]
    placed = [meshes[node["mesh"]] for node in header.get("nodes", ()) if "mesh" in node]
    for made in (meshes, placed):  # each is read once, and then copied wherever a node places it
        repeats = Repeats(length)
        for primitives in made:
            repeats.visit(len(primitives))
            for vertices, triangles in primitives:
                repeats.place(vertices, triangles)


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
