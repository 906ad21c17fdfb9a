# SPDX-License-Identifier: GPL-3.0-or-later
"""A ROS package of a small biped, as it may be published: COLLADA in millimetres, and typical mistakes in its URDF.

The inertials are those of the geometry, as CAD gives them, except for the mistakes of `mistaken`.

.venv/bin/python examples/biped.py [FOLDER]
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from math import copysign, cos, pi, sin
from pathlib import Path

import numpy as np
from bodies import MILLIMETRE, Body, Inertial, collada, together
from solids import Ring, Solid, loft

HERE = Path(__file__).resolve().parent
PACKAGE = "biped_description"

WHITE, ORANGE, BLUE, BLACK = (0.82, 0.82, 0.8), (0.9, 0.38, 0.06), (0.05, 0.2, 0.6), (0.06, 0.06, 0.07)

POINTS = 24
"""Of a ring."""


def rounded(rings: Sequence[tuple[float, float, float, float, float]]) -> Solid:
    """Return a skin over rounded rectangles in triangles: of each its centre, height, and half its sides [mm]."""
    vertices, faces = loft([_ring(*ring) for ring in rings])
    return vertices, [(face[0], *pair) for face in faces for pair in zip(face[1:], face[2:], strict=False)]


def _ring(x: float, y: float, z: float, half_x: float, half_y: float) -> Ring:
    turns = [2.0 * pi * (step + 0.5) / POINTS for step in range(POINTS)]
    return [
        (round(x + half_x * _flat(cos(turn)), 3), round(y + half_y * _flat(sin(turn)), 3), round(z, 3))
        for turn in turns
    ]


def _flat(value: float) -> float:
    """Return a coordinate of a circle as that of a square with round corners."""
    return copysign(abs(value) ** 0.45, value)


TORSO = (
    Body("shell", WHITE, 280.0, rounded([
        (0, 0, -34, 24, 36), (0, 0, -28, 30, 42), (0, 0, 30, 34, 46), (0, 0, 52, 40, 78), (0, 0, 170, 46, 88),
        (0, 0, 190, 44, 84), (0, 0, 198, 34, 70),
    ])),
    Body("battery", BLUE, 2600.0, rounded([
        (-80, 0, 58, 26, 50), (-80, 0, 62, 30, 54), (-80, 0, 152, 30, 54), (-80, 0, 156, 26, 50),
    ])),
    Body("visor", BLACK, 700.0, rounded([
        (6, 0, 202, 22, 30), (6, 0, 208, 30, 38), (6, 0, 244, 30, 38), (6, 0, 252, 20, 28),
    ])),
)  # fmt: skip

LEFT_THIGH = Body("thigh", ORANGE, 1100.0, rounded([
    (0, 0, -172, 12, 10), (0, 0, -160, 18, 14), (0, 0, -140, 20, 15), (2, 3, -115, 19, 13), (8, 12, -60, 26, 17),
    (6, 20, 0, 30, 22), (3, 23, 22, 25, 20), (0, 24, 32, 15, 12),
]))  # fmt: skip

SHANK = Body("shank", WHITE, 1100.0, rounded([
    (0, 0, -146, 12, 11), (0, 0, -120, 14, 12), (-6, 0, -60, 21, 16), (-2, 0, -24, 20, 18), (0, 0, -18, 16, 14),
]))  # fmt: skip

FOOT = Body("foot", BLACK, 1300.0, rounded([
    (18, 0, -34, 54, 26), (18, 0, -30, 58, 29), (16, 0, -18, 52, 26), (2, 0, 2, 22, 16), (0, 0, 10, 14, 12),
]))  # fmt: skip

HIP, KNEE, ANKLE = 54.0, -160.0, -146.0
"""Where the next joint is below the one before [mm]: of the left hip in y, of the others in z."""

BOXES = {
    "shell": ((0, 0, 120), (86, 168, 152)),
    "pelvis": ((0, 0, 5), (64, 88, 78)),
    "battery": ((-80, 0, 107), (60, 108, 98)),
    "visor": ((6, 0, 227), (60, 76, 50)),
}
"""The torso's collisions: centre and size [mm]."""

PACKAGE_XML = """<?xml version="1.0"?>
<package format="3">
  <name>biped_description</name>
  <version>1.0.0</version>
  <description>A small biped on a stand, with the mistakes of many published robots</description>
  <maintainer email="nobody@example.org">SDF Inertia contributors</maintainer>
  <license>Apache-2.0</license>
</package>
"""


def inertials() -> dict[str, Inertial]:
    """Return the right inertial of each link, as CAD gives it."""
    thigh, shank, foot = (body.inertial() for body in (LEFT_THIGH, SHANK, FOOT))
    legs = {"left_thigh": thigh, "left_shank": shank, "left_foot": foot}
    legs |= {"right_thigh": LEFT_THIGH.mirrored().inertial(), "right_shank": shank, "right_foot": foot}
    return {"torso": together(TORSO), **legs}


