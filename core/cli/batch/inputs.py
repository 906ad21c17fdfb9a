# SPDX-License-Identifier: Apache-2.0
"""The inputs of a batch: the files, those of this shard, and the path of each output."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from ...errors import Finding, InertiaError
from ...files.mesh_file import FORMATS
from ...files.whole_files import filesystem_key, ignores_case
from ...formats.mjcf.format import MJCF
from ...formats.sdf.format import SDF
from ...formats.step.assembly import SUFFIXES as STEP
from ...formats.table import IN_FOLDERS, is_robot
from ..file_options import listed_names

SUFFIXES = {
    "mass": FORMATS,
    "check": (*FORMATS, *IN_FOLDERS),
    "fill": (*SDF.suffixes, *MJCF.suffixes),
    "report": IN_FOLDERS,
    "repair": IN_FOLDERS,
    "export": (".blend",),
}
"""Suffixes of the files that a command takes from a folder."""

READ_STEP = ("mass", "check", "report")
"""Commands that take STEP files from a folder that has no other input: beside others they are what these were made of,
and the same shapes would be counted twice."""


class Inputs(NamedTuple):
    """The inputs of a batch.

    Parameters
    ----------
    files : list of str
        Each once.
    findings : tuple of Finding
        About folders whose STEP files are not among them.
    """

    files: list[str]
    findings: tuple[Finding, ...]


def inputs_of(verb: str, named: Iterable[str], listed: str | None, output: Path | None = None) -> Inputs:
    """Return the input files: those given, those in given folders, and those in a list.

    A folder that cannot be read, or has no such file, is returned itself, so that it is reported. Links to folders are
    not followed. Files in `output` are not inputs unless given by name.

    Raises
    ------
    InertiaError
        ``file_read`` if the list cannot be read; ``same_output`` if `output` is itself a folder of inputs.
    """
    real_output = "" if output is None else os.path.realpath(output)
    listed_words = (word for word in listed_names(listed) if not _is_below(word, real_output))
    steps: dict[str, list[str]] = {}
    files = (file for word in (*named, *listed_words) for file in _files(verb, word, real_output, steps))
    by_path = {os.path.abspath(file): file for file in files}
    return Inputs(list(by_path.values()), tuple(_left_out(verb, steps, by_path)))


def _left_out(verb: str, steps: Mapping[str, list[str]], by_path: Container[str]) -> Iterator[Finding]:
    for folder, names in steps.items():
        others = [name for name in names if os.path.abspath(name) not in by_path]
        if others:
            pattern = f"{quote(os.path.dirname(others[0]) or os.curdir)}/*{os.path.splitext(others[0])[1]}"
            yield Finding.of("info", "step_left_out", folder, count=len(others), verb=verb, pattern=pattern)


def _is_below(path: str, folder: str) -> bool:
    return bool(folder) and os.path.realpath(path).startswith(os.path.join(folder, ""))


def _files(verb: str, word: str, output: str, steps_left_out: dict[str, list[str]]) -> Iterator[str]:
    """Yield the files that a word names; add STEP files that are not taken to `steps_left_out`, by their folder."""
    if not os.path.isdir(word):
        yield os.path.normpath(word)
        return
    if output and os.path.realpath(word) == output:
        raise InertiaError.of("same_output", f"--output {word}", "inputs")
    unread: list[str] = []
    steps: list[str] = []
    has_input = False
    for folder, folders, names in os.walk(word, onerror=lambda error: unread.append(str(error.filename))):
        folders[:] = sorted(name for name in folders if os.path.realpath(os.path.join(folder, name)) != output)
        for name in sorted(names):
            path = os.path.normpath(os.path.join(folder, name))
            if name.lower().endswith(SUFFIXES[verb]) and not name.startswith(".") and is_robot(path):
                has_input = True
                yield path
            elif name.lower().endswith(STEP) and not name.startswith(".") and verb in READ_STEP:
                steps.append(path)
    if has_input and steps:
        steps_left_out[word] = steps
    yield from map(os.path.normpath, unread or ([] if has_input else steps or [word]))


def is_in_shard(file: str, shard: tuple[int, int]) -> bool:
    """Return True if a file belongs to shard ``(i, n)``, i from 1, by its name: each file belongs to exactly one."""
    number, count = shard
    return int(sha256(os.fsencode(file)).hexdigest()[:16], 16) % count == number - 1


def target_of(verb: str, file: str, folder: Path) -> str:
    """Return the path of a file's output: below `folder`, as the file is below the current folder or the root.

    The output of an export is a folder, and ends with a slash; that of a report is a page.
    """
    try:
        below = Path(os.path.abspath(file)).relative_to(Path.cwd())
    except ValueError:
        below = Path(*Path(os.path.abspath(file)).parts[1:])
    if verb == "export":
        return f"{folder / below.with_suffix('')}/"
    return str(folder / below) + (".html" if verb == "report" else "")


def same_targets(verb: str, files: Iterable[str], folder: Path) -> dict[str, str]:
    """Return the files whose output would overwrite an input or another output, each with that other file."""
    targets = {file: target_of(verb, file, folder) for file in files}
    named: dict[str, list[str]] = defaultdict(list)
    for file, target in targets.items():
        named[filesystem_key(target)].append(file)
    doubtful = [alike for alike in named.values() if alike[1:]]
    if doubtful and not ignores_case(folder):
        exact: dict[str, list[str]] = defaultdict(list)
        for file in (file for alike in doubtful for file in alike):
            exact[targets[file]].append(file)
        doubtful = [alike for alike in exact.values() if alike[1:]]
    same = {file: alike[1] if file == alike[0] else alike[0] for alike in doubtful for file in alike}
    inputs = {os.path.realpath(file): file for file in targets}
    real = {file: os.path.realpath(target) for file, target in targets.items()}
    return same | {file: inputs[target] for file, target in real.items() if target in inputs}
