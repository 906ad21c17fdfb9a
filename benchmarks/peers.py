# SPDX-License-Identifier: GPL-3.0-or-later
"""From arrays to mass properties: every system in turn, on one large mesh, and on many small ones."""

from __future__ import annotations

from time import perf_counter

import numpy as np

from core import mesh_moments
from core.mesh.many import many_mesh_moments

from . import plot
from .exact import SIZES, torus
from .systems import FOR_SPEED, KERNEL, LIBIGL, TRIMESH, System, Triangles, Vertices, absent
from .timing import interleaved

SLOW = 1.0
"""A system that takes longer than this [s] in its warm-up runs once more, and not in each round."""

SMALL_MESHES, SMALL_TRIANGLES = 1000, 190


def table() -> str:
    """Return both comparisons as Markdown, and draw the first."""
    missing = absent(FOR_SPEED)
    present = [system for system in FOR_SPEED if system.name not in missing]
    columns = {triangles: _times(present, *mesh) for triangles, mesh in ((len(torus(n)[1]), torus(n)) for n in SIZES)}
    plot.speed({system.name: [column[system][0] for column in columns.values()] for system in present}, list(columns))
    text = "| system | " + " | ".join(f"{triangles:,} triangles" for triangles in columns) + " | what is timed |\n"
    text += "|---|" + "---:|" * len(columns) + "---|\n"
    for system in present:
        cells = [_cell(*column[system], column[KERNEL][0]) for column in columns.values()]
        text += f"| {system.title()} | {' | '.join(cells)} | {system.note} |\n"
    for name, reason in missing.items():
        text += f"| {name} | {' | '.join(['absent'] * len(columns))} | {reason} |\n"
    text += "\nIn brackets: multiples of the kernel's time. *: timed once, since a run takes more than a second.\n\n"
    return text + "![speed](speed.png)\n\n" + _many_small()


def _cell(seconds: float, once: bool, kernel: float) -> str:
    return f"{seconds * 1e3:,.2f} ms{'*' if once else ''} ({seconds / kernel:.1f} x)"


def _times(systems: list[System], vertices: Vertices, triangles: Triangles) -> dict[System, tuple[float, bool]]:
    """Return the time [s] of each system, and whether it was timed only once."""
    ways = {system: system.load(vertices, triangles) for system in systems}
    slow = {}
    for system, measure in ways.items():
        start = perf_counter()
        measure()
        if perf_counter() - start > SLOW:
            slow[system] = measure
    fast = {system: measure for system, measure in ways.items() if system not in slow}
    times = {system: (seconds, False) for system, seconds in _named(interleaved, fast).items()}
    for system, measure in slow.items():
        start = perf_counter()
        measure()
        times[system] = (perf_counter() - start, True)
    return times


def _named(timer, ways):
    by_name = {system.name: system for system in ways}
    return {by_name[name]: value for name, value in timer({s.name: way for s, way in ways.items()}).items()}


def _many_small() -> str:
    rng = np.random.default_rng(0)
    vertices, triangles = torus(SMALL_TRIANGLES)
    meshes = [(vertices + rng.normal(size=3).astype(np.float32), triangles) for _ in range(SMALL_MESHES)]
    loads = {system.name: system.load for system in (TRIMESH, LIBIGL) if not system.missing()}
    times = interleaved(
        {
            "`many_mesh_moments`, concatenation counted": lambda: many_mesh_moments(meshes),
            "a loop of `mesh_moments`": lambda: [mesh_moments(*mesh) for mesh in meshes],
        }
        | {f"a loop of {name}": lambda load=load: [load(*mesh)() for mesh in meshes] for name, load in loads.items()}
    )
    text = f"| {SMALL_MESHES:,} meshes of {len(triangles)} triangles | per mesh | ratio |\n|---|---:|---:|\n"
    first = next(iter(times.values()))
    for name, seconds in times.items():
        text += f"| {name} | {seconds / SMALL_MESHES * 1e6:.1f} µs | {seconds / first:.1f} x |\n"
    return text
