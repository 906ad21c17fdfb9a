# SPDX-License-Identifier: GPL-3.0-or-later
"""What is proved to be star-shaped is so in exact arithmetic, and gets the verdict of all steps; nothing else is."""

from collections import Counter

import numpy as np
import pytest

from core import measure_mesh, mesh_moments
from core.mesh import policy
from core.mesh.diagnosis.checked_mesh import CheckedMesh
from core.mesh.diagnosis.star import is_star, star_components
from core.mesh.surface import Surface

from ....thorough import many
from ...solids import box, joined, rotation, unwelded
from ...solids.sheets import sphere

EACH = many(715, 12)
"""Of each of fourteen kinds."""

SCALE = 1 << 16
"""Vertices are whole numbers up to about it, so that 64 bits hold every determinant."""


def star(rng):
    """A ball with bumps, drawn out at random, as whole numbers."""
    vertices, faces = sphere(1 + int(rng.integers(2)))
    vertices = vertices * rng.uniform(0.6, 1.0, len(vertices))[:, None] * rng.uniform(0.3, 1.0, 3)
    return np.rint(SCALE * vertices @ rotation(rng).T).astype(np.int64), faces


def twice_around(rng):
    """A bipyramid whose faces go around its axis twice: every cone is positive, and no edge is open."""
    count = int(rng.integers(3, 9)) * 2 + 1
    angle = 4 * np.pi * np.arange(count) / count
    ring = np.column_stack([np.cos(angle), np.sin(angle), rng.uniform(-0.1, 0.1, count)])
    vertices = np.rint(SCALE * np.vstack([ring, [(0, 0, 1), (0, 0, -1)]])).astype(np.int64)
    a, b = np.arange(count), (np.arange(count) + 1) % count
    top, bottom = np.full(count, count), np.full(count, count + 1)
    return vertices, np.vstack([np.column_stack([a, b, top]), np.column_stack([b, a, bottom])])


def middle(vertices):
    return (vertices.min(axis=0) + vertices.max(axis=0)) // 2


def moved(rng, share):
    """A star with one corner moved to a share of its distance from the middle, below zero to the other side."""
    vertices, faces = star(rng)
    corner = rng.integers(len(vertices))
    vertices[corner] = middle(vertices) + np.rint(share * (vertices[corner] - middle(vertices))).astype(np.int64)
    return vertices, faces


def flipped(rng, count):
    vertices, faces = star(rng)
    chosen = rng.permutation(len(faces))[: count or len(faces)]
    faces[chosen] = faces[chosen, ::-1]
    return vertices, faces


def without_a_face(rng):
    vertices, faces = star(rng)
    return vertices, np.delete(faces, rng.integers(len(faces)), axis=0)


def with_another(rng, scale):
    """A star with a copy of other vertices of its own, larger or smaller, or at the same place."""
    vertices, faces = star(rng)
    return joined((vertices, faces), (np.rint(scale * vertices).astype(np.int64), faces))


def torn(rng):
    """A star in which one face has a corner of its own, at the same place."""
    vertices, faces = star(rng)
    face = rng.integers(len(faces))
    vertices = np.vstack([vertices, vertices[faces[face, 0]]])
    faces[face, 0] = len(vertices) - 1
    return vertices, faces


def with_a_junction(rng):
    """A star of which one face is cut in two, at a corner that its neighbour does not have."""
    vertices, faces = star(rng)
    a, b, c = faces[0]
    vertices = np.vstack([2 * vertices, vertices[a] + vertices[b]])
    new = len(vertices) - 1
    return vertices, np.vstack([faces[1:], [(a, new, c), (new, b, c)]])


def sharing_a_corner(rng):
    """Two stars that share a corner."""
    vertices, faces = star(rng)
    other = 2 * vertices[0] - vertices
    pieces = np.where(faces == 0, 0, faces + len(vertices))[:, ::-1]
    return np.vstack([vertices, other]), np.vstack([faces, pieces])


