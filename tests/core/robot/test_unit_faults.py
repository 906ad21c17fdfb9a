# SPDX-License-Identifier: GPL-3.0-or-later
"""Geometry in mm, cm or inches, inertials in g, mm or g·mm²: named by numbers, and no sound body is."""

from dataclasses import replace

import numpy as np
import pytest

from core import Inertial, Pose
from core.body.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, Sphere
from core.judge.geometry.given_inertial import find_doubts
from core.judge.geometry.placement import turned_sign
from core.judge.geometry.plausibility import implausible
from core.judge.geometry.wrong_units import unit_fault
from core.mesh.surface import Surface
from core.robot.extent import SeenBody, extent_of
from core.robot.model import Collision, Link, Mesh, Visual
from core.robot.resolve import resolve_link

from ...thorough import many
from .. import solids

COUNT = many(100, 20)
FACTORS = {"mm": 0.001, "cm": 0.01, "inch": 0.0254}
TENSORS = {"g·m²": 1e3, "kg·mm²": 1e6, "g·mm²": 1e9}


def mesh_of(mesh, size, unit=1.0):
    """A mesh without a scale of its own, whose numbers are in a unit [m]."""
    vertices, triangles = mesh
    return Mesh(Surface(np.asarray(vertices) * np.asarray(size) / unit, np.asarray(triangles)), np.eye(3))


def geometries(rng, sides):
    """A shape or a mesh of about these sides, as a function of the unit that its mesh is written in."""
    a, b, c = sides
    shapes = [Box((a, b, c)), Sphere(a / 2), Ellipsoid((a / 2, b / 2, c / 2)), Cylinder(a / 2, b), Cone(a / 2, b)]
    shapes.append(Capsule(a / 2, b))
    meshes = [
        solids.box(low=(-0.5, -0.5, -0.5)),
        solids.prism(solids.polygon(7, 0.5)),
        solids.prism(solids.polygon(5, 0.5), top_scale=0.4),
        solids.cells([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], (0.5, 0.5, 0.5)),
    ]
    number = int(rng.integers(len(shapes) + 2 * len(meshes)))
    if number < len(shapes):
        return lambda unit: scaled_shape(shapes[number], unit)
    mesh = meshes[number % len(meshes)]
    return lambda unit: mesh_of(mesh, sides, unit)


def scaled_shape(shape, unit):
    sizes = [tuple(x / unit for x in v) if isinstance(v, tuple) else v / unit for v in vars(shape).values()]
    return type(shape)(*sizes)


def parts_of(rng, smallest=0.005, largest=2.0):
    """One to three parts, as a function of the unit of their geometry; poses are in metres."""
    longest = 10.0 ** rng.uniform(np.log10(smallest), np.log10(largest))
    made = []
    for _ in range(int(rng.choice([1, 1, 2, 3]))):
        sides = longest * 10.0 ** rng.uniform(-1.3, 0.0, 3)
        pose = Pose(solids.rotation(rng), rng.uniform(-0.6, 0.6, 3) * longest)
        made.append((pose, geometries(rng, sides)))
    mesh = any(is_mesh(shape) for _, shape in made)

    def parts(unit):
        """Meshes are in the unit, poses and shapes next to them in metres; shapes alone are in it with their poses."""
        return tuple(
            Collision(f"c{i}", *((pose, shape(unit)) if is_mesh(shape) else beside(pose, shape, 1.0 if mesh else unit)))
            for i, (pose, shape) in enumerate(made)
        )

    return parts


def is_mesh(shape):
    return isinstance(shape(1.0), Mesh)


def beside(pose, shape, unit):
    return Pose(pose.R, pose.p / unit), shape(unit)


def uniform_of(parts):
    body = resolve_link(Link("l", mode="filled", density=1000.0, collisions=parts))
    return None if body.refused else body


def solid(parts, density):
    body = uniform_of(parts)
    return body.inertial.scaled_to(body.inertial.mass * density / 1000.0)


def hollow(rng, parts):
    density, inner = rng.uniform(900, 8000), rng.uniform(0.85, 0.98)
    whole = solid(parts, density)
    return Inertial(whole.mass * (1 - inner**3), whole.com, whole.inertia * (1 - inner**5))


