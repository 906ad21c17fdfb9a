# SPDX-License-Identifier: GPL-3.0-or-later
"""How a long computation tells how far it has come, and how it is called off."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ..errors import InertiaError

Progress = Callable[[float], object]
"""Called with the share of the work done, 0 to 1; if it returns True, the work ends with the error ``cancelled``."""


def unless_cancelled(progress: Progress | None, done: float) -> None:
    """Report the share of the work done; raise the error ``cancelled`` if it is not wanted any more."""
    if progress is not None and progress(done) is True:
        raise InertiaError.of("cancelled", "", "share", done=done)


class _UnwantedError(Exception):
    """Not an `InertiaError`, which says something of the mesh: nobody on the way takes it for that."""


_asked: ContextVar[Progress | None] = ContextVar("asked", default=None)


@contextmanager
def interruptible(progress: Progress | None) -> Iterator[None]:
    """Let `unless_unwanted` ask `progress` in here, however deep; in other threads nobody is asked.

    Raises
    ------
    InertiaError
        ``cancelled``.
    """
    before = _asked.set(progress)
    try:
        yield
    except _UnwantedError:
        raise InertiaError.of("cancelled", "", "reading") from None
    finally:
        _asked.reset(before)


def unless_unwanted() -> None:
    """End work whose share is not known if it is not wanted any more: called where much of it goes through."""
    progress = _asked.get()
    if progress is not None and progress(0.0) is True:
        raise _UnwantedError
