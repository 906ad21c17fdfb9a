# SPDX-License-Identifier: GPL-3.0-or-later
"""From imported meshes to a robot that moves, by clicks and keys alone, counted."""

from math import radians

import mujoco
import pytest
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant

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


CRANE = """
import bpy
for ob in list(bpy.data.objects):
    bpy.data.objects.remove(ob)
above = None
for name, size in (("base", (1, 1, 0.2)), ("post", (0.3, 0.3, 2)), ("boom", (2, 0.2, 0.2)), ("stick", (0.2, 0.2, 1)),
                   ("hook", (0.3, 0.1, 0.3))):
    with screen.anywhere():
        bpy.ops.mesh.primitive_cube_add(size=1, scale=size)
        bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    ob = bpy.context.active_object
    ob.name, ob.parent = name, above
    if above is not None:
        ob.location = (0.5 if above.name == "boom" else 0.0, 0.0, 1.0)
    above = ob
with screen.anywhere():
    bpy.ops.object.select_all(action="DESELECT")
bpy.ops.ed.undo_push(message="imported")
"""
"""Five meshes, each below the last, with a volume of 0.2, 0.18, 0.08, 0.04 and 0.009 m³."""

FORMAT = 266
"""Pixels from the top of the export's options to the middle of Format."""

VOLUMES = (0.2, 0.18, 0.08, 0.04, 0.009)


def test_five_meshes_become_a_robot_in_drake_and_mujoco(user):
    user.run("exec(script, {'screen': screen})", script=CRANE)
    user.look(distance=9.0)
    user.keys("a")
    user.press("sdf_inertia.tag_link(")
    names = ["base", "post", "boom", "stick", "hook"]
    assert user.until("all(bpy.data.objects[name].sdf_inertia.is_link for name in names)", names=names)
    user.choose("links.joint_type", 3)
    assert user.until("bpy.data.objects['hook'].sdf_inertia.joint_type == 'REVOLUTE'")
    x, y = user.find("set_inertia(mode='AUTO'")
    user.window.click(x + 0.12 * (user.sidebar()[2] - user.sidebar()[0]), y)  # Filled, beside Auto: for Drake
    assert user.until("all(bpy.data.objects[name].sdf_inertia.inertia == 'FILLED' for name in names)", names=names)
    user.picture("crane")
    for number, engine in ((1, "drake"), (3, "mujoco")):
        (user.window.folder / engine).mkdir()
        user.press("sdf_inertia.export_")
        user.dialog("SDF_INERTIA_OT_export_model")
        user.enter("params.directory", f"{user.window.inside}/{engine}", "FILE_BROWSER", "UI")
        _, top, right, _ = user.box("FILE_BROWSER", "TOOL_PROPS")
        user.appears(lambda right=right, top=top: user.window.click(right - 60, top + FORMAT))
        user.window.key(str(number))
        user.picture(engine)
        user.press("file.execute", "FILE_BROWSER", "EXECUTE")
        assert user.until("not screen.shown('FILE_BROWSER') and not screen.waiting_operators()")
    plant = MultibodyPlant(0.0)
    Parser(plant).AddModels(str(user.window.folder / "drake" / "model" / "model.sdf"))
    plant.Finalize()
    assert plant.CalcTotalMass(plant.CreateDefaultContext()) == pytest.approx(1000.0 * sum(VOLUMES), rel=1e-6)
    assert plant.num_positions() == 7 + 4  # the base is free
    robot = mujoco.MjModel.from_xml_path(str(user.window.folder / "mujoco" / "model" / "model.xml"))
    assert [robot.body(name).mass[0] for name in names] == pytest.approx([1000.0 * v for v in VOLUMES], rel=1e-6)
    assert robot.nq == 7 + 4
