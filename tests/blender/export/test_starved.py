# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports and Write Back in Blender, killed, without room and on a broken disk: at every change of their files.

tests/core/test_starved.py has more kinds of exports and of faults; here it is the way there and back.
"""

import signal

import pytest

from ...core.starved.job import Job
from ...core.starved.ready import ERRORS, Call, death, error, full_disk, instants, read_only, standing_ready
from ..scenes import HEADLESS, python
from . import starved
from .test_files_whole import assert_whole

WORDS = ("--output", "out", "--report", "report.json")


@pytest.fixture(scope="module")
def ready():
    with standing_ready(starved.__name__) as process:
        yield process


# --- export ----------------------------------------------------------------------------------------------------------


class Export(Job):
    cannot = "error: cannot write "

    def assert_whole(self, _files):
        assert_whole(self.folder / "out" / "robot")

    def assert_refused_unless_removing(self, after):
        """What cannot be removed is no error: the next export tries again."""
        if after.end.status or after.change != "u":
            self.assert_refused(after)


@pytest.fixture(scope="module")
def blends(ready, tmp_path_factory):
    """Two files of one name, for two states of a robot."""
    folder = tmp_path_factory.mktemp("blends")
    for size in ("1", "2"):
        (folder / size).mkdir()
        assert ready.run(Call(starved.make, (folder / size / "robot.blend", size), folder)).status == 0
    return [folder / size / "robot.blend" for size in ("1", "2")]


@pytest.fixture(scope="module")
def job(blends, tmp_path_factory, ready):
    """An export over another one."""
    folder = tmp_path_factory.mktemp("job")
    former, new = (Call(starved.export, (blend, *WORDS), folder) for blend in blends)
    assert ready.run(former).status == 0
    return Export(new, ready)


@pytest.mark.fault(66, 89)
@pytest.mark.parametrize("failing", ERRORS)
def test_whichever_step_of_an_export_fails_the_model_stays_whole(job, failing):
    for after in job.starved(failing, 1):
        job.assert_refused_unless_removing(after)


@pytest.mark.fault(66)
def test_headless_itself_ends_so_too(job):
    ways = [full_disk, death, error, read_only]
    for number, at in enumerate(instants(job.changes, 1)):
        failing = ways[number % len(ways)]
        job.lay_out()
        end = job.ready.run_program(python(HEADLESS, *job.call.words), job.folder, failing(at))
        after = job.aftermath(at, failing, end)
        if failing is death:
            assert end.status == -signal.SIGKILL
        else:
            job.assert_refused_unless_removing(after)
            assert end.err.count("cannot write") <= 1
        job.assert_next_run_is_clean()


# --- Write Back ------------------------------------------------------------------------------------------------------

ROBOT = """<sdf version="1.11"><model name="m"><link name="l"><inertial><mass>6000</mass>
<inertia><ixx>1</ixx><iyy>1</iyy><izz>5</izz></inertia></inertial>
<collision name="c"><geometry><box><size>1 2 3</size></box></geometry></collision></link></model></sdf>"""

NAMES = ("robot.sdf", "second.sdf")


class WriteBack(Job):
    cannot = "Error: Cannot write "

    def assert_next_run_is_clean(self):
        """It begins with the old files, since of the new ones there is nothing to write back; temporary ones go."""
        for name in NAMES:
            (self.folder / name).write_bytes(self.old[name])
            (self.folder / f"{name}.bak").unlink(missing_ok=True)
        super().assert_next_run_is_clean()


@pytest.fixture(scope="module")
def write_back(ready, tmp_path_factory):
    folder = tmp_path_factory.mktemp("job")
    for name in NAMES:
        (folder / name).write_text(ROBOT)
    job = WriteBack(Call(starved.write_back, [folder / name for name in NAMES], folder), ready)
    first, second = (job.new[name] for name in NAMES)
    assert first == second != ROBOT.encode()
    assert job.new.keys() == {*NAMES, *(f"{name}.bak" for name in NAMES)}
    assert all(job.new[f"{name}.bak"] == ROBOT.encode() for name in NAMES)
    return job


@pytest.mark.fault(66)
@pytest.mark.parametrize("failing", [death, *ERRORS])
def test_however_write_back_ends_each_file_is_the_old_or_the_new_one(failing, write_back):
    """Both are the old ones until both new ones are on disk."""
    for after in write_back.starved(failing, 1):
        if write_back.changes[: after.at - 1].count("r") < 2:  # a backup first
            assert all(after.files[name] == ROBOT.encode() for name in NAMES), after
        if failing is death:
            assert after.end.status == -signal.SIGKILL and after.temporary <= 3
        else:
            assert write_back.assert_refused(after).name in NAMES
            assert after.end.err.count("\n") == 1
