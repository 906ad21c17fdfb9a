# SPDX-License-Identifier: GPL-3.0-or-later
"""libsdformat's rules for density, mass and several collisions, told by small links."""

import numpy as np
import pytest

from core import InertiaError, Pose, mesh_moments
from core.body.shapes import Box, Cylinder, Sphere
from core.judge.geometry.resolve_model import resolve_model
from core.mesh.surface import Surface
from core.robot.model import Collision, Link, Mesh, Model, Unusable
from core.robot.resolve import resolve_link

from ..exact import assert_same
from ..solids import L_CELLS, box, cells

CUBE = Box((1, 1, 1))


def at(x=0.0, y=0.0, z=0.0, rpy=(0.0, 0.0, 0.0)):
    return Pose.from_sdf([x, y, z, *rpy])


def cube(name="c", pose=Pose.identity, **options):
    return Collision(name, pose, CUBE, **options)


def codes(body):
    return [(finding.severity, finding.code, finding.subject) for finding in body.all_findings()]


@pytest.mark.parametrize(
    ("collision", "link", "density", "warned"),
    [(5.0, 7.0, 5, False), (5.0, None, 5, False), (None, 7.0, 7, False), (None, None, 1000, True)],
)
def test_the_collisions_density_wins_over_the_links_over_waters(collision, link, density, warned):
    body = resolve_link(Link("l", density=link, collisions=(cube(density=collision),)))
    assert body.inertial.mass == pytest.approx(density, rel=1e-15)
    assert body.parts[0].density == density
    assert codes(body) == ([("warning", "default_density", "l/c")] if warned else [])
    given = resolve_link(Link("l", density=link, mass=3.0, collisions=(cube(density=collision),)))
    assert given.inertial.mass == 3 and codes(given) == []  # no warning if a mass is given


def test_a_link_mixes_the_densities_of_its_parts():
    parts = (cube("a", at(-0.5), density=2.0), cube("b", at(0.5)))
    body = resolve_link(Link("l", density=6.0, collisions=parts))
    assert body.inertial.mass == pytest.approx(8, rel=1e-15)
    np.testing.assert_allclose(body.inertial.com, [0.25, 0, 0], rtol=0, atol=1e-15)
    # 1/6 of each mass, and the reduced mass 2*6/8 a metre apart.
    np.testing.assert_allclose(body.inertial.inertia, np.diag([8 / 6, 8 / 6 + 1.5, 8 / 6 + 1.5]), rtol=1e-14)
    assert body.volume == pytest.approx(2, rel=1e-15)
    assert body.method == "primitive"


def test_the_order_of_collisions_does_not_matter():
    parts = [cube("a", at(1, 2, 3), density=2.0), Collision("b", at(-1), Sphere(0.3), 9.0), cube("c", density=4.0)]
    one = resolve_link(Link("l", collisions=tuple(parts))).inertial
    other = resolve_link(Link("l", collisions=tuple(parts[::-1]))).inertial
    np.testing.assert_allclose(one.inertia, other.inertia, rtol=0, atol=1e-14 * np.trace(one.inertia))


def test_a_collisions_pose_turns_and_moves_its_tensor():
    part = Collision("c", at(1, 2, 3, (0, np.pi / 2, 0)), Cylinder(0.5, 2.0), density=1.0)
    body = resolve_link(Link("l", pose=at(7, 8, 9), collisions=(part,))).inertial
    m = np.pi / 2
    np.testing.assert_allclose(body.com, [1, 2, 3], rtol=1e-15)
    transverse = m / 12 * (3 * 0.25 + 4)
    np.testing.assert_allclose(body.inertia, np.diag([m / 8, transverse, transverse]), rtol=0, atol=1e-15 * m * 10)
    assert body.inertia[0, 2] == 0  # the noise of cos(π/2) is not written into a file


