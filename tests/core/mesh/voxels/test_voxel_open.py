# SPDX-License-Identifier: GPL-3.0-or-later
"""Voxels of an open mesh tell how wrong they are, also where no other size of voxel would."""

from itertools import product

import numpy as np
import pytest

from core import InertiaError, measure_mesh, mesh_moments

from ....thorough import THOROUGH, sample
from ...exact import true_error
from ...peak_memory import peak_memory
from ...solids import SOLIDS, ball, box, inverted, joined, rotation, shuffled, subdivided, torus
from ...solids.overlapping import overlapping, solid


def pinhole(mesh, face, width=1e-3):
    """Cut a triangle of about `width` out of the middle of a face."""
    vertices, triangles = mesh
    corners = vertices[triangles[face]]
    middle, n = corners.mean(axis=0), len(vertices)
    inner = middle + width * (corners - middle)
    (a, b, c), (p, q, r) = triangles[face], (n, n + 1, n + 2)
    rim = [[a, b, q], [a, q, p], [b, c, r], [b, r, q], [c, a, p], [c, p, r]]
    return np.vstack([vertices, inner]), np.vstack([np.delete(triangles, face, axis=0), rim])


def codes(measured):
    return {finding.code for finding in measured.findings}


def refusal(*arguments):
    with pytest.raises(InertiaError) as error:
        measure_mesh(*arguments)
    return error.value


def test_a_cube_with_a_pin_hole_is_exact_except_for_its_open_columns():
    found = measure_mesh(*pinhole(box(), 2), "voxel", 0.05)
    assert found.moments.volume == pytest.approx(1, rel=1e-12)
    assert found.error < 1e-3


FINE = {
    "torus": torus(),
    "ball": subdivided(ball()),
    "cube": subdivided(subdivided(subdivided(box()))),
    "gear": subdivided(subdivided(SOLIDS["gear"])),
}


@pytest.mark.parametrize("name, turned", sample(list(product(FINE, [True, False])), 4))
def test_the_error_of_a_mesh_that_lacks_faces_covers_the_true_one(name, turned, rng):
    vertices, triangles = FINE[name]
    for h in (None, 0.1, 0.05, 0.03) if THOROUGH else (0.08,):
        R = rotation(rng) if turned else np.eye(3)
        truth = mesh_moments(vertices @ R.T, triangles)
        faces = np.delete(triangles, rng.choice(len(triangles), 3, replace=False), axis=0)
        found = measure_mesh(vertices @ R.T, faces, "voxel", h)
        error = true_error(found.moments, truth)
        assert error <= found.error * (1 + 1e-9) + 1e-12
        assert found.error <= max(2 * error, 0.01)  # the share of open columns is at most a hundredth


def test_the_error_of_a_ball_that_lacks_a_cap_covers_the_cap(rng):
    vertices, triangles = FINE["ball"]
    middle = vertices[triangles].mean(axis=1)
    opened = triangles[middle @ rotation(rng)[0] < np.cos(0.1) * np.linalg.norm(middle, axis=1)]
    assert len(triangles) - len(opened) > 8
    found = measure_mesh(vertices, opened, "voxel", 0.04)
    assert true_error(found.moments, mesh_moments(vertices, triangles)) <= found.error <= 0.01


@pytest.mark.parametrize("turned", [True, False])
def test_an_inside_out_or_shuffled_open_mesh_gets_the_same_error(turned, rng):
    mesh = pinhole(FINE["torus"], 100, 0.5)
    if turned:
        mesh = mesh[0] @ rotation(rng).T, mesh[1]
    expected = measure_mesh(*mesh, "voxel", 0.05)
    assert 1e-4 < expected.error < 0.1
    for other in (inverted(mesh), shuffled(mesh, rng)):
        assert measure_mesh(*other, "voxel", 0.05).error == pytest.approx(expected.error, rel=1e-6)


@pytest.mark.parametrize(("width", "said"), [(1e-3, "small_holes"), (0.5, "open_mesh")])
def test_open_shells_that_overlap_tell_no_less_than_they_are_wrong(width, said):
    for seed in range(120, 160) if THOROUGH else (127, 140, 156):
        rng = np.random.default_rng(seed)
        (vertices, triangles), truth = overlapping(rng.uniform(0.05, 0.55, 3))
        R = rotation(rng) if rng.random() < 0.5 else np.eye(3)
        mesh = pinhole((vertices @ R.T, triangles), rng.integers(24), width)
        h = np.ptp(mesh[0], axis=0).max() / rng.uniform(10, 60)
        found = measure_mesh(*mesh, "voxel", h)
        assert said in codes(found)
        # A hole of a thousandth is closed: what it lacks is known, and the error is the true one, but for rounding.
        assert true_error(found.moments, truth.transformed(R)) <= found.error * (1 + 1e-6) < 0.6


@pytest.mark.thorough
def test_an_overlap_that_no_column_sees_counts_in_an_open_meshs_error():
    mesh = pinhole(joined(box((1.0, 1.0, 3.0)), box((1.0, 1.0, 3.0), (0.97, 0.0, 0.0))), 4)
    truth = solid(np.zeros(3), np.array([1.97, 1.0, 3.0]))
    found = measure_mesh(*mesh, "voxel", 0.1)
    assert found.moments.volume == pytest.approx(6.0, rel=1e-6)
    assert 0.015 < true_error(found.moments, truth) < found.error < 0.1


def test_shells_whose_signed_volume_cancels_have_an_error():
    mesh = joined(box((0.33, 0.5, 0.7)), inverted(box((0.33, 0.5, 0.7), (1, 0, 0))))
    truth = mesh_moments(*box((0.33, 0.5, 0.7))) + mesh_moments(*box((0.33, 0.5, 0.7), (1, 0, 0)))
    R = rotation(np.random.default_rng(3))
    found = measure_mesh(*pinhole((mesh[0] @ R.T, mesh[1]), 3), "voxel", 0.05)
    assert 0 < true_error(found.moments, truth.transformed(R)) < found.error


def test_an_open_mesh_takes_sixteen_bytes_for_each_crossing():
    mesh = pinhole(FINE["ball"], 0, 0.5)
    across = 1000 if THOROUGH else 600
    size = 2 / across
    crossings = 6 * np.pi / 4 * across**2  # two of each column, in three directions
    peak, found = peak_memory(measure_mesh, *mesh, "voxel", size)
    assert found.error < 1e-3
    assert 8 * crossings / 3 < peak < 16 * crossings + 5e6  # of one direction after the other, eight are sorted
