# SPDX-License-Identifier: GPL-3.0-or-later
"""Progress of a long computation, on standard error if it is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from ..escapes import for_terminal
from ..mesh.progress import Progress

SHOWN_AFTER = 1.0
"""Seconds before a bar is shown."""


@contextmanager
def progress_bar(title: str) -> Iterator[Progress | None]:
    """Return a function that shows progress; None if nobody watches, or tqdm is not installed."""
    tqdm = _tqdm() if sys.stderr.isatty() else None
    if tqdm is None:
        yield None
        return
    form = "{desc} {percentage:3.0f}% |{bar}| {elapsed}, {remaining} left"
    name = for_terminal(title)
    with tqdm(total=1.0, desc=name, file=sys.stderr, leave=False, delay=SHOWN_AFTER, bar_format=form) as bar:

        def report(share: float) -> None:
            bar.update(max(0.0, share - bar.n))

        yield report


@contextmanager
def library_bar(total: int, title: str) -> Iterator[Callable[[int], None]]:
    """Return a function to call after each of `total` inputs with the number of failures: it shows rate and remaining
    time."""
    tqdm = _tqdm() if sys.stderr.isatty() else None
    if tqdm is None:
        yield lambda failed: None
        return
    with tqdm(total=total, desc=title, file=sys.stderr, unit="file", delay=SHOWN_AFTER) as bar:

        def advance(failed: int) -> None:
            bar.set_postfix_str(f"{failed} failed" if failed else "", refresh=False)
            bar.update()

        yield advance


def _tqdm() -> Callable[..., Any] | None:
    try:
        bar: Callable[..., Any] = import_module("tqdm").tqdm
    except ImportError:
        return None
    return bar
