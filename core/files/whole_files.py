# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that appear whole or not at all; what is there and is no file, such as a device, stays what it is."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from .temporary import remove_leftovers, rename, temporary

LONGEST = 100
"""Bytes of a file's name that come from the user: Blender allows 255, all that a file system has, and ours add to
them. Some encrypted file systems stop at 143."""

_OPEN_FILES = re.compile(r"/proc/(\d+)/fd|/dev/fd")
"""Folders whose names are the numbers of open files."""

_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a FIFO",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a block device",
}


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that at any instant it is either the old or the new one, whole.

    A file that already has this content is left alone; a symbolic link stays one, and its target is replaced; the
    permissions of a file that is replaced are kept. What is no regular file is never replaced: to a character device,
    a FIFO that somebody reads, and an open file by its name (``/dev/stdout``) the data are sent.

    Raises
    ------
    OSError
        If the file cannot be written, with `path` as its filename; then the old one is still there.
    """
    with _naming(path):
        mode, number = _mode(path), _open_file(path)
        if number is not None or (mode is not None and (stat.S_ISCHR(mode) or stat.S_ISFIFO(mode))):
            _send(path, number, data)
            return
        folder = Path(os.path.realpath(path)).parent
        remove_leftovers(folder)
        with _ready(path, data) as put:
            if put():
                sync(folder)


def write_in_order(files: Mapping[Path, bytes]) -> None:
    """Write regular files by path, one after the other, each as `write_whole` does.

    All of them are written beside their places first: where there is no room for the last, the first is as it was.
    """
    folders = {path: Path(os.path.realpath(path)).parent for path in files}
    for folder in sorted(set(folders.values())):
        remove_leftovers(folder)
    with ExitStack() as stack:
        steps = {}
        for path, data in files.items():
            with _naming(path):
                steps[path] = stack.enter_context(_ready(path, data))
        for path, put in steps.items():
            with _naming(path):
                if put():
                    sync(folders[path])


def write_all_whole(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write regular files by name, as `write_whole` does; on return they are on disk, and `folder` knows of them.

    A folder is synced once, not once per file: with thousands of files that is half of the time.
    """
    remove_leftovers(folder)
    changed = {folder}
    for name, data in files.items():
        with _naming(folder / name), _ready(folder / name, data) as put:
            if put():
                changed.add(Path(os.path.realpath(folder / name)).parent)
    for one in sorted(changed):
        sync(one)


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
        if mode is None or stat.S_ISREG(mode):
            return
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        raise FileExistsError(errno.EEXIST, f"it is {_KINDS[stat.S_IFMT(mode)]}, which is never replaced by a file")


def shortened(name: str) -> str:
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


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Make every OSError name the path that was asked for, not what stands in for it."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def _mode(path: Path) -> int | None:
    """Return what stands at the end of all links, as `os.stat` tells it; None where nothing does."""
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None


def _open_file(path: Path) -> int | None:
    """Return the number of this process's open file that a path names, such as 1 for ``/dev/stdout``; else None."""
    for _ in range(40):  # links, as many as Linux follows
        folder = _OPEN_FILES.fullmatch(os.path.realpath(path.parent))
        if folder and path.name.isdigit():
            return int(path.name) if folder[1] in (None, str(os.getpid())) else None
        if not path.is_symlink():
            break
        path = path.parent / os.readlink(path)
    return None


def _send(path: Path, number: int | None, data: bytes) -> None:
    """Write to an open file, or else to a device or FIFO."""
    if number is None:
        # Without waiting for somebody to read a FIFO, which may be never, and never as this process's terminal.
        flags = os.O_WRONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
        try:
            descriptor = os.open(path, flags)
        except OSError as error:
            if error.errno == errno.ENXIO:
                raise OSError(error.errno, "nobody reads from it, or no device is behind it") from error
            raise
        if os.name == "posix":
            os.set_blocking(descriptor, True)
    else:
        descriptor = os.dup(number)
    with open(descriptor, "wb") as file:
        file.write(data)


@contextmanager
def _ready(path: Path, data: bytes) -> Iterator[Callable[[], bool]]:
    """Have the content of a regular file on disk, beside it; yield what puts it in its place, if anything changes."""
    check_target(path)
    target = Path(os.path.realpath(path))
    if target.is_file() and target.stat().st_size == len(data) and target.read_bytes() == data:
        yield lambda: False
        return
    with temporary(target.parent) as (beside, file):
        file.write(data)
        if target.exists():
            os.chmod(beside, target.stat().st_mode & 0o7777)
        file.flush()
        os.fsync(file.fileno())

        def put() -> bool:
            rename(beside, file, target)
            return True

        yield put
