# SPDX-License-Identifier: GPL-3.0-or-later
"""Wavefront OBJ: positions and polygons as they stand, whole or by object, group and material.

Not read through trimesh (5.2), which takes an index relative to the vertices so far (``f -4 -3 -2``) as relative to
the end of the file, and the invalid index 0 as the first vertex: both silently another mesh.
"""

from __future__ import annotations

import numpy as np

from .arrays import TriangleArray, VertexArray


def read_obj(text: str) -> tuple[VertexArray, TriangleArray]:
    """Return vertices (n, 3), float64, and triangles (m, 3) of all objects and groups; raises as `read_obj_groups`."""
    vertices, groups = _read(text)
    triangles = [row for rows in groups.values() for row in rows]
    return vertices, np.array(triangles, dtype=np.int64).reshape(-1, 3)


def read_obj_groups(text: str) -> list[tuple[str, VertexArray, TriangleArray]]:
    """Return what Gazebo makes a submesh each: its name, the vertices (n, 3) that all share, its triangles (m, 3).

    A polygon becomes a fan about its first corner: whatever its shape, the integral over it is that of the polygon if
    it is planar. A new ``o`` or ``g`` begins a submesh, and within it each material has its own. Lines, points,
    normals and texture coordinates are passed over.

    Raises
    ------
    ValueError
        Names the line that is no OBJ.
    """
    vertices, groups = _read(text)
    return [(name, vertices, np.array(rows, dtype=np.int64)) for (_, name, _), rows in groups.items()]


def _read(text: str) -> tuple[VertexArray, dict[tuple[int, str, str], list[tuple[int, int, int]]]]:
    vertices: list[tuple[float, float, float]] = []
    groups: dict[tuple[int, str, str], list[tuple[int, int, int]]] = {}
    number_of_group, name, material = 0, "", ""
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
                fan = zip(corners[1:], corners[2:], strict=False)
                groups.setdefault((number_of_group, name, material), []).extend((corners[0], b, c) for b, c in fan)
            elif kind in ("o", "g"):
                number_of_group, name = number, " ".join(words[1:])
            elif kind == "usemtl":
                material = " ".join(words[1:])
        except (ValueError, IndexError) as error:
            raise ValueError(f"line {number} ({ascii(line.strip()[:60])}): {error}") from None
    return np.array(vertices, dtype=np.float64).reshape(-1, 3), groups


def _index(word: str, count: int) -> int:
    # Positive from 1; negative from the vertices read so far.
    index = int(word.partition("/")[0])
    if index == 0 or index < -count:
        raise ValueError(f"there is no vertex {index}")
    return index - 1 if index > 0 else index + count
