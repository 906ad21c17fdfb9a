# SPDX-License-Identifier: GPL-3.0-or-later
"""Run the command line of any checkout from outside, and find the robots that packages publish."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from subprocess import Popen
from tempfile import TemporaryFile
from threading import Timer

CHECKOUT = Path(__file__).parents[1]
RESULTS = Path(__file__).with_name("results.md")
SECONDS = 300.0
"""A process that runs longer is ended."""
THINNED = ("random_urdfs", 40)
"""The 1,000 procedural objects of this folder are not robots: one in so many is taken."""
LOOKED_UP = ("ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH", "GZ_SIM_RESOURCE_PATH", "SDF_PATH", "PYTHONPATH")
"""Variables that would make the result depend on the machine."""


@dataclass(frozen=True)
class Done:
    """What a process printed, how it ended, and the CPU time [s] of it and its children."""

    code: int
    out: str
    err: str
    cpu: float


@dataclass(frozen=True)
class File:
    """A robot's file: a path relative to the folder of its package."""

    package: str
    root: Path
    path: Path

    @property
    def name(self) -> str:
        """Return a name that does not depend on the machine."""
        return f"{self.package}/{self.path.as_posix()}"

    @property
    def absolute(self) -> Path:
        """Return where the file is."""
        return self.root / self.path


def options(description: str, output: str) -> ArgumentParser:
    """Return a parser with the options that both benchmarks have."""
    parser = ArgumentParser(description=description)
    parser.add_argument("--checkout", type=Path, default=CHECKOUT, help="whose `python -m core` is run")
    parser.add_argument("--output", type=Path, default=CHECKOUT / "build" / output, help="folder of the raw results")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--results", action="store_true", help="also write the section into benchmarks/results.md")
    return parser


def ready(parser: ArgumentParser) -> Namespace:
    """Return the options with absolute paths, and make the output folder."""
    chosen = parser.parse_args()
    chosen.checkout, chosen.output = chosen.checkout.resolve(), chosen.output.resolve()
    chosen.output.mkdir(parents=True, exist_ok=True)
    return chosen


def core(checkout: Path, *arguments: str | Path, folder: Path) -> Done:
    """Run ``python -m core`` of a checkout in a folder."""
    python = checkout / ".venv" / "bin" / "python"
    return run(
        python if python.exists() else Path(sys.executable), "-m", "core", *arguments, folder=folder, on=checkout
    )


def run(*command: str | Path, folder: Path | None = None, on: Path | None = None, seconds: float = SECONDS) -> Done:
    """Run a command and return how it ended; `on` is put on the path of Python's modules."""
    known = {name: value for name, value in os.environ.items() if name not in LOOKED_UP}
    env = known | ({"PYTHONPATH": str(on)} if on else {})
    with TemporaryFile() as out, TemporaryFile() as err:
        process = Popen([str(word) for word in command], stdout=out, stderr=err, cwd=folder, env=env)
        timer = Timer(seconds, process.kill)
        timer.start()
        _, status, used = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read().decode("utf-8", "replace"))
    return Done(process.returncode, *texts, used.ru_utime + used.ru_stime)


def files(*suffixes: str) -> list[File]:
    """Return the files of all packages with one of these suffixes, ordered by name."""
    return [
        File(package, root, path.relative_to(root))
        for package, root in packages().items()
        for path in _taken(sorted(path for path in root.rglob("*") if path.suffix in suffixes and path.is_file()))
    ]


def _taken(paths: list[Path]) -> list[Path]:
    folder, one_in = THINNED
    many = [path for path in paths if folder in path.parts]
    return sorted({*paths} - {*many} | {*many[::one_in]})


def packages() -> dict[str, Path]:
    """Return the folder of robots of each package that requirements/robots.txt installs."""
    example = Path(sys.prefix, *SITE, "cmeel.prefix", "share", "example-robot-data")
    bullet, toolbox = (Path(find_spec(name).submodule_search_locations[0]) for name in ("pybullet_data", "rtbdata"))
    return {"example-robot-data": example, "pybullet_data": bullet, "rtbdata": toolbox}


SITE = ("lib", f"python{sys.version_info.major}.{sys.version_info.minor}", "site-packages")


def find_mesh(uri: str, file: File) -> Path | None:
    """Return the mesh that a file means, wherever it is in the package: by its longest trailing path, at last its name.

    That is kinder than any simulator: whether the command finds the mesh is what is measured.
    """
    parts = [part for part in uri.partition("://")[2].split("/") or [] if part] or uri.split("/")
    beside = file.absolute.parent / uri
    if "://" not in uri and beside.is_file():
        return beside.resolve()
    named = _by_name(file.root).get(parts[-1].lower(), [])

    def nearness(path: Path) -> tuple[int, int, str]:
        same = len(os.path.commonprefix([path.parts[::-1], tuple(parts[::-1])]))
        return same, len(os.path.commonprefix([path.parts, file.absolute.parts])), str(path)

    return max(named, key=nearness, default=None)


@cache
def _by_name(root: Path) -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = {}
    for path in sorted(root.rglob("*")):
        if path.is_file():
            found.setdefault(path.name.lower(), []).append(path)
    return found


def finish(chosen: Namespace, title: str, text: str) -> None:
    """Print a section and write it to the output folder, and to results.md if that is chosen."""
    (chosen.output / "section.md").write_text(f"## {title}\n\n{text}", encoding="utf-8")
    print(text)
    if chosen.results:
        write_section(title, text)


def write_section(title: str, text: str) -> None:
    """Write a section of results.md, in place of the one with that title."""
    head, *sections = RESULTS.read_text(encoding="utf-8").split("\n## ")
    section = f"{title}\n\n{text.strip()}\n"
    titles = [one.partition("\n")[0] for one in sections]
    if title in titles:
        sections[titles.index(title)] = section
    else:
        sections.append(section)
    RESULTS.write_text("\n## ".join([head, *sections]), encoding="utf-8")


def table(head: str, rows: list[tuple[object, ...]], right: int = 1) -> str:
    """Return a Markdown table; the columns from `right` on are numbers."""
    columns = [part.strip() for part in head.split("|")]
    text = f"| {' | '.join(columns)} |\n|{'---|' * right}{'---:|' * (len(columns) - right)}\n"
    return text + "".join(f"| {' | '.join(str(cell) for cell in row)} |\n" for row in rows) + "\n"
