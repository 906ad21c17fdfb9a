# SPDX-License-Identifier: Apache-2.0
"""Replaces a file: detects edits made meanwhile, keeps the old file's attributes, and makes a backup."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from ..errors import Finding, InertiaError
from .input_file import digest
from .temporary import rename, temporary

Reads = Mapping[str, str | None]
"""SHA-256 by path of the files that a result was made from, from `noting_reads`."""

_ACCESS_LIST = "system.posix_acl_access"
"""The extended attribute that holds a file's ACL on Linux."""

_NOT_ALLOWED = {errno.EPERM, errno.EACCES, errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}
"""Errors of a change that this user may not make, or that the disk does not support; other errors are raised."""

OWN_ALONE = stat.S_IRUSR | stat.S_IWUSR


def check_unchanged(path: Path, expected: str | None) -> None:
    """Raise an InertiaError, ``source_changed``, unless a file's content has the SHA-256 that it had when it was read.

    A file that was deleted since has also changed.
    """
    if digest(path) != expected:
        raise InertiaError.of("source_changed", str(path))


def check_not_edited(target: Path, read: Reads) -> None:
    """Check a file that was read, under any of its names, as `check_unchanged` does; any other passes."""
    real = os.path.realpath(target)
    for path, content in read.items():
        if content is not None and (os.path.realpath(path) == real or _same(target, path)):
            check_unchanged(target, content)


@contextmanager
def replacement(target: Path, data: bytes) -> Iterator[tuple[Path, IO[bytes], tuple[Finding, ...]]]:
    """Write a file's new content to disk next to it; yield the path, the open file, and lost attributes.

    Nobody can ever open it who cannot open the file that it replaces.
    """
    status = _stat(target)
    with temporary(target.parent, 0o666 if status is None else status.st_mode & OWN_ALONE) as (beside, file):
        file.write(data)
        file.flush()
        findings = () if status is None else _kept(target, status, file.fileno())
        os.fsync(file.fileno())
        yield beside, file, findings


def check_backup(target: Path) -> bool:
    """Return True if a file has a backup, FILE.bak, of an earlier run.

    Raise an InertiaError, ``backup``, if something else has that name: a folder, a symbolic link or a device.
    """
    backup = _backup_of(target)
    try:
        mode = os.lstat(backup).st_mode
    except FileNotFoundError:
        return False
    if not stat.S_ISREG(mode):
        raise InertiaError.of("backup", str(backup), "taken")
    return True


def keep_backup(path: Path, target: Path) -> Finding:
    """Copy the file behind a path to FILE.bak unless that exists, and return which it was.

    The backup stays the first original. It is next to the file itself: its full name is given if the path is a link.
    """
    backup, form = _backup_of(target), "earlier"
    if not check_backup(target):
        with replacement(target, target.read_bytes()) as (beside, file, _):
            rename(beside, file, backup)
        form = "made"
    return Finding.of("info", "backup", str(path), form, file=backup if path.is_symlink() else backup.name)


def _backup_of(target: Path) -> Path:
    return target.with_name(target.name + ".bak")


def _kept(target: Path, status: os.stat_result, descriptor: int) -> tuple[Finding, ...]:
    # Windows: the folder's attributes apply to both
    lost = _lost(target, status, descriptor) if os.name == "posix" else []
    findings = []
    if lost:
        findings.append(Finding.of("warning", "cannot_keep", "", "lost", lost=", ".join(lost)))
    if status.st_nlink > 1:
        findings.append(Finding.of("warning", "cannot_keep", "", "hard_links", links=status.st_nlink))
    return tuple(findings)


def _lost(target: Path, status: os.stat_result, descriptor: int) -> list[str]:
    """Copy owner, group, attributes and permissions from the replaced file to the new one; return those that failed.

    In this order: a change of owner resets permissions, and an ACL changes those of the group.
    """
    new, mode, lost = os.fstat(descriptor), stat.S_IMODE(status.st_mode), []
    if status.st_uid != new.st_uid and not _done(os.fchown, descriptor, status.st_uid, -1):
        lost.append("owner")
        mode &= ~stat.S_ISUID
    grouped = status.st_gid == new.st_gid or _done(os.fchown, descriptor, -1, status.st_gid)
    if not grouped:
        lost.append("group")
        # Another group gets the permissions of all users.
        mode &= ~(stat.S_ISGID | stat.S_IRWXG) | (mode & stat.S_IRWXO) << 3
    old_attributes, new_attributes = _attributes(target), _attributes(descriptor)
    for name in sorted(new_attributes.keys() - old_attributes.keys()):  # an ACL that the folder gives to new files
        _done(os.removexattr, descriptor, name)
    for name, value in old_attributes.items():
        of_group = name == _ACCESS_LIST and not grouped
        if value != new_attributes.get(name) and (of_group or not _done(os.setxattr, descriptor, name, value)):
            lost.append("ACL" if name == _ACCESS_LIST else name)
    # A disk without permissions, such as FAT, gives the same to all files.
    if stat.S_IMODE(os.fstat(descriptor).st_mode) != mode and not _done(os.fchmod, descriptor, mode):
        lost.append("permissions")
    return lost


def _attributes(file: Path | int) -> dict[str, bytes]:
    """Return a file's extended attributes; empty if the system or the disk does not support them."""
    if not hasattr(os, "listxattr"):
        return {}
    attributes = {}
    with suppress(OSError):
        for name in os.listxattr(file):
            with suppress(OSError):  # the attribute was removed meanwhile
                attributes[name] = os.getxattr(file, name)
    return attributes


def _done(change: Callable[..., Any], *words: Any) -> bool:
    """Return True if a change was made, False if this user or disk does not allow it."""
    try:
        change(*words)
    except OSError as error:
        if error.errno not in _NOT_ALLOWED:
            raise
        return False
    return True


def _stat(path: Path) -> os.stat_result | None:
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None


def _same(target: Path, path: str) -> bool:
    try:
        return os.path.samefile(target, path)
    except (OSError, ValueError):  # one of them no longer exists
        return False
