# SPDX-License-Identifier: GPL-3.0-or-later
"""Small meshes for files of every format: sound ones, and ones with the faults that users' meshes have."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

Corner = tuple[float, float, float]


@dataclass
class Solid:
    """Vertices, and polygons of three or more corners by their numbers from 0."""

    vertices: list[Corner]
    faces: list[tuple[int, ...]]

    def triangles(self) -> list[tuple[int, int, int]]:
        """Return its polygons as fans."""
        return [(face[0], face[i], face[i + 1]) for face in self.faces for i in range(1, len(face) - 1)]


TETRAHEDRON = Solid(
    [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
)
BOX = Solid(
    [(float(x), float(y), float(z)) for z in (0, 1) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))],
    [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)],
)
OCTAHEDRON = Solid(
    [(1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, -1.0)],
    [(0, 2, 4), (2, 1, 4), (1, 3, 4), (3, 0, 4), (2, 0, 5), (1, 2, 5), (3, 1, 5), (0, 3, 5)],
)


def solid(random: Random) -> Solid:
    """Return a mesh: mostly closed, somewhere in space, of some size; often with one fault."""
    base = random.choice((TETRAHEDRON, BOX, BOX, OCTAHEDRON))
    made = Solid(list(base.vertices), list(base.faces))
    if random.random() < 0.3:  # another mesh next to it, inside it, touching or passing through it
        _join(made, random.choice((TETRAHEDRON, BOX, OCTAHEDRON)), random)
    size = [10.0 ** random.uniform(-3.0, 1.0)] * 3 if random.random() < 0.8 else [10.0 ** random.uniform(-9, 6)] * 3
    if random.random() < 0.3:
        size[random.randrange(3)] *= random.choice((-1.0, 1e-3, 3.0))
    offset = [random.choice((0.0, 0.0, random.uniform(-5, 5), 1e5)) for _ in range(3)]
    made.vertices = [_placed(vertex, size, offset) for vertex in made.vertices]
    if random.random() < 0.4:
        random.choice(_FAULTS)(made, random)
    return made


def _placed(vertex: Corner, size: list[float], offset: list[float]) -> Corner:
    x, y, z = (value * own + place for value, own, place in zip(vertex, size, offset, strict=True))
    return x, y, z


def _join(made: Solid, other: Solid, random: Random) -> None:
    size = random.choice((1.0, 0.5, 0.25, 2.0))
    offset = [random.choice((0.0, 0.25, 0.5, 1.0, 3.0)) for _ in range(3)]
    first = len(made.vertices)
    made.vertices += [_placed(vertex, [size] * 3, offset) for vertex in other.vertices]
    made.faces += [tuple(first + corner for corner in face) for face in other.faces]


def _open(made: Solid, random: Random) -> None:
    del made.faces[random.randrange(len(made.faces))]


def _flip(made: Solid, random: Random) -> None:
    place = random.randrange(len(made.faces))
    made.faces[place] = made.faces[place][::-1]


def _inside_out(made: Solid, random: Random) -> None:
    made.faces = [face[::-1] for face in made.faces]


def _double(made: Solid, random: Random) -> None:
    face = random.choice(made.faces)
    made.faces.append(face if random.random() < 0.5 else face[::-1])


def _move(made: Solid, random: Random) -> None:
    """Move a corner somewhere: onto another, along an axis, or far away."""
    place = random.randrange(len(made.vertices))
    other = random.choice(made.vertices)
    step = random.choice((1e-12, 1e-6, 0.5, 10.0))
    made.vertices[place] = other if random.random() < 0.4 else (other[0] + step, other[1] - step, other[2] * (1 + step))


def _thin(made: Solid, random: Random) -> None:
    """Flatten it onto a plane, or a line."""
    axes = random.sample(range(3), random.choice((1, 1, 2)))
    made.vertices = [
        _placed(vertex, [0.0 if axis in axes else 1.0 for axis in range(3)], [0.0] * 3) for vertex in made.vertices
    ]


def _soup(made: Solid, random: Random) -> None:
    count = len(made.vertices)
    made.faces += [tuple(random.randrange(count) for _ in range(3)) for _ in range(random.randint(1, 6))]


def _empty(made: Solid, random: Random) -> None:
    made.faces.clear()
    if random.random() < 0.5:
        made.vertices.clear()


_FAULTS = (_open, _open, _flip, _flip, _inside_out, _double, _move, _move, _thin, _soup, _empty)
