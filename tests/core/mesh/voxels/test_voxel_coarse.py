# SPDX-License-Identifier: GPL-3.0-or-later
"""Voxels too coarse for a solid are reported, with a size that is fine enough."""

import re

import numpy as np
import pytest

from core import InertiaError, measure_mesh, mesh_moments
from core.units import share_text

from ....thorough import sample
from ...exact import true_error
from ...solids import SOLIDS, box, inverted, joined, rotation

COARSE = 0.01
"""The error above which voxels are too coarse, as the design has it."""

ASKEW = rotation(np.random.default_rng(5))

THIN = box((1.0, 1.0, 0.001))
TWO_BALLS = joined(SOLIDS["ball"], (SOLIDS["ball"][0] + (0.7, 0.3, 0.2), SOLIDS["ball"][1]))


def coarse(measurement):
    return [finding for finding in measurement.findings if finding.code == "voxels_too_coarse"]


def named_size(finding):
    return float(re.search(r"voxel size of ([0-9.e-]+) m", finding.remedy).group(1))


@pytest.mark.parametrize("voxels", sample([0.2, 1.0, 2.0, 3.0], 2))
@pytest.mark.parametrize("name", ["ball", "gear", "rod"])
def test_too_few_voxels_are_reported_with_a_size_that_is_fine_enough(name, voxels):
    vertices, triangles = SOLIDS[name]
    mesh = vertices @ ASKEW.T, triangles
    size = float(np.ptp(mesh[0], axis=0).max()) / voxels
    try:
        found = measure_mesh(*mesh, method="voxel", voxel_size=size)
        (finding,) = coarse(found)
        assert finding.severity == "warning"
        assert COARSE < found.error <= 1.0
        assert f"error is {share_text(found.error)}" in finding.message
    except InertiaError as error:  # above 100 %
        finding = error.finding()
        assert finding.code == "voxels_too_coarse"
        assert float(re.search(r"error is (\d+) %", finding.message).group(1)) >= 100.0
    assert f"{size:.6g} m" in finding.message
    finer = named_size(finding)
    assert finer < size
    better = measure_mesh(*mesh, method="voxel", voxel_size=finer)
    assert not coarse(better)
    assert true_error(better.moments, mesh_moments(*mesh)) <= COARSE


def test_a_voxel_eight_times_as_large_as_a_plate_is_thick_is_refused():
    with pytest.raises(InertiaError) as error:
        measure_mesh(*THIN, method="voxel", voxel_size=1 / 128)
    finding = error.value.finding()
    assert finding.code == "voxels_too_coarse"
    assert "error is 681 %" in finding.message  # of a plate one voxel thick: 1 / 0.128 - 1
    assert "1 x 1 x 0.001 m" in finding.message
    assert finding.remedy.startswith("choose the method Exact")  # it would take a hundred voxels across the plate


def test_overlapping_solids_are_reported_with_a_size_that_is_fine():
    found = measure_mesh(*TWO_BALLS, method="voxel", voxel_size=1.0)
    (finding,) = coarse(found)
    assert measure_mesh(*TWO_BALLS, method="voxel", voxel_size=named_size(finding)).error <= COARSE


@pytest.mark.parametrize("name", sorted(SOLIDS))
def test_the_default_size_is_fine_for_solids_in_general_position(name):
    vertices, triangles = SOLIDS[name]
    found = measure_mesh(vertices @ ASKEW.T, triangles, method="voxel")
    assert 0.0 < found.error <= COARSE
    assert not coarse(found)


def test_faces_along_the_grid_are_reported_from_1_percent():
    found = measure_mesh(*SOLIDS["plate"], method="voxel")  # 6.4 voxels thick, and read as 7
    assert len(coarse(found)) == 1
    assert found.error == pytest.approx(7 / 6.4 - 1, rel=1e-12)


def test_voxels_that_fit_are_fine_however_few():
    found = measure_mesh(*box((3.0, 2.0, 2.0)), method="voxel", voxel_size=1.0)
    assert found.error < 1e-12 and not coarse(found)


def test_the_finding_is_the_same_wherever_the_mesh_stands():
    vertices, triangles = SOLIDS["gear"]
    here, there = (measure_mesh(vertices + t, triangles, method="voxel", voxel_size=0.5) for t in (0.0, 64.0))
    assert coarse(here)
    assert coarse(here)[0].remedy == coarse(there)[0].remedy


def test_voxels_that_all_miss_are_refused_with_a_size_that_finds_it():
    vertices, triangles = joined(box((1, 1, 4), (-0.5, -0.5, -2)), inverted(box((0.6, 0.6, 4), (-0.3, -0.3, -2))))
    c, s = np.cos(0.3), np.sin(0.3)
    vertices = vertices @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
    with pytest.raises(InertiaError) as caught:
        measure_mesh(vertices, triangles, method="voxel", voxel_size=100.0)
    assert caught.value.code == "voxels_too_coarse" and "100 m" in caught.value.message
    better = measure_mesh(vertices, triangles, method="voxel", voxel_size=named_size(caught.value))
    assert true_error(better.moments, mesh_moments(vertices, triangles)) <= COARSE
