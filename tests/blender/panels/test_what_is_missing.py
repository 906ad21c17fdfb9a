# SPDX-License-Identifier: GPL-3.0-or-later
"""What a robot still lacks appears in the Model panel and in the export dialog, before a file is written."""

from pathlib import Path

import bpy
import pytest

from ..scenes import add, box_link, box_mesh, empty, live_model, module, select, tag

pytestmark = [pytest.mark.usefixtures("scene"), pytest.mark.fault(121)]


def texts():
    return module("sdf_inertia_addon.panels.texts")


def panel():
    """Return the remarks of the Model panel: icon, text and whether it is red."""
    live, missing = live_model(), module("sdf_inertia_addon.importing.missing").count_missing(bpy.context.scene)
    found = [*texts().model_remarks(live, missing), *texts().export_remarks(live.links)]
    return [(remark.icon, remark.text, remark.alert) for remark in found]


def dialog(**options):
    """Return what the export dialog says besides the model and its folder."""
    missing = module("sdf_inertia_addon.importing.missing").count_missing(bpy.context.scene)
    planned = module("sdf_inertia_addon.operators.files.export_model").planned
    found = planned(live_model(), Path("/robots"), "AS_SET", False, "file", missing=missing, **options)
    return [(remark.icon, remark.text, remark.alert) for remark in found][2:]


def links(*names, parent=None):
    return [box_link(name, parent, use_density=True) for name in names]


def test_nothing_is_missing_from_a_joined_robot():
    (base,) = links("base")
    (arm,) = links("arm", parent=base)
    tag(arm, joint_type="FIXED")
    assert panel() == dialog() == [("CHECKMARK", "2 links: Auto", False)]


def test_links_that_no_joint_holds_are_reported_with_the_remedy():
    links("base", "arm")
    expected = ("ERROR", "No joint holds 2 links: arm, base. Use Set Joint or Joints from Hierarchy", False)
    assert expected in panel()
    assert expected in dialog()


def test_of_many_links_two_are_named_and_the_rest_counted():
    (base,) = links("base")
    (arm,) = links("arm", parent=base)
    tag(arm, joint_type="FIXED")
    links("a", "b", "c", "d")
    expected = ("ERROR", "No joint holds 4 links: a, b and 2 more. Use Set Joint or Joints from Hierarchy", False)
    assert expected in panel()


def test_a_single_link_needs_no_joint():
    links("base")
    assert panel() == [("CHECKMARK", "1 link: Auto", False)]


def test_a_robot_that_never_moves_needs_no_joint():
    links("base", "arm")
    assert any("joint" in text for _icon, text, _alert in panel())
    bpy.context.scene.sdf_inertia_model.static = True
    assert panel() == dialog() == [("CHECKMARK", "2 links: Auto", False)]
    bpy.context.scene.sdf_inertia_model.static = False
    assert any("joint" in text for _icon, text, _alert in panel())


def test_a_link_that_nothing_draws_is_reported():
    tag(add(box_mesh(), "battery", tag(empty("pack"), "link", inertia="FILLED")), "mass", use_density=True)
    expected = ("ERROR", "1 link cannot be seen: pack. Tag a visual", False)
    assert expected in panel()
    assert expected in dialog()
    tag(add(box_mesh(), "case", bpy.data.objects["pack"]), "visual")
    assert expected not in panel()


def test_without_drawn_collisions_the_dialog_says_what_cannot_be_seen():
    links("base")
    expected = ("ERROR", "1 link cannot be seen: base. Tag a visual", False)
    assert expected in dialog(draw_collisions=False)
    assert expected not in dialog()


def test_links_without_mass_are_reported():
    links("base")
    tag(add(box_mesh(), "cover", tag(empty("shell"), "link")), "visual")
    expected = ("ERROR", "1 link without mass: shell. Tag its solid parts as Collision or Mass", False)
    assert expected in panel()
    assert expected in dialog()


def test_missing_meshes_are_counted():
    (base,) = links("base")
    assert not any("missing" in text for _icon, text, _alert in panel())
    base.sdf_inertia.missing = "visual a\nvisual b"
    expected = ("ERROR", "2 meshes are missing", False)
    assert expected in panel()
    assert expected in dialog()


def test_parts_in_no_link_are_red():
    links("base")
    tag(add(box_mesh(), "bumper"), "collision")
    expected = ("CANCEL", "1 part is in no link: bumper. Parent each to a link", True)
    assert expected in panel()
    assert expected in dialog()


