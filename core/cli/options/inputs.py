# SPDX-License-Identifier: Apache-2.0
"""The files that a command's arguments name: those given, those below given folders, and those in a list."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from ...api.robot import Robot, check_folder, read_robot
from ...errors import Finding, InertiaError
from ...files.folders import files_below
from ...files.limits import FORMATS
from ...formats.mjcf.format import MJCF
from ...formats.robot_folders import without_included
from ...formats.sdf.format import SDF
from ...formats.step.assembly import SUFFIXES as STEP
from ...formats.table import IN_FOLDERS, is_robot
from .file_options import listed_names

SUFFIXES = {
    "mass": (FORMATS, STEP),
    "check": (IN_FOLDERS, FORMATS, STEP),
    "fill": ((*SDF.suffixes, *MJCF.suffixes),),
    "report": (IN_FOLDERS, STEP),
    "repair": (IN_FOLDERS,),
    "view": (IN_FOLDERS,),
    "export": ((".blend",),),
}
"""Suffixes of the files that a command takes from a folder: those of the first group of which there are any. Meshes
beside robots are parts of them. STEP files beside others are what these were made of: the same shapes would count
twice."""

JUDGES = ("check", "report", "view")
"""Commands that leave out a file of a folder that another one there includes: it is judged with that."""


class Inputs(NamedTuple):
    """The inputs of a command.

    Parameters
    ----------
    files : list of str
        Each once.
    findings : tuple of Finding
        About folders whose STEP files are not among them.
    """

    files: list[str]
    findings: tuple[Finding, ...]


@dataclass
class _Folders:
    """The folders that a command is given, and how their files are read."""

    verb: str
    output: str
    options: Namespace
    steps_left_out: dict[str, list[str]] = field(default_factory=dict)

    def files(self, word: str) -> Iterator[str]:
        """Yield the files that a word names; the folder itself if it has none."""
        if not os.path.isdir(word):
            yield os.path.normpath(word)
            return
        if self.output and os.path.realpath(word) == self.output:
            raise InertiaError.of("same_output", f"--output {word}", "inputs")
        unread: list[str] = []
        below = [*files_below(word, unread, self.output)]
        groups = [[*_of(below, suffixes)] for suffixes in SUFFIXES[self.verb]]
        taken = next(filter(None, groups), [])
        if STEP in SUFFIXES[self.verb] and taken is not groups[-1] and groups[-1]:
            self.steps_left_out[word] = groups[-1]
        in_place = self.verb == "repair" and not self.output
        if self.verb in JUDGES or in_place:
            arguments = dict(self.options.xacro_args)
            taken = without_included(taken, getattr(self.options, "roots", ()), arguments, to_repair=in_place)
        yield from (*map(os.path.normpath, unread), *taken)
        if not (unread or taken):
            yield os.path.normpath(word)


def inputs_of(
    verb: str, named: Iterable[str], listed: str | None, output: Path | None = None, options: Namespace | None = None
) -> Inputs:
    """Return the input files: those given, those in given folders, and those in a list.

    A folder that cannot be read, or has no such file, is returned itself, so that it is reported. Files in `output` are
    not inputs unless given by name. `options` are those of the command, by which robots' files are read.

    Raises
    ------
    InertiaError
        ``file_read`` if the list cannot be read; ``same_output`` if `output` is itself a folder of inputs.
    """
    real_output = "" if output is None else os.path.realpath(output)
    folders = _Folders(verb, real_output, options or Namespace(xacro_args=()))
    listed_words = (word for word in listed_names(listed) if not _is_below(word, real_output))
    files = (file for word in (*named, *listed_words) for file in folders.files(word))
    by_path = {os.path.abspath(file): file for file in files}
    command = f"batch {verb}" if "verb" in folders.options else verb
    return Inputs(list(by_path.values()), tuple(_left_out(command, folders.steps_left_out, by_path)))


def refuse_folder(path: Path) -> None:
    """Raise the error for a folder in which `inputs_of` finds no file, or which may not be listed."""
    if os.path.isdir(path):
        check_folder(path)
        raise InertiaError.of("file_read", str(path), "no_input")


def robot_of(path: Path, options: Namespace) -> Robot:
    """Read the robot's file that a command names, by the options of `add_roots`; raises what `read_robot` does."""
    return read_robot(path, options.roots, dict(options.xacro_args))


def _of(files: Iterable[str], suffixes: tuple[str, ...]) -> Iterator[str]:
    """Yield the files of these suffixes; of ``.xml`` only robots."""
    return (file for file in files if file.lower().endswith(suffixes) and is_robot(file))


def _left_out(command: str, steps: Mapping[str, list[str]], by_path: Container[str]) -> Iterator[Finding]:
    for folder, names in steps.items():
        others = [name for name in names if os.path.abspath(name) not in by_path]
        if others:
            pattern = f"{quote(os.path.dirname(others[0]) or os.curdir)}/*{os.path.splitext(others[0])[1]}"
            yield Finding.of("info", "step_left_out", folder, count=len(others), command=command, pattern=pattern)


def _is_below(path: str, folder: str) -> bool:
    return bool(folder) and os.path.realpath(path).startswith(os.path.join(folder, ""))
