# SPDX-License-Identifier: GPL-3.0-or-later
"""What a batch has done so far, in a file that outlives it: SQLite, one row for each input."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from ...errors import InertiaError
from .task import ENDED, Result, Task

AGAIN = (*ENDED, "bug", "unreadable", "refused")
"""Outcomes that ``--resume`` does not take for done: what was missing may be there by now."""


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
    """

    def __init__(self, path: Path, key: str) -> None:
        self.path, self._key = path, key
        self._digests: dict[str, str | None] = {}
        try:
            self._file = sqlite3.connect(path, timeout=0.5, isolation_level=None)
            self._file.execute("PRAGMA locking_mode=EXCLUSIVE")
            self._file.execute("PRAGMA journal_mode=WAL")
            self._file.execute("PRAGMA synchronous=NORMAL")
            self._file.execute(
                "CREATE TABLE IF NOT EXISTS done (input TEXT PRIMARY KEY, digest TEXT, key TEXT, outcome TEXT,"
                " line TEXT, read TEXT, written TEXT)"
            )
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                message = "another batch writes it at this moment"
                raise InertiaError(
                    "state_locked", str(path), message, "wait for it, or name another --report"
                ) from None
            # SQLite takes paths up to 512 bytes, and wants locks.
            remedy = "remove it, or name a --report on a local disk and in a folder of a shorter name"
            raise InertiaError("bad_state", str(path), f"it cannot be used: {error}", remedy) from None
        except sqlite3.DatabaseError as error:
            raise InertiaError("bad_state", str(path), f"it is no state of a batch: {error}", "remove it") from None

    def forget(self) -> None:
        """Begin anew."""
        self._file.execute("DELETE FROM done")

    def line_of(self, task: Task) -> str | None:
        """Return the report's line for a task that is done, and whose files are as they were; else None."""
        found = self._file.execute(
            "SELECT line, read, written, outcome FROM done WHERE input=? AND digest=? AND key=?",
            (json.dumps(task.input), task.digest, self._key),
        ).fetchone()
        if found is None or found[3] in AGAIN:
            return None
        files: Mapping[str, str] = json.loads(found[1]) | json.loads(found[2])
        if any(self._digest(path) != digest for path, digest in files.items()):
            return None
        return str(found[0])

    def keep(self, task: Task, result: Result, line: str) -> None:
        """Remember what came of a task."""
        read, written = (json.dumps(dict(sorted(files.items()))) for files in (result.read, result.written))
        row = (json.dumps(task.input), task.digest, self._key, result.outcome, line, read, written)
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
