# SPDX-License-Identifier: GPL-3.0-or-later
"""Small SDF files whose elements lean on each other: how long until they are read, or refused."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from core import read_robot
from core.errors import InertiaError

FRAMES = 10_000


def table() -> str:
    """Return the figures as Markdown."""
    text = "| file | check | target |\n|---|---:|---:|\n"
    with TemporaryDirectory() as folder:
        for title, path in (
            (f"{FRAMES:,} frames, each attached to the next", _frames(Path(folder))),
            ("five files of 2 KB that expand to 11,110 includes: refused", _includes(Path(folder), 4)),
            ("six that expand to 111,110: refused", _includes(Path(folder), 5)),
        ):
            start = perf_counter()
            try:
                read_robot(path).check()
                refused = False
            except InertiaError:
                refused = True
            seconds = perf_counter() - start
            assert refused == title.endswith("refused")
            text += f"| {title} | {seconds:.2f} s | {2 if refused else 1} s |\n"
    return text


def _frames(folder: Path) -> Path:
    frames = "".join(f"<frame name='f{i}' attached_to='f{i + 1}'/>" for i in range(FRAMES - 1))
    path = folder / "frames.sdf"
    last = f"<frame name='f{FRAMES - 1}' attached_to='l'/>"
    path.write_text(f"<sdf version='1.11'><model name='m'><link name='l'/>{frames}{last}</model></sdf>")
    return path


def _includes(folder: Path, levels: int) -> Path:
    for level in range(levels + 1):
        uri = f"<uri>{level + 1}.sdf</uri>"
        inner = "".join(f"<include>{uri}<name>n{i}</name></include>" for i in range(10)) if level < levels else ""
        text = f"<sdf version='1.11'><model name='m'><link name='l'/>{inner}</model></sdf>"
        (folder / f"{level}.sdf").write_text(text)
    return folder / "0.sdf"


if __name__ == "__main__":
    print(table())