@pytest.mark.fault(36)
def test_a_target_mass_scales_mass_and_tensor_and_leaves_the_centre():
    parts = (cube("a", at(-0.5), density=2.0), cube("b", at(0.5), density=6.0))
    plain = resolve_link(Link("l", collisions=parts)).inertial
    scaled = resolve_link(Link("l", mass=20.0, collisions=parts)).inertial
    assert scaled.mass == 20
    np.testing.assert_allclose(scaled.com, plain.com, rtol=1e-15)
    np.testing.assert_allclose(scaled.inertia, plain.inertia * 20 / 8, rtol=1e-14)


@pytest.mark.parametrize("mass", [None, 20.0])
@pytest.mark.parametrize("mode", ["auto", "filled"])
def test_the_parts_add_up_to_the_link(mode, mass):
    mesh = Mesh(Surface(*cells(L_CELLS)), np.diag([0.1, -0.2, 0.3]))
    parts = (
        cube("a", at(-0.5, 0.1, 0.2, (1, 2, 3)), density=2.0),
        Collision("b", at(0.5), mesh, 6.0),
        Collision("c", at(0, 1), Sphere(0.2)),
    )
    body = resolve_link(Link("l", mode=mode, density=3.0, mass=mass, collisions=parts))
    assert sum(part.inertial.mass for part in body.parts) == pytest.approx(body.inertial.mass, rel=1e-14)
    moved = sum(part.inertial.inertia_about(body.inertial.com) for part in body.parts)
    np.testing.assert_allclose(moved, body.inertial.inertia, rtol=0, atol=1e-13 * np.trace(moved))
    for part in body.parts:
        scale = 1.0 if mass is None else mass / sum(one.density * one.volume for one in body.parts)
        assert scale * part.density * part.volume == pytest.approx(part.inertial.mass, rel=1e-14)
    assert body.volume == pytest.approx(sum(part.volume for part in body.parts), rel=1e-15)
    assert body.method == "sum"


BROKEN = Unusable(InertiaError("not_evaluated", "", "it is hidden", "show it"))
OPEN = Mesh(Surface(box()[0], box()[1][1:]), np.eye(3))


@pytest.mark.parametrize(
    ("bad", "code"),
    [(BROKEN, "not_evaluated"), (OPEN, "open_mesh"), (Box((1, 0, 1)), "bad_size"), (Sphere(-1), "bad_size")],
)
@pytest.mark.parametrize("mode", ["auto", "filled"])
def test_a_part_without_an_answer_refuses_its_link_without_an_exception(mode, bad, code):
    body = resolve_link(Link("l", mode=mode, density=1.0, collisions=(cube("good"), Collision("bad", at(), bad))))
    assert body.refused
    assert body.inertial is None
    assert codes(body) == [("error", "part_refused", "l"), ("error", code, "l/bad")]
    assert "bad" in body.findings[0].message
    good, refused = body.parts
    assert good.inertial.mass == pytest.approx(1)
    assert refused.inertial is None


def test_a_refused_link_leaves_the_others_alone():
    named = Unusable(InertiaError("not_evaluated", "Cube.001", "it is hidden"))
    good, bad = Link("good", density=1.0, collisions=(cube(),)), Link("bad", collisions=(Collision("c", at(), named),))
    bodies = resolve_model(Model("m", (bad, good, Link("empty"), Link("empty", mode="filled"))))
    assert [body.refused for body in bodies] == [True, False, True, True]
    assert ("error", "not_evaluated", "Cube.001") in codes(bodies[0])
    for empty in bodies[2:]:
        assert empty.inertial is None and codes(empty) == [("error", "no_collision", "empty")]


VOXEL = {"gz:voxel_size": "0.25"}
SLANTED = (box()[0] @ np.array([[0.8, -0.6, 0], [0.6, 0.8, 0], [0, 0, 1]]).T, box()[1])


