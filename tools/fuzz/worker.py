# SPDX-License-Identifier: GPL-3.0-or-later
"""The process that runs inputs, one after the other, each within its limits, with one line of JSON for each.

``python -m tools.fuzz.worker KIND SEED FIRST COUNT``. It may end at any input; `session` detects which.
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

from core.document.locate import SEARCH_VARIABLES

from .kinds import KINDS, Kind
from .limits import TooSlowError, limited, peak
from .oracle import FaultError

MAX_CHARACTERS = 6000
"""Maximum characters of a traceback."""


def main(words: list[str]) -> None:
    """Run inputs until their count is reached or the reader ends."""
    kind, seed, first, count = KINDS[words[0]], *map(int, words[1:4])
    report = os.fdopen(os.dup(1), "w")
    for variable in SEARCH_VARIABLES:
        os.environ.pop(variable, None)
    with TemporaryDirectory() as folder:
        noise = _quiet(Path(folder) / "noise")
        inputs = Path(folder) / "inputs"
        inputs.mkdir()
        with kind.around():
            _output(noise)
            warnings.simplefilter("error", RuntimeWarning)  # numpy's warnings about overflow would reach the user
            for number in range(first, first + count):
                result = one(kind, seed, number, inputs, noise)
                report.write(json.dumps({"number": number, **result, "peak": peak()}) + "\n")
                report.flush()


def one(kind: Kind, seed: int, number: int, folder: Path, noise: TextIO, attempts: int = 2) -> dict[str, object]:
    """Make and run an input; return its outcome or, as ``fault``, a traceback, and the processor time it took.

    What takes too long is tried again: other work on the machine makes it slower.
    """
    path = kind.input(seed, number, folder)
    start = time.process_time()
    result: dict[str, object]
    try:
        with limited():
            result = {"outcome": kind.run(path)}
        if output := _output(noise):
            raise FaultError(f"it says on standard error:\n{output}")
    except KeyboardInterrupt:
        raise
    except TooSlowError:
        if attempts > 1:
            _output(noise)
            return one(kind, seed, number, folder, noise, attempts - 1)
        result = {"fault": traceback.format_exc()[-MAX_CHARACTERS:]}
    except BaseException:
        result = {"fault": traceback.format_exc()[-MAX_CHARACTERS:]}
        _output(noise)
    return result | {"seconds": round(time.process_time() - start, 4)}


def _quiet(path: Path) -> TextIO:
    """Redirect standard error, also that of C libraries, to a file, and discard standard output; return the file."""
    noise = path.open("w+", errors="replace")
    os.dup2(noise.fileno(), 2)
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
    return noise


def _output(noise: TextIO) -> str:
    """Return the output since the last call."""
    sys.stderr.flush()
    if not os.fstat(noise.fileno()).st_size:
        return ""
    noise.seek(0)
    output = noise.read()[-MAX_CHARACTERS:]
    noise.seek(0)
    noise.truncate()
    os.lseek(2, 0, os.SEEK_SET)
    return output


if __name__ == "__main__":
    main(sys.argv[1:])
