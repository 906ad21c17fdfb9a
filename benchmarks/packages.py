# SPDX-License-Identifier: GPL-3.0-or-later
"""Packages of Python that bring robots, each installed alone, without what it depends on."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Container, Iterator
from pathlib import Path

from .command import CHECKOUT

FOLDER = CHECKOUT / "build" / "scoreboard"


def listed(requirements: Path) -> dict[str, str]:
    """Return the versions of the packages that a file lists, by name."""
    return dict(re.findall(r"^([\w.-]+)==(\S+)$", requirements.read_text(encoding="utf-8"), re.MULTILINE))


def installed(requirements: Path, names: Container[str] | None = None) -> Iterator[tuple[str, Path]]:
    """Yield the name and the folder of each package, or of those named; it is downloaded if it is not there yet."""
    for name, version in listed(requirements).items():
        if names is not None and name not in names:
            continue
        folder = FOLDER / f"{name}-{version}"
        if not folder.is_dir():
            unfinished = folder.with_suffix(".part")
            words = ("install", "-q", "--no-deps", "--no-compile", "--target", unfinished, f"{name}=={version}")
            subprocess.run([sys.executable, "-m", "pip", *words], check=True)
            unfinished.rename(folder)
        yield name, folder
