# SPDX-License-Identifier: GPL-3.0-or-later
"""What CAD writes, damaged: assemblies in STEP, bills of materials, texts with mass properties."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from core import inertial_of_text, read_step
from core.bom.bom import read_bom
from core.bom.weights import Stock, Weighing, weights_of
from core.errors import InertiaError
from core.files.input_file import decoded
from tests.core.printed import cad_texts
from tools.house import CHECKOUT

from .octets import damaged
from .oracle import FaultError, named

ARM = CHECKOUT / "examples" / "cad" / "arm.step"

HEADS = (
    "Item,Quantity,Part number,Material,Mass,Name",
    "ITEM NO.;QTY.;PART NUMBER;SW-Material;Weight;SW-Density",
    "Item\tQty\tComponent\tMaterial\tMass (g)\tDensity [g/cm³]",
    "Pos.;Menge;Benennung;Werkstoff;Gewicht (kg);Dichte",
)
"""Head lines of four systems; the columns of `CELLS` in this order, but for the last two of the first."""

CELLS = (
    ("1", "1.2.1", "2", ""),
    ("1", "2", "4", "0", "", "2.0"),
    ("beam", "beam:1", "Träger<2>", "PL-10", "M4 x 16", "M4x16"),
    ("EN AW-6061 T6", "1.4301", "Stahl", "PLA", "- None -", "unobtainium", ""),
    ("0,25 kg", "1.234,5 g", "120.5 g", "0.3 lb", "", "No value"),
    ("7.85 g/cm³", "7850 kg/m³", "2 lb/in^3", ""),
)
"""Cells that are right, by column."""

ODD = ("-1", "1,234", "1e308", "1e-320", "nan", "5 stone", '"a, b"', "\u00a0", "\u2212 5 g", "1e-320 g", "0")


def make_bom(random: Random, folder: Path) -> Path:
    """Write a bill of materials in any encoding, with odd cells or damaged now and then."""
    head = random.choice(HEADS)
    separator = next(mark for mark in "\t;," if mark in head)
    oddness = random.choice((0.0, 0.0, 0.05))
    rows = [
        separator.join(random.choice(ODD if random.random() < oddness else cells) for cells in CELLS)
        for _ in range(random.randint(1, 6))
    ]
    if separator == ",":
        rows = [",".join(f'"{cell}"' for cell in row.split(",")[:6]) for row in rows]
    text = "\n".join(["Title"] * random.randint(0, 2) + [head, *rows])
    data = text.encode(random.choice(("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252")), "replace")
    path = folder / "bom.csv"
    path.write_bytes(damaged(data, random) if random.random() < 0.3 else data)
    return path


def run_bom(path: Path) -> str:
    """Read a bill of materials, and weigh parts by it."""
    try:
        bom = read_bom(path)
        names = ("beam", "Träger", "PL-10", "M4x16")
        parts = [Stock(name, "", (f"{name}:1",), number, 1e-4) for number, name in enumerate(names, 1)]
        for bom_mass in ("part", "row"):
            weights, _ = weights_of(parts, [], Weighing(bom, None, 1000.0, bom_mass))
            for weight in weights.values():
                known = [value for value in (weight.mass, weight.density) if value is not None]
                if not all(np.isfinite(value) and value > 0.0 for value in known):
                    raise FaultError(f"{weight} is no weight")
        return "read"
    except InertiaError as error:
        return named(error)


def make_text(random: Random, folder: Path) -> Path:
    """Write a text with mass properties, damaged or not."""
    texts: Any = cad_texts
    write = random.choice((texts.solidworks, texts.fusion, texts.inventor, texts.onshape))
    text = write(texts.far_body())
    data = text.encode(random.choice(("utf-8", "utf-16", "cp1252")), "replace")
    path = folder / "properties.txt"
    path.write_bytes(damaged(data, random) if random.random() < 0.9 else data)
    return path


def run_text(path: Path) -> str:
    """Read a text; what it gives is a body that is possible."""
    try:
        inertial = inertial_of_text(decoded(path.read_bytes())).inertial
    except InertiaError as error:
        return named(error)
    if any(finding.severity == "error" for finding in inertial.findings()):
        raise FaultError(f"{inertial.findings()[0].message}")
    return "read"


def make_step(random: Random, folder: Path) -> Path:
    """Write the example, damaged."""
    path = folder / "arm.step"
    path.write_bytes(damaged(ARM.read_bytes(), random))
    return path


def run_step(path: Path) -> str:
    """Read an assembly with its bill of materials; it has numbers that are possible, or a finding."""
    try:
        robot = read_step(path, ARM.with_name("bom.csv"), "first", density=1000.0)
    except InertiaError as error:
        return named(error)
    for inertial in robot.links.values():
        if inertial is not None and any(finding.severity == "error" for finding in inertial.findings()):
            raise FaultError(f"{inertial.findings()[0].message}")
    if None in robot.links.values():
        if not any(finding.severity == "error" for finding in robot.findings):
            raise FaultError("a link has no number, and no finding is an error")
        return "refused in part"
    return "read"
