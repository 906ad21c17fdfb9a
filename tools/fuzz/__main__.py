# SPDX-License-Identifier: GPL-3.0-or-later
"""The fuzzer's command line; ``make fuzz`` calls it."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from core.document.locate import SEARCH_VARIABLES

from .kinds import KINDS
from .limits import limited
from .session import CHECKOUT, Session, available, table


def main() -> int:
    """Run inputs of each kind, or one again; return 1 if any failed."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.fuzz",
        description="Odd and damaged files through the product: it may refuse them by name, and nothing else. "
        "What fails is kept, with the command that runs it again.",
    )
    parser.add_argument(
        "kinds", metavar="KIND", nargs="*", choices=[[], *KINDS], help=f"of {', '.join(KINDS)}; default: all"
    )
    parser.add_argument("--seconds", type=float, help="for all kinds together, in equal parts; default 60")
    parser.add_argument("--count", type=int, help="inputs of each kind, instead of a time")
    parser.add_argument("--seed", type=int, default=time.time_ns() % 10**6, help="default: another each time")
    parser.add_argument("--folder", type=Path, default=CHECKOUT / "build" / "fuzz", help="default: build/fuzz")
    parser.add_argument("--again", action="store_true", help="run one input of one KIND here, without a net")
    parser.add_argument("--number", type=int, default=0, help="that input's")
    options = parser.parse_args()
    if options.again:
        if len(options.kinds) != 1:
            parser.error("--again goes with one KIND")
        return again(options.kinds[0], options.seed, options.number)
    kinds = available(options.kinds)
    session = Session(options.folder, options.seed)
    seconds = float("inf") if options.count else (options.seconds or 60.0) / max(len(kinds), 1)
    for kind in kinds:
        session.run(kind, seconds, options.count or sys.maxsize)
    print(table(session.kinds))
    faults = sum(len(progress.faults) for progress in session.kinds.values())
    print(f"seed {session.seed}, {session.folder}: {faults} faults")
    return 1 if faults else 0


def again(name: str, seed: int, number: int) -> int:
    """Run one input in this process, so that its exception is not caught."""
    for variable in SEARCH_VARIABLES:
        os.environ.pop(variable, None)
    kind = KINDS[name]
    with TemporaryDirectory() as folder, kind.around():
        path = kind.input(seed, number, Path(folder))
        print(path.name, path.stat().st_size, "bytes", flush=True)
        with limited():
            print(kind.run(path))
    return 0


if __name__ == "__main__":
    sys.exit(main())
