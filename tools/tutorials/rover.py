# SPDX-License-Identifier: GPL-3.0-or-later
"""From an empty scene to a rover that drives."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import mkdtemp

from tests.gui.user import User

from .page import Step, Tutorial

EMPTY = """
import bpy
for ob in list(bpy.data.objects):
    bpy.data.objects.remove(ob)
bpy.ops.ed.undo_push(message="empty")
"""

CHASSIS = """
import bpy
with inside.anywhere():
    bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 0, 0.12), scale=(0.4, 0.24, 0.1))
bpy.context.active_object.name = "chassis"
bpy.ops.ed.undo_push(message="chassis")
"""

WHEELS = """
import bpy
from math import radians
chassis = bpy.data.objects["chassis"]
made = []
for end, x in (("front", 0.14), ("rear", -0.14)):
    for side, y in (("left", 0.15), ("right", -0.15)):
        with inside.anywhere():
            bpy.ops.mesh.primitive_cylinder_add(
                vertices=48, radius=0.07, depth=0.04, location=(x, y, 0.07), rotation=(radians(-90), 0, 0))
        wheel = bpy.context.active_object
        wheel.name = f"wheel_{end}_{side}"
        made.append(wheel)
for wheel in made:
    wheel.select_set(True)
chassis.select_set(True)
bpy.context.view_layer.objects.active = chassis
with inside.anywhere():
    bpy.ops.object.parent_set(type="OBJECT", keep_transform=True)
chassis.select_set(False)
bpy.context.view_layer.objects.active = made[0]
bpy.ops.ed.undo_push(message="wheels")
"""

BATTERY = """
import bpy
chassis = bpy.data.objects["chassis"]
with inside.anywhere():
    bpy.ops.mesh.primitive_cube_add(size=1, location=(-0.1, 0, 0.13), scale=(0.12, 0.16, 0.06))
battery = bpy.context.active_object
battery.name = "battery"
chassis.select_set(True)
bpy.context.view_layer.objects.active = chassis
with inside.anywhere():
    bpy.ops.object.parent_set(type="OBJECT", keep_transform=True)
