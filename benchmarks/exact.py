# SPDX-License-Identifier: GPL-3.0-or-later
"""The exact integral, from arrays to mass properties, against trimesh."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import trimesh

from core import measure_mesh, mesh_moments

from .timing import interleaved

SIZES = (20_000, 80_000, 320_000, 1_310_000)


def torus(triangles: int) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int32]]:
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
    """Return the comparison as a Markdown table."""
    text = "| triangles | trimesh | mesh_moments | ratio | with the closedness check | ratio |\n"
    text += "|---:|---:|---:|---:|---:|---:|\n"
    for size in SIZES:
        vertices, faces = torus(size)
        times = interleaved(
            {
                "trimesh": lambda v=vertices, f=faces: trimesh.Trimesh(v, f, process=False).mass_properties,
                "exact": lambda v=vertices, f=faces: mesh_moments(v, f),
                "checked": lambda v=vertices, f=faces: measure_mesh(v, f),
            }
        )
        peer, exact, checked = (times[name] * 1e3 for name in ("trimesh", "exact", "checked"))
        text += f"| {len(faces):,} | {peer:.1f} ms | {exact:.2f} ms | {peer / exact:.1f} x"
        text += f" | {checked:.2f} ms | {peer / checked:.1f} x |\n"
    return text
