# SPDX-License-Identifier: GPL-3.0-or-later
"""The command ``batch``."""

from __future__ import annotations

import json
import sys
import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import nullcontext
from typing import Any

from ...errors import InertiaError
from ...files.whole_files import new_folder, write_whole
from ...robot.report import finding_json
from ...status import CANNOT_RUN, DONE, INTERRUPTED, REFUSED
from ..progress import library_bar
from ..reading import note, say
from .options import add_verbs, check_usage
from .plan import Plan
from .pools import AHEAD, Pool, pool_of, result_of
from .results import Results
from .summary import Summary
from .task import ENDED, Result, Task

EXAMPLES = """\
examples:
  sdf-inertia batch mass meshes/ --densities map.csv --report masses.jsonl
  sdf-inertia batch repair robots/ --output repaired --report r.jsonl --resume
  sdf-inertia batch export scenes/ --output models --blender ~/blender/blender
"""


def add_parser(subparsers: Any) -> ArgumentParser:
    """Add the command to a command line."""
    return add_verbs(subparsers, run)


def run(options: Namespace) -> int:
    """Run a batch; see `add_parser`."""
    check_usage(options)
    summary = Summary()
    start = time.perf_counter()
    try:
        with nullcontext() if options.output is None else new_folder(options.output):
            plan = Plan(options)
            bar = library_bar(plan.count, options.verb)
            with (
                pool_of(options, plan.count) as pool,
                Results(options.report, options.resume, plan.key()) as results,
                bar as advance,
            ):
                _run(options.retries, plan, pool, results, summary, advance)
        status = REFUSED if summary.failed else DONE
    except KeyboardInterrupt:
        print("interrupted: what is finished is kept, --resume does the rest", file=sys.stderr)
        status = INTERRUPTED
    except InertiaError as error:
        say([error.finding()])
        return CANNOT_RUN
    except OSError as error:
        if error.filename is None:  # not one of our files, but standard output, for example
            raise
        note(f"cannot write {error.filename}: {error.strerror}")
        return CANNOT_RUN
    return _write_summary(options, summary, time.perf_counter() - start, status)


def _run(
    retries: int, plan: Plan, pool: Pool, results: Results, summary: Summary, advance: Callable[[int], None]
) -> None:
    """Run all tasks and write all results."""
    waiting: dict[Future[Result], Task] = {}
    attempts: Counter[str] = Counter()

    def tasks() -> Iterator[Task]:
        """Yield the tasks to run; count results that are already there, and write refusals, immediately."""
        for task in plan.tasks():
            if task is None:  # belongs to another shard
                advance(summary.failed)
            elif (line := results.line_of(task)) is not None:
                summary.resumed += 1
                summary.add(line)
                advance(summary.failed)
            elif task.refusal is not None:
                finish(task, Result("refused", 0.0, {"findings": [finding_json(task.refusal)]}))
            else:
                yield task

    def collect() -> None:
        """Wait until a task has ended; write its result, or try again."""
        done, _ = wait(waiting, return_when=FIRST_COMPLETED)
        for future in done:
            task = waiting.pop(future)
            result = result_of(future)
            attempts[task.input] += 1
            if result.outcome in ENDED and attempts[task.input] <= retries:
                waiting[pool.submit(task)] = task
                continue
            del attempts[task.input]
            finish(task, result)

    def finish(task: Task, result: Result) -> None:
        summary.add(results.write(task, result))
        advance(summary.failed)

    for task in tasks():
        waiting[pool.submit(task)] = task
        while len(waiting) >= AHEAD * pool.size:
            collect()
    while waiting:
        collect()


def _write_summary(options: Namespace, summary: Summary, seconds: float, status: int) -> int:
    """Write the summary; return the exit status."""
    target = options.summary
    if target is None:
        print(summary.markdown(seconds), end="", file=sys.stderr)
        return status
    text = summary.markdown(seconds)
    if target.suffix == ".json":
        text = json.dumps(summary.json(seconds) | {"status": status}, indent=2) + "\n"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, text.encode(errors="backslashreplace"))  # names of files may not be valid text
    except OSError as error:
        print(text, end="", file=sys.stderr)
        note(f"cannot write {target}: {error.strerror}")
        return max(status, CANNOT_RUN)
    return status
