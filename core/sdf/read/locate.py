# SPDX-License-Identifier: Apache-2.0
"""Finds the file of a URI below an allowed root; opens nothing else, and downloads nothing."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from urllib.parse import unquote

from ...errors import InertiaError
from ...files.input_file import holds_too_much, note_missing, on_a_drive_of
from ..codes import SDF_CODES
from ..xml.document import Document
from .mesh_source import FORMATS

PACKAGE_FILES = ("package.xml", "model.config")
"""Files that mark a folder as a ROS package or a Gazebo model."""

MESH_FOLDERS = frozenset({"meshes", "mesh", "models", "visual", "collision"})
"""Names, in any case, of folders next to a file's own whose meshes it may use without a package.xml or checkout."""

SEARCH_VARIABLES = ("ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH", "GZ_SIM_RESOURCE_PATH", "SDF_PATH")
"""Environment variables whose folders are also roots; for a prefix of ament it is its folder ``share``."""

MOST_FILES = 20_000
"""Maximum number of files searched by name."""

_DRIVE = re.compile("^/(?=[A-Za-z]:/)")
"""The part of ``file:///C:/...`` before a drive."""

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(?://)?(.*)", re.DOTALL)


class NotFoundError(InertiaError):
    """The target of a URI is in none of the folders that may be read."""


class NetworkError(NotFoundError):
    """The target of a URI is on the network, which is never used."""


@dataclass(frozen=True)
class Above:
    """A document's folder and those above it, real paths, the nearest first; each is read once.

    Neither the root of a disk nor a folder that contains the user's home is included: they contain too much.
    """

    folders: tuple[Path, ...]

    @classmethod
    def of(cls, folder: Path) -> Above:
        """Return a folder, which is a real path, and those above it."""
        return cls(tuple(one for one in (folder, *folder.parents) if not holds_too_much(one)))

    @cached_property
    def packages(self) -> tuple[Path, ...]:
        """Return the folders that are packages."""
        return tuple(one for one in self.folders if any(os.path.isfile(one / name) for name in PACKAGE_FILES))

    @cached_property
    def checkout(self) -> Path | None:
        """Return the nearest folder that is a package or a Git checkout: its files may use its meshes."""
        return next((one for one in self.folders if one in self.packages or os.path.exists(one / ".git")), None)

    @cached_property
    def files(self) -> dict[str, list[Path]]:
        """Return the files of the nearest package or checkout, or of the robot's folder, by name, up to a limit.

        The robot's folder is the document's, or the one above if that has a folder of `MESH_FOLDERS`.
        """
        if not self.folders:
            return {}
        top = self.checkout or self.folders[0]
        if self.checkout is None and len(self.folders) > 1:
            above = self.folders[1]
            top = above if any(os.path.isdir(above / name) for name in MESH_FOLDERS) else top
        walked = (Path(folder, name) for folder, _, names in os.walk(top) for name in names)
        files: dict[str, list[Path]] = {}
        for path in islice(walked, MOST_FILES):
            files.setdefault(path.name, []).append(path)
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

    def note_missing(self) -> None:
        """Record the missing files that would make more of the folders packages."""
        for folder in self.folders:
            if folder not in self.packages:
                for name in PACKAGE_FILES:
                    note_missing(folder / name)


def _installed_by_links() -> Iterator[Path]:
    """Yield the source folders of the packages in the prefixes of ament whose files are links to them.

    ``colcon build --symlink-install`` makes such links, so the user trusts both ends. Other variables may also list
    source folders, in which nobody installed anything: their links may come with a clone.
    """
    for prefix in filter(None, os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep)):
        for listed in Path(prefix, "share").glob("*/package.xml"):
            if listed.is_symlink():
                real = Path(os.path.realpath(listed))
                if real.name == listed.name and not holds_too_much(real.parent):
                    yield real.parent


def _common(path: Path, parts: Sequence[str]) -> int:
    """Return the number of trailing parts that a path has in common with others."""
    return len(os.path.commonprefix([path.parts[::-1], tuple(parts[::-1])]))


def _package_name(folder: Path) -> str:
    """Return the name in a folder's package.xml; empty if there is none."""
    try:
        return (Document.read(folder / "package.xml").root.findtext("name") or "").strip()
    except InertiaError:
        return ""


