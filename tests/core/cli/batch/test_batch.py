# SPDX-License-Identifier: GPL-3.0-or-later
"""Many files at once: nothing is lost, nothing is done twice, and what ends badly takes only itself down."""

import json
import os
import random
import signal
import sqlite3
import struct
import subprocess
import sys
import time
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import pytest

from core.cli.batch import options, plan, task
from core.cli.batch.inputs import digest_of
from core.cli.main import main

CHECKOUT = Path(__file__).parents[4]
THOROUGH = bool(os.environ.get("SDF_INERTIA_THOROUGH"))

BOX = """v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 {z}\nv 1 0 {z}\nv 1 1 {z}\nv 0 1 {z}
f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"""

ROBOT = """<sdf version="1.11"><model name="m"><link name="l"><inertial><mass>{mass}</mass>
<inertia><ixx>1</ixx><iyy>1</iyy><izz>5</izz></inertia></inertial>
<collision name="c"><geometry><box><size>1 2 3</size></box></geometry></collision></link></model></sdf>
"""


AUTO = """<sdf version="1.11"><model name="m"><link name="l">
<inertial auto="true"><density>{density}</density></inertial>
<collision name="c"><geometry><box><size>1 2 3</size></box></geometry></collision></link></model></sdf>
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def boxes(count, folder="in"):
    Path(folder).mkdir()
    for number in range(count):
        Path(folder, f"box_{number}.obj").write_text(BOX.format(z=number + 1))


def robots(count, folder="in"):
    Path(folder).mkdir()
    for number in range(count):
        Path(folder, f"robot_{number}.sdf").write_text(ROBOT.format(mass=number + 1))


def batch(*words):
    return main(["batch", *map(str, words)])


def lines(report="r.jsonl"):
    return [json.loads(line) for line in Path(report).read_text().splitlines()]


def timeless(report="r.jsonl"):
    return sorted(json.dumps(line | {"seconds": 0}, sort_keys=True) for line in lines(report))


def outcomes(report="r.jsonl"):
    return {line["input"]: line["outcome"] for line in lines(report)}


def test_each_input_has_a_line_with_what_the_command_alone_says(folder, capsys):
    boxes(5)
    assert batch("mass", "in", "--density", 1000, "--report", "r.jsonl", "--jobs", 2) == 0
    for line in lines():
        capsys.readouterr()
        assert main(["mass", line["input"], "--density", "1000", "--json"]) == 0
        assert line["result"] == json.loads(capsys.readouterr().out)
        assert line["outcome"] == "done" and line["seconds"] > 0.0 and line["output"] is None
    assert len(lines()) == 5


def test_without_a_report_the_lines_go_to_standard_output(folder, capsys):
    boxes(2)
    assert batch("check", "in/box_0.obj", "in/box_1.obj") == 0
    told = capsys.readouterr()
    assert len([json.loads(line) for line in told.out.splitlines()]) == 2
    assert "| done | 2 |" in told.err


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
    assert [line["message"] for line in lines() if line["outcome"] == "refused"][0].endswith("[not_in_map]")


@pytest.fixture
def verb(monkeypatch):
    """The verb of `verbs`, by the name of report."""
    monkeypatch.setattr(plan, "module_of", lambda verb: "tests.core.cli.batch.verbs")
    monkeypatch.syspath_prepend(str(CHECKOUT))


def say(**words):
    for name, word in words.items():
        Path(f"{name}.sdf").write_text(word)


@pytest.mark.fault(72)
def test_a_hang_a_crash_and_a_lack_of_memory_take_only_themselves_down(folder, verb):
    count = 1000 if THOROUGH else 60
    for number in range(count - 3):
        Path(f"{number}.sdf").write_text("corrupt" if number % 19 == 0 and number < 19 * 50 else "well")
    say(hang="hang", die="die", eat="eat")
    corrupt = len(range(0, min(count - 3, 19 * 50), 19))
    status = batch("report", ".", "--timeout", 2, "--memory", 2, "--report", "r.jsonl", "--summary", "s.json")
    found = outcomes()
    assert status == 1 and len(found) == count
    assert (found["hang.sdf"], found["die.sdf"], found["eat.sdf"]) == ("time", "crash", "memory")
    told = json.loads(Path("s.json").read_text())
    assert told["outcomes"] == {
        **{"done": count - 3 - corrupt, "refused": corrupt},
        **{"time": 1, "crash": 1, "memory": 1},
    }
    assert told["codes"] == {"open_mesh": corrupt} and told["slowest"]
    assert told["slowest"][0]["input"] == "hang.sdf" and told["slowest"][0]["seconds"] >= 2.0
    messages = {line["input"]: line["message"] for line in lines()}
    assert (
        "SIGKILL" in messages["die.sdf"] and "--timeout" in messages["hang.sdf"] and "--memory" in messages["eat.sdf"]
    )


@pytest.mark.fault(72)
def test_files_beside_corrupt_ones_are_byte_equal_to_a_run_without_them(folder):
    good, bad = (950, 50) if THOROUGH else (19, 3)
    robots(good)
    assert batch("repair", "in", "--output", "clean", "--report", "clean.jsonl", "--jobs", 2) == 0
    for number in range(bad):
        Path(f"in/bad_{number}.sdf").write_text(ROBOT.format(mass=1)[: 10 + number])
    assert batch("repair", "in", "--output", "out", "--report", "r.jsonl", "--jobs", 2) == 1
    written = {path.relative_to("out"): path.read_bytes() for path in Path("out").rglob("*.sdf")}
    assert written == {path.relative_to("clean"): path.read_bytes() for path in Path("clean").rglob("*.sdf")}
    assert len(written) == good
    refused = [line for line in lines() if line["outcome"] != "done"]
    assert sorted(line["input"] for line in refused) == sorted(f"in/bad_{number}.sdf" for number in range(bad))
    assert all("[bad_xml]" in line["message"] for line in refused)


def test_a_retry_does_what_a_crash_left(folder, verb):
    say(once="once", die="die")
    assert batch("report", "once.sdf", "die.sdf", "--retries", 2, "--report", "r.jsonl") == 1
    assert outcomes() == {"once.sdf": "done", "die.sdf": "crash"}


@pytest.mark.skipif(os.name != "posix", reason="no timers that end a process")
def test_a_process_that_dies_without_a_task_takes_none_with_it(folder, verb, monkeypatch):
    say(first="later 0.2", second="well", third="well")

    def slow(file):
        if file == "second.sdf":
            wait_for(Path("first.tried").exists)
            time.sleep(0.7)  # until it is dead
        return digest_of(file)

    monkeypatch.setattr(plan, "digest_of", slow)
    assert batch("report", "first.sdf", "second.sdf", "third.sdf", "--jobs", 1, "--report", "r.jsonl") == 0
    assert outcomes() == {"first.sdf": "done", "second.sdf": "done", "third.sdf": "done"}


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_process_that_is_killed_at_any_instant_costs_its_task_alone(folder):
    count, kills = (400, 40) if THOROUGH else (60, 3)
    boxes(count)
    process = started("mass", "in", "--density", 1, "--jobs", 2, "--report", "r.jsonl")
    chance = random.Random(0)
    killed = 0
    wait_for(lambda: Path("r.jsonl").exists() and lines())
    while killed < kills and process.poll() is None:
        time.sleep(chance.uniform(0.0, 0.1))
        workers = [pid for pid in alive(process.pid) if b"forkserver" in parent_command(pid)]
        if workers:
            with suppress(ProcessLookupError):  # it ended by itself in between
                os.kill(int(chance.choice(workers)), signal.SIGKILL)
                killed += 1
    assert process.wait(120) in (0, 1) and killed
    found = list(outcomes().values())
    assert len(found) == count and set(found) <= {"done", "crash"} and found.count("crash") <= killed


def parent_command(pid):
    """Return the command of a process's parent; empty where either is gone."""
    try:
        parent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1]
        return Path(f"/proc/{parent}/cmdline").read_bytes() if parent != "1" else b""
    except OSError:
        return b""


