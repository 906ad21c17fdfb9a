# SPDX-License-Identifier: GPL-3.0-or-later
"""From an empty scene to a rover that drives."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import mkdtemp

import pytest

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
with screen.anywhere():
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
        with screen.anywhere():
            bpy.ops.mesh.primitive_cylinder_add(
                vertices=48, radius=0.07, depth=0.04, location=(x, y, 0.07), rotation=(radians(-90), 0, 0))
        wheel = bpy.context.active_object
        wheel.name = f"wheel_{end}_{side}"
        made.append(wheel)
for wheel in made:
    wheel.select_set(True)
chassis.select_set(True)
bpy.context.view_layer.objects.active = chassis
with screen.anywhere():
    bpy.ops.object.parent_set(type="OBJECT", keep_transform=True)
chassis.select_set(False)
bpy.context.view_layer.objects.active = made[0]
bpy.ops.ed.undo_push(message="wheels")
"""

BATTERY = """
import bpy
chassis = bpy.data.objects["chassis"]
with screen.anywhere():
    bpy.ops.mesh.primitive_cube_add(size=1, location=(-0.1, 0, 0.13), scale=(0.12, 0.16, 0.06))
battery = bpy.context.active_object
battery.name = "battery"
chassis.select_set(True)
bpy.context.view_layer.objects.active = chassis
with screen.anywhere():
    bpy.ops.object.parent_set(type="OBJECT", keep_transform=True)
chassis.select_set(False)
bpy.context.view_layer.objects.active = battery
bpy.ops.ed.undo_push(message="battery")
"""

BOX, CYLINDER, CONTINUOUS = 2, 4, 4
"""Which items of their lists they are."""

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


