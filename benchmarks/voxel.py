# SPDX-License-Identifier: GPL-3.0-or-later
"""The column method against trimesh's voxels and against the same method in C: time, memory, error."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from importlib.util import find_spec

import numpy as np
import trimesh

from core import Moments, mesh_moments, voxel_moments
from core.body.compare import difference

from . import compiled
from .timing import interleaved

RESOLUTIONS = (64, 128, 256, 512, 1024)
TRIMESH_UP_TO = 256
"""Its grid at 512³ takes more memory than there is."""

FILL = "holes" if find_spec("scipy") else "orthographic"
"""Trimesh's default needs SciPy; the other way is the next best that does not."""


def _trimesh(mesh: trimesh.Trimesh, voxel_size: float) -> None:
    points = mesh.voxelized(voxel_size).fill(FILL).points
    away = points - points.mean(axis=0)
    away.T @ away


def _megabytes(work: Callable[[], object]) -> float:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


def _error(found: Moments, exact: Moments) -> float:
    return difference(found, exact, exact).inertia


def table() -> str:
    """Return the comparison as a Markdown table."""
    ball = trimesh.creation.icosphere(6)
    ball.apply_transform(trimesh.transformations.random_rotation_matrix(np.array([0.3, 0.7, 0.1])))
    vertices, faces = ball.vertices.astype(np.float32), ball.faces.astype(np.int32)
    exact = mesh_moments(vertices, faces)
    side = float(np.ptp(vertices, axis=0).max())
    text = f"| ball of {len(faces):,} triangles | trimesh | C, signed | signed | union | trimesh / union |"
    text += " signed / C | union / C | memory, signed | union | error of the tensor |\n"
    text += "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n"
    for n in RESOLUTIONS:
        size = side / n

        def ours(union: bool, size: float = size) -> Moments:
            return voxel_moments(vertices, faces, size, union)

        ways: dict[str, Callable[[], object]] = {
            "C": lambda size=size: compiled.column_volume(vertices, faces, size),
            "signed": lambda ours=ours: ours(False),
            "union": lambda ours=ours: ours(True),
        }
        times = interleaved(ways)
        if n <= TRIMESH_UP_TO:
            ways["trimesh"] = lambda size=size: _trimesh(ball.copy(), size)
            times = interleaved(ways)
        c, signed, union = (times[name] * 1e3 for name in ("C", "signed", "union"))
        peer, ratio = "-", "-"
        if "trimesh" in times:
            peer, ratio = f"{times['trimesh'] * 1e3:.0f} ms", f"{times['trimesh'] * 1e3 / union:.0f} x"
        memory = [_megabytes(lambda rule=rule, ours=ours: ours(rule)) for rule in (False, True)]
        text += f"| {n}³ | {peer} | {c:.1f} ms | {signed:.1f} ms | {union:.1f} ms | {ratio} | {signed / c:.2f} x |"
        text += f" {union / c:.2f} x | {memory[0]:.0f} MB | {memory[1]:.0f} MB | {_error(ours(True), exact):.1e} |\n"
    text += "\nC is the signed column method, scalar, by gcc -O3. Memory is what is allocated beside the mesh."
    return f"{text} Trimesh fills by '{FILL}'.\n"
