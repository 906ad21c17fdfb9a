# SPDX-License-Identifier: GPL-3.0-or-later
"""Exports and Write Back in Blender, killed, without room and on a broken disk: at every change of their files.

tests/core/sdf/write/test_package_starved.py has more kinds of exports and of faults; here it is the way there and back.
"""

import os
import shutil
import signal
import subprocess
from errno import EIO, ENOSPC, EROFS

import pytest

from ...core.exported import contents
from ...core.failing_writes import NONE, TEMPORARY, Call, Ready, death, error, full_disk, instants, read_only
from ..scenes import HEADLESS, python
from . import starved
from .starved import EXPORT, MADE, WRITE_BACK
from .test_files_whole import assert_whole

ERRORS = {full_disk: ENOSPC, error: EIO, read_only: EROFS}

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


class Job:
    """An export over another one."""

    def __init__(self, blends, folder, ready):
        self.folder, self.ready, self.blend, self.former = folder, ready, blends[1], folder / "former"
        self.at = folder / "at"
        for blend in blends:
            self.at.mkdir(exist_ok=True)
            assert ready.run(Call(EXPORT, (blend, *WORDS), self.at)).status == 0
            if blend != self.blend:
                self.old = contents(self.at)
                shutil.copytree(self.at, self.former)
        self.new = contents(self.at)
        assert self.new != self.old
        self.laid_out()
        self.changes = self.run().changes

    def laid_out(self):
        shutil.rmtree(self.at)
        shutil.copytree(self.former, self.at)

    def run(self, fault=NONE):
        return self.ready.run(Call(EXPORT, (self.blend, *WORDS), self.at, fault))

    def assert_whole(self):
        """Assert that every file is; return what is there besides temporary files."""
        found = contents(self.at)
        left = {str(path.relative_to(self.at)) for path in self.at.rglob(TEMPORARY)}
        for name in found.keys() - left:
            assert found[name] in (self.old.get(name), self.new.get(name)), name
        assert_whole(self.at / "out" / "robot")
        return found

    def assert_next_run_is_clean(self):
        assert self.run().status == 0
        assert contents(self.at) == self.new


@pytest.fixture(scope="module")
def job(blends, tmp_path_factory, ready):
    return Job(blends, tmp_path_factory.mktemp("job"), ready)


@pytest.mark.fault(66, 89)
@pytest.mark.parametrize("failing", ERRORS)
def test_whichever_change_of_an_export_fails_the_model_is_whole_and_the_message_says_why(job, failing):
    for at in instants(job.changes, 1):
        job.laid_out()
        end = job.run(failing(at))
        found = job.assert_whole()
        assert "Traceback" not in end.err
        if end.status == 0:  # what cannot be removed is no error: the next export tries again
            assert job.changes[at - 1] == "u", (at, end)
        else:
            words, _, reason = end.err.splitlines()[-1].rpartition(": ")
            assert (end.status, reason) == (2, os.strerror(ERRORS[failing])), (at, end)
            assert words.startswith("error: cannot write ") and ".tmp" not in words
            assert failing is read_only or not list(job.at.rglob(TEMPORARY)), (at, found.keys())
        job.assert_next_run_is_clean()


@pytest.mark.fault(66)
def test_headless_itself_ends_so_too(job):
    ways = [full_disk, death, error, read_only]
    for number, at in enumerate(instants(job.changes, 1)):
        failing = ways[number % len(ways)]
        job.laid_out()
        done = subprocess.run(
            python(HEADLESS, job.blend, *WORDS),
            env=job.ready.environment(job.at, failing(at)),
            cwd=job.at,
            capture_output=True,
            text=True,
        )
        if failing is death:
            assert done.returncode == -signal.SIGKILL
        else:
            errors = [line for line in done.stderr.splitlines() if "cannot write" in line]
            assert (done.returncode, len(errors)) == (2, 1) or job.changes[at - 1] == "u", done.stderr
            assert "Traceback" not in done.stderr
        job.assert_whole()
        job.assert_next_run_is_clean()


# --- Write Back ------------------------------------------------------------------------------------------------------

ROBOT = """<sdf version="1.11"><model name="m"><link name="l"><inertial><mass>6000</mass>
<inertia><ixx>1</ixx><iyy>1</iyy><izz>5</izz></inertia></inertial>
<collision name="c"><geometry><box><size>1 2 3</size></box></geometry></collision></link></model></sdf>"""


NAMES = ("robot.sdf", "second.sdf")


@pytest.mark.fault(66)
@pytest.mark.parametrize("failing", [death, *ERRORS])
def test_whatever_becomes_of_write_back_each_file_is_the_old_or_the_new_one(failing, ready, tmp_path):
    """Both are the old ones until both new ones are on disk."""
    paths = [tmp_path / name for name in NAMES]

    def laid_out():
        for path in paths:
            path.write_text(ROBOT)

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
        assert texts <= ({ROBOT, new} if "r" in clean.changes[: at - 1] else {ROBOT}), at
        left = list(tmp_path.glob(TEMPORARY))
        if failing is death:
            assert end.status == -signal.SIGKILL and len(left) <= 2
        else:
            errors = [f"Error: Cannot write {path}: {os.strerror(ERRORS[failing])}\n" for path in paths]
            assert end.status == 2 and end.err in errors, (at, end)
            assert not left or failing is read_only
        laid_out()
        assert run().status == 0
        assert sorted(one.name for one in tmp_path.iterdir()) == sorted(NAMES)
        assert [path.read_text() for path in paths] == [new, new]
