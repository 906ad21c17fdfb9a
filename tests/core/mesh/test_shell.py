# SPDX-License-Identifier: GPL-3.0-or-later
"""A surface with a thickness is the solid that lies within half the thickness of it."""

from itertools import product
from math import pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import InertiaError, measure_mesh, mesh_moments
from core.body.shapes import Cylinder, Sphere

from ...thorough import sample
from ..exact import assert_same
from ..solids import box, inverted, joined, polygon, prism, rotation, shuffled, subdivided, torus, unwelded
from ..solids.sheets import moebius, sheet, sphere, strip

RING = torus(80, 40, tube=0.3)
PLATE = sheet([(0, 0), (2, 0)], length=1.0)


def shell(mesh, thickness):
    return measure_mesh(*mesh, method="shell", thickness=thickness)


def hollow_box(size, thickness):
    size = np.asarray(size, dtype=float)
    outer, inner = size + thickness, size - thickness
    return mesh_moments(*box(outer, -outer / 2)) + -mesh_moments(*box(inner, -inner / 2))


def codes(measurement):
    return [finding.code for finding in measurement.findings]


@pytest.mark.parametrize("thickness", [1e-9, 1e-3, 0.1, 5.0])
def test_a_plate_is_the_box_of_its_thickness(thickness):
    found = shell(PLATE, thickness)
    assert_same(found.moments, mesh_moments(*box((2, thickness, 1), (0, -thickness / 2, 0))))
    assert found.method == "shell"
    assert found.error < 1e-15


def test_a_plate_anywhere_is_the_same_plate():
    rng = np.random.default_rng(1)
    R, t = rotation(rng), np.array([1e4, -2e4, 3e4])
    there = shell((subdivided(PLATE)[0] @ R.T + t, subdivided(PLATE)[1]), 0.1).moments
    here = mesh_moments(*box((2, 0.1, 1), (0, -0.05, 0)))
    # Coordinates 3e4 times the size have lost as many digits before they reach us.
    assert_same(there, here.transformed(R, t), 1e-10)


@pytest.mark.parametrize("n", [3, 5, 12, 64])
@pytest.mark.parametrize("thickness", [0.01, 0.4])
def test_a_tube_is_the_outer_prism_less_the_inner_one(n, thickness):
    ring = polygon(n)
    tube = sheet([*ring, ring[0]], length=2.0)
    mitre = thickness / 2 / np.cos(pi / n)
    want = mesh_moments(*prism(polygon(n, 1 + mitre), 0, 2)) + -mesh_moments(*prism(polygon(n, 1 - mitre), 0, 2))
    assert_same(shell(tube, thickness).moments, want)


def test_a_round_tube_has_the_closed_form():
    ring = polygon(900)
    found = shell(sheet([*ring, ring[0]], length=2.0), 0.2).moments
    outer, inner = (Cylinder(radius, 2.0).moments() for radius in (1.1, 0.9))
    want = (outer + -inner).transformed(np.eye(3), (0, 0, 1))
    assert_same(found, want, 1e-5)  # the polygon's area: 1 - 2/3 (pi/n)²


@pytest.mark.parametrize("turn", [10, 45, 90, 120, 150])
def test_a_bent_sheet_is_mitred_at_the_bend(turn):
    angle = np.radians(turn)
    line = [(-2, 0), (0, 0), (2 * np.cos(angle), 2 * np.sin(angle))]
    assert_same(shell(sheet(line), 0.2).moments, strip(line, 0.2))


def test_a_bend_beyond_the_longest_mitre_is_cut_and_in_doubt():
    angle = np.radians(175)
    line = [(-2, 0), (0, 0), (2 * np.cos(angle), 2 * np.sin(angle))]
    found = shell(sheet(line), 0.1)
    # Both legs lie in one another: a kite of h² cot(φ/2) = 0.057 of 0.4 m².
    assert found.error == pytest.approx(0.143, rel=0.1)
    assert codes(found) == ["thick_shell"]


