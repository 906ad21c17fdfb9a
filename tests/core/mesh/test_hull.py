# SPDX-License-Identifier: GPL-3.0-or-later
"""The convex hull is closed, and around every vertex or says how much it leaves out; or there is none."""

import sys

import numpy as np
import pytest

from core import InertiaError, measure_mesh, mesh_moments
from core.mesh import hull
from core.mesh.surface import Surface

from ..exact import assert_same
from ..solids import L_CELLS, SOLIDS, box, cells, inverted, polygon, prism, rotation, subdivided

SILENT = 1e-7
"""So much of its volume a hull may be off beyond what it says."""


def measure(mesh):
    return measure_mesh(*mesh, method="hull")


def in_faces(points):
    """Return points as a surface whose faces use all of them."""
    number = np.arange(-(-len(points) // 3) * 3) % len(points)
    return points, number.reshape(-1, 3)


@pytest.mark.parametrize("mesh", [box((1, 2, 3), (5, 6, 7)), prism(polygon(7))])
def test_a_convex_mesh_is_its_own_hull(mesh):
    found = measure(mesh)
    assert_same(found.moments, mesh_moments(*mesh))
    assert (found.method, found.error) == ("hull", 0.0)


def test_the_hull_of_an_l_is_a_wedge_prism():
    found = measure(cells(L_CELLS))
    assert found.moments.volume == pytest.approx(7.0, rel=1e-14)  # 3 x 3 less a corner triangle of 2 x 2 / 2
    (finding,) = found.findings
    assert (finding.severity, finding.code) == ("info", "convex_hull")
    assert "7 m³" in finding.message
    assert "5 m³" in finding.message


def test_the_hull_is_star_shaped_the_vertices_that_faces_use():
    rng = np.random.default_rng(2)
    points = rng.normal(size=(14, 3)) * np.r_[np.ones(12), 10, 10][:, None]
    surface = hull.convex_hull(Surface(points, np.arange(12).reshape(-1, 3)))
    used = points[:12]  # the last two, far outside, belong to no face
    assert np.abs(surface.vertices).max() == np.abs(used).max() < np.abs(points).max()
    assert_hull(surface.triangles, surface.vertices, 1e-14)


def assert_hull(triangles, points, room):
    """Assert that triangles are closed, wind once around the middle, and leave out no more than a share of volume.

    Every point is compared with every face. A closed surface on the points with none of them outside is their hull.
    """
    edges = np.concatenate([triangles[:, [i, (i + 1) % 3]] for i in range(3)]).tolist()
    assert len(edges) == len({tuple(edge) for edge in edges})
    assert {tuple(edge) for edge in edges} == {(b, a) for a, b in edges}
    a, b, c = (points[triangles[:, i]] - points.mean(axis=0) for i in range(3))
    # The solid angle of each face, by Van Oosterom & Strackee 1983.
    p, q, r = (np.linalg.norm(corner, axis=1) for corner in (a, b, c))
    normal = np.cross(b - a, c - a)
    below = p * q * r + (a * b).sum(axis=1) * r + (b * c).sum(axis=1) * p + (c * a).sum(axis=1) * q
    assert 2 * np.arctan2((a * normal).sum(axis=1), below).sum() == pytest.approx(4 * np.pi, rel=1e-6)
    length = np.linalg.norm(normal, axis=1)
    volume, area = (a * normal).sum() / 6, length.sum() / 2
    wide = length > 1e-9 * length.max()  # a face without area has no outside
    height = np.einsum("fpi,fi->fp", (points - points.mean(axis=0))[None] - a[wide, None], normal[wide])
    assert (height / length[wide, None]).max() * area <= room * volume


def lattice(rng):
    """Return the points of a few blocks of a lattice: many in one plane, many on one line, some there twice."""
    blocks = [np.indices(rng.integers(2, 6, 3)).reshape(3, -1).T + rng.integers(-3, 4, 3) for _ in range(4)]
    return np.concatenate(blocks[: rng.integers(1, 5)]).astype(float)


def scattered(rng):
    return rng.normal(size=(rng.integers(5, 300), 3))


def on_sphere(rng):
    points = scattered(rng)
    return points / np.linalg.norm(points, axis=1)[:, None]


def bulged(rng):
    """Return a cube's faces, cut finely, and a point just outside one."""
    points = subdivided(subdivided(box((2, 2, 2), (-1, -1, -1))))[0]
    return np.vstack([points, [[0.3, 0.1, 1 + 10.0 ** rng.uniform(-12, -2)]]])


def frustum(rng):
    return prism(polygon(rng.integers(3, 90)), -1, 1, rng.choice([1.0, 0.5, 0.999999]))[0]


def gear(_rng):
    return SOLIDS["gear"][0]


CLOUDS = [lattice, scattered, on_sphere, bulged, frustum, gear]
PLACES = {
    "as it is": ((1, 1, 1), 0.0, False),
    "tilted": ((1, 0.3, 0.1), 0.0, True),
    "needle": ((1, 1e-4, 1e-4), 0.0, True),
    "plate": ((1, 1, 1e-6), 0.0, True),
    "far": ((1, 0.3, 0.1), 1e6, True),
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("cloud", CLOUDS, ids=lambda cloud: cloud.__name__)
def test_no_hull_is_off_in_silence(cloud, place):
    size, far, tilted = PLACES[place]
    for seed in range(10):
        rng = np.random.default_rng(seed)
        plain = cloud(rng)
        # A linear map takes hulls to hulls: so it is judged where the points are not thin.
        A, t = (rotation(rng) if tilted else np.eye(3)) * size, far * rng.normal(size=3)
        points, number = np.unique(plain @ A.T + t, axis=0, return_index=True)
        try:
            found = hull.convex_hull(Surface(*in_faces(points)))
        except InertiaError as error:
            assert (error.code, place) == ("zero_volume", "plate")
            assert np.linalg.svd(points - points.mean(axis=0), compute_uv=False)[2] < 1e-6 * np.ptp(points)
            continue
        assert (found.vertices == points).all()
        error = measure_mesh(*in_faces(points), method="hull").error
        # A coordinate is rounded by this; and in its proper frame a thin body shows that as so much more.
        rounding = 8 * float(np.spacing(np.abs(points).max())) / min(size)
        assert_hull(found.triangles, plain[number], SILENT + error + rounding)


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_a_hull_of_any_size_and_slenderness_has_the_moments_of_the_box(size):
    rng = np.random.default_rng(3)
    vertices, triangles = subdivided(box((1, 2, 3e-4), (-0.5, -1, -1.5e-4)))
    A, t = size * rotation(rng), size * np.array([30.0, -20.0, 10.0])
    want = mesh_moments(vertices, triangles).transformed(A, t)
    assert_same(measure((vertices @ A.T + t, triangles)).moments, want, 1e-10)


def test_holes_winding_and_soup_do_not_matter_to_a_hull():
    vertices, triangles = box((1, 2, 3))
    want = mesh_moments(vertices, triangles)
    assert_same(measure((vertices, triangles[3:])).moments, want)
    assert_same(measure(inverted((vertices, triangles))).moments, want)


@pytest.mark.parametrize("bulge", [1e-8, 1e-9, 1e-11])
def test_a_vertex_that_is_left_outside_is_in_the_error(bulge):
    # Manifold leaves it out. The missing pyramid is known.
    corners, triangles = box()
    mesh = np.vstack([corners, [[0.5, 0.5, 1 + bulge]]]), np.vstack([triangles, [(0, 1, 8)]])
    found = measure(mesh)
    assert found.moments.volume == pytest.approx(1.0, rel=1e-12)
    assert bulge / 3 < found.error < 30 * bulge / 3
    assert measure((np.vstack([corners, [[0.5, 0.5, 1.001]]]), mesh[1])).moments.volume == pytest.approx(1 + 0.001 / 3)


@pytest.mark.parametrize("turned", [False, True])
def test_vertices_in_a_plane_have_no_hull(turned):
    R = rotation(np.random.default_rng(4)) if turned else np.eye(3)
    flat = subdivided((np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0.0]]) @ R.T + 3.0, np.array([[0, 1, 2]])))
    single = flat[0].astype(np.float32)
    seven_digits = np.array([[float(f"{x:.6e}") for x in point] for point in (flat[0] - 3.0).tolist()])
    for points in (flat[0], single, single.astype(np.float64), seven_digits, np.ones((6, 3)), flat[0] + 1e6):
        with pytest.raises(InertiaError) as error:
            measure((points, flat[1]))
        assert error.value.code == "zero_volume"
        assert f"its {len(points)} vertices lie in a plane" in error.value.message


def test_the_same_points_have_the_same_hull_to_the_bit():
    surface = Surface(*in_faces(lattice(np.random.default_rng(7))))
    one, other = hull.convex_hull(surface), hull.convex_hull(surface)
    assert (one.triangles == other.triangles).all()
    assert (one.vertices == other.vertices).all()


@pytest.mark.fault(215)
def test_without_the_library_there_is_no_hull(monkeypatch):
    assert measure(box()).moments.volume == pytest.approx(1.0)
    monkeypatch.setitem(sys.modules, "manifold3d", None)
    with pytest.raises(InertiaError) as error:
        measure(box())
    assert error.value.code == "missing_library"
    assert "pip install manifold3d" in error.value.remedy
    with pytest.raises(InertiaError) as error:
        hull.simplified(Surface(*box()), 0.1)
    assert error.value.code == "missing_library"
