# SPDX-License-Identifier: Apache-2.0
"""Mass, centre of mass and inertia for SDFormat: the part that needs no Blender.

`read_robot` reads a robot's file, to check, repair, fill, report and write it. `measure_mesh` diagnoses a mesh in full
and integrates it, `check_mesh` only diagnoses and never raises, and `mesh_moments` only integrates.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .api.link import LinkChange as LinkChange
    from .api.link import RobotLink as RobotLink
    from .api.mesh import check_mesh as check_mesh
    from .api.mesh import measure_mesh as measure_mesh
    from .api.report import Report as Report
    from .api.robot import Robot as Robot
    from .api.robot import find_robots as find_robots
    from .api.robot import read_robot as read_robot
    from .api.step import StepRobot as StepRobot
    from .api.step import read_step as read_step
    from .body.inertial import Inertial as Inertial
    from .body.moments import Moments as Moments
    from .body.pose import Pose as Pose
    from .errors import Finding as Finding
    from .errors import InertiaError as InertiaError
    from .mesh.integrate import mesh_moments as mesh_moments
    from .mesh.many import many_mesh_moments as many_mesh_moments
    from .mesh.measurement import Measurement as Measurement
    from .mesh.voxel import voxel_moments as voxel_moments
    from .printed.printed_inertial import PrintedInertial as PrintedInertial
    from .printed.printed_inertial import inertial_of_text as inertial_of_text
    from .robot.calculators import register_calculator as register_calculator
    from .robot.calculators import unregister_calculator as unregister_calculator

_HOME = {
    "Finding": "errors",
    "Inertial": "body.inertial",
    "InertiaError": "errors",
    "LinkChange": "api.link",
    "Measurement": "mesh.measurement",
    "Moments": "body.moments",
    "Pose": "body.pose",
    "PrintedInertial": "printed.printed_inertial",
    "Report": "api.report",
    "Robot": "api.robot",
    "RobotLink": "api.link",
    "StepRobot": "api.step",
    "check_mesh": "api.mesh",
    "find_robots": "api.robot",
    "inertial_of_text": "printed.printed_inertial",
    "many_mesh_moments": "mesh.many",
    "measure_mesh": "api.mesh",
    "mesh_moments": "mesh.integrate",
    "read_robot": "api.robot",
    "read_step": "api.step",
    "register_calculator": "robot.calculators",
    "unregister_calculator": "robot.calculators",
    "voxel_moments": "mesh.voxel",
}
"""The module of each name. It is imported at the first use of the name, so that Blender starts faster."""

__all__ = list(_HOME)


if not TYPE_CHECKING:  # which would take any name for one of this package

    def __getattr__(name: str) -> object:
        if name not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = value = getattr(import_module(f".{_HOME[name]}", __name__), name)
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
