# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps a folder to one process at a time, by the system's locks, which a process that dies releases."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LONGEST_WAIT = 60.0
"""Seconds to wait for another process; exports take less."""

PAUSE = 0.02
"""Seconds between two attempts."""


@contextmanager
def exclusive(folder: Path) -> Iterator[bool]:
    """Lock an existing folder against other processes that lock it, until the block ends.

    Yields
    ------
    bool
        False if others may be using the folder: the file system has no locks, as some network file systems, the folder
        may not be read, or its last user has removed it.

    Raises
    ------
    OSError
        If the folder cannot be opened, or another process stays in it for longer than `LONGEST_WAIT`.
    """
    end = time.monotonic() + LONGEST_WAIT
    waited = False
    while True:
        try:
            lock = _lock(folder)
            break
        except FileNotFoundError:
            if not waited:
                raise
            lock = None  # its last user has removed it
            break
        except BlockingIOError:
            if time.monotonic() > end:
                message = f"another process has been writing there for more than {LONGEST_WAIT:g} s"
                raise OSError(errno.EBUSY, message, str(folder)) from None
            time.sleep(PAUSE)
            waited = True
    try:
        yield lock is not None and _is_of(lock, folder)
    finally:
        if lock is not None:
            os.close(lock)


if sys.platform == "win32":

    def _lock(folder: Path) -> int | None:
        """Make a file that is removed with its descriptor; raise BlockingIOError if another process has one there."""
        flags = os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_TEMPORARY
        try:
            return os.open(folder / ".sdf_inertia.lock", flags)
        except FileExistsError as error:
            raise BlockingIOError from error

    def _is_of(_lock: int, _folder: Path) -> bool:
        return True  # no process removes a folder with an open file in it

else:
    import fcntl

    def _lock(folder: Path) -> int | None:
        """Lock the folder itself; raise BlockingIOError if another process holds the lock."""
        try:
            descriptor = os.open(folder, os.O_RDONLY)
        except PermissionError:  # writing in a folder does not need read permission
            return None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            raise
        except OSError:
            os.close(descriptor)
            return None
        return descriptor

    def _is_of(lock: int, folder: Path) -> bool:
        """Return True if a lock is still that of the folder, not of a removed one with the same path."""
        return folder.exists() and os.path.samestat(os.fstat(lock), folder.stat())
