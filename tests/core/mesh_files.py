# SPDX-License-Identifier: GPL-3.0-or-later
"""A few lines that read STL and OBJ unchanged: no welding, no repair, polygons as fans."""

import re

import numpy as np


def read(path):
    """Return vertices (n, 3) and triangles (m, 3); STL vertices are float32, three to a face."""
    text = path.read_bytes()
    if path.suffix.lower() == ".obj":
        return _obj(text.decode())
    count = int.from_bytes(text[80:84], "little")
    if len(text) == 84 + 50 * count:
        record = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
        vertices = np.frombuffer(text, record, offset=84)["corners"].reshape(-1, 3)
    else:
        rows = re.findall(rb"vertex\s+(\S+)\s+(\S+)\s+(\S+)", text)
        vertices = np.array(rows, dtype=np.float64).astype(np.float32).reshape(-1, 3)
    return vertices, np.arange(len(vertices)).reshape(-1, 3)


def _obj(text):
    vertices, triangles = [], []
    for line in text.splitlines():
        kind, *words = line.split() or [""]
        if kind == "v":
            vertices.append([float(word) for word in words[:3]])
        elif kind == "f":
            corners = [int(word.split("/")[0]) for word in words]
            corners = [corner - 1 if corner > 0 else corner + len(vertices) for corner in corners]
            triangles += [(corners[0], b, c) for b, c in zip(corners[1:], corners[2:], strict=False)]
    return np.array(vertices), np.array(triangles, dtype=int)