print(drive("rover/model.sdf"))
'''


def select(user: User, *names: str) -> None:
    user.run("scene.select(*names)", names=list(names))
    user.run("bpy.ops.ed.undo_push(message='select')")


def settings(user: User, name: str, *objects: str) -> list[object]:
    return [user.run("getattr(bpy.data.objects[ob].sdf_inertia, name)", ob=ob, name=name) for ob in objects]


def run(user: User, code: str) -> None:
    user.run("exec(script, {'screen': screen, 'scene': scene})", script=code)


def begin(user: User) -> None:
    run(user, EMPTY)
    user.run("scene.save(path)", path=f"{user.window.inside}/home/rover.blend")
    user.look(distance=1.4)
    user.run("screen.tutorial_view(0.9)")


def chassis(user: User) -> None:
    run(user, CHASSIS)
    user.press("sdf_inertia.tag_link(")
    assert user.until("bpy.data.objects['chassis'].sdf_inertia.is_link")
    user.choose("geometry", BOX)
    assert settings(user, "geometry", "chassis") == ["BOX"]


def wheels(user: User) -> None:
    run(user, WHEELS)
    user.press("sdf_inertia.tag_link(")
    assert user.until("bpy.data.objects['wheel_rear_right'].sdf_inertia.is_link")
    user.choose("geometry", CYLINDER)
    assert settings(user, "geometry", *WHEEL_NAMES) == ["CYLINDER"] * 4


def materials(user: User) -> None:
    select(user, "chassis")
    user.search("sdf_inertia.set_material(", "plywood")
    assert user.until("bpy.data.objects['chassis'].sdf_inertia.material == 'Plywood'")
    select(user, *WHEEL_NAMES)
    user.search("sdf_inertia.set_material(", "rubber")
    assert user.until("bpy.data.objects['wheel_rear_right'].sdf_inertia.material == 'Rubber'")
    assert settings(user, "material", *WHEEL_NAMES) == ["Rubber"] * 4
    select(user, "chassis")


def battery(user: User) -> None:
    run(user, BATTERY)
    user.press("sdf_inertia.tag_mass(")
    assert user.until("bpy.data.objects['battery'].sdf_inertia.is_mass")
    user.choose("geometry", BOX)
    user.press('own=True, target="battery"')
    assert user.until("bpy.data.objects['battery'].sdf_inertia.use_mass")
    user.enter("sdf_inertia.mass", "0.8")
    assert settings(user, "mass", "battery", "chassis") == pytest.approx([0.8, 1.0])


def joints(user: User) -> None:
    select(user, *WHEEL_NAMES)
    user.choose("links.joint_type", CONTINUOUS)
    assert settings(user, "joint_type", *WHEEL_NAMES) == ["CONTINUOUS"] * 4


def look(user: User) -> None:
    select(user, "chassis")
    user.tick_in_popover("sdf_inertia.show", -150, 202)
    assert user.until("bpy.context.scene.sdf_inertia.show_total")


_exported: list[Path] = []


def export(user: User) -> None:
    user.press("sdf_inertia.export_sdf(")
    user.dialog("SDF_INERTIA_OT_export_model")
    user.press("file.execute", "FILE_BROWSER", "EXECUTE")
    assert user.until("not screen.shown('FILE_BROWSER')")
    assert user.until("not screen.waiting_operators()")
    folder = Path(mkdtemp())
    shutil.copytree(user.window.folder / "home" / "rover", folder / "rover")
    _exported.append(folder / "rover" / "model.sdf")
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
    user.run("screen.tutorial_view(3.0, 0.1, x)", x=float(x) / 2.0)


ROVER = Tutorial(
    "rover",
    "From an empty scene to a rover that drives",
    "This takes ten minutes and needs no robotics. You model a box on four wheels, set its links, masses and joints,"
    " and a simulator drives it. You need Blender 4.2.13 or newer with the extension installed"
    " ([README](../README.md)).",
    (
        Step(
            "The SDF tab",
            "Delete everything in the scene, and save the file as `rover.blend` in a folder of its own: the robot is"
            " named after the file. In the 3D view press **N** and open the tab **SDF**. It shows the first step.",
            begin,
        ),
        Step(
            "The chassis is a link",
            "Add a cube (Shift+A), set its dimensions to 0.4, 0.24 and 0.1 m and its location to z = 0.12 m (in the tab"
            " Item), rename it to `chassis` (F2), and click **Link** in the tab SDF. It becomes a link and its own"
            " collision, and shows its mass immediately: that of water, until you choose a material. Choose the"
            " geometry **Box**, which is fast in every simulator.",
            chassis,
        ),
        Step(
            "Four wheels, four links",
            "Add a cylinder of radius 0.07 m and depth 0.04 m. Turn it by -90° about x, so that its axis points along"
            " y, and put it at (0.14, 0.15, 0.07). Copy it to (0.14, -0.15, 0.07), (-0.14, 0.15, 0.07) and"
            " (-0.14, -0.15, 0.07), and rename the four `wheel_front_left`, `wheel_front_right`, `wheel_rear_left` and"
            " `wheel_rear_right`. Select the four, then the chassis, and parent them (Ctrl+P, Object (Keep Transform))."
            " Select the wheels alone, click **Link**, and choose the geometry **Cylinder**: the tab changes all that"
            " is selected.",
            wheels,
        ),
        Step(
            "Materials",
            "Select the chassis, click **Material** in the tab, type `plywood` and press Enter. Then select the wheels,"
            " and type `rubber`. The numbers follow, in the tab and in the viewport.",
            materials,
        ),
        Step(
            "A battery of known mass",
            "Add a cube of 0.12 x 0.16 x 0.06 m at (-0.1, 0, 0.13), rename it to `battery`, parent it to the chassis,"
            " and click **Mass** (the tag, in the first row): it has mass but does not collide. Choose the geometry"
            " **Box**. In the section Density tick **Mass [kg]**, and enter what the scale shows: 0.8.",
            battery,
        ),
        Step(
            "Joints",
            "Without joints the wheels would fall off. Select the four wheels and choose the type **Continuous** in the"
            " section Joint. Their parent is the link above them, their axis is z, which is the cylinder's. Each axis"
            " is an arrow in the viewport now.",
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
            "Click **Export SDFormat…**. The dialog opens in the folder of your file and lists what it will write;"
            " click **Export SDFormat** there. This writes the folder `rover`, with `model.sdf` and `model.config`."
            " Gazebo takes it in a world: `<include><uri>model://rover</uri></include>`, with the folder that holds"
            " `rover` in the variable `GZ_SIM_RESOURCE_PATH`.",
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
    " means: [Findings](findings.md).",
)
