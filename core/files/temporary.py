# SPDX-License-Identifier: Apache-2.0
"""Temporary files next to the files that they will replace, and folders for one process at a time.

Both are locked by the process that uses them, and the system releases the lock when the process dies, for any reason.
So a temporary file without a lock is left over from a dead process, on any machine or in any container. A process id
would not show that: ids of other machines mean nothing here.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import IO

LONGEST_WAIT = 60.0
"""Seconds to wait for another process in a folder; exports take less."""

PAUSE = 0.02
"""Seconds between two attempts."""

_NAMES = re.compile(r"\.sdf_inertia-\d+-.*\.tmp")

_numbers = count()

_unfinished: set[Path] = set()
"""Temporary files of this process that are not yet in place, entered before they are made."""


@contextmanager
def temporary(folder: Path, mode: int = 0o666) -> Iterator[tuple[Path, IO[bytes]]]:
    """Make a file in a folder, open for writing; it is removed at the end of the block unless it was renamed.

    Its permissions are `mode` without those that the umask removes. If it cannot be removed, the next call of
    `remove_leftovers` removes it.
    """
    path, descriptor = _made(folder, mode)
    made = os.fstat(descriptor)
    file = open(descriptor, "wb")  # noqa: SIM115 - closed last, since that releases the lock
    try:
        yield path, file
    finally:
        _close_before_a_change(file)
        with suppress(OSError):  # the original exception matters more
            # If it was renamed, its name may belong to another file by now.
            if os.path.samestat(made, path.lstat()):
                path.unlink()
        _unfinished.discard(path)
        with suppress(OSError):  # it has been flushed, or an exception is already being raised
            file.close()


def is_temporary(path: Path) -> bool:
    """Return True if a name is one that `temporary` gives."""
    return _NAMES.fullmatch(path.name) is not None


def remove_unfinished() -> None:
    """Remove the unfinished files of this process, when a signal is about to end it.

    A signal may raise its exception when a file exists and `temporary` has not yet entered its block.
    """
    while _unfinished:
        with suppress(OSError):
            _unfinished.pop().unlink()


def remove_leftovers(folder: Path) -> None:
    """Remove temporary files of dead processes from a folder, as far as possible."""
    with suppress(OSError), os.scandir(folder) as entries:  # a batch's folder may have a hundred thousand
        for entry in entries:
            if _NAMES.fullmatch(entry.name):
                with suppress(OSError):  # if one cannot be removed, go on with the others
                    _remove_unless_written(folder / entry.name)


def rename(path: Path, file: IO[bytes], target: Path) -> None:
    """Move a temporary file, complete and on disk, to the place of its target."""
    _close_before_a_change(file)
    _unfinished.discard(path)  # discard it first: after the move its name may belong to another process
    os.replace(path, target)


@contextmanager
def exclusive(folder: Path) -> Iterator[bool]:
    """Lock an existing folder against other processes that lock it, until the block ends.

    Yields
    ------
    bool
        False if others may be using the folder: the file system has no locks, as some network file systems, or the
        folder may not be read.

    Raises
    ------
    OSError
        If the folder cannot be opened, or another process stays in it for longer than `LONGEST_WAIT`.
    """
    end = time.monotonic() + LONGEST_WAIT
    while True:
        try:
            lock = _lock_folder(folder)
            break
        except BlockingIOError:
            if time.monotonic() > end:
                message = f"another process has been writing there for more than {LONGEST_WAIT:g} s"
                raise OSError(errno.EBUSY, message, str(folder)) from None
            time.sleep(PAUSE)
            folder.mkdir(parents=True, exist_ok=True)  # the other process has removed it if it failed
    try:
        yield lock is not None
    finally:
        if lock is not None:
            os.close(lock)


def _made(folder: Path, mode: int) -> tuple[Path, int]:
    while True:
        # A name of its own, not derived from the target's, which may already have the maximum length.
        path = folder / f".sdf_inertia-{os.getpid()}-{next(_numbers)}.tmp"
        _unfinished.add(path)
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
            if _is_ours(descriptor):
                return path, descriptor
            os.close(descriptor)
        except FileExistsError:  # never overwrite a file that is not ours
            pass
        except OSError:
            _unfinished.discard(path)
            raise
        _unfinished.discard(path)


if sys.platform == "win32":  # no process removes or renames an open file there

    def _is_ours(_descriptor: int) -> bool:
        return True

    def _close_before_a_change(file: IO[bytes]) -> None:
        with suppress(OSError):
            file.close()

    def _remove_unless_written(path: Path) -> None:
        path.unlink()

    def _lock_folder(folder: Path) -> int | None:
        """Make a file that is removed with its descriptor; raise BlockingIOError if another process has one there."""
        flags = os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_TEMPORARY
        try:
            return os.open(folder / ".sdf_inertia.lock", flags)
        except FileExistsError as error:
            raise BlockingIOError from error

else:
    import fcntl

    def _locked(descriptor: int) -> bool:
        """Lock a file; return False if its disk has no locks, raise BlockingIOError if another process has its lock."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise
        except OSError:
            return False
        return True

    def _is_ours(descriptor: int) -> bool:
        """Lock a new file; return False if another process took it for a leftover in between."""
        try:
            # Without locks, no process removes files that are not locked.
            return not _locked(descriptor) or os.fstat(descriptor).st_nlink > 0
        except BlockingIOError:
            return False

    def _close_before_a_change(_file: IO[bytes]) -> None:
        """Keep it open, and so locked."""

    def _remove_unless_written(path: Path) -> None:
        if not stat.S_ISREG(path.lstat().st_mode):
            return
        flags = os.O_NOFOLLOW | os.O_NONBLOCK
        try:  # for writing: network file systems need that for an exclusive lock
            descriptor = os.open(path, flags | os.O_RDWR)
        except PermissionError:  # it was to replace a read-only file
            descriptor = os.open(path, flags | os.O_RDONLY)
        try:
            if _locked(descriptor) and os.path.samestat(os.fstat(descriptor), path.lstat()):
                path.unlink()
        finally:
            os.close(descriptor)

    def _lock_folder(folder: Path) -> int | None:
        """Lock the folder itself; raise BlockingIOError if another process holds the lock, or has just removed it."""
        try:
            descriptor = os.open(folder, os.O_RDONLY)
        except PermissionError:  # writing in a folder does not need read permission
            return None
        try:
            locked = _locked(descriptor)
            if locked and not os.path.samestat(os.fstat(descriptor), os.stat(folder)):
                raise BlockingIOError
        except FileNotFoundError as error:
            os.close(descriptor)
            raise BlockingIOError from error
        except OSError:
            os.close(descriptor)
            raise
        if locked:
            return descriptor
        os.close(descriptor)
        return None