def test_our_bug_is_one_inputs_outcome(folder, verb):
    say(bug="bug", well="well")
    assert batch("report", ".", "--report", "r.jsonl") == 1
    assert outcomes() == {"bug.sdf": "bug", "well.sdf": "done"}


def test_shards_share_nothing_and_lack_nothing(folder):
    robots(12)
    assert batch("repair", "in", "--output", "whole", "--report", "whole.jsonl") == 0
    shards = [f"{number}.jsonl" for number in (1, 2, 3)]
    for number, report in enumerate(shards, 1):
        assert batch("repair", "in", "--output", "whole", "--report", report, "--shard", f"{number}/3") == 0
    assert sorted(line for report in shards for line in timeless(report)) == timeless("whole.jsonl")


@pytest.mark.fault(72)
def test_what_is_done_is_not_done_twice_unless_something_changed(folder):
    robots(3)
    words = ("repair", "in", "--output", "out", "--report", "r.jsonl")
    assert batch(*words) == 0
    before, text = timeless(), sorted(Path("r.jsonl").read_text().splitlines())
    assert batch(*words, "--resume", "--summary", "s.json") == 0
    assert sorted(Path("r.jsonl").read_text().splitlines()) == text  # times too: nothing was done
    assert json.loads(Path("s.json").read_text())["resumed"] == 3
    Path("in/robot_0.sdf").write_text(ROBOT.format(mass=99))
    os.remove("out/in/robot_1.sdf")
    assert batch(*words, "--resume", "--summary", "s.json") == 0
    assert json.loads(Path("s.json").read_text())["resumed"] == 1
    assert b"99" in Path("out/in/robot_0.sdf").read_bytes() and timeless() != before
    assert batch(*words, "--resume", "--mass", "density", "--density", 1, "--summary", "s.json") == 0
    assert json.loads(Path("s.json").read_text())["resumed"] == 0


