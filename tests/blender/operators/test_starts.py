# SPDX-License-Identifier: GPL-3.0-or-later
"""Manual and a target mass, chosen by the panel's buttons, start from the present numbers, never over what is there."""

import bpy
import numpy as np
import pytest

from ..scenes import add, box_inertial, box_mesh, codes, empty, findings, only_link, read, select, tag, wedge_mesh

pytestmark = pytest.mark.usefixtures("scene")


def choose(mode, **options):
    assert bpy.ops.sdf_inertia.set_inertia(mode=mode, **options) == {"FINISHED"}


def tick(link, use=True):
    """As the panel's check box does."""
    assert bpy.ops.sdf_inertia.set_mass(target=link.name_full, use=use, own=True) == {"FINISHED"}


def link_of(mesh, **settings):
    link = tag(add(mesh, "link"), "link", "collision", use_density=True, density=500, **settings)
    select(link)
    return link


def assert_as_before(before, after):
    assert after.mass == pytest.approx(before.mass, rel=1e-6)
    assert after.com == pytest.approx(before.com, rel=1e-6, abs=1e-7)
    assert after.inertia == pytest.approx(before.inertia, rel=1e-6, abs=1e-6 * np.trace(before.inertia))


@pytest.mark.versions
@pytest.mark.parametrize("mode", ["AUTO", "FILLED"])
@pytest.mark.parametrize("unit", [1.0, 0.001])
def test_manual_starts_from_the_present_numbers(mode, unit):
    bpy.context.scene.unit_settings.scale_length = unit
    link_of(wedge_mesh(), inertia=mode)
    before = only_link().inertial
    choose("MANUAL")
    body = only_link()
    assert body.mode == "manual"
    assert_as_before(before, body.inertial)
    assert not codes(body.all_findings())


def test_manual_starts_from_a_target_mass():
    link_of(box_mesh(), use_mass=True, mass=3.0)
    choose("MANUAL")
    mass, _com, tensor = box_inertial((1, 1, 1), 3.0)
    assert only_link().inertial.mass == mass
    assert only_link().inertial.inertia == pytest.approx(tensor, rel=1e-6)


@pytest.mark.parametrize("size", [(1, 1, 1e-5), (1e-4, 1e-4, 1), (1e-3, 1, 1)])
def test_flat_and_thin_tensors_stay_possible_as_rounded_properties(size):
    link = link_of(box_mesh(size), inertia="FILLED")
    link.rotation_euler = (0.3, 0.4, 0.5)
    part = add(box_mesh(size), "part", link, rotation_euler=(1.1, 0.2, 2.3))
    tag(part, "collision")
    link.sdf_inertia.is_collision = False
    before = only_link().inertial
    choose("MANUAL")
    assert_as_before(before, only_link().inertial)


def test_a_script_that_assigns_the_mode_gets_what_is_there():
    link = link_of(box_mesh())
    link.sdf_inertia.inertia = "MANUAL"
    assert only_link().inertial.mass == 1.0


def test_what_was_entered_before_stays():
    link = link_of(box_mesh())
    tag(link, manual_mass=2.0, manual_com=(0.1, 0, 0), manual_inertia=(0.3, 0.4, 0.5, 0, 0, 0))
    choose("MANUAL")
    inertial = only_link().inertial
    assert (inertial.mass, inertial.com.tolist()) == (2.0, [0.1, 0, 0])
    assert np.diag(inertial.inertia).tolist() == [0.3, 0.4, 0.5]


def test_what_was_entered_as_the_default_stays_too():
    link = link_of(box_mesh())
    tag(link, manual_mass=1.0, manual_com=(0, 0, 0), manual_inertia=(1, 1, 1, 0, 0, 0))
    choose("MANUAL")
    assert only_link().inertial.mass == 1.0


def test_of_numbers_entered_in_part_the_rest_is_that_of_the_same_body():
    tag(link_of(wedge_mesh()), manual_mass=7.0)
    before = only_link().inertial
    choose("MANUAL")
    assert_as_before(before.scaled_to(7.0), only_link().inertial)


def test_a_start_that_nobody_touched_is_made_again():
    link = link_of(box_mesh())
    choose("MANUAL")
    choose("AUTO")
    link.sdf_inertia.density = 800
    choose("MANUAL")
    assert only_link().inertial.mass == pytest.approx(800)
    link.sdf_inertia.manual_mass = 3.0
    choose("AUTO")
    choose("MANUAL")
    assert only_link().inertial.mass == 3.0


