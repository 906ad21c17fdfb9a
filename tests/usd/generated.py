# SPDX-License-Identifier: GPL-3.0-or-later
"""Robots of a seed, as SDF, with the numbers that they are made of: all joints, any rotation, 1 g to 1 t, odd names."""

from __future__ import annotations

from html import escape
from pathlib import Path

import numpy as np

from core.body.inertial import Inertial
from core.body.pose import Pose
from tests.engines.generated import write_meshes

KINDS = ("revolute", "continuous", "prismatic", "fixed", "ball")
EFFORT = 12.5
LIMITED = ("revolute", "prismatic")
ODD = (
    "left arm",
    "Träger",
    "腕",
    "1st",
    "a-b",
    "a b",
    "a.b",
    "def",
    "class",
    "None",
    "Joints",
    "Materials",
    "mesh",
    "é",
)


class Truth:
    """A robot of a seed: bodies and poses by link, and joints by name as (kind, parent, child, pose, axis, limits)."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.name = f"robot {seed}"
        count = int(self.random.integers(1, 9))
        names = [str(name) for name in self.random.permutation([*ODD, *(f"link{i}" for i in range(6))])]
        self.links: dict[str, tuple[Pose, Inertial]] = {name: (self.pose(), self.body()) for name in names[:count]}
        self.joints: dict[str, tuple] = {}
        links, heading = names[:count], lambda i: names[count + i] if self.random.random() < 0.3 else f"joint {i}"
        if self.random.random() < 0.3:
            self.joints["to world"] = ("fixed", "world", links[0], Pose.identity, None, None)
        for i in range(1, count):
            self.join(heading(i), links[int(self.random.integers(i))], links[i], str(self.random.choice(KINDS)))
        if count > 3 and self.random.random() < 0.3:
            self.join("loop", links[1], links[-1], "revolute")

    def join(self, name: str, parent: str, child: str, kind: str) -> None:
        axis = self.random.normal(size=3) if self.random.random() < 0.5 else self.random.permutation([0.0, 0.0, -1.0])
        low, high = np.sort(self.random.uniform(-3.0, 3.0, size=2)).tolist() if kind in LIMITED else (-np.inf, np.inf)
        # Joint's pose is in the child.
        self.joints[name] = (kind, parent, child, self.pose(0.2), axis / np.linalg.norm(axis), (low, high))

    def pose(self, size: float = 2.0) -> Pose:
        turned = self.random.random() < 0.7
        xyzw = self.random.normal(size=4) if turned else np.array([0.0, 0.0, 0.0, 1.0])
        return Pose.from_quaternion(self.random.uniform(-size, size, size=3), xyzw / np.linalg.norm(xyzw))

    def body(self) -> Inertial:
        mass = 10.0 ** self.random.uniform(-3.0, 3.0)
        size = (mass / 1000.0) ** (1.0 / 3.0)
        sides = size * 10.0 ** self.random.uniform(-0.2, 0.2, size=3)
        squares, frame = sides**2, self.pose(size)
        return Inertial(mass, frame.p, frame.R @ np.diag(mass / 12.0 * (squares.sum() - squares)) @ frame.R.T)

    def sdf(self) -> str:
        parts = [
            f'<link name="{escape(name)}">{_pose(pose)}{_inertial(body)}{self.shapes(body)}</link>'
            for name, (pose, body) in self.links.items()
        ]
        for name, (kind, parent, child, pose, axis, limits) in self.joints.items():
            inside = f"<parent>{escape(parent)}</parent><child>{escape(child)}</child>{_pose(pose)}"
            if kind in ("revolute", "continuous", "prismatic"):
                bound = "" if kind == "continuous" else f"<lower>{limits[0]!r}</lower><upper>{limits[1]!r}</upper>"
                limit = f"<limit>{bound}<effort>{EFFORT}</effort><velocity>3</velocity></limit>"
                dynamics = "<dynamics><damping>0.25</damping><friction>0.5</friction></dynamics>"
                inside += f"<axis><xyz>{_text(axis)}</xyz>{limit}{dynamics}</axis>"
            parts.append(f'<joint name="{escape(name)}" type="{kind}">{inside}</joint>')
        return f'<sdf version="1.11"><model name="{self.name}">{"".join(parts)}</model></sdf>\n'

    def shapes(self, body: Inertial) -> str:
        """Return shapes around the centre of mass which have room for the body, and a mesh."""
        size = float(body.equivalent_box().max())
        a, b, c = (repr(float(size * factor)) for factor in self.random.uniform(0.9, 1.2, size=3))
        mesh = f"<mesh><uri>ell.obj</uri><scale>{a} -{b} {c}</scale></mesh>"
        shapes = (
            f"<box><size>{a} {b} {c}</size></box>",
            f"<sphere><radius>{a}</radius></sphere>",
            f"<cylinder><radius>{a}</radius><length>{b}</length></cylinder>",
            f"<capsule><radius>{a}</radius><length>{b}</length></capsule>",
            f"<cone><radius>{a}</radius><length>{b}</length></cone>",
            f"<ellipsoid><radii>{a} {b} {c}</radii></ellipsoid>",
        )
        pose = _pose(Pose(self.pose().R, body.com))
        parts = [("collision", "", self.random.choice(shapes)), ("visual", "", self.random.choice([mesh, *shapes]))]
        parts += [("collision", " 2", mesh)] if self.random.random() < 0.3 else []
        return "".join(
            f'<{tag} name="{tag}{number}">{pose}<geometry>{shape}</geometry></{tag}>' for tag, number, shape in parts
        )


def write(seed: int, folder: Path) -> tuple[Path, Truth]:
    """Write the robot of a seed with its mesh."""
    folder.mkdir(parents=True, exist_ok=True)
    write_meshes(folder)
    truth = Truth(seed)
    path = folder / f"{seed}.sdf"
    path.write_text(truth.sdf(), encoding="utf-8")
    return path, truth


def _inertial(body: Inertial) -> str:
    names = {"ixx": (0, 0), "ixy": (0, 1), "ixz": (0, 2), "iyy": (1, 1), "iyz": (1, 2), "izz": (2, 2)}
    tensor = "".join(f"<{name}>{float(body.inertia[at])!r}</{name}>" for name, at in names.items())
    return (
        f"<inertial>{_pose(Pose(np.eye(3), body.com))}<mass>{body.mass!r}</mass><inertia>{tensor}</inertia></inertial>"
    )


def _pose(pose: Pose) -> str:
    return f"<pose>{_text(pose.to_sdf())}</pose>"


def _text(numbers) -> str:
    return " ".join(repr(float(number)) for number in numbers)
