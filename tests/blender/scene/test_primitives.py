# SPDX-License-Identifier: GPL-3.0-or-later
"""A primitive has the axes of its object; the local bounding box of the evaluated mesh is its extent and centre."""

from math import pi

import bpy
import numpy as np
import pytest
from mathutils import Euler

from ..scenes import (
    MATRIX,
    add,
    assert_same,
    box_inertial,
    box_link,
    box_mesh,
    empty,
    findings,
    mesh_data,
    only_link,
    read,
    steiner,
    tag,
    world_inertial,
)

pytestmark = pytest.mark.usefixtures("scene")

ALL = ("BOX", "SPHERE", "CYLINDER", "CAPSULE", "CONE", "ELLIPSOID")


def closed_form(kind, x, y, z):
    """Return mass, centre of mass and tensor at 1000 kg/m³ of a shape with these extents (Beer & Johnston)."""
    r = x / 2
    if kind == "BOX":
        return box_inertial((x, y, z))
    if kind in ("SPHERE", "ELLIPSOID"):
        m = 1000 * pi / 6 * x * y * z
        return m, np.zeros(3), m / 20 * np.diag([y * y + z * z, x * x + z * z, x * x + y * y])
    if kind == "CYLINDER":
        m = 1000 * pi * r * r * z
        side = m / 12 * (3 * r * r + z * z)
        return m, np.zeros(3), np.diag([side, side, m * r * r / 2])
    if kind == "CONE":
        m = 1000 * pi * r * r * z / 3
        side = 3 / 80 * m * (4 * r * r + z * z)
        return m, np.array([0, 0, -z / 4]), np.diag([side, side, 0.3 * m * r * r])
    length = z - 2 * r
    mc, ms = 1000 * pi * r * r * length, 1000 * 4 / 3 * pi * r**3
    side = mc * (3 * r * r + length**2) / 12 + ms * (0.4 * r * r + 0.375 * r * length + 0.25 * length**2)
    return mc + ms, np.zeros(3), np.diag([side, side, r * r * (mc / 2 + 0.4 * ms)])


EXTENTS = {kind: (0.6, 0.6, 1.5) for kind in ALL} | {
    "BOX": (0.3, 0.6, 1.5),
    "SPHERE": (0.6,) * 3,
    "ELLIPSOID": (0.3, 0.6, 1.5),
}
CENTRES = [(0, 0, 0), (0.5, -2, 0.25)]


@pytest.mark.parametrize("centre", CENTRES)
@pytest.mark.parametrize("kind", ALL)
def test_a_primitive_fits_its_mesh_wherever_that_lies_in_the_object(kind, centre):
    size = EXTENTS[kind]
    tag(add(box_mesh(size, centre)), "link", "collision", geometry=kind)
    mass, com, inertia = closed_form(kind, *size)
    assert_same(world_inertial(only_link()), (mass, com + centre, inertia), MATRIX)
    assert read()[0].links[0].collisions[0].geometry.kind == kind.lower()


@pytest.mark.parametrize("kind", ALL)
def test_the_scale_of_the_object_counts_and_its_turn_turns_the_tensor(kind):
    size = np.array(EXTENTS[kind])
    scale, turn = (2, 0.5, 4), (0.4, 1.1, -2)
    tag(
        add(box_mesh(size / scale), scale=scale, rotation_euler=turn, location=(1, 2, 3)),
        "link",
        "collision",
        geometry=kind,
    )
    mass, com, inertia = closed_form(kind, *size)
    R = np.array(Euler(turn).to_matrix(), dtype=float)
    assert_same(world_inertial(only_link()), (mass, R @ com + (1, 2, 3), R @ inertia @ R.T), MATRIX)


@pytest.mark.fault(42)
@pytest.mark.parametrize("mirror", [(-1, 1, 1), (1, -1, 1), (1, 1, -1), (-1, -1, -1), (-1, 1, -1)])
@pytest.mark.parametrize("kind", ALL)
def test_a_mirror_moves_the_mass_of_a_primitive_as_it_moves_its_mesh(kind, mirror):
    centre = np.array([0.5, -2, 0.25])
    tag(
        add(box_mesh(EXTENTS[kind], centre), scale=mirror, rotation_euler=(0.4, 1.1, -2)),
        "link",
        "collision",
        geometry=kind,
    )
    mass, com, inertia = closed_form(kind, *EXTENTS[kind])
    A = np.array(Euler((0.4, 1.1, -2)).to_matrix(), dtype=float) @ np.diag(mirror)
    assert_same(world_inertial(only_link()), (mass, A @ (com + centre), A @ inertia @ A.T), MATRIX)


def apex_mesh():
    """Return a cone of many sides, apex up, from z = -1 to z = 1."""
    angle = 2 * np.pi * np.arange(256) / 256
    ring = np.column_stack([np.cos(angle), np.sin(angle), -np.ones(256)])
    sides = [(i, (i + 1) % 256, 256) for i in range(256)]
    return mesh_data([*ring, (0, 0, 1)], [*sides, tuple(range(255, -1, -1))])


@pytest.mark.parametrize("scale", [(1, 1, 1), (1, 1, -1), (-1, 1, 1)])
def test_a_cone_has_its_apex_where_the_cone_shaped_mesh_has_it(scale):
    ob = tag(add(apex_mesh(), scale=scale), "link", "collision")
    meshed = world_inertial(only_link())
    ob.sdf_inertia.geometry = "CONE"
    # 256 sides enclose sin(2π/256)/(2π/256) of the circle: 1e-4 less.
    assert_same(world_inertial(only_link()), meshed, 3e-4)
    assert np.sign(world_inertial(only_link())[1][2]) == -scale[2]