KINDS = {
    "a star": star,
    "a corner near the middle": lambda rng: moved(rng, rng.uniform(-1e-4, 1e-4)),
    "a corner beyond the middle": lambda rng: moved(rng, -rng.uniform(0.0, 0.5)),
    "a corner drawn in": lambda rng: moved(rng, rng.uniform(0.02, 0.3)),
    "a face reversed": lambda rng: flipped(rng, 1),
    "inside out": lambda rng: flipped(rng, 0),
    "a face missing": without_a_face,
    "doubled": lambda rng: with_another(rng, 1.0),
    "a shell around it": lambda rng: with_another(rng, 1.3),
    "twice around": twice_around,
    "torn at a corner": torn,
    "a T-junction": with_a_junction,
    "two at a corner": sharing_a_corner,
    "drawn in by a hair": lambda rng: moved(rng, 10.0 ** -rng.uniform(1.0, 5.0)),
}


def is_exactly_star(vertices, faces):
    """Return True if every cone is positive, every edge has two opposite sides, and a ray meets one face: in integers,
    about the middle of the box, all twice as large."""
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    a, b, c = (2 * vertices - (low + high))[faces].transpose(1, 0, 2)
    if not (np.einsum("ij,ij->i", a, np.cross(b, c)) > 0).all():
        return False
    sides = Counter(zip(faces.ravel().tolist(), np.roll(faces, -1, axis=1).ravel().tolist(), strict=True))
    if any(count != 1 or sides[end, start] != 1 for (start, end), count in list(sides.items())):
        return False
    ray = np.array([8111, 4057, 4139])
    met = np.all([np.cross(u, v) @ ray > 0 for u, v in ((a, b), (b, c), (c, a))], axis=0)
    return int(met.sum()) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_proved_is_star_shaped_in_integers(kind):
    proved = 0
    for number in range(EACH):
        vertices, faces = KINDS[kind](np.random.default_rng([number, len(kind)]))
        if is_star(Surface(vertices.astype(np.float64), faces)):
            proved += 1
            assert is_exactly_star(vertices, faces), number
    assert proved == EACH if kind == "a star" else proved < EACH or kind.startswith("a corner drawn")


def by_steps(mesh, monkeypatch):
    """Measure a mesh by all steps of the policy."""
    with monkeypatch.context() as patch:
        patch.setattr(CheckedMesh, "of_star", lambda given: None)
        patch.setattr(policy, "READ_IN_FULL", 0)
        return measure_mesh(*mesh)


@pytest.mark.parametrize("change", [lambda mesh: mesh, unwelded], ids=["welded", "unwelded"])
def test_a_star_gets_the_verdict_of_all_steps(change, monkeypatch):
    for number in range(many(200, 6)):
        vertices, faces = star(np.random.default_rng(number))
        mesh = change((vertices / SCALE, faces))
        measured, stepped = measure_mesh(*mesh), by_steps(mesh, monkeypatch)
        assert measured.findings == stepped.findings == ()
        assert (measured.moments.volume, measured.method, measured.error) == (stepped.moments.volume, "exact", 0.0)
        assert measured.moments.volume == mesh_moments(*mesh).volume


def test_the_lost_digits_of_a_star_in_float32_are_reported():
    vertices, faces = star(np.random.default_rng(1))
    far = (vertices / SCALE + [3e5, 0.0, 0.0]).astype(np.float32)
    assert {finding.code for finding in measure_mesh(far, faces).findings} >= {"precision_lost"}


def test_components_are_proved_one_by_one():
    block, ball = box((1.0, 1.0, 1.0)), sphere(3)
    bowl = ball[0].copy()
    bowl[bowl[:, 2] > 0.3] *= (1.0, 1.0, -1.0)  # pushed in far beyond the middle
    solids = [block, (bowl + [5.0, 0.0, 0.0], ball[1]), (ball[0] + [0.0, 5.0, 0.0], ball[1])]
    vertices, faces = joined(*solids)
    component = np.repeat([0, 1, 2], [len(solid[1]) for solid in solids])
    boxes = [(solid[0].min(axis=0), solid[0].max(axis=0)) for solid in solids]
    low, high = np.array(boxes).transpose(1, 2, 0)
    assert star_components(Surface(vertices, faces), component, low, high).tolist() == [True, False, True]
