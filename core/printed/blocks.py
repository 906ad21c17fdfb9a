# SPDX-License-Identifier: Apache-2.0
"""Finds the numbers in the text that a CAD system prints about a body: what each is, in which unit, about which point.

A line is a heading, a label with its numbers, or numbers of the heading above. Blocks of principal moments and unknown
lines are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, NoReturn

from ..errors import InertiaError
from ..quantity import Decimal

About = Literal["", "center", "origin"]
"""The point of a tensor; empty if the text does not say."""

Products = Literal["", "positive", "negative"]
"""The sign of printed products: ``positive`` for +∫xy dm, ``negative`` for -∫xy dm, as in SDF; empty if unknown."""

_WORD = r"[^\W\d_]+(?:\^?[23]|[²³])?"
_NUMBER = r"(?<![\w.,'])([-+]?(?:\d+(?:[.,']\d+)*|[.,]\d+)(?:[eE][-+]?0?\d{1,2})?)(?![\d.,']*\d)"
_VALUE = rf"{_NUMBER}\s*({_WORD}(?:[\s*·⋅./-]+{_WORD})*)?"
_SCALAR = r"\s*(?:[\[(]([^\])]*)[\])])?\s*(?:is\b|[=:])?\s*"
_PATH = r"^(?:>>> ?)?(?:\w+\.)*"  # such as obj.Shape., in FreeCAD's console

_NUMBERS = re.compile(_VALUE)
_MASS = re.compile(rf"^(?:total )?mass[ea]?\b{_SCALAR}{_VALUE}", re.IGNORECASE)
_VOLUME = re.compile(rf"{_PATH}(?:mesh )?volumen?\b{_SCALAR}(?:{_VALUE})?", re.IGNORECASE)
_CENTER = re.compile(
    rf"{_PATH}(?:cent(?:er|re) ?of ?(?:mass|gravity)|massenmittelpunkt|schwerpunkt)\b"
    r"(?: is\b)?(?: ?[\[(][^\])\d]*[\])])?",
    re.IGNORECASE,
)
_AXIS = re.compile(r"\b[XYZ]\b")
_COMPONENT = re.compile(r"\b[IL]([xyz])([xyz])\b", re.IGNORECASE)

_PRINCIPAL = re.compile(r"principal|haupt|\baxis momenta", re.IGNORECASE)
_INERTIA = re.compile(
    r"moments? of inertia|trägheitsmoment|inertia (?:tensor|matrix)|matrix ?of ?inertia", re.IGNORECASE
)
_AT_CENTER = re.compile(r"\bcent(?:er|re) of (?:mass|gravity)|massenmittelpunkt|schwerpunkt", re.IGNORECASE)
_AT_ORIGIN = re.compile(r"\borigin|\bglobal\b|coordinate system|koordinatensystem|ursprung", re.IGNORECASE)
_NOTATION = re.compile(r"\b(posi|nega)tiv\w*\s+(?:tensor|integral)", re.IGNORECASE)
_FUSION = re.compile(r"^moment of inertia at (?:cent(?:er|re) of mass|origin)\b", re.IGNORECASE)
_VOLUMES = re.compile(r"^inertia tensor is|matrix ?of ?inertia", re.IGNORECASE)
_BRACKETS = re.compile(r"[\[(]([^\[(\])]*)[\])]")
_ERROR = re.compile(r"\([^()]*%\s*\)")
_PYTHON = re.compile(r"\b(?:Vector|Matrix) ?\((.*)\)")
_ASIDE = re.compile(r"tensor|integral|overrid", re.IGNORECASE)
_LOG = re.compile(r"^LOG: \d+ ")  # of MeshLab's server
_BETWEEN = re.compile(r"[\s=:;,|\"'()\[\]]*")
"""What may be around a number and its unit: anything else may be a part of it, such as a lone minus or ×10^3."""

LONGEST_LINE = 1000
"""Most characters of a line; a longer one is not of a CAD system, and brackets in it would take long to match."""

LONGEST_TEXT = 1024 * 1024
"""Most characters of a text; that of a CAD system has about a thousand."""

_MINUS = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d", "-"))


class Cell(NamedTuple):
    """A number as printed, and the unit beside it or above it; empty if there is none."""

    number: str
    unit: str


@dataclass(frozen=True)
class Block:
    """A printed tensor.

    Parameters
    ----------
    heading : str
    about, products
        What its heading says.
    of_volume : bool
        True for a tensor of the volume, with density 1, as MeshLab and FreeCAD print it.
    cells : dict of (int, int) to Cell
        By row and column, as far as they are printed.
    """

    heading: str
    about: About
    products: Products
    of_volume: bool
    cells: dict[tuple[int, int], Cell]

    @property
    def title(self) -> str:
        """The heading without its units."""
        return re.split(r"\s*[:(]", self.heading.removeprefix(">>> "))[0][:60] or "Ixx"

    @property
    def has_products(self) -> bool:
        """Return True if a product of inertia is not printed as 0."""
        return any(row != column and re.search("[1-9]", cell.number) for (row, column), cell in self.cells.items())


@dataclass
class Printed:
    """What a text prints. Several masses, centres or blocks about one point may be those of several bodies."""

    masses: list[Cell] = field(default_factory=list)
    volumes: list[Cell] = field(default_factory=list)
    centers: list[dict[int, Cell]] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)

    def decimal(self) -> Decimal:
        """Return what separates the decimals, as all numbers together show it.

        Raises
        ------
        InertiaError
            ``printed_number`` if numbers contradict each other, or have two readings.
        """
        cells = [cell for center in self.centers for cell in center.values()]
        cells += [cell for block in self.blocks for cell in block.cells.values()]
        numbers = [cell.number for cell in (*self.masses, *self.volumes, *cells)]
        shown = {mark: number for number in reversed(numbers) for mark in (_decimal_of(number),) if mark}
        if len(shown) > 1:
            raise InertiaError.of("printed_number", "", "both", first=shown["."], second=shown[","])
        unsure = next((number for number in numbers if "," in number), None)
        if not shown and unsure is not None:
            raise InertiaError.of("printed_number", "", "decimal", number=unsure)
        return "," if "," in shown else "."


def _decimal_of(number: str) -> Decimal | None:
    """Return which mark of a number separates its decimals; None if it may as well group its thousands."""
    mantissa = re.split("[eE]", number.lstrip("+-"))[0]
    marks = [mark for mark in mantissa if mark in ".,"]
    if not marks:
        return None
    mark: Decimal = "." if marks[-1] == "." else ","
    whole, _, decimals = mantissa.rpartition(mark)
    if len(marks) > 1:
        return mark if marks.count(mark) == 1 else "," if mark == "." else "."
    grouped = len(decimals) == 3 and 1 <= len(whole) <= 3 and whole[0] != "0" and mantissa == number.lstrip("+-")
    return None if grouped else mark


def read_blocks(text: str) -> Printed:
    """Return the numbers that a text prints, in the order of its lines.

    Raises
    ------
    InertiaError
        ``printed_number`` for a number that cannot be read whole, or a text that is too long.
    """
    lines = text.splitlines() if len(text) <= LONGEST_TEXT else [text]
    longest = max(map(len, lines), default=0)
    if longest > LONGEST_LINE:
        raise InertiaError.of("printed_number", "", "long", length=longest)
    reader = _Reader()
    for line in _lines(lines):
        reader.read(line)
    return reader.printed


def _lines(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines without doubled or unusual spaces, estimated errors, and the brackets of FreeCAD's values."""
    for line in lines:
        plain = _ERROR.sub("", _LOG.sub("", " ".join(line.translate(_MINUS).lstrip("#%/* \t").split()))).strip()
        value = _PYTHON.search(plain)
        if value is None:
            yield plain
            continue
        yield plain[: value.start()]
        rows = [row.replace(",", " ") for row in re.split(r"\)\s*,\s*\(", value[1].strip("()"))]
        yield from (f"| {' '.join(row.split()[:3])} |" for row in rows[:3])


