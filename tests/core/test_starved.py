# SPDX-License-Identifier: GPL-3.0-or-later
"""``fill``, ``repair`` and exports, killed, without room, on a broken disk, without permission, two at once.

At every change of their files each is the old or the new one, whole, and every SDF and URDF finds its meshes. A death
may leave temporary files and new meshes, which the next run removes; an error leaves nothing.
"""

import os
from dataclasses import replace
from errno import EACCES
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest
from lxml import etree

from .starved.commands import command, export
from .starved.job import Job
from .starved.ready import ERRORS, Call, death, full_disk, instants, read_only

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
"""The words of `export` for what is there before, and for what is written then."""

TWO_AT_ONCE = ("fill over a file", "repair over a file", *EXPORTS)


class Robot(Job):
    def assert_whole(self, files):
        if self.call.function is command:  # links stay links
            links = [path.name for path in self.folder.iterdir() if path.is_symlink()]
            assert links == (["out.sdf"] if "there.sdf" in self.old else [])
            return
        for name, data in files.items():
            if name.endswith((".sdf", ".urdf")):
                tree = etree.fromstring(data)
                uris = [*(uri.text for uri in tree.iter("uri")), *(mesh.get("filename") for mesh in tree.iter("mesh"))]
                meshes = [(self.folder / name).with_name("meshes") / Path(uri).name for uri in uris if uri]
                assert len(meshes) == 2
                assert all(mesh.stem.endswith(sha256(mesh.read_bytes()).hexdigest()[:8]) for mesh in meshes)
            if name.endswith(".config") and self.old:
                assert (self.folder / name).with_name(etree.fromstring(data).findtext("sdf")).is_file()


def lay_out_for_command(name, folder):
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


@pytest.fixture(scope="module")
def jobs(tmp_path_factory, ready):
    def job(name):
        folder = tmp_path_factory.mktemp("job")
        if name in COMMANDS:
            lay_out_for_command(name, folder)
            return Robot(Call(command, COMMANDS[name], folder), ready)
        before, words = EXPORTS[name]
        if before:
            assert ready.run(Call(export, before, folder)).status == 0
        return Robot(Call(export, words, folder), ready)

    return cache(job)


@pytest.fixture
def job(name, jobs):
    return jobs(name)


@pytest.mark.fault(66, 86)
@pytest.mark.parametrize("name", [*COMMANDS, *EXPORTS])
def test_killed_at_any_change_all_is_whole_and_the_next_run_cleans_up(job):
    most = 0
    for after in job.starved(death, 3):
        assert (after.end.status, after.end.out) == (-9, "") and "cannot" not in after.end.err, after
        most = max(most, after.temporary)
    # Of a file; of its backup, or of the config and the file itself.
    assert most in ((1,) if "-o" in job.call.words else (1, 2))


@pytest.mark.fault(66, 89)
@pytest.mark.parametrize("failing", ERRORS)
@pytest.mark.parametrize("name", [*COMMANDS, *EXPORTS])
def test_whichever_change_fails_all_is_whole_and_the_message_says_why(job, failing):
    backup = {name: data for name, data in job.new.items() if name.endswith(".bak")}
    for after in job.starved(failing, 1):
        if after.end.status == 0:  # what cannot be removed is no error: the next export tries again
            assert job.call.function is export and after.change == "u", after
            assert after.files.keys() >= job.new.keys()
            continue
        named = job.assert_refused(after)
        assert after.end.out == ""
        if job.call.function is command:
            assert named.name == ("out.sdf" if "-o" in job.call.words else "in.sdf")
        else:
            assert after.end.err.count("\n") == 1
        if failing is not read_only:  # which nothing can be removed from
            # Between the config and the file itself: a disk that stays full may keep the new one of the two, and
            # beside another model's config, which stays, a file of its own is as good as the whole.
            beside = job.call.words[0] == "model/two.sdf"
            between = after.change in "sr" and (failing is full_disk or beside)
            assert after.files in (job.old, job.new, job.old | backup) or between, after
            assert after.files or not any(job.folder.iterdir())


@pytest.mark.fault(66)
@pytest.mark.parametrize("name", [*COMMANDS, *EXPORTS])
def test_where_nobody_may_write_nothing_is_and_the_message_says_why(job):
    end = job.run_without_permission()
    assert (end.status, end.out) == (2, "")
    job.named_in(end.err.splitlines()[-1], os.strerror(EACCES))


@pytest.mark.fault(68)
@pytest.mark.parametrize("name", TWO_AT_ONCE)
def test_of_two_at_once_either_is_the_last_and_whole(job):
    """The second begins between any two changes of the first, and waits for it where that has the folder."""
    first, second, *rest = job.call.words
    words = (first, "other.sdf", *rest) if job.call.function is command else (first, 5, *rest)
    other = replace(job.call, words=words)
    job.lay_out()
    assert job.ready.run(other).status == 0
    results = (job.new, job.contents())
    assert results[0] != results[1]
    for at in instants(job.changes, 1):
        job.lay_out()
        ends = job.ready.run_amid(job.call, other, at)
        assert [end.status for end in ends] == [0, 0], (at, ends)
        assert job.contents() in results, at
