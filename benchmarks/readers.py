# SPDX-License-Identifier: GPL-3.0-or-later
"""Mesh files read from memory, against trimesh: processor time, without merging and materials on either side."""

from __future__ import annotations

import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time

import trimesh

from core.arrays import TriangleArray, VertexArray
from core.files.input_file import reading_unwritten
from core.files.mesh_file import Reading, read_mesh

from .command import run
from .exact import torus

CHECKOUT = Path(__file__).parents[1]

SIZES = {"10k": 10_000, "100k": 100_000, "1M": 1_000_000}
"""Triangles of a torus."""

ROUNDS = 7
"""Of both readers in turn; of the largest files less than half."""


def _obj(vertices: VertexArray, triangles: TriangleArray) -> bytes:
    lines = ["v {:.6f} {:.6f} {:.6f}".format(*row) for row in vertices.tolist()]
    return "\n".join([*lines, *("f {} {} {}".format(*row) for row in (triangles + 1).tolist()), ""]).encode()


def _obj_with_normals(vertices: VertexArray, triangles: TriangleArray) -> bytes:
    lines = ["v {:.6f} {:.6f} {:.6f}".format(*row) for row in vertices.tolist()]
    lines += ["vt {:.4f} {:.4f}".format(*row[:2]) for row in vertices.tolist()]
    lines += ["vn {:.4f} {:.4f} {:.4f}".format(*row) for row in vertices.tolist()]
    lines += ["f {0}/{0}/{0} {1}/{1}/{1} {2}/{2}/{2}".format(*row) for row in (triangles + 1).tolist()]
    return "\n".join([*lines, ""]).encode()


def _stl_text(vertices: VertexArray, triangles: TriangleArray) -> bytes:
    facet = " facet normal 0 0 0\n  outer loop\n" + 3 * "   vertex {:e} {:e} {:e}\n" + "  endloop\n endfacet\n"
    corners = vertices[triangles].reshape(-1, 9).tolist()
    return f"solid sheet\n{''.join(facet.format(*row) for row in corners)}endsolid sheet\n".encode()


def _by_trimesh(form: str) -> Callable[[VertexArray, TriangleArray], bytes]:
    return lambda vertices, triangles: trimesh.Trimesh(vertices, triangles, process=False).export(file_type=form)


FILES: dict[str, tuple[str, Callable[[VertexArray, TriangleArray], bytes]]] = {
    "OBJ": (".obj", _obj),
    "OBJ with normals and textures": (".obj", _obj_with_normals),
    "PLY, binary": (".ply", _by_trimesh("ply")),
    "STL, binary": (".stl", _by_trimesh("stl")),
    "STL, text": (".stl", _stl_text),
    "GLB": (".glb", _by_trimesh("glb")),
}


def table() -> str:
    """Return the table in Markdown."""
    rows = ["| file | faces | here (ms) | trimesh (ms) | share |", "|---|---:|---:|---:|---:|"]
    for name, (suffix, written) in FILES.items():
        for size, triangles in SIZES.items():
            data = written(*torus(triangles))
            here, there = times(suffix, data, 3 if size == "1M" else ROUNDS)
            rows.append(f"| {name} | {size} | {here * 1e3:.3g} | {there * 1e3:.3g} | {here / there:.2f} |")
    here, there = start()
    rows.append(f"| `mass` of an STL, from the start of the process | 12 | {here * 1e3:.3g} | {there * 1e3:.3g} |")
    rows[-1] += f" {here / there:.2f} |"
    return "\n".join(rows) + "\n"


def start() -> tuple[float, float]:
    """Return the median processor times [s] of `sdf-inertia mass` of a small STL and of one line of trimesh."""
    seconds: tuple[list[float], list[float]] = ([], [])
    with TemporaryDirectory() as folder:
        path = Path(folder, "box.stl")
        trimesh.creation.box().export(path)
        code = f"import trimesh; print(trimesh.load({str(path)!r}).mass_properties)"
        for _ in range(3 * ROUNDS):
            seconds[0].append(run(sys.executable, "-m", "core", "mass", path, on=CHECKOUT).cpu)
            seconds[1].append(run(sys.executable, "-c", code).cpu)
    return median(seconds[0]), median(seconds[1])


def times(suffix: str, data: bytes, rounds: int) -> tuple[float, float]:
    """Return the median processor times of reading a file here and by trimesh [s], measured alternately."""
    path = Path("sheet" + suffix).absolute()
    seconds: tuple[list[float], list[float]] = ([], [])
    with reading_unwritten({path: data}):
        for _ in range(rounds):
            start = process_time()
            read_mesh(path, Reading(()))
            middle = process_time()
            trimesh.load_scene(BytesIO(data), file_type=suffix[1:], process=False, skip_materials=True)
            seconds[0].append(middle - start)
            seconds[1].append(process_time() - middle)
    return median(seconds[0]), median(seconds[1])
