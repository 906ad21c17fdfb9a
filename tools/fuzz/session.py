# SPDX-License-Identifier: GPL-3.0-or-later
"""A run of the fuzzer: processes that run inputs, one at a time, and a folder that stores the progress of each kind.

``state.json`` there holds the seed, and for each kind the next number, the outcomes of all before it, and the slowest.
A fault's input lies in ``faults/KIND-SEED-NUMBER/``, with its traceback and the command that runs it again.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, field
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
    """The fuzzer's folder, and runs in it.

    Parameters
    ----------
    folder : Path
    seed : int, optional
        That of the inputs; by default the stored one, or 0. A different one starts from the beginning.
    worker : str
        The module that runs inputs.
    """

    def __init__(self, folder: Path, seed: int | None = None, worker: str = "tools.fuzz.worker") -> None:
        self.folder, self._worker = folder, worker
        folder.mkdir(parents=True, exist_ok=True)
        kept: dict[str, Any] = {"seed": seed or 0, "kinds": {}}
        if self._file.exists():
            found = json.loads(self._file.read_text())
            kept = found if seed in (None, found["seed"]) else kept
        self.seed: int = kept["seed"]
        self.kinds = {name: Progress(**own) for name, own in kept["kinds"].items()}

    @property
    def _file(self) -> Path:
        return self.folder / "state.json"

    def save(self) -> None:
        """Store the progress."""
        state = {"seed": self.seed, "kinds": {name: asdict(own) for name, own in sorted(self.kinds.items())}}
        partial = self._file.with_suffix(".partial")
        partial.write_text(json.dumps(state, indent=1) + "\n")
        partial.replace(self._file)

    def run(self, kind: Kind, seconds: float = float("inf"), count: int = sys.maxsize) -> Progress:
        """Run inputs of a kind from its next number, up to a time or count; return the progress."""
        progress = self.kinds.setdefault(kind.name, Progress())
        end, last = time.monotonic() + seconds, progress.next + count
        try:
            while progress.next < last and time.monotonic() < end:
                self._process(kind, progress, end, min(last, progress.next + AT_ONCE))
                self.save()
        finally:
            self.save()
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
        folder = self.folder / "faults" / f"{kind.name}-{self.seed}-{number}"
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
