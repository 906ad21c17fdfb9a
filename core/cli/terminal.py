# SPDX-License-Identifier: Apache-2.0
"""What a person at a terminal sees: colours and tables by rich, progress by tqdm. A pipe or a file gets plain text."""

from __future__ import annotations

import os
import re
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from itertools import zip_longest
from textwrap import wrap
from typing import TYPE_CHECKING, Any, TextIO

from ..escapes import for_log, for_terminal
from ..units import numbers_text

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from ..body.inertial import Inertial
    from ..engines.compared import Comparison
    from ..mesh.progress import Progress

WIDTH = 100
"""Columns at most: longer lines are hard to read."""

SHOWN_AFTER = 1.0
"""Seconds before a bar is shown."""

LONGEST_NAME = 40
"""Columns of the names in a table, unless a word is longer."""

KEPT_SPACE = "\uffff"
"""Stands for a space at which no line ends; `for_terminal` escapes it in names."""

_COMMAND = re.compile("`[^`]*`")

INERTIAL_COLUMNS = ("mass [kg]", "centre of mass [m]", "Ixx, Iyy, Izz [kg·m²]")
"""Titles of `inertial_cells`."""


def add_amount(parser: ArgumentParser, verbose: str = "", quiet: str = "print only errors, and the result") -> None:
    """Add the options to print less, and more if there is more, with their help."""
    amount = parser.add_mutually_exclusive_group()
    amount.add_argument("-q", "--quiet", action="store_true", help=quiet)
    if verbose:
        amount.add_argument("-v", "--verbose", action="store_true", help=verbose)


@dataclass(frozen=True, eq=False)
class Output:
    """A stream that people read: a terminal has colours, a pipe or a file has the same text without them.

    Parameters
    ----------
    console : Console or None
        What writes to a terminal; None if the stream is not one, or rich is not installed.
    width : int
        Columns of a line at most.
    """

    stream: TextIO
    console: Console | None
    width: int

    @classmethod
    def to(cls, stream: TextIO) -> Output:
        """Return the output to a stream. rich follows NO_COLOR and FORCE_COLOR; a dumb terminal gets plain text.

        In a pipe a paragraph is one line, which `grep` finds, unless COLUMNS is set.
        """
        if stream.isatty() and os.environ.get("TERM") != "dumb":
            with suppress(ImportError):
                from rich.console import Console

                console = Console(file=stream, highlight=False, markup=False, emoji=False, soft_wrap=False)
                console.width = min(console.width, WIDTH)
                return cls(stream, console, console.width)
        columns = os.environ.get("COLUMNS", "")
        return cls(stream, None, min(int(columns), WIDTH) if columns.isdecimal() and int(columns) else sys.maxsize)

    def line(self, text: str, style: str = "", parts: Iterable[str] = ()) -> None:
        """Print a line, however long, in a style; the groups of patterns are printed in the styles that they name."""
        if self.console is None:
            print(for_log(text), file=self.stream, flush=True)
            return
        from rich.text import Text

        styled = Text(for_terminal(text), style)
        for pattern in parts:
            styled.highlight_regex(pattern, style_prefix="")
        self.console.print(styled, soft_wrap=True)

    def wrapped(self, text: str, indent: int = 0, style: str = "", parts: Sequence[str] = (), hanging: int = 2) -> None:
        """Print a text in lines that begin after some columns, all but the first after `hanging` more. A command in
        backticks stays on one line, from which it can be copied."""
        whole = _COMMAND.sub(lambda command: command[0].replace(" ", KEPT_SPACE), for_terminal(text))
        whole = whole.replace(": ", f":{KEPT_SPACE}", 1)  # a long path stays beside what it is introduced by
        lines = wrap(
            whole,
            self.width,
            initial_indent=" " * indent,
            subsequent_indent=" " * (indent + hanging),
            break_on_hyphens=False,
            break_long_words=False,
        )
        for line in lines:
            self.line(line.replace(KEPT_SPACE, " "), style, parts)

    def title(self, name: str, verdict: str, style: str) -> None:
        """Print the name of a file, and the verdict on it or the name of its model."""
        self.line(f"{name}: {verdict}", style, (rf"^(?P<bold>{re.escape(for_terminal(name))}):",))

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[str | Text]], numeric: int = 1) -> None:
        """Print a table; in a terminal, columns from the number `numeric` on are aligned to the right."""
        if self.console is not None:
            self._rich_table(columns, rows, numeric)
            return
        lines: list[Sequence[str]] = []
        for row in (columns, *rows):
            first, *others = (for_terminal(str(cell)) for cell in row)
            head, *more = wrap(first, LONGEST_NAME, break_on_hyphens=False, break_long_words=False) or [""]
            lines += [[head, *others], *([name, *[""] * len(others)] for name in more)]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        for line in lines:
            self.line("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())

    def _rich_table(self, columns: Sequence[str], rows: Iterable[Sequence[str | Text]], numeric: int) -> None:
        from rich.box import SIMPLE_HEAD
        from rich.table import Table
        from rich.text import Text

        assert self.console is not None
        table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold")
        for number, name in enumerate(columns):
            table.add_column(name, justify="right" if number >= numeric else "left", overflow="fold")
        for row in rows:
            table.add_row(*(cell if isinstance(cell, Text) else Text(for_terminal(cell)) for cell in row))
        self.console.print(table)


def inertial_cells(body: Inertial) -> list[str]:
    """Return the cells of a table for an inertial, in the axes of its frame."""
    com = body.as_read().com if body.is_finite() else body.com
    return [f"{body.mass:.6g}", numbers_text(com), numbers_text(body.inertia.diagonal())]


def changed(old: str, new: str) -> Any:
    """Return new numbers, separated by commas, with the digits that differ from the old ones marked."""
    from rich.text import Text

    return Text(", ").join(
        Text.assemble(number[:same], (number[same:], "bold green"))
        for before, number in zip_longest(old.split(", "), new.split(", "), fillvalue="")
        for same in [len(os.path.commonprefix([before, number]))]
    )


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


def print_engines(output: Output, comparison: Comparison) -> None:
    """Print what several engines simulate, and their versions."""
    from ..engines.compared import COLUMNS, rows_of, rules_text  # many modules, for tables of engines alone

    output.table(COLUMNS, [*rows_of(comparison)], numeric=2)
    output.wrapped(rules_text(comparison))
