# SPDX-License-Identifier: Apache-2.0
"""Which row of a bill of materials is about which part: by whole names only, never by a piece of one."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from ..errors import Finding, InertiaError
from ..quantity import Quantity
from ..units import listed_text
from .bom import Bom, Row, is_nested

_FILE = re.compile(r"\.(sldprt|sldasm|ipt|iam|par|psm|asm|prt|f3d|fcstd|step|stp)$")
_INSTANCE = re.compile(r"\s*(?::\d+|<\d+>|-\d+|\(\d+\)|\.\d{3})$")

_DASHED = re.compile(r"-\d+$")


@dataclass(frozen=True, eq=False)
class Item:
    """A part or a sub-assembly of an assembly.

    Parameters
    ----------
    name, number : str
        Of the product.
    instances : tuple of str
        Names of its placements.
    count : int
        Of its placements.
    """

    name: str
    number: str
    instances: tuple[str, ...]
    count: int

    is_assembly: ClassVar[bool] = False

    @property
    def names(self) -> tuple[str, ...]:
        """The product's names, and those of its placements."""
        return (self.name, self.number, *self.instances)


@dataclass(frozen=True, eq=False)
class Match:
    """The rows about an item, which do not contradict each other, and how they were matched to it."""

    rows: tuple[Row, ...]
    how: str

    @property
    def row(self) -> Row:
        """The first row, with what only the others state."""
        first, *others = self.rows
        for other in others:
            first = first._replace(
                material=first.material or other.material,
                mass=first.mass or other.mass,
                density=first.density or other.density,
            )
        return first


_Form = Callable[[str], str]
_Key = tuple[int, str]


class Way(NamedTuple):
    """A way to match: pairs of forms, of a row's names and of an item's, that are to be equal."""

    how: str
    forms: tuple[tuple[_Form, _Form], ...]
    with_instances: bool = True


def _whole(name: str) -> str:
    return _FILE.sub("", " ".join(unicodedata.normalize("NFC", name).casefold().split()))


def _without_instance(name: str) -> str:
    return _INSTANCE.sub("", _whole(name))


def _letters(name: str) -> str:
    return "".join(character for character in _whole(name) if character.isalnum())


SUMS = frozenset(
    ("total", "totals", "sum", "grand total", "summe", "gesamt", "gesamtmasse", "gesamtgewicht", "total mass")
)
"""First names of rows below the parts."""

WHOLE, NUMBERLESS, LETTERS = "name", "name without its number", "letters and digits"

WAYS = (
    Way(WHOLE, ((_whole, _whole),), with_instances=False),
    Way("name of an instance", ((_whole, _whole),)),
    # Only one of the two has the number of an instance: PL-10 and PL-20 are two parts.
    Way(NUMBERLESS, ((_whole, _without_instance), (_without_instance, _whole))),
    Way(LETTERS, ((_letters, _letters),)),
)
"""How rows are matched, one way after the other; all but the first only to one item."""


def matched(bom: Bom, items: Sequence[Item]) -> tuple[dict[Item, Match], list[Finding]]:
    """Return the match of each item that has one, and findings about rows and items.

    Raises
    ------
    InertiaError
        ``bom_conflict``, if two rows about an item state different numbers, or one row names two items.
    """
    rows: dict[Item, list[Row]] = {}
    hows: dict[Item, str] = {}
    findings, rest = list[Finding](), bom.rows
    parents = {row.item.rpartition(".")[0] for row in bom.rows if is_nested(row.item)}
    for way in WAYS:
        by_name = _by_name([item for item in items if item not in rows], way)
        unmatched = []
        for row in rest:
            about = _about(bom, row, way, by_name, parents)
            if not about:
                unmatched.append(row)
            for item in about:
                rows.setdefault(item, []).append(row)
                hows[item] = way.how
                # A number after a dash may be that of another part.
                is_doubtful = way.how == NUMBERLESS and any(map(_DASHED.search, (*row.names, item.name)))
                if way.how == LETTERS or is_doubtful:
                    form = "" if way.how == LETTERS else "number"
                    findings.append(Finding.of("info", "bom_match", item.name, form, line=row.line, row=row.names[0]))
        rest = tuple(unmatched)
    rest = tuple(row for row in rest if row.names[0].casefold() not in SUMS)
    free = [item.name for item in items if item not in rows and not item.is_assembly]
    unnamed = listed_text([f"'{name}'" for name in free], 3) if rest and free else None
    for row in rest:
        names = " or ".join(f"'{name}'" for name in row.names)
        findings.append(Finding.of("warning", "bom_row", f"{bom.path.name}:{row.line}", names=names, free=unnamed))
    above = {row.item: row.quantity or 1.0 for row in bom.rows}
    # Placements by the line of the first row, which may be about products of one name; a sub-assembly counts by itself.
    counts = Counter[tuple[int, bool]]()
    for item, several in rows.items():
        counts[several[0].line, item.is_assembly] += item.count
    for item, several in rows.items():
        if clash := next(_contradictions(several), None):
            what, first, second = clash
            raise InertiaError.of("bom_conflict", item.name, first=first.line, second=second.line, what=what)
        findings += _quantity_findings(item, several, sum(counts[row.line, item.is_assembly] for row in several), above)
    return {item: Match(tuple(several), hows[item]) for item, several in rows.items()}, findings


