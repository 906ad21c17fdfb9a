# SPDX-License-Identifier: Apache-2.0
"""The command ``batch``."""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from typing import Any

from ...errors import InertiaError
from ...escapes import for_json, without_infinite
from ...files.whole_files import new_folder, write_atomic
from ...robot.report import finding_json, with_schema
from ...status import CANNOT_RUN, DONE, INTERRUPTED, REFUSED
from ..finding_text import log_findings
from ..options.outputs import overwritten_by
from ..running import log
from ..terminal import library_bar
from .options import add_verbs, check_usage
from .plan import Plan
from .pools import AHEAD, ClusterPool, LocalPool, Pool, memory_each, result_of
from .results import Results
from .summary import Pages, Summary, first_message
from .task import ENDED, UNCHANGED, Result, Task

EXAMPLES = """\
examples:
  sdf-inertia batch mass meshes/ --densities map.csv --report masses.jsonl
  sdf-inertia batch repair robots/ --output repaired --report r.jsonl --resume
  sdf-inertia batch export scenes/ --output models --blender ~/blender/blender
"""

HEEDED_AFTER = 0.2
"""Maximum time until Ctrl-C takes effect [s]."""


def add_parser(subparsers: Any) -> ArgumentParser:
    """Add the command to a command line."""
    return add_verbs(subparsers, run)


def run(options: Namespace) -> int:
    """Run a batch; see `add_parser`."""
    check_usage(options)
    try:
        batch = _Batch(options)
    except InertiaError as error:
        log_findings([error.finding()])
        return CANNOT_RUN
    except OSError as error:
        return _cannot_write(error)
    try:
        with batch:
            return batch.run()
    except OSError as error:
        if error.filename is None:  # not one of our files, but standard output, for example
            raise
        return _cannot_write(error)


def _cannot_write(error: OSError) -> int:
    log(f"cannot write {error.filename}: {error.strerror}")
    return CANNOT_RUN


