# SPDX-License-Identifier: GPL-3.0-or-later
"""A few of the mutated files that ``tools/fuzz_sdf.py`` makes by the million; and that it sees a fault."""

import sys
import warnings
from pathlib import Path

import pytest

from ....thorough import THOROUGH

TOOLS = Path(__file__).parents[4] / "tools"

COUNT = 3000 if THOROUGH else 100
"""Files that are tried; ``make test-all`` asks for the many."""


@pytest.fixture(autouse=True)
def fuzzer(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(TOOLS.parent))
    import tools.fuzz_sdf as module

    return lambda count: module.fuzz(count, 0, 0, tmp_path)


def test_mutated_files_end_in_an_answer_or_a_named_error(monkeypatch, capfd):
    import tools.fuzz_sdf as module

    for variable in ("GZ_SIM_RESOURCE_PATH", "SDF_PATH"):  # it takes them away, for good
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(sys, "argv", ["fuzz_sdf.py", "--count", str(COUNT), "--seed", "1"])
    with warnings.catch_warnings():
        status = module.main()
    printed = capfd.readouterr()
    assert status == 0, printed.err
    assert f"{COUNT} files: " in printed.out and " 0 failed" in printed.out
    for outcome in ("filled", "refused", "read", "urdf", "refused by name"):
        assert f"'{outcome}'" in printed.out


@pytest.mark.thorough
def test_the_fuzzer_tells_a_crash_and_a_hang(fuzzer, monkeypatch):
    import tools.fuzz_sdf as module

    assert fuzzer(20)[1] == []
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


@pytest.mark.thorough
def test_a_file_depends_on_its_number_alone(fuzzer, tmp_path):
    import tools.fuzz_sdf as module

    whole = module.fuzz(20, 3, 0, tmp_path)[0]
    parts = [module.fuzz(10, 3, first, tmp_path)[0] for first in (0, 10)]
    assert whole == parts[0] + parts[1]
