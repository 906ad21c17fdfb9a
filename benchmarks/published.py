# SPDX-License-Identifier: GPL-3.0-or-later
"""What `check` and `repair` of a checkout make of the robots that three packages publish, run from outside.

``make .venvs/robots/.ready && .venvs/robots/bin/python -m benchmarks.published --checkout DIR`` writes raw.json,
findings.md (a draw to judge by hand) and section.md to build/published, or to ``--output``.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections import Counter
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import numpy as np
from lxml import etree

from . import solids
from .command import SECONDS, Done, File, core, files, find_mesh, finish, options, ready, run, table

TITLE = "Robots of three packages"
DRAWN, OF_ONE_CODE = 40, 3
LOAD = "import mujoco, sys; mujoco.MjModel.from_xml_path(sys.argv[1])"
LOADED = 60.0
"""Seconds for MuJoCo to load a robot."""
GOAL = 5.0
"""Seconds of CPU for `repair` of any file."""
LINK = re.compile(r" (/.*?/link\[@name='[^']*'\])")
Row = dict[str, Any]


def main() -> int:
    """Measure all files and write the results."""
    parser = options("Measure check and repair of published robots.", "published")
    parser.add_argument("--only", default="", help="a part of the names of the files to measure")
    parser.add_argument("--again", action="store_true", help="only write the texts, from raw.json")
    chosen = ready(parser)
    raw = chosen.output / "raw.json"
    taken = {one.name: one for one in files(".urdf", ".sdf") if chosen.only in one.name}
    if not chosen.again:
        rows = []
        for number, file in enumerate(taken.values()):
            rows.append(_row(file, chosen.checkout, chosen.output / "files" / f"{number:03d}"))
            print(f"{number + 1}/{len(taken)} {file.name}: repair {rows[-1]['repair']['cpu']:.1f} s", file=sys.stderr)
        raw.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    rows = json.loads(raw.read_text(encoding="utf-8"))
    (chosen.output / "findings.md").write_text(_drawn(rows, taken, chosen.seed), encoding="utf-8")
    text = _section(rows)
    finish(chosen, TITLE, text)
    return 0


def _row(file: File, checkout: Path, folder: Path) -> Row:
    """Return all that is measured of one file."""
    folder.mkdir(parents=True, exist_ok=True)
    repaired = folder / f"repaired{file.path.suffix}"
    repaired.unlink(missing_ok=True)
    check = core(checkout, "check", "--json", file.path, folder=file.root)
    text = core(checkout, "check", file.path, folder=file.root)
    # As --dry-run, but that MuJoCo can load the result.
    repair = core(checkout, "repair", "--json", "-o", repaired, file.path, folder=file.root)
    found = [finding for one in _json(check).get("files", []) for finding in one["findings"]]
    told = _json(repair)
    lines = (text.out + text.err).splitlines()
    row: Row = {"file": file.name, "links": 0, "readable": False}
    row["check"] = {"exit": check.code, "cpu": check.cpu, "findings": found, "same exit": check.code == text.code}
    row["text"] = {"lines": len(lines), "longest": max(map(len, lines), default=0)}
    row["repair"] = {"exit": repair.code, "cpu": repair.cpu, "links": told.get("links", []), "error": repair.err[-500:]}
    row["repair"]["findings"] = told.get("findings", [])
    root = solids.read(file.absolute)
    if root is None:
        return row
    row |= {"readable": True, "links": len(list(solids.links(root)))}
    meshes = [uri for _, uri in solids.mesh_uris(root)]
    row["meshes"] = {"named": len(meshes), "there": sum(find_mesh(uri, file) is not None for uri in meshes)}
    row["agreement"] = _agreement(root, file, row["repair"]["links"])
    if root.tag == "robot":
        row["mujoco"] = _mujoco(file, repaired, folder)
    return row


def _json(done: Done) -> Row:
    try:
        found: Row = json.loads(done.out)
        return found
    except json.JSONDecodeError:
        return {}


def _agreement(root: solids.Element, file: File, repaired: list[Row]) -> list[Row]:
    """Return how far each new tensor is from trimesh's at the same mass, where trimesh finds all meshes closed."""
    by_name = dict(solids.links(root))
    listed = []
    for one in repaired:
        link, new = by_name.get(one["name"]), one["new"]
        if link is None or new is None or one["from"] is None or not solids.mesh_uris(link):
            continue
        try:
            solid = solids.solid(link, one["from"], lambda uri: find_mesh(uri, file))
        except ValueError:
            continue
        if solid is None or not any(True for part in link.findall(one["from"]) for _ in part.iter("mesh")):
            continue
        i = new["inertia"]
        tensor = np.array(
            [[i["ixx"], i["ixy"], i["ixz"]], [i["ixy"], i["iyy"], i["iyz"]], [i["ixz"], i["iyz"], i["izz"]]]
        )
        body = solids.Body(new["mass"], np.array(new["com"]), tensor)
        right = solid.body(new["mass"])
        tensors = float(np.abs(tensor - right.inertia).max() / np.trace(right.inertia))
        listed.append({"link": one["name"], "off": body.difference(right, solid.size), "tensor": tensors})
        listed[-1] |= {"method": new["method"], "error": new["error"]}
    return listed