def numbers(inertial: Inertial) -> dict[str, str]:
    """Return the numbers of an inertial as they are written, with five digits; a product that does not matter is 0."""
    inertia, com = inertial.inertia, inertial.com
    least = 5e-4 * float(np.trace(inertia))
    entries = {"xx": (0, 0), "xy": (0, 1), "xz": (0, 2), "yy": (1, 1), "yz": (1, 2), "zz": (2, 2)}
    tensor = {f"i{name}": float(inertia[at]) for name, at in entries.items()}
    return {
        "xyz": " ".join(f"{round(float(value), 6) + 0.0:g}" for value in com),
        "mass": f"{inertial.mass:.4g}",
        **{name: f"{value if abs(value) > least else 0.0:.5g}" for name, value in tensor.items()},
    }


def mistaken(right: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    """Return the numbers that are published: those of four links are wrong."""
    placeholder = {"ixx": "0.001", "ixy": "0", "ixz": "0", "iyy": "0.001", "iyz": "0", "izz": "0.001"}
    in_millimetres = " ".join(f"{1000.0 * float(word):g}" for word in right["right_foot"]["xyz"].split())
    tenth = f"{0.1 * float(right['right_shank']['iyy']):.5g}"
    return right | {
        "right_thigh": right["left_thigh"],  # copied, not mirrored
        "left_shank": right["left_shank"] | placeholder,
        "right_shank": right["right_shank"] | {"iyy": tenth},  # a zero too many
        "right_foot": right["right_foot"] | {"xyz": in_millimetres},
    }


def urdf() -> str:
    """Return the URDF with the mistakes."""
    published = mistaken({name: numbers(inertial) for name, inertial in inertials().items()})
    lines = ['<?xml version="1.0"?>', "<!-- Exported from CAD, then edited by hand. -->", '<robot name="biped">']
    lines += ['  <link name="world"/>']
    for name, given in published.items():
        lines += ["", f'  <link name="{name}">', *_inertial(given), *_parts(name), "  </link>"]
    lines += ["", *_joint("stand", "fixed", "world", "torso", (0, 0, 350))]
    for side, sign in (("left", 1), ("right", -1)):
        hip = (0, sign * HIP, 0)
        for joint, parent, child, place, limits in (
            ("hip", "torso", f"{side}_thigh", hip, (-0.9, 1.4)),
            ("knee", f"{side}_thigh", f"{side}_shank", (0, 0, KNEE), (0, 2.2)),
            ("ankle", f"{side}_shank", f"{side}_foot", (0, 0, ANKLE), (-0.8, 0.8)),
        ):
            lines += _joint(f"{side}_{joint}", "revolute", parent, child, place, limits)
    return "\n".join([*lines, "</robot>", ""])


def _inertial(given: dict[str, str]) -> list[str]:
    tensor = " ".join(f'{name}="{given[name]}"' for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
    inside = (f'<origin xyz="{given["xyz"]}"/>', f'<mass value="{given["mass"]}"/>', f"<inertia {tensor}/>")
    return ["    <inertial>", *(f"      {line}" for line in inside), "    </inertial>"]


def _parts(link: str) -> list[str]:
    mesh = f'<geometry><mesh filename="package://{PACKAGE}/meshes/{link}.dae"/></geometry>'
    if link != "torso":
        return [f"    <visual>{mesh}</visual>", f"    <collision>{mesh}</collision>"]
    lines = [f"    <visual>{mesh}</visual>"]
    for name, (centre, size) in BOXES.items():
        box = f'<origin xyz="{_metres(centre)}"/><geometry><box size="{_metres(size)}"/></geometry>'
        lines += [f'    <collision name="{name}">{box}</collision>']
    return lines


def _joint(
    name: str,
    kind: str,
    parent: str,
    child: str,
    place: Sequence[float],
    limits: tuple[float, float] | None = None,
) -> list[str]:
    lines = [
        f'  <joint name="{name}" type="{kind}">',
        f'    <origin xyz="{_metres(place)}"/><parent link="{parent}"/><child link="{child}"/>',
    ]
    if limits is not None:
        low, high = limits
        lines += [f'    <axis xyz="0 1 0"/><limit lower="{low:g}" upper="{high:g}" effort="12" velocity="8"/>']
    return [*lines, "  </joint>"]


def _metres(values: Sequence[float]) -> str:
    return " ".join(f"{MILLIMETRE * value:g}" for value in values)


def files() -> dict[str, str]:
    """Return the content of each file of the package, by its path."""
    left = {"left_thigh": [LEFT_THIGH], "left_shank": [SHANK], "left_foot": [FOOT]}
    right = {"right_thigh": [LEFT_THIGH.mirrored()], "right_shank": [SHANK], "right_foot": [FOOT]}
    meshes = {"torso": TORSO, **left, **right}
    return {
        "package.xml": PACKAGE_XML,
        "urdf/biped.urdf": urdf(),
        **{f"meshes/{name}.dae": collada(bodies) for name, bodies in meshes.items()},
    }


def write(folder: Path = HERE) -> Path:
    """Write the package into a folder; return the path of its URDF."""
    package = folder / PACKAGE
    for name, text in files().items():
        path = package / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    return package / "urdf" / "biped.urdf"


if __name__ == "__main__":
    write(*map(Path, sys.argv[1:2]))
