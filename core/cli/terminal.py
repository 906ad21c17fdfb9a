# SPDX-License-Identifier: Apache-2.0
"""What a person at a terminal sees: colours and tables by rich, progress by tqdm. A pipe or a file gets plain text."""

from __future__ import annotations

import os
import re
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from ..errors import Finding, Severity
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

KEPT_SPACE = "\uffff"
"""Stands for a space at which no line ends; `for_terminal` escapes it in names."""

_COMMAND = re.compile("`[^`]*`")

STYLES: dict[Severity, str] = {"error": "bold red", "warning": "yellow", "info": "cyan"}

INERTIAL_COLUMNS = ("mass [kg]", "centre of mass [m]", "Ixx, Iyy, Izz [kg·m²]")
"""Titles of `inertial_cells`."""


def add_amount(parser: ArgumentParser, verbose: str = "", quiet: str = "print only errors, and the result") -> None:
    """Add the options to print less, and more if there is more, with their help."""
    amount = parser.add_mutually_exclusive_group()
    amount.add_argument("-q", "--quiet", action="store_true", help=quiet)
    if verbose:
        amount.add_argument("-v", "--verbose", action="store_true", help=verbose)


def console() -> Console | None:
    """Return what writes to a terminal; None if standard output is not one, or rich is not installed.

    rich follows NO_COLOR and FORCE_COLOR; a terminal called dumb gets plain text.
    """
    if not sys.stdout.isatty() or os.environ.get("TERM") == "dumb":
        return None
    try:
        from rich.console import Console
    except ImportError:
        return None
    target = Console(highlight=False, markup=False, emoji=False, soft_wrap=False)
    target.width = min(target.width, WIDTH)
    return target


def print_title(target: Console, name: str, verdict: str, style: str) -> None:
    """Print the name of a file, and the verdict on it or the name of its model."""
    from rich.text import Text

    target.print(Text.assemble((for_terminal(name), "bold"), ": ", (for_terminal(verdict), style)))


def print_finding(target: Console, finding: Finding, where: str, also: str = "", explanation: str = "") -> None:
    """Print a finding as compilers do: its place, what is wrong, and how to fix it.

    Parameters
    ----------
    where : str
        The element and its line; empty for the file itself.
    also : str
        What else has the same finding.
    explanation : str
        What its code means; empty if that is not asked for.
    """
    from rich.text import Text

    head = Text.assemble((f"{finding.severity}", STYLES[finding.severity]), ": ")
    if where:
        head.append(f"{for_terminal(where)}\n", style="bold")
    head.append(f"{for_terminal(finding.text)} ")
    head.append(f"[{finding.code}]", style="dim")
    print_indented(target, head, 2)
    for title, text in (("Also", also), ("Fix", finding.remedy), ("Why", explanation)):
        style = "green" if title == "Fix" else "dim"
        if text:
            print_indented(target, Text.assemble((f"{title}: ", style), for_terminal(text)), 4)


def with_commands_whole(text: str) -> str:
    """Return a text whose commands in backticks are not broken into lines, so that they can be copied."""
    return _COMMAND.sub(lambda command: command[0].replace(" ", KEPT_SPACE), text)


def print_indented(target: Console, text: Text, columns: int) -> None:
    """Print a text in lines that begin after some columns, without spaces at their ends, which copies would keep."""
    text.plain = with_commands_whole(text.plain)
    for line in text.wrap(target, target.width - columns):
        line.plain = line.plain.replace(KEPT_SPACE, " ")
        line.rstrip()
        line.pad_left(columns)
        target.print(line)


def print_table(target: Console, columns: Sequence[str], rows: Iterable[Sequence[str]], numeric: int = 1) -> None:
    """Print a table; columns from the number `numeric` on are aligned to the right."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for number, name in enumerate(columns):
        table.add_column(name, justify="right" if number >= numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*(cell if isinstance(cell, Text) else Text(for_terminal(cell)) for cell in row))
    target.print(table)


def show_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table: in a terminal as `print_table` does, elsewhere in columns of plain text."""
    target = console()
    if target is not None:
        print_table(target, columns, rows)
        return
    lines = [[for_terminal(cell) for cell in row] for row in (columns, *rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        print(for_log("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()))


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


def print_engines(target: Console | None, comparison: Comparison) -> None:
    """Print what several engines simulate, and their versions; `target` is None if output is not a terminal."""
    from ..engines.compared import COLUMNS, rows_of, rules_text  # many modules, for tables of engines alone

    rows = [*rows_of(comparison)]
    if target is None:
        show_table(COLUMNS, rows)
        print(rules_text(comparison))
    else:
        print_table(target, COLUMNS, rows, numeric=2)
        target.print(rules_text(comparison))
