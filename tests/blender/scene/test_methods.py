# SPDX-License-Identifier: GPL-3.0-or-later
"""The core's table of methods is what the properties offer; a mesh is checked once on its way to any of them."""

import bpy
import numpy as np
import pytest

from core.mesh.methods import METHODS

from ..faulty_meshes import TENT, TENT_SIDES
from ..scenes import add, box_link, box_mesh, findings, mesh_data, module, only_link, tag

pytestmark = pytest.mark.usefixtures("scene")

LENGTHS = {"voxel_size": 0.1, "thickness": 0.01, "printed_wall": 0.01}


def enum():
    return bpy.types.Object.bl_rna.properties["sdf_inertia"].fixed_type.properties["method"].enum_items


def test_the_methods_of_core_are_offered_in_its_order_and_words():
    own = [(item.identifier.lower(), item.name, item.description) for item in enum()]
    assert own[0][0] == "inherit"
    assert own[1:] == [(method.name, method.label, method.description) for method in METHODS.values()]


@pytest.mark.parametrize("method", METHODS)
def test_a_part_is_measured_by_the_method_that_was_chosen(method):
    box_link("ob", inertia="FILLED", method=method.upper(), **LENGTHS)
    assert only_link().parts[0].method == method


def test_each_parameter_of_a_method_is_a_length_or_a_percentage_of_the_object():
    settings = add(box_mesh()).sdf_inertia
    parameters = {parameter for method in METHODS.values() for parameter in method.parameters}
    renamed = module("sdf_inertia_addon.scene.properties").PROPERTY_OF
    names = {renamed.get(parameter.name, parameter.name): parameter for parameter in parameters}
    for name, parameter in names.items():
        known = settings.bl_rna.properties[name]
        assert known.unit == "LENGTH" if parameter.unit else known.subtype == "PERCENTAGE"
    assert {*LENGTHS, "printed_infill"} == names.keys()


def test_a_print_has_the_mass_of_its_wall_and_infill_and_is_written_filled():
    link = box_link("ob", inertia="AUTO", method="PRINTED", printed_wall=0.1, printed_infill=50.0)
    tag(link, use_density=True, density=1000.0)
    size = np.array(link.dimensions)
    body = only_link()
    assert body.inertial.mass == pytest.approx(1000.0 * (size.prod() - 0.5 * (size - 0.2).prod()), rel=1e-6)
    assert body.mode == "filled"
    assert "ob by the method Printed has" in findings()["auto_not_possible"].message


def test_a_print_with_an_infill_of_its_density_is_refused():
    link = box_link("ob", method="PRINTED", printed_wall=0.1)
    tag(link, use_density=True, infill=30.0)
    assert "30 %" in findings()["bad_infill"].message


def test_a_mesh_is_checked_once_between_the_scene_and_its_exact_number(monkeypatch):
    surface = module("core.mesh.surface").Surface
    checked, check = [], surface.__post_init__

    def noted(self):
        checked.append((len(self.vertices), len(self.triangles)))
        check(self)

    monkeypatch.setattr(surface, "__post_init__", noted)
    box_link("ob")
    assert only_link().volume == pytest.approx(1)
    assert checked == [(8, 12)]


@pytest.mark.parametrize("method", [name for name, method in METHODS.items() if method.diagnosed])
def test_each_method_that_diagnoses_checks_the_quads_of_an_object(method):
    tag(add(mesh_data(TENT, TENT_SIDES)), "link", "collision", method=method.upper(), printed_wall=0.01)
    assert "bent_quads" in findings()
