# SPDX-License-Identifier: GPL-3.0-or-later
"""The meshes and the macro of a ROS 2 package of a small arm, whose inertials are checked by `colcon test`.

The inertials are those of the meshes, as CAD gives them. The other files of the package are written by hand.

.venv/bin/python examples/desk_arm.py [FOLDER]
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

import numpy as np
from biped import numbers, rounded
from bodies import Body
from solids import Solid

HERE = Path(__file__).resolve().parent
PACKAGE = "desk_arm_description"

GREY = (0.7, 0.7, 0.7)

BODIES = (
    Body("base", GREY, 1900.0, rounded([
        (0, 0, 0, 66, 66), (0, 0, 14, 70, 70), (0, 0, 20, 64, 64), (0, 0, 44, 46, 46), (0, 0, 52, 42, 42),
    ])),
    Body("turret", GREY, 1500.0, rounded([
        (0, 0, 0, 40, 40), (-2, 0, 12, 42, 42), (-6, 0, 18, 36, 34), (-4, 0, 60, 26, 30), (0, 0, 78, 16, 26),
    ])),
    Body("upper_arm", GREY, 1150.0, rounded([
        (0, 0, -22, 12, 16), (0, 0, -14, 20, 22), (0, 0, 14, 22, 22), (-6, 0, 70, 18, 17), (-2, 0, 140, 15, 14),
        (0, 0, 164, 16, 15), (0, 0, 174, 9, 11),
    ])),
    Body("forearm", GREY, 1150.0, rounded([
        (0, 0, -18, 10, 12), (0, 0, -10, 16, 17), (4, 0, 12, 18, 17), (5, 0, 60, 13, 13), (0, 0, 112, 10, 10),
        (0, 0, 118, 8, 8),
    ])),
    Body("wrist", GREY, 1500.0, rounded([
        (0, 0, 0, 9, 9), (0, 0, 4, 13, 12), (6, 0, 30, 17, 13), (2, 0, 42, 11, 11), (0, 0, 46, 11, 11),
    ])),
    Body("gripper", GREY, 1200.0, rounded([
        (0, 0, 0, 11, 11), (0, 0, 6, 11, 11), (0, 0, 10, 5, 5), (0, 0, 40, 5, 5), (0, 0, 44, 9, 9), (0, 0, 56, 16, 16),
        (0, 0, 58, 15, 15),
    ])),
)  # fmt: skip
"""Of each link; the gripper is a suction cup."""

MACRO = """<?xml version="1.0"?>
<!-- Written by examples/desk_arm.py of SDF Inertia: masses, centres and tensors are those of the meshes. -->
<robot xmlns:xacro="http://www.ros.org/wiki/xacro">

  <xacro:macro name="shape" params="mesh">
    <visual>
      <geometry><mesh filename="package://{package}/meshes/${{mesh}}.stl" scale="0.001 0.001 0.001"/></geometry>
    </visual>
    <collision>
      <geometry><mesh filename="package://{package}/meshes/${{mesh}}.stl" scale="0.001 0.001 0.001"/></geometry>
    </collision>
  </xacro:macro>

  <xacro:macro name="hinge" params="name parent child xyz axis lower upper">
    <joint name="${{name}}" type="revolute">
      <origin xyz="${{xyz}}"/>
      <parent link="${{parent}}"/>
      <child link="${{child}}"/>
      <axis xyz="${{axis}}"/>
      <limit lower="${{lower}}" upper="${{upper}}" effort="8" velocity="3"/>
    </joint>
  </xacro:macro>

  <!-- The whole arm, on a link of the robot that it belongs to. -->
  <xacro:macro name="desk_arm" params="prefix parent gripper *origin">
    <joint name="${{prefix}}mount" type="fixed">
      <xacro:insert_block name="origin"/>
      <parent link="${{parent}}"/>
      <child link="${{prefix}}base"/>
    </joint>
{arm}
    <xacro:if value="${{gripper}}">
{gripper}
      <joint name="${{prefix}}flange" type="fixed">
        <origin xyz="0 0 0.046"/>
        <parent link="${{prefix}}wrist"/>
        <child link="${{prefix}}gripper"/>
      </joint>
    </xacro:if>
  </xacro:macro>
</robot>
"""

HINGES = """
    <xacro:hinge name="${prefix}waist" parent="${prefix}base" child="${prefix}turret"
      xyz="0 0 0.052" axis="0 0 1" lower="-2.9" upper="2.9"/>
    <xacro:hinge name="${prefix}shoulder" parent="${prefix}turret" child="${prefix}upper_arm"
      xyz="0 0 0.06" axis="0 1 0" lower="-1.2" upper="1.8"/>
    <xacro:hinge name="${prefix}elbow" parent="${prefix}upper_arm" child="${prefix}forearm"
      xyz="0 0 0.16" axis="0 1 0" lower="-0.3" upper="2.6"/>
    <xacro:hinge name="${prefix}tilt" parent="${prefix}forearm" child="${prefix}wrist"
      xyz="0 0 0.118" axis="0 1 0" lower="-1.8" upper="1.8"/>
"""

LINK = """
    <link name="${{prefix}}{name}">
      <inertial>
        <origin xyz="{xyz}"/>
        <mass value="{mass}"/>
        <inertia ixx="{ixx}" ixy="{ixy}" ixz="{ixz}" iyy="{iyy}" iyz="{iyz}" izz="{izz}"/>
      </inertial>
      <xacro:shape mesh="{name}"/>
    </link>
"""


def macro() -> str:
    """Return the file of macros."""
    *arm, gripper = (LINK.format(name=body.name, **numbers(body.inertial())) for body in BODIES)
    deeper = "\n".join(f"  {line}" for line in gripper.strip("\n").splitlines())
    return MACRO.format(package=PACKAGE, arm="".join([*arm, HINGES]).rstrip("\n"), gripper=deeper)


def stl(solid: Solid) -> bytes:
    """Return a binary STL file with the numbers of the solid, in mm."""
    corners = np.array(solid[0])[np.array(solid[1])]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals = np.round(normals / np.linalg.norm(normals, axis=1, keepdims=True), 3) + 0.0
    triangles = np.concatenate([normals[:, None], corners], axis=1).astype("<f4")
    return bytes(80) + struct.pack("<I", len(triangles)) + b"".join(one.tobytes() + bytes(2) for one in triangles)


def files() -> dict[str, bytes]:
    """Return the content of each file that is made, by its path in the package."""
    meshes = {f"meshes/{body.name}.stl": stl(body.solid) for body in BODIES}
    return {"urdf/desk_arm_macro.xacro": macro().encode(), **meshes}


def write(folder: Path = HERE) -> None:
    """Write the files into the package in a folder."""
    for name, content in files().items():
        path = folder / PACKAGE / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


if __name__ == "__main__":
    write(*map(Path, sys.argv[1:2]))
