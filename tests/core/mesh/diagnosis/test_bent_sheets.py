# SPDX-License-Identifier: GPL-3.0-or-later
"""Open sheets that are bent are left out of a mesh beside its solids, and never make a number wrong.

A sheet is the skin of a solid where its own winding number, summed over solid angles, is above 3/4 in much of the space
where it is above 1/2; a bent sheet has no such place, and is left out of the solids, which count exactly.
"""

import numpy as np
import pytest

from core import InertiaError, measure_mesh, mesh_moments

from ....thorough import sample
from ...solids import ball, box, inverted, joined, polygon, prism, rotation, torus
from ...solids.awkward import moved
from ...winding_numbers import winding_numbers

GEAR = prism(polygon(48) * (1.0 + 0.15 * (np.arange(48) % 4 > 1))[:, None], -0.2, 0.2)
SOLIDS = {
    "ball": ball(),
    "gear": GEAR,
    "two": joined(box((1, 1, 1), (-1.2, -0.5, -0.5)), moved(torus(24, 12, 0.4, 0.15), 0.6, 0.0, 0.0)),
    "cavity": joined(box((2, 2, 2), (-1, -1, -1)), inverted(box((1.4, 1.4, 1.4), (-0.7, -0.7, -0.7)))),
}
"""Closed, and within 1.5 of the origin."""


def grid(shape, count=9):
    """Return a sheet over the square from -1 to 1, by the height at each place, or by a function to all coordinates."""
    u, v = np.meshgrid(np.linspace(-1, 1, count), np.linspace(-1, 1, count), indexing="ij")
    i = np.arange((count - 1) * count).reshape(count - 1, count)[:, :-1].ravel()
    triangles = [np.column_stack([i, i + count, i + count + 1]), np.column_stack([i, i + count + 1, i + 1])]
    return np.stack(shape(u, v), axis=-1).reshape(-1, 3), np.concatenate(triangles)


def parabolic(rng):
    depth = rng.uniform(0.05, 0.5)
    return grid(lambda u, v: (u, v, depth * u * u))


def dish(rng):
    depth = rng.uniform(0.05, 0.25)
    return grid(lambda u, v: (u, v, depth * (u * u + v * v)))


def cylindrical(rng):
    angle = rng.uniform(0.3, np.pi)
    return grid(lambda u, v: (np.sin(angle * u / 2) / (angle / 2), v, np.cos(angle * u / 2) / (angle / 2)))


def saddle(rng):
    depth = rng.uniform(0.1, 0.8)
    return grid(lambda u, v: (u, v, depth * (u * u - v * v)))


def crumpled(rng):
    size = rng.uniform(0.01, 0.1)
    return grid(lambda u, v: (u, v, size * rng.normal(size=u.shape)))


def folded(rng):
    """Four corners of a square that have moved: two triangles at an angle."""
    corners = np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)]) + rng.normal(scale=0.4, size=(4, 3))
    return corners, np.array([(0, 1, 2), (0, 2, 3)])


def cup(rng):
    vertices, triangles = prism(polygon(16), 0.0, rng.uniform(0.2, 2.0))
    return vertices, triangles[(vertices[triangles][:, :, 2] < vertices[:, 2].max()).any(axis=1)]


def ring(rng):
    vertices, triangles = prism(polygon(16), 0.0, rng.uniform(0.2, 3.0))
    return vertices, triangles[: 2 * 16]


BENT_FACES = (128, 2)
"""How many those have, and no cup or ring."""

BENT = (parabolic, dish, cylindrical, saddle, crumpled, folded)
PLACES = ("near", "far", "touching", "half inside", "inside", "round")


def case(number):
    """Return a solid, a sheet beside it, and where that is."""
    rng = np.random.default_rng([201, number])
    solid = SOLIDS[list(SOLIDS)[number % len(SOLIDS)]]
    make = (*BENT, *BENT, cup, ring)[rng.integers(14)]
    vertices, triangles = make(rng)
    place = PLACES[rng.integers(len(PLACES))]
    size = {"inside": 0.3, "round": 2.5}.get(place, rng.uniform(0.2, 1.5))
    away = {"near": 1.55, "far": 10.0, "half inside": 0.9}.get(place, 0.0)
    direction = rng.normal(size=3)
    direction /= np.linalg.norm(direction)
    vertices = size * (vertices - vertices.mean(axis=0)) @ rotation(rng).T
    if place in ("near", "far"):
        away -= float((vertices @ direction).min())
    vertices = vertices + away * direction
    if place == "touching":  # a corner of the sheet in one of the solid
        vertices = vertices - vertices[0] + 1.0 * solid[0][np.argmax(solid[0] @ direction)]
    return solid, (vertices, triangles), place


