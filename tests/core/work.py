# SPDX-License-Identifier: GPL-3.0-or-later
"""How much work something is, counted instead of timed."""

from contextlib import suppress
from cProfile import Profile

from core import InertiaError


def calls(step):
    """Return how many functions, Python's own included, a step calls."""
    profile = Profile()
    profile.runcall(step)
    return sum(one.callcount for one in profile.getstats())


def calls_of(function, step):
    """Return how often a step, which may be refused, calls a function."""
    profile = Profile()
    with suppress(InertiaError):
        profile.runcall(step)
    return sum(one.callcount for one in profile.getstats() if one.code is function.__code__)