def test_an_open_half_cylinder_has_the_closed_form():
    angle = np.linspace(0, pi, 1000)
    found = shell(sheet(np.column_stack([np.cos(angle), np.sin(angle)])), 0.2)
    area = pi / 2 * (1.1**2 - 0.9**2)
    assert found.moments.volume == pytest.approx(3 * area, rel=1e-5)
    centre = 2 / 3 * (1.1**3 - 0.9**3) / area
    np.testing.assert_allclose(found.moments.centroid, [0, centre, 1.5], atol=1e-5)
    about_axis = pi / 8 * (1.1**4 - 0.9**4) * 3
    np.testing.assert_allclose(found.moments.covariance[0, 0], about_axis, rtol=1e-4)
    np.testing.assert_allclose(found.moments.covariance[1, 1], about_axis - 3 * area * centre**2, rtol=1e-4)
    assert found.error < 1e-5
    assert found.findings == ()


def area_of(mesh):
    vertices, triangles = mesh
    a, b, c = (vertices[triangles[:, corner]] for corner in range(3))
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()) / 2


def test_a_spherical_shell_has_steiners_volume_and_the_closed_forms_tensor():
    mesh = sphere(4)
    area = area_of(mesh)
    for thickness in (0.01, 0.2, 0.6):
        found = shell(mesh, thickness)
        # By Gauss and Bonnet the vertices' curvature is 4 pi, whatever the mesh: V = A t + pi t³/3.
        assert found.moments.volume == pytest.approx(area * thickness + pi * thickness**3 / 3, rel=1e-13)
        want = Sphere(1 + thickness / 2).moments() + -Sphere(1 - thickness / 2).moments()
        np.testing.assert_allclose(found.moments.covariance, want.covariance, atol=3e-3 * np.trace(want.covariance))
        assert found.findings == ()


def test_the_error_of_a_sphere_falls_with_the_square_of_its_edges():
    want = Sphere(1.1).moments() + -Sphere(0.9).moments()
    coarse, fine = (shell(sphere(steps), 0.2).moments.volume / want.volume - 1 for steps in (3, 4))
    assert coarse / fine == pytest.approx(4, rel=0.05)


def test_the_thickness_of_a_ring_adds_no_error_to_that_of_its_facets():
    # A torus has curvature of either sign; its mesh alone is coarse by (pi/n)² or so.
    def off(thickness):
        want = solid_torus(0.3 + thickness / 2) - solid_torus(0.3 - thickness / 2)
        found = shell(RING, thickness).moments
        return np.array([found.volume, *np.diag(found.covariance)]) / want - 1

    thin, thick = off(0.002), off(0.2)
    assert np.abs(thin).max() < 1e-2
    np.testing.assert_allclose(thick, thin, atol=1e-3)
    # Without its curvature terms the tensor along the axis would be off by (t / 2 r)² = 0.11.
    without = 100.0 * shell(RING, 0.002).moments.covariance[2, 2]
    assert without / (solid_torus(0.4) - solid_torus(0.2))[3] - 1 < -0.1


def solid_torus(r):
    """Return volume and second moments of the solid torus about its axis z, at the radius 1."""
    volume = 2 * pi**2 * r**2
    return np.array([volume, *2 * [volume * (1 / 2 + 3 / 8 * r**2)], volume * r**2 / 4])


@pytest.mark.parametrize("size", [(1, 1, 1), (1, 2, 0.7)])
@pytest.mark.parametrize("thickness", [0.001, 0.01, 0.1])
def test_a_box_is_the_outer_box_less_the_inner_one_within_its_error(size, thickness):
    want = hollow_box(size, thickness)
    found = shell(box(size, -np.asarray(size) / 2), thickness)
    volume = abs(found.moments.volume / want.volume - 1)
    tensor = np.abs(found.moments.covariance - want.covariance).max() / np.trace(want.covariance)
    assert 0 < max(volume, tensor) < found.error
    # Edges are exact, so only the eight corners differ: by t³/4 - pi t³/24 each, as h³ to 1.
    assert want.volume - found.moments.volume == pytest.approx((2 - pi / 3) * thickness**3, rel=1e-6)


def test_the_error_of_a_box_is_round_for_mitred_edges_and_corners():
    h = 0.15
    found = shell(box(low=(-0.5, -0.5, -0.5)), 2 * h)
    edge, corner = h**2 * (1 - pi / 4), 2 / 3 * h**3 * pi / 2
    assert 8 * corner > 0.1 * 12 * edge
    # The tensor's share: each weighs with its distance squared from the centre; the gap's middle is h/√2 outside.
    spread = 12 * edge * (np.sqrt(0.5) + h * np.sqrt(0.5)) ** 2 + 8 * corner * 0.75
    assert found.error == pytest.approx(spread / np.trace(found.moments.covariance), rel=1e-12)
    assert found.error > (12 * edge + 8 * corner) / found.moments.volume


