# SPDX-License-Identifier: GPL-3.0-or-later
"""Print how many variables and parameters of each room have a name that says nothing, such as ``found``.

With files or folders as arguments it prints the places. It only parses the modules, so it needs nothing but Python;
tests/core/test_placeholder_names.py has a limit for each room.
"""

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tools.house import CHECKOUT, TREES, modules, syntax

PLACEHOLDERS = {"one", "found", "own", "kept", "left", "said", "told"}
"""Names to replace by the thing's own: surface, edge, findings, its type."""


class Place(NamedTuple):
    """Where a name is given to a value."""

    path: Path
    line: int
    name: str


def places(path: Path) -> Iterator[Place]:
    """Yield the variables and parameters of a module that have such a name, each place where it gets a value.

    Targets of loops, comprehensions, ``with``, ``except``, ``match`` and ``:=`` count like those of assignments. Names
    of functions, and fields such as ``self.left``, do not count.
    """
    for node in ast.walk(syntax(path)):
        if name := PLACEHOLDERS & {_bound(node)}:
            yield Place(path, getattr(node, "lineno", 0), *name)


def _bound(node: ast.AST) -> str | None:
    """Return the name to which this node itself gives a value, if any."""
    if isinstance(node, ast.Name):
        return node.id if isinstance(node.ctx, ast.Store) else None
    if isinstance(node, ast.arg):
        return node.arg
    return node.name if isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) else None


def room_of(path: Path) -> str:
    """Return the tree and the folder below it, as core/mesh; the tree alone for a module at its top."""
    parts = path.relative_to(CHECKOUT).parts
    return "/".join(parts[: min(2, len(parts) - 1)])


def by_room() -> Counter[str]:
    """Return the number of places in each room of both trees; 0 for a room without any."""
    counts: Counter[str] = Counter()
    for tree in TREES:
        for path in modules(tree).values():
            counts[room_of(path)] += sum(1 for _ in places(path))
    return counts


def main(arguments: list[str]) -> None:
    for argument in arguments:
        path = Path(argument).resolve()
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            for place in sorted(places(file)):
                print(f"{place.path.relative_to(CHECKOUT)}:{place.line}: {place.name}")
    if not arguments:
        counts = by_room()
        for room, count in sorted(counts.items()):
            print(f"{count:4} {room}")
        print(f"{counts.total():4} in all")


if __name__ == "__main__":
    main(sys.argv[1:])
