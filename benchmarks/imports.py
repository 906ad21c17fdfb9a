# SPDX-License-Identifier: GPL-3.0-or-later
"""How much of published robots comes into Blender: each visual and collision whose file is there, by its triangles.

``make .venvs/robots/.ready .venv/.ready && .venvs/robots/bin/python -m benchmarks.imports`` imports every URDF of three
packages. What must come in is counted from the files on disk by trimesh, which knows nothing of the extension.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import trimesh

from . import solids
from .command import File, files, find_mesh, finish, options, ready, run, table

TITLE = "Robots in Blender"
KINDS = ("visual", "collision")
SHAPES = ("box", "sphere", "cylinder", "capsule")
CLOSE = 1e-3
"""Difference of two sizes, relative to the largest of their axes, below which they are the same."""
UNIT = re.compile(rb'<unit[^>]*\smeter="([^"]+)"')
Row = dict[str, Any]


def main() -> int:
    """Import all files and write the results."""
    parser = options("Count what of published robots comes into Blender.", "imports")
    parser.add_argument("--only", default="", help="a part of the names of the files to import")
    chosen = ready(parser)
    rows = []
    for file in files(".urdf"):
        if chosen.only in file.name:
            root = solids.read(file.absolute)
            if root is not None and root.tag == "robot":
                rows.append(_row(file, root, chosen.checkout))
                print(_line(rows[-1]), file=sys.stderr)
    (chosen.output / "raw.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")
    finish(chosen, TITLE, _section(rows))
    return 0


def _row(file: File, root: Any, checkout: Path) -> Row:
    """Return what came in of one file, and what was lost."""
    python, inside = checkout / ".venv" / "bin" / "python", Path(__file__).with_name("imported.py")
    done = run(python, inside, checkout, file.absolute)
    lines = [line for line in done.out.splitlines() if line.startswith('{"s"')]
    made: Row = json.loads(lines[-1]) if lines else {"error": done.err[-300:], "parts": [], "s": 0.0}
    left = list(made["parts"])
    row: Row = {"file": file.name, "error": made["error"], "s": made["s"], "lost": [], "other": []}
    row["triangles"] = sum(part["triangles"] for part in left)
    row["materials"] = len({name for part in left for name in part["materials"] if name})
    row["images"] = sum(part["images"] for part in left)
    counts: Counter[str] = Counter()
    for link in root.findall("link"):
        for kind in KINDS:
            for part in link.findall(kind):
                wanted = _wanted(part, file)
                if wanted is None:
                    counts[f"{kind} without file"] += 1
                    continue
                own = [one for one in left if (one["link"], one["kind"]) == (link.get("name"), kind)]
                same = next((one for one in own if _fits(one, wanted)), None)
                counts[kind] += 1
                if same is None:
                    row["lost" if not own else "other"].append([link.get("name"), kind, wanted["what"]])
                else:
                    left.remove(same)
                    counts[f"{kind} in"] += 1
    return row | {"counts": counts}


def _wanted(part: Any, file: File) -> Row | None:
    """Return what is known of a part from the disk: None if its mesh is not there, or holds no triangle."""
    shape = next((one for one in part.iterfind("geometry/*")), None)
    if shape is None:
        return None
    if shape.tag in SHAPES:
        return {"what": shape.tag, "triangles": None, "size": None}
    if shape.tag != "mesh" or not shape.get("filename"):
        return None
    path = find_mesh(shape.get("filename"), file)
    if path is None:
        return None
    read = _mesh(path)
    if read is None:
        return None
    triangles, size = read
    scale = np.abs([float(word) for word in shape.get("scale", "1 1 1").split()][:3])
    return {"what": path.name, "triangles": triangles, "size": np.sort(size * scale)}


@cache
def _mesh(path: Path) -> tuple[int, np.ndarray] | None:
    """Return how many triangles a file holds, and its size along its axes [m]; None if trimesh finds none in it."""
    try:
        scene = trimesh.load_scene(path, process=False)
    except Exception:
        return None
    meshes = [scene.geometry[scene.graph[node][1]] for node in scene.graph.nodes_geometry]
    triangles = sum(len(mesh.faces) for mesh in meshes if isinstance(mesh, trimesh.Trimesh))
    unit = UNIT.search(path.read_bytes()) if path.suffix.lower() == ".dae" else None
    return (triangles, scene.extents * (1.0 if unit is None else float(unit[1]))) if triangles else None


def _fits(made: Row, wanted: Row) -> bool:
    if wanted["triangles"] is None:
        return bool(made["geometry"] != "MESH")
    if made["geometry"] != "MESH" or made["triangles"] != wanted["triangles"]:
        return False
    return bool(np.abs(np.sort(made["size"]) - wanted["size"]).max() <= CLOSE * wanted["size"].max())


def _line(row: Row) -> str:
    counts = row["counts"]
    shares = [f"{counts[f'{kind} in']}/{counts[kind]} {kind}s" for kind in KINDS]
    made = f"{row['triangles']} triangles, {row['materials']} materials, {row['images']} images, {row['s']:.1f} s"
    return " ".join([row["file"], *shares, made, *map(str, row["lost"][:3]), *map(str, row["other"][:3]), row["error"]])


def _section(rows: list[Row]) -> str:
    total: Counter[str] = Counter()
    for row in rows:
        total.update(row["counts"])
    cells = [(kind, total[kind], total[f"{kind} in"], f"{total[f'{kind} in'] / total[kind]:.1%}") for kind in KINDS]
    text = table("parts whose file is there | count | came in | share", cells)
    slowest = max(rows, key=lambda row: row["s"])
    refused = sum(bool(row["error"]) for row in rows)
    materials, images = (sum(row[kind] for row in rows) for kind in ("materials", "images"))
    return (
        f"{text}{len(rows)} files, {refused} refused; {materials} materials and {images} images. A part came in if its"
        " link has one of its kind with as many triangles, and as large along its axes, as trimesh finds in the file."
        f" The slowest file is {slowest['file']}: {slowest['triangles']:,} triangles in {slowest['s']:.1f} s.\n"
    )


if __name__ == "__main__":
    sys.exit(main())
