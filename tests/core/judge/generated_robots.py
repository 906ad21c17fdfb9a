# SPDX-License-Identifier: GPL-3.0-or-later
"""Sound robots by a seed, in URDF, SDF, xacro and MJCF, and the faults that are put into them.

Their inertials are closed forms of their shapes that are written here: nothing of the product computes them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import pi
from pathlib import Path

import numpy as np

from .robot_texts import FORMATS, SIX, rotation, write_usd

DENSITIES = (500.0, 8000.0)
CORE = (1 + 7 * 0.5**5) / (1 + 7 * 0.5**3)
"""The tensor of a body whose core of half its lengths is eight times as dense, by the uniform one of its mass."""
MIRROR = np.array([1.0, -1.0, 1.0])

KINDS = ("box", "cylinder", "sphere", "octahedron", "prism", "tetrahedron")
SYMMETRIC = KINDS[:4]
"""Shapes that are their own mirror images, for twins."""


@dataclass(frozen=True)
class Part:
    """A shape with its half lengths or legs [m], and its pose in the link; a mesh has a file, and a scale."""

    kind: str
    size: np.ndarray
    xyz: np.ndarray
    rpy: np.ndarray
    file: str = ""
    scale: float = 1.0

    def moments(self) -> tuple[float, np.ndarray, np.ndarray]:
        """Return the volume, its centre and its covariance, in the link's frame."""
        a, b, c = self.size
        centre, covariance = np.zeros(3), np.zeros((3, 3))
        match self.kind:
            case "box":
                volume, spread = 8 * a * b * c, self.size**2 / 3
            case "cylinder":
                volume, spread = 2 * pi * a**2 * c, np.array([a**2 / 4, a**2 / 4, c**2 / 3])
            case "sphere":
                volume, spread = 4 / 3 * pi * a**3, np.full(3, a**2 / 5)
            case "capsule":  # a cylinder between two half balls, whose centres are 3/8 of the radius from its ends
                ends, rod = 4 / 3 * pi * a**3, 2 * pi * a**2 * c
                volume, across = ends + rod, (ends * a**2 / 5 + rod * a**2 / 4) / (ends + rod)
                along = ends * (a**2 / 5 + 3 / 4 * a * c + c**2) + rod * c**2 / 3
                spread = np.array([across, across, along / volume])
            case "octahedron":
                volume, spread = 4 / 3 * a * b * c, self.size**2 / 10
            case "prism":
                volume, spread = a * b * c, np.array([a**2 / 18, b**2 / 18, c**2 / 3])
                centre[:2] = a / 3, b / 3
                covariance[0, 1] = covariance[1, 0] = -a * b / 36
            case _:
                volume, spread, centre = a * b * c / 6, 3 * self.size**2 / 80, self.size / 4
                covariance = -np.outer(self.size, self.size) / 80
        np.fill_diagonal(covariance, spread)
        R = rotation(self.rpy)
        return float(volume), self.xyz + R @ centre, R @ covariance @ R.T


@dataclass(frozen=True)
class Inertial:
    """The numbers that a file has for a link: mass [kg], centre [m], and ixx, iyy, izz, ixy, ixz, iyz [kg·m²]."""

    mass: float
    com: np.ndarray
    six: np.ndarray

    @classmethod
    def of(cls, parts: list[Part], density: float, factor: float = 1.0) -> Inertial:
        """Return the inertial of parts of one density, its tensor times a factor."""
        moments = [part.moments() for part in parts]
        total = sum(volume for volume, _, _ in moments)
        com = sum(volume * centre for volume, centre, _ in moments) / total
        spread = sum(v * (cov + np.outer(centre - com, centre - com)) for v, centre, cov in moments) / total
        mass = density * total
        return cls(mass, com, np.array([(mass * factor * tensor_of(spread))[cell] for cell in SIX]))

    def tensor(self) -> np.ndarray:
        """Return the tensor as a matrix."""
        xx, yy, zz, xy, xz, yz = self.six
        return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def tensor_of(covariance: np.ndarray) -> np.ndarray:
    """Return the tensor of a body of 1 kg with a covariance."""
    return np.trace(covariance) * np.eye(3) - covariance


