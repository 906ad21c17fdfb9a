# SPDX-License-Identifier: GPL-3.0-or-later
"""Check the robots that packages of Python bring, and write docs/scoreboard.md.

``make scoreboard`` installs the packages of requirements/scoreboard.txt without what they depend on into
build/scoreboard, and checks each SDF and URDF file in them.
"""

from __future__ import annotations

import hashlib
import signal
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from multiprocessing import Pool
from pathlib import Path

from core import InertiaError, Robot, read_robot
from core.judge.verdict import OF_CODE
from core.version import version

from .command import CHECKOUT
from .packages import installed, listed

PACKAGES = CHECKOUT / "requirements" / "scoreboard.txt"
PAGE = CHECKOUT / "docs" / "scoreboard.md"
SUFFIXES = (".urdf", ".sdf")
NOT_ROBOTS = ("random_urdfs",)
"""Folders of objects for robots to grasp: 1,000 of them."""
SECONDS = 300
"""A file that takes longer is not judged."""
FAULTS = ("impossible", "placeholder", "missing", "mistake", "doubtful")
"""The columns; `twins` are counted as doubtful, and so is a link whose geometry is in doubt."""
assert {*FAULTS, "twins", "geometry"} == {*OF_CODE.values(), "impossible"}

INTRODUCTION = """\
# Scoreboard

What `sdf-inertia check` reports about the inertials of robots that can be installed with pip, made by `make scoreboard`
with SDF Inertia {version} on {date}. It covers {robots} files of robots and objects with {links} links from {packages}
packages; files with equal content count once. {sound} files have no finding at all. Robots change: look at the date and
the version, and run `sdf-inertia check` on yours; `sdf-inertia explain CODE` explains a finding.

A finding is not a verdict on a robot. Many models are made for kinematics, where inertials do not matter, and a
simplified inertial may be intended. These words are used:

* **sound**: no finding, not even a warning.
* **impossible**: no body can have these numbers, such as moments that break the triangle inequality.
* **placeholder**: a template's tensor, such as the unit matrix, or one copied from another link that it does not fit.
* **missing**: a link without an inertial, or one that moves without mass.
* **mistake**: a mistake with a name, such as grams for kilograms or a wrong sign, that is certain.
* **doubtful**: possible, but far from what its geometry suggests.
* **repaired**: inertials that `sdf-inertia repair` replaces by computed ones, without any options.
"""


@dataclass(frozen=True)
class Row:
    """The counts of one file, and those of all findings about it by code; `error` is why it could not be read."""

    package: str
    name: str
    links: int = 0
    inertials: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    repaired: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    error: str = ""

    @property
    def is_sound(self) -> bool:
        """True if the file has inertials and no finding."""
        return self.inertials > 0 and not self.codes and not self.error

    @property
    def sound(self) -> int:
        """The number of links without a finding."""
        return self.links - self.faults.total()


def main() -> None:
    """Install, check, and write the page."""
    packages = listed(PACKAGES)
    tasks = [(name, root, path) for name, root in installed(PACKAGES) for path in _robots(root)]
    rows = []
    with Pool(2, maxtasksperchild=4) as pool:
        for row in pool.imap(_judged, tasks, chunksize=1):
            rows.append(row)
            print(f"{len(rows)}/{len(tasks)} {row.package} {row.name} {dict(row.faults)} {row.error}", file=sys.stderr)
    PAGE.write_text(page(rows, packages, date.today()), encoding="utf-8")


def _robots(root: Path) -> list[Path]:
    """Return the robots' files below a folder, each content once."""
    contents: dict[str, Path] = {}
    for path in sorted(root.rglob("*")):
        if path.suffix in SUFFIXES and path.is_file() and not {*NOT_ROBOTS} & {*path.parts}:
            contents.setdefault(hashlib.sha256(path.read_bytes()).hexdigest(), path)
    return sorted(contents.values())


def _judged(task: tuple[str, Path, Path]) -> Row:
    package, root, path = task
    name = path.relative_to(root).as_posix()

    def give_up(*_: object) -> None:
        raise TimeoutError(f"took more than {SECONDS} s")

    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(SECONDS)
    try:
        return _row(package, name, read_robot(path, _lookup(root, path)))
    except (InertiaError, TimeoutError) as error:
        return Row(package, name, error=error.code if isinstance(error, InertiaError) else str(error))
    finally:
        signal.alarm(0)