def test_faces_wound_at_random_do_not_decide_the_depth_of_a_closed_mesh():
    vertices, triangles = box((1, 1, 1))
    for turned in (range(6), range(0, 12, 2), range(3, 9)):
        mixed = triangles.copy()
        mixed[list(turned)] = mixed[list(turned), ::-1]
        assert codes(shell((vertices, mixed), 0.05)) == codes(shell((vertices, triangles), 0.05)) == []


@pytest.mark.parametrize("cut", [0, 1, 2])
def test_sheets_that_meet_in_a_t_or_a_cross_count_once(cut):
    t = 0.2
    t_profile = sheet([(-1, 0), (0, 0), (1, 0)], [(0, 0), (0, -1.5)])
    cross = sheet([(-1, 0), (0, 0), (1, 0)], [(0, -1), (0, 0), (0, 1)])
    bar = mesh_moments(*box((2, t, 3), (-1, -t / 2, 0)))
    arms = [mesh_moments(*box((t, 1 - t / 2, 3), (-t / 2, y, 0))) for y in (t / 2, -1)]
    stem = mesh_moments(*box((t, 1.5 - t / 2, 3), (-t / 2, -1.5, 0)))
    for _ in range(cut):
        t_profile, cross = subdivided(t_profile), subdivided(cross)
    assert_same(shell(t_profile, t).moments, bar + stem)
    assert_same(shell(cross, t).moments, bar + arms[0] + arms[1])


@given(seed=st.integers(0, 2**32 - 1))
def test_neither_winding_nor_order_nor_welding_matters(seed):
    rng = np.random.default_rng(seed)
    for mesh in (sphere(1), box((1, 2, 3)), moebius(12), sheet([(-1, 0), (0, 0), (1, 0)], [(0, 0), (0, -1.5)])):
        want = shell(mesh, 0.01).moments
        vertices, triangles = shuffled(mesh, rng)
        turned = rng.random(len(triangles)) < 0.5
        triangles = np.where(turned[:, None], triangles[:, ::-1], triangles)
        assert_same(shell((vertices, triangles), 0.01).moments, want)
        assert_same(shell(unwelded((vertices, triangles)), 0.01).moments, want)


@given(seed=st.integers(0, 2**32 - 1))
def test_the_shell_of_a_mapped_mesh_is_the_mapped_shell(seed):
    rng = np.random.default_rng(seed)
    A = rotation(rng) * rng.choice([-1, 1]) * (scale := 10.0 ** rng.uniform(-6, 6))
    for vertices, triangles in (box((1, 2, 3)), moebius(12)):
        want = shell((vertices, triangles), 0.01).moments.transformed(A, scale * np.array([1.0, 2.0, 3.0]))
        moved = vertices @ A.T + scale * np.array([1.0, 2.0, 3.0])
        assert_same(shell((moved, triangles), 0.01 * scale).moments, want)


def test_cutting_faces_changes_nothing():
    for mesh in (box((1, 2, 3)), PLATE, moebius(12)):
        whole = shell(mesh, 0.01)
        assert_same(shell(subdivided(mesh), 0.01).moments, whole.moments)


def test_a_double_faced_sheet_counts_once_and_says_so():
    for doubled in (joined(PLATE, inverted(PLATE)), joined(PLATE, PLATE, inverted(PLATE))):
        found = shell(doubled, 0.1)
        assert_same(found.moments, shell(PLATE, 0.1).moments)
        (finding,) = found.findings
        assert (finding.severity, finding.code) == ("warning", "duplicate_faces")
        assert "the area is 2 m²" in finding.message
        assert f"{len(doubled[1]) - 2} of {len(doubled[1])} faces lie on others" in finding.message


