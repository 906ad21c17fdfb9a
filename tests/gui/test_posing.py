# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints in a window: selected by a click, shown at other positions by handle and slider, and put back."""

import pytest

ARM = """
import bpy
cube = bpy.data.objects['Cube']
cube.scale = (0.8, 0.8, 0.3)
cube.sdf_inertia.is_link = cube.sdf_inertia.is_collision = True
arm = bpy.data.objects.new('arm', cube.data)
bpy.context.collection.objects.link(arm)
arm.location, arm.scale = (0, 0, 2), (0.2, 0.2, 1.2)
arm.sdf_inertia.is_link = arm.sdf_inertia.is_collision = True
arm.sdf_inertia.joint_type = 'REVOLUTE'
arm.sdf_inertia.joint_parent = cube
arm.sdf_inertia.joint_axis = (0, 1, 0)
arm.sdf_inertia.joint_use_limits = True
arm.sdf_inertia.joint_lower, arm.sdf_inertia.joint_upper = -0.8, 1.2
pin = bpy.data.objects.new('pin', None)
bpy.context.collection.objects.link(pin)
pin.location, pin.empty_display_size = (0, 0, 0.9), 0.1
arm.sdf_inertia.joint_frame = pin
for ob in (cube, arm, pin):
    ob.select_set(False)
cube.select_set(True)
bpy.context.view_layer.objects.active = cube
bpy.ops.ed.undo_push(message="arm")
"""

PIVOT = (0, 0, 0.9)


def position(user):
    return user.run("bpy.data.objects['arm'].sdf_inertia.joint_position")


@pytest.mark.parametrize("large", [False, True])
def test_a_joint_is_selected_posed_and_put_back(user, large):
    user.run("screen.large_and_light(on)", on=large)
    try:
        pose(user, "-large" if large else "")
    finally:
        user.run("screen.large_and_light(False)")


def pose(user, end):
    user.run("exec(ARM)", ARM=ARM)
    user.look()
    user.keys()
    user.picture(f"joints{end}")
    x, y = user.on_screen(*PIVOT)
    user.window.click(x + 3, y - 2)
    assert user.run("scene.selected()") == ("arm", ["arm"])
    user.keys()
    user.picture(f"active{end}")
    before = user.run("[list(map(tuple, ob.matrix_world)) for ob in bpy.data.objects]")
    # The handle is on the arc, where the joint's position is: at 0, which is where the first of the basis points.
    start = handle(user)
    x, y = user.on_screen(*PIVOT)
    way = start[0] - x, start[1] - y
    turned = -0.7 * way[0] - 0.7 * way[1] + x, 0.7 * way[0] - 0.7 * way[1] + y
    drag(user, start, turned)
    shown = position(user)
    assert 0.5 < abs(shown) < 3.0
    user.picture(f"posed{end}")
    assert user.run("[list(map(tuple, ob.matrix_world)) for ob in bpy.data.objects]") == before
    user.keys("ctrl+z")
    assert position(user) == 0.0
    user.keys("ctrl+shift+z")
    assert position(user) == pytest.approx(shown)
    user.press("sdf_inertia.reset_pose(")
    assert user.until("bpy.data.objects['arm'].sdf_inertia.joint_position == 0.0")


def handle(user):
    """Return where the handle of the active joint is on the screen."""
    return tuple(user.run("extension.joint_handle()"))


def drag(user, start, end):
    user.window.move(start[0] - 2, start[1] - 2)
    user.window.move(*start)
    user.window.program("xdotool", "mousedown", "1")
    user.window.breathe()
    for share in (0.3, 0.7, 1.0):
        user.window.move(*(a + share * (b - a) for a, b in zip(start, end, strict=True)))
    user.window.program("xdotool", "mouseup", "1")
    user.window.breathe()