def test_pressing_manual_again_changes_nothing():
    link = link_of(box_mesh())
    link.sdf_inertia.inertia = "MANUAL"
    choose("MANUAL")
    assert only_link().inertial.mass == 1.0


def test_a_link_without_a_number_is_refused_until_one_is_entered(capfd):
    select(tag(empty("bare"), "link"))
    choose("MANUAL")
    assert findings()["bad_mass"].severity == "error"
    assert "no inertia to start from" in capfd.readouterr().out
    tag(bpy.data.objects["bare"], manual_mass=2.0, manual_inertia=(1, 1, 1, 0, 0, 0))
    assert only_link().inertial.mass == 2.0


def test_each_selected_link_starts_from_its_own_numbers():
    a = tag(add(box_mesh(), "a"), "link", "collision", use_density=True, density=100)
    b = tag(add(box_mesh((1, 1, 2)), "b", location=(5, 0, 0)), "link", "collision", use_density=True, density=100)
    select(a, b)
    choose("MANUAL")
    assert [body.inertial.mass for body in read()[1]] == pytest.approx([100, 200])
    choose("FILLED", target="b")
    assert [ob.sdf_inertia.inertia for ob in (a, b)] == ["MANUAL", "FILLED"]


def test_undo_gives_back_the_mode_and_that_nothing_was_entered():
    link_of(box_mesh())
    bpy.ops.ed.undo_push(message="before")
    choose("MANUAL")
    bpy.ops.ed.undo_push(message="Set Inertia Mode")
    bpy.ops.ed.undo()
    settings = bpy.data.objects["link"].sdf_inertia
    assert settings.inertia == "AUTO"
    assert not settings.is_property_set("manual_mass")
    assert "UNDO" in bpy.types.SDF_INERTIA_OT_set_inertia.bl_options


def test_what_was_begun_is_known_after_saving_and_loading(tmp_path):
    link_of(box_mesh())
    choose("MANUAL")
    choose("AUTO")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "saved.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "saved.blend"))
    bpy.data.objects["link"].sdf_inertia.density = 800
    choose("MANUAL", target="link")
    assert only_link().inertial.mass == pytest.approx(800)


def test_an_object_that_is_not_a_link_is_refused():
    select(add(box_mesh(), "stranger"))
    with pytest.raises(RuntimeError, match="is a link"):
        bpy.ops.sdf_inertia.set_inertia(mode="MANUAL")


def test_ticking_a_target_mass_starts_from_the_present_one():
    link = link_of(box_mesh())
    tick(link)
    assert (link.sdf_inertia.use_mass, link.sdf_inertia.mass) == (True, 500.0)
    tick(link, use=False)
    assert not link.sdf_inertia.use_mass
    link.sdf_inertia.density = 800
    tick(link)
    assert link.sdf_inertia.mass == 800.0  # nobody had touched it


@pytest.mark.parametrize("mass", [3.0, 1.0])
def test_a_target_mass_that_was_entered_before_stays(mass):
    link = link_of(box_mesh())
    link.sdf_inertia.mass = mass
    tick(link)
    assert (link.sdf_inertia.use_mass, link.sdf_inertia.mass) == (True, mass)


def test_a_script_that_assigns_use_mass_gets_what_is_there():
    link = link_of(box_mesh())
    link.sdf_inertia.use_mass = True
    assert only_link().inertial.mass == 1.0


def test_target_mass_of_a_selection_starts_from_each_links_own():
    links = [
        tag(add(box_mesh(), name), "link", "collision", use_density=True, density=d) for name, d in (("a", 1), ("b", 2))
    ]
    select(*links)
    bpy.ops.sdf_inertia.set_mass(own=True)
    assert [ob.sdf_inertia.mass for ob in links] == [1.0, 2.0]
    bpy.ops.sdf_inertia.set_mass(mass=5.0)
    assert [ob.sdf_inertia.mass for ob in links] == [5.0, 5.0]


def test_a_manual_inertia_impossible_for_the_size_is_a_warning_here_too():
    link_of(box_mesh((0.1, 0.1, 0.1)), inertia="MANUAL", manual_mass=1.0)  # and 1 kg·m², the default
    (found,) = read()[1][0].all_findings()
    assert (found.severity, found.subject) == ("warning", "link")
    assert "a uniform body of its shape" in found.message
    assert not read()[1][0].refused
