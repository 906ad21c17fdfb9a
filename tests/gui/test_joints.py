# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints by clicks: from the hierarchy, limits, undo."""

import pytest

ARM = """
import bpy
cube = bpy.data.objects['Cube']
cube.sdf_inertia.is_link = cube.sdf_inertia.is_collision = True
arm = bpy.data.objects.new('arm', cube.data)
bpy.context.collection.objects.link(arm)
arm.parent, arm.location, arm.scale = cube, (0, 0, 2), (0.3, 0.3, 1.2)
arm.sdf_inertia.is_link = arm.sdf_inertia.is_collision = True
cube.select_set(False)
arm.select_set(True)
bpy.context.view_layer.objects.active = arm
bpy.ops.ed.undo_push(message="arm")
"""


@pytest.mark.parametrize("large", [False, True])
def test_a_joint_is_made_by_clicks_and_taken_back(user, large):
    user.run("screen.large_and_light(on)", on=large)
    try:
        make(user, "-large" if large else "")
    finally:
        user.run("screen.large_and_light(False)")


def kind(user):
    return user.run("bpy.data.objects['arm'].sdf_inertia.joint_type")


def make(user, end):
    user.run("exec(ARM)", ARM=ARM)
    user.look()
    place = user.find("sdf_inertia.joints_from_hierarchy(")
    user.appears(lambda: user.window.click(*place))
    user.picture(f"which-type{end}")
    user.window.key("Return")
    assert user.until("bpy.data.objects['arm'].sdf_inertia.joint_type == 'FIXED'")
    user.keys("ctrl+z")
    assert kind(user) == "NONE"
    user.run("setattr(bpy.data.objects['arm'].sdf_inertia, 'joint_type', 'REVOLUTE')")
    user.press("sdf_inertia.set_joint_limits(")
    assert user.until("bpy.data.objects['arm'].sdf_inertia.joint_use_limits")
    user.picture(f"revolute{end}")