def _by_name(items: Sequence[Item], way: Way) -> Mapping[_Key, list[Item]]:
    """Return the items by the index of a pair of forms, and the form of a name."""
    by_name: dict[_Key, list[Item]] = {}
    for index, (_, form) in enumerate(way.forms):
        for item in items:
            names = item.names if way.with_instances else (item.name, item.number)
            for name in dict.fromkeys(form(name) for name in names):
                by_name.setdefault((index, name), []).append(item)
    return by_name


def _about(bom: Bom, row: Row, way: Way, by_name: Mapping[_Key, list[Item]], parents: Container[str]) -> Sequence[Item]:
    """Return the items that a row is about: those that have both its name and its number, if any has.

    `parents` are the item numbers of rows that others are a part of, such as 1 of 1.2.
    """
    of_names = []
    for name in row.names:
        keys = [(index, form(name)) for index, (form, _) in enumerate(way.forms)]
        of_names.append(dict.fromkeys(item for key in keys if key[1] for item in by_name.get(key, ())))
    of_names = [items for items in of_names if items]
    if not of_names:
        return ()
    about = [item for item in of_names[0] if item in of_names[-1]]
    if parents and len({item.is_assembly for item in about}) > 1:  # one of them has rows below it
        about = [item for item in about if item.is_assembly == (row.item in parents)]
    if way.how != WHOLE:
        return about if len(about) == 1 else ()
    if not about:
        first, second = row.names
        subject = f"{bom.path.name}:{row.line}"
        raise InertiaError.of("bom_conflict", subject, "names", first=first, second=second)
    return about


def _contradictions(rows: Sequence[Row]) -> Iterator[tuple[str, Row, Row]]:
    """Yield what two rows about one part state differently, beyond their digits, and the two."""
    first: dict[str, Row] = {}  # the one that states something
    for row in rows:
        for what in ("mass", "density", "material"):
            if stated := getattr(row, what):
                other = first.setdefault(what, row)
                if _differ(getattr(other, what), stated):
                    yield what, other, row


def _differ(a: Quantity | str, b: Quantity | str) -> bool:
    if isinstance(a, str) or isinstance(b, str):
        return str(a).casefold() != str(b).casefold()
    return abs(a.value - b.value) > max(a.error, b.error)


def _quantity_findings(item: Item, rows: Sequence[Row], count: int, above: Mapping[str, float]) -> Iterator[Finding]:
    """Yield the finding for quantities that are not the number of placements, by themselves or times their parents'.

    Parameters
    ----------
    count : int
        Of the placements of all that the rows are about.
    above : mapping of str to float
        Quantities by item number, such as 1.2.
    """
    if any(row.quantity is None for row in rows):
        return
    plain = sum(row.quantity or 0.0 for row in rows)
    nested = 0.0
    for row in rows:
        product, place = row.quantity or 0.0, row.item
        while is_nested(place):
            place = place.rpartition(".")[0]
            product *= above.get(place, 1.0)
        nested += product
    if count not in (plain, nested):
        yield Finding.of("warning", "bom_quantity", item.name, stated=plain, count=count)
