# SPDX-License-Identifier: GPL-3.0-or-later
"""Change core in one place at a time, and see whether a test fails: ``python -m tools.mutants RESULTS.json``.

A change that no test notices points to code that no test holds. Run it before and after a refactoring: with ``--again
EARLIER.json`` it makes the same changes again, wherever their functions are now. Works on a copy of the checkout; the
tests of a change are those that run its line, as ``coverage`` (a pip package) recorded it, with the parameters and the
examples of `make test`.
"""

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import asdict, dataclass
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[1]
COMPARISONS = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
COMPARISONS |= {ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is}
ARITHMETIC = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult}
BOOLEAN = {ast.And: ast.Or, ast.Or: ast.And}
MOST_TESTS = 30
"""Test functions tried for a change; the limit bounds the time of a run."""
SECONDS = 300
AS_IN_MAKE_TEST = os.environ | {"SDF_INERTIA_SAMPLED": "1"}
NOT_RUN = (pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.NO_TESTS_COLLECTED)


@dataclass(frozen=True)
class Mutant:
    """A change of one expression: in which function, from which text to which, and whether a test failed."""

    module: str
    function: str
    old: str
    new: str
    line: int
    outcome: str = ""


Change = tuple[Mutant, ast.expr]
"""A mutant, and the expression that it replaces."""


def mutants(module: str, source: str) -> Iterator[Change]:
    """Yield the changes that are possible in the functions of a module, with the expression that each replaces."""
    for function, node in _expressions(ast.parse(source), ()):
        if (changed := _changed(node)) is not None:
            old, new = ast.unparse(node), f"({ast.unparse(changed)})"
            yield Mutant(module, function, old, new, node.lineno), node


