# SPDX-License-Identifier: GPL-3.0-or-later
"""Corners that differ by rounding are one point, relative to the size of the mesh."""

import numpy as np
import pytest

from core import InertiaError, measure_mesh, mesh_moments
from core.mesh.surface import Surface
from core.mesh.topology.balance import edge_verdict
from core.mesh.topology.hashes import position_hashes
from core.mesh.topology.weld import weld

from .exact import assert_same
from .solids import box, joined, polygon, prism, subdivided, unwelded

BALLISH = subdivided(subdivided(prism(polygon(16), -0.7, 0.6, top_scale=0.6)))


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_zero_and_almost_zero_are_one_point(scale):
    vertices, triangles = unwelded(box())
    zero = np.flatnonzero(vertices[:, 0] == 0)
    vertices[zero[::2], 0] = 1e-17
    vertices[zero[1::3], 0] = -1e-17
    measured = measure_mesh(vertices * scale, triangles)
    assert {finding.code for finding in measured.findings} <= {"unit_suspicion"}
    assert measured.moments.volume == pytest.approx(scale**3, rel=1e-12)


@pytest.mark.parametrize("seed", range(10))
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


def test_a_crack_is_welded_and_what_is_as_small_elsewhere_is_not():
    vertices, triangles = joined(box(), box((1e-7, 1e-7, 1e-7), low=(3, 0, 0)))
    torn = triangles[0, 0]
    vertices = np.vstack([vertices, vertices[torn] + 1e-7])
    triangles[0, 0] = len(vertices) - 1
    surface = Surface(vertices, triangles)
    assert not edge_verdict(triangles, position_hashes(vertices)).closed
    welding = weld(surface)
    assert welding.verdict.consistent
    assert welding.point.tolist() == [*range(16), torn]
    assert measure_mesh(vertices, triangles).moments.volume == pytest.approx(1.0, rel=1e-6)
