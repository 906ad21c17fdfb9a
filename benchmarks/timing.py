# SPDX-License-Identifier: GPL-3.0-or-later
"""Time several ways of doing a thing in turn, so that a machine that drifts drifts for all of them."""

from __future__ import annotations

import os

# One thread each, before numpy is imported: a ratio between libraries says nothing if they use different machines.
for _variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")

import platform  # noqa: E402
from collections.abc import Callable, Mapping  # noqa: E402
from pathlib import Path  # noqa: E402
from statistics import median  # noqa: E402
from time import perf_counter  # noqa: E402

SECONDS = 2.0
"""All ways together are timed for at least that long, so that what else the machine did for a moment decides little."""


def interleaved(
    ways: Mapping[str, Callable[[], object]], rounds: int = 7, clock: Callable[[], float] = perf_counter
) -> dict[str, float]:
    """Return the median time [s] of each way, after a warm-up, over `rounds` rounds or more of all of them in turn.

    The clock is of the wall, or `process_time` for the CPU alone.
    """
    times: dict[str, list[float]] = {name: [] for name in ways}
    begin = perf_counter()
    number = 0
    while number <= rounds or perf_counter() - begin < SECONDS:
        for name, way in ways.items():
            start = clock()
            way()
            if number:
                times[name].append(clock() - start)
        number += 1
    return {name: median(values) for name, values in times.items()}


def machine() -> str:
    """Describe this machine in a line."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line.partition(":")[2].strip() for line in cpuinfo.read_text().splitlines() if "model name" in line]
        model = names[0] if names else model
    return f"{model}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"
