# SPDX-License-Identifier: GPL-3.0-or-later
"""Limits of a command for one input: two seconds of processor time, one gigabyte of memory.

Time is processor time, since real time depends on the load: a timer of the process (``ITIMER_PROF``, all its threads)
raises in Python; code in C that does not come back to it is ended by ``RLIMIT_CPU`` some seconds later. Memory is that
of addresses (``RLIMIT_AS``): what the process has when the input begins, and a gigabyte; a library that allocates more
is refused, and that is the fault, even if caught.
"""

from __future__ import annotations

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SECONDS = 2.0
BYTES = 10**9
GRACE = 10
"""Seconds more, for code in C."""

_PAGE = resource.getpagesize()
_STATM = Path("/proc/self/statm")


class TooSlowError(BaseException):
    """An input takes too long. Not an Exception, so that no ``except Exception`` catches it."""


@contextmanager
def limited(seconds: float = SECONDS, memory: int = BYTES) -> Iterator[None]:
    """Apply the limits inside the block."""
    before = signal.signal(signal.SIGPROF, _too_slow)
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime + seconds) + GRACE, cpu[1]))
    space = resource.getrlimit(resource.RLIMIT_AS)
    if _STATM.exists():  # Linux
        resource.setrlimit(resource.RLIMIT_AS, (int(_STATM.read_text().split()[0]) * _PAGE + memory, space[1]))
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        resource.setrlimit(resource.RLIMIT_AS, space)
        resource.setrlimit(resource.RLIMIT_CPU, cpu)
        signal.signal(signal.SIGPROF, before)


def begin_again(seconds: float = SECONDS) -> None:
    """Restart the time limit, if there is one: each of several commands on an input has its own."""
    if signal.getitimer(signal.ITIMER_PROF)[0] > 0.0:
        signal.setitimer(signal.ITIMER_PROF, seconds)


def peak() -> int:
    """Return the maximum resident memory of the process [MB]."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1000


def _too_slow(_number: int, _frame: object) -> None:
    raise TooSlowError(f"it takes more than {SECONDS:g} s of processor time")
