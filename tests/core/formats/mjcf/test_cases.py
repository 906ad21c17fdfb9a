# SPDX-License-Identifier: GPL-3.0-or-later
"""The documents in `cases`, which MuJoCo judges too."""

from pathlib import Path
from typing import Any

import mujoco
import pytest
from lxml import etree

from ...case_files import by_name, check

CASES = by_name(Path(__file__).parent / "cases")


@pytest.mark.every
@pytest.mark.parametrize("name", CASES)
def test_a_document_has_its_findings_and_no_others(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for finding in check(CASES[name]):
        place, _, path = finding.subject.partition(" ")
        elements: Any = etree.fromstring(CASES[name].text).xpath(path)
        assert [place] == [f"robot.xml:{element.sourceline}" for element in elements]
    refused = name.startswith("refused: ")
    try:
        mujoco.MjSpec.from_file("robot.xml").compile()
    except ValueError:
        assert refused
    else:
        assert not refused
