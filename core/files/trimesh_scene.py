# SPDX-License-Identifier: Apache-2.0
"""Mesh files as trimesh reads them: nothing merged, dropped or repaired, and no output on the console."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..arrays import FloatArray, TriangleArray, VertexArray
from ..mesh.surface import Surface
from .input_file import naming


class Piece(NamedTuple):
    """A submesh, checked by itself: an index past its end would otherwise be a vertex of another mesh.

    Parameters
    ----------
    name : str
    surface : Surface
        [m]. Wound as in the file, also where its node mirrors it.
    mirrored : bool
        True if its node mirrors it.
    """

    name: str
    surface: Surface
    mirrored: bool = False


class SceneFile(NamedTuple):
    """The content of a file: its pieces, its stated unit, and the warnings of the reader."""

    pieces: list[Piece]
    unit: str | None
    left_out: list[str]


def read_scene(path: Path, data: bytes) -> SceneFile:
    """Read a file's meshes by trimesh.

    Parameters
    ----------
    path : Path
        The file of the data; its suffix is the format, one that names no other files.

    Raises
    ------
    InertiaError
        ``no_trimesh``, ``bad_mesh_file``, or what `Surface` raises.
    """
    with naming(path), complaints() as texts:
        trimesh = import_module("trimesh")
        scene = trimesh.load_scene(BytesIO(data), file_type=path.suffix.lower()[1:], process=False)
        pieces = [
            Piece(name, Surface(np.asarray(geometry.vertices), np.asarray(geometry.faces)))
            for name, geometry in scene.geometry.items()
            if len(getattr(geometry, "faces", ()))  # otherwise points
        ]
    return SceneFile(pieces, None, texts)


def placed(name: str, vertices: VertexArray, triangles: TriangleArray, transform: FloatArray) -> Piece:
    """Return a mesh moved by a transform (4, 4)."""
    if np.array_equal(transform, np.eye(4)):
        return Piece(name, Surface(vertices, triangles))
    A = transform[:3, :3]
    with np.errstate(over="ignore", invalid="ignore"):  # infinite values are refused later
        return Piece(name, Surface(vertices @ A.T + transform[:3, 3], triangles), bool(np.linalg.det(A) < 0.0))


@contextmanager
def complaints() -> Iterator[list[str]]:
    """Collect the warnings that trimesh would only log; drop those of numpy."""
    texts: list[str] = []

    class Collector(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            texts.append(" ".join(record.getMessage().split())[:300])

    log = logging.getLogger("trimesh")
    level, propagate, collector = log.level, log.propagate, Collector(logging.WARNING)
    log.addHandler(collector)
    log.setLevel(logging.DEBUG)
    log.propagate = False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield texts
    finally:
        log.removeHandler(collector)
        log.setLevel(level)
        log.propagate = propagate
