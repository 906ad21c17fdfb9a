# SPDX-License-Identifier: Apache-2.0
"""Progress of a long computation, and its cancellation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ..errors import InertiaError

Progress = Callable[[float], object]
"""Called with the share of the work done, 0 to 1; if it returns True, the work ends with the error ``cancelled``."""


def unless_cancelled(progress: Progress | None, done: float) -> None:
    """Report the share of the work done; raise the error ``cancelled`` if the work is no longer wanted."""
    if progress is not None and progress(done) is True:
        raise InertiaError.of("cancelled", "", "share", done=done)


class _UnwantedError(Exception):
    """Not an `InertiaError`, which is about the mesh: no handler on the way catches it."""


_asked: ContextVar[Progress | None] = ContextVar("asked", default=None)


@contextmanager
def interruptible(progress: Progress | None) -> Iterator[None]:
    """Make `unless_unwanted` call `progress` inside the block, at any depth, in this thread only.

    Without `progress`, it calls that of the block around this one.

    Raises
    ------
    InertiaError
        ``cancelled``.
    """
    if progress is None:
        yield
        return
    before = _asked.set(progress)
    try:
        yield
    except _UnwantedError:
        raise InertiaError.of("cancelled", "", "reading") from None
    finally:
        _asked.reset(before)


def unless_unwanted() -> None:
    """Cancel work of unknown length if it is no longer wanted: called where much of it passes."""
    progress = _asked.get()
    if progress is not None and progress(0.0) is True:
        raise _UnwantedError
