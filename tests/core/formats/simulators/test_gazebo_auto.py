# SPDX-License-Identifier: GPL-3.0-or-later
"""Beside the number of a link that is to be AUTO stands what Gazebo makes of it."""

from dataclasses import replace

import numpy as np
import pytest

from core import Pose
from core.body.shapes import Box
from core.formats.simulators import gazebo_auto as module
from core.formats.simulators.gazebo_auto import gazebo_auto
from core.mesh.surface import Surface
from core.robot.model import Collision, Link, Mesh
from core.robot.resolve import resolve_link

from ...solids import box

SIZE = np.array([0.4, 0.3, 0.2])
MASS = 1000.0 * 0.4 * 0.3 * 0.2
SHELL = {"sdf_inertia:method": "shell", "sdf_inertia:thickness": "0.01"}


def link(mesh, params=None, mode="auto", mass=None, offset=(0.0, 0.0, 0.0)):
    pose = Pose(np.eye(3), np.array(offset))
    return Link(
        "l", mode=mode, mass=mass, collisions=(Collision("c", pose, Mesh(Surface(*mesh), np.eye(3)), 1000.0, params),)
    )


def without(axis, side):
    """Return a box about the origin without the face at +-size/2 of an axis."""
    vertices, triangles = box(SIZE)
    vertices = vertices - vertices.mean(axis=0)
    there = np.isclose(vertices[triangles][:, :, axis], side * SIZE[axis] / 2).all(axis=1)
    assert there.sum() == 2
    return vertices, triangles[~there]


def test_a_closed_mesh_and_a_primitive_are_computed_alike():
    body = resolve_link(link(box(SIZE)))
    assert gazebo_auto(body).kind == "same"
    assert (
        gazebo_auto(resolve_link(Link("l", collisions=(Collision("c", Pose.identity, Box((1, 1, 1)), 1.0),)))).kind
        == "same"
    )


def test_nothing_is_reported_of_what_gazebo_is_not_asked_to_compute():
    for value in (link(box(SIZE), mode="filled"), link(without(0, 1)), Link("empty")):
        assert gazebo_auto(resolve_link(value)) is None


def test_voxels_that_gazebo_ignores_stand_beside_the_exact_number():
    coarse = {"gz:voxel_size": "0.15"}
    filled = resolve_link(link(box(SIZE), coarse, "filled"))
    assert abs(filled.inertial.mass / MASS - 1) > 0.01
    found = gazebo_auto(resolve_link(link(box(SIZE), coarse)))
    assert found.kind == "voxels"
    assert found.other.mass == pytest.approx(filled.inertial.mass, rel=1e-14)
    np.testing.assert_allclose(found.other.inertia, filled.inertial.inertia, rtol=1e-12, atol=1e-18)


def test_gazebo_takes_an_open_box_for_half_of_it():
    # ∫dV = ∮ x n_x dA over the one x face that is left: half the volume.
    body = resolve_link(link(without(0, 1), SHELL))
    assert body.mode == "filled"
    found = gazebo_auto(body)
    assert found.kind == "differs"
    assert found.other.mass == pytest.approx(MASS / 2)


def test_gazebos_number_stands_in_the_links_frame_and_has_the_target_mass():
    # Without the top, ∮ z²/2 n_z dA has the bottom's part alone: the centroid sinks by an eighth of the height.
    found = gazebo_auto(resolve_link(link(without(2, 1), SHELL, mass=3.0, offset=(1.0, 2.0, 3.0))))
    assert found.other.mass == pytest.approx(3.0)
    np.testing.assert_allclose(found.other.com, [1.0, 2.0, 3.0 - 0.2 / 8], rtol=1e-12)


def test_gazebo_refuses_a_mesh_without_volume():
    flat = without(0, 1)
    shifted = (flat[0] + SIZE * [0.5, 0, 0], flat[1])  # the x face that is left stands at 0
    body = resolve_link(link(shifted, SHELL))
    assert body.mode == "filled"
    assert gazebo_auto(body).kind == "refuses"


def test_a_huge_mesh_is_not_integrated_in_passing(monkeypatch):
    monkeypatch.setattr(module, "MOST_FACES", 9)
    value = link(without(0, 1), SHELL)
    assert len(value.collisions[0].geometry.surface.triangles) == 10
    assert gazebo_auto(resolve_link(value)).kind == "unknown"


def test_the_number_is_found_once_per_mesh(monkeypatch):
    value = link(without(0, 1), SHELL)
    first = gazebo_auto(resolve_link(value))
    monkeypatch.setattr(module, "gazebo_mesh", None)  # would raise
    moved = replace(value, collisions=(replace(value.collisions[0], pose=Pose(np.eye(3), np.ones(3)), density=10.0),))
    again = gazebo_auto(resolve_link(moved))
    assert again.other.mass == pytest.approx(first.other.mass / 100)
