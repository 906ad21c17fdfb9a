# SPDX-License-Identifier: Apache-2.0
"""Meshes as a page holds them: each once, in float32, and of few enough triangles for any machine."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable

import numpy as np

from ..arrays import FloatArray, Ints
from ..mesh.surface import Surface
from ..robot.report import Json

MOST = 100_000
"""Triangles in one page: about 2.5 MB of text, which phones draw smoothly."""

COARSEST = 4
"""Cells along the longest side of a simplified mesh, at least."""


class DrawnMeshes:
    """The meshes of a page, in the order in which they are first used.

    Parameters
    ----------
    surfaces : iterable of Surface
    most : int
        Triangles of all of them together. If there are more, the largest are simplified, for display only.
    """

    def __init__(self, surfaces: Iterable[Surface], most: int = MOST) -> None:
        unique = {id(surface): surface for surface in surfaces}
        self._numbers = {key: number for number, key in enumerate(unique)}
        self.surfaces = list(unique.values())  # which keeps their ids
        counts = [len(surface.triangles) for surface in self.surfaces]
        self.before = sum(counts)
        cap = _cap(counts, most)
        self.drawn = [_clustered(surface, cap) for surface in self.surfaces]
        self.after = sum(len(triangles) for _, triangles in self.drawn)

    def number(self, surface: Surface) -> int:
        """Return the number of a surface."""
        return self._numbers[id(surface)]

    def json(self) -> list[Json]:
        """Return positions and triangles of each mesh: base64 of little-endian float32, and of uint16 or uint32."""
        return [
            {"positions": _text(points, "<f4"), "wide": len(points) > 0xFFFF, "triangles": _indices(points, triangles)}
            for points, triangles in self.drawn
        ]


def _indices(points: FloatArray, triangles: Ints) -> str:
    return _text(triangles, "<u4" if len(points) > 0xFFFF else "<u2")


def _text(array: FloatArray | Ints, dtype: str) -> str:
    return b64encode(np.ascontiguousarray(array, dtype=dtype).tobytes()).decode()


def _cap(counts: list[int], most: int) -> int:
    """Return the largest number of triangles of a mesh with which all together have at most `most`."""
    rest = most
    for place, count in enumerate(sorted(counts)):
        cap = rest // (len(counts) - place)
        if count > cap:
            return cap
        rest -= count
    return max(counts, default=0)


def _clustered(surface: Surface, cap: int) -> tuple[FloatArray, Ints]:
    """Return the points and triangles of a surface; if it has more than `cap`, its vertices are merged by cells."""
    unique, merged = np.unique(surface.vertices.astype(np.float32), axis=0, return_inverse=True)
    corners: Ints = merged.reshape(-1)[surface.triangles]
    points = unique.astype(np.float64)
    if len(corners) <= cap:
        return points, corners
    low, size = points.min(axis=0), float(np.ptp(points, axis=0).max())
    few, many = COARSEST, 4096
    while many - few > 1:  # more cells keep more triangles, nearly always
        cells = (few + many) // 2
        few, many = (cells, many) if len(_merged(points, corners, low, size / cells)[1]) <= cap else (few, cells)
    return _merged(points, corners, low, size / few)


def _merged(points: FloatArray, corners: Ints, low: FloatArray, cell: float) -> tuple[FloatArray, Ints]:
    """Return a mesh with all points of a cell at their mean, without the triangles that vanish."""
    columns = ((points - low) / cell).astype(np.int64)
    keys = (columns[:, 0] << 42) | (columns[:, 1] << 21) | columns[:, 2]
    _, group, counts = np.unique(keys, return_inverse=True, return_counts=True)
    sums = np.stack([np.bincount(group, weights=points[:, axis]) for axis in range(3)], axis=-1)
    triangles = group.reshape(-1)[corners]
    a, b, c = triangles.T
    triangles = triangles[(a != b) & (b != c) & (c != a)]
    _, first = np.unique(np.sort(triangles, axis=1), axis=0, return_index=True)
    return sums / counts[:, None], triangles[np.sort(first)]