def test_a_mesh_that_changed_is_a_change_of_the_robot_that_uses_it(folder):
    Path("mesh.obj").write_text(BOX.format(z=1))
    Path("r.sdf").write_text(
        ROBOT.format(mass=3).replace("<box><size>1 2 3</size></box>", "<mesh><uri>mesh.obj</uri></mesh>")
    )
    words = ("report", "r.sdf", "--report", "r.jsonl", "--summary", "s.json")
    assert batch("repair", "r.sdf", "--output", "out", "--report", "p.jsonl") == 0
    old = Path("out/r.sdf").read_bytes()
    Path("mesh.obj").write_text(BOX.format(z=2))
    assert batch("repair", "r.sdf", "--output", "out", "--report", "p.jsonl", "--resume") == 0
    assert Path("out/r.sdf").read_bytes() != old
    assert batch(*words) in (0, 1)


def test_a_file_that_was_missing_is_a_change_of_the_robot_that_names_it(folder):
    text = ROBOT.format(mass=3).replace("<izz>5", "<izz>1.5")
    Path("r.sdf").write_text(text.replace("<box><size>1 2 3</size></box>", "<mesh><uri>late.obj</uri></mesh>"))
    words = ("check", "r.sdf", "--report", "r.jsonl")
    assert batch(*words) == 0
    before = timeless()
    Path("late.obj").write_text(BOX.format(z=1))
    assert batch(*words, "--resume") == 0
    assert timeless() != before


def test_a_file_beside_a_mesh_that_was_missing_is_a_change_too(folder):
    corners = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
    data = struct.pack("<12f12H", *corners, *(0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2))
    views = [{"buffer": 0, "byteOffset": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 24}]
    file = {
        **{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}]},
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "buffers": [{"uri": "mesh.bin", "byteLength": len(data)}],
        "bufferViews": views,
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0] * 3, "max": [1] * 3},
            {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"},
        ],
    }
    Path("mesh.gltf").write_text(json.dumps(file))
    robot = AUTO.format(density=6).replace("<box><size>1 2 3</size></box>", "<mesh><uri>mesh.gltf</uri></mesh>")
    Path("r.sdf").write_text(robot)
    words = ("report", "r.sdf", "--report", "r.jsonl", "--resume")
    assert batch(*words) == 1
    Path("mesh.bin").write_bytes(data)
    assert batch(*words) == 0
    (link,) = lines()[0]["result"]["models"][0]["links"]
    assert link["mass"] == pytest.approx(1.0, rel=1e-12)


def test_another_output_is_written_although_all_is_done(folder):
    robots(1)
    assert batch("repair", "in", "--output", "one", "--report", "r.jsonl") == 0
    assert batch("repair", "in", "--output", "two", "--report", "r.jsonl", "--resume") == 0
    assert Path("one/in/robot_0.sdf").read_bytes() == Path("two/in/robot_0.sdf").read_bytes()


