# SPDX-License-Identifier: GPL-3.0-or-later
"""Density, infill and target mass of what is selected, and what a mass says about the material."""

import bpy
import pytest

from core.body.materials import CATEGORIES, MATERIALS

from ..scenes import add, box_link, box_mesh, empty, live_model, module, only_link, select, tag

pytestmark = pytest.mark.usefixtures("scene")


def link_of_two():
    link = tag(empty("link"), "link", inertia="FILLED")
    return link, *(tag(add(box_mesh(), name, link), "collision") for name in ("a", "b"))


@pytest.mark.versions
def test_a_density_goes_to_each_selected_link_and_collision_and_no_other():
    link, a, b = link_of_two()
    plain = add(box_mesh(), "plain")
    select(a, plain)
    assert bpy.ops.sdf_inertia.set_density(density=250.0) == {"FINISHED"}
    assert [(ob.sdf_inertia.use_density, ob.sdf_inertia.density) for ob in (a, b, link, plain)] == [
        (True, 250.0),
        (False, 1000.0),
        (False, 1000.0),
        (False, 1000.0),
    ]
    assert only_link().inertial.mass == pytest.approx(1250)


def test_a_material_sets_the_density_whatever_its_case():
    link, _a, _b = link_of_two()
    select(link)
    bpy.ops.sdf_inertia.set_density(material="pla", infill=25.0)
    settings = link.sdf_inertia
    assert (settings.material, settings.density, settings.infill) == ("PLA", 1240.0, 25.0)
    assert only_link().inertial.mass == 2 * 310.0


def test_a_density_of_ones_own_clears_the_material():
    link, *_ = link_of_two()
    link.sdf_inertia.material = "Steel"
    select(link)
    bpy.ops.sdf_inertia.set_density(density=7000.0)
    assert (link.sdf_inertia.material, link.sdf_inertia.density) == ("", 7000.0)


def test_a_material_that_there_is_not_changes_nothing():
    link, *_ = link_of_two()
    link.sdf_inertia.material = "Steel"
    select(link)
    with pytest.raises(RuntimeError, match="no material 'Unobtainium'"):
        bpy.ops.sdf_inertia.set_density(material="Unobtainium")
    assert (link.sdf_inertia.material, link.sdf_inertia.density) == ("Steel", 7850.0)


def test_infill_scales_a_density_that_is_given_and_no_other():
    link, *_ = link_of_two()
    assert only_link().inertial.mass == 2000
    link.sdf_inertia.infill = 30.0
    assert only_link().inertial.mass == 2000  # no density is set: the default is the simulator's, not a print's
    link.sdf_inertia.material = "ABS"
    assert only_link().inertial.mass == 2 * 312.0
    assert link.sdf_inertia.material == "ABS"


@pytest.mark.parametrize("infill", [0.0, -5.0])
def test_an_impossible_infill_is_refused(infill):
    from ..scenes import findings

    link, *_ = link_of_two()
    tag(link, use_density=True, infill=infill)
    assert findings()["bad_density"].severity == "error"


@pytest.mark.parametrize("name, wanted", [("set_density", "Select links or parts"), ("set_mass", "Select a link")])
def test_they_say_why_they_are_disabled(name, wanted):
    select(add(box_mesh()))
    with pytest.raises(RuntimeError, match=wanted):
        getattr(bpy.ops.sdf_inertia, name)()
    assert "UNDO" in getattr(bpy.types, f"SDF_INERTIA_OT_{name}").bl_options


def masses(*objects):
    return [ob.sdf_inertia.mass if ob.sdf_inertia.use_mass else None for ob in objects]


@pytest.mark.versions
@pytest.mark.fault(116)
def test_a_mass_goes_to_the_parts_that_are_selected(capfd):
    link, a, b = link_of_two()
    select(a, b)
    assert bpy.ops.sdf_inertia.set_mass(mass=3.0) == {"FINISHED"}
    assert masses(link, a, b) == [None, 3.0, 3.0]
    assert "Mass of 2 parts (a, b): 3 kg" in capfd.readouterr().out
    assert only_link().inertial.mass == pytest.approx(6)
    bpy.ops.sdf_inertia.set_mass(use=False)
    assert only_link().inertial.mass == pytest.approx(2000)


@pytest.mark.fault(116)
def test_a_mass_goes_to_links_where_the_active_object_is_one(capfd):
    link, a, b = link_of_two()
    select(link, a, b)
    bpy.ops.sdf_inertia.set_mass(mass=3.0)
    assert masses(link, a, b) == [3.0, None, None]
    assert "Target mass of link: 3 kg" in capfd.readouterr().out
    assert only_link().inertial.mass == pytest.approx(3)


def test_a_mass_goes_to_the_link_of_what_is_only_seen():
    link, a, b = link_of_two()
    seen = tag(add(box_mesh(), "seen", link), "visual")
    select(seen)
    bpy.ops.sdf_inertia.set_mass(mass=3.0)
    assert masses(link, a, b, seen) == [3.0, None, None, None]


