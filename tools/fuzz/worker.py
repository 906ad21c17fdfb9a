# SPDX-License-Identifier: GPL-3.0-or-later
"""The process that inputs run in: one after the other, each within its limits, one line of JSON for each.

``python -m tools.fuzz.worker KIND SEED FIRST COUNT``. It may end at any input; `session` sees which.
"""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TextIO

from core.sdf.read.locate import SEARCH_VARIABLES

from .kinds import KINDS, Kind
from .limits import TooSlowError, limited, peak
from .oracle import FaultError

MAX_TOLD = 6000
"""Characters of a traceback that are kept."""


def main(words: list[str]) -> None:
    """Run inputs until their count or the reader ends."""
    kind, seed, first, count = KINDS[words[0]], *map(int, words[1:4])
    report = os.fdopen(os.dup(1), "w")
    for variable in SEARCH_VARIABLES:
        os.environ.pop(variable, None)
    with TemporaryDirectory() as folder:
        noise = _quiet(Path(folder) / "noise")
        inputs = Path(folder) / "inputs"
        inputs.mkdir()
        with kind.around():
            _said(noise)
            warnings.simplefilter("error", RuntimeWarning)  # what numpy mutters of overflow would reach the user
            for number in range(first, first + count):
                told = one(kind, seed, number, inputs, noise)
                report.write(json.dumps({"number": number, **told, "peak": peak()}) + "\n")
                report.flush()


def one(kind: Kind, seed: int, number: int, folder: Path, noise: TextIO, attempts: int = 2) -> dict[str, object]:
    """Make and run an input; return its outcome or, as ``fault``, a traceback, and the processor time it took.

    What takes too long is tried again: beside other work, a processor gives less than its time.
    """
    path = kind.input(seed, number, folder)
    start = time.process_time()
    told: dict[str, object]
    try:
        with limited():
            told = {"outcome": kind.run(path)}
        if said := _said(noise):
            raise FaultError(f"it says on standard error:\n{said}")
    except KeyboardInterrupt:
        raise
    except TooSlowError:
        if attempts > 1:
            _said(noise)
            return one(kind, seed, number, folder, noise, attempts - 1)
        told = {"fault": traceback.format_exc()[-MAX_TOLD:]}
    except BaseException:
        told = {"fault": traceback.format_exc()[-MAX_TOLD:]}
        _said(noise)
    return told | {"seconds": round(time.process_time() - start, 4)}


def _quiet(path: Path) -> TextIO:
    """Send standard error, that of libraries in C too, into a file, and what they print nowhere; return the file."""
    noise = path.open("w+", errors="replace")
    os.dup2(noise.fileno(), 2)
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
    return noise


def _said(noise: TextIO) -> str:
    """Return the output since the last time."""
    sys.stderr.flush()
    if not os.fstat(noise.fileno()).st_size:
        return ""
    noise.seek(0)
    said = noise.read()[-MAX_TOLD:]
    noise.seek(0)
    noise.truncate()
    os.lseek(2, 0, os.SEEK_SET)
    return said


if __name__ == "__main__":
    main(sys.argv[1:])
