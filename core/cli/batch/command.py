# SPDX-License-Identifier: GPL-3.0-or-later
"""The command ``batch``."""

from __future__ import annotations

import json
import os
import sys
import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from ...body.density_map import DensityMap
from ...errors import InertiaError
from ...files.whole_files import write_whole
from ...robot.report import finding_json
from ...status import CANNOT_RUN, DONE, INTERRUPTED, REFUSED
from ...version import version
from .. import check, fill, mass, repair, report
from ..progress import library_bar
from ..reading import say
from . import blender
from .inputs import digest_of, inputs_of, is_in_shard, target_of
from .pools import ClusterPool, LocalPool, Pool, memory_each, result_of
from .state import State
from .summary import Summary, findings_of
from .task import ENDED, Result, Task, module_of

EXAMPLES = """\
examples:
  sdf-inertia batch mass meshes/ --densities map.csv --report masses.jsonl
  sdf-inertia batch repair robots/ --output repaired --report repairs.jsonl --resume
  sdf-inertia batch export scenes/ --output models --blender /opt/blender/blender
"""

VERBS: Mapping[str, tuple[Callable[[ArgumentParser], None], str]] = {
    "mass": (mass.add_options, "mass properties of mesh files"),
    "check": (check.add_options, "what is wrong with mesh, SDF and URDF files"),
    "repair": (partial(repair.add_options, source="--geometry"), "repair the inertials of SDF and URDF files"),
    "fill": (fill.add_options, "resolve the auto inertials of SDF files"),
    "report": (report.add_options, "tables of SDF and URDF files"),
    "export": (blender.add_options, "export .blend files"),
}

WRITES = ("repair", "fill", "export")
"""Verbs whose output is files."""

OWN = (
    *("command", "verb", "inputs", "listed", "output", "jobs", "timeout", "memory", "retries", "shard", "resume"),
    *("report", "summary", "scheduler", "run", "usage_error"),
)
"""Options that are the batch's and not the verb's."""

AHEAD = 4
"""Tasks given out for each process: enough that none waits, so few that a million inputs need no memory."""


def add_parser(subparsers: Any) -> ArgumentParser:
    """Add the command to a command line."""
    parser: ArgumentParser = subparsers.add_parser(
        "batch",
        help="one of the other commands, or an export of .blend files, over many files at once",
        description="One JSON line for each input, written as it is done. Exit status 1 where one was refused, could"
        " not be read, or ran out of time or memory; 130 after Ctrl-C, with everything finished so far kept.",
        allow_abbrev=False,
    )
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for verb, (add_options, text) in VERBS.items():
        own = verbs.add_parser(verb, help=text, description=text, allow_abbrev=False)
        own.set_defaults(run=run, usage_error=own.error)
        _add_options(own)
        add_options(own)
        if verb == "mass":
            own.add_argument("--densities", metavar="MAP", type=Path, help=_DENSITIES)
    return parser


_DENSITIES = "CSV or JSON: densities and masses by file, name, glob or category; what it does not know is refused"


