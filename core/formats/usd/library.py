# SPDX-License-Identifier: Apache-2.0
"""OpenUSD in its child process: it gets a stage's layers as bytes, from folders that may be read, and returns data."""

from __future__ import annotations

import os
import posixpath
import re
import struct
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from importlib import metadata
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any, NamedTuple
from zipfile import ZIP_STORED, BadZipFile, ZipFile

from ...child.child import Child, Limits, UnfulfilledError
from ...document.document import MAX_BYTES, Document
from ...document.packages import Folders
from ...errors import Finding, InertiaError
from ...files.input_file import note_missing, read_bytes, too_large
from ...units import listed_text
from .prims import CRATE, TEXT

OLDEST = (24, 11)
"""Oldest version of usd-core that gives the numbers that the tests expect."""

MAX_CRATE, MAX_ALL = 256 * 1024 * 1024, 512 * 1024 * 1024
"""Maximum size of a layer of binary USD, which may hold meshes, and of all layers and packages together [bytes]."""

MAX_LAYERS, MAX_MEMBERS, MAX_PRIMS, MAX_DEPTH = 1_000, 10_000, 200_000, 256
"""Maximum number of layers, of files in a package, of prims with those of instances, and of prims in prims."""

LISTED = 5
"""How many layers a message names."""

PACKAGE, MEMBER = b"PK\3\4", b"PK\1\2"
"""How packages, and the entries in a package's list of files begin."""

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_MEMBER = re.compile(r"(.*\.usdz)\[(.*)\]", re.DOTALL | re.IGNORECASE)
_LAYER = re.compile(r"\{layer:(\d+)\}")


class LayerFile(NamedTuple):
    """A layer: its name in messages, the path of its file, and its own name if that file is a package."""

    name: str
    path: Path
    member: str = ""


@dataclass(frozen=True, eq=False)
class StageFiles:
    """A stage as OpenUSD composes it.

    Parameters
    ----------
    stage : mapping
        What `usd_program.read` returns.
    layers : sequence of LayerFile
        By the index that the stage has for them; the first is the root.
    findings : tuple of Finding
        About layers that are not read, and what OpenUSD reports of the rest.
    """

    stage: Mapping[str, Any]
    layers: Sequence[LayerFile]
    findings: tuple[Finding, ...]


def read_stage(document: Document, roots: Sequence[Path] = ()) -> StageFiles:
    """Compose a stage from a root layer, or a package of layers, and all that it names.

    Raises
    ------
    InertiaError
        ``bad_usd`` if the root layer cannot be parsed, ``too_many_elements`` and ``too_deep`` above a limit, ``usd``
        without an OpenUSD that can be imported, or ``library_failed``.
    """
    python = f'"{sys.executable}"'
    with suppress(metadata.PackageNotFoundError):  # Blender's has no metadata
        version = metadata.version("usd-core")
        if tuple(int(part) for part in version.split(".")[:2]) < OLDEST:
            raise InertiaError.of("usd", document.name, "old", version=version, python=python)
    if find_spec("pxr") is None and not _of_blender():
        raise InertiaError.of("usd", document.name, "", python=python)
    with ExitStack() as stack:
        files = _Files(Folders.of(document, roots), tuple(roots), stack)
        data = files.root(document)
        values = {"most": MAX_PRIMS, "deepest": MAX_DEPTH}
        try:
            stage = _child.request("read", values, [data], {"layer": files.layer, "folder": files.folder})
        except UnfulfilledError as error:
            kind, *reason = error.reason
            raise _refusal(kind, *reason).about(document.name) from None
        except InertiaError as error:
            raise error.about(document.name) from None
        except ImportError as error:
            reason = " ".join(str(error).split())
            raise InertiaError.of("usd", document.name, "broken", reason=reason, python=python) from None
    for index, reason in stage["unparsed"]:
        files.refuse(files.namers[index], files.layers[index].name, InertiaError.of("bad_usd", "", reason=reason))
    problems = (_LAYER.sub(lambda match: files.layers[int(match[1])].name, text) for text in stage["problems"])
    findings = [Finding.of("warning", "bad_composition", document.name, reason=text) for text in problems]
    return StageFiles(stage, files.layers, (*files.findings(), *findings))


