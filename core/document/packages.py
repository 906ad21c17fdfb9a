# SPDX-License-Identifier: Apache-2.0
"""Finds the packages that a robot's file is in, and those beside it: folders with a package.xml or model.config."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path

from ..errors import InertiaError
from ..files.input_file import holds_too_much, note_missing, read_bytes
from .document import Document

PACKAGE_FILES = ("package.xml", "model.config")
"""Files that mark a folder as a ROS package or a Gazebo model."""

MESH_FOLDERS = frozenset({"meshes", "mesh", "models", "visual", "collision"})
"""Names, in any case, of folders next to a file's own whose meshes it may use without a package.xml or checkout."""

ASSETS = (*MESH_FOLDERS, "assets", "stls", "xmls", "common")
"""Names of folders next to that of an MJCF or USD file whose files it may use."""

MOST_FILES = 20_000
"""Maximum number of files, and of folders, that are searched by name."""

DEPTH = 5
"""Levels of folders that are searched for packages: the user's own, a workspace in it, its repositories, packages."""

MOST_ENTRIES = 100_000
"""Maximum number of files and folders that are listed in a search for packages."""

MOST_BYTES = 1_000_000
"""Maximum size of a package.xml whose name is read."""


@dataclass(frozen=True)
class Above:
    """A document's folder and those above it, real paths, the nearest first; each is read once.

    Neither the root of a disk nor a folder that contains the user's home is included: they contain too much.
    """

    folders: tuple[Path, ...]

    @classmethod
    def of(cls, folder: Path) -> Above:
        """Return a folder, which is a real path, and those above it."""
        return cls(tuple(level for level in (folder, *folder.parents) if not holds_too_much(level)))

    @cached_property
    def packages(self) -> tuple[Path, ...]:
        """Return the folders that are packages."""
        return tuple(filter(_is_package, self.folders))

    @cached_property
    def checkout(self) -> Path | None:
        """Return the nearest folder that is a package or a Git checkout: its files may use its meshes."""
        return next(
            (folder for folder in self.folders if folder in self.packages or os.path.exists(folder / ".git")), None
        )

    @cached_property
    def robot(self) -> Path | None:
        """Return the robot's folder: the document's, or the one above if that has a folder of `MESH_FOLDERS`.

        None if all contain too much.
        """
        if any(os.path.isdir(folder / name) for folder in self.folders[1:2] for name in MESH_FOLDERS):
            return self.folders[1]
        return next(iter(self.folders), None)

    @cached_property
    def top(self) -> Path | None:
        """Return the nearest package or checkout, or else the robot's folder; None if all contain too much."""
        return self.robot if self.checkout is None else self.checkout

    @cached_property
    def _walked(self) -> list[Path]:
        """The files of `top`, those in hidden folders left out, up to a limit."""
        walked: list[Path] = []
        for number, (folder, folders, names) in enumerate(os.walk(self.top) if self.top is not None else ()):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            walked += (Path(folder, name) for name in sorted(names))
            if max(number, len(walked)) >= MOST_FILES:
                break
        return walked[:MOST_FILES]

    @property
    def is_known(self) -> bool:
        """True if no other files may be meant: those beyond the limit, or of others who write to a folder as /tmp."""
        return self.top is not None and len(self.top.parts) > 2 and len(self._walked) < MOST_FILES

    @cached_property
    def searched(self) -> frozenset[Path]:
        """Return the folders that hold the files of `top`."""
        return frozenset(path.parent for path in self._walked)

    @cached_property
    def files(self) -> dict[str, list[Path]]:
        """Return the files of `top` by name in lower case, up to a limit."""
        files: dict[str, list[Path]] = {}
        for path in self._walked:
            files.setdefault(path.name.casefold(), []).append(path)
        return files

    @cached_property
    def named(self) -> dict[str, Path]:
        """Return the folders that ``package://NAME/`` may mean, by their own name and by that in package.xml.

        A folder that is not a package is included by its name, too, unless it is in the root of a disk, as /tmp is.
        """
        named: dict[str, Path] = {}
        for folder in self.folders:
            if folder in self.packages or len(folder.parts) > 2:
                named.setdefault(folder.name, folder)
        for folder in self.packages:
            named.setdefault(_package_name(folder), folder)
        return named

    @cached_property
    def workspace(self) -> Packages:
        """Return the packages of the Git checkout that the document is in, and those beside its own package."""
        git = next((folder for folder in self.folders if os.path.exists(folder / ".git")), None)
        around = self.packages[-1].parent if self.packages else None
        tops = {folder: levels for folder, levels in ((around, 1), (git, DEPTH)) if folder in self.folders}
        # Anybody may write to a folder in the root of a disk, as /tmp is.
        return Packages(tuple((folder, levels) for folder, levels in tops.items() if len(folder.parts) > 2))

    def note_missing(self) -> None:
        """Record the missing files that would make more of the folders packages."""
        for folder in self.folders:
            if folder not in self.packages:
                for name in PACKAGE_FILES:
                    note_missing(folder / name)


