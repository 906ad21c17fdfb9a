# SPDX-License-Identifier: GPL-3.0-or-later
"""The exact integral of named solids, against rational arithmetic and, where there is one, the textbook."""

from math import pi

import numpy as np
import pytest

from core import InertiaError, Moments, mesh_moments

from ...exact import assert_exact, assert_same, integrate
from ...solids import (
    HOLLOW_CELLS,
    L_CELLS,
    TUBE_CELLS,
    U_CELLS,
    box,
    cells,
    grid,
    inverted,
    joined,
    polygon,
    prism,
    subdivided,
)

SIZE, LOW = np.array([0.3, 0.7, 0.11]), np.array([1.1, -2.3, 0.4])
STAR = polygon(10) * np.where(np.arange(10) % 2, 0.4, 1.0)[:, None]

SOLIDS = {
    "box": box(SIZE, LOW),
    "5 mm cube": box([0.005] * 3, [-0.0025] * 3),
    "micrometre cube": box([1e-6] * 3, [0, 0, 0]),
    "thousand-kilometre cube": box([1e6] * 3, [0, 0, 0]),
    "L": cells(L_CELLS, SIZE, LOW),
    "U": cells(U_CELLS, SIZE, LOW),
    "tube": cells(TUBE_CELLS, SIZE, LOW),
    "hollow box": cells(HOLLOW_CELLS, SIZE, LOW),
    "hollow box of two shells": joined(box([3, 3, 3], [-1.5] * 3), inverted(box([1.1, 1.3, 1.7], [-0.5] * 3))),
    "concave star": prism(STAR, -0.2, 0.9),
    "frustum": prism(polygon(4, 2.0), 0.0, 3.0, top_scale=0.5),
    "thin plate": box([1, 1, 1e-5], LOW),
    "needle": box([1e-5, 1, 1e-5], LOW),
}


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", SOLIDS)
def test_a_solid_is_integrated_exactly(name, dtype):
    vertices, triangles = SOLIDS[name]
    vertices = vertices.astype(dtype)
    assert_exact(mesh_moments(vertices, triangles), integrate(vertices, triangles))


@pytest.mark.parametrize("which", [L_CELLS, U_CELLS, TUBE_CELLS, HOLLOW_CELLS, grid(2, 3, 4)])
def test_a_solid_of_cells_is_the_sum_of_its_cells(which):
    volume = SIZE.prod()
    parts = [Moments(volume, LOW + (np.array(cell) + 0.5) * SIZE, volume / 12 * np.diag(SIZE**2)) for cell in which]
    assert_same(mesh_moments(*cells(which, SIZE, LOW)), sum(parts, Moments.zero), 1e-13)


def test_the_frustum_of_a_square_pyramid_is_the_textbooks():
    # h/3 (A + a + √(Aa)); a square of circumradius 2 has the area 8, one of 1 has 2.
    assert mesh_moments(*SOLIDS["frustum"]).volume == pytest.approx(3 / 3 * (8 + 2 + 4), rel=1e-14)


def test_a_prism_of_many_sides_approaches_the_cylinder():
    n, radius, length = 4096, 1.0, 2.0
    moments = mesh_moments(*prism(polygon(n, radius), -length / 2, length / 2))
    # The inscribed polygon's area falls short by (2π/n)²/6.
    short = (2 * pi / n) ** 2 / 6
    assert moments.volume == pytest.approx(pi * radius**2 * length * (1 - short), rel=short**1.5)


def test_more_faces_than_a_block_are_integrated_exactly():

    mesh = prism(STAR)
    while len(mesh[1]) <= 16_000:
        mesh = subdivided(mesh)
    assert len(mesh[1]) % 16_000  # the last block is not full
    assert_same(mesh_moments(*mesh), mesh_moments(*prism(STAR)), 1e-13)


def test_an_inside_out_mesh_has_a_negative_volume_and_the_same_centroid():
    mesh = SOLIDS["L"]
    assert_same(-mesh_moments(*inverted(mesh)), mesh_moments(*mesh), 1e-15)
    assert mesh_moments(*inverted(mesh)).volume < 0


def test_the_arrays_given_are_left_alone_and_stay_writeable():
    vertices, triangles = (array.copy() for array in SOLIDS["L"])
    mesh_moments(vertices, triangles)
    assert np.array_equal(vertices, SOLIDS["L"][0])
    assert np.array_equal(triangles, SOLIDS["L"][1])
    assert vertices.flags.writeable
    assert triangles.flags.writeable


@pytest.mark.parametrize("seed", range(8))
def test_faces_that_all_cancel_have_no_volume_however_many_they_are(seed):
    size = np.random.default_rng(seed).uniform(0.3, 3.0, 3)
    blocks = [box(size * scale, -size * scale / 2) for scale in np.linspace(1.0, 0.9, 660)]
    with pytest.raises(InertiaError) as error:
        mesh_moments(*joined(*blocks, *map(inverted, blocks)))
    assert error.value.code == "zero_volume"


def test_the_volume_of_a_finely_divided_box_is_within_a_few_roundings():
    size = np.array([0.37, 2.11, 1.03])
    mesh = box(size, -size / 2)
    for _ in range(5):
        mesh = subdivided(mesh)
    assert mesh_moments(*mesh).volume == pytest.approx(size.prod(), rel=2e-15)
