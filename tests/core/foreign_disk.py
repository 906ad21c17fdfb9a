# SPDX-License-Identifier: GPL-3.0-or-later
"""A disk with the habits of another system's, by FUSE: a folder seen through them.

    foreign_disk.py FOLDER MOUNT HABIT...

`HABITS` says what there are. `mounted` is for tests; this file runs as a program of its own.
"""

import errno
import os
import re
import subprocess
import sys
import time
import unicodedata
from contextlib import contextmanager
from pathlib import Path

HABITS = {
    "ignores-case": "NTFS, APFS, exFAT: names that differ in case are one, and keep the case that they were made with",
    "decomposes": "HFS+: an accent is listed as a character of its own, whichever way it was written",
    "windows-names": 'NTFS as Windows sees it: no devices, no <>:"|?*, no dot or space at the end',
}


@contextmanager
def mounted(place, *habits):
    """Mount a disk below a folder, or skip."""
    import pytest

    behind, disk = place / "behind", place / "disk"
    behind.mkdir()
    disk.mkdir()
    words = [sys.executable, __file__, str(behind), str(disk), *habits]
    server = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    end = time.monotonic() + 60
    while not os.path.ismount(disk):
        if server.poll() is not None or time.monotonic() > end:
            server.kill()
            pytest.skip(f"no disk can be made by FUSE here: {server.communicate()[1].strip()[-200:]}")
        time.sleep(0.01)
    try:
        yield disk
    finally:
        server.terminate()  # which unmounts it
        server.communicate(timeout=60)


def same(name):
    return unicodedata.normalize("NFC", name).casefold()


def is_of_windows(name):
    device = re.fullmatch(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?", name)
    return not (device or re.search(r'[<>:"|?*\x00-\x1f\\]', name) or name.endswith((".", " ")))


def serve(behind, mount, habits):
    import mfusepy

    def place(path):
        """Return where a path of the disk is behind it: what is there, under whichever spelling, or what will be."""
        found = behind
        for name in Path(path).parts[1:]:
            if "windows-names" in habits and not is_of_windows(name):
                raise mfusepy.FuseOSError(errno.EINVAL)
            alike = []
            if not os.path.lexists(found / name) and {"ignores-case", "decomposes"} & habits and found.is_dir():
                key = same if "ignores-case" in habits else lambda text: unicodedata.normalize("NFC", text)
                alike = [one for one in os.listdir(found) if key(one) == key(name)]
            found = found / (alike[0] if alike else name)
        return found

    class Disk(mfusepy.Operations):  # type: ignore[misc]
        use_ns = True

        def getattr(self, path, fh=None):
            status = os.lstat(place(path))
            names = ("st_mode", "st_nlink", "st_size", "st_uid", "st_gid")
            times = {f"st_{one}time": getattr(status, f"st_{one}time_ns") for one in "amc"}
            return {name: getattr(status, name) for name in names} | times

        def readdir(self, path, fh):
            names = os.listdir(place(path))
            if "decomposes" in habits:
                names = [unicodedata.normalize("NFD", name) for name in names]
            return [".", "..", *names]

        def chmod(self, path, mode):
            os.chmod(place(path), mode)

        def create(self, path, mode, fi=None):
            return os.open(place(path), os.O_RDWR | os.O_CREAT | os.O_EXCL, mode)

        def open(self, path, flags):
            return os.open(place(path), flags)

        def read(self, path, size, offset, fh):
            return os.pread(fh, size, offset)

        def write(self, path, data, offset, fh):
            return os.pwrite(fh, data, offset)

        def truncate(self, path, length, fh=None):
            os.truncate(place(path), length)

        def release(self, path, fh):
            os.close(fh)

        def rename(self, old, new):
            there = place(new)
            os.replace(place(old), there)
            os.rename(there, there.with_name(Path(new).name))

        def mkdir(self, path, mode):
            os.mkdir(place(path), mode)

        def rmdir(self, path):
            os.rmdir(place(path))

        def unlink(self, path):
            os.unlink(place(path))

        def utimens(self, path, times=None):
            os.utime(place(path), ns=times)

    for name in ("fsync", "fsyncdir", "flush"):
        setattr(Disk, name, lambda self, *words: 0)
    # Nothing is remembered: the kernel knows a file by one name alone.
    forgets = {"entry_timeout": 0, "negative_timeout": 0, "attr_timeout": 0}
    mfusepy.FUSE(Disk(), str(mount), foreground=True, nothreads=True, default_permissions=False, **forgets)


if __name__ == "__main__":
    serve(Path(sys.argv[1]), Path(sys.argv[2]), set(sys.argv[3:]))
