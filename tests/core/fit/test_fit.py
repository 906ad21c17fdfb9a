# SPDX-License-Identifier: GPL-3.0-or-later
"""Fitted primitives: a mesh of a primitive gives it back however it lies; what else, by its moments or around it."""

from functools import cache
from itertools import product
from math import cos, pi, sin, sqrt

import numpy as np
import pytest
import trimesh

from core.body.moments import Moments
from core.body.shapes import SHAPES, Box, Capsule, Cone, Cylinder, Ellipsoid, Sphere
from core.body.shapes.cloud import smallest_ball
from core.errors import InertiaError
from core.fit.primitive import fit_best, fit_primitive, own_axes_fit
from core.mesh.surface import Surface

from ...thorough import THOROUGH, sample

N = 32
"""Sides of round meshes."""

SIZES = {
    "sphere": (1.0,),
    "box": (1.0, 2.0, 3.0),
    "cylinder": (1.0, 2.0),
    "capsule": (0.5, 2.0),
    "cone": (1.0, 2.0),
    "ellipsoid": (1.0, 2.0, 3.0),
}


def rotation(seed):
    q = np.random.default_rng(seed).normal(size=4)
    return trimesh.transformations.quaternion_matrix(q)[:3, :3]


def unknown(kind):
    """Return the failure of a test with a shape that this file has no truth for."""
    places = "SIZES, mesh, sizes, beyond, EXACT and outline"
    return pytest.fail.Exception(f"The shape {kind!r} is new: add it to {places} in tests/core/fit/test_fit.py.", False)


@cache
def mesh(kind):
    """Return a mesh inscribed in the primitive, along z, by trimesh."""
    if kind not in SIZES:
        raise unknown(kind)
    creation = trimesh.creation
    if kind == "box":
        return creation.box(SIZES["box"])
    if kind == "sphere":
        return creation.icosphere(3, 1.0)
    if kind == "cylinder":
        return creation.cylinder(1.0, 2.0, sections=N)
    if kind == "capsule":
        return creation.capsule(2.0, 0.5, count=[N, N])
    if kind == "cone":
        return creation.cone(1.0, 2.0, sections=N)
    if kind == "ellipsoid":
        return creation.icosphere(3, 1.0).apply_scale(SIZES["ellipsoid"])
    raise unknown(kind)


def surface(found, seed=None, noise=0.0):
    vertices = found.vertices.view(np.ndarray).astype(float)
    if noise:
        vertices = vertices + np.random.default_rng(1).normal(scale=noise, size=vertices.shape)
    if seed is not None:
        vertices = vertices @ rotation(seed).T + [3.0, -2.0, 5.0]
    return Surface(vertices, found.faces.view(np.ndarray))


def sizes(shape):
    if isinstance(shape, Box):
        return sorted(shape.size)
    if isinstance(shape, Ellipsoid):
        return sorted(shape.radii)
    if isinstance(shape, Sphere):
        return [shape.radius]
    if isinstance(shape, (Cylinder, Capsule, Cone)):
        return [shape.radius, shape.length]
    raise unknown(shape.kind)


def test_these_tests_know_every_shape():
    for kind in SHAPES:  # also those that a quick run leaves out of the lists below
        assert mesh(kind).is_watertight


@pytest.mark.parametrize("seed", [None, 1] if THOROUGH else [1])
@pytest.mark.parametrize("kind", SHAPES)
def test_a_primitives_mesh_gives_it_back_however_it_lies(kind, seed):
    around = fit_best(surface(mesh(kind), seed), "enclosing")
    same = fit_best(surface(mesh(kind), seed), "volume")
    assert around.shape.kind == same.shape.kind == kind
    # An ellipsoid that is no ball touches its mesh's box, not its corners, so it may be a little larger.
    assert sizes(around.shape) == pytest.approx(SIZES[kind], rel=6e-3 if kind == "ellipsoid" else 1e-6)
    # The inscribed mesh misses sin(2π/n)/(2π/n) or so of a circle's area.
    assert sizes(same.shape) == pytest.approx(SIZES[kind], rel=1e-9 if kind == "box" else 2 * (pi / N) ** 2)
    assert same.volume_ratio == pytest.approx(1.0, rel=1e-12)
    assert same.centroid_offset < 1e-9
    assert same.error < around.error + 1e-12 < 0.04
    assert same.inertia_difference < 2e-3


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("rule", ["volume", "enclosing"])
def test_a_cube_has_no_principal_axes_but_is_found(seed, rule):
    fit = fit_best(surface(trimesh.creation.box((2, 2, 2)), seed), rule)
    assert sizes(fit.shape) == pytest.approx([2, 2, 2], rel=1e-9)
    assert fit.error < 1e-9
    # Each of its axes is one of the cube's.
    assert np.sort(np.abs(rotation(seed).T @ fit.pose.R), axis=0)[:2] == pytest.approx(np.zeros((2, 3)), abs=1e-9)


