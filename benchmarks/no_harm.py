# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether `repair` brings back what was injected into sound robots, and leaves all else as it was.

``make .venvs/robots/.ready && .venvs/robots/bin/python -m benchmarks.no_harm --checkout DIR`` writes raw.json,
sound.json and section.md to build/no_harm, or to ``--output``. Two checkouts are compared by giving the second the
first one's sound.json, so that both get the same links: ``--sound FILE``.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import zlib
from argparse import Namespace
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from lxml import etree

from . import solids, sound_robots
from .command import File, core, files, find_mesh, finish, options, ready, table
from .injections import FAULTS, MISSING, NOT_UNIFORM, SEVERAL, UNLIKE, WITH_DENSITY, Given
from .solids import Element, Solid
from .sound_robots import Sound

TITLE = "Faults injected into sound robots"
BACK = 1e-3
"""Brought back: mass relative, centre by the size of the geometry, tensor by its trace."""
ROUND_IT = 3.0
"""No body in a box has a trace of more than three times a solid box's about the same centre."""
NEAR = 0.05
"""A centre is the geometry's if it is within this share of its size."""
SAME = 1e-9
"""Unchanged, but for how numbers are written."""
BEFORE = "injected"
OUTCOMES = ("brought back", "left, a finding names it", "left silently", "made something else")
Row = dict[str, Any]


@dataclass(frozen=True)
class Robot:
    """A file and its sound links by full name."""

    source: str
    name: str
    path: Path
    sound: dict[str, Sound]


def main() -> int:
    """Inject all faults and write the results."""
    parser = options("Inject faults into sound robots and repair them.", "no_harm")
    parser.add_argument("--robots", type=int, default=40, help="how many are generated")
    parser.add_argument("--published", type=int, default=40, help="how many published ones are taken at most")
    parser.add_argument("--sound", type=Path, help="sound.json of an earlier run: the published links to take")
    chosen = ready(parser)
    robots = []
    for number in range(chosen.robots):
        path, sound = sound_robots.write(chosen.output / "generated" / str(number), number, chosen.seed)
        robots.append(Robot("generated", path.name, path, sound))
    if chosen.published:
        robots += _published(chosen)
    rows = []
    for number, robot in enumerate(robots):
        for fault in (None, *FAULTS):
            rows += _try(robot, fault, chosen.checkout, chosen.seed)
        print(f"{number + 1}/{len(robots)} {robot.name}", file=sys.stderr)
    (chosen.output / "raw.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")
    text = _section(rows, robots)
    finish(chosen, TITLE, text)
    return 0


def _published(chosen: Namespace) -> list[Robot]:
    """Return drawn files of packages with their sound links, by the file of an earlier run or by `check --strict`."""
    given = json.loads(chosen.sound.read_text(encoding="utf-8")) if chosen.sound else None
    listed = files(".urdf", ".sdf")
    found: list[Robot] = []
    for index in np.random.default_rng(chosen.seed).permutation(len(listed)):
        file = listed[index]
        if len(found) == chosen.published or (given is not None and file.name not in given):
            continue
        file = _copy(file, chosen.output / "packages")
        sound = _sound(file, _unaccused(chosen.checkout, file) if given is None else given[file.name])
        if sound:
            found.append(Robot("published", file.name, file.absolute, sound))
    known = {robot.name: list(robot.sound) for robot in found}
    (chosen.output / "sound.json").write_text(json.dumps(known, indent=1), encoding="utf-8")
    return found


def _copy(file: File, folder: Path) -> File:
    """Return the file in a copy of its package, made once of hard links, in which injected files can stand."""
    target = folder / file.package
    if not target.exists():
        try:
            shutil.copytree(file.root, target, copy_function=os.link)
        except (OSError, shutil.Error):
            shutil.rmtree(target)
            shutil.copytree(file.root, target)
    return File(file.package, target, file.path)


