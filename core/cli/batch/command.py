# SPDX-License-Identifier: GPL-3.0-or-later
"""The command ``batch``."""

from __future__ import annotations

import json
import os
import sys
import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import replace
from hashlib import sha256
from typing import Any

from ...body.density_map import DensityMap
from ...errors import InertiaError
from ...files.whole_files import write_whole
from ...robot.report import finding_json
from ...status import CANNOT_RUN, DONE, INTERRUPTED, REFUSED
from ...version import version
from ..progress import library_bar
from ..reading import say
from . import blender
from .inputs import digest_of, inputs_of, is_in_shard, same_targets, target_of
from .options import OWN, add_options, check_usage
from .pools import LOST, ClusterPool, LocalPool, Pool, memory_each, result_of
from .results import Results
from .summary import Summary, findings_of
from .task import ENDED, Result, Task, module_of

EXAMPLES = """\
examples:
  sdf-inertia batch mass meshes/ --densities map.csv --report masses.jsonl
  sdf-inertia batch repair robots/ --output repaired --report repairs.jsonl --resume
  sdf-inertia batch export scenes/ --output models --blender /opt/blender/blender
"""

LOST_RETRIES = 3
"""Attempts more for a task that was lost by no fault of its own, whatever --retries says."""

AHEAD = 4
"""Tasks given out for each process: enough that none waits, so few that a million inputs need no memory."""


def add_parser(subparsers: Any) -> ArgumentParser:
    """Add the command to a command line."""
    return add_options(subparsers, run)


def run(options: Namespace) -> int:
    """Run a batch; see `add_parser`."""
    check_usage(options)
    try:
        batch = _Batch(options)
    except InertiaError as error:
        say([error.finding()])
        return CANNOT_RUN
    except OSError as error:
        return _cannot_write(error)
    try:
        with batch:
            return batch.run()
    except OSError as error:
        if error.filename is None:  # not one of ours: standard output, say
            raise
        return _cannot_write(error)


def _cannot_write(error: OSError) -> int:
    print(f"cannot write {error.filename}: {error.strerror}", file=sys.stderr)
    return CANNOT_RUN


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
        self._same: dict[str, str] = {}
        if options.output is not None:
            self._same = same_targets(options.verb, self._inputs, options.output)
        if options.verb == "export":
            self._own |= blender.prepared(options)
        self._module = module_of(options.verb)
        self._attempts: Counter[str] = Counter()
        self._summary = Summary()
        self._start = time.perf_counter()
        self._pool = self._made_pool()
        try:
            self._results = Results(options.report, options.resume, self._key())
        except BaseException:
            self._pool.stop()
            raise

    def __enter__(self) -> _Batch:
        return self

    def __exit__(self, *_: object) -> None:
        self._results.close()

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
            if file in self._same:
                message = f"its output, {target}, would overwrite that of {self._same[file]}"
                self._refuse(task, InertiaError("same_output", file, message, "give each a batch of its own --output"))
                continue
            line = self._results.line_of(task)
            if line is not None:
                self._summary.resumed += 1
                self._results.write(line)
                self._count(line)
                continue
            try:
                yield self._weighed(task)
            except InertiaError as error:
                self._refuse(task, error)

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
            retries = max(self._options.retries, LOST_RETRIES if result.message == LOST else 0)
            if result.outcome in ENDED and self._attempts[task.input] <= retries:
                waiting[self._pool.submit(task)] = task
                continue
            del self._attempts[task.input]
            self._finish(task, result)

    def _refuse(self, task: Task, error: InertiaError) -> None:
        self._finish(task, Result("refused", 0.0, {"findings": [finding_json(error.finding())]}))

    def _finish(self, task: Task, result: Result) -> None:
        try:
            line = _line(task, result)
        except ValueError as error:  # a number that is none
            result = Result("bug", result.seconds, message=f"a bug in SDF Inertia: {error}")
            line = _line(task, result)
        self._results.keep(task, result, line)
        self._count(line)

    def _count(self, line: str) -> None:
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
            write_whole(target, text.encode(errors="backslashreplace"))  # names of files may be no text
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
