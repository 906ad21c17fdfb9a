# SPDX-License-Identifier: Apache-2.0
"""Writes files whole or not at all; a device or a FIFO is written to as a stream."""

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
from .replaced import Reads, check_backup, check_not_edited, keep_backup, replacement
from .temporary import remove_leftovers, rename, temporary

_NOTHING: Reads = MappingProxyType({})

LONGEST = 100
"""Maximum bytes of a file's name that come from the user: Blender allows 255, as file systems do, and we add a suffix.
Some encrypted file systems stop at 143."""

_OPEN_FILES = re.compile(r"/dev/(stdout|stderr|fd/\d+)|/proc/self/fd/\d+")
"""Paths of open files: data are appended to the file that the shell has opened."""

_NO_SYNC = {errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}
"""Errors of file systems that cannot sync a folder, such as some network, virtual machine or FUSE ones."""


def write_atomic(path: Path, data: bytes, read: Reads = _NOTHING, backup: bool = False) -> tuple[Finding, ...]:
    """Write a file so that at any moment it is either the complete old one or the complete new one.

    A file that already has this content is left alone; a symbolic link stays one, and its target is replaced; owner,
    permissions, ACL and extended attributes of a file that is replaced are kept. A character device, a FIFO and an open
    file by its name (``/dev/stdout``) are written to as a stream; anything else that is not a regular file is refused.

    Parameters
    ----------
    read : mapping of str to str or None
        The files that the data were made from, see `Reads`: if the file is one of them, its content must be unchanged.
    backup : bool
        Keep a replaced file as FILE.bak, unless that exists.

    Returns
    -------
    tuple of Finding
        ``cannot_keep`` (warning): attributes of the old file that the new one lacks. ``backup`` (info): where the
        original is, or that FILE.bak existed already.

    Raises
    ------
    InertiaError
        ``source_changed`` if somebody has edited the file since it was read, ``backup`` if FILE.bak is not a regular
        file; then nothing is written.
    OSError
        If the file cannot be written, with `path` as `filename`; then the old file is unchanged.
    """
    with _errors_name(path):
        mode = _mode(path)
        if _OPEN_FILES.fullmatch(str(path)) or stat.S_ISCHR(mode) or stat.S_ISFIFO(mode):
            with open(path, "ab") as file:
                file.write(data)
            return ()
    return write_several_atomic({path: data}, read, backup)


def write_several_atomic(
    files: Mapping[Path, bytes], read: Reads = _NOTHING, backup: bool = False
) -> tuple[Finding, ...]:
    """Write regular files by path, each as `write_atomic` does; if one cannot be written, usually none is.

    All of them are first written next to their targets: if the disk is full at the last, or it was edited since it was
    read, the first is unchanged.
    """
    findings: list[Finding] = []
    for folder in sorted({_folder(path) for path in files}):
        remove_leftovers(folder)
    with ExitStack() as stack:
        steps = {}
        for path, data in files.items():
            with _errors_name(path):
                steps[path], lost = stack.enter_context(_staged(path, data, read, backup))
                findings += lost
        for path in files:
            check_not_edited(path, read)
        for path, move_into_place in steps.items():
            with _errors_name(path):
                moved = move_into_place()
                if moved is not None:
                    findings += moved
                    sync(_folder(path))
    return tuple(findings)


def write_folder(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write regular files of one folder by name, each as `write_atomic` does, but not all or none; on return they and
    the folder are on disk.

    A folder is synced once, not once per file: with thousands of files that saves half of the time. If the disk ignores
    case, an existing file is renamed to the given spelling.
    """
    remove_leftovers(folder)
    for name, data in files.items():
        with _errors_name(folder / name), _staged(folder / name, data) as (move_into_place, _):
            move_into_place()
    _fix_spelling(folder, files)
    sync(folder)


def filesystem_key(name: str) -> str:
    """Return a key that is equal for two names that some file system treats as one.

    Such names differ in case, or in how accents are composed: macOS and Windows ignore the first, macOS both.
    """
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())


def ignores_case(folder: Path) -> bool:
    """Return True if the file system of an existing folder ignores case."""
    with temporary(folder) as (path, _):
        return path.with_name(path.name.upper()).exists()


@contextmanager
def new_folder(path: Path) -> Iterator[None]:
    """Make a folder and its parents; if an exception ends the block, remove those that were made and are empty."""
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
    """Raise an OSError that names `path` if it exists and is not a regular file, which no file can replace."""
    with _errors_name(path):
        mode = _mode(path)
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if mode and not stat.S_ISREG(mode):
            raise FileExistsError(errno.EEXIST, "it is not a regular file, so it cannot be replaced")


def shortened(name: str) -> str:
    """Return the beginning of a name that fits into `LONGEST` bytes, in whole characters."""
    return name.encode()[:LONGEST].decode("utf-8", "ignore")


def sync(directory: Path) -> None:
    """Wait until the names in a directory are on disk: a rename is durable once its directory is synced.

    If the system cannot do that, the files are still written, but without this guarantee.
    """
    if os.name != "posix":  # Windows cannot open a folder
        return
    try:
        descriptor = os.open(directory, os.O_RDONLY)
    except PermissionError:  # writing in a folder does not need read permission
        return
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _NO_SYNC:
            raise
    finally:
        os.close(descriptor)


@contextmanager
def _errors_name(path: Path) -> Iterator[None]:
    """Make every OSError name the given path, not that of a temporary file."""
    try:
        yield
    except UnicodeEncodeError as error:  # POSIX, with a locale that is not UTF-8
        reason = f"the system's encoding, {error.encoding}, has no {error.object[error.start : error.end]!a}"
        raise OSError(errno.EILSEQ, reason, str(path)) from error
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def _folder(path: Path) -> Path:
    """Return the folder of the file behind all links."""
    return Path(os.path.realpath(path)).parent


def _mode(path: Path) -> int:
    """Return the mode of the file behind all links; 0 if it does not exist."""
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return 0


@contextmanager
def _staged(
    path: Path, data: bytes, read: Reads = _NOTHING, backup: bool = False
) -> Iterator[tuple[Callable[[], tuple[Finding, ...] | None], tuple[Finding, ...]]]:
    """Write a regular file's content to disk next to it; yield a function to move it into place, and lost attributes.

    The function returns the finding about a backup, if any; None if the file already has this content.
    """
    check_target(path)
    target = Path(os.path.realpath(path))
    if target.is_file() and target.stat().st_size == len(data) and target.read_bytes() == data:
        yield (lambda: None), ()
        return
    if backup:
        check_backup(target)
    with replacement(target, data) as (beside, file, findings):

        def move_into_place() -> tuple[Finding, ...]:
            check_not_edited(path, read)
            backups = (keep_backup(path, target),) if backup and target.exists() else ()
            rename(beside, file, target)
            return backups

        yield move_into_place, tuple(finding.about(str(path)) for finding in findings)


def _fix_spelling(folder: Path, names: Iterable[str]) -> None:
    """Rename files of a folder that the disk finds under another spelling of `names`."""
    with suppress(OSError):
        listed = os.listdir(folder)
        others = {filesystem_key(name): name for name in listed}
        for name in set(names).difference(listed):
            other = others.get(filesystem_key(name))
            if other is not None and os.path.exists(folder / name):
                os.rename(folder / other, folder / name)
