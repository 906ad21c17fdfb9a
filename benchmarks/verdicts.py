# SPDX-License-Identifier: GPL-3.0-or-later
"""Which verdicts and numbers differ between two checkouts, over the reference data, the awkward set and the families.

``python -m benchmarks.verdicts BEFORE NOW`` measures every mesh by Exact and by Voxels with the core of either folder,
groups what changed by its kind, and says where the truth is known which of the two is nearer to it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .awkward import data_folder

CHECKOUT = Path(__file__).parents[1]
EACH = 15
"""Of each of twenty families."""
SAME = 1e-9
"""Relative: numbers that differ by less are the same."""


def _meshes() -> Iterator[tuple[str, Any, float | None]]:
    """Yield name, mesh (a path, or vertices and triangles) and volume; None: not known, 0: it has none."""
    from tests.core.families import FAMILIES, generated
    from tests.core.mesh.diagnosis.test_awkward_set import TABLE

    data = data_folder()
    wild = json.loads((data / "wild" / "truth.json").read_text(encoding="utf-8"))["files"]
    for path in sorted([*(data / "meshes").rglob("*"), *(data / "wild").iterdir(), *(data / "models").rglob("*")]):
        yield path.relative_to(data).as_posix(), path, wild.get(path.name, {}).get("v50")
    for name, mesh, solid, *_ in (case.values for case in TABLE):
        yield f"awkward: {name}", mesh, _volume(solid)
    for family in FAMILIES:
        for number in range(EACH):
            made = generated(family, number)
            yield f"family: {family} {number}", made.mesh, float(made.truth.volume) if made.truth else 0.0


def _volume(solid: Any) -> float:
    """Return the volume of a mesh or of a number; 0 for the code of a refusal."""
    if isinstance(solid, tuple):
        from core import mesh_moments

        return float(mesh_moments(*solid).volume)
    return 0.0 if solid is None or isinstance(solid, str) else float(solid)


def _worker() -> None:
    """Print what the core that is imported makes of each mesh by each method, a refusal with its remedy."""
    from core import InertiaError, measure_mesh
    from core.files import limits
    from core.files.mesh_file import load_surface
    from core.mesh.measure import measure_surface

    for name, mesh, volume in _meshes():
        if isinstance(mesh, Path) and mesh.suffix.lower() not in limits.LIMITS:
            continue
        for method in ("exact", "voxel"):
            row: dict[str, Any] = {"mesh": name, "by": method, "truth": volume}
            try:
                found = measure_surface(load_surface(mesh)[0], method) if isinstance(mesh, Path) else None
                found = found or measure_mesh(*mesh, method=method)
                row |= {"method": found.method, "volume": found.moments.volume, "error": found.error}
                row["codes"] = sorted({one.code for one in found.findings})
                row["warned"] = any(one.severity == "warning" for one in found.findings)
            except InertiaError as error:
                row |= {"refused": error.code, "remedy": error.remedy}
            print(json.dumps(row), flush=True)


def rows(checkout: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """Return what the core of a checkout makes of each mesh, by its name and the method."""
    program = (
        f"import sys; sys.path[:0] = [{str(checkout)!r}, {str(CHECKOUT)!r}]\n"
        "import core, tests, benchmarks\n"  # the core of the one, the meshes of the other
        f"tests.__path__, benchmarks.__path__ = [{str(CHECKOUT / 'tests')!r}], [{str(CHECKOUT / 'benchmarks')!r}]\n"
        "from benchmarks.verdicts import _worker\n"
        "_worker()"
    )
    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, check=True)
    return {(row["mesh"], row["by"]): row for row in map(json.loads, done.stdout.splitlines())}


def change(old: dict[str, Any], new: dict[str, Any]) -> str:
    """Return of what kind a change is; empty if there is none."""
    if "refused" in old and "refused" in new:
        if old["refused"] != new["refused"]:
            return f"refused: {old['refused']} → {new['refused']}"
        return "" if old["remedy"] == new["remedy"] else f"another remedy: {old['remedy']} → {new['remedy']}"
    if "refused" in new:
        return f"**a number → refused** as {new['refused']}"
    if "refused" in old:
        return f"{old['refused']} → a number ({new['method']})" + _told(set(), set(new["codes"]))
    text = "" if old["method"] == new["method"] else f"{old['method']} → {new['method']}"
    text += _told(set(old["codes"]), set(new["codes"]))
    if abs(new["volume"] - old["volume"]) > SAME * abs(old["volume"]):
        text += " another volume"
    return text.strip()


def _told(old: set[str], new: set[str]) -> str:
    return "".join(f" +{code}" for code in sorted(new - old)) + "".join(f" −{code}" for code in sorted(old - new))


def off(row: dict[str, Any]) -> float | None:
    """Return how far a volume is from the truth, relative; None if there is none of them."""
    if "refused" in row or not row["truth"]:
        return None
    return float(abs(row["volume"] / row["truth"] - 1.0))


def silent(row: dict[str, Any]) -> bool:
    """Return True if a number is more than its error beside the truth, and no warning with it."""
    if "refused" in row or row["truth"] is None or row["warned"]:
        return False
    return row["truth"] == 0.0 or (off(row) or 0.0) > row["error"] + SAME


def report(before: dict[tuple[str, str], dict[str, Any]], now: dict[tuple[str, str], dict[str, Any]]) -> str:
    """Return the table of changes in Markdown."""
    kinds: dict[tuple[str, str], list[tuple[dict[str, Any], dict[str, Any]]]] = {}
    for key in before.keys() & now.keys():
        if kind := change(before[key], now[key]):
            kinds.setdefault((key[1], kind), []).append((before[key], now[key]))
    text = f"{len(now):,} verdicts on {len({mesh for mesh, _ in now}):,} meshes; silently wrong before"
    text += f" {sum(map(silent, before.values()))}, now {sum(map(silent, now.values()))}.\n\n"
    text += "| by | change | meshes | an example | most off the truth: before | now |\n|---|---|---:|---|---:|---:|\n"
    for (method, kind), pairs in sorted(kinds.items(), key=lambda one: (one[0][0], -len(one[1]), one[0][1])):
        example = min(new["mesh"] for _, new in pairs)
        most = [
            max((one for one in map(off, side) if one is not None), default=None) for side in zip(*pairs, strict=True)
        ]
        told = ["" if one is None else f"{one:.1e}" for one in most]
        text += f"| {method} | {kind} | {len(pairs)} | {example} | {told[0]} | {told[1]} |\n"
    return text


if __name__ == "__main__":
    print(report(*(rows(Path(folder)) for folder in sys.argv[1:3])))
