# SPDX-License-Identifier: GPL-3.0-or-later
"""Mass, centre of mass and inertia for SDFormat: the part that needs no Blender.

`mesh_moments` integrates, `measure_mesh` diagnoses in full and integrates, and `check_mesh` only diagnoses and never
raises.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .body.inertial import Inertial
    from .body.moments import Moments
    from .body.pose import Pose
    from .errors import Finding, InertiaError
    from .mesh.integrate import mesh_moments
    from .mesh.many import many_mesh_moments
    from .mesh.measure import check_mesh, measure_mesh
    from .mesh.measurement import Measurement
    from .mesh.voxel import voxel_moments
    from .robot.calculators import register_calculator, unregister_calculator

__all__ = [
    "Finding",
    "Inertial",
    "InertiaError",
    "Measurement",
    "Moments",
    "Pose",
    "check_mesh",
    "many_mesh_moments",
    "measure_mesh",
    "mesh_moments",
    "register_calculator",
    "unregister_calculator",
    "voxel_moments",
]

_HOME = {
    "Finding": "errors",
    "Inertial": "body.inertial",
    "InertiaError": "errors",
    "Measurement": "mesh.measurement",
    "Moments": "body.moments",
    "Pose": "body.pose",
    "check_mesh": "mesh.measure",
    "many_mesh_moments": "mesh.many",
    "measure_mesh": "mesh.measure",
    "mesh_moments": "mesh.integrate",
    "register_calculator": "robot.calculators",
    "unregister_calculator": "robot.calculators",
    "voxel_moments": "mesh.voxel",
}
"""The module of each name. It is imported at the first use of the name, so that Blender starts faster."""


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value = getattr(import_module(f".{_HOME[name]}", __name__), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
