# SPDX-License-Identifier: GPL-3.0-or-later
"""The exact integral of thousands of small meshes, concatenated, so that a call to numpy serves many of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray, TriangleArray, VertexArray, made_readonly
from ..body.moments import Moments
from ..errors import InertiaError
from .integrate import BLOCK, Workspace, fills_little, is_off_centre, surface_moments
from .surface import FARTHEST, SMALLEST, Surface, as_array

Mesh = tuple[VertexArray, TriangleArray]

SMALL = BLOCK // 4
"""A mesh with more triangles gains nothing by concatenation."""


def many_mesh_moments(meshes: Sequence[tuple[npt.ArrayLike, npt.ArrayLike]]) -> list[Moments]:
    """Integrate many closed triangle meshes exactly, as `mesh_moments` does one.

    Parameters
    ----------
    meshes : sequence of (vertices, triangles)
        Each as in `mesh_moments`.

    Returns
    -------
    list of Moments
        In the order of the meshes, each in its own frame.

    Raises
    ------
    InertiaError
        What `mesh_moments` raises for the first bad mesh found, with ``mesh 7`` as its subject.
    """
    arrays = [_arrays(number, *mesh) for number, mesh in enumerate(meshes)]
    found: list[Moments | None] = [None] * len(arrays)
    workspace = Workspace()
    for first, end in _batches(arrays):
        moments = _batch_moments(arrays[first:end], workspace) if end - first > 1 else None
        found[first:end] = moments or [None] * (end - first)
    return [_single(arrays, number) if one is None else one for number, one in enumerate(found)]


def _arrays(number: int, vertices: npt.ArrayLike, triangles: npt.ArrayLike) -> Mesh:
    try:
        return as_array(vertices), as_array(triangles)
    except InertiaError as error:
        raise error.about(f"mesh {number}") from None


def _single(arrays: list[Mesh], number: int) -> Moments:
    try:
        return surface_moments(Surface(*arrays[number]))
    except InertiaError as error:
        raise error.about(f"mesh {number}") from None


def _batches(arrays: list[Mesh]) -> Iterator[tuple[int, int]]:
    """Yield ranges of meshes with at most `BLOCK` triangles together; a large or unusual mesh is on its own."""
    first = size = 0
    for number, mesh in enumerate(arrays):
        count = len(mesh[1]) if _plain(*mesh) else BLOCK
        if size + count > BLOCK or count > SMALL:
            if first < number:
                yield first, number
            first, size = number, 0
            if count > SMALL:
                yield number, number + 1
                first = number + 1
                continue
        size += count
    if first < len(arrays):
        yield first, len(arrays)


def _plain(vertices: VertexArray, triangles: TriangleArray) -> bool:
    """Return True if only a mesh's numbers need a check; `Surface` checks, or converts, all others."""
    return (
        vertices.ndim == triangles.ndim == 2
        and vertices.shape[1] == triangles.shape[1] == 3
        and vertices.dtype.kind == "f"
        and vertices.itemsize in (4, 8)
        and triangles.dtype.kind in "iu"
        and len(vertices) > 0 < len(triangles)
    )


def _batch_moments(meshes: list[Mesh], workspace: Workspace) -> list[Moments | None] | None:
    """Integrate plain meshes together; return None for one that needs a separate check, one None if all do."""
    vertex_count = np.array([len(vertices) for vertices, _ in meshes])
    face_count = np.array([len(triangles) for _, triangles in meshes])
    vertex_start, face_start = (np.cumsum(count) - count for count in (vertex_count, face_count))
    corners = np.empty((3, vertex_count.sum()))
    corners[:] = np.concatenate([vertices for vertices, _ in meshes]).T
    index = np.concatenate([triangles for _, triangles in meshes], dtype=np.intp, casting="unsafe")
    # As unsigned numbers, negative indices are larger than any other.
    highest = np.maximum.reduceat(index.ravel().view(np.uintp), 3 * face_start)
    low, high = (reduced.reduceat(corners, vertex_start, axis=1) for reduced in (np.minimum, np.maximum))
    with np.errstate(over="ignore", invalid="ignore"):  # numbers that are not finite
        half_extent = (high - low) / 2.0
    # Not finite, or beyond floating point: `Surface` reports which mesh it is.
    longest, farthest = half_extent.max(axis=0) * 2.0, np.maximum(-low, high).max(axis=0)
    if not ((highest < vertex_count.astype(np.uintp)) & (longest >= SMALLEST) & (farthest <= FARTHEST)).all():
        return None
    centre = low + half_extent
    for row, middle in zip(corners, centre, strict=True):
        row -= np.repeat(middle, vertex_count)
    workspace.load(corners, index, np.repeat(vertex_start, face_count))
    return _moments_of_each(workspace.sums_of_each(face_start), centre, half_extent)


def _moments_of_each(sums: FloatArray, centre: FloatArray, half_extent: FloatArray) -> list[Moments | None]:
    volume = sums[0] / 12.0
    some = np.where(volume == 0.0, 1.0, volume)
    first = sums[1:4] / 96.0
    apart = (first * (first / some)).sum(axis=0)
    doubtful = fills_little(volume, 8.0 * half_extent.prod(axis=0)) | (volume == 0.0)
    doubtful |= is_off_centre(sums[[4, 7, 9]].sum(axis=0) / 240.0, apart)
    volume[doubtful] = 1.0  # measured separately afterwards
    centroid = first / volume
    covariance = sums[[[4, 5, 6], [5, 7, 8], [6, 8, 9]]] / 240.0 - volume * centroid[:, None] * centroid
    centroids = made_readonly(np.ascontiguousarray((centroid + centre).T))
    covariances = made_readonly(np.ascontiguousarray(covariance.transpose(2, 0, 1)))
    return [
        None if bad else Moments(*values)
        for bad, *values in zip(doubtful.tolist(), volume.tolist(), centroids, covariances, strict=True)
    ]
