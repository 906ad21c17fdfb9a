# SPDX-License-Identifier: GPL-3.0-or-later
"""The file saved and loaded, robots imported and exported."""

from __future__ import annotations

import bpy

from ..buttons import press
from ..modes import in_any_mode
from ..robot import Life

URDF = """<robot name="{name}">
  <link name="base">
    <inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
    <collision><geometry><box size="{size} 0.2 0.1"/></geometry></collision>
  </link>
  <link name="upper"><collision><geometry><cylinder radius="0.04" length="{size}"/></geometry></collision></link>
  <joint name="shoulder" type="revolute"><origin xyz="0 0 0.05" rpy="0 0.3 0"/><parent link="base"/>
    <child link="upper"/><axis xyz="0 1 0"/><limit lower="-1" upper="2" effort="30" velocity="3"/></joint>
</robot>
"""

SDF = """<sdf version="1.11"><model name="{name}">
  <link name="hull"><pose>0 0 1 0.1 0.2 0.3</pose><inertial auto="true"/>
    <collision name="hull"><density>500</density>
      <geometry><sphere><radius>{size}</radius></sphere></geometry></collision>
  </link>
  <link name="keel"><inertial><mass>3</mass></inertial>
    <collision name="keel"><geometry><box><size>1 {size} 2</size></box></geometry></collision></link>
  <joint name="bolt" type="fixed"><parent>hull</parent><child>keel</child></joint>
</model></sdf>
"""


@in_any_mode
def save(life: Life) -> None:
    bpy.ops.wm.save_as_mainfile(filepath=str(life.folder / "robot.blend"), copy=bool(life.random.random() < 0.5))


def load(life: Life) -> None:
    path = str(life.folder / "robot.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path, copy=True)
    bpy.ops.wm.open_mainfile(filepath=path)


def revert(life: Life) -> None:
    """Load what was saved some time ago: other objects, by the same names."""
    path = life.folder / "robot.blend"
    if path.exists():
        bpy.ops.wm.open_mainfile(filepath=str(path))


def begin_anew(life: Life) -> None:
    life.begin()


@in_any_mode
def import_robot(life: Life) -> None:
    if life.crowded():
        return
    ending = str(life.random.choice([".urdf", ".sdf"]))
    text = {".urdf": URDF, ".sdf": SDF}[ending].format(name=life.name("robot"), size=life.random.uniform(0.1, 2.0))
    path = life.path(ending)
    path.write_text(text, encoding="utf-8")
    said = press("import_sdf", filepath=str(path))
    assert not said, said


@in_any_mode
def export(life: Life) -> None:
    path = life.folder / "out" / life.name("model")
    inertia = str(life.random.choice(["AS_SET", "AUTO", "FILLED"]))
    said = press("export_sdf", filepath=str(path), inertia=inertia, skip_invalid=bool(life.random.random() < 0.7))
    assert said or any(path.rglob("model.sdf")), path