def _lookup(root: Path, path: Path) -> list[Path]:
    """Return the folders above a file, the nearest first: packages name meshes by any of them."""
    return [folder for folder in path.parents if folder.is_relative_to(root)]


def _row(package: str, name: str, robot: Robot) -> Row:
    links = robot.links.values()
    faults = Counter(link.fault if link.fault in FAULTS else "doubtful" for link in links if link.fault is not None)
    repaired = sum(change.new is not None for change in robot.repair().changes)
    inertials = sum(link.inertial is not None for link in links)
    codes = Counter(finding.code for finding in robot.check())
    return Row(package, name, len(links), inertials, faults, repaired, codes)


def page(rows: list[Row], packages: dict[str, str], day: date) -> str:
    """Return the page as Markdown."""
    read = [row for row in rows if not row.error and row.links]
    sound = [row for row in read if row.is_sound]
    others = [row for row in read if not row.is_sound]
    head = INTRODUCTION.format(
        version=version(),
        date=day.isoformat(),
        robots=len(read),
        links=f"{sum(row.links for row in read):,}",
        packages=len({row.package for row in read}),
        sound=len(sound),
    )
    text = [
        head,
        "## Packages\n\nThose with the largest share of sound links first.\n",
        *_packages(_by_package(read, packages)),
    ]
    text += ["\n## Robots without a finding\n"]
    text += [f"* {name}: {', '.join(_names(own))}" for name, own in _grouped(sound)]
    text += ["\n## All other robots\n"]
    for name, own in _grouped(others):
        text += [f"### {name} {packages[name]}\n", *_files(own), ""]
    unread = [f"* {row.package}: {row.name} ({row.error})" for row in rows if row.error]
    text += ["## Files that could not be read\n", *unread] if unread else []
    return "\n".join(text).rstrip() + "\n"


def _grouped(rows: Iterable[Row]) -> list[tuple[str, list[Row]]]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.package, []).append(row)
    return sorted(groups.items())


def _by_package(rows: list[Row], packages: dict[str, str]) -> dict[str, list[Row]]:
    """Return the rows of each package, those with the largest share of sound links first."""

    def share(item: tuple[str, list[Row]]) -> float:
        return sum(row.sound for row in item[1]) / sum(row.links for row in item[1])

    return {f"{name} {packages[name]}": own for name, own in sorted(_grouped(rows), key=share, reverse=True)}


def _named(rows: list[Row]) -> list[tuple[str, Row]]:
    """Return rows with the shortest ends of their paths that tell them apart."""
    named = []
    for row in rows:
        parts = row.name.split("/")
        ends = ("/".join(parts[-count:]) for count in range(1, len(parts) + 1))
        alike = [other.name for other in rows if other is not row]
        named.append(
            (next((end for end in ends if not any(f"/{one}".endswith(f"/{end}") for one in alike)), row.name), row)
        )
    return sorted(named)


def _names(rows: list[Row]) -> list[str]:
    return [name.rpartition(".")[0] for name, _ in _named(rows)]


def _packages(groups: dict[str, list[Row]]) -> list[str]:
    """Return the table of the packages, and below them the sum."""
    columns = ["files", "links", "sound", *FAULTS, "repaired"]
    lines = [f"| package | {' | '.join(columns)} |", f"|---|{'---:|' * len(columns)}"]
    everything = [row for own in groups.values() for row in own]
    for name, rows in [*groups.items(), ("**all**", everything)]:
        counts = [len(rows), sum(row.links for row in rows), sum(row.sound for row in rows)]
        counts += [sum(row.faults[fault] for row in rows) for fault in FAULTS]
        counts.append(sum(row.repaired for row in rows))
        lines.append(f"| {name} | {' | '.join(str(count or '') for count in counts)} |")
    return lines


def _files(rows: list[Row]) -> list[str]:
    """Return the table of the files of a package, with their findings by code."""
    lines = ["| file | links | sound | repaired | findings |", "|---|---:|---:|---:|---|"]
    for name, row in _named(rows):
        codes = ", ".join(f"{count} {code}" for code, count in row.codes.most_common())
        lines.append(f"| {name} | {row.links} | {row.sound or ''} | {row.repaired or ''} | {codes} |")
    return lines


if __name__ == "__main__":
    main()
