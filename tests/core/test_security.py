# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/security.md promises what tests hold, and states the limits that apply."""

import ast
import re

from core.files.limits import (
    FREE_UNPACKED,
    LIMITS,
    MAX_INSTANCES,
    MAX_MESH_BYTES,
    MAX_REPEATED,
    MAX_UNPACKED,
    MIB,
    REPEATED_MEMORY,
)
from tools.house import CHECKOUT

PAGE = (CHECKOUT / "docs" / "security.md").read_text(encoding="utf-8")


def test_each_of_ten_promises_is_held_by_tests_that_exist():
    promises = re.findall(r"^(\d+)\. .+\n(?: +[^* ].*\n)*((?: +\* .+\n)+)", PAGE, re.MULTILINE)
    assert [int(number) for number, _ in promises] == list(range(1, 11))
    for _, held in promises:
        tests = re.findall(r"^ +\* `(tests/[\w/]+\.py)::(\w+)`$", held, re.MULTILINE)
        assert len(tests) == held.count("\n")
        for file, name in tests:
            body = ast.parse((CHECKOUT / file).read_text(encoding="utf-8")).body
            assert name in [one.name for one in body if isinstance(one, ast.FunctionDef)], name


def test_the_page_states_the_limits_of_each_format():
    rows = re.findall(r"^\| (\.\w+) \| (\d+) MiB \| (\d+) \((\d+)\)", PAGE, re.MULTILINE)
    assert {name: (int(size) * MIB, int(memory)) for name, size, memory, _ in rows} == dict(LIMITS)
    assert all(int(measured) < int(memory) for *_, memory, measured in rows)
    assert f"all accessors {MAX_MESH_BYTES // MIB} MiB" in PAGE
    for number in (f"{MAX_INSTANCES:,} nodes", f"{MAX_REPEATED:,} vertices", f"{REPEATED_MEMORY // MIB // 1024} GiB"):
        assert number in PAGE
    assert f"{FREE_UNPACKED // MIB} MiB, and {MAX_UNPACKED} bytes" in PAGE
