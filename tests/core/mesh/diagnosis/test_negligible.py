# SPDX-License-Identifier: GPL-3.0-or-later
"""Where what is enclosed wrongly begins to count, and that nothing else in the mesh hides it."""

import re
from itertools import product

import numpy as np
import pytest

from core import InertiaError, measure_mesh, mesh_moments
from core.mesh import diagnose
from core.mesh.diagnosis.negligible import negligible
from core.mesh.surface import Surface

from ...solids import L_CELLS, box, cells, joined
from ...solids.awkward import bow_tie
from ...solids.crossings import loop
from ...solids.patchwork import with_sides_moved


def test_what_is_inside_out_in_one_shell_is_refused_by_what_columns_see(monkeypatch):
    monkeypatch.setattr(diagnose, "CROSSING_BELOW", 0)
    with pytest.raises(InertiaError) as error:
        measure_mesh(*bow_tie(1.0), quick=True)  # one lobe is a triangle of base 1 and height 2/3
    assert error.value.code == "negative_winding"
    assert float(re.findall(r"inside out \((\S+) m³\)", error.value.message)[0]) == pytest.approx(1 / 3, rel=0.01)


def test_bow_ties_far_apart_are_refused_though_a_layer_around_them_would_hold_more():
    # Coordinates so far apart merge points 2e-4 apart: all over the bounding box, that is ten times what there is.
    tie = bow_tie(0.5)
    with pytest.raises(InertiaError) as error:
        measure_mesh(*joined(tie, (tie[0] + 200.0, tie[1])))
    assert error.value.code == "negative_winding"


def test_a_lobe_deeper_than_a_layer_of_a_cell_is_refused_though_the_number_would_hardly_change():
    depth = 8e-3
    tie = bow_tie(depth)
    lobe = depth**2 / (2 + depth)  # a triangle of base `depth` and height 1 / (1 + depth / 2), as thick as 1
    assert 1.6e-5 < lobe < 1e-4 * 2 / 5
    with pytest.raises(InertiaError) as error:
        measure_mesh(*tie)
    assert error.value.code == "negative_winding"


def test_a_volume_anywhere_in_the_bounding_box_moves_no_second_moment_by_more_than_its_share():
    for mirror in (1.0, -1.0):
        vertices, triangles = cells(L_CELLS)
        surface = Surface(vertices * mirror, triangles[:, :: int(mirror)])
        moments = mesh_moments(surface.vertices, surface.triangles)
        corners = np.array(list(product(*zip(*surface.bounds(), strict=True))))
        farthest = np.linalg.norm(corners - moments.centroid, axis=1).max()
        least, share = negligible(surface, moments)
        assert share == pytest.approx(farthest**2 / np.trace(moments.covariance), rel=1e-12)
        assert 0 < least <= 1e-4 / share


def test_cracks_are_in_the_error_of_what_crosses_itself_too():
    cracked = with_sides_moved(1e-7, (0, 1), outwards=True)
    tie = bow_tie(2e-5)
    alone = measure_mesh(*joined(cracked, (box()[0] + 3.0, box()[1]))).error
    found = measure_mesh(*joined(cracked, (tie[0] + 3.0, tie[1])))
    assert "crossing_faces" in {finding.code for finding in found.findings}
    assert found.error > alone / 4 > 1e-9


def test_a_tube_that_bites_its_tail_beside_two_boxes_that_overlap_is_counted_once():
    tube = loop(2e-2)
    twice = mesh_moments(*tube).volume - measure_mesh(*tube).moments.volume
    boxes = joined(*(box((0.04,) * 3, (3 + x, 0, 0)) for x in (0, 0.02)))
    found = measure_mesh(*joined(tube, boxes))
    truth = mesh_moments(*tube).volume - twice + 1.5 * 0.04**3
    assert found.method == "union"
    assert found.moments.volume == pytest.approx(truth, rel=2e-4)
    assert twice > 1e-3 * truth
