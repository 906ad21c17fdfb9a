# SPDX-License-Identifier: Apache-2.0
"""A robot of an MJCF file: bodies, geoms and joints, with MuJoCo's defaults, classes and frames applied.

MuJoCo's own parser reads the file, but does not compile it, so that a robot with impossible inertials is read too.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ..arrays import FloatArray
from ..body.inertial import Inertial
from ..body.pose import Pose
from ..errors import InertiaError
from ..robot.model import Mimic
from ..sdf.spec.names import UniqueNames
from ..sdf.xml.document import Document, Place
from .expanded import Expanded, expand
from .library import Geom, compiled_inertial, load_mujoco, quiet, refusal, rotation, word

GREY = np.array([0.5, 0.5, 0.5, 1.0], dtype=np.float32).tolist()
"""MuJoCo's colour of a geom without one; any other wins over that of its material."""


@dataclass(frozen=True, eq=False)
class Joint:
    """A joint of a body; `anchor` and `axis` are in the body's frame.

    `limits` [rad or m] are None if it has none. They are measured from the pose in the file, as in all other formats,
    and not from MuJoCo's ``ref``.
    """

    name: str
    kind: str
    anchor: FloatArray
    axis: FloatArray
    limits: tuple[float, float] | None
    damping: float
    friction: float
    armature: float
    effort: float | None
    place: Place


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
    place : Place
        Of its ``<body>``, or of the element that it was made from.
    inertial_place : Place or None
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
    place: Place
    inertial_place: Place | None
    inertial: Inertial | None
    axes: Pose
    geoms: Sequence[Geom]
    joints: Sequence[Joint]
    sites: Sequence[tuple[str, Pose]]
    is_mocap: bool
    is_fixed: bool