def cored(rng, parts):
    shell = solid(parts, rng.uniform(100, 1000))
    extent, share = extent_of(parts), rng.uniform(0.3, 0.6)
    radius = float(extent.sides.min()) * rng.uniform(0.2, 0.3)
    core = Sphere(radius).moments().inertial(1000.0).scaled_to(shell.mass * share / (1 - share))
    place = shell.com + rng.uniform(-0.1, 0.1, 3) * extent.sides
    return shell + core.transformed(Pose(np.eye(3), place))


def rounded(body, digits):
    def cut(array):
        return np.array([float(f"{x:.{digits - 1}e}") for x in np.ravel(array)]).reshape(np.shape(array))

    return Inertial(float(cut(body.mass)), cut(body.com), cut(body.inertia))


def is_possible(body):
    return not any(finding.severity == "error" for finding in body.findings())


def doubts(body, parts, visuals=()):
    return find_doubts(body, parts, lambda: visuals, lambda: uniform_of(parts))


def judged(body, parts, visuals=()):
    return doubts(body, parts, visuals).findings


def real_body(rng, parts):
    kind = int(rng.integers(3))
    return (solid(parts, rng.uniform(500, 9000)), hollow(rng, parts), cored(rng, parts))[kind]


@pytest.mark.fault(99)
def test_sound_links_have_no_finding():
    rng, judged_links = np.random.default_rng(1), 0
    for number in range(33 * COUNT // 10):
        smallest, largest = [(0.005, 2.0), (1e-4, 1e-2), (2.0, 100.0)][number % 3]
        parts = parts_of(rng, smallest, largest)(1.0)
        body = solid(parts, 10.0 ** rng.uniform(0.7, 2.5)) if number % 5 == 0 else real_body(rng, parts)
        body = rounded(body, int(rng.integers(2, 7)))
        if is_possible(body):
            judged_links += 1
            found = [one.code for one in judged(body, parts)]
            assert not {"geometry_unit", "inertial_unit", "unit_suspicion"} & set(found)
    assert judged_links >= 3 * COUNT


INJECTED = {
    "mass in g": (1e3, 1, 1),
    "mass in g, tensor in g·m²": (1e3, 1, 1e3),
    "centre in mm": (1, 1e3, 1),
    "tensor in g·m²": (1, 1, 1e3),
    "tensor in kg·mm²": (1, 1, 1e6),
    "tensor in g·mm²": (1, 1, 1e9),
    "centre in mm, tensor in g·m²": (1, 1e3, 1e3),
    "centre in mm, tensor in kg·mm²": (1, 1e3, 1e6),
    "centre in mm, tensor in g·mm²": (1, 1e3, 1e9),
    "all as CAD gives it": (1e3, 1e3, 1e9),
}


@pytest.fixture(scope="module")
def links():
    """Links of one mass where meshes are most of the volume, with the body and its geometry in each unit."""
    rng, made = np.random.default_rng(2), []
    while len(made) < COUNT:
        geometry = parts_of(rng)
        parts = geometry(1.0)
        meshes = tuple(part for part in parts if isinstance(part.geometry, Mesh))
        body = real_body(rng, parts)
        if not meshes or uniform_of(meshes).volume > 0.5 * uniform_of(parts).volume:
            made.append((body, parts, {name: geometry(factor) for name, factor in FACTORS.items()}))
    return made


@pytest.mark.fault(99)
@pytest.mark.parametrize("digits", [3, 6])
@pytest.mark.parametrize("unit", FACTORS)
def test_95_percent_of_geometries_in_another_unit_are_named(links, unit, digits):
    named, wrong = 0, 0
    for body, _, scaled in links:
        given = rounded(body, digits)
        found = judged(given, scaled[unit])
        named += [(one.severity, one.code) for one in found] == [("error", "geometry_unit")] and (
            f"{FACTORS[unit]:g} " in found[0].remedy
        )
        wrong += any(f"{factor:g} " in one.remedy for one in found for name, factor in FACTORS.items() if name != unit)
    assert named >= 0.95 * COUNT and wrong <= max(1, 0.03 * COUNT)


@pytest.mark.fault(99)
@pytest.mark.parametrize("digits", [3, 6])
@pytest.mark.parametrize("fault", INJECTED)
def test_95_percent_of_inertials_in_another_unit_are_named(links, fault, digits):
    mass, com, tensor = INJECTED[fault]
    named = 0
    for body, parts, _ in links:
        given = rounded(body, digits)
        found = judged(Inertial(given.mass * mass, given.com * com, given.inertia * tensor), parts)
        named += [one.code for one in found][:1] in (["inertial_unit"], ["unit_suspicion"])
    assert named >= 0.95 * COUNT


@pytest.mark.fault(99)
@pytest.mark.parametrize("fault", INJECTED)
def test_a_unit_fault_has_the_inertial_that_would_be_right(fault):
    mass, com, tensor = INJECTED[fault]
    part = Collision("c", Pose(np.eye(3), [0.3, 0.1, 0.0]), Box((0.4, 0.2, 0.1)))
    body = solid((part,), 2700.0)
    found = unit_fault(Inertial(body.mass * mass, body.com * com, body.inertia * tensor), seen_of((part,)))
    assert (found.finding.severity, found.finding.code) == ("error", "inertial_unit")
    np.testing.assert_allclose(found.right.mass, body.mass)
    np.testing.assert_allclose(found.right.com, body.com)
    np.testing.assert_allclose(found.right.inertia, body.inertia, atol=1e-15)


@pytest.mark.fault(99)
@pytest.mark.parametrize("tensor", [np.eye(3), np.diag([3.0, 1.0, 2.9])])
def test_next_to_a_tensor_that_no_unit_explains_only_the_centre_is_named(tensor):
    part = Collision("c", Pose(np.eye(3), [0.3, 0.1, 0.0]), Box((0.4, 0.2, 0.1)))
    body = solid((part,), 2700.0)
    found = unit_fault(Inertial(body.mass, body.com * 1e3, 100.0 * tensor), seen_of((part,)))
    np.testing.assert_allclose(found.right.com, body.com)
    np.testing.assert_array_equal(found.right.inertia, 100.0 * tensor)


@pytest.mark.fault(99, 149)
def test_doubts_hold_the_inertial_that_is_meant():
    part = Collision("c", Pose(np.eye(3), [0.3, 0.1, 0.2]), Box((0.4, 0.2, 0.1)))
    body = solid((part,), 2700.0)
    found = doubts(Inertial(body.mass, body.com * 1e3, body.inertia), (part,))
    np.testing.assert_allclose(found.right.com, body.com)
    found = doubts(Inertial(body.mass, body.com * [1, 1, -1], body.inertia), (part,))
    np.testing.assert_allclose(found.right.com, body.com)
    assert doubts(ARM, [cuboid()]).right is None  # the geometry is at fault


def seen_of(parts):
    body = uniform_of(parts)
    return SeenBody(extent_of(parts), body.volume, body.inertial)


def cuboid(unit=0.001, name="c"):
    return Collision(name, Pose.identity, mesh_of(solids.box(low=(-0.5, -0.5, -0.5)), (0.06, 0.04, 0.3), unit))


ARM = Inertial(0.6804, np.zeros(3), np.diag([0.0051937, 0.0053071, 0.00029484]))


@pytest.mark.fault(99)
def test_of_a_filler_or_of_a_tensor_computed_in_mm_the_density_decides():
    (finding,) = judged(Inertial(ARM.mass, ARM.com, ARM.inertia * 1e6), [cuboid()])
    assert (finding.severity, finding.code) == ("error", "geometry_unit")
    assert "0.001 0.001 0.001, then compute the tensor" in finding.remedy  # it is no better
    (finding,) = judged(Inertial(ARM.mass, ARM.com, np.eye(3)), [cuboid()])
    assert finding.code == "geometry_unit" and "0.001" in finding.remedy
    aluminium = Inertial(0.06 * 0.04 * 0.3 * 2700, np.zeros(3), np.eye(3))
    (finding,) = judged(aluminium, [cuboid(0.01)])  # the density allows both
    assert finding.code == "geometry_unit" and "cm or inches" in finding.message and "0.01" not in finding.remedy


@pytest.mark.fault(99)
def test_a_part_of_5_mm_in_mm_is_found_though_only_5_m_long():
    part = Collision("c", Pose.identity, mesh_of(solids.box(), (0.005, 0.003, 0.002), 0.001))
    (finding,) = judged(solid((scaled_part(part, 0.001),), 2700.0), [part])
    assert finding.code == "geometry_unit" and "0.001" in finding.remedy


def scaled_part(part, factor):
    return replace(part, geometry=Mesh(part.geometry.surface, factor * part.geometry.stretch))


@pytest.mark.fault(99)
def test_visuals_in_mm_are_found_and_with_their_scale_are_good():
    visual = Visual("v", Pose.identity, cuboid().geometry)
    scaled = scaled_part(visual, 0.001)
    (finding,) = judged(ARM, (), [visual])
    assert finding.code == "geometry_unit" and "0.001" in finding.remedy
    assert judged(ARM, (), [scaled]) == ()
    assert [one.code for one in judged(ARM, [cuboid()], [scaled])] == ["geometry_unit"]
    assert judged(ARM, [scaled_part(cuboid(), 0.001)], [scaled]) == ()


@pytest.mark.fault(99)
@pytest.mark.parametrize(
    "shape, density",
    [
        (Box((100.0, 20.0, 10.0)), 50.0),  # a ship's hull
        (Box((3.0, 3.0, 40.0)), 100.0),  # a crane
        (Cylinder(0.05, 30.0), 300.0),  # a mast
        (Box((2e-4, 1e-4, 5e-5)), 2330.0),  # MEMS
        (Ellipsoid((5.0, 1.5, 1.5)), 0.6),  # an airship
        (Ellipsoid((1.0, 0.4, 0.4)), 5.0),  # inflated
    ],
)
def test_what_is_large_small_or_light_is_not_in_another_unit(shape, density):
    part = Collision("c", Pose.identity, shape)
    found = {one.code for one in judged(solid((part,), density), [part])}
    assert not found & {"geometry_unit", "inertial_unit", "unit_suspicion"}


@pytest.mark.fault(99)
def test_small_contacts_of_a_heavy_body_do_not_put_its_mass_in_g():
    feet = [Collision(f"{x}{y}", Pose(np.eye(3), [x, y, 0]), Sphere(0.01)) for x in (-0.2, 0.2) for y in (-0.2, 0.2)]
    for mass in (5.0, 20.0, 60.0):
        body = Inertial(mass, np.zeros(3), mass * np.diag([0.035, 0.035, 0.06]))
        assert not {"inertial_unit", "geometry_unit"} & {one.code for one in judged(body, feet)}


@pytest.mark.fault(149)
@pytest.mark.parametrize("axes", ["z", "x", "y and z"])
def test_a_flipped_sign_of_the_centre_is_named(axes):
    part = Collision("c", Pose(np.eye(3), [0.2, 0.1, -0.2]), Box((0.1, 0.05, 0.2)))
    body = solid((part,), 2700.0)
    signs = [-1.0 if axis in axes.split(" and ") else 1.0 for axis in "xyz"]
    turned = Inertial(body.mass, body.com * signs + 0.002, body.inertia)
    (finding,) = judged(turned, [part])
    assert finding.code == "com_outside" and f"the sign of {axes} is flipped" in finding.message
    np.testing.assert_allclose(turned_sign(turned, seen_of((part,))), body.com, atol=0.003)


@pytest.mark.fault(149)
def test_a_centre_that_no_sign_change_explains_is_kept():
    part = Collision("c", Pose(np.eye(3), [0.2, 0.1, -0.2]), Box((0.1, 0.05, 0.2)))
    body = solid((part,), 2700.0)
    away = Inertial(body.mass, [0.2, 0.1, 0.25], body.inertia)
    assert turned_sign(away, seen_of((part,))) is None
    assert turned_sign(body, seen_of((part,))) is None
    assert [one.code for one in implausible(away, seen_of((part,)))] == ["com_outside"]
