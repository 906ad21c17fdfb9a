# SPDX-License-Identifier: GPL-3.0-or-later
"""What checking a mesh of a million triangles costs, in multiples of its exact integral."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core import InertiaError, check_mesh, measure_mesh, mesh_moments

from .exact import Mesh, torus
from .timing import interleaved
from .union import two_overlapping

SIZE = 1_000_000


def _shuffled(mesh: Mesh) -> Mesh:
    vertices, faces = mesh
    rng = np.random.default_rng(0)
    order = rng.permutation(len(vertices))
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return vertices[order], place[faces][rng.permutation(len(faces))].astype(np.int32)


def _unwelded(mesh: Mesh) -> Mesh:
    vertices, faces = mesh
    return vertices[faces].reshape(-1, 3), np.arange(faces.size, dtype=np.int32).reshape(-1, 3)


def _one_flipped(mesh: Mesh) -> Mesh:
    vertices, faces = mesh
    faces = faces.copy()
    faces[len(faces) // 3] = faces[len(faces) // 3, ::-1]
    return vertices, faces


def _one_missing(mesh: Mesh) -> Mesh:
    vertices, faces = mesh
    return vertices, np.delete(faces, len(faces) // 3, axis=0)


def _one_twice(mesh: Mesh) -> Mesh:
    vertices, faces = mesh
    return vertices, np.concatenate([faces, faces[len(faces) // 3 : len(faces) // 3 + 1]])


def _two_apart(mesh: Mesh) -> Mesh:
    vertices, faces = torus(SIZE // 2)
    return np.concatenate([vertices, vertices + np.float32(7)]), np.concatenate([faces, faces + len(vertices)])


CASES: dict[str, Callable[[Mesh], Mesh]] = {
    "closed": lambda mesh: mesh,
    "closed, in random order": _shuffled,
    "closed, each face with corners of its own": _unwelded,
    "two shells apart": _two_apart,
    "two shells that overlap": lambda mesh: two_overlapping(SIZE),
    "one face flipped": _one_flipped,
    "one face there twice": _one_twice,
    "one face missing": _one_missing,
}


def _measured(mesh: Mesh) -> None:
    try:
        measure_mesh(*mesh, quick=True)
    except InertiaError as error:
        assert error.code == "open_mesh"


def table() -> str:
    """Return the cost of each case as a Markdown table."""
    text = (
        f"| {len(torus(SIZE)[1]):,} triangles | exact integral | read quickly | ratio | diagnosed in full | ratio |\n"
    )
    text += "|---|---:|---:|---:|---:|---:|\n"
    for name, change in CASES.items():
        mesh = change(torus(SIZE))
        times = interleaved(
            {
                "exact": lambda mesh=mesh: mesh_moments(*mesh),
                "measured": lambda mesh=mesh: _measured(mesh),
                "full": lambda mesh=mesh: check_mesh(*mesh),
            }
        )
        exact, measured, full = (times[way] * 1e3 for way in ("exact", "measured", "full"))
        text += f"| {name} | {exact:.1f} ms | {measured:.0f} ms | {measured / exact:.1f} x |"
        text += f" {full:.0f} ms | {full / exact:.1f} x |\n"
    return (
        f"{text}\n`mesh_moments`, `measure_mesh` with `quick`, and `check_mesh`; `measure_mesh` without it costs as"
        " much. Targets: 5 x for a good mesh, 30 x for a full diagnosis. Where shells overlap, their exact union is"
        " counted too.\n"
    )
