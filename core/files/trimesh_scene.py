# SPDX-License-Identifier: Apache-2.0
"""Mesh files as trimesh reads them: nothing merged, dropped or repaired, and no output on the console.

Binary STL, the format of most robots' meshes, is read here: it is trivial, and a library takes several times as long.
"""

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
from ..errors import InertiaError
from ..mesh.surface import Surface
from .input_file import naming
from .limits import MAX_SOLIDS

STL_HEADER = 84
"""Bytes before the first triangle: a comment of eighty bytes, and the number of triangles."""

STL_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


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
    ValueError
        What `read_binary_stl` raises.
    """
    suffix = path.suffix.lower()
    if suffix == ".stl" and (binary := read_binary_stl(data)) is not None:
        return SceneFile([Piece("", Surface(*binary))], None, [])
    with naming(path), complaints() as texts:
        trimesh = import_module("trimesh")
        if suffix == ".stl" and data.lower().count(b"endsolid") > MAX_SOLIDS:
            raise InertiaError.of("file_too_large", "", "solids", limit=MAX_SOLIDS)
        scene = trimesh.load_scene(BytesIO(data), file_type=suffix[1:], process=False)
        pieces = []
        for name, geometry in scene.geometry.items():
            if len(getattr(geometry, "faces", ())):  # otherwise points
                vertices = np.asarray(geometry.vertices)
                if suffix == ".stl":  # keep its float32, so that the diagnosis sees lost digits
                    single = vertices.astype(np.float32)
                    name, vertices = "", single if np.array_equal(single, vertices) else vertices
                pieces.append(Piece(name, Surface(vertices, np.asarray(geometry.faces))))
    return SceneFile(pieces, None, texts)


def read_binary_stl(data: bytes) -> tuple[VertexArray, TriangleArray] | None:
    """Return vertices (n, 3), float32 and three for each triangle, and triangles (m, 3); None for a text.

    A file is binary if its length matches its own count of triangles: the comment may begin with "solid".

    Raises
    ------
    ValueError
        For a binary file whose length does not match its count; for a text that is not STL.
    """
    count = int.from_bytes(data[STL_HEADER - 4 : STL_HEADER], "little")
    length = STL_HEADER + count * STL_TRIANGLE.itemsize
    if len(data) < STL_HEADER or len(data) != length:
        if b"\0" not in data:
            if data.lstrip()[:5].lower() != b"solid" and b"vertex" not in data.lower():
                raise ValueError("it is no STL: a text begins with 'solid'")
            return None
        raise ValueError(f"it says it has {count} triangles, which take {length} bytes, but it has {len(data)}")
    corners = np.frombuffer(data, STL_TRIANGLE, offset=STL_HEADER)["corners"]
    vertices = np.ascontiguousarray(corners, dtype=np.float32).reshape(-1, 3)
    return vertices, np.arange(len(vertices)).reshape(-1, 3)


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
