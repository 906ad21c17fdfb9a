# SPDX-License-Identifier: Apache-2.0
"""Reads Wavefront OBJ: positions and polygons unchanged, whole or by object, group and material.

Not read through trimesh (5.2), which takes an index relative to the vertices so far (``f -4 -3 -2``) as relative to
the end of the file, and the invalid index 0 as the first vertex: both silently give another mesh.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np

from ..arrays import Ints, VertexArray
from ..errors import InertiaError
from .input_file import on_a_drive_of, read_bytes
from .number_lines import numbers_of, wrong_number
from .polygons import Faces, fans

LAST = np.iinfo(np.int64).max
"""The largest index that an array can hold; the caller, which knows all vertices, finds indices past the last one."""


Materials = Callable[[str], frozenset[str]]
"""Returns the names of the materials in the files that a ``mtllib`` line names; see `read_obj`."""


def no_materials(names: str) -> frozenset[str]:
    """Return no names: there is no such file."""
    return frozenset()


def read_obj(text: str, materials: Materials = no_materials) -> tuple[VertexArray, list[tuple[str, Faces]]]:
    """Return the shared vertices (n, 3), float64, and the name and faces of each of Gazebo's submeshes.

    Polygons become `fans`. A new ``o`` or ``g`` begins a submesh, and within it each material has its own; undefined
    materials share one. Lines, points, faces of two corners, normals and texture coordinates are ignored.

    Parameters
    ----------
    materials : function
        Takes the rest of a ``mtllib`` line; returns the names of the materials that are defined there.

    Raises
    ------
    ValueError
        Names the line that is not OBJ.
    """
    vertices, groups = _read(text, materials)
    return vertices, [(name, faces) for (_, name, _), faces in groups.items()]


def all_faces(groups: Iterable[tuple[str, Faces]]) -> Faces:
    """Return the faces of some groups joined, group by group."""
    none = Faces(np.zeros((0, 3), dtype=np.int64), np.zeros((0, 4), dtype=np.int64))
    faces = [none, *(of_group for _, of_group in groups)]
    return Faces(*map(np.concatenate, zip(*faces, strict=True)))


Key = tuple[int, str, str]
"""The key of a submesh: the line of its ``o`` or ``g``, its name, and its material if that is defined."""


class _Where:
    """Finds the submesh of the next face."""

    def __init__(self, materials: Materials) -> None:
        self.key: Key = (0, "", "")
        self._materials = materials
        self._known: set[str] = set()

    def take(self, kind: str, line: str, words: list[str], number: int) -> None:
        """Read a line that is neither a vertex nor a face: its first word, itself, and its other words."""
        group, name, material = self.key
        if kind in ("o", "g"):
            self.key = (number, " ".join(words), material)
        elif kind == "usemtl":
            given = _rest(line, kind)
            self.key = (group, name, given if given in self._known else "")
        elif kind == "mtllib":
            self._known |= self._materials(_rest(line, kind))


def _rest(line: str, kind: str) -> str:
    """Return the text after a line's first word and one space: names of materials and files may contain spaces."""
    return line.lstrip(" \t").rstrip("\r")[len(kind) + 1 :]


def _read(text: str, materials: Materials = no_materials) -> tuple[VertexArray, dict[Key, Faces]]:
    plain = None if "\\" in text else _read_plain(text, materials)
    return _read_by_line(text, materials) if plain is None else plain


def _read_plain(text: str, materials: Materials = no_materials) -> tuple[VertexArray, dict[Key, Faces]] | None:
    """Read a file as exporters write it, all numbers in one pass; return None for anything else, or a fault."""
    data = text.encode() + b"\n"
    vertices: list[bytes] = []
    faces: list[tuple[Key, bytes]] = []
    where = _Where(materials)
    for number, block in _blocks(data):
        kind = block[:2]
        if kind == b"v ":
            vertices.append(block)
        elif kind == b"f ":
            faces.append((where.key, block))
        elif kind not in (b"vn", b"vt"):
            for place, line in enumerate(block.decode().split("\n")[:-1], start=number):
                first, *rest = line.partition("#")[0].split() or ("",)
                if first in ("v", "f"):
                    return None
                where.take(first, line, rest, place)
    try:
        return _points(b"".join(vertices)), _groups(faces) if faces else {}
    except ValueError:  # the slow reader names the line
        return None