@dataclass
class Link:
    """A link, and the joint that holds it; without parts and inertial it is a frame."""

    name: str
    parts: list[Part] = field(default_factory=list)
    inertial: Inertial | None = None
    parent: Link | None = None
    joint: str = "revolute"
    xyz: np.ndarray = field(default_factory=lambda: np.zeros(3))
    included: bool = False
    """Its text is in a file of its own, or in a common one: leaves of an MJCF, any link of a xacro."""
    twin: Link | None = None


class Robot:
    """A robot of 3 to 8 links. `faults` says what was put into which link."""

    def __init__(self, seed: int, faulty: bool = True, is_usd: bool = False) -> None:
        self.random = np.random.default_rng([7, seed])
        self.format = "usd" if is_usd else list(FORMATS)[seed % len(FORMATS)]
        self.digits = (17, 6)[seed // len(FORMATS) % 2]
        self.links: list[Link] = []
        self.lost: set[str] = set()
        self.faults: list[str] = []
        self._grow(int(self.random.integers(3, 9)))
        for link in self.links:
            link.included &= self.format == "xacro" or (self.format == "mjcf" and self._is_leaf(link))
        if faulty:
            self._break(seed // len(FORMATS))

    def write(self, folder: Path) -> Path:
        """Write the robot and its meshes, and return its file."""
        return (FORMATS | {"usd": write_usd})[self.format](self, folder)

    def _chance(self, probability: float) -> bool:
        return bool(self.random.random() < probability)

    def _is_leaf(self, link: Link) -> bool:
        return link.parent is not None and not any(other.parent is link for other in self.links)

    def _grow(self, count: int) -> None:
        has_frames = self.format in ("urdf", "xacro")
        if has_frames and self._chance(0.3):
            self.links.append(Link("base_footprint"))
        while len(self.links) < count:
            parent = self.links[int(self.random.integers(len(self.links)))] if self.links else None
            if parent is not None and count - len(self.links) > 1 and self._chance(0.4):
                left = self._link(f"left_arm{len(self.links)}", parent, SYMMETRIC)
                right = replace(left, name=left.name.replace("left", "right"), twin=left)
                right.parts = [
                    replace(
                        part, xyz=part.xyz * MIRROR, rpy=-part.rpy * MIRROR, file=part.file.replace("left", "right")
                    )
                    for part in left.parts
                ]
                left.xyz, right.xyz = left.xyz + [0, 0.2, 0], left.xyz * MIRROR - [0, 0.2, 0]
                right.inertial = _mirrored(left.inertial)
                self.links += [left, right]
            else:
                self.links.append(self._link(f"link{len(self.links)}", parent, KINDS))
        if has_frames and len(self.links) < 8 and self._chance(0.3):
            self.links.append(Link("tool0", parent=self.links[-1], joint="fixed", xyz=np.array([0.1, 0.0, 0.0])))

    def _link(self, name: str, parent: Link | None, kinds: tuple[str, ...]) -> Link:
        size = float(np.exp(self.random.uniform(*np.log((0.03, 0.3)))))
        parts = []
        for number in range(1 + self._chance(0.2)):
            kind = str(self.random.choice(kinds))
            xyz = self.random.uniform(-1.0, 1.0, 3) * size * self._chance(0.7)
            xyz[0] += 5 * size * number  # apart
            rpy = self.random.uniform(-1.5, 1.5, 3) * self._chance(0.4)
            half = size * self.random.uniform(0.3, 1.0, 3)
            scale = 0.001 if self._chance(0.3) else 1.0
            file = "" if kind in KINDS[:3] else f"{name}_{number}.{self.random.choice(['obj', 'stl'])}"
            parts.append(Part(kind, half.round(4), xyz.round(4), rpy.round(4), file, scale if file else 1.0))
        density = float(np.exp(self.random.uniform(*np.log(DENSITIES))))
        factor = CORE if len(parts) == 1 and self._chance(0.2) else 1.0
        joint = "revolute" if self._chance(0.75) and (parent is None or parent.parts) else "fixed"
        xyz = self.random.uniform(-0.5, 0.5, 3).round(3) + [0, 0, 0.5]
        return Link(name, parts, Inertial.of(parts, density, factor), parent, joint, xyz, self._chance(0.4))

    def _break(self, number: int) -> None:
        """Put faults into one to three links: first number `number` of `FAULTS`, or the next one that is possible."""
        names, solid = list(FAULTS), [link for link in self.links if link.inertial is not None]
        for first in [number, *self.random.integers(len(names), size=int(self.random.integers(3)))]:
            tried = (
                (names[(first + step) % len(names)], at) for step in range(len(names)) for at in self._order(solid)
            )
            for name, position in tried:
                link = solid[position]
                if FAULTS[name](self, link):
                    self.faults.append(f"{name} in {link.name}{' (included)' if link.included else ''}")
                    del solid[position]
                    break

    def _order(self, things: list[Link]) -> list[int]:
        return [int(position) for position in self.random.permutation(len(things))]


def _mirrored(inertial: Inertial) -> Inertial:
    return replace(inertial, com=inertial.com * MIRROR, six=inertial.six * [1, 1, 1, -1, 1, -1])


# Each puts a fault into a link, and returns False if it would be none there.


def _change(link: Link, mass: float | None = None, com: object = None, six: object = None) -> bool:
    """Change the numbers of a link; return True if that changes any."""
    old = link.inertial
    new = Inertial(
        old.mass if mass is None else mass,
        old.com if com is None else np.array(com, dtype=float),
        old.six if six is None else np.array(six, dtype=float),
    )
    link.inertial = new
    return not (new.mass == old.mass and np.allclose(new.com, old.com) and np.allclose(new.six, old.six, rtol=1e-3))


def _triangle(_: Robot, link: Link) -> bool:
    xx, yy, _zz, *products = link.inertial.six
    return _change(link, six=[xx, yy, 1.5 * (xx + yy), *products])


def _negative(_: Robot, link: Link) -> bool:
    return _change(link, six=link.inertial.six * [1, -1, 1, 1, 1, 1])


def _equal(robot: Robot, link: Link) -> bool:
    return _change(link, six=[float(robot.random.choice([1e-3, 1e-2, 0.1]))] * 3 + [0.0] * 3)


def _template(_: Robot, link: Link) -> bool:
    return _change(link, mass=1.0, com=np.zeros(3), six=[1, 1, 1, 0, 0, 0])


def _copied(robot: Robot, link: Link) -> bool:
    others = [other for other in robot.links if other.inertial is not None and other.name != link.name]
    return bool(others) and _change(link, six=others[0].inertial.six)


def _missing(_: Robot, link: Link) -> bool:
    link.inertial = None
    return True


def _zero(_: Robot, link: Link) -> bool:
    return _change(link, six=np.zeros(6))


def _grams(_: Robot, link: Link) -> bool:
    return _change(link, mass=1e3 * link.inertial.mass, six=1e3 * link.inertial.six)


def _gram_tensor(_: Robot, link: Link) -> bool:
    return _change(link, six=1e3 * link.inertial.six)


def _millimetres(_: Robot, link: Link) -> bool:
    return _change(link, com=1e3 * link.inertial.com, six=1e6 * link.inertial.six)


def _centre_in_mm(_: Robot, link: Link) -> bool:
    return _change(link, com=1e3 * link.inertial.com)


def _axes(_: Robot, link: Link) -> bool:
    xx, yy, zz, xy, xz, yz = link.inertial.six
    return _change(link, six=[zz, xx, yy, xz, yz, xy])


def _twins(_: Robot, link: Link) -> bool:
    old = None if link.twin is None else link.twin.inertial
    return old is not None and _change(link, mass=old.mass, com=old.com, six=old.six)


def _origin(_: Robot, link: Link) -> bool:
    old = link.inertial
    tensor = old.tensor() + old.mass * tensor_of(np.outer(old.com, old.com))
    return _change(link, six=[tensor[cell] for cell in SIX])


def _sign(_: Robot, link: Link) -> bool:
    return _change(link, com=-link.inertial.com)


def _lost_mesh(robot: Robot, link: Link) -> bool:
    files = {part.file for part in link.parts if part.file}
    robot.lost |= files
    return bool(files)


FAULTS = {
    "triangle inequality": _triangle,
    "negative moment": _negative,
    "three equal moments": _equal,
    "1 kg and unit tensor": _template,
    "copied tensor": _copied,
    "missing": _missing,
    "zero tensor": _zero,
    "grams": _grams,
    "tensor in g·m²": _gram_tensor,
    "millimetres": _millimetres,
    "centre in mm": _centre_in_mm,
    "exchanged axes": _axes,
    "twins not mirrored": _twins,
    "tensor about the origin": _origin,
    "sign of the centre": _sign,
    "lost mesh": _lost_mesh,
}
"""By name; each returns True if it was put into the link."""
