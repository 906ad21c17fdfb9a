# SPDX-License-Identifier: GPL-3.0-or-later
"""Systems that compute mass properties of a mesh, each behind the same two steps: load the arrays, then measure.

What a system builds of the arrays before it can measure counts, except where that is a Python loop of ours (Drake).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import version
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core import InertiaError, measure_mesh, mesh_moments

Vertices = npt.NDArray[np.floating]
Triangles = npt.NDArray[np.integer]


class Refused(Exception):
    """The system says that the mesh is not one it can measure."""


class Answer(NamedTuple):
    """Volume, centre of mass (3,) and tensor (3, 3) about it at density 1; None is what a system does not compute."""

    volume: float
    com: npt.NDArray[np.float64] | None = None
    inertia: npt.NDArray[np.float64] | None = None
    warned: bool = False


@dataclass(frozen=True)
class System:
    """`load(vertices, triangles)` gives a function without arguments that measures, or raises `Refused`."""

    name: str
    package: str | None
    note: str
    load: Callable[[Vertices, Triangles], Callable[[], Answer]]

    def missing(self) -> str:
        """Say why the system cannot run here; empty where it can."""
        if self.package is None:
            return ""
        try:
            import_module(self.package)
        except ImportError as error:
            return str(error)
        return ""

    def title(self) -> str:
        packages = {"igl": "libigl", "pydrake": "drake"}
        return self.name if self.package is None else f"{self.name} {version(packages.get(self.package, self.package))}"


def _ours(vertices: Vertices, triangles: Triangles) -> Callable[[], Answer]:
    def measure() -> Answer:
        try:
            measured = measure_mesh(vertices, triangles)
        except InertiaError as error:
            raise Refused(error.code) from error
        warned = any(finding.severity == "warning" for finding in measured.findings)
        return _of_moments(measured.moments, warned)

    return measure


def _kernel(vertices: Vertices, triangles: Triangles) -> Callable[[], Answer]:
    return lambda: _of_moments(mesh_moments(vertices, triangles))


def _of_moments(moments, warned=False) -> Answer:
    inertia = np.trace(moments.covariance) * np.eye(3) - moments.covariance
    return Answer(moments.volume, moments.centroid, inertia, warned)


def _trimesh(vertices: Vertices, triangles: Triangles) -> Callable[[], Answer]:
    trimesh = import_module("trimesh")

    def measure() -> Answer:
        properties = trimesh.Trimesh(vertices, triangles, process=False).mass_properties
        return Answer(float(properties.volume), properties.center_mass, properties.inertia)

    return measure


def _trimesh_checked(vertices: Vertices, triangles: Triangles) -> Callable[[], Answer]:
    trimesh = import_module("trimesh")

    def measure() -> Answer:
        mesh = trimesh.Trimesh(vertices, triangles)  # welds, as trimesh.load does
        if not mesh.is_volume:
            raise Refused("not is_volume")
        properties = mesh.mass_properties
        return Answer(float(properties.volume), properties.center_mass, properties.inertia)

    return measure


def _libigl(vertices: Vertices, triangles: Triangles) -> Callable[[], Answer]:
    igl = import_module("igl")

    def measure() -> Answer:
        volume, first, inertia = igl.moments(vertices.astype(np.float64), triangles.astype(np.int64))
        return Answer(volume, first / volume, inertia)

    return measure


def _vtk(vertices: Vertices, triangles: Triangles) -> Callable[[], Answer]:
    vtk, numpy_support = import_module("vtk"), import_module("vtk.util.numpy_support")

    def measure() -> Answer:
        mass = vtk.vtkMassProperties()
        mass.SetInputData(vtk_mesh(vtk, numpy_support, vertices, triangles))
        return Answer(mass.GetVolume())

    return measure


def _vtk_checked(vertices: Vertices, triangles: Triangles) -> Callable[[], Answer]:
    vtk, numpy_support = import_module("vtk"), import_module("vtk.util.numpy_support")

    def measure() -> Answer:
        mass = vtk.vtkMultiObjectMassProperties()
        mass.SetInputData(vtk_mesh(vtk, numpy_support, vertices, triangles))
        mass.Update()
        if not mass.GetAllValid():
            raise Refused("not AllValid")
        return Answer(mass.GetTotalVolume())

    return measure


def vtk_mesh(vtk, numpy_support, vertices: Vertices, triangles: Triangles):
    """Return a vtkPolyData of the arrays."""
    if triangles.size and (triangles.min() < 0 or triangles.max() >= len(vertices)):
        raise Refused("an index out of range, which VTK does not look at")  # it would read foreign memory
    points, cells, mesh = vtk.vtkPoints(), vtk.vtkCellArray(), vtk.vtkPolyData()
    points.SetData(numpy_support.numpy_to_vtk(np.ascontiguousarray(vertices, dtype=np.float64), deep=True))
    cells.SetData(3, numpy_support.numpy_to_vtkIdTypeArray(triangles.astype(np.int64).ravel(), deep=True))
    mesh.SetPoints(points)
    mesh.SetPolys(cells)
    return mesh


def _drake(vertices: Vertices, triangles: Triangles) -> Callable[[], Answer]:
    geometry, tree = import_module("pydrake.geometry"), import_module("pydrake.multibody.tree")
    if triangles.size and triangles.min() < 0:
        raise Refused("negative index")
    faces = [geometry.SurfaceTriangle(a, b, c) for a, b, c in triangles.tolist()]
    try:
        mesh = geometry.TriangleSurfaceMesh(faces, vertices.astype(np.float64))
    except (TypeError, ValueError):
        mesh = geometry.TriangleSurfaceMesh(faces, list(vertices.astype(np.float64)))

    def measure() -> Answer:
        try:
            body = tree.CalcSpatialInertia(mesh, 1.0)
        except (RuntimeError, ValueError) as error:
            raise Refused(str(error)) from error
        inertia = body.Shift(body.get_com()).CalcRotationalInertia().CopyToFullMatrix3()
        return Answer(body.get_mass(), body.get_com(), inertia)

    return measure


def _mujoco(vertices: Vertices, triangles: Triangles) -> Callable[[], Answer]:
    mujoco = import_module("mujoco")

    def measure() -> Answer:
        spec = mujoco.MjSpec()
        spec.compiler.boundmass = spec.compiler.boundinertia = 0.0
        spec.add_mesh(
            name="m",
            uservert=vertices.astype(np.float32).ravel(),
            userface=triangles.astype(np.int32).ravel(),
            inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_EXACT,
        )
        body = spec.worldbody.add_body()
        body.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname="m", density=1.0, contype=0, conaffinity=0)
        try:
            model = spec.compile()
        except ValueError as error:
            raise Refused(str(error)) from error
        turn = np.zeros(9)
        mujoco.mju_quat2Mat(turn, model.body_iquat[1])
        R = turn.reshape(3, 3)
        return Answer(float(model.body_mass[1]), model.body_ipos[1].copy(), R @ np.diag(model.body_inertia[1]) @ R.T)

    return measure


def _pymeshlab(vertices: Vertices, triangles: Triangles) -> Callable[[], Answer]:
    pymeshlab = import_module("pymeshlab")

    def measure() -> Answer:
        meshes = pymeshlab.MeshSet(verbose=False)
        try:
            meshes.add_mesh(pymeshlab.Mesh(vertices.astype(np.float64), triangles.astype(np.int32)))
            measured = meshes.get_geometric_measures()
        except pymeshlab.PyMeshLabException as error:
            raise Refused(str(error)) from error
        if "inertia_tensor" not in measured:
            raise Refused("not watertight")
        return Answer(float(measured["mesh_volume"]), measured["center_of_mass"], measured["inertia_tensor"])

    return measure


OURS = System("SDF Inertia", None, "`measure_mesh`: diagnosis and exact integral", _ours)
KERNEL = System("SDF Inertia, kernel", None, "`mesh_moments`: exact integral alone", _kernel)
TRIMESH = System("trimesh", "trimesh", "`mass_properties`, process=False", _trimesh)
LIBIGL = System("libigl", "igl", "`igl.moments` (C++)", _libigl)
VTK = System("VTK", "vtk", "`vtkMassProperties` (C++): the volume alone", _vtk)
DRAKE = System("Drake", "pydrake", "`CalcSpatialInertia` (C++), its mesh object built before", _drake)
MUJOCO = System("MuJoCo", "mujoco", "compiling one body, inertia=exact (C++); vertices in float32", _mujoco)
PYMESHLAB = System("pymeshlab", "pymeshlab", "`get_geometric_measures` (C++): more than the moments", _pymeshlab)
TRIMESH_CHECKED = System("trimesh", "trimesh", "welded, and refused where not `is_volume`", _trimesh_checked)
VTK_CHECKED = System("VTK", "vtk", "`vtkMultiObjectMassProperties` with `AllValid`; judged by the volume", _vtk_checked)

FOR_SPEED = (KERNEL, OURS, TRIMESH, LIBIGL, VTK, DRAKE, MUJOCO, PYMESHLAB)
FOR_ACCURACY = (OURS, TRIMESH, LIBIGL, DRAKE, MUJOCO, PYMESHLAB)
FOR_AWKWARD = (OURS, TRIMESH_CHECKED, LIBIGL, VTK_CHECKED, DRAKE, MUJOCO, PYMESHLAB)


def absent(systems: tuple[System, ...]) -> dict[str, str]:
    """Return why each system that is missing here is missing, by name."""
    return {system.name: reason for system in systems if (reason := system.missing())}
