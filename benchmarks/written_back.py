# SPDX-License-Identifier: GPL-3.0-or-later
"""Accept All and Write Back in Blender against ``repair --in-place``, and the masses of an export against the file's.

``make .venv/.ready && .venv/bin/python -m benchmarks.written_back`` takes the robots of the packages in
`remedies.PACKAGES`, each in a process of its own.
"""

from __future__ import annotations

import json
import os
import queue
import sys
from argparse import ArgumentParser
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.core.judge import robot_room
from tests.core.judge.robot_room import Room

from .command import CHECKOUT, run, table, write_section
from .remedies import PACKAGES, Task, folders_of_packages, robots_in
from .run import BLENDER

TITLE = "Write Back against repair"
SECONDS = 120.0
CLOSE = 1e-6
"""Blender's numbers have about so many digits: relative difference of two masses that are the same."""
ALONE = "--alone"
"""Before a folder, a file in it and a folder for the export: compare this robot."""
Row = dict[str, Any]


def main() -> int:
    """Compare all robots, print what differs, and return 1 if anything does."""
    if sys.argv[1:2] == [ALONE]:
        return _compare(*map(Path, sys.argv[2:]))
    parser = ArgumentParser(description="Compare Write Back with repair --in-place.")
    parser.add_argument("--only", default="", help="a part of the names of the files to compare")
    parser.add_argument("--one-in", metavar="N", type=int, default=1, help="compare only one file in so many")
    parser.add_argument("--results", action="store_true", help="also write the figures into benchmarks/results.md")
    chosen = parser.parse_args()
    tasks = [task for folder in folders_of_packages() for task in robots_in(folder) if chosen.only in str(task[1])]
    tasks = [task for task in tasks if task[1].suffix != ".xacro"][:: chosen.one_in]  # Blender imports no xacro
    with TemporaryDirectory() as temporary, ThreadPoolExecutor(2) as pool:
        desks: queue.Queue[Path] = queue.Queue()
        for number in range(2):
            desks.put(Path(temporary, str(number)))
        rows = [*pool.map(lambda task: _row(desks, task), tasks)]
    text = _section(rows, chosen.one_in)
    print(text)
    if chosen.results:
        write_section(TITLE, text)
    return int(any(row["bytes"] or row["links"] or row["masses"] or row["failed"] for row in rows))


def _row(desks: queue.Queue[Path], task: Task) -> Row:
    """Return what a process of its own found about a robot, in a copy of its folder that others used before."""
    folder, name = task
    desk = desks.get()
    try:
        copy = desk / folder.name
        if not copy.is_dir():
            desk.mkdir(exist_ok=True)
            robot_room.copied(folder, desk)
        done = run(BLENDER, "-m", __spec__.name, ALONE, copy, name, desk / "export", folder=CHECKOUT, seconds=SECONDS)
    finally:
        desks.put(desk)
    lines = [line for line in done.out.splitlines() if line.startswith('{"import"')]
    row: Row = {"import": "", "changed": 0, "bytes": [], "links": [], "masses": [], "weighed": 0}
    row |= json.loads(lines[-1]) if lines else {}
    row |= {"file": f"{folder.name}/{name.as_posix()}", "failed": "" if lines else done.err.strip()[-300:] or "killed"}
    for what in ("import", "failed", "bytes", "links", "masses"):
        if row[what]:
            print(f"{row['file']}: {what}: {row[what]}", file=sys.stderr)
    return row


# --- in Blender --------------------------------------------------------------------------------------------------


def _compare(folder: Path, name: Path, target: Path) -> int:
    """Compare a robot, and print a line of JSON."""
    sys.path.insert(0, str(CHECKOUT / "sdf_inertia_addon"))
    headless: Any = import_module("headless")
    sys.path.pop(0)
    addon = headless.prepare()
    import bpy

    room, path = Room(folder), folder / name
    os.chdir(folder)
    try:
        row = _compared(room, path, target)
    finally:
        room.put_back()
        bpy.ops.wm.read_homefile(use_empty=True)
        addon.unregister()
    print("\n" + json.dumps(row), flush=True)
    return 0


