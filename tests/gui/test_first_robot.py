# SPDX-License-Identifier: GPL-3.0-or-later
"""From imported meshes to a robot that moves, by clicks and keys alone, counted."""

from math import radians

import pytest

ARM = """
import bpy
for ob in list(bpy.data.objects):
    bpy.data.objects.remove(ob)
def mesh(name, size, at, parent):
    with screen.anywhere():
        bpy.ops.mesh.primitive_cube_add(size=1, scale=size)
        bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    ob = bpy.context.active_object
    ob.name, ob.parent, ob.location = name, parent, at
above = None
for number in range(7):
    link = bpy.data.objects.new(f"link_{number}", None)
    bpy.context.collection.objects.link(link)
    link.empty_display_size = 0.02
    link.parent, link.location = above, (0.6 if number else 0.0, 0, 0)
    mesh(f"bracket_{number}", (0.4, 0.2, 0.1), (0.2, 0, -0.3), link)
    if number < 6:
        mesh(f"servo_{number}", (0.15, 0.15, 0.2), (0.5, -0.5, 0.3), link)
    above = link
with screen.anywhere():
    bpy.ops.object.select_all(action="DESELECT")
bpy.ops.ed.undo_push(message="imported")
"""


class Counted:
    """A user whose clicks, keys and typed texts are counted; where buttons are is looked up for nothing."""

    def __init__(self, user):
        self.user, self.actions = user, 0

    def keys(self, *keys):
        self.actions += len(keys)
        self.user.keys(*keys)

    def press(self, does):
        self.actions += 1
        self.user.press(does)

    def click(self, x, y, held=""):
        self.actions += 1
        window = self.user.window
        window.move(x, y)
        if held:
            window.program("xdotool", "keydown", held)
        window.program("xdotool", "click", "1")
        if held:
            window.program("xdotool", "keyup", held)
        window.breathe()

    def choose(self, does, number):
        self.actions += 2  # a click, and a key or a click
        self.user.choose(does, number)

    def enter(self, does, text):
        self.actions += 3  # a click, a text, Enter
        self.user.enter(does, text)


@pytest.mark.fault(116, 117, 122)
def test_meshes_become_a_robot_that_moves_in_30_actions(user):
    user.run("exec(script, {'screen': screen})", script=ARM)
    user.look(distance=9.0)
    user.run("screen.look_at(point)", point=(1.8, 0.0, 0.0))
    servos, links = [f"servo_{number}" for number in range(6)], [f"link_{number}" for number in range(7)]
    counted = Counted(user)
    counted.keys("a")
    counted.press("sdf_inertia.tag_by_rules(")
    assert user.until("all(bpy.data.objects[name].sdf_inertia.is_link for name in names)", names=links)
    for number, name in enumerate(servos):
        x, y = user.on_screen(*user.run("tuple(bpy.data.objects[name].matrix_world.translation)", name=name))
        counted.click(x, y, "shift" if number else "")
    assert user.run("scene.selected()")[1] == servos
    counted.press("sdf_inertia.set_mass(")
    counted.enter("parts.mass", "0.055")
    assert [user.run("bpy.data.objects[name].sdf_inertia.mass", name=name) for name in servos] == pytest.approx(
        [0.055] * 6
    )
    counted.click(*user.on_screen(*user.until("extension.centres()")["link_3"]))
    assert user.until("scene.selected()[0] == 'link_3'")
    counted.keys("a")
    counted.choose("links.joint_type", 3)
    assert user.until("bpy.data.objects['link_6'].sdf_inertia.joint_type == 'REVOLUTE'")
    user.picture("joints")
    counted.press("sdf_inertia.set_joint_limits(")
    counted.enter("links.joint_lower_angle", "-60")
    counted.enter("links.joint_upper_angle", "90")
    limited = "[bpy.data.objects[name].sdf_inertia.joint_use_limits for name in names]"
    assert user.run(limited, names=links) == [False] + [True] * 6
    user.picture("moving")
    upper = "[bpy.data.objects[name].sdf_inertia.joint_upper for name in names]"
    assert user.run(upper, names=links[1:]) == pytest.approx([radians(90)] * 6)
    user.keys("ctrl+z", "ctrl+z")  # what was typed for both limits
    assert user.run(upper.replace("upper", "lower"), names=links[1:]) == pytest.approx([radians(-90)] * 6)
    user.keys("ctrl+shift+z")
    assert user.run(upper.replace("upper", "lower"), names=links[1:]) == pytest.approx([radians(-60)] * 6)
    print(f"{counted.actions} actions")
    assert counted.actions <= 30
