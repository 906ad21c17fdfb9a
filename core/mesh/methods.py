# SPDX-License-Identifier: Apache-2.0
"""The one table of the methods by which a mesh is measured, with their parameters.

A new method is a function of a `Surface` and a `Request` in a module of its own, and a row of `METHODS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from .enclosed import measure_exact, measure_voxels
from .hull import measure_hull
from .measurement import Measurement, Request
from .printed_part import measure_printed
from .surface import Surface
from .thin_wall import measure_thin_wall
from .voxel import default_voxel_size


@dataclass(frozen=True)
class Parameter:
    """A length or a share that a method needs."""

    name: str  # in calls, on the command line and in the properties of an object
    qualified: str  # its element in ``auto_inertia_params``
    description: str  # for the help of a command
    default: Callable[[Surface], float] | None = None  # from a surface [m] to a length [m]; None: it is required
    unit: str = "m"  # or "": a share, 0 to 1


VOXEL_SIZE = Parameter("voxel_size", "gz:voxel_size", "default: longest side / 128", default_voxel_size)
THICKNESS = Parameter("thickness", "sdf_inertia:thickness", "of the material")
WALL = Parameter("wall", "sdf_inertia:wall", "of a print, all of it inside the surface")
INFILL = Parameter("infill", "sdf_inertia:infill", "within the wall: its share of the density", unit="")


@dataclass(frozen=True)
class Method:
    """A way to measure a mesh.

    Its cost is that on the machine of `benchmarks/results.md` with a quick reading; a crossing is that of a column of
    voxels with a face.
    """

    name: str  # in ``<sdf_inertia:method>`` and on the command line
    label: str
    description: str  # for users who choose it
    measure: Callable[[Surface, Request], Measurement]
    seconds_per_triangle: float
    seconds_per_crossing: float = 0.0
    parameters: tuple[Parameter, ...] = ()
    diagnosed: bool = False  # True if the mesh is diagnosed, which a quick measurement does only in part
    instead: str = ""  # what it measures instead of the mesh, if the error is only that of this


_TABLE = (
    Method(
        "exact",
        "Exact",
        "Exact integral over the closed mesh",
        measure_exact,
        seconds_per_triangle=2e-7,
        diagnosed=True,
    ),
    Method(
        "voxel",
        "Voxels",
        "Columns of voxels: overlapping parts count once",
        measure_voxels,
        seconds_per_triangle=3e-7,
        seconds_per_crossing=1e-7,
        parameters=(VOXEL_SIZE,),
        diagnosed=True,
    ),
    Method(
        "hull",
        "Convex Hull",
        "The convex hull of the mesh: holes and winding do not matter, hollows are filled",
        measure_hull,
        seconds_per_triangle=5e-6,
        instead="hull",
    ),
    Method(
        "shell",
        "Shell",
        "The surface with a thickness, half on each side: sheet metal, printed walls, open meshes",
        measure_thin_wall,
        seconds_per_triangle=6e-6,  # for the neighbours of every edge
        parameters=(THICKNESS,),
    ),
    Method(
        "printed",
        "Printed",
        "A 3D print: a solid wall inside the surface, and an infill within",
        measure_printed,
        seconds_per_triangle=5e-6,  # columns, where it is thin, take more
        parameters=(WALL, INFILL),
        diagnosed=True,
    ),
)

METHODS: Mapping[str, Method] = MappingProxyType({method.name: method for method in _TABLE})
"""Methods by name, in the order in which they are shown."""

PARAMETERS = tuple(dict.fromkeys(parameter for method in _TABLE for parameter in method.parameters))
"""The parameters of all methods."""
