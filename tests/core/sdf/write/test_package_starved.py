# SPDX-License-Identifier: GPL-3.0-or-later
"""An export killed, without room, on a broken disk, without permission, two at once: at every change.

Each file is the old one or the new one, whole, and at any instant every SDF and URDF finds its meshes. A death may
leave temporary files and new meshes, which the next export into the folder removes; an error leaves nothing.
"""

import os
import shutil
from errno import EACCES, EIO, ENOSPC, EROFS
from fnmatch import fnmatch
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest
from lxml import etree

from ...exported import EXPORT, contents
from ...failing_writes import NOBODY, NONE, TEMPORARY, Call, death, error, full_disk, instants, read_only

ERRORS = {full_disk: ENOSPC, error: EIO, read_only: EROFS}

CASES = {
    "the first": ((), (".", 2)),
    "in new folders": ((), ("new/folder", 2)),
    "another": ((".", 3, "old"), (".", 2, "new")),
    "another format of meshes": ((".", 2), (".", 2, "", "mesh_format=stl")),
    "beside another model": (("model/one.sdf", 3), ("model/two.sdf", 2)),
    "the first URDF": ((), ("model/arm.urdf", 2)),
    "another URDF": (("model/arm.urdf", 3), ("model/arm.urdf", 2)),
}
"""The words of `exported.export` for what is there before, and for what is written then."""

USER = NOBODY if os.geteuid() == 0 else None
"""One whom permissions hold."""


class Job:
    """An export into a folder of its own."""

    def __init__(self, before, words, folder, ready):
        self.words, self.folder, self.ready = words, folder, ready
        self.old = {}
        self.laid_out()
        if before:
            assert self.run(before).status == 0
        self.old = contents(folder)
        assert self.run(words).status == 0
        self.new = contents(folder)
        assert self.new != self.old
        self.laid_out()
        self.changes = self.run().changes
        assert contents(folder) == self.new

    def call(self, words=None, fault=NONE):
        return Call(EXPORT, words or self.words, self.folder, fault, USER)

    def run(self, words=None, fault=NONE):
        return self.ready.run(self.call(words, fault))

    def laid_out(self):
        for path in self.folder.iterdir():
            shutil.rmtree(path)
        for name, data in self.old.items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_bytes(data)
        if USER is not None:
            for path in (self.folder, *self.folder.rglob("*")):
                os.chown(path, USER, USER)

    def assert_whole(self):
        """Assert that every file is whole, and that every one of a robot finds its meshes; return what is there."""
        found = contents(self.folder)
        for name, data in found.items():
            if fnmatch(Path(name).name, TEMPORARY):
                continue
            assert data in (self.old.get(name), self.new.get(name)), name
            if name.endswith((".sdf", ".urdf")):
                named = etree.fromstring(data)
                uris = [
                    *(uri.text for uri in named.iter("uri")),
                    *(mesh.get("filename") for mesh in named.iter("mesh")),
                ]
                uris = [uri for uri in uris if uri]
                assert len(uris) == 2
                for uri in uris:
                    mesh = (self.folder / name).with_name("meshes") / Path(uri).name
                    assert mesh.stem.endswith(sha256(mesh.read_bytes()).hexdigest()[:8])
            if name.endswith(".config") and self.old:
                assert (self.folder / name).with_name(etree.fromstring(data).findtext("sdf")).is_file()
        return found

    def assert_next_run_is_clean(self):
        assert self.run().status == 0
        assert contents(self.folder) == self.new


@pytest.fixture(scope="module")
def jobs(open_folders, ready):
    return cache(lambda name: Job(*CASES[name], open_folders(), ready))


@pytest.fixture
def job(name, jobs):
    return jobs(name)


@pytest.mark.fault(66, 86)
@pytest.mark.parametrize("name", CASES)
def test_killed_at_any_change_every_file_is_whole_and_the_next_export_removes_what_is_left(job):
    most = 0
    for at in instants(job.changes, 4):
        job.laid_out()
        assert job.run(fault=death(at)).status == -9
        most = max(most, len(job.assert_whole().keys() - job.old.keys() - job.new.keys()))
        job.assert_next_run_is_clean()
    assert most in (1, 2)  # temporary files: of one mesh, or of the config and the file itself


@pytest.mark.fault(66, 89)
@pytest.mark.parametrize("failing", ERRORS)
@pytest.mark.parametrize("name", CASES)
def test_whichever_change_fails_the_model_is_whole_and_the_message_says_which_file_and_why(job, failing):
    for at in instants(job.changes, 2):
        job.laid_out()
        end = job.run(fault=failing(at))
        found = job.assert_whole()
        if end.status == 0:  # what cannot be removed is no error: the next export tries again
            assert job.changes[at - 1] == "u", (at, end)
            assert found.keys() >= job.new.keys()
        else:
            assert end.status == 2 and end.out == ""
            (line,) = end.err.splitlines()
            words, _, reason = line.rpartition(": ")
            assert reason == os.strerror(ERRORS[failing]), (at, line)
            named = job.folder / words.removeprefix("cannot write ")
            assert named.is_relative_to(job.folder) and not fnmatch(named.name, TEMPORARY), (at, line)
            if failing is not read_only:  # which nothing can be removed from
                # Between the config and the file itself: a disk that stays full may keep the new one of the two, and
                # beside another model's config, which stays, a file of its own is as good as the whole.
                beside = job.words[0] == "model/two.sdf"
                between = job.changes[at - 1] in "sr" and (failing is full_disk or beside)
                assert found in (job.old, job.new) or between, (at, end)
                assert found or not any(job.folder.iterdir())
        job.assert_next_run_is_clean()


@pytest.mark.fault(66)
@pytest.mark.parametrize("name", CASES)
def test_where_nobody_may_write_nothing_is_and_the_message_says_where_and_why(job):
    job.laid_out()
    for path in (job.folder, *(path for path in job.folder.rglob("*") if path.is_dir())):
        path.chmod(0o555)
    end = job.run()
    assert end.status == 2 and end.err.count("\n") == 1, end
    words, _, reason = end.err.strip().rpartition(": ")
    assert words.startswith("cannot write ") and reason == os.strerror(EACCES)
    assert contents(job.folder) == job.old
    for path in (job.folder, *(path for path in job.folder.rglob("*") if path.is_dir())):
        path.chmod(0o755)
    job.assert_next_run_is_clean()


@pytest.mark.fault(68)
@pytest.mark.parametrize("name", CASES)
def test_of_two_exports_at_once_either_is_the_last_and_whole(job):
    """The second begins between any two changes of the first, and waits for it where that has the folder."""
    target, _, *options = job.words
    others = (target, 5, *options)
    job.laid_out()
    job.run(others)
    news = (job.new, contents(job.folder))
    for at in instants(job.changes, 1):
        job.laid_out()
        ends = job.ready.run_amid(job.call(), job.call(others), at)
        assert [end.status for end in ends] == [0, 0], (at, ends)
        assert contents(job.folder) in news, at
