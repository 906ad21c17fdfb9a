# SPDX-License-Identifier: GPL-3.0-or-later
"""``--resume`` does the rest, once, and does again what has changed; what cannot be gone on with is reported."""

import json
import os
import random
import sqlite3
import struct
import subprocess
import sys
import time
from importlib import metadata
from pathlib import Path

import pytest

from ....thorough import THOROUGH
from .batches import (
    AUTO,
    BOX,
    ROBOT,
    alive,
    batch,
    boxes,
    lines,
    outcomes,
    robots,
    say,
    started,
    timeless,
    wait_for,
)


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


def test_other_weighed_masses_in_the_same_table_do_everything_again(folder):
    robots(2)
    words = ("repair", "in", "--output", "out", "--report", "r.jsonl", "--weighed", "w.csv", "--summary", "s.json")

    def resumed(mass):
        Path("w.csv").write_text(f"link,mass\nl,{mass}\n")
        assert batch(*words, "--resume") == 0
        return json.loads(Path("s.json").read_text())["resumed"]

    assert (resumed(3.0), resumed("3"), resumed(4.0)) == (0, 2, 0)
    assert all(b"<mass>4</mass>" in path.read_bytes() for path in Path("out/in").iterdir())


@pytest.mark.fault(139)
def test_other_versions_of_libraries_do_everything_again(folder, monkeypatch):
    boxes(1)
    words = ("mass", "in", "--density", 1, "--report", "r.jsonl", "--resume", "--summary", "s.json")

    def resumed():
        assert batch(*words) == 0
        return json.loads(Path("s.json").read_text())["resumed"]

    assert (resumed(), resumed()) == (0, 1)
    known = metadata.version
    for library in ("numpy", "trimesh", "manifold3d", "mujoco"):
        monkeypatch.setattr(metadata, "version", lambda name, new=library: "0.1" if name == new else known(name))
        assert (resumed(), resumed()) == (0, 1)


def test_a_result_stays_where_checking_it_takes_too_long(folder):
    boxes(2)
    for path in folder.glob("in/*.obj"):
        path.write_text(path.read_text() + "# " + 4_000_000 * "-")  # hashed in some milliseconds
    words = ("mass", "in", "--density", 1, "--report", "r.jsonl", "--resume", "--jobs", 1, "--summary", "s.json")
    assert batch(*words) == 0
    assert batch(*words, "--timeout", 1e-4) == 1
    assert set(outcomes().values()) == {"time"}
    assert batch(*words) == 0
    assert json.loads(Path("s.json").read_text())["resumed"] == 2


@pytest.mark.fault(136)
def test_a_huge_file_is_hashed_within_its_own_time(folder):
    boxes(2)
    words = ("mass", "in", "--density", 1, "--report", "r.jsonl", "--resume", "--timeout", 1)
    assert batch(*words) == 0
    os.truncate("in/box_0.obj", 1 << 40)  # sparse: hashing it takes minutes
    begun = time.monotonic()
    assert batch(*words) == 1
    assert outcomes() == {"in/box_0.obj": "time", "in/box_1.obj": "done"}
    assert time.monotonic() - begun < 60.0


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


NAMED = {
    "flexcomp": ("", '<flexcomp name="f" type="mesh" dim="2" mass="1" rigid="true" file="named.obj"/>'),
    "mesh without mass": ('<asset><mesh file="named.obj"/></asset>', '<geom type="mesh" mesh="named" mass="0"/>'),
}