@dataclass(frozen=True, eq=False)
class MjcfRobot:
    """An MJCF file as MuJoCo parses it; `library` is the package mujoco, `spec` its MjSpec."""

    expanded: Expanded
    spec: Any
    library: Any

    @classmethod
    def read(cls, document: Document, roots: Sequence[Path] = ()) -> MjcfRobot:
        """Read a file, which may use what is in these folders.

        Raises
        ------
        InertiaError
            ``mujoco`` without the package, ``bad_mjcf`` for what MuJoCo cannot parse, or what `expand` raises.
        """
        library = load_mujoco()
        expanded = expand(document, roots)
        path = f"{os.path.abspath(document.path or document.name)}.xml"  # MuJoCo goes by the suffix
        files = library.MjVfs()
        files[path] = expanded.text
        with quiet(library):
            try:
                return cls(expanded, library.MjSpec.from_file(path, vfs=files), library)
            except (ValueError, TypeError, library.FatalError) as error:
                raise refusal(error, expanded.place) from None

    def compiled(self) -> list[Inertial]:
        """Return the inertial of each body as MuJoCo simulates it, in the body's frame.

        Raises
        ------
        InertiaError
            ``bad_mjcf`` for what MuJoCo does not load, even if it is not about inertials.
        """
        spec = self.spec.copy()
        spec.compiler.fusestatic = spec.compiler.alignfree = False  # the bodies stay apart, and their frames as written
        for joint in spec.joints:
            joint.align = False
        with quiet(self.library):
            try:
                model = spec.compile()
            except (ValueError, self.library.FatalError) as error:
                raise refusal(error, self.expanded.place) from None
        return [compiled_inertial(model, number) for number in range(1, model.nbody)]

    @property
    def name(self) -> str:
        """The name of the model."""
        return str(self.spec.modelname)

    @property
    def folder(self) -> Path:
        """The folder of the file."""
        return Path(os.path.abspath(self.expanded.document.path or self.expanded.document.name)).parent

    @property
    def computes_all(self) -> bool:
        """True if MuJoCo ignores all inertials that are written: ``inertiafromgeom="true"``."""
        return self._from_geoms == "true"

    @property
    def computes_none(self) -> bool:
        """True if MuJoCo computes no inertial: ``inertiafromgeom="false"``."""
        return self._from_geoms == "false"

    @property
    def _from_geoms(self) -> str:
        return word(self.library.mjtInertiaFromGeom, self.spec.compiler.inertiafromgeom)

    @cached_property
    def bodies(self) -> Sequence[Body]:
        """Its bodies, parents first."""
        bodies: list[Body] = []
        for child in self.spec.worldbody.bodies:
            self._add(child, None, bodies)
        return bodies

    def _add(self, body: Any, parent: Body | None, bodies: list[Body]) -> None:
        """Add a body and those below it, in the order in which MuJoCo numbers them from 1."""
        local, axes = self._pose(body), Pose(self._rotation(body, body.iquat, body.ialt), np.nan_to_num(body.ipos))
        name = body.name or self._names.give(f"body_{len(bodies) + 1}")
        joints = tuple(self._joints(body, name))
        added = Body(
            name,
            None if parent is None else parent.name,
            local,
            local if parent is None else parent.pose @ local,
            self.expanded.place(body.info),
            self.expanded.inertial(body.info),
            _written(body, axes) if body.explicitinertial else None,
            axes,
            tuple(self._geoms(body)),
            joints,
            tuple(self._sites(body)),
            bool(body.mocap),
            (parent is None or parent.is_fixed) and not joints and not body.mocap,
        )
        bodies.append(added)
        for child in body.bodies:
            self._add(child, added, bodies)

    @cached_property
    def _names(self) -> UniqueNames:
        """The names of the bodies, to which those of nameless ones are added."""
        names = UniqueNames()
        for body in self.spec.bodies:
            names.take(body.name)
        return names

    def _sites(self, body: Any) -> Iterator[tuple[str, Pose]]:
        for site in body.sites:
            between = not np.isnan(site.fromto[0])
            yield site.name, self._frame(site) @ _along(site.fromto) if between else self._pose(site)

    def mimics(self) -> Iterator[tuple[str, Mimic]]:
        """Yield the joints that follow another one by a straight line, by name."""
        for one in self.spec.equalities:
            if one.type == self.library.mjtEq.mjEQ_JOINT and one.name2 and one.active:
                offset, slope, *curve = one.data[:5].tolist()
                if not any(curve):
                    yield one.name1, Mimic(one.name2, slope, offset)

    def _geoms(self, body: Any) -> Iterator[Geom]:
        low, high = self.spec.compiler.inertiagrouprange
        kinds = self.library.mjtGeom
        names = UniqueNames()
        for geom in body.geoms:
            names.take(geom.name)
        for number, geom in enumerate(body.geoms):
            if geom.meshname and self.spec.mesh(geom.meshname) is None:
                place = str(self.expanded.place(geom.info))
                raise InertiaError.of("bad_mjcf", place, "mesh", name=geom.meshname)
            kind = word(kinds, geom.type)
            size, pose = tuple(geom.size.tolist()), self._pose(geom)
            if not np.isnan(geom.fromto[0]) and not geom.meshname:
                size, pose = _between(kind, size, geom.fromto), self._frame(geom) @ _along(geom.fromto)
            yield Geom(
                geom.name or names.give("geom" if number == 0 else f"geom_{number}"),
                kind,
                size,
                pose,
                None if np.isnan(geom.mass) else float(geom.mass),
                float(geom.density),
                not (geom.contype or geom.conaffinity),
                bool(low <= geom.group <= high),
                geom.meshname,
                self._color(geom),
                geom.material,
                geom,
            )

    def _color(self, geom: Any) -> tuple[float, float, float, float] | None:
        material = self.spec.material(geom.material) if geom.material else None
        rgba = geom.rgba if material is None or geom.rgba.tolist() != GREY else material.rgba
        red, green, blue, alpha = (float(channel) for channel in rgba)
        return red, green, blue, alpha

    def _joints(self, body: Any, name: str) -> Iterator[Joint]:
        for number, joint in enumerate(body.joints):
            kind = word(self.library.mjtJoint, joint.type)
            frame = self._frame(joint)
            turns = joint.compiler.degree and kind in ("hinge", "ball")
            scale = np.pi / 180.0 if turns else 1.0
            yield Joint(
                joint.name or f"{name}_joint{number or ''}",
                kind,
                frame.R @ joint.pos + frame.p,
                frame.R @ joint.axis,
                _range(joint.limited, joint.compiler.autolimits, joint.range, scale, joint.ref),
                _first(joint.damping),
                float(joint.frictionloss),
                float(joint.armature),
                _effort(_range(joint.actfrclimited, joint.compiler.autolimits, joint.actfrcrange, 1.0)),
                self.expanded.place(joint.info),
            )

    def _pose(self, element: Any) -> Pose:
        """Return the pose of an element in its body, or of a body in its parent."""
        return self._frame(element) @ Pose(self._rotation(element, element.quat, element.alt), element.pos)

    def _frame(self, element: Any) -> Pose:
        """Return the pose of the ``<frame>`` that an element is in."""
        frame, pose = element.frame, Pose.identity
        while frame is not None:
            pose = Pose(self._rotation(frame, frame.quat, frame.alt), frame.pos) @ pose
            frame = frame.frame
        return pose

    def _rotation(self, element: Any, quaternion: FloatArray, other: Any) -> FloatArray:
        """Return a rotation (3, 3), given as a quaternion (w, x, y, z) or in one of MJCF's other ways."""
        if other.type != self.library.mjtOrientation.mjORIENTATION_QUAT:
            compiler = element.compiler
            try:
                quaternion = self.spec.resolve_orientation(
                    degree=compiler.degree, sequence=compiler.eulerseq, orientation=other
                )
            except ValueError as error:
                place = str(self.expanded.place(element.info))
                raise InertiaError.of("bad_mjcf", place, "orientation", reason=error) from None
        return rotation(quaternion)


