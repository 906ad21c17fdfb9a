# SPDX-License-Identifier: GPL-3.0-or-later
"""How a long computation tells how far it has come, and how it is called off."""

from __future__ import annotations

from collections.abc import Callable

from ..errors import InertiaError

Progress = Callable[[float], object]
"""Called with the share of the work done, 0 to 1; if it returns True, the work ends with the error ``cancelled``."""


def unless_cancelled(progress: Progress | None, done: float) -> None:
    """Report the share of the work done; raise the error ``cancelled`` if it is not wanted any more."""
    if progress is not None and progress(done) is True:
        raise InertiaError("cancelled", "", f"cancelled with {done:.0%} of the work done")
