# SPDX-License-Identifier: GPL-3.0-or-later
"""The union of shells that overlap, against Manifold, which makes a mesh of it and integrates that."""

from __future__ import annotations

import manifold3d
import numpy as np

from core import measure_mesh

from .exact import Mesh, torus
from .timing import interleaved

SIZES = (2_000, 20_000, 100_000, 1_000_000)
APART = np.array([0.5, 0.3, 0.2], dtype=np.float32)


def two_overlapping(count: int) -> Mesh:
    """Return two tori of `count` triangles together, one of them moved, as one mesh."""
    vertices, faces = torus(count // 2)
    return np.concatenate([vertices, vertices + APART]), np.concatenate([faces, faces + len(vertices)])


def _solid(mesh: Mesh) -> manifold3d.Manifold:
    vertices, faces = mesh
    return manifold3d.Manifold(manifold3d.Mesh64(vertices.astype(np.float64), faces.astype(np.uint64)))


def _manifold(mesh: Mesh) -> float:
    vertices, faces = mesh
    points, half = len(vertices) // 2, len(faces) // 2
    united = _solid((vertices[:points], faces[:half])) + _solid((vertices[points:], faces[half:] - points))
    return float(united.volume())


def table() -> str:
    """Return time and volume of both as a Markdown table."""
    text = "| triangles | ours | Manifold | ratio | volumes differ by | our estimated error |\n"
    text += "|---:|---:|---:|---:|---:|---:|\n"
    for count in SIZES:
        mesh = two_overlapping(count)
        times = interleaved(
            {"ours": lambda mesh=mesh: measure_mesh(*mesh), "manifold": lambda mesh=mesh: _manifold(mesh)}
        )
        ours, peer = times["ours"] * 1e3, times["manifold"] * 1e3
        found = measure_mesh(*mesh)
        off = abs(found.moments.volume / _manifold(mesh) - 1.0)
        text += f"| {len(mesh[1]):,} | {ours:.1f} ms | {peer:.1f} ms | {peer / ours:.2f} x | {off:.0e} |"
        text += f" {found.error:.0e} |\n"
    return (
        f"{text}\nTwo tori through each other. `measure_mesh` checks the mesh, finds its shells and integrates volume,"
        " centroid and tensor of their union; Manifold 3 (C++) is given the two shells, makes a mesh of their union"
        " and gives its volume.\n"
    )
