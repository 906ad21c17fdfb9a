# SPDX-License-Identifier: Apache-2.0
"""Mesh files as one surface: OBJ, PLY, 3MF and COLLADA by our own readers, all others by `trimesh_scene`."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from ..errors import Finding, InertiaError
from ..mesh.diagnosis.precision import precision
from ..mesh.surface import Surface, joined
from .collada_file import read_collada
from .input_file import read_bytes
from .limits import LIMITS, max_bytes
from .obj_file import all_faces, read_obj
from .ply_file import read_ply
from .threemf_file import read_3mf
from .trimesh_scene import Piece, read_scene

FORMATS = tuple(LIMITS)
"""Mesh formats by suffix, in any case. Archives and drawings, which trimesh also opens, are not meshes."""


class UnreadableFileError(InertiaError):
    """A file could not be read, so nothing is known about its mesh."""


def load_surface(path: Path, scale: float | None = None) -> tuple[Surface, tuple[Finding, ...]]:
    """Read a mesh file as one surface, with all its geometries placed by their nodes.

    Parameters
    ----------
    path : Path
        Of a format in `FORMATS`. Polygons become fans about their first corner. The axes are the file's own.
    scale : float or None
        Metres per unit of the file; None for the unit that a COLLADA file states, and 1 for all others.

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
        known = ", ".join(FORMATS)
        raise UnreadableFileError.of("unknown_format", str(path), "read", suffix=path.suffix, known=known)
    try:
        surface, findings = _read(path, read_bytes(path, max_bytes(path)), scale)
        if scale is not None and scale != 1.0 and suffix != ".dae":
            (lost, _), surface = precision(surface), _scaled(surface, scale)
            findings += () if precision(surface)[0] else lost  # scaling has made it float64
    except ValueError as error:
        raise UnreadableFileError.of("unreadable_file", str(path), "broken", reason=error) from error
    except InertiaError as error:
        if error.code in ("file_read", "bad_mesh_file", "bad_xml", "bad_encoding"):
            raise UnreadableFileError("unreadable_file", str(path), error.message, error.remedy) from error
        if error.code == "no_trimesh":
            raise UnreadableFileError(*error.args) from error
        raise error.about(str(path)) from None
    return surface, tuple(findings)


def _read(path: Path, data: bytes, scale: float | None) -> tuple[Surface, list[Finding]]:
    suffix = path.suffix.lower()
    if suffix == ".obj":
        vertices, groups = read_obj(data.decode("utf-8", "replace"))
        return Surface(vertices, *all_faces(groups)), []
    if suffix == ".ply":
        return Surface(*read_ply(data)), []
    if suffix == ".dae":
        return _collada(path, data, scale)
    if suffix == ".3mf":
        file = read_3mf(data)
    else:
        file = read_scene(path, data, (Path(os.path.realpath(path)).parent, Path(os.path.realpath(path.parent))))
    texts = dict.fromkeys(file.left_out)
    findings = [Finding.of("warning", "reader_warning", str(path), text=text) for text in texts]
    if file.unit is not None and file.unit not in ("meter", "meters", "m") and scale in (None, 1.0):
        findings.append(Finding.of("warning", "stated_unit", str(path), "unknown", unit=file.unit[:40]))
    return _outwards(file.pieces), findings


def _collada(path: Path, data: bytes, scale: float | None) -> tuple[Surface, list[Finding]]:
    file = read_collada(path, data, scale, lenient=True)
    findings = [*file.lost(path)]
    if scale is None:
        findings += [finding.about(str(path)) for finding in file.findings()]
        if file.meter != 1.0:
            unit = file.unit[:40] or "unit"
            findings.append(Finding.of("info", "stated_unit", str(path), "applied", unit=unit, metres=file.meter))
    return _outwards(file.pieces), findings


def _outwards(pieces: list[Piece]) -> Surface:
    """Return pieces as one surface; the winding of mirrored pieces is reversed."""
    return joined(
        [
            Surface(piece.surface.vertices, piece.surface.triangles[:, ::-1]) if piece.mirrored else piece.surface
            for piece in pieces
        ]
    )


def _scaled(surface: Surface, scale: float) -> Surface:
    with np.errstate(over="ignore"):  # infinite values are refused later
        return Surface(surface.vertices.astype(np.float64) * scale, surface.triangles, surface.quads)
