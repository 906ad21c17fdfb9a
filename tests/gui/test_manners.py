# SPDX-License-Identifier: GPL-3.0-or-later
"""The panels behave as Blender's own do: Shift and Ctrl in lists, renaming, nothing that moves below the pointer."""

import pytest

pytestmark = pytest.mark.fault(227)

LINE = 20
"""Pixels of a row of a list, times the scale of the interface."""

FOUR_LINKS = """
import bpy
for i in range(4):
    ob = bpy.data.objects['Cube'].copy()
    ob.name, ob.location.x = f'link{i}', 3 * i - 3
    bpy.context.collection.objects.link(ob)
    ob.sdf_inertia.is_link = ob.sdf_inertia.is_collision = ob.sdf_inertia.use_density = True
bpy.data.objects.remove(bpy.data.objects['Cube'])
for i in range(1, 4):
    link = bpy.data.objects[f'link{i}']
    link.parent, link.sdf_inertia.joint_type = bpy.data.objects['link0'], 'REVOLUTE'
"""


@pytest.fixture(params=[False, True], ids=["small", "large"])
def scaled(user, request):
    user.run("screen.large_and_light(on)", on=request.param)
    user.run(FOUR_LINKS)
    user.run("scene.select()")
    user.look()
    yield user
    user.run("screen.large_and_light(False)")


def first_row(user):
    """Return the place of the name in the first row of the Model list: what a click there selects tells which it is."""
    x, y = user.find("sdf_inertia.row")
    user.window.click(x, y)
    assert user.until("scene.selected()[0]")
    return x, y - LINE * user.scale() * int(user.run("scene.selected()[0]")[-1])


def test_shift_and_ctrl_select_rows_and_a_double_click_renames(scaled):
    x, y = first_row(scaled)
    line = LINE * scaled.scale()
    scaled.window.click(x, y + line)
    assert scaled.until("scene.selected() == ('link1', ['link1'])")
    scaled.window.click(x, y + 3 * line, held="shift")
    assert scaled.until("scene.selected() == ('link3', ['link1', 'link2', 'link3'])")
    scaled.picture("selected")
    scaled.window.click(x, y + 2 * line, held="ctrl")
    assert scaled.until("scene.selected() == ('link3', ['link1', 'link3'])")
    scaled.window.click(x, y, held="ctrl")
    assert scaled.until("scene.selected() == ('link0', ['link0', 'link1', 'link3'])")
    scaled.window.click(x, y + line)
    assert scaled.until("scene.selected() == ('link1', ['link1'])")
    scaled.window.click(x, y + line, times=2)
    scaled.window.key("ctrl+a")
    scaled.window.type("arm1")
    scaled.window.key("Return")
    assert scaled.until("'arm1' in bpy.data.objects and 'link1' not in bpy.data.objects")


def test_a_button_sets_the_axis_of_all_selected_joints(scaled):
    scaled.run("scene.select('link1', 'link2')")
    x, y = scaled.find("links.joint_along")
    scaled.picture("axes")
    left, _, right, _ = scaled.sidebar()
    scaled.window.click(left + 0.47 * (right - left), y)
    assert scaled.until("bpy.data.objects['link1'].sdf_inertia.joint_axis[0] == 1.0")
    assert scaled.run("[tuple(bpy.data.objects[n].sdf_inertia.joint_axis) for n in ('link2', 'link3')]") == [
        (1.0, 0.0, 0.0),
        (0.0, 0.0, 1.0),
    ]


def test_what_vanishes_moves_nothing_below_the_pointer(scaled):
    scaled.run("bpy.data.objects['link1'].sdf_inertia.use_density = False")
    scaled.run("scene.select('link1')")
    assert scaled.until("'default_density' in extension.codes('link1')")
    before = scaled.find("sdf_inertia.material")
    scaled.picture("with-finding")
    scaled.window.click(*before)
    scaled.window.key("ctrl+a")
    scaled.window.type("Steel")
    scaled.window.key("Return")
    assert scaled.until("'default_density' not in extension.codes('link1')")
    scaled.picture("without-finding")
    x, y = scaled.find("sdf_inertia.material")
    assert abs(y - before[1]) < 8 * scaled.scale()


def test_an_empty_tab_offers_to_import_a_robot(user):
    user.run("bpy.data.objects.remove(bpy.data.objects['Cube'])")
    user.look()
    user.find("sdf_inertia.import_sdf(")
    user.picture("empty")
    user.press("sdf_inertia.import_sdf(")
    user.dialog("SDF_INERTIA_OT_import_sdf")
    user.window.key("Escape")


def test_a_wheel_is_offered_to_turn_by_a_click(user):
    user.run(FOUR_LINKS)
    user.run(
        "bpy.ops.mesh.primitive_cylinder_add(radius=0.5, depth=0.2, rotation=(1.5708, 0, 0))\n"
        "wheel = bpy.context.view_layer.objects.active\n"
        "wheel.name, wheel.parent = 'wheel', bpy.data.objects['link0']\n"
        "wheel.sdf_inertia.is_link = wheel.sdf_inertia.is_collision = True"
    )
    user.run("scene.select('wheel')")
    user.look()
    place = user.find("joints_from_hierarchy(wheels_only=True)")
    user.picture("offered")
    assert user.run("bpy.data.objects['wheel'].sdf_inertia.joint_type") == "NONE"
    user.window.click(*place)
    assert user.until("bpy.data.objects['wheel'].sdf_inertia.joint_type == 'CONTINUOUS'")
