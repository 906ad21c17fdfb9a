# SPDX-License-Identifier: GPL-3.0-or-later
"""Many files at once: which, by what options, and what the report says of each."""

import json
import os
import sys
from pathlib import Path

import pytest

from core.cli.batch import options, task
from core.cli.main import main

from .batches import ROBOT, batch, boxes, lines, outcomes, robots, say


def test_each_input_has_a_line_with_what_the_command_alone_says(folder, capsys):
    boxes(5)
    assert batch("mass", "in", "--density", 1000, "--report", "r.jsonl", "--jobs", 2) == 0
    for line in lines():
        capsys.readouterr()
        assert main(["mass", line["input"], "--density", "1000", "--json"]) == 0
        assert {"schema": 1, **line["result"]} == json.loads(capsys.readouterr().out)
        assert line["outcome"] == "done" and line["seconds"] > 0.0 and line["output"] is None
    assert len(lines()) == 5


def test_without_a_report_the_lines_go_to_standard_output(folder, capsys):
    boxes(2)
    assert batch("check", "in/box_0.obj", "in/box_1.obj") == 0
    printed = capsys.readouterr()
    assert len([json.loads(line) for line in printed.out.splitlines()]) == 2
    assert "| done | 2 |" in printed.err


def test_files_are_written_as_the_inputs_are_laid_out(folder):
    robots(3, "a")
    os.rename("a/robot_2.sdf", "robot_2.sdf")
    assert batch("repair", "a", "robot_2.sdf", "--output", "out", "--report", "r.jsonl") == 0
    assert {str(path.relative_to("out")) for path in Path("out").rglob("*.sdf")} == {
        *("a/robot_0.sdf", "a/robot_1.sdf", "robot_2.sdf")
    }
    assert main(["check", *map(str, Path("out").rglob("*.sdf"))]) == 0
    assert batch("fill", "out", "--output", "filled") == 0


def test_inputs_come_from_a_list_each_once(folder, monkeypatch):
    boxes(3)
    Path("list.txt").write_text("in/box_0.obj\n\nin/box_1.obj\n./in/box_0.obj\n")
    assert batch("mass", "in/box_1.obj", "--from", "list.txt", "--density", 1, "--report", "r.jsonl") == 0
    assert sorted(outcomes()) == ["in/box_0.obj", "in/box_1.obj"]


def test_what_cannot_be_read_is_a_line_like_any_other(folder):
    boxes(2)
    Path("in/bad.obj").write_text("v 1 2\nf 1 2 3\n")
    assert batch("mass", "in", "gone.obj", "--density", 1, "--report", "r.jsonl") == 1
    assert outcomes() == {
        **{"in/box_0.obj": "done", "in/box_1.obj": "done"},
        **{"in/bad.obj": "unreadable", "gone.obj": "unreadable"},
    }
    assert all(line["message"] for line in lines() if line["outcome"] != "done")


def test_densities_go_by_a_map_and_what_it_does_not_know_is_refused(folder):
    boxes(3)
    Path("map.csv").write_text("match,density,mass\n*_0.obj,2700,\nbox_1.obj,,0.5\n")
    assert batch("mass", "in", "--densities", "map.csv", "--report", "r.jsonl") == 1
    masses = {line["input"]: line["result"].get("mass") for line in lines()}
    assert masses == {"in/box_0.obj": pytest.approx(2700.0), "in/box_1.obj": 0.5, "in/box_2.obj": None}
    assert [line["message"] for line in lines() if line["outcome"] == "refused"][0].count("[not_in_map] Fix: ") == 1


@pytest.mark.fault(232)
def test_a_map_gives_each_mesh_its_scale_and_the_body_agrees(folder):
    """Objects normalised to one size: mass, centre and tensor are those of the box at its own scale."""
    boxes(2)
    Path("map.csv").write_text("match,density,mass,scale\nbox_0.obj,2700,,0.1\nbox_1.obj,,0.5,0.02\n")
    words = ("mass", "in", "--densities", "map.csv", "--report", "r.jsonl")
    assert batch(*words, "--scale", 7) == 0
    results = {line["input"]: line["result"] for line in lines()}
    for name, mass, scale, height in (("in/box_0.obj", 2.7, 0.1, 1), ("in/box_1.obj", 0.5, 0.02, 2)):
        body, (x, y, z) = results[name], (scale, scale, height * scale)
        assert body["mass"] == pytest.approx(mass) and body["volume"] == pytest.approx(x * y * z)
        assert body["com"] == pytest.approx([x / 2, y / 2, z / 2])
        moments = [mass * (y**2 + z**2) / 12, mass * (x**2 + z**2) / 12, mass * (x**2 + y**2) / 12]
        assert [body["inertia"][axes] for axes in ("ixx", "iyy", "izz")] == pytest.approx(moments)
    Path("map.csv").write_text(Path("map.csv").read_text().replace("0.02", "0.04"))
    assert batch(*words, "--scale", 7, "--resume") == 0
    assert {line["input"]: line["result"]["volume"] for line in lines()}["in/box_1.obj"] == pytest.approx(2 * 0.04**3)


def test_results_are_no_inputs_and_never_take_the_place_of_one(folder, capsys):
    robots(2)
    for _ in range(2):
        assert batch("repair", ".", "--output", "out", "--report", "r.jsonl", "--resume") == 0
        assert len(lines()) == 2
    before = Path("in/robot_0.sdf").read_bytes()
    assert batch("repair", "in", "--output", ".", "--report", "s.jsonl") == 1
    assert set(outcomes("s.jsonl").values()) == {"refused"} and Path("in/robot_0.sdf").read_bytes() == before


