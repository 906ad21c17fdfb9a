# SPDX-License-Identifier: Apache-2.0
"""Finds outputs of a command that would overwrite an input or another output, before anything is written."""

from __future__ import annotations

import os
import stat
from argparse import Namespace
from collections.abc import Hashable, Iterable, Iterator
from pathlib import Path

OUTPUTS = ("output", "summary", "badge", "junit", "report", "inertials")
"""Names of the options of all commands that name a file to write."""

INPUTS = ("file", "files", "inputs", "a", "b", "listed", "baseline", "densities", "weighed", "bom", "links", "ranges")
"""Names of the options of all commands that name files to read."""


def overwritten(options: Namespace, read: Iterable[str | Path] = ()) -> str | None:
    """Return which output of a command is an input, another output or one of the files that were read, if any is.

    A command that changes a file may write the new one in its place.
    """
    changed = _identity(options.file) if hasattr(options, "in_place") else None
    outputs = [
        (f"--{name}", path)
        for name in OUTPUTS
        for path in _paths(options, name)
        if changed is None or _identity(path) != changed
    ]
    return overwritten_by(outputs, [*(path for name in INPUTS for path in _paths(options, name)), *read])


def overwritten_by(outputs: Iterable[tuple[str, str]], inputs: Iterable[str | Path]) -> str | None:
    """Return which of some outputs, each with the option that names it, is one of the inputs or another output."""
    taken = {_identity(path): str(path) for path in inputs}
    for option, path in outputs:
        identity = _identity(path)
        if identity is not None and identity in taken:
            return f"{option} {path} would overwrite {taken[identity]}: give it another name"
        taken[identity] = f"{option} {path}"
    return None


def _paths(options: Namespace, name: str) -> Iterator[str]:
    """Yield the paths that an option gives; a word that is not a path names no file."""
    value = getattr(options, name, None)
    values = value if isinstance(value, list | tuple) else [value]
    yield from (str(path) for path in values if isinstance(path, str | Path))


def _identity(path: str | Path) -> Hashable:
    """Return what two paths of a file share; None for what is not a file, such as ``-`` or a device."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None if str(path) == "-" else os.path.realpath(path)
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None
