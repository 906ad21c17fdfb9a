# SPDX-License-Identifier: GPL-3.0-or-later
"""The convex hull, whoever makes it, is closed, wound outward and around every vertex; or there is none."""

import sys
from itertools import combinations

import numpy as np
import pytest

from core import InertiaError, measure_mesh, mesh_moments
from core.mesh import hull
from core.mesh.surface import Surface

from ..exact import assert_same
from ..solids import L_CELLS, box, cells, inverted, polygon, prism, rotation, subdivided

NO_SCIPY = {"scipy": None, "scipy.spatial": None}  # what makes importing it fail


def every_plane(points):
    """Return the hull's triangles by trying every plane through three points: slow, and easy to believe."""
    faces = {}
    for triple in combinations(range(len(points)), 3):
        a, b, c = points[list(triple)]
        normal = np.cross(b - a, c - a)
        if np.linalg.norm(normal) < 1e-9:
            continue
        normal /= np.linalg.norm(normal)
        height = (points - a) @ normal
        if height.max() > 1e-9:
            normal, height = -normal, -height
        if height.max() <= 1e-9:
            faces[tuple(np.flatnonzero(height > -1e-9))] = normal
    triangles = []
    planes = np.bincount([point for on_plane in faces for point in on_plane], minlength=len(points))
    for there, normal in faces.items():
        on_plane = [point for point in there if planes[point] > 1]  # the others are inside this face
        around = points[on_plane] - points[on_plane].mean(axis=0)
        u = around[0] / np.linalg.norm(around[0])
        angle = np.arctan2(around @ np.cross(normal, u), around @ u)
        ring = np.array(on_plane)[np.argsort(angle)]
        triangles += [(ring[0], ring[i], ring[i + 1]) for i in range(1, len(ring) - 1)]
    return np.array(triangles)


@pytest.fixture
def provider(monkeypatch):
    """A stand-in for Blender, and no SciPy."""
    for name, module in NO_SCIPY.items():
        monkeypatch.setitem(sys.modules, name, module)
    before = dict(hull._providers)
    hull._providers.clear()
    hull.use_provider("every plane", every_plane)
    yield
    hull._providers.clear()
    hull._providers.update(before)


def measure(mesh):
    return measure_mesh(*mesh, method="hull")


@pytest.fixture(params=["SciPy", "every plane"])
def by(request):
    if request.param == "SciPy":
        pytest.importorskip("scipy", reason="SciPy is not installed here")
    else:
        request.getfixturevalue("provider")
    return request.param


@pytest.mark.parametrize("mesh", [box((1, 2, 3), (5, 6, 7)), prism(polygon(7))])
def test_a_convex_mesh_is_its_own_hull(mesh, by):
    found = measure(mesh)
    assert_same(found.moments, mesh_moments(*mesh))
    assert (found.method, found.error) == ("hull", 0.0)


def test_the_hull_of_an_l_is_a_wedge_prism(by):
    found = measure(cells(L_CELLS))
    assert found.moments.volume == pytest.approx(7.0, rel=1e-14)  # 3 x 3 less a corner triangle of 2 x 2 / 2
    (finding,) = found.findings
    assert (finding.severity, finding.code) == ("info", "convex_hull")
    assert f"by {by}" in finding.message
    assert "7 m³" in finding.message
    assert "5 m³" in finding.message


def test_the_hull_is_around_all_vertices_and_wound_outward(by):
    rng = np.random.default_rng(2)
    points = rng.normal(size=(14, 3)) * np.r_[np.ones(12), 10, 10][:, None]
    surface, name = hull.convex_hull(Surface(points, np.arange(12).reshape(-1, 3)))
    assert name == by
    used = points[:12]  # the last two, far outside, belong to no face
    assert np.abs(surface.vertices).max() == np.abs(used).max() < np.abs(points).max()
    corners = surface.vertices[surface.triangles]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    height = np.einsum("fpi,fi->fp", used[None] - corners[:, None, 0], normal)
    assert height.max() < 1e-12
    edges = np.concatenate([surface.triangles[:, [i, (i + 1) % 3]] for i in range(3)])
    assert {tuple(edge) for edge in edges.tolist()} == {(b, a) for a, b in edges.tolist()}
    assert mesh_moments(surface.vertices, surface.triangles).volume > 0.0


