# SPDX-License-Identifier: Apache-2.0
"""The package mujoco, and what it computes from each geom: mass, centre and tensor, and the shape that fits a mesh.

Each geom is compiled as a body by itself, in a copy that has nothing else: so neither an impossible inertial nor a
missing texture of the file is in the way, and one bad mesh leaves the other numbers.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..arrays import FloatArray
from ..body.inertial import Inertial
from ..body.pose import Pose
from ..errors import InertiaError
from ..files.input_file import read_bytes
from ..files.limits import max_bytes

OLDEST = (3, 14)
"""Oldest version of mujoco whose parser and compiler give the numbers that the tests expect."""

OF_MESH = (
    *("content_type", "inertia", "smoothnormal", "refpos", "refquat", "scale", "maxhullvert", "needsdf"),
    *("uservert", "userface", "usernormal", "usertexcoord", "userfacenormal", "userfacetexcoord"),
)
"""Attributes of MuJoCo's meshes that its compiler reads."""

WEIGHTLESS = ("plane", "hfield")
"""Kinds of geoms without a volume."""


@dataclass(frozen=True, eq=False)
class Geom:
    """A geom of a body.

    Parameters
    ----------
    kind : str
        In lower case: ``box``, ``sphere``, ``capsule``, ``cylinder``, ``ellipsoid``, ``mesh``, ``plane`` ...
    size : tuple of float
        Half sizes [m], as MuJoCo has them.
    pose : Pose
        In the body.
    mass : float or None
        [kg]; None if the density counts.
    density : float
        [kg/m³]
    is_visual : bool
        True if it collides with nothing.
    in_range : bool
        True if its group is in ``inertiagrouprange``.
    mesh : str
        The name of its mesh, if any. If its `kind` is another, MuJoCo fits that to the mesh.
    spec : MjsGeom
    """

    name: str
    kind: str
    size: tuple[float, float, float]
    pose: Pose
    mass: float | None
    density: float
    is_visual: bool
    in_range: bool
    mesh: str
    color: tuple[float, float, float, float] | None
    material: str
    spec: Any

    @property
    def weighs(self) -> bool:
        """True if it has a mass or density other than 0."""
        return (self.density if self.mass is None else self.mass) != 0.0

    @property
    def counts(self) -> bool:
        """True if MuJoCo computes inertias from it."""
        return self.in_range and self.weighs


def compiled_inertial(model: Any, number: int) -> Inertial:
    """Return the inertial of a body of a compiled model (MjModel), in the body's frame."""
    R = rotation(model.body_iquat[number])
    tensor = R @ np.diag(model.body_inertia[number]) @ R.T
    return Inertial(float(model.body_mass[number]), model.body_ipos[number], tensor)


def load_mujoco() -> Any:
    """Return the package mujoco; raises ``mujoco`` without it, or with one too old."""
    python = f'"{sys.executable}"'
    try:
        import mujoco
    except ImportError:
        raise InertiaError.of("mujoco", "", "", python=python) from None
    if tuple(int(part) for part in mujoco.__version__.split(".")[:2]) < OLDEST:
        raise InertiaError.of("mujoco", "", "old", version=mujoco.__version__, python=python)
    return mujoco


def refusal(error: Exception, place: Callable[[str], object] = lambda _: "") -> InertiaError:
    """Return MuJoCo's reason for what it refuses; `place` gives the place of what the second line names."""
    reason, _, where = str(error).removeprefix("XML Error: ").removeprefix("Error: ").partition("\n")
    return InertiaError.of("bad_mjcf", str(place(where)), "mujoco", reason=reason)


@contextmanager
def quiet(library: Any) -> Iterator[None]:
    """Enter a context in which MuJoCo neither prints its warnings nor writes them into MUJOCO_LOG.TXT."""
    before = library.get_mju_user_warning()
    library.set_mju_user_warning(lambda _: None)
    try:
        with warnings.catch_warnings(action="ignore"):
            yield
    finally:
        library.set_mju_user_warning(before)


