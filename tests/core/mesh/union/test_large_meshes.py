# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of a large mesh are united whatever they share: corners, an edge, half a wall, all of it."""

import numpy as np
import pytest

from core import InertiaError, measure_mesh

from ....thorough import sample
from ...exact import true_error
from ...solids import box, inverted, joined, rotation, subdivided, torus, unwelded
from ...solids.awkward import welded
from ...solids.overlapping import arranged, built, filled, wound


@pytest.mark.parametrize(("overlap", "large"), [(True, False), (True, True), (False, False)])
def test_a_thin_shell_inside_out_that_hangs_on_a_corner_is_turned(overlap, large, monkeypatch):
    if large:
        monkeypatch.setattr("core.mesh.diagnose.DETAILS_BELOW", 10)
    first, second = box((2, 2, 2)), box((2, 2, 2), (1, 1.1, 1.2) if overlap else (1, 1.1, 2.2))
    thin = inverted(box((1, 0.052, 1), (8, 7, 8)))  # thinner than a column: only the nesting of shells tells
    chain = welded(joined(box((1, 1, 1), (7, 6, 7)), thin, box((1, 1.8, 1), (9, 7.052, 9))))
    vertices, triangles = joined(first, second, chain)
    assert len(vertices) == 38
    found = measure_mesh(vertices, triangles)
    assert found.moments.volume == pytest.approx(16 - 0.9 * 0.8 * overlap + 1 + 0.052 + 1.8, rel=1e-8)
    assert {finding.code for finding in found.findings} >= {"inside_out", "touching_shells"}
    assert found.method == ("union" if overlap else "exact")


@pytest.fixture
def as_if_large(monkeypatch):
    monkeypatch.setattr("core.mesh.diagnose.DETAILS_BELOW", 10)
    monkeypatch.setattr("core.mesh.topology.single_patches.MANY", 10)
    monkeypatch.setattr("core.mesh.union.between.MANY", 10)
    monkeypatch.setattr("core.mesh.diagnosis.side_by_side.LARGE", 10)


WAYS = {"corners shared": welded, "no corner shared": lambda mesh: mesh, "soup": unwelded}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("seed", sample(range(300), 3))
def test_boxes_as_a_large_mesh_are_the_cells_that_are_wound_around_or_refused(seed, way, as_if_large):
    rng = np.random.default_rng(seed)
    boxes = arranged(rng)
    low, high, winding = wound(boxes)
    vertices, triangles = way(joined(*built(boxes, rng.integers(0, 3))))
    turn = rotation(rng) if rng.random() < 0.3 else np.eye(3)
    try:
        found = measure_mesh(vertices @ turn.T, triangles)
    except InertiaError as error:
        assert error.code == "negative_winding"
        assert winding.min() < 0
        return
    assert winding.min() >= 0
    assert true_error(found.moments, filled(low, high, winding > 0).transformed(turn)) <= max(found.error, 1e-12)


@pytest.mark.parametrize(
    "low, common",
    [((0.5, 0.5, 0.25), 0.1875), ((1, 1, 1), 0.0), ((1, 0.5, 0), 0.0), ((0, 0, 0), 1.0)],
    ids=["a corner in it", "a corner in common", "half a wall", "there twice"],
)
@pytest.mark.parametrize("way", sample(list(WAYS), 2))
def test_shells_beside_an_overlap_are_united_whatever_they_share(low, common, way, as_if_large):
    pair = joined(torus(40, 20), (torus(40, 20)[0] + (0.5, 0.3, 0.2), torus(40, 20)[1]))
    cubes = joined(subdivided(box()), subdivided(box(low=low)))
    alone = measure_mesh(*pair).moments.volume
    found = measure_mesh(*WAYS[way](joined(pair, (cubes[0] + 9.0, cubes[1]))))
    assert found.moments.volume == pytest.approx(alone + 2.0 - common, rel=max(found.error, 1e-12))
    assert found.error < 1e-4
    assert "overlapping_shells" in {finding.code for finding in found.findings}
