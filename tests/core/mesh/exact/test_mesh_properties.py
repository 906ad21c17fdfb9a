# SPDX-License-Identifier: GPL-3.0-or-later
"""What must not change the answer, and what must change it in a known way, for any mesh and any number.

The reference is rational arithmetic on the very vertices that were measured, or on the mesh before it was disguised.
"""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core import measure_mesh, mesh_moments

from ....thorough import THOROUGH
from ...exact import assert_exact, assert_same, integrate
from ...solids import (
    HOLLOW_CELLS,
    L_CELLS,
    TUBE_CELLS,
    box,
    cells,
    grid,
    inverted,
    joined,
    polygon,
    prism,
    rotation,
    shuffled,
    subdivided,
    unwelded,
)

MESHES = {
    "L": cells(L_CELLS, (0.3, 0.7, 0.11)),
    "tube": cells(TUBE_CELLS, (0.2, 0.3, 0.25)),
    "hollow": cells(HOLLOW_CELLS),
    "star": prism(polygon(10) * np.where(np.arange(10) % 2, 0.4, 1.0)[:, None], -0.2, 0.7, 0.5),
    "two": joined(box((1, 2, 3)), box(low=(2, 0, 0))),
}
HARMLESS = {"cavity", "inner_walls", "degenerate_faces", "touching_shells", "unit_suspicion", "precision_lost"}

UNIONS = 8 if THOROUGH else 3
"""Examples where a union is made, which is slow."""

meshes = st.sampled_from(sorted(MESHES)).map(MESHES.get)
whole = st.sampled_from(sorted(set(MESHES) - {"hollow"})).map(MESHES.get)
seeds = st.integers(0, 2**32 - 1).map(np.random.default_rng)
scales = st.floats(-5, 5).map(lambda power: 10.0**power)
shifts = st.tuples(*[st.floats(-1e6, 1e6)] * 3).map(np.array)


def quietly(mesh):
    """Measure, and insist that nothing was found that would change the number."""
    measured = measure_mesh(*mesh)
    assert {finding.code for finding in measured.findings} <= HARMLESS
    assert measured.method == "exact"
    assert measured.surface is None
    return measured.moments


@given(meshes, seeds, scales, shifts)
def test_a_mesh_anywhere_is_exact(mesh, rng, scale, shift):
    there = mesh[0] * scale @ rotation(rng).T + shift * scale
    assert_exact(quietly((there, mesh[1])), integrate(there, mesh[1]))


@given(meshes, seeds)
def test_a_rotation_turns_the_moments(mesh, rng):
    turn = rotation(rng)
    assert_same(quietly((mesh[0] @ turn.T, mesh[1])), mesh_moments(*mesh).transformed(turn), 1e-13)


@given(meshes, seeds, scales, st.sampled_from(["x", "xy", "xyz"]))
def test_a_mirror_turns_the_mesh_inside_out_an_odd_number_of_times(mesh, rng, scale, axes):
    signs = np.array([-1.0 if axis in axes else 1.0 for axis in "xyz"])
    stretch = np.diag(signs * scale * rng.uniform(0.5, 2.0, 3))
    measured = measure_mesh(mesh[0] @ stretch.T, mesh[1])
    odd = len(axes) % 2 == 1
    assert ("inside_out" in {finding.code for finding in measured.findings}) == odd
    assert (measured.surface is not None) == odd
    assert_same(measured.moments, mesh_moments(*mesh).transformed(stretch), 1e-13)


@given(meshes, seeds, st.booleans())
def test_the_order_of_vertices_and_faces_says_nothing(mesh, rng, soup):
    mixed = shuffled(unwelded(mesh) if soup else mesh, rng)
    assert_same(quietly(mixed), mesh_moments(*mesh), 1e-13)


@given(meshes, seeds, st.integers(1, 4))
def test_splitting_faces_changes_nothing(mesh, rng, times):
    """Cut faces in three at a point inside: the point is off their plane by rounding, which is all that may be seen."""
    vertices, triangles = mesh
    for _ in range(times):
        face = rng.integers(len(triangles))
        weight = rng.dirichlet([2, 2, 2])
        a, b, c = triangles[face]
        point = len(vertices)
        vertices = np.vstack([vertices, weight @ vertices[[a, b, c]]])
        triangles = np.vstack([np.delete(triangles, face, axis=0), [[a, b, point], [b, c, point], [c, a, point]]])
    assert_same(quietly((vertices, triangles)), mesh_moments(*mesh), 1e-13)


@given(meshes)
def test_cutting_every_face_in_four_changes_nothing(mesh):
    assert_same(quietly(subdivided(mesh)), mesh_moments(*mesh), 1e-13)


@given(meshes, seeds, st.integers(1, 3))
def test_faces_that_cancel_change_nothing(mesh, rng, count):
    vertices, triangles = mesh
    for _ in range(count):
        wall = rng.choice(np.unique(triangles), 3, replace=False)
        triangles = np.vstack([triangles, [wall, wall[::-1]]])
    measured = measure_mesh(vertices, triangles)
    assert not {finding.code for finding in measured.findings} - HARMLESS - {"non_manifold_edges"}
    assert_same(measured.moments, mesh_moments(*mesh), 1e-13)


