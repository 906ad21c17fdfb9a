# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that are on their way to be others: beside their targets, and locked by whoever writes them.

The lock is the system's, which lets go of it when its process dies, whatever ends that. So a temporary file that nobody
has locked is what is left of a dead process, on whichever machine or in whichever container that was. A number of a
process would not tell: those of others mean nothing here.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import IO

_NAMES = re.compile(r"\.sdf_inertia-\d+-.*\.tmp")

_numbers = count()

_unfinished: set[Path] = set()
"""Those of this process that are not in their places, entered before they are made."""


@contextmanager
def temporary(folder: Path, mode: int = 0o666) -> Iterator[tuple[Path, IO[bytes]]]:
    """Make a file in a folder, open for writing; unless the block renames it, it is gone afterwards.

    Its permissions are those of `mode` that the umask leaves.
    Where it cannot be removed, the next call of `remove_leftovers` removes it.
    """
    path, descriptor = _made(folder, mode)
    made = os.fstat(descriptor)
    file = open(descriptor, "wb")  # noqa: SIM115 - closed last, since that lets go of it
    try:
        yield path, file
    finally:
        _close_before_a_change(file)
        with suppress(OSError):  # what is wrong already is what counts
            if os.path.samestat(made, path.lstat()):  # else it was renamed, and its name may be another's by now
                path.unlink()
        _unfinished.discard(path)
        with suppress(OSError):  # it has been flushed, or there is an error on its way
            file.close()


def is_temporary(path: Path) -> bool:
    """Return True if a name is one that `temporary` gives."""
    return _NAMES.fullmatch(path.name) is not None


def remove_unfinished() -> None:
    """Remove the files that this process has made and not put in their places, where a signal is about to end it.

    The exception that a signal raises may come when a file is there and `temporary` has not yet begun its block.
    """
    while _unfinished:
        with suppress(OSError):
            _unfinished.pop().unlink()


def remove_leftovers(folder: Path) -> None:
    """Remove temporary files that processes which have died left in a folder, as far as that can be done."""
    with suppress(OSError), os.scandir(folder) as entries:  # a batch's folder may have a hundred thousand
        for entry in entries:
            if _NAMES.fullmatch(entry.name):
                with suppress(OSError):  # one that stays is no reason for the others to
                    _remove_unless_written(folder / entry.name)


def rename(path: Path, file: IO[bytes], target: Path) -> None:
    """Put a temporary file, all of it written and on disk, in the place of its target."""
    _close_before_a_change(file)
    _unfinished.discard(path)  # its name may be another's by the time that it is not ours
    os.replace(path, target)


def _made(folder: Path, mode: int) -> tuple[Path, int]:
    while True:
        # A name of its own, not one made from the target's, which may be as long as a name can be.
        path = folder / f".sdf_inertia-{os.getpid()}-{next(_numbers)}.tmp"
        _unfinished.add(path)
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
            if _is_ours(descriptor):
                return path, descriptor
            os.close(descriptor)
        except FileExistsError:  # not ours, be it a link to what is precious
            pass
        except OSError:
            _unfinished.discard(path)
            raise
        _unfinished.discard(path)


if sys.platform == "win32":  # where nobody removes or renames a file that is open

    def _is_ours(_descriptor: int) -> bool:
        return True

    def _close_before_a_change(file: IO[bytes]) -> None:
        with suppress(OSError):
            file.close()

    def _remove_unless_written(path: Path) -> None:
        path.unlink()

else:
    import fcntl

    def _is_ours(descriptor: int) -> bool:
        """Lock a file that was just made; False where somebody took it for a leftover in between."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # no locks here, and so nobody who removes what has none
            return True
        return os.fstat(descriptor).st_nlink > 0

    def _close_before_a_change(_file: IO[bytes]) -> None:
        """Leave it open, which keeps it locked."""

    def _remove_unless_written(path: Path) -> None:
        if not stat.S_ISREG(path.lstat().st_mode):
            return
        flags = os.O_NOFOLLOW | os.O_NONBLOCK
        try:  # for writing, without which a network's file system gives no lock that keeps others out
            descriptor = os.open(path, flags | os.O_RDWR)
        except PermissionError:  # it was to take the place of one that may only be read
            descriptor = os.open(path, flags | os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # raises where it is written, or there are no locks
            if os.path.samestat(os.fstat(descriptor), path.lstat()):
                path.unlink()
        finally:
            os.close(descriptor)
