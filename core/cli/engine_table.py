# SPDX-License-Identifier: Apache-2.0
"""The table of what several engines simulate: coloured in a terminal, plain elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..engines.compared import Comparison
from ..engines.shown import COLUMNS, rows_of, rules_text
from .terminal import print_table, show_table

if TYPE_CHECKING:
    from rich.console import Console


def print_engines(target: Console | None, comparison: Comparison) -> None:
    """Print the table and the versions; `target` is None if standard output is not a terminal."""
    rows = [*rows_of(comparison)]
    if target is None:
        show_table(COLUMNS, rows)
        print(rules_text(comparison))
    else:
        print_table(target, COLUMNS, rows, numeric=2)
        target.print(rules_text(comparison))
