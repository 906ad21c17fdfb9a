# SPDX-License-Identifier: GPL-3.0-or-later
"""Rough moments are right to a percent without a search for crossing faces, and refuse what a diagnosis refuses."""

from functools import partial

import numpy as np
import pytest

from core import InertiaError, mesh_moments
from core.body.compare import difference
from core.mesh.diagnosis.crossings import crossing_pairs
from core.mesh.policy import ROUGH, diagnose_surface, rough_moments
from core.mesh.surface import Surface

from ...solids import box, joined, rotation, subdivided
from ...solids.awkward import bow_tie, without
from ...solids.overlapping import boxes_and_union, self_overlapping
from ...work import calls_of


def boxes(rng, count):
    low = rng.uniform(0.0, 1.0, (count, 3))
    return np.stack([low, low + rng.uniform(0.3, 1.0, (count, 3))], axis=1)


def dense(vertices, triangles):
    """Return a surface of the same shape with 64 times as many faces."""
    for _ in range(3):
        vertices, triangles = subdivided((vertices, triangles))
    return Surface(vertices, triangles)


@pytest.mark.parametrize("seed", range(8))
def test_boxes_that_overlap_are_their_union_to_a_percent(seed):
    rng = np.random.default_rng(seed)
    vertices, triangles, union = boxes_and_union(boxes(rng, 4), rotation(rng))
    assert difference(union, mesh_moments(vertices, triangles), union).worst > 2.0 * ROUGH
    assert difference(union, rough_moments(dense(vertices, triangles)), union).worst < ROUGH


@pytest.mark.parametrize("depth", [1e-1, 1e-2, 1e-3, 1e-4])
def test_a_small_overlap_changes_rough_moments_by_less_than_a_percent(depth):
    vertices, triangles, union = boxes_and_union([((0, 0, 0), (1, 1, 1)), ((1 - depth, 0.1, 0.2), (2, 0.9, 0.8))])
    assert difference(union, rough_moments(dense(vertices, triangles)), union).worst < ROUGH


def test_solids_apart_have_their_exact_moments():
    mesh = dense(*joined(box(), box((2, 1, 1), (1.5, 0, 0))))
    assert rough_moments(mesh).volume == pytest.approx(3.0, rel=1e-12)


@pytest.mark.parametrize(
    ("mesh", "code"),
    [
        (without(box(), 3), "open_mesh"),
        (bow_tie(1.0), "negative_winding"),
        (bow_tie(0.05), "negative_winding"),
    ],
)
def test_what_a_quick_diagnosis_refuses_is_refused(mesh, code):
    for refuses in (lambda one: diagnose_surface(one, quick=True), rough_moments):
        with pytest.raises(InertiaError) as error:
            refuses(dense(*mesh))
        assert error.value.code == code


def test_crossing_faces_are_not_searched_for():
    for mesh in (joined(box(), box(low=(0.5, 0.4, 0.3))), self_overlapping(2)[0]):
        surface = dense(*mesh)
        assert calls_of(crossing_pairs, partial(diagnose_surface, surface, quick=True)) == 1
        assert calls_of(crossing_pairs, partial(rough_moments, surface)) == 0
