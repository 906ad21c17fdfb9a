# SPDX-License-Identifier: GPL-3.0-or-later
"""Folders that may only be read, also by root, as tests mostly run; other users."""

import os
import shutil
import subprocess
from contextlib import contextmanager

import pytest


def bound_by_permissions():
    """Return what starts a program so that even root is bound by permissions, or skip."""
    if os.geteuid():
        return []
    drop = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]
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


as_root = pytest.mark.skipif(getattr(os, "geteuid", lambda: 1)() != 0, reason="gives files to others, as root may")


@contextmanager
def user(number):
    """Be another user for a while."""
    groups = os.getgroups()
    os.setgroups([])
    os.setegid(number)
    os.seteuid(number)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)
        os.setgroups(groups)
