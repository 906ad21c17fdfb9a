# SPDX-License-Identifier: GPL-3.0-or-later
"""Records what the real engines make of the cases and of some generated robots: `make record-engines`."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from core.body.inertial import Inertial
from core.formats.table import read_robot_file
from tests.engines.bodies import Bodies, joined, read_by, recorded_robots
from tests.engines.real import READERS, RefusedError, version_of

PATH = Path(__file__).parents[1] / "core" / "engines" / "recorded.json"


def real_bodies(engine: str, path: Path) -> Bodies | None:
    """Return what an engine simulates; None if it does not load the file."""
    try:
        return joined(read_robot_file(path), READERS[engine](path))
    except RefusedError:
        return None


def to_json(body: Inertial) -> list[float]:
    """Return mass, centre of mass and the six components of the tensor with nine digits."""
    numbers = [body.mass, *body.com.tolist(), *body.inertia[np.triu_indices(3)].tolist()]
    return [float(f"{number:.9g}") for number in numbers]


def from_json(numbers: list[float]) -> Inertial:
    tensor = np.zeros((3, 3))
    tensor[np.triu_indices(3)] = numbers[4:]
    return Inertial(numbers[0], np.array(numbers[1:4]), tensor + np.triu(tensor, 1).T)


def record() -> dict[str, Any]:
    robots: dict[str, Any] = {}
    with TemporaryDirectory() as folder:
        for name, path in recorded_robots(Path(folder) / "robots"):
            for engine in READERS:
                if read_by(engine, path):
                    bodies = real_bodies(engine, path)
                    shown = None if bodies is None else {one: to_json(body) for one, body in bodies.items()}
                    robots.setdefault(name, {})[engine] = shown
    return {"versions": {engine: version_of(engine) for engine in READERS}, "robots": robots}


def text_of(recorded: dict[str, Any]) -> str:
    """Return JSON with a line for each engine of a robot."""
    lines = [
        f"  {json.dumps(name)}: {{\n"
        + ",\n".join(f"   {json.dumps(engine)}: {json.dumps(bodies)}" for engine, bodies in engines.items())
        + "\n  }"
        for name, engines in recorded["robots"].items()
    ]
    versions = json.dumps(recorded["versions"])
    return f'{{\n "versions": {versions},\n "robots": {{\n' + ",\n".join(lines) + "\n }\n}\n"


if __name__ == "__main__":
    PATH.write_text(text_of(record()))