def word(kinds: Any, value: Any) -> str:
    """Return the word of MJCF for a value of one of MuJoCo's enumerations: ``box`` for mjGEOM_BOX."""
    return str(kinds(value).name).rpartition("_")[2].lower()


def rotation(quaternion: Sequence[float] | FloatArray) -> FloatArray:
    """Return the rotation matrix (3, 3) of a quaternion (w, x, y, z) of any length above 0."""
    w, x, y, z = quaternion
    return Pose.from_quaternion((0.0, 0.0, 0.0), (x, y, z, w)).R


@dataclass(frozen=True, eq=False)
class Compiled:
    """A geom as MuJoCo compiles it.

    Parameters
    ----------
    inertial : Inertial
        In the frame of the geom.
    kind, size, pose
        Of the geom; what MuJoCo has fitted to its mesh, `pose` in the frame of the geom as written.
    """

    inertial: Inertial
    kind: str
    size: tuple[float, float, float]
    pose: Pose


def compile_geoms(
    library: Any, spec: Any, geoms: Iterable[Geom], paths: Mapping[str, Path | InertiaError]
) -> dict[Geom, Compiled | InertiaError]:
    """Return each geom as MuJoCo compiles it, or why it does not.

    Parameters
    ----------
    library, spec
        The package mujoco, and the MjSpec that has the meshes.
    geoms : iterable of Geom
    paths : mapping of str to Path or InertiaError
        The files of the meshes, by the names of these; a mesh without one has its vertices in the MJCF.
    """
    wanted = [geom for geom in geoms if geom.kind not in WEIGHTLESS]
    failed: dict[str, InertiaError] = {name: path for name, path in paths.items() if isinstance(path, InertiaError)}
    results: dict[Geom, Compiled | InertiaError] = {}
    good = [geom for geom in wanted if geom.mesh not in failed]
    try:
        results |= _compiled(library, spec, good, paths)
    except InertiaError:
        for geom in good:  # one by one
            try:
                results |= _compiled(library, spec, [geom], paths)
            except InertiaError as error:
                results[geom] = error
    return results | {geom: failed[geom.mesh] for geom in wanted if geom.mesh in failed}


def _compiled(
    library: Any, source: Any, geoms: Sequence[Geom], paths: Mapping[str, Path | InertiaError]
) -> dict[Geom, Compiled | InertiaError]:
    """Compile geoms together; raises ``bad_mjcf`` if MuJoCo refuses one."""
    spec = library.MjSpec()
    spec.compiler.fitaabb = source.compiler.fitaabb
    files: dict[str, bytes] = {}
    for name in dict.fromkeys(geom.mesh for geom in geoms if geom.mesh):
        given, mesh = source.mesh(name), spec.add_mesh()
        for attribute in OF_MESH:
            setattr(mesh, attribute, getattr(given, attribute))
        mesh.name = name
        path = paths.get(name)
        if isinstance(path, Path):
            mesh.file = f"{len(files)}{path.suffix}"
            files[mesh.file] = read_bytes(path, max_bytes(path))  # MuJoCo keeps files that it has read by itself
    for geom in geoms:
        own = spec.worldbody.add_body().add_geom()
        own.type, own.size, own.meshname = geom.spec.type, geom.size, geom.mesh
        own.density, own.typeinertia, own.fitscale = geom.density, geom.spec.typeinertia, geom.spec.fitscale
        own.mass = np.nan if geom.mass is None else geom.mass
        own.contype = own.conaffinity = 0
    spec.assets = files
    with quiet(library):
        try:
            model = spec.compile()
        except (ValueError, library.FatalError) as error:
            raise refusal(error) from None
    kinds = library.mjtGeom
    results: dict[Geom, Compiled | InertiaError] = {}
    for number, geom in enumerate(geoms):
        inertial = compiled_inertial(model, number + 1)
        kind = word(kinds, model.geom_type[number])
        pose = Pose(rotation(model.geom_quat[number]), model.geom_pos[number])
        results[geom] = Compiled(inertial, kind, tuple(model.geom_size[number].tolist()), pose)
    return results