class _Reader:
    """Keeps the heading that the next numbers belong to."""

    def __init__(self) -> None:
        self.printed = Printed()
        self.unit = ""
        self.center: dict[int, Cell] | None = None
        self.block: Block | None = None
        self.in_principal = self.in_volume = False

    def read(self, line: str) -> None:
        """Read the next line."""
        components = {} if self.in_principal else _values(line, _COMPONENT)
        scalar = _MASS.match(line) or _VOLUME.match(line)
        if components:
            self._add({(_index(key[1]), _index(key[2])): cell for key, cell in components.items()})
        elif _PRINCIPAL.search(line):
            self._end(in_principal=True)
        elif _INERTIA.search(line):
            self._begin(line, _bracket(line))
        elif self.block is not None and not self.block.cells and (_about(line) or _NOTATION.search(line)):
            self._begin(f"{self.block.heading} {line}", self.unit)
        elif label := _CENTER.match(line):
            self._end()
            self.center, self.unit = {}, _bracket(line)
            self._coordinates(line[label.end() :])
        elif scalar is not None:
            self._end(in_volume=scalar.re is _VOLUME and scalar[2] is None)
            if scalar[2] is not None:
                if not _BETWEEN.fullmatch(line, scalar.end()):
                    _unread(line)
                cells = self.printed.masses if scalar.re is _MASS else self.printed.volumes
                cells.append(Cell(scalar[2], scalar[3] or scalar[1] or ""))
        elif self.in_volume and (value := _NUMBERS.fullmatch(line)):
            self.printed.volumes.append(Cell(value[1], value[2] or ""))
            self._end()
        elif self.center is not None:
            self._coordinates(line)
        elif self.block is not None and line.startswith("|"):
            row = len(self.block.cells) // 3
            numbers = _row(line, 3)
            if row < 3 and numbers:
                self._add({(row, column): cell for column, cell in enumerate(numbers)})

    def _end(self, *, in_principal: bool = False, in_volume: bool = False) -> None:
        self.block = self.center = None
        self.in_principal, self.in_volume = in_principal, in_volume

    def _begin(self, heading: str, unit: str) -> None:
        """Begin a tensor, whose heading may go on in the next line."""
        self._end()
        notation, of_volume = _NOTATION.search(heading), not unit and _VOLUMES.search(heading) is not None
        about: About = "center" if of_volume else _about(heading)
        products: Products = "negative" if of_volume or _FUSION.search(heading) else ""
        if notation is not None:
            products = "positive" if notation[1].lower() == "posi" else "negative"
        self.block, self.unit = Block(heading, about, products, of_volume, {}), unit

    def _add(self, cells: dict[tuple[int, int], Cell]) -> None:
        if self.block is None:  # only these lines were copied
            self._begin("", "")
        assert self.block is not None
        if self.block.cells.keys() & cells.keys():
            self._begin(self.block.heading, self.unit)
        if not self.block.cells:
            self.printed.blocks.append(self.block)
        self.block.cells.update({place: Cell(cell.number, cell.unit or self.unit) for place, cell in cells.items()})

    def _coordinates(self, line: str) -> None:
        """Take a centre's coordinates: with the names of their axes, or all three in a row."""
        assert self.center is not None
        named = {_index(key): cell for key, cell in _values(line, _AXIS).items()}
        row = [] if named else _row(line, 3)
        if len(row) == 3:
            named = dict(enumerate(row))
        if named and not self.center:
            self.printed.centers.append(self.center)
        self.center.update({axis: Cell(cell.number, cell.unit or self.unit) for axis, cell in named.items()})
        if len(self.center) == 3:
            self.center = None