def test_a_joint_without_a_link_above_is_red():
    (base,) = links("base")
    remark = module("sdf_inertia_addon.panels.sections.joint").parent_remark(base, base.sdf_inertia)
    assert (remark.icon, remark.alert) == ("CANCEL", True)
    base.sdf_inertia.joint_world = True
    assert not module("sdf_inertia_addon.panels.sections.joint").parent_remark(base, base.sdf_inertia).alert


def buttons(remark_text):
    """Return the operators of the buttons beside the remark that contains a text, with their values."""
    live, missing = live_model(), module("sdf_inertia_addon.importing.missing").count_missing(bpy.context.scene)
    shown = [*texts().model_remarks(live, missing), *texts().export_remarks(live.links)]
    (remark,) = [remark for remark in shown if remark_text in remark.text]
    return [(button.operator.partition(".")[2], dict(button.values)) for button in remark.buttons]


@pytest.mark.fault(227)
def test_a_sentence_that_names_a_button_has_it():
    base, arm = links("base", "arm")
    tag(add(box_mesh(), "cover", tag(empty("shell"), "link")), "visual")
    tag(add(box_mesh(), "battery", tag(empty("pack"), "link", inertia="FILLED")), "mass", use_density=True)
    base.sdf_inertia.missing = "visual a"
    assert buttons("No joint holds") == [("set_joint", {}), ("joints_from_hierarchy", {"everywhere": True})]
    assert buttons("without mass") == [("tag_collision", {}), ("tag_mass", {})]
    assert buttons("cannot be seen") == [("tag_visual", {})]
    assert buttons("is missing") == [("find_meshes", {})]
    operators = {name for text in ("No joint", "without mass", "cannot be", "is missing") for name, _ in buttons(text)}
    assert operators <= {*dir(bpy.ops.sdf_inertia)}


@pytest.mark.fault(227)
def test_the_button_beside_free_links_holds_all_of_them():
    (base,) = links("base")
    arms = links("a", "b", parent=base)
    select(arms[0])
    (hierarchy,) = [values for name, values in buttons("No joint holds") if name == "joints_from_hierarchy"]
    assert bpy.ops.sdf_inertia.joints_from_hierarchy(joint_type="FIXED", **hierarchy) == {"FINISHED"}
    assert [arm.sdf_inertia.joint_type for arm in arms] == ["FIXED", "FIXED"]
    assert not any("No joint" in text for _icon, text, _alert in panel())


@pytest.mark.fault(227)
def test_a_finding_has_the_button_that_its_remedy_names():
    findings = module("sdf_inertia_addon.panels.sections.findings")
    finding = module("core.errors").Finding.of
    (link,) = links("hand")
    moves = finding("error", "zero_mass", "hand", "none")
    bad = finding("error", "triangle_inequality", "hand", moments="1, 1, 3", excess=1.0)

    def named(each):
        return [(button.operator.partition(".")[2], button.values) for button in findings.named_buttons(each, link)]

    filled = ("set_inertia", {"target": "hand", "mode": "FILLED"})
    assert named(moves) == named(bad) == [filled]
    link.sdf_inertia.inertia = "FILLED"
    assert named(bad) == []  # it is so already
    link.sdf_inertia.source = "robot.urdf"
    assert named(bad) == [("accept_computed", {"target": "hand", "accepted": True})]


@pytest.mark.fault(227)
def test_masses_are_entered_in_the_unit_in_which_they_are_shown():
    links("base")
    model, units = bpy.context.scene.sdf_inertia_model, module("sdf_inertia_addon.preferences").units
    bpy.context.scene.unit_settings.length_unit = "MILLIMETERS"
    assert units().mass == "g"
    model.mass_in_grams = 1250.0
    assert model.mass == pytest.approx(1.25) and model.mass_in_grams == pytest.approx(1250.0)
    assert texts().model_total(live_model(), units()).endswith(" g")


@pytest.mark.fault(227)
def test_a_material_begins_with_its_name_in_a_narrow_list():
    listed = module("sdf_inertia_addon.scene.known_materials").in_a_list
    assert listed("Acrylic", 1180.0) == "Acrylic, 1180 kg/m³ (PMMA, Plexiglas, Perspex)"
    assert listed("Steel", 7850.0).startswith("Steel, 7850 kg/m³")