def test_results_that_a_list_names_are_no_inputs(folder, monkeypatch):
    robots(2)
    for _ in range(3):
        listed = "\n".join(sorted(map(str, Path().rglob("*.sdf"))))
        Path("list.txt").write_text(listed)
        assert batch("repair", "--from", "list.txt", "--output", "out", "--report", "r.jsonl", "--resume") == 0
        assert sorted(outcomes()) == ["in/robot_0.sdf", "in/robot_1.sdf"]
        assert len(list(Path("out").rglob("*.sdf"))) == 2


def test_the_folder_of_the_inputs_is_no_output(folder, capsys):
    robots(1)
    assert batch("repair", "in", "--output", "in") == 2
    assert "same_output" in capsys.readouterr().err and [path.name for path in Path("in").iterdir()] == ["robot_0.sdf"]


def test_no_result_takes_the_place_of_an_input_that_has_two_names(folder):
    robots(1)
    os.symlink("in/robot_0.sdf", "link.sdf")
    before = Path("link.sdf").read_bytes()
    assert batch("repair", "in/robot_0.sdf", "link.sdf", "--output", ".", "--report", "r.jsonl") == 1
    assert set(outcomes().values()) == {"refused"} and Path("link.sdf").read_bytes() == before


def test_no_result_takes_the_place_of_another_input(folder):
    robots(1)
    there = Path("out/in/robot_0.sdf")
    there.parent.mkdir(parents=True)
    there.write_text(ROBOT.format(mass=7))
    assert batch("repair", "in/robot_0.sdf", there, "--output", "out", "--report", "r.jsonl") == 1
    assert there.read_text() == ROBOT.format(mass=7)
    assert outcomes() == {"in/robot_0.sdf": "refused", str(there): "done"}


def test_a_summary_that_cannot_be_written_is_still_reported(folder, capsys):
    boxes(1)
    Path("no").write_text("")
    assert batch("check", "in", "--report", "r.jsonl", "--summary", "no/s.md") == 2
    assert "| done | 1 |" in capsys.readouterr().err
    assert batch("check", "in", "--report", "q.jsonl", "--summary", "new/s.md") == 0
    assert "| done | 1 |" in Path("new/s.md").read_text()


def test_a_folder_in_which_nothing_is_found_is_reported(folder):
    boxes(1)
    Path("empty").mkdir()
    assert batch("mass", "in", "empty", "--density", 1, "--report", "r.jsonl") == 1
    assert outcomes() == {"in/box_0.obj": "done", "empty": "unreadable"}


def test_a_list_may_part_its_names_by_zeros_as_find_does(folder):
    boxes(2)
    Path("list").write_bytes(b"in/box_0.obj\0in/box_1.obj\0")
    assert batch("mass", "--from", "list", "--density", 1, "--report", "r.jsonl") == 0
    assert len(lines()) == 2


def test_the_density_given_is_for_what_the_map_does_not_know(folder):
    boxes(2)
    Path("map.csv").write_text("match,density,mass\nbox_0.obj,,0.5\n")
    assert batch("mass", "in", "--densities", "map.csv", "--density", 1000, "--report", "r.jsonl") == 0
    assert [line["result"]["mass"] for line in sorted(lines(), key=lambda line: line["input"])] == [0.5, 2000.0]


@pytest.mark.parametrize(
    "words",
    [
        ("mass",),
        ("repair", "a.sdf"),
        ("mass", "a.obj", "--output", "out"),
        ("mass", "a.obj", "--resume"),
        ("mass", "a.obj", "--shard", "4/3"),
        ("mass", "a.obj", "--jobs", "0"),
        ("mass", "a.obj", "--timeout", "-1"),
        ("mass", "a.obj", "--method", "shell"),
        ("repair", "a.sdf", "--output", "o", "--mass", "density"),
        ("weigh", "a.obj"),
    ],
)
def test_a_wrong_usage_ends_with_2(folder, words):
    with pytest.raises(SystemExit) as end:
        batch(*words)
    assert end.value.code == 2


@pytest.mark.parametrize(
    "words",
    [
        ("mass", "a.obj", "--from", "none.txt"),
        ("mass", "a.obj", "--densities", "none.csv"),
        ("export", "a.blend", "--output", "o", "--blender", "/none/blender"),
        ("export", "a.blend", "--output", "o", "--blender", sys.executable, "--addon", "."),
        ("mass", "a.obj", "--report", "none.sdf/r.jsonl"),
    ],
)
def test_a_batch_that_cannot_run_ends_with_2(folder, capsys, words):
    Path("none.sdf").write_text("")
    assert batch(*words) == 2
    assert capsys.readouterr().err.strip()


def test_every_verb_has_its_module():
    assert set(task.MODULES) == set(options.VERBS)
    assert all(callable(__import__(task.module_of(verb), fromlist=["task"]).task) for verb in task.MODULES)


def test_names_that_are_no_text_and_numbers_that_are_none_end_no_batch(folder, verb):
    strange = os.fsdecode(b"\xff.sdf")
    say(nan="nan")
    Path(strange).write_text("well")
    assert batch("report", ".", "--report", "r.jsonl") == 0
    assert outcomes() == {strange: "done", "nan.sdf": "done"}
    lines = Path("r.jsonl").read_text(encoding="utf-8").splitlines()
    assert all(json.loads(line, parse_constant=pytest.fail) for line in lines)
    assert batch("report", strange, "--report", "r.jsonl", "--resume") == 0