def test_a_cylinder_as_round_in_all_moments_is_found_by_its_ends():
    found = trimesh.creation.cylinder(1.0, sqrt(3.0), sections=2 * N)
    moments = np.linalg.eigvalsh(found.moment_inertia)
    assert moments[2] / moments[0] == pytest.approx(1.0, abs=1e-3)
    fit = fit_best(surface(found, 5), "enclosing")
    assert isinstance(fit.shape, Cylinder)
    assert sizes(fit.shape) == pytest.approx([1.0, sqrt(3.0)], rel=1e-6)
    assert abs(fit.pose.R[:, 2] @ rotation(5)[:, 2]) == pytest.approx(1.0, abs=1e-9)


def test_a_cones_apex_is_where_the_meshs_is():
    for seed in range(2 if THOROUGH else 1):
        fit = fit_primitive(surface(mesh("cone"), seed), "cone", "enclosing")
        apex = fit.pose.R @ [0, 0, fit.shape.length / 2] + fit.pose.p  # type: ignore[attr-defined]
        assert apex == pytest.approx(rotation(seed) @ [0, 0, 2] + [3, -2, 5], abs=1e-6)


@pytest.mark.parametrize("kind, what", sample(list(product(SHAPES, ["box", "cone", "l-shape", "dense"])), 8))
def test_what_encloses_leaves_no_vertex_outside(kind, what):
    if what == "l-shape":
        found = trimesh.util.concatenate([mesh("box"), trimesh.creation.box((3, 1, 1)).apply_translation([2, 1, 2])])
    elif what == "dense":  # more vertices than the search for the frame uses
        found = trimesh.creation.icosphere(4, 1.0).apply_scale([1, 1.5, 4])
    else:
        found = mesh(what)
    placed = surface(found, 3)
    try:
        fit = fit_primitive(placed, kind, "enclosing")
    except InertiaError as error:
        assert (error.code, kind) == ("no_fit", "capsule")
        return
    inside = (placed.vertices - fit.pose.p) @ fit.pose.R
    assert beyond(fit.shape, inside) < 1e-9
    assert fit.volume_ratio >= 1.0 - 1e-9


def beyond(shape, points):
    """Return how far the farthest point is outside, by each shape's own inequality."""
    if isinstance(shape, Box):
        return (np.abs(points) - np.array(shape.size) / 2).max()
    if isinstance(shape, Sphere):
        return np.linalg.norm(points, axis=1).max() - shape.radius
    if isinstance(shape, Ellipsoid):
        return np.linalg.norm(points / shape.radii, axis=1).max() - 1
    if not isinstance(shape, (Cylinder, Capsule, Cone)):
        raise unknown(shape.kind)
    across, z, half = np.hypot(*points[:, :2].T), points[:, 2], shape.length / 2
    if isinstance(shape, Cylinder):
        return max(across.max() - shape.radius, np.abs(z).max() - half)
    if isinstance(shape, Capsule):
        axis = points - [0, 0, 1] * np.clip(z, -half, half)[:, None]
        return np.linalg.norm(axis, axis=1).max() - shape.radius
    room = shape.radius * (half - z) / shape.length
    return max((across - room).max(), (-half - z).max())


@pytest.mark.parametrize("kind", SHAPES)
def test_the_same_volume_is_the_same_volume_about_the_same_centroid(kind):
    parts = [mesh("box"), trimesh.creation.box((1, 1, 9)).apply_translation([1, 0, 6])]
    fit = fit_primitive(surface(trimesh.util.concatenate(parts), 7), kind, "volume")
    assert fit.volume_ratio == pytest.approx(1.0, rel=1e-9)
    assert fit.centroid_offset < 1e-9
    assert fit.moments().volume == pytest.approx(15.0)


