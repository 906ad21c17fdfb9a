# SPDX-License-Identifier: Apache-2.0
"""The plan of a batch: its inputs, a task for each of its shard, and what their results depend on."""

from __future__ import annotations

import json
import os
from argparse import Namespace
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from hashlib import sha256
from importlib import metadata
from pathlib import Path

from ...body.density_map import DensityMap
from ...document.locate import SEARCH_VARIABLES
from ...errors import InertiaError
from ...files.whole_files import filesystem_key, ignores_case
from ...formats.table import USD
from ...formats.usd.override import SUFFIX as LAYER
from ...formats.usd.override import override_path
from ...version import version
from ..options.cad_options import weighed_of
from ..options.inputs import inputs_of
from ..options.outputs import overwritten
from . import blender
from .options import OWN
from .task import Task, module_of

LIBRARIES = ("numpy", "trimesh", "manifold3d", "pycollada", "xacro", "mujoco", "usd-core", "cadquery-ocp-novtk")
"""Packages on which results depend; not all need to be installed."""


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
        self._files, self.findings = inputs_of(options.verb, options.inputs, options.listed, options.output, options)
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
        printed = {} if row.wall is None else {"method": "printed", "wall": row.wall, "infill": row.infill}
        return replace(task, options={**task.options, **numbers, **printed})


def is_in_shard(file: str, shard: tuple[int, int]) -> bool:
    """Return True if a file belongs to shard ``(i, n)``, i from 1, by its name: each file belongs to exactly one."""
    number, count = shard
    return int(sha256(os.fsencode(file)).hexdigest()[:16], 16) % count == number - 1


def target_of(verb: str, file: str, folder: Path) -> str:
    """Return the path of a file's output: below `folder`, as the file is below the current folder or the root.

    The output of an export is a folder, and ends with a slash; that of a report is a page, that of USD a layer.
    """
    try:
        below = Path(os.path.abspath(file)).relative_to(Path.cwd())
    except ValueError:
        below = Path(*Path(os.path.abspath(file)).parts[1:])
    if verb == "export":
        return f"{folder / below.with_suffix('')}/"
    if verb in ("repair", "fill") and below.suffix.lower() in USD.suffixes and not below.name.endswith(LAYER):
        below = override_path(below)
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


def _version_of(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
