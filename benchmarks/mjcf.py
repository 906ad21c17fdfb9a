# SPDX-License-Identifier: GPL-3.0-or-later
"""Hold what we make of the MJCF files that packages of Python bring against MuJoCo's own compiler.

``make mjcf`` installs the packages of requirements/mjcf.txt into build/scoreboard, and for each file that MuJoCo loads
compares all bodies, fills and repairs it, and breaks up to three sound inertials, one at a time, to repair them.
"""

from __future__ import annotations

import random
import re
import sys
import warnings
from collections import Counter
from multiprocessing import Pool
from pathlib import Path

import mujoco
import numpy as np

from core import InertiaError, Inertial, read_robot
from core.document.document import Document
from core.document.element import child_of
from core.formats.mjcf.expanded import expand
from core.formats.mjcf.library import NamedFiles
from core.formats.robot_file import RobotFile
from core.formats.table import is_robot, read_robot_document
from core.judge.repair import repair_file
from core.judge.verdict import Verdict
from tests.core.formats.mjcf.mjcf_files import compiled_inertial

from .command import CHECKOUT
from .packages import installed

PACKAGES = CHECKOUT / "requirements" / "mjcf.txt"
CHANGING = {"boundmass": 0.0, "boundinertia": 0.0, "fusestatic": False}
"""Attributes of ``<compiler>`` that change numbers of the file; they are reported, and not compared here."""
INERTIAL = re.compile(rb"\s*<inertial\b[^>]*?(/>|>\s*</inertial>)")
BREAKS = (0.1, 0.2, 0.9)
"""Shares of the trace: moments that no body has."""


def main() -> None:
    """Install, compare, and print the sums."""
    tasks = [
        (name, path)
        for name, root in installed(PACKAGES)
        for path in sorted([*root.rglob("*.xml"), *root.rglob("*.mjcf")])
        if is_robot(str(path))
    ]
    total: Counter[str] = Counter()
    worst = 0.0
    with Pool(2, maxtasksperchild=8) as pool:
        for number, (counts, apart, wrong) in enumerate(pool.imap(_judged, tasks, chunksize=1), 1):
            total += counts
            worst = max(worst, apart)
            for line in wrong:
                print(line, flush=True)
            print(f"{number}/{len(tasks)} {tasks[number - 1][1].name}", file=sys.stderr)
    for what, count in total.items():
        print(f"{what}: {count}")
    print(f"largest relative difference of a body: {worst:.2g}")


def _judged(task: tuple[str, Path]) -> tuple[Counter[str], float, list[str]]:
    """Return what was done with a file, the largest difference, and what is wrong."""
    warnings.simplefilter("ignore")
    path = task[1]
    counts, wrong = Counter({"files": 1}), []
    try:
        theirs = _compiled(path)
    except ValueError:
        try:
            read_robot(path).check()
        except InertiaError as error:
            counts[f"not read, with {error.code}"] += 1
        return counts, 0.0, wrong
    counts["files that MuJoCo loads"] += 1
    robot = read_robot(path)
    pairs = [(link.inertial or link.verdict.link.read.inertial or Inertial.zero) for link in robot.links.values()]
    apart = max([_apart(ours, other) for ours, other in zip(pairs, theirs, strict=True)], default=0.0)
    counts["bodies"] += len(theirs)
    if apart > 1e-9:
        wrong.append(f"{path}: differs by {apart:.2g}")
    robot.check()
    try:
        filled = robot.fill(skip_invalid=True).data
        counts["filled"] += 1
        wrong += _changed(path, robot.file, filled, theirs)
    except InertiaError as error:
        counts[f"not filled, with {error.code}"] += 1
    wrong += _broken(path, robot.file, [*robot.verdicts()], counts)
    return counts, apart, wrong


def _compiled(path: Path, data: bytes | None = None) -> list[Inertial]:
    if data is None:
        spec = mujoco.MjSpec.from_file(str(path))
    else:
        named = NamedFiles(expand(Document.parse(data, str(path), path)), ())
        assets = {name: named.path(name).read_bytes() for name in named.expanded.files}
        files = mujoco.MjVfs()
        for name, content in ({"model.xml": named.expanded.text} | assets).items():
            files[name] = content
        spec = mujoco.MjSpec.from_file("model.xml", vfs=files)
        spec.assets = assets
    for name, value in CHANGING.items():
        setattr(spec.compiler, name, value)
    model = spec.compile()
    return [compiled_inertial(model, number) for number in range(1, model.nbody)]


def _apart(a: Inertial, b: Inertial) -> float:
    if not b.mass:
        return abs(a.mass)
    size = max(b.size, float(np.sqrt(np.trace(b.inertia) / b.mass)), 1e-9)
    trace = max(float(np.trace(b.inertia)), 1e-300)
    com = float(np.abs(a.com - b.com).max()) / size
    return max(abs(a.mass / b.mass - 1.0), com, float(np.abs(a.inertia - b.inertia).max()) / trace)


def _changed(path: Path, file: RobotFile, data: bytes, theirs: list[Inertial]) -> list[str]:
    """Return what is wrong with new bytes: other changes than inertials, other numbers, or a second change."""
    wrong = []
    if INERTIAL.sub(b"", data) != INERTIAL.sub(b"", file.document.data):
        wrong.append(f"{path}: bytes outside of inertials changed")
    if max([_apart(*pair) for pair in zip(_compiled(path, data), theirs, strict=True)], default=0.0) > 2e-9:
        wrong.append(f"{path}: filled with other numbers")
    again = read_robot_document(Document.parse(data, str(path), path))
    if again.filled().data != data:
        wrong.append(f"{path}: filled again, it changes")
    return wrong


def _broken(path: Path, file: RobotFile, verdicts: list[Verdict], counts: Counter[str]) -> list[str]:
    """Break sound inertials and repair them: no other link changes, and MuJoCo loads the result."""
    wrong = []
    before = {one.link.local_name for one in repair_file(file).links if one.new is not None}
    sound = [one.link for one in verdicts if not one.findings and one.link.inertial is not None and not one.link.auto]
    sound = [one for one in sound if one.has_geometry and one.document is file.document]
    for link in random.Random(len(sound)).sample(sound, min(3, len(sound))):
        given = child_of(link.element, "inertial")
        start, end = given.span
        assert link.inertial is not None
        moments = " ".join(f"{share * np.trace(link.inertial.inertia):.6g}" for share in BREAKS)
        new = f'<inertial pos="{given.get("pos")}" mass="{given.get("mass")}" diaginertia="{moments}"/>'.encode()
        data = file.document.data[:start] + new + file.document.data[end:]
        counts["faults"] += 1
        repaired = repair_file(read_robot_document(Document.parse(data, str(path), path)))
        names = {one.link.local_name for one in repaired.links if one.new is not None}
        if link.local_name not in names:
            counts["faults left, with a reason"] += 1
            continue
        counts["faults repaired"] += 1
        if names - before != {link.local_name}:
            wrong.append(f"{path}: {names - before} changed, not only {link.local_name}")
        if INERTIAL.sub(b"", repaired.data) != INERTIAL.sub(b"", data):
            wrong.append(f"{path}: repair changed bytes outside of inertials")
        try:
            _compiled(path, repaired.data)
        except ValueError as error:
            wrong.append(f"{path}: MuJoCo refuses the repair of {link.local_name}: {error}")
    return wrong


if __name__ == "__main__":
    main()
