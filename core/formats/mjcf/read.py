# SPDX-License-Identifier: Apache-2.0
"""A robot of an MJCF file: bodies, geoms and joints, with MuJoCo's defaults, classes and frames applied.

MuJoCo's own parser reads the file, but does not compile it, so that a robot with impossible inertials is read too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ...arrays import FloatArray
from ...body.inertial import Inertial
from ...body.pose import Pose
from ...document.document import Document
from ...document.element import Element
from ...errors import InertiaError
from ...files.input_file import note_named
from ...robot.model import Mimic
from ..sdf.spec.names import UniqueNames
from .expanded import Expanded, expand
from .library import NamedFiles, inertial_of, posed

WEIGHTLESS = ("plane", "hfield")
"""Kinds of geoms without a volume."""


@dataclass(frozen=True, eq=False)
class Geom:
    """A geom of a body.

    Parameters
    ----------
    name : str
    number : (int, int)
        Of its body and of itself in it.
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
    group : int
    in_range : bool
        True if its group is in ``inertiagrouprange``.
    is_shell : bool
        True if it weighs by its surface.
    mesh : str
        The name of its mesh, if any. If its `kind` is another, MuJoCo fits that to the mesh.
    place : Element
        Of its ``<geom>``, or of the element that it was made from.
    """

    name: str
    number: tuple[int, int]
    kind: str
    size: tuple[float, float, float]
    pose: Pose
    mass: float | None
    density: float
    is_visual: bool
    group: int
    in_range: bool
    is_shell: bool
    mesh: str
    color: tuple[float, float, float, float]
    material: str
    place: Element

    @property
    def weighs(self) -> bool:
        """True if it has a mass or density other than 0."""
        return (self.density if self.mass is None else self.mass) != 0.0

    @property
    def counts(self) -> bool:
        """True if MuJoCo computes inertias from it."""
        return self.in_range and self.weighs


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


@dataclass(frozen=True, eq=False)
class MeshAsset:
    """A ``<mesh>``.

    Parameters
    ----------
    path : Path, InertiaError or None
        Its file, or why this cannot be read; None if its vertices are in the MJCF.
    inertia : str
        How MuJoCo computes its inertia: ``legacy``, ``exact``, ``convex`` or ``shell``.
    scale : sequence of float
        Of its axes.
    frame : Pose
        Its reference, in which MuJoCo takes its vertices.
    vertices : array (n, 3)
    faces : array (m, 3)
        In the MJCF, without a file.
    """

    path: Path | InertiaError | None
    inertia: str
    scale: Sequence[float]
    frame: Pose
    vertices: FloatArray
    faces: FloatArray


@dataclass(frozen=True, eq=False)
class Joint:
    """A joint of a body; `anchor` and `axis` are in the body's frame.

    `limits` [rad or m] are None if it has none. They and `rest`, where its spring is at rest, are measured from the
    pose in the file, as in all other formats, and not from MuJoCo's ``ref``. `stiffness` is in N·m/rad or N/m. `effort`
    [N·m or N] is the most that its actuators together apply; None for no limit.
    """

    name: str
    kind: str
    anchor: FloatArray
    axis: FloatArray
    limits: tuple[float, float] | None
    damping: float
    friction: float
    armature: float
    stiffness: float
    rest: float
    effort: float | None
    place: Element


@dataclass(frozen=True, eq=False)
class Body:
    """A body, but for the world.

    Parameters
    ----------
    name : str
        Its own, or ``body_N`` with MuJoCo's number.
    parent : str or None
        None for the world.
    local : Pose
        In its parent.
    pose : Pose
        In the model, all joints at zero.
    place : Element
        Of its ``<body>``, or of the element that it was made from.
    inertial_place : Element or None
        Of its ``<inertial>``, perhaps in another file.
    inertial : Inertial or None
        As written, in the body's frame.
    axes : Pose
        Of the inertial's frame in the body.
    sites : sequence of (str, Pose)
        Name and pose in the body.
    is_mocap : bool
        True if it is moved from outside.
    is_fixed : bool
        True if no joint is between it and the world.
    """

    name: str
    parent: str | None
    local: Pose
    pose: Pose
    place: Element
    inertial_place: Element | None
    inertial: Inertial | None
    axes: Pose
    geoms: Sequence[Geom]
    joints: Sequence[Joint]
    sites: Sequence[tuple[str, Pose]]
    is_mocap: bool
    is_fixed: bool


@dataclass(frozen=True, eq=False)
class MjcfRobot:
    """An MJCF file as MuJoCo parses it; `parsed` is what `mujoco_program.read` returns."""

    files: NamedFiles
    parsed: Mapping[str, Any]

    @classmethod
    def read(cls, document: Document, roots: Sequence[Path] = ()) -> MjcfRobot:
        """Read a file, which may use what is in these folders.

        Raises
        ------
        InertiaError
            ``mujoco`` without the package, ``bad_mjcf`` for what MuJoCo cannot parse, ``library_failed`` if it takes
            too long, or what `expand` raises.
        """
        files = NamedFiles(expand(document, roots), roots)
        for name in files.expanded.files:
            with suppress(InertiaError):  # reported where it is needed
                note_named(files.path(name))
        return cls(files, files.request("read", files.needed))

    def compiled(self) -> list[Inertial]:
        """Return the inertial of each body as MuJoCo simulates it, in the body's frame.

        Raises
        ------
        InertiaError
            ``bad_mjcf`` for what MuJoCo does not load, even if it is not about inertials.
        """
        files = NamedFiles(self.expanded, ())  # MuJoCo has no other folders
        others = [name for name in self.expanded.files if name not in files.needed]
        return [*map(inertial_of, files.request("compiled", [*files.needed, *others], needed=len(files.needed)))]

    def compile_geoms(self, geoms: Iterable[Geom]) -> dict[Geom, Compiled | InertiaError]:
        """Return each geom as MuJoCo compiles it, or why it does not."""
        results: dict[Geom, Compiled | InertiaError] = {}
        wanted: list[Geom] = []
        for geom in geoms:
            path = self.meshes[geom.mesh].path if geom.mesh else None
            if isinstance(path, InertiaError):
                results[geom] = path
            elif geom.kind not in WEIGHTLESS:
                wanted.append(geom)
        named = {mesh["name"]: mesh["file"] for mesh in self.parsed["meshes"] if mesh["file"]}
        files = {mesh: named[mesh] for mesh in dict.fromkeys(geom.mesh for geom in wanted) if mesh in named}
        names = [*self.files.needed, *dict.fromkeys(files.values())]
        given = {
            "needed": len(self.files.needed),
            "files": files,
            "wanted": [(*geom.number, geom.size) for geom in wanted],
        }
        try:
            replies = self.files.request("geoms", names, **given) if wanted else []
        except InertiaError as error:
            return results | dict.fromkeys(wanted, error)
        for geom, reply in zip(wanted, replies, strict=True):
            results[geom] = self.files.refusal(reply["refused"]) if "refused" in reply else _compiled(reply)
        return results

    @property
    def expanded(self) -> Expanded:
        """The file with all that it includes."""
        return self.files.expanded

    @property
    def name(self) -> str:
        """The name of the model."""
        return str(self.parsed["name"])

    @property
    def compiler(self) -> Mapping[str, Any]:
        """The attributes of ``<compiler>`` that change inertials."""
        compiler: Mapping[str, Any] = self.parsed["compiler"]
        return compiler

    @property
    def computes_all(self) -> bool:
        """True if MuJoCo ignores all inertials that are written: ``inertiafromgeom="true"``."""
        return bool(self.compiler["inertiafromgeom"] == "true")

    @property
    def computes_none(self) -> bool:
        """True if MuJoCo computes no inertial: ``inertiafromgeom="false"``."""
        return bool(self.compiler["inertiafromgeom"] == "false")

    @cached_property
    def meshes(self) -> Mapping[str, MeshAsset]:
        """Its meshes by name."""
        return {mesh["name"]: self._mesh(mesh) for mesh in self.parsed["meshes"]}

    def _mesh(self, mesh: Mapping[str, Any]) -> MeshAsset:
        path: Path | InertiaError | None = None
        if mesh["file"]:
            try:
                path = self.files.path(mesh["file"])
            except InertiaError as error:
                path = error
        if len(mesh["vertices"]) % 3 or len(mesh["faces"]) % 3:
            raise InertiaError.of("bad_mjcf", str(self.expanded.place(mesh["info"])), "triples")
        corners = (np.reshape(mesh[name], (-1, 3)) for name in ("vertices", "faces"))
        return MeshAsset(path, mesh["inertia"], mesh["scale"], posed(mesh["frame"]), *corners)

    @cached_property
    def bodies(self) -> Sequence[Body]:
        """Its bodies, parents first, in the order in which MuJoCo numbers them from 1."""
        bodies: list[Body] = []
        names = UniqueNames()
        for name in ("world", *(body["name"] for body in self.parsed["bodies"])):
            names.take(name)
        for number, body in enumerate(self.parsed["bodies"]):
            name = body["name"] or names.give(f"body_{number + 1}")
            parent = None if body["parent"] is None else bodies[body["parent"]]
            try:
                bodies.append(self._body(body, number, name, parent))
            except InertiaError as error:
                raise error.about(str(self.expanded.place(body["info"]))) from None
        return bodies

    def _body(self, body: Mapping[str, Any], number: int, name: str, parent: Body | None) -> Body:
        local, axes = posed(body["pose"]), posed(body["axes"])
        joints = tuple(self._joints(body["joints"], name))
        with np.errstate(all="ignore"):
            pose = local if parent is None else parent.pose @ local
        if not np.isfinite(pose.p).all():
            raise InertiaError.of("bad_mjcf", "", "position")
        return Body(
            name,
            None if parent is None else parent.name,
            local,
            pose,
            self.expanded.place(body["info"]),
            self.expanded.inertial(body["info"]),
            _written(body, axes) if body["is_written"] else None,
            axes,
            tuple(self._geoms(body["geoms"], number, name)),
            joints,
            tuple((site["name"], _pose(site)) for site in body["sites"]),
            body["is_mocap"],
            (parent is None or parent.is_fixed) and not joints and not body["is_mocap"],
        )

    def mimics(self) -> Iterator[tuple[str, Mimic]]:
        """Yield the joints that follow another one by a straight line, by name."""
        for name, followed, (offset, slope, *curve) in self.parsed["mimics"]:
            if not any(curve):
                yield name, Mimic(followed, slope, offset)

    def _geoms(self, geoms: Sequence[Mapping[str, Any]], body: int, name: str) -> Iterator[Geom]:
        """Yield the geoms of a body; one without a name is named after its mesh, or the body."""
        low, high = self.compiler["inertiagrouprange"]
        names = UniqueNames()
        for geom in geoms:
            names.take(geom["name"])
        for number, geom in enumerate(geoms):
            kind, size = geom["kind"], tuple(geom["size"])
            place = self.expanded.place(geom["info"])
            if geom["mesh"] and geom["mesh"] not in self.meshes:
                raise InertiaError.of("bad_mjcf", str(place), "mesh", name=geom["mesh"])
            between = geom["ends"] is not None and not geom["mesh"]
            yield Geom(
                geom["name"] or names.give(geom["mesh"] if geom["mesh"] not in ("", name) else f"{name}_geom"),
                (body, number),
                kind,
                _between(kind, size, np.array(geom["ends"])) if between else size,
                _pose(geom) if between else posed(geom["pose"]),
                geom["mass"],
                geom["density"],
                geom["is_visual"],
                geom["group"],
                low <= geom["group"] <= high,
                geom["is_shell"],
                geom["mesh"],
                tuple(geom["color"]),
                geom["material"],
                place,
            )

    def _joints(self, joints: Sequence[Mapping[str, Any]], body: str) -> Iterator[Joint]:
        for number, joint in enumerate(joints):
            frame, limits = posed(joint["frame"]), joint["limits"]
            yield Joint(
                joint["name"] or f"{body}_joint{number or ''}",
                joint["kind"],
                frame.R @ joint["pos"] + frame.p,
                frame.R @ joint["axis"],
                None if limits is None else tuple(limits),
                joint["damping"],
                joint["friction"],
                joint["armature"],
                joint["stiffness"],
                joint["rest"],
                joint["effort"],
                self.expanded.place(joint["info"]),
            )


def _pose(element: Mapping[str, Any]) -> Pose:
    """Return the pose in its body of an element that may be given by two ends."""
    if element["ends"] is None:
        return posed(element["pose"])
    return posed(element["pose"][:-1]) @ _along(element["ends"])


def _compiled(reply: Mapping[str, Any]) -> Compiled:
    return Compiled(inertial_of(reply), reply["kind"], tuple(reply["size"]), posed(reply["pose"]))


def _written(body: Mapping[str, Any], axes: Pose) -> Inertial:
    if np.isnan(body["fullinertia"][0]):
        return inertial_of(body)
    xx, yy, zz, xy, xz, yz = body["fullinertia"]
    return Inertial(body["mass"], axes.p, np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))


def _between(kind: str, size: tuple[float, float, float], ends: FloatArray) -> tuple[float, float, float]:
    """Return the size of a geom that is given by its two ends (6,)."""
    half = float(np.linalg.norm(ends[3:] - ends[:3])) / 2.0
    return (size[0], half, 0.0) if kind in ("capsule", "cylinder") else (size[0], size[0], half)


def _along(points: Sequence[float]) -> Pose:
    """Return the frame in the middle of two points (6,), by the shortest turn of its z axis to the first one."""
    ends = np.array(points)
    if not np.isfinite(ends).all():
        raise InertiaError.of("bad_mjcf", "", "orientation", reason="its ends are not finite numbers")
    along = ends[:3] - ends[3:]
    length = float(np.linalg.norm(along))
    x, y, z = (along / length).tolist() if length else (0.0, 0.0, 1.0)
    sine, cosine = np.hypot(x, y), z
    half = np.arctan2(sine, cosine) / 2.0
    turn = np.array([-y, x, 0.0]) / sine if sine > 0.0 else np.array([1.0, 0.0, 0.0])
    return Pose.from_quaternion((ends[:3] + ends[3:]) / 2.0, [*(np.sin(half) * turn), np.cos(half)])
