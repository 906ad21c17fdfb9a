# SPDX-License-Identifier: Apache-2.0
"""Writes samples of a robot into a folder, with the files that they name from themselves."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from urllib.parse import unquote

from ..document.document import MAX_BYTES
from ..errors import InertiaError
from ..escapes import for_json
from ..files.input_file import read_bytes
from ..files.limits import MAX_MESH_BYTES
from ..files.whole_files import write_atomic, write_folder
from ..formats.mjcf.format import MJCF
from ..formats.robot_file import Inertials, RobotFile
from ..formats.table import write_files
from ..formats.usd.override import moved
from ..formats.usd.prims import ROOT as USD
from ..robot.report import Json

LIST = "samples.json"
"""The file of a folder of samples that lists them, with their numbers."""

LONGEST_LIST = 1 << 28
"""Maximum size of such a list [bytes]."""

AT_ONCE = 100
"""Samples that are written together."""

_WORD = re.compile(r"[^\"'<>]+\.\w+")
"""A text or a value that may be the path of a file."""

_SAMPLE = re.compile(r"(?:[^/]+/)*[^/]*_\d+(?:\.\w+)*")


@dataclass(frozen=True, eq=False)
class SampleFolder:
    """A folder for samples of a robot's file at a path."""

    folder: Path
    file: RobotFile
    path: Path

    def write(self, samples: Sequence[Inertials], listing: Json) -> list[Path]:
        """Write a file for each sample, the files that they name, and the list at last; return the samples.

        Only inertials differ from the robot's own file. A mesh that is named by its package or by an absolute path is
        found from anywhere, and so is what a layer of USD is over; others are copied to the same place beside the
        samples. Samples that the folder's list names are replaced.

        Raises
        ------
        InertiaError
            ``sample_folder`` for a folder with other files, or why a file cannot be read.
        OSError
            If a file cannot be written.
        """
        old = self._old()
        document = self.file.document
        source = Path(os.path.realpath(document.path or document.name)).parent
        named = dict(self._named(source)) if document.root.tag != USD else {}
        base = os.path.commonpath([source, *(os.path.normpath(source / way / "..") for way in named)])
        for way, path in named.items():
            target = self.folder / os.path.relpath(source / way, base)
            target.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(target, read_bytes(path, max(MAX_MESH_BYTES, MAX_BYTES)))
        # Where the robot's file is below the common folder, so that the ways from it stay.
        place = self.folder / os.path.relpath(source, base)
        place.mkdir(parents=True, exist_ok=True)
        paths: list[Path] = []
        for first in range(0, len(samples), AT_ONCE):
            numbers = range(first, min(first + AT_ONCE, len(samples)))
            names = [self._name(number, len(samples)) for number in numbers]
            contents = (self._data(samples[number], place / name) for number, name in zip(numbers, names, strict=True))
            write_folder(place, dict(zip(names, contents, strict=True)))
            paths += [place / name for name in names]
        files = [Path(os.path.relpath(path, self.folder)).as_posix() for path in paths]
        for name in old.difference(files):
            (self.folder / name).unlink(missing_ok=True)
        write_atomic(self.folder / LIST, json_bytes(listing | {"files": files}))
        return paths

    def _name(self, number: int, count: int) -> str:
        stem, mark, suffixes = self.path.name.partition(".")
        suffix = ".usda" if self.file.document.root.tag == USD else mark + suffixes
        return f"{stem}_{number + 1:0{len(str(count))}}{suffix}"

    def _data(self, sample: Inertials, target: Path) -> bytes:
        document, data = next(iter(write_files(self.file, sample).items()))
        return moved(data, document.path or self.path, target)

    def _named(self, source: Path) -> Iterator[tuple[str, Path]]:
        """Yield the files that the robot's file names by a path from its folder, with that path."""
        robots = self.file.robots()
        used = [use.path for robot in robots for use in robot.meshes.values()]
        used += [
            visual.image for robot in robots for link in robot.model.links for visual in link.visuals if visual.image
        ]
        is_mjcf = self.file.document.root.tag == MJCF.root  # which has no packages, but folders for each kind of file
        if is_mjcf:
            included = {link.document.path for link in self.file.links if link.document is not self.file.document}
            used += [path for path in included if path is not None]
        real = {os.path.realpath(path): path for path in used}
        if is_mjcf:
            yield from ((os.path.relpath(path, source), Path(path)) for path in real)
            return
        # What the text names, perhaps through symbolic links, is compared with what was read.
        text = unescape(self.file.document.data.decode("utf-8", "replace"))
        for word in {word.strip() for word in _WORD.findall(text)}:
            path = real.get(os.path.realpath(source / unquote(word))) if "://" not in word else None
            if path is not None:
                yield unquote(word), path

    def _old(self) -> set[str]:
        """Return the samples that its list names; raise the error if it has other files and no list."""
        folder = self.folder
        if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
            return set()
        try:
            names = json.loads(read_bytes(folder / LIST, LONGEST_LIST))["files"]
            return {name for name in names if _SAMPLE.fullmatch(name) and ".." not in name.split("/")}
        except (InertiaError, ValueError, TypeError, KeyError):
            raise InertiaError.of("sample_folder", str(folder), name=LIST) from None


def json_bytes(value: Json) -> bytes:
    """Return an object as a line of JSON."""
    return for_json(json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n").encode()
