# SPDX-License-Identifier: GPL-3.0-or-later
"""Awkward meshes made by script, each with what it must get and its truth in rational arithmetic.

Which row of the catalogue of faults each is for stands in tests/core/mesh/diagnosis/test_awkward_set.py.

Run as a script, it writes them as OBJ files: ``python -m tests.core.solids.awkward DIR``.
"""

import sys
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import numpy as np

from ..exact import Exact, integrate
from . import TUBE_CELLS, box, cells, grid, inverted, joined, polygon, prism, rotation, subdivided, unwelded


@dataclass(frozen=True)
class Case:
    """One awkward mesh.

    Parameters
    ----------
    mesh : tuple
        Vertices (n, 3) and triangles (m, 3).
    solid : list of (sign, mesh), or None
        Sound meshes whose signed sum is the solid; None where the mesh must be refused.
    codes : set of str
        Of the findings of severity warning or info, or of the refusal.
    union : bool
        Whether the number comes from columns, not from the exact integral.
    """

    mesh: tuple
    solid: list | None
    codes: set = field(default_factory=set)
    union: bool = False

    def truth(self):
        """Return the exact moments, or None."""
        return None if self.solid is None else combined(self.solid)


def combined(parts):
    """Return the exact moments of a signed sum of sound meshes."""
    volume, first, second = Fraction(0), [Fraction(0)] * 3, [[Fraction(0)] * 3 for _ in range(3)]
    for sign, mesh in parts:
        one = integrate(*mesh)
        volume += sign * one.volume
        for i in range(3):
            first[i] += sign * one.volume * one.centroid[i]
            for j in range(3):
                raw = one.covariance[i][j] + one.volume * one.centroid[i] * one.centroid[j]
                second[i][j] += sign * raw
    centroid = [moment / volume for moment in first]
    covariance = [[second[i][j] - volume * centroid[i] * centroid[j] for j in range(3)] for i in range(3)]
    return Exact(volume, centroid, covariance, integrate(*parts[0][1]).size)


def without(mesh, *faces):
    return mesh[0], np.delete(mesh[1], faces, axis=0)


def turned(mesh, *faces):
    triangles = mesh[1].copy()
    triangles[list(faces)] = triangles[list(faces), ::-1]
    return mesh[0], triangles


def moved(mesh, *shift):
    return mesh[0] + np.array(shift), mesh[1]


def doubled(mesh, *faces, reverse=False):
    more = mesh[1][list(faces)]
    return mesh[0], np.vstack([mesh[1], more[:, ::-1] if reverse else more])


def welded(mesh):
    """Return the mesh with equal vertices shared."""
    vertices, number = np.unique(mesh[0], axis=0, return_inverse=True)
    return vertices, number.ravel()[mesh[1]]


def snake(path):
    """Return one closed surface around cells in a row, which share the walls to the next one only."""
    sides = []
    for k, cell in enumerate(path):
        vertices, triangles = cells({tuple(cell)})
        open_walls = [np.subtract(path[j], cell) for j in (k - 1, k + 1) if 0 <= j < len(path)]
        centres = vertices[triangles].min(axis=1) + vertices[triangles].max(axis=1) - 2 * np.array(cell) - 1
        kept = [not any((centre == wall).all() for wall in open_walls) for centre in centres]
        sides.append((vertices, triangles[kept], k))
    index, triangles = {}, []
    for vertices, faces, k in sides:
        for face in faces:
            corners = []
            for point in vertices[face]:
                # A corner belongs to the wall before or after this cell where it lies on one, else to the cell.
                near = k
                while near > 0 and _on_wall(point, path[near - 1], path[near]):
                    near -= 1
                corners.append(index.setdefault((tuple(point.tolist()), near), len(index)))
            triangles.append(corners)
    return np.array([point for point, _ in index]), np.array(triangles)


def _on_wall(point, one, other):
    low, high = np.maximum(one, other), np.minimum(one, other) + 1
    return bool(((point >= low) & (point <= high)).all())


