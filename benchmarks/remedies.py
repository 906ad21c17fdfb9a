# SPDX-License-Identifier: GPL-3.0-or-later
"""Follow each remedy of `check` on many robots, and count those that lead nowhere.

``python -m benchmarks.remedies`` takes the small faulty robots of the reference data and the examples; with files or
folders, those; with ``--packages``, the robots of the packages in `PACKAGES`. What a remedy must do is in
tests/core/judge/remedies.py.
"""

from __future__ import annotations

import hashlib
import os
import signal
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache, partial
from multiprocessing import Pool
from pathlib import Path
from tempfile import TemporaryDirectory

from core.cli.batch.inputs import inputs_of
from core.files import mesh_store
from tests.core.judge.remedies import DeadEnd, Followed, follow
from tests.core.judge.robot_room import Room, copied
from tests.reference_data import DATA

from .command import CHECKOUT, table, write_section
from .packages import installed

TITLE = "Remedies that were followed"
FAULTS = DATA / "robot_faults"
LEFT_OUT = ("hostile", "cad")
"""Folders of the reference data whose files are not read as robots, or are meant to do harm."""
PACKAGES = {
    "scoreboard.txt": ("example-robot-data", "rtb-data"),
    "mjcf.txt": ("robosuite-models", "dm-control", "gymnasium-robotics"),
}
NOT_ROBOTS = ("random_urdfs",)
SECONDS = 60
"""A file that takes longer is given up."""

Task = tuple[Path, Path]
"""The folder that is copied, and the path of a robot's file in it."""


def main() -> int:
    """Follow all remedies, print the figures and the dead ends, and return 1 if there are any."""
    parser = ArgumentParser(description="Follow each remedy of check.")
    parser.add_argument("files", metavar="FILE", type=Path, nargs="*", help="files or folders")
    parser.add_argument("--one-in", metavar="N", type=int, default=1, help="follow only one file in so many")
    parser.add_argument("--packages", action="store_true", help="the robots of packages, which are downloaded once")
    parser.add_argument("--results", action="store_true", help="also write the figures into benchmarks/results.md")
    chosen = parser.parse_args()
    folders = list(_folders(chosen.files, chosen.packages))
    results: list[Followed] = []
    given_up = []
    tasks = [task for folder in folders for task in robots_in(folder)][:: chosen.one_in]
    with TemporaryDirectory() as temporary, Pool(2, _read_meshes_once) as pool:
        for result in pool.imap(partial(_followed, Path(temporary)), tasks, chunksize=1):
            if isinstance(result, str):
                given_up.append(result)
            else:
                results.append(result)
            print(f"{len(results) + len(given_up)}/{len(tasks)}", file=sys.stderr, end="\r")
    dead_ends = [dead for result in results for dead in result.dead_ends]
    text = _about(chosen.packages, chosen.one_in) + _section(results, dead_ends, given_up)
    print(text)
    print(*map(str, dead_ends), sep="\n")
    if chosen.results:
        write_section(TITLE, text)
    return 1 if dead_ends else 0


def folders_of_packages() -> Iterator[Path]:
    """Yield the folders of the packages in `PACKAGES`, which are downloaded once."""
    for requirements, names in PACKAGES.items():
        yield from (root for _, root in installed(CHECKOUT / "requirements" / requirements, names))


def _folders(given: Iterable[Path], packages: bool) -> Iterator[Path]:
    if packages:
        yield from folders_of_packages()
    yield from (path.resolve() for path in given)
    if not (packages or given):
        yield from (path for path in sorted(FAULTS.glob("*/")) if path.name not in LEFT_OUT)
        yield CHECKOUT / "examples"


def robots_in(path: Path) -> Iterator[Task]:
    """Yield the robots' files in a folder, each content once; a file is copied with its package or its folder."""
    folder = path if path.is_dir() else next((at for at in path.parents if (at / "package.xml").is_file()), path.parent)
    contents = set()
    for name in map(Path, inputs_of("repair", [str(path)], None)):
        if name.is_file() and not {*NOT_ROBOTS} & {*name.parts}:
            content = hashlib.sha256(name.read_bytes()).hexdigest()
            if content not in contents:
                contents.add(content)
                yield folder, name.relative_to(folder)


def _read_meshes_once() -> None:
    """Keep the meshes that were read last, and what was computed of them: no command writes a mesh."""
    mesh_store.load_mesh = lru_cache(200)(mesh_store.load_mesh)


def _followed(temporary: Path, task: Task) -> Followed | str:
    """Return what following the remedies of a file led to, or its name if that takes too long."""
    folder, name = task

    def give_up(*_: object) -> None:
        raise _Late

    room = _room(temporary / str(os.getpid()), folder)
    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(SECONDS)
    try:
        return follow(room, room.folder / name)
    except _Late:
        return f"{folder.name}/{name.as_posix()}"
    finally:
        signal.alarm(0)
        room.put_back()


class _Late(BaseException):
    """Raised in a file that takes too long. The command line catches all of `Exception`."""


@cache
def _room(into: Path, folder: Path) -> Room:
    """Return this process's copy of a folder."""
    into.mkdir(exist_ok=True)
    return Room(copied(folder, into))


def _about(packages: bool, one_in: int) -> str:
    """Return what was followed, in a sentence."""
    names = ", ".join(name for named in PACKAGES.values() for name in named)
    which, word = (f"Robots of {names}", " --packages") if packages else ("Robots", "")
    part = f", one file in {one_in}" if one_in > 1 else ""
    text = (
        f"{which}{part}, by `python -m benchmarks.remedies{word}`. Each command that a remedy of `check` names is run"
    )
    text += " as it stands; it is a dead end if its finding is still there, an error is new, or a second run"
    return text + " changes more.\n\n"


def _section(results: list[Followed], dead_ends: list[DeadEnd], given_up: list[str]) -> str:
    """Return the figures as Markdown."""
    rows: list[tuple[object, ...]] = [
        ("files", len(results)),
        ("findings, with --strict", sum(result.findings for result in results)),
        ("findings whose remedy names a command", sum(result.with_command for result in results)),
        ("different commands", sum(result.commands for result in results)),
        ("dead ends", len(dead_ends)),
        ("dead ends of --strict alone", sum(dead.happened.startswith("with --strict") for dead in dead_ends)),
        ("files with a dead end", sum(bool(result.dead_ends) for result in results)),
        (f"files given up after {SECONDS} s", len(given_up)),
    ]
    text = table("what | count", rows)
    codes = Counter(sorted(dead.code for dead in dead_ends))
    if codes:
        text += table("dead ends by code | count", [*codes.most_common()])
    return text + "".join(f"Given up: {name}.\n" for name in given_up)


if __name__ == "__main__":
    sys.exit(main())
