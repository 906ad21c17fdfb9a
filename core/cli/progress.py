# SPDX-License-Identifier: GPL-3.0-or-later
"""How far a long computation has come, on standard error where that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from ..mesh.progress import Progress

SHOWN_AFTER = 1.0
"""Seconds that a computation takes before a bar is worth showing."""


@contextmanager
def progress_bar(title: str) -> Iterator[Progress | None]:
    """Give a function to report to; None where nobody watches, or where tqdm is not installed."""
    tqdm = _tqdm() if sys.stderr.isatty() else None
    if tqdm is None:
        yield None
        return
    form = "{desc} {percentage:3.0f}% |{bar}| {elapsed}, {remaining} left"
    with tqdm(total=1.0, desc=title, file=sys.stderr, leave=False, delay=SHOWN_AFTER, bar_format=form) as bar:

        def report(share: float) -> None:
            bar.update(max(0.0, share - bar.n))

        yield report


def _tqdm() -> Callable[..., Any] | None:
    try:
        bar: Callable[..., Any] = import_module("tqdm").tqdm
    except ImportError:
        return None
    return bar
