# SPDX-License-Identifier: Apache-2.0
"""Mass, centre of mass and inertia for SDFormat: the part that needs no Blender.

`mesh_moments` integrates, `measure_mesh` diagnoses in full and integrates, and `check_mesh` only diagnoses and never
raises.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .body.inertial import Inertial as Inertial
    from .body.moments import Moments as Moments
    from .body.pose import Pose as Pose
    from .errors import Finding as Finding
    from .errors import InertiaError as InertiaError
    from .mesh.integrate import mesh_moments as mesh_moments
    from .mesh.many import many_mesh_moments as many_mesh_moments
    from .mesh.measure import check_mesh as check_mesh
    from .mesh.measure import measure_mesh as measure_mesh
    from .mesh.measurement import Measurement as Measurement
    from .mesh.voxel import voxel_moments as voxel_moments
    from .robot.calculators import register_calculator as register_calculator
    from .robot.calculators import unregister_calculator as unregister_calculator

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

__all__ = list(_HOME)


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value = getattr(import_module(f".{_HOME[name]}", __name__), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
