# SPDX-License-Identifier: GPL-3.0-or-later
"""Sound bodies of all kinds are neither changed nor accused: solids, shells, plates, heavy cores, several densities.

Their numbers are sums of closed forms, written with 2 to 10 digits; their densities are those of foam to lead.
"""

from dataclasses import dataclass, replace
from math import pi

import numpy as np
import pytest

from core import read_robot
from core.judge.repair import repair_file
from tests.thorough import many

from .generated_robots import Inertial, Link, Part, tensor_of
from .robot_texts import FORMATS, SIX, rotation

BODIES = many(2200, 200)
MOST_ACCUSED = 0.005
"""The largest share of sound bodies that may get a warning."""

KINDS = ("box", "cylinder", "sphere", "capsule", "octahedron", "prism", "tetrahedron")
SHAPES = KINDS[:4]
DIGITS = (2, 3, 6, 10)
SIZES = (0.01, 0.4)
"""Half lengths [m] of the largest side of a part."""

PLASTIC, METAL, ANY = (300.0, 1300.0), (2700.0, 11_000.0), (250.0, 8500.0)
"""Densities [kg/m³]."""


@dataclass(frozen=True)
class Piece:
    """A mass [kg], which is negative for a void, its centre [m] and its covariance [m²] in the link's frame."""

    mass: float
    centre: np.ndarray
    covariance: np.ndarray

    @classmethod
    def of(cls, part, density):
        volume, centre, covariance = part.moments()
        return cls(density * volume, centre, covariance)

    def scaled(self, times, mass, shift=0.0):
        return Piece(mass, self.centre + shift, self.covariance * times**2)


def body_of(pieces):
    """Return the inertial of pieces."""
    mass = sum(piece.mass for piece in pieces)
    com = sum(piece.mass * piece.centre for piece in pieces) / mass
    about = [(piece.mass, piece.covariance, piece.centre - com) for piece in pieces]
    spread = sum(part * (covariance + np.outer(arm, arm)) for part, covariance, arm in about) / mass
    return Inertial(mass, com, np.array([(mass * tensor_of(spread))[cell] for cell in SIX]))


def between(random, limits):
    """Return a random number between two; each order of magnitude is equally likely."""
    return float(np.exp(random.uniform(*np.log(limits))))


def solid(random, part):
    return [Piece.of(part, between(random, ANY))]


def shell(random, part):
    """Return a closed shell, of 1 to 10 % of the smallest half length."""
    wall, full = part.size.min() * random.uniform(0.01, 0.1), Piece.of(part, between(random, (900.0, 8000.0)))
    if part.kind not in SHAPES:
        share = 1.0 - wall / part.size.min()
        return [full, full.scaled(share, -full.mass * share**3)]
    inner = replace(part, size=part.size - wall * np.array([1.0, 1.0, part.kind != "capsule"]))
    return [full, Piece.of(inner, -full.mass / part.moments()[0])]


def plate(random, part):
    """Return a solid; its part is made thin by `thin`."""
    return [Piece.of(part, between(random, (900.0, 8000.0)))]


def core(random, part):
    """Return a light body in which a heavy core has a tenth to half of the mass, somewhere along its z axis."""
    light, heavy, share = between(random, PLASTIC), between(random, METAL), random.uniform(0.1, 0.5)
    volume = share * light / (heavy * (1.0 - share) + share * light)  # that of the core, by that of the part
    times, full = volume ** (1.0 / 3.0), Piece.of(part, light)
    room = {"sphere": part.size[0], "octahedron": 0.0, "prism": 0.0, "tetrahedron": 0.0}.get(part.kind, part.size[2])
    shift = rotation(part.rpy)[:, 2] * random.uniform(-1.0, 1.0) * (1.0 - times) * room
    return [
        full,
        full.scaled(times, -full.mass * volume, shift),
        full.scaled(times, full.mass * volume * heavy / light, shift),
    ]


FILLINGS = {"solid": solid, "shell": shell, "plate": plate, "core": core}


def thin(random, part):
    """Return a part that is a plate: one of its sides is 0.5 to 5 % of the largest."""
    size = part.size.copy()
    size[2 if part.kind in SHAPES else int(random.integers(3))] = size.max() * random.uniform(0.005, 0.05)
    return replace(part, size=size.round(5))


def parts_of(random, name, filling):
    """Return one to three parts apart from each other."""
    size, parts = between(random, SIZES), []
    for number in range(int(random.choice([1, 1, 1, 2, 3]))):
        kind = str(random.choice([each for each in KINDS if filling != "plate" or each not in ("sphere", "capsule")]))
        half = (size * random.uniform(0.2, 1.0, 3)).round(5)
        half[:2] = half[0] if kind in ("cylinder", "sphere", "capsule") else half[:2]
        half[2] = half[0] if kind == "sphere" else half[2]
        xyz = random.uniform(-1.0, 1.0, 3) * size * (random.random() < 0.7) + [4.0 * size * number, 0.0, 0.0]
        rpy = random.uniform(-1.5, 1.5, 3) * (random.random() < 0.4)
        file = "" if kind in SHAPES else f"{name}_{number}.{random.choice(['obj', 'stl'])}"
        part = Part(kind, half, xyz.round(4), rpy.round(4), file, float(random.choice([1.0, 1e-3])) if file else 1.0)
        parts.append(thin(random, part) if filling == "plate" else part)
    return parts


