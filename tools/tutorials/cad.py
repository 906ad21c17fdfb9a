# SPDX-License-Identifier: GPL-3.0-or-later
"""From an assembly in STEP and its bill of materials to a robot that moves."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from functools import cache
from math import degrees
from pathlib import Path
from tempfile import mkdtemp

import pytest

from core.formats.table import robots_of
from tests.gui.user import User

from .arm import console
from .imported_acts import write_files
from .page import Step, Tutorial
from .rover import EMPTY, run, select

CHECKOUT = Path(__file__).resolve().parents[2]

OPENCASCADE = CHECKOUT / ".venvs" / "cad" / "bin" / "python"
"""A Python with the extra cad: `make .venvs/cad/.ready`."""

OPTIONS = "arm.step --bom bom.csv --links first"

CONVERT = f"sdf-inertia convert {OPTIONS} -o cad/arm.sdf"

AS_MJCF = "sdf-inertia convert arm/model.sdf -o arm/model.xml"

FIXED, REVOLUTE = 2, 3
"""Which items of their list they are."""

IN_MUJOCO = """import mujoco

model = mujoco.MjModel.from_xml_path("model.xml")
data = mujoco.MjData(model)
for number in range(1, model.nbody):
    body = model.body(number)
    print(body.name, round(float(body.mass[0]), 4), "kg")
data.ctrl[:] = [0.8, 1.5]  # where the actuators move the joints [rad]
while data.time < 2.0:
    mujoco.mj_step(model, data)
for number in range(model.njnt):
    print(model.joint(number).name, round(float(data.qpos[number]), 2), "rad")
