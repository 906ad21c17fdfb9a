# SPDX-License-Identifier: GPL-3.0-or-later
"""In a scene: parts that have mass and do not collide, collisions without mass, weighed parts and robots, frames."""

import bpy
import numpy as np
import pytest

from .. import scenes
from ..scenes import add, box_mesh, empty, exported, only_link, read, tag

pytestmark = pytest.mark.usefixtures("scene")


def fitted(**attributes):
    """A link of a box collision without mass, the detailed body behind it and a battery of 0.35 kg."""
    base = empty("base")
    tag(base, "link", density=2700.0, **attributes)
    hull = add(box_mesh((3.0, 2.0, 1.0)), "hull", parent=base)
    tag(hull, "collision", geometry="BOX", has_mass=False)
    body = add(scenes.wedge_mesh(), "body", parent=base)
    tag(body, "mass", "visual")
    battery = add(box_mesh((0.1, 0.04, 0.03)), "battery", parent=base, location=(0.25, 0.0, 0.125))
    tag(battery, "mass", geometry="BOX", use_mass=True, mass=0.35)
    return base


def test_mass_is_what_is_tagged_so_and_the_file_has_the_one_collision(tmp_path):
    fitted()
    body = only_link()
    by_name = {part.name: part for part in body.parts}
    assert sorted(by_name) == ["battery", "body"]
    assert by_name["battery"].inertial.mass == pytest.approx(0.35, rel=1e-15)
    parts = by_name["body"].inertial + by_name["battery"].inertial
    assert body.inertial.mass == pytest.approx(parts.mass, rel=1e-14)
    np.testing.assert_allclose(body.inertial.inertia, parts.inertia, rtol=1e-13)
    assert body.mode == "filled"
    (finding,) = [each for each in body.findings if each.code == "auto_not_possible"]
    assert "battery, body have mass without colliding" in finding.message
    root = exported(tmp_path)
    assert [one.get("name") for one in root.iter("collision")] == ["hull"]
    assert [one.get("name") for one in root.iter("visual")] == ["body_visual"]


def test_a_weighed_collision_keeps_its_mass_under_the_target_of_its_link(tmp_path):
    base = empty("arm")
    tag(base, "link", density=1240.0, use_mass=True, mass=0.2)
    tag(add(box_mesh((0.03, 0.02, 0.04)), "servo", parent=base), "collision", use_mass=True, mass=0.055)
    tag(add(box_mesh((0.2, 0.1, 0.01)), "print", parent=base), "collision")
    body = only_link()
    assert {part.name: round(part.inertial.mass, 12) for part in body.parts} == {"print": 0.145, "servo": 0.055}
    assert body.mode == "auto"
    (inertial,) = exported(tmp_path).iter("inertial")
    assert inertial.get("auto") == "true" and inertial.find("mass") is None


def test_a_collision_that_is_mass_too_has_mass():
    base = fitted()
    tag(bpy.data.objects["hull"], "mass")
    assert base.sdf_inertia.is_link
    assert sorted(part.name for part in only_link().parts) == ["battery", "body", "hull"]


def test_the_panel_follows_what_has_mass_and_what_the_robot_weighs():
    fitted()
    other = add(box_mesh(), "other")
    tag(other, "link", "collision", density=100.0)
    live = scenes.module("sdf_inertia_addon.live")
    bpy.context.view_layer.update()
    before = live.model(bpy.context.evaluated_depsgraph_get())
    assert not [link.stale for link in before.links if link.stale]
    whole = before.total().mass
    robot = bpy.context.scene.sdf_inertia_model
    robot.use_mass, robot.mass = True, round(whole + 50.0, 3)
    after = live.model(bpy.context.evaluated_depsgraph_get())
    assert after.total().mass == pytest.approx(robot.mass, rel=1e-6)
    masses = {link.body.name: link.body.inertial.mass for link in after.links}
    assert masses["base"] == {link.body.name: link.body.inertial.mass for link in before.links}["base"]
    model, bodies = read()
    assert {body.name: body.inertial.mass for body in bodies} == pytest.approx(masses, rel=1e-12)
    robot.use_mass = False
    assert live.model(bpy.context.evaluated_depsgraph_get()).total().mass == pytest.approx(whole, rel=1e-15)


