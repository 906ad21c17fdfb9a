# SPDX-License-Identifier: Apache-2.0
"""What MuJoCo makes of an MJCF, as plain data: the program of a child process, see `core.child`; it imports no core.

All files reach MuJoCo as bytes, by names that are on no disk. A place is what MuJoCo says of an element: "line N". A
pose is a list of positions and quaternions (w, x, y, z): those of the frames around an element, and its own.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import mujoco
import numpy as np

OF_MESH = (
    *("content_type", "inertia", "smoothnormal", "refpos", "refquat", "scale", "maxhullvert", "needsdf"),
    *("uservert", "userface", "usernormal", "usertexcoord", "userfacenormal", "userfacetexcoord"),
)
"""Attributes of MuJoCo's meshes that its compiler reads."""

OF_COMPILER = ("balanceinertia", "boundinertia", "boundmass", "fusestatic", "settotalmass")

GREY = np.array([0.5, 0.5, 0.5, 1.0], dtype=np.float32).tolist()
"""MuJoCo's colour of a geom without one; any other wins over that of its material."""

REFUSED = (ValueError, TypeError, mujoco.FatalError)
"""What MuJoCo raises for a file that it refuses; a name that is not UTF-8 is a ValueError."""

Pose = list[list[list[float]]]

_last: dict[tuple[bytes, ...], Any] = {}
"""The last text with the files that it needs, and their MjSpec: requests about the same file follow each other."""

mujoco.set_mju_user_warning(lambda _: None)  # neither printed nor written into MUJOCO_LOG.TXT
warnings.simplefilter("ignore")


def read(parent: Any, blobs: list[bytes], names: list[str]) -> dict[str, Any]:
    """Return a file's robot as MuJoCo parses it, without compiling it.

    Parameters
    ----------
    blobs : list of bytes
        The text, and the files that it needs to be parsed.
    names : list of str
        The names of these files in the text.
    """
    spec = _parsed(parent, blobs, names)
    compiler = spec.compiler
    reading = _Reading(parent, spec)
    return {
        "name": spec.modelname,
        "compiler": {
            **{name: getattr(compiler, name) for name in OF_COMPILER},
            "inertiafromgeom": _word(mujoco.mjtInertiaFromGeom, compiler.inertiafromgeom),
            "inertiagrouprange": _list(compiler.inertiagrouprange),
        },
        "world_has_geoms": bool(spec.worldbody.geoms),
        "meshes": [_mesh(mesh) for mesh in spec.meshes],
        "bodies": [reading.body(body, parent) for body, parent in _bodies(spec)],
        "mimics": [
            [equality.name1, equality.name2, _list(equality.data)[:5]]
            for equality in spec.equalities
            if _is_mimic(equality)
        ],
        "constraints": [_word(mujoco.mjtEq, equality.type) for equality in spec.equalities if not _is_mimic(equality)],
    }


def compiled(parent: Any, blobs: list[bytes], names: list[str], needed: int) -> list[dict[str, Any]]:
    """Return the inertial of each body as MuJoCo simulates it, in the body's frame.

    Parameters
    ----------
    blobs, names
        As for `read`, and all other files that the text names.
    needed : int
        How many of the files are needed to parse the text.
    """
    spec = _parsed(parent, blobs[: needed + 1], names[:needed]).copy()
    spec.compiler.fusestatic = spec.compiler.alignfree = False  # the bodies stay apart, and their frames as written
    for joint in spec.joints:
        joint.align = False
    spec.assets = dict(zip(names, blobs[1:], strict=True))
    try:
        model = spec.compile()
    except REFUSED as error:
        parent.fail(["mujoco", str(error)])
    return [_inertial(model, number) for number in range(1, model.nbody)]


def geoms(
    parent: Any,
    blobs: list[bytes],
    names: list[str],
    needed: int,
    wanted: list[tuple[int, int, list[float]]],
    files: Mapping[str, str],
) -> list[dict[str, Any]]:
    """Return each geom as MuJoCo compiles it, in its own frame, or why it does not.

    Each is a body by itself, in a copy that has nothing else: so neither an impossible inertial nor a missing texture
    of the file is in the way, and one bad mesh leaves the other numbers.

    Parameters
    ----------
    blobs, names, needed
        As for `compiled`, with the files of meshes alone.
    wanted : list of (int, int, list of float)
        The numbers of body and geom, and its size.
    files : mapping of str to str
        The name of the file of each mesh; a mesh without one has its vertices in the text.
    """
    spec = _parsed(parent, blobs[: needed + 1], names[:needed])
    needing = {body for body, _, _ in wanted}  # MuJoCo lists the geoms of a body again each time
    listed = {number: list(body.geoms) for number, (body, _) in enumerate(_bodies(spec)) if number in needing}
    chosen = [(listed[body][geom], size) for body, geom, size in wanted]
    assets = dict(zip(names, blobs[1:], strict=True))
    try:
        return _alone(spec, chosen, files, assets)
    except REFUSED:
        return [_alone_or_reason(spec, sized, files, assets) for sized in chosen]


