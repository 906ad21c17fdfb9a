# SPDX-License-Identifier: Apache-2.0
"""The plan of a batch: its inputs, a task for each of its shard, and what their results depend on."""

from __future__ import annotations

import json
import os
from argparse import Namespace
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from ...body.density_map import DensityMap
from ...document.locate import SEARCH_VARIABLES
from ...errors import Finding, InertiaError
from ...files.limits import FORMATS
from ...files.whole_files import filesystem_key, ignores_case
from ...formats.mjcf.format import MJCF
from ...formats.sdf.format import SDF
from ...formats.step.assembly import SUFFIXES as STEP
from ...formats.table import IN_FOLDERS, is_robot
from ...version import version
from ..cad_options import weighed_of
from ..file_options import listed_names
from ..outputs import overwritten
from . import blender
from .options import OWN
from .task import Task, module_of

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

LIBRARIES = ("numpy", "trimesh", "manifold3d", "pycollada", "xacro", "mujoco", "cadquery-ocp-novtk")
"""Packages on which results depend; not all need to be installed."""


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


class Plan:
    """The tasks of a batch, by its options; the folder of its output exists.

    Raises
    ------
    InertiaError
        If a list, a map of densities, a table of weighed masses or Blender cannot be used.
    """

    def __init__(self, options: Namespace) -> None:
        self._options = options
        self._own = {name: value for name, value in vars(options).items() if name not in OWN}
        self._densities = None
        if self._own.get("densities") is not None:
            self._densities = DensityMap.read(options.densities, with_scale=options.verb == "mass")
        self._weighed = weighed_of(options) if hasattr(options, "weighed") else {}
        if options.verb == "mass":
            del self._own["densities"]
        if options.verb == "export":
            self._own |= blender.prepared(options)
        self._files, self.findings = inputs_of(options.verb, options.inputs, options.listed, options.output)
        problem = overwritten(options, self._files)
        if problem is not None:
            raise InertiaError.of("same_output", "", "read", problem=problem)
        self._same: dict[str, str] = {}
        if options.output is not None:
            self._same = same_targets(options.verb, self._files, options.output)

    @property
    def count(self) -> int:
        """Number of inputs, of all shards."""
        return len(self._files)

    def key(self) -> str:
        """Return a digest of all that a result depends on besides the files that were read."""
        options = self._options
        settings = {name: str(value) for name, value in sorted(self._own.items())}
        if isinstance(self._own.get("what"), frozenset):
            settings["what"] = ",".join(sorted(self._own["what"]))
        if self._densities is not None:
            settings["densities"] = str(self._densities.rows)
        if self._weighed:
            settings["weighed"] = str(sorted(self._weighed.items()))
        settings["folder"] = os.getcwd()  # inputs, meshes and outputs may be relative to it
        settings["output"] = "" if options.output is None else os.path.abspath(options.output)
        searched = {name: os.environ.get(name, "") for name in SEARCH_VARIABLES}
        versions = [version(), *map(_version_of, LIBRARIES)]
        return sha256(json.dumps([options.verb, settings, searched, versions]).encode()).hexdigest()

    def tasks(self) -> Iterator[Task | None]:
        """Yield the task of each input; None for an input of another shard."""
        options = self._options
        module, folder = module_of(options.verb), os.getcwd()
        for file in self._files:
            if options.shard is not None and not is_in_shard(file, options.shard):
                yield None
                continue
            target = target_of(options.verb, file, options.output) if options.output is not None else ""
            task = Task(module, file, self._own, folder, target)
            try:
                yield self._checked(task)
            except InertiaError as error:
                yield replace(task, refusal=error.finding())

    def _checked(self, task: Task) -> Task:
        """Return a task, of ``mass`` with the map's density for its file; raises InertiaError if it is refused."""
        if task.input in self._same:
            other = self._same[task.input]
            what = "it" if other == task.input else f"{other}, or its output"
            raise InertiaError.of("same_output", task.input, "overwrite", target=task.target, what=what)
        if self._densities is None or self._options.verb != "mass":
            return task
        row = self._densities.find(os.path.abspath(task.input))  # however the path was spelled
        if row is None:
            if self._options.density is not None:
                return task
            raise InertiaError.of("not_in_map", task.input, "batch")
        numbers = {"density": row.density if row.mass is None else None, "mass": row.mass}
        numbers |= {} if row.scale is None else {"scale": row.scale}
        return replace(task, options={**task.options, **numbers})


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


def _left_out(verb: str, steps: Mapping[str, list[str]], by_path: Container[str]) -> Iterator[Finding]:
    for folder, names in steps.items():
        others = [name for name in names if os.path.abspath(name) not in by_path]
        if others:
            pattern = f"{quote(os.path.dirname(others[0]) or os.curdir)}/*{os.path.splitext(others[0])[1]}"
            yield Finding.of("info", "step_left_out", folder, count=len(others), verb=verb, pattern=pattern)


def _is_below(path: str, folder: str) -> bool:
    return bool(folder) and os.path.realpath(path).startswith(os.path.join(folder, ""))


def _version_of(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
