# SPDX-License-Identifier: Apache-2.0
"""The range within which each link is drawn: what the user gives, else what is known about its numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import partial
from math import pi
from pathlib import Path

import numpy as np

from ..body.density_map import from_csv, read_rows
from ..body.inertial import Inertial
from ..body.intervals import Interval, combined, material_interval
from ..errors import InertiaError
from ..formats.file_link import FileLink
from ..quantity import LENGTHS, SHARES, QuantityError, quantity
from ..robot.resolve import LinkBody
from .digits import file_intervals

ANGLES = {"rad": 1.0, "deg": pi / 180.0, "°": pi / 180.0}
"""Units of angles, in radians."""

QUANTITIES = ("mass", "com", "moments", "axes")

COLUMNS = ("link", *QUANTITIES, "material", "source")
"""Columns of a file of ranges; all but ``link``, a name or a pattern, may be empty."""


@dataclass(frozen=True)
class Vary:
    """A range that a user gives; what is not given stays.

    Parameters
    ----------
    mass, moments : float
        Shares.
    com : float
        Along each axis of the link [m], or with `com_is_share` a share of the link's longest side.
    axes : float
        [rad].
    source : str
    """

    mass: float = 0.0
    com: float = 0.0
    com_is_share: bool = False
    moments: float = 0.0
    axes: float = 0.0
    source: str = "given"

    @classmethod
    def read(cls, texts: Mapping[str, str], source: str = "given") -> Vary:
        """Read a range from texts by the names of `QUANTITIES`: ``10%``, ``5mm``, ``3deg``.

        Raises
        ------
        InertiaError
            ``bad_range``: not a number with a known unit, negative, or so large that no body is possible.
        """
        values = {name: _number(name, text) for name, text in texts.items() if text.strip()}
        return cls(com_is_share=texts.get("com", "").rstrip().endswith("%"), source=source, **values)

    def interval(self, size: float) -> Interval:
        """Return the range of a link of a size [m]."""
        com = np.full(3, self.com * (size if self.com_is_share else 1.0))
        return Interval(self.source, self.mass, com, self.moments, self.axes)


@dataclass(frozen=True)
class Ranges:
    """What a user gives about ranges.

    A link takes the last of `links` that matches its name, else the first row of a file that does, else `vary`, else
    what is known about its numbers. With `links`, all others stay as they are.

    Parameters
    ----------
    vary : Vary or None
        Of all links.
    links : sequence of (str, Vary or None)
        Patterns of names, and their own range if they have one.
    rows : sequence of (str, Vary)
        Those of a file.
    """

    vary: Vary | None = None
    links: Sequence[tuple[str, Vary | None]] = ()
    rows: Sequence[tuple[str, Vary]] = field(default=())

    @classmethod
    def read(cls, vary: Mapping[str, str], links: Iterable[str] = (), path: Path | None = None) -> Ranges:
        """Read ranges from texts by the names of `QUANTITIES`, from patterns, and from a file.

        A pattern of names may have ranges of its own: ``wheel*=mass:10%,com:5mm``.

        Raises
        ------
        InertiaError
            ``bad_range``.
        """
        chosen = [
            (pattern, _of_words(words) if mark else None)
            for pattern, mark, words in (text.partition("=") for text in links)
        ]
        return cls(Vary.read(vary) if vary else None, chosen, [] if path is None else read_ranges(path))

    def of(self, link: FileLink, body: LinkBody) -> tuple[Interval, ...]:
        """Return the intervals of a link by their sources; none for one that stays as it is."""
        names = (link.local_name, link.name)
        chosen = [vary for pattern, vary in self.links if _matches(pattern, names)]
        if self.links and not chosen:
            return ()
        vary = next((vary for vary in reversed(chosen) if vary is not None), None)
        vary = vary or next((row for pattern, row in self.rows if _matches(pattern, names)), self.vary)
        if vary is None:
            return file_intervals(link, body)
        interval = vary.interval(_size(link, body.inertial))
        return () if interval.is_zero else (interval,)

    def check(self, links: Sequence[FileLink]) -> None:
        """Raise ``bad_range`` for a pattern that no link matches."""
        for pattern, _ in (*self.links, *self.rows):
            if not any(_matches(pattern, (link.local_name, link.name)) for link in links):
                raise InertiaError.of("bad_range", "", "no_link", pattern=pattern)


@dataclass(frozen=True, eq=False)
class LinkRange:
    """A link with its nominal inertial, in its frame, and the intervals within which it is drawn."""

    link: FileLink
    inertial: Inertial
    intervals: tuple[Interval, ...]

    @property
    def interval(self) -> Interval:
        """All its intervals together."""
        return combined(self.intervals)


def read_ranges(path: Path) -> list[tuple[str, Vary]]:
    """Read a CSV of ranges with the columns `COLUMNS`.

    Raises
    ------
    InertiaError
        ``bad_range``, with the line.
    """

    def bad(path: Path, reason: str) -> InertiaError:
        return InertiaError.of("bad_range", str(path), "file", reason=reason, columns=", ".join(COLUMNS))

    rows = []
    for where, cells in read_rows(path, partial(from_csv, columns=COLUMNS, needed=COLUMNS[:1]), bad):
        try:
            rows.append((cells["link"].strip(), _of_row(cells)))
        except InertiaError as error:
            raise bad(path, f"{where}: {error.message}") from None
    return rows


def _of_words(text: str) -> Vary:
    pairs = [word.partition(":") for word in text.split(",")]
    if not all(mark and name.strip() in QUANTITIES for name, mark, _ in pairs):
        raise InertiaError.of("bad_range", "", "words", text=text)
    return Vary.read({name.strip(): value for name, _, value in pairs})


def _of_row(cells: Mapping[str, str]) -> Vary:
    texts = {name: cells[name] for name in QUANTITIES if cells.get(name, "").strip()}
    source, material = cells.get("source", "").strip(), cells.get("material", "").strip()
    if material and "mass" not in texts:
        interval = material_interval(material)
        if interval is None:
            raise InertiaError.of("bad_range", "", "material", material=material)
        texts["mass"], source = f"{100.0 * interval.mass!r}%", source or interval.source
    return Vary.read(texts, source or "given")


def _number(name: str, text: str) -> float:
    """Return a number of a range in SI, or as a share."""
    units: Mapping[str, float] = {
        "com": {**LENGTHS, **SHARES} if text.rstrip().endswith("%") else LENGTHS,
        "axes": ANGLES,
    }.get(name, SHARES)
    try:
        read = quantity(text, units)
    except QuantityError as error:
        raise InertiaError.of("bad_range", "", "text", name=name, reason=str(error)) from None
    value = -1.0 if read is None else read.value
    largest = {"com": 1e6, "axes": pi}.get(name, 1.0)
    # A mass or moment of 100 % less is none.
    if not 0.0 <= value <= largest or (largest == 1.0 and value == 1.0):
        raise InertiaError.of(
            "bad_range", "", name if name in ("com", "axes") else "share", name=name, text=text.strip()
        )
    return value


def _matches(pattern: str, names: Sequence[str]) -> bool:
    return pattern in names or any(fnmatchcase(name, pattern) for name in names)


def _size(link: FileLink, inertial: Inertial | None) -> float:
    """Return the longest side [m] of a link's geometry; without any that of the box with its moments."""
    extent = link.extent
    if extent is not None:
        return extent.longest
    return 0.0 if inertial is None else float(inertial.equivalent_box().max())
