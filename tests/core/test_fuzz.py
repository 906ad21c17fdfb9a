# SPDX-License-Identifier: GPL-3.0-or-later
"""Some of the inputs that ``make fuzz`` makes without end; that it sees a crash, a hang, noise, and a lack of memory.

Those of Blender's values are in tests/blender/scene/test_odd_values.py.
"""

import os
import time
from pathlib import Path

import pytest

from core.document.locate import SEARCH_VARIABLES
from tools.fuzz.kinds import KINDS, Kind
from tools.fuzz.session import Session, available, table
from tools.fuzz.worker import one

from ..thorough import THOROUGH

QUICK = {
    "sdf": 12,
    "urdf": 12,
    "mjcf": 8,
    "xacro": 8,
    "bom": 30,
    "text": 20,
    "obj": 10,
    "stl": 10,
    "ply": 10,
    "3mf": 10,
}
"""Kinds that are quick to import, and how many of each a quick run tries in its own process."""

MANY = dict.fromkeys(("sdf", "stl", "obj", "ply", "3mf"), 500) | dict.fromkeys(("urdf", "mjcf", "xacro"), 300)
"""How many of each a thorough run tries, the others being `MESHES`."""

MESHES = 100


@pytest.fixture(autouse=True)
def no_paths(monkeypatch):
    for variable in SEARCH_VARIABLES:
        monkeypatch.delenv(variable, raising=False)


@pytest.mark.fault(57, 59, 61, 76, 80, 87, 214)
@pytest.mark.parametrize("name", QUICK)
def test_odd_files_end_in_an_answer_or_a_named_error(name, tmp_path):
    outcomes = {KINDS[name].run(KINDS[name].input(1, number, tmp_path)) for number in range(QUICK[name])}
    assert len(outcomes) > 1


@pytest.mark.thorough
@pytest.mark.fault(57, 59, 61, 76, 80, 87)
@pytest.mark.parametrize("name", [name for name in KINDS if name != "blend"])
def test_many_odd_files_of_each_kind_do(name, tmp_path):
    kinds = available([name])
    if not kinds:
        pytest.skip(f"a library that {name} needs is not installed")
    count = MANY.get(name, MESHES) if THOROUGH else 20
    session = Session(tmp_path, seed=1)
    progress = session.run(kinds[0], count=count)
    faults = [path.read_text() for path in tmp_path.glob("*/fault.txt")]
    assert faults == [] and progress.faults == []
    assert progress.next == count == sum(progress.outcomes.values())
    assert f"| {name} | {count} | 0 |" in table(session.kinds)


@pytest.mark.thorough
def test_most_files_of_the_grammars_reach_resolution(tmp_path):
    for name in ("sdf", "urdf"):
        outcomes = [KINDS[name].run(KINDS[name].input(2, number, tmp_path)) for number in range(100)]
        assert sum(outcome in ("refused at once", "no link") for outcome in outcomes) < 45
        assert sum(outcome.startswith("resolved") for outcome in outcomes) > 50


def test_an_input_depends_on_seed_and_number_alone(tmp_path):
    for name in ("sdf", "stl", "glb", "3mf"):
        kind = KINDS[name]
        first = [kind.input(3, number, tmp_path).read_bytes() for number in range(5)]
        again = [kind.input(3, number, tmp_path).read_bytes() for number in (4, 3, 2, 1, 0)][::-1]
        other = [kind.input(4, number, tmp_path).read_bytes() for number in range(5)]
        assert first == again != other


bounded = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is bounded on Linux alone")


def misbehaving(run):
    def make(random, folder):
        path = folder / "input"
        path.write_text(str(random.random()))
        return path

    return Kind("odd", make, run)


def crash(path):
    raise ZeroDivisionError


def hang(path):
    while True:
        pass


def hoard(path):
    return str(len(bytearray(3 * 10**9)))


def hoard_quietly(path):
    try:
        hoard(path)
    except Exception as error:
        raise RuntimeError("it cannot be read") from error
    return "read"


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        (crash, "ZeroDivisionError"),
        (hang, "TooSlowError"),
        pytest.param(hoard, "MemoryError", marks=bounded),
        pytest.param(hoard_quietly, "MemoryError", marks=bounded),
    ],
)
def test_the_fuzzer_tells_what_never_may_be(run, expected, tmp_path, monkeypatch):
    monkeypatch.setattr("tools.fuzz.limits.limited.__wrapped__.__defaults__", (0.2, 10**9))
    with (tmp_path / "noise").open("w+") as noise:
        found = one(misbehaving(run), 0, 7, tmp_path, noise)
    assert expected in str(found["fault"])


def test_the_fuzzer_reports_what_is_written_on_standard_error(tmp_path):
    with (tmp_path / "noise").open("w+") as noise:

        def warn(path):
            os.write(noise.fileno(), b"a warning of a library\n")
            return "read"

        found = one(misbehaving(warn), 0, 7, tmp_path, noise)
        assert "a warning of a library" in str(found["fault"])
        assert one(misbehaving(lambda path: "read"), 0, 8, tmp_path, noise)["outcome"] == "read"


@pytest.mark.thorough
def test_a_process_that_dies_costs_one_input_and_is_kept(tmp_path):
    session = Session(tmp_path, seed=0, worker="tests.core.dying_worker")
    start = time.monotonic()
    progress = session.run(KINDS["urdf"], count=6)
    assert time.monotonic() - start < 120.0
    assert progress.faults == [3] and progress.next == 6 and progress.outcomes == {"read": 5}
    (folder,) = tmp_path.iterdir()
    expected = (folder / "fault.txt").read_text()
    assert "signal SIGSEGV" in expected and "--again urdf --seed 0 --number 3" in expected
    assert {"model.urdf", "fault.txt"} <= {path.name for path in folder.iterdir()}
