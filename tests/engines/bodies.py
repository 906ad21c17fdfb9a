# SPDX-License-Identifier: GPL-3.0-or-later
"""Robots as files, and what an engine's links are as moving bodies: the same by our rules and by the engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from pathlib import Path

from core.body.inertial import Inertial
from core.engines.compared import alike
from core.engines.engine import EngineView
from core.engines.known import ENGINES
from core.engines.urdf_links import groups_of
from core.formats.robot_file import RobotFile
from core.formats.table import read_robot_file
from core.formats.urdf.format import UrdfRobotFile
from tests.engines import generated
from tests.engines.cases import CASES, SDF

TOLERANCES = {"newton": 2e-6, "pybullet": 5e-4}
"""Newton computes in float32; Bullet rounds the corners of a hull to some thousandths of its size."""

TOLERANCE = 1e-6

Bodies = Mapping[str, Inertial]

RECORDED_SEEDS = range(12)


def recorded_robots(folder: Path) -> Iterator[tuple[str, Path]]:
    """Write the cases and some generated robots; yield the name and the file of each."""
    folder.mkdir(parents=True, exist_ok=True)
    generated.write_meshes(folder)
    (folder / "meshes").mkdir()
    (folder / "meshes" / "deep.obj").write_bytes((folder / "ell.obj").read_bytes())
    for name, text in CASES.items():
        path = folder / (name.replace(" ", "_").replace(",", "") + (".sdf" if name in SDF else ".urdf"))
        path.write_text(text)
        yield name, path
    for seed in RECORDED_SEEDS:
        yield f"seed {seed}", generated.write(seed, folder)


def read_by(engine: str, path: Path) -> bool:
    """Return True if there are rules for an engine and a format."""
    return path.suffix == ".urdf" or engine == "drake"


def joined(file: RobotFile, links: Bodies) -> Bodies:
    """Return the moving bodies of a robot: the links that fixed joints join, in the frame of the first."""
    if not isinstance(file, UrdfRobotFile):
        return links
    bodies = {}
    for group in groups_of(file):
        own = [links[link.name].transformed(link.pose) for link in group.links if link.name in links]
        if own and not group.in_world:
            bodies[group.links[0].name] = reduce(Inertial.__add__, own)
    return bodies


def by_rules(engine: str, path: Path) -> tuple[RobotFile, EngineView]:
    file = read_robot_file(path)
    return file, ENGINES[engine].view(file)


def differences(engine: str, view: EngineView, real: Bodies | None) -> Iterator[str]:
    """Yield where our rules and the engine differ; `real` is None if the engine refuses the file."""
    if view.refused or real is None:
        if view.refused != (real is None):
            yield f"{engine}: {'refuses' if real is None else 'loads'} it, our rules: {view.findings}"
        return
    for finding in view.all_findings:
        if finding.code == "engine_unread":
            yield f"{engine}: {finding}"
    for body in view.bodies:
        name = body.name.rpartition("::")[2]
        if not alike(body.inertial, real.get(name), TOLERANCES.get(engine, TOLERANCE)):
            yield f"{engine}, {name}: {real.get(name)}, our rules: {body.inertial}"
