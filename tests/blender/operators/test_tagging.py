# SPDX-License-Identifier: GPL-3.0-or-later
"""Tags and settings: the operators, and the names and values that users' scripts and saved files rely on."""

import bpy
import pytest

from core.body.materials import MATERIALS

from ..scenes import add, box_link, box_mesh, empty, only_link, read, select, tag

pytestmark = pytest.mark.usefixtures("scene")

TAGS = ("is_link", "is_collision", "is_mass", "is_visual", "is_frame")


def tags(ob):
    return [getattr(ob.sdf_inertia, name) for name in TAGS]


@pytest.mark.parametrize("which", ["link", "collision", "mass", "visual"])
def test_an_operator_tags_each_selected_object_and_no_other(which):
    chosen, active, other = add(box_mesh(), "a"), add(box_mesh(), "b"), add(box_mesh(), "c")
    select(active, chosen)
    assert getattr(bpy.ops.sdf_inertia, f"tag_{which}")() == {"FINISHED"}
    expected = [name == f"is_{which}" for name in TAGS]
    assert tags(chosen) == tags(active) == expected
    assert tags(other) == [False] * 5


@pytest.mark.versions
def test_tags_add_up_and_untag_removes_them_but_not_the_settings():
    ob = add(box_mesh())
    select(ob)
    bpy.ops.sdf_inertia.tag_link()
    bpy.ops.sdf_inertia.tag_collision()
    bpy.ops.sdf_inertia.tag_mass()
    bpy.ops.sdf_inertia.tag_visual()
    ob.sdf_inertia.density = 250.0
    assert tags(ob) == [True] * 4 + [False]
    bpy.ops.sdf_inertia.untag()
    assert tags(ob) == [False] * 5
    assert ob.sdf_inertia.density == 250.0


@pytest.mark.parametrize("name", ["tag_link", "tag_collision", "tag_mass", "tag_visual", "untag"])
def test_the_operators_want_a_selection(name):
    ob = add(box_mesh())
    operator = getattr(bpy.ops.sdf_inertia, name)
    select(ob)
    assert operator.poll()
    select()
    assert not operator.poll()
    with pytest.raises(RuntimeError, match="Select one or more objects"):
        operator()


@pytest.mark.versions
def test_undo_takes_a_tag_back_and_redo_puts_it_on_again():
    select(add(box_mesh(), "ob"))
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.sdf_inertia.tag_link()
    # Blender itself pushes after an operator of the user's, not after one that a script calls.
    bpy.ops.ed.undo_push(message="Tag as Link")
    assert bpy.data.objects["ob"].sdf_inertia.is_link
    bpy.ops.ed.undo()
    assert not bpy.data.objects["ob"].sdf_inertia.is_link
    bpy.ops.ed.redo()
    assert bpy.data.objects["ob"].sdf_inertia.is_link


@pytest.mark.parametrize("name", ["tag_link", "tag_collision", "tag_mass", "tag_visual", "untag"])
def test_blender_pushes_an_undo_step_after_tagging(name):
    assert "UNDO" in getattr(bpy.types, f"SDF_INERTIA_OT_{name}").bl_options


def test_the_export_operator_has_the_arguments_of_the_contract():
    properties = bpy.ops.sdf_inertia.export_sdf.get_rna_type().properties
    assert [item.identifier for item in properties["inertia"].enum_items] == ["AS_SET", "AUTO", "FILLED"]
    assert properties["inertia"].default == "AS_SET"
    assert properties["skip_invalid"].default is False
    assert properties["filepath"].type == "STRING"


DEFAULTS = {
    "is_link": False,
    "is_collision": False,
    "is_mass": False,
    "has_mass": True,
    "is_visual": False,
    "is_frame": False,
    "geometry": "MESH",
    "use_density": False,
    "density": 1000.0,
    "material": "",
    "infill": 100.0,
    "use_mass": False,
    "mass": 1.0,
    "mass_in_grams": 1000.0,
    "inertia": "AUTO",
    "manual_mass": 1.0,
    "manual_com": [0.0] * 3,
    "manual_inertia": [1.0, 1.0, 1.0, 0.0, 0.0, 0.0],
    "is_joint": False,
    "joint_type": "NONE",
    "joint_name": "",
    "joint_world": False,
    "joint_parent": None,
    "joint_child": None,
    "joint_frame": None,
    "joint_axis": [0.0, 0.0, 1.0],
    "joint_along": "PLUS_Z",
    "joint_axis2": [1.0, 0.0, 0.0],
    "joint_use_limits": False,
    "joint_lower": 0.0,
    "joint_upper": 0.0,
    "joint_lower_angle": 0.0,
    "joint_upper_angle": 0.0,
    "joint_lower_length": 0.0,
    "joint_upper_length": 0.0,
    "joint_effort": 0.0,
    "joint_velocity": 0.0,
    "joint_damping": 0.0,
    "joint_friction": 0.0,
    "joint_rotor_inertia": 0.0,
    "joint_gear_ratio": 1.0,
    "joint_mimic": None,
    "joint_mimic_multiplier": 1.0,
    "joint_mimic_offset": 0.0,
    "sdf_name": "",
    "accepted": False,
    "weighed": False,
    "weighed_mass": 0.0,
    "weighed_mass_in_grams": 0.0,
    "without_inertial": False,
    "write_as": "AS_IS",
    "simplify_tolerance": pytest.approx(0.001),
    "source": "",
    "source_model": "",
    "source_hash": "",
    "missing": "",
    "source_folders": "",
    "source_included": "",
    "published": [0.0] * 10,
    "joint_pitch": 0.0,
    "joint_position": 0.0,
    "joint_position_angle": 0.0,
    "joint_position_length": 0.0,
    "method": "INHERIT",
    "voxel_size": 0.0,
    "thickness": 0.0,
    "printed_wall": 0.0,
    "printed_infill": 20.0,
}


