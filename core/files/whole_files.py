# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that appear whole or not at all; a device or a FIFO is written to and stays what it is."""

from __future__ import annotations

import errno
import os
import re
import stat
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import MappingProxyType

from ..errors import Finding
from .replaced import Reads, check_not_edited, keep_backup, replacement
from .temporary import remove_leftovers, rename, temporary

_NOTHING: Reads = MappingProxyType({})

LONGEST = 100
"""Bytes of a file's name that come from the user: Blender allows 255, all that a file system has, and ours add to
them. Some encrypted file systems stop at 143."""

_OPEN_FILES = re.compile(r"/dev/(stdout|stderr|fd/\d+)|/proc/self/fd/\d+")
"""Names of open files: data are appended to what the shell has opened."""

_NO_SYNC = {errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}
"""What file systems say that cannot sync a folder, as some of a network, of a virtual machine or by FUSE."""


def write_whole(path: Path, data: bytes, read: Reads = _NOTHING, backup: bool = False) -> tuple[Finding, ...]:
    """Write a file so that at any instant it is either the old or the new one, whole.

    A file that already has this content is left alone; a symbolic link stays one, and its target is replaced; owner,
    permissions, ACL and extended attributes of a file that is replaced are kept. A character device, a FIFO and an open
    file by its name (``/dev/stdout``) are written to as a stream; anything else that is not a regular file is refused.

    Parameters
    ----------
    read : mapping of str to str or None
        What the data were made from, see `Reads`: if the file is one of them, it must still have that content.
    backup : bool
        Whether a file that is replaced is kept as FILE.bak, unless there is one already.

    Returns
    -------
    tuple of Finding
        ``cannot_keep`` (warning): what the new file could not keep of the old one.

    Raises
    ------
    InertiaError
        ``source_changed`` if somebody has edited the file since it was read; then nothing is written.
    OSError
        If the file cannot be written, with `path` as its filename; then the old one is still there.
    """
    with _naming(path):
        mode = _mode(path)
        if _OPEN_FILES.fullmatch(str(path)) or stat.S_ISCHR(mode) or stat.S_ISFIFO(mode):
            with open(path, "ab") as file:
                file.write(data)
            return ()
        folder = Path(os.path.realpath(path)).parent
        remove_leftovers(folder)
        with _ready(path, data, read, backup) as (put, findings):
            if put():
                sync(folder)
            return findings


def write_in_order(files: Mapping[Path, bytes], read: Reads = _NOTHING, backup: bool = False) -> tuple[Finding, ...]:
    """Write regular files by path, one after the other, each as `write_whole` does.

    All of them are written beside their places first: if there is no room for the last, or it was edited since it was
    read, the first is as it was.
    """
    findings: list[Finding] = []
    folders = {path: Path(os.path.realpath(path)).parent for path in files}
    for folder in sorted(set(folders.values())):
        remove_leftovers(folder)
    with ExitStack() as stack:
        steps = {}
        for path, data in files.items():
            with _naming(path):
                steps[path], lost = stack.enter_context(_ready(path, data, read, backup))
                findings += lost
        for path in files:
            check_not_edited(path, read)
        for path, put in steps.items():
            with _naming(path):
                if put():
                    sync(folders[path])
    return tuple(findings)


def write_all_whole(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write regular files by name, as `write_whole` does; on return they are on disk, and `folder` knows of them.

    A folder is synced once, not once per file: with thousands of files that is half of the time. Where a disk ignores
    case, a file that is there already is spelled as it is named now.
    """
    remove_leftovers(folder)
    changed = {folder}
    for name, data in files.items():
        with _naming(folder / name), _ready(folder / name, data) as (put, _):
            if put():
                changed.add(Path(os.path.realpath(folder / name)).parent)
    _spell(folder, files)
    for one in sorted(changed):
        sync(one)


def without_case(name: str) -> str:
    """Return what is the same for two names that some file system takes for one.

    They differ in case, or in how an accent is made up: macOS and Windows ignore the first, macOS the second too.
    """
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())


def ignores_case(folder: Path) -> bool:
    """Return True if names in a folder, which must be there, are the same if they differ in case alone."""
    with temporary(folder) as (path, _):
        return path.with_name(path.name.upper()).exists()


@contextmanager
def new_folder(path: Path) -> Iterator[None]:
    """Make a folder, and those above it; where an exception ends the block, those that were made and are empty go."""
    made = [folder for folder in (path, *path.parents) if not os.path.lexists(folder)]
    try:
        path.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException:
        for folder in made:
            with suppress(OSError):
                folder.rmdir()
        raise


def check_target(path: Path) -> None:
    """Raise an OSError that names `path` if what is there is no regular file, so that no file can take its place."""
    with _naming(path):
        mode = _mode(path)
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if mode and not stat.S_ISREG(mode):
            raise FileExistsError(errno.EEXIST, "it is not a regular file, and is never replaced")


def shortened(name: str) -> str:
    """Return as much of a name as fits into `LONGEST` bytes, whole characters."""
    return name.encode()[:LONGEST].decode("utf-8", "ignore")


def sync(directory: Path) -> None:
    """Wait until the names in a directory are on disk: a rename is once its directory is.

    Where that cannot be asked for, the files are written all the same, and nobody can wait for them.
    """
    if os.name != "posix":  # Windows opens no folder
        return
    try:
        descriptor = os.open(directory, os.O_RDONLY)
    except PermissionError:  # writing in a folder does not take reading it
        return
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _NO_SYNC:
            raise
    finally:
        os.close(descriptor)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Make every OSError name the path that was asked for, not what stands in for it."""
    try:
        yield
    except UnicodeEncodeError as error:  # POSIX, with a locale that is not UTF-8
        reason = f"the system's encoding, {error.encoding}, has no {error.object[error.start : error.end]!a}"
        raise OSError(errno.EILSEQ, reason, str(path)) from error
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def _mode(path: Path) -> int:
    """Return the mode of what is at the end of all links; 0 if nothing is."""
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return 0


@contextmanager
def _ready(
    path: Path, data: bytes, read: Reads = _NOTHING, backup: bool = False
) -> Iterator[tuple[Callable[[], bool], tuple[Finding, ...]]]:
    """Have the content of a regular file on disk, beside it; yield what puts it in its place, and what it cannot keep.

    What puts it there returns False if the file has this content already.
    """
    check_target(path)
    target = Path(os.path.realpath(path))
    if target.is_file() and target.stat().st_size == len(data) and target.read_bytes() == data:
        yield (lambda: False), ()
        return
    with replacement(target, data) as (beside, file, findings):

        def put() -> bool:
            check_not_edited(path, read)
            if backup and target.exists():
                keep_backup(target)
            rename(beside, file, target)
            return True

        yield put, tuple(finding.about(str(path)) for finding in findings)


def _spell(folder: Path, names: Iterable[str]) -> None:
    """Spell files of a folder as `names` do, where the disk has found them under another spelling."""
    with suppress(OSError):
        listed = os.listdir(folder)
        others = {without_case(name): name for name in listed}
        for name in set(names).difference(listed):
            other = others.get(without_case(name))
            if other is not None and os.path.exists(folder / name):
                os.rename(folder / other, folder / name)
