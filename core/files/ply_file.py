# SPDX-License-Identifier: Apache-2.0
"""Reads PLY: vertices, polygons and triangle strips, as text or binary of either byte order.

Not read through trimesh (5.2), which ignores ``tristrips`` and refuses binary lists of different lengths. Format:
Turk 1994, The PLY polygon file format; strips as in the Stanford 3D scanning repository.
"""

from __future__ import annotations

import struct
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..arrays import Ints, QuadArray, TriangleArray, VertexArray
from .number_lines import wrong_number
from .polygons import fans, strips

TYPES = {
    **dict.fromkeys(("char", "int8"), "b"),
    **dict.fromkeys(("uchar", "uint8"), "B"),
    **dict.fromkeys(("short", "int16"), "h"),
    **dict.fromkeys(("ushort", "uint16"), "H"),
    **dict.fromkeys(("int", "int32"), "i"),
    **dict.fromkeys(("uint", "uint32"), "I"),
    **dict.fromkeys(("float", "float32"), "f"),
    **dict.fromkeys(("double", "float64"), "d"),
}
"""Types by their names, as in `struct` and numpy."""

ORDERS = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}

CORNERS = ("vertex_index", "vertex_indices")
"""Names of the list of a face's corners; if there is only one list, any name is accepted."""


class _Property(NamedTuple):
    name: str
    type: str
    length: str | None  # the type of a list's length


class _Element(NamedTuple):
    name: str
    length: int
    properties: list[_Property]


Columns = dict[str, npt.NDArray[Any]]


def read_ply(data: bytes) -> tuple[VertexArray, TriangleArray, QuadArray]:
    """Return vertices (n, 3), float32 if the file says so, triangles (m, 3), and quads (k, 4).

    Polygons become fans. Colours, normals, edges and the like are ignored.

    Raises
    ------
    ValueError
        Explains what is not PLY.
    """
    order, elements, start = _header(data)
    if not order:  # text is converted to binary in which all numbers have eight bytes
        data, start = _numbers(data, start), 0
    vertices: VertexArray = np.zeros((0, 3))
    triangles: list[TriangleArray] = [np.zeros((0, 3), dtype=np.int64)]
    quads: list[QuadArray] = [np.zeros((0, 4), dtype=np.int64)]
    for element in elements:
        columns, counts, start = _read(element, data, start, order)
        if element.name == "vertex":
            vertices = _vertices(element, columns)
        elif element.name == "face" and counts:
            count, corner = _corners(columns, counts)
            if (count < 3).any():
                raise ValueError(f"a face of it has {count.min()} corners, or the counts in its header are wrong")
            faces = fans(count, corner)
            triangles.append(faces.triangles)
            quads.append(faces.quads)
        elif element.name == "tristrips" and counts:
            triangles.append(strips(*_corners(columns, counts)))
    if start != len(data):
        raise ValueError("there is more in it than its header says")
    return vertices, np.concatenate(triangles), np.concatenate(quads)


def _numbers(data: bytes, start: int) -> bytes:
    """Return the numbers of a text in binary."""
    try:
        return np.array(list(map(float, data[start:].split())), dtype="<f8").tobytes()
    except ValueError:
        lines = enumerate(data[start:].split(b"\n"), start=data.count(b"\n", 0, start) + 1)
        number, reason = next((number, reason) for number, line in lines if (reason := wrong_number(line.split())))
        raise ValueError(f"line {number}: {reason}") from None


def _header(data: bytes) -> tuple[str, list[_Element], int]:
    """Return the byte order, "" for text, the elements in their order, and the offset of the first one."""
    elements: list[_Element] = []
    order, start = None, 0
    while (end := data.find(b"\n", start)) >= 0:
        words = data[start:end].decode("ascii", "replace").split() or [""]
        if not start and [word.lower() for word in words] != ["ply"]:
            break
        start = end + 1
        try:
            if words[0] == "end_header" and order is not None:
                return order, elements, start
            if words[0] == "format":
                order = ORDERS[words[1]]
            elif words[0] == "element":
                elements.append(_Element(words[1], int(words[2]), []))
            elif words[0] == "property":
                length = TYPES[words[2]] if words[1] == "list" else None
                elements[-1].properties.append(_Property(words[-1], TYPES[words[-2]], length))
        except (KeyError, IndexError, ValueError):
            raise ValueError(f"its header has a line {ascii(' '.join(words)[:60])}") from None
    raise ValueError("it has no header of a PLY file")