@pytest.mark.parametrize("name", ["set_density", "set_mass"])
def test_undo_takes_it_back(name):
    link, *_ = link_of_two()
    select(link)
    bpy.ops.ed.undo_push(message="before")
    getattr(bpy.ops.sdf_inertia, name)()
    bpy.ops.ed.undo_push(message=name)
    flag = name.replace("set", "use")
    assert getattr(bpy.data.objects["link"].sdf_inertia, flag)
    bpy.ops.ed.undo()
    assert not getattr(bpy.data.objects["link"].sdf_inertia, flag)


def test_a_target_mass_says_where_it_does_not_count(capfd):
    link = box_link("link", inertia="MANUAL")
    select(link)
    bpy.ops.sdf_inertia.set_mass(mass=7.0)
    assert only_link().inertial.mass == 1.0  # as entered
    assert "not scaled: 1 with manual inertia" in capfd.readouterr().out


def test_a_target_mass_of_a_link_without_inertia_says_what_to_press(capfd):
    link = box_link("link", inertia="NONE")
    select(link)
    bpy.ops.sdf_inertia.set_mass(mass=7.0)
    assert live_model().links[0].body.inertial is None
    assert "without effect on 1 with inertia None: press Compute Inertia" in capfd.readouterr().out
    bpy.ops.sdf_inertia.set_inertia(mode="FILLED", target="link")  # as that button does
    assert only_link().inertial.mass == pytest.approx(7.0)


def implied(link):
    body = only_link()
    return module("sdf_inertia_addon.panels.sections.density").implied_by_mass(body, link.sdf_inertia)


def test_a_target_mass_implies_a_density_and_a_share_of_the_material():
    link, *_ = link_of_two()
    assert implied(link) is None  # no target mass
    tag(link, use_mass=True, mass=624.0)
    assert implied(link).text == "312 kg/m³: 0.25 x PLA: hollow, or printed with 25 % infill?"
    link.sdf_inertia.material = "ABS"
    assert implied(link).text == "312 kg/m³: 0.30 x ABS: hollow, or printed with 30 % infill?"
    link.sdf_inertia.density = 400.0
    assert implied(link).text == "312 kg/m³: 0.78 x stated: hollow, or printed with 78 % infill?"


def test_the_search_offers_names_and_categories():
    known = module("sdf_inertia_addon.scene.known_materials")
    offered = known.search(None, bpy.context, "")
    assert [name for name, _ in offered] == list(MATERIALS)
    assert ("Steel", "7850 kg/m³, Metals") in known.search(None, bpy.context, "steel")
    assert {name for name, _ in known.search(None, bpy.context, "wood")} >= set(CATEGORIES["Wood"])
    assert known.by_category().keys() == CATEGORIES.keys()


def test_blenders_presets_are_blenders():
    # What Blender says of a cube of 1 m³. Its list of names is only told when a wrong one is asked for.
    import re

    ob = add(box_mesh(), "cube")
    select(ob)
    bpy.ops.rigidbody.world_add()
    bpy.ops.rigidbody.object_add(type="ACTIVE")
    ob.rigid_body.collision_shape = "BOX"
    with pytest.raises(TypeError) as error:
        bpy.ops.rigidbody.mass_calculate(material="none of them")
    names = set(re.findall(r"'([^']+)'", str(error.value))) - {"Custom"}
    materials = module("core.body.materials")
    presets = {row.name.removeprefix("Blender: "): row.density for row in materials.LIBRARY[materials.BLENDER]}
    assert names == set(presets) and len(names) > 40
    for name in names:
        bpy.ops.rigidbody.mass_calculate(material=name)
        assert ob.rigid_body.mass == pytest.approx(presets[name], rel=1e-6), name


@pytest.mark.parametrize("density", [7756.737, 12146.398, 1465.1423])
def test_the_density_of_a_solid_part_is_the_number_that_was_typed(density):
    assert density * 100.0 / 100.0 != density  # what an infill of 100 % would leave of it
    box_link("link", use_density=True, density=density)
    assert only_link().link.density == density


@pytest.mark.versions
def test_a_material_goes_to_all_that_is_selected_and_leaves_their_infill():
    link, a, b = link_of_two()
    tag(a, infill=50.0)
    select(a, b)
    assert bpy.ops.sdf_inertia.set_material(material="Steel") == {"FINISHED"}
    assert [ob.sdf_inertia.material for ob in (link, a, b)] == ["", "Steel", "Steel"]
    assert only_link().inertial.mass == pytest.approx(7850 * 1.5)


def test_a_material_that_is_not_known_is_refused():
    select(link_of_two()[0])
    with pytest.raises(TypeError, match="Unobtainium"):
        bpy.ops.sdf_inertia.set_material(material="Unobtainium")


def test_the_object_menu_offers_what_acts_on_the_selection():
    # What F3 finds is what stands in a menu.
    functions = [function.__module__ for function in bpy.types.VIEW3D_MT_object._dyn_ui_initialize()]
    assert [name for name in functions if name.endswith("sdf_inertia_addon.panels.menus")]
    menus = module("sdf_inertia_addon.panels.menus")
    offered = {operator.removeprefix("sdf_inertia.") for group in menus.GROUPS for operator in group}
    assert {"set_material", "set_density", "set_mass"} <= offered
    labels = [getattr(bpy.ops.sdf_inertia, name).get_rna_type().name for name in sorted(offered)]
    assert {"Set Material", "Set Density", "Set Mass"} <= set(labels)