def _unaccused(checkout: Path, file: File) -> list[str]:
    """Return the links that `check --strict` has nothing against and whose geometry it reads."""
    folders = [file.root.parent, file.root, file.root / "xacro"]
    roots = [word for folder in folders if folder.is_dir() for word in ("--path", folder)]
    done = core(checkout, "check", "--strict", "--json", *roots, file.path, folder=file.root)
    root = solids.read(file.absolute)
    if root is None or done.code not in (0, 1):
        return []
    findings = [one for listed in json.loads(done.out)["files"] for one in listed["findings"]]
    whole = [one for one in findings if "link[" not in one["subject"] and one["severity"] == "error"]
    if whole or any(one["code"] == "geometry_not_read" for one in findings):
        return []
    said = " ".join(f"{one['subject']} {one['message']}" for one in findings)
    words = set(re.split(r"[^\w.-]+", said))
    return [name for name, link in solids.links(root) if link.get("name") not in words]


def _sound(file: File, names: list[str]) -> dict[str, Sound]:
    """Return those of the links that have an inertial and a solid by trimesh."""
    root = solids.read(file.absolute) if names else None
    found = {}
    for name, link in solids.links(root) if root is not None else ():
        body = solids.body(link)
        if name not in names or body is None or body.mass <= 0 or np.trace(body.inertia) <= 0:
            continue
        known = [solids.solid(link, kind, lambda uri: find_mesh(uri, file)) for kind in ("collision", "visual")]
        fits = [solid for solid in known if solid and body.difference(solid.body(body.mass), solid.size) <= BACK / 10]
        solid = next(iter([*fits, *filter(None, known)]), None)
        if solid and _plausible(body, solid):
            found[name] = Sound(body, solid, bool(fits))
    return found


def _plausible(body: solids.Body, solid: Solid) -> bool:
    """Return whether a body may be in its geometry: `check` looks at fixed links only as parts of others."""
    moments = np.linalg.eigvalsh(body.inertia)
    possible = moments[0] > 0 and moments[2] <= moments[:2].sum() * (1 + BACK)
    inside = (solid.low <= body.com).all() and (body.com <= solid.high).all()
    alike = 1 / UNLIKE < np.trace(body.inertia) / np.trace(solid.body(body.mass).inertia) < ROUND_IT
    return bool(possible and inside and alike)


def _try(robot: Robot, fault: str | None, checkout: Path, seed: int) -> list[Row]:
    """Inject a fault into a link and return what `repair` made of it: a row for each injected link, or for the file."""
    root = solids.read(robot.path)
    links = dict(solids.links(root))
    rng = np.random.default_rng([seed, zlib.crc32(f"{robot.name} {fault}".encode())])
    able = [name for name, sound in robot.sound.items() if _able(sound, fault in NOT_UNIFORM)]
    injected: list[str] = []
    for index in rng.permutation(len(able)) if fault else ():
        name = able[index]
        kept = etree.fromstring(etree.tostring(links[name].find("inertial")))
        if FAULTS[fault](Given(links[name], robot.sound[name], links, rng)):
            injected.append(name)
            if len(injected) == (3 if fault == SEVERAL else 1):
                break
        else:
            links[name].replace(links[name].find("inertial"), kept)
    if fault and not injected:
        return []
    path = robot.path.with_name(f"injected{robot.path.suffix}")
    target = robot.path.with_name(f"repaired{robot.path.suffix}")
    target.unlink(missing_ok=True)
    path.write_bytes(etree.tostring(root))
    faulty = {name: solids.body(links[name]) for name in injected}
    density = robot.sound[injected[0]].body.mass / robot.sound[injected[0]].solid.volume if injected else 0.0
    extra = ["--density", repr(density)] if fault == WITH_DENSITY else []
    done = core(checkout, "repair", "--json", "-o", target, *extra, path.name, folder=path.parent)
    after = dict(solids.links(solids.read(target if target.exists() else path)))
    told = json.loads(done.out)["findings"] if done.out.startswith("{") else []
    common: Row = {"source": robot.source, "file": robot.name, "fault": fault, "exit": done.code}
    common["harmed"] = [name for name in robot.sound if name not in injected and not _kept(robot, name, after)]
    if fault is None:
        return [common]
    path.unlink()
    rows = []
    for name in injected:
        body = solids.body(after[name]) if name in after else None
        row = common | {"link": name, "told": [one for one in told if _names(one, name)]}
        row["outcome"] = _outcome(body, faulty[name], robot.sound[name], row["told"])
        rows.append(row)
        common = common | {"harmed": []}  # counted once
    return rows


