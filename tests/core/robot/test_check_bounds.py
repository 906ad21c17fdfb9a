# SPDX-License-Identifier: GPL-3.0-or-later
"""No body that lies in its geometry is accused, whatever its density; the usual faults are found."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import Inertial, Pose
from core.body.inertial import steiner
from core.body.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, Sphere
from core.judge.geometry.given_inertial import find_doubts
from core.judge.geometry.plausibility import implausible
from core.judge.geometry.templates import template
from core.mesh.surface import Surface
from core.robot.extent import Extent, SeenBody, extent_of
from core.robot.model import Collision, Link, Mesh
from core.robot.resolve import resolve_link

from ...thorough import many
from ..solids import box, rotation

seeds = st.integers(0, 2**32 - 1)


def codes(body, seen, strict=False):
    return [finding.code for finding in implausible(body, seen, strict)]


def points_as_body(points, masses):
    """A body of point masses: the extreme case of an uneven density."""
    mass = masses.sum()
    com = masses @ points / mass
    return Inertial(mass, com, sum(m * steiner(p - com) for m, p in zip(masses, points, strict=True)))


def shapes(rng):
    a, b, c = 10.0 ** rng.uniform(-2, 0.5, 3)
    return [Box((a, b, c)), Sphere(a), Ellipsoid((a, b, c)), Cylinder(a, b), Cone(a, b), Capsule(a, b)]


@pytest.mark.fault(38, 109)
@given(seeds)
def test_masses_anywhere_in_a_box_break_no_bound_even_in_strict(seed):
    rng = np.random.default_rng(seed)
    low = rng.uniform(-5, 5, 3)
    extent = Extent(low, low + 10.0 ** rng.uniform(-2, 1, 3))
    corners = rng.random((8, 3)).round() if seed % 2 else rng.random((8, 3))
    body = points_as_body(extent.low + corners * extent.sides, 10.0 ** rng.uniform(-1, 1, 8))
    assert "impossible_spread" not in codes(body, SeenBody(extent))
    found = set(codes(body, SeenBody(extent), strict=True))
    assert not found & {"radius_of_gyration", "com_outside", "padded_diagonal"}


@given(seeds)
def test_a_uniform_body_has_no_finding_even_in_strict(seed):
    rng = np.random.default_rng(seed)
    density = 10.0 ** rng.uniform(1.5, 4.3)
    for geometry in shapes(rng):
        part = Collision("c", Pose(rotation(rng), rng.uniform(-3, 3, 3)), geometry, density=density)
        body = resolve_link(Link("l", mode="filled", collisions=(part,)))
        seen = SeenBody(extent_of([part]), body.volume, body.inertial)
        assert codes(body.inertial, seen, strict=True) == []


@given(seeds)
def test_an_extent_holds_its_geometry_and_touches_it(seed):
    rng = np.random.default_rng(seed)
    R, p = rotation(rng), rng.uniform(-1, 1, 3)
    directions = rng.normal(size=(2000, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    for geometry in shapes(rng):
        extent = extent_of([Collision("c", Pose(R, p), geometry)])
        local = surface_points(geometry, directions)
        points = local @ R.T + p
        assert np.all(points >= extent.low - 1e-9) and np.all(points <= extent.high + 1e-9)
        if not isinstance(geometry, Cone):
            slack = np.maximum(points.min(axis=0) - extent.low, extent.high - points.max(axis=0))
            assert np.all(slack < 0.2 * extent.sides)


def surface_points(geometry, directions):
    """Points of a shape's surface, from random directions."""
    if isinstance(geometry, Box):
        return np.sign(directions) * np.array(geometry.size) / 2
    if isinstance(geometry, Sphere):
        return directions * geometry.radius
    if isinstance(geometry, Ellipsoid):
        return directions * np.array(geometry.radii)
    ends = np.sign(directions[:, 2:]) * geometry.length / 2 * [0, 0, 1]
    if isinstance(geometry, Capsule):
        return ends + directions * geometry.radius
    rim = directions[:, :2] / np.linalg.norm(directions[:, :2], axis=1)[:, None] * geometry.radius
    if isinstance(geometry, Cone):
        rim = np.where(ends[:, 2:] > 0, 0.0, rim)
    return np.column_stack([rim, ends[:, 2]])


