# SPDX-License-Identifier: Apache-2.0
"""The results of a batch: the report, with a line for each input, and the state file for ``--resume``."""

from __future__ import annotations

import errno
import json
import sqlite3
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, NamedTuple

from ...errors import InertiaError
from ...files.whole_files import new_folder
from .task import ENDED, UNWRITABLE, Result, Task

AGAIN = (*ENDED, UNWRITABLE, "bug", "unreadable", "refused")
"""Outcomes that ``--resume`` does not count as done: missing files may exist by now."""

DISK = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
"""SQLite's errors that are caused by the disk."""


class Earlier(NamedTuple):
    """What an earlier batch has done for a task: the line of the report, and the digests of the files that it read and
    wrote, by path."""

    line: str
    digests: Mapping[str, str | None]


class State:
    """The file.

    Parameters
    ----------
    key : str
        Of the command, its options and the versions: rows with another key are ignored.

    Raises
    ------
    InertiaError
        ``state_locked`` while another batch writes it, ``bad_state`` if it is not a state file; so does each method.
    OSError
        If it cannot be written; so do the methods that write.
    """

    def __init__(self, path: Path, key: str) -> None:
        self.path, self._key = path, key
        with path.open("ab"):  # SQLite would not give the system's reason
            pass
        self._file = sqlite3.connect(path, timeout=0.5, isolation_level=None)
        try:
            self._prepare()
        except BaseException:
            self.close()
            raise

    def _prepare(self) -> None:
        self._execute("PRAGMA locking_mode=EXCLUSIVE")
        self._execute("PRAGMA journal_mode=WAL")
        self._execute("PRAGMA synchronous=NORMAL")
        self._execute(
            "CREATE TABLE IF NOT EXISTS done (input TEXT PRIMARY KEY, key TEXT, outcome TEXT,"
            " line TEXT, read TEXT, written TEXT)"
        )

    def forget(self) -> None:
        """Clear the state."""
        self._execute("DELETE FROM done")

    def earlier(self, task: Task) -> Earlier | None:
        """Return what an earlier batch has done for a task; None if it has to be done again.

        Rows that differ from what `keep` wrote are ignored.
        """
        rows = self._execute("SELECT outcome, line, read, written, key FROM done WHERE input=?", _name(task))
        if not rows:
            return None
        *row, seal = rows[0]
        if not all(isinstance(text, str) for text in row) or seal != self._seal(task, row):
            return None
        outcome, line, read, written = row
        return None if outcome in AGAIN else Earlier(line, json.loads(read) | json.loads(written))

    def keep(self, task: Task, result: Result, line: str) -> None:
        """Store the result of a task."""
        read, written = (json.dumps(dict(sorted(files.items()))) for files in (result.read, result.written))
        row = (result.outcome, line, read, written)
        self._execute(
            "INSERT OR REPLACE INTO done (outcome, line, read, written, key, input) VALUES (?,?,?,?,?,?)",
            (*row, self._seal(task, row), *_name(task)),
        )

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _execute(self, command: str, values: Sequence[object] = ()) -> list[Any]:
        try:
            return self._file.execute(command, values).fetchall()
        except (sqlite3.Error, UnicodeError) as error:  # the error's text may quote damaged data
            raise self._bad(error) from None

    def _bad(self, error: Exception) -> InertiaError | OSError:
        if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
            return InertiaError.of("state_locked", str(self.path))
        # The upper bits of the number give the detail.
        if isinstance(error, sqlite3.OperationalError) and getattr(error, "sqlite_errorcode", 0) & 0xFF in DISK:
            return OSError(errno.EIO, str(error), str(self.path))
        # SQLite takes paths up to 512 bytes, and needs locks.
        form = "open" if isinstance(error, sqlite3.OperationalError) else ""
        return InertiaError.of("bad_state", str(self.path), form, error=error)

    def _seal(self, task: Task, row: Sequence[object]) -> str:
        """Return the digest that proves that a row is of this task and batch, and unchanged."""
        return sha256(json.dumps([self._key, task.input, *row]).encode()).hexdigest()


def _name(task: Task) -> tuple[str]:
    """Return an input's name as the state has it: in ASCII, since names may not be valid text."""
    return (json.dumps(task.input),)


class Results:
    """The open report and state; without a report the lines go to standard output.

    A line of the report is complete or missing, unless this process dies while it writes the line.

    Parameters
    ----------
    resume : bool
        Go on with the state of an earlier batch. The report is written again.
    key : str
        As in `State`.

    Raises
    ------
    InertiaError
        ``report_exists``, or what `State` raises.
    OSError
        If one of them cannot be written, with its path as `filename`; then new files are removed.
    """

    def __init__(self, report: Path | None, resume: bool, key: str) -> None:
        self._path, self._resume, self._size = report, resume, 0
        self._state: State | None = None
        self._file: IO[bytes] | None = None
        if report is None:
            return
        if report.exists() and not resume:
            raise InertiaError.of("report_exists", str(report), "resume")
        state = report.with_name(report.name + ".state")
        if report.exists() and not state.exists():
            raise InertiaError.of("report_exists", str(report), "no_state")
        files = (report, *(report.with_name(state.name + ending) for ending in ("", "-wal", "-journal")))
        new = [path for path in files if not path.exists()]
        with new_folder(report.parent):
            try:
                self._state = State(state, key)
                if not resume:
                    self._state.forget()
                self._file = report.open("wb", buffering=0)
            except BaseException:
                self.close()
                for path in new:
                    with suppress(OSError):
                        path.unlink()
                raise

    def earlier(self, task: Task) -> Earlier | None:
        """Return what an earlier batch has done for a task, which is valid while those files are unchanged."""
        return self._state.earlier(task) if self._state is not None and self._resume else None

    def keep(self, task: Task, result: Result, line: str) -> None:
        """Write the line of a task, and store it in the state."""
        if self._state is not None:
            self._state.keep(task, result, line)
        self.write(line)

    def write(self, line: str) -> None:
        """Write a line."""
        if self._file is None:
            sys.stdout.write(line + "\n")
            sys.stdout.flush()
            return
        rest = memoryview(line.encode() + b"\n")
        size = self._size + len(rest)
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            with suppress(OSError):
                self._file.truncate(self._size)
            raise OSError(error.errno, error.strerror, str(self._path)) from error
        self._size = size

    def close(self) -> None:
        """Close both files."""
        if self._file is not None:
            self._file.close()
        if self._state is not None:
            self._state.close()