def _add_options(parser: ArgumentParser) -> None:
    parser.add_argument("inputs", metavar="INPUT", nargs="*", help="files, or folders with all files of the kind")
    parser.add_argument(
        "--from", dest="listed", metavar="LIST", help="a file with one input in each line; - for standard input"
    )
    parser.add_argument("--output", metavar="DIR", type=Path, help="where results go, laid out as the inputs are")
    parser.add_argument("--jobs", metavar="N", type=_count, default=_cores(), help="processes; default: the cores")
    parser.add_argument(
        "--timeout", metavar="S", type=_positive, default=600.0, help="seconds for each input; default 600"
    )
    parser.add_argument(
        "--memory", metavar="GB", type=_positive, help="for each process; default: the machine's, shared"
    )
    parser.add_argument(
        "--retries",
        metavar="N",
        type=_number,
        default=0,
        help="attempts more after a crash, or for want of time or memory",
    )
    parser.add_argument("--shard", metavar="I/N", type=_shard, help="only the I-th of N parts, split by content")
    parser.add_argument(
        "--resume", action="store_true", help="leave out what is done already, by the state beside the report"
    )
    parser.add_argument("--report", metavar="FILE.jsonl", type=Path, help="default: standard output")
    parser.add_argument(
        "--summary", metavar="FILE", type=Path, help="as .md or .json; default: Markdown on standard error"
    )
    parser.add_argument("--scheduler", metavar="tcp://HOST:PORT", help="of a Dask cluster that sees the same files")


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def _number(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ValueError(text)
    return number


def _positive(text: str) -> float:
    number = float(text)
    if not 0.0 < number < float("inf"):
        raise ValueError(text)
    return number


def _shard(text: str) -> tuple[int, int]:
    number, count = (int(word) for word in text.split("/"))
    if not 1 <= number <= count:
        raise ValueError(text)
    return number, count


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run(options: Namespace) -> int:
    """Run a batch; see `add_parser`."""
    _check_usage(options)
    try:
        batch = _Batch(options)
    except InertiaError as error:
        say([error.finding()])
        return CANNOT_RUN
    except OSError as error:
        print(f"cannot write {error.filename}: {error.strerror}", file=sys.stderr)
        return CANNOT_RUN
    with batch:
        return batch.run()


def _check_usage(options: Namespace) -> None:
    if not options.inputs and options.listed is None:
        options.usage_error("name inputs, or a list of them by --from")
    if options.verb in WRITES and options.output is None:
        options.usage_error(f"{options.verb} writes files: give --output DIR")
    if options.verb not in WRITES and options.output is not None:
        options.usage_error(f"{options.verb} writes no files: its results are the lines of --report")
    if options.resume and options.report is None:
        options.usage_error("--resume goes with --report, beside which the state is kept")
    if options.verb == "mass":
        mass.check_usage(options)
    if options.verb == "repair":
        repair.check_usage(options)


class _Batch:
    """A batch that runs: its files are open."""

    def __init__(self, options: Namespace) -> None:
        self._options = options
        self._own = {name: value for name, value in vars(options).items() if name not in OWN}
        self._densities = None
        if options.verb in ("mass", "repair") and options.densities is not None:
            self._densities = DensityMap.read(options.densities)
        if options.verb == "mass":
            self._own.pop("densities")
        self._inputs = inputs_of(options.verb, options.inputs, options.listed)
        if options.verb == "export":
            self._own |= blender.prepared(options)
        self._module = module_of(options.verb)
        self._attempts: Counter[str] = Counter()
        self._summary = Summary()
        self._start = time.perf_counter()
        self._stack = ExitStack()
        self._state: State | None = None
        self._report: IO[str] = sys.stdout
        try:
            self._open()
            self._pool = self._made_pool()
        except BaseException:
            self._stack.close()
            raise

    def __enter__(self) -> _Batch:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _open(self) -> None:
        report = self._options.report
        if report is None:
            return
        if report.exists() and not self._options.resume:
            message = "it is there already, with what an earlier batch has done"
            raise InertiaError("report_exists", str(report), message, "go on with --resume, or name another --report")
        report.parent.mkdir(parents=True, exist_ok=True)
        self._state = State(report.with_name(report.name + ".state"), self._key())
        self._stack.callback(self._state.close)
        if not self._options.resume:
            self._state.forget()
        self._report = self._stack.enter_context(report.open("w", encoding="utf-8", newline="\n"))

    def _key(self) -> str:
        """Return what a result depends on besides the files that were read."""
        told = {name: str(value) for name, value in sorted(self._own.items())}
        if isinstance(self._own.get("what"), frozenset):
            told["what"] = ",".join(sorted(self._own["what"]))
        if self._densities is not None:
            told["densities"] = digest_of(str(self._options.densities))
        return sha256(json.dumps([self._options.verb, told, version()]).encode()).hexdigest()

    def _made_pool(self) -> Pool:
        options = self._options
        memory = int(options.memory * 1e9) if options.memory else memory_each(options.jobs)
        if options.scheduler:
            return ClusterPool(options.scheduler, options.timeout, memory)
        return LocalPool(min(options.jobs, max(1, len(self._inputs))), options.timeout, memory)

    def run(self) -> int:
        """Do all, write all; return the exit status."""
        try:
            with library_bar(len(self._inputs), self._options.verb) as advance:
                self._advance = advance
                self._run()
            self._pool.close()
            status = REFUSED if self._summary.failed else DONE
        except KeyboardInterrupt:
            self._pool.stop()
            print("interrupted: what is finished is kept, --resume does the rest", file=sys.stderr)
            status = INTERRUPTED
        except InertiaError as error:  # the state cannot be read or written any more
            self._pool.stop()
            say([error.finding()])
            status = CANNOT_RUN
        except BaseException:
            self._pool.stop()
            raise
        return self._write_summary(status)

    def _run(self) -> None:
        waiting: dict[Future[Result], Task] = {}
        for task in self._tasks():
            waiting[self._pool.submit(task)] = task
            while len(waiting) >= AHEAD * self._pool.size:
                self._collect(waiting)
        while waiting:
            self._collect(waiting)

    def _tasks(self) -> Iterator[Task]:
        """Yield what is to be done; what is done already is written at once."""
        options = self._options
        for file in self._inputs:
            digest = digest_of(file)
            if options.shard is not None and not is_in_shard(digest, options.shard):
                self._advance(self._summary.failed)
                continue
            target = target_of(options.verb, file, options.output) if options.output is not None else ""
            task = Task(self._module, file, digest, self._own, os.getcwd(), target)
            line = self._state.line_of(task) if self._state is not None and options.resume else None
            if line is not None:
                self._summary.resumed += 1
                self._write(line)
                continue
            try:
                yield self._weighed(task)
            except InertiaError as error:
                self._finish(task, Result("refused", 0.0, {"findings": [finding_json(error.finding())]}))

    def _weighed(self, task: Task) -> Task:
        """Return a task of ``mass`` with what the map says of its file."""
        if self._densities is None or self._options.verb != "mass":
            return task
        said = self._densities.find(task.input)
        if said is None:
            message = "the map of densities has no row for it"
            raise InertiaError("not_in_map", task.input, message, "add its name, a glob or its category")
        own = {"density": said.density if said.mass is None else None, "mass": said.mass}
        return replace(task, options={**task.options, **own})

    def _collect(self, waiting: dict[Future[Result], Task]) -> None:
        done, _ = wait(waiting, return_when=FIRST_COMPLETED)
        for future in done:
            task = waiting.pop(future)
            result = result_of(future)
            self._attempts[task.input] += 1
            if result.outcome in ENDED and self._attempts[task.input] <= self._options.retries:
                waiting[self._pool.submit(task)] = task
                continue
            del self._attempts[task.input]
            self._finish(task, result)

    def _finish(self, task: Task, result: Result) -> None:
        try:
            line = _line(task, result)
        except ValueError as error:  # a number that is none
            result = Result("bug", result.seconds, message=f"a bug in SDF Inertia: {error}")
            line = _line(task, result)
        if self._state is not None:
            self._state.keep(task, result, line)
        self._write(line)

    def _write(self, line: str) -> None:
        self._report.write(line + "\n")
        self._report.flush()
        self._summary.add(json.loads(line))
        self._advance(self._summary.failed)

    def _write_summary(self, status: int) -> int:
        seconds = time.perf_counter() - self._start
        told = self._summary.json(seconds) | {"status": status}
        target = self._options.summary
        if target is None:
            print(self._summary.markdown(seconds), end="", file=sys.stderr)
            return status
        text = json.dumps(told, indent=2) + "\n" if target.suffix == ".json" else self._summary.markdown(seconds)
        try:
            write_whole(target, text.encode())
        except OSError as error:
            print(f"cannot write {target}: {error.strerror}", file=sys.stderr)
            return max(status, CANNOT_RUN)
        return status


def _line(task: Task, result: Result) -> str:
    """Return a result as a line of the report, in ASCII: names of files may be no text."""
    told = {
        "input": task.input,
        "sha256": task.digest,
        "outcome": result.outcome,
        "message": result.message or _first(result.value),
        "seconds": round(result.seconds, 6),
        "output": task.target if result.written else None,
        "result": result.value,
    }
    return json.dumps(told, allow_nan=False)


def _first(value: Mapping[str, Any]) -> str:
    """Return the message of the first error, with its code."""
    errors = (one for one in findings_of(dict(value)) if one["severity"] == "error")
    return next((f"{one['message']} [{one['code']}]" for one in errors), "")
