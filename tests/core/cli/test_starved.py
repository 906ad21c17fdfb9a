# SPDX-License-Identifier: GPL-3.0-or-later
"""``fill`` and ``repair``, killed, without room, on a broken disk, without permission, two at once: at every change.

The target is the old file or the new one, whole, and so is a backup. A death may leave temporary files, which the next
run removes, and so may a disk on which nothing can be removed either; else nothing is left.
"""

import os
from errno import EACCES, EIO, ENOSPC, EROFS
from functools import cache

import pytest

from ..failing_writes import COMMAND, NOBODY, NONE, TEMPORARY, Call, death, error, full_disk, instants, read_only

SDF = """<sdf version='1.11'><model name='m'><link name='l'><inertial{inertial}</inertial>
<collision name='c'><geometry><box><size>1 2 3</size></box></geometry></collision></link></model></sdf>"""

FILES = {
    "fill": SDF.format(inertial=" auto='true'><density>{}</density>"),
    "repair": SDF.format(inertial="><mass>{}</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>5</izz></inertia>"),
}
"""What each command has to do something about; a number makes one differ from another."""

ERRORS = {full_disk: ENOSPC, error: EIO, read_only: EROFS}

WAYS = ("new", "replaced", "a link", "read-only", "in place")


class Job:
    """A command that writes `target` in a folder of its own."""

    def __init__(self, verb, way, folder, ready, user=None):
        self.verb, self.way, self.folder, self.ready, self.user = verb, way, folder, ready, user
        self.target = folder / ("in.sdf" if way == "in place" else "out.sdf")
        self.words = (verb, "in.sdf", *(("--in-place",) if way == "in place" else ("-o", "out.sdf")))
        self.old = {"new": None, "in place": self.given(7)}.get(way, b"old")
        self.laid_out()
        clean = self.run()
        assert clean.status == 0
        self.changes = clean.changes
        self.new = self.target.read_bytes()
        assert self.new != self.old and b"<ixx>" in self.new

    def given(self, number):
        return FILES[self.verb].format(1000 * number).encode()

    def laid_out(self):
        for path in self.folder.iterdir():
            path.unlink()
        (self.folder / "in.sdf").write_bytes(self.given(7))
        if self.way == "a link":
            self.target.symlink_to("there.sdf")
        if self.old is not None:
            self.target.write_bytes(self.old)
        if self.way == "read-only":
            self.target.chmod(0o444)
        if self.user is not None:
            for path in (self.folder, *self.folder.iterdir()):
                os.chown(path, self.user, self.user, follow_symlinks=False)

    def run(self, fault=NONE):
        return self.ready.run(Call(COMMAND, self.words, self.folder, fault, self.user))

    def said(self, number):
        return f"cannot write {self.target.name}: {os.strerror(number)}"

    def assert_whole(self):
        """Assert that nothing but the target has changed; return what it is, and how many temporary files there are."""
        temporary = {path.name for path in self.folder.glob(TEMPORARY)}
        known = {"in.sdf", "there.sdf", self.target.name} | temporary
        backup = self.folder / "in.sdf.bak"
        if backup.exists():
            assert (self.verb, self.way, backup.read_bytes()) == ("repair", "in place", self.old)
        assert {path.name for path in self.folder.iterdir()} - {backup.name} <= known
        assert self.way == "in place" or (self.folder / "in.sdf").read_bytes() == self.given(7)
        assert self.target.is_symlink() == (self.way == "a link")
        found = self.target.read_bytes() if self.target.exists() else None
        assert found in (self.old, self.new)
        return found, len(temporary)

    def assert_next_run_is_clean(self):
        assert self.run().status == 0
        assert self.assert_whole() == (self.new, 0)


CASES = [pytest.param(verb, way, id=f"{verb} {way}") for verb in FILES for way in WAYS]


@pytest.fixture(scope="module")
def jobs(open_folders, ready):
    """Run by one whom permissions hold, where that can be."""
    user = NOBODY if os.geteuid() == 0 else None
    return cache(lambda verb, way: Job(verb, way, open_folders(), ready, user))


@pytest.fixture
def job(verb, way, jobs):
    return jobs(verb, way)


@pytest.mark.fault(66)
@pytest.mark.parametrize(("verb", "way"), CASES)
def test_killed_at_any_change_the_target_is_whole_and_the_next_run_removes_what_is_left(job):
    left = 0
    for at in instants(job.changes, 3):
        job.laid_out()
        end = job.run(death(at))
        assert (end.status, end.out) == (-9, "") and "cannot" not in end.err
        _, temporary = job.assert_whole()
        assert temporary <= (2 if (job.verb, job.way) == ("repair", "in place") else 1)  # and one of the backup
        left += temporary
        job.assert_next_run_is_clean()
    assert left  # there was something to remove


@pytest.mark.fault(66)
@pytest.mark.parametrize("failing", ERRORS)
@pytest.mark.parametrize(("verb", "way"), CASES)
def test_whichever_change_fails_the_target_is_whole_and_the_message_says_why(job, failing):
    for at in instants(job.changes, 1):
        job.laid_out()
        end = job.run(failing(at))
        assert (end.status, end.out, end.err.splitlines()[-1]) == (2, "", job.said(ERRORS[failing])), (at, end)
        assert "Traceback" not in end.err
        _, temporary = job.assert_whole()
        assert temporary == 0 or failing is read_only
        job.assert_next_run_is_clean()


@pytest.mark.fault(66)
@pytest.mark.parametrize(("verb", "way"), CASES)
def test_where_nobody_may_write_nothing_is_and_the_message_says_why(job):
    job.laid_out()
    job.folder.chmod(0o555)
    before = sorted(path.name for path in job.folder.iterdir())
    end = job.run()
    assert (end.status, end.out, end.err.splitlines()[-1]) == (2, "", job.said(EACCES))
    assert job.assert_whole() == (job.old, 0)
    assert sorted(path.name for path in job.folder.iterdir()) == before
    job.folder.chmod(0o755)


@pytest.mark.fault(68)
@pytest.mark.parametrize("verb", FILES)
def test_of_two_at_once_either_is_the_last_and_whole(verb, open_folders, ready):
    """The second runs from its first change to its last between any two changes of the first."""
    folder = open_folders()
    job = Job(verb, "replaced", folder, ready)
    (folder / "other.sdf").write_bytes(job.given(11))
    other = Call(COMMAND, (verb, "other.sdf", "-o", "out.sdf"), folder)
    assert ready.run(other).status == 0
    news = {job.new, job.target.read_bytes()}
    assert len(news) == 2
    for at in instants(job.changes, 2):
        job.target.write_bytes(b"old")
        ends = ready.run_amid(Call(COMMAND, job.words, folder), other, at)
        assert [end.status for end in ends] == [0, 0], (at, ends)
        assert job.target.read_bytes() in news
        assert sorted(path.name for path in folder.iterdir()) == ["in.sdf", "other.sdf", "out.sdf"]