def _mujoco(file: File, repaired: Path, folder: Path) -> Row:
    """Return why MuJoCo refuses the file before and after its repair; empty where it loads."""
    before = _refusal(file, file.absolute, folder / "before.urdf")
    if not repaired.is_file() or repaired.read_bytes() == file.absolute.read_bytes():
        return {"before": before, "after": before}
    return {"before": before, "after": _refusal(file, repaired, folder / "after.urdf")}


def _refusal(file: File, source: Path, target: Path) -> str:
    root = solids.read(source)
    if root is None:
        return "not XML"
    for visual in list(root.iter("visual")):
        visual.getparent().remove(visual)
    for mesh, uri in solids.mesh_uris(root):
        if (path := find_mesh(uri, file)) is not None:
            mesh.set("filename", str(_for_mujoco(path, target.parents[1] / "meshes")))
    for old in root.findall("mujoco"):
        root.remove(old)
    compiler = etree.SubElement(etree.SubElement(root, "mujoco"), "compiler")
    compiler.attrib.update({"discardvisual": "true", "strippath": "false", "balanceinertia": "false"})
    target.write_bytes(etree.tostring(root))
    done = run(sys.executable, "-c", LOAD, target, seconds=LOADED)
    said = " ".join(done.err.rpartition("ValueError: ")[2].split())
    return "" if done.code == 0 else (said or f"ended by {done.code}")


def _for_mujoco(path: Path, folder: Path) -> Path:
    """Return a mesh as MuJoCo reads it: what is not STL or OBJ, or is STL as text, is written as binary STL."""
    if path.suffix.lower() == ".obj":
        return path
    target = folder / f"{path.stem}-{hashlib.sha256(str(path).encode()).hexdigest()[:8]}.stl"
    if not target.exists():
        mesh = solids.load_mesh(path)
        if mesh is None:
            return path
        folder.mkdir(exist_ok=True)
        mesh.export(str(target))
    return target


def _section(rows: list[Row]) -> str:
    """Return the figures as Markdown."""
    refused = [row for row in rows if row["check"]["exit"] == 1]
    ends = Counter(row["check"]["exit"] for row in rows)
    text = f"{len(rows)} files: example-robot-data, rtb-data and pybullet_data (of its 1,000 random objects, 25). "
    text += "Measured by `python -m benchmarks.published`, with default options and without --path.\n\n"
    text += f"`check`: exit 1 for {len(refused)} of {len(rows)} ({len(refused) / len(rows):.0%}); "
    text += "all exits: " + ", ".join(f"{code}: {count}" for code, count in sorted(ends.items())) + ".\n\n"
    for severity in ("error", "warning"):
        found, within = Counter(), {}
        for row in rows:
            for finding in row["check"]["findings"]:
                if finding["severity"] == severity:
                    found[finding["code"]] += 1
                    within.setdefault(finding["code"], set()).add(row["file"])
        order = sorted(found, key=lambda code: (-len(within[code]), code))
        text += table(f"{severity} | files | findings", [(code, len(within[code]), found[code]) for code in order])
    counts = [row["text"]["lines"] for row in rows]
    longest = [row["text"]["longest"] for row in rows]
    unread = [row for row in rows if any(one["code"] == "geometry_not_read" for one in row["check"]["findings"])]
    there = [row for row in unread if row.get("meshes", {}).get("named") == row.get("meshes", {}).get("there", -1)]
    text += table(
        "text of `check` | median | p90 | most",
        [
            ("lines for a file", f"{median(counts):.0f}", f"{quantiles(counts, n=10)[8]:.0f}", max(counts)),
            ("longest line", f"{median(longest):.0f}", f"{quantiles(longest, n=10)[8]:.0f}", max(longest)),
        ],
    )
    text += f"Geometry not read by `check`: {len(unread)} files; in {len(there)} of them all meshes are in the"
    text += " package.\n\n" + _repairs(rows)
    return text + _loads(rows)


