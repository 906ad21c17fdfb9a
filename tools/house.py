# SPDX-License-Identifier: GPL-3.0-or-later
"""Print the architecture: files and lines of each folder, and which folder imports which. ``make house`` calls it.

It only parses the modules, so it needs nothing but Python; tests/core/test_rooms.py checks the result.
"""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
TREES = ("core", "sdf_inertia_addon")

FRONT_DOORS = {"__init__", "__main__"}
"""Modules of each tree that may import all of it: their imports are not counted."""


@cache
def modules(tree: str) -> dict[str, Path]:
    """Return the modules of a tree by their dotted names; a package has the name of its folder."""
    root = CHECKOUT / tree
    named = {".".join(path.relative_to(root).with_suffix("").parts): path for path in sorted(root.rglob("*.py"))}
    return {name.removesuffix(".__init__") if name != "__init__" else name: path for name, path in named.items()}


@cache
def syntax(path: Path) -> ast.Module:
    """Return the syntax tree of a module, which several tests walk."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports(tree: str, name: str) -> tuple[frozenset[tuple[str, str]], frozenset[str]]:
    """Return what a module imports when it is imported itself.

    First the modules of the checkout, each by its tree and its name there, then other packages. What a module imports
    for its types alone from its own folder, such as the file that an element is in, is not imported.
    """
    inside: set[tuple[str, str]] = set()
    outside: set[str] = set()
    path = modules(tree)[name]
    package = path.relative_to(CHECKOUT).parts[:-1]
    module = syntax(path)
    blocks = (node for node in module.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    for_types = {
        id(node) for block in blocks for node in block.body if isinstance(node, ast.ImportFrom) and node.level == 1
    }
    for node in ast.walk(module):
        if id(node) in for_types:
            continue
        if isinstance(node, ast.Import):
            outside.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            outside.add((node.module or "").split(".")[0])
        elif isinstance(node, ast.ImportFrom):
            base = [*package[: len(package) + 1 - node.level], *filter(None, (node.module or "").split("."))]
            for tree_or_package, *names in ([*base, alias.name] for alias in node.names):
                if tree_or_package in TREES:
                    inside.add((tree_or_package, _module(tree_or_package, names)))
                else:
                    outside.add(tree_or_package)
    return frozenset(inside), frozenset(outside)


def _module(tree: str, names: list[str]) -> str:
    """Return the module of a dotted name, or the one in which its last part is a name."""
    while names and ".".join(names) not in modules(tree):
        names.pop()
    return ".".join(names) or "__init__"


def statements(path: Path) -> int:
    """Return the number of statements of a module, without docstrings."""
    nodes = [node for node in ast.walk(syntax(path)) if isinstance(node, ast.stmt)]
    return sum(not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)) for node in nodes)


def folder_of(path: Path) -> str:
    return path.parent.relative_to(CHECKOUT).as_posix()


def arrows() -> Iterator[tuple[str, str]]:
    """Return each folder that imports another, with that other."""
    for tree in TREES:
        for name, path in modules(tree).items():
            for other, target in imports(tree, name)[0]:
                pair = folder_of(path), folder_of(modules(other)[target])
                if name not in FRONT_DOORS and pair[0] != pair[1]:
                    yield pair


def seen_from(folder: str, others: Iterable[str]) -> str:
    """Return the folders of its own tree by what follows the tree's name, another tree by its name alone."""
    own = folder.split("/")[0]
    names = set()
    for other in others:
        tree, _, below = other.partition("/")
        names.add(tree if tree != own else below or ".")
    return ", ".join(sorted(names))


def sums(files: list[tuple[int, str]]) -> tuple[str, str, str]:
    """Return the number of files and lines, and the longest file."""
    lines, name = max(files)
    return str(len(files)), f"{sum(count for count, _ in files):,}", f"{name} {lines}"


def table(tree: str) -> Iterator[tuple[str, ...]]:
    """Return the rows of a tree, with a heading first and the sum last."""
    to: defaultdict[str, set[str]] = defaultdict(set)
    by: defaultdict[str, set[str]] = defaultdict(set)
    for own, target in arrows():
        to[own].add(target)
        by[target].add(own)
    folders: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    for path in sorted((CHECKOUT / tree).rglob("*.py")):
        folders[folder_of(path)].append((len(path.read_text(encoding="utf-8").splitlines()), path.name))
    yield "folder", "files", "lines", "longest file", "imports from", "imported by"
    for folder, files in sorted(folders.items()):
        yield folder, *sums(files), seen_from(folder, to[folder]), seen_from(folder, by[folder])
    files = [file for each in folders.values() for file in each]
    count = sum(len(to[folder]) for folder in folders)
    yield f"{tree}: {len(folders)} folders", *sums(files), f"{count} arrows" if count else "", ""


def main() -> None:
    for tree in (*TREES, "tests"):
        rows = list(table(tree))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        rows.insert(1, tuple("-" * width for width in widths))
        for row in rows:
            print("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |")
        print()


if __name__ == "__main__":
    main()
