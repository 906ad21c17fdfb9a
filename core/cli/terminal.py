# SPDX-License-Identifier: Apache-2.0
"""What a person at a terminal sees: colours, tables and progress by rich. A pipe or a file gets plain text."""

from __future__ import annotations

import os
import re
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import zip_longest
from textwrap import wrap
from typing import IO, TYPE_CHECKING, Any, TextIO

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


def _is_watched(stream: IO[str]) -> bool:
    """Return True if a person reads the stream at a terminal, and rich is installed; a dumb one gets plain text."""
    return stream.isatty() and os.environ.get("TERM") != "dumb" and find_spec("rich") is not None


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
        """Return the output to a stream. rich follows NO_COLOR and FORCE_COLOR.

        In a pipe a paragraph is one line, which `grep` finds, unless COLUMNS is set.
        """
        if not _is_watched(stream):
            columns = os.environ.get("COLUMNS", "")
            return cls(stream, None, min(int(columns), WIDTH) if columns.isdecimal() and int(columns) else sys.maxsize)
        from rich.console import Console

        console = Console(file=stream, highlight=False, markup=False, emoji=False, soft_wrap=False)
        console.width = min(console.width, WIDTH)
        return cls(stream, console, console.width)

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
        table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False, header_style="bold")
        for number, name in enumerate(columns):
            title = name.replace(" [", "\n[")  # which leaves more columns to the numbers
            table.add_column(title, justify="right" if number >= numeric else "left", overflow="fold")
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


class _Bar:
    """A bar on standard error, which appears once the work has lasted `SHOWN_AFTER`, and goes when it is done.

    Only then is rich imported, so that short work does not wait for it.
    """

    def __init__(self, title: str, total: float) -> None:
        self._title, self._total = for_terminal(title), total
        self._start = time.monotonic()
        self._shown: Any = None

    def update(self, done: float, note: str = "") -> None:
        """Show how much of the total is done, and a note beside it."""
        if self._shown is None and self.seconds() >= SHOWN_AFTER:
            self._show()
        if self._shown is not None:
            self._shown.update(self._shown.task_ids[0], completed=done, note=note)

    def seconds(self) -> float:
        """Return how long the work has lasted [s]."""
        return time.monotonic() - self._start

    def end(self) -> None:
        """Remove the bar."""
        if self._shown is not None:
            self._shown.stop()

    def _show(self) -> None:
        from rich import progress
        from rich.console import Console

        texts = [progress.TextColumn(f"{{task.{name}}}", markup=False) for name in ("description", "fields[note]")]
        times = [progress.TimeElapsedColumn(), progress.TimeRemainingColumn(), progress.TextColumn("left")]
        columns = [texts[0], progress.BarColumn(), progress.TaskProgressColumn(), texts[1], *times]
        # What is printed meanwhile stays as it is: standard output may be a pipe, and rich would break its lines.
        apart = {"redirect_stdout": False, "redirect_stderr": False}
        target = Console(stderr=True, highlight=False)
        self._shown = progress.Progress(*columns, console=target, transient=True, get_time=time.monotonic, **apart)
        self._shown.add_task(self._title, total=self._total, note="")
        self._shown.tasks[0].start_time = self._start
        self._shown.start()


@contextmanager
def _bar(title: str, total: float, shown: bool = True) -> Iterator[_Bar | None]:
    bar = _Bar(title, total) if shown and _is_watched(sys.stderr) else None
    try:
        yield bar
    finally:
        if bar is not None:
            bar.end()


@contextmanager
def progress_bar(title: str) -> Iterator[Progress | None]:
    """Return a function that shows progress; None if nobody watches."""
    with _bar(title, 1.0) as bar:
        yield None if bar is None else bar.update


@contextmanager
def library_bar(total: int, title: str, shown: bool = True) -> Iterator[Callable[[int], None]]:
    """Return a function to call after each of `total` inputs with the number of failures: it shows rate and remaining
    time."""
    with _bar(title, total, shown) as bar:
        done = 0

        def advance(failed: int) -> None:
            nonlocal done
            done += 1
            if bar is not None:
                rate = f"{done}/{total}, {done / max(bar.seconds(), 1e-3):.3g} files/s"
                bar.update(done, f"{rate}, {failed} failed" if failed else rate)

        yield advance


def print_engines(output: Output, comparison: Comparison) -> None:
    """Print what several engines simulate, and their versions."""
    from ..engines.compared import COLUMNS, rows_of, rules_text  # many modules, for tables of engines alone

    output.line("")
    output.table(COLUMNS, [*rows_of(comparison)], numeric=2)
    output.wrapped(rules_text(comparison))
