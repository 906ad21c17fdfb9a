# SPDX-License-Identifier: Apache-2.0
"""The exact integral of thousands of small meshes, concatenated, so that a call to numpy serves many of them."""

from __future__ import annotations

from collections.abc import Sequence

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

    Examples
    --------
    >>> import trimesh
    >>> from sdf_inertia import many_mesh_moments
    >>> names = ("base", "turret", "wrist")
    >>> meshes = [trimesh.load_mesh(f"examples/desk_arm_description/meshes/{name}.stl") for name in names]
    >>> many = many_mesh_moments([(mesh.vertices, mesh.faces) for mesh in meshes])
    >>> print([round(moments.volume) for moments in many], "mm³")
    [672800, 304014, 29312] mm³
    """
    arrays: list[Mesh] = []
    moments: dict[int, Moments] = {}
    number = 0
    try:
        for number in range(len(meshes)):
            vertices, triangles = meshes[number]
            arrays.append((as_array(vertices), as_array(triangles)))
        small = [number for number, mesh in enumerate(arrays) if _plain(*mesh)]
        blocks = np.cumsum([len(arrays[number][1]) for number in small]) // (BLOCK - SMALL)
        workspace = Workspace()
        for batch in np.split(np.array(small, dtype=np.intp), np.flatnonzero(np.diff(blocks)) + 1):
            moments |= _batch_moments({number: arrays[number] for number in batch.tolist()}, workspace)
        for number, mesh in enumerate(arrays):
            if number not in moments:
                moments[number] = surface_moments(Surface(*mesh))
    except InertiaError as error:
        raise error.about(f"mesh {number}") from None
    return [moments[number] for number in range(len(arrays))]


def _plain(vertices: VertexArray, triangles: TriangleArray) -> bool:
    """Return True if only a small mesh's numbers need a check; `Surface` checks, or converts, all others."""
    return (
        vertices.ndim == triangles.ndim == 2
        and vertices.shape[1] == triangles.shape[1] == 3
        and vertices.dtype in (np.float32, np.float64)
        and triangles.dtype.kind in "iu"
        and len(vertices) > 0 < len(triangles) <= SMALL
    )


def _batch_moments(meshes: dict[int, Mesh], workspace: Workspace) -> dict[int, Moments]:
    """Integrate plain meshes together, by their numbers, but for those that need a separate check."""
    if len(meshes) < 2:
        return {}
    # All meshes in one array of corners, and one of faces, which index the corners of their own mesh.
    vertex_count, face_count = np.array([[len(array) for array in mesh] for mesh in meshes.values()]).T
    vertex_start, face_start = np.cumsum(vertex_count) - vertex_count, np.cumsum(face_count) - face_count
    corners = np.empty((3, vertex_count.sum()))
    corners[:] = np.concatenate([vertices for vertices, _ in meshes.values()]).T
    index = np.concatenate([triangles for _, triangles in meshes.values()], dtype=np.intp, casting="unsafe")
    # As unsigned numbers, negative indices are larger than any other.
    highest = np.maximum.reduceat(index.ravel().view(np.uintp), 3 * face_start)
    low, high = (reduced.reduceat(corners, vertex_start, axis=1) for reduced in (np.minimum, np.maximum))
    with np.errstate(over="ignore", invalid="ignore"):  # numbers that are not finite
        half_extent = (high - low) / 2.0
    # Not finite, or beyond floating point: `Surface` reports which mesh it is.
    longest, farthest = half_extent.max(axis=0) * 2.0, np.maximum(-low, high).max(axis=0)
    if not ((highest < vertex_count.astype(np.uintp)) & (longest >= SMALLEST) & (farthest <= FARTHEST)).all():
        return {}
    centre = low + half_extent
    corners -= np.repeat(centre, vertex_count, axis=1)
    workspace.load(corners, index, np.repeat(vertex_start, face_count))
    moments = _moments_of_each(workspace.sums_of_each(face_start), centre, half_extent)
    return {number: integral for number, integral in zip(meshes, moments, strict=True) if integral is not None}


def _moments_of_each(sums: FloatArray, centre: FloatArray, half_extent: FloatArray) -> list[Moments | None]:
    # The factors of `integrate`, for all meshes at once. Doubtful ones, which lose digits here, get a separate
    # integral.
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
