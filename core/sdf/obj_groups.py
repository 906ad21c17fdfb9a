# SPDX-License-Identifier: GPL-3.0-or-later
"""Wavefront OBJ by object, group and material: what Gazebo makes a submesh each."""

from __future__ import annotations

import numpy as np

from ..arrays import TriangleArray, VertexArray


def read_obj_groups(text: str) -> list[tuple[str, VertexArray, TriangleArray]]:
    """Return each group's name, the vertices (n, 3) that all groups share, and its triangles (m, 3).

    A polygon becomes a fan about its first corner. A new ``o`` or ``g`` begins a submesh, and within it each material
    has its own.

    Raises
    ------
    ValueError
        Names the line that is no OBJ.
    """
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
    points = np.array(vertices, dtype=np.float64).reshape(-1, 3)
    return [(name, points, np.array(rows, dtype=np.int64)) for (_, name, _), rows in groups.items()]


def _index(word: str, count: int) -> int:
    # Positive from 1; negative from the vertices read so far.
    index = int(word.partition("/")[0])
    if index == 0 or index < -count:
        raise ValueError(f"there is no vertex {index}")
    return index - 1 if index > 0 else index + count
