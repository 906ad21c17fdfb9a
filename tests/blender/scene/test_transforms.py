# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever the transforms, the physics is that of the triangles in the world.

The reference integrates the world-space corners by another formula (scenes.integrated); it takes the object's vertices
and its matrix_world from Blender, so the tolerance holds only float64's rounding: 1e-12, as the product promises. Where
a closed form in decimal numbers is the reference, float32 matrices are in between: MATRIX.
"""

from math import pi

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix

from ..scenes import (
    FLOAT32,
    MATRIX,
    add,
    assert_same,
    box_inertial,
    box_link,
    box_mesh,
    empty,
    findings,
    integrated,
    only_link,
    read,
    steiner,
    tag,
    wedge_mesh,
    world_inertial,
    world_triangles,
)

pytestmark = pytest.mark.usefixtures("scene")

ROUNDING = 1e-12

SETTLED = 4 * FLOAT32
"""A place as it will read in a file loses the rounding of float32: a step of the coordinates in the world."""

PLACES = {
    "at home": {},
    "moved and turned": {"location": (0.3, -2, 1), "rotation_euler": (0.4, 1.1, -2)},
    "non-uniform scale": {"scale": (2, 0.5, 3), "rotation_euler": (0.4, 1.1, -2)},
    "mirrored in x": {"scale": (-1, 1, 1), "location": (1, 2, 3)},
    "mirrored in y, scaled": {"scale": (0.5, -2, 1.5), "rotation_euler": (0.4, 1.1, -2)},
    "mirrored in all three": {"scale": (-1, -1, -1), "rotation_euler": (0.4, 1.1, -2)},
    "mirrored in two, which is a turn": {"scale": (-1, -2, 1)},
    "tiny": {"scale": (1e-4, 1e-4, 1e-4), "location": (1e-3, 0, 0)},
    "gimbal lock": {"rotation_euler": (0.4, pi / 2, 0.1), "scale": (1, 2, 3)},
}


@pytest.mark.fault(42, 44)
@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_a_link_alone_weighs_as_its_world_space_triangles(place):
    ob = tag(add(wedge_mesh(), **place), "link", "collision")
    assert_same(world_inertial(only_link()), integrated(world_triangles(ob)), SETTLED)


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("above", PLACES.values(), ids=PLACES)
def test_a_part_below_a_link_weighs_as_its_world_space_triangles(above, place):
    part = tag(add(wedge_mesh(), parent=tag(empty(**above), "link"), **place), "collision")
    assert_same(world_inertial(only_link()), integrated(world_triangles(part)), SETTLED)


@pytest.mark.fault(44)
def test_a_non_uniform_scale_follows_the_vertices_and_not_the_factors():
    tag(add(box_mesh(), scale=(2, 0.5, 3)), "link", "collision")
    # Scales that float32 holds exactly: nothing but float64's rounding is left.
    assert_same(world_inertial(only_link()), box_inertial((2, 0.5, 3)), ROUNDING)


@pytest.mark.fault(42)
def test_a_mirror_changes_the_sign_of_two_products_and_no_mass():
    ob = tag(add(wedge_mesh()), "link", "collision")
    mass, com, inertia = world_inertial(only_link())
    assert np.abs(inertia[[0, 0, 1], [1, 2, 2]]).min() > 1e-3 * np.trace(inertia)  # it has all three
    ob.scale = (-1, 1, 1)
    mirror = np.diag([-1.0, 1.0, 1.0])
    assert_same(world_inertial(only_link()), (mass, mirror @ com, mirror @ inertia @ mirror), ROUNDING)


def sheared():
    """Return a link whose part is sheared by a turned parent with non-uniform scale."""
    squash = empty("squash", tag(empty("link", rotation_euler=(0.2, 0.1, 0.3)), "link"), scale=(1, 2, 0.5))
    return tag(add(wedge_mesh(), "part", squash, rotation_euler=(0.5, 0.6, 0.7)), "collision")


@pytest.mark.fault(45)
def test_a_sheared_mesh_is_as_in_the_world_not_as_the_matrix_decomposes():
    part = sheared()
    bpy.context.view_layer.update()
    M = part.matrix_world
    location, rotation, scale = M.decompose()
    unsheared = Matrix.LocRotScale(location, rotation, scale)
    assert max(abs(M[i][j] - unsheared[i][j]) for i in range(3) for j in range(3)) > 0.1  # really sheared
    assert_same(world_inertial(only_link()), integrated(world_triangles(part)), SETTLED)


@pytest.mark.fault(45)
@pytest.mark.parametrize("kind", ["BOX", "SPHERE", "CYLINDER", "CAPSULE", "CONE", "ELLIPSOID"])
def test_a_sheared_primitive_is_an_error_that_offers_the_mesh(kind):
    tag(sheared(), geometry=kind)
    found = findings()["sheared_primitive"]
    assert found.severity == "error"
    assert "part" in found.subject and kind.lower() in found.message and "Mesh" in found.remedy


def test_a_sheared_link_is_reported_and_its_physics_is_the_worlds():
    part = sheared()
    tag(part, "link").sdf_inertia.geometry = "MESH"
    tag(bpy.data.objects["link"]).sdf_inertia.is_link = False
    assert findings()["link_sheared"].severity == "info"
    assert_same(world_inertial(only_link()), integrated(world_triangles(part)), SETTLED)


def test_a_mirrored_link_is_reported():
    ob = tag(add(wedge_mesh()), "link", "collision")
    assert "link_mirrored" not in findings()
    ob.scale.y = -1
    assert findings()["link_mirrored"].severity == "info"


@pytest.mark.fault(43)
@pytest.mark.parametrize("kind", ["MESH", "BOX", "SPHERE", "CYLINDER", "CAPSULE", "CONE", "ELLIPSOID"])
@pytest.mark.parametrize("scale", [(0, 1, 1), (1, 0, 0), (0, 0, 0)])
def test_a_zero_scale_is_an_error_that_says_so(kind, scale):
    tag(add(box_mesh(), "flat", scale=scale), "link", "collision", geometry=kind)
    found = findings()["zero_scale"]
    assert found.severity == "error"
    assert "flat" in found.subject and "scale" in found.message and found.remedy


@pytest.mark.fault(43)
@pytest.mark.parametrize("kind", ["MESH", "BOX"])
@pytest.mark.parametrize("turn", [(0, 0, 0), (0.7, 0.3, 0.2), (1, 2, 3), (0.1, 0, 0)])
def test_a_flattening_parent_is_an_error_however_its_child_is_turned(kind, turn):
    parent = tag(empty(scale=(1, 1, 0)), "link")
    tag(add(box_mesh(), parent=parent, rotation_euler=turn), "collision", geometry=kind)
    assert findings()["zero_scale"].severity == "error"


@pytest.mark.parametrize("kind", ["MESH", "BOX"])
@pytest.mark.parametrize("channel", ["location", "scale", "rotation_euler"])
def test_a_transform_that_is_not_finite_is_an_error_naming_the_object(channel, kind):
    ob = box_link("lost", geometry=kind)
    getattr(ob, channel)[0] = float("nan")
    found = findings()["not_finite"]
    assert found.severity == "error" and found.subject.startswith("lost") and found.remedy


def test_a_part_whose_transform_is_not_a_number_is_an_error_that_names_it():
    tag(
        add(box_mesh(), "lost", box_link("base"), location=(float("nan"), 0, 0)),
        "visual",
    )
    assert findings()["not_finite"].subject.endswith("lost")


def test_ten_kilometres_away_costs_nothing_beyond_the_matrix():
    here = tag(add(wedge_mesh()), "link", "collision")
    _mass, com, inertia = world_inertial(only_link())
    here.location = (8192, -4096, 2048)  # exact in float32
    mass, far, same = world_inertial(only_link())
    assert np.abs(far - com - (8192, -4096, 2048)).max() < 1e-11  # half an ulp at 8192
    assert np.abs(same - inertia).max() <= ROUNDING * np.trace(inertia)


@pytest.mark.fault(46)
def test_an_unapplied_scale_equals_an_applied_one():
    ob = tag(add(wedge_mesh(), scale=(0.1, 3.3, -0.7), rotation_euler=(0.1, 0.2, 0.3)), "link", "collision")
    before = world_inertial(only_link())
    ob.data.transform(Matrix.Diagonal((*ob.scale, 1.0)))
    ob.data.flip_normals()  # as Blender's own Apply Scale does for a mirror
    ob.scale = (1, 1, 1)
    assert_same(world_inertial(only_link()), before, 1e-6)


@pytest.mark.fault(48)
def test_a_root_turned_for_y_up_carries_its_parts_along():
    root = tag(empty(rotation_euler=(pi / 2, 0, 0)), "link")
    tag(add(box_mesh((1, 2, 3), (0, 5, 0)), parent=root), "collision")
    body = only_link()
    # In the link's own axes nothing has turned.
    own = body.inertial
    assert_same((own.mass, own.com, own.inertia), box_inertial((1, 2, 3), centre=(0, 5, 0)), MATRIX)
    assert_same(world_inertial(body), box_inertial((1, 3, 2), centre=(0, 0, 5)), MATRIX)


def test_a_deep_chain_of_parents_is_one_matrix():
    above = tag(empty(rotation_euler=(0.1, 0, 0)), "link")
    for i in range(30):
        above = empty(
            f"bone{i}", above, location=(0.1, 0, 0.05), rotation_euler=(0.2, 0.1, i), scale=(1.02, 1.02, 1.02)
        )
    part = tag(add(wedge_mesh(), parent=above), "collision")
    assert_same(world_inertial(only_link()), integrated(world_triangles(part)), SETTLED)


def test_a_parent_inverse_and_delta_transforms_count():
    root = tag(empty(location=(1, 2, 3), rotation_euler=(0.1, 0.2, 0.3)), "link")
    part = tag(add(wedge_mesh(), delta_location=(0, 0, 2), delta_scale=(2, 1, 1)), "collision")
    bpy.context.view_layer.update()
    part.parent = root
    part.matrix_parent_inverse = root.matrix_world.inverted()
    assert_same(world_inertial(only_link()), integrated(world_triangles(part)), SETTLED)


@pytest.mark.parametrize("kind", ["MESH", "BOX"])
def test_a_constraint_counts(kind):
    target = empty("target", location=(0, 0, 4), rotation_euler=(0, 0, 0.5))
    part = tag(add(box_mesh((1, 2, 3))), "link", "collision", geometry=kind)
    part.constraints.new("COPY_TRANSFORMS").target = target
    mass, com, inertia = world_inertial(only_link())
    assert com == pytest.approx([0, 0, 4], abs=MATRIX)
    R = np.array(Euler((0, 0, 0.5)).to_matrix())
    assert_same((mass, com, inertia), (6000.0, com, R @ box_inertial((1, 2, 3))[2] @ R.T), MATRIX)


@pytest.mark.parametrize("seed", range(5))
def test_no_choice_of_link_frame_changes_the_physics(seed):
    random = np.random.default_rng(seed)
    link = tag(empty(), "link")
    parts = []
    for i in range(3):
        place = {
            "location": random.normal(size=3),
            "rotation_euler": random.uniform(-3, 3, 3),
            "scale": random.normal(size=3),
        }
        parts.append(tag(add(wedge_mesh(), f"part{i}", **place), "collision"))
    bpy.context.view_layer.update()
    triangles = np.concatenate([world_triangles(part) for part in parts])
    link.location, link.rotation_euler = random.normal(size=3), random.uniform(-3, 3, 3)
    bpy.context.view_layer.update()
    for part in parts:
        part.parent = link
        part.matrix_parent_inverse = link.matrix_world.inverted()
    bpy.context.view_layer.update()
    # The parts have moved by the rounding of the float32 parent inverse alone.
    assert_same(world_inertial(only_link()), integrated(triangles), 10 * MATRIX)
    exact = np.concatenate([world_triangles(part) for part in parts])
    assert_same(world_inertial(only_link()), integrated(exact), SETTLED)


def test_two_parts_add_up_by_the_parallel_axis_theorem():
    link = tag(empty(), "link")
    tag(add(box_mesh(), "low", link, location=(0, 0, -1)), "collision")
    tag(add(box_mesh((1, 1, 2)), "high", link, location=(0.5, 0, 1)), "collision")
    mass, com = 3000.0, np.array([1 / 3, 0, 1 / 3])
    inertia = sum(
        own + steiner(m, centre - com)
        for m, centre, own in (box_inertial((1, 1, 1), centre=(0, 0, -1)), box_inertial((1, 1, 2), centre=(0.5, 0, 1)))
    )
    assert_same(world_inertial(only_link()), (mass, com, inertia), ROUNDING)


def test_the_link_frame_is_the_decomposed_location_and_rotation():
    ob = tag(
        add(wedge_mesh(), location=(1, 2, 3), rotation_euler=(0.3, 0.2, 0.1), scale=(2, 3, 4)), "link", "collision"
    )
    bpy.context.view_layer.update()
    location, rotation, _scale = ob.matrix_world.decompose()
    pose = read()[0].links[0].pose
    assert pose.p.tolist() == list(location)
    assert np.abs(pose.R - np.array(rotation.to_matrix())).max() <= MATRIX
    # SDF's roll pitch yaw is Blender's Euler XYZ.
    assert pose.to_sdf()[3:] == pytest.approx((0.3, 0.2, 0.1), abs=MATRIX)
