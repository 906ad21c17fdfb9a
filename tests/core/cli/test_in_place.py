# SPDX-License-Identifier: GPL-3.0-or-later
"""A file that is repaired or filled where it is: an edit meanwhile is kept, and so is the first original."""

import json
import os
from pathlib import Path

import pytest

from core.cli.main import main

AUTO = "<inertial auto='true'><density>1</density></inertial>"
BAD = "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>5</izz></inertia></inertial>"


@pytest.fixture
def robot(tmp_path, monkeypatch):
    """Write a robot in the folder at hand, with what its inertial is."""
    monkeypatch.chdir(tmp_path)

    def written(inertial):
        box = "<collision name='c'><geometry><box><size>1 2 3</size></box></geometry></collision>"
        text = f"<sdf version='1.11'><model name='m'><link name='l'>{inertial}{box}</link></model></sdf>"
        Path("robot.sdf").write_text(text)
        return text

    return written


@pytest.fixture
def edited(monkeypatch):
    """Have a file edited at the last moment: as the new one is being put on the disk."""
    sync = os.fsync

    def late(descriptor):
        Path("robot.sdf").write_text("edited")
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", late)


IN_PLACE = [
    ("repair", "--in-place", BAD),
    ("repair", "-o robot.sdf", BAD),
    ("repair", "-o link.sdf", BAD),
    ("fill", "--in-place", AUTO),
    ("fill", "-o ../{folder}/robot.sdf", AUTO),
]


@pytest.mark.fault(126)
@pytest.mark.parametrize(("verb", "words", "inertial"), IN_PLACE)
def test_an_edit_while_a_file_is_written_is_kept_and_reported(robot, edited, capsys, verb, words, inertial):
    robot(inertial)
    Path("link.sdf").symlink_to("robot.sdf")
    assert main([verb, "robot.sdf", *words.format(folder=Path.cwd().name).split(), "--json"]) == 1
    assert Path("robot.sdf").read_text() == "edited"
    assert sorted(os.listdir()) == ["link.sdf", "robot.sdf"]
    out, err = capsys.readouterr()
    told = json.loads(out)
    assert (told["output"], [finding["code"] for finding in told["findings"]]) == (None, ["source_changed"])
    assert "[source_changed]" in err


@pytest.mark.fault(126)
def test_repair_keeps_the_first_original_once(robot):
    first = robot(BAD)
    assert main(["repair", "robot.sdf", "--in-place"]) == 0
    assert Path("robot.sdf.bak").read_text() == first != Path("robot.sdf").read_text()
    robot(BAD.replace("<mass>1<", "<mass>2<"))
    assert main(["repair", "robot.sdf", "--in-place"]) == 0
    assert Path("robot.sdf.bak").read_text() == first
    assert "<mass>2<" in Path("robot.sdf").read_text()


@pytest.mark.parametrize(
    ("words", "inertial"),
    [
        ("repair robot.sdf --in-place --no-backup", BAD),
        ("repair robot.sdf -o robot.sdf", BAD),
        ("fill robot.sdf --in-place", AUTO),
        ("repair robot.sdf --in-place", AUTO),
    ],
)
def test_no_other_way_to_write_leaves_a_backup(robot, words, inertial):
    before = robot(inertial)
    main(words.split())
    assert os.listdir() == ["robot.sdf"]
    assert (Path("robot.sdf").read_text() == before) == (inertial == AUTO and words.startswith("repair"))


@pytest.mark.fault(128)
def test_what_a_replaced_file_could_not_keep_is_a_warning(robot, capsys):
    robot(BAD)
    Path("other.sdf").hardlink_to("robot.sdf")
    assert main(["repair", "robot.sdf", "--in-place", "--json"]) == 0
    out, err = capsys.readouterr()
    assert "warning: robot.sdf: it is one of 2 hard links" in err and "[cannot_keep]" in err
    assert json.loads(out)["findings"][-1]["code"] == "cannot_keep"