def _of_blender() -> list[str]:
    """Return the folder of Blender's own packages, if Blender runs: as a module of Python it does not search it."""
    modules = getattr(sys.modules.get("bpy"), "__file__", None)  # VERSION/scripts/modules/bpy/__init__.py
    folders = Path(modules).parents[3].glob("python/lib/python3*/site-packages") if modules else ()
    return [str(folder) for folder in folders if (folder / "pxr").is_dir()]


_child = Child(Path(__file__).with_name("usd_program.py"), "OpenUSD", Limits(seconds=10.0), _of_blender)


def _refusal(kind: str, reason: str = "") -> InertiaError:
    """Return the error for why the program refuses a stage."""
    if kind == "prims":
        return InertiaError.of("too_many_elements", "", "prims", limit=MAX_PRIMS)
    if kind == "deep":
        return InertiaError.of("too_deep", "", "prims", limit=MAX_DEPTH)
    return InertiaError.of("bad_usd", "", reason=reason)


@dataclass(eq=False)
class _Files:
    """The files of a stage so far: each is read once, so that layers may name each other in circles.

    Parameters
    ----------
    folders : Folders
    roots : tuple of Path
        Folders in which they are looked up besides that of the layer that names them.
    stack : ExitStack
        What removes the private folder when the stage is read.
    """

    folders: Folders
    roots: tuple[Path, ...]
    stack: ExitStack
    layers: list[LayerFile] = field(default_factory=list)
    namers: list[int] = field(default_factory=list)
    """The layer that names each layer first."""
    _left: int = MAX_ALL
    _indexes: dict[tuple[str, str], int] = field(default_factory=dict)
    _packages: dict[Path, ZipFile] = field(default_factory=dict)
    _unread: dict[tuple[str, str], list[tuple[int, str, InertiaError]]] = field(default_factory=dict)
    """What is not read, by code and form: the layer that names it, its name, and why."""

    def root(self, document: Document) -> bytes:
        """Return the root layer; that of a package is its first file."""
        path, data = Path(document.path or document.name), document.data
        if not data.startswith(PACKAGE):
            return self._add(LayerFile(document.name, path), 0, data)[1][0]
        try:
            self._packages[path] = _opened(data)
            file = self._entered(path)
            data = self.content(file)
        except InertiaError as error:
            raise error.about(document.name) from None
        return self._add(file._replace(name=document.name), 0, data)[1][0]

    def layer(self, naming: int, name: str) -> tuple[int | None, tuple[bytes, ...]]:
        """Answer for a layer that another one names: its index, and its bytes the first time."""
        try:
            file = self.find(naming, name)
            index = self._indexes.get(_key(file))
            if index is not None:
                return index, ()
            if len(self.layers) >= MAX_LAYERS:
                raise InertiaError.of("too_many_elements", "", "layers", limit=MAX_LAYERS)
            return self._add(file, naming, self.content(file))
        except InertiaError as error:
            self.refuse(naming, name, error)
            return None, ()

    def folder(self) -> tuple[str, tuple[bytes, ...]]:
        """Answer with a new private folder, which is removed at the latest when the stage is read."""
        try:
            folder = mkdtemp(prefix="sdf-inertia-")
        except OSError as error:
            raise InertiaError.of("bad_usd", "", "folder", reason=error.strerror) from None
        self.stack.callback(rmtree, folder, ignore_errors=True)
        return folder, ()

    def find(self, naming: int, name: str) -> LayerFile:
        """Return the file that a layer names.

        Raises
        ------
        InertiaError
            ``uri_refused`` for a network or a file outside of the folders, ``uri_lookup`` for one that is missing.
        """
        shown = _shown(name)
        written = name.partition(":SDF_FORMAT_ARGS:")[0].replace("\\", "/")
        if _SCHEME.match(written) or written.startswith("//") or "\0" in written:  # //server/share of Windows
            raise InertiaError.of("uri_refused", "", "scheme", name=shown)
        layer = self.layers[naming]
        if layer.member:
            member = posixpath.normpath(posixpath.join(posixpath.dirname(layer.member), written))
            if member not in self._package(layer.path).namelist():
                raise InertiaError.of("uri_lookup", "", "in_package", uri=shown)
            return self._entered(layer.path, member)
        packed = _MEMBER.fullmatch(written)
        written, member = packed.groups() if packed else (written, "")
        is_allowed = False
        for folder in (layer.path.parent, *self.roots):
            path = Path(os.path.normpath(folder / written))
            if self.folders.allow(path):
                if os.path.lexists(path):
                    return self._entered(path, member) if path.suffix.lower() == ".usdz" else LayerFile(str(path), path)
                note_missing(path)
                is_allowed = True
        if is_allowed:
            raise InertiaError.of("uri_lookup", "", "beside", uri=shown, other=None)
        raise InertiaError.of("uri_refused", "", "outside", name=shown)

    def content(self, file: LayerFile) -> bytes:
        """Return the content of a file; raises InertiaError. What is refused later counts too."""
        if self._left < 0:
            raise InertiaError.of("file_too_large", "", "layers", limit=MAX_ALL)
        if file.member:
            data = _unpacked(self._package(file.path), file.member)
        else:
            data = read_bytes(Path(os.path.realpath(file.path)), MAX_CRATE)
        self._left -= len(data)
        return data

    def refuse(self, naming: int, name: str, error: InertiaError) -> None:
        """Record that a layer is not read."""
        self._unread.setdefault((error.code, error.sentence.form), []).append((naming, name, error))

    def findings(self) -> Iterator[Finding]:
        """Yield a warning for each reason why layers are not read."""
        for same in self._unread.values():
            naming, name, error = same[0]
            others = listed_text([*dict.fromkeys(_shown(other) for _, other, _ in same)][1:], LISTED)
            form = "" if _shown(name) in error.message else "unnamed"
            values = {"name": _shown(name), "reason": error.sentence, "others": others, "remedy": error.fix}
            yield Finding.of("warning", "layer_not_read", self.layers[naming].name, form, **values)

    def _add(self, file: LayerFile, naming: int, data: bytes) -> tuple[int, tuple[bytes, ...]]:
        if not data.startswith((CRATE, TEXT)):
            raise InertiaError.of("bad_usd", file.name, "kind")
        if data.startswith(TEXT) and len(data) > MAX_BYTES:
            raise too_large(file.name, len(data), MAX_BYTES)
        self._indexes[_key(file)] = len(self.layers)
        self.layers.append(file)
        self.namers.append(naming)
        return len(self.layers) - 1, (data,)

    def _entered(self, path: Path, member: str = "") -> LayerFile:
        """Return a file of a package, the first if none is named."""
        member = member or next(iter(self._package(path).namelist()), "")
        return LayerFile(f"{path}[{member}]", path, member)

    def _package(self, path: Path) -> ZipFile:
        if path not in self._packages:
            data = read_bytes(Path(os.path.realpath(path)), MAX_ALL)
            self._left -= len(data)
            self._packages[path] = _opened(data)
        return self._packages[path]


