# SPDX-License-Identifier: GPL-3.0-or-later
"""Real meshes that are mostly not closed: which get a number, by what remedy, and how far that is from the truth.

``python -m benchmarks.wild FOLDER`` measures them by the core of another checkout too, and sets both side by side. The
files are those of the reference data, read where they lie; the truth of those that are not closed is the volume where
the generalised winding number is above one half, by libigl, of 96³ stratified samples.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from . import plot
from .awkward import data_folder

CHECKOUT = Path(__file__).parents[1]
SAMPLES = 96
NUMBER = "number"

METHOD = re.compile(r"\b(Voxels|Hull|Shell)\b|(close the holes)")
"""The first remedy of a refusal that is one click."""

WAYS = {"Voxels": "voxel", "Hull": "hull"}

GENERATED = {"small_holes": "exact", "self_crossing": "exact", "overlapping_tilted": "voxel", "nested": "voxel"}
"""Families whose exact truth is in the picture too, and by which method."""
EACH = 100


def _worker() -> None:
    """Measure all files by the core that is imported, as JSON."""
    from core import InertiaError
    from core.files.limits import FORMATS
    from core.files.mesh_file import load_surface
    from core.mesh.measure import measure_surface

    data = data_folder()
    rows = []
    for path in sorted([*(data / "meshes").rglob("*"), *(data / "wild").iterdir()]):
        if path.suffix.lower() not in FORMATS:
            continue
        row: dict[str, Any] = {"file": path.relative_to(data).as_posix()}
        rows.append(row)
        try:
            surface, _ = load_surface(path)
        except InertiaError as error:
            row |= {"exact": {"verdict": error.code, "s": 0.0}, "faces": 0}
            continue
        row |= {"faces": len(surface.triangles), "noise": _noise(surface)}
        row["exact"] = exact = _measured(measure_surface, surface, "exact")
        row["voxel"] = _measured(measure_surface, surface, "voxel")
        remedy = METHOD.search(exact.get("remedy", ""))
        row["first"] = first = remedy.group() if remedy else ""
        if first in WAYS:
            row["by first"] = row["voxel"] if first == "Voxels" else _measured(measure_surface, surface, WAYS[first])
    print(json.dumps(rows))


def _measured(measure: Any, surface: Any, method: str) -> dict[str, Any]:
    from core import InertiaError

    start = process_time()
    try:
        found = measure(surface, method)
    except InertiaError as error:
        return {"verdict": error.code, "remedy": str(error.remedy), "s": process_time() - start}
    told = [one.message for one in found.findings if one.code == "overlapping_shells"]
    return {
        "verdict": NUMBER,
        "s": process_time() - start,
        "method": found.method,
        "united": "" if found.method != "union" else "columns" if any("voxels" in one for one in told) else "Manifold",
        "error": found.error,
        "error_inertia": getattr(found, "error_inertia", found.error),  # older checkouts have one for both
        "volume": found.moments.volume,
        "centroid": found.moments.centroid.tolist(),
        "covariance": found.moments.covariance.tolist(),
        "codes": [one.code for one in found.findings if one.severity == "warning"],
    }


def _noise(surface: Any) -> float:
    """Return the volume that 96³ stratified samples may be off by: three deviations, of the cells that faces cut.

    A cell that a face cuts into shares p and 1 - p is counted with a variance of p (1 - p), of 1/6 on average.
    """
    corners = np.asarray(surface.vertices, dtype=np.float64)[surface.triangles]
    areas = np.abs(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])).sum(axis=0) / 2
    low, high = surface.bounds()
    side = np.maximum((np.asarray(high, dtype=np.float64) - low) / SAMPLES, 1e-300)
    cut = float((areas / (side.prod() / side)).sum())
    return 3.0 * float(np.sqrt(cut / 6.0) * side.prod())


def rows(checkout: Path) -> list[dict[str, Any]]:
    """Return what the core of a checkout makes of each file."""
    program = (
        f"import sys; sys.path[:0] = [{str(checkout)!r}, {str(CHECKOUT)!r}]\n"
        "import core, benchmarks\n"  # the core of the one, the benchmark of the other
        f"benchmarks.__path__ = [{str(CHECKOUT / 'benchmarks')!r}]\n"
        "from benchmarks.wild import _worker\n"
        "_worker()"
    )
    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=True)
    found: list[dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    return found


def truths() -> dict[str, dict[str, Any]]:
    """Return the winding-number truth by file."""
    path = data_folder() / "wild" / "truth.json"
    listed: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["files"]
    return {f"wild/{name}": truth for name, truth in listed.items()}


def has_inside(truth: dict[str, Any]) -> bool:
    """Return True if the mesh has an inside, as wild.md puts it: v25 ≤ 2 v75."""
    return bool(0.0 < truth["v25"] <= 2.0 * truth["v75"])


def off(answer: dict[str, Any], truth: dict[str, Any]) -> tuple[float, float]:
    """Return how far volume and tensor are from the truth, relative."""
    right = np.array(truth["covariance_over_volume"])
    found = np.array(answer["covariance"]) / truth["v50"]
    return abs(answer["volume"] / truth["v50"] - 1.0), float(np.abs(found - right).max() / np.trace(right))


def limit(truth: dict[str, Any]) -> float:
    """Return up to where the stated error of an open mesh's volume is useful; that of its tensor may be three times."""
    return float(3.0 * (truth["v25"] - truth["v75"]) / truth["v50"] + 2e-2)


