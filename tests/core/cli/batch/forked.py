# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line, with workers that begin as copies of its process: what is imported need not be imported again."""

import multiprocessing
from importlib import import_module

from ...failing_writes import command

for name in ("multiprocessing.forkserver", "multiprocessing.popen_fork"):
    import_module(name)


def run(*words):
    fork = multiprocessing.get_context("fork")
    multiprocessing.get_context = lambda _method=None: fork  # type: ignore[assignment]
    return command(*words)


RUN = f"{__name__}:run"
