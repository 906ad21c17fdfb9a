# SPDX-License-Identifier: GPL-3.0-or-later
"""Mesh files as Gazebo's loaders see them: submeshes in metres, in the axes of the file.

As in gz-common: COLLADA's unit is applied, its up axis is not; glTF is taken as it stands (y up); a submesh has the
name of its node. OBJ is read here, since trimesh welds its groups, and so is binary STL; ASCII STL and glTF
through trimesh, COLLADA with pycollada, both optional.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ...arrays import TriangleArray, VertexArray
from ...errors import InertiaError
from ...files.input_file import MAX_MESH_BYTES, read_bytes
from ...files.material_files import materials_beside
from ...files.obj_file import read_obj_groups
from ...files.stl_file import read_binary_stl
from ...files.trimesh_scene import INSTALL, bad_file, complaints, load_scene
from ...mesh.surface import Surface
from .collada_source import read_collada

FORMATS = (".stl", ".obj", ".dae", ".gltf", ".glb")

Piece = tuple[str, VertexArray, TriangleArray]


@dataclass(frozen=True, eq=False)
class MeshFile:
    """A mesh file that was read.

    Parameters
    ----------
    path : Path
    vertices : ndarray, shape (n, 3)
        [m].
    triangles : ndarray, shape (m, 3)
        Of all submeshes, one after the other.
    submeshes : tuple of (str, slice)
        Each submesh's name and its rows of `triangles`; names need not be unique.
    """

    path: Path
    vertices: VertexArray
    triangles: TriangleArray
    submeshes: tuple[tuple[str, slice], ...]

    @cached_property
    def surface(self) -> Surface:
        """The whole mesh."""
        return Surface(self.vertices, self.triangles)

    def submesh(self, name: str) -> Surface:
        """Return the part of that name.

        Raises
        ------
        InertiaError
            ``no_submesh``, which lists the names there are.
        """
        rows = [self.triangles[where] for own, where in self.submeshes if own == name]
        if not rows:
            known = ", ".join(dict.fromkeys(own for own, _ in self.submeshes))
            raise InertiaError("no_submesh", str(self.path), f"it has no submesh '{name}'", f"choose one of {known}")
        return Surface(self.vertices, np.concatenate(rows))


@dataclass
class MeshStore:
    """Reads each mesh file once; `roots` bound what a mesh file may itself refer to."""

    roots: tuple[Path, ...]
    _files: dict[Path, MeshFile | InertiaError] = field(default_factory=dict)
    _surfaces: dict[tuple[Path, str | None, bool], Surface] = field(default_factory=dict)

    def file(self, path: Path) -> MeshFile:
        """Return a mesh file.

        Raises
        ------
        InertiaError
            ``unknown_format``, ``no_trimesh``, ``file_read``, ``file_too_large`` or ``bad_mesh_file``.
        """
        if path not in self._files:
            try:
                self._files[path] = load_mesh(path, self.roots)
            except InertiaError as error:
                self._files[path] = error
        found = self._files[path]
        if isinstance(found, InertiaError):
            raise found
        return found

    def surface(self, path: Path, submesh: str | None = None, center: bool = False) -> Surface:
        """Return a whole mesh, or the submesh of a name, moved so that its bounding box is centred if `center`.

        The same surface is returned each time, so that its moments are integrated once.
        """
        key = (path, submesh, center)
        if key not in self._surfaces:
            file = self.file(path)
            surface = file.surface if submesh is None else file.submesh(submesh)
            if center and submesh is not None:
                low, high = surface.bounds()
                surface = surface.moved(-(low + (high - low) / 2.0))
            self._surfaces[key] = surface
        return self._surfaces[key]


def load_mesh(path: Path, roots: tuple[Path, ...]) -> MeshFile:
    """Read a mesh file; see `MeshStore.file`."""
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        known = ", ".join(FORMATS)
        raise InertiaError("unknown_format", str(path), f"'{suffix}' is no mesh format read here", f"use {known}")
    data = read_bytes(path, MAX_MESH_BYTES)
    try:
        pieces = _by_hand(path, data, roots)
    except ValueError as error:
        raise bad_file(path, error) from None
    return _one_file(path, _through_library(path, suffix, data, roots) if pieces is None else pieces)


def _by_hand(path: Path, data: bytes, roots: tuple[Path, ...]) -> list[Piece] | None:
    """Read what needs no library; None for all else."""
    suffix = path.suffix.lower()
    if suffix == ".obj":
        return read_obj_groups(data.decode("utf-8", "replace"), materials_beside(path, roots))
    binary = read_binary_stl(data) if suffix == ".stl" else None
    return None if binary is None else [("", *binary)]


def _one_file(path: Path, pieces: list[Piece]) -> MeshFile:
    vertices: list[VertexArray] = []
    triangles: list[TriangleArray] = []
    submeshes: list[tuple[str, slice]] = []
    first_row, placed = 0, dict[int, int]()
    count = 0
    for name, points, faces in pieces:
        Surface(points, faces)  # by itself: an index past its end would be another piece's vertex
        if id(points) not in placed:  # the groups of an OBJ file share their vertices
            placed[id(points)] = count
            vertices.append(points)
            count += len(points)
        triangles.append(faces + placed[id(points)])
        submeshes.append((name, slice(first_row, first_row + len(faces))))
        first_row += len(faces)
    empty = np.zeros((0, 3))
    return MeshFile(
        path,
        np.concatenate(vertices) if vertices else empty,
        np.concatenate(triangles) if triangles else empty.astype(np.int64),
        tuple(submeshes),
    )


def _through_library(path: Path, suffix: str, data: bytes, roots: tuple[Path, ...]) -> list[Piece]:
    if suffix == ".dae":
        try:
            with complaints():
                return read_collada(data, str(path))
        except ImportError as error:
            message = f"reading {suffix} needs {error.name}, which is not installed"
            raise InertiaError("no_trimesh", str(path), message, INSTALL) from error
        except InertiaError:
            raise
        except Exception as error:  # whatever it trips over in a broken file
            raise bad_file(path, error) from error
    scene, _ = load_scene(path, data, roots)
    with np.errstate(over="ignore", invalid="ignore"):  # what becomes infinite is refused as that
        return [_piece(scene, node, suffix) for node in scene.graph.nodes_geometry if _has_faces(scene, node)]


def _has_faces(scene: Any, node: str) -> bool:
    return len(getattr(scene.geometry[scene.graph[node][1]], "faces", ())) > 0


def _piece(scene: Any, node: str, suffix: str) -> Piece:
    transform, name = scene.graph[node]
    geometry = scene.geometry[name]
    vertices, triangles = np.asarray(geometry.vertices), np.asarray(geometry.faces)
    if suffix == ".stl":
        single = vertices.astype(np.float32)
        return "", single if np.array_equal(single, vertices) else vertices, triangles
    A = np.array(transform[:3, :3], dtype=np.float64)
    t = np.array(transform[:3, 3], dtype=np.float64)
    if not np.array_equal(transform, np.eye(4)):
        vertices = vertices @ A.T + t
    return node, vertices, triangles
