# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads binary STL, the format of most robots' meshes: fifty bytes for each triangle.

Our own reader, since the format is trivial and a library takes several times as long. trimesh reads ASCII STL.
"""

from __future__ import annotations

import numpy as np

from ..arrays import TriangleArray, VertexArray

HEADER = 84
"""Bytes before the first triangle: a comment of eighty bytes, and the number of triangles."""

_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


def read_binary_stl(data: bytes) -> tuple[VertexArray, TriangleArray] | None:
    """Return vertices (n, 3), float32 and three for each triangle, and triangles (m, 3); None for a text.

    A file is binary if its length matches its own count of triangles: the comment may begin with "solid".

    Raises
    ------
    ValueError
        For a binary file whose length does not match its count; for a text that is not STL.
    """
    count = int.from_bytes(data[HEADER - 4 : HEADER], "little")
    length = HEADER + count * _RECORD.itemsize
    if len(data) < HEADER or len(data) != length:
        if b"\0" not in data:
            if data.lstrip()[:5].lower() != b"solid" and b"vertex" not in data.lower():
                raise ValueError("it is no STL: a text begins with 'solid'")
            return None
        raise ValueError(f"it says it has {count} triangles, which take {length} bytes, but it has {len(data)}")
    corners = np.frombuffer(data, _RECORD, offset=HEADER)["corners"]
    vertices = np.ascontiguousarray(corners, dtype=np.float32).reshape(-1, 3)
    return vertices, np.arange(len(vertices)).reshape(-1, 3)
