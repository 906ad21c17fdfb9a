# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands in `cases`, as tests/core/case_files.py explains them.

Expected are the exit status, the findings with their lines, and how many are known. The last word is the document.
"""

import re
from pathlib import Path

import pytest

from ..case_files import by_name
from ..command_line import run_json

CASES = by_name(Path(__file__).parent / "cases")


def shown(finding):
    """Return a finding as the rows have it: severity, code, element with its name, line."""
    place, _, path = finding["subject"].partition(" /")
    element = re.sub(r"\[@name='(.*)'\]", r" \1", path.rpartition("/")[2])
    line = place.partition(":")[2]
    at, where = f" at {element}" if element else "", f" in line {line}" if line else ""
    return f"{finding['severity']} {finding['code']}{at}{where}"


@pytest.mark.every
@pytest.mark.parametrize("name", CASES)
def test_a_command_ends_with_its_status_and_findings(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = CASES[name].command.split()
    Path(words[-1]).write_text(CASES[name].text, encoding="utf-8")
    status, answer = run_json(capsys, *words, "--json")
    (file,) = answer["files"]
    known = [f"{file['known']} known"] if "known" in file else []
    assert [str(status), *map(shown, file["findings"]), *known] == [what for what, _ in CASES[name].expected]
