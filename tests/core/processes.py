# SPDX-License-Identifier: GPL-3.0-or-later
"""Processes that are begun before the first test, so that they run beside the others, and judged when it is their turn.

A module that has some begins them in a function `begin`, which `conftest` calls once it is known what is tested.
"""

import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

CHECKOUT = Path(__file__).parents[2]


class Processes:
    """Processes by name, and a folder for what they read."""

    def __init__(self):
        self._running = {}
        self._folder = TemporaryDirectory()  # removed when this is, at the latest when Python ends
        self.folder = Path(self._folder.name)
        self.end = cache(self._end)

    def start(self, name, words, given=None, **how):
        """Start a process in the checkout, with what it is given on its standard input."""
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        if given is not None:
            pipes["stdin"] = (self.folder / name).with_suffix(".in").open("w+b")
            pipes["stdin"].write(given)
            pipes["stdin"].seek(0)
        self._running[name] = subprocess.Popen(words, **({"cwd": CHECKOUT} | pipes | how))
        if given is not None:
            pipes["stdin"].close()

    def _end(self, name):
        """Wait for a process; return its status, its output and its errors, as bytes."""
        out, err = self._running[name].communicate()
        return self._running[name].returncode, out, err
