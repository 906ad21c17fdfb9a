# SPDX-License-Identifier: GPL-3.0-or-later
"""From an arm's URDF with wrong inertias to the same file with correct ones."""

from __future__ import annotations

import difflib
import shutil
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from core.cli.main import main
from core.formats.table import read_robot_file
from core.judge.repair import repair_file
from tests.gui.user import User

from .page import Step, Tutorial
from .rover import EMPTY, run, select

ARM = Path(__file__).resolve().parents[2] / "examples" / "arm.urdf"


def corrected() -> bytes:
    """Return the file that Write Back leaves, which is that of `repair`."""
    return repair_file(read_robot_file(ARM)).data


def checked(data: bytes) -> str:
    """Return the output of check for a file with that content."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "arm.urdf"
        path.write_bytes(data)
        return output_of("check", path, "arm.urdf")


def output_of(command: str, path: Path, shown: str) -> str:
    """Return the output of a command for a file, with another path shown."""
    printed = StringIO()
    with redirect_stdout(printed):
        main([command, str(path)])
    return printed.getvalue().replace(str(path), shown)


def console(command: str, printed: str) -> str:
    return f"```console\n$ {command}\n{printed}```"


def changed() -> str:
    """Return the lines that Write Back changes in the first link, as a diff."""
    before, after = ARM.read_text(encoding="utf-8").splitlines(), corrected().decode().splitlines()
    lines = list(difflib.unified_diff(before, after, "arm.urdf", "arm.urdf, written back", lineterm="", n=1))
    second = [number for number, line in enumerate(lines) if line.startswith("@@")][1]
    return "```diff\n" + "\n".join(lines[:second]) + "\n```\n\nThe other links change likewise."


def start(user: User) -> None:
    run(user, EMPTY)
    user.look(distance=1.4)
    user.run("screen.tutorial_view(1.1)")


def import_arm(user: User) -> None:
    shutil.copy(ARM, user.window.folder / "arm.urdf")
    user.run("extension.import_robot(path)", path=f"{user.window.inside}/arm.urdf")
    user.run("screen.tutorial_view(1.2, 0.35)")
    select(user, "base")


def compare(user: User) -> None:
    user.turn_wheel()
    user.find("sdf_inertia.write_back(")


def accept(user: User) -> None:
    user.press("sdf_inertia.accept_computed(accepted=True")
    assert user.until("bpy.data.objects['forearm'].sdf_inertia.accepted")


def write(user: User) -> None:
    user.press("sdf_inertia.write_back(")
    written = (user.window.folder / "arm.urdf").read_bytes()
    assert written == corrected()
    assert checked(written).startswith("arm.urdf: good"), checked(written)


TUTORIAL_ARM = Tutorial(
    "arm",
    "Fix the inertias of an existing robot",
    "This takes ten minutes. Many published robots have impossible inertials, and many more have mistakes:"
    " placeholders, grams for kilograms, millimetres for metres. Here is a small arm with one of each,"
    " [examples/arm.urdf](../examples/arm.urdf). You find what is wrong, compute the right values from the geometry,"
    " and write them back into the file. Nothing else in the file changes.",
    (
        Step(
            "What is wrong",
            "Copy `examples/arm.urdf` to an empty folder and go there. The command line reports what is wrong, without"
            " Blender (`pip install .` in a clone). Then start Blender with an empty scene, press N in the 3D view and"
            " open the tab **SDF**.",
            start,
            below=lambda: console("sdf-inertia check arm.urdf", checked(ARM.read_bytes())),
        ),
        Step(
            "Import",
            "Drop this `arm.urdf` on the 3D view, or use File > Import > **Robot (.sdf, .urdf, .xml)**. Links"
            " are empties, with their collisions and visuals below them; joints have their axes and limits. Impossible"
            " inertias are red.",
            import_arm,
        ),
        Step(
            "File against computed",
            "Scroll down to the panel **Imported**. It compares each link's inertial in the file with the one computed"
            " from its geometry at the same mass. The base is impossible; the shoulder has 530 times"
            " the computed tensor; the forearm's centre of mass is 120 m away; the hand agrees. So"
            " does the upper arm, but it weighs 850 kg, which the list above marks. A click on a row selects its link,"
            " and shows all numbers of both below the list.",
            compare,
            "panel",
        ),
        Step(
            "Accept",
            "Click **Accept All**. It accepts what `sdf-inertia repair` would write, and leaves the hand alone: its"
            " numbers are right. The base and the shoulder get the tensor of their geometry at the mass in the file:"
            " most masses were measured, most tensors were not. The upper arm keeps its numbers, but in kilograms, and"
            " the forearm its own in metres. Now the ellipsoids fit the arm. You can also tick single links.",
            accept,
        ),
        Step(
            "Write Back",
            "Click **Write Back**. Only the bytes between `<inertial>` and `</inertial>` of the accepted links have"
            " changed in your `arm.urdf`; comments, spaces and everything else stay. `check` now finds"
            " nothing.",
            write,
            "panel",
            lambda: changed() + "\n\n" + console("sdf-inertia check arm.urdf", checked(corrected())),
        ),
    ),
    "## What next\n\nThe command line does all of this at once: `sdf-inertia repair arm.urdf --in-place`, see"
    " [Repairing robots](repair.md). Then: [What check reports](check.md), [Checked on every push](ci.md). Model a"
    " robot of your own: [the first tutorial](tutorial-rover.md). Repair a downloaded package and simulate it: [the"
    " third tutorial](tutorial-imported.md).",
)
