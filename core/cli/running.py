# SPDX-License-Identifier: Apache-2.0
"""Runs commands: writes changed files, prints findings and JSON, and returns the exit status."""

from __future__ import annotations

import json
import sys
import traceback
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import Finding, InertiaError
from ..escapes import for_json, for_log, without_infinite
from ..files.input_file import noting_reads
from ..files.replaced import Reads
from ..files.whole_files import write_atomic, write_several_atomic
from ..robot.report import Json, finding_json, with_schema
from ..status import CANNOT_RUN, DONE, OUR_BUG, REFUSED
from .finding_text import log_findings
from .options.outputs import overwritten, overwritten_by
from .terminal import Output

if TYPE_CHECKING:
    from ..formats.robot_file import RobotFile

STANDARD_OUTPUT = "-"
"""What stands for it as the name of an output."""

UNREADABLE = (
    "file_read",
    "unreadable_file",
    "unknown_format",
    "no_trimesh",
    "bad_density_map",
    "bad_bom",
    "backup",
    "bad_config",
)
"""Codes of errors after which a command could not run."""

UNREAD = {
    *(
        ("unread_format", "assembly"),
        ("cad_missing", ""),
        *(("not_converted", form) for form in ("several", "unknown", "suffix", "input", "config")),
        ("mujoco", ""),
        ("mujoco", "old"),
        ("usd", ""),
        ("usd", "old"),
        ("xacro", "package"),
        ("library_failed", "start"),
    )
}
"""The same for code and form: a format that is not read, or whose reader is not installed or does not start."""


@dataclass(frozen=True, eq=False)
class Change:
    """The result of `fill` or `repair` for one file.

    Parameters
    ----------
    data : bytes or None
        The new content; None if nothing is to be written.
    refused : bool
        True if an error is left in the file, so that the exit status is 1.
    links : list of dict
        What was done with each link, as JSON.
    show : function of Output
        Prints what was done, and the findings.
    included : mapping of Path to bytes
        New contents of files that it includes.
    more : dict
        More JSON.
    path : Path or None
        Where --in-place writes the data, if not into the file itself: over a USD file.
    """

    data: bytes | None
    findings: tuple[Finding, ...]
    refused: bool
    links: Sequence[Json] = ()
    show: Callable[[Output], None] = lambda _: None
    included: Mapping[Path, bytes] = field(default_factory=dict)
    more: Json = field(default_factory=dict)
    path: Path | None = None


@dataclass(eq=False)
class FileResult:
    """The findings about one of several files, and its exit status."""

    findings: list[Finding] = field(default_factory=list)
    status: int = DONE


def run_change(options: Namespace, change: Callable[[Path, Namespace], Change]) -> int:
    """Change `options.file`, write the result where the options say, and return the exit status."""
    status, value = changed_json(options, change)
    if options.json and value is not None:
        print_json(value)
    return status


def changed_json(options: Namespace, change: Callable[[Path, Namespace], Change]) -> tuple[int, Json | None]:
    """Change a file as `run_change` does, but return the JSON instead of printing it; None if nothing was done."""
    target: Path | None = options.file if options.in_place else None
    if options.output not in (None, STANDARD_OUTPUT):
        target = Path(options.output)
    dry_run = getattr(options, "dry_run", False)
    to_stdout = target is None and not (options.json or dry_run)
    try:
        with noting_reads() as read:
            changed = change(options.file, options)
            data = changed.data
            if changed.path is not None and target is not None and data is not None:
                target, data = _beside(changed.path, target, data, options.in_place)
    except InertiaError as error:
        return _reported(options, error)
    problem = overwritten(options, read)
    if problem is not None:
        log(problem)
        return CANNOT_RUN, None
    lost: tuple[Finding, ...] = ()
    try:
        if data is not None and target is not None and not dry_run:
            lost = _write(options, target, data, changed.included, read)
            log_findings(lost, options.quiet)
        elif data is not None and to_stdout:
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
    except InertiaError as error:
        return _reported(options, error)
    except OSError as error:
        log(f"cannot write {target or 'to standard output'}: {error.strerror or error}")
        return CANNOT_RUN, None
    is_new = any(link["done"] for link in changed.links)
    if changed.path is not None and target is not None and is_new and not (dry_run or options.quiet):
        log(f"{options.file}: it keeps its bytes; load {target} instead, which has the new inertials over it")
    for path in changed.included if options.in_place and not dry_run else ():
        log(f"{path}: changed too: {options.file} includes it")
    changed.show(Output.to(sys.stderr if to_stdout or options.json else sys.stdout))
    value = _change_json(options.file, None if dry_run else target, changed, lost)
    return REFUSED if changed.refused else DONE, value


