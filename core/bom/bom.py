# SPDX-License-Identifier: Apache-2.0
"""Reads a bill of materials as CAD systems write it: CSV in any encoding, separator and unit."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from ..body.materials import likely_density
from ..errors import Finding, InertiaError
from ..files.input_file import decoded, read_bytes
from ..quantity import (
    DENSITIES,
    MASSES,
    NOTHING,
    Decimal,
    Quantity,
    QuantityError,
    quantity,
    readings,
    unit_word,
)

MAX_BYTES = 16 * 1024 * 1024
"""Maximum size of a file [bytes]: a hundred thousand rows."""

HEAD_LINES = 20
"""Lines that are searched for the head line: titles and dates may stand above it."""

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "name": (
        *("name", "component", "component name", "part name", "document name", "part", "title", "file name", "label"),
        *("bezeichnung", "benennung", "bauteil", "komponente", "komponentenname", "teilename", "dateiname", "titel"),
        *("common name", "ptc common name"),
    ),
    "number": (
        *("part number", "part no", "part no.", "part nr", "partnumber", "number", "document number", "stock number"),
        *(
            "teilenummer",
            "teile-nr.",
            "artikelnummer",
            "sachnummer",
            "bauteilnummer",
            "dokumentnummer",
            "zeichnungsnummer",
        ),
    ),
    "quantity": (
        *(
            "quantity",
            "qty",
            "qty.",
            "count",
            "item qty",
            "pieces",
            "menge",
            "anzahl",
            "stück",
            "stückzahl",
            "stk.",
            "stk",
            "pcs",
        ),
    ),
    "material": (
        *(
            "material",
            "sw-material",
            "physical material",
            "material name",
            "werkstoff",
            "materialname",
            "mat.",
            "werkstoff/material",
        ),
        *("ptc material name", "ptc master material"),
    ),
    "density": ("density", "sw-density", "dichte", "material density", "mp density", "pro mp density"),
    "mass": (
        *("mass", "weight", "sw-mass", "unit mass", "unit weight", "part mass", "mp mass", "pro mp mass"),
        *("masse", "gewicht", "stückgewicht", "einzelmasse", "einzelgewicht"),
    ),
    "item": (
        *("item", "item no.", "item no", "item number", "level", "index", "pos", "pos.", "position", "nr.", "#"),
        *("positionsnr.", "positionsnummer", "pos-nr.", "pos.-nr.", "objekt"),
    ),
}
"""What the columns are called, in lower case and without underscores, by what they hold."""

LOOKS_LIKE: Mapping[str, tuple[str, ...]] = {
    "mass": ("mass", "weight", "masse", "gewicht"),
    "density": ("density", "dichte"),
    "material": ("material", "werkstoff"),
    "quantity": ("quantity", "qty", "menge", "anzahl", "stückzahl"),
}
"""Ends of the words of a head that is not one of `COLUMNS`, and may yet have been meant as one."""

RIGHT: Mapping[str, str] = {"mass": "Mass", "density": "Density", "material": "Material", "quantity": "Quantity"}
"""A head that is read, by what the column holds."""

TOTAL = ("total", "gesamt", "sum")
"""Beginnings of words for the mass of a whole row."""

UNITS: Mapping[str, Mapping[str, float]] = {
    "mass": MASSES,
    "density": DENSITIES,
    "quantity": dict.fromkeys(("pcs", "pc", "ea", "each", "x", "st", "stk", "stück"), 1.0),
}
"""Units of the columns with numbers."""

LONGEST_TITLE, LONGEST_HEAD, MOST_ALIKE = 100, 100_000, 8
"""Most characters of a column's title and of the head line, and most columns of one meaning: more are those of no
person, and would take long."""

_EACH = ("item", "each", "part", "single")
"""Words in brackets after a head: the mass is that of one."""

_HEAD = re.compile(r"(.*?)(?:\s*[\[(]([^\])]*)[\])])?\s*[:*]?")
_HEAD_UNIT = re.compile(r"(.+?)(?:\s*[/,]\s*|\s+in\s+|\s+)(\S+)")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_DIGITS = re.compile(r"[-+\d.,' \u00a0\u202f]*\d")
_ITEM = re.compile(r"\d+(?:\.\d+){1,64}", re.ASCII)


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
    text = _text(path)
    start = [line[:LONGEST_HEAD] for line in islice(StringIO(text, newline=""), HEAD_LINES)]
    separator = max(
        "\t;,", key=lambda mark: max((len(_meanings(cells)) for _, cells in _table(path, start, mark)), default=0)
    )
    table = _table(path, StringIO(text, newline=""), separator)
    index, columns = _head(path, table)
    below = [(line, cells) for line, cells in table[index + 1 :] if any(cells) and cells != table[index][1]]
    head = {
        name: next((column for column in several if _has_value(column, below)), several[0])
        for name, several in columns.items()
    }
    separators = _Separators(separator, *_decimals(head, below))
    rows = tuple(_rows(path, head, below, separators))
    if not rows:
        raise _bad(path, "it has no row with a name below its head line")
    findings = [*_unread(path, table[index][1], head, below), *_contradictions(path, columns, head, below, separators)]
    if "mass" in head and not head["mass"].unit and any(row.mass and not row.mass.has_unit for row in rows):
        findings.append(Finding.of("warning", "bom_unit", str(path)))
    plain = [row for row in rows if row.density is not None and not row.density.has_unit]
    if "density" in head and not head["density"].unit and plain:
        values = {"line": plain[0].line, "density": plain[0].density.value if plain[0].density else 0.0}
        findings.append(Finding.of("info", "bom_unit", str(path), "density", **values))
    return Bom(path, rows, tuple(findings))


class _Column(NamedTuple):
    place: int
    title: str
    unit: str


class _Separators(NamedTuple):
    """What separates the cells of a file; what its decimals, if a number shows it; whether points do so anywhere."""

    cells: str
    decimal: Decimal | None
    has_points: bool


_Cells = tuple[int, list[str]]
"""The first line of a row, and its cells."""


def _text(path: Path) -> str:
    data = read_bytes(path, MAX_BYTES)
    if data[:4] in (b"PK\3\4", b"\xd0\xcf\x11\xe0"):
        raise _bad(path, "it is a workbook: save it as CSV")
    try:
        text = decoded(data)
    except InertiaError as error:
        raise error.about(str(path)) from None
    control = _CONTROL.search(text)
    if control is not None:
        line = text.count("\n", 0, control.start()) + 1
        raise _bad(path, f"line {line}: it has the control character {ascii(control[0])}")
    return text


def _table(path: Path, lines: Iterable[str], separator: str) -> list[_Cells]:
    reader = csv.reader(lines, delimiter=separator)
    table, line = list[_Cells](), 1
    try:
        for cells in reader:
            table.append((line, [cell.strip() for cell in cells]))
            line = reader.line_num + 1
    except csv.Error as error:
        raise _bad(path, f"line {line}: it cannot be understood: {error}") from None
    return table


def _head(path: Path, table: Sequence[_Cells]) -> tuple[int, dict[str, list[_Column]]]:
    """Return the index of the head line, and its columns by what they hold."""
    for index, (_, cells) in enumerate(table[:HEAD_LINES]):
        columns = _meanings(cells)
        if len(columns) > 1 and {"name", "number"} & columns.keys():
            return index, columns
    wanted = "Name or Part Number, and one of Quantity, Material, Density, Mass"
    raise _bad(path, f"its first {HEAD_LINES} lines have no head line with {wanted}")


def _meanings(cells: Sequence[str]) -> dict[str, list[_Column]]:
    columns: dict[str, list[_Column]] = {}
    for index, cell in enumerate(cells):
        if len(cell) > LONGEST_TITLE:
            continue
        meaning, unit = _meaning(" ".join(cell.lower().replace("_", " ").split()))
        if meaning:
            alike = columns.setdefault(meaning, [])
            if len(alike) < MOST_ALIKE:
                alike.append(_Column(index, cell, unit))
    return columns


@lru_cache
def _meaning(title: str) -> tuple[str, str]:
    """Return what a column holds, and its unit; both empty if it is none that counts, such as one of total masses."""
    match = _HEAD.fullmatch(title)
    meaning = "" if match is None else _MEANINGS.get(match[1], "")
    unit = "" if match is None else match[2] or ""
    if meaning in ("mass", "density"):
        return ("", "") if unit in ("total", "quantity", "row", "gesamt") else (meaning, "" if unit in _EACH else unit)
    last = _HEAD_UNIT.fullmatch(title)
    if not meaning and last is not None and unit_word(last[2]) in UNITS.get(_MEANINGS.get(last[1], ""), ()):
        return _MEANINGS[last[1]], last[2]
    return meaning, ""


_MEANINGS = {word: meaning for meaning, words in COLUMNS.items() for word in words}


def _has_value(column: _Column, rows: Sequence[_Cells]) -> bool:
    return any(not _is_nothing(_cell(cells, column)) for _, cells in rows)


def _unread(
    path: Path, titles: Sequence[str], head: Mapping[str, _Column], rows: Sequence[_Cells]
) -> Iterator[Finding]:
    """Yield a finding for each column that looks like numbers or materials that no other column gives."""
    for place, title in enumerate(titles):
        words = set(re.findall(r"[^\W\d_]+", title[:LONGEST_TITLE].casefold()))
        unit = unit_word((_HEAD.fullmatch(title) or ["", "", ""])[2] or "") if len(title) <= LONGEST_TITLE else ""
        for meaning, stems in LOOKS_LIKE.items():
            looks = unit in UNITS.get(meaning, ()) or any(word.endswith(stem) for word in words for stem in stems)
            if looks and meaning not in head and _has_value(_Column(place, title, ""), rows):
                form = "rows" if meaning == "mass" and any(word.startswith(TOTAL) for word in words) else ""
                right = f"{RIGHT[meaning]}{f' ({unit})' if unit in UNITS.get(meaning, ()) else ''}"
                yield Finding.of("warning", "bom_unread", str(path), form, title=title, right=right)
                break


def _contradictions(
    path: Path,
    columns: Mapping[str, Sequence[_Column]],
    head: Mapping[str, _Column],
    rows: Sequence[_Cells],
    separators: _Separators,
) -> Iterator[Finding]:
    """Yield a finding for each column that states other values than the one taken; a part may well have two names."""
    for meaning in ("quantity", "material", "density", "mass"):
        for other in columns.get(meaning, ()):
            taken = head[meaning]
            differ = (line for line, cells in rows if _differ(meaning, cells, taken, other, separators))
            if (line := next(differ, None)) is not None:
                values = {"taken": taken.title, "other": other.title, "line": line}
                yield Finding.of("warning", "bom_columns", str(path), **values)


def _differ(meaning: str, cells: Sequence[str], taken: _Column, other: _Column, separators: _Separators) -> bool:
    """Return True if two columns state different values in a row, beyond the digits of both."""
    texts = _cell(cells, taken), _cell(cells, other)
    if taken == other or any(map(_is_nothing, texts)):
        return False
    if meaning == "material":
        return texts[0].casefold() != texts[1].casefold()
    try:
        a, b = (_number(meaning, cells, column, separators) for column in (taken, other))
    except QuantityError:
        return texts[0] != texts[1]
    return a is not None and b is not None and abs(a.value - b.value) > max(a.error, b.error)


def _decimals(head: Mapping[str, _Column], rows: Sequence[_Cells]) -> tuple[Decimal | None, bool]:
    """Return what separates decimals, if the numbers with commas show it, and whether a point does so in any number."""
    marks = set[tuple[Decimal, bool]]()
    for name in ("mass", "density"):
        for _, cells in rows:
            match = _DIGITS.match(_cell(cells, head.get(name)))
            numbers = [*readings(" ".join(match[0].split()))] if match is not None else []
            if match is not None and len(numbers) == 1:
                marks.add((numbers[0], "," in match[0]))
    of_commas = [mark for mark, has_comma in marks if has_comma]
    return of_commas[0] if len(of_commas) == 1 else None, any(mark == "." for mark, _ in marks)


def _rows(path: Path, head: Mapping[str, _Column], table: Sequence[_Cells], separators: _Separators) -> Iterator[Row]:
    for line, cells in table:
        cells_of_names = (_cell(cells, head.get(key)) for key in ("name", "number"))
        names = tuple(dict.fromkeys(name for name in cells_of_names if name.lower() not in NOTHING))
        if not names:
            continue  # a sum, or a remark
        try:
            count, mass, density = (_number(name, cells, head.get(name), separators) for name in _NUMBERS)
        except QuantityError as error:
            raise _bad(path, f"line {line}: {error}") from None
        material = _cell(cells, head.get("material"))
        yield Row(
            line,
            _cell(cells, head.get("item")),
            names,
            None if count is None else count.value,
            "" if _is_nothing(material) else material,
            mass,
            density,
        )


_NUMBERS = ("quantity", "mass", "density")

LIMITS: Mapping[str, tuple[float, float]] = {"quantity": (1e-3, 1e6), "mass": (1e-9, 1e6), "density": (1e-4, 1e6)}
"""What a number may be [kg, kg/m³]: beyond these it is a mistake, or overflows. A density may yet be in g/mm³."""

OF_LIMITS = {"quantity": "", "mass": " kg", "density": " kg/m³"}


def _number(name: str, cells: Sequence[str], column: _Column | None, separators: _Separators) -> Quantity | None:
    """Return the number in a cell; None for nothing, and for the 0 that CAD writes for it."""
    text = _cell(cells, column)
    if column is None or not text:
        return None
    decimal = separators.decimal
    if separators.cells == ";" and decimal is None:
        if "," in text:
            decimal = ","
        elif not separators.has_points and quantity(text, UNITS[name], "", ",") != quantity(text, UNITS[name], "", "."):
            raise QuantityError(f"'{text[:40]}' has two readings: does its point separate decimals?")
    value = quantity(text, UNITS[name], column.unit, decimal)
    if value is None or value.value == 0.0:
        return None
    low, high = LIMITS[name]
    if not low <= value.value <= high:
        raise QuantityError(f"its {name} '{text[:40]}' is not between {low:g} and {high:g}{OF_LIMITS[name]}")
    if name == "density" and not (value.has_unit or column.unit):
        factor = (likely_density(value.value) or value.value) / value.value
        return value._replace(value=value.value * factor, error=value.error * factor)
    return value


def _cell(cells: Sequence[str], column: _Column | None) -> str:
    return cells[column.place] if column is not None and column.place < len(cells) else ""


def _is_nothing(material: str) -> bool:
    word = material.lower()
    return word in NOTHING or "not specified" in word or word in ("generic", "default", "undefined", "nicht festgelegt")


def is_nested(item: str) -> bool:
    """Return True for the item number of a row that is a part of another, such as 1.2.1."""
    return _ITEM.fullmatch(item) is not None


def _bad(path: Path, reason: str) -> InertiaError:
    return InertiaError.of("bad_bom", str(path), reason=reason)