class _Batch:
    """A batch that is running, with its files open."""

    def __init__(self, options: Namespace) -> None:
        self._options = options
        self._attempts: Counter[str] = Counter()
        self._lines: dict[str, str] = {}  # of an earlier batch, for the tasks that are running
        self._summary = Summary()
        self._pages = Pages() if options.verb == "report" and options.output is not None else None
        self._start = time.perf_counter()
        self._interrupted = False
        self._read: set[str] = set()
        with nullcontext() if options.output is None else new_folder(options.output):
            self._plan = Plan(options)
            log_findings(self._plan.findings)
            self._pool = self._made_pool()
            try:
                self._results = Results(options.report, options.resume, self._plan.key())
            except BaseException:
                self._pool.stop()
                raise

    def __enter__(self) -> _Batch:
        return self

    def __exit__(self, *_: object) -> None:
        self._results.close()

    def _made_pool(self) -> Pool:
        options = self._options
        memory = int(options.memory * 1e9) if options.memory else 0
        if options.scheduler:
            return ClusterPool(options.scheduler, options.timeout, memory)
        size = min(options.jobs, max(1, self._plan.count))
        return LocalPool(size, options.timeout, memory or memory_each(size))

    def run(self) -> int:
        """Run all tasks and write all results; return the exit status."""
        try:
            # Without a report, the lines that a terminal shows are the progress; a bar would run into them.
            lines = self._options.report is None and sys.stdout.isatty()
            with library_bar(self._plan.count, self._options.verb, shown=not lines) as advance:
                self._advance = advance
                with self._noting_ctrl_c():
                    self._run()
            self._pool.close()
            status = REFUSED if self._summary.failed else DONE
        except KeyboardInterrupt:
            self._pool.stop()
            print("interrupted: what is finished is kept, --resume does the rest", file=sys.stderr)
            status = INTERRUPTED
        except InertiaError as error:  # the state can no longer be read or written
            self._pool.stop()
            log_findings([error.finding()])
            status = CANNOT_RUN
        except BaseException:
            self._pool.stop()
            raise
        return self._write_summary(status)

    @contextmanager
    def _noting_ctrl_c(self) -> Iterator[None]:
        """Stop at Ctrl-C between two tasks; immediately if it is pressed again.

        An exception raised wherever the signal arrives would be dropped in a finaliser, such as that of
        Dask's futures.
        """
        by_default = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # False in a shell's background job
        if not by_default or threading.current_thread() is not threading.main_thread():
            yield
            return

        def note(*_: object) -> None:
            if self._interrupted:
                raise KeyboardInterrupt
            self._interrupted = True

        signal.signal(signal.SIGINT, note)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def _heed_ctrl_c(self) -> None:
        if self._interrupted:
            raise KeyboardInterrupt

    def _run(self) -> None:
        waiting: dict[Future[Result], Task] = {}
        for task in self._tasks():
            waiting[self._pool.submit(task)] = task
            while len(waiting) >= AHEAD * self._pool.size:
                self._collect(waiting)
        while waiting:
            self._collect(waiting)

    def _tasks(self) -> Iterator[Task]:
        """Yield the tasks to run; write those that are refused immediately."""
        for task in self._plan.tasks():
            self._heed_ctrl_c()
            if task is None:  # belongs to another shard
                self._advance(self._summary.failed)
            elif task.refusal is not None:
                self._finish(task, Result("refused", 0.0, {"findings": [finding_json(task.refusal)]}))
            elif (earlier := self._results.earlier(task)) is not None:
                self._lines[task.input] = earlier.line
                yield replace(task, earlier=earlier.digests)
            else:
                yield task

    def _collect(self, waiting: dict[Future[Result], Task]) -> None:
        done: set[Future[Result]] = set()
        while not done:
            self._heed_ctrl_c()
            self._pool.check()
            done, _ = wait(waiting, HEEDED_AFTER, FIRST_COMPLETED)
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
        earlier = self._lines.pop(task.input, "")
        self._read |= {*result.read, *(task.earlier or ())}
        if result.outcome == UNCHANGED:
            self._summary.resumed += 1
            self._results.write(earlier)
            self._count(earlier)
            return
        try:
            line = _line(task, result)
        except ValueError as error:  # not a valid number
            result = Result("bug", result.seconds, message=f"an internal error of SDF Inertia: {error}")
            line = _line(task, result)
        if earlier and result.outcome in ENDED:  # the earlier result may still be right
            self._results.write(line)
        else:
            self._results.keep(task, result, line)
        self._count(line)

    def _count(self, line: str) -> None:
        record = json.loads(line)
        self._summary.add(record)
        if self._pages is not None:
            self._pages.add(record, self._options.output)
        self._advance(self._summary.failed)

    def _write_summary(self, status: int) -> int:
        if self._pages is not None:
            self._pages.write(self._options.output)
        seconds = time.perf_counter() - self._start
        totals = with_schema(self._summary.json(seconds) | {"status": status})
        target = self._options.summary
        if target is None:
            print(self._summary.markdown(seconds), end="", file=sys.stderr)
            return status
        problem = overwritten_by([("--summary", str(target))], self._read)
        if problem is not None:
            log(problem)
            return max(status, CANNOT_RUN)
        text = json.dumps(totals, indent=2) + "\n" if target.suffix == ".json" else self._summary.markdown(seconds)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(target, text.encode(errors="backslashreplace"))  # names of files may not be valid text
        except OSError as error:
            print(text, end="", file=sys.stderr)
            log(f"cannot write {target}: {error.strerror}")
            return max(status, CANNOT_RUN)
        return status


def _line(task: Task, result: Result) -> str:
    """Return a result as a line of the report, in ASCII: names of files may not be valid text."""
    record = {
        "input": task.input,
        "sha256": result.digest,
        "outcome": result.outcome,
        "message": result.message or ("" if result.outcome == "done" else first_message(result.value)),
        "seconds": round(result.seconds, 6),
        "output": task.target if result.written else None,
        "result": result.value,
    }
    return for_json(json.dumps(without_infinite(with_schema(record)), allow_nan=False))
