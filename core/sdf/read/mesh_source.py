# SPDX-License-Identifier: Apache-2.0
"""Reads mesh files as Gazebo's loaders do: submeshes in metres, in the axes of the file.

As in gz-common: COLLADA's unit is applied, its up axis is not; glTF is read unchanged (y up); a submesh has the
name of its node. OBJ is read here, since trimesh welds its groups, and so is binary STL; ASCII STL and glTF
through trimesh, COLLADA with pycollada, both optional.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...errors import Finding, InertiaError
from ...files.collada_file import read_collada
from ...files.input_file import bad_file, read_bytes
from ...files.limits import max_bytes
from ...files.look import SubmeshLook
from ...files.obj_file import all_faces, materials_beside, read_obj
from ...files.trimesh_scene import read_scene
from ...mesh.surface import Surface, joined

FORMATS = (".stl", ".obj", ".dae", ".gltf", ".glb")


class Submesh(NamedTuple):
    """A submesh's name, which need not be unique, and its rows among the triangles and the quads of its file."""

    name: str
    triangles: slice
    quads: slice


@dataclass(frozen=True, eq=False)
class MeshFile:
    """A mesh file that was read.

    Parameters
    ----------
    surface : Surface
        The whole mesh [m], its submeshes one after the other.
    findings : tuple of Finding
        Doubts about the file itself, such as its unit.
    y_up : bool
        True for a COLLADA file with y up; its vertices are still those of the file.
    looks : tuple of SubmeshLook
        Of each submesh, if it is COLLADA and they were asked for.
    """

    path: Path
    surface: Surface
    submeshes: tuple[Submesh, ...]
    findings: tuple[Finding, ...] = ()
    y_up: bool = False
    looks: tuple[SubmeshLook, ...] = ()

    @classmethod
    def of(cls, path: Path, surface: Surface) -> MeshFile:
        """Return a file that is one mesh."""
        quads = 0 if surface.quads is None else len(surface.quads)
        return cls(path, surface, _laid_end_to_end([("", len(surface.triangles), quads)]))

    def submesh(self, name: str) -> Surface:
        """Return the submesh of a name.

        Raises
        ------
        InertiaError
            ``no_submesh``, which lists the existing names.
        """
        named = [submesh for submesh in self.submeshes if submesh.name == name]
        if not named:
            known = ", ".join(dict.fromkeys(submesh.name for submesh in self.submeshes))
            raise InertiaError.of("no_submesh", str(self.path), name=name, known=known)
        triangles, quads = self.surface.triangles, self.surface.quads
        return self.surface.with_faces(
            np.concatenate([triangles[submesh.triangles] for submesh in named]),
            None if quads is None else np.concatenate([quads[submesh.quads] for submesh in named]),
        )


Loaders = Mapping[str, Callable[[Path, tuple[Path, ...]], MeshFile]]
"""Readers of mesh files by suffix that take the place of `load_mesh`, with the same parameters."""


class KeptMeshes(dict[str, Callable[[Path, tuple[Path, ...]], MeshFile]]):
    """`Loaders`, with what was read: a robot that is read again from new bytes has the same meshes."""

    def __init__(self, loaders: Loaders) -> None:
        super().__init__(loaders)
        self.files: dict[Path, MeshFile | InertiaError] = {}
        self.surfaces: dict[tuple[Path, str | None, bool], Surface] = {}


class MeshStore:
    """Reads each mesh file once; the files that it names must be in `roots` or below its own folder."""

    def __init__(self, roots: tuple[Path, ...], loaders: Loaders | None = None) -> None:
        self.roots = roots
        self.loaders = loaders if isinstance(loaders, KeptMeshes) else KeptMeshes(loaders or {})
        self._files, self._surfaces = self.loaders.files, self.loaders.surfaces

    def file(self, path: Path) -> MeshFile:
        """Return a mesh file.

        Raises
        ------
        InertiaError
            ``unknown_format``, ``no_trimesh``, ``file_read``, ``file_too_large``, ``bad_mesh_file`` or what `Surface`
            raises.
        """
        if path not in self._files:
            try:
                self._files[path] = self._load(path)
            except InertiaError as error:
                self._files[path] = error
        found = self._files[path]
        if isinstance(found, InertiaError):
            raise found
        return found

    def _load(self, path: Path) -> MeshFile:
        return self.loaders.get(path.suffix.lower(), load_mesh)(path, (*self.roots, path.parent))

    def surface(self, path: Path, submesh: str | None = None, center: bool = False) -> Surface:
        """Return a whole mesh, or a submesh by name; with `center`, its bounding box is moved to the origin.

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


def load_mesh(path: Path, roots: tuple[Path, ...], with_looks: bool = False) -> MeshFile:
    """Read a mesh file, which may name other files in `roots`; see `MeshStore.file`."""
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        known = ", ".join(FORMATS)
        raise InertiaError.of("unknown_format", str(path), "robot", suffix=suffix, known=known)
    data = read_bytes(path, max_bytes(path))
    findings: tuple[Finding, ...] = ()
    looks: tuple[SubmeshLook, ...] = ()
    y_up = suffix == ".dae" and b"Y_UP" in data
    try:
        if suffix == ".obj":
            return _obj(path, data, roots)
        if suffix == ".dae":
            file = read_collada(path, data, with_looks=with_looks)
            pieces, looks = file.pieces, tuple(file.looks)
            findings = (*file.findings(), *file.lost(path))
        else:
            pieces = read_scene(path, data, roots).pieces
    except ValueError as error:
        raise bad_file(path, error) from None
    counts = [(piece.name, len(piece.surface.triangles), 0) for piece in pieces]
    surface = joined([piece.surface for piece in pieces])
    return MeshFile(path, surface, _laid_end_to_end(counts), findings, y_up, looks)


def _obj(path: Path, data: bytes, roots: tuple[Path, ...]) -> MeshFile:
    vertices, groups = read_obj(data.decode("utf-8", "replace"), materials_beside(path, roots))
    counts = [(name, len(faces.triangles), len(faces.quads)) for name, faces in groups]
    return MeshFile(path, Surface(vertices, *all_faces(groups)), _laid_end_to_end(counts))


def _laid_end_to_end(counts: list[tuple[str, int, int]]) -> tuple[Submesh, ...]:
    """Return submeshes with these counts of triangles and quads."""
    submeshes, triangle, quad = [], 0, 0
    for name, triangles, quads in counts:
        submeshes.append(Submesh(name, slice(triangle, triangle + triangles), slice(quad, quad + quads)))
        triangle, quad = triangle + triangles, quad + quads
    return tuple(submeshes)