def within(answer: dict[str, Any], truth: dict[str, Any], noise: float) -> bool:
    """Return True if volume and tensor are within their stated errors of the truth, and what sampling made of that."""
    volume, tensor = off(answer, truth)
    doubt = noise / truth["v50"]  # samples weigh more in the tensor, far out
    return volume <= answer["error"] + doubt and tensor <= answer["error_inertia"] + 2.0 * doubt


def table() -> str:
    """Return the tables in Markdown, and draw stated against actual error."""
    return report({"now": rows(CHECKOUT)})


def report(found: dict[str, list[dict[str, Any]]]) -> str:
    """Return the tables for the cores of one or more checkouts, the last of which is drawn."""
    if not data_folder().is_dir():
        return "The reference data is absent."
    truth = truths()
    text = "| | " + " | ".join(found) + " |\n|---|" + "---|" * len(found) + "\n"
    sums = [_sums(listed, truth) for listed in found.values()]
    for line in dict.fromkeys(key for one in sums for key in one):
        text += f"| {line} | {' | '.join(str(one.get(line, 0)) for one in sums)} |\n"
    now = {row["file"]: row for row in list(found.values())[-1]}
    for title, listed in found.items():
        text += f"\nThe files that are not closed, {title}:\n\n"
        text += "Errors are those of volume / tensor; the limit is 3 (v25 - v75) / v50 + 2e-2, of the volume.\n\n"
        text += "| file | faces | v25 / v75 | Exact | first remedy | gives | stated | limit | actual | within | s |\n"
        text += "|---|---:|---:|---|---|---|---:|---:|---:|---|---:|\n"
        text += "".join(_line(row, truth[row["file"]]) for row in listed if row["file"] in truth)
    plot.errors(_points(list(now.values()), truth))
    return text + "\n![stated against actual error](wild.png)\n"


