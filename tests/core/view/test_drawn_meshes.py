# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes in a page: each once, and no more triangles than a page may have."""

import numpy as np
import pytest

from core.body.shapes import Sphere
from core.files.polygons import surface_of
from core.mesh.surface import Surface
from core.view.page import DrawnMeshes

from ..solids import box


def ball(count):
    """Return a sphere of about 2 `count`² triangles."""
    turn, tilt = np.meshgrid(np.linspace(0, 2 * np.pi, count + 1), np.linspace(0, np.pi, count + 1), indexing="ij")
    points = np.stack([np.sin(tilt) * np.cos(turn), np.sin(tilt) * np.sin(turn), np.cos(tilt)], axis=-1).reshape(-1, 3)
    number = np.arange((count + 1) ** 2).reshape(count + 1, count + 1)
    a, b, c, d = number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]
    return Surface(points, np.concatenate([np.stack([a, d, c], -1), np.stack([a, c, b], -1)]).reshape(-1, 3))


def test_a_mesh_that_is_used_twice_is_there_once():
    cube, sphere = Surface(*box((1, 1, 1))), surface_of(Sphere(1.0))
    meshes = DrawnMeshes([cube, sphere, cube])
    assert len(meshes.json()) == 2
    assert [meshes.number(one) for one in (cube, sphere)] == [0, 1]
    assert meshes.after == meshes.before


@pytest.mark.parametrize("most", [300, 2000, 10000])
def test_large_meshes_are_simplified_and_small_ones_are_kept(most):
    cube, large = Surface(*box((1, 1, 1))), ball(90)
    meshes = DrawnMeshes([large, cube], most)
    (points, triangles), (_, kept) = meshes.drawn
    assert len(kept) == len(cube.triangles)
    assert most / 4 < meshes.after <= most < meshes.before
    # The points stay within a cell of the sphere, and the triangles still go round it.
    assert np.linalg.norm(points, axis=1).min() > 0.5
    assert triangles.max() < len(points)
    a, b, c = points[triangles].transpose(1, 0, 2)
    volume = float((a * np.cross(b, c)).sum()) / 6.0
    assert volume == pytest.approx(4.19, rel=0.25)


def test_many_meshes_share_the_limit():
    meshes = DrawnMeshes([ball(30) for _ in range(5)], 4000)
    assert meshes.after <= 4000
    counts = [len(triangles) for _, triangles in meshes.drawn]
    assert min(counts) > 300
