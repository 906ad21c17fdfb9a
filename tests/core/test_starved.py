# SPDX-License-Identifier: GPL-3.0-or-later
"""``fill``, ``repair`` and exports, killed, without room, on a broken disk, without permission, two at once.

At every change of their files each is the old or the new one, whole, and every SDF and URDF finds its meshes. A death
may leave temporary files and new meshes, which the next run removes; an error leaves nothing.
"""

import os
from dataclasses import replace
from errno import EACCES
from fnmatch import fnmatch
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest
from lxml import etree

from .exported import EXPORT, contents
from .failing_writes import COMMAND, ERRORS, TEMPORARY, Call, Job, death, full_disk, instants, read_only

SDF = """<sdf version='1.11'><model name='m'><link name='l'><inertial{inertial}</inertial>
<collision name='c'><geometry><box><size>1 2 3</size></box></geometry></collision></link></model></sdf>"""

FILL = SDF.format(inertial=" auto='true'><density>{}</density>")
REPAIR = SDF.format(inertial="><mass>{}</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>5</izz></inertia>")
"""What each command has to do something about; a number makes one differ from another."""

COMMANDS = {
    "fill a new file": ("fill", "in.sdf", "-o", "out.sdf"),
    "fill over a file": ("fill", "in.sdf", "-o", "out.sdf"),
    "fill over a link": ("fill", "in.sdf", "-o", "out.sdf"),
    "fill over a read-only file": ("fill", "in.sdf", "-o", "out.sdf"),
    "fill in place": ("fill", "in.sdf", "--in-place"),
    "repair over a file": ("repair", "in.sdf", "-o", "out.sdf"),
    "repair in place": ("repair", "in.sdf", "--in-place"),
}

EXPORTS = {
    "the first": ((), (".", 2)),
    "in new folders": ((), ("new/folder", 2)),
    "another": ((".", 3, "old"), (".", 2, "new")),
    "another format of meshes": ((".", 2), (".", 2, "", "mesh_format=stl")),
    "beside another model": (("model/one.sdf", 3), ("model/two.sdf", 2)),
    "the first URDF": ((), ("model/arm.urdf", 2)),
    "another URDF": (("model/arm.urdf", 3), ("model/arm.urdf", 2)),
}
"""The words of `exported.export` for what is there before, and for what is written then."""

TWO_AT_ONCE = ("fill over a file", "repair over a file", *EXPORTS)


def command(name, folder):
    """Lay out the files of a command; return its call."""
    text = FILL if name.startswith("fill") else REPAIR
    for file, number in (("in.sdf", 7000), ("other.sdf", 11000)):
        (folder / file).write_text(text.format(number))
    target = folder / "out.sdf"
    if name.endswith("link"):
        target.symlink_to("there.sdf")
    if name.endswith(("a file", "link", "read-only file")):
        target.write_bytes(b"old")
    if name.endswith("read-only file"):
        target.chmod(0o444)
    return Call(COMMAND, COMMANDS[name], folder)


def export(name, folder, ready):
    before, words = EXPORTS[name]
    if before:
        assert ready.run(Call(EXPORT, before, folder)).status == 0
    return Call(EXPORT, words, folder)


@pytest.fixture(scope="module")
def jobs(tmp_path_factory, ready):
    def job(name):
        folder = tmp_path_factory.mktemp("job")
        call = command(name, folder) if name in COMMANDS else export(name, folder, ready)
        return Job(call, ready, tmp_path_factory.mktemp("former"))

    return cache(job)


@pytest.fixture
def job(name, jobs):
    return jobs(name)


def files_of(job):
    """Return the files of a job's folder, each whole, and how many temporary ones there are; links stay links."""
    found, temporary = job.found()
    if job.call.function == COMMAND:
        links = [path.name for path in job.folder.iterdir() if path.is_symlink()]
        assert links == (["out.sdf"] if "there.sdf" in job.old else [])
        return found, temporary
    for name, data in found.items():
        if name.endswith((".sdf", ".urdf")):
            tree = etree.fromstring(data)
            uris = [*(uri.text for uri in tree.iter("uri")), *(mesh.get("filename") for mesh in tree.iter("mesh"))]
            meshes = [(job.folder / name).with_name("meshes") / Path(uri).name for uri in uris if uri]
            assert len(meshes) == 2
            assert all(mesh.stem.endswith(sha256(mesh.read_bytes()).hexdigest()[:8]) for mesh in meshes)
        if name.endswith(".config") and job.old:
            assert (job.folder / name).with_name(etree.fromstring(data).findtext("sdf")).is_file()
    return found, temporary