def surely(sheet, count=14):
    """Return the volumes where a sheet's winding number is above a half, and above three quarters."""
    low, high = sheet[0].min(axis=0), sheet[0].max(axis=0)
    cells = (np.stack(np.meshgrid(*[(np.arange(count) + 0.5) / count] * 3, indexing="ij"), -1)).reshape(-1, 3)
    points = np.array_split(low + cells * (high - low), 16)
    w = np.abs(np.concatenate([winding_numbers(*sheet, some) for some in points]))
    return [float((w > threshold).mean() * np.prod(high - low)) for threshold in (0.5, 0.75)]


@pytest.mark.fault(201)
@pytest.mark.parametrize("number", sample(range(1000), 30))
def test_a_sheet_beside_solids_never_makes_a_number_wrong(number):
    solid, sheet, place = case(number)
    alone = mesh_moments(*solid)
    try:
        measured = measure_mesh(*joined(solid, sheet))
    except InertiaError as error:
        assert error.code == "open_mesh"
        assert 4.0 * surely(sheet, 28)[1] > 0.02 * alone.volume  # perhaps the skin of a solid; sampled to a third
        return
    assert measured.method == "exact"
    is_the_same(measured, alone)
    if len(sheet[1]) not in BENT_FACES:
        half, most = surely(sheet)
        assert not most > half / 2.0 or measured.error >= half / alone.volume  # so small that the error covers it


def is_the_same(measured, alone):
    assert measured.moments.volume == pytest.approx(alone.volume, rel=1e-12)
    assert np.abs(measured.moments.covariance - alone.covariance).max() <= 1e-12 * np.trace(alone.covariance)
    assert "open_sheets" in {finding.code for finding in measured.findings}


FOLDED = [
    (
        torus(25, 7, 1.0, 0.07),
        [(-1.54, 2.767, -2.064), (-1.771, 2.149, -2.603), (-2.442, 2.607, -1.555), (-1.883, 2.878, -1.803)],
    ),
    (
        prism(polygon(10), 0.0, 1.9),
        [(0.758, -0.53, 5.264), (0.672, 0.618, 4.234), (2.044, 0.557, 4.095), (1.044, 0.188, 6.003)],
    ),
]


@pytest.mark.fault(201)
@pytest.mark.parametrize(("solid", "corners"), FOLDED, ids=["ring", "drum"])
def test_a_folded_sheet_apart_is_left_out_with_the_error_of_a_wall(solid, corners):
    sheet = np.array(corners), np.array([(0, 1, 2), (0, 2, 3)])
    measured = measure_mesh(*joined(solid, sheet))
    is_the_same(measured, mesh_moments(*solid))
    a, b, c = sheet[0][sheet[1]].transpose(1, 0, 2)
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2.0
    longest = np.ptp(solid[0], axis=0).max()
    assert measured.error == pytest.approx(1.25 * 1e-3 * longest * area / measured.moments.volume, rel=1e-2)


@pytest.mark.fault(201)
@pytest.mark.parametrize("gap", [1e-3, 0.1])
def test_half_pipes_that_enclose_together_are_not_left_out(gap):
    pipe, triangles = prism(polygon(32), 0.0, 6.0)
    walls = triangles[: 2 * 32]
    upper = (pipe[walls].mean(axis=1)[:, 1] > 0.0)[:, None]
    halves = [(pipe + (0.0, side * gap / 2.0, 0.0), walls[upper[:, 0] == (side > 0)]) for side in (1, -1)]
    wheel = moved(ball(), 4.0, 0.0, 0.0)
    for half in halves:  # each alone is a bent sheet
        is_the_same(measure_mesh(*joined(wheel, half)), mesh_moments(*wheel))
    with pytest.raises(InertiaError, match="not closed"):
        measure_mesh(*joined(wheel, *halves))


@pytest.mark.fault(201)
@pytest.mark.parametrize("gap", [1e-3, 0.1])
def test_a_domed_lid_apart_from_an_open_box_closes_nothing(gap):
    vertices, triangles = box()
    open_box = vertices, triangles[~(vertices[triangles][:, :, 2] == 1.0).all(axis=1)]
    lid = moved(grid(lambda u, v: (u / 2 + 0.5, v / 2 + 0.5, -0.1 * (u * u + v * v))), 0.0, 0.0, 1.2 + gap)
    with pytest.raises(InertiaError, match="not closed"):
        measure_mesh(*joined(open_box, lid))
    wheel = moved(ball(), 4.0, 0.0, 0.0)
    with pytest.raises(InertiaError, match="not closed"):
        measure_mesh(*joined(open_box, lid, wheel))


@pytest.mark.parametrize(("seed", "missing"), [(50, 5), (88, 5), (110, 0)])
def test_an_open_box_given_twice_face_by_face_is_refused(seed, missing):
    vertices, triangles = box((1, 1, 1), (-0.5, -0.5, -0.5))
    turn = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))[0]
    twice = (vertices @ turn.T).astype(np.float32)[np.tile(np.delete(triangles, missing, 0), (2, 1))].reshape(-1, 3)
    with pytest.raises(InertiaError):
        measure_mesh(twice, np.arange(len(twice)).reshape(-1, 3), quick=True)
