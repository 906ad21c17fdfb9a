# SPDX-License-Identifier: GPL-3.0-or-later
"""The corners of faces, as arrays that vector arithmetic is fast on."""

from __future__ import annotations

import numpy as np

from ...arrays import FloatArray, Ints, blocks
from ..surface import Surface

Corners = FloatArray
"""Shape (3, 3, m): axis, corner, face [m]."""

SOME = 1 << 16
"""Faces at a time whose corners are gathered."""

ROUNDING = 2.0**-40
"""A place on a side is known to this share of the coordinates, and far better: what is nearer to a line is tried."""


def face_corners(surface: Surface, faces: Ints) -> Corners:
    """Return the corners of some faces in float64."""
    corners = np.empty((3, 3, len(faces)))
    many = len(faces) > len(surface.vertices)  # then numbers are gathered from rows of x, y and z, which is quicker
    rows = np.ascontiguousarray(surface.vertices.T, dtype=np.float64) if many else None
    for some in blocks(len(faces), SOME):  # of all at once, what comes in between would not stay in the cache
        index = np.ascontiguousarray(surface.triangles.take(faces[some], axis=0).T, dtype=np.intp)
        if rows is None:
            corners[:, :, some] = surface.vertices.take(index, axis=0).transpose(2, 0, 1)
            continue
        for row, coordinates in zip(rows, corners, strict=True):
            for number, coordinate in zip(index, coordinates, strict=True):
                row.take(number, out=coordinate[some], mode="clip")
    return corners
