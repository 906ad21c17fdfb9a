# SPDX-License-Identifier: Apache-2.0
"""Mass properties by columns of voxels, without a grid in memory.

The bounding box is filled with columns of square section along its longest side. Wherever the centre line of a column
crosses a face, everything below the crossing is added (face looks up) or subtracted (face looks down), in closed form.
So the memory is that of the crossings, and the height of a column is exact unless whole voxels are requested. Each
voxel is a solid cube: its own second moment h²/12 counts, and a box whose sides are whole multiples of the voxel size
comes out exact wherever it is, since the grid is centred on the bounding box.
"""

from __future__ import annotations

import numpy.typing as npt

from ..body.moments import Moments
from .progress import Progress
from .surface import Surface, as_array
from .voxels.columns import Columns


def default_voxel_size(surface: Surface) -> float:
    """Return the default voxel size [m]: the longest side / 128."""
    return float(surface.extent().max()) / 128.0


def voxel_moments(
    vertices: npt.ArrayLike,
    triangles: npt.ArrayLike,
    voxel_size: float,
    union: bool = True,
    whole_voxels: bool = False,
) -> Moments:
    """Sum the columns of voxels inside a closed triangle mesh.

    Parameters
    ----------
    vertices : array_like, shape (n, 3), float
        Corners [m].
    triangles : array_like, shape (m, 3), int
        Vertex indices.
    voxel_size : float
        Side of a voxel [m].
    union : bool
        True: a point is inside if the winding number is not zero, so overlapping components count once.
        False: the winding number is the weight, as in the exact integral.
    whole_voxels : bool
        True: a voxel counts if its centre is inside. False: columns end exactly on the surface, which costs
        nothing and is more accurate.

    Returns
    -------
    Moments
        In the mesh's frame.

    Raises
    ------
    InertiaError
        ``bad_voxel_size``, ``voxels_too_fine`` (before anything is allocated), ``open_columns``, ``zero_volume``,
        or what `Surface` raises.

    Examples
    --------
    >>> import trimesh
    >>> from sdf_inertia import voxel_moments
    >>> wrist = trimesh.load_mesh("examples/desk_arm_description/meshes/wrist.stl")  # mm
    >>> print(f"{voxel_moments(wrist.vertices, wrist.faces, voxel_size=0.5).volume:.0f} mm³")
    29317 mm³
    """
    surface = Surface(as_array(vertices), as_array(triangles))
    return surface_voxel_moments(surface, voxel_size, union, whole_voxels)


def surface_voxel_moments(
    surface: Surface,
    voxel_size: float,
    union: bool = True,
    whole_voxels: bool = False,
    progress: Progress | None = None,
) -> Moments:
    """Sum the columns of voxels inside a checked `Surface`, as `voxel_moments` does.

    Parameters
    ----------
    progress : callable, optional
        Called regularly with the share of the faces done, 0 to 1. If it returns True, the work ends with the error
        ``cancelled``: ``lambda done: event.is_set()`` is enough to stop it.
    """
    columns = Columns.around(surface, voxel_size)
    if not union:
        return columns.moments_of(columns.signed_sums(surface.triangles, whole_voxels, progress))
    return columns.moments_of(columns.union_sums(surface.triangles, whole_voxels, progress)[0])