"""


@cache
def folder() -> Path:
    """Return a folder with the assembly and its bill of materials, in which commands are run."""
    made = Path(mkdtemp())
    for name in ("arm.step", "bom.csv"):
        shutil.copy(CHECKOUT / "examples" / "cad" / name, made)
    return made


@cache
def shown(command: str) -> str:
    """Return what a command prints, run in that folder."""
    words = [str(OPENCASCADE), "-m", "core", *command.split()[1:]]
    environment = {"PYTHONPATH": str(CHECKOUT), "PATH": "/usr/bin:/bin", "COLUMNS": "100"}
    done = subprocess.run(words, cwd=folder(), env=environment, capture_output=True, text=True, check=True)
    return done.stdout + done.stderr


def tables() -> str:
    """Return the tables of the last link, and the total."""
    report = shown(f"sdf-inertia report {OPTIONS} --format md")
    return report.partition("## hand")[2].strip()


def start(user: User) -> None:
    run(user, EMPTY)
    shown(CONVERT)
    shutil.copytree(folder() / "cad", user.window.folder / "home" / "cad")


def import_arm(user: User) -> None:
    user.look(distance=0.9)
    user.run("extension.import_robot(path)", path=f"{user.window.inside}/home/cad/arm.sdf")
    user.run("screen.tutorial_view(0.5, 0.16)")
    select(user, "upper_arm")


def joint_of(user: User, link: str, axis: str) -> None:
    select(user, link)
    user.choose("joint_type", REVOLUTE)
    for name, number in zip("XYZ", "010" if axis == "Y" else "001", strict=True):
        user.enter(f"joint_axis[{'XYZ'.index(name)}]", number)
    kind = user.run("bpy.data.objects[ob].sdf_inertia.joint_type", ob=link)
    assert kind == "REVOLUTE"
    assert list(user.run("list(bpy.data.objects[ob].sdf_inertia.joint_axis)", ob=link)) == [
        float(name == axis) for name in "XYZ"
    ]


def base(user: User) -> None:
    select(user, "base")
    user.choose("joint_type", FIXED)
    user.press("joint_world")
    assert user.until("bpy.data.objects['base'].sdf_inertia.joint_world")
    assert user.run("bpy.data.objects['base'].sdf_inertia.joint_type") == "FIXED"


def shoulder(user: User) -> None:
    joint_of(user, "upper_arm", "Y")


def wrist(user: User) -> None:
    joint_of(user, "hand", "Z")
    user.search("joint_parent", "upper_arm")
    assert user.until("bpy.data.objects['hand'].sdf_inertia.joint_parent.name == 'upper_arm'")


def export(user: User) -> None:
    user.run("scene.save(path)", path=f"{user.window.inside}/home/robot.blend")
    user.press("sdf_inertia.export_sdf(")
    user.dialog("SDF_INERTIA_OT_export_model")
    write_files(user)
    shutil.copytree(user.window.folder / "home" / "arm", folder() / "arm", dirs_exist_ok=True)
    shown(AS_MJCF)


_prints: list[str] = []


def in_mujoco(user: User) -> None:
    command = [sys.executable, "-c", IN_MUJOCO]
    done = subprocess.run(command, cwd=folder() / "arm", capture_output=True, text=True, check=True)
    _prints.append(done.stdout)
    masses = {name: float(mass) for name, mass in re.findall(r"^(\w+) ([\d.]+) kg$", done.stdout, re.MULTILINE)}
    (robot,) = robots_of(folder() / "cad" / "arm.sdf")
    assert masses == {name: pytest.approx(given.mass, abs=1e-4) for name, given in robot.published.items() if given}
    angles = [float(angle) for angle in re.findall(r"([\d.]+) rad$", done.stdout, re.MULTILINE)]
    assert angles == pytest.approx([0.8, 1.5], abs=0.1)
    for link, angle in zip(("upper_arm", "hand"), angles, strict=True):
        select(user, link)
        user.enter("sdf_inertia.joint_position_angle", f"{degrees(angle):.1f}")


def program() -> str:
    run_there = "cd arm\n$ python in_mujoco.py"
    return f"```python\n{IN_MUJOCO}```\n\n{console(run_there, _prints[-1])}"


CAD = Tutorial(
    "cad",
    "An arm from CAD",
    "This takes fifteen minutes. You have an assembly from CAD and its bill of materials, and want a robot that"
    " moves. The assembly is [examples/cad/arm.step](../examples/cad/arm.step): plates, screws, a motor and printed"
    " parts in three sub-assemblies; its bill of materials is [examples/cad/bom.csv](../examples/cad/bom.csv). Copy"
    " both to an empty folder, and go there. Install the command line with the extra `cad`: `pip install"
    " 'sdf-inertia[mesh,cad]'`, or in a clone `pip install '.[mesh,cad]'` ([install](install.md)).",
    (
        Step(
            "The table",
            "The bill of materials says what each part is made of, or what it weighs; STEP says its exact shape, and"
            " where each instance is. `--links first` makes a link of each sub-assembly, in its own frame. Each link"
            " has three tables: where its masses are from, the moments of each part, and the same moved to the link's"
            " centre of mass. These are those of the hand, whose fingers mirror each other:",
            lambda _user: None,
            "none",
            lambda: f"```console\n$ sdf-inertia report {OPTIONS} --format md\n```\n\n{tables()}",
        ),
        Step(
            "A robot",
            "`convert` writes a robot of it, with meshes of the parts in the folder `meshes`, in the colours of CAD."
            " The six screws share a mesh. STEP has no joints, so the links are fixed to the base.",
            start,
            "none",
            lambda: console(CONVERT, shown(CONVERT)),
        ),
        Step(
            "Import",
            "Start Blender with an empty scene, press **N** in the 3D view, and open the tab **SDF**. Drop"
            " `cad/arm.sdf` on the 3D view, or use File > Import > **Robot (.sdf, .urdf, .xml)**. The inertials are"
            " those of the file: Blender computes none. The panel Imported compares them with those of a"
            " uniform density; CAD knows better, and the shield keeps them.",
            import_arm,
        ),
        Step(
            "The base",
            "Select the base, open the section Joint, choose **Fixed**, and tick **World**: it is screwed to a table.",
            base,
            "panel",
        ),
        Step(
            "The shoulder",
            "The upper arm swings about the motor's axis, y in its own frame: CAD put the origin of the sub-assembly"
            " there. Choose **Revolute**, and enter the axis 0, 1, 0.",
            shoulder,
            "panel",
        ),
        Step(
            "The wrist",
            "The hand turns about z, and hangs on the upper arm: choose **Revolute**, keep the axis 0, 0, 1, and"
            " choose **upper_arm** as its parent.",
            wrist,
            "panel",
        ),
        Step(
            "Export",
            "Save the scene as `robot.blend` next to the folder `cad`, click **Export SDFormat…** in the panel"
            " Model, and **Export SDFormat** in the dialog. For MuJoCo, convert it:",
            export,
            "none",
            lambda: console(AS_MJCF, shown(AS_MJCF)),
        ),
        Step(
            "It moves",
            "`pip install mujoco`, save this program as `in_mujoco.py` in the folder `arm`, and run it there. The"
            " masses are those of the table, and the actuators lift the arm and turn the hand. The picture shows that"
            " pose in Blender: enter the angle of a joint as **Show At** in its section Joint.",
            in_mujoco,
            "view",
            program,
        ),
    ),
    "## What next\n\nAll options, the columns of a bill of materials, and the text that CAD prints:"
    " [From CAD](cad.md).",
)
