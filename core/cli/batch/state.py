# SPDX-License-Identifier: GPL-3.0-or-later
"""What a batch has done so far, in a file that outlives it: SQLite, one row for each input."""

from __future__ import annotations

import errno
import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from ...errors import InertiaError
from .task import ENDED, Result, Task

AGAIN = (*ENDED, "bug", "unreadable", "refused")
"""Outcomes that ``--resume`` does not take for done: what was missing may be there by now."""


DISK = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
"""SQLite's errors that are the disk's."""


class State:
    """The file.

    Parameters
    ----------
    path : Path
    key : str
        Of the verb, its options and our version: rows of others count for nothing.

    Raises
    ------
    InertiaError
        ``state_locked`` while another batch writes it, ``bad_state`` where it is none.
    OSError
        If it cannot be written; so do the methods that write.
    """

    def __init__(self, path: Path, key: str) -> None:
        self.path, self._key = path, key
        self._digests: dict[str, str | None] = {}
        with path.open("ab"):  # SQLite would not say what stands against it
            pass
        self._file = sqlite3.connect(path, timeout=0.5, isolation_level=None)
        try:
            with self._naming():
                self._prepare()
        except sqlite3.OperationalError as error:
            self.close()
            if "locked" in str(error):
                message = "another batch writes it at this moment"
                raise InertiaError(
                    "state_locked", str(path), message, "wait for it, or name another --report"
                ) from None
            # SQLite takes paths up to 512 bytes, and wants locks.
            remedy = "remove it, or name a --report on a local disk and in a folder of a shorter name"
            raise InertiaError("bad_state", str(path), f"it cannot be used: {error}", remedy) from None
        except sqlite3.DatabaseError as error:
            self.close()
            raise InertiaError("bad_state", str(path), f"it is no state of a batch: {error}", "remove it") from None
        except OSError:
            self.close()
            raise

    def _prepare(self) -> None:
        self._file.execute("PRAGMA locking_mode=EXCLUSIVE")
        self._file.execute("PRAGMA journal_mode=WAL")
        self._file.execute("PRAGMA synchronous=NORMAL")
        self._file.execute(
            "CREATE TABLE IF NOT EXISTS done (input TEXT PRIMARY KEY, digest TEXT, key TEXT, outcome TEXT,"
            " line TEXT, read TEXT, written TEXT)"
        )

    @contextmanager
    def _naming(self) -> Iterator[None]:
        """Make the disk's errors what they are of every other file."""
        try:
            yield
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in DISK:  # the rest of the number says where it happened
                raise
            raise OSError(errno.EIO, str(error), str(self.path)) from None

    def forget(self) -> None:
        """Begin anew."""
        with self._naming():
            self._file.execute("DELETE FROM done")

    def line_of(self, task: Task) -> str | None:
        """Return the report's line for a task that is done, and whose files are as they were; else None."""
        found = self._file.execute(
            "SELECT line, read, written, outcome FROM done WHERE input=? AND digest=? AND key=?",
            (json.dumps(task.input), task.digest, self._key),
        ).fetchone()
        if found is None or found[3] in AGAIN:
            return None
        files: Mapping[str, str | None] = json.loads(found[1]) | json.loads(found[2])
        if any(self._digest(path) != digest for path, digest in files.items()):
            return None
        return str(found[0])

    def keep(self, task: Task, result: Result, line: str) -> None:
        """Remember what came of a task."""
        read, written = (json.dumps(dict(sorted(files.items()))) for files in (result.read, result.written))
        row = (json.dumps(task.input), task.digest, self._key, result.outcome, line, read, written)
        with self._naming():
            self._file.execute("INSERT OR REPLACE INTO done VALUES (?,?,?,?,?,?,?)", row)

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def _digest(self, path: str) -> str | None:
        if path not in self._digests:
            try:
                self._digests[path] = sha256(Path(path).read_bytes()).hexdigest()
            except OSError:
                self._digests[path] = None
        return self._digests[path]
