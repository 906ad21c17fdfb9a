# SPDX-License-Identifier: GPL-3.0-or-later
"""Wavefront OBJ: positions and polygons, as they stand.

Not read through trimesh (5.2), which takes an index relative to the vertices so far (``f -4 -3 -2``) as relative to
the end of the file, and the invalid index 0 as the first vertex: both silently another mesh.
"""

from __future__ import annotations

import numpy as np

from .arrays import TriangleArray, VertexArray


def read_obj(text: str) -> tuple[VertexArray, TriangleArray]:
    """Return vertices (n, 3), float64, and triangles (m, 3) of all objects and groups.

    A polygon becomes a fan about its first corner: whatever its shape, the integral over it is that of the polygon if
    it is planar. Lines, points, normals and texture coordinates are passed over.

    Raises
    ------
    ValueError
        Names the line that is no OBJ.
    """
    vertices: list[tuple[float, ...]] = []
    triangles: list[tuple[int, int, int]] = []
    for number, line in enumerate(text.replace("\\\r\n", "  ").replace("\\\n", " ").split("\n"), start=1):
        kind, *words = line.partition("#")[0].split() or [""]
        if kind not in ("v", "f"):
            continue
        try:
            if kind == "v":
                x, y, z = words[:3]
                vertices.append((float(x), float(y), float(z)))
            else:
                first, *others = [_index(word, len(vertices)) for word in words]
                if len(others) < 2:
                    raise ValueError("a face has three corners or more")
                triangles += [(first, b, c) for b, c in zip(others, others[1:], strict=False)]
        except ValueError as error:
            raise ValueError(f"line {number} ('{line.strip()[:60]}'): {error}") from None
    return np.array(vertices, dtype=np.float64).reshape(-1, 3), np.array(triangles, dtype=np.int64).reshape(-1, 3)


def _index(word: str, count: int) -> int:
    # Positive from 1; negative from the vertices read so far.
    index = int(word.partition("/")[0])
    if index == 0 or index < -count:
        raise ValueError(f"there is no vertex {index}")
    return index - 1 if index > 0 else index + count
