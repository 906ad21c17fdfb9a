# SPDX-License-Identifier: GPL-3.0-or-later
"""A batch killed, without room, on a broken disk, without permission, and two at once: at every change of its files.

Each of its files is whole, and so is each line of the report but for one that a death cuts off. ``--resume`` then gives
what a batch gives that nothing has happened to, and removes whatever is left.
"""

import json
import os
from errno import EACCES

import pytest

from ...starved.commands import command
from ...starved.job import Job
from ...starved.ready import ERRORS, Call, death, read_only
from .batches import ROBOT, timeless

SQLITE = (
    *("database or disk is full", "disk I/O error"),
    *("unable to open database file", "attempt to write a readonly database"),
)
"""What SQLite says in the place of the system."""

WORDS = ("batch", "repair", "in", "--output", "out", "--jobs", 1, "--report", "r.jsonl", "--resume")


class Batch(Job):
    """A batch of two files; `results` are the lines of its report without their times."""

    varying = ("r.jsonl",)

    def __init__(self, folder, ready):
        (folder / "in").mkdir()
        for number in range(2):
            (folder / "in" / f"{number}.sdf").write_text(ROBOT.format(mass=1000 + number))
        super().__init__(Call(command, WORDS, folder), ready)
        self.report = folder / "r.jsonl"
        self.results = timeless(self.report)
        assert len(self.results) == 2

    def report_lines(self, cut):
        """Return the lines of the report, each whole, but for a last one that is `cut`."""
        *lines, last = self.report.read_text().split("\n") if self.report.exists() else [""]
        assert last == "" or cut
        return [json.loads(line) for line in lines]

    def assert_next_run_is_clean(self):
        super().assert_next_run_is_clean()
        self.report_lines(cut=False)
        assert timeless(self.report) == self.results


@pytest.fixture(scope="module")
def job(tmp_path_factory, ready):
    return Batch(tmp_path_factory.mktemp("batch"), ready)


@pytest.mark.fault(66, 72)
def test_killed_at_any_change_all_is_whole_and_resume_does_the_rest(job):
    """Which process dies, the batch or its worker, is whose change it is."""
    statuses = set()
    for after in job.starved(death, 2):
        lines = job.report_lines(cut=after.end.status == -9)
        assert after.temporary <= 1
        if after.end.status != -9:
            assert after.end.status == 1
            assert {line["outcome"] for line in lines} <= {"crash", "done"}, (after, lines)
        statuses.add(after.end.status)
    assert -9 in statuses


@pytest.mark.fault(66, 89)
@pytest.mark.parametrize("failing", ERRORS)
def test_whichever_change_fails_all_is_whole_and_the_message_names_it(job, failing):
    for after in job.starved(failing, 1):
        lines = job.report_lines(cut=failing is read_only)
        assert not after.temporary or failing is read_only
        messages = [line["message"] for line in lines if line["outcome"] != "done"]
        if after.end.status == 2:
            messages.append(after.end.err.splitlines()[-1])
        assert after.end.status in (0, 1, 2) and (after.end.status == 0 or messages), after
        for message in messages:
            name = str(job.named_in(message, os.strerror(ERRORS[failing]), *SQLITE).relative_to(job.folder))
            assert name in ("r.jsonl", "r.jsonl.state") or name.startswith("out"), (after, message)
        if not job.report.exists() and failing is not read_only:
            assert [path.name for path in job.folder.iterdir()] == ["in"], after


@pytest.mark.fault(66)
def test_without_permission_nothing_is_written_and_the_message_names_it(job):
    end = job.run_without_permission()
    assert (end.status, end.out) == (2, "")
    assert end.err == f"cannot write out: {os.strerror(EACCES)}\n"
