# SPDX-License-Identifier: GPL-3.0-or-later
"""Run `check` and `repair` in this process on a copied folder of robots, which is put back afterwards."""

from __future__ import annotations

import io
import os
import re
import shutil
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.api.robot import read_robot
from core.cli import check
from core.cli.checked import lasting_subject
from core.cli.main import main
from core.errors import InertiaError
from core.formats.table import SUFFIXES, USD
from core.formats.usd.override import override_path
from core.robot.report import inertial_json

SIZE, SINGLE = 1e-8, 2e-7
"""Numbers are written with 1e-9 of their size, in USD in single precision."""

OVER = ".inertia"
"""What the name of the layer over a USD file has more."""

_LINK = re.compile(r".*/(?:link|body)\[@name='.*?'\](?=/|$)", re.DOTALL)

Key = tuple[str, str]
"""A finding's code, and its link or whatever else it is about."""


@dataclass(frozen=True)
class Ended:
    """How a command ended, and what it printed."""

    status: int
    out: bytes
    err: str

    @property
    def reason(self) -> str:
        """The last line of what it printed on standard error."""
        lines = self.err.strip().splitlines()
        return f"exit {self.status}: {lines[-1] if lines else 'no message'}"


@dataclass(frozen=True)
class Checked:
    """The exit status of `check`, and its findings as JSON has them."""

    status: int
    findings: list[dict[str, str]]

    def keys(self, severity: str = "") -> Counter[Key]:
        """Return how often each finding is there; only those of a severity if it is given."""
        return Counter(key_of(finding) for finding in self.findings if severity in ("", finding["severity"]))


def copied(folder: Path, into: Path) -> Path:
    """Copy a folder of robots; files that no command writes, such as meshes, become hard links."""

    def copy(source: str, target: str) -> None:
        try:
            if Path(source).suffix.lower() in SUFFIXES:
                raise OSError
            os.link(source, target)
        except OSError:
            shutil.copyfile(source, target)

    return Path(shutil.copytree(folder, into / folder.name, copy_function=copy, ignore_dangling_symlinks=True))


def key_of(finding: dict[str, str]) -> Key:
    """Return what stays of a finding when lines move: its code and its link."""
    subject = lasting_subject(finding["subject"]).replace(OVER, "", 1)
    link = _LINK.match(subject)
    return finding["code"], link[0] if link else subject


def run(*words: str) -> Ended:
    """Run a command in this process, in the working directory."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        try:
            status = main(words)
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 1
        out.flush()
        err.flush()
    return Ended(status, out.buffer.getvalue(), err.buffer.getvalue().decode(errors="replace"))


def checked(name: str, strict: bool, roots: Iterable[str] = ()) -> Checked:
    """Check a file as `check` does, without counting its links: that reads more meshes."""
    parser = ArgumentParser()
    check.add_options(parser)
    words = [word for root in roots for word in ("--path", root)]
    options = parser.parse_args([*words, *(["--strict"] if strict else [])])
    options.input = Path(name)
    with redirect_stderr(io.StringIO()):
        status, findings = check.task(options, None)
    return Checked(status, findings["findings"])


class Room:
    """A copied folder of robots, which is put back after each command."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.first = folder, {}
        self.first = self.files()

    def files(self, backups: bool = True) -> dict[Path, bytes]:
        """Return the bytes of all files that a command may have written."""
        ends = (*SUFFIXES, ".bak") if backups else SUFFIXES
        walked = (Path(at, name) for at, _, names in os.walk(self.folder) for name in names)
        return {path: path.read_bytes() for path in walked if path.suffix.lower() in ends}

    def put_back(self) -> None:
        """Write the files as they were at first, and remove all others."""
        for path, data in self.files().items():
            if path not in self.first:
                path.unlink()
            elif data != self.first[path]:
                path.write_bytes(self.first[path])


def written_as(name: str) -> Path:
    """Return the path of what a command makes of a file: of the layer over it, if that is USD."""
    path = Path(name)
    return override_path(path) if path.suffix in USD.suffixes and OVER not in name else path


def changed(name: str) -> str:
    """Return the name of a file, or that of the layer over it, once a command has written it."""
    return str(written_as(name)) if written_as(name).exists() else name


def inertials(name: str) -> dict[str, dict[str, Any] | None]:
    """Return the inertials in a file by their links, without names that several links have."""
    try:
        links = read_robot(name).file.links
    except InertiaError:
        return {}
    counts = Counter(link.name for link in links)
    return {
        link.name: None if link.inertial is None or not link.inertial.is_finite() else inertial_json(link.inertial)
        for link in links
        if counts[link.name] == 1
    }


def not_as_listed(links: Any, old: dict[str, Any], new: dict[str, Any], size: float) -> Iterator[tuple[str, str]]:
    """Yield where the written numbers are not those that `repair` lists, to a share of their size."""
    listed = {link["name"]: link["new"] for link in links if link["done"]}
    for name in old.keys() & new.keys():
        wanted, there = listed.get(name, old[name]), new[name]
        if wanted is None or there is None:
            if wanted is not there:
                yield "as_listed", f"{name} is written with {there}, but listed with {wanted}"
            continue
        for what in ("mass", "com", "inertia"):
            first, second = map(_array, (wanted[what], there[what]))
            if not np.allclose(first, second, rtol=0.0, atol=size * float(np.abs(first).max())):
                yield "as_listed", f"{name}: {what} is written as {there[what]}, but listed as {wanted[what]}"


def _array(value: Any) -> Any:
    return np.array([*value.values()] if isinstance(value, dict) else value)
