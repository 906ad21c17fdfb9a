# SPDX-License-Identifier: Apache-2.0
"""Reads a bill of materials as CAD systems write it: CSV in any encoding, separator and unit."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from math import isfinite
from pathlib import Path
from typing import NamedTuple

from ..body.materials import likely_density
from ..errors import Finding, InertiaError
from ..files.input_file import read_bytes
from ..files.text import decoded
from ..quantity import DENSITIES, MASSES, NOTHING, Decimal, Quantity, QuantityError, decimal_number, quantity

MAX_BYTES = 16 * 1024 * 1024
"""Maximum size of a file [bytes]: a hundred thousand rows."""

HEAD_LINES = 20
"""Lines that are searched for the head line: titles and dates may stand above it."""

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "name": (
        *("name", "component", "component name", "part name", "document name", "part", "title", "file name", "label"),
        *("bezeichnung", "benennung", "bauteil", "komponente", "teilename", "dateiname"),
    ),
    "number": (
        *("part number", "part no", "part no.", "part nr", "partnumber", "number", "document number", "stock number"),
        *("teilenummer", "teile-nr.", "artikelnummer", "sachnummer", "bauteilnummer"),
    ),
    "quantity": (
        "quantity",
        "qty",
        "qty.",
        "count",
        "item qty",
        "unit qty",
        "pieces",
        "menge",
        "anzahl",
        "stück",
        "stk.",
    ),
    "material": ("material", "sw-material", "physical material", "material name", "werkstoff", "materialname"),
    "density": ("density", "sw-density", "dichte"),
    "mass": ("mass", "weight", "sw-mass", "unit mass", "unit weight", "part mass", "masse", "gewicht", "stückgewicht"),
    "item": ("item", "item no.", "item no", "item number", "level", "pos", "pos.", "position", "positionsnr."),
}
"""What the columns are called, in lower case, by what they hold."""

_HEAD = re.compile(r"\s*(.*?)\s*(?:[\[(]([^\])]*)[\])])?\s*:?\s*")
_COMMA = re.compile(r"\d,\d")
_ITEM = re.compile(r"\d+(?:\.\d+)+")


class Row(NamedTuple):
    """A row of a bill of materials.

    Parameters
    ----------
    line : int
    item : str
        Such as 1.2.1; empty if there is none.
    names : tuple of str
        The part's name and its number, as far as they are given.
    quantity : float or None
        How many there are.
    material : str
    mass, density : Quantity or None
        In kg and kg/m³.
    """

    line: int
    item: str
    names: tuple[str, ...]
    quantity: float | None
    material: str
    mass: Quantity | None
    density: Quantity | None

    @property
    def numbers(self) -> tuple[object, ...]:
        """What it states about one part: two rows with the same numbers do not contradict each other."""
        return self.material, self.mass, self.density


@dataclass(frozen=True)
class Bom:
    """A bill of materials: its rows, and what is doubtful about all of them."""

    path: Path
    rows: tuple[Row, ...]
    findings: tuple[Finding, ...] = ()


def read_bom(path: Path) -> Bom:
    """Read a bill of materials.

    Raises
    ------
    InertiaError
        ``bad_bom`` with the line, ``file_read`` or ``file_too_large``.
    """
    try:
        text = decoded(read_bytes(path, MAX_BYTES))
    except InertiaError as error:
        raise error.about(str(path)) from None
    separator = max(
        "\t;,", key=lambda mark: max((line.count(mark) for line in text.split("\n")[:HEAD_LINES]), default=0)
    )
    try:
        lines = csv.reader(StringIO(text, newline=""), delimiter=separator)
        table = [(lines.line_num, [cell.strip() for cell in cells]) for cells in lines]
    except csv.Error as error:
        raise _bad(path, f"it cannot be understood: {error}") from None
    index, head = _head(path, table)
    below = [(line, cells) for line, cells in table[index + 1 :] if any(cells)]
    rows = tuple(_rows(path, head, below, _decimal(head, below), separator == ";"))
    if not rows:
        raise _bad(path, "it has no row below its head line")
    units = "mass" in head and not head["mass"].unit and any(row.mass and not row.mass.has_unit for row in rows)
    return Bom(path, rows, (Finding.of("warning", "bom_unit", str(path)),) if units else ())


class _Column(NamedTuple):
    place: int
    unit: str


def _head(path: Path, table: Sequence[tuple[int, list[str]]]) -> tuple[int, dict[str, _Column]]:
    """Return the index of the head line, and the columns by what they hold: the first that has a value, of several."""
    for index, (_, cells) in enumerate(table[:HEAD_LINES]):
        head: dict[str, _Column] = {}
        for column, cell in enumerate(cells):
            match = _HEAD.fullmatch(cell.lower())
            meaning = next((name for name, words in COLUMNS.items() if match is not None and match[1] in words), None)
            if match is None or meaning is None:
                continue
            has_value = any(len(other) > column and other[column] for _, other in table[index + 1 :])
            if has_value or meaning not in head:
                head.setdefault(meaning, _Column(column, match[2] or ""))
        if len(head) > 1 and {"name", "number"} & head.keys():
            return index, head
    raise _bad(path, f"its first {HEAD_LINES} lines have no head line with a name or part number")


def _decimal(head: Mapping[str, _Column], rows: Sequence[tuple[int, list[str]]]) -> Decimal | None:
    """Return what separates decimals, if a number in the file shows it."""
    for name in ("mass", "density"):
        if name in head:
            for _, cells in rows:
                match = re.match(r"[-+\d.,' ]+", _cell(cells, head, name))
                try:
                    if match is None or not _COMMA.search(match[0]):
                        continue
                    number = decimal_number(match[0].strip())
                except QuantityError:
                    continue
                return "," if "." in number and match[0].rfind(",") > match[0].rfind(".") else "."
    return None


def _rows(
    path: Path,
    head: Mapping[str, _Column],
    table: Sequence[tuple[int, list[str]]],
    decimal: Decimal | None,
    semicolons: bool,
) -> Iterator[Row]:
    for line, cells in table:
        names = tuple(dict.fromkeys(filter(None, (_cell(cells, head, key) for key in ("name", "number")))))
        if not names:
            continue  # a sum, or a remark

        def number(
            name: str, units: Mapping[str, float], cells: list[str] = cells, line: int = line
        ) -> Quantity | None:
            text = _cell(cells, head, name)
            mark: Decimal | None = "," if semicolons and decimal is None and "," in text else decimal
            try:
                value = quantity(text, units, head[name].unit if name in head else "", mark)
            except QuantityError as error:
                raise _bad(path, f"line {line}: {error}") from None
            if value is not None and not (isfinite(value.value) and value.value >= 0.0):
                raise _bad(path, f"line {line}: its {name} '{text[:40]}' is not a number above 0")
            return value if value is None or value.value else None

        mass, density, count = number("mass", MASSES), number("density", DENSITIES), number("quantity", {})
        material = _cell(cells, head, "material")
        if density is not None and not (density.has_unit or head["density"].unit):
            likely = likely_density(density.value) or density.value
            density = Quantity(likely, density.error * likely / density.value, False)
        yield Row(
            line,
            _cell(cells, head, "item"),
            names,
            None if count is None else count.value,
            "" if _is_nothing(material) else material,
            mass,
            density,
        )


def _cell(cells: Sequence[str], head: Mapping[str, _Column], name: str) -> str:
    column = head.get(name)
    return cells[column.place] if column is not None and column.place < len(cells) else ""


def _is_nothing(material: str) -> bool:
    word = material.lower()
    return word in NOTHING or "not specified" in word or word in ("generic", "default", "undefined")


def is_nested(item: str) -> bool:
    """Return True for the item number of a row that is a part of another, such as 1.2.1."""
    return _ITEM.fullmatch(item) is not None


def _bad(path: Path, reason: str) -> InertiaError:
    return InertiaError.of("bad_bom", str(path), reason=reason)