def _sums(listed: list[dict[str, Any]], truth: dict[str, dict[str, Any]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for row in listed:
        exact, answer, known = row["exact"], _answer(row), truth.get(row["file"])
        total["files"] += 1
        total["**a number at once**"] += exact["verdict"] == NUMBER
        if exact["verdict"] == NUMBER:
            total[f"by method {exact['method']}{' (' + exact['united'] + ')' if exact['united'] else ''}"] += 1
        else:
            total[f"refused: {exact['verdict']}"] += 1
        if known and has_inside(known):
            total["**not closed, has an inside (v25 ≤ 2 v75)**"] += 1
            at_once, number = exact["verdict"] == NUMBER, answer is not None
            total["of these a number at once"] += at_once
            total["of these a number by the first remedy"] += number and not at_once
            total["of these no number"] += not number
            total["of these a number by Voxels"] += row["voxel"]["verdict"] == NUMBER
            total["of these within the stated error"] += bool(answer and within(answer, known, row["noise"]))
        elif known:
            total["no inside, and refused"] += answer is None
            total["no inside, but a number"] += answer is not None
    total["seconds in all"] = round(sum(row["exact"]["s"] for row in listed))
    return total


def _answer(row: dict[str, Any]) -> dict[str, Any] | None:
    """Return the number that a user gets, at once or by the first remedy."""
    tried = (row["exact"], row.get("by first", {"verdict": ""}))
    return next((one for one in tried if one["verdict"] == NUMBER), None)


def _line(row: dict[str, Any], truth: dict[str, Any]) -> str:
    answer = _answer(row)
    name = Path(row["file"]).name
    ratio = f"{truth['v25'] / truth['v75']:.3f}" if truth["v75"] else "no inside"
    exact = row["exact"]
    text = f"| {name} | {row['faces']:,} | {ratio} | {exact.get('method', '')} {exact.get('united', '')}"
    text += f"{'' if exact['verdict'] == NUMBER else exact['verdict']} | {row.get('first', '')}"
    text += f" | {row['by first']['verdict'] if 'by first' in row else ''}"
    if answer is None or not truth["v50"]:
        return text + " | | | | |" + f" {exact['s']:.2f} |\n"
    verdict = "yes" if within(answer, truth, row["noise"]) else "**no**"
    useful, stated = limit(truth), (answer["error"], answer["error_inertia"])
    mark = "" if row["exact"] is answer or (stated[0] <= useful and stated[1] <= 3.0 * useful) else " **over**"
    text += f" | {_pair(stated)} | {useful:.1e}{mark} | {_pair(off(answer, truth))} | {verdict} | {exact['s']:.2f} |\n"
    return text


def _pair(errors: tuple[float, float]) -> str:
    return " / ".join(f"{error:.1e}" for error in errors)


def _points(
    listed: list[dict[str, Any]], truth: dict[str, dict[str, Any]]
) -> dict[str, list[tuple[float, float, float]]]:
    """Return stated and actual errors, and the doubt about the actual one, by what they are of."""
    points: dict[str, list[tuple[float, float, float]]] = {}
    for row in listed:
        known = truth.get(row["file"])
        if known is None or not has_inside(known):
            continue
        for way in ("exact", "voxel"):
            if row.get(way, {}).get("verdict") == NUMBER:
                doubt = row["noise"] / known["v50"]
                points.setdefault(f"wild, {way}", []).append((row[way]["error"], off(row[way], known)[0], doubt))
    from core import InertiaError, measure_mesh
    from tests.core.families import generated

    for family, method in GENERATED.items():
        for number in range(EACH):
            case = generated(family, number)
            if case.truth is None:
                continue
            try:
                found = measure_mesh(*case.mesh, method=method)
            except InertiaError:
                continue
            right = np.array([[float(one) for one in line] for line in case.truth.covariance])
            actual = float(np.abs(found.moments.covariance - right).max() / np.trace(right))
            actual = max(actual, abs(found.moments.volume / float(case.truth.volume) - 1.0))
            if found.error > 0.0:
                points.setdefault(f"generated, {family.replace('_', ' ')}, {method}", []).append(
                    (found.error, actual, 0.0)
                )
    return points


if __name__ == "__main__":
    sides = {Path(folder).name: rows(Path(folder)) for folder in sys.argv[1:]}
    print(report({**sides, "now": rows(CHECKOUT)}))
