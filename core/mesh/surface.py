# SPDX-License-Identifier: Apache-2.0
"""A triangle mesh as a value, checked when it is made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray, Ints, QuadArray, TriangleArray, VertexArray, readonly
from ..cached import lockfree_cached_property
from ..errors import InertiaError

FARTHEST, SMALLEST = 1e50, 1e-50
"""Limits of coordinates and sizes whose fifth power, a second moment, fits into floating point, with room for a
density, and for a solid that is some 40 powers of ten thinner than long."""

BLOCK = 8192
"""Triangles per block: the temporaries stay in the second-level cache."""

WIDE = 256
"""Vertices per block: enough for numpy's vector loops, few enough to stay in the cache."""


@dataclass(frozen=True, eq=False)
class Surface:
    """A triangle mesh whose faces wind counter-clockwise seen from outside.

    Parameters
    ----------
    vertices : array_like, shape (n, 3), float
        Kept in their precision (Blender's is float32).
    triangles : array_like, shape (m, 3), int
        Vertex indices.
    quads : array_like, shape (k, 4), int, optional
        The quads whose halves are triangles, by corners; None if unknown or there are none.

    Attributes
    ----------
    box : tuple of ndarray
        Lowest and highest corner (3,) of the bounding box of all vertices, used or not.

    Raises
    ------
    InertiaError
        ``no_faces``, ``not_finite`` (names the vertex), ``index_out_of_range`` (names the face), ``bad_mesh`` (wrong
        shape or type) or ``out_of_range`` (too large or too small for floating point).
    """

    vertices: VertexArray
    triangles: TriangleArray
    quads: QuadArray | None = None
    box: tuple[FloatArray, FloatArray] = field(init=False)

    def __post_init__(self) -> None:
        vertices = as_array(self.vertices)
        triangles = as_array(self.triangles)
        if vertices.ndim and triangles.ndim and not (vertices.size and triangles.size):
            raise InertiaError.of("no_faces", "", "vertices" if vertices.size else "empty", count=len(vertices))
        if vertices.ndim != 2 or vertices.shape[1] != 3 or vertices.dtype.kind not in "fiu":
            raise InertiaError.of("bad_mesh", "", "vertices", shape=vertices.shape, dtype=vertices.dtype)
        if triangles.ndim != 2 or triangles.shape[1] != 3 or triangles.dtype.kind not in "iu":
            raise InertiaError.of("bad_mesh", "", "triangles", shape=triangles.shape, dtype=triangles.dtype)
        if vertices.dtype not in (np.float32, np.float64):
            with np.errstate(over="ignore"):  # some wider numbers become infinite, which is refused later
                vertices = vertices.astype(np.float64)
        object.__setattr__(self, "box", check_finite(vertices))
        _check_size(*self.box)
        _check_range(triangles, len(vertices))
        if not np.can_cast(triangles.dtype, np.int64):  # numpy's `take` does not accept such an index
            triangles = triangles.astype(np.int64)
        object.__setattr__(self, "vertices", _frozen(vertices))
        object.__setattr__(self, "triangles", _frozen(triangles))
        if self.quads is not None:
            quads = as_array(self.quads)
            if quads.ndim != 2 or quads.shape[1] != 4 or quads.dtype.kind not in "iu":
                raise InertiaError.of("bad_mesh", "", "quads", shape=quads.shape, dtype=quads.dtype)
            if len(quads):
                _check_range(quads, len(vertices))
            object.__setattr__(self, "quads", _frozen(quads) if len(quads) else None)

    def flipped(self) -> Surface:
        """Return the surface with every face reversed."""
        return self.with_faces(self.triangles[:, ::-1], self.quads)

    def with_faces(self, triangles: TriangleArray, quads: QuadArray | None = None) -> Surface:
        """Return a surface with the same vertices; its faces are some of these, so they are not checked again."""
        return _of_checked(self.vertices, triangles, quads, self.box)

    def stretched(self, A: FloatArray) -> Surface:
        """Return the surface under x → A x in float64; a mirror reverses the winding, so outside stays outside."""
        triangles = self.triangles[:, ::-1] if np.linalg.det(A) < 0.0 else self.triangles
        return Surface(self.vertices.astype(np.float64) @ A.T, triangles, self.quads)

    def moved(self, t: FloatArray) -> Surface:
        """Return the surface under x → x + t, in float64 unless nothing moves."""
        return Surface(self.vertices + t, self.triangles, self.quads) if t.any() else self

    @property
    def unwelded(self) -> bool:
        """True if every face may have vertices of its own, as in STL files."""
        return len(self.vertices) >= 3 * len(self.triangles)

    def extent(self) -> FloatArray:
        """Return the side lengths (3,) of the bounding box of the vertices that faces use."""
        low, high = self.bounds()
        return high - low

    def bounds(self) -> tuple[FloatArray, FloatArray]:
        """Return the lowest and highest corner (3,) of the bounding box of the vertices that faces use."""
        return self._bounds

    def step(self) -> float:
        """Return the spacing of floating point at the largest coordinate that faces use."""
        return float(np.spacing(self.vertices.dtype.type(np.abs(self.bounds()).max())))

    def used(self) -> npt.NDArray[np.bool_]:
        """Return for each vertex (n,) True if a face uses it."""
        used = np.zeros(len(self.vertices), dtype=bool)
        for corner in self.triangles.T:
            used[corner.astype(np.intp)] = True  # with other integer types as index, numpy is four times slower
            if used.all():  # usually true after the first corners
                break
        return used

    def part(self, faces: Ints) -> Surface:
        """Return some faces (k,), at least one, with the vertices that they use, in the same order."""
        triangles, used = self.triangles.take(faces, axis=0), np.zeros(len(self.vertices), dtype=bool)
        used[triangles.astype(np.intp)] = True
        return Surface(self.vertices[used], (np.cumsum(used) - 1)[triangles])

    @lockfree_cached_property
    def _bounds(self) -> tuple[FloatArray, FloatArray]:
        used = self.used()
        return self.box if used.all() else extremes(self.vertices[used])


