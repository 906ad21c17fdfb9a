# SPDX-License-Identifier: GPL-3.0-or-later
"""A small robot in MJCF with what other formats do not have, and what MuJoCo makes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

OBJ = "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
"""A tetrahedron, none of whose axes are alike."""

ROBOT = """<mujoco model="bot">
  <compiler angle="degree" meshdir="assets" inertiagrouprange="0 2"/>
  <asset>
    <mesh name="wedge" file="wedge.obj" inertia="exact" scale="0.1 -0.2 0.3" refpos="0.1 0 0.2" refquat="1 1 0 0"/>
    <mesh name="inline" inertia="exact" vertex="0 0 0 .1 0 0 0 .1 0 0 0 .1" face="0 2 1 0 1 3 1 2 3 0 3 2"/>
    <material name="steel" rgba="0.1 0.2 0.3 1"/>
  </asset>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <body name="pad" pos="3 0 0"/>
    <body name="target" mocap="true" pos="0 2 1"><geom size=".1" contype="0" conaffinity="0"/></body>
    <body name="base" pos="0 0 1" euler="0 30 0">
      <freejoint/>
      <geom name="hull" type="box" size=".1 .2 .3" density="500" material="steel"/>
      <geom name="seen" type="mesh" mesh="wedge" contype="0" conaffinity="0" pos="0 0 .4" euler="10 20 30"/>
      <geom name="skin" size=".2" contype="0" conaffinity="0" mass="0" material="steel" rgba="1 0 0 1"/>
      <geom name="far" size=".5" group="4"/>
      <site name="imu" pos="0 .1 0"/><site name="arm" pos="0 .2 0"/>
      <body name="arm" pos=".3 0 0" quat="1 0 1 0">
        <joint name="yaw" axis="0 0 1" pos="0 0 .1" ref="20" range="-10 70" armature=".02"/>
        <joint name="lift" type="slide" axis="1 0 0" range="-.1 .2"/>
        <inertial pos="0 0 .1" mass="2" diaginertia=".03 .02 .01" euler="0 0 40"/>
        <geom name="rod" type="capsule" fromto="0 0 0 .1 .2 .3" size=".05"/>
        <body name="camera" pos="0 0 .2" euler="90 0 0"><geom name="lens" size=".02" mass="0"/></body>
        <body name="mount" pos="0 .1 0"><joint name="turn" axis="0 1 0"/>
          <body name="wheel" pos="0 0 .1" euler="0 0 90"><geom type="mesh" mesh="inline" mass=".7"/></body></body>
      </body>
    </body>
  </worldbody>
  <equality><joint joint1="turn" joint2="yaw" polycoef=".1 2 0 0 0"/></equality>
</mujoco>
"""


def lay_out_mjcf(folder: Path, text: str = ROBOT) -> Path:
    """Write a robot with its mesh into a folder, and return its path."""
    (folder / "assets").mkdir()
    (folder / "assets" / "wedge.obj").write_text(OBJ)
    path = folder / "bot.xml"
    path.write_text(text)
    return path


def compiled(path: Path) -> tuple[Any, Any]:
    """Return MuJoCo's model and data of a file, in its initial position."""
    import mujoco

    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    return model, data


def pose_of(data: Any, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return rotation (3, 3) and place (3,) of a body in the world."""
    body = data.body(name)
    return body.xmat.reshape(3, 3), body.xpos


def inertial_of(model: Any, name: str) -> tuple[float, np.ndarray, np.ndarray]:
    """Return mass, centre of mass (3,) and tensor (3, 3) of a body, in its own frame."""
    import mujoco

    body, R = model.body(name), np.zeros(9)
    mujoco.mju_quat2Mat(R, body.iquat)
    R = R.reshape(3, 3)
    return float(body.mass[0]), body.ipos, R @ np.diag(body.inertia) @ R.T
