# SPDX-License-Identifier: GPL-3.0-or-later
"""The exact integral, from arrays to mass properties, against trimesh and against C."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import trimesh

from core import many_mesh_moments, measure_mesh, mesh_moments

from . import compiled
from .timing import interleaved

SIZES = (20_000, 80_000, 320_000, 1_310_000)
MANY = 2_000

Mesh = tuple[npt.NDArray[np.float32], npt.NDArray[np.int32]]


def torus(triangles: int) -> Mesh:
    """Return a closed mesh of about so many triangles, float32 as Blender's are."""
    n = round((triangles / 2) ** 0.5)
    around, across = np.meshgrid(*[np.linspace(0, 2 * np.pi, n, endpoint=False)] * 2, indexing="ij")
    ring = 2 + np.cos(across)
    vertices = np.stack([ring * np.cos(around), ring * np.sin(around), np.sin(across)], axis=-1)
    a = np.arange(n * n).reshape(n, n)
    b, d = np.roll(a, -1, 0), np.roll(a, -1, 1)
    c = np.roll(b, -1, 1)
    faces = np.concatenate([np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)])
    return vertices.reshape(-1, 3).astype(np.float32), faces.astype(np.int32)


def table() -> str:
    """Return the comparisons as Markdown tables."""
    text = "| triangles | trimesh | C | ours | trimesh / ours | ours / C | diagnosed quickly | diagnosed in full |\n"
    text += "|---:|---:|---:|---:|---:|---:|---:|---:|\n"
    for size in SIZES:
        vertices, faces = torus(size)
        times = interleaved(
            {
                "trimesh": lambda v=vertices, f=faces: trimesh.Trimesh(v, f, process=False).mass_properties,
                "C": lambda v=vertices, f=faces: compiled.moments(v, f),
                "exact": lambda v=vertices, f=faces: mesh_moments(v, f),
                "quick": lambda v=vertices, f=faces: measure_mesh(v, f, quick=True),
                "full": lambda v=vertices, f=faces: measure_mesh(v, f),
            },
            rounds=11,
        )
        peer, c, exact, quick, full = (times[name] * 1e3 for name in ("trimesh", "C", "exact", "quick", "full"))
        text += f"| {len(faces):,} | {peer:.1f} ms | {c:.2f} ms | {exact:.2f} ms |"
        text += f" {peer / exact:.1f} x | {exact / c:.2f} x | {quick:.2f} ms | {full:.2f} ms |\n"
    return f"{text}\nC is Eberly's formula, scalar, by gcc -O3. {_many()}"


def _many() -> str:
    """Measure a pile of small meshes."""
    rng = np.random.default_rng(0)
    meshes = [torus(int(size)) for size in rng.integers(30, 360, MANY)]
    triangles = np.mean([len(faces) for _, faces in meshes])
    some = meshes[:: MANY // 200]  # trimesh takes its time
    times = interleaved(
        {
            "trimesh": lambda: [trimesh.Trimesh(v, f, process=False).mass_properties for v, f in some],
            "loop": lambda: [mesh_moments(v, f) for v, f in some],
            "many": lambda: many_mesh_moments(meshes),
        }
    )
    peer, loop = (times[name] / len(some) * 1e6 for name in ("trimesh", "loop"))
    many = times["many"] / MANY * 1e6
    return (
        f"Of {MANY:,} meshes of {triangles:.0f} triangles, `many_mesh_moments` takes {many:.1f} µs each"
        f" ({peer / many:.1f} x trimesh's {peer:.0f} µs), `mesh_moments` in a loop {loop:.0f} µs.\n"
    )