def test_a_mirrored_mesh_has_the_mirrored_extent():
    surface = Surface(np.array([[0.0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]]), np.array([[0, 1, 2], [0, 2, 3]]))
    extent = extent_of([Collision("c", Pose(np.eye(3), [10, 0, 0]), Mesh(surface, np.diag([-1.0, 1, 1])))])
    np.testing.assert_allclose([extent.low, extent.high], [[9, 0, 0], [10, 2, 3]])


BOX = Box((0.4, 0.2, 0.1))
SEEN = SeenBody(extent_of([Collision("c", Pose.identity, BOX)]), BOX.moments().volume, BOX.moments().inertial(1000.0))
GOOD = BOX.moments().inertial(2700.0)


def changed(mass=1.0, com=(0, 0, 0), inertia=1.0):
    return Inertial(GOOD.mass * mass, com, GOOD.inertia * inertia)


def test_the_example_is_good():
    assert codes(GOOD, SEEN) == codes(GOOD, SEEN, strict=True) == []


def test_numbers_in_other_units_are_suspected():
    for factor in (1e3, 1e6, 1e9):
        assert codes(changed(inertia=factor), SEEN) == ["inertial_unit"]
        assert codes(changed(inertia=1.0 / factor), SEEN) == ["unit_suspicion"]  # converted once too often
    assert codes(changed(mass=1e3, inertia=1e3), SEEN) == ["inertial_unit"]
    assert codes(changed(com=(100, 20, 0)), SEEN) == ["unit_suspicion"]


@pytest.mark.fault(29)
def test_a_mesh_in_millimetres_is_the_one_cause_of_all_that_is_odd():
    large = Box((400.0, 200.0, 100.0))
    seen = SeenBody(extent_of([Collision("c", Pose.identity, large)]), large.moments().volume, None)
    found = implausible(changed(com=(0.1, 0, 0)), seen)
    assert [(finding.severity, finding.code) for finding in found] == [("error", "geometry_unit")]
    assert "0.001" in found[0].remedy


def test_a_centre_outside_is_found_and_a_little_outside_in_strict():
    assert codes(changed(com=(0.3, 0, 0)), SEEN) == ["com_outside"]
    assert codes(changed(com=(0.21, 0, 0)), SEEN) == []
    assert "com_outside" in codes(changed(com=(0.21, 0, 0)), SEEN, strict=True)


@pytest.mark.parametrize("density, found", [(5, 1), (11, 0), (24_000, 0), (26_000, 1)])
def test_a_density_outside_of_all_materials_is_found(density, found):
    body = BOX.moments().inertial(density)
    assert codes(body, SEEN) == ["implied_density"] * found


def test_contact_spheres_alone_do_not_make_a_link_too_dense():
    # Four small spheres at the corners of a 10 kg body: only in strict is their own volume compared.
    spheres = [Collision(f"{x}{y}", Pose(np.eye(3), [x, y, 0]), Sphere(0.01)) for x in (-0.2, 0.2) for y in (-0.2, 0.2)]
    volume = 4 * Sphere(0.01).moments().volume
    body = Inertial(10.0, np.zeros(3), np.diag([0.1, 0.1, 0.15]))
    assert "implied_density" not in codes(body, SeenBody(extent_of(spheres), volume))
    assert "implied_density" in codes(body, SeenBody(extent_of(spheres), volume), strict=True)


@pytest.mark.fault(38)
def test_moments_that_no_body_of_this_size_has_name_the_axis():
    body = Inertial(1.0, np.zeros(3), np.diag([0.2, 0.05, 0.2]))
    found = implausible(body, SEEN)
    assert [finding.code for finding in found] == ["radius_of_gyration"]
    assert "about x is 0.4472 m" in found[0].message


def test_a_tensor_filled_with_one_round_number_is_named_as_filler():
    assert codes(Inertial(1.0, np.zeros(3), 0.2 * np.eye(3)), SEEN) == ["padded_diagonal"]
    # Near the uniform body's, yet mass at the surface alone cannot be spread so far along z.
    assert codes(Inertial(1.0, np.zeros(3), 0.01 * np.eye(3)), SEEN) == ["padded_diagonal"]