@given(whole, seeds, st.floats(0.01, 0.49))
def test_faces_turned_here_and_there_are_turned_back(mesh, rng, share):
    turn = rng.random(len(mesh[1])) < share
    turn[rng.integers(len(turn))] = True
    turned_back(mesh, turn)


@given(seeds, st.integers(1, 5))
def test_a_quarter_of_any_faces_turned_is_turned_back_beside_a_cavity(rng, count):
    mesh = MESHES["hollow"]
    turned_back(mesh, np.isin(np.arange(len(mesh[1])), rng.choice(len(mesh[1]), count, replace=False)))


def turned_back(mesh, turn):
    vertices, triangles = mesh
    turned = np.where(turn[:, None], triangles[:, ::-1], triangles)
    measured = measure_mesh(vertices, turned)
    assert {finding.code for finding in measured.findings} & {"inconsistent_winding", "inside_out"}
    assert_same(measured.moments, mesh_moments(*mesh), 1e-13)
    assert_same(mesh_moments(measured.surface.vertices, measured.surface.triangles), mesh_moments(*mesh), 1e-13)


@given(meshes, seeds, st.integers(1, 5), st.booleans())
def test_faces_that_repeat_are_read_once(mesh, rng, count, soup):
    again = rng.choice(len(mesh[1]), min(count, len(mesh[1])), replace=False)
    doubled = mesh[0], np.vstack([mesh[1], mesh[1][again]])
    measured = measure_mesh(*shuffled(unwelded(doubled) if soup else doubled, rng))
    assert "duplicate_faces" in {finding.code for finding in measured.findings}
    assert_same(measured.moments, mesh_moments(*mesh), 1e-13)


@given(meshes, seeds)
def test_the_whole_mesh_inside_out_is_read_the_other_way(mesh, rng):
    measured = measure_mesh(*inverted(shuffled(mesh, rng)))
    assert measured.findings[0].code == "inside_out"
    assert_same(measured.moments, mesh_moments(*mesh), 1e-13)


@settings(max_examples=UNIONS)
@given(st.tuples(*[st.floats(0.05, 0.95)] * 3), seeds)
def test_two_boxes_that_overlap_are_their_union(shift, rng):
    lens = 1.0 - np.array(shift)
    other = box(low=shift)
    truth = mesh_moments(*box()) + mesh_moments(*other) + -mesh_moments(*box(lens, shift))
    turn = rotation(rng) if rng.random() < 0.5 else np.eye(3)
    both = joined(box(), other)
    measured = measure_mesh(both[0] @ turn.T, both[1])
    assert measured.method == "union"
    assert measured.error < 1e-4
    assert_same(measured.moments, truth.transformed(turn), 1e-4)


@settings(max_examples=UNIONS)
@given(st.floats(1e-5, 1e-2), st.integers(0, 2), st.sampled_from([0.0, 0.1, 0.25]))
def test_an_overlap_thinner_than_a_column_is_seen(depth, axis, aside):
    """Down to ten welding cells: thinner, it counts as touching."""
    shift = np.full(3, aside)
    shift[axis] = 1.0 - depth
    measured = measure_mesh(*joined(box(), box(low=shift)))
    assert "overlapping_shells" in {finding.code for finding in measured.findings}
    share = (1.0 - aside) ** 2 * depth
    assert measured.moments.volume == pytest.approx(2.0 - share, rel=1e-5)


SEED = st.integers(0, 2**32 - 1)
DTYPE = st.sampled_from([np.float32, np.float64])


def check(mesh, dtype):
    vertices, triangles = mesh[0].astype(dtype), mesh[1]
    exact = integrate(vertices, triangles)
    # Far below a hundredth of its box the sum cancels, and 1e-12 of the volume is more than is promised.
    assume(abs(exact.volume) > 0.01 * float(np.ptp(vertices.astype(float), axis=0).prod()))
    assert_exact(mesh_moments(vertices, triangles), exact)


@given(SEED, st.integers(3, 12), DTYPE)
def test_extruded_outlines_are_exact(seed, sides, dtype):
    rng = np.random.default_rng(seed)
    outline = polygon(sides) * rng.uniform(0.2, 2.0, (sides, 1))
    low, height = rng.normal(), rng.uniform(0.1, 3.0)
    mesh = prism(outline, low, low + height, top_scale=rng.uniform(0.3, 2.0))
    check(shuffled(subdivided(mesh), rng), dtype)


@given(SEED, st.sets(st.sampled_from(sorted(grid(3, 3, 2))), min_size=1), DTYPE)
def test_solids_of_cells_with_moved_corners_are_exact(seed, which, dtype):
    # Cells may touch along an edge or in a corner; every corner moved, faces are skew and no side is axis-parallel.
    rng = np.random.default_rng(seed)
    vertices, triangles = cells(which)
    moved = vertices + rng.uniform(-0.3, 0.3, vertices.shape)
    check(shuffled((moved * rng.uniform(0.01, 100, 3) + rng.normal(size=3), triangles), rng), dtype)


@given(SEED, DTYPE)
def test_unwelded_triangle_soups_are_exact(seed, dtype):
    rng = np.random.default_rng(seed)
    check(shuffled(unwelded(prism(polygon(7) * rng.uniform(0.3, 1, (7, 1)))), rng), dtype)