def test_the_output_of_an_earlier_run_is_not_that_of_a_refused_input(folder):
    Path("a.sdf").write_text(AUTO.format(density=5))
    assert batch("fill", "a.sdf", "--output", "out", "--report", "r.jsonl") == 0
    assert lines()[0]["output"]
    Path("a.sdf").write_text(AUTO.format(density=-5))
    assert batch("fill", "a.sdf", "--output", "out", "--report", "r.jsonl", "--resume") == 1
    assert lines()[0]["output"] is None


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


def test_no_result_takes_the_place_of_another_input(folder):
    robots(1)
    there = Path("out/in/robot_0.sdf")
    there.parent.mkdir(parents=True)
    there.write_text(ROBOT.format(mass=7))
    assert batch("repair", "in/robot_0.sdf", there, "--output", "out", "--report", "r.jsonl") == 1
    assert there.read_text() == ROBOT.format(mass=7)
    assert outcomes() == {"in/robot_0.sdf": "refused", str(there): "done"}


def test_a_name_means_another_file_in_another_folder(folder, monkeypatch):
    for name, z in (("a", 1), ("b", 8)):
        boxes(1, name)
        Path(name, "box_0.obj").write_text(BOX.format(z=z))
        Path(name, "robot.sdf").write_text(
            AUTO.format(density=1000).replace("<box><size>1 2 3</size></box>", "<mesh><uri>box_0.obj</uri></mesh>")
        )
    masses = []
    for name in "ab":
        monkeypatch.chdir(folder / name)
        assert batch("report", "robot.sdf", "--report", "../r.jsonl", "--resume") == 0
        masses += [link["mass"] for line in lines("../r.jsonl") for link in line["result"]["models"][0]["links"]]
    assert masses == [1000.0, 8000.0]


def test_a_refused_input_whose_result_is_written_says_so_each_time(folder):
    robots(1)
    text = Path("in/robot_0.sdf").read_text()
    bare = text.replace("</link>", "</link><link name='n'><collision name='c'/></link>")
    Path("in/robot_0.sdf").write_text(bare)
    told = []
    for _ in range(2):
        assert batch("repair", "in", "--output", "out", "--report", "r.jsonl", "--resume") == 1
        told.append(timeless())
    assert told[0] == told[1] and lines()[0]["output"] == "out/in/robot_0.sdf" and lines()[0]["message"]


def test_any_time_limit_and_memory_bound_can_be_given(folder):
    boxes(1)
    words = ("--timeout", 1e12, "--memory", 1e12, "--density", 1, "--report", "r.jsonl")
    assert batch("mass", "in", *words) == 0


def test_a_summary_that_cannot_be_written_is_told_all_the_same(folder, capsys):
    boxes(1)
    Path("no").write_text("")
    assert batch("check", "in", "--report", "r.jsonl", "--summary", "no/s.md") == 2
    assert "| done | 1 |" in capsys.readouterr().err
    assert batch("check", "in", "--report", "q.jsonl", "--summary", "new/s.md") == 0
    assert "| done | 1 |" in Path("new/s.md").read_text()


def test_a_folder_in_which_nothing_is_found_is_told(folder):
    boxes(1)
    Path("empty").mkdir()
    assert batch("mass", "in", "empty", "--density", 1, "--report", "r.jsonl") == 1
    assert outcomes() == {"in/box_0.obj": "done", "empty": "unreadable"}


def test_a_report_without_a_state_is_not_gone_on_with(folder, capsys):
    boxes(1)
    Path("r.jsonl").write_text("mine")
    assert batch("mass", "in", "--density", 1, "--report", "r.jsonl", "--resume") == 2
    assert Path("r.jsonl").read_text() == "mine" and "without the state" in capsys.readouterr().err


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


def test_a_report_is_never_overwritten(folder, capsys):
    boxes(1)
    assert batch("mass", "in", "--density", 1, "--report", "r.jsonl") == 0
    before = Path("r.jsonl").read_bytes()
    assert batch("mass", "in", "--density", 1, "--report", "r.jsonl") == 2
    assert "--resume" in capsys.readouterr().err and Path("r.jsonl").read_bytes() == before


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