@pytest.mark.fault(66, 86)
@pytest.mark.parametrize("name", [*COMMANDS, *EXPORTS])
def test_killed_at_any_change_all_is_whole_and_the_next_run_cleans_up(job):
    most = 0
    for at in instants(job.changes, 3):
        job.lay_out()
        end = job.run(death(at))
        assert (end.status, end.out) == (-9, "") and "cannot" not in end.err
        most = max(most, files_of(job)[1])
        job.assert_next_run_is_clean()
    # Of a file; of its backup, or of the config and the file itself.
    assert most in ((1,) if "-o" in job.call.words else (1, 2))


@pytest.mark.fault(66, 89)
@pytest.mark.parametrize("failing", ERRORS)
@pytest.mark.parametrize("name", [*COMMANDS, *EXPORTS])
def test_whichever_change_fails_all_is_whole_and_the_message_says_why(job, failing):
    backup = {name: data for name, data in job.new.items() if name.endswith(".bak")}
    for at in instants(job.changes, 1):
        job.lay_out()
        end = job.run(failing(at))
        found, temporary = files_of(job)
        if end.status == 0:  # what cannot be removed is no error: the next export tries again
            assert job.call.function == EXPORT and job.changes[at - 1] == "u", (at, end)
            assert found.keys() >= job.new.keys()
        else:
            assert (end.status, end.out) == (2, "") and "Traceback" not in end.err
            words, _, reason = end.err.splitlines()[-1].rpartition(": ")
            assert reason == os.strerror(ERRORS[failing]), (at, end)
            named = job.folder / words.removeprefix("cannot write ")
            assert named.is_relative_to(job.folder) and not fnmatch(named.name, TEMPORARY), (at, end)
            if job.call.function == COMMAND:
                assert named.name == ("out.sdf" if "-o" in job.call.words else "in.sdf")
            else:
                assert end.err.count("\n") == 1
            if failing is not read_only:  # which nothing can be removed from
                # Between the config and the file itself: a disk that stays full may keep the new one of the two, and
                # beside another model's config, which stays, a file of its own is as good as the whole.
                beside = job.call.words[0] == "model/two.sdf"
                between = job.changes[at - 1] in "sr" and (failing is full_disk or beside)
                assert temporary == 0
                assert found in (job.old, job.new, job.old | backup) or between, (at, end)
                assert found or not any(job.folder.iterdir())
        job.assert_next_run_is_clean()


@pytest.mark.fault(66)
@pytest.mark.parametrize("name", [*COMMANDS, *EXPORTS])
def test_where_nobody_may_write_nothing_is_and_the_message_says_why(job):
    job.lay_out()
    folders = [job.folder, *(path for path in job.folder.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o555)
    end = job.run()
    words, _, reason = end.err.splitlines()[-1].rpartition(": ")
    assert (end.status, end.out, reason) == (2, "", os.strerror(EACCES)) and words.startswith("cannot write ")
    assert contents(job.folder) == job.old
    for folder in folders:
        folder.chmod(0o755)
    job.assert_next_run_is_clean()


@pytest.mark.fault(68)
@pytest.mark.parametrize("name", TWO_AT_ONCE)
def test_of_two_at_once_either_is_the_last_and_whole(job):
    """The second begins between any two changes of the first, and waits for it where that has the folder."""
    first, second, *rest = job.call.words
    words = (first, "other.sdf", *rest) if job.call.function == COMMAND else (first, 5, *rest)
    other = replace(job.call, words=words)
    job.lay_out()
    assert job.ready.run(other).status == 0
    news = (job.new, contents(job.folder))
    assert news[0] != news[1]
    for at in instants(job.changes, 1):
        job.lay_out()
        ends = job.ready.run_amid(job.call, other, at)
        assert [end.status for end in ends] == [0, 0], (at, ends)
        assert contents(job.folder) in news, at