def _alone_or_reason(
    spec: Any, sized: tuple[Any, list[float]], files: Mapping[str, str], assets: dict[str, bytes]
) -> dict[str, Any]:
    try:
        return _alone(spec, [sized], files, assets)[0]
    except REFUSED as error:
        return {"refused": str(error)}


def _alone(
    source: Any, chosen: Sequence[tuple[Any, list[float]]], files: Mapping[str, str], assets: dict[str, bytes]
) -> list[dict[str, Any]]:
    """Compile geoms together, each as a body by itself."""
    spec = mujoco.MjSpec()
    spec.compiler.fitaabb = source.compiler.fitaabb
    for name in dict.fromkeys(geom.meshname for geom, _ in chosen if geom.meshname):
        given, mesh = source.mesh(name), spec.add_mesh()
        for attribute in OF_MESH:
            setattr(mesh, attribute, getattr(given, attribute))
        mesh.name, mesh.file = name, files.get(name, "")
    for geom, size in chosen:
        alone = spec.worldbody.add_body().add_geom()
        alone.size = size
        for attribute in ("type", "meshname", "density", "mass", "typeinertia", "fitscale"):
            setattr(alone, attribute, getattr(geom, attribute))
        alone.contype = alone.conaffinity = 0
    spec.assets = assets
    model = spec.compile()
    return [
        _inertial(model, number + 1)
        | {"kind": _word(mujoco.mjtGeom, model.geom_type[number]), "size": _list(model.geom_size[number])}
        | {"pose": [[_list(model.geom_pos[number]), _list(model.geom_quat[number])]]}
        for number in range(len(chosen))
    ]


def _parsed(parent: Any, blobs: list[bytes], names: list[str]) -> Any:
    """Return the MjSpec of a text and the files that it needs."""
    key = tuple(blobs)
    if key not in _last:
        _last.clear()
        files = mujoco.MjVfs()
        for name, data in zip(("model.xml", *names), blobs, strict=True):
            files[name] = data
        try:
            _last[key] = mujoco.MjSpec.from_file("model.xml", vfs=files)
        except REFUSED as error:
            parent.fail(["mujoco", str(error)])
    return _last[key]


def _bodies(spec: Any) -> Iterator[tuple[Any, int | None]]:
    """Yield each body with the number of its parent, None for the world, in the order in which MuJoCo numbers them."""
    waiting: list[tuple[Any, int | None]] = [(child, None) for child in reversed(spec.worldbody.bodies)]
    count = 0
    while waiting:
        body, parent = waiting.pop()
        yield body, parent
        waiting += [(child, count) for child in reversed(body.bodies)]
        count += 1


def _is_mimic(equality: Any) -> bool:
    """Return True if one joint follows another one."""
    return bool(equality.type == mujoco.mjtEq.mjEQ_JOINT and equality.name2 and equality.active)


