# SPDX-License-Identifier: GPL-3.0-or-later
"""The engines compared in Blender: which differ on which body and why, when that is old, and what is refused."""

import bpy
import pytest

from ..scenes import add, box_link, box_mesh, module, tag

pytestmark = pytest.mark.usefixtures("scene")


def panel():
    return module("sdf_inertia_addon.panels.engines")


def kept():
    return module("sdf_inertia_addon.export.compared_engines").kept_comparison(bpy.context.scene)


def signature():
    depsgraph = bpy.context.evaluated_depsgraph_get()
    return module("sdf_inertia_addon.live").model(depsgraph).signature


def robot(file_format, *engines):
    """Make a base that an arm turns on, and choose what is compared."""
    base = box_link("base", use_density=True, density=100.0)
    arm = tag(
        add(box_mesh(size=(1, 1, 3)), "arm", base, location=(0, 0, 2)), "link", "collision", joint_type="REVOLUTE"
    )
    tag(add(box_mesh(size=(1, 1, 3)), "mast", arm, location=(2, 0, 0)), "collision", method="HULL")
    settings = bpy.context.scene.sdf_inertia_model
    settings.compared_format = file_format
    for name in module("core.engines.known").ENGINES:
        setattr(settings, f"for_{name.replace('-', '_')}", name in engines)


def compare():
    assert bpy.ops.sdf_inertia.compare_engines() == {"FINISHED"}
    return kept().comparison


def lines(comparison):
    units = module("core.units").SI
    return {body.name: panel().case_lines(body, units) for body in comparison.bodies if len(body.cases) > 1}


def test_each_engine_has_a_setting_and_a_format():
    engines = {*module("core.engines.known").ENGINES}
    read_by = module("sdf_inertia_addon.export.compared_engines").READ_BY
    assert {name for names in read_by.values() for name in names} == engines
    assert {panel().name_of(name) for name in engines} >= {"Gazebo", "MuJoCo", "PyBullet (File)"}


@pytest.mark.versions
@pytest.mark.parametrize("file_format", ["sdf", "urdf"])
def test_gazebo_and_drake_agree_on_what_is_exported(file_format):
    robot(file_format, "gazebo", "drake", "mujoco")
    if file_format == "urdf":
        bpy.context.scene.sdf_inertia_model.for_mujoco = False
    comparison = compare()
    assert comparison.agree and [*comparison.views] == ["gazebo", "drake"]
    assert panel().result_of(comparison).text == "All engines agree on 2 bodies."


def test_bodies_that_engines_simulate_differently_are_shown_with_the_reason():
    robot("urdf", "drake", "mujoco", "pybullet")
    comparison = compare()
    shown = panel().result_of(comparison)
    assert (shown.icon, shown.text) == ("ERROR", "The engines differ on 2 of 2 bodies.")
    base, arm = lines(comparison)["base"], lines(comparison)["arm"]
    assert "MuJoCo: does not move" in base
    assert [line.partition(":")[0] for line in arm] == ["Drake, MuJoCo", "PyBullet"]
    assert all("moments" in line for line in arm) and arm[0] != arm[1]
    (why,) = panel().reasons_of(comparison.bodies[1])
    assert why.startswith("PyBullet ignores the tensor and uses the box around the collisions")


def test_a_comparison_is_old_once_the_scene_has_changed():
    robot("sdf", "gazebo")
    compare()
    assert kept().signature == signature()
    bpy.data.objects["base"].sdf_inertia.density = 200.0
    bpy.context.view_layer.update()
    assert kept().signature != signature()
    compare()
    assert kept().signature == signature()


def test_each_format_has_a_comparison_of_its_own():
    robot("sdf", "gazebo")
    compare()
    bpy.context.scene.sdf_inertia_model.compared_format = "urdf"
    assert kept() is None


def test_what_an_export_would_refuse_is_not_compared():
    robot("urdf", "drake")
    compare()
    tag(bpy.data.objects["arm"], joint_type="NONE")  # two roots
    with pytest.raises(RuntimeError, match="Nothing was compared"):
        bpy.ops.sdf_inertia.compare_engines()
    assert kept() is None


def test_the_button_is_grey_without_a_link_or_an_engine():
    assert not bpy.ops.sdf_inertia.compare_engines.poll()
    robot("sdf")
    assert not bpy.ops.sdf_inertia.compare_engines.poll()
    bpy.context.scene.sdf_inertia_model.for_drake = True
    assert bpy.ops.sdf_inertia.compare_engines.poll()
