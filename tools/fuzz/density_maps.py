# SPDX-License-Identifier: GPL-3.0-or-later
"""Maps of densities, CSV and JSON: faults of rows, columns, values and bytes; then names are looked up in them."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

from core.body.density_map import COLUMNS, DensityMap
from core.errors import InertiaError

from .octets import damaged
from .oracle import FaultError, named
from .values import ODD_FLOATS, ODD_NUMBERS, ODD_TEXTS, density

MATCHES = (
    *("wheel", "*_link", "arm*", "*", "[a-c]?*", "[", "[!", "wheel front", "Wheel", "robot::wheel", "meshes/wheel.stl"),
    *("*a*a*a*a*a*a*a*a*b", "?" * 60, "wheel left", "left wheel", "#wheel"),
)
MATERIALS = ("steel", "Steel", "aluminium", "PLA", "water", "unobtainium", "")
NAMES = (
    "wheel",
    "front wheel left",
    "meshes/arm/wheel.stl",
    "robot::wheel",
    "a" * 200,
    "arm_link",
    "C:\\m\\wheel.obj",
    "ü",
)


def make(random: Random, folder: Path) -> Path:
    """Write a map and return it."""
    rows = [_row(random) for _ in range(random.choice((1, 2, 5, 30)))]
    odd = random.random() > 0.4
    form = random.choice((_csv, _json))
    data = form(rows, odd, random)
    path = folder / f"map.{form.__name__[1:]}"
    path.write_bytes(damaged(data, random) if random.random() > 0.8 else data)
    return path


def _row(random: Random) -> dict[str, Any]:
    row: dict[str, Any] = {"match": random.choice(MATCHES)}
    kind = random.random()
    if kind < 0.5:
        row["density"] = density(random)
    elif kind < 0.8:
        row["material"] = random.choice(MATERIALS)
    if kind > 0.7:
        row["mass"] = float(f"{random.uniform(0.001, 10):.4g}")
    if kind < 0.7 and random.random() < 0.3:
        row["infill"] = random.choice((0.2, 1, 0.5))
    return row


def _csv(rows: list[dict[str, Any]], odd: bool, random: Random) -> bytes:
    columns = list(COLUMNS) if random.random() < 0.5 else random.sample(COLUMNS, len(COLUMNS))
    lines = [columns] + [[str(row.get(name, "")) for name in columns] for row in rows]
    for _ in range(random.randint(1, 3) if odd else 0):
        line = random.choice(lines)
        kind = random.randrange(5)
        if kind == 0 and line:
            del line[random.randrange(len(line))]
        elif kind == 1:
            line.append("more")
        elif line:
            line[random.randrange(len(line))] = random.choice((*ODD_NUMBERS, *ODD_TEXTS, '"a\nb"', '"'))
    end = random.choice(("\n", "\r\n", "\r"))
    text = end.join(random.choice((",", ",", ",", ";")).join(line) for line in lines)
    return text.encode(random.choice(("utf-8", "utf-8", "utf-8-sig", "utf-16")), "surrogatepass")


def _json(rows: list[dict[str, Any]], odd: bool, random: Random) -> bytes:
    entries: Any = [dict(row) for row in rows]
    if random.random() < 0.4:
        entries = {row.pop("match"): row for row in entries}
    for _ in range(random.randint(1, 3) if odd else 0):
        key = random.choice(list(entries)) if isinstance(entries, dict) else random.randrange(len(entries))
        row = entries[key]
        value: Any = random.choice(
            (None, True, [], {}, [1], "x" * 1000, 10**400, *ODD_FLOATS, *ODD_NUMBERS, *ODD_TEXTS)
        )
        if random.random() < 0.2 or not isinstance(row, dict) or not row:
            entries[key] = value
        else:
            row[random.choice((*row, *COLUMNS, "odd"))] = value
    if odd and random.random() < 0.05:
        return b"[" * random.choice((10, 100_000))
    return json.dumps(entries, ensure_ascii=random.random() < 0.5).encode("utf-8", "surrogatepass")


def run(path: Path) -> str:
    """Read a map and look names up; return the outcome."""
    try:
        found = DensityMap.read(path)
    except InertiaError as error:
        return named(error)
    for name in NAMES:
        try:
            row = found.find(name, "other")
        except InertiaError as error:
            named(error)
            continue
        if row is not None and row.density is None and row.mass is None:
            raise FaultError(f"a row says nothing: {row}")
        if row is not None and not (0.0 < (row.density or 1.0) < 1e30 and 0.0 < (row.mass or 1.0) < float("inf")):
            raise FaultError(f"a row says what no body has: {row}")
    return "read"
