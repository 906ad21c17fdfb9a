# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import re
from pathlib import Path

_TEMPORARY = re.compile(r"\.sdf_inertia-(\d+)-.*\.tmp")


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that at any instant it is either the old or the new one, whole.

    A file that already has this content is left alone; a symbolic link stays one, and its target is replaced; the
    permissions of a file that is replaced are kept.

    Raises
    ------
    OSError
        If the file cannot be written; then the old one is still there.
    """
    path = Path(os.path.realpath(path))
    if path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data:
        return
    temporary = path.with_name(f".sdf_inertia-{os.getpid()}-{path.name}.tmp")
    try:
        with open(temporary, "wb") as file:
            file.write(data)
            if path.exists():
                os.chmod(temporary, path.stat().st_mode & 0o7777)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
    _sync(path.parent)


def remove_leftovers(directory: Path) -> None:
    """Remove temporary files that a process which has died left in `directory`."""
    for path in directory.iterdir() if directory.is_dir() else ():
        match = _TEMPORARY.fullmatch(path.name)
        if match and not _alive(int(match[1])):
            path.unlink(missing_ok=True)


def _sync(directory: Path) -> None:
    # A rename is on disk once its directory is; Windows neither needs nor allows this.
    if os.name == "posix":
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _alive(pid: int) -> bool:
    if os.name != "posix":
        return pid == os.getpid()
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
