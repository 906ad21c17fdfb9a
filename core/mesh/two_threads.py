# SPDX-License-Identifier: GPL-3.0-or-later
"""Work on many blocks in two threads: numpy lets go of the interpreter's lock while it computes on long arrays."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

One = TypeVar("One")
Other = TypeVar("Other")


def shared(work: Callable[[Iterator[int]], None], count: int) -> None:
    """Call ``work(numbers)`` in this thread and in one more, which take the numbers 0 to count - 1 in turn.

    The thread ends before this returns, so none is left when Blender quits. More than two would mostly wait for the
    lock. On a machine with one processor there is no other thread.
    """
    numbers = iter(range(count))  # the next of a range is taken atomically
    if (os.cpu_count() or 1) < 2:
        work(numbers)
        return
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(work, numbers)
        try:
            work(numbers)
        finally:
            for _ in numbers:  # after an error the other takes no more
                pass
        other.result()
