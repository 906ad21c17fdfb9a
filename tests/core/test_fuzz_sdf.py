# SPDX-License-Identifier: GPL-3.0-or-later
"""A few thousand of the mutated files that ``tools/fuzz_sdf.py`` makes by the million; and that it sees a fault."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[2] / "tools"


@pytest.fixture
def fuzzer(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(TOOLS.parent))
    import tools.fuzz_sdf as module

    return lambda count: module.fuzz(count, 0, 0, tmp_path)


def test_mutated_files_end_in_an_answer_or_a_named_error():
    process = subprocess.run(
        [sys.executable, str(TOOLS / "fuzz_sdf.py"), "--count", "3000", "--seed", "1"],
        capture_output=True,
        text=True,
        env={name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")},
        check=False,
    )
    assert process.returncode == 0, process.stderr
    assert "3000 files: " in process.stdout and " 0 failed" in process.stdout
    for outcome in ("filled", "refused", "read", "urdf", "refused by name"):
        assert f"'{outcome}'" in process.stdout


def test_the_fuzzer_tells_a_crash_and_a_hang(fuzzer, monkeypatch):
    import tools.fuzz_sdf as module

    assert fuzzer(50)[1] == []
    seen = []

    def broken(data, path):
        seen.append(data)
        if len(seen) == 1:
            raise ZeroDivisionError
        while len(seen) == 2:
            pass
        return "read"

    monkeypatch.setattr(module, "run", broken)
    monkeypatch.setattr(module, "LONGEST", 0.1)
    outcomes, failures = fuzzer(10)
    assert [("ZeroDivisionError" in one, "TooSlowError" in one) for one in failures] == [(True, False), (False, True)]
    assert "--seed 0 --first 1 --count 1" in failures[1]
    assert outcomes["read"] == 8 and len(set(seen)) == 10


def test_a_file_depends_on_its_number_alone(fuzzer, tmp_path):
    import tools.fuzz_sdf as module

    whole = module.fuzz(40, 3, 0, tmp_path)[0]
    parts = [module.fuzz(20, 3, first, tmp_path)[0] for first in (0, 20)]
    assert whole == parts[0] + parts[1]