def _blocks(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield lines that begin with the same two bytes as those next to them, together, and the number of the first."""
    content = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(content == ord("\n")) + 1
    starts = np.concatenate([[0], ends[:-1]])
    a, b = content[starts], content[np.minimum(starts + 1, len(data) - 1)]
    first = np.flatnonzero(np.concatenate([[True], (a[1:] != a[:-1]) | (b[1:] != b[:-1])]))
    for line, start, end in zip(first, starts[first], np.append(starts[first[1:]], len(data)), strict=True):
        yield line + 1, data[start:end]


def _points(lines: bytes) -> VertexArray:
    numbers, counts = numbers_of(lines, b"v", np.float64)
    width = counts[0] if len(counts) else 3
    if width < 3 or (counts != width).any():
        raise ValueError("vertices of several kinds")
    # Some exporters write colours after the three coordinates.
    return np.ascontiguousarray(numbers.reshape(-1, width)[:, :3])


def _groups(faces: list[tuple[Key, bytes]]) -> dict[Key, Faces]:
    """Return the faces of each submesh from blocks of lines."""
    corners, counts = numbers_of(b"".join([block for _, block in faces]), b"f", np.int64)
    if counts.min() < 3 or not 0 < corners.min() <= corners.max() < LAST:  # numpy cuts larger ones to the largest
        raise ValueError("a face that is not plain")
    corners -= 1
    # Where the lines of each block begin, and their corners.
    line = np.cumsum([0, *(block.count(b"\n") for _, block in faces)])
    corner = np.concatenate([[0], np.cumsum(counts)])[line]
    blocks: dict[Key, list[int]] = {}
    for place, (key, _) in enumerate(faces):
        blocks.setdefault(key, []).append(place)

    def joined(numbers: Ints, cuts: Ints, places: list[int]) -> Ints:
        return np.concatenate([numbers[cuts[place] : cuts[place + 1]] for place in places])

    return {key: fans(joined(counts, line, some), joined(corners, corner, some)) for key, some in blocks.items()}


def _read_by_line(text: str, materials: Materials = no_materials) -> tuple[VertexArray, dict[Key, Faces]]:
    vertices: list[tuple[float, float, float]] = []
    groups: dict[Key, list[list[int]]] = {}
    where = _Where(materials)
    for number, line in enumerate(text.replace("\\\r\n", " ").replace("\\\n", " ").split("\n"), start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        kind = words[0]
        try:
            if kind == "v":
                vertices.append((float(words[1]), float(words[2]), float(words[3])))
            elif kind == "f":
                corners = [_index(word, len(vertices)) for word in words[1:]]
                if len(corners) > 2:  # otherwise tinyobjloader, by which Gazebo and Drake read, skips it
                    groups.setdefault(where.key, []).append(corners)
            else:
                where.take(kind, line, words[1:], number)
        except (ValueError, IndexError) as error:
            reason = (wrong_number(words[1:4]) or "a vertex has three numbers") if kind == "v" else error
            raise ValueError(f"line {number} ({ascii(line.strip()[:60])}): {reason}") from None
    return np.array(vertices, dtype=np.float64).reshape(-1, 3), {
        key: fans(np.array([len(corners) for corners in polygons]), np.concatenate(polygons))
        for key, polygons in groups.items()
    }


def _index(word: str, count: int) -> int:
    # Positive from 1; negative from the vertices read so far.
    index = int(word.partition("/")[0])
    if index == 0 or not -count <= index <= LAST:
        raise ValueError(f"there is no vertex {word[:24]}")
    return index - 1 if index > 0 else index + count


MAX_MATERIAL_BYTES = 64 * 1024 * 1024
"""Maximum size of a material file that is read [bytes]."""


def materials_beside(path: Path, roots: tuple[Path, ...]) -> Callable[[str], frozenset[str]]:
    """Return a function that reads the materials of an OBJ file's ``mtllib`` lines.

    Parameters
    ----------
    path : Path
        The OBJ file.
    roots : tuple of Path
        Files outside of these are not opened, and treated as missing.
    """

    def materials(names: str) -> frozenset[str]:
        for name in names.split(" "):  # the first file that exists is used
            if not name:  # the empty name is the folder itself
                break
            text = _text(path.parent, name, roots)
            if text is not None:
                return frozenset(_defined(text))
        return frozenset()

    return materials


def _text(folder: Path, name: str, roots: tuple[Path, ...]) -> str | None:
    try:
        if not on_a_drive_of(folder / name, roots):
            return None
        path = Path(os.path.realpath(folder / name))
        if not any(path.is_relative_to(root) for root in roots):
            return None
        return read_bytes(path, MAX_MATERIAL_BYTES).decode("utf-8", "replace")
    except (InertiaError, ValueError):  # a NUL in the name raises ValueError
        return None


def _defined(text: str) -> list[str]:
    lines = (line.strip("\r").rstrip(" \t").lstrip(" \t") for line in text.split("\n"))
    return [line[7:] for line in lines if line[:6] == "newmtl" and line[6:7] in (" ", "\t") and line[7:]]