def klein(n=12):
    i, j = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")

    def number(a, b):
        return (a % n) * n + np.where((a // n) % 2, -b, b) % n

    a, b, c, d = number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)
    u, v = 2 * np.pi * i / n, 2 * np.pi * j / n
    r = 3 + np.cos(u / 2) * np.sin(v) - np.sin(u / 2) * np.sin(2 * v)
    points = np.dstack([r * np.cos(u), r * np.sin(u), np.sin(u / 2) * np.sin(v) + np.cos(u / 2) * np.sin(2 * v)])
    return points.reshape(-1, 3), np.vstack([np.dstack([a, b, c]).reshape(-1, 3), np.dstack([a, c, d]).reshape(-1, 3)])


def moebius(n=12):
    """Return the band of a Klein bottle along the one circle that comes back to itself."""
    vertices, triangles = klein(n)
    return vertices, triangles[np.isin(triangles % n, (n - 1, 0, 1)).all(axis=1)]


def bow_tie(crossing):
    outline = np.array([[0, 0], [2, 2], [2, 0], [0, crossing]], dtype=float)
    n = len(outline)
    low, high = (np.column_stack([outline, np.full(n, z)]) for z in (0.0, 1.0))
    i, j = np.arange(n), np.roll(np.arange(n), -1)
    walls = [np.column_stack([i, j, j + n]), np.column_stack([i, j + n, i + n])]
    caps = [[0, 2, 1], [0, 3, 2], [n, n + 1, n + 2], [n, n + 2, n + 3]]
    return np.vstack([low, high]), np.vstack([*walls, caps])


def soup(count, rng):
    return rng.normal(size=(3 * count, 3)), np.arange(3 * count).reshape(-1, 3)


def cases():
    """Return the awkward meshes by name."""
    rng = np.random.default_rng(3)
    cube, big = box(), box((3, 3, 3))
    inner, core = box(low=(1, 1, 1)), box((0.5, 0.5, 0.5), (1.25, 1.25, 1.25))
    ball = subdivided(subdivided(prism(polygon(12), -0.7, 0.6, top_scale=0.6)))
    far = moved(cube, 40, -30, 20)
    ring = [(0, 0, 0), (1, 0, 0), (2, 0, 0), (2, 1, 0), (2, 2, 0), (1, 2, 0), (0, 2, 0), (0, 1, 0), (0, 0, 0)]
    half_in = moved(cube, 0.5, 0.5, 0.5)
    overlap = box((0.5, 0.5, 0.5), (0.5, 0.5, 0.5))
    diamond = prism(0.5 * polygon(4), -0.25, 0.75)
    lens = prism([[0.5, 0], [0, 0.5], [0, 0]] - np.array([0.15, 0.15]), 0.0, 0.75)
    lens = (lens[0] + np.array([0.15, 0.15, 0.0]), lens[1])
    sliver = (np.vstack([cube[0], [[0.25, 0, 0]]]), np.vstack([cube[1], [[0, 4, 8], [4, 0, 8], [0, 0, 4]]]))
    X = [(1, cube)]
    two = joined(cube, moved(cube, 2, 0, 0))
    table = {
        "no faces": Case((cube[0], cube[1][:0]), None, {"no_faces"}),
        "one face missing": Case(without(cube, 3), None, {"open_mesh"}),
        "one face missing, far": Case(moved(without(cube, 3), 7, 8, 9), None, {"open_mesh"}),
        "tube without ends": Case((cube[0], cube[1][abs(normals(cube)[:, 2]) < 0.5]), None, {"open_mesh"}),
        "sheet": Case((cube[0], cube[1][:2]), None, {"open_mesh"}),
        "double-faced sheet": Case(doubled((cube[0], cube[1][:2]), 0, 1, reverse=True), None, {"zero_volume"}),
        "sheet beside a cube": Case(beside_sheet(cube), X, {"inner_walls"}),
        "all flipped, far": Case(inverted(far), [(1, far)], {"inside_out"}),
        "three faces flipped": Case(turned(ball, 5, 6, 70), [(1, ball)], {"inconsistent_winding"}),
        "half of the faces flipped": Case(turned(ball, *range(0, 300, 2)), [(1, ball)], {"inconsistent_winding"}),
        "one shell of two flipped": Case(turned(two, *range(12)), [(1, two)], {"inside_out"}),
        "one face of each shell flipped": Case(turned(two, 1, 20), [(1, two)], {"inconsistent_winding"}),
        "hollow cube inside out": Case(joined(inverted(big), inner), [(1, big), (-1, inner)], {"inside_out", "cavity"}),
        "cavity": Case(joined(big, inverted(inner)), [(1, big), (-1, inner)], {"cavity"}),
        "part in a cavity": Case(joined(big, inverted(inner), core), [(1, big), (-1, inner), (1, core)], {"cavity"}),
        "inner shell outward": Case(joined(big, inner), [(1, big)], {"overlapping_shells"}),
        "three shells outward": Case(joined(core, big, inner), [(1, big)], {"overlapping_shells"}),
        "cavity in a cavity": Case(joined(big, inverted(inner), inverted(core)), None, {"negative_winding"}),
        "cubes overlap": Case(joined(cube, half_in), [(1, cube), (1, half_in), (-1, overlap)], {"overlapping_shells"}),
        "cubes overlap in a row": Case(
            joined(cube, moved(cube, 0.75, 0, 0)), [(1, box((1.75, 1, 1)))], {"overlapping_shells"}
        ),
        "cubes overlap by a hair": Case(
            joined(cube, moved(cube, 0, 0.9998, 0)), [(1, box((1, 1.9998, 1)))], {"overlapping_shells"}
        ),
        "a prism through a cube": Case(
            joined(cube, diamond), [(1, cube), (1, diamond), (-1, lens)], {"overlapping_shells"}
        ),
        "everything twice": Case(joined(cube, cube), X, {"duplicate_faces"}),
        "cubes apart": Case(two, [(1, two)]),
        "cubes touch": Case(two_touching(), [(1, box((2, 1, 1)))], {"touching_shells"}),
        "cubes share an edge": Case(cells({(0, 0, 0), (1, 1, 0)}), None, {"touching_shells"}),
        "cubes share a corner": Case(cells({(0, 0, 0), (1, 1, 1)}), None, {"touching_shells"}),
        "snake bites its tail": Case(snake(ring), [(1, cells(set(ring)))], {"overlapping_shells"}, True),
        "bow-tie": Case(bow_tie(1.0), None, {"negative_winding"}),
        "bow-tie that cancels": Case(bow_tie(2.0), None, {"zero_volume"}),
        "cavity pokes out": Case(joined(big, inverted(moved(inner, 1.05, 0, 0))), None, {"negative_winding"}),
        "cavity mostly outside": Case(  # it lies inside no other shell, so it is turned, and overlaps
            joined(big, inverted(moved(inner, 1.75, 0, 0))),
            [(1, big), (1, box((0.75, 1, 1), (3, 1, 1)))],
            {"inside_out", "overlapping_shells"},
        ),
        "duplicate face": Case(doubled(cube, 7), X, {"duplicate_faces"}),
        "quad there three times": Case(doubled(doubled(cube, 2, 3), 2, 3), X, {"duplicate_faces"}),
        "duplicate face, unwelded": Case(unwelded(doubled(cube, 7)), X, {"duplicate_faces"}),
        "face there and back": Case(inner_wall(), [(1, box((2, 1, 1)))], {"inner_walls"}),
        "faces without area": Case(sliver, X, {"degenerate_faces", "inner_walls"}),
        "T-junctions": Case(t_junctions(), [(1, cells({(0, 0, 0), (1, 0, 0)}))], {"t_junction"}),
        "non-manifold edges": Case(welded(two_touching()), [(1, box((2, 1, 1)))], {"non_manifold_edges"}),
        "Moebius strip": Case(moebius(), None, {"not_orientable"}),
        "Klein bottle": Case(klein(), None, {"not_orientable"}),
        "soup": Case(soup(60, rng), None, {"open_mesh"}),
        "zero and almost zero": Case(almost_zero(), X),
        "unwelded": Case(unwelded(cells(TUBE_CELLS)), [(1, cells(TUBE_CELLS))]),
        "not finite": Case((np.where(ball[0] == ball[0].max(), np.inf, ball[0]), ball[1]), None, {"not_finite"}),
        "index out of range": Case((cube[0], cube[1] + 1), None, {"index_out_of_range"}),
        "micrometre": Case((cube[0] * 1e-6, cube[1]), [(1, (cube[0] * 1e-6, cube[1]))], {"unit_suspicion"}),
        "a million metres": Case((ball[0] * 1e6, ball[1]), [(1, (ball[0] * 1e6, ball[1]))], {"unit_suspicion"}),
        "millimetres": Case((cube[0] * 40, cube[1]), [(1, (cube[0] * 40, cube[1]))], {"unit_suspicion"}),
        "far and small in float32": Case(far_in_float32(), [(1, far_in_float32())], {"precision_lost"}),
        "loose vertices": Case((np.vstack([[[9, 9, 9]], cube[0], [[-8, 0, 0]]]), cube[1] + 1), X),
    }
    for power in range(3, 8):
        there = moved(ball, 10.0**power, -(10.0**power), 0)
        table[f"far, 1e{power}"] = Case(there, [(1, there)])
    for name in ("cubes share an edge", "cubes share a corner"):
        case = table[name]
        table[name] = Case(case.mesh, [(1, case.mesh)], case.codes)
    turn = rotation(rng)
    for name in ("cavity", "inner shell outward", "T-junctions", "cubes touch"):
        case = table[name]
        tilted = [(sign, (mesh[0] @ turn.T, mesh[1])) for sign, mesh in case.solid]
        table[f"{name}, tilted"] = Case((case.mesh[0] @ turn.T, case.mesh[1]), tilted, case.codes)
    return table


def normals(mesh):
    a, b, c = mesh[0][mesh[1].T]
    return np.cross(b - a, c - a)


def two_touching():
    """Return two cubes whose common wall is cut along unlike diagonals."""
    return joined(box(), box(low=(1, 0, 0)))


def beside_sheet(cube):
    sheet = np.array([[5.0, 0, 0], [6, 0, 0], [6, 1, 0]]), np.array([[0, 1, 2], [2, 1, 0]])
    return joined(cube, sheet)


def inner_wall():
    """Return two cubes that keep the wall between them, from both sides, with its corners shared."""
    return welded(two_touching_mirrored())


def two_touching_mirrored():
    cube = box()
    mirrored = (cube[0] * [-1, 1, 1] + [2, 0, 0], cube[1][:, ::-1])
    return joined(cube, mirrored)


def t_junctions():
    """Return a block of two cells, one half of it cut finer, so that long edges meet two short ones."""
    fine = cells(grid(2, 2, 2), (0.5, 0.5, 0.5))
    coarse = box(low=(1, 0, 0))
    keep_fine = ~(fine[0][fine[1], 0] == 1).all(axis=1)
    keep_coarse = ~(coarse[0][coarse[1], 0] == 1).all(axis=1)
    return welded(joined((fine[0], fine[1][keep_fine]), (coarse[0], coarse[1][keep_coarse])))


def almost_zero():
    """Return a cube some of whose corners miss the plane x = 0 by 1e-17, as CAD systems write them."""
    vertices, triangles = unwelded(box())
    vertices[np.flatnonzero(vertices[:, 0] == 0)[::2], 0] = 1e-17
    return vertices, triangles


def far_in_float32():
    vertices, triangles = box((0.01, 0.01, 0.01), (1000.0, 0.0, 0.0))
    return vertices.astype(np.float32), triangles


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, case in cases().items():
        vertices, triangles = case.mesh
        lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in np.asarray(vertices, dtype=float).tolist()]
        lines += ["f " + " ".join(str(corner + 1) for corner in face) for face in triangles.tolist()]
        (folder / (name.replace(", ", "_").replace(" ", "_") + ".obj")).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