@dataclass(frozen=True)
class Folders:
    """The folders whose files a robot of MJCF or USD may use and, by ``--in-place``, change; real paths."""

    folders: tuple[Path, ...]

    @classmethod
    def of(cls, document: Document, roots: Sequence[Path]) -> Folders:
        """Return the file's own folder, its packages and checkout, those given, and folders of assets beside its own.

        The topmost folder above the file with an ``__init__.py`` is a package, too: MJCF is published in Python's.
        """
        folder = Path(os.path.realpath(document.path or document.name)).parent
        above = Above.of(folder)
        python = [folder for folder in above.folders if (folder / "__init__.py").is_file()]
        beside = [folder.parent / name for name in ASSETS] if len(above.folders) > 1 else []
        given = (Path(os.path.realpath(root)) for root in roots)
        return cls((folder, *above.packages, *filter(None, [above.checkout]), *python[-1:], *given, *beside))

    def allow(self, path: Path) -> bool:
        """Return True if a file, or where its link leads, is in one of the folders."""
        real = Path(os.path.realpath(path))
        return any(real.is_relative_to(folder) for folder in self.folders)


@dataclass(frozen=True)
class Packages:
    """The packages below some folders, which are searched once, and only if a name is looked up.

    Links are not followed, hidden folders and those in packages are not searched.

    Parameters
    ----------
    tops : tuple of (Path, int)
        The folders, real paths, and how many levels below each are searched.
    """

    tops: tuple[tuple[Path, int], ...] = ()

    @classmethod
    def below(cls, folders: Iterable[Path]) -> Packages:
        """Return the packages below folders that the user gave."""
        return cls(tuple((folder, DEPTH) for folder in folders))

    @property
    def folders(self) -> tuple[Path, ...]:
        return tuple(folder for folder, _ in self.tops)

    def named(self, name: str) -> Iterator[Path]:
        """Yield the packages that ``package://NAME/`` may mean: by the name of their folder, then by their own."""
        if name in ("", ".", ".."):
            return
        for top, _ in self.tops:
            if _is_package(top / name) and not os.path.islink(top / name):
                yield top / name  # even if there is too much beside it to be listed
            else:
                for file in PACKAGE_FILES:
                    note_missing(top / name / file)
        yield from (folder for folder in self._all if folder.name == name)
        yield from self._by_own_name.get(name, ())

    @cached_property
    def _all(self) -> tuple[Path, ...]:
        return tuple(dict.fromkeys(folder for top, levels in self.tops for folder in _packages_in(top, levels)))

    @cached_property
    def _by_own_name(self) -> dict[str, list[Path]]:
        by_name: dict[str, list[Path]] = {}
        for folder in self._all:
            by_name.setdefault(_package_name(folder), []).append(folder)
        return by_name


def _is_package(folder: Path) -> bool:
    return any(os.path.isfile(folder / name) for name in PACKAGE_FILES)


def _packages_in(top: Path, levels: int) -> Iterator[Path]:
    """Yield the packages in a folder, itself included, the uppermost first."""
    level, budget = [top], MOST_ENTRIES
    for _ in range(levels + 1):
        below: list[Path] = []
        for folder in level:
            is_package = _is_package(folder)
            if is_package:
                yield folder
            if folder == top or not is_package:
                entries = _entries(folder, budget)
                budget -= len(entries) + 1
                below += (Path(entry.path) for entry in entries if _is_searched(entry))
            if budget <= 0:
                return
        level = below


def _entries(folder: Path, most: int) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(islice(entries, most), key=lambda entry: entry.name)
    except OSError:
        return []


def in_other_case(folder: Path, parts: Sequence[str]) -> list[Path]:
    """Return the paths in a folder that differ from the given one in nothing but upper and lower case."""
    paths = [folder]
    for part in parts:
        entries = (entry for path in paths for entry in _entries(path, MOST_FILES))
        paths = [Path(entry.path) for entry in entries if entry.name.casefold() == part.casefold()]
    return paths


def _is_searched(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False) and not entry.name.startswith(".")
    except OSError:
        return False


def _package_name(folder: Path) -> str:
    """Return the name in a folder's package.xml; empty if there is none."""
    path = folder / "package.xml"
    try:
        return (Document.parse(read_bytes(path, MOST_BYTES), path.name, path).root.findtext("name") or "").strip()
    except InertiaError:
        return ""
