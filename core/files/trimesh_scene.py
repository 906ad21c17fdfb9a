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
from typing import Any, NamedTuple

import numpy as np

from ..arrays import FloatArray, TriangleArray, VertexArray
from ..errors import InertiaError
from ..mesh.surface import Surface
from .gltf_header import check_gltf
from .input_file import SiblingFiles, bad_file
from .limits import max_bytes


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


def read_scene(path: Path, data: bytes, roots: tuple[Path, ...]) -> SceneFile:
    """Read a file's meshes, each placed by its node.

    Parameters
    ----------
    path : Path
        The file of the data; its suffix is the format.
    roots : tuple of Path
        Real paths of the folders of files that it may name. Pictures are not read.

    Raises
    ------
    InertiaError
        ``no_trimesh``, ``bad_mesh_file``, or what `SiblingFiles` and `Surface` raise.
    """
    scene, placed_by_node, texts = _load_scene(path, data, roots)
    unit = next((geometry.metadata.get("units") for geometry in scene.geometry.values() if geometry.metadata), None)
    pieces = []
    for node, (matrix, geometry) in placed_by_node.items():
        if len(getattr(geometry, "faces", ())):  # otherwise points or lines
            pieces.append(placed(node, np.asarray(geometry.vertices), np.asarray(geometry.faces), matrix))
    return SceneFile(pieces, unit, texts)


def placed(name: str, vertices: VertexArray, triangles: TriangleArray, transform: FloatArray) -> Piece:
    """Return a mesh moved by a transform (4, 4)."""
    if np.array_equal(transform, np.eye(4)):
        return Piece(name, Surface(vertices, triangles))
    A = transform[:3, :3]
    with np.errstate(over="ignore", invalid="ignore"):  # infinite values are refused later
        return Piece(name, Surface(vertices @ A.T + transform[:3, 3], triangles), bool(np.linalg.det(A) < 0.0))


_Placed = dict[str, tuple[FloatArray, Any]]
"""The matrix (4, 4) and the geometry of each node that has one, by the node's name."""


def _load_scene(path: Path, data: bytes, roots: tuple[Path, ...]) -> tuple[Any, _Placed, list[str]]:
    suffix = path.suffix.lower()
    try:
        trimesh = import_module("trimesh")
        if suffix in (".gltf", ".glb"):
            check_gltf(path, data)
        with complaints() as texts:
            siblings = SiblingFiles(path, roots, max_bytes(path))
            options = {"process": False, "resolver": siblings, "skip_materials": True}
            scene = trimesh.load_scene(BytesIO(data), file_type=suffix[1:], **options)
        _check_geometries(scene)
        placed_by_node = _placed_by_node(scene)
    except InertiaError as error:
        raise error.about(str(path)) from None
    except ImportError as error:
        raise InertiaError.of("no_trimesh", str(path), suffix=suffix, package=error.name or error) from error
    except MemoryError:
        raise
    except Exception as error:  # readers of a dozen formats may raise anything for a broken file
        raise bad_file(path, error) from error
    return scene, placed_by_node, texts


def _placed_by_node(scene: Any) -> _Placed:
    """Return what each node places; trimesh would follow the path from the root again for each node."""
    forest = scene.graph.transforms
    matrices = {scene.graph.base_frame: np.eye(4)}
    waiting = [scene.graph.base_frame]
    while waiting:
        node = waiting.pop()
        for child in forest.children.get(node, ()):
            matrix = forest.edge_data[node, child].get("matrix")
            matrices[child] = matrices[node] if matrix is None else matrices[node] @ np.asarray(matrix)
            waiting.append(child)
    nodes = scene.graph.nodes_geometry
    return {node: (matrices[node], scene.geometry[forest.node_data[node]["geometry"]]) for node in nodes}


def _check_geometries(scene: Any) -> None:
    for geometry in scene.geometry.values():
        if len(getattr(geometry, "faces", ())) and geometry.vertices.shape[1:] != (3,):
            raise ValueError(f"its positions are an array of shape {geometry.vertices.shape}, no triples")


@contextmanager
def complaints() -> Iterator[list[str]]:
    """Collect what trimesh would only log, warnings and skipped elements; drop numpy's warnings."""
    texts: list[str] = []

    class Collector(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            text = " ".join(record.getMessage().split())[:300]
            if record.levelno >= logging.WARNING or "skipping primitive" in text:
                texts.append(text)

    log = logging.getLogger("trimesh")
    level, propagate, collector = log.level, log.propagate, Collector()
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
