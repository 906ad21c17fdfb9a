# SPDX-License-Identifier: Apache-2.0
"""Reads the lines of a text with mass properties: mass, centre, and tensors, each with what the text states about it.

SolidWorks, Fusion, Inventor, Onshape, FreeCAD and MeshLab are known, in English, and the first three in German.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from ..errors import InertiaError
from ..quantity import LENGTHS, MASSES, Decimal, QuantityError, decimal_number, unit_word

About = Literal["centre", "origin", ""]
"""The point that a tensor is about; empty if the text does not say so."""

PRODUCTS = ("xy", "xz", "yz")
CELLS = {"xx": (0, 0), "xy": (0, 1), "xz": (0, 2), "yy": (1, 1), "yz": (1, 2), "zz": (2, 2)}
CELLS |= {"yx": (0, 1), "zx": (0, 2), "zy": (1, 2)}

_NUMBER = r"[-+]?(?:\d+(?:[.,]\d+)*|[.,]\d+)(?:[eE][-+]?\d+)?"
_TOKEN = re.compile(rf"(?<![\w.,])({_NUMBER})(?![\w]*\d)")
_PLAIN = str.maketrans({"\u00a0": " ", "\u202f": " ", "\u2009": " ", "\u2212": "-", "\t": " ", "\u00b7": "*"})

_MASS = re.compile(rf"(?:mass|masse)\s*(?:\([^)]*\))?\s*[=:]?\s*({_NUMBER})\s*([a-zA-Z]*)", re.IGNORECASE)
_VOLUME = re.compile(rf"(?:mesh )?volume\s*(?:is|[:=])?\s*({_NUMBER})", re.IGNORECASE)
_CENTRE = re.compile(
    r"(?:cent(?:er|re) of (?:mass|gravity)|centerofmass|(?:massen)?schwerpunkt)\b\s*(?:is\b)?[\s:=]*(.*)", re.IGNORECASE
)
_AXIS = re.compile(rf"\b([xyz])\s*[=:]?\s*({_NUMBER})\s*([a-zA-Z]*)", re.IGNORECASE)
_COMPONENT = re.compile(rf"\b[IL]?([xyz][xyz])\s*[=:]?\s*({_NUMBER})", re.IGNORECASE)
_TENSOR = re.compile(r"moments? of inertia|inertia tensor|matrixofinertia|trägheit|mass moments", re.IGNORECASE)
_PRINCIPAL = re.compile(r"principal|hauptträgheit|haupt-?achsen", re.IGNORECASE)
_AT_CENTRE = re.compile(r"cent(?:er|re) of (?:mass|gravity)|schwerpunkt", re.IGNORECASE)
_AT_ORIGIN = re.compile(r"output coordinate|at (?:the )?origin|\bglobal\b|ausgabekoordinaten|ursprung", re.IGNORECASE)
_BRACKETS = re.compile(r"[(\[]\s*([^()\[\]]*?)\s*[)\]]")
_UNIT_AFTER = re.compile(r"\d\s*((?:kg|g|lb\w*|oz\w*|slug)\s*[ *]?\s*(?:mm|cm|m|in|ft)\s*(?:\^?2|²))", re.IGNORECASE)
_ROW = re.compile(rf"\|?\s*({_NUMBER})[\s,;]+({_NUMBER})[\s,;]+({_NUMBER})\s*\|?")
_MATRIX = re.compile(r"matrix\s*\(\((.*)\)\)", re.IGNORECASE)


class Number(NamedTuple):
    """A number, and half a digit of its last place."""

    value: float
    error: float


@dataclass(eq=False)
class Block:
    """A tensor as it is printed.

    Parameters
    ----------
    about : {"centre", "origin", ""}
    sign : int
        1 if its products are those of the tensor, -∫xy dm; -1 for +∫xy dm; 0 if the text does not say so.
    unit : float or None
        In kg·m².
    of_volume : bool
        True for the tensor of a volume of density 1, in units of length to the fifth.
    cells : dict of str to Number
        By ``xx``, ``xy`` and so on.
    """

    about: About = ""
    sign: int = 0
    unit: float | None = None
    of_volume: bool = False
    cells: dict[tuple[int, int], Number] = field(default_factory=dict)
    rows: int = 0

    @property
    def is_full(self) -> bool:
        return len(self.cells) == 6


@dataclass(eq=False)
class Printed:
    """What a text says.

    Parameters
    ----------
    mass : Number or None
        [kg].
    volume : Number or None
        In units of length to the third; only of a tensor of a volume.
    centre : list of Number
        Three, in units of `length`.
    length : float or None
        Of the centre [m].
    blocks : list of Block
        With all six components.
    """

    mass: Number | None = None
    has_mass_unit: bool = False
    volume: Number | None = None
    centre: list[Number] = field(default_factory=list)
    length: float | None = None
    blocks: list[Block] = field(default_factory=list)


def read_blocks(text: str) -> Printed:
    """Return what a text with mass properties says.

    Raises
    ------
    InertiaError
        ``bad_text``, if its numbers have two readings.
    """
    lines = [" ".join(line.translate(_PLAIN).split()) for line in text.splitlines()]
    return _Reading(_decimal(lines)).read(lines)


def _decimal(lines: Sequence[str]) -> Decimal | None:
    """Return what separates decimals, from all numbers of the text; None if it does not matter."""
    marks, doubtful = set[Decimal](), ""
    for line in lines:
        if _MATRIX.search(line):
            continue
        for token in _TOKEN.findall(line):
            try:
                number = decimal_number(token)
            except QuantityError:
                doubtful = token
                continue
            if "," in token or (token.count(".") == 1 and not re.fullmatch(r"[-+]?[1-9]\d{0,2}\.\d{3}", token)):
                marks.add("," if "," in token and "." in number and token.rfind(",") > token.rfind(".") else ".")
    if len(marks) > 1 or (doubtful and not marks):
        raise InertiaError.of("bad_text", "", "decimals", number=doubtful or "both . and ,")
    return marks.pop() if marks else None


class _Reading:
    """The state of a text's reading: what the last heading is about."""

    def __init__(self, decimal: Decimal | None) -> None:
        self.decimal = decimal
        self.printed = Printed()
        self.block: Block | None = None
        self.is_principal = self.in_centre = False

    def read(self, lines: Sequence[str]) -> Printed:
        for line in lines:
            self._line(line)
        self.printed.blocks = [block for block in self.printed.blocks if block.is_full]
        return self.printed

    def _number(self, text: str) -> Number:
        try:
            digits = decimal_number(text, self.decimal)
            value = float(digits)
        except (QuantityError, ValueError):
            raise InertiaError.of("bad_text", "", "decimals", number=text) from None
        mantissa, _, exponent = digits.lower().partition("e")
        return Number(value, 0.5 * 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2])))

    def _line(self, line: str) -> None:
        printed = self.printed
        match = _MASS.match(line)
        if match is not None and printed.mass is None and not _TENSOR.match(line):
            number, unit = self._number(match[1]), MASSES.get(unit_word(match[2]))
            printed.has_mass_unit = unit is not None
            printed.mass = Number(number.value * (unit or 1.0), number.error * (unit or 1.0))
            return
        if (match := _VOLUME.match(line)) is not None:
            if printed.volume is None:
                printed.volume = self._number(match[1])
            return
        if (match := _MATRIX.search(line)) is not None:
            self._matrix(match[1])
            return
        components = [*_COMPONENT.finditer(line)]
        if (_TENSOR.search(line) or _PRINCIPAL.search(line)) and not components:
            self._heading(line)
        elif components:
            self._components(line, components)
        elif (match := _CENTRE.match(line)) is not None and not printed.centre:
            self._centre_heading(match[1])
        elif self.in_centre and (axes := _AXIS.findall(line)):
            self._axes(axes)
        elif (row := _ROW.fullmatch(line)) is not None and self.block is not None and not self.is_principal:
            self._row(row.groups())
        else:
            self._remark(line)

    def _heading(self, line: str) -> None:
        self.in_centre = False
        self.is_principal = _PRINCIPAL.search(line) is not None
        if not self.is_principal:
            self.block = Block()
            self.printed.blocks.append(self.block)
            if re.search("inertia tensor is|matrixofinertia", line, re.IGNORECASE):
                self.block.of_volume, self.block.about, self.block.sign = True, "centre", 1
            if re.search(r"moments? of inertia at (cent|origin)", line, re.IGNORECASE):
                self.block.sign = 1  # Fusion's
        self._remark(line)

    def _remark(self, line: str) -> None:
        """Take from a line what it says about the tensor below it."""
        block = self.block
        if block is None or self.is_principal or block.cells:
            return
        if _AT_CENTRE.search(line):
            block.about = "centre"
        elif _AT_ORIGIN.search(line) and not block.about:
            block.about = "origin"
        if re.search(
            r"positive (?:tensor notation|integral)|positive[rn]? tensor|positives integral", line, re.IGNORECASE
        ):
            block.sign = -1
        elif re.search(
            r"negative (?:tensor notation|integral)|negative[rn]? tensor|negatives integral", line, re.IGNORECASE
        ):
            block.sign = 1
        for words in _BRACKETS.findall(line):
            block.unit = tensor_unit(words) or block.unit

    def _components(self, line: str, components: Sequence[re.Match[str]]) -> None:
        if self.is_principal:
            return
        if self.block is None:
            self.block = Block()
            self.printed.blocks.append(self.block)
        self.in_centre = False
        for match in components:
            cell, number = CELLS[match[1].lower()], self._number(match[2])
            first = self.block.cells.setdefault(cell, number)
            if abs(first.value - number.value) > first.error + number.error:
                raise InertiaError.of("bad_text", "", "symmetric", name=match[1], a=first.value, b=number.value)
        if (unit := _UNIT_AFTER.search(line)) is not None:
            self.block.unit = tensor_unit(unit[1]) or self.block.unit

    def _centre_heading(self, rest: str) -> None:
        self.in_centre = True
        for words in _BRACKETS.findall(rest):
            self.printed.length = LENGTHS.get(unit_word(words), self.printed.length)
        if axes := _AXIS.findall(rest):
            self._axes(axes)
            return
        pairs = re.findall(rf"({_NUMBER})\s*([a-zA-Z]*)", rest)
        if len(pairs) == 3:
            self.printed.centre = [self._number(number) for number, _ in pairs]
            self._length(unit for _, unit in pairs)
            self.in_centre = False

    def _axes(self, axes: Sequence[tuple[str, str, str]]) -> None:
        for axis, number, unit in axes:
            if len(self.printed.centre) == "xyz".index(axis.lower()):
                self.printed.centre.append(self._number(number))
                self._length([unit])
        self.in_centre = len(self.printed.centre) < 3

    def _length(self, units: Iterator[str] | Sequence[str]) -> None:
        for unit in units:
            self.printed.length = LENGTHS.get(unit_word(unit), self.printed.length)

    def _row(self, numbers: Sequence[str]) -> None:
        block = self.block
        assert block is not None
        if block.rows == 3:
            return
        for column, text in enumerate(numbers):
            block.cells.setdefault((min(block.rows, column), max(block.rows, column)), self._number(text))
        block.rows += 1

    def _matrix(self, text: str) -> None:
        """Read FreeCAD's matrix, in mm: the tensor of the volume about its centre."""
        rows = [part.strip("() ").split(",") for part in re.split(r"\)\s*,\s*\(", text)]
        block = Block("centre", 1, None, True)
        try:
            for i in range(3):
                for j in range(i, 3):
                    value = float(rows[i][j])
                    block.cells[i, j] = Number(value, abs(value) * 1e-15)
        except (ValueError, IndexError):
            raise InertiaError.of("bad_text", "", "matrix") from None
        self.printed.length = LENGTHS["mm"]
        self.printed.blocks.append(block)


def tensor_unit(text: str) -> float | None:
    """Return a unit such as ``grams * square millimeters`` or ``kg mm^2`` in kg·m²; None for other words."""
    words = text.lower().replace("^2", "").replace("²", "").replace("2", "").replace("*", " ")
    words = words.replace("square ", "").replace("quadrat", "")
    mass, _, length = " ".join(words.split()).partition(" ")
    if mass not in MASSES:  # written together, as kgm2
        return None
    return MASSES[mass] * LENGTHS[length] ** 2 if length in LENGTHS else None
