# SPDX-License-Identifier: GPL-3.0-or-later
"""Lengths are Blender units times the scene's scale; masses and densities are SI whatever it is."""

import numpy as np
import pytest

from ..scenes import MATRIX, add, assert_same, box_inertial, box_mesh, empty, only_link, read, tag, world_inertial

pytestmark = pytest.mark.usefixtures("scene")

UNITS = {"METRIC": [1.0, 0.001, 0.01], "IMPERIAL": [0.3048, 0.0254]}
CASES = [(system, length) for system, lengths in UNITS.items() for length in lengths]


@pytest.mark.fault(47)
@pytest.mark.parametrize("kind", ["MESH", "BOX"])
@pytest.mark.parametrize("system, metres", CASES)
def test_a_box_is_as_large_as_its_units_say(scene, system, metres, kind):
    scene.unit_settings.system = system
    scene.unit_settings.scale_length = metres
    ob = add(box_mesh((1, 2, 3), (0, 0, 4)), location=(5, 6, 7), scale=(2, 1, 1))
    tag(ob, "link", "collision", geometry=kind, use_density=True, density=100.0)
    size, place = metres * np.array([2, 2, 3]), metres * np.array([5, 6, 11])
    assert_same(world_inertial(only_link()), box_inertial(size, 100.0, place), MATRIX)
    assert read()[0].links[0].pose.p == pytest.approx(metres * np.array([5, 6, 7]), rel=1e-15)


def test_a_part_stands_as_far_from_its_link_as_the_units_say(scene):
    scene.unit_settings.scale_length = 0.001
    tag(add(box_mesh(), parent=tag(empty(location=(0, 0, 100)), "link"), location=(50, 0, 0)), "collision")
    body = only_link()
    assert body.inertial.com == pytest.approx([0.05, 0, 0], abs=1e-9)
    assert body.inertial.mass == pytest.approx(1e-6, rel=MATRIX)


@pytest.mark.fault(47)
def test_without_a_unit_system_a_unit_is_a_metre(scene):
    scene.unit_settings.scale_length = 0.001
    scene.unit_settings.system = "NONE"
    tag(add(box_mesh()), "link", "collision")
    assert only_link().inertial.mass == pytest.approx(1000, rel=MATRIX)


def test_the_target_mass_is_in_kilograms_in_any_unit(scene):
    scene.unit_settings.scale_length = 0.001
    tag(add(box_mesh((10, 10, 10))), "link", "collision", use_mass=True, mass=0.25)
    assert only_link().inertial.mass == 0.25


def test_a_voxel_size_is_in_blender_units(scene):
    scene.unit_settings.scale_length = 0.001
    tag(add(box_mesh((10, 10, 10))), "link", "collision", method="VOXEL", voxel_size=0.5)
    assert read()[0].links[0].params == {"gz:voxel_size": repr(0.001 * 0.5)}


def test_a_manual_centre_of_mass_is_in_blender_units_and_the_tensor_in_si(scene):
    scene.unit_settings.scale_length = 0.01
    tag(empty(), "link", inertia="MANUAL", manual_mass=2.0, manual_com=(1, 2, 3), manual_inertia=(1, 1, 1, 0, 0, 0))
    body = only_link().inertial
    assert (body.mass, body.com.tolist()) == (2.0, [0.01, 0.02, 0.03])
    assert body.inertia.tolist() == np.eye(3).tolist()
