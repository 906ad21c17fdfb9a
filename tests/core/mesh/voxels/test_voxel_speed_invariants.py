# SPDX-License-Identifier: GPL-3.0-or-later
"""What the voxel engine's speed must not cost: memory, order, a way to stop it."""

from threading import Event

import numpy as np
import pytest

from core import InertiaError, voxel_moments
from core.mesh import voxel
from core.mesh.surface import Surface
from core.mesh.voxels import cutting, ordered, sums

from ...exact import assert_same
from ...peak_memory import peak_memory
from ...solids import TUBE_CELLS, box, cells, joined, polygon, prism, rotation, shuffled, subdivided

RNG = np.random.default_rng(23)


def ball(times):
    vertices, triangles = prism(polygon(6), -1, 1, top_scale=0.5)
    for _ in range(times):
        vertices, triangles = subdivided((vertices, triangles))
    return (vertices / np.linalg.norm(vertices, axis=1)[:, None]).astype(np.float32), triangles.astype(np.int32)


BALL = ball(5)
assert len(BALL[1]) > 20_000


def extra_memory(n, union):
    return peak_memory(voxel_moments, *BALL, 2 / n, union)[0]


def test_a_thousand_voxels_along_a_side_take_32_megabytes_if_signed():
    # The ball has a billion voxels and 800,000 columns; what grows with them is one 32-bit counter per column.
    assert 4 * 1024**2 < extra_memory(1024, union=False) < 32e6


def test_a_thousand_voxels_along_a_side_take_128_megabytes_by_the_union():
    # What grows is a fixed number of bytes per crossing, and a quarter of the size has a sixteenth of the crossings.
    small, large = (extra_memory(n, union=True) for n in (128, 256))
    block = (4 * small - large) / 3
    assert 0 < block < 32e6
    assert block + 64 * (small - block) < 128e6


@pytest.mark.parametrize("union", [True, False])
def test_blocks_of_any_size_and_faces_in_any_order_give_the_same(union, monkeypatch):
    vertices, triangles = cells(TUBE_CELLS, (0.5, 0.7, 0.4))
    vertices = vertices @ rotation(RNG).T
    h = np.ptp(vertices, axis=0).max() / 9.3
    expected = voxel_moments(vertices, triangles, h, union)
    for block, some in ((1, 1), (7, 50), (1000, 3)):
        monkeypatch.setattr(cutting, "BLOCK", block)
        for module in (cutting, ordered, sums):
            monkeypatch.setattr(module, "EXPANDED", some)
        assert_same(voxel_moments(vertices, triangles, h, union), expected, 1e-13)
    monkeypatch.undo()
    assert_same(voxel_moments(*shuffled((vertices, triangles), RNG), h, union), expected, 1e-13)


def test_the_same_mesh_gives_the_same_bits():
    first, second = (voxel_moments(*BALL, 0.05) for _ in range(2))
    assert first.volume == second.volume
    assert first.covariance.tobytes() == second.covariance.tobytes()


@pytest.mark.parametrize("union", [True, False])
def test_progress_rises_to_one(union):
    shares = []
    voxel.surface_voxel_moments(Surface(*BALL), 0.01, union, progress=shares.append)
    assert len(shares) > 3
    assert shares == sorted(shares)
    assert shares[-1] == 1


@pytest.mark.parametrize("union", [True, False])
def test_a_callback_that_returns_true_cancels(union):
    stop, shares = Event(), []

    def progress(done):
        shares.append(done)
        if done > 0.5:
            stop.set()
        return stop.is_set()

    with pytest.raises(InertiaError) as error:
        voxel.surface_voxel_moments(Surface(*BALL), 0.02, union, progress=progress)
    assert error.value.code == "cancelled"
    assert 0.5 < shares[-1] < 1
    assert sum(done > 0.5 for done in shares) == 1


def test_faces_that_meet_no_column_need_no_column():
    # A ball smaller than a voxel beside a box: none of its faces holds the foot of a column.
    vertices, triangles = box((1, 1, 3))
    dust = (BALL[0] * 0.01 + (0.5, 0.5, -0.02), BALL[1])
    for union in (True, False):
        found = voxel_moments(*joined((vertices, triangles), dust), 0.5, union)
        assert found.volume == pytest.approx(3, rel=1e-6)


def test_vertices_that_no_face_uses_do_not_widen_the_grid():
    vertices, triangles = box((0.3, 0.2, 0.4))
    far = np.vstack([vertices, [[1e9, -1e9, 1e9]]])
    assert_same(voxel_moments(far, triangles, 0.1), voxel_moments(vertices, triangles, 0.1), 1e-15)