chassis.select_set(False)
bpy.context.view_layer.objects.active = battery
bpy.ops.ed.undo_push(message="battery")
"""

WHEEL_NAMES = tuple(f"wheel_{end}_{side}" for end in ("front", "rear") for side in ("left", "right"))

DRIVE = '''from pydrake.geometry import HalfSpace
from pydrake.math import RigidTransform
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, CoulombFriction
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder


def drive(sdf, seconds=2.0, torque=0.1):
    """Drive on a plane with a torque on each wheel [N·m]; return where the chassis is then."""
    builder = DiagramBuilder()
    plant, _scene = AddMultibodyPlantSceneGraph(builder, 1e-3)
    Parser(plant).AddModels(sdf)
    ground = CoulombFriction(0.9, 0.8)
    plant.RegisterCollisionGeometry(plant.world_body(), RigidTransform(), HalfSpace(), "ground", ground)
    plant.Finalize()
    simulator = Simulator(builder.Build())
    context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    plant.get_actuation_input_port().FixValue(context, [torque] * plant.num_actuators())
    simulator.AdvanceTo(seconds)
    return plant.EvalBodyPoseInWorld(context, plant.GetBodyByName("chassis")).translation()


print(drive("rover/model/model.sdf"))
'''


def select(user: User, *names: str) -> None:
    user.run("inside.select(*names)", names=list(names))
    user.run("bpy.ops.ed.undo_push(message='select')")


def run(user: User, code: str) -> None:
    user.run("exec(script, {'inside': inside})", script=code)


def begin(user: User) -> None:
    run(user, EMPTY)
    user.look(distance=1.4)
    user.run("inside.tutorial_view(0.9)")


def chassis(user: User) -> None:
    run(user, CHASSIS)
    user.press("sdf_inertia.tag_link(")
    assert user.until("bpy.data.objects['chassis'].sdf_inertia.is_link")
    user.run("setattr(bpy.data.objects['chassis'].sdf_inertia, 'geometry', 'BOX')")


def wheels(user: User) -> None:
    run(user, WHEELS)
    user.press("sdf_inertia.tag_link(")
    assert user.until("bpy.data.objects['wheel_rear_right'].sdf_inertia.is_link")
    for name in WHEEL_NAMES:
        user.run("setattr(bpy.data.objects[name].sdf_inertia, 'geometry', 'CYLINDER')", name=name)


def materials(user: User) -> None:
    with_material = {"chassis": "Plywood", **dict.fromkeys(WHEEL_NAMES, "Rubber")}
    for name, material in with_material.items():
        user.run("setattr(bpy.data.objects[name].sdf_inertia, 'material', material)", name=name, material=material)
        assert user.run("bpy.data.objects[name].sdf_inertia.use_density", name=name), material
    select(user, "chassis")


def battery(user: User) -> None:
    run(user, BATTERY)
    user.press("sdf_inertia.tag_mass(")
    assert user.until("bpy.data.objects['battery'].sdf_inertia.is_mass")
    user.run("setattr(bpy.data.objects['battery'].sdf_inertia, 'geometry', 'BOX')")
    user.run("setattr(bpy.data.objects['battery'].sdf_inertia, 'mass', 0.8)")
    user.run("setattr(bpy.data.objects['battery'].sdf_inertia, 'use_mass', True)")


def joints(user: User) -> None:
    select(user, *WHEEL_NAMES)
    user.press("sdf_inertia.set_joint(")
    assert user.until("bpy.data.objects['wheel_rear_right'].sdf_inertia.joint_type == 'REVOLUTE'")
    for name in WHEEL_NAMES:  # as the redo panel does
        user.run("setattr(bpy.data.objects[name].sdf_inertia, 'joint_type', 'CONTINUOUS')", name=name)
    select(user, "wheel_front_left")


def look(user: User) -> None:
    select(user, "chassis")
    user.run("setattr(bpy.context.scene.sdf_inertia, 'show_total', True)")


_exported: list[Path] = []


def export(user: User) -> None:
    user.run("setattr(bpy.context.scene.sdf_inertia, 'show_total', False)")
    user.run("inside.export_by_script(path)", path=f"{user.window.inside}/rover")
    folder = Path(mkdtemp())
    shutil.copytree(user.window.folder / "rover", folder / "rover")
    _exported.append(folder / "rover" / "model" / "model.sdf")
    user.find("sdf_inertia.export_sdf(")


def driven(user: User) -> None:
    scope: dict[str, object] = {}
    exec(DRIVE.partition("\n\n\nprint")[0], scope)
    drive = scope["drive"]
    assert callable(drive)
    x, y, _z = drive(str(_exported[-1]))
    assert x > 1.0, x
    assert abs(y) < 0.1 * x
    user.run("setattr(bpy.data.objects['chassis'].location, 'x', x)", x=float(x))
    user.run("inside.tutorial_view(3.0, 0.1, x)", x=float(x) / 2.0)


ROVER = Tutorial(
    "rover",
    "From an empty scene to a rover that drives",
    "This takes ten minutes and needs no robotics. You model a box on four wheels, set its links, masses and joints,"
    " and a simulator drives it. You need Blender 4.2.13 or newer with the extension installed"
    " ([README](../README.md)).",
    (
        Step(
            "The SDF tab",
            "Delete everything in the scene. In the 3D view press **N** and open the tab **SDF**. It shows the first"
            " step.",
            begin,
        ),
        Step(
            "The chassis is a link",
            "Add a cube (Shift+A), scale it to 0.4 x 0.24 x 0.1 m, lift it to z = 0.12 m, name it `chassis`, and click"
            " **Link**. With nothing below it, it becomes its own collision and shows its numbers immediately, as if"
            " made of water until you choose a material. Under Method choose the geometry **Box**, which is fast in"
            " every simulator.",
            chassis,
        ),
        Step(
            "Four wheels, four links",
            "Add a cylinder of radius 0.07 m and depth 0.04 m, turn it by -90° about x, so that its axis points along"
            " y,"
            " and put it at (0.14, 0.15, 0.07). Copy it to the other three corners. Select the four, then the chassis,"
            " and parent them (Ctrl+P, Keep Transform). Select the wheels and click **Link**; give them the geometry"
            " **Cylinder**.",
            wheels,
        ),
        Step(
            "Materials",
            "Select the chassis, and click **Material** in the tab: Plywood. Then the wheels: Rubber. The numbers"
            " follow,"
            " in the tab and in the viewport.",
            materials,
        ),
        Step(
            "A battery of known mass",
            "Add a box for the battery inside the chassis, parent it to the chassis, and click **Mass**: it has mass"
            " but does not collide. Tick its mass in the section Density, and enter the measured value: 0.8 kg.",
            battery,
        ),
        Step(
            "Joints",
            "Without joints the wheels would fall off. Select the four wheels, click **Set Joint of 4 Links** in the"
            " section Joint, and choose the type **Continuous** in the panel at the bottom left (Adjust Last"
            " Operation)."
            " Their parent is the link above them, their axis is z, which is the cylinder's. Each axis is an arrow in"
            " the viewport now.",
            joints,
        ),
        Step(
            "Look",
            "The list shows what each link weighs. The chassis has a warning: its battery has mass but no collision,"
            " so no simulator can compute the inertia from the file, and the numbers are written instead. In the"
            " popover next to the title Model tick **Total**: the white mark is the centre of mass of the whole rover.",
            look,
        ),
        Step(
            "Export",
            "Click **Export SDFormat…**, and choose a folder named `rover`. This writes the folder `rover/model`, with"
            " `model.sdf`, `model.config` and the meshes. Gazebo loads it: start `gz sim`, then drop the folder in.",
            export,
            "panel",
        ),
        Step(
            "Drive",
            "In Drake (`pip install drake`), the program below puts the rover on a plane and applies a torque of 0.1"
            " N·m to each wheel. After two seconds it has driven more than a metre and is still in one piece, as in the"
            " picture.",
            driven,
            "view",
            lambda: f"```python\n{DRIVE}```",
        ),
    ),
    "## What next\n\nFix the inertias of an existing robot: [the second tutorial](tutorial-arm.md). What a finding"
    " means: [findings.md](findings.md).",
)
