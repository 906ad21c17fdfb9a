# SPDX-License-Identifier: Apache-2.0
"""A density, a material or a mass for many things at once, by name, glob or category."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import partial
from io import StringIO
from math import inf
from pathlib import Path
from typing import Any

from ..errors import InertiaError
from ..quantity import LENGTHS, QuantityError, quantity
from .materials import MATERIALS, checked_density, checked_mass

COLUMNS = ("match", "density", "material", "mass", "wall", "infill", "source")
"""Columns of a map; all but ``match`` may be empty."""

SCALE = "scale"
"""A further column, for mesh files: a robot's file gives the scale of its meshes itself."""

MAX_BYTES = 64 * 1024 * 1024
"""Maximum size of a map: a million rows."""

Row = tuple[str, Mapping[str, Any]]
"""The place of a row in its file, and its cells by column."""

_GLOB = re.compile(r"[*?\[]")
_CATEGORY = re.compile(r"[^\W\d_]+([ _-][^\W\d_]+)*")
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class Stated:
    """One row of a map.

    Parameters
    ----------
    match : str
        A name, a glob (``*``, ``?``, ``[abc]``), or words that a name contains, which make a category.
    density : float or None
        Of the whole body [kg/m³]: the material's, without a wall times the infill; None if only a mass is given.
    mass : float or None
        [kg].
    source : str
        The source of the number.
    scale : float or None
        Metres per unit of a mesh file; None for what else applies.
    wall, infill : float or None
        Of a print: the thickness of its wall [m], and the share of the density within; both None for anything else.
    """

    match: str
    density: float | None
    material: str = ""
    mass: float | None = None
    source: str = ""
    scale: float | None = None
    wall: float | None = None
    infill: float | None = None

    @property
    def numbers(self) -> tuple[float | None, ...]:
        """What it states: two rows with the same numbers do not contradict each other."""
        return self.density, self.mass, self.scale, self.wall, self.infill


class DensityMap:
    """The rows of a map, found by what they match.

    A name is looked up whole first, then by the globs in their order, then by categories: a row whose words are next to
    each other in the name, else in the name of its folder, else of the folder above. Letter case is ignored. The
    category with the most words wins; several that contradict each other raise an error.
    """

    def __init__(self, rows: Sequence[Stated]) -> None:
        self.rows = tuple(rows)
        self._whole = {row.match.casefold(): row for row in reversed(rows)}
        self._globs = [(row.match.casefold(), row) for row in rows if _GLOB.search(row.match)]
        self._categories: dict[tuple[str, ...], list[Stated]] = {}
        for row in rows:
            if _CATEGORY.fullmatch(row.match):
                self._categories.setdefault(_words(row.match), []).append(row)
        self._most = max(map(len, self._categories), default=0)

    @classmethod
    def read(cls, path: Path, with_scale: bool = False) -> DensityMap:
        """Read a map: CSV with a header of `COLUMNS`, or JSON, a list of objects or one object by match.

        Parameters
        ----------
        path : Path
        with_scale : bool
            For mesh files, it may also have the column `SCALE`.

        Raises
        ------
        InertiaError
            ``bad_density_map``, with the row.
        """
        columns = (*COLUMNS, SCALE) if with_scale else COLUMNS
        bad = partial(_bad, columns=columns)
        parsed = _from_json if path.suffix.lower() == ".json" else partial(from_csv, needed=COLUMNS[:1])
        entries = read_rows(path, partial(parsed, columns=columns), bad)
        rows = [_stated(path, where, row, bad) for where, row in entries]
        stated: dict[str, Stated] = {}
        for row in rows:
            other = stated.setdefault(row.match.casefold(), row)
            if other.numbers != row.numbers:
                raise bad(path, f"two of its rows match '{row.match}' and contradict each other")
        return cls(rows)

    def find(self, *names: str) -> Stated | None:
        """Return the row for the first of a thing's names that has one; None if none has.

        Parameters
        ----------
        *names : str
            The nearest first; for a file, its path, with or without folders.

        Raises
        ------
        InertiaError
            ``ambiguous_category``.
        """
        folded = [name.replace("\\", "/").casefold() for name in names if name]
        for name in folded:
            for form in _forms(name):
                if form in self._whole:
                    return self._whole[form]
        for name in folded:
            for glob, row in self._globs:
                if any(fnmatchcase(form, glob) for form in _forms(name)):
                    return row
        for name in folded:
            for text in name.split("/")[:-4:-1]:  # folders further up are the user's home
                if (stated := self._category(text)) is not None:
                    return stated
        return None

    def _category(self, text: str) -> Stated | None:
        words = _words(text)
        for count in range(min(self._most, len(words)), 0, -1):
            runs = (words[start : start + count] for start in range(len(words) - count + 1))
            rows = [row for run in dict.fromkeys(runs) for row in self._categories.get(run, ())]
            stated = {row.numbers: row for row in rows}
            if len(stated) > 1:
                several = ", ".join(f"'{row.match}'" for row in stated.values())
                raise InertiaError.of("ambiguous_category", text, several=several)
            if stated:
                return rows[0]
        return None