def test_quads_cut_along_both_diagonals_count_once():
    corners = np.array([[0, 0, 0], [2, 0, 0.3], [2.2, 1, 0.33], [0, 1, 0.0]])
    front, back = np.array([[0, 1, 2], [0, 2, 3]]), np.array([[1, 0, 3], [1, 3, 2]])
    both = shell((corners, np.vstack([front, back])), 0.01)
    assert codes(both) == ["duplicate_faces"]
    assert both.moments.volume == pytest.approx(shell((corners, front), 0.01).moments.volume, rel=1e-12)
    # A tetrahedron has two such pairs on four points, but is not flat.
    assert codes(shell((corners + [[0, 0, 0], [0, 0, 0], [0, 0, 1], [0, 0, 0]], np.vstack([front, back])), 1e-3)) == []


def test_slivers_that_weld_to_one_edge_are_no_doubles():
    vertices, triangles = box()
    near = np.vstack([vertices, vertices[0] + 1e-9 * np.eye(3)[[0, 2]]])
    slivers = np.vstack([triangles, [(0, 8, 1), (0, 9, 1)]])
    assert shell((near, slivers), 0.01).findings == ()


def test_triangles_without_an_area_add_nothing():
    vertices, triangles = box()
    slivers = np.vstack([triangles, [(0, 0, 1), (2, 2, 2)]])
    assert_same(shell((vertices, slivers), 0.01).moments, shell(box(), 0.01).moments)


@pytest.mark.parametrize("thickness", [None, 0.0, -0.001, float("nan"), float("inf"), 1e-70, 1e70, 1e100, 1e300])
def test_no_thickness_no_answer(thickness):
    with pytest.raises(InertiaError) as error:
        shell(PLATE, thickness)
    assert error.value.code == "bad_thickness"
    assert error.value.remedy
    assert thickness is None or f"{thickness:g}" in error.value.message


def test_a_surface_without_area_is_refused():
    with pytest.raises(InertiaError) as error:
        shell((np.array([[0, 0, 0], [1, 1, 1], [2, 2, 2.0]]), np.array([[0, 1, 2]])), 0.1)
    assert error.value.code == "zero_area"


def test_a_thickness_above_the_radius_of_curvature_reports_both():
    angle = np.linspace(0, pi / 2, 16)
    arc = 0.05 * np.column_stack([np.cos(angle), np.sin(angle)])
    line = np.vstack([[(0.05, -2)], arc, [(-2, 0.05)]])
    assert codes(shell(sheet(line), 0.04)) == []
    (finding,) = shell(sheet(line), 0.2).findings
    assert finding.code == "thick_shell"
    assert "0.2 m" in finding.message
    assert "curvature, 0.0" in finding.message


def test_a_solid_thinner_than_the_thickness_is_reported():
    thin = box((1, 1, 0.002))
    found = shell(thin, 0.003)
    assert codes(found) == ["thick_shell"]
    assert "faces 0.002 m apart" in found.findings[0].message
    # Two sheets 2 mm apart, each 3 mm thick: 5 mm of material counted as 6.
    assert found.error > 1 - 1.003**2 * 0.005 / found.moments.volume > 0.16
    assert codes(shell(thin, 0.001)) == []


def test_more_material_than_room_is_reported():
    found = shell(sheet([(0, 0), (1, 0)], [(0, 1e-3), (1, 1e-3)], [(0, 2e-3), (1, 2e-3)]), 0.1)
    assert codes(found) == ["thick_shell"]
    assert found.error == pytest.approx(1 - (0.1 + 2e-3) / 0.3, rel=0.1)  # three walls in the room of one


@pytest.mark.parametrize("rotated", [False, True])
@pytest.mark.parametrize("gap", [0.01, 0.04])
def test_sheets_nearer_than_the_thickness_are_reported_with_what_counts_twice(gap, rotated):
    # Two square sheets that meet nowhere, 0.05 m thick: 0.05 + gap of material counted as 0.1.
    mesh = subdivided(joined(sheet([(0, 0), (1, 0)], length=1.0), sheet([(0, gap), (1, gap)], length=1.0)))
    R = rotation(np.random.default_rng(4)) if rotated else np.eye(3)
    found = shell((mesh[0] @ R.T, mesh[1]), 0.05)
    (finding,) = found.findings
    assert finding.code == "thick_shell"
    assert f"faces {gap:g} m apart" in finding.message
    assert found.error == pytest.approx((0.05 - gap) / 0.1, rel=0.1)
    assert shell((mesh[0] @ R.T, mesh[1]), 0.9 * gap).findings == ()