def _written(body: Any, axes: Pose) -> Inertial:
    full = np.asarray(body.fullinertia, dtype=float)
    if np.isnan(full[0]):
        tensor = axes.R @ np.diag(body.inertia) @ axes.R.T
    else:
        xx, yy, zz, xy, xz, yz = full.tolist()
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return Inertial(float(body.mass), axes.p, tensor)


def _between(kind: str, size: tuple[float, float, float], ends: FloatArray) -> tuple[float, float, float]:
    """Return the size of a geom that is given by its two ends (6,)."""
    half = float(np.linalg.norm(ends[3:] - ends[:3])) / 2.0
    return (size[0], half, 0.0) if kind in ("capsule", "cylinder") else (size[0], size[0], half)


def _along(ends: FloatArray) -> Pose:
    """Return the frame in the middle of two ends (6,), by the shortest turn of its z axis to the first one."""
    along = ends[:3] - ends[3:]
    length = float(np.linalg.norm(along))
    x, y, z = (along / length).tolist() if length else (0.0, 0.0, 1.0)
    sine, cosine = np.hypot(x, y), z
    half = np.arctan2(sine, cosine) / 2.0
    turn = np.array([-y, x, 0.0]) / sine if sine > 0.0 else np.array([1.0, 0.0, 0.0])
    return Pose(rotation([np.cos(half), *(np.sin(half) * turn)]), (ends[:3] + ends[3:]) / 2.0)


def _range(
    limited: Any, automatic: bool, values: FloatArray, scale: float, zero: float = 0.0
) -> tuple[float, float] | None:
    low, high = (float(value - zero) * scale for value in values)
    on = (automatic and low != high) if int(limited) == 2 else int(limited) == 1  # 2: auto
    return (low, high) if on else None


def _effort(limits: tuple[float, float] | None) -> float | None:
    return None if limits is None else max(map(abs, limits))


def _first(value: Any) -> float:
    """Return a number, or the first of several: the linear one of a polynomial."""
    return float(np.atleast_1d(value)[0])
