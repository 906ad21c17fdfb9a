# SPDX-License-Identifier: Apache-2.0
"""Reads mesh files as Gazebo's loaders do: submeshes in metres, in the axes of the file.

As in gz-common: COLLADA's unit is applied, its up axis is not; glTF is read unchanged (y up); a submesh has the
name of its node.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from ..errors import InertiaError
from ..mesh.progress import unless_unwanted
from ..mesh.surface import Surface
from .input_file import bad_file
from .limits import FORMATS
from .mesh_file import MeshFile, Reading, read_mesh

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
        file = self._files[path]
        if isinstance(file, InertiaError):
            raise file
        return file

    def _load(self, path: Path) -> MeshFile:
        unless_unwanted()
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
    if path.suffix.lower() not in FORMATS:
        raise InertiaError.of("unknown_format", str(path), "read", suffix=path.suffix, known=", ".join(FORMATS))
    try:
        return read_mesh(path, Reading(roots, with_looks=with_looks))
    except ValueError as error:
        raise bad_file(path, error) from None
