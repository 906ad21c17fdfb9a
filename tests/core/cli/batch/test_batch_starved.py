# SPDX-License-Identifier: GPL-3.0-or-later
"""A batch killed, without room, on a broken disk, without permission, and two at once: at every change of its files.

Each of its files is whole, and so is each line of the report but for one that a death cuts off. ``--resume`` then gives
what a batch gives that nothing has happened to, and removes whatever is left.
"""

import json
import os
from errno import EACCES

import pytest

from ...failing_writes import ERRORS, TEMPORARY, Call, Job, death, instants, read_only
from .batches import ROBOT, timeless
from .forked import RUN

SQLITE = (
    *("database or disk is full", "disk I/O error"),
    *("unable to open database file", "attempt to write a readonly database"),
)
"""What SQLite says in the place of the system."""

WORDS = ("batch", "repair", "in", "--output", "out", "--jobs", 1, "--report", "r.jsonl", "--resume")


class Batch(Job):
    """A batch of two files; `report_lines` are those of its report."""

    def __init__(self, folder, ready, former):
        (folder / "in").mkdir()
        for number in range(2):
            (folder / "in" / f"{number}.sdf").write_text(ROBOT.format(mass=1000 + number))
        super().__init__(Call(RUN, WORDS, folder), ready, former)
        self.report_lines = timeless(folder / "r.jsonl")
        assert len(self.report_lines) == 2

    def assert_whole(self, cut):
        """Assert that every file and line is, but for a last one that is `cut`; return lines and temporary names."""
        left = {path.name for path in self.folder.rglob(TEMPORARY)}
        for path in (self.folder / "out").rglob("*.sdf"):
            assert path.name in left or path.read_bytes() == self.new[str(path.relative_to(self.folder))]
        report = self.folder / "r.jsonl"
        *lines, last = report.read_text().split("\n") if report.exists() else [""]
        assert last == "" or cut
        return [json.loads(line) for line in lines], left

    def assert_resumed(self):
        assert self.run().status == 0
        assert self.assert_whole(cut=False)[1] == set()
        assert timeless(self.folder / "r.jsonl") == self.report_lines
        files = {str(path.relative_to(self.folder)) for path in self.folder.rglob("*") if path.is_file()}
        assert files == self.new.keys()


@pytest.fixture(scope="module")
def job(tmp_path_factory, ready):
    return Batch(tmp_path_factory.mktemp("batch"), ready, tmp_path_factory.mktemp("former"))


@pytest.mark.fault(66, 72)
def test_killed_at_any_change_all_is_whole_and_resume_does_the_rest(job):
    """Which process dies, the batch or its worker, is whose change it is."""
    died = set()
    for at in instants(job.changes, 2):
        job.lay_out()
        end = job.run(death(at))
        lines, left = job.assert_whole(end.status == -9)
        assert len(left) <= 1 and "Traceback" not in end.err
        if end.status != -9:
            assert end.status == 1
            assert {line["outcome"] for line in lines} <= {"crash", "done"}, (at, lines)
        died.add(end.status)
        job.assert_resumed()
    assert -9 in died


@pytest.mark.fault(66, 89)
@pytest.mark.parametrize("failing", ERRORS)
def test_whichever_change_fails_all_is_whole_and_the_message_names_it(job, failing):
    for at in instants(job.changes, 1):
        job.lay_out()
        end = job.run(failing(at))
        lines, left = job.assert_whole(cut=failing is read_only)
        assert "Traceback" not in end.err, (at, end)
        assert not left or failing is read_only
        messages = [line["message"] for line in lines if line["outcome"] != "done"]
        if end.status == 2:
            messages.append(end.err.splitlines()[-1])
        assert end.status in (0, 1, 2) and (end.status == 0 or messages), (at, end)
        for message in messages:
            words, _, reason = message.rpartition(": ")
            assert words.startswith("cannot write ") and reason in (os.strerror(ERRORS[failing]), *SQLITE), (
                at,
                message,
            )
            name = words.removeprefix("cannot write ")
            assert name in ("r.jsonl", "r.jsonl.state") or name.startswith("out"), (at, message)
        if not (job.folder / "r.jsonl").exists() and failing is not read_only:
            assert [path.name for path in job.folder.iterdir()] == ["in"], at
        job.assert_resumed()


@pytest.mark.fault(66)
def test_without_permission_nothing_is_written_and_the_message_names_it(job):
    job.lay_out()
    job.folder.chmod(0o555)
    end = job.run()
    job.folder.chmod(0o755)
    assert end.status == 2 and end.out == ""
    assert end.err == f"cannot write out: {os.strerror(EACCES)}\n"
    assert [path.name for path in job.folder.iterdir()] == ["in"]
