# SPDX-License-Identifier: GPL-3.0-or-later
"""Many meshes in one pass are what each is alone."""

import numpy as np
import pytest

from core import InertiaError, many_mesh_moments, mesh_moments

from ...exact import assert_exact, assert_same, integrate
from ...solids import L_CELLS, TUBE_CELLS, box, cells, inverted, polygon, prism, rotation, subdivided

RNG = np.random.default_rng(11)
SOLIDS = [
    box((0.3, 0.2, 0.7)),
    cells(L_CELLS, (0.3, 0.7, 0.11)),
    prism(polygon(31), -0.2, 0.9, top_scale=0.4),
    cells(TUBE_CELLS, (0.1, 0.2, 0.3)),
]

BLOCK = 16_000
"""Faces that are integrated at once."""


def zoo():
    """Yield small meshes of all kinds of numbers, turned, far away, some inside out."""
    for i in range(60):
        vertices, triangles = SOLIDS[i % len(SOLIDS)]
        far = RNG.normal(size=3) * 10.0 ** (i % 7)
        vertices = (vertices @ rotation(RNG).T + far).astype([np.float32, np.float64][i // 4 % 2])
        triangles = triangles.astype([np.int32, np.int64, np.uint32, np.uint64, np.int16][i % 5])
        yield inverted((vertices, triangles)) if i % 6 == 0 else (vertices, triangles)


ZOO = list(zoo())


def test_each_of_many_meshes_is_exact():
    found = many_mesh_moments(ZOO)
    assert len(found) == len(ZOO)
    for moments, mesh in zip(found, ZOO, strict=True):
        assert_exact(moments, integrate(*mesh))


def test_the_order_of_the_meshes_is_that_of_the_results():
    order = RNG.permutation(len(ZOO))
    straight, mixed = many_mesh_moments(ZOO), many_mesh_moments([ZOO[i] for i in order])
    for i, moments in zip(order, mixed, strict=True):
        assert_same(moments, straight[i])


def test_large_meshes_among_small_ones():
    large = prism(polygon(BLOCK // 3))  # 4/3 of a block
    middle = subdivided(subdivided(prism(polygon(50))))
    meshes = [box(), large, box((1, 2, 3)), middle, middle, middle, large, box()]
    assert sum(len(faces) for _, faces in meshes) > 3 * BLOCK
    for moments, mesh in zip(many_mesh_moments(meshes), meshes, strict=True):
        assert_same(moments, mesh_moments(*mesh), 1e-14)


def test_lists_and_whole_coordinates_are_meshes_too():
    vertices, triangles = box((2, 3, 4))
    found = many_mesh_moments([(vertices.astype(int), triangles), (vertices.tolist(), triangles.tolist()), box()])
    assert [round(moments.volume, 12) for moments in found] == [24, 24, 1]


def test_no_meshes_have_no_moments():
    assert many_mesh_moments([]) == []


def test_a_vertex_that_no_face_uses_is_ignored():
    vertices, triangles = box()
    found = many_mesh_moments([(np.vstack([vertices, [[1e9, 0, 0]]]), triangles), box()])
    for moments in found:
        assert_same(moments, mesh_moments(*box()), 1e-14)


def broken(**changes):
    vertices, triangles = box()
    vertices, triangles = vertices.copy(), triangles.copy()
    for row, value in changes.items():
        (vertices if row == "vertex" else triangles)[3, 1] = value
    return vertices, triangles


@pytest.mark.parametrize(
    "bad, code",
    [
        (broken(vertex=np.nan), "not_finite"),
        (broken(vertex=-np.inf), "not_finite"),
        (broken(face=8), "index_out_of_range"),
        (broken(face=-1), "index_out_of_range"),
        ((box()[0], np.zeros((0, 3), int)), "no_faces"),
        ((box()[0][:, :2], box()[1]), "bad_mesh"),
        ((box()[0], box()[1].astype(float)), "bad_mesh"),
        (([[0, 0, 0], [1, 0, 0], [0, 1, 0.0]], [[0, 1, 2], [0, 2, 1]]), "zero_volume"),
    ],
)
def test_a_bad_mesh_is_named_by_its_number(bad, code):
    with pytest.raises(InertiaError) as alone:
        mesh_moments(*bad)
    with pytest.raises(InertiaError) as among:
        many_mesh_moments([box(), box(), bad, box()])
    assert alone.value.code == among.value.code == code
    assert among.value.subject == "mesh 2"
    assert among.value.message == alone.value.message
