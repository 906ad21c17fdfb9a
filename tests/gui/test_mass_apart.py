# SPDX-License-Identifier: GPL-3.0-or-later
"""Mass apart from collision, by clicks: tag a battery as mass, weigh it, let a box only collide, weigh the robot."""

import pytest

FIT = """
import bpy
cube = bpy.data.objects['Cube']
cube.sdf_inertia.is_link = True
for name, size, at in (('hull', 3.0, (0, 0, 0)), ('battery', 0.5, (0.4, 0, 0.2))):
    mesh = cube.data.copy()
    ob = bpy.data.objects.new(name, mesh)
    bpy.context.collection.objects.link(ob)
    ob.parent, ob.location, ob.scale = cube, at, (size / 2.0,) * 3
bpy.data.objects['hull'].display_type = 'WIRE'
"""

ROW_HEIGHT = 27.0
"""Pixels of a row with its share of the gaps and headers at a UI scale of 1."""

CUBE = 2.0**3 * 1000.0  # kg, of water


def choose(user, name):
    user.run(
        f"bpy.context.view_layer.objects.active.select_set(False); o = bpy.data.objects['{name}']; o.select_set(True)"
    )
    user.run(f"setattr(bpy.context.view_layer.objects, 'active', bpy.data.objects['{name}'])")


@pytest.mark.parametrize("large", [False, True])
def test_a_robot_is_weighed_by_clicks(user, large):
    user.run("screen.large_and_light(on)", on=large)
    try:
        weigh(user, "-large" if large else "")
    finally:
        user.run("screen.large_and_light(False)")


def weigh(user, end):
    user.run("exec(FIT)", FIT=FIT)
    user.look()
    choose(user, "Cube")
    user.press("sdf_inertia.tag_mass(")
    choose(user, "battery")
    user.press("sdf_inertia.tag_mass(")
    assert user.run("bpy.data.objects['battery'].sdf_inertia.is_mass")
    choose(user, "hull")
    user.press("sdf_inertia.tag_collision(")
    user.picture(f"hull{end}")
    user.press("sdf_inertia.set_model_mass(")
    assert user.until("bpy.context.scene.sdf_inertia_model.use_mass")
    user.picture(f"robot{end}")
    user.keys("ctrl+z")
    assert user.until("not bpy.context.scene.sdf_inertia_model.use_mass")
    user.press("has_mass")
    assert user.until("not bpy.data.objects['hull'].sdf_inertia.has_mass")
    choose(user, "battery")
    user.press('own=True, target="battery"')
    assert user.until("bpy.data.objects['battery'].sdf_inertia.use_mass")
    assert user.run("bpy.data.objects['battery'].sdf_inertia.mass") == pytest.approx(0.5**3 * 1000.0)
    user.enter("sdf_inertia.mass", "0.35")
    assert user.run("bpy.data.objects['battery'].sdf_inertia.mass") == pytest.approx(0.35)
    user.picture(f"battery{end}")
    assert user.until("extension.number()")[0] == pytest.approx(CUBE + 0.35)


@pytest.mark.fault(125)
def test_the_panel_of_a_weighed_part_has_at_most_35_rows(user):
    user.run("exec(FIT)", FIT=FIT)
    user.run("scene.tag(name, 'is_mass', use_mass=True, mass=0.8)", name="battery")
    user.run("scene.tag(name)", name="hull")
    choose(user, "battery")
    user.look()
    assert 300.0 < user.content_height() <= 35 * ROW_HEIGHT