@pytest.mark.parametrize(
    ("own", "method"),
    [(None, "voxel"), ({}, "exact"), ({"acme:note": "x"}, "exact"), ({"sdf_inertia:method": "exact"}, "exact")],
)
def test_a_collisions_parameters_replace_the_links_whole(own, method):
    part = Collision("c", at(), Mesh(Surface(*SLANTED), np.eye(3)), 1.0, params=own)
    body = resolve_link(Link("l", mode="filled", params=VOXEL, collisions=(part,)))
    assert body.parts[0].method == method


@pytest.mark.parametrize(
    "stretch", [0.001 * np.eye(3), np.diag([-1, 2, 3]), np.array([[1, 0.5, 0], [0, 1, 0], [0, 0, 2]])]
)
def test_a_stretched_mesh_is_the_stretched_solid(stretch):
    vertices, triangles = cells(L_CELLS)
    mesh = Mesh(Surface(vertices, triangles), stretch)
    body = resolve_link(Link("l", collisions=(Collision("c", at(), mesh, 1.0),)))
    moved = vertices @ np.asarray(stretch).T
    expected = mesh_moments(moved, triangles[:, ::-1] if np.linalg.det(stretch) < 0 else triangles)
    assert_same(mesh_moments(mesh.baked.vertices, mesh.baked.triangles), expected)
    np.testing.assert_allclose(body.inertial.mass, expected.volume, rtol=1e-12)
    np.testing.assert_allclose(body.inertial.com, expected.centroid, rtol=1e-12)


def test_measurements_of_one_surface_are_not_mixed_up():
    surface = Surface(*SLANTED)

    def volume(stretch, params):
        part = Collision("c", at(), Mesh(surface, stretch * np.eye(3)), 1.0, params)
        return resolve_link(Link("l", mode="filled", collisions=(part,))).volume

    ways = [(s, {"gz:voxel_size": h} if h else {}) for s in (1, 2) for h in ("", "0.3", "0.7")]
    first = [volume(*way) for way in ways]
    assert np.diff(sorted(first)).min() > 1e-3
    assert [volume(*way) for way in ways] == first
    # Voxels are in metres, not in the mesh's units: twice as large, a voxel of 0.3 is no longer the same grid.
    assert first[4] != pytest.approx(8 * first[1], rel=1e-9)


def test_products_that_cancel_in_the_sum_are_written_as_zero():
    parts = [Collision(f"c{i}", at(rpy=(0, 0, 2 * np.pi * i / 3)), Box((1, 2, 3)), 1.0) for i in range(3)]
    body = resolve_link(Link("l", collisions=tuple(parts)))
    raw = sum(part.inertial.inertia for part in body.parts)
    assert raw[0, 1] != 0  # type: ignore[index]
    assert abs(raw[0, 1]) < 1e-14  # type: ignore[index]
    assert body.inertial.inertia[0, 1] == 0
    turned = resolve_link(Link("l", collisions=(cube(pose=at(rpy=(0, np.pi / 2, 0)), density=1.0),)))
    assert turned.parts[0].inertial.inertia[0, 2] == 0


@pytest.mark.parametrize("scale", [(0, 1, 1), (0, 0, 0)])
def test_a_mesh_scaled_to_nothing_is_refused(scale):
    with pytest.raises(InertiaError) as error:
        Mesh(Surface(*box()), np.diag(scale))
    assert error.value.code == "zero_scale" and error.value.remedy


def test_an_inside_out_mesh_is_turned_and_reported_with_its_volume():
    vertices, triangles = box((2, 2, 2))
    mesh = Mesh(Surface(vertices, triangles[:, ::-1]), 0.5 * np.eye(3))
    (part,) = resolve_link(Link("l", collisions=(Collision("c", at(), mesh, 1.0),))).parts
    (finding,) = part.findings
    assert (finding.code, finding.subject) == ("inside_out", "l/c")
    assert part.volume == pytest.approx(1, rel=1e-15)
    assert finding.message.endswith("the volume is 1 m³, not −1 m³")
    assert mesh_moments(part.surface.vertices, part.surface.triangles).volume == pytest.approx(1, rel=1e-15)
