# SPDX-License-Identifier: GPL-3.0-or-later
"""The results of a batch: the report, with a line of JSON for each input. It is also what ``--resume`` goes by.

Besides a result, each line has the SHA-256 of all files that were read or written, and a key: the SHA-256 of the line,
the options and our version. So a line that was damaged, edited, or made with other options is recognized, and its input
is done again.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from ...errors import PART_REFUSED, InertiaError
from ...escapes import for_json
from ...files.input_file import digest
from ...files.whole_files import new_folder, write_whole
from ...robot.report import Json
from .summary import findings_of
from .task import ENDED, Result, Task, bug

AGAIN = (*ENDED, "bug", "unreadable", "refused")
"""Outcomes that ``--resume`` does not count as done: missing files may exist by now."""

BEGINNING = b'{"input": '
"""The first bytes of every line."""

if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[bytes]) -> None:
        file.seek(1 << 40)  # far behind the content, which others may read
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class Results:
    """The open report; without one the lines go to standard output.

    Lines of earlier batches stay, except those whose inputs are done again. A line is complete or missing; if this
    process dies while it writes one, the next batch removes what there is of it.

    Parameters
    ----------
    resume : bool
        Go on with an existing report.
    key : str
        What a result depends on besides the files: the command, its options and our version.

    Raises
    ------
    InertiaError
        ``report_exists`` without `resume`, or if the file is not a report; ``state_locked`` while another batch writes
        it.
    OSError
        If it cannot be written, with its path as `filename`; so do all methods that write.
    """

    def __init__(self, report: Path | None, resume: bool, key: str) -> None:
        self._path, self._key = report, key
        self._begins: dict[str, int] = {}
        self._replaced: set[int] = set()
        self._digests: dict[str, str | None] = {}
        self._file: IO[bytes] | None = None
        if report is None:
            return
        if report.exists() and not (resume and _is_report(report)):
            raise InertiaError.of("report_exists", str(report), "no_report" if resume else "resume")
        with new_folder(report.parent):
            self._file = report.open("ab", buffering=0)
        try:
            self._locked()
            self._size = self._found(report)
            if self._size < report.stat().st_size:
                os.truncate(report, self._size)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Results:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is None or self._path is None:
            return
        self._file.close()
        if self._replaced:
            kept = (line for begin, line in _lines(self._path) if begin not in self._replaced)
            write_whole(self._path, b"".join(kept))

    def _locked(self) -> None:
        assert self._file is not None
        try:
            _lock(self._file)
        except (BlockingIOError, PermissionError):
            raise InertiaError.of("state_locked", str(self._path)) from None
        except OSError:  # some network disks have no locks
            pass

    def _found(self, report: Path) -> int:
        """Read where the line of each input begins; return where the last complete line ends."""
        end = 0
        for begin, line in _lines(report):
            if not line.endswith(b"\n"):  # torn
                break
            end = begin + len(line)
            name = _parsed(line).get("input")
            if not isinstance(name, str):  # damaged
                self._replaced.add(begin)
                continue
            if name in self._begins:
                self._replaced.add(self._begins[name])
            self._begins[name] = begin
        return end

    def line_of(self, task: Task) -> Json | None:
        """Return the line of a task that is done and whose files are unchanged; None if there is no such line."""
        if task.input not in self._begins or self._path is None:
            return None
        with self._path.open("rb") as file:
            file.seek(self._begins[task.input])
            line = _parsed(file.readline())
        if line.pop("key", None) != self._key_of(line):
            return None
        files: Mapping[str, str | None] = line["read"] | line["written"]
        if line["outcome"] in AGAIN or line["sha256"] != task.digest:
            return None
        return line if all(self._digest(path) == known for path, known in files.items()) else None

    def write(self, task: Task, result: Result) -> Json:
        """Write the line of a task, in ASCII, since names of files may not be valid text; return its content."""
        line = _line(task, result)
        try:
            key = self._key_of(line)
        except ValueError as error:  # not a valid number
            line = _line(task, bug(error, result.seconds))
            key = self._key_of(line)
        text = for_json(json.dumps(line | {"key": key})) + "\n"
        if self._file is None:
            sys.stdout.write(text)
            sys.stdout.flush()
        else:
            self._append(self._file, text.encode())
        if task.input in self._begins:
            self._replaced.add(self._begins.pop(task.input))
        return line

    def _append(self, file: IO[bytes], data: bytes) -> None:
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[file.write(rest) :]
        except OSError as error:
            with suppress(OSError):
                file.truncate(self._size)
            raise OSError(error.errno, error.strerror, str(self._path)) from error
        self._size += len(data)

    def _key_of(self, line: Json) -> str:
        """Return the key of a line, given without it; raises ValueError for a number that JSON does not have."""
        return sha256(json.dumps([self._key, line], allow_nan=False).encode()).hexdigest()

    def _digest(self, path: str) -> str | None:
        if path not in self._digests:
            self._digests[path] = digest(Path(path))
        return self._digests[path]


def _is_report(path: Path) -> bool:
    """Return True if a file is empty or begins as reports do; the first line may be torn."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return BEGINNING.startswith(file.read(len(BEGINNING)))


def _lines(report: Path) -> Iterator[tuple[int, bytes]]:
    """Yield each line, after the number of bytes before it."""
    begin = 0
    with report.open("rb") as file:
        for line in file:
            yield begin, line
            begin += len(line)


def _parsed(line: bytes) -> dict[str, Any]:
    """Return the content of a line; nothing if it is damaged."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _line(task: Task, result: Result) -> Json:
    return {
        "input": task.input,
        "sha256": task.digest,
        "outcome": result.outcome,
        "message": result.message or ("" if result.outcome == "done" else _first(result.value)),
        "seconds": round(result.seconds, 6),
        "output": task.target if result.written else None,
        "result": result.value,
        "read": dict(sorted(result.read.items())),
        "written": dict(sorted(result.written.items())),
    }


def _first(value: Json) -> str:
    """Return the message of the first error, with its code; a part's error comes before its link's, which refers
    to it."""
    found = [one for one in findings_of(dict(value)) if one["severity"] != "info"]
    found.sort(key=lambda one: (one["severity"] != "error", one["code"] == PART_REFUSED))
    return next((f"{one['message']} [{one['code']}]" for one in found), "")