def _able(sound: Sound, other: bool) -> bool:
    """Return whether a link can have a fault: of others than uniform ones, those whose centre is the geometry's."""
    if not other:
        return sound.uniform
    return not sound.uniform and bool(np.abs(sound.body.com - sound.solid.com).max() <= NEAR * sound.solid.size)


def _kept(robot: Robot, name: str, after: dict[str, Element]) -> bool:
    body = solids.body(after[name]) if name in after else None
    sound = robot.sound[name]
    before = solids.body(dict(solids.links(solids.read(robot.path)))[name])
    return body is not None and before is not None and body.difference(before, sound.solid.size) <= SAME


def _names(finding: Row, name: str) -> bool:
    short = name.rpartition("::")[2]
    return f"link[@name='{short}']" in finding["subject"]


def _outcome(body: solids.Body | None, faulty: solids.Body | None, sound: Sound, told: list[Row]) -> str:
    size = sound.solid.size
    if body is not None and body.difference(sound.body, size) <= BACK:
        return OUTCOMES[0]
    same = body is None if faulty is None else body is not None and body.difference(faulty, size) <= SAME
    if body is not None and faulty is not None and not np.trace(faulty.inertia):
        same = not np.trace(body.inertia)
    if not same:
        return OUTCOMES[3]
    return OUTCOMES[1] if told else OUTCOMES[2]


def _section(rows: list[Row], robots: list[Robot]) -> str:
    """Return the figures as Markdown."""
    text = "By `python -m benchmarks.no_harm`: `repair` with its defaults; brought back means within "
    text += f"{BACK:g} of mass, centre (by size) and tensor (by trace).\n\n"
    for source in ("generated", "published"):
        mine = [robot for robot in robots if robot.source == source]
        text += f"{len(mine)} {source} robots with {sum(len(one.sound) for one in mine)} sound links, "
        text += f"{sum(sound.uniform for one in mine for sound in one.sound.values())} of uniform density:\n\n"
        plain = [row for row in rows if row["fault"] is None and row["source"] == source]
        always = {row["file"]: {*row["harmed"]} for row in plain}
        lines, total = [], Counter()
        for fault in FAULTS:
            of_it = [row for row in rows if row["fault"] == fault and row["source"] == source]
            # Of a link without inertial no mass is known, so that an error is the right answer.
            not_repairable = sum(fault == MISSING and row["outcome"] == OUTCOMES[1] for row in of_it)
            counts = Counter(row["outcome"] for row in of_it)
            counts[OUTCOMES[1]] -= not_repairable
            counts[BEFORE], counts["not repairable"] = len(of_it) - not_repairable, not_repairable
            counts["harmed"] = sum(len({*row["harmed"]} - always[row["file"]]) for row in of_it)
            total += counts
            lines.append((fault, *(counts[one] for one in (BEFORE, *OUTCOMES, "not repairable", "harmed"))))
        lines.append(("all", *(total[one] for one in (BEFORE, *OUTCOMES, "not repairable", "harmed"))))
        text += table(f"fault | injected | {' | '.join(OUTCOMES)} | not repairable | harmed neighbours", lines)
        harmed = [f"{row['file']} {name}" for row in plain for name in row["harmed"]]
        share = total[OUTCOMES[0]] / max(total[BEFORE], 1)
        text += f"Brought back: {share:.1%} (goal: 95 %). Sound links changed in {len(plain)} uninjured robots: "
        text += f"{len(harmed)} (goal: 0){': ' + '; '.join(harmed[:9]) if harmed else ''}.\n\n"
    return text


if __name__ == "__main__":
    sys.exit(main())
