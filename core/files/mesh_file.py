# SPDX-License-Identifier: Apache-2.0
"""Mesh files of any format, by the one table of readers: for commands, for robots and for Blender.

OBJ, PLY, STL, 3MF, COLLADA and glTF have our own readers; all others are read by `trimesh_scene`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..errors import Finding, InertiaError
from ..mesh.diagnosis.precision import precision
from ..mesh.surface import Surface, joined
from .input_file import read_bytes
from .limits import FORMATS, max_bytes
from .look import SubmeshLook

if TYPE_CHECKING:
    from .trimesh_scene import Piece


class UnreadableFileError(InertiaError):
    """A file could not be read, so nothing is known about its mesh."""


class Submesh(NamedTuple):
    """A submesh's name, which need not be unique, and its rows among the triangles and the quads of its file.

    A submesh whose node mirrors it is wound as in the file too, so that its inside is outside.
    """

    name: str
    triangles: slice
    quads: slice
    mirrored: bool = False


@dataclass(frozen=True, eq=False)
class MeshFile:
    """A mesh file that was read.

    Parameters
    ----------
    surface : Surface
        The whole mesh [m], its submeshes one after the other, in the axes of the file.
    findings : tuple of Finding
        Doubts about the file itself, such as its unit.
    y_up : bool
        True for a COLLADA file with y up; its vertices are still those of the file.
    looks : tuple of SubmeshLook
        Of each submesh, if it is COLLADA and they were asked for.
    unit : str or None
        As the file names it; None if it names none.
    metres : float
        Metres per unit, by which the vertices are already multiplied.
    left_out : tuple of str
        What the reader could not read.
    """

    path: Path
    surface: Surface
    submeshes: tuple[Submesh, ...]
    findings: tuple[Finding, ...] = ()
    y_up: bool = False
    looks: tuple[SubmeshLook, ...] = ()
    unit: str | None = None
    metres: float = 1.0
    left_out: tuple[str, ...] = ()

    @classmethod
    def of(cls, path: Path, surface: Surface) -> MeshFile:
        """Return a file that is one mesh."""
        quads = 0 if surface.quads is None else len(surface.quads)
        return cls(path, surface, _laid_end_to_end([("", len(surface.triangles), quads, False)]))

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

    def outwards(self) -> Surface:
        """Return the whole mesh with the winding of mirrored submeshes reversed, so that outside stays outside."""
        if not any(submesh.mirrored for submesh in self.submeshes):
            return self.surface
        triangles = self.surface.triangles.copy()
        for submesh in self.submeshes:
            if submesh.mirrored:
                triangles[submesh.triangles] = triangles[submesh.triangles, ::-1]
        return Surface(self.surface.vertices, triangles, self.surface.quads)


class Reading(NamedTuple):
    """How a file is read.

    Parameters
    ----------
    roots : tuple of Path
        Real paths of the folders of files that it may name.
    with_materials : bool
        Read the materials beside an OBJ, which part its submeshes.
    metres : float or None
        Metres per unit of a format in `WITH_UNIT`, instead of the file's own; None for the file's.
    lenient : bool
        Leave out broken elements of COLLADA instead of refusing the file.
    with_looks : bool
        Read the looks of COLLADA too.
    """

    roots: tuple[Path, ...]
    with_materials: bool = True
    metres: float | None = None
    lenient: bool = False
    with_looks: bool = False


def read_mesh(path: Path, reading: Reading) -> MeshFile:
    """Read a mesh file of a format in `FORMATS`.

    Raises
    ------
    InertiaError
        ``no_trimesh``, ``file_read``, ``file_too_large``, ``bad_mesh_file`` or what `Surface` raises.
    ValueError
        For content that does not match the format.
    """
    reader = READERS.get(path.suffix.lower(), _scene)
    return reader(path, read_bytes(path, max_bytes(path)), reading)


def _obj(path: Path, data: bytes, reading: Reading) -> MeshFile:
    from .obj_file import all_faces, materials_beside, no_materials, read_obj  # a start needs but one of the readers

    materials = materials_beside(path, reading.roots) if reading.with_materials else no_materials
    vertices, groups = read_obj(data.decode("utf-8-sig", "replace"), materials)
    counts = [(name, len(faces.triangles), len(faces.quads), False) for name, faces in groups]
    return MeshFile(path, Surface(vertices, *all_faces(groups)), _laid_end_to_end(counts))


def _stl(path: Path, data: bytes, _: Reading) -> MeshFile:
    from .stl_file import read_stl

    return MeshFile.of(path, Surface(*read_stl(data)))


def _ply(path: Path, data: bytes, _: Reading) -> MeshFile:
    from .ply_file import read_ply

    return MeshFile.of(path, Surface(*read_ply(data)))


def _collada(path: Path, data: bytes, reading: Reading) -> MeshFile:
    from .collada_file import read_collada

    file = read_collada(path, data, reading.metres, reading.lenient, reading.with_looks)
    return MeshFile(
        path,
        *_in_one(file.pieces),
        findings=(*file.findings(), *file.lost(path)),
        y_up=b"Y_UP" in data,
        looks=tuple(file.looks),
        unit=file.unit,
        metres=file.meter,
    )


def _3mf(path: Path, data: bytes, reading: Reading) -> MeshFile:
    from .threemf_file import read_3mf

    file, metres = read_3mf(data, reading.metres)
    lost = tuple(Finding.of("warning", "reader_warning", str(path), text=text) for text in dict.fromkeys(file.left_out))
    return MeshFile(path, *_in_one(file.pieces), findings=lost, unit=file.unit, metres=metres)


def _gltf(path: Path, data: bytes, reading: Reading) -> MeshFile:
    from .gltf_file import read_gltf

    file = read_gltf(path, data, reading.roots)
    return MeshFile(path, *_in_one(file.pieces), unit=file.unit, left_out=tuple(file.left_out))


def _scene(path: Path, data: bytes, _: Reading) -> MeshFile:
    from .trimesh_scene import read_scene

    file = read_scene(path, data)
    return MeshFile(path, *_in_one(file.pieces), unit=file.unit, left_out=tuple(file.left_out))


READERS: Mapping[str, Callable[[Path, bytes, Reading], MeshFile]] = MappingProxyType(
    {".stl": _stl, ".obj": _obj, ".ply": _ply, ".dae": _collada, ".3mf": _3mf, ".gltf": _gltf, ".glb": _gltf}
)
"""What reads a format, by its suffix; trimesh reads the others of `FORMATS`."""

WITH_UNIT = (".dae", ".3mf")
"""Formats whose readers apply the unit that the file states."""


def _in_one(pieces: Sequence[Piece]) -> tuple[Surface, tuple[Submesh, ...]]:
    counts = [(piece.name, len(piece.surface.triangles), 0, piece.mirrored) for piece in pieces]
    return joined([piece.surface for piece in pieces]), _laid_end_to_end(counts)


def _laid_end_to_end(counts: Sequence[tuple[str, int, int, bool]]) -> tuple[Submesh, ...]:
    """Return submeshes with these counts of triangles and quads."""
    submeshes, triangle, quad = [], 0, 0
    for name, triangles, quads, mirrored in counts:
        submeshes.append(Submesh(name, slice(triangle, triangle + triangles), slice(quad, quad + quads), mirrored))
        triangle, quad = triangle + triangles, quad + quads
    return tuple(submeshes)


def load_surface(path: Path, scale: float | None = None) -> tuple[Surface, tuple[Finding, ...]]:
    """Read a mesh file as one surface, with all its geometries placed by their nodes.

    Parameters
    ----------
    path : Path
        Of a format in `FORMATS`. Polygons become fans about their first corner. The axes are the file's own.
    scale : float or None
        Metres per unit of the file; None for the unit that a file of `WITH_UNIT` states, and 1 for all others.

    Returns
    -------
    Surface
        [m]. Wound as in the file; a node that mirrors turns its faces, so that outside stays outside.
    tuple of Finding
        ``stated_unit`` if the file itself states another unit than the metre, applied or not; ``unit_name``;
        ``reader_warning``; ``precision_lost`` if the scale would hide it.

    Raises
    ------
    UnreadableFileError
        ``unreadable_file``, ``unknown_format`` or ``no_trimesh``.
    InertiaError
        ``file_too_large``; ``uri_refused`` if it names a file outside of its folder; what `Surface` raises.
    """
    suffix = path.suffix.lower()
    if os.path.isdir(path):  # Path.is_dir raises at an impossible name
        raise UnreadableFileError.of("unreadable_file", str(path), "folder")
    if suffix not in FORMATS and os.path.exists(path):
        form = "blend" if suffix == ".blend" else "read"
        values = {"suffix": path.suffix, "known": ", ".join(FORMATS), "path": quote(str(path))}
        raise UnreadableFileError.of("unknown_format", str(path), form, **values)
    try:
        surface, findings = _read_alone(path, scale)
        if scale is not None and scale != 1.0 and suffix not in WITH_UNIT:
            (lost, _), surface = precision(surface), _scaled(surface, scale)
            findings += () if precision(surface)[0] else lost  # scaling has made it float64
    except ValueError as error:
        raise UnreadableFileError.of("unreadable_file", str(path), "broken", reason=error) from error
    except InertiaError as error:
        if error.code in ("file_read", "bad_mesh_file", "bad_xml", "bad_encoding"):
            subject = error.subject or str(path)  # that of a file beside it, perhaps
            raise UnreadableFileError("unreadable_file", subject, error.sentence, error.fix) from error
        if error.code == "no_trimesh":
            raise UnreadableFileError(*error.args) from error
        raise error.about(str(path)) from None
    return surface, tuple(findings)


def _read_alone(path: Path, scale: float | None) -> tuple[Surface, list[Finding]]:
    """Read a file that no robot uses: what it states about its unit is a finding."""
    roots = Path(os.path.realpath(path)).parent, Path(os.path.realpath(path.parent))
    file = read_mesh(path, Reading(roots, with_materials=False, metres=scale, lenient=True))
    texts = dict.fromkeys(file.left_out)
    findings = [Finding.of("warning", "reader_warning", str(path), text=text) for text in texts]
    if path.suffix.lower() in WITH_UNIT:
        from .collada_file import UNIT_NAME

        lost = [finding for finding in file.findings if finding.code != UNIT_NAME]
        of_unit = [finding.about(str(path)) for finding in file.findings if finding.code == UNIT_NAME]
        findings += lost if scale is not None else [*lost, *of_unit]  # its own unit matters where no other is given
        if scale is None and file.metres != 1.0:
            unit = (file.unit or "")[:40] or "unit"
            findings.append(Finding.of("info", "stated_unit", str(path), "applied", unit=unit, metres=file.metres))
    elif file.unit is not None and file.unit not in ("meter", "meters", "m") and scale in (None, 1.0):
        findings.append(Finding.of("warning", "stated_unit", str(path), "unknown", unit=file.unit[:40]))
    return file.outwards(), findings


def _scaled(surface: Surface, scale: float) -> Surface:
    with np.errstate(over="ignore"):  # infinite values are refused later
        return Surface(surface.vertices.astype(np.float64) * scale, surface.triangles, surface.quads)