def _compared(room: Room, path: Path, target: Path) -> Row:
    import bpy

    operators: Any = bpy.ops.sdf_inertia
    row: Row = {"import": ""}
    old = robot_room.inertials(str(path))
    robot_room.run("repair", "--in-place", "--no-backup", "--quiet", str(path))
    files, repaired = room.files(backups=False), robot_room.inertials(str(path))
    row["changed"] = len(_differing(old, repaired))
    room.put_back()
    row["import"] = _imported(path)
    if row["import"]:
        return row
    row |= _weighed(path, target)
    for operator in (operators.accept_computed, operators.write_back):
        if operator.poll():
            operator()
    written = room.files(backups=False)
    row["bytes"] = [str(file.relative_to(room.folder)) for file in files if files[file] != written.get(file)]
    row["links"] = _differing(repaired, robot_room.inertials(str(path)))
    return row


def _imported(path: Path) -> str:
    """Import a robot into an empty scene; return why that was refused."""
    import bpy

    bpy.ops.wm.read_homefile(use_empty=True)
    try:
        bpy.ops.sdf_inertia.import_sdf(filepath=str(path))
    except RuntimeError as reason:
        return str(reason).strip()
    bpy.context.view_layer.update()
    return ""


def _differing(one: Row, other: Row) -> list[str]:
    """Return the links whose inertials are not equal to the last digit."""
    return [name for name in sorted({*one, *other}) if one.get(name) != other.get(name)]


def _weighed(path: Path, target: Path) -> Row:
    """Export the scene, and return how many links weigh something in the file, and which weigh else in the export."""
    import bpy

    exported = target / "robot.sdf"
    exported.unlink(missing_ok=True)
    failed = ""
    try:
        bpy.ops.sdf_inertia.export_sdf(filepath=str(exported), skip_invalid=True)
    except RuntimeError as reason:
        failed = str(reason).strip()
    before, after = _masses(path), _masses(exported) if exported.is_file() else {}
    if failed and not after and any(before.values()):
        return {"weighed": 0, "masses": [failed[-300:]]}
    different = [
        f"{link}: {before.get(link, 0.0):.9g} kg in the file, {after.get(link, 0.0):.9g} exported"
        for link in sorted({*before, *after})
        if abs(before.get(link, 0.0) - after.get(link, 0.0)) > CLOSE * abs(before.get(link, 0.0))
    ]
    return {"weighed": sum(mass > 0.0 for mass in before.values()), "masses": different}


def _masses(path: Path) -> dict[str, float]:
    """Return the masses [kg] that `report` lists, by link; 0 for one that it refuses."""
    listed = json.loads(robot_room.run("report", "--format", "json", str(path)).out)
    return {link["name"]: link["mass"] or 0.0 for model in listed["models"] for link in model["links"]}


# --- the table ---------------------------------------------------------------------------------------------------


def _section(rows: list[Row], one_in: int) -> str:
    """Return the figures as Markdown."""
    there = [row for row in rows if not (row["import"] or row["failed"])]
    names = ", ".join(name for named in PACKAGES.values() for name in named)
    part = f", one file in {one_in}" if one_in > 1 else ""
    text = f"Robots of {names}{part}, by `python -m benchmarks.written_back`. Accept All and Write Back in Blender"
    text += " against `repair --in-place`, to the last digit; the masses of an export as SDF against those of the file,"
    text += f" to {CLOSE:g}.\n\n"
    text += table(
        "what | count",
        [
            ("files", len(rows)),
            ("not imported", sum(bool(row["import"]) for row in rows)),
            (f"crashed, or not done after {SECONDS:g} s", sum(bool(row["failed"]) for row in rows)),
            ("links that `repair` changes", sum(row["changed"] for row in there)),
            ("links that Write Back gives other numbers", sum(len(row["links"]) for row in there)),
            ("files with other bytes", sum(bool(row["bytes"]) for row in there)),
            ("links with a mass", sum(row["weighed"] for row in there)),
            ("links of another mass after import and export", sum(len(row["masses"]) for row in there)),
        ],
    )
    for what, key in (("Other bytes", "bytes"), ("Other masses", "masses"), ("Not done", "failed")):
        files = [row["file"] for row in rows if row[key]]
        text += f"{what}: {', '.join(files)}.\n" if files else ""
    return text


if __name__ == "__main__":
    sys.exit(main())