@dataclass(frozen=True)
class Locator:
    """Finds files by the URIs of a file in `folder`; `roots` are real paths, `folder` among them.

    Files may also be read, but are not searched, in `linked`: links in the roots lead there.
    `only_package` is the package that all mesh URIs of the file name. If there is no such package, it is the file's
    own, or the first root that the user gave, under another name.
    """

    folder: Path
    roots: tuple[Path, ...]
    above: Above
    only_package: str = ""
    first_root: Path | None = None
    linked: tuple[Path, ...] = ()

    @classmethod
    def of(cls, folder: Path, roots: Sequence[Path] = (), only_package: str = "") -> Locator:
        """Search in a file's folder, the packages that it is in, the given roots, then those of `SEARCH_VARIABLES`."""
        listed = [*roots]
        for variable in SEARCH_VARIABLES:
            names = [name for name in os.environ.get(variable, "").split(os.pathsep) if name]
            listed += [Path(name, "share" if variable == "AMENT_PREFIX_PATH" else "") for name in names]
        own = Path(os.path.realpath(folder))
        above = Above.of(own)
        real = [own, *above.packages, *(Path(os.path.realpath(root)) for root in listed)]
        first = Path(os.path.realpath(roots[0])) if roots else None
        return cls(own, tuple(dict.fromkeys(real)), above, only_package, first, tuple(_installed_by_links()))

    @property
    def readable(self) -> tuple[Path, ...]:
        """The folders whose files may be read, real paths."""
        return self.roots + self.linked

    def inside(self, folder: Path) -> Locator:
        """Return the locator of a file in `folder` that was itself found: its own folder comes first."""
        return replace(self, folder=folder)

    def find(self, uri: str, place: object) -> Path:
        """Return the real path of a URI's file or folder.

        Parameters
        ----------
        uri : str
            A relative path, an absolute one, or ``model://``, ``package://`` or ``file://`` and a path.
        place : object
            The place of the URI: text, or an object that becomes text in a message.

        Raises
        ------
        InertiaError
            ``uri_refused`` for a text that is not a URI.
        NotFoundError
            ``uri_refused`` if it is outside of every root or on the network, ``uri_lookup`` if it is in none.
        """
        return self._find(uri, place, mesh=False)

    def find_mesh(self, uri: str, place: object) -> Path:
        """Return the real path of a mesh file, searched in a few more folders than by `find`.

        These are the nearest package or checkout that the document is in, or, if there is none, a folder of
        `MESH_FOLDERS` next to its own; and a folder above it that is named in the URI. A path with backslashes, which
        Windows takes for folders, is read with slashes if there is no such file.
        """
        try:
            return self._find(uri, place, mesh=True)
        except NotFoundError:
            if "\\" not in uri:
                raise
            return self._find(uri.replace("\\", "/"), place, mesh=True)

    def _find(self, uri: str, place: object, mesh: bool) -> Path:
        uri = uri.strip()
        if not uri or not uri.isprintable():
            raise _refused(InertiaError, uri, place, "it holds a control character" if uri else "it is empty")
        outside = False
        for candidate, holder in self._candidates(uri, place, mesh):
            if not on_a_drive_of(candidate, self.readable):
                outside = True
                continue
            real = Path(os.path.realpath(candidate))
            as_mesh = mesh and real.suffix.lower() in FORMATS
            if self._is_readable(real) or (as_mesh and self._is_near(real, holder)):
                if os.path.exists(real):  # also False for an invalid path
                    return real
                note_missing(real)
            elif not as_mesh or os.path.exists(real):
                outside = True
        self.above.note_missing()
        if outside:
            raise _refused(NotFoundError, uri, place, "it leads outside of the folders that may be read")
        form, values = "absolute" if uri.startswith(("/", "file:")) else "", {"uri": ascii(uri)}
        values["roots"] = ", ".join(root.name for root in self.roots)
        parts = [part for part in uri.rpartition("://")[2].split("/") if part]
        namesakes = self.above.files.get(parts[-1], []) if mesh and parts else []
        if namesakes:  # the one with the longest common path
            length, path = max((_common(path, parts), path) for path in sorted(namesakes, reverse=True))
            values["other"] = Path(os.path.relpath(path, self.folder)).as_posix()
            form = "elsewhere" if length < len(parts) else "in_folder"
            values["folder"] = path.parents[length - 1].name
        raise NotFoundError.of("uri_lookup", str(place), form, **values).with_sdf_codes(SDF_CODES["uri_lookup"])

    def _is_readable(self, path: Path) -> bool:
        return any(path.is_relative_to(folder) for folder in self.readable)

    def _is_near(self, path: Path, holder: Path | None) -> bool:
        """Return True if a mesh may be read although it is not in a root."""
        if holder is not None and path.is_relative_to(holder):
            return True
        if self.above.checkout is not None:
            return path.is_relative_to(self.above.checkout)
        if len(self.above.folders) < 2:  # the folder above is not to be read
            return False
        parent = self.above.folders[1]
        return path.is_relative_to(parent) and path.relative_to(parent).parts[0].lower() in MESH_FOLDERS

    def _candidates(self, uri: str, place: object, mesh: bool) -> Iterator[tuple[Path, Path | None]]:
        """Yield the paths that a URI may mean, with the folder above the document that it names, if any."""
        match = _SCHEME.fullmatch(uri)
        scheme, rest = (match[1].lower(), match[2]) if match else ("", uri)
        roots = dict.fromkeys((self.folder, *self.roots))
        if len(scheme) == 1 and os.name == "nt":  # a drive
            yield Path(uri), None
        elif scheme == "file":
            # As simulators and our own exports have it; else with %20 for a space.
            for path in dict.fromkeys((rest, unquote(rest))):
                yield self.folder / (_DRIVE.sub("", path) if os.name == "nt" else path), None
        elif scheme in ("model", "package"):
            parts = [part for part in rest.split("/") if part]
            yield self.folder.joinpath(*parts), None
            holder = self.above.named.get(parts[0]) if parts else None
            if holder is not None and (mesh or holder in self.roots):
                yield holder.joinpath(*parts[1:]), holder
            for root in self.roots:
                yield root.joinpath(*parts), None
            # A root may also be the folder that the URI goes through: a model that names itself.
            for root in roots:
                if root.name in parts:
                    yield root.joinpath(*parts[parts.index(root.name) + 1 :]), None
            if mesh and parts[1:] and parts[0] == self.only_package:
                for folder in (*self.above.folders, *([self.first_root] if self.first_root else [])):
                    yield folder.joinpath(*parts[1:]), None
        elif scheme:
            raise _refused(NetworkError, uri, place, f"'{scheme}:' is on the network, which is never asked")
        elif rest.startswith("/"):
            yield Path(rest), None
        else:
            for root in roots:
                yield root / rest, None
            first, _, further = rest.partition("/")
            if mesh and first == self.folder.name:  # from the folder above, as PyBullet's data have it
                yield self.folder / further, None


def _refused(kind: type[InertiaError], uri: str, place: object, reason: str) -> InertiaError:
    return kind.of("uri_refused", str(place), "uri", uri=ascii(uri[:200]), reason=reason)
