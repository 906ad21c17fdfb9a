# SPDX-License-Identifier: GPL-3.0-or-later
"""Root, who mostly runs the tests, bound by permissions as everybody else; and folders that may only be read."""

import ctypes
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager

import pytest

as_root = pytest.mark.skipif(getattr(os, "geteuid", lambda: 1)() != 0, reason="gives files to others, as root may")

VERSION_3 = 0x20080522
"""Of the words for capset(2): the effective, permitted and inheritable ones of bits 0 to 31, then of the others."""

READ_SEARCH = 1 << 2
"""CAP_DAC_READ_SEARCH: to read all files. Code can then be imported from wherever a checkout is, for every owner."""


@contextmanager
def unprivileged(capabilities=READ_SEARCH):
    """Take root's privileges from this thread and its children for a while, but for these; others have none.

    Its user stays, so that it can still reach the checkout and the folders of pytest, which may be closed to others.
    """
    if not hasattr(os, "geteuid"):
        pytest.skip("permissions are POSIX's")
    if os.geteuid():
        yield
        return
    if sys.platform != "linux":
        pytest.skip("root may write anywhere here")
    libc = ctypes.CDLL(None, use_errno=True)
    header, before = (ctypes.c_uint32 * 2)(VERSION_3, 0), (ctypes.c_uint32 * 6)()
    libc.capget(header, before)
    effective = before[0] & capabilities
    if libc.capset(header, (ctypes.c_uint32 * 6)(effective, *before[1:3], 0, *before[4:])):
        raise OSError(ctypes.get_errno(), "capset")
    try:
        try:
            open(__file__).close()
        except PermissionError:
            pytest.skip("without its privileges, root may not read this checkout, which belongs to another user")
        yield
    finally:
        libc.capset(header, before)


def bound_by_permissions():
    """Return what starts a program so that even root is bound by permissions, or skip."""
    if os.geteuid():
        return []
    drop = ["setpriv", "--bounding-set=-all,+dac_read_search", "--inh-caps=-all"]
    if shutil.which("setpriv") is None or subprocess.run([*drop, "true"], capture_output=True).returncode:
        pytest.skip("root may write anywhere here")
    return drop


@contextmanager
def read_only(*folders):
    """Take away the permission to write from all in some folders, for a while."""
    paths = [path for folder in folders for path in (*folder.rglob("*"), folder) if not path.is_symlink()]
    before = {path: path.stat().st_mode for path in paths}
    for path in paths:
        path.chmod(before[path] & 0o7555)
    try:
        yield
    finally:
        for path in reversed(paths):
            path.chmod(before[path])