def test_a_noisy_box_is_a_box_still():
    fine = mesh("box").subdivide().subdivide().subdivide()
    fit = fit_best(surface(fine, 11, noise=0.01), "volume")
    assert isinstance(fit.shape, Box)
    assert sizes(fit.shape) == pytest.approx([1, 2, 3], rel=0.01)
    assert np.sort(np.abs(rotation(11).T @ fit.pose.R), axis=0)[2] == pytest.approx(np.ones(3), abs=1e-3)


def test_a_box_without_a_lid_is_a_box_by_the_moments_of_its_hull():
    box = mesh("box")
    opened = Surface(surface(box, 2).vertices, box.faces.view(np.ndarray)[:-2])
    hull = Moments(6.0, rotation(2) @ np.zeros(3) + [3, -2, 5], rotation(2) @ np.diag([0.5, 2, 4.5]) @ rotation(2).T)
    for rule in ("volume", "enclosing"):
        fit = fit_best(opened, rule, hull)
        assert sizes(fit.shape) == pytest.approx([1, 2, 3], rel=1e-9)


def test_axes_stay_as_near_the_meshs_own_as_they_can():
    box = fit_best(surface(mesh("box")))
    assert pytest.approx(np.eye(3), abs=1e-12) == box.pose.R
    assert box.shape.size == pytest.approx((1, 2, 3))  # type: ignore[attr-defined]
    inside_out = Surface(surface(mesh("box")).vertices, mesh("box").faces.view(np.ndarray)[:, ::-1])
    assert fit_best(inside_out).shape == box.shape
    assert pytest.approx(np.eye(3), abs=1e-12) == fit_best(surface(mesh("cylinder"))).pose.R
    tilted = trimesh.creation.box((1, 2, 3)).apply_transform(trimesh.transformations.rotation_matrix(0.1, [1, 2, 3]))
    angle = np.arccos((np.trace(fit_best(surface(tilted)).pose.R) - 1) / 2)
    assert angle == pytest.approx(0.1, abs=1e-6)


def test_errors_are_the_volume_between():
    # A ball of the volume of a cube: what of one is outside the other, by counting points on a fine grid.
    fit = fit_primitive(surface(trimesh.creation.box((2, 2, 2))), "sphere", "volume")
    grid = (np.arange(100) + 0.5) / 100 * 1.25
    x, y, z = np.meshgrid(grid, grid, grid, sparse=True)
    cube, ball = np.maximum(np.maximum(x, y), z) < 1.0, x * x + y * y + z * z < fit.shape.radius**2  # type: ignore[attr-defined]
    between = (cube ^ ball).mean() * 1.25**3 * 8 / 8.0
    # A distance times the mesh's area is the volume between where the two are parallel, and more where they are not.
    assert between < fit.error < 1.6 * between


def test_own_axes_are_taken_where_the_extents_are_those_of_the_shape():
    fit = own_axes_fit(surface(mesh("cylinder")), "cylinder")
    assert sizes(fit.shape) == pytest.approx([1.0, 2.0])
    assert fit.error == pytest.approx(1 / (N / pi * sin(pi / N) * cos(pi / N)) - 1, rel=1e-3)
    skew = own_axes_fit(surface(trimesh.creation.box((4, 1, 1)), 3), "box")
    assert skew.volume_ratio > 1.5 and skew.error > 0.5
    for kind in ("sphere", "cylinder", "cone", "capsule"):
        with pytest.raises(InertiaError, match="no_fit"):
            own_axes_fit(surface(mesh("box")), kind)


def test_what_no_primitive_is_like_is_refused():
    sheet = Surface(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0.0]]), np.array([[0, 1, 2]]))
    with pytest.raises(InertiaError, match="zero_volume"):
        fit_best(sheet)
    with pytest.raises(InertiaError, match="no_fit"):
        fit_primitive(surface(trimesh.creation.box((1, 1, 1))), "capsule", "volume")


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("dimension", [2, 3])
def test_no_ball_that_holds_the_points_is_smaller(seed, dimension):
    points = np.random.default_rng(seed).normal(size=(40, dimension))
    centre, radius = smallest_ball(points)
    assert np.linalg.norm(points - centre, axis=1).max() == pytest.approx(radius)
    # It is smallest if its centre is within the hull of the points on it (Kuhn-Tucker): no direction leads away.
    held = points[np.linalg.norm(points - centre, axis=1) > radius * (1 - 1e-7)] - centre
    directions = np.random.default_rng(seed).normal(size=(200, dimension))
    assert ((held @ directions.T).max(axis=0) > -1e-7).all()


