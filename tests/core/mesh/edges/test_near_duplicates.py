# SPDX-License-Identifier: GPL-3.0-or-later
"""Corners that differ by rounding are one point, relative to the size of the mesh."""

import numpy as np
import pytest

from core import InertiaError, measure_mesh, mesh_moments

from ....thorough import sample
from ...exact import assert_same
from ...solids import box, polygon, prism, subdivided, unwelded
from ...solids.patchwork import with_sides_moved

BALLISH = subdivided(subdivided(prism(polygon(16), -0.7, 0.6, top_scale=0.6)))


@pytest.mark.fault(23)
@pytest.mark.parametrize("seed", sample(range(10), 3))
def test_corners_that_differ_by_the_rounding_of_float32_are_one_point(seed):
    # As a file of decimal numbers or a transform in float32 leaves them.
    vertices, triangles = unwelded(BALLISH)
    noise = np.random.default_rng(seed).choice([-1, 0, 1], vertices.shape)
    vertices = (vertices.astype(np.float32) + noise * np.spacing(vertices.astype(np.float32))).astype(np.float32)
    measured = measure_mesh(vertices, triangles)
    assert_same(measured.moments, mesh_moments(*BALLISH), 1e-5)


def test_a_gap_that_can_be_seen_is_a_hole():
    vertices, triangles = unwelded(box())
    vertices[0, 0] += 1e-4
    with pytest.raises(InertiaError) as error:
        measure_mesh(vertices, triangles)
    assert error.value.code == "open_mesh"


@pytest.mark.parametrize(("shift", "reported"), [(1e-14, False), (1e-10, True), (1e-7, True)])
def test_the_error_of_cracks_is_what_the_integral_makes_of_them(shift, reported):
    # Each side is the base of a pyramid. Four of height 1/2 + shift make a volume of 1 + 4/3 shift; two, one of height
    # 1/2 - shift, leave the volume, and move the centroid by shift/2, where the radius of gyration is 1/2. The solid
    # that was torn may lie on either side: so twice that is reported.
    for mesh, error in (
        (with_sides_moved(shift, (0, 1), outwards=True), 4 / 3 * shift),
        (with_sides_moved(shift, (2,), outwards=False), shift),
    ):
        found = measure_mesh(*mesh)
        assert found.method == "exact"
        assert found.error == (pytest.approx(2.0 * error, rel=1e-4) if reported else 0)


@pytest.mark.parametrize("noise", [0.0, 1e-9])
def test_a_face_that_is_repeated_and_a_little_off_is_dropped(noise):
    vertices, triangles = subdivided(box())
    once_more = vertices[triangles[7]] + np.random.default_rng(1).uniform(-noise, noise, (3, 3))
    count = len(vertices)
    measured = measure_mesh(np.vstack([vertices, once_more]), np.vstack([triangles, np.arange(count, count + 3)]))
    assert [finding.code for finding in measured.findings] == ["duplicate_faces"]
    assert measured.moments.volume == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize("seed", sample(range(20), 5))
def test_a_fin_of_two_faces_a_little_apart_is_an_inner_wall_and_no_shell(seed):
    vertices, triangles = subdivided(box())
    rng = np.random.default_rng(seed)
    fin = np.vstack([vertices[triangles[7]] + rng.uniform(-1e-9, 1e-9, (3, 3)) for _ in range(2)])
    rows = len(vertices) + np.array([[0, 1, 2], [3, 5, 4]])
    measured = measure_mesh(np.vstack([vertices, fin]), np.vstack([triangles, rows]))
    assert {finding.code for finding in measured.findings} <= {"inner_walls", "touching_shells"}
    assert (measured.method, measured.moments.volume) == ("exact", pytest.approx(1.0, rel=1e-8))
