# SPDX-License-Identifier: GPL-3.0-or-later
"""What a command may take for one input: two seconds of processor time, one gigabyte of memory.

Time is the processor's, since real time is for the machine to give: a timer of the process (``ITIMER_PROF``, all its
threads) raises in Python; code in C that does not come back to it is ended by ``RLIMIT_CPU`` some seconds later. Memory
is that of addresses (``RLIMIT_AS``): what the process has when the input begins, and a gigabyte; the library that asks
for more is refused, and that is the fault, whoever catches it.
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
    """An input takes longer than it may. No ``except Exception`` shall catch it."""


@contextmanager
def limited(seconds: float = SECONDS, memory: int = BYTES) -> Iterator[None]:
    """Bound what is done inside."""
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
    """Give what follows the whole time, where it is bounded: of several commands on an input, each has its own."""
    if signal.getitimer(signal.ITIMER_PROF)[0] > 0.0:
        signal.setitimer(signal.ITIMER_PROF, seconds)


def peak() -> int:
    """Return the most memory that the process has had resident [MB]."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1000


def _too_slow(_number: int, _frame: object) -> None:
    raise TooSlowError(f"it takes more than {SECONDS:g} s of processor time")
