# SPDX-License-Identifier: GPL-3.0-or-later
"""What the real engines make of a URDF: for each link, or each moving body, the inertial that they simulate."""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

import numpy as np

from core.body.inertial import Inertial
from core.body.pose import Pose

for name in ("drake", "trimesh"):
    logging.getLogger(name).setLevel(logging.CRITICAL)

Read = Mapping[str, Inertial]
"""By the name of a link, in its frame. An engine that joins links has only the first of each body."""


class RefusedError(Exception):
    """The engine does not load the file."""


def drake(path: Path) -> Read:
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import MultibodyPlant
    from pydrake.multibody.tree import RotationalInertia

    plant = MultibodyPlant(0.0)
    try:
        (model,) = Parser(plant).AddModels(str(path))
        plant.Finalize()
    except RuntimeError as error:
        raise RefusedError(str(error)) from None
    links = {}
    for index in plant.GetBodyIndices(model):
        body = plant.get_body(index)
        spatial = body.default_spatial_inertia()
        com = spatial.get_com()
        central: RotationalInertia = spatial.Shift(com).CalcRotationalInertia()
        links[body.name()] = Inertial(spatial.get_mass(), com, central.CopyToFullMatrix3())
    return links


def mujoco(path: Path) -> Read:
    import mujoco as mj

    try:
        model = mj.MjModel.from_xml_path(str(path))
    except ValueError as error:
        raise RefusedError(str(error)) from None
    links = {}
    for i in range(1, model.nbody):
        R = _rotation(model.body_iquat[i][[1, 2, 3, 0]])
        tensor = R @ np.diag(model.body_inertia[i]) @ R.T
        links[model.body(i).name] = Inertial(model.body_mass[i], model.body_ipos[i], tensor)
    return links


def pinocchio(path: Path) -> Read:
    import pinocchio as pin

    try:
        model = pin.buildModelFromUrdf(str(path), pin.JointModelFreeFlyer())
    except (ValueError, RuntimeError) as error:
        raise RefusedError(str(error)) from None
    links = {}
    for frame in model.frames:
        if frame.type == pin.FrameType.BODY and frame.parentJoint not in links:
            links[frame.parentJoint] = frame
    found = {}
    for joint, frame in links.items():
        inertia = model.inertias[joint]
        X = Pose(np.array(frame.placement.rotation), np.array(frame.placement.translation)).inverse()
        found[frame.name] = Inertial(inertia.mass, np.array(inertia.lever), np.array(inertia.inertia)).transformed(X)
    return found


def pybullet(path: Path, flags: int = 0) -> Read:
    import pybullet as bullet

    with _silent():
        client = bullet.connect(bullet.DIRECT)
        try:
            body = bullet.loadURDF(str(path), flags=flags, physicsClientId=client)
            base, _ = bullet.getBodyInfo(body, physicsClientId=client)
            links = {base.decode(): bullet.getDynamicsInfo(body, -1, physicsClientId=client)}
            for i in range(bullet.getNumJoints(body, physicsClientId=client)):
                name = bullet.getJointInfo(body, i, physicsClientId=client)[12].decode()
                links[name] = bullet.getDynamicsInfo(body, i, physicsClientId=client)
        except bullet.error as error:
            raise RefusedError(str(error)) from None
        finally:
            bullet.disconnect(client)
    found = {}
    for name, info in links.items():
        R = _rotation(info[4])
        found[name] = Inertial(info[0], np.array(info[3]), R @ np.diag(info[2]) @ R.T)
    return found


def pybullet_file(path: Path) -> Read:
    import pybullet as bullet

    return pybullet(path, bullet.URDF_USE_INERTIA_FROM_FILE)


def newton(path: Path) -> Read:
    import warp as wp

    wp.config.quiet = True
    import newton as nt

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        builder = nt.ModelBuilder()
        try:
            builder.add_urdf(str(path))
            model = builder.finalize(device="cpu")
        except (ValueError, RuntimeError, KeyError, IndexError, TypeError) as error:
            raise RefusedError(repr(error)) from None
    names = [label.rpartition("/")[2] for label in model.body_label]
    masses, coms, tensors = (
        array.numpy().astype(np.float64) for array in (model.body_mass, model.body_com, model.body_inertia)
    )
    return {name: Inertial(masses[i], coms[i], tensors[i]) for i, name in enumerate(names)}


READERS: Mapping[str, Callable[[Path], Read]] = {
    "drake": drake,
    "mujoco": mujoco,
    "pinocchio": pinocchio,
    "pybullet": pybullet,
    "pybullet-file": pybullet_file,
    "newton": newton,
}

PACKAGES = {"pinocchio": "pin", "pybullet-file": "pybullet"}


def version_of(engine: str) -> str:
    return version(PACKAGES.get(engine, engine))


def _rotation(xyzw) -> np.ndarray:
    return Pose.from_quaternion((0.0, 0.0, 0.0), xyzw).R


@contextmanager
def _silent() -> Iterator[None]:
    """Keep what C++ prints off the console."""
    kept, null = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(null)
