# SPDX-License-Identifier: GPL-3.0-or-later
"""Python's search for garbage in circles, put off while many objects are made that all stay."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause the garbage collector, as a context or decorator.

    Whatever is made within is kept, and limits bound it; each search would walk through all of it in vain, a tenth of
    the time that a large file takes.
    """
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()