def test_sheets_that_fold_back_at_a_distance_are_not_said_before_they_meet():
    fold = sheet([(0, 0), (1, 0), (1, 0.1), (0, 0.1)])
    assert codes(shell(fold, 0.09)) == []
    (finding,) = shell(fold, 0.12).findings
    assert "faces 0.1 m apart" in finding.message


@pytest.mark.parametrize("size", [(1, 1, 1), (1, 0.5, 0.2), (3, 0.01, 0.01)])
def test_a_thickness_far_beyond_the_body_is_refused_with_both_lengths(size):
    for mesh in (box(size), subdivided(box(size))):
        with pytest.raises(InertiaError) as error:
            shell(mesh, 100.0)
        assert error.value.code == "bad_thickness"
        assert "100 m" in error.value.message
        assert " x ".join(f"{side:g}" for side in size) in error.value.message


SIZES = [(1, 1, 1), (1, 0.5, 0.2), (3, 0.01, 0.01), (1, 1, 1e-4)]


@pytest.mark.parametrize("size, thickness", sample(list(product(SIZES, [0.1, 0.5, 1.0, 2.0, 5.0, 20.0])), 12))
def test_a_box_of_any_thickness_is_a_possible_body_or_refused(size, thickness):
    try:
        found = shell(box(size), thickness)
    except InertiaError as error:
        assert error.code == "bad_thickness"
    else:
        assert found.moments.inertial(1000.0).findings() == ()
        assert found.error < 1.0


def crossing_plates(angle, length=1.0, width=0.4, times=2):
    """Two plates that share no vertex, one through the middle of the other."""
    plate = np.array([[-0.5, -0.5, 0], [0.5, -0.5, 0], [0.5, 0.5, 0], [-0.5, 0.5, 0]]) * (width, length, 0)
    first = plate, np.array([[0, 1, 2], [0, 2, 3]])
    for _ in range(times):
        first = subdivided(first)
    c, s = np.cos(angle), np.sin(angle)
    # Moved by parts of a face, so that no vertex or side lies on the other plate.
    second = (first[0] + (0.013, 0, 0)) @ np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]) + (0.007, 0, 0)
    return first, (second, first[1])


@pytest.mark.parametrize("degrees", [90.0, 30.0])
@pytest.mark.parametrize("times", [0, 3])
def test_plates_that_cross_are_reported_with_what_counts_twice(degrees, times):
    t, angle = 0.01, np.radians(degrees)
    first, second = crossing_plates(angle, times=times)
    mesh = (joined(first, second)[0] @ rotation(np.random.default_rng(4)).T, joined(first, second)[1])
    measured = measure_mesh(*mesh, "shell", thickness=t)
    overlap = t**2 / np.sin(angle)  # of a metre
    assert measured.moments.volume == pytest.approx(2 * 0.4 * t, rel=1e-12)
    (finding,) = (one for one in measured.findings if one.code == "crossing_faces")
    assert f"overlap by about {'0.1 L' if degrees == 90 else '0.2 L'}" in finding.message
    true_volume = 2 * 0.4 * t - overlap
    assert measured.error >= measured.moments.volume / true_volume - 1 - (overlap / true_volume) ** 2
    assert measured.error < 1.6 * overlap / true_volume
    alone = joined(first, (second[0] + (0, 0, 1), second[1]))
    assert "crossing_faces" not in codes(measure_mesh(*alone, "shell", thickness=t))


@pytest.mark.parametrize("x", [0.0, 0.15])
@pytest.mark.parametrize("times", [0, 3])
def test_the_error_of_plates_that_cross_holds_for_volume_and_tensor(x, times):
    t = 0.01
    first, second = crossing_plates(pi / 2, times=times)
    measured = measure_mesh(*joined(first, (second[0] + (x, 0.0, 0.0), second[1])), "shell", thickness=t)
    once = measured.moments + -mesh_moments(*box((t, 1.0, t), (x + 0.007 - t / 2, -0.5, -t / 2)))
    for whole, true in (
        (measured.moments.volume, once.volume),
        (np.trace(measured.moments.covariance), np.trace(once.covariance)),
    ):
        assert 1e-3 < whole / true - 1 < measured.error * 1.02 < 0.03
