# SPDX-License-Identifier: GPL-3.0-or-later
"""Mutated SDF and URDF files through the reader, resolve, check and fill: no crash, no hang, no error but our own.

    python tools/fuzz_sdf.py --count 1000000 --seed 0

Each file depends on the seed and its number alone, so that one which fails is made again by ``--first N --count 1``.
What is filled is read back: a second run must change nothing. Exit status 1 where anything failed.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import signal
import sys
import traceback
import warnings
from collections import Counter
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1]))

from core.errors import InertiaError
from core.sdf.judge.check_file import check_file
from core.sdf.judge.gazebo_link import gazebo_findings
from core.sdf.read.schema import structure_findings
from core.sdf.read.sdf_file import read_document
from core.sdf.urdf.as_sdf import is_urdf, read_urdf
from core.sdf.write.fill import RewrittenFile, fill
from core.sdf.write.make_auto import make_auto
from core.sdf.xml.document import Document
from tools.sdf_mutations import PART, TETRAHEDRON, mutated, originals

LONGEST = 2.0
"""Seconds of processor time that one file may take: real time is for the machine to give."""


def run(data: bytes, path: Path) -> str:
    """Take a file through everything; return what came of it in a word."""
    document = Document.parse(data, "fuzzed", path)
    if is_urdf(document):
        check_file(read_urdf(document), strict=True)
        return "urdf"
    file = read_document(document)
    changed = fill(file)
    for link in file.links:
        list(gazebo_findings(link, show=True))
    check_file(file, strict=True)
    list(structure_findings(document))
    _again(make_auto(file), make_auto, path)
    _again(changed, fill, path)
    return "refused" if changed.refused else "filled" if changed.links else "read"


def _again(changed: RewrittenFile, command: object, path: Path) -> None:
    """A second run finds nothing to do."""
    assert callable(command)
    if changed.data and not changed.refused:
        second = command(read_document(Document.parse(changed.data, "again", path)))
        assert second.data == changed.data, "a second run changes the file"


class TooSlowError(Exception):
    """A file takes longer than it may."""


def fuzz(count: int, seed: int, first: int, folder: Path, progress: int = 0) -> tuple[Counter[str], list[str]]:
    """Run so many files from number `first`; return what came of them, and the tracebacks of those that failed."""
    (folder / "t.obj").write_text(TETRAHEDRON)
    (folder / "part.sdf").write_text(PART)
    texts, outcomes, failures = originals(), Counter[str](), list[str]()

    def too_slow(_number: int, _frame: object) -> None:
        raise TooSlowError(f"it takes more than {LONGEST} s")

    before = signal.signal(signal.SIGVTALRM, too_slow)
    try:
        for number in range(first, first + count):
            random = Random(f"{seed}:{number}")
            data = mutated(random.choice(texts), texts, random)
            signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST)
            try:
                outcomes[run(data, folder / "model.sdf")] += 1
            except InertiaError as error:
                outcomes["refused by name" if error.code and error.message else "refused without a reason"] += 1
            except Exception:
                failures.append(f"--seed {seed} --first {number} --count 1\n{traceback.format_exc()}")
                if progress:
                    print(failures[-1], file=sys.stderr, flush=True)
            finally:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
            if progress and (number + 1) % progress == 0:
                print(f"{number + 1}: {dict(outcomes)}, {len(failures)} failed", flush=True)
    finally:
        signal.signal(signal.SIGVTALRM, before)
    return outcomes, failures


def main() -> int:
    """Fuzz by the command line's options."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first file")
    parser.add_argument("--progress", type=int, default=10_000, help="files between two lines of progress")
    options = parser.parse_args()
    faulthandler.enable()
    warnings.simplefilter("error")  # what numpy mutters of overflow would reach the user
    for variable in ("GZ_SIM_RESOURCE_PATH", "SDF_PATH"):
        os.environ.pop(variable, None)
    with TemporaryDirectory() as folder:
        outcomes, failures = fuzz(options.count, options.seed, options.first, Path(folder), options.progress)
    print(f"{options.count} files: {dict(outcomes)}, {len(failures)} failed")
    return 1 if failures or outcomes["refused without a reason"] else 0


if __name__ == "__main__":
    sys.exit(main())