@pytest.mark.parametrize("moments", [(1, 1, 1), (1 / 6, 1 / 6, 1 / 6), (0.14583, 0.14583, 0.125)])
def test_templates_are_recognised(moments):
    body = Inertial(1.0, np.zeros(3), np.diag(moments))
    assert template(body) is not None
    assert codes(body, SEEN) == ["template_tensor"]


def test_the_solid_box_round_a_slender_mesh_is_reported_in_strict():
    pole = Cylinder(0.02, 1.0)
    part = Collision("c", Pose.from_sdf([0, 0, 0, 0.7, 0, 0]), pole)
    seen = SeenBody(extent_of([part]), pole.moments().volume, pole.moments().inertial(1000.0).transformed(part.pose))
    body = seen.extent.filled(2.0)
    assert codes(body, seen) == []
    assert "bounding_box_tensor" in codes(body, seen, strict=True)


def test_a_heavy_motor_in_a_light_tube_is_not_a_fault():
    motor = Inertial(2.0, [-0.15, 0, 0], 2.0 / 6 * 0.05**2 * np.eye(3))
    assert codes(motor + BOX.moments().inertial(50.0), SEEN) == []


def test_without_geometry_nothing_is_reported():
    assert find_doubts(changed(mass=1e9, inertia=1e-9), (), tuple, lambda: None).findings == ()


@pytest.mark.parametrize(
    "sides", [(1e-160, 1e-160, 0.02), (1.0, 0.02, 0.0), (1e154, 1.0, 1.0), (1e-30, 1e-30, 1e-30), (1e200, 1e-200, 1.0)]
)
def test_geometry_of_absurd_size_is_still_judged(sides):
    # Volumes that are 0 as a number, and radii whose squares are too large for one.
    body = Inertial(16.0, np.zeros(3), np.diag([0.672, 0.134, 0.778]))
    with np.errstate(over="ignore"):
        found = [codes(body, SeenBody(Extent(np.zeros(3), np.array(sides))), strict) for strict in (False, True)]
    assert all(map(all, found))


def test_next_to_no_mass_in_a_huge_box_is_still_judged():
    body = Inertial(1e-300, np.zeros(3), np.diag([1e-3, 2e-3, 2.5e-3]))
    assert codes(body, SeenBody(Extent(np.full(3, -1e60), np.full(3, 1e60)))) == ["radius_of_gyration"]


BALL = Box((0.2, 0.2, 0.2))


@pytest.mark.fault(109)
@pytest.mark.parametrize("mass", [0.3, 1.0, 20.0])
@pytest.mark.parametrize(
    "com, moments, found",
    [
        ((0, 0, 0), (1 / 150, 1 / 150, 1 / 150), []),
        ((0.09, 0, 0), (0.006, 0.008, 0.008), ["impossible_spread"]),  # xx = 0.005, and at most 0.0019 is possible
        ((0.09, 0.09, 0.09), (0.006, 0.006, 0.006), ["impossible_spread"]),
        ((0.09, 0, 0), (0.006, 0.0035, 0.0035), []),
    ],
)
def test_mass_is_spread_no_farther_than_the_box_allows(mass, com, moments, found):
    """From the variance of mass between two planes: at most (hi - c)(c - lo)."""
    seen = SeenBody(extent_of([Collision("c", Pose.identity, BALL)]))
    assert codes(Inertial(mass, com, mass * np.diag(moments)), seen) == found


@pytest.mark.fault(109)
@pytest.mark.parametrize(("thickness", "found"), [(0.02, []), (0.06, ["impossible_spread"])])
@pytest.mark.parametrize("as_mesh", [False, True])
def test_mass_is_spread_no_farther_than_a_turned_plate_allows(thickness, found, as_mesh):
    """The box around a plate turned by 45 degrees is wide in both link axes, the plate is not."""
    R = Pose.from_sdf([0, 0, 0, 0, 0, np.pi / 4]).R
    given_plate = Box((0.4, thickness, 0.1)).moments().inertial(1000.0).transformed(Pose(R, np.zeros(3)))
    geometry = (
        Mesh(Surface(*box((0.4, 0.02, 0.1), (-0.2, -0.01, -0.05))), np.eye(3)) if as_mesh else Box((0.4, 0.02, 0.1))
    )
    parts = [Collision("c", Pose(R, np.zeros(3)), geometry)]
    seen = SeenBody(extent_of(parts), along=partial(extent_of, parts))
    assert codes(given_plate, seen) == found