def joined(surfaces: Sequence[Surface]) -> Surface:
    """Return surfaces joined: each keeps its vertices, and only the size of the whole is checked.

    Raises
    ------
    InertiaError
        ``no_faces`` if there is none; ``out_of_range``.
    """
    if not surfaces:
        return Surface(np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64))
    if len(surfaces) == 1:
        return surfaces[0]
    # Each surface's indices count from the start of its own vertices.
    starts = np.cumsum([0, *(len(surface.vertices) for surface in surfaces[:-1])])
    placed = list(zip(surfaces, starts, strict=True))
    triangles = np.concatenate([surface.triangles.astype(np.int64) + start for surface, start in placed])
    quads = [surface.quads.astype(np.int64) + start for surface, start in placed if surface.quads is not None]
    lows, highs = zip(*(surface.box for surface in surfaces), strict=True)
    box = readonly(np.min(lows, axis=0), (3,)), readonly(np.max(highs, axis=0), (3,))
    _check_size(*box)
    vertices = np.concatenate([surface.vertices for surface in surfaces])
    return _of_checked(vertices, triangles, np.concatenate(quads) if quads else None, box)


def _of_checked(
    vertices: VertexArray, triangles: TriangleArray, quads: QuadArray | None, box: tuple[FloatArray, FloatArray]
) -> Surface:
    """Return a surface of arrays that come from checked ones."""
    surface = object.__new__(Surface)
    object.__setattr__(surface, "vertices", _frozen(vertices))
    object.__setattr__(surface, "triangles", _frozen(triangles))
    object.__setattr__(surface, "quads", None if quads is None or not len(quads) else _frozen(quads))
    object.__setattr__(surface, "box", box)
    return surface


def as_array(values: npt.ArrayLike) -> npt.NDArray[Any]:
    """Return vertices or faces as an array, or raise ``bad_mesh``, as for lists of different lengths."""
    try:
        return np.asarray(values)
    except (ValueError, TypeError) as error:
        reason = str(error).partition(" The requested")[0]
        raise InertiaError.of("bad_mesh", "", "not_arrays", reason=reason) from None


def _frozen(array: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
    view = array.view()
    view.flags.writeable = False
    return view


def extremes(vertices: VertexArray) -> tuple[FloatArray, FloatArray]:
    """Return the lowest and the highest of each coordinate of vertices (n, 3), each (3,); not finite if one is not."""
    # A reduction along the first axis of rows of three is ten times slower than one along long rows.
    whole = len(vertices) // WIDE * WIDE
    side_by_side, rest = vertices[:whole].reshape(-1, 3 * WIDE), vertices[whole:]
    low, high = (
        reduce(np.concatenate([reduce(side_by_side, axis=0, initial=start).reshape(-1, 3), rest]), axis=0)
        for reduce, start in ((np.min, np.inf), (np.max, -np.inf))
    )
    return readonly(low, (3,)), readonly(high, (3,))


def check_finite(vertices: VertexArray) -> tuple[FloatArray, FloatArray]:
    """Return what `extremes` does, or raise ``not_finite`` with the vertex; no vertices are valid."""
    low, high = extremes(vertices)
    if not len(vertices) or (np.isfinite(low).all() and np.isfinite(high).all()):
        return low, high
    bad = np.flatnonzero(~np.isfinite(vertices).all(axis=1))
    x, y, z = vertices[bad[0]].tolist()
    raise InertiaError.of(
        "not_finite", "", "vertices", count=len(bad), total=len(vertices), first=bad[0], x=x, y=y, z=z
    )


def _check_size(low: FloatArray, high: FloatArray) -> None:
    farthest, longest = float(np.abs([low, high]).max()), float((high - low).max())
    if farthest <= FARTHEST and (longest >= SMALLEST or longest == 0.0):
        return
    raise InertiaError.of("out_of_range", farthest=farthest, longest=longest)


def _check_range(faces: npt.NDArray[np.integer[Any]], count: int) -> None:
    # As unsigned numbers, negative indices are larger than any other: one pass finds both errors.
    if int(faces.view(faces.dtype.str.replace("i", "u")).max()) < count:
        return
    outside = (faces < 0) | (faces >= count)
    face = int(np.flatnonzero(outside.any(axis=1))[0])
    index = int(faces[face][outside[face]][0])
    raise InertiaError.of("index_out_of_range", face=face, index=index, count=count)
