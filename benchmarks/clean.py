# SPDX-License-Identifier: GPL-3.0-or-later
"""What the diagnosis of clean meshes costs, against their integral alone and against trimesh with `is_volume`."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

import numpy as np
import trimesh

from core import measure_mesh, mesh_moments

from .exact import Mesh, torus
from .timing import interleaved

SIZES = (1_000, 20_000, 80_000, 320_000)
BALLS = 16


def ball(triangles: int) -> Mesh:
    """Return an ellipsoid of about so many triangles, which is star-shaped."""
    count = max(round((triangles / 2) ** 0.5), 4)
    polar, around = np.linspace(0, np.pi, count + 2)[1:-1], np.linspace(0, 2 * np.pi, count, endpoint=False)
    sine, rows = np.sin(polar)[:, None], np.arange(count * count).reshape(count, count)
    points = np.stack([sine * np.cos(around), 0.8 * sine * np.sin(around), np.cos(polar)[:, None] + 0 * around], -1)
    a, b = rows[:-1], rows[1:]
    c, d = np.roll(b, -1, 1), np.roll(a, -1, 1)
    top, bottom = np.full(count, rows.size), np.full(count, rows.size + 1)
    strips = [np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)]
    caps = [np.column_stack([top, rows[0], d[0]]), np.column_stack([bottom, np.roll(rows[-1], -1), rows[-1]])]
    vertices = np.vstack([points.reshape(-1, 3), [(0, 0, 1), (0, 0, -1)]])
    return vertices.astype(np.float32), np.vstack([*strips, *caps]).astype(np.int32)


def unwelded(mesh: Mesh) -> Mesh:
    """Return a mesh as STL files have it: each face with three vertices of its own."""
    vertices, faces = mesh
    return vertices[faces].reshape(-1, 3), np.arange(faces.size, dtype=np.int32).reshape(-1, 3)


def balls(triangles: int) -> Mesh:
    """Return so many balls apart, as one mesh."""
    vertices, faces = ball(triangles // BALLS)
    places = [np.float32([3 * (number % 4), 3 * (number // 4), 0]) for number in range(BALLS)]
    starts = np.arange(BALLS, dtype=np.int32)[:, None, None] * np.int32(len(vertices))
    return np.concatenate([vertices + place for place in places]), (faces + starts).reshape(-1, 3)


KINDS: dict[str, Callable[[int], Mesh]] = {
    "a ball, star-shaped": ball,
    "a ball, unwelded": lambda triangles: unwelded(ball(triangles)),
    "a torus": torus,
    f"{BALLS} balls": balls,
}


def _trimesh(mesh: Mesh) -> None:
    loaded = trimesh.Trimesh(*mesh, process=False)
    if not loaded.is_volume:
        loaded.merge_vertices()
    assert loaded.mass_properties and loaded.is_volume


def table() -> str:
    """Return the times of CPU as a Markdown table."""
    text = (
        "| mesh | triangles | kernel | quick | in full | trimesh | quick / kernel | full / kernel | full / trimesh |\n"
    )
    text += "|---|---:|---:|---:|---:|---:|---:|---:|---:|\n"
    for name, made in KINDS.items():
        for size in SIZES:
            mesh = made(size)
            times = interleaved(
                {
                    "kernel": lambda mesh=mesh: mesh_moments(*mesh),
                    "quick": lambda mesh=mesh: measure_mesh(*mesh, quick=True),
                    "full": lambda mesh=mesh: measure_mesh(*mesh),
                    "trimesh": lambda mesh=mesh: _trimesh(mesh),
                },
                clock=process_time,
            )
            kernel, quick, full, peer = (times[way] * 1e3 for way in ("kernel", "quick", "full", "trimesh"))
            text += f"| {name} | {len(mesh[1]):,} | {kernel:.2f} ms | {quick:.2f} ms | {full:.2f} ms | {peer:.2f} ms |"
            text += f" {quick / kernel:.1f} x | {full / kernel:.1f} x | {full / peer:.2f} x |\n"
    return (
        f"{text}\nTimes of CPU, from arrays to moments: `mesh_moments`, `measure_mesh` with `quick` and without, and"
        " trimesh's `mass_properties` with `is_volume`, welded where that needs it. Targets: 4 x of the kernel for a"
        " star-shaped mesh, beside the welding of an unwelded one, and 12 x for others; 0.6 x of trimesh from 80,000"
        " triangles on, 1.5 x for 1,000.\n"
    )
