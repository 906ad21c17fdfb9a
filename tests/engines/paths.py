# SPDX-License-Identifier: GPL-3.0-or-later
"""Paths of meshes, and which engines find them: in a package pkg beside a package other, the URDF in pkg/urdf."""

from __future__ import annotations

from pathlib import Path

from core.files.mesh_writers import obj_bytes
from core.mesh.surface import Surface
from tests.core.solids import box

URDF = """<robot name="r"><link name="base"/><link name="l"><inertial><mass value="1"/><inertia ixx=".1" iyy=".1"
izz=".1" ixy="0" ixz="0" iyz="0"/></inertial>{}</link><joint name="j" type="revolute"><parent link="base"/>
<child link="l"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"""

PYBULLET = {
    "../meshes/a b.obj": True,
    "meshes/part.obj": True,
    "pkg/meshes/part.obj": True,
    "package://pkg/meshes/part.obj": True,
    "model://pkg/meshes/part.obj": True,
    "package://other/meshes/part.obj": True,
    "file://../meshes/part.obj": True,
    "file://{top}/pkg/meshes/part.obj": True,
    "{top}/pkg/meshes/part.obj": True,
    "package:///meshes/part.obj": True,
    "../meshes/a%20b.obj": False,
    "..\\meshes\\part.obj": False,
    "../meshes/PART.obj": False,
    "../Meshes/part.obj": False,
    "model://package://pkg/meshes/part.obj": False,
    "package:pkg/meshes/part.obj": False,
    "package://lost/meshes/part.obj": False,
    "file:///lost/meshes/part.obj": False,
    "http://lost/meshes/part.obj": False,
    "lost/part.obj": False,
}
"""True if PyBullet loads a file with this mesh in a visual or a collision."""

MUJOCO = {
    "../meshes/part.obj": True,
    "..\\meshes\\part.obj": True,
    "../meshes\\part.obj": True,
    "../meshes/PART.obj": False,
    "meshes/part.obj": False,
}
"""True if MuJoCo loads a file with this mesh in a collision."""


def write_robot(top: Path, uri: str, tag: str = "collision") -> Path:
    """Write the packages below a folder, with a robot whose mesh has this path; return its file."""
    for name in ("pkg/meshes/part.obj", "pkg/meshes/a b.obj", "other/meshes/part.obj"):
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_bytes(obj_bytes(Surface(*box((0.2, 0.2, 0.2)))))
    path = top / "pkg/urdf/r.urdf"
    path.parent.mkdir(exist_ok=True)
    mesh = f'<mesh filename="{uri.format(top=top.as_posix())}"/>'
    path.write_text(URDF.format(f"<{tag}><geometry>{mesh}</geometry></{tag}>"))
    return path
