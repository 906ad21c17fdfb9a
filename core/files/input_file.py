# SPDX-License-Identifier: Apache-2.0
"""Reads regular files whose size is checked first, limits XML before a library reads it, decodes text.

Results depend on the files that were read and on those that were missing: both can be recorded.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from hashlib import file_digest, sha256
from pathlib import Path, PurePath
from urllib.parse import unquote
from xml.parsers import expat

from ..errors import InertiaError

MAX_DEPTH = 498
"""Maximum depth of elements of XML: the most that TinyXML2 reads, by which MuJoCo and libsdformat read."""

MAX_ELEMENTS = 1_000_000
"""Maximum number of elements in an XML file."""

GIT_LFS = b"version https://git-lfs.github.com/spec/"
"""The beginning of the pointer file that Git LFS leaves in place of a content that was not fetched."""

_recorders: ContextVar[tuple[dict[str, str | None], ...]] = ContextVar("_recorders", default=())

_unwritten: ContextVar[Mapping[str, bytes]] = ContextVar("_unwritten", default={})  # noqa: B039  # never changed


@dataclass
class SiblingFiles:
    """The files that a mesh file names, if they are in the allowed folders, by the interface that trimesh asks for.

    Parameters
    ----------
    roots : tuple of Path
        Real paths of the allowed folders.
    bytes_left : int
        Maximum size of those that are still to be read, together [bytes].
    """

    path: Path
    roots: tuple[Path, ...]
    bytes_left: int

    def get(self, name: str) -> bytes:
        """Return a file's content.

        Raises
        ------
        InertiaError
            ``uri_refused`` for a file outside of `roots`, or what `read_bytes` raises.
        """
        path = self._real(name)
        if path is not None and not path.exists():  # glTF writes a space as %20
            note_missing(path)
            path = self._real(unquote(name))
        if path is None or not any(path.is_relative_to(root) for root in self.roots):
            raise InertiaError.of("uri_refused", str(self.path), "mesh", name=ascii(name[:200]))
        data = read_bytes(path, self.bytes_left)
        self.bytes_left -= len(data)
        return data

    def _real(self, name: str) -> Path | None:
        path = self.path.parent / name
        return Path(os.path.realpath(path)) if on_a_drive_of(path, self.roots) else None

    def __getitem__(self, name: str) -> bytes:
        return self.get(name)


def read_bytes(path: Path, limit: int) -> bytes:
    """Return a regular file's content; anything else, such as a FIFO or a device, is not opened.

    Raises
    ------
    InertiaError
        ``file_read``, also for a pointer of Git LFS, or ``file_too_large``.
    """
    if unwritten := _unwritten.get():
        data = unwritten.get(os.path.realpath(path))
        if data is not None:
            return data
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise InertiaError.of("file_read", str(path), "folder" if path.is_dir() else "not_regular")
        if status.st_size > limit:
            raise too_large(str(path), status.st_size, limit)
        with path.open("rb") as file:
            data = file.read(status.st_size + 1)  # a buffer of the limit's size takes longer than to read the file
            if len(data) > status.st_size:  # it grows meanwhile, or states no size, as those of /proc
                data += file.read(limit + 1 - len(data))
        if len(data) > limit:
            raise too_large(str(path), len(data), limit)
        missing = [digests for digests in _recorders.get() if str(path) not in digests]
        sha256_of_file = sha256(data).hexdigest() if missing else ""
        for digests in missing:  # the first digest stays, if the file is edited meanwhile
            digests[str(path)] = sha256_of_file
        if data.startswith(GIT_LFS):
            raise InertiaError.of("file_read", str(path), "git_lfs")
        return data
    except (OSError, ValueError) as error:  # a NUL in the path raises ValueError
        if isinstance(error, FileNotFoundError):
            note_missing(path)
        reason = getattr(error, "strerror", None) or str(error)
        raise InertiaError.of("file_read", ascii(str(path)), "unreadable", reason=reason) from None


def decoded(data: bytes) -> str:
    """Return a text: UTF-8 or UTF-16, with or without a mark, else Windows' Western encoding.

    Raises
    ------
    InertiaError
        ``bad_encoding`` for other bytes.
    """
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        encodings = ["utf-16"]
    elif 0 in data[:2]:
        encodings = ["utf-16-be" if data[0] == 0 else "utf-16-le"]
    else:
        encodings = ["utf-8-sig", "cp1252"]
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text.removeprefix("\ufeff")
    raise InertiaError.of("bad_encoding", "", "text")


def guard_xml(data: bytes, name: str) -> None:
    """Check XML for what would harm a reader.

    Raises
    ------
    InertiaError
        ``doctype``, ``too_deep``, ``too_many_elements``, ``bad_encoding`` or ``bad_xml``; the subject is ``name:line``.
    """
    parser = expat.ParserCreate()
    depth = count = 0

    def refuse(code: str, form: str = "", **values: int) -> InertiaError:
        return InertiaError.of(code, f"{name}:{parser.CurrentLineNumber}", form, **values)

    def doctype(*_: object) -> None:
        raise refuse("doctype", "xml")

    def start(*_: object) -> None:
        nonlocal depth, count
        depth, count = depth + 1, count + 1
        if depth > MAX_DEPTH:
            raise refuse("too_deep", "elements", limit=MAX_DEPTH)
        if count > MAX_ELEMENTS:
            raise refuse("too_many_elements", limit=MAX_ELEMENTS)

    def end(_tag: str) -> None:
        nonlocal depth
        depth -= 1

    parser.StartDoctypeDeclHandler = doctype
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        code = "bad_encoding" if "encoding" in reason else "bad_xml"
        raise InertiaError.of(code, f"{name}:{error.lineno}", "libxml", reason=reason) from None
    except (LookupError, UnicodeError, ValueError) as error:  # from Python's codecs, for an unknown encoding
        raise InertiaError.of("bad_encoding", name, "unknown", error=error) from None
    finally:
        # Break the reference cycle of parser and handlers.
        parser.StartDoctypeDeclHandler = parser.StartElementHandler = parser.EndElementHandler = None


def note_read(path: Path) -> str | None:
    """Record that another program reads a file, or that it is missing; return its digest."""
    sha256_of_file = digest(path)
    for digests in _recorders.get():
        digests[str(path)] = sha256_of_file
    return sha256_of_file


def note_named(path: Path) -> None:
    """Record a file that an input names, even if it is not read now."""
    for digests in _recorders.get():
        if str(path) not in digests:
            digests[str(path)] = digest(path)


def note_missing(path: Path) -> None:
    """Record that a file was looked up and is missing."""
    for digests in _recorders.get():
        digests.setdefault(str(path), None)


@contextmanager
def noting_reads() -> Iterator[dict[str, str | None]]:
    """Record the SHA-256 of each file that `read_bytes` reads meanwhile in this thread, by its path; None for a missing
    one."""
    digests: dict[str, str | None] = {}
    token = _recorders.set((*_recorders.get(), digests))
    try:
        yield digests
    finally:
        _recorders.reset(token)


@contextmanager
def reading_unwritten(contents: Mapping[Path, bytes]) -> Iterator[None]:
    """Read files that are not written yet: `read_bytes` returns these contents, in this thread."""
    token = _unwritten.set({**_unwritten.get(), **{os.path.realpath(path): data for path, data in contents.items()}})
    try:
        yield
    finally:
        _unwritten.reset(token)


def digest(path: Path) -> str | None:
    """Return the SHA-256 of a regular file's content; None if it cannot be read."""
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:
            return file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError):  # a NUL in the path raises ValueError
        return None


