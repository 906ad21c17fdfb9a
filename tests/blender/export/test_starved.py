# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports and Write Back in Blender, killed, without room and on a broken disk: at every change of their files.

tests/core/test_starved.py has more kinds of exports and of faults; here it is the way there and back.
"""

import os
import signal
import subprocess

import pytest

from ...core.failing_writes import (
    ERRORS,
    NONE,
    TEMPORARY,
    Call,
    Job,
    Ready,
    death,
    error,
    full_disk,
    instants,
    read_only,
)
from ..scenes import HEADLESS, python
from . import starved
from .starved import EXPORT, MADE, WRITE_BACK
from .test_files_whole import assert_whole

WORDS = ("--output", "out", "--report", "report.json")


@pytest.fixture(scope="module")
def ready():
    with Ready(starved.__name__) as one:
        yield one


# --- export ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def blends(ready, tmp_path_factory):
    """Two files of one name, for two states of a robot."""
    folder = tmp_path_factory.mktemp("blends")
    for size in ("1", "2"):
        (folder / size).mkdir()
        assert ready.run(Call(MADE, (folder / size / "robot.blend", size), folder)).status == 0
    return [folder / size / "robot.blend" for size in ("1", "2")]


@pytest.fixture(scope="module")
def job(blends, tmp_path_factory, ready):
    """An export over another one."""
    folder = tmp_path_factory.mktemp("job")
    former, new = (Call(EXPORT, (blend, *WORDS), folder) for blend in blends)
    assert ready.run(former).status == 0
    return Job(new, ready, tmp_path_factory.mktemp("former"))


def files_of(job):
    """Return the files of a job's folder, each whole, and how many temporary ones there are."""
    found, temporary = job.found()
    assert_whole(job.folder / "out" / "robot")
    return found, temporary


@pytest.mark.fault(66, 89)
@pytest.mark.parametrize("failing", ERRORS)
def test_whichever_step_of_an_export_fails_the_model_stays_whole(job, failing):
    for at in instants(job.changes, 1):
        job.lay_out()
        end = job.run(failing(at))
        _, temporary = files_of(job)
        assert "Traceback" not in end.err
        if end.status == 0:  # what cannot be removed is no error: the next export tries again
            assert job.changes[at - 1] == "u", (at, end)
        else:
            words, _, reason = end.err.splitlines()[-1].rpartition(": ")
            assert (end.status, reason) == (2, os.strerror(ERRORS[failing])), (at, end)
            assert words.startswith("error: cannot write ") and ".tmp" not in words
            assert failing is read_only or temporary == 0, at
        job.assert_next_run_is_clean()


@pytest.mark.fault(66)
def test_headless_itself_ends_so_too(job):
    ways = [full_disk, death, error, read_only]
    for number, at in enumerate(instants(job.changes, 1)):
        failing = ways[number % len(ways)]
        job.lay_out()
        done = subprocess.run(
            python(HEADLESS, *job.call.words),
            env=job.ready.environment(job.folder, failing(at)),
            cwd=job.folder,
            capture_output=True,
            text=True,
        )
        if failing is death:
            assert done.returncode == -signal.SIGKILL
        else:
            errors = [line for line in done.stderr.splitlines() if "cannot write" in line]
            assert (done.returncode, len(errors)) == (2, 1) or job.changes[at - 1] == "u", done.stderr
            assert "Traceback" not in done.stderr
        files_of(job)
        job.assert_next_run_is_clean()


# --- Write Back ------------------------------------------------------------------------------------------------------

ROBOT = """<sdf version="1.11"><model name="m"><link name="l"><inertial><mass>6000</mass>
<inertia><ixx>1</ixx><iyy>1</iyy><izz>5</izz></inertia></inertial>
<collision name="c"><geometry><box><size>1 2 3</size></box></geometry></collision></link></model></sdf>"""


NAMES = ("robot.sdf", "second.sdf")


@pytest.mark.fault(66)
@pytest.mark.parametrize("failing", [death, *ERRORS])
def test_however_write_back_ends_each_file_is_the_old_or_the_new_one(failing, ready, tmp_path):
    """Both are the old ones until both new ones are on disk."""
    paths = [tmp_path / name for name in NAMES]

    def laid_out():
        for path in paths:
            path.write_text(ROBOT)
            path.with_name(f"{path.name}.bak").unlink(missing_ok=True)

    def run(fault=NONE):
        return ready.run(Call(WRITE_BACK, paths, tmp_path, fault))

    laid_out()
    clean = run()
    new = paths[0].read_text()
    assert clean.status == 0 and new != ROBOT and paths[1].read_text() == new
    for at in instants(clean.changes, 1):
        laid_out()
        end = run(failing(at))
        texts = {path.read_text() for path in paths}
        assert texts <= ({ROBOT, new} if clean.changes[: at - 1].count("r") > 1 else {ROBOT}), at  # a backup first
        left = list(tmp_path.glob(TEMPORARY))
        if failing is death:
            assert end.status == -signal.SIGKILL and len(left) <= 3
        else:
            errors = [f"Error: Cannot write {path}: {os.strerror(ERRORS[failing])}\n" for path in paths]
            assert end.status == 2 and end.err in errors, (at, end)
            assert not left or failing is read_only
        laid_out()
        assert run().status == 0
        assert sorted(one.name for one in tmp_path.iterdir()) == sorted([*NAMES, *(f"{name}.bak" for name in NAMES)])
        assert all(path.with_name(f"{path.name}.bak").read_text() == ROBOT for path in paths)
        assert [path.read_text() for path in paths] == [new, new]
