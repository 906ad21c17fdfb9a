# SPDX-License-Identifier: GPL-3.0-or-later
"""Mesh files as one surface: OBJ and binary STL by itself, all other formats through trimesh, which is optional."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from .arrays import QuadArray, TriangleArray, VertexArray
from .errors import Finding, InertiaError
from .mesh.surface import Surface
from .obj_file import read_obj
from .stl_file import read_binary_stl

FORMATS = (".stl", ".obj", ".ply", ".off", ".glb", ".gltf", ".dae", ".3mf")
"""By suffix, in any case. Archives and drawings, which trimesh also opens, are no meshes."""

INSTALL = "pip install 'sdf-inertia[mesh]', or pip install '.[mesh]' in a checkout"

Piece = tuple[VertexArray, TriangleArray]


class UnreadableFileError(InertiaError):
    """A file could not be read, which says nothing about the mesh in it."""


def load_surface(path: Path, scale: float = 1.0) -> tuple[Surface, tuple[Finding, ...]]:
    """Read a mesh file; all its geometries are one surface, each where its node puts it.

    Parameters
    ----------
    path : Path
        Of a format in `FORMATS`. Polygons become fans about their first corner. The axes are the file's own.
    scale : float
        Metres per unit of the file.

    Returns
    -------
    Surface
        [m]. Wound as in the file; a node that mirrors turns its faces, so that outside stays outside.
    tuple of Finding
        ``stated_unit``, where the file itself says that its unit is another; ``reader_warning``.

    Raises
    ------
    UnreadableFileError
        ``unreadable_file``, ``unknown_format`` or ``no_trimesh``.
    InertiaError
        What `Surface` raises.
    """
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        known = ", ".join(FORMATS)
        raise UnreadableFileError(
            "unknown_format", str(path), f"'{path.suffix}' is no mesh format that is read here", f"use one of {known}"
        )
    try:
        if not path.is_file():
            raise FileNotFoundError(f"there is no file {path}" if not path.exists() else f"{path} is no regular file")
        if suffix == ".obj":
            vertices, triangles, quads = read_obj(path.read_text(encoding="utf-8", errors="replace"))
            return _joined([(vertices, triangles)], scale, quads), ()
        if suffix == ".stl":
            binary = read_binary_stl(path.read_bytes())
            if binary is not None:
                return _joined([binary], scale), ()
        pieces, findings = _pieces(path, suffix, scale)
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from error
    return _joined(pieces, scale), findings


def unreadable(path: Path, error: Exception) -> UnreadableFileError:
    """Say that a file could not be read, and why."""
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error) or type(error).__name__
    return UnreadableFileError("unreadable_file", str(path), f"it cannot be read: {reason}", "check the path and file")


def _joined(pieces: list[Piece], scale: float, quads: QuadArray | None = None) -> Surface:
    # Each piece is checked by itself, since an index past its end would be another's vertex.
    surfaces = [Surface(*piece) for piece in pieces or [(np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64))]]
    vertices = np.concatenate([surface.vertices for surface in surfaces])
    starts = np.cumsum([0, *(len(surface.vertices) for surface in surfaces)])
    triangles = np.concatenate([surface.triangles + start for surface, start in zip(surfaces, starts, strict=False)])
    if scale != 1.0:
        with np.errstate(over="ignore"):  # what becomes infinite is refused as that
            vertices = vertices.astype(np.float64) * scale
    return Surface(vertices, triangles, quads)


def _pieces(path: Path, suffix: str, scale: float) -> tuple[list[Piece], tuple[Finding, ...]]:
    with _complaints() as complaints:
        scene, broken = _scene(path, suffix)
    texts = [*broken, *complaints]
    findings = [
        Finding("warning", "reader_warning", str(path), text, "look whether all of it is there") for text in texts
    ]
    findings += _stated_unit(scene, path, scale)
    pieces = []
    for node in scene.graph.nodes_geometry:
        transform, name = scene.graph[node]
        geometry = scene.geometry[name]
        if not len(getattr(geometry, "faces", ())):  # points, lines
            continue
        pieces.append(_placed(np.asarray(geometry.vertices), np.asarray(geometry.faces), np.asarray(transform), suffix))
    return pieces, tuple(findings)


def _placed(vertices: VertexArray, triangles: TriangleArray, transform: VertexArray, suffix: str) -> Piece:
    if np.array_equal(transform, np.eye(4)):
        if suffix == ".stl":  # binary STL holds float32: said so again, the diagnosis can tell lost digits
            single = vertices.astype(np.float32)
            vertices = single if np.array_equal(single, vertices) else vertices
        return vertices, triangles
    A = transform[:3, :3]
    return vertices @ A.T + transform[:3, 3], triangles[:, ::-1] if np.linalg.det(A) < 0.0 else triangles


def _scene(path: Path, suffix: str) -> tuple[Any, list[str]]:
    """Let trimesh read a file as it stands: nothing welded, dropped or repaired."""
    try:
        trimesh = import_module("trimesh")
    except ImportError as error:
        raise UnreadableFileError(
            "no_trimesh", str(path), f"reading {suffix} files needs trimesh, which is not installed", INSTALL
        ) from error
    try:
        if suffix != ".dae":
            return trimesh.load_scene(str(path), process=False), []
        try:  # leniently, a geometry with an error in it is left out without a word
            return trimesh.load_scene(str(path), process=False, ignore_broken=False), []
        except ImportError:
            raise
        except Exception as error:
            return trimesh.load_scene(str(path), process=False), [f"not all of it could be read: {error}"]
    except ImportError as error:
        message = f"trimesh needs another package to read {suffix} files: {error}"
        raise UnreadableFileError("no_trimesh", str(path), message, INSTALL) from error
    except Exception as error:  # whatever a reader of a dozen formats trips over in a broken file
        raise unreadable(path, error) from error


def _stated_unit(scene: Any, path: Path, scale: float) -> list[Finding]:
    units = next((geometry.metadata.get("units") for geometry in scene.geometry.values() if geometry.metadata), None)
    if units is None or units in ("meter", "meters", "m") or scale != 1.0:
        return []
    message = f"the file says that its unit is {units}, but it is taken as metres"
    return [Finding("warning", "stated_unit", str(path), message, "give the metres per unit with --scale")]


@contextmanager
def _complaints() -> Iterator[list[str]]:
    """Collect what trimesh would only write to its log: warnings, and what it skips."""
    texts: list[str] = []

    class Collector(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            text = record.getMessage()
            if record.levelno >= logging.WARNING or "skipping primitive" in text:
                texts.append(text)

    log = logging.getLogger("trimesh")
    level, propagate, collector = log.level, log.propagate, Collector()
    log.addHandler(collector)
    log.setLevel(logging.DEBUG)
    log.propagate = False
    try:
        yield texts
    finally:
        log.removeHandler(collector)
        log.setLevel(level)
        log.propagate = propagate
