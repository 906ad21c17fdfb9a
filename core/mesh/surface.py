# SPDX-License-Identifier: GPL-3.0-or-later
"""A triangle mesh as a value, checked once when it is made."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray, TriangleArray, VertexArray, readonly
from ..errors import InertiaError


@dataclass(frozen=True, eq=False)
class Surface:
    """A triangle mesh whose faces wind counter-clockwise seen from outside.

    Parameters
    ----------
    vertices : array_like, shape (n, 3), float
        Kept in the precision they come in (Blender's is float32).
    triangles : array_like, shape (m, 3), int
        Vertex indices.

    Raises
    ------
    InertiaError
        ``no_faces``, ``not_finite`` (names the vertex), ``index_out_of_range`` (names the face) or
        ``bad_mesh`` (wrong shape or type).
    """

    vertices: VertexArray
    triangles: TriangleArray

    def __post_init__(self) -> None:
        vertices = np.asarray(self.vertices)
        triangles = np.asarray(self.triangles)
        if triangles.size == 0 or vertices.size == 0:
            raise InertiaError(
                "no_faces",
                "",
                f"the mesh has {len(vertices)} vertices and no faces" if vertices.size else "the mesh is empty",
                "give it faces, fit a primitive, or remove the tag",
            )
        if vertices.ndim != 2 or vertices.shape[1] != 3 or vertices.dtype.kind not in "fiu":
            raise InertiaError("bad_mesh", "", f"vertices of shape {vertices.shape} and type {vertices.dtype}")
        if triangles.ndim != 2 or triangles.shape[1] != 3 or triangles.dtype.kind not in "iu":
            raise InertiaError("bad_mesh", "", f"triangles of shape {triangles.shape} and type {triangles.dtype}")
        if vertices.dtype not in (np.float32, np.float64):
            vertices = vertices.astype(np.float64)
        check_finite(vertices)
        _check_range(triangles, len(vertices))
        object.__setattr__(self, "vertices", _frozen(vertices))
        object.__setattr__(self, "triangles", _frozen(triangles))

    def flipped(self) -> Surface:
        """Return the surface with every face wound the other way."""
        return Surface(self.vertices, self.triangles[:, ::-1])

    def stretched(self, A: FloatArray) -> Surface:
        """Return the surface under x → A x in float64; a mirror reverses the winding, so outside stays outside."""
        triangles = self.triangles[:, ::-1] if np.linalg.det(A) < 0.0 else self.triangles
        return Surface(self.vertices.astype(np.float64) @ A.T, triangles)

    def moved(self, t: FloatArray) -> Surface:
        """Return the surface under x → x + t, in float64 unless nothing moves."""
        return Surface(self.vertices + t, self.triangles) if t.any() else self

    def extent(self) -> FloatArray:
        """Return the side lengths (3,) of the bounding box of the vertices that faces use."""
        low, high = self.bounds()
        return high - low

    def bounds(self) -> tuple[FloatArray, FloatArray]:
        """Return the lowest and highest corner (3,) of the bounding box of the vertices that faces use."""
        return self._bounds

    @cached_property
    def _bounds(self) -> tuple[FloatArray, FloatArray]:
        used = np.zeros(len(self.vertices), dtype=bool)
        for corner in self.triangles.T:
            used[corner] = True
            if used.all():  # mostly so after the first corners
                break
        points = self.vertices if used.all() else self.vertices[used]
        # One axis at a time: along the first axis of rows of three, a reduction is twenty times slower.
        low, high = ([reduce(points[:, axis]) for axis in range(3)] for reduce in (np.min, np.max))
        return readonly(low, (3,)), readonly(high, (3,))


def _frozen(array: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
    view = array.view()
    view.flags.writeable = False
    return view


def check_finite(vertices: VertexArray) -> None:
    """Raise ``not_finite``, naming the vertex, unless all coordinates are finite."""
    # A sum is finite unless a term is not (or, for very large numbers, overflows): one pass without temporaries, in
    # the precision of the vertices.
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(vertices.sum()):
            return
    bad = np.flatnonzero(~np.isfinite(vertices).all(axis=1))
    if len(bad):
        x, y, z = vertices[bad[0]].tolist()
        raise InertiaError(
            "not_finite",
            "",
            f"{len(bad)} of {len(vertices)} vertices are not finite, first vertex {bad[0]} at ({x:g}, {y:g}, {z:g})",
            "delete or move the vertex, or look at the modifier that makes it",
        )


def _check_range(triangles: TriangleArray, count: int) -> None:
    # Read as unsigned, a negative index is larger than any other: one pass finds both.
    if int(triangles.view(triangles.dtype.str.replace("i", "u")).max()) < count:
        return
    outside = (triangles < 0) | (triangles >= count)
    face = int(np.flatnonzero(outside.any(axis=1))[0])
    index = int(triangles[face][outside[face]][0])
    raise InertiaError(
        "index_out_of_range",
        "",
        f"face {face} names vertex {index}, but there are only {count} vertices",
        "repair the mesh file",
    )