_Rows = tuple[Columns, dict[str, Ints], int]
"""The columns of an element (lists concatenated), the length of each list, and the offset of the next element."""


def _read(element: _Element, data: bytes, start: int, order: str) -> _Rows:
    cut_off = ValueError(f"its header says 'element {element.name} {element.length}', which its data do not fit")
    if element.length < 0:
        raise cut_off
    if not 0 < len({column.name for column in element.properties}) == len(element.properties):
        raise ValueError(f"its {element.name} has no properties, or two of one name")
    if (rows := _alike(element, data, start, order)) is not None:
        return rows
    types = {column.name: np.dtype(order + column.type if order else "<d") for column in element.properties}
    pieces: dict[str, list[bytes]] = {name: [] for name in types}
    lengths = {
        column.name: struct.Struct(order + column.length if order else "<d")
        for column in element.properties
        if column.length
    }
    counts: dict[str, list[int]] = {name: [] for name in lengths}
    properties = [(name, kind.itemsize, lengths.get(name)) for name, kind in types.items()]
    try:
        for _ in range(element.length):
            for name, size, length in properties:
                count = 1
                if length:
                    count = int(length.unpack_from(data, start)[0])
                    counts[name].append(count)
                    start += length.size
                end = start + count * size
                if not start <= end <= len(data):
                    raise cut_off
                pieces[name].append(data[start:end])
                start = end
    except (struct.error, OverflowError):
        raise cut_off from None
    columns = {name: np.frombuffer(b"".join(some), types[name]) for name, some in pieces.items()}
    return columns, {name: np.array(some, dtype=np.int64) for name, some in counts.items()}, start


def _alike(element: _Element, data: bytes, start: int, order: str) -> _Rows | None:
    """Read rows that are all as long as the first one, as those of triangles are, at once; return None for others."""
    fields: list[tuple[str, np.dtype[Any], int]] = []
    sizes: dict[str, int] = {}
    end = start
    for name, kind, length_kind in element.properties:
        if length_kind:
            length = np.dtype(order + length_kind if order else "<d")
            first = np.frombuffer(data[end : end + length.itemsize].ljust(length.itemsize, b"\0"), length)[0]
            if not 0 < first < len(data):
                return None
            fields.append((f"{name} length", length, 1))
            sizes[name], end = int(first), end + length.itemsize
        fields.append((name, np.dtype(order + kind if order else "<d"), sizes.get(name, 1)))
        end += fields[-1][1].itemsize * sizes.get(name, 1)
    if end > len(data) and element.length:
        return None
    row = np.dtype([(name, kind, (count,)) for name, kind, count in fields])
    end = start + element.length * row.itemsize
    if end > len(data):
        return None
    rows = np.frombuffer(data[start:end], row)
    counts = {name: rows[f"{name} length"].reshape(-1) for name in sizes}
    if any((count != sizes[name]).any() for name, count in counts.items()):
        return None
    columns = {name: rows[name].reshape(-1) for name, *_ in element.properties}
    return columns, {name: count.astype(np.int64) for name, count in counts.items()}, end


def _vertices(element: _Element, columns: Columns) -> VertexArray:
    if not {"x", "y", "z"} <= columns.keys():
        raise ValueError("its vertices have no x, y and z")
    single = all(column.type == "f" for column in element.properties if column.name in ("x", "y", "z"))
    with np.errstate(over="ignore"):  # infinite values are refused later
        return np.stack([columns[axis] for axis in "xyz"], axis=-1).astype(np.float32 if single else np.float64)


def _corners(columns: Columns, counts: dict[str, Ints]) -> tuple[Ints, Ints]:
    """Return the number of corners of each face, and the corners of all faces concatenated."""
    name = next((name for name in (CORNERS if len(counts) > 1 else counts) if name in counts), None)
    if name is None:
        raise ValueError(f"its faces have no list {' or '.join(CORNERS)}")
    with np.errstate(invalid="ignore"):
        corner = columns[name].astype(np.int64)
    if not np.array_equal(corner, columns[name]):
        raise ValueError("the number of a vertex is no whole number")
    return counts[name], corner
