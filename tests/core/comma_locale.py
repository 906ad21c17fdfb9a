# SPDX-License-Identifier: GPL-3.0-or-later
"""A locale that writes 1,5 for one and a half, built for the test."""

import ctypes
import locale
import shutil
import subprocess
from contextlib import contextmanager

import pytest

SOURCE = """LC_NUMERIC
decimal_point "<U002C>"
thousands_sep "<U002E>"
grouping 3;3
END LC_NUMERIC
"""

NAME = "comma"


def build(folder, charmap=None):
    """Build the locale into a folder, for LOCPATH, or skip; without a charmap its encoding is ASCII."""
    if shutil.which("localedef") is None:
        pytest.skip("this system has no localedef to build a locale with")
    source = folder / "source"
    source.write_text(SOURCE, encoding="ascii")
    words = ["localedef", "--force", "-i", source, *(["-f", charmap] if charmap else []), folder / NAME]
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if not (folder / NAME / "LC_CTYPE").exists():  # a warning for each category that it has not is no failure
        pytest.skip(f"no locale can be built here: {done.stderr[-200:]}")
    return folder


@contextmanager
def set_by(monkeypatch, folder):
    """Set the locale for this process, in C too."""
    monkeypatch.setenv("LOCPATH", str(build(folder)))
    before = locale.setlocale(locale.LC_ALL)
    try:
        locale.setlocale(locale.LC_ALL, NAME)
        read = ctypes.CDLL(None).atof
        read.restype = ctypes.c_double
        assert locale.str(1.5) == "1,5" and read(b"1,5") == 1.5
        yield
    finally:
        locale.setlocale(locale.LC_ALL, before)