class _Reading:
    """Reads the elements of a MjSpec."""

    def __init__(self, parent: Any, spec: Any) -> None:
        self.parent, self.spec = parent, spec
        self.forces: dict[str, list[float]] = {}
        for actuator in spec.actuators:
            if _word(mujoco.mjtTrn, actuator.trntype) in ("joint", "jointinparent"):
                self.forces.setdefault(actuator.target, []).append(_largest_force(actuator))

    def body(self, body: Any, parent: int | None) -> dict[str, Any]:
        """Return a body with what is in it; its own name may be empty."""
        return {
            "name": body.name,
            "parent": parent,
            "pose": self.pose(body),
            "info": body.info,
            "is_written": bool(body.explicitinertial),
            "mass": float(body.mass),
            "axes": [[_list(np.nan_to_num(body.ipos)), self.quaternion(body, body.iquat, body.ialt)]],
            "inertia": _list(body.inertia),
            "fullinertia": _list(body.fullinertia),
            "is_mocap": bool(body.mocap),
            "geoms": [self.geom(geom) for geom in body.geoms],
            "joints": [self.joint(joint) for joint in body.joints],
            "sites": [{"name": site.name, "ends": self.ends(site), "pose": self.pose(site)} for site in body.sites],
        }

    def geom(self, geom: Any) -> dict[str, Any]:
        """Return a geom; its size and pose are not valid if it is given by two ends."""
        return {
            "name": geom.name,
            "kind": _word(mujoco.mjtGeom, geom.type),
            "size": _list(geom.size),
            "ends": self.ends(geom),
            "pose": self.pose(geom),
            "mass": None if np.isnan(geom.mass) else float(geom.mass),
            "density": float(geom.density),
            "is_visual": not (geom.contype or geom.conaffinity),
            "group": int(geom.group),
            "mesh": geom.meshname,
            "is_shell": _word(mujoco.mjtGeomInertia, geom.typeinertia) == "shell",
            "color": self.color(geom),
            "material": geom.material,
            "info": geom.info,
        }

    def color(self, geom: Any) -> list[float]:
        """Return the colour of a geom or of its material."""
        material = self.spec.material(geom.material) if geom.material else None
        return _list(geom.rgba if material is None or _list(geom.rgba) != GREY else material.rgba)

    def joint(self, joint: Any) -> dict[str, Any]:
        """Return a joint; angles in radians."""
        kind = _word(mujoco.mjtJoint, joint.type)
        compiler = joint.compiler
        scale = np.pi / 180.0 if compiler.degree and kind in ("hinge", "ball") else 1.0
        forces = _range(joint.actfrclimited, compiler.autolimits, joint.actfrcrange)
        effort = np.inf if forces is None else max(map(abs, forces))
        effort = min(effort, sum(self.forces.get(joint.name, ())) or np.inf)
        return {
            "name": joint.name,
            "kind": kind,
            "frame": self.frames(joint),
            "pos": _list(joint.pos),
            "axis": _list(joint.axis),
            "limits": _range(joint.limited, compiler.autolimits, joint.range, scale, float(joint.ref)),
            "damping": float(np.atleast_1d(joint.damping)[0]),  # the linear part of a polynomial
            "friction": float(joint.frictionloss),
            "armature": float(joint.armature),
            "stiffness": float(np.atleast_1d(joint.stiffness)[0]),
            "rest": 0.0 if kind == "ball" else (float(joint.springref) - float(joint.ref)) * scale,
            "effort": effort if np.isfinite(effort) else None,
            "info": joint.info,
        }

    def ends(self, element: Any) -> list[float] | None:
        """Return the two points [m] that a geom or site is given by, if it is."""
        return None if np.isnan(element.fromto[0]) else _list(element.fromto)

    def pose(self, element: Any) -> Pose:
        """Return the pose of an element in its body, or of a body in its parent."""
        return [*self.frames(element), [_list(element.pos), self.quaternion(element, element.quat, element.alt)]]

    def frames(self, element: Any) -> Pose:
        """Return the pose of the ``<frame>`` that an element is in."""
        pose: Pose = []
        frame = element.frame
        while frame is not None:
            pose.insert(0, [_list(frame.pos), self.quaternion(frame, frame.quat, frame.alt)])
            frame = frame.frame
        return pose

    def quaternion(self, element: Any, quaternion: Any, other: Any) -> list[float]:
        """Return a rotation that is given as a quaternion, or in one of MJCF's other ways."""
        if other.type != mujoco.mjtOrientation.mjORIENTATION_QUAT:
            compiler = element.compiler
            try:
                quaternion = self.spec.resolve_orientation(
                    degree=compiler.degree, sequence=compiler.eulerseq, orientation=other
                )
            except ValueError as error:
                self.parent.fail(["orientation", str(error), element.info])
        return _list(quaternion)


def _largest_force(actuator: Any) -> float:
    """Return the largest force or torque that an actuator applies to its joint; infinite without a limit."""
    automatic = actuator.compiler.autolimits
    limits = [_range(actuator.forcelimited, automatic, actuator.forcerange)]
    words = (
        _word(mujoco.mjtGain, actuator.gaintype),
        _word(mujoco.mjtBias, actuator.biastype),
        _word(mujoco.mjtDyn, actuator.dyntype),
    )
    if words == ("fixed", "none", "none"):  # a motor: its force is its control times the gain
        gain = float(actuator.gainprm[0])
        limits.append(_range(actuator.ctrllimited, automatic, actuator.ctrlrange, gain))
    largest = min((max(map(abs, limit)) for limit in limits if limit is not None), default=np.inf)
    return float(largest * abs(actuator.gear[0]))


def _mesh(mesh: Any) -> dict[str, Any]:
    """Return a mesh; with its vertices and faces if they are in the text."""
    return {
        "name": mesh.name,
        "file": mesh.file,
        "info": mesh.info,
        "inertia": _word(mujoco.mjtMeshInertia, mesh.inertia),
        "scale": _list(mesh.scale),
        "frame": [[_list(mesh.refpos), _list(mesh.refquat)]],
        "vertices": [] if mesh.file else _list(mesh.uservert),
        "faces": [] if mesh.file else _list(mesh.userface),
    }


def _inertial(model: Any, number: int) -> dict[str, Any]:
    """Return the inertial of a body of a compiled model, in the body's frame."""
    axes = [[_list(model.body_ipos[number]), _list(model.body_iquat[number])]]
    return {"mass": float(model.body_mass[number]), "axes": axes, "inertia": _list(model.body_inertia[number])}


def _range(
    limited: Any, automatic: bool, values: Any, scale: float = 1.0, zero: float = 0.0
) -> tuple[float, float] | None:
    """Return limits, from the pose in the file and not from MuJoCo's ``ref``; None if there are none."""
    low, high = ((float(value) - zero) * scale for value in values)
    is_on = (automatic and low != high) if int(limited) == 2 else int(limited) == 1  # 2: auto
    return (low, high) if is_on else None


def _word(kinds: Any, value: Any) -> str:
    """Return the word of MJCF for a value of one of MuJoCo's enumerations: ``box`` for mjGEOM_BOX."""
    return str(kinds(value).name).rpartition("_")[2].lower()


def _list(values: Any) -> list[Any]:
    listed: list[Any] = np.asarray(values).tolist()
    return listed
