# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists which tests cover which faults, from their markers, and their last results: `make faults`.

Markers are read from the source, ``pytest.mark.fault(12, "11b")``, so that no Blender is needed. A marker in a
`pytest.param` belongs to the test with that decorator; one at the module's level to the whole module.
"""

from __future__ import annotations

import ast
import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.faults import NOT_TESTED, ROWS

CHECKOUT = Path(__file__).parents[1]
RESULTS = CHECKOUT / "build" / "faults"
"""Result files of the suites, such as ``Blender 4.5.json``, written by tests/conftest.py."""

SUITES = {"core": "Python alone", "blender": "Blender", "gui": "a window of Blender"}


@dataclass(frozen=True, order=True)
class Holder:
    """A test that covers a row.

    Parameters
    ----------
    path : str
        Of its file, from the checkout.
    name : str
        Of the function; empty for all of the file.
    case : str
        The case that covers it; empty for all cases.
    """

    path: str
    name: str
    case: str = ""

    @property
    def node(self) -> str:
        """The test as pytest names it, without the case."""
        return f"{self.path}::{self.name}" if self.name else self.path

    @property
    def where(self) -> str:
        """The suite that runs it."""
        return SUITES[self.path.split("/")[1]]


@cache
def holders() -> dict[str, list[Holder]]:
    """Return the tests that cover each row."""
    found: dict[str, set[Holder]] = defaultdict(set)
    for path in sorted((CHECKOUT / "tests").rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        if "mark.fault(" not in text:
            continue
        name = path.relative_to(CHECKOUT).as_posix()
        for row, test, case in _of_module(ast.parse(text)):
            found[row].add(Holder(name, test, case))
    return {row: sorted(tests) for row, tests in found.items()}


def _of_module(module: ast.Module) -> Iterator[tuple[str, str, str]]:
    """Yield row, test and case of each marker; those in a list of cases belong to the tests that use the list."""
    uses: dict[str, list[str]] = defaultdict(list)
    for node in module.body:
        for word in ast.walk(ast.Module(getattr(node, "decorator_list", []), [])):
            if isinstance(word, ast.Name) and isinstance(node, ast.FunctionDef):
                uses[word.id].append(node.name)
    for node in module.body:
        names = [one.id for one in getattr(node, "targets", []) if isinstance(one, ast.Name)]
        tests = [test for name in names for test in uses[name]]
        for test in dict.fromkeys(tests) or [node.name if isinstance(node, ast.FunctionDef | ast.ClassDef) else ""]:
            for row, case in _markers(node):
                yield row, test, case


def _markers(tree: ast.AST, case: str = "") -> Iterator[tuple[str, str]]:
    for node in ast.iter_child_nodes(tree):
        called = getattr(node.func, "attr", getattr(node.func, "id", "")) if isinstance(node, ast.Call) else ""
        if isinstance(node, ast.Call) and called == "fault":
            for row in node.args:
                yield str(ast.literal_eval(row)), case
        elif isinstance(node, ast.Call) and called == "param":
            yield from _markers(node, _case(node.args[0]) if node.args else "")
        else:
            yield from _markers(node, case)


def _case(argument: ast.expr) -> str:
    is_text = isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    return str(ast.literal_eval(argument)) if is_text else ast.unparse(argument)


def results() -> dict[str, dict[str, str]]:
    """Return the last result of each test by suite, by its name without the case."""
    return {path.stem: json.loads(path.read_text()) for path in sorted(RESULTS.glob("*.json"))}


def main() -> None:
    """Print a line for each row and test."""
    held, ended = holders(), results()
    for chapter, rows in ROWS.items():
        print(f"\n{chapter}")
        for row, title in rows.items():
            print(f"{row:>4}  {title}")
            for one in held.get(row, ()):
                last = ", ".join(f"{suite}: {_last(one, ends)}" for suite, ends in ended.items() if _last(one, ends))
                name = one.node + (f"[{one.case}]" if one.case else "")
                print(f"      {name}  ({one.where}; {last or 'not run yet'})")
            if row not in held:
                print(f"      not tested: {NOT_TESTED.get(row, '')}")


def _last(one: Holder, ends: dict[str, str]) -> str:
    """Return the worst result of a test, or of all tests of a file."""
    outcomes = {end for node, end in ends.items() if node == one.node or node.startswith(one.node + "::")}
    return next((end for end in ("failed", "skipped", "passed") if end in outcomes), "")


if __name__ == "__main__":
    main()
