# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that appear whole or not at all."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Mapping
from itertools import count
from pathlib import Path

LONGEST = 100
"""Bytes of a file's name that come from the user: Blender allows 255, all that a file system has, and ours add to
them. Some encrypted file systems stop at 143."""

_TEMPORARY = re.compile(r"\.sdf_inertia-(\d+)-.*\.tmp")

_numbers = count()


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that at any instant it is either the old or the new one, whole.

    A file that already has this content is left alone; a symbolic link stays one, and its target is replaced; the
    permissions of a file that is replaced are kept.

    Raises
    ------
    OSError
        If the file cannot be written, with `path` as its filename; then the old one is still there.
    """
    folder = _replace(path, data)
    if folder is not None:
        sync(folder)


def write_all_whole(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files by name, each as `write_whole` does; on return they are all on disk, and `folder` knows of them.

    A folder is synced once, not once per file: with thousands of files that is half of the time.
    """
    folders = {_replace(folder / name, data) for name, data in files.items()}
    for changed in sorted({folder, *(other for other in folders if other is not None)}):
        sync(changed)


def check_target(path: Path) -> None:
    """Raise an OSError that names `path` if no file can ever be written there, because it is a folder."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))


def cut(name: str) -> str:
    """Return as much of a name as fits into `LONGEST` bytes, whole characters."""
    return name.encode()[:LONGEST].decode("utf-8", "ignore")


def sync(directory: Path) -> None:
    """Wait until the names in a directory are on disk: a rename is once its directory is."""
    if os.name == "posix":  # Windows neither needs nor allows this
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _replace(path: Path, data: bytes) -> Path | None:
    """Put a file in its place; return the folder to sync, or None where nothing had to change."""
    try:
        check_target(path)
        target = Path(os.path.realpath(path))
        if target.is_file() and target.stat().st_size == len(data) and target.read_bytes() == data:
            return None
        # A name of its own, not one made from the target's, which may be as long as a name can be.
        temporary = target.with_name(f".sdf_inertia-{os.getpid()}-{next(_numbers)}.tmp")
        try:
            with open(temporary, "wb") as file:
                file.write(data)
                if target.exists():
                    os.chmod(temporary, target.stat().st_mode & 0o7777)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, target)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error
    return target.parent


def remove_leftovers(directory: Path) -> None:
    """Remove temporary files that a process which has died left in `directory`."""
    for path in directory.iterdir() if directory.is_dir() else ():
        match = _TEMPORARY.fullmatch(path.name)
        if match and not _alive(int(match[1])):
            path.unlink(missing_ok=True)


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
