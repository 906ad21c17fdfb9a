# SPDX-License-Identifier: GPL-3.0-or-later
"""Mass, centre of mass and inertia for SDFormat: the part that needs no Blender.

`mesh_moments` integrates, `measure_mesh` checks and integrates, and `check_mesh` diagnoses in full and never raises.
"""

from .calculators import register_calculator, unregister_calculator
from .errors import Finding, InertiaError
from .inertial import Inertial
from .mesh.integrate import mesh_moments
from .mesh.many import many_mesh_moments
from .mesh.measure import Measurement, check_mesh, measure_mesh
from .mesh.voxel import voxel_moments
from .moments import Moments
from .pose import Pose

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