@pytest.mark.fault(109)
@given(seeds)
def test_random_masses_in_a_convex_shape_are_never_spread_too_far(seed):
    """Any points of any mass in a turned solid, down to its surface: the bound is exact, so no margin is needed."""
    random = np.random.default_rng(seed)
    X = Pose(rotation(random), random.uniform(-0.5, 0.5, 3))
    corners = random.standard_normal((8, 3)) * random.uniform(0.02, 0.5, 3)
    unit = random.standard_normal((12, 3))
    unit /= np.linalg.norm(unit, axis=1)[:, None] / random.uniform(0.5, 1.0, (12, 1)) ** random.integers(0, 2)
    a, b, c = (float(size) for size in random.uniform(0.02, 0.5, 3))
    round_edge = np.hypot(unit[:, 0], unit[:, 1])[:, None]
    shape, points = [
        (
            Mesh(Surface(corners, np.array([[0, 1, 2], [3, 4, 5], [5, 6, 7]])), np.eye(3)),
            random.dirichlet(np.ones(8), 12) @ corners,
        ),
        (Sphere(a), unit * a),
        (Ellipsoid((a, b, c)), unit * (a, b, c)),
        (Cylinder(a, b), np.column_stack([unit[:, :2] / round_edge * a, random.uniform(-b / 2, b / 2, 12)])),
    ][seed % 4]
    body = points_as_body(points, random.exponential(1.0, 12) ** 3)
    parts = [Collision("c", X, shape)]
    seen = SeenBody(extent_of(parts), along=partial(extent_of, parts))
    assert "impossible_spread" not in codes(body.transformed(X), seen)


@pytest.mark.fault(109)
def test_rounding_to_few_digits_spreads_no_mass_too_far():
    """Of the second moment of a thin plate rounding leaves nothing: it is the difference of far larger numbers."""
    random, off = np.random.default_rng(4), 0
    for number in range(many(400, 80)):
        sides = random.permutation([10.0 ** random.uniform(-3.0, -1.0), *random.uniform(0.05, 1.0, 2)])
        R = rotation(random) if number % 2 else np.eye(3)
        plate = Box(tuple(sides)).moments().inertial(1000.0)
        digits = (2, 3, 4, 6)[number // 2 % 4]
        in_own_axes = number % 4 == 1
        whole = plate if in_own_axes else plate.transformed(Pose(R, np.zeros(3)))
        tensor = np.array([float(f"{one:.{digits}g}") for one in whole.inertia.ravel()]).reshape(3, 3)
        given_plate = Inertial(plate.mass, np.zeros(3), R @ tensor @ R.T if in_own_axes else tensor)
        parts = [Collision("c", Pose(R, np.zeros(3)), Box(tuple(sides)))]
        off += "impossible_spread" in codes(given_plate, SeenBody(extent_of(parts), along=partial(extent_of, parts)))
    assert off == 0


@pytest.mark.fault(109)
@pytest.mark.parametrize("R", [np.eye(3), Pose.from_sdf([0, 0, 0, 0.6, 0.3, 0]).R])
def test_a_plate_drawn_without_thickness_has_no_bound(R):
    plate = Box((0.4, 0.2, 0.01)).moments().inertial(1000.0).transformed(Pose(R, np.zeros(3)))
    vertices = np.array([[-0.2, -0.1, 0.0], [0.2, -0.1, 0.0], [0.2, 0.1, 0.0], [-0.2, 0.1, 0.0]])
    parts = [Collision("c", Pose(R, np.zeros(3)), Mesh(Surface(vertices, np.array([[0, 1, 2], [0, 2, 3]])), np.eye(3)))]
    seen = SeenBody(extent_of(parts) or Extent([-0.2, -0.1, 0.0], [0.2, 0.1, 0.0]), along=partial(extent_of, parts))
    assert "impossible_spread" not in codes(plate, seen)