def test_names_and_defaults_are_the_contracts():
    settings = add(box_mesh()).sdf_inertia
    ours = [p.identifier for p in settings.bl_rna.properties if p.identifier not in ("rna_type", "name")]
    assert set(ours) == DEFAULTS.keys()
    for name, default in DEFAULTS.items():
        value = getattr(settings, name)
        assert (list(value) if isinstance(default, list) else value) == default, name


@pytest.mark.parametrize(
    "name, items",
    [
        ("geometry", ["MESH", "BOX", "SPHERE", "CYLINDER", "CAPSULE", "CONE", "ELLIPSOID"]),
        ("inertia", ["AUTO", "FILLED", "MANUAL", "NONE"]),
        ("method", ["INHERIT", "EXACT", "VOXEL", "HULL", "SHELL", "PRINTED"]),
    ],
)
def test_the_stored_number_of_an_enum_never_changes(name, items):
    # A .blend stores the number: renumbering would turn users' spheres into boxes.
    enum = add(box_mesh()).sdf_inertia.bl_rna.properties[name]
    assert [(item.identifier, item.value) for item in enum.enum_items] == [(key, i) for i, key in enumerate(items)]


def test_tags_and_settings_survive_saving_and_loading(tmp_path):
    tag(add(box_mesh(), "ob"), "link", "visual", geometry="CONE", inertia="FILLED", method="VOXEL", material="Steel")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "saved.blend"))
    bpy.ops.wm.read_homefile(use_empty=True)
    assert "ob" not in bpy.data.objects
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "saved.blend"))
    settings = bpy.data.objects["ob"].sdf_inertia
    assert (settings.is_link, settings.is_collision, settings.is_visual) == (True, False, True)
    assert (settings.geometry, settings.inertia, settings.method) == ("CONE", "FILLED", "VOXEL")
    assert (settings.material, settings.density) == ("Steel", 7850.0)


@pytest.mark.parametrize("material", sorted(MATERIALS))
def test_a_material_sets_density_and_use_density(material):
    settings = add(box_mesh()).sdf_inertia
    settings.material = material
    assert settings.use_density
    assert settings.material == material
    assert settings.density == MATERIALS[material]


def test_a_density_of_ones_own_is_no_longer_the_materials():
    settings = add(box_mesh()).sdf_inertia
    settings.material = "Steel"
    settings.density = 7000.0
    assert settings.material == ""
    assert settings.density == 7000.0


def test_an_unknown_material_changes_no_density():
    settings = add(box_mesh()).sdf_inertia
    settings.material = "Unobtainium"
    assert (settings.use_density, settings.density) == (False, 1000.0)


@pytest.mark.parametrize("scale_length", [1.0, 0.001, 0.0254])
@pytest.mark.parametrize("name, value", [("density", 1234.5), ("mass", 0.1), ("manual_mass", 2.5)])
def test_mass_and_density_are_si_in_any_unit(scene, scale_length, name, value):
    settings = add(box_mesh()).sdf_inertia
    scene.unit_settings.scale_length = scale_length
    # Blender multiplies a property of unit MASS by scale_length³ where it shows and reads it.
    assert settings.bl_rna.properties[name].unit == "NONE"
    setattr(settings, name, value)
    assert getattr(settings, name) == pytest.approx(value, rel=2.0**-24)


@pytest.mark.parametrize("name", ["voxel_size", "thickness", "manual_com"])
def test_lengths_are_shown_as_blenders_own(name):
    assert add(box_mesh()).sdf_inertia.bl_rna.properties[name].unit == "LENGTH"


def test_a_float32_property_is_read_as_its_shortest_decimal():
    ob = box_link(use_density=True, density=0.1, use_mass=True, mass=0.3)
    assert ob.sdf_inertia.density != 0.1  # float32
    model, _bodies = read()
    assert model.links[0].density == 0.1
    assert model.links[0].mass == 0.3


def test_manual_numbers_are_read_as_their_shortest_decimals(scene):
    scene.unit_settings.scale_length = 0.001
    inertia = (0.3, 0.2, 0.4, -0.01, 0.02, 0.03)
    settings = {"manual_mass": 0.7, "manual_com": (0.1, -0.2, 0.3), "manual_inertia": inertia}
    tag(empty(), "link", inertia="MANUAL", **settings)
    body = only_link().inertial
    assert body.mass == 0.7
    assert body.com.tolist() == [0.001 * 0.1, 0.001 * -0.2, 0.001 * 0.3]
    assert body.inertia.tolist() == [[0.3, -0.01, 0.02], [-0.01, 0.2, 0.03], [0.02, 0.03, 0.4]]


def test_link_collision_and_visual_may_be_one_object():
    tag(add(box_mesh(), "all"), "link", "collision", "visual", use_density=True)
    model, (body,) = read()
    (link,) = model.links
    assert (link.name, [c.name for c in link.collisions], len(link.visuals)) == ("all", ["all"], 1)
    assert not body.refused


@pytest.mark.fault(56)
def test_linked_objects_are_left_alone_and_said_so(tmp_path):
    add(box_mesh(), "library")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "library.blend"))
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(str(tmp_path / "library.blend"), link=True) as (_there, here):
        here.objects = ["library"]
    linked, own = here.objects[0], add(box_mesh(), "own")
    bpy.context.scene.collection.objects.link(linked)
    select(own, linked)
    assert set(bpy.context.selected_objects) == {linked, own}
    assert bpy.ops.sdf_inertia.tag_link() == {"FINISHED"}
    assert own.sdf_inertia.is_link
    assert not linked.sdf_inertia.is_link
