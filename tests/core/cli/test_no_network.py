# SPDX-License-Identifier: GPL-3.0-or-later
"""No command asks a network for anything; a batch on a cluster does, which the user names. Each process is watched."""

import sys
from pathlib import Path

import pytest

from ..offline import Offline, assert_watched, named_from_afar

CHECKOUT = Path(__file__).parents[3]

BOX = """<sdf version="1.11"><model name="m"><link name="l"><inertial auto="true"><density>1000</density></inertial>
<collision name="c"><geometry><box><size>1 2 3</size></box></geometry></collision></link></model></sdf>"""

COMMANDS = (
    "mass x.obj --json",
    "check box.sdf {afar}",
    "fill box.sdf -o filled.sdf",
    "repair box.sdf -o repaired.sdf --what all",
    "report box.sdf filled.sdf --format csv",
    "report box.sdf --format html -o box.html",
    "diff box.sdf filled.sdf",
    "batch check {afar} --report report.jsonl --jobs 2",
)


@pytest.fixture
def offline(tmp_path):
    watched = Offline(tmp_path)
    assert_watched(watched, sys.executable, tmp_path)
    return watched


@pytest.mark.thorough
@pytest.mark.fault(57, 62)
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has network namespaces")
def test_no_command_asks_a_network_for_anything(offline, tmp_path):
    (tmp_path / "box.sdf").write_text(BOX, encoding="utf-8")
    afar = " ".join(path.name for path in named_from_afar(tmp_path))
    statuses = []
    for words in COMMANDS:
        command = [sys.executable, "-m", "core", *words.format(afar=afar).split()]
        done = offline.run(tmp_path, *command, path=[CHECKOUT])
        assert done.returncode in (0, 1, 2), done.stderr
        assert "Traceback" not in done.stderr
        statuses.append(done.returncode)
    assert statuses == [0, 1, 0, 0, 0, 0, 0, 1]
    assert (tmp_path / "filled.sdf").is_file() and (tmp_path / "report.jsonl").stat().st_size
    assert offline.asked() == []
