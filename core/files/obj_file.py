# SPDX-License-Identifier: GPL-3.0-or-later
"""Wavefront OBJ: positions and polygons as they are, whole or by object, group and material.

Not read through trimesh (5.2), which takes an index relative to the vertices so far (``f -4 -3 -2``) as relative to
the end of the file, and the invalid index 0 as the first vertex: both silently another mesh.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from ..arrays import VertexArray
from ..errors import InertiaError
from .input_file import on_a_drive_of, read_bytes
from .polygons import Faces, fans

LAST = np.iinfo(np.int64).max
"""The largest index that an array can hold; one past the file's last vertex is found by whoever knows them all."""


Materials = Callable[[str], frozenset[str]]
"""The names of the materials in the files that a ``mtllib`` line names; see `read_obj`."""


def no_materials(names: str) -> frozenset[str]:
    """Say that there is no such file."""
    return frozenset()


def read_obj(text: str, materials: Materials = no_materials) -> tuple[VertexArray, list[tuple[str, Faces]]]:
    """Return the vertices (n, 3), float64, that all share, and what Gazebo makes a submesh each: its name, its faces.

    Polygons become `fans`. A new ``o`` or ``g`` begins a submesh, and within it each material has its own; all that no
    material file defines are one, as if there were none. Lines, points, normals and texture coordinates are passed
    over.

    Parameters
    ----------
    materials : function
        Of the rest of a ``mtllib`` line: returns the names of the materials that are defined there.

    Raises
    ------
    ValueError
        Names the line that is no OBJ.
    """
    vertices, groups = _read(text, materials)
    return vertices, [(name, faces) for (_, name, _), faces in groups.items()]


def all_faces(groups: Iterable[tuple[str, Faces]]) -> Faces:
    """Return the faces of some groups as one, group by group."""
    faces = [Faces(np.zeros((0, 3), dtype=np.int64), np.zeros((0, 4), dtype=np.int64)), *(own for _, own in groups)]
    return Faces(*map(np.concatenate, zip(*faces, strict=True)))


Key = tuple[int, str, str]
"""What makes a submesh: the line of its ``o`` or ``g``, the name there, the material if it is known."""


class _Where:
    """Which submesh the next face is of."""

    def __init__(self, materials: Materials) -> None:
        self.key: Key = (0, "", "")
        self._materials = materials
        self._known: set[str] = set()

    def take(self, kind: str, line: str, words: list[str], number: int) -> None:
        """Take a line that is no vertex and no face: its first word, itself, and its other words."""
        group, name, material = self.key
        if kind in ("o", "g"):
            self.key = (number, " ".join(words), material)
        elif kind == "usemtl":
            given = _rest(line, kind)
            self.key = (group, name, given if given in self._known else "")
        elif kind == "mtllib":
            self._known |= self._materials(_rest(line, kind))


def _rest(line: str, kind: str) -> str:
    """Return what stands behind a line's first word and one space: names of materials and files may hold spaces."""
    return line.lstrip(" \t").rstrip("\r")[len(kind) + 1 :]


def _read(text: str, materials: Materials = no_materials) -> tuple[VertexArray, dict[Key, Faces]]:
    plain = None if "\\" in text else _read_plain(text, materials)
    return _read_by_line(text, materials) if plain is None else plain


def _read_plain(text: str, materials: Materials = no_materials) -> tuple[VertexArray, dict[Key, Faces]] | None:
    """Read a file as exporters write it, all its numbers at once; None where there is anything else, or a fault."""
    vertices: list[str] = []
    faces: dict[Key, list[str]] = {}
    where = _Where(materials)
    here: list[str] | None = None
    for number, line in enumerate(text.split("\n"), start=1):
        kind = line[:2]
        if kind == "v ":
            vertices.append(line)
        elif kind == "f ":
            if here is None:
                here = faces.setdefault(where.key, [])
            here.append(line)
        elif kind not in ("vn", "vt"):
            first, *rest = line.partition("#")[0].split() or ("",)
            if first in ("v", "f"):
                return None
            where.take(first, line, rest, number)
            here = None
    try:
        return _points(vertices), {key: _fans(lines) for key, lines in faces.items()}
    except (ValueError, OverflowError):  # the other way says which line
        return None


def _points(lines: list[str]) -> VertexArray:
    width = len(lines[0].split()) if lines else 4  # some write colours behind the three numbers
    words = " ".join(lines).split()
    if width < 4 or len(words) != width * len(lines) or words[::width].count("v") != len(lines):
        raise ValueError
    del words[::width]
    numbers = np.array(list(map(float, words)), dtype=np.float64).reshape(-1, width - 1)
    return np.ascontiguousarray(numbers[:, :3])


def _fans(lines: list[str]) -> Faces:
    text = "\n".join(lines)
    if "#" in text:
        raise ValueError
    words = [line.split() for line in (_BEHIND_SLASH.sub("", text) if "/" in text else text).split("\n")]
    counts = np.array([len(line) - 1 for line in words])
    corners = np.array([int(word) for line in words for word in line[1:]], dtype=np.int64) - 1
    if counts.min() < 3 or corners.min() < 0:
        raise ValueError
    return fans(counts, corners)


_BEHIND_SLASH = re.compile(r"/\S*")


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
                if len(corners) < 3:
                    raise ValueError("a face has three corners or more")
                groups.setdefault(where.key, []).append(corners)
            else:
                where.take(kind, line, words[1:], number)
        except (ValueError, IndexError) as error:
            raise ValueError(f"line {number} ({ascii(line.strip()[:60])}): {error}") from None
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
"""A material file above this is not read."""


def materials_beside(path: Path, roots: tuple[Path, ...]) -> Callable[[str], frozenset[str]]:
    """Return what an OBJ file's ``mtllib`` lines mean: a function of the rest of such a line.

    Parameters
    ----------
    path : Path
        The OBJ file.
    roots : tuple of Path
        Nothing outside of these is opened; it counts as missing.
    """

    def materials(names: str) -> frozenset[str]:
        for name in names.split(" "):  # the first that is found counts
            if not name:  # the folder itself, which opens and holds nothing
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
    except (InertiaError, ValueError):  # ValueError: a NUL in the name
        return None


def _defined(text: str) -> list[str]:
    lines = (line.strip("\r").rstrip(" \t").lstrip(" \t") for line in text.split("\n"))
    return [line[7:] for line in lines if line[:6] == "newmtl" and line[6:7] in (" ", "\t") and line[7:]]
