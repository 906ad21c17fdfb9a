# SPDX-License-Identifier: GPL-3.0-or-later
"""How much of published robots comes into Blender: each visual and collision whose file is there, by its triangles.

``make .venvs/robots/.ready .venv/.ready && .venvs/robots/bin/python -m benchmarks.imports`` imports every URDF of three
packages. What must come in is counted from the files on disk by trimesh, which knows nothing of the extension; where
the links must be is asked of Drake.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import trimesh
from lxml.etree import Element, SubElement, tostring

from . import solids
from .command import File, files, find_mesh, finish, options, ready, run, table

TITLE = "Robots in Blender"
KINDS = ("visual", "collision")
SHAPES = ("box", "sphere", "cylinder", "capsule")
CLOSE = 1e-3
"""Difference of two sizes, relative to the largest of their axes, below which they are the same."""
UNIT = re.compile(rb'<unit[^>]*\smeter="([^"]+)"')
Row = dict[str, Any]
GIVEN = ("pybullet_data",)
"""Packages whose files have paths from the folder of the package, which a user of PyBullet must name, too."""
NOTHING: Row = {"parts": [], "s": 0.0, "warnings": 0, "poses": {}}
"""What comes in where Blender crashes."""


def main() -> int:
    """Import all files and write the results."""
    parser = options("Count what of published robots comes into Blender.", "imports")
    parser.add_argument("--only", default="", help="a part of the names of the files to import")
    chosen = ready(parser)
    rows = []
    read = {file: solids.read(file.absolute) for file in files(".urdf") if chosen.only in file.name}
    robots = {file: root for file, root in read.items() if root is not None and root.tag == "robot"}
    poses = _drakes_poses({file.name: root for file, root in robots.items()}, chosen.checkout)
    for file, root in robots.items():
        rows.append(_row(file, root, chosen.checkout, poses[file.name]))
        print(_line(rows[-1]), file=sys.stderr)
    (chosen.output / "raw.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")
    finish(chosen, TITLE, _section(rows))
    return 0


def _drakes_poses(robots: dict[str, Any], checkout: Path) -> dict[str, dict[str, Any] | None]:
    """Return the poses of the links of each robot in its first link; None for a robot that Drake refuses.

    It gets nothing but links and the frames of joints, all of them fixed: that is where they are at zero.
    """
    texts = {}
    for name, root in robots.items():
        bare = Element("robot", name="robot")
        for link in root.findall("link"):
            SubElement(bare, "link", name=link.get("name"))
        for joint in root.findall("joint"):
            fixed = SubElement(bare, "joint", name=joint.get("name"), type="fixed")
            fixed.extend(deepcopy(child) for child in joint if child.tag in ("origin", "parent", "child"))
        texts[name] = tostring(bare, encoding="unicode")
    python, inside = checkout / ".venv" / "bin" / "python", Path(__file__).with_name("kinematics.py")
    done = subprocess.run([python, inside], input=json.dumps(texts), capture_output=True, text=True, check=True)
    poses: dict[str, dict[str, Any] | None] = json.loads(done.stdout)
    return poses


def _farthest(made: dict[str, Any], wanted: dict[str, Any] | None) -> float | None:
    """Return the largest difference of a number in the poses [m or 1] of links and frames; None without Drake's."""
    both = [name for name in wanted or () if name in made]
    if wanted is None or not both:
        return None
    X_1W = np.linalg.inv(np.array(made[both[0]])), np.linalg.inv(np.array(wanted[both[0]]))
    return max(float(np.abs(X_1W[0] @ made[name] - X_1W[1] @ wanted[name]).max()) for name in both)


def _row(file: File, root: Any, checkout: Path, poses: dict[str, Any] | None) -> Row:
    """Return what came in of one file, and what was lost."""
    python, inside = checkout / ".venv" / "bin" / "python", Path(__file__).with_name("imported.py")
    done = run(python, inside, checkout, file.absolute, file.root if file.package in GIVEN else "")
    lines = [line for line in done.out.splitlines() if line.startswith('{"s"')]
    made: Row = json.loads(lines[-1]) if lines else NOTHING | {"error": done.err[-300:]}
    left = list(made["parts"])
    row: Row = {"file": file.name, "error": made["error"], "s": made["s"], "lost": [], "other": []}
    row["warnings"], row["links"] = made["warnings"], len(made["poses"])
    row["without pose"] = [name for name in poses or () if name not in made["poses"]]
    row["off"] = _farthest(made["poses"], poses)
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
    made += f", {row['links']} links off {row['off']}, {row['warnings']} warnings"
    return " ".join([row["file"], *shares, made, *map(str, row["lost"][:3]), *map(str, row["other"][:3]), row["error"]])


def _section(rows: list[Row]) -> str:
    totals: dict[str, Counter[str]] = {}
    for row in rows:
        for package in (row["file"].partition("/")[0], "all"):
            totals.setdefault(package, Counter()).update(row["counts"])
    cells = [
        (f"{kind}s of {package}", total[kind], total[f"{kind} in"], f"{total[f'{kind} in'] / max(total[kind], 1):.2%}")
        for kind in KINDS
        for package, total in sorted(totals.items())
    ]
    text = table("parts whose file is there | count | came in | share", cells)
    compared = [row for row in rows if row["off"] is not None]
    farthest = max(compared, key=lambda row: row["off"], default={"off": 0.0, "file": "none"})
    warnings = sum(row["warnings"] for row in rows)
    slowest = max(rows, key=lambda row: row["s"])
    refused = sum(bool(row["error"]) for row in rows)
    materials, images = (sum(row[kind] for row in rows) for kind in ("materials", "images"))
    return (
        f"{text}{len(rows)} files, {refused} refused; {materials} materials and {images} images. A part came in if its"
        " link has one of its kind with as many triangles, and as large along its axes, as trimesh finds in the file."
        f" The folder of {' and '.join(GIVEN)} is given as Packages."
        f" The slowest file is {slowest['file']}: {slowest['triangles']:,} triangles in {slowest['s']:.1f} s of CPU.\n"
        f"\nPoses of {sum(row['links'] for row in compared)} links and frames of {len(compared)} files differ from"
        f" Drake's by at most {farthest['off']:.1e} ({farthest['file']}); {warnings} warnings.\n"
    )


if __name__ == "__main__":
    sys.exit(main())
