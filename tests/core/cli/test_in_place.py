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
    answer = json.loads(out)
    assert (answer["output"], [finding["code"] for finding in answer["findings"]]) == (None, ["source_changed"])
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
    assert [one["code"] for one in json.loads(out)["findings"][-2:]] == ["cannot_keep", "backup"]


def in_place(capsys, *more):
    """Repair the robot in place; return the exit status, and standard error in one line."""
    status = main(["repair", "robot.sdf", "--in-place", *more])
    return status, " ".join(capsys.readouterr().err.split())


def test_repair_reports_whether_a_backup_is_of_this_run(robot, capsys):
    robot(BAD)
    assert in_place(capsys)[1].count("info: robot.sdf: the original is in robot.sdf.bak [backup]") == 1
    assert "backup" not in in_place(capsys)[1]  # nothing changes
    robot(BAD)
    status, err = in_place(capsys)
    assert status == 0 and "robot.sdf.bak is of an earlier run and was kept" in err
    assert "the original is in" not in err
    robot(BAD)
    assert "[backup]" not in in_place(capsys, "--quiet")[1]


@pytest.mark.parametrize("taken", ["folder", "dangling link", "link to the file", "fifo"])
def test_nothing_is_written_if_the_backup_has_no_free_name(robot, capsys, taken):
    before = robot(BAD)
    backup = Path("robot.sdf.bak")
    if taken == "folder":
        backup.mkdir()
    elif taken == "fifo":
        os.mkfifo(backup)
    else:
        backup.symlink_to("robot.sdf" if "file" in taken else "nowhere")
    status, err = in_place(capsys)
    assert status == 2 and "robot.sdf.bak: this is not a regular file" in err and "--no-backup" in err
    assert Path("robot.sdf").read_text() == before
    assert sorted(os.listdir()) == ["robot.sdf", "robot.sdf.bak"]
    assert in_place(capsys, "--no-backup")[0] == 0
    assert Path("robot.sdf").read_text() != before


def test_the_backup_of_a_linked_file_is_named_in_full(robot, capsys):
    before = robot(BAD)
    Path("there").mkdir()
    Path("robot.sdf").rename("there/real.sdf")
    Path("robot.sdf").symlink_to("there/real.sdf")
    backup = Path("there/real.sdf.bak").absolute()
    assert f"the original is in {backup}" in in_place(capsys)[1]
    assert backup.read_text() == before and Path("robot.sdf").is_symlink()