def change_task(
    options: Namespace, target: Path | None, change: Callable[[Path, Namespace], Change]
) -> tuple[int, Json]:
    """Change one file of a batch, and write the result to `target`."""
    assert target is not None
    try:
        with noting_reads() as read:
            changed = change(options.input, options)
        problem = overwritten_by([("its output", str(target))], read)
        if problem is not None:
            raise InertiaError.of("same_output", str(options.input), "read", problem=problem)
        data = changed.data
        if changed.path is not None and data is not None:
            _, data = _beside(changed.path, target, data, False)
        lost = () if data is None else write_atomic(target, data, read)
    except InertiaError as error:
        return status_of(error), _error_json(options.input, error)
    return REFUSED if changed.refused else DONE, _change_json(options.input, target, changed, lost)


@contextmanager
def catching_errors(path: Path) -> Iterator[FileResult]:
    """Yield the result for a file; turn an exception into its last finding, so that the next file is still processed.

    Only MemoryError is raised again, and what a closed standard output raises.
    """
    result = FileResult()
    try:
        yield result
    except (MemoryError, BrokenPipeError):
        raise
    except InertiaError as error:
        result.findings.append(error.about(str(path)).finding())
        result.status = status_of(error)
    except Exception as error:
        print_bug()
        reason = {"kind": type(error).__name__, "reason": str(error)}
        result.findings.append(Finding.of("error", "our_bug", str(path), **reason))
        result.status = OUR_BUG


def status_of(error: InertiaError) -> int:
    """Return the exit status for an error: the command could not run, or the file is refused."""
    return CANNOT_RUN if error.code in UNREADABLE or (error.code, error.sentence.form) in UNREAD else REFUSED


def log(text: str) -> None:
    """Print a line on standard error."""
    print(for_log(text), file=sys.stderr)


def print_bug() -> None:
    """Print the traceback of the current exception, an internal error, and ask the user to report it."""
    for line in traceback.format_exc().splitlines():
        log(line)
    log("This is an internal error of SDF Inertia; please report it with the lines above.")


def unforeseen(error: Exception) -> int:
    """Print an error that a command has not caught, and return the exit status."""
    if isinstance(error, InertiaError):
        log_findings([error.finding()])
        return status_of(error)
    with suppress(OSError):  # it may be standard error itself
        print_bug()
    return OUR_BUG


def print_json(value: Json) -> None:
    """Print one object on standard output, with the number of its schema."""
    print(json_text(with_schema(value)))


def json_text(value: Json) -> str:
    """Return one object as JSON text."""
    return for_json(json.dumps(without_infinite(value), indent=2, ensure_ascii=False, allow_nan=False))


def _write(
    options: Namespace, target: Path, data: bytes, included: Mapping[Path, bytes], read: Reads
) -> tuple[Finding, ...]:
    if options.in_place:
        return write_several_atomic({target: data, **included}, read, backup=not getattr(options, "no_backup", True))
    return write_atomic(target, data, read)


def for_output(options: Namespace, robot: RobotFile, path: Path | None, data: bytes) -> tuple[Path | None, bytes]:
    """Return a robot's new bytes as the options have them written, and the path from which they name other files.

    A batch has no option of its own for the output: each file is written to a target.
    """
    is_elsewhere = getattr(options, "output", "") not in (None, STANDARD_OUTPUT)
    return robot.elsewhere(path, data) if is_elsewhere else (path, data)


def _beside(path: Path, target: Path, data: bytes, in_place: bool) -> tuple[Path, bytes]:
    """Return where the layer over a USD file is written, and its bytes there."""
    from ..formats.usd.override import check_new, moved

    if not in_place:
        return target, moved(data, path, target)
    check_new(data, path)
    return path, data


def _reported(options: Namespace, error: InertiaError) -> tuple[int, Json]:
    """Print an error; return the exit status and the JSON."""
    log_findings([error.finding()])
    return status_of(error), _error_json(options.file, error)


def _error_json(path: Path, error: InertiaError) -> Json:
    return _change_json(path, None, Change(None, (error.finding(),), True), ())


def _change_json(path: Path, target: Path | None, changed: Change, lost: Iterable[Finding]) -> Json:
    output = None if target is None or changed.data is None else str(target)
    findings = [finding_json(finding) for finding in (*changed.findings, *lost)]
    return {"file": str(path), "output": output, "links": list(changed.links), "findings": findings} | changed.more
