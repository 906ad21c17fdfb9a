# SPDX-License-Identifier: GPL-3.0-or-later
"""What ends badly takes only itself down: a hang, a crash, a kill, a want of memory, a bug."""

import json
import os
import random
import signal
import sys
import time
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import pytest

from core.cli.batch import command, pools

from ....thorough import THOROUGH
from .batches import ROBOT, alive, batch, boxes, lines, outcomes, robots, say, started, wait_for


@pytest.mark.fault(72)
def test_a_hang_a_crash_and_a_lack_of_memory_take_only_themselves_down(folder, verb):
    count = 1000 if THOROUGH else 60
    for number in range(count - 3):
        Path(f"{number}.sdf").write_text("corrupt" if number % 19 == 0 and number < 19 * 50 else "well")
    say(hang="hang", die="die", eat="eat")
    corrupt = len(range(0, min(count - 3, 19 * 50), 19))
    status = batch("report", ".", "--timeout", 5, "--memory", 2, "--report", "r.jsonl", "--summary", "s.json")
    found = outcomes()
    assert status == 1 and len(found) == count
    assert (found["hang.sdf"], found["die.sdf"], found["eat.sdf"]) == ("time", "crash", "memory")
    summary = json.loads(Path("s.json").read_text())
    assert summary["outcomes"] == {
        **{"done": count - 3 - corrupt, "refused": corrupt},
        **{"time": 1, "crash": 1, "memory": 1},
    }
    assert summary["codes"] == {"open_mesh": corrupt} and summary["slowest"]
    assert summary["slowest"][0]["input"] == "hang.sdf" and summary["slowest"][0]["seconds"] >= 5.0
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


def test_a_process_that_dies_as_others_start_is_named_by_its_signal(folder, verb):
    say(**{f"die_{number}": "die" for number in range(1000 if THOROUGH else 30)})
    assert batch("report", ".", "--jobs", 8, "--report", "r.jsonl") == 1
    assert {line["message"] for line in lines()} == {"its process was ended by SIGKILL"}


def test_a_retry_does_what_a_crash_left(folder, verb):
    say(once="once", die="die")
    assert batch("report", "once.sdf", "die.sdf", "--retries", 2, "--report", "r.jsonl") == 1
    assert outcomes() == {"once.sdf": "done", "die.sdf": "crash"}


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_process_that_dies_without_a_task_takes_none_with_it(folder, verb, monkeypatch):
    say(first="later gone", second="well", third="well")
    given, submit = [], pools.LocalPool.submit

    def slow(pool, task):
        if task.input == "second.sdf":
            wait_for(given[0].done)
            Path("gone").touch()
            wait_for(lambda: has_ended(Path("first.tried")))
        given.append(submit(pool, task))
        return given[-1]

    monkeypatch.setattr(pools.LocalPool, "submit", slow)
    assert batch("report", "first.sdf", "second.sdf", "third.sdf", "--jobs", 1, "--report", "r.jsonl") == 0
    assert outcomes() == {"first.sdf": "done", "second.sdf": "done", "third.sdf": "done"}


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_process_that_is_killed_at_any_instant_costs_its_task_alone(folder, verb):
    count, kills = (4000, 40) if THOROUGH else (400, 3)
    say(a="wait go", **{f"b{number}": "well" for number in range(count - 1)})
    process = started("report", ".", "--jobs", 2, "--report", "r.jsonl", verb=True)
    chance = random.Random(0)
    killed = 0
    wait_for(Path("a.tried").exists)
    while killed < kills and process.poll() is None:
        time.sleep(chance.uniform(0.0, 0.05))
        workers = [pid for pid in alive(process.pid) if b"forkserver" in parent_command(pid)]
        if workers:
            with suppress(ProcessLookupError):  # it ended by itself in between
                os.kill(int(chance.choice(workers)), signal.SIGKILL)
                killed += 1
    Path("go").touch()
    assert process.wait(120) in (0, 1) and killed
    found = list(outcomes().values())
    assert len(found) == count and set(found) <= {"done", "crash"} and found.count("crash") <= killed