def test_a_ball_round_points_on_a_ball_is_that_ball():
    turn = np.linspace(0, 2 * pi, 101)
    centre, radius = smallest_ball(np.stack([5 + np.cos(turn), np.sin(turn)], axis=1))
    assert (radius, *centre) == pytest.approx((1, 5, 0), abs=1e-9)


EXACT = {
    "sphere": Sphere(1.5),
    "box": Box((1, 2, 3)),
    "cylinder": Cylinder(1.0, 3.0),
    "capsule": Capsule(0.5, 2.0),
    "cone": Cone(1.0, 2.0),
}
"""All but the ellipsoid, whose distance is right only near it."""


def outline(shape):
    """Return points on the surface, densely, by its own equations."""
    turn = np.linspace(0, 2 * pi, 181)
    s = np.linspace(0, 1, 181)
    if isinstance(shape, Box):
        half = np.array(shape.size) / 2
        u, v = np.meshgrid(np.linspace(-1, 1, 181), np.linspace(-1, 1, 181))
        faces = [np.roll(np.stack([u, v, np.full_like(u, side)], -1), k, -1) for k in range(3) for side in (-1, 1)]
        return np.concatenate([face.reshape(-1, 3) for face in faces]) * half
    if not isinstance(shape, (Sphere, Cylinder, Capsule, Cone)):
        raise unknown(shape.kind)
    r = shape.radius
    half = 0.0 if isinstance(shape, Sphere) else shape.length / 2  # type: ignore[assignment]
    arc = np.array([[r * cos(a), half + r * sin(a)] for a in s * pi / 2])
    side = {
        "sphere": arc,
        "capsule": np.concatenate([arc, np.stack([0 * s + r, s * half], 1)]),
        "cylinder": np.concatenate([np.stack([r * s, 0 * s + half], 1), np.stack([0 * s + r, s * half], 1)]),
        "cone": np.concatenate([np.stack([r * s, 0 * s - half], 1), np.stack([r * (1 - s), -half + 2 * half * s], 1)]),
    }[shape.kind]
    if shape.kind != "cone":
        side = np.concatenate([side, side * [1, -1]])
    return np.concatenate([np.stack([side[:, 0] * cos(a), side[:, 0] * sin(a), side[:, 1]], 1) for a in turn])


@pytest.mark.parametrize("kind", [kind for kind in SHAPES if kind != "ellipsoid"])
def test_distances_are_those_of_the_nearest_point(kind):
    if kind not in EXACT:
        raise unknown(kind)
    shape = EXACT[kind]
    points = np.random.default_rng(0).uniform(-2.5, 2.5, (60, 3))
    dense = outline(shape)
    squares = (dense**2).sum(axis=1)
    nearest = np.sqrt([(squares - dense @ (2 * point)).min() + point @ point for point in points])
    # Points on the outline are 0.03 apart or less: (0.03/2)² / 2 / distance too far at most.
    found = shape.distance(points)
    assert np.abs(found) == pytest.approx(nearest, abs=0.012)
    assert np.abs(shape.distance(dense)).max() < 1e-12
    # Negative inside, and nowhere else: by each shape's own inequality.
    inside = np.array([beyond(shape, point[None]) < 0 for point in points])
    assert 0 < inside.sum() < len(points)
    assert ((found < 0) == inside).all()


def test_an_ellipsoids_distance_is_right_near_it():
    shape = Ellipsoid((1.0, 2.0, 3.0))
    turn = np.random.default_rng(0).normal(size=(50, 3))
    on = turn / np.linalg.norm(turn, axis=1)[:, None] * shape.radii
    normal = on / np.array(shape.radii) ** 2
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    assert shape.distance(on + 0.01 * normal) == pytest.approx(np.full(50, 0.01), rel=0.02)
    assert shape.distance(on - 0.01 * normal) == pytest.approx(np.full(50, -0.01), rel=0.02)
    assert shape.distance(np.zeros((1, 3))) == pytest.approx([-1.0])
