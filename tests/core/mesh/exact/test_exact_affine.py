# SPDX-License-Identifier: GPL-3.0-or-later
"""Moving the mesh and moving its moments are the same, to 1e-12: the one idea that everything else stands on."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import mesh_moments
from core.mesh.surface import Surface

from ...exact import assert_same
from ...solids import L_CELLS, cells, rotation

RNG = np.random.default_rng(0)
MESH = cells(L_CELLS, (0.3, 0.7, 0.11), (0.2, -0.1, 0.3))

MAPS = {
    "rotation": rotation(RNG),
    "mirror in x": np.diag([-1.0, 1, 1]),
    "mirror in all": -np.eye(3),
    "two mirrors": np.diag([-1.0, -1, 1]),
    "uniform scale": 25.4 * np.eye(3),
    "millimetres": 0.001 * np.eye(3),
    "scale": np.diag([0.5, 2.0, 3.0]),
    "mirrored scale": np.diag([0.5, -2.0, 3.0]),
    "shear": np.array([[1, 0.4, 0.1], [0, 1, -0.7], [0, 0, 1.0]]),
    "rotated parent with a scale": rotation(RNG) @ np.diag([1, 2, 3]) @ rotation(RNG),
}


def moved(A, t):
    """The mesh under x → A x + t, its winding reversed by a mirror."""
    vertices, triangles = MESH
    return vertices @ np.asarray(A).T + t, triangles[:, ::-1] if np.linalg.det(A) < 0 else triangles


@pytest.mark.parametrize("name", MAPS)
def test_a_mapped_mesh_has_the_mapped_moments(name):
    A, t = MAPS[name], np.array([0.3, -0.2, 0.1])
    assert_same(mesh_moments(*MESH).transformed(A, t), mesh_moments(*moved(A, t)))


@pytest.mark.fault(44)
@given(st.integers(0, 2**32 - 1))
def test_any_map_of_the_mesh_is_the_map_of_its_moments(seed):
    rng = np.random.default_rng(seed)
    A = rotation(rng) @ np.diag(rng.uniform(0.1, 10, 3) * rng.choice([-1, 1], 3)) @ rotation(rng)
    t = rng.normal(size=3)
    assert_same(mesh_moments(*MESH).transformed(A, t), mesh_moments(*moved(A, t)))


@pytest.mark.parametrize("name", MAPS)
def test_a_stretched_surface_is_the_mapped_mesh(name):
    A = MAPS[name]
    baked = Surface(*MESH).stretched(A)
    expected = moved(A, np.zeros(3))
    np.testing.assert_allclose(baked.vertices, expected[0], rtol=1e-14, atol=1e-15 * np.abs(A).max())
    assert mesh_moments(baked.vertices, baked.triangles).volume > 0
    assert_same(mesh_moments(baked.vertices, baked.triangles), mesh_moments(*expected))