def has_ended(file):
    """Return True if the process that wrote its number into a file has ended, even if nobody has read its status."""
    pid = file.read_text() if file.exists() else ""
    try:
        return bool(pid) and Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def parent_command(pid):
    """Return the command of a process's parent; empty where either is gone."""
    try:
        parent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1]
        return words_of(parent) if parent != "1" else b""
    except OSError:
        return b""


def words_of(pid):
    """Return the command of a process; empty where it is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


@pytest.mark.fault(136)
def test_the_digest_is_that_of_the_bytes_that_were_read(folder, verb):
    say(first="wait go", second="early")
    process = started("report", "first.sdf", "second.sdf", "--jobs", 1, "--report", "r.jsonl", verb=True)
    wait_for(Path("first.tried").exists)  # and second is waiting
    say(second="late")
    Path("go").touch()
    process.communicate(timeout=60)
    second = next(line for line in lines() if line["input"] == "second.sdf")
    assert (second["result"], second["sha256"]) == ({"said": "late"}, sha256(b"late").hexdigest())


@pytest.mark.fault(141)
def test_an_output_that_cannot_be_written_is_called_that(folder):
    robots(1)
    Path("out").mkdir()
    Path("out/in").touch()  # where a folder has to be
    assert batch("repair", "in", "--output", "out", "--report", "r.jsonl") == 1
    assert outcomes() == {"in/robot_0.sdf": "unwritable"}
    assert "out/in" in lines()[0]["message"]


def test_our_bug_is_one_inputs_outcome(folder, verb):
    say(bug="bug", well="well")
    assert batch("report", ".", "--report", "r.jsonl") == 1
    assert outcomes() == {"bug.sdf": "bug", "well.sdf": "done"}


def test_any_time_limit_and_memory_bound_can_be_given(folder):
    boxes(1)
    words = ("--timeout", 1e12, "--memory", 1e12, "--density", 1, "--report", "r.jsonl")
    assert batch("mass", "in", *words) == 0


@pytest.mark.fault(72)
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_ctrl_c_keeps_what_is_finished_and_leaves_no_process(folder, verb):
    say(well="well", hang="hang", also="well")
    process = started("report", "also.sdf", "well.sdf", "hang.sdf", "--report", "r.jsonl", "--jobs", 2, verb=True)
    wait_for(lambda: Path("r.jsonl").exists() and len(lines()) == 2)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130 and "interrupted" in said and "Traceback" not in said
    assert outcomes() == {"also.sdf": "done", "well.sdf": "done"}
    wait_for(lambda: not alive(process.pid))


def test_ctrl_c_that_comes_in_a_finaliser_is_not_lost(folder, verb, monkeypatch):
    class Finalised:
        def __del__(self):
            signal.raise_signal(signal.SIGINT)

    def result(future):
        Finalised()
        return pools.result_of(future)

    monkeypatch.setattr(command, "result_of", result)
    say(**{f"b{number}": "well" for number in range(20)})
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        assert batch("report", ".", "--jobs", 1, "--report", "r.jsonl") == 130
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert 0 < len(lines()) < 20 and set(outcomes().values()) == {"done"}


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_ctrl_c_before_any_process_is_ready_ends_as_cleanly(folder):
    boxes(4)
    process = started("mass", "in", "--density", 1, "--report", "r.jsonl", "--jobs", 2)
    wait_for(lambda: any(b"forkserver" in words_of(pid) for pid in alive(process.pid)))
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130 and said.startswith("interrupted"), said
    wait_for(lambda: not alive(process.pid))


@pytest.mark.thorough
@pytest.mark.fault(72)
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_ctrl_c_at_any_instant_ends_cleanly(folder):
    boxes(40)
    chance = random.Random(0)
    for number in range(20):
        report = Path(f"{number}.jsonl")
        process = started("mass", "in", "--density", 1, "--report", report, "--jobs", 2)
        wait_for(report.exists)
        time.sleep(chance.uniform(0.0, 1.0))
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=60)
        assert "Traceback" not in said and (process.returncode == 130 or "| done | 40 |" in said), said
        wait_for(lambda group=process.pid: not alive(group))