def test_a_collection_of_part_of_the_robot_is_not_scaled_to_its_mass():
    one, other = (add(box_mesh(), name) for name in "ab")
    for ob in (one, other):
        tag(ob, "link", "collision", density=100.0)
    robot = bpy.context.scene.sdf_inertia_model
    robot.use_mass, robot.mass = True, 500.0
    part = bpy.data.collections.new("part")
    bpy.context.scene.collection.children.link(part)
    part.objects.link(one)
    scene_read = scenes.module("sdf_inertia_addon.scene.scene_read")
    model = scene_read.read_model(bpy.context.evaluated_depsgraph_get(), collection=part)
    assert model.mass is None
    assert "model_mass" in [finding.code for finding in model.findings]


def test_an_empty_tagged_as_frame_is_one_of_its_link(tmp_path):
    hand = add(box_mesh(), "hand", location=(1.0, 2.0, 3.0))
    tag(hand, "link", "collision", density=100.0)
    tag(empty("tip", parent=hand, location=(0.5, 0.0, -0.25)), "frame")
    (frame,) = exported(tmp_path).iter("frame")
    assert dict(frame.attrib) == {"name": "tip", "attached_to": "hand"}
    assert frame.findtext("pose") == "0.5 0 -0.25 0 0 0"


def test_a_frame_without_a_link_is_reported():
    tag(empty("tip"), "frame")
    model, _bodies = read()
    assert [(finding.code, finding.subject) for finding in model.findings] == [("no_link", "tip")]


def test_tagging_by_names_makes_frames_of_empties_that_hold_nothing():
    hand = add(box_mesh(), "hand_link")
    tip, group = empty("tip", parent=hand), empty("group", parent=hand)
    add(box_mesh(), "cell_mass", parent=group)
    scenes.select(hand)
    bpy.ops.sdf_inertia.tag_by_rules()
    assert tip.sdf_inertia.is_frame and not group.sdf_inertia.is_frame
    assert bpy.data.objects["cell_mass"].sdf_inertia.is_mass
    assert not bpy.data.objects["cell_mass"].sdf_inertia.is_collision


def test_a_parts_own_mass_starts_from_the_present_one():
    fitted()
    scenes.select(bpy.data.objects["body"])
    present = {part.name: part for part in only_link().parts}["body"].inertial.mass
    bpy.ops.sdf_inertia.set_mass("EXEC_DEFAULT", target="body", own=True, use=True)
    settings = bpy.data.objects["body"].sdf_inertia
    assert settings.use_mass and settings.mass == pytest.approx(present, rel=1e-6)
    assert not bpy.data.objects["base"].sdf_inertia.use_mass


def test_the_robots_mass_starts_from_the_present_one_and_can_be_taken_back():
    tag(add(box_mesh()), "link", "collision", use_density=True, density=500.0)
    present = only_link().inertial.mass
    robot = bpy.context.scene.sdf_inertia_model
    assert bpy.ops.sdf_inertia.set_model_mass() == {"FINISHED"}
    assert robot.use_mass and robot.mass == pytest.approx(present, rel=1e-6)
    assert only_link().inertial.mass == pytest.approx(present, rel=1e-6)
    assert bpy.ops.sdf_inertia.set_model_mass(use=False) == {"FINISHED"}
    assert not robot.use_mass


def test_the_list_says_what_only_collides():
    fitted()
    live, rows = scenes.module("sdf_inertia_addon.live"), scenes.module("sdf_inertia_addon.panels.rows")
    bpy.context.view_layer.update()
    found = rows.rows_of(live.model(bpy.context.evaluated_depsgraph_get()))
    assert {name: row.only_collides for name, row in found.items()} == {
        "base": False,
        "hull": True,
        "body": False,
        "battery": False,
    }
    assert found["hull"].geometry == "box" and found["hull"].mass is None
    assert found["battery"].share == pytest.approx(0.35 / found["base"].mass, rel=1e-6)
