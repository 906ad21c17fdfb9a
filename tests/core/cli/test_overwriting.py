# SPDX-License-Identifier: GPL-3.0-or-later
"""No output of a command overwrites what the command reads, or another output."""

import shutil
from pathlib import Path

import pytest

from core.cli.main import main
from tools.house import CHECKOUT

MESH_ROBOT = """<robot name="r"><link name="l">
  <inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="9"/></inertial>
  <collision><geometry><mesh filename="part.obj"/></geometry></collision>
</link></robot>"""
PART = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(CHECKOUT / "examples" / "arm.urdf", "arm.urdf")
    Path("link.urdf").symlink_to("arm.urdf")
    Path("sub").mkdir()
    shutil.copy("arm.urdf", "sub/arm.urdf")
    Path("robot.urdf").write_text(MESH_ROBOT)
    Path("part.obj").write_text(PART)
    Path("map.csv").write_text("match,density\narm,1000\n")
    Path("list.txt").write_text("arm.urdf\n")
    shutil.copy("arm.urdf", "new.urdf")
    return tmp_path


OVERWRITING = [
    "check arm.urdf --badge arm.urdf",
    "check arm.urdf --badge link.urdf",
    "check link.urdf --summary sub/../arm.urdf",
    "check arm.urdf --summary new --badge new",
    "check robot.urdf --junit part.obj",
    "check --from list.txt --badge list.txt",
    "check robot.urdf --badge part.obj",
    "check robot.urdf --summary part.obj",
    "repair robot.urdf -o part.obj",
    "repair arm.urdf --densities map.csv -o map.csv",
    "report arm.urdf --format html -o arm.urdf",
    "report robot.urdf --format html -o part.obj",
    "batch check sub --report sub/arm.urdf",
    "batch check robot.urdf --report new.jsonl --summary part.obj",
    "batch check sub --report new.jsonl --summary sub/arm.urdf",
    "batch check --from list.txt --report list.txt",
    "batch repair sub --output . --densities map.csv --report map.csv",
]


@pytest.mark.fault(210)
@pytest.mark.parametrize("words", OVERWRITING)
def test_an_output_that_is_an_input_is_refused(folder, words, capsys):
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    try:
        assert main(words.split()) == 2
    except SystemExit as stopped:  # argparse: an error of usage
        assert stopped.code == 2
    assert "would overwrite" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.parametrize(
    "words",
    [
        "check arm.urdf --badge new.json --summary new.md",
        "check arm.urdf --badge /dev/null --summary /dev/null",
        "repair arm.urdf -o new.urdf",
        "repair new.urdf -o new.urdf",
        "report arm.urdf --format html -o new.html",
        "batch check sub --report new.jsonl --summary new.md",
    ],
)
def test_other_outputs_are_written(folder, words):
    assert main(words.split()) in (0, 1)
    assert all(path.stat().st_size for path in folder.glob("new*"))
