# SPDX-License-Identifier: Apache-2.0
"""The results of a batch: the report, with a line for each input, and the state file for ``--resume``."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import IO

from ...errors import InertiaError
from ...files.whole_files import new_folder
from .state import Earlier, State
from .task import Result, Task


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
