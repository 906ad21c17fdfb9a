# SPDX-License-Identifier: Apache-2.0
"""Measures and checks a mesh: arrays, a file, or a mesh of trimesh."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any, Protocol

import numpy.typing as npt

from ..errors import Finding, InertiaError
from ..mesh.measure import check_surface, measure_surface
from ..mesh.measurement import Measurement
from ..mesh.surface import Surface, as_array


class MeshLike(Protocol):
    """A mesh with arrays of its own, such as ``trimesh.Trimesh``: vertices (n, 3) [m] and faces (m, 3)."""

    @property
    def vertices(self) -> Any: ...

    @property
    def faces(self) -> Any: ...


def measure_mesh(
    vertices: npt.ArrayLike | str | os.PathLike[str] | MeshLike,
    triangles: npt.ArrayLike | None = None,
    method: str | None = None,
    voxel_size: float | None = None,
    thickness: float | None = None,
    quick: bool = False,
    scale: float | None = None,
    wall: float | None = None,
    infill: float | None = None,
) -> Measurement:
    """Check and measure a triangle mesh, diagnosed in full.

    Parameters
    ----------
    vertices : array_like, shape (n, 3), float; or path; or MeshLike
        Corners [m]; or, without `triangles`, the path of a mesh file, or a mesh such as ``trimesh.Trimesh`` [m].
    triangles : array_like, shape (m, 3), int
        Vertex indices.
    method : str, optional
        ``exact``, ``voxel``, ``hull``, ``shell`` or ``printed``; by default ``exact``, or what a given length belongs
        to.
    voxel_size : float, optional
        Side of a voxel [m]; by default the longest side / 128.
    thickness : float, optional
        Wall thickness [m] for the method ``shell``, half on each side of the surface.
    quick : bool
        Skip the search for faces that pass through others if that may take long: for live use. The finding
        ``not_checked`` then reports that volume may be counted twice.
    scale : float, optional
        Metres per unit of the mesh; by default 1, or what a COLLADA file states.
    wall, infill : float, optional
        For the method ``printed``: the thickness of the wall [m], all of it inside the surface, and the share of the
        density in it, from 0 to 1. The volume is then that of the material.

    Returns
    -------
    Measurement
        The result. Corrections made on the way are in its findings. If components overlap, the method is ``union``,
        with its estimated error. An open mesh by voxels has the warning ``open_mesh``; voxels whose estimated error is
        above 1 % have the warning ``voxels_too_coarse``.

    Raises
    ------
    InertiaError
        ``open_mesh``, ``not_orientable``, ``inconsistent_winding``, ``negative_winding``, ``zero_volume``,
        ``unknown_method``, ``bad_length``, ``voxels_too_coarse`` if none is inside, or why the mesh cannot be read.

    Examples
    --------
    >>> from sdf_inertia import measure_mesh
    >>> wrist = measure_mesh("examples/desk_arm_description/meshes/wrist.stl", scale=0.001)
    >>> body = wrist.moments.inertial(density=2700.0)
    >>> print(f"{body.mass:.4g} kg by the method {wrist.method}, with {len(wrist.findings)} findings")
    0.07914 kg by the method exact, with 0 findings
    """
    surface, noted = _surface(vertices, triangles, scale)
    lengths = {"voxel_size": voxel_size, "thickness": thickness, "wall": wall, "infill": infill}
    given = {name: length for name, length in lengths.items() if length is not None}
    measured = measure_surface(surface, method or method_of_lengths(given), given, quick=quick)
    return replace(measured, findings=(*noted, *measured.findings)) if noted else measured


def check_mesh(
    vertices: npt.ArrayLike | str | os.PathLike[str] | MeshLike,
    triangles: npt.ArrayLike | None = None,
    scale: float | None = None,
) -> tuple[Finding, ...]:
    """Diagnose a mesh in full; never raises: an error is a finding of severity ``error``.

    Parameters
    ----------
    vertices, triangles, scale
        As in `measure_mesh`.

    Examples
    --------
    >>> from sdf_inertia import check_mesh
    >>> [finding.code for finding in check_mesh("examples/desk_arm_description/meshes/wrist.stl")]
    ['unit_suspicion']
    """
    try:
        surface, noted = _surface(vertices, triangles, scale)
        return (*noted, *check_surface(surface))
    except InertiaError as error:
        return (error.finding(),)


def method_of_lengths(lengths: Collection[str]) -> str:
    """Return the method that lengths belong to by their names, or ``exact`` without any."""
    of_length = {"voxel_size": "voxel", "thickness": "shell", "wall": "printed", "infill": "printed"}
    return next((method for name, method in of_length.items() if name in lengths), "exact")


def _surface(mesh: Any, triangles: npt.ArrayLike | None, scale: float | None) -> tuple[Surface, tuple[Finding, ...]]:
    """Return the checked arrays of a mesh, and what its reader noticed."""
    if scale is not None and not 0.0 < scale < inf:
        raise InertiaError.of("bad_length", value=scale)
    if triangles is None and isinstance(mesh, str | os.PathLike):
        from ..files.mesh_file import load_surface  # not in Blender, which reads mesh files itself

        return load_surface(Path(mesh), scale)
    if triangles is None:
        mesh, triangles = getattr(mesh, "vertices", None), getattr(mesh, "faces", None)
    if mesh is None or triangles is None:
        raise InertiaError.of("bad_mesh", "", "not_arrays", reason="there are no vertices, or no faces")
    vertices = as_array(mesh)
    return Surface(vertices if scale is None else vertices.astype(float) * scale, as_array(triangles)), ()
