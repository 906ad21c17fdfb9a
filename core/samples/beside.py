# SPDX-License-Identifier: Apache-2.0
"""The files that a robot's file names by a path from itself, which samples in another folder need beside them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..document.document import MAX_BYTES
from ..files.input_file import read_bytes
from ..files.limits import MAX_MESH_BYTES
from ..formats.mjcf.format import MJCF
from ..formats.robot_file import RobotFile
from ..formats.usd.prims import ROOT as USD


@dataclass(frozen=True, eq=False)
class Beside:
    """The folder below which a robot's file and the files that it names are, and those files.

    A mesh that is named by its package, or by an absolute path, is found from anywhere, and so is what a layer of USD
    is over.
    """

    base: Path
    folder: Path
    paths: tuple[Path, ...]

    @classmethod
    def of(cls, file: RobotFile) -> Beside:
        """Return the files that a robot's file names; raises InertiaError if its models cannot be read."""
        document = file.document
        folder = Path(os.path.realpath(document.path or document.name)).parent
        paths = sorted({*_named(file, folder)}) if document.root.tag != USD else []
        base = Path(os.path.commonpath([folder, *(path.parent for path in paths)]))
        return cls(base, folder, tuple(paths))

    @property
    def of_samples(self) -> str:
        """Where samples stand below the folder that they are written to."""
        return os.path.relpath(self.folder, self.base)

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield the path below the base, and the content, of each file."""
        for path in self.paths:
            yield os.path.relpath(path, self.base), read_bytes(path, max(MAX_MESH_BYTES, MAX_BYTES))


def _named(file: RobotFile, folder: Path) -> Iterator[Path]:
    robots = file.robots()
    used = [use.path for robot in robots for use in robot.meshes.values()]
    used += [visual.image for robot in robots for link in robot.model.links for visual in link.visuals if visual.image]
    if file.document.root.tag == MJCF.root:  # which has no packages, and adds the folders of its assets
        included = {link.document.path for link in file.links if link.document is not file.document}
        yield from (Path(os.path.realpath(path)) for path in (*used, *included) if path is not None)
        return
    text = file.document.data
    for path in used:
        way = os.path.relpath(os.path.realpath(path), folder).replace(os.sep, "/")
        if os.fsencode(way) in text:
            yield Path(os.path.realpath(path))
