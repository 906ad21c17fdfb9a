# SPDX-License-Identifier: GPL-3.0-or-later
"""Batches for tests: their inputs, how they are run, what their reports say."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

from core.cli.main import main

CHECKOUT = Path(__file__).parents[4]

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


def say(**words):
    for name, word in words.items():
        Path(f"{name}.sdf").write_text(word)


START = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job, in which tests may run, ignores it
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


def wait_for(condition, seconds=60.0):
    """Wait until a condition holds, and return its value."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end
        time.sleep(0.01)
    return value


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