def test_two_batches_do_not_write_one_report(folder, verb, capsys):
    say(slow="slow 2")
    other = started("report", "slow.sdf", "--report", "r.jsonl", verb=True)
    wait_for(lambda: Path("r.jsonl.state").exists() and Path("r.jsonl").exists())
    assert batch("report", "slow.sdf", "--report", "r.jsonl", "--resume") == 2
    assert "another batch" in capsys.readouterr().err
    assert other.wait(30) == 0 and outcomes() == {"slow.sdf": "done"}


def changed_state(command, *values):
    with sqlite3.connect("r.jsonl.state") as file:
        file.execute(command, values)
    file.close()


@pytest.mark.parametrize(
    ("column", "value"),
    [
        *(("line", "no JSON"), ("line", "{}"), ("line", None), ("line", b"\xff"), ("read", "[1]"), ("written", "7")),
        *(("outcome", "unknown"), ("key", "x"), ("digest", 3), ("read", '{"/dev/zero": "x"}'), ("read", "[" * 5000)),
    ],
)
def test_a_row_of_the_state_that_was_changed_since_counts_for_nothing(folder, column, value):
    boxes(2)
    command = ("mass", "in", "--density", 1000, "--report", "r.jsonl", "--jobs", 1)
    assert batch(*command) == 0
    first, count = timeless(), len(lines())
    changed_state(f"UPDATE done SET {column}=? WHERE input LIKE '%box_1%'", value)
    assert batch(*command, "--resume", "--summary", "s.json") == 0
    assert timeless() == first and count == 2
    # All that the rows say is sealed but the digest, which the task has itself.
    assert json.loads(Path("s.json").read_text())["resumed"] == (2 if column == "digest" else 1)


@pytest.mark.parametrize(
    "command",
    [
        "ALTER TABLE done RENAME COLUMN line TO other",
        "CREATE TRIGGER t BEFORE INSERT ON done BEGIN SELECT RAISE(ABORT, 'no'); END",
    ],
)
def test_a_state_that_cannot_be_used_any_more_ends_the_batch_with_2(folder, command, capsys):
    boxes(1)
    words = ("check", "in", "--report", "r.jsonl", "--jobs", 1)
    assert batch(*words) == 0
    changed_state(command)
    changed_state("UPDATE done SET key='x'")
    assert batch(*words, "--resume") == 2
    assert "[bad_state]" in capsys.readouterr().err


def test_a_state_whose_tables_have_names_that_are_no_text_ends_the_batch_with_2(folder, capsys):
    boxes(1)
    words = ("check", "in", "--report", "r.jsonl", "--jobs", 1)
    assert batch(*words) == 0
    data = Path("r.jsonl.state").read_bytes()
    assert b"CREATE TABLE done" in data
    Path("r.jsonl.state").write_bytes(data.replace(b"CREATE TABLE done", b"CREATE TABLX \xd9one"))
    assert batch(*words, "--resume") == 2
    assert "[bad_state]" in capsys.readouterr().err


def test_a_state_cut_off_in_the_middle_ends_the_batch_with_2_or_is_done_anew(folder, capsys):
    boxes(1)
    words = ("check", "in", "--report", "r.jsonl", "--jobs", 1)
    assert batch(*words) == 0
    first, whole = timeless(), Path("r.jsonl.state").read_bytes()
    for length in (0, 50, 100, 4096, len(whole) - 1):
        Path("r.jsonl.state").write_bytes(whole[:length])
        status = batch(*words, "--resume")
        assert "Traceback" not in capsys.readouterr().err
        assert status == 2 or (status == 0 and timeless() == first)


START = """
import sys
from core.cli.main import main
if {verb}:
    from core.cli.batch import plan
    plan.module_of = lambda verb: "tests.core.cli.batch.verbs"
if __name__ == "__main__":
    sys.exit(main())
"""