def test_holes_winding_and_soup_do_not_matter_to_a_hull(by):
    vertices, triangles = box((1, 2, 3))
    want = mesh_moments(vertices, triangles)
    assert_same(measure((vertices, triangles[3:])).moments, want)
    assert_same(measure(inverted((vertices, triangles))).moments, want)


def test_a_hull_anywhere_of_any_size_and_slenderness_is_found(by):
    rng = np.random.default_rng(3)
    vertices, triangles = box((1, 2, 3e-4), (-0.5, -1, -1.5e-4))
    for size in (1e-6, 1.0, 1e6):
        A, t = size * rotation(rng), size * np.array([30.0, -20.0, 10.0])
        assert_same(
            measure((vertices @ A.T + t, triangles)).moments, mesh_moments(vertices, triangles).transformed(A, t), 1e-10
        )


@pytest.mark.parametrize("turned", [False, True])
def test_vertices_in_a_plane_have_no_hull(by, turned):
    R = rotation(np.random.default_rng(4)) if turned else np.eye(3)
    flat = subdivided((np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0.0]]) @ R.T + 3.0, np.array([[0, 1, 2]])))
    for mesh in (flat, (flat[0].astype(np.float32), flat[1]), (np.ones((3, 3)), np.array([[0, 1, 2]]))):
        with pytest.raises(InertiaError) as error:
            measure(mesh)
        assert error.value.code == "zero_volume"
        assert f"its {len(mesh[0])} vertices lie in a plane" in error.value.message


def test_without_a_provider_there_is_no_hull(provider):
    assert measure(box()).moments.volume == pytest.approx(1.0)
    hull.use_provider("every plane", None)
    with pytest.raises(InertiaError) as error:
        measure(box())
    assert error.value.code == "no_hull"
    assert "scipy" in error.value.remedy


def test_a_hull_that_is_open_is_refused(provider):
    hull.use_provider("every plane", lambda points: every_plane(points)[1:])
    with pytest.raises(InertiaError) as error:
        measure(box())
    assert error.value.code == "no_hull"
    assert "every plane is open at 3 edges" in error.value.message


def test_a_hull_that_leaves_out_a_vertex_is_refused(provider):
    tetrahedron = np.array([[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]])
    hull.use_provider("every plane", lambda points: tetrahedron)
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1.0]])
    mesh = (corners, np.array([[0, 1, 2], [1, 3, 4]]))
    with pytest.raises(InertiaError) as error:
        measure(mesh)
    assert error.value.code == "no_hull"
    assert "leaves out" in error.value.message


def test_a_face_cut_along_the_wrong_diagonal_is_in_the_error(provider):
    rise = 1e-3
    corners = np.array([(x, y, z + rise * z * (x != y)) for x in (0, 1) for y in (0, 1) for z in (0, 1.0)])
    mesh = (corners, np.array([(0, 1, 2), (3, 4, 5), (5, 6, 7)]))
    want = measure(mesh)

    def dented(points):
        good = every_plane(points)
        top = [face for face in good.tolist() if set(face) <= {1, 3, 5, 7}]
        assert {frozenset(face) for face in top} == {frozenset((1, 3, 5)), frozenset((7, 3, 5))}
        return np.array([face for face in good.tolist() if face not in top] + [(1, 3, 7), (1, 5, 7)])

    hull.use_provider("every plane", dented)
    found = measure(mesh)
    # The tetrahedron between both ways to cut the top.
    assert want.moments.volume - found.moments.volume == pytest.approx(rise / 3, rel=1e-9)
    assert found.error == pytest.approx(5 / 3 * rise / 3, rel=1e-2)


def test_a_dent_is_in_the_error(provider):
    # A pyramid on a box, its tip left out: the missing share is known.
    tip = 0.0003
    corners = np.vstack([box()[0], [[0.5, 0.5, 1 + tip]]])
    mesh = (corners, np.vstack([box()[1], [(0, 1, 8)]]))
    want = 1 + tip / 3
    assert measure(mesh).moments.volume == pytest.approx(want, rel=1e-12)
    hull.use_provider("every plane", lambda points: every_plane(points[:8]))
    found = measure(mesh)
    assert found.moments.volume == pytest.approx(1.0, rel=1e-12)
    assert want - 1 < found.error < 30 * (want - 1)
