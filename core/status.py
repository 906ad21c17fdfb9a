# SPDX-License-Identifier: Apache-2.0
"""Exit statuses, the same for every command, with and without Blender."""

from __future__ import annotations

from collections.abc import Iterable

DONE, REFUSED, CANNOT_RUN, OUR_BUG = 0, 1, 2, 3
INTERRUPTED = 130
"""The shell's status for Ctrl-C."""


def of_several(statuses: Iterable[int]) -> int:
    """Return the exit status for several files: an invalid one counts more than one that could not be read."""
    known = {*statuses}
    return next((status for status in (OUR_BUG, REFUSED, CANNOT_RUN) if status in known), DONE)