def on_a_drive_of(path: PurePath, roots: Iterable[PurePath]) -> bool:
    """Return True if a path can be in one of some folders, without access to the disk.

    On Windows, access to ``//server/share`` contacts a server that the file chooses. Other systems have one drive.
    """
    return not path.drive or path.drive.lower() in {root.drive.lower() for root in roots}


def holds_too_much(folder: Path) -> bool:
    """Return True for the root of a disk, and for a folder that contains the user's home; `folder` is a real path."""
    return folder == folder.parent or Path(os.path.realpath(os.path.expanduser("~"))).is_relative_to(folder)


def too_large(name: str, size: int, limit: int) -> InertiaError:
    """Return the error for a file above a limit of bytes."""
    return InertiaError.of("file_too_large", name, "bytes", size=size, limit=limit)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Raise what a reader raises, which may be anything for a broken file, as an error about this file.

    Raises
    ------
    InertiaError
        Those of the reader; ``no_trimesh`` if a library is not installed; ``bad_mesh_file`` for all others.
    """
    try:
        yield
    except InertiaError as error:
        raise error.about(str(path)) from None
    except ImportError as error:
        package = error.name or error
        raise InertiaError.of("no_trimesh", str(path), suffix=path.suffix.lower(), package=package) from error
    except MemoryError:
        raise
    except Exception as error:
        raise bad_file(path, error) from error


def bad_file(path: Path, error: Exception) -> InertiaError:
    """Return the error for a file whose content does not match its suffix."""
    reason = " ".join(str(error).split()) or type(error).__name__
    if isinstance(error, LookupError | TypeError | AttributeError):  # it has other parts than a reader asks for
        reason = f"its content is not of this format ({type(error).__name__}: {reason})"
    return InertiaError.of("bad_mesh_file", str(path), reason=reason[:300])