@pytest.mark.fault(206)
@pytest.mark.parametrize("case", NAMED)
def test_any_file_that_mujoco_gets_is_a_change_of_the_robot(folder, case):
    pytest.importorskip("mujoco", reason="there is no mujoco")
    asset, named = NAMED[case]
    body = f'<body name="b"><freejoint/><geom size=".1" mass="1"/>{named}</body>'
    Path("r.xml").write_text(f"<mujoco>{asset}<worldbody>{body}</worldbody></mujoco>")
    words = ("check", "r.xml", "--for", "mujoco", "--report", "r.jsonl", "--resume", "--summary", "s.json")

    def resumed(height):
        corners = f"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 {height}\n"
        Path("named.obj").write_text(f"{corners}f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
        assert batch(*words) == 0
        return json.loads(Path("s.json").read_text())["resumed"]

    assert (resumed(1), resumed(1), resumed(2)) == (0, 1, 0)


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


IMPOSSIBLE = "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>9</izz></inertia></inertial>"


def test_a_refused_input_whose_result_is_written_says_so_each_time(folder):
    robots(1)
    text = Path("in/robot_0.sdf").read_text()
    bare = text.replace("</link>", "</link><link name='n'>" + IMPOSSIBLE + "</link>")
    Path("in/robot_0.sdf").write_text(bare)
    reports = []
    for _ in range(2):
        assert batch("repair", "in", "--output", "out", "--report", "r.jsonl", "--resume") == 1
        reports.append(timeless())
    assert reports[0] == reports[1] and lines()[0]["output"] == "out/in/robot_0.sdf" and lines()[0]["message"]


def test_a_report_without_a_state_is_not_gone_on_with(folder, capsys):
    boxes(1)
    Path("r.jsonl").write_text("mine")
    assert batch("mass", "in", "--density", 1, "--report", "r.jsonl", "--resume") == 2
    assert Path("r.jsonl").read_text() == "mine" and "without the state" in capsys.readouterr().err


def test_a_report_is_never_overwritten(folder, capsys):
    boxes(1)
    assert batch("mass", "in", "--density", 1, "--report", "r.jsonl") == 0
    before = Path("r.jsonl").read_bytes()
    assert batch("mass", "in", "--density", 1, "--report", "r.jsonl") == 2
    assert "--resume" in capsys.readouterr().err and Path("r.jsonl").read_bytes() == before


def test_two_batches_do_not_write_one_report(folder, verb, capsys):
    say(slow="wait go")
    other = started("report", "slow.sdf", "--report", "r.jsonl", verb=True)
    wait_for(Path("slow.tried").exists)
    assert batch("report", "slow.sdf", "--report", "r.jsonl", "--resume") == 2
    assert "another batch" in capsys.readouterr().err
    Path("go").touch()
    assert other.wait(60) == 0 and outcomes() == {"slow.sdf": "done"}


def changed_state(command, *values):
    with sqlite3.connect("r.jsonl.state") as file:
        file.execute(command, values)
    file.close()


@pytest.mark.parametrize(
    ("column", "value"),
    [
        *(("line", "no JSON"), ("line", "{}"), ("line", None), ("line", b"\xff"), ("read", "[1]"), ("written", "7")),
        *(("outcome", "unknown"), ("key", "x"), ("read", '{"/dev/zero": "x"}'), ("read", "[" * 5000)),
    ],
)
def test_a_row_of_the_state_that_was_changed_since_is_ignored(folder, column, value):
    boxes(2)
    command = ("mass", "in", "--density", 1000, "--report", "r.jsonl", "--jobs", 1)
    assert batch(*command) == 0
    first, count = timeless(), len(lines())
    changed_state(f"UPDATE done SET {column}=? WHERE input LIKE '%box_1%'", value)
    assert batch(*command, "--resume", "--summary", "s.json") == 0
    assert timeless() == first and count == 2
    assert json.loads(Path("s.json").read_text())["resumed"] == 1


@pytest.mark.parametrize(
    "command",
    [
        "ALTER TABLE done RENAME COLUMN line TO other",
        "UPDATE done SET line = CAST(x'ff' AS TEXT)",
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


def test_a_state_with_table_names_that_are_not_text_ends_with_2(folder, capsys):
    boxes(1)
    words = ("check", "in", "--report", "r.jsonl", "--jobs", 1)
    assert batch(*words) == 0
    data = Path("r.jsonl.state").read_bytes()
    assert b"CREATE TABLE done" in data
    Path("r.jsonl.state").write_bytes(data.replace(b"CREATE TABLE done", b"CREATE TABLX \xd9one"))
    assert batch(*words, "--resume") == 2
    assert "[bad_state]" in capsys.readouterr().err


def test_a_state_cut_off_in_the_middle_ends_with_2_or_is_done_again(folder, capsys):
    boxes(1)
    words = ("check", "in", "--report", "r.jsonl", "--jobs", 1)
    assert batch(*words) == 0
    first, whole = timeless(), Path("r.jsonl.state").read_bytes()
    for length in (0, 50, 100, 4096, len(whole) - 1):
        Path("r.jsonl.state").write_bytes(whole[:length])
        status = batch(*words, "--resume")
        assert "Traceback" not in capsys.readouterr().err
        assert status == 2 or (status == 0 and timeless() == first)


@pytest.mark.thorough
@pytest.mark.fault(72)
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_resume_after_a_kill_at_any_instant_gives_the_same_result(folder):
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
