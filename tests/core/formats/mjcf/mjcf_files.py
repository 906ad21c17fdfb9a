# SPDX-License-Identifier: GPL-3.0-or-later
"""MJCF files for tests: written, and as MuJoCo compiles them."""

from pathlib import Path

import mujoco
import numpy as np
import pytest

from core import Inertial, read_robot
from core.body.pose import Pose
from core.files.mesh_writers import obj_bytes
from core.mesh.surface import Surface

CUBE = '<geom type="box" size=".1 .1 .1"/>'


def mjcf(folder: Path, bodies: str, before: str = "", name: str = "robot.xml") -> Path:
    """Write a file with these bodies below the world, and other sections before that."""
    path = folder / name
    path.write_text(f'<mujoco model="robot">\n{before}<worldbody>\n{bodies}\n</worldbody>\n</mujoco>\n')
    return path


def moving(inside: str, name: str = "link", more: str = "") -> str:
    """Return a body that moves freely."""
    return f'<body name="{name}"{more}>\n  <freejoint/>\n  {inside}\n</body>'


def compiled(path: Path) -> dict[str, Inertial]:
    """Return the inertials of MuJoCo's own compiler by body."""
    model = mujoco.MjSpec.from_file(str(path)).compile()
    names = [model.body(number).name for number in range(1, model.nbody)]
    return {name: compiled_inertial(model, number) for number, name in enumerate(names, 1)}


def compiled_inertial(model, number: int) -> Inertial:
    """Return the inertial of a body of a compiled model, in the body's frame."""
    w, x, y, z = model.body_iquat[number]
    R = Pose.from_quaternion((0.0, 0.0, 0.0), (x, y, z, w)).R
    return Inertial(
        float(model.body_mass[number]), model.body_ipos[number], R @ np.diag(model.body_inertia[number]) @ R.T
    )


def read(path: Path) -> dict[str, Inertial]:
    """Return ours."""
    return {name: link.inertial for name, link in read_robot(path).links.items()}


def assert_same(ours: Inertial, theirs: Inertial, tolerance: float = 1e-9) -> None:
    assert ours.mass == pytest.approx(theirs.mass, rel=tolerance)
    size = max(theirs.size, 1e-12)
    assert np.abs(ours.com - theirs.com).max() <= tolerance * size
    assert np.abs(ours.inertia - theirs.inertia).max() <= tolerance * max(np.trace(theirs.inertia), 1e-300)


def write_mesh(path: Path, vertices, triangles) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(obj_bytes(Surface(np.asarray(vertices, float), np.asarray(triangles))))
