# SPDX-License-Identifier: GPL-3.0-or-later
import re

import numpy as np
import pytest

from core import InertiaError, measure_mesh, voxel_moments

from ...peak_memory import peak_memory
from ...solids import box, inverted, joined, polygon, prism, rotation, subdivided


def refusal(*arguments, **options):
    with pytest.raises(InertiaError) as error:
        voxel_moments(*arguments, **options)
    return error.value


def suggested(error):
    (size,) = re.findall(r"voxel size of (\S+) m", error.remedy)
    return float(size)


@pytest.mark.parametrize("size", [0.0, -0.1, np.nan, np.inf, -np.inf])
def test_a_voxel_size_that_is_no_length_is_refused(size):
    error = refusal(*box(), size)
    assert error.code == "bad_voxel_size"
    assert f"{size:g}" in error.message


@pytest.mark.fault(67)
@pytest.mark.parametrize("size", [1e-5, 1e-6, 1e-9, 1e-100, 1e-160, 1e-308, 1e-320, 5e-324])
@pytest.mark.parametrize("union", [True, False])
def test_too_fine_voxels_are_refused_before_anything_is_allocated(size, union):
    mesh = box()
    peak, error = peak_memory(refusal, *mesh, size, union=union)
    assert error.code == "voxels_too_fine"
    assert f"{size:g} m" in error.message and "inf" not in error.message
    assert 0 < suggested(error) < 1
    assert peak < 1_000_000


TALL = box((1, 1, 50))
LAYERS = joined(*(box((1, 1, 0.01), (0, 0, 0.02 * i)) for i in range(20)))
DIAGONAL = (box((0.01, 0.01, 5))[0] @ rotation(np.random.default_rng(1)).T, box()[1])
BALL = subdivided(subdivided(prism(polygon(12), -0.3, 0.8, top_scale=0.7)))


@pytest.mark.parametrize(
    "mesh", [box(), TALL, LAYERS, DIAGONAL, BALL], ids=["cube", "tall", "layers", "diagonal", "ball"]
)
@pytest.mark.parametrize("finer", [2, 30, 1000, 1e6])
def test_the_size_that_the_refusal_names_works(mesh, finer, monkeypatch):
    monkeypatch.setattr("core.mesh.voxels.grid.MAX_CROSSINGS", 20_000)  # so that the size that works is quick
    first = suggested(refusal(*mesh, np.ptp(mesh[0], axis=0).max() / 2**9 / 2**9))
    error = refusal(*mesh, first / finer)
    assert error.code == "voxels_too_fine"
    found = voxel_moments(*mesh, suggested(error))
    assert found.volume > 0


def test_a_needle_of_more_voxels_than_a_column_can_number_is_refused():
    needle = box((1e-6, 1e-6, 2.0))
    error = refusal(*needle, 1e-6)
    assert error.code == "voxels_too_fine"
    assert voxel_moments(*needle, suggested(error)).volume > 0


@pytest.mark.parametrize("union", [True, False])
def test_an_open_mesh_is_refused_by_its_columns(union):
    vertices, triangles = TALL
    top = np.flatnonzero((vertices[triangles, 2] == 50).all(axis=1))
    assert len(top) == 2
    error = refusal(vertices, np.delete(triangles, top[0], axis=0), 0.1, union=union)
    assert error.code == "open_columns"
    # One of two triangles: half of 100 columns, and those on the diagonal belong to one of them.
    assert error.message.startswith(("45 columns", "55 columns"))
    assert error.remedy


def test_voxels_larger_than_a_hollow_solid_find_nothing():
    tube = joined(box((1, 1, 4), (-0.5, -0.5, -2)), inverted(box((0.8, 0.8, 4), (-0.4, -0.4, -2))))
    error = refusal(*tube, 1.0)
    assert error.code == "zero_volume"
    assert "1 m" in error.message


def test_a_fine_grid_finds_what_a_coarse_one_misses():
    # At 0.5 m every column runs down the hole.
    tube = joined(box((1, 1, 4), (-0.5, -0.5, -2)), inverted(box((0.6, 0.6, 4), (-0.3, -0.3, -2))))
    found = voxel_moments(*tube, 0.25)
    assert found.volume == pytest.approx((16 - 4) * 0.25**2 * 4, rel=1e-7)
    measured = measure_mesh(*tube, method="voxel", voxel_size=0.25)
    assert measured.moments.volume == found.volume
    assert measured.error == pytest.approx(3 / 2.56 - 1, rel=1e-12)  # known: the exact integral is at hand


def test_an_inside_out_mesh_is_refused_by_columns_and_turned_by_measure():
    assert refusal(*inverted(box()), 0.1, union=False).code == "zero_volume"
    measured = measure_mesh(*inverted(box()), method="voxel", voxel_size=0.1)
    assert measured.moments.volume == pytest.approx(1, rel=1e-12)
    assert [finding.code for finding in measured.findings] == ["inside_out"]
