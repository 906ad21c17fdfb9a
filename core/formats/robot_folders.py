# SPDX-License-Identifier: Apache-2.0
"""The robots below a folder: each once, and one that another file includes only as a part of that."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from ..document.document import MAX_BYTES
from ..errors import InertiaError
from ..files.folders import files_below
from ..files.input_file import noting_reads, read_bytes
from .mjcf.expanded import expand
from .mjcf.format import MJCF
from .robot_file import NO_ARGUMENTS, Arguments
from .sdf.format import SDF
from .table import IN_FOLDERS, USD, document_of, format_of, is_robot, read_robot_document


def robots_below(
    folder: str | os.PathLike[str], roots: Sequence[Path] = (), arguments: Arguments = NO_ARGUMENTS
) -> list[str]:
    """Return the paths of the robots' files below a folder; `roots` and `arguments` are as in `read_robot_file`."""
    names = (name for name in files_below(os.fspath(folder)) if name.lower().endswith(IN_FOLDERS) and is_robot(name))
    return without_included(names, roots, arguments)


def without_included(
    names: Iterable[str], roots: Sequence[Path] = (), arguments: Arguments = NO_ARGUMENTS, to_repair: bool = False
) -> list[str]:
    """Return files of robots without those that others of them include, and each file once, under its first name.

    Of files that include each other in a circle, the first one stays. A model that an SDF file includes is not changed
    with that: `to_repair`, it stays, before the files that include it. A layer of USD without bodies is no robot.
    """
    by_path: dict[str, str] = {}
    for name in names:
        by_path.setdefault(os.path.realpath(name), name)
    read = {path: _included(name, roots, arguments) for path, name in by_path.items()}
    included = {path: files for path, files in read.items() if files is not None}
    by_path = {path: name for path, name in by_path.items() if path in included}
    includes = {
        path: set[str]() if to_repair and is_sdf else files - {path} for path, (files, is_sdf) in included.items()
    }
    if to_repair:
        by_path = dict(sorted(by_path.items(), key=lambda file: len(included[file[0]][0])))
    inside = set[str]().union(*includes.values())
    remaining = {path for path in by_path if path not in inside}
    reached = remaining.union(*(includes[path] for path in remaining))
    for path in by_path:
        if path not in reached:
            remaining.add(path)
            reached |= {path, *includes[path]}
    return [name for path, name in by_path.items() if path in remaining]


def _included(name: str, roots: Sequence[Path], arguments: Arguments) -> tuple[set[str], bool] | None:
    """Return the real paths of the files that are judged with a robot's, none if it cannot be read; True for SDF.

    None for a stage of USD without bodies, all of whose layers are read.
    """
    path = Path(name)
    is_usd = path.suffix.lower() in USD.suffixes
    try:
        if not is_usd and b"include" not in read_bytes(path, MAX_BYTES):
            return set(), False
        with noting_reads() as read:
            document = document_of(path)
            if format_of(document) is MJCF:
                expand(document, roots)  # which needs no MuJoCo
                robot = None
            else:
                robot = read_robot_document(document, roots, arguments=arguments)
    except InertiaError:
        return set(), False
    if is_usd and robot is not None and not robot.links:
        # Its bodies may be in a layer that is missing: then that is reported.
        return (set(), False) if any(finding.code == "layer_not_read" for finding in robot.findings) else None
    files = {os.path.realpath(file) for file in read}
    if robot is None or format_of(document) is not SDF:
        return files, False
    # An included model that is refused, or static there, is judged alone.
    moving = (link.document.path for link in robot.links if not link.static)
    return files & {os.path.realpath(path) for path in moving if path is not None}, True
