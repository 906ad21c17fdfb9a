# SPDX-License-Identifier: GPL-3.0-or-later
"""Mistakes by name: how many of those injected into sound links are named, and how many sound links are accused.

``make .venvs/robots/.ready && .venvs/robots/bin/python -m benchmarks.mistakes --checkout DIR`` writes raw.json and
section.md to build/mistakes, or to ``--output``.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import trimesh
from lxml import etree

from . import solids
from .command import core, finish, options, ready, table
from .solids import Array, Body, Solid, rotation

TITLE = "Mistakes by name"
IN_A_FILE = 50
BACK = 1e-3
"""Repaired: mass relative, centre by the size of the geometry, tensor by its trace."""
DIGITS = (3, 6)
CLEAR = 0.05
"""A mistake is injected if it changes a number of the tensor by more than this share of its trace."""
NOT_BALL = 0.02
ORDERS = ([0, 3, 4, 1, 5, 2], [0, 3, 5, 1, 2, 4], [0, 3, 1, 4, 5, 2])
"""Row by row as the diagonal first, the other way round, and the lower triangle as the diagonal first."""
Row = dict[str, Any]
Rng = np.random.Generator
Inertial = tuple[Body, Array, Array]
"""The right body, the roll, pitch and yaw of the inertial, and the six numbers as they are written."""


class Part:
    """One shape of a link: its URDF text, where it is, and its solid."""

    def __init__(self, rng: Rng, size: float, far: float, folder: Path, name: str) -> None:
        self.rpy = (rng.uniform(-1.5, 1.5, 3) * (rng.random() < 0.5)).round(4)
        self.xyz = (rng.uniform(-1.0, 1.0, 3) * size * (rng.random() < 0.7) + [far, 0, 0]).round(4)
        self.half = (size * rng.uniform(0.2, 1.0, 3)).round(4)
        self.kind = str(rng.choice(["box", "cylinder", "sphere", "cube", "mesh"], p=[0.35, 0.25, 0.1, 0.1, 0.2]))
        if self.kind == "cube":
            self.half[:] = self.half[0]
        a, b, c = self.half
        shape = {
            "sphere": f'<sphere radius="{a}"/>',
            "cylinder": f'<cylinder radius="{a}" length="{2 * b:.6g}"/>',
            "mesh": f'<mesh filename="{name}.stl"/>',
        }.get(self.kind, f'<box size="{2 * a:.6g} {2 * b:.6g} {2 * c:.6g}"/>')
        if self.kind == "mesh":
            made = trimesh.creation.capsule(2 * b, a) if rng.random() < 0.5 else trimesh.creation.cone(a, 2 * b)
            made.vertices *= [1.0, 1.0 if rng.random() < 0.5 else 0.7, 1.0]
            made.export(str(folder / f"{name}.stl"))
        self.text = f'<geometry>{shape}</geometry><origin xyz="{_words(self.xyz)}" rpy="{_words(self.rpy)}"/>'
        element = etree.fromstring(f"<link><collision>{self.text}</collision></link>")
        solid = solids.solid(element, "collision", lambda uri: folder / uri)
        assert solid is not None
        self.solid: Solid = solid

    def hollow(self, rng: Rng) -> Solid:
        """Return the part with a void: a wall of one thickness where the form is known, else one in proportion."""
        k = rng.uniform(0.6, 0.97, 3) if self.kind in ("box", "cylinder") else np.full(3, rng.uniform(0.6, 0.97))
        if self.kind in ("box", "cylinder") and rng.random() < 0.7:
            k = 1.0 - float(self.half[: 3 if self.kind == "box" else 2].min()) * rng.uniform(0.05, 0.4) / self.half
        if self.kind == "cylinder":
            k = np.array([k[0], k[0], k[1]])
        R = rotation(self.rpy)
        spread = R.T @ (np.trace(self.solid.inertia) / 2 * np.eye(3) - self.solid.inertia) @ R
        left = spread - k.prod() * (spread * np.outer(k, k))
        tensor = R @ (np.trace(left) * np.eye(3) - left) @ R.T
        return Solid(self.solid.volume * (1 - k.prod()), self.solid.com, tensor, self.solid.low, self.solid.high)


def main() -> int:
    """Generate, inject, run and write the results."""
    parser = options("Measure how well mistakes are named.", "mistakes")
    parser.add_argument("--innocents", type=int, default=2000)
    parser.add_argument("--injected", type=int, default=200, help="of each mistake, at each number of digits")
    chosen = ready(parser)
    rows = []
    for first in range(0, chosen.innocents, IN_A_FILE):
        rows += _file(chosen, f"sound{first}", None, 0, first, min(IN_A_FILE, chosen.innocents - first))
    for name in MISTAKES:
        for digits in DIGITS:
            for first in range(0, chosen.injected, IN_A_FILE):
                links = min(IN_A_FILE, chosen.injected - first)
                rows += _file(chosen, f"{name.replace(' ', '_')}{digits}_{first}", name, digits, first, links)
            print(name, digits, file=sys.stderr)
    (chosen.output / "raw.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")
    text = _section(rows)
    finish(chosen, TITLE, text)
    return 0


def _file(chosen: Any, file: str, mistake: str | None, digits: int, first: int, links: int) -> list[Row]:
    """Write a robot, each link of it with a mistake or sound, and return what `check` and `repair` make of each."""
    folder: Path = chosen.output / "robots" / file
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng([chosen.seed, first, digits, *(mistake or "").encode()])
    text, made = "<link name='base'/>", []
    for index in range(links):
        name = f"link{index}"
        body, solid, content, how = _link(rng, folder, name, mistake, digits)
        made.append((name, body, solid, how))
        text += f"<link name='{name}'>{content}</link><joint name='j{index}' type='continuous'>"
        text += f"<parent link='base'/><child link='{name}'/></joint>"
    path, target = folder / "robot.urdf", folder / "repaired.urdf"
    path.write_text(f"<robot name='r'>{text}</robot>", encoding="utf-8")
    checked = core(chosen.checkout, "check", "--json", path.name, folder=folder)
    repaired = core(chosen.checkout, "repair", "--json", "-o", target, path.name, folder=folder)
    findings = [one for listed in json.loads(checked.out)["files"] for one in listed["findings"]]
    done = {one["name"]: one for one in json.loads(repaired.out)["links"] if one["done"]}
    after = dict(solids.links(solids.read(target)))
    rows = []
    for name, body, solid, how in made:
        codes = [one["code"] for one in findings if f"link[@name='{name}']" in one["subject"]]
        new = solids.body(after[f"r::{name}"])
        back = new is not None and new.difference(body, solid.size) <= BACK
        row: Row = {"file": file, "link": name, "mistake": mistake, "digits": digits, "how": how, "codes": codes}
        rows.append(row | {"repaired": f"r::{name}" in done, "back": bool(back)})
    return rows


def _link(rng: Rng, folder: Path, name: str, mistake: str | None, digits: int) -> tuple[Body, Solid, str, str]:
    """Return the right body of a link, its geometry, its content, and how it was made."""
    for attempt in count():
        size = float(np.exp(rng.uniform(np.log(0.02), np.log(0.5))))
        numbers = range(int(rng.choice([1, 1, 1, 2, 3])))
        parts = [Part(rng, size, 4.0 * size * one, folder, f"{name}_{attempt}_{one}") for one in numbers]
        whole = _sum([part.solid for part in parts], np.ones(len(parts)))
        how = str(rng.choice(KINDS)) if mistake is None else "uniform"
        body = _real(rng, parts, whole, how)
        digits_here = digits or int(rng.choice([2, 2, 3, 3, 6]))
        rpy = (rng.uniform(-1.5, 1.5, 3) * (rng.random() < 0.3)).round(4)
        six = _six(rotation(rpy).T @ body.inertia @ rotation(rpy))
        if mistake is not None:
            moments = np.linalg.eigvalsh(whole.inertia)
            if moments[2] - moments[0] < NOT_BALL * moments.sum():
                continue
            wrong = MISTAKES[mistake](rng, body, rpy, parts)
            if wrong is None:
                continue
            rpy, right, wrong_six = wrong
            if np.abs(wrong_six - right).max() < CLEAR * np.trace(body.inertia):
                continue
            six = wrong_six
        com = np.array([float(f"{one:.{max(digits_here, 4)}g}") for one in body.com])
        mass = float(f"{body.mass:.{digits_here}g}")
        tensor = " ".join(f'{key}="{one:.{digits_here}g}"' for key, one in zip(solids.SIX, six, strict=True))
        text = f'<inertial><mass value="{mass:.{digits_here}g}"/><inertia {tensor}/>'
        text += f'<origin xyz="{_words(com)}" rpy="{_words(rpy)}"/></inertial>'
        uses = [("collision", "visual"), ("collision",), ("visual",)][int(rng.choice(3, p=[0.6, 0.2, 0.2]))]
        text += "".join(f"<{use}>{part.text}</{use}>" for use in uses for part in parts)
        return Body(mass, com, body.inertia * (mass / body.mass)), whole, text, how
    raise AssertionError


KINDS = ("uniform", "hollow", "hollow in proportion", "core", "core in proportion", "densities", "grown")


def _real(rng: Rng, parts: list[Part], whole: Solid, how: str) -> Body:
    """Return a body that may have this geometry."""
    mass = float(np.exp(rng.uniform(np.log(300), np.log(8000)))) * whole.volume
    if how == "hollow":
        return _sum([part.hollow(rng) for part in parts], np.ones(len(parts))).body(mass * rng.uniform(0.2, 0.8))
    if how == "hollow in proportion":
        k = rng.uniform(0.3, 0.98)
        return Body(mass, whole.com, whole.body(mass).inertia * (1 - k**5) / (1 - k**3))
    if how == "core in proportion":
        k, times = rng.uniform(0.2, 0.8), rng.uniform(2, 10)
        return Body(mass, whole.com, whole.body(mass).inertia * (1 + (times - 1) * k**5) / (1 + (times - 1) * k**3))
    if how == "core":  # a motor: a heavy cylinder about one of the axes of the first part
        radius, share = float(parts[0].half.min()) * rng.uniform(0.3, 0.8), rng.uniform(0.3, 0.9)
        moments = radius**2 * np.array([0.25 + 1 / 12, 0.25 + 1 / 12, 0.5])[rng.permutation(3)]
        R = rotation(parts[0].rpy)
        place = parts[0].solid.com + R @ (rng.uniform(-0.2, 0.2, 3) * parts[0].half * (rng.random() < 0.5))
        core_solid = Solid(1.0, place, R @ np.diag(moments) @ R.T, whole.low, whole.high)
        return _sum([whole, core_solid], np.array([(1 - share) / whole.volume, share])).body(mass)
    if how == "densities":
        return _sum([part.solid for part in parts], np.exp(rng.uniform(-2, 2, len(parts)))).body(mass)
    body = whole.body(mass)
    if how == "grown":  # the geometry is a little larger than the body
        return Body(mass, whole.com, body.inertia * rng.uniform(0.7, 0.98))
    return body


def _sum(listed: list[Solid], densities: Array) -> Solid:
    masses = np.array([one.volume for one in listed]) * densities
    com = sum(m * one.com for m, one in zip(masses, listed, strict=True)) / masses.sum()
    tensor = np.zeros((3, 3))
    for m, density, one in zip(masses, densities, listed, strict=True):
        tensor += density * one.inertia + solids._steiner(m, one.com - com)
    low, high = (np.array([getattr(one, end) for one in listed]) for end in ("low", "high"))
    return Solid(float(masses.sum()), com, tensor, low.min(axis=0), high.max(axis=0))


def _axes(rng: Rng, body: Body, rpy: Array, parts: list[Part]) -> tuple[Array, Array, Array]:
    P = np.eye(3)[list([(0, 2, 1), (1, 0, 2), (2, 1, 0), (1, 2, 0), (2, 0, 1)][int(rng.integers(5))])]
    R = rotation(rpy := 0.0 * rpy)
    right = R.T @ body.inertia @ R
    return rpy, _six(right), _six(P @ right @ P.T)


def _mass(least: float, most: float) -> Callable[..., tuple[Array, Array, Array]]:
    def wrong(rng: Rng, body: Body, rpy: Array, parts: list[Part]) -> tuple[Array, Array, Array]:
        six = _six(rotation(rpy).T @ body.inertia @ rotation(rpy))
        times = float(np.exp(rng.uniform(np.log(least), np.log(most))))
        return rpy, six, six * (times if rng.random() < 0.5 else 1 / times)

    return wrong


def _origin(rng: Rng, body: Body, rpy: Array, parts: list[Part]) -> tuple[Array, Array, Array]:
    R = rotation(rpy)
    about = body.inertia + solids._steiner(body.mass, body.com)
    return rpy, _six(R.T @ body.inertia @ R), _six(R.T @ about @ R)


def _frame(rng: Rng, body: Body, rpy: Array, parts: list[Part]) -> tuple[Array, Array, Array]:
    """Give the tensor in the link's axes, or that in the part's to an inertial without rotation."""
    rpy = rng.uniform(-1.5, 1.5, 3).round(4) if rng.random() < 0.5 else 0.0 * rpy
    R = rotation(rpy)
    Q = np.eye(3) if rpy.any() else rotation(parts[0].rpy)
    return rpy, _six(R.T @ body.inertia @ R), _six(Q.T @ body.inertia @ Q)


def _products(rng: Rng, body: Body, rpy: Array, parts: list[Part]) -> tuple[Array, Array, Array]:
    right = _six(rotation(rpy).T @ body.inertia @ rotation(rpy))
    wrong = right.copy()
    wrong[3:] = -right[3:] if rng.random() < 0.5 else right[[5, 4, 3]]
    return rpy, right, wrong


def _order(rng: Rng, body: Body, rpy: Array, parts: list[Part]) -> tuple[Array, Array, Array]:
    right = _six(rotation(rpy).T @ body.inertia @ rotation(rpy))
    return rpy, right, right[ORDERS[int(rng.integers(len(ORDERS)))]]


MISTAKES: dict[str, Callable[..., tuple[Array, Array, Array] | None]] = {
    "axes": _axes,
    "mass": _mass(2.0, 10.0),
    "mass within 2": _mass(1.1, 2.0),
    "origin": _origin,
    "frame": _frame,
    "products": _products,
    "order": _order,
}


def _six(tensor: Array) -> Array:
    return tensor[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]


def _words(numbers: Any) -> str:
    return " ".join(f"{float(one):.17g}" for one in numbers)


def _section(rows: list[Row]) -> str:
    """Return the figures as Markdown."""
    sound = [row for row in rows if row["mistake"] is None]
    accused = [row for row in sound if any(code.startswith("tensor_") for code in row["codes"])]
    changed = [row for row in accused if row["repaired"]]
    text = f"By `python -m benchmarks.mistakes`. {len(sound)} sound links, of these {len(accused)} accused "
    text += f"({len(accused) / max(len(sound), 1):.2%}; goal: at most 0.5 %), {len(changed)} repaired (goal: 0). "
    kinds = Counter(row["how"] for row in accused)
    text += f"Accused: {', '.join(f'{count} {kind}' for kind, count in kinds.items()) or 'none'}.\n\n"
    text += (
        "Another mass is given as a factor from 2 to 10 or its inverse, or as one from 1.1 to 2, of which those from "
    )
    text += "0.55 to 5/3, as hollow bodies have, are not named.\n\n"
    lines = []
    for name in MISTAKES:
        for digits in DIGITS:
            mine = [row for row in rows if row["mistake"] == name and row["digits"] == digits]
            code = f"tensor_{name.partition(' ')[0]}"
            named = [row for row in mine if code in row["codes"]]
            alone = [row for row in named if sum(one.startswith("tensor_") for one in row["codes"]) == 1]
            other = [row for row in mine if row not in named and any(one.startswith("tensor_") for one in row["codes"])]
            back, wrong = (sum(row["repaired"] and row["back"] is value for row in mine) for value in (True, False))
            lines.append((name, digits, len(mine), len(named), len(alone), len(other), back, wrong))
    return text + table(
        "mistake | digits | injected | named | alone | another named | repaired to 1e-3 | repaired otherwise", lines
    )


if __name__ == "__main__":
    sys.exit(main())
