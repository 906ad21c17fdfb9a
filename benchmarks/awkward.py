# SPDX-License-Identifier: GPL-3.0-or-later
"""The awkward set: for each system, how many meshes it gets right, refuses, or gets wrong without a word.

Two sources: the real and derived files of the reference data, where that is at hand, with their own truth; and the
set that tests/core/solids/awkward.py makes, with truth in rational arithmetic. A system that dies takes only its own
worker along.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.files.mesh_file import load_surface
from tests.core.solids import awkward as made

from . import plot
from .systems import FOR_AWKWARD, OURS, Answer, System, Triangles, Vertices, absent

CHECKOUT = Path(__file__).parents[1]

TOLERANCE = 1e-4
"""Relative: what the union of overlapping shells promises; it forgives float32 vertices, but no wrong solid."""

SECONDS = 120.0
"""For all meshes of one system; what takes longer hangs."""

OPEN_BOX = "derived_one_face_missing_origin.obj"
"""Its entry says "as above" of one that is not there, and gives the truth of the whole box; but it is open."""

RIGHT, REFUSED, WRONG, WARNED, CRASHED = "right", "refused", "silently wrong", "wrong, with a warning", "crashed"
VERDICTS = (RIGHT, REFUSED, WARNED, WRONG, CRASHED)


@dataclass(frozen=True)
class Truth:
    """What a mesh is: volume, centre of mass and tensor at density 1 as far as known; volume None: no solid."""

    volume: float | None
    com: Any = None
    inertia: Any = None


Case = tuple[str, Vertices, Triangles, Truth]


def cases() -> Iterator[Case]:
    """Yield name, vertices, triangles and truth of every mesh on which there is agreement."""
    for name, case in made.cases().items():
        truth = case.truth()
        known = Truth(None)
        if truth is not None:
            covariance = np.array([[float(entry) for entry in row] for row in truth.covariance])
            com = np.array([float(entry) for entry in truth.centroid])
            known = Truth(float(truth.volume), com, np.trace(covariance) * np.eye(3) - covariance)
        yield name, *map(np.asarray, case.mesh), known
    yield from _files()


def _files() -> Iterator[Case]:
    data = data_folder()
    if not data.is_dir():
        return
    for name, entry in json.loads((data / "truth.json").read_text(encoding="utf-8"))["nasty"].items():
        refuse = entry["right_behaviour"].startswith("error") or name == OPEN_BOX
        if not refuse and entry["right_volume"] is None:
            continue  # no agreed truth
        vertices, triangles = _read(data / "meshes" / "nasty" / name)
        truth = entry["truth"] or {}
        yield (
            name,
            vertices,
            triangles,
            Truth(None if refuse else entry["right_volume"], truth.get("com"), truth.get("I")),
        )


def data_folder() -> Path:
    """Return where the reference data is, if it is anywhere."""
    return Path(os.environ.get("SDF_INERTIA_DATA") or CHECKOUT.parent / "shared" / "data")


def _read(path: Path) -> tuple[Vertices, Triangles]:
    # As they stand, faults and all, which load_surface would refuse.
    from core.files.obj_file import read_obj

    if path.suffix == ".obj":
        vertices, triangles, _ = read_obj(path.read_text(encoding="utf-8"))
        return vertices, triangles
    if path.stat().st_size <= 84:
        return np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64)
    surface, _ = load_surface(path)
    return np.array(surface.vertices), np.array(surface.triangles)


def verdict(system: System, vertices: Vertices, triangles: Triangles, truth: Truth) -> str:
    """Measure one mesh and judge the answer."""
    try:
        answer = system.load(vertices, triangles)()
    except Exception:  # of any kind: it is no silence
        return REFUSED
    if not answer.volume > 0.0:
        return REFUSED  # a volume that is zero, negative or NaN is seen by whoever reads it
    if truth.volume is not None and _agrees(answer, truth):
        return RIGHT
    return WARNED if answer.warned else WRONG


def _agrees(answer: Answer, truth: Truth) -> bool:
    assert truth.volume is not None
    if not abs(answer.volume - truth.volume) <= TOLERANCE * truth.volume:
        return False
    if truth.inertia is None or answer.inertia is None:
        return True
    trace = float(np.trace(truth.inertia))
    size = np.sqrt(trace / truth.volume)
    right_com = truth.com is None or np.abs(np.subtract(answer.com, truth.com)).max() <= TOLERANCE * size
    return bool(right_com and np.abs(np.subtract(answer.inertia, truth.inertia)).max() <= TOLERANCE * trace)


def verdicts(system: System, count: int) -> list[str]:
    """Judge a system on the first `count` cases, in workers of its own."""
    found: list[str] = []
    while len(found) < count:
        command = [sys.executable, "-m", "benchmarks.awkward", str(FOR_AWKWARD.index(system)), str(len(found))]
        try:
            worker = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, timeout=SECONDS)
            output, died = worker.stdout, worker.returncode != 0
        except subprocess.TimeoutExpired as expired:
            output, died = (expired.stdout or b"").decode(), True
        found += [line.removeprefix("verdict: ") for line in output.splitlines() if line.startswith("verdict: ")]
        if died and len(found) < count:
            found.append(CRASHED)
    return found


def main() -> None:
    """Judge the system of that number from that case on, a line for each."""
    number, start = map(int, sys.argv[1:])
    for name, vertices, triangles, truth in list(cases())[start:]:
        print(f"verdict: {verdict(FOR_AWKWARD[number], vertices, triangles, truth)}", flush=True)
        print(f"# {name}", flush=True)


def table() -> str:
    """Return the scores as a Markdown table, and draw them."""
    listed = list(cases())
    solid = [truth.volume is not None for *_, truth in listed]
    missing = absent(FOR_AWKWARD)
    scores: dict[str, tuple[Counter[str], Counter[str]]] = {}
    text = (
        f"| system | right (of {sum(solid)}) | good mesh refused | wrong with a warning | **silently wrong** | crashed"
        f" | no solid, refused (of {len(solid) - sum(solid)}) | **no solid, but a number** | crashed | judged by |\n"
        "|---|" + "---:|" * 8 + "---|\n"
    )
    remarks = ""
    for system in FOR_AWKWARD:
        if system.name in missing:
            text += f"| {system.name} | absent: {missing[system.name]} |" + " |" * 8 + "\n"
            continue
        found = verdicts(system, len(listed))
        good, bad = (Counter(v for v, s in zip(found, solid, strict=True) if s is side) for side in (True, False))
        scores[system.name] = good, bad
        numbers = [good[v] for v in (RIGHT, REFUSED, WARNED, WRONG, CRASHED)]
        numbers += [bad[REFUSED], bad[WRONG] + bad[WARNED], bad[CRASHED]]
        text += f"| {system.title()} | {' | '.join(map(str, numbers))} | {system.note} |\n"
        wrong = [case[0] for case, v in zip(listed, found, strict=True) if v in (WRONG, WARNED)]
        remarks += f"- {system.name}: {', '.join(wrong) or 'none'}\n"
        if system is OURS and good[REFUSED]:
            lost = [case[0] for case, v, s in zip(listed, found, solid, strict=True) if s and v == REFUSED]
            remarks += f"  (refused although it is a solid: {', '.join(lost)})\n"
    plot.awkward(scores, VERDICTS)
    files = len(listed) - len(made.cases())
    where = f"{files} files of the reference data" if files else "the reference data is absent"
    return (
        f"{len(listed)} meshes: {len(listed) - files} made by tests/core/solids/awkward.py, {where}. Right: volume,"
        f" centre of mass and tensor to {TOLERANCE:g} (of a file without a known tensor, the volume). Refused: an"
        " exception, the system's own check, or a volume that is not positive.\n\n"
        "The made set is our own and our diagnosis was written with it; what the solid of repeated, nested or"
        " overlapping shells is follows our policy. The others promise nothing for most of these meshes: the score says"
        f" who notices. {OPEN_BOX}, of which the reference data gives the box that it was before it lost a face, counts"
        f" as one to refuse.\n\n{text}\n"
        f"![awkward meshes](awkward.png)\n\nGot wrong:\n\n{remarks}"
    )


if __name__ == "__main__":
    main()