def _repairs(rows: list[Row]) -> str:
    links = [one for row in rows for one in row["repair"]["links"]]
    counts = Counter((one["fault"], one["done"]) for one in links)
    faults = sorted({one["fault"] for one in links})
    text = table(
        "`repair`: fault | repaired | left",
        [(fault, counts[fault, True], counts[fault, False]) for fault in faults],
    )
    agreed = [(one["tensor"], row["file"], one) for row in rows for one in row.get("agreement", [])]
    if agreed:
        agreed.sort(key=lambda one: one[0])
        off = [one[0] for one in agreed]
        worst = "; ".join(f"{at} {one['link']} ({one['method']}): {value:.1e}" for value, at, one in agreed[:-4:-1])
        text += f"New tensors against trimesh's at the same mass, of {len(off)} links whose meshes are watertight: "
        text += f"median {median(off):.1e} of the trace; {sum(one <= 1e-3 for one in off)} within 1e-3. "
        text += f"Farthest: {worst}.\n\n"
    slow = sorted(rows, key=lambda row: -row["repair"]["cpu"])
    text += table(
        "slowest `repair` | CPU s | links",
        [(row["file"], f"{row['repair']['cpu']:.1f}", row["links"]) for row in slow[:5]],
    )
    over = sum(row["repair"]["cpu"] > GOAL for row in rows)
    refused = sum(row["repair"]["exit"] == 1 for row in rows)
    text += f"Goal: {GOAL:g} s; {over} files take longer. In all: {sum(row['repair']['cpu'] for row in rows):.0f} s. "
    odd = [row["file"] for row in rows if row["repair"]["exit"] not in (0, 1) or row["repair"]["cpu"] > SECONDS]
    text += f"Exit 1: {refused} files. "
    return text + f"Ended otherwise than by 0 or 1: {', '.join(odd) or 'none'}.\n\n"


def _loads(rows: list[Row]) -> str:
    tried = [row["mujoco"] | {"file": row["file"]} for row in rows if "mujoco" in row]
    kinds = Counter((not one["before"], not one["after"]) for one in tried)
    worse = [f"{one['file']} ({one['after']})" for one in tried if not one["before"] and one["after"]]
    why = Counter(re.sub(r"'[^']*'|\d+", "…", one["after"])[:90] for one in tried if one["after"])
    text = table(
        "MuJoCo loads | URDF files",
        [
            ("before repair", kinds[True, True] + kinds[True, False]),
            ("only after repair", kinds[False, True]),
            ("only before repair: worse", kinds[True, False]),
            ("neither", kinds[False, False]),
        ],
    )
    text += f"Worse: {'; '.join(worse) or 'none'}.\n\n"
    return text + table("after repair MuJoCo refuses | files", list(why.most_common(8)))


def _drawn(rows: list[Row], taken: dict[str, File], seed: int) -> str:
    """Return findings to judge by hand. Each has its own lot, so that most of a draw stays when others come or go."""
    listed = [(row["file"], finding) for row in rows for finding in row["check"]["findings"]]

    def lot(one: tuple[str, Row]) -> str:
        name, finding = one
        return hashlib.sha256(f"{seed} {name} {finding['code']} {finding['subject']}".encode()).hexdigest()

    drawn: list[tuple[str, Row]] = []
    of_code: Counter[str] = Counter()
    for one in sorted(listed, key=lot):
        if len(drawn) < DRAWN and of_code[one[1]["code"]] < OF_ONE_CODE:
            of_code[one[1]["code"]] += 1
            drawn.append(one)
    text = f"# {len(drawn)} of {len(listed)} findings, at most {OF_ONE_CODE} of a code, seed {seed}\n"
    for number, (name, finding) in enumerate(drawn, 1):
        text += f"\n## {number}. {finding['code']} ({finding['severity']})\n\n{finding['subject']}\n\n"
        text += f"Message: {finding['message']}\n\nFix: {finding['remedy']}\n\n```xml\n"
        text += (_excerpt(taken[name], finding["subject"]) if name in taken else "") + "```\n"
    return text


def _excerpt(file: File, subject: str) -> str:
    """Return what the file says about the inertia of a finding's link."""
    root, place = solids.read(file.absolute), LINK.search(subject)
    found = [] if root is None or place is None else root.xpath(place[1])
    parts = [part for link in found[:1] for kind in ("inertial", "collision", "visual") for part in link.findall(kind)]
    return "".join(etree.tostring(part, encoding="unicode").strip() + "\n" for part in parts)[:4000]


if __name__ == "__main__":
    sys.exit(main())