def is_possible(six):
    """Return True if a body can have a tensor; by rounding, that of a plate becomes one that simulators refuse."""
    xx, yy, zz, xy, xz, yz = six
    moments = np.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return moments[0] > 0.0 and moments[2] < (moments[0] + moments[1]) * (1.0 - 1e-6)


def rounded(part):
    """Return a part as somebody writes it by hand: two digits, turned by right angles."""
    size = np.array([float(f"{length:.2g}") for length in part.size])
    return replace(part, size=size, xyz=part.xyz.round(2), rpy=(part.rpy / (pi / 2)).round() * pi / 2)


class SoundRobot:
    """A robot of 3 to 6 links, for the writers of `robot_texts`; `fillings` are what its links are, by name."""

    def __init__(self, seed):
        self.random = np.random.default_rng([11, seed])
        self.format = list(FORMATS)[seed % len(FORMATS)]
        self.digits = DIGITS[seed // len(FORMATS) % len(DIGITS)]
        self.links, self.lost, self.fillings = [], set(), {}
        by_hand = self.random.random() < 0.4
        for number in range(int(self.random.integers(3, 7))):
            parent = self.links[int(self.random.integers(number))] if number else None
            parts, body = self._filled(f"link{number}", by_hand)
            if parent is not None and self.random.random() < 0.15 and not any(part.file for part in parent.parts):
                parts, body = parent.parts, parent.inertial  # a wheel like the one before
            xyz = self.random.uniform(-0.5, 0.5, 3).round(3)
            self.links.append(Link(f"link{number}", parts, body, parent, "revolute", xyz))
        while not all(is_possible(self._as_written(link)) for link in self.links):
            self.digits += 1

    def _filled(self, name, by_hand):
        filling = str(self.random.choice(list(FILLINGS)))
        parts = parts_of(self.random, name, filling)
        parts = [rounded(part) for part in parts] if by_hand else parts
        fillings = [filling if self.random.random() < 0.7 else "solid" for _ in parts]
        self.fillings[name] = fillings
        pieces = [FILLINGS[each](self.random, part) for each, part in zip(fillings, parts, strict=True)]
        return parts, body_of([piece for of_part in pieces for piece in of_part])

    def _as_written(self, link):
        return [float(f"{value:.{self.digits}g}") for value in link.inertial.six]


@pytest.fixture(scope="module")
def judged(tmp_path_factory):
    """Return for each sound robot its bytes before and after `repair`, and its warnings."""
    folder, robots, count = tmp_path_factory.mktemp("sound"), [], 0
    while count < BODIES:
        robot, place = SoundRobot(len(robots)), folder / str(len(robots))
        place.mkdir()
        path = FORMATS[robot.format](robot, place)
        read = read_robot(path)
        warnings = [finding for finding in read.check() if finding.severity != "info"]
        robots.append((robot, path.read_bytes(), repair_file(read.file).data, warnings))
        count += len(robot.links)
    return robots


def test_repair_changes_no_byte_of_a_sound_robot(judged):
    assert [after for _, before, after, _ in judged if after != before] == []


def test_at_most_one_sound_body_in_200_gets_a_warning(judged):
    accused = [str(warning) for *_, warnings in judged for warning in warnings]
    assert len(accused) <= MOST_ACCUSED * sum(len(robot.links) for robot, *_ in judged), "\n".join(accused)


def test_sound_robots_are_of_all_kinds(judged):
    robots = [robot for robot, *_ in judged]
    assert {filling for robot in robots for each in robot.fillings.values() for filling in each} == {*FILLINGS}
    assert {part.kind for robot in robots for link in robot.links for part in link.parts} == {*KINDS}
    assert {robot.format for robot in robots} == {*FORMATS} and {robot.digits for robot in robots} >= {*DIGITS}
    assert all(3 <= len(robot.links) <= 6 for robot in robots)


@pytest.mark.parametrize("seed", range(8))
def test_the_same_bodies_are_accused_with_a_tensor_100_times_as_large(seed, tmp_path):
    robot = SoundRobot(seed)
    for link in robot.links:
        link.inertial = replace(link.inertial, six=100.0 * link.inertial.six)
    links = read_robot(FORMATS[robot.format](robot, tmp_path)).links
    assert [name for name, link in links.items() if not link.findings] == []
