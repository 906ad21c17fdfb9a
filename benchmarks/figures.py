# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures of speed in the docs, each with the cell of results.md that gives it. `make bench` fails if they differ."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

CHECKOUT = Path(__file__).parents[1]
RESULTS = Path(__file__).with_name("results.md")

FACTOR = 1.5
"""A figure may differ by it from what was measured: times of the same machine drift by less."""

UNITS = {"µs": 1e-6, "ms": 1e-3, "s": 1.0, "x": 1.0}

NUMBERS, BATCH = "docs/numbers.md", "docs/batch.md"


class Figure(NamedTuple):
    """A figure: where the docs state it, and where results.md does.

    Parameters
    ----------
    page : str
    stated : str
        The text of the page around the figure, for which ``#`` stands with its unit.
    section, row, column : str
        Title of a section of results.md; the beginning of a row there, with its cells; the heading of the column.
    """

    page: str
    stated: str
    section: str
    row: str
    column: str


KERNEL, PEERS = "Exact integral against trimesh and C", "From arrays to mass properties, system by system"
CLEAN, LIVE = "The diagnosis of clean meshes", "Following a scene that changes, in Blender"
UNION, VOXELS, FILLING = (
    "The union of shells that overlap",
    "Voxels against trimesh and C",
    "Filling SDF worlds against Drake's loading them",
)
BATCHES, READERS = "Batches, on two cores", "Mesh files against trimesh"
LARGEST, STAR, TORUS = "| 1,308,962 |", "| a ball, star-shaped | 80,000 |", "| a torus | 80,000 |"

FIGURES = (
    Figure(NUMBERS, "of 1.3 million triangles | #, with numpy alone", KERNEL, LARGEST, "ours"),
    Figure(NUMBERS, "with numpy alone | trimesh #", KERNEL, LARGEST, "trimesh"),
    Figure(NUMBERS, "scalar C #", KERNEL, LARGEST, "C"),
    Figure(NUMBERS, "libigl (C++) # |", PEERS, "| libigl", "1,308,962 triangles"),
    Figure(NUMBERS, "with the diagnosis | # quickly", KERNEL, LARGEST, "diagnosed quickly"),
    Figure(NUMBERS, "quickly, # in full", KERNEL, LARGEST, "diagnosed in full"),
    Figure(NUMBERS, "of a star-shaped mesh of 80,000 triangles | #", CLEAN, STAR, "in full"),
    Figure(NUMBERS, "the integral alone #, trimesh", CLEAN, STAR, "kernel"),
    Figure(NUMBERS, ", trimesh with `is_volume` #", CLEAN, STAR, "trimesh"),
    Figure(NUMBERS, "of a torus of 80,000 triangles | #", CLEAN, TORUS, "in full"),
    Figure(NUMBERS, "| the integral alone #; trimesh", CLEAN, TORUS, "kernel"),
    Figure(NUMBERS, "; trimesh with `is_volume` #", CLEAN, TORUS, "trimesh"),
    Figure(NUMBERS, "500,000 triangles each | #", UNION, "| 1,000,000 |", "ours"),
    Figure(NUMBERS, "Manifold (C++) #", UNION, "| 1,000,000 |", "Manifold"),
    Figure(NUMBERS, "OBJ of 100,000 triangles | #", READERS, "| OBJ | 100k |", "here (ms)"),
    Figure(NUMBERS, "OBJ of 100,000 triangles | 118 ms | trimesh #", READERS, "| OBJ | 100k |", "trimesh (ms)"),
    Figure(NUMBERS, "at 256³ | #", VOXELS, "| 256³ |", "union"),
    Figure(NUMBERS, "at 256³ | 27 ms | trimesh #", VOXELS, "| 256³ |", "trimesh"),
    Figure(NUMBERS, "dragged in Blender | # for each move", LIVE, "| dragging the frame of all links |", "the add-on"),
    Figure(NUMBERS, "Blender itself #", LIVE, "| dragging the frame of all links |", "Blender"),
    Figure(NUMBERS, "10,000 links | about #", FILLING, "| one link in each model | 10,000 |", "fill"),
    Figure(BATCH, "diagnosis of a small mesh takes #,", BATCHES, "| read and diagnose a mesh of 500 faces", "measured"),
)


def outdated() -> list[str]:
    """Return a sentence for each figure that differs by more than `FACTOR` from results.md."""
    sentences = []
    for figure in FIGURES:
        stated, measured = stated_in(figure), measured_in(figure)
        if not measured / FACTOR <= stated <= measured * FACTOR:
            sentences.append(f"{figure.page} says {stated:.3g} ({figure.stated}), but results.md {measured:.3g}")
    return sentences


def stated_in(figure: Figure) -> float:
    """Return the figure that a page states [s or a ratio]."""
    text = (CHECKOUT / figure.page).read_text(encoding="utf-8")
    before, after = (re.escape(part) for part in figure.stated.split("#"))
    found = re.findall(f"{before}([0-9.,]+ (?:{'|'.join(UNITS)}))\\b{after}", text)
    if len(found) != 1:
        raise LookupError(f"{figure.page} has {len(found)} of: {figure.stated}")
    return _value(found[0])


def measured_in(figure: Figure) -> float:
    """Return the same figure as results.md has it."""
    sections = RESULTS.read_text(encoding="utf-8").split("\n## ")
    lines = next(text for text in sections if text.startswith(figure.section + "\n")).splitlines()
    row = next((number for number, line in enumerate(lines) if line.startswith(figure.row)), None)
    if row is None:
        raise LookupError(f"results.md has no row {figure.row} in {figure.section}")
    rule = next(number for number in range(row, 0, -1) if lines[number].startswith("|---"))
    headings, cells = (_cells(lines[number]) for number in (rule - 1, row))
    place = headings.index(figure.column)
    unit = re.search(r"\((.*)\)$", figure.column)  # of all cells
    return _value(f"{cells[place]} {unit[1]}" if unit else cells[place])


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def _value(text: str) -> float:
    number, unit = text.replace(",", "").split()[:2]
    return float(number) * UNITS[unit.rstrip("*")]