def started(*words, verb=False):
    """Start a batch in a process group of its own."""
    Path("start.py").write_text(START.format(verb=verb))
    return subprocess.Popen(
        [sys.executable, "start.py", "batch", *map(str, words)],
        env=os.environ | {"PYTHONPATH": str(CHECKOUT)},
        start_new_session=True,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for(condition, seconds=30.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def alive(group):
    """Return the processes of a group that still run."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[2] == str(group) and fields[0] != "Z":
            found.append(path.parent.name)
    return found


@pytest.mark.thorough
@pytest.mark.fault(72)
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_after_a_kill_at_any_instant_resume_gives_the_same_files_and_the_same_report(folder):
    count, kills = (60, 100) if THOROUGH else (30, 4)
    robots(count)
    words = ("repair", "in", "--output", "out", "--jobs", 2)
    assert batch(*words, "--report", "whole.jsonl") == 0
    files = {path: path.read_bytes() for path in Path("out").rglob("*") if path.is_file()}
    chance = random.Random(0)
    start = time.monotonic()
    assert batch("repair", "in", "--output", "other", "--jobs", 2) == 0
    longest = time.monotonic() - start + 1.0
    for number in range(kills):
        subprocess.run(["rm", "-rf", "out", "r.jsonl", "r.jsonl.state", "r.jsonl.state-wal"], check=True)
        process = started(*words, "--report", "r.jsonl")
        time.sleep(chance.uniform(0.0, longest))
        process.kill()  # it alone: what it has started is to end by itself
        process.communicate()
        wait_for(lambda group=process.pid: not alive(group))
        for path in Path("out").rglob("*"):
            assert not path.is_file() or path.name.endswith(".tmp") or path.read_bytes() == files[path]
        assert batch(*words, "--report", "r.jsonl", "--resume") == 0
        assert {path: path.read_bytes() for path in Path("out").rglob("*") if path.is_file()} == files, number
        assert timeless() == timeless("whole.jsonl")


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_ctrl_c_keeps_what_is_finished_and_leaves_no_process(folder, verb):
    say(well="well", hang="hang", also="well")
    process = started("report", "also.sdf", "well.sdf", "hang.sdf", "--report", "r.jsonl", "--jobs", 2, verb=True)
    wait_for(lambda: Path("r.jsonl").exists() and len(lines()) == 2)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 130 and "interrupted" in said and "Traceback" not in said
    assert outcomes() == {"also.sdf": "done", "well.sdf": "done"}
    wait_for(lambda: not alive(process.pid))


@pytest.mark.thorough
@pytest.mark.skipif(find_spec("distributed") is None, reason="Dask is not installed")
def test_a_cluster_gives_the_same_bytes_even_if_a_worker_is_lost(folder):
    robots(8)
    assert batch("repair", "in", "--output", "here", "--report", "here.jsonl") == 0
    environment = os.environ | {"PYTHONPATH": str(CHECKOUT), "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "5"}

    def dask(*words):
        return subprocess.Popen(
            [sys.executable, "-m", "dask", *words],
            env=environment,
            cwd="/",
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    scheduler = dask(
        "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(folder / "s.json")
    )
    workers = []
    try:
        wait_for(lambda: (folder / "s.json").exists())
        address = json.loads((folder / "s.json").read_text())["address"]
        workers = [dask("worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny") for _ in "ab"]
        say(slow="slow 2", other="slow 2", third="slow 2")
        wait_for(lambda: number_of_workers(address) == 2, 60.0)
        process = started(
            "report", *("slow.sdf", "other.sdf", "third.sdf"), "--scheduler", address, "--report", "r.jsonl", verb=True
        )
        time.sleep(2.5)  # both are at work
        workers[0].kill()
        process.communicate(timeout=60)
        assert process.returncode == 0 and set(outcomes().values()) == {"done"} and len(lines()) == 3
        process = started("repair", "in", "--output", "here", "--scheduler", address, "--report", "there.jsonl")
        process.communicate(timeout=60)
        assert process.returncode == 0
        assert timeless("there.jsonl") == timeless("here.jsonl")
    finally:
        for one in (*workers, scheduler):
            one.kill()
            one.wait()


def number_of_workers(address):
    from distributed import Client

    with Client(address, timeout=20) as client:
        return len(client.scheduler_info()["workers"])


def test_every_verb_has_its_module():
    assert set(task.MODULES) == set(options.VERBS)
    assert all(callable(__import__(task.module_of(verb), fromlist=["task"]).task) for verb in task.MODULES)


def test_names_that_are_no_text_and_numbers_that_are_none_end_no_batch(folder, verb):
    strange = os.fsdecode(b"\xff.sdf")
    say(nan="nan")
    Path(strange).write_text("well")
    assert batch("report", ".", "--report", "r.jsonl") == 1
    assert outcomes() == {strange: "done", "nan.sdf": "bug"}
    assert batch("report", strange, "--report", "r.jsonl", "--resume") == 0
