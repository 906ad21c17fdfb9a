# SPDX-License-Identifier: GPL-3.0-or-later
"""Faulty meshes of up to 100,000 faces to be timed: the same for the same number on every machine."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tests.core.solids import box, inverted, joined, prism, subdivided, torus, unwelded

Mesh = tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]
Rng = np.random.Generator

FACES = (100.0, 100_000.0)
"""Of one mesh, evenly on a logarithmic scale."""


def turns(rng: Rng, count: int) -> npt.NDArray[np.float64]:
    """Return random rotations (n, 3, 3)."""
    q, _ = np.linalg.qr(rng.normal(size=(count, 3, 3)))
    return q * np.sign(np.linalg.det(q))[:, None, None]


def copies(mesh: Mesh, A: npt.NDArray[np.float64], t: npt.NDArray[np.float64]) -> Mesh:
    """Return a mesh under each of some maps x → A x + t, as one."""
    vertices, triangles = mesh
    points = np.einsum("nij,vj->nvi", A, vertices) + t[:, None]
    faces = triangles[None] + (np.arange(len(t)) * len(vertices))[:, None, None]
    return points.reshape(-1, 3), faces.reshape(-1, 3)


def stone(rng: Rng, faces: float, rough: float = 0.0) -> Mesh:
    """Return a star-shaped solid of about so many faces; `rough` moves its vertices by so much and folds it over."""
    vertices, triangles = box((2, 2, 2), (-1, -1, -1))
    while len(triangles) < faces / 2:
        vertices, triangles = subdivided((vertices, triangles))
    directions = vertices / np.linalg.norm(vertices, axis=1)[:, None]
    radius = 1 + 0.1 * np.sin(3.0 * directions @ rng.normal(size=(3, 3))).sum(axis=1)
    return directions * radius[:, None] + rough * rng.normal(size=vertices.shape), triangles


def tube(path: npt.NDArray[np.float64], radius: float, around: int) -> Mesh:
    """Return a closed tube along a path (n, 3), its cross-section turned with it as little as will do."""
    along = np.gradient(path, axis=0)
    along /= np.linalg.norm(along, axis=1)[:, None]
    side = np.cross(along, [0.0, 0.0, 1.0])  # no path here runs straight up
    side /= np.linalg.norm(side, axis=1)[:, None]
    up = np.cross(along, side)
    angle = 2 * np.pi * np.arange(around) / around
    ring = np.cos(angle)[:, None] * side[:, None] + np.sin(angle)[:, None] * up[:, None]
    points = (path[:, None] + radius * ring).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(len(path) - 1), np.arange(around), indexing="ij")
    a, b = (i * around + j).ravel(), (i * around + (j + 1) % around).ravel()
    c, d = b + around, a + around
    first, last = len(points), len(points) + 1
    k = np.arange(around)
    caps = [(np.full(around, first), (k + 1) % around, k)]
    end = (len(path) - 1) * around
    caps += [(np.full(around, last), end + k, end + (k + 1) % around)]
    faces = [(a, b, c), (a, c, d), *caps]
    return np.vstack([points, path[:1], path[-1:]]), np.vstack([np.stack(face, axis=1) for face in faces])


def cable(rng: Rng, faces: float) -> Mesh:
    """Return a coil of wire whose turns touch or pass through each other."""
    around = int(rng.integers(6, 16))
    count = max(int(faces / (2 * around)), 40)
    rounds = rng.uniform(3, max(4.0, count / 24))
    angle = np.linspace(0, 2 * np.pi * rounds, count)
    pitch, wire = rng.uniform(0.5, 2.0), 0.08
    path = np.column_stack([np.cos(angle), np.sin(angle), angle / (2 * np.pi) * wire * 2 * pitch])
    return tube(path + 0.02 * np.sin(7 * angle)[:, None] * rng.normal(size=3), wire, around)


def boxes_apart(rng: Rng, faces: float) -> Mesh:
    count = max(int(faces / 12), 2)
    side = int(np.ceil(count ** (1 / 3)))
    places = np.array(list(np.ndindex(side, side, side)))[:count].astype(float) * 3
    return copies(box(), turns(rng, count), places)


def boxes_overlapping(rng: Rng, faces: float) -> Mesh:
    count = max(int(faces / 12), 2)
    size = rng.uniform(0.5, 2.0) * max(count / rng.uniform(0.5, 10.0), 1.0) ** (1 / 3)
    straight = np.tile(np.eye(3), (count, 1, 1)) * rng.uniform(0.3, 1.5, (count, 1, 3))
    return copies(box(), straight if rng.random() < 0.5 else turns(rng, count), rng.uniform(0, size, (count, 3)))


def boxes_touching(rng: Rng, faces: float) -> Mesh:
    count = max(int(faces / 12), 2)
    side = int(np.ceil(count ** (1 / 3)))
    places = np.array(list(np.ndindex(side, side, side)))[:count].astype(float)
    return copies(box(), np.tile(np.eye(3), (count, 1, 1)), places[rng.permutation(count)])


def boxes_nested(rng: Rng, faces: float) -> Mesh:
    count = min(max(int(faces / 12), 2), 2000)
    size = np.linspace(1.0, 0.01, count)
    vertices, triangles = copies(
        box((1, 1, 1), (-0.5, -0.5, -0.5)), np.eye(3) * size[:, None, None], np.zeros((count, 3))
    )
    inwards = rng.random(count) < rng.choice([0.0, 0.5])
    if rng.random() < 0.3:
        inwards = np.arange(count) % 2 == 1
    turned = np.repeat(inwards, 12)
    return vertices, np.where(turned[:, None], triangles[:, ::-1], triangles)


def repeated(rng: Rng, faces: float) -> Mesh:
    times = int(rng.integers(2, 21))
    vertices, triangles = stone(rng, faces / times)
    triangles = np.vstack([np.roll(triangles, int(k), axis=1) for k in rng.integers(0, 3, times)])
    return unwelded((vertices, triangles)) if rng.random() < 0.5 else (vertices, triangles)


def rods(rng: Rng, faces: float) -> Mesh:
    around = int(rng.integers(4, 32))
    angle = 2 * np.pi * np.arange(around) / around
    rod = prism(np.column_stack([np.cos(angle), np.sin(angle)]) * 0.03, -1.0, 1.0)
    count = max(int(faces / len(rod[1])), 2)
    return copies(rod, turns(rng, count), rng.uniform(-0.5, 0.5, (count, 3)))


def tetrahedra(rng: Rng, faces: float) -> Mesh:
    count = max(int(faces / 4), 2)
    corners = rng.normal(size=(count, 4, 3)) * rng.choice([0.1, 0.3, 1.0]) + rng.uniform(-2, 2, (count, 1, 3))
    edges = corners[:, 1:] - corners[:, :1]
    mirrored = np.linalg.det(edges) < 0
    corners[mirrored] = corners[mirrored][:, [0, 2, 1, 3]]
    one = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
    return corners.reshape(-1, 3), (one[None] + 4 * np.arange(count)[:, None, None]).reshape(-1, 3)


def soup(rng: Rng, faces: float) -> Mesh:
    count = int(faces)
    corners = rng.uniform(-1, 1, (count, 1, 3)) + rng.choice([0.02, 0.2, 1.0]) * rng.normal(size=(count, 3, 3))
    return corners.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3)


def holes(rng: Rng, faces: float) -> Mesh:
    vertices, triangles = stone(rng, faces)
    kept = rng.random(len(triangles)) > rng.choice([0.001, 0.02, 0.3])
    mesh = vertices, triangles[kept]
    return unwelded(mesh) if rng.random() < 0.3 else mesh


def cracked(rng: Rng, faces: float) -> Mesh:
    """Every face has corners of its own, which have moved apart by more or less than merging forgives."""
    vertices, triangles = unwelded(stone(rng, faces))
    return vertices + 10.0 ** rng.uniform(-8, -2) * rng.normal(size=vertices.shape), triangles


def crumpled(rng: Rng, faces: float) -> Mesh:
    return stone(rng, faces, rough=2.0 / faces**0.5 * rng.uniform(0.2, 3.0))


def flipped(rng: Rng, faces: float) -> Mesh:
    vertices, triangles = stone(rng, faces)
    turned = rng.random(len(triangles)) < rng.uniform(0.0, 1.0)
    return vertices, np.where(turned[:, None], triangles[:, ::-1], triangles)


def stones_crossing(rng: Rng, faces: float) -> Mesh:
    count = int(rng.integers(2, 30))
    stones = [stone(rng, faces / count) for _ in range(count)]
    stones = [inverted(one) if rng.random() < 0.1 else one for one in stones]
    return joined(*((one[0] + rng.uniform(-1.5, 1.5, 3), one[1]) for one in stones))


def mixed(rng: Rng, faces: float) -> Mesh:
    """Two or three of the others beside, or through, each other."""
    chosen = rng.integers(0, len(KINDS) - 1, int(rng.integers(2, 4)))
    parts = [list(KINDS.values())[k](rng, faces / len(chosen)) for k in chosen]
    return joined(*((part[0] + rng.uniform(-1, 1, 3), part[1]) for part in parts))


KINDS = {
    make.__name__: make
    for make in (
        boxes_apart,
        boxes_overlapping,
        boxes_touching,
        boxes_nested,
        repeated,
        rods,
        tetrahedra,
        soup,
        holes,
        cracked,
        crumpled,
        flipped,
        stones_crossing,
        cable,
        mixed,
    )
}


def random_mesh(number: int) -> tuple[str, Mesh]:
    """Return a mesh by its number, and of what kind it is."""
    rng = np.random.default_rng([21, number])
    kind = list(KINDS)[number % len(KINDS)]
    return kind, KINDS[kind](rng, float(np.exp(rng.uniform(*np.log(FACES)))))


def listed() -> dict[str, Mesh]:
    """Return the small meshes that once took long."""
    rng = np.random.default_rng(21)
    nest = np.linspace(1.0, 0.001, 1000)
    vertices, triangles = torus(75, 60)
    return {
        "1,000 nested boxes": copies(box((1, 1, 1), (-0.5,) * 3), np.eye(3) * nest[:, None, None], np.zeros((1000, 3))),
        "9,000 faces, each there 20 times": (vertices, np.tile(triangles, (20, 1))),
        "108 crossing rods": rods(np.random.default_rng(1), 108 * 4.0 * 16),
        "20,000 boxes apart": boxes_apart(rng, 240_000),
        "3,000 random tetrahedra": tetrahedra(rng, 12_000),
        "8,000 faces of a tight coil": cable(rng, 8_000),
    }