@pytest.mark.parametrize(
    "kind, size",
    [
        ("SPHERE", (1, 1, 1.001)),
        ("SPHERE", (1, 1.001, 1)),
        ("SPHERE", (1.001, 1, 1)),
        ("CYLINDER", (1, 1.001, 2)),
        ("CONE", (1, 1.001, 2)),
        ("CAPSULE", (1, 1.001, 2)),
        ("CAPSULE", (1, 1, 0.5)),
    ],
)
def test_a_shape_that_does_not_fit_is_an_error_that_names_the_extents(kind, size):
    tag(add(box_mesh(size), "odd"), "link", "collision", geometry=kind)
    found = findings()["unequal_extents"]
    assert found.severity == "error" and "odd" in found.subject
    for side in size:
        assert f"{side:g}" in found.message
    assert "Ellipsoid" in found.remedy and "Mesh" in found.remedy


@pytest.mark.fault(44)
def test_a_sphere_under_a_non_uniform_scale_is_never_silently_a_sphere():
    ob = tag(add(box_mesh(), scale=(1, 2, 1)), "link", "collision", geometry="SPHERE")
    assert findings()["unequal_extents"].severity == "error"
    ob.sdf_inertia.geometry = "ELLIPSOID"
    assert_same(world_inertial(only_link()), closed_form("ELLIPSOID", 1, 2, 1), MATRIX)


@pytest.mark.parametrize("kind", ["SPHERE", "CYLINDER", "CONE", "CAPSULE"])
def test_extents_within_float32s_rounding_are_equal(kind):
    x, y, z = EXTENTS[kind]
    tag(add(box_mesh((x, y * (1 + 5e-6), z))), "link", "collision", geometry=kind)
    assert_same(world_inertial(only_link()), closed_form(kind, x, y, z), 1e-5)


def test_a_capsule_as_long_as_wide_is_a_ball():
    tag(add(box_mesh((0.6, 0.6, 0.6))), "link", "collision", geometry="CAPSULE")
    assert_same(world_inertial(only_link()), closed_form("SPHERE", 0.6, 0.6, 0.6), MATRIX)


@pytest.mark.parametrize("kind", ALL)
def test_an_empty_has_no_extent(kind):
    tag(empty("nothing"), "link", "collision", geometry=kind)
    found = findings()["no_extent"]
    assert found.severity == "error" and "nothing" in found.subject and found.remedy


@pytest.mark.parametrize("kind", ALL)
def test_a_flat_mesh_has_no_extent(kind):
    tag(
        add(mesh_data([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], [(0, 1, 2, 3)]), "sheet"),
        "link",
        "collision",
        geometry=kind,
    )
    found = findings()
    assert {"no_extent", "unequal_extents"} & found.keys()


def test_the_extents_are_those_of_the_modified_mesh():
    ob = box_link(geometry="BOX")
    array = ob.modifiers.new("array", "ARRAY")
    array.count = 3
    array.relative_offset_displace = (2, 0, 0)
    mass, com, inertia = box_inertial((5, 1, 1))
    assert_same(world_inertial(only_link()), (mass, com + (2, 0, 0), inertia), MATRIX)


def test_points_without_faces_have_extents():
    tag(add(mesh_data([(-1, -2, -3), (1, 2, 3)], [])), "link", "collision", geometry="BOX")
    assert_same(world_inertial(only_link()), box_inertial((2, 4, 6)), MATRIX)


def test_a_curve_and_a_text_have_extents():
    text = bpy.data.curves.new("text", "FONT")
    text.body, text.extrude = "I", 0.5
    ob = tag(add(text), "link", "collision", geometry="BOX")
    bpy.context.view_layer.update()
    assert only_link().inertial.mass == pytest.approx(1000 * np.prod(ob.dimensions), rel=1e-5)


def test_a_primitive_below_a_turned_link_stands_where_its_object_stands():
    link = tag(empty(location=(1, 0, 0), rotation_euler=(0.3, 0.2, 0.1)), "link")
    part = add(box_mesh((0.3, 0.6, 1.5), (0, 0, 1)), "part", link, location=(0, 2, 0), rotation_euler=(1, 1, 1))
    tag(part, "collision", geometry="BOX")
    bpy.context.view_layer.update()
    M = np.array(part.matrix_world, dtype=float)
    mass, com, inertia = box_inertial((0.3, 0.6, 1.5))
    R = M[:3, :3]
    assert_same(world_inertial(only_link()), (mass, R @ (com + (0, 0, 1)) + M[:3, 3], R @ inertia @ R.T), 2 * MATRIX)


def test_primitives_and_meshes_of_one_link_add_up():
    link = tag(add(box_mesh((1, 1, 1))), "link", "collision")
    tag(add(box_mesh((1, 1, 1)), "ball", link, location=(0, 0, 3)), "collision", geometry="SPHERE")
    box, ball = box_inertial((1, 1, 1)), closed_form("SPHERE", 1, 1, 1)
    mass = box[0] + ball[0]
    com = np.array([0, 0, 3 * ball[0] / mass])
    inertia = box[2] + steiner(box[0], -com) + ball[2] + steiner(ball[0], (0, 0, 3) - com)
    assert_same(world_inertial(only_link()), (mass, com, inertia), MATRIX)
