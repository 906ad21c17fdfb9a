# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tutorial on a downloaded robot does, by clicks and in programs, and what must come out."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from math import degrees
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from core.body.inertial import Inertial
from core.formats.table import read_robot_file, robots_of
from core.judge.repair import repair_file
from tests.gui.user import User

from .arm import output_of
from .imported_programs import DRAKE_PRINTS, GAZEBO_PRINTS, IN_DRAKE, IN_MUJOCO, MUJOCO_PRINTS
from .rover import EMPTY, run, select

PACKAGE = Path(__file__).resolve().parents[2] / "examples" / "biped_description"

URDF = "urdf/biped.urdf"

WRONG = ("right_thigh", "left_shank", "right_shank", "right_foot")
"""Links with a wrong inertial in the file."""

AGREES = 1e-6
"""Relative. In Blender, coordinates and the numbers in the file are float32."""

AS_URDF = 2
"""Which item of the list of formats it is."""

SHOW_COLLISIONS = (60.0, 274.0)
"""Where this button of the popover is, from the switch of the overlay [px]."""

FORMAT = (-60.0, 266.0)
"""Where this list of the dialog is, from the upper right corner of the options [px]."""


def downloaded() -> bytes:
    """Return the URDF as it is downloaded."""
    return (PACKAGE / URDF).read_bytes()


def inertials_of(path: Path) -> dict[str, Inertial]:
    """Return the inertials in a file, by link, in the link's frame."""
    (robot,) = robots_of(path)
    return {name: inertial for name, inertial in robot.published.items() if inertial is not None}


@cache
def corrected() -> bytes:
    """Return the file that Write Back leaves, which is that of `repair`."""
    return repair_file(read_robot_file(PACKAGE / URDF)).data


def checked(data: bytes) -> str:
    """Return the output of check for the package with that content of its URDF."""
    with TemporaryDirectory() as folder:
        path = Path(shutil.copytree(PACKAGE, Path(folder) / PACKAGE.name)) / URDF
        path.write_bytes(data)
        return output_of("check", path, URDF)


def package(user: User) -> Path:
    """Return where the package is downloaded to."""
    return user.window.folder / "home" / PACKAGE.name


def model(user: User) -> Path:
    """Return the folder that is exported."""
    return user.window.folder / "home" / "biped"


def start(user: User) -> None:
    run(user, EMPTY)
    shutil.copytree(PACKAGE, package(user))


def import_biped(user: User) -> None:
    user.look(distance=1.4)
    user.run("extension.import_robot(path)", path=f"{user.window.inside}/home/{PACKAGE.name}/{URDF}")
    user.run("screen.tutorial_view(0.9, 0.25)")
    select(user, "torso")


def show_collisions(user: User) -> None:
    toggle_collisions(user)
    assert user.until("bpy.context.scene.sdf_inertia.show_collisions")
    user.press("sdf_inertia.show")
    assert user.until("not bpy.context.scene.sdf_inertia.show")


def toggle_collisions(user: User) -> None:
    user.tick_in_popover("sdf_inertia.show", *SHOW_COLLISIONS)


def compare(user: User) -> None:
    user.press("sdf_inertia.show")
    toggle_collisions(user)
    assert user.until("not bpy.context.scene.sdf_inertia.show_collisions")
    user.turn_wheel()
    user.find("sdf_inertia.write_back(")


def accept(user: User) -> None:
    user.press("sdf_inertia.accept_computed(accepted=True")
    accepted = "sorted(ob.name for ob in bpy.data.objects if ob.sdf_inertia.accepted)"
    assert user.until(f"{accepted} == names", names=sorted(WRONG))


def write(user: User) -> None:
    user.press("sdf_inertia.write_back(")
    path = package(user) / URDF
    assert path.read_bytes() == corrected()


def export_urdf(user: User) -> None:
    user.run("scene.save(path)", path=f"{user.window.inside}/home/biped.blend")
    user.press("sdf_inertia.export_sdf(")
    user.dialog("SDF_INERTIA_OT_export_model")
    _, top, right, _ = user.box("FILE_BROWSER", "TOOL_PROPS")
    user.appears(lambda: user.window.click(right + FORMAT[0], top + FORMAT[1]))
    user.window.key(str(AS_URDF))
    chosen = "screen.place('FILE_BROWSER', 'WINDOW')[1].spaces.active.active_operator.file_format"
    assert user.until(f"{chosen} == 'urdf'")


def write_files(user: User) -> None:
    """Click the button of the dialog."""
    user.press("file.execute", "FILE_BROWSER", "EXECUTE")
    assert user.until("not screen.shown('FILE_BROWSER')")
    assert user.until("not screen.waiting_operators()")


def export_sdf(user: User) -> None:
    write_files(user)
    user.press("sdf_inertia.export_sdf(")
    user.dialog("SDF_INERTIA_OT_export_model")
    write_files(user)
    assert {path.name for path in model(user).iterdir()} == {"meshes", "model.config", "model.sdf", "model.urdf"}
    assert len(list((model(user) / "meshes").iterdir())) == 5


def printed(program: str, user: User) -> str:
    """Return the output of a program, run in the folder with the exported robot."""
    command = [sys.executable, "-c", program]
    return subprocess.run(command, cwd=model(user).parent, capture_output=True, text=True, check=True).stdout


def functions(program: str) -> dict[str, Any]:
    """Return what a program defines."""
    scope: dict[str, Any] = {"__name__": "program"}
    exec(program, scope)
    return scope


def assert_agree(user: User, bodies: Mapping[str, tuple[float, Any]]) -> None:
    """Check that bodies have the masses and the centres of mass of the repaired file."""
    file = inertials_of(package(user) / URDF)
    assert set(bodies) == set(file) and len(file) == 7
    for name, (mass, com) in bodies.items():
        assert mass == pytest.approx(file[name].mass, rel=AGREES), name
        assert list(com) == pytest.approx(file[name].com.tolist(), abs=AGREES), name


def in_mujoco(user: User) -> None:
    assert printed(IN_MUJOCO, user) == MUJOCO_PRINTS
    program = functions(IN_MUJOCO)
    loaded = program["load"](str(model(user) / "model.urdf"))
    bodies = [loaded.body(number) for number in range(1, loaded.nbody)]
    assert_agree(user, {body.name: (body.mass[0], body.ipos) for body in bodies})
    state = program["swing"](loaded)
    for link, joint in (("left_thigh", "left_hip"), ("left_shank", "left_knee"), ("left_foot", "left_ankle")):
        select(user, link)
        user.enter("sdf_inertia.joint_position_angle", f"{degrees(state.joint(joint).qpos[0]):.1f}")


def in_drake(user: User) -> None:
    assert printed(IN_DRAKE, user) == DRAKE_PRINTS
    plant, bodies = functions(IN_DRAKE)["load"](str(model(user) / "model.sdf"))
    context = plant.CreateDefaultContext()
    coms = [body.CalcCenterOfMassInBodyFrame(context) for body in bodies]
    assert_agree(user, {body.name(): (body.default_mass(), com) for body, com in zip(bodies, coms, strict=True)})


def in_gazebo(user: User) -> None:
    assert output_of("check", model(user) / "model.sdf", "biped/model.sdf") == GAZEBO_PRINTS
