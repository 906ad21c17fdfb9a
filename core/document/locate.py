# SPDX-License-Identifier: Apache-2.0
"""Finds the file of a URI below an allowed root; opens nothing else, and downloads nothing."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote
from urllib.parse import unquote

from ..errors import InertiaError
from ..files.input_file import holds_too_much, note_missing, on_a_drive_of, read_bytes
from ..files.limits import FORMATS, MAX_MESH_BYTES
from ..files.look import PICTURES
from ..formats.sdf.spec.codes import SDF_CODES
from .packages import MESH_FOLDERS, Above, Packages, in_other_case

SEARCH_VARIABLES = ("ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH", "GZ_SIM_RESOURCE_PATH", "SDF_PATH")
"""Environment variables whose folders are also roots; for a prefix of ament it is its folder ``share``."""

MODEL_FILES = (".sdf", ".config")
"""Suffixes of the files of a model that are read in a package beside the one of the file that includes it."""

LONGEST_TAIL = 16
"""Maximum number of trailing parts of another computer's path that are tried in a folder."""

_DRIVE = re.compile("^/(?=[A-Za-z]:/)")
"""The part of ``file:///C:/...`` before a drive."""

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(?://)?(.*)", re.DOTALL)


class NotFoundError(InertiaError):
    """The target of a URI is in none of the folders that may be read."""


class NetworkError(NotFoundError):
    """The target of a URI is on the network, which is never used."""


@dataclass(frozen=True)
class Locator:
    """Finds files by the URIs of a file in `folder`; `roots` are real paths, `folder` among them.

    `given` are the roots that the user gave, with the packages below them. Files may also be read, but are not
    searched, in `linked`: links in the roots lead there. `only_package` is the package that all mesh URIs of the file
    name. If there is no such package, it is the file's own, or the first root that the user gave, under another name.
    If the file is itself in a package of `Above.workspace`, that is `beside`: its meshes may be read, too.
    With `by_end`, a mesh that a URI leads to nowhere is the only one of `Above.files` whose path has the URI's end.
    """

    folder: Path
    roots: tuple[Path, ...]
    above: Above
    only_package: str = ""
    given: Packages = Packages()
    linked: tuple[Path, ...] = ()
    by_end: bool = False
    beside: Path | None = None

    @classmethod
    def of(cls, folder: Path, roots: Sequence[Path] = (), only_package: str = "") -> Locator:
        """Search in a file's folder, the packages that it is in, the given roots, then those of `SEARCH_VARIABLES`."""
        listed = [*roots]
        for variable in SEARCH_VARIABLES:
            names = [name for name in os.environ.get(variable, "").split(os.pathsep) if name]
            listed += [Path(name, "share" if variable == "AMENT_PREFIX_PATH" else "") for name in names]
        real_folder = Path(os.path.realpath(folder))
        above = Above.of(real_folder)
        real = [real_folder, *above.packages, *(Path(os.path.realpath(root)) for root in listed)]
        given = Packages.below(Path(os.path.realpath(root)) for root in roots)
        return cls(real_folder, tuple(dict.fromkeys(real)), above, only_package, given, tuple(_installed_by_links()))

    @property
    def readable(self) -> tuple[Path, ...]:
        """The folders whose files may be read, real paths."""
        return self.roots + self.linked

    def inside(self, folder: Path) -> Locator:
        """Return the locator of a file in `folder` that was itself found: its own folder comes first."""
        if folder == self.folder:
            return self
        packages = () if self._is_readable(folder) else Above.of(folder).packages
        return replace(self, folder=folder, beside=next(iter(packages), None))

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
        `MESH_FOLDERS` next to its own; and a folder above it, or a package of `Above.workspace`, that is named in the
        URI. The end of an absolute path, which may be another computer's, is tried in the roots that the user
        gave. A path with backslashes, which Windows takes for folders, is read with slashes if there is no such file.
        """
        try:
            return self._find(uri, place, mesh=True)
        except NetworkError:
            raise
        except NotFoundError:
            with_slashes = uri.replace("\\", "/")
            path = self._by_end(with_slashes) if self.by_end else None
            if path is None and with_slashes == uri:
                raise
            return path or self._find(with_slashes, place, mesh=True)

    def find_model(self, uri: str, place: object) -> Path:
        """Return the real path of a model's file or folder; raises like `find`.

        It may also be in a package of `Above.workspace`, of which nothing but meshes and models is read.
        """
        try:
            return self.find(uri, place)
        except NotFoundError:
            scheme, rest = _split(uri.strip())
            name, *parts = [part for part in rest.split("/") if part] or [""]
            for package in self.above.workspace.named(name) if scheme in ("model", "package") else ():
                path = Path(os.path.realpath(package.joinpath(*parts)))
                if path.is_relative_to(package) and (os.path.isdir(path) or path.suffix.lower() in MODEL_FILES):
                    if os.path.exists(path):
                        return path
                    note_missing(path)
            raise

    def find_picture(self, uri: str, place: object) -> Path:
        """Return the real path of a picture, which is read once; raises like `find` and `read_bytes`, or
        ``unknown_format``."""
        path = self.find(uri, place)
        if path.suffix.lower() not in PICTURES:
            values = {"suffix": path.suffix, "known": ", ".join(PICTURES)}
            raise InertiaError.of("unknown_format", str(place), "picture", **values)
        read_bytes(path, MAX_MESH_BYTES)
        return path

    def find_in(self, folder: Path, name: str, place: object) -> Path:
        """Return the real path of a file in a folder that was found, such as that of a model; raises like `find`."""
        path = self._first(name, place, [(folder / name, folder)], mesh=False)
        if path is None:
            raise _lookup(place, "no_file", uri=ascii(f"{folder.name}/{name}"), folder=folder.name, rest=ascii(name))
        return path

    def _find(self, uri: str, place: object, mesh: bool) -> Path:
        uri = uri.strip()
        path = self._first(uri, place, self._candidates(uri, place, mesh), mesh)
        if path is None:
            raise self._not_found(uri, place, mesh)
        return path

    def _first(
        self, uri: str, place: object, candidates: Iterable[tuple[Path, Path | None]], mesh: bool
    ) -> Path | None:
        """Return the real path of the first candidate that exists and may be read.

        Meshes may also be read in the package that a candidate comes with, see `_candidates`, and the files of a model
        in the folder that was found for it.
        """
        if not uri or not uri.isprintable():
            raise _refused(InertiaError, uri, place, "it holds a control character" if uri else "it is empty")
        outside = False
        for candidate, holder in candidates:
            if not on_a_drive_of(candidate, self.readable):
                outside = True
                continue
            real = Path(os.path.realpath(candidate))
            as_mesh = mesh and real.suffix.lower() in FORMATS
            in_model = not mesh and holder is not None and real.is_relative_to(holder)
            as_model = in_model and real.suffix.lower() in MODEL_FILES
            if self._is_readable(real) or as_model or (as_mesh and self._is_near(real, holder)):
                if os.path.exists(real):  # also False for an invalid path
                    return real
                note_missing(real)
            elif not as_mesh or os.path.exists(real):
                outside = True
        self.above.note_missing()
        if outside:
            raise _refused(NotFoundError, uri, place, "it leads outside of the folders that may be read")
        return None

    def _not_found(self, uri: str, place: object, mesh: bool) -> InertiaError:
        """Return the error for a URI that leads to no file, with the file that it may mean."""
        scheme, rest = _split(uri)
        parts = [part for part in rest.split("/") if part]
        form, values = "absolute" if is_absolute(uri) else "", {"uri": ascii(uri)}
        values["roots"] = ", ".join(root.name for root in self.roots)
        by_name = scheme in ("model", "package") and len(parts) > 1
        folders = (*self._named(parts[0], mesh), *self._packages(parts[0], mesh)) if by_name else ()
        folder = next((Path(os.path.realpath(path)) for path, _ in folders if os.path.isdir(path)), None)
        if folder is not None:
            form, values = "no_file", {**values, "folder": folder.name, "rest": ascii("/".join(parts[1:]))}
        namesakes = self.above.files.get(parts[-1].casefold(), []) if mesh and parts else []
        others = [] if folder is None else in_other_case(folder, parts[1:])
        known = [path for path in (*others, *namesakes) if self._is_mesh(path, folder)]
        if known:  # the one with the longest common path
            folded, length, path = max(
                (_common(path, parts, str.casefold), _common(path, parts), path) for path in known
            )
            values["other"] = Path(os.path.relpath(path, self.folder)).as_posix()
            if folded > length:
                form = "case"
            elif length == len(parts) or is_absolute(uri):
                if is_absolute(uri) and self.above.top is not None:  # its end suffices: a smaller folder to be read
                    length = min(length, len(path.relative_to(self.above.top).parts))
                form, values["root"] = "in_folder", path.parents[length - 1].as_posix()
                values["option"] = f"--path {quote(values['root'])}"
            elif folder is None:
                form = "elsewhere"
        return _lookup(place, form, **values)

    def _by_end(self, uri: str) -> Path | None:
        """Return the only mesh whose path ends as a URI does; None if several do.

        The end of a path are two parts, in the robot's own folder: other robots of a checkout may have meshes of the
        same names. The end of a URI that names a package is all of it, or begins with the name of the robot's folder.
        """
        scheme, rest = _split(uri.strip())
        parts = [part for part in rest.split("/") if part not in ("", ".", "..")]
        robot = self.above.robot
        if not parts or robot is None or not self.above.is_known:
            return None
        by_package, least = scheme in ("model", "package"), min(2, len(parts))
        ends = {}
        for path in self.above.files.get(parts[-1].casefold(), []):
            if path.is_relative_to(robot):
                needed = min(len(parts), len(path.relative_to(robot.parent).parts)) if by_package else least
            elif by_package:
                needed = len(parts)
            else:
                continue
            length = _common(path, parts)
            if length >= needed and self._is_mesh(path, None):
                ends[path] = length
        longest = max(ends.values(), default=0)
        meshes = {os.path.realpath(path) for path, length in ends.items() if length == longest}
        if len(meshes) != 1:
            return None
        for folder in self.above.searched:  # a file that appears there may be meant, too
            other = folder / parts[-1]
            if (least < 2 or folder.name == parts[-2]) and not other.exists():
                note_missing(other)
        return Path(meshes.pop())

    def _is_mesh(self, path: Path, holder: Path | None) -> bool:
        """Return True if a file may be read as a mesh, itself and not through a link out of its folder."""
        real = Path(os.path.realpath(path))
        if real.suffix.lower() not in FORMATS or not os.path.isfile(real):
            return False
        return self._is_readable(real) or self._is_near(real, holder)

    def _is_readable(self, path: Path) -> bool:
        return any(path.is_relative_to(folder) for folder in self.readable)

    def _is_near(self, path: Path, holder: Path | None) -> bool:
        """Return True if a mesh may be read although it is not in a root."""
        if any(folder is not None and path.is_relative_to(folder) for folder in (holder, self.beside)):
            return True
        if self.above.checkout is not None:
            return path.is_relative_to(self.above.checkout)
        if len(self.above.folders) < 2:  # the folder above is not to be read
            return False
        parent = self.above.folders[1]
        return path.is_relative_to(parent) and path.relative_to(parent).parts[0].lower() in MESH_FOLDERS

    def _candidates(self, uri: str, place: object, mesh: bool) -> Iterator[tuple[Path, Path | None]]:
        """Yield the paths that a URI may mean, each with the package that it names, if its meshes may be read."""
        scheme, rest = _split(uri)
        parts = [part for part in rest.split("/") if part]
        roots = dict.fromkeys((self.folder, *self.roots))
        if scheme in ("model", "package"):
            for folder, holder in self._named(parts[0] if parts else "", mesh):
                yield folder.joinpath(*parts[1:]), holder
            # A root may also be the folder that the URI goes through: a model that names itself.
            for root in roots:
                if root.name in parts:
                    yield root.joinpath(*parts[parts.index(root.name) + 1 :]), None
            for folder, holder in self._packages(parts[0] if parts else "", mesh):
                yield folder.joinpath(*parts[1:]), holder
            if mesh and parts[1:] and parts[0] == self.only_package:
                for folder in (*self.above.folders, *self.given.folders[:1]):
                    yield folder.joinpath(*parts[1:]), None
        elif is_absolute(uri):
            if scheme == "file":
                # As simulators and our own exports have it; else with %20 for a space.
                for path in dict.fromkeys((rest, unquote(rest))):
                    yield self.folder / (_DRIVE.sub("", path) if os.name == "nt" else path), None
            elif not scheme or os.name == "nt":
                yield Path(uri), None
            for start in self._tails(parts) if mesh else ():
                for root in self.given.folders:
                    yield root.joinpath(*parts[start:]), None
        elif scheme:
            raise _refused(NetworkError, uri, place, f"'{scheme}:' is on the network, which is never asked")
        else:
            for root in roots:
                yield root / rest, None
            for root in self.given.folders if mesh else ():
                if root.name in parts:
                    yield root.joinpath(*parts[parts.index(root.name) + 1 :]), None
            if mesh and parts and parts[0] == self.folder.name:  # from the folder above, as PyBullet's data have it
                yield self.folder.joinpath(*parts[1:]), None

    def _named(self, name: str, mesh: bool) -> Iterator[tuple[Path, Path | None]]:
        """Yield the folders of a name next to the file, above it and in the roots."""
        yield self.folder / name, None
        holder = self.above.named.get(name)
        if holder is not None and (mesh or holder in self.roots):
            yield holder, holder
        for root in self.roots:
            yield root / name, None

    def _packages(self, name: str, mesh: bool) -> Iterator[tuple[Path, Path | None]]:
        """Yield the packages of a name below the roots that the user gave, then those that meshes may be read in."""
        for folder in self.given.named(name):
            yield folder, None
        for folder in self.above.workspace.named(name) if mesh else ():
            yield folder, folder

    @staticmethod
    def _tails(parts: Sequence[str]) -> range:
        """Return where the ends of another computer's path begin, the longest first."""
        after = max((number + 1 for number, part in enumerate(parts) if part == ".."), default=0)
        return range(max(after, len(parts) - LONGEST_TAIL), len(parts))


def is_absolute(uri: str) -> bool:
    """Return True for a path from the root of a disk, by itself or as ``file://``; on every system, also for C:/."""
    scheme, rest = _split(uri)
    return scheme == "file" or len(scheme) == 1 or (not scheme and rest.startswith("/"))


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


def _common(path: Path, parts: Sequence[str], key: Callable[[str], str] = str) -> int:
    """Return the number of trailing parts that a path has in common with others."""
    return len(os.path.commonprefix([[*map(key, path.parts[::-1])], [*map(key, parts[::-1])]]))


def _split(uri: str) -> tuple[str, str]:
    """Return the scheme of a URI in lower case, empty for a path, and what follows it; a drive is a scheme, too."""
    match = _SCHEME.fullmatch(uri)
    return (match[1].lower(), match[2]) if match else ("", uri)


def _lookup(place: object, form: str, /, **values: str) -> InertiaError:
    return NotFoundError.of("uri_lookup", str(place), form, **values).with_sdf_codes(SDF_CODES["uri_lookup"])


def _refused(kind: type[InertiaError], uri: str, place: object, reason: str) -> InertiaError:
    return kind.of("uri_refused", str(place), "uri", uri=ascii(uri[:200]), reason=reason)
