# SPDX-License-Identifier: Apache-2.0
"""Masses that were measured on a scale, by the names of links."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from ..errors import InertiaError
from .density_map import from_csv, read_rows
from .materials import checked_mass

COLUMNS = ("link", "mass")
"""Columns of a table of weighed masses [kg]."""


def weighed_masses(pairs: Iterable[tuple[str, float]]) -> dict[str, float]:
    """Return the masses [kg] by the names of the links.

    Raises
    ------
    InertiaError
        ``bad_mass``; ``not_weighed`` if two different masses are given for a link.
    """
    masses: dict[str, float] = {}
    for name, mass in pairs:
        first = masses.setdefault(name, checked_mass(mass, name))
        if first != mass:
            raise InertiaError.of("not_weighed", name, "two", first=first, mass=mass)
    return masses


def read_weighed(path: Path) -> Iterator[tuple[str, float]]:
    """Read a table of weighed masses: CSV with a header of `COLUMNS`; yields the name and the mass [kg] of each row.

    Raises
    ------
    InertiaError
        ``bad_density_map``, with the row.
    """
    for where, row in read_rows(path, partial(from_csv, columns=COLUMNS, needed=COLUMNS), _bad):
        name, text = row["link"].strip(), row["mass"].strip()
        if not name:
            raise _bad(path, f"{where}: it names no link")
        try:
            mass = checked_mass(float(text))
        except ValueError:
            raise _bad(path, f"{where} ('{name}'): its mass {text[:40]!r} is not a number") from None
        except InertiaError as error:
            raise _bad(path, f"{where} ('{name}'): {error.message}") from None
        yield name, mass


def _bad(path: Path, reason: str) -> InertiaError:
    return InertiaError.of("bad_density_map", str(path), "weighed", reason=reason, columns=",".join(COLUMNS))