def _values(line: str, keys: re.Pattern[str]) -> dict[str, Cell]:
    """Return the number after each key of a line, by the key in lower case."""
    matches = list(keys.finditer(line))
    ends = [*(key.start() for key in matches), len(line)][1:]
    values = {}
    for key, end in zip(matches, ends, strict=True):
        text = line[key.end() : end]
        if _NUMBERS.search(text):
            (values[key[0].lower()],) = _row(text, 1) or _unread(line[key.start() : end])
    return values


def _row(text: str, count: int) -> list[Cell]:
    """Return the numbers of a text if it has so many, and nothing around them that may be a part of one."""
    values = _NUMBERS.findall(text)
    if len(values) != count:
        return []
    if not _BETWEEN.fullmatch(_NUMBERS.sub("", text)):
        _unread(text)
    return [Cell(*value) for value in values]


def _unread(text: str) -> NoReturn:
    raise InertiaError.of("printed_number", "", "unread", number=text.strip()[:30])


def _index(letter: str) -> int:
    return "xyz".index(letter)


def _about(text: str) -> About:
    """Return the point that a heading names; a centre is also named with the axes of a coordinate system."""
    return "center" if _AT_CENTER.search(text) else "origin" if _AT_ORIGIN.search(text) else ""


def _bracket(line: str) -> str:
    """Return the unit that a heading has in brackets; empty if it has none."""
    return next((text.strip() for text in _BRACKETS.findall(line) if not _ASIDE.search(text)), "")
