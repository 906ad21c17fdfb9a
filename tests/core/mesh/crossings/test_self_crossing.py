# SPDX-License-Identifier: GPL-3.0-or-later
"""One closed surface that passes through itself by a hair is reported, with the right faces; a near miss is not."""

from itertools import pairwise, product

import numpy as np
import pytest

from core import InertiaError, check_mesh, measure_mesh, mesh_moments
from core.mesh.diagnosis import single_patches
from core.mesh.diagnosis.crossings import crossing_pairs
from core.mesh.diagnosis.single_patches import perhaps_crossing
from core.mesh.faulty import faulty
from core.mesh.surface import Surface
from core.mesh.topology.crossing_faces import crossing_lines, face_pairs

from ....thorough import THOROUGH
from ...rational import judge
from ...solids import box, cells, grid, joined, rotation, unwelded
from ...solids.crossings import SHAPES, knot, tie, tube
from ...solids.sheets import sphere

DEPTHS = list(product([2e-2, 2e-3, 2e-4, 2e-5], [False, True])) if THOROUGH else [(2e-5, True)]
"""Down to a hundred thousandth of the size of 2, ten welding cells; and whether the mesh is turned."""

PLACES = {
    "loop": lambda points: (np.abs(np.linalg.norm(points[:, :2], axis=1) - 1) < 0.2) & (points[:, 1] > -0.2),
    "hook": lambda points: np.linalg.norm(points - [-0.09, 0.0, 0.1], axis=1) < 0.5,
    "dent": lambda points: np.linalg.norm(points - [0.1, 0.1, -0.1], axis=1) < 0.35,
    "tie": lambda points: (points <= [2, 2, 1]).all(axis=1),
}
"""Where corners of crossing faces may be."""


def codes(mesh):
    """Return the codes of a full diagnosis, without those that the shapes have by themselves."""
    return {finding.code for finding in check_mesh(*mesh)} - {"inside_out"}


@pytest.mark.parametrize("depth, turned", DEPTHS)
@pytest.mark.parametrize("name", SHAPES)
def test_what_pierces_itself_is_reported_and_what_comes_near_is_not(name, depth, turned):
    vertices, triangles = SHAPES[name](depth)
    A = rotation(np.random.default_rng(8)) if turned else np.eye(3)
    found = codes((vertices @ A.T, triangles))
    assert found & {"crossing_faces", "negative_winding"}
    assert found <= {"crossing_faces", "negative_winding", "overlapping_shells"}
    faces = faulty(vertices @ A.T, triangles, "crossing_faces").faces
    assert len(faces) and PLACES[name](vertices[triangles[faces]].reshape(-1, 3)).all()
    near = SHAPES[name](-depth)
    assert codes((near[0] @ A.T, near[1])) == set()
    assert not faulty(near[0] @ A.T, near[1], "crossing_faces").found


@pytest.mark.parametrize("depth", [0.02, 0.05, -0.1] if THOROUGH else [0.02])
@pytest.mark.thorough
def test_a_thick_knot_crosses_itself_where_rational_arithmetic_says(depth):
    mesh = knot(depth, count=40)
    one, other = crossing_pairs(Surface(*mesh))
    found = {frozenset(pair) for pair in zip(one.tolist(), other.tolist(), strict=True)}
    assert found == reference(mesh)
    assert bool(found) == (depth > 0)
    assert ("crossing_faces" in codes(mesh)) == bool(found)


