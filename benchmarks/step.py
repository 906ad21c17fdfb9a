# SPDX-License-Identifier: GPL-3.0-or-later
"""STEP files against their tessellated meshes, and the time of a report: ``python -m benchmarks.step FILE...``.

It needs the extra cad (`make .venvs/cad/.ready`). Files are given, or found in folders; the CAx-IF's come with the npm
package occt-import-js. Without files, only an assembly of 30 unlike parts is made and timed.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from core.errors import InertiaError, has_error
from core.formats.step.assembly import Assembly, CadPart, is_step, read_assembly
from core.mesh.measure import measure_surface

TOLERANCES = 1e-4, 1e-5
"""Of the meshes [m]."""


def main() -> None:
    """Compare the parts of all files, then time the report of one assembly."""
    files = [path for word in sys.argv[1:] for path in _files(Path(word))]
    totals: Counter[str] = Counter()
    worst = dict.fromkeys(TOLERANCES, 0.0)
    for path in files:
        for tolerance in TOLERANCES:
            try:
                assembly = read_assembly(path, tolerance=tolerance)
            except InertiaError as error:
                totals[f"file {error.code}"] += 1
                continue
            _compare(assembly, tolerance, totals, worst)
    print(f"{len(files)} files: {dict(totals)}")
    for tolerance, difference in worst.items():
        print(f"mesh at {tolerance * 1e3:g} mm: at most {difference:.1e} from the moments of the solid")
    _time_report(30)


def _files(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from sorted(other for other in path.rglob("*") if is_step(other))
    else:
        yield path


def _compare(assembly: Assembly, tolerance: float, totals: Counter[str], worst: dict[float, float]) -> None:
    for part in assembly.parts:
        if has_error(part.findings):
            totals["part refused"] += 1
        elif part.surface is not None:
            _compare_part(part, tolerance, totals, worst)


def _compare_part(part: CadPart, tolerance: float, totals: Counter[str], worst: dict[float, float]) -> None:
    """Compare the tensor of a part's mesh with that of its solid, over the trace."""
    assert part.surface is not None and part.moments is not None
    try:
        mesh = measure_surface(part.surface, "exact", {}, None).moments
    except InertiaError as error:
        totals[f"mesh {error.code}"] += 1
        return
    volume = abs(mesh.volume / part.moments.volume - 1.0)
    second = np.abs(mesh.covariance - part.moments.covariance).max() / np.trace(part.moments.covariance)
    worst[tolerance] = max(worst[tolerance], volume, float(second))
    totals["part compared"] += 1


def _time_report(parts: int) -> None:
    """Print the CPU time of the command for an assembly of unlike parts."""
    from tests.cad import step_files

    with TemporaryDirectory() as folder:
        path = step_files.write(step_files.many(parts), Path(folder) / "many.step")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        words = [sys.executable, "-m", "core", "report", str(path), "--density", "1000", "--format", "json"]
        subprocess.run(words, stdout=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(f"report of {parts} parts, {path.stat().st_size / 1e6:.2f} MB: {seconds:.1f} s of CPU")


if __name__ == "__main__":
    main()
