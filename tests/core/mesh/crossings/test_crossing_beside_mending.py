# SPDX-License-Identifier: GPL-3.0-or-later
"""Faces that pass through others are the same whether they are looked for before a mesh is mended or after."""

import numpy as np
import pytest

from core import check_mesh
from core.mesh import diagnose
from core.mesh.diagnosis import mending
from core.mesh.diagnosis.closed import Closed
from core.mesh.diagnosis.mending import doubtful_corners, repaired
from core.mesh.diagnosis.self_crossing import crossing_pairs
from core.mesh.surface import Surface
from core.mesh.topology.merging import merge

from ....thorough import sample
from ...solids import rotation
from ...solids.crossings import SHAPES


@pytest.fixture(autouse=True)
def always(monkeypatch):
    """Also where edges do not balance at most of the vertices."""
    monkeypatch.setattr(mending, "MOST_LOOSE", 1.0)


def pairs(found):
    return {frozenset(pair) for pair in zip(*(side.tolist() for side in found), strict=True)}


def before_and_after(mesh):
    """Return the pairs found among the those with doubtful corners, and those among all that are left."""
    surface = Surface(*mesh)
    given = Closed(surface, merge(surface))
    assert not given.merging.verdict.consistent
    found, _ = repaired(given)
    found.passing.corners = doubtful_corners(given)
    return pairs(found.passing_pairs(alone=False)), pairs(crossing_pairs(found.watertight))


def folded_ring(around=100, along=24, fold=4e-3, dip=3e-3):
    """Return a ring whose top folds back for a stretch and dips through itself there; and which faces look down."""
    corners = np.array(
        [(0, 0), (0, 1 - dip), (0.5 - fold / 2, 1 - dip), (0.5 + fold, 1 + dip), (0.5 - fold, 1), (1, 1), (1, 0)]
    )
    sides = list(zip(corners, np.roll(corners, -1, axis=0), strict=True))
    counts = [max(1, round(np.hypot(*(end - start)) * along)) for start, end in sides]
    section = np.concatenate(
        [start + (end - start) * np.arange(n)[:, None] / n for (start, end), n in zip(sides, counts, strict=True)]
    )
    angle = 2 * np.pi * np.arange(around)[:, None] / around
    r, z = 2 + section[:, 0], section[:, 1]
    vertices = np.stack(np.broadcast_arrays(np.cos(angle) * r, np.sin(angle) * r, z), axis=-1).reshape(-1, 3)
    a = np.arange(len(vertices)).reshape(around, -1)
    b, d = np.roll(a, -1, axis=1), np.roll(a, -1, axis=0)
    c = np.roll(b, -1, axis=0)
    triangles = np.concatenate([np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)])
    return (vertices, triangles), np.tile(np.repeat(np.arange(len(sides)), counts) == 3, 2 * around)


def test_a_fold_turned_round_so_that_all_its_faces_look_up_is_no_single_sheet():
    (vertices, triangles), back = folded_ring()
    triangles[back] = triangles[back, ::-1]
    early, late = before_and_after((vertices, triangles))
    assert len(late) > 100
    assert early == late


@pytest.mark.parametrize("seed", sample(range(60), 8))
def test_faces_turned_or_doubled_anywhere_hide_no_crossing(seed):
    rng = np.random.default_rng(seed)
    vertices, triangles = SHAPES[sorted(SHAPES)[seed % len(SHAPES)]](10 ** rng.uniform(-4, -1))
    some = rng.choice(len(triangles), max(1, int(len(triangles) * 10 ** rng.uniform(-3, -1))), replace=False)
    if seed % 2:
        triangles = np.concatenate([triangles, triangles[some]])
    else:
        triangles = triangles.copy()
        triangles[some] = triangles[some, ::-1]
    early, late = before_and_after((vertices @ rotation(rng).T, triangles))
    assert late
    assert early == late


def test_a_large_mesh_with_a_turned_face_is_told_what_a_small_one_is(monkeypatch):
    vertices, triangles = SHAPES["loop"](1e-2)
    triangles = triangles.copy()
    triangles[5] = triangles[5, ::-1]
    small = check_mesh(vertices, triangles)
    monkeypatch.setattr(diagnose, "DETAILS_BELOW", 100)
    large = check_mesh(vertices, triangles)
    assert {"crossing_faces", "inconsistent_winding"} <= {finding.code for finding in small}
    assert [str(finding) for finding in large] == [str(finding) for finding in small]
