# SPDX-License-Identifier: GPL-3.0-or-later
"""A temporary file that is being written is locked, and stays; one that nobody has locked is left of a death."""

import os
import subprocess
import sys

import pytest

from core.cli.main import main
from core.files import temporary as temporary_module
from core.files.temporary import remove_leftovers, rename, temporary
from core.files.whole_files import ignores_case, write_atomic, write_several_atomic
from tools.house import CHECKOUT

from ..sdf_text import link
from ..starved.job import TEMPORARY

fcntl = pytest.importorskip("fcntl", reason="no locks of POSIX here")


@pytest.fixture
def ended():
    """The number of a process that is no more."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


@pytest.mark.fault(66, 68)
def test_a_file_being_written_stays_whatever_number_is_in_its_name(tmp_path, ended):
    """On another machine of a cluster, or in another container, every number is that of nobody here."""
    theirs = tmp_path / f".sdf_inertia-{ended}-0.tmp"
    with open(theirs, "wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        write_atomic(tmp_path / "file", b"data")
        assert theirs.exists()
    write_atomic(tmp_path / "other", b"data")
    assert not theirs.exists()


@pytest.mark.fault(66)
def test_what_is_left_goes_even_if_the_number_is_of_somebody_by_now(tmp_path):
    left = [tmp_path / f".sdf_inertia-{number}-0.tmp" for number in (os.getpid(), os.getppid(), 1)]
    for path in left:
        path.write_text("half")
        path.chmod(0o444)  # as of one that was to take the place of such a file
    write_atomic(tmp_path / "file", b"data")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_file_of_this_very_process_stays_until_its_block_ends(tmp_path):
    with temporary(tmp_path) as (path, _file):
        remove_leftovers(tmp_path)
        assert path.exists()
        os.replace(path, tmp_path / "target")
    assert [path.name for path in tmp_path.iterdir()] == ["target"]
    with pytest.raises(KeyError), temporary(tmp_path):
        assert len(list(tmp_path.glob(TEMPORARY))) == 1
        raise KeyError
    assert [path.name for path in tmp_path.iterdir()] == ["target"]


def test_a_file_that_its_block_does_not_rename_is_gone(tmp_path):
    with temporary(tmp_path) as (path, file):
        file.write(b"half")
        assert path.exists()
    assert not list(tmp_path.iterdir())
    ignores_case(tmp_path)
    assert not list(tmp_path.iterdir())


def test_the_name_of_a_file_that_was_renamed_may_be_anothers(tmp_path):
    with temporary(tmp_path) as (path, file):
        rename(path, file, tmp_path / "target")
        path.write_text("by a process of the same number, on another machine")
    assert path.exists()


def test_a_file_removed_as_a_leftover_before_its_lock_is_made_again(tmp_path, monkeypatch):
    lock, seen = fcntl.flock, []

    def late(descriptor, operation):
        if not seen:
            seen.extend(tmp_path.glob(TEMPORARY))
            seen[0].unlink()
        lock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", late)
    write_atomic(tmp_path / "file", b"data")
    assert len(seen) == 1
    assert (tmp_path / "file").read_bytes() == b"data"


STOPPED = """
import os, signal, sys
from pathlib import Path
from core.cli.batch.task import start_worker
from core.files import temporary, whole_files
start_worker(0)
made = temporary.{function}
def stopped(*words):
    os.kill(os.getpid(), signal.SIGTERM)
    return made(*words)
temporary.{function} = stopped
whole_files.write_atomic(Path(sys.argv[1], "file"), b"data")
"""


@pytest.mark.fault(66)
@pytest.mark.parametrize("function", ["_is_ours", "_close_before_a_change"])
def test_a_batch_process_asked_to_end_leaves_no_file_at_any_instant(tmp_path, function):
    done = subprocess.run([sys.executable, "-c", STOPPED.format(function=function), tmp_path], cwd=CHECKOUT)
    assert done.returncode == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.fault(66)
def test_ctrl_c_leaves_no_file_even_as_one_is_made(tmp_path, monkeypatch):
    robot = link(content="<inertial auto='true'><density>1</density></inertial>")
    (tmp_path / "m.sdf").write_text(f"<sdf version='1.11'><model name='m'>{robot}</model></sdf>")

    def stopped(_descriptor):
        raise KeyboardInterrupt

    monkeypatch.setattr(temporary_module, "_is_ours", stopped)
    assert main(["fill", str(tmp_path / "m.sdf"), "-o", str(tmp_path / "filled.sdf")]) == 130
    assert [path.name for path in tmp_path.iterdir()] == ["m.sdf"]


def test_files_in_order_are_all_as_they_were_where_the_last_has_no_place(tmp_path):
    (tmp_path / "first").write_bytes(b"old")
    (tmp_path / "last").mkdir()
    with pytest.raises(IsADirectoryError) as refusal:
        write_several_atomic({tmp_path / "first": b"new", tmp_path / "last": b"new"})
    assert refusal.value.filename == str(tmp_path / "last")
    assert (tmp_path / "first").read_bytes() == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first", "last"]