def _expressions(node: ast.AST, inside: tuple[str, ...]) -> Iterator[tuple[str, ast.expr]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
            yield from _expressions(child, (*inside, child.name))
        elif not isinstance(child, (ast.JoinedStr, ast.AnnAssign)):
            if inside and isinstance(child, ast.expr):
                yield ".".join(inside), child
            yield from _expressions(child, inside)


def _changed(node: ast.expr) -> ast.expr | None:
    changed = deepcopy(node)
    if isinstance(changed, ast.Compare) and type(changed.ops[0]) in COMPARISONS:
        changed.ops[0] = COMPARISONS[type(changed.ops[0])]()
    elif isinstance(changed, ast.BinOp) and type(changed.op) in ARITHMETIC:
        changed.op = ARITHMETIC[type(changed.op)]()
    elif isinstance(changed, ast.BoolOp):
        changed.op = BOOLEAN[type(changed.op)]()
    elif isinstance(changed, ast.UnaryOp) and isinstance(changed.op, (ast.Not, ast.USub)):
        return changed.operand
    elif isinstance(changed, ast.Constant) and type(changed.value) in (bool, int, float):
        changed.value = not changed.value if isinstance(changed.value, bool) else changed.value + 1
    else:
        return None
    return changed


def found_again(mutant: Mutant, possible: Mapping[str, list[Change]]) -> Change | None:
    """Return where a change is possible now: in the same module first, then in a function of the same name anywhere.

    Of several in one function it is the one nearest to the line where it was.
    """
    name = mutant.function.rpartition(".")[2]
    for module in sorted(possible, key=lambda other: other != mutant.module):
        same = [
            (other, node)
            for other, node in possible[module]
            if other.function.rpartition(".")[2] == name and (other.old, other.new) == (mutant.old, mutant.new)
        ]
        if same:
            return min(same, key=lambda change: abs(change[0].line - mutant.line))
    return None


def _mutated(source: str, node: ast.expr, new: str) -> str:
    lines = source.encode().splitlines(keepends=True)
    before = b"".join(lines[: node.lineno - 1]) + lines[node.lineno - 1][: node.col_offset]
    assert node.end_lineno is not None and node.end_col_offset is not None
    after = lines[node.end_lineno - 1][node.end_col_offset :] + b"".join(lines[node.end_lineno :])
    return (before + new.encode() + after).decode()


def tests_of_lines(copy: Path) -> dict[str, dict[int, list[str]]]:
    """Return which tests run each line of core, by module and line, without those that fail anyway."""
    settings = copy / "build" / "coverage.toml"
    settings.parent.mkdir(exist_ok=True)
    settings.write_text('[tool.coverage.run]\nsource = ["core"]\nbranch = true\ndynamic_context = "test_function"\n')
    coverage = [sys.executable, "-m", "coverage"]
    subprocess.run([*coverage, "run", f"--rcfile={settings}", "-m", "pytest", "-q", "tests/core"], cwd=copy)
    last_failed = copy / ".pytest_cache" / "v" / "cache" / "lastfailed"
    failed = {name.partition("[")[0] for name in json.loads(last_failed.read_text())} if last_failed.exists() else set()
    subprocess.run(
        [*coverage, "json", f"--rcfile={settings}", "--ignore-errors", "--show-contexts", "-o", "build/coverage.json"],
        cwd=copy,
        check=True,
    )
    recorded = json.loads((copy / "build" / "coverage.json").read_text())
    print(f"covered: {recorded['totals']['percent_covered']:.2f} % of lines and branches", flush=True)
    return {
        module: {
            int(line): [test for context in contexts if (test := _node_id(context, copy)) and test not in failed]
            for line, contexts in file["contexts"].items()
        }
        for module, file in recorded["files"].items()
    }


def _node_id(context: str, copy: Path) -> str | None:
    """Return pytest's name of a test from coverage's, ``tests.core.test_units.test_x``."""
    parts = context.split(".")
    for count in range(len(parts) - 1, 0, -1):
        if (copy / (file := "/".join(parts[:count]) + ".py")).exists():
            return "::".join([file, *parts[count:]])
    return None


def outcome(mutant: Mutant, node: ast.expr, copy: Path, tests: list[str]) -> str:
    """Return "killed" if one of the tests fails, else "survived", or "not run" if there is none."""
    if not tests:
        return "not run"
    path = copy / mutant.module
    source = path.read_text(encoding="utf-8")
    path.write_text(_mutated(source, node, mutant.new), encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    try:
        status = subprocess.run(command, cwd=copy, env=AS_IN_MAKE_TEST, capture_output=True, timeout=SECONDS).returncode
    except subprocess.TimeoutExpired:
        status = pytest.ExitCode.TESTS_FAILED
    finally:
        path.write_text(source, encoding="utf-8")
    return "not run" if status in NOT_RUN else "killed" if status else "survived"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("results", type=Path)
    parser.add_argument("--again", type=Path, metavar="EARLIER", help="make the changes of an earlier run again")
    parser.add_argument("--count", type=int, default=80)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # some tests run the command as another user
        copy = Path(folder) / "checkout"
        shutil.copytree(
            CHECKOUT, copy, symlinks=True, ignore=shutil.ignore_patterns(".git", ".venv*", "dist", ".pytest_cache")
        )
        (copy / ".venv").symlink_to(CHECKOUT / ".venv")
        covering = tests_of_lines(copy)
        paths = {path.relative_to(copy).as_posix(): path for path in sorted((copy / "core").rglob("*.py"))}
        possible = {module: list(mutants(module, path.read_text(encoding="utf-8"))) for module, path in paths.items()}
        if options.again:
            earlier = [Mutant(**mutant) for mutant in json.loads(options.again.read_text())]
            chosen = [(mutant, found_again(mutant, possible)) for mutant in earlier]
        else:
            every = [made for changes in possible.values() for made in changes]
            chosen = [(made[0], made) for made in random.Random(options.seed).sample(every, options.count)]
        done = []
        for earlier_mutant, made in chosen:
            if made is None:
                result = Mutant(**asdict(earlier_mutant) | {"outcome": "gone"})
            else:
                tests = covering.get(made[0].module, {}).get(made[0].line, [])
                tests = random.Random(options.seed).sample(tests, min(len(tests), MOST_TESTS))
                result = Mutant(**asdict(made[0]) | {"outcome": outcome(*made, copy, tests)})
            was = f" (was {earlier_mutant.outcome})" if options.again else ""
            print(f"{result.outcome}{was}: {result.module}:{result.line} {result.old} -> {result.new}", flush=True)
            done.append(asdict(result))
            options.results.write_text(json.dumps(done, indent=1))


if __name__ == "__main__":
    main()
