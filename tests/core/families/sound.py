# SPDX-License-Identifier: GPL-3.0-or-later
"""Sound solids of whole coordinates, the stuff that faults are added to."""

import numpy as np

from ..solids import box, cells, grid, prism, subdivided

STEPS = 4096.0
"""Steps of the grid that a stone's vertices lie on to its radius: far finer than its faces."""


def stone(rng, times=None):
    """Return a star-shaped polyhedron of whole coordinates: 12, 48, 192, 768 ... faces."""
    times = int(rng.integers(1, 4)) if times is None else times
    vertices, triangles = box((2, 2, 2), (-1, -1, -1))
    for _ in range(times):
        vertices, triangles = subdivided((vertices, triangles))
    directions = vertices / np.linalg.norm(vertices, axis=1)[:, None]
    waves = rng.normal(size=(3, 3))
    radius = 1 + 0.1 * np.sin(2.0 * directions @ waves.T).sum(axis=1)
    stretch = rng.uniform(0.5, 1.5, 3)
    return np.rint(STEPS * directions * radius[:, None] * stretch), triangles


def block(rng, times=0):
    """Return a box of whole corners, its faces cut in four so many times."""
    mesh = box(rng.integers(4, 33, 3) * 2**times, rng.integers(-8, 9, 3))
    for _ in range(times):
        mesh = subdivided(mesh)
    return mesh


def frame(rng):
    """Return a plate with one to three openings in a row, or a tube."""
    holes, deep = int(rng.integers(1, 4)), int(rng.integers(1, 4))
    filled = grid(2 * holes + 1, 3, deep) - {(2 * k + 1, 1, z) for k in range(holes) for z in range(deep)}
    return cells(filled, tuple(rng.integers(2, 9, 3)))


def star(rng):
    """Return a prism of a star-shaped outline of whole coordinates."""
    count = int(rng.integers(5, 40))
    angle = 2 * np.pi * (np.arange(count) + rng.uniform(-0.3, 0.3, count)) / count
    radius = rng.uniform(200, 1000, count)
    outline = np.rint(radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]))
    return prism(outline, 0.0, float(rng.integers(50, 2000)))


def solid(rng):
    """Return one of them."""
    return (stone, block, frame, star)[rng.integers(4)](rng)


def convex(rng):
    """Return a convex one with vertices to spare."""
    return block(rng, int(rng.integers(0, 3)))
