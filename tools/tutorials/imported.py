# SPDX-License-Identifier: GPL-3.0-or-later
"""From a downloaded ROS package with wrong inertias to simulators that agree."""

from __future__ import annotations

from . import imported_acts as acts
from .arm import console
from .imported_programs import DRAKE_PRINTS, GAZEBO_PRINTS, IN_DRAKE, IN_MUJOCO, LISTED, MUJOCO_PRINTS
from .page import Step, Tutorial

CHECK = f"sdf-inertia check {acts.URDF}"


def check_before() -> str:
    return (
        console(CHECK, acts.checked(acts.downloaded()))
        + "\n\nOne tensor is impossible, one is a placeholder, one centre of mass is in millimetres, and the inertial"
        " of the right thigh was copied from the left one and not mirrored. Three valid links differ from their"
        " geometry: the placeholder, the copy, and the torso, which has no finding. Step 4 explains why."
    )


def check_for_gazebo() -> str:
    return (
        console("sdf-inertia check biped/model.sdf", GAZEBO_PRINTS)
        + "\n\nIn a world, include it by `<include><uri>model://biped</uri></include>`, with the folder that holds"
        " `biped` in the variable `GZ_SIM_RESOURCE_PATH`."
    )


def listing(code: str, name: str, prints: str) -> str:
    return f"```python\n{code}```\n\n{console(f'python {name}', prints)}"


IMPORTED = Tutorial(
    "imported",
    "From a downloaded robot to simulators",
    "This takes fifteen minutes. You have downloaded a robot, a ROS package with a URDF and COLLADA meshes, and want to"
    " simulate it. You check it, repair it in Blender next to its geometry, and export it for MuJoCo, Drake and Gazebo."
    " The robot is a small biped on a stand,"
    " [examples/biped_description](../examples/biped_description/urdf/biped.urdf). Four of its seven links have a"
    " mistake that is common in published robots.",
    (
        Step(
            "Check",
            "Copy the folder `examples/biped_description` to an empty folder, and go to the copy. The command line"
            " (`pip install .` in a clone) finds the meshes by the name of the package, and checks every inertial.",
            acts.start,
            "none",
            check_before,
        ),
        Step(
            "Import",
            "Start Blender with an empty scene, press **N** in the 3D view, and open the tab **SDF**. Drop"
            f" `{acts.URDF}` on the 3D view, or use File > Import > **Robot (.sdf, .urdf, .xml)**. The meshes,"
            " which are in millimetres, have their size and their materials. Labels name what is wrong; red links have"
            " errors. An ellipsoid is about as large as its link if the tensor fits: that of the left shank is far too"
            " large.",
            acts.import_biped,
        ),
        Step(
            "Collisions",
            "Inertias are computed from collisions, which are hidden behind the visuals. In the popover next to the"
            " title Model click **Collisions** to show them as wires. The button to the left of the popover switches"
            " the ellipsoids off. The legs have the same meshes as collisions and visuals. The torso collides as four"
            " boxes.",
            acts.show_collisions,
        ),
        Step(
            "File against computed",
            "Click both again, and scroll down to the panel **Imported**. It compares each inertial in the file with"
            " the one computed from the geometry at the same mass and a uniform density. Below the list are the"
            " numbers of both for the active link. The torso is 32 % off, but its inertial is right: the battery on its"
            " back is nine times as dense as the shell. CAD knew that; the boxes do not. The shield marks an inertial"
            " to keep.",
            acts.compare,
            "panel",
        ),
        Step(
            "Accept",
            "Click **Accept All**. It accepts what `sdf-inertia repair` would write: the shanks get the inertia of"
            " their geometry, at the mass in the file; the thigh and the foot keep their own numbers, without the"
            " mistake. The torso and the links that agree already stay as they are. Now the ellipsoids fit the legs.",
            acts.accept,
        ),
        Step(
            "Write Back",
            "Click **Write Back**. Only the inertials of the accepted links change in the file; the original stays as"
            " `biped.urdf.bak`. Check it again: the torso still differs from its boxes, and the other six links agree"
            " with their geometry.",
            acts.write,
            "none",
            lambda: console(CHECK, acts.checked(acts.corrected())),
        ),
        Step(
            "Export URDF",
            "MuJoCo reads URDF but not COLLADA, so export the robot with its meshes as OBJ. Save the scene as"
            " `biped.blend` next to the package, and click **Export SDFormat…** in the panel Model. The dialog opens in"
            " that folder. Choose the format **URDF** in the options on its right, and click **Export SDFormat**.",
            acts.export_urdf,
            "dialog",
        ),
        Step(
            "Export SDFormat",
            "Click **Export SDFormat…** again, and keep the format **SDFormat**, which the dialog begins with. Both"
            " files are in one folder, and share the meshes.",
            acts.export_sdf,
            "none",
            lambda: f"```text\n{LISTED}\n```",
        ),
        Step(
            "MuJoCo",
            "`pip install mujoco`, and run the program below in the folder that holds `biped`. It prints the masses,"
            " lifts the left leg and lets it swing. The picture shows in Blender where the leg is after 0.2 s: enter"
            " the angle of a joint as **Show At** in its section Joint, and the viewport shows the links below it in"
            " that pose.",
            acts.in_mujoco,
            "view",
            lambda: listing(IN_MUJOCO, "in_mujoco.py", MUJOCO_PRINTS),
        ),
        Step(
            "Drake",
            "`pip install drake`, and run this program. Drake reads the SDF file, and has the same masses.",
            acts.in_drake,
            "none",
            lambda: listing(IN_DRAKE, "in_drake.py", DRAKE_PRINTS),
        ),
        Step(
            "Gazebo",
            "Gazebo reads the same SDF file. `check` reads an SDF file as Gazebo does, and would report what Gazebo"
            " refuses or changes in its inertials.",
            acts.in_gazebo,
            "none",
            check_for_gazebo,
        ),
    ),
    "## What next\n\nWithout Blender, `sdf-inertia repair urdf/biped.urdf --in-place` repairs the same four links, and"
    " leaves the torso alone: [Repairing robots](repair.md). What else goes wrong with robots:"
    " [What is wrong with my robot?](what-is-wrong.md). In your CI: [Checked on every push](ci.md).",
)