def read_rows(
    path: Path, parsed: Callable[[str], Iterable[Row]], bad: Callable[[Path, str], InertiaError]
) -> list[Row]:
    """Read the rows of a table, at least one, of at most `MAX_BYTES`.

    Parameters
    ----------
    path : Path
    parsed : callable
        Yields the rows of the file's text; raises ValueError for a text that it cannot understand.
    bad : callable
        Returns the error for a file, from its path and the reason.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise bad(path, "it is too large")
        rows = list(parsed(path.read_bytes().decode("utf-8-sig")))
    except OSError as error:
        raise bad(path, f"it cannot be read: {error.strerror}") from None
    except (ValueError, TypeError, AttributeError, RecursionError, csv.Error) as error:
        raise bad(path, f"it cannot be understood: {error}") from None
    if not rows:
        raise bad(path, "it has no row")
    return rows


def _forms(name: str) -> Iterator[str]:
    """Yield the forms in which a map may give a name: as it is, with fewer and fewer of its folders, without its
    suffix."""
    parts = name.split("/")
    last = parts[-1]
    ends = ("/".join(parts[start:]) for start in range(len(parts)))
    yield from dict.fromkeys((*ends, last.rpartition(".")[0] or last))


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.casefold()))


def from_csv(text: str, columns: Sequence[str], needed: Sequence[str]) -> Iterator[Row]:
    """Yield the rows of a CSV whose head line has the `needed` ones of some columns, and no others.

    Raises
    ------
    ValueError
        For another head line, or a row with more or fewer cells.
    """
    # A line that begins with # is a comment; an empty line replaces it, so that the line numbers stay.
    lines = csv.reader(StringIO(re.sub(r"(?m)^[ \t]*#.*$", "", text), newline=""), strict=True)
    rows = ((lines.line_num, cells) for cells in lines if cells)
    head = [name.strip().lower() for name in next(rows, (0, []))[1]]
    unknown = [name for name in head if name not in columns]
    missing = [name for name in needed if name not in head]
    if missing or unknown:
        fault = f"has the unknown column '{unknown[0]}'" if unknown else f"has no column '{missing[0]}'"
        raise ValueError(f"its head line {fault}; the columns are {', '.join(columns)}")
    for number, cells in rows:
        if len(cells) != len(head):
            raise ValueError(f"line {number} has not as many cells as the head line")
        yield f"line {number}", dict(zip(head, cells, strict=True))


def _from_json(text: str, columns: Sequence[str]) -> Iterator[Row]:
    entries = json.loads(text, object_pairs_hook=_object)
    if isinstance(entries, dict) and all(isinstance(row, dict) for row in entries.values()):
        entries = [{"match": match, **row} for match, row in entries.items()]
    if not (isinstance(entries, list) and all(isinstance(row, dict) for row in entries)):
        raise ValueError("it is neither a list of objects nor one object of objects by match")
    for number, row in enumerate(entries, 1):
        unknown = [name for name in row if name not in columns]
        if unknown:
            raise ValueError(f"row {number} has the unknown key '{unknown[0]}'; the keys are {', '.join(columns)}")
        yield f"row {number}", row


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object; raise ValueError if it has a key twice (json would keep the last)."""
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise ValueError(f"'{key}' occurs twice in one object")
        result[key] = value
    return result


def _stated(path: Path, where: str, row: Mapping[str, Any], bad: Callable[[Path, str], InertiaError]) -> Stated:
    def number(name: str) -> float | None:
        value = row.get(name)
        if value is None or (isinstance(value, str) and not value.strip()):
            return None
        try:
            if isinstance(value, bool):
                raise ValueError
            return float(value)
        except (ValueError, TypeError, OverflowError):
            raise bad(path, f"{where}: its {name} {str(value)[:40]!r} is not a number") from None

    def text(name: str) -> str:
        value = row.get(name)
        return "" if value is None else str(value).strip()

    def length(name: str) -> float | None:
        try:
            amount = quantity(text(name), LENGTHS)
        except QuantityError as error:
            raise bad(path, f"{where}: its {name} is wrong: {error}") from None
        return None if amount is None else amount.value

    match, material, wall = text("match"), text("material"), length("wall")
    density, mass, infill, scale = map(number, ("density", "mass", "infill", SCALE))
    try:
        if not match:
            raise InertiaError.of("bad_density_map", "", "no_match")
        if density is None and material:
            known = {name.casefold(): value for name, value in MATERIALS.items()}
            if material.casefold() not in known and mass is None:
                raise InertiaError.of("bad_density_map", "", "unknown_material", material=material)
            density = known.get(material.casefold())
        if wall is not None and (not 0.0 < wall < inf or infill is None or not 0.0 <= infill <= 1.0):
            raise InertiaError.of("bad_density_map", "", "wall")
        if wall is None and infill is not None and not 0.0 < infill <= 1.0:
            raise InertiaError.of("bad_density_map", "", "infill", infill=infill)
        if wall is None and infill is not None and density is None:
            raise InertiaError.of("bad_density_map", "", "infill_alone")
        if scale is not None and not 0.0 < scale < inf:
            raise InertiaError.of("bad_density_map", "", "scale", scale=scale)
        if density is None and mass is None:
            raise InertiaError.of("bad_density_map", "", "nothing_given")
        if density is not None:
            density = checked_density(density) * (infill or 1.0 if wall is None else 1.0)
        if mass is not None:
            checked_mass(mass)
    except InertiaError as error:
        raise bad(path, f"{where} ('{match}'): {error.message}") from None
    return Stated(match, density, material, mass, text("source"), scale, wall, None if wall is None else infill)


def _bad(path: Path, reason: str, columns: Sequence[str]) -> InertiaError:
    return InertiaError.of("bad_density_map", str(path), "file", reason=reason, columns=", ".join(columns))