@pytest.mark.parametrize("seed", range(4 if THOROUGH else 1))
def test_crumpled_balls_cross_themselves_where_rational_arithmetic_says(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    vertices, triangles = sphere(3)
    vertices = vertices + rng.normal(size=vertices.shape) * 0.08
    truth = reference((vertices, triangles))
    assert truth
    monkeypatch.setattr(single_patches, "MANY", 0)
    one, other = crossing_pairs(Surface(vertices, triangles))
    found = {frozenset(pair) for pair in zip(one.tolist(), other.tolist(), strict=True)}
    assert found <= truth
    assert len(truth - found) <= 0.02 * len(truth)  # by less than a welding cell


def reference(mesh):
    """Return the pairs of faces that pass through each other, without rounding.

    Left out are only pairs parted by a plane of either from which the other stays by far more than its rounding.
    """
    vertices, triangles = mesh
    corners = vertices[triangles]
    low, high = corners.min(axis=1), corners.max(axis=1)
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    far = 1e-9 * np.ptp(vertices)
    # A float is an integer over a power of two: over one power for all, crossing is a matter of integers.
    unit = max(x.as_integer_ratio()[1] for x in vertices.ravel().tolist())
    whole = [[int(x * unit) for x in point] for point in vertices.tolist()]
    exact = [[whole[corner] for corner in face] for face in triangles.tolist()]
    pairs = set()
    for i in range(len(triangles)):
        meet = ((low[i] <= high[i + 1 :]) & (high[i] >= low[i + 1 :])).all(axis=1)
        others = i + 1 + np.flatnonzero(meet)
        apart = (corners[others] - corners[i, 0]) @ normal[i]
        back = np.einsum("kcx,kx->kc", corners[i] - corners[others, :1], normal[others])
        sides = [(height.min(axis=1) > far) | (height.max(axis=1) < -far) for height in (apart, back)]
        for j in others[~(sides[0] | sides[1])].tolist():
            if len({*triangles[i].tolist()} & {*triangles[j].tolist()}) < 2 and judge(exact[i], exact[j])[1]:
                pairs.add(frozenset((i, j)))
    return pairs


@pytest.mark.parametrize("name", ["loop", "hook", "dent"])
def test_all_that_cross_are_suspected(name, monkeypatch):
    monkeypatch.setattr(single_patches, "MANY", 0)
    for depth in (2e-2, 2e-4):
        surface = Surface(*SHAPES[name](depth))
        crossing = np.concatenate(crossing_pairs(surface, np.arange(len(surface.triangles))))
        assert {*crossing.tolist()} <= {*perhaps_crossing(surface).tolist()}


def test_a_smooth_surface_is_not_suspected_at_all():
    angle = np.linspace(0, 2 * np.pi, 200, endpoint=False)
    ring = tube(np.column_stack([2 * np.cos(angle), 2 * np.sin(angle), 0 * angle]), 1.0, sides=100, closed=True)
    for mesh in (sphere(6), ring):
        for A in (np.eye(3), rotation(np.random.default_rng(2))):
            assert len(perhaps_crossing(Surface(mesh[0] @ A.T, mesh[1]))) <= 0.01 * len(mesh[1])


def test_large_faces_among_small_ones_are_cut_to_be_told_apart():
    fine = sphere(6)
    mesh = joined(fine, box((3, 3, 3), (2, 0, 0)))
    suspected = perhaps_crossing(Surface(*mesh))
    assert np.count_nonzero(suspected < len(fine[1])) < 0.1 * len(fine[1])
    assert (suspected >= len(fine[1])).any()  # a box's edges are no single sheet along any axis


@pytest.mark.parametrize("name, depth", [("hook", 2e-2), ("loop", 5e-4), ("dent", 2e-2), ("tie", 2e-3)])
def test_little_that_crosses_leaves_the_number_with_a_warning(name, depth):
    mesh = SHAPES[name](depth)
    measured = measure_mesh(*mesh)
    assert measured.method == "exact"
    assert measured.moments.volume == pytest.approx(abs(mesh_moments(*mesh).volume), rel=1e-14)
    assert 0 < measured.error < 1e-3
    crossing = next(finding for finding in measured.findings if finding.code == "crossing_faces")
    assert crossing.severity == "warning" and crossing.remedy
    assert f"{len(faulty(*mesh, 'crossing_faces').faces)} faces intersect others: " in crossing.message


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("depth", [4e-3, 2e-3, 2e-4, 2e-5])
def test_the_error_told_covers_the_lobe_that_counts_negative(depth, turned):
    vertices, triangles = tie(depth)
    measured = measure_mesh(vertices @ rotation(np.random.default_rng(3)).T if turned else vertices, triangles)
    # The lobe is the triangle (0, 0), (c, c) / (1 + c / 2), (0, c); the other one is as (0, 0), (2, 2), (2, 0) without
    # what is left of the line. Both are of height 1; c is the depth.
    truth = 2 / (1 + depth / 2) + depth**2 / (2 + depth)
    off = abs(measured.moments.volume - truth) / truth
    assert off <= measured.error <= 1e-3


@pytest.mark.fault(14)
@pytest.mark.parametrize("depth, refused", [(2e-1, True), (2e-2, True), (2e-3, False), (2e-4, False)])
def test_a_lobe_inside_out_is_refused_unless_it_is_negligible(depth, refused):
    mesh = tie(depth)
    assert ("negative_winding" in codes(mesh)) == refused
    assert faulty(*mesh, "negative_winding").faces.tolist() == [0, 2, 4, 6]
    if refused:
        with pytest.raises(InertiaError, match="negative_winding"):
            measure_mesh(*mesh)


@pytest.mark.fault(14)
def test_much_that_is_enclosed_twice_is_counted_once():
    measured = measure_mesh(*SHAPES["loop"](2e-2))
    assert measured.method == "union"
    assert {finding.code for finding in measured.findings} == {"crossing_faces", "overlapping_shells"}
    assert measured.moments.volume < mesh_moments(*SHAPES["loop"](2e-2)).volume * 0.998


@pytest.mark.parametrize("soup", [False, True])
def test_what_touches_does_not_cross(soup):
    blocks = cells(grid(3, 3, 3) - {(1, 1, 1)})
    corner = cells({(0, 0, 0), (1, 1, 0), (1, 1, 1), (2, 1, 1)})
    stacked = joined(box(), box(low=(1, 0, 0)), box((0.5, 0.5, 0.5), (0.25, 0.25, 1)))
    for mesh in (blocks, corner, stacked):
        for A in (np.eye(3), rotation(np.random.default_rng(1))):
            turned = mesh[0] @ A.T, mesh[1]
            assert not codes(unwelded(turned) if soup else turned) & {"crossing_faces", "overlapping_shells"}


def with_inner_walls(*walls):
    """Return a cube with walls between three of its corners each, of a face for either side."""
    vertices, triangles = box()
    at = {tuple(point): number for number, point in enumerate(vertices.tolist())}
    faces = [[at[point] for point in wall[::way]] for wall in walls for way in (1, -1)]
    return vertices, np.vstack([triangles, faces])


def test_inner_walls_may_stand_across_each_other():
    mesh = with_inner_walls([(0, 0, 0), (1, 1, 0), (1, 1, 1)], [(1, 0, 0), (0, 1, 0), (0, 1, 1)])
    assert len(next(face_pairs(mesh[0][mesh[1][12:]].transpose(2, 1, 0), 1e-6))[0])
    assert codes(mesh) <= {"inner_walls", "non_manifold_edges", "touching_shells"}


def test_inner_walls_across_each_other_leave_no_doubt():
    # The middle wall shares an edge with either of the others, so that all three are of one component.
    corner, ends = (0, 0, 1), [(0, 1, 1), (1, 0, 0), (0, 1, 0), (1, 0, 1)]
    mesh = with_inner_walls(*([corner, *pair] for pair in pairwise(ends)))
    assert reference(mesh) == {frozenset(pair) for pair in product((12, 13), (16, 17))}
    cube = measure_mesh(*mesh)
    # Faces that are there in both windings add nothing to the winding number anywhere.
    assert {finding.code for finding in cube.findings} == {"inner_walls"}
    assert cube.moments.volume == pytest.approx(1.0, rel=1e-14) and cube.error == 0.0
    assert not faulty(*mesh, "crossing_faces").found


def test_the_line_where_two_faces_cross_ends_where_one_of_them_ends():
    wall = np.array([(-1, -1, 0), (1, -1, 0), (0, 2, 0)], dtype=float).T[:, :, None]
    blade = np.array([(-0.2, 0, -1), (0.2, 0, -1), (0, 0, 1)], dtype=float).T[:, :, None]
    for one, other in ((wall, blade), (blade, wall)):
        ends = crossing_lines(one, other)[:, :, 0]
        assert np.allclose(ends[:, np.argsort(ends[0])], np.array([(-0.1, 0, 0), (0.1, 0, 0)]).T)