def _shown(name: str) -> str:
    return ascii(name[:200])


def _key(file: LayerFile) -> tuple[str, str]:
    return os.path.realpath(file.path), file.member


BROKEN = (BadZipFile, EOFError, OSError, NotImplementedError, RuntimeError, ValueError, struct.error, OverflowError)
"""What zipfile raises for a broken archive."""


def _opened(data: bytes) -> ZipFile:
    if data.count(MEMBER) > MAX_MEMBERS:
        raise InertiaError.of("bad_usd", "", "package", reason=f"it has more than {MAX_MEMBERS} files")
    try:
        return ZipFile(BytesIO(data))
    except BROKEN as error:
        raise InertiaError.of("bad_usd", "", "package", reason=error) from None


def _unpacked(package: ZipFile, name: str) -> bytes:
    """Return a file of a package, which may not compress it."""
    try:
        info = package.getinfo(name)
        if info.compress_type != ZIP_STORED or info.flag_bits & 1:
            raise InertiaError.of("bad_usd", "", "compressed", name=ascii(name))
        if info.file_size > MAX_CRATE:
            raise too_large("", info.file_size, MAX_CRATE)
        return package.read(info)
    except (KeyError, *BROKEN) as error:
        raise InertiaError.of("bad_usd", "", "package", reason=error) from None
