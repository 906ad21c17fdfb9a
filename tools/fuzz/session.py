# SPDX-License-Identifier: GPL-3.0-or-later
"""A run of the fuzzer: processes that run the inputs of a kind, one at a time.

A fault's input is kept in ``FOLDER/KIND-SEED-NUMBER/``, with its traceback and the command that runs it again.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from .kinds import KINDS, Kind

CHECKOUT = Path(__file__).parents[2]

SILENCE = 300.0
"""Seconds of silence of a process that does not compute: it waits for something that never comes."""

AT_ONCE = 5000
"""Inputs that a process runs before another replaces it, in case a library leaks memory."""


@dataclass
class Progress:
    """The progress of a kind.

    Parameters
    ----------
    next : int
        Number of the next input.
    outcomes : dict of str to int
    faults : list of int
        Numbers of the inputs that failed.
    slowest : list
        Processor time [s] of the slowest input without a fault, and its number.
    peak : int
        Maximum resident memory of a process [MB], Python and its libraries included.
    """

    next: int = 0
    outcomes: dict[str, int] = field(default_factory=dict)
    faults: list[int] = field(default_factory=list)
    slowest: list[float] = field(default_factory=lambda: [0.0, 0])
    peak: int = 0

    def add(self, result: dict[str, Any]) -> None:
        """Count one input."""
        self.next = result["number"] + 1
        if "fault" in result:
            self.faults.append(result["number"])
            return
        self.outcomes[result["outcome"]] = self.outcomes.get(result["outcome"], 0) + 1
        self.slowest = max(self.slowest, [result["seconds"], result["number"]])
        self.peak = max(self.peak, result["peak"])


class Session:
    """Runs of several kinds with one seed.

    Parameters
    ----------
    folder : Path
        Where faults are kept.
    seed : int
    worker : str
        The module that runs inputs.
    """

    def __init__(self, folder: Path, seed: int, worker: str = "tools.fuzz.worker") -> None:
        self.folder, self.seed, self._worker = folder, seed, worker
        self.kinds: dict[str, Progress] = {}

    def run(self, kind: Kind, seconds: float = float("inf"), count: int = sys.maxsize) -> Progress:
        """Run inputs of a kind up to a time or count; return the progress."""
        progress = self.kinds[kind.name] = Progress()
        end = time.monotonic() + seconds
        while progress.next < count and time.monotonic() < end:
            self._process(kind, progress, end, min(count, progress.next + AT_ONCE))
        return progress

    def _process(self, kind: Kind, progress: Progress, end: float, last: int) -> None:
        """Run a process until it or the time ends."""
        words = [kind.name, str(self.seed), str(progress.next), str(last - progress.next)]
        environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2", "PYTHONHASHSEED": "0"}
        process = subprocess.Popen(
            [sys.executable, "-m", self._worker, *words],
            cwd=CHECKOUT,
            env=environment,
            stdout=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
        )
        assert process.stdout is not None
        try:
            while time.monotonic() < end:
                if not select.select([process.stdout], [], [], SILENCE)[0]:
                    self._fault(kind, progress, f"no word of it for {SILENCE:g} s")
                    return
                line = process.stdout.readline()
                if not line:
                    break
                result = json.loads(line)
                if "fault" in result:
                    self._keep(kind, result["number"], result["fault"])
                progress.add(result)
            else:
                return
            if process.wait() != 0 or progress.next < last:
                self._fault(kind, progress, f"its process ended: {_end_of(process.returncode)}")
        finally:
            process.kill()
            process.wait()
            process.stdout.close()

    def _fault(self, kind: Kind, progress: Progress, why: str) -> None:
        self._keep(kind, progress.next, why)
        progress.add({"number": progress.next, "fault": why})

    def _keep(self, kind: Kind, number: int, why: str) -> None:
        folder = self.folder / f"{kind.name}-{self.seed}-{number}"
        folder.mkdir(parents=True, exist_ok=True)
        path = kind.input(self.seed, number, folder)
        again = f"{Path(sys.executable).name} -m tools.fuzz --again {kind.name} --seed {self.seed} --number {number}"
        (folder / "fault.txt").write_text(f"{again}\n{path.name}\n\n{why}\n", errors="backslashreplace")
        print(f"{folder}: {why.strip().splitlines()[-1][:200]}", file=sys.stderr, flush=True)


def _end_of(code: int) -> str:
    return f"signal {signal.Signals(-code).name}" if code < 0 else f"status {code}"


def table(kinds: dict[str, Progress]) -> str:
    """Return the outcomes of all inputs so far, as Markdown."""
    lines = ["| kind | inputs | faults | outcomes | slowest [s] | peak [MB] |", "|---|---|---|---|---|---|"]
    for name, own in kinds.items():
        total = own.next or 1
        ranked = sorted(own.outcomes.items(), key=lambda one: -one[1])
        outcomes = ", ".join(f"{100.0 * count / total:.1f} % {outcome}" for outcome, count in ranked)
        row = (name, f"{own.next:,}", str(len(own.faults)), outcomes, f"{own.slowest[0]:.2f}", str(own.peak))
        lines.append(f"| {' | '.join(row)} |")
    return "\n".join(lines)


def available(names: list[str]) -> list[Kind]:
    """Return kinds by their names, by default all; kinds with a missing library are reported and left out."""
    found = []
    for kind in (KINDS[name] for name in names or KINDS):
        missing = [name for name in kind.libraries if find_spec(name) is None]
        if missing:
            print(f"{kind.name}: left out, since there is no {', '.join(missing)}", file=sys.stderr)
        else:
            found.append(kind)
    return found
