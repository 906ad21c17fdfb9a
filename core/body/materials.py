# SPDX-License-Identifier: Apache-2.0
"""Densities by material name, and the checks of a density and of a mass.

The densities are in ``materials.csv``: of solid materials at room temperature [kg/m³], each with its source. Each
figure comes from the source that it names. Handbooks and standards were not read directly: the density tables of
plib's densitydb and the Physics Hypertextbook quote CRC (Handbook of Chemistry and Physics; CRC AES: its tables of
applied engineering science), ASM (Metals Handbook), Marks and Machinery's Handbook with their pages; MatWeb's and ASM's
sheets, makers' data sheets and copies of tables of the EN, ASTM and NADCA were read as web pages. Crawford: his
Plastics Engineering, table 1.8. FreeCAD: its material cards. OpenRocket: its database of materials. EN ISO 10077-2: a
copy of its table of design values, much the same as that of EN ISO 10456. TDUK: Timber Development UK. Blender: its
rigid-body presets (Object > Rigid Body > Calculate Mass), which are its own and differ in places.

Ranges are those that the sources give for the kind; without a range, the source names one grade or thing, or all
sources agree. Electronics are averages over the outline of a whole device, from its published mass and size; servos are
Robotis's.
"""

from __future__ import annotations

import csv
from itertools import groupby
from math import isfinite
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from ..errors import InertiaError

WATER = 1000.0
"""SDFormat's default density [kg/m³]."""

MAX_DENSITY = 1e6
"""A higher density [kg/m³] is a mistake: this is forty times osmium, the densest solid."""

PRINTED = "Plastics for printing"
BLENDER = "Blender's presets"
DEVICES = "Electronics"
LIQUIDS = "Liquids and ice"
"""Categories that are treated in a way of their own."""


class Material(NamedTuple):
    """A row of the table: density and usual range [kg/m³], and where they come from."""

    category: str
    name: str
    density: float
    low: float
    high: float
    aliases: str  # other names by which people look for it, with commas between
    source: str


def _read() -> tuple[Material, ...]:
    with Path(__file__).with_suffix(".csv").open(encoding="utf-8", newline="") as lines:
        _, *rows = csv.reader(lines)
    return tuple(
        Material(category, name, float(density), float(low or density), float(high or density), aliases, source)
        for category, name, density, low, high, aliases, source in rows
    )


_ALL = _read()

LIBRARY = MappingProxyType({kind: tuple(rows) for kind, rows in groupby(_ALL, lambda row: row.category)})
"""Materials by category, both in the order in which they are shown."""

ALIASES = MappingProxyType({material.name: material.aliases for material in _ALL if material.aliases})
"""Other names by which people look for a material."""

MATERIALS = MappingProxyType({material.name: material.density for material in _ALL})
"""Density [kg/m³] by material name."""

RANGES = MappingProxyType({material.name: (material.density, material.low, material.high) for material in _ALL})
"""Density and its usual range [kg/m³] by material name."""

SOURCES = MappingProxyType({material.name: material.source for material in _ALL})
"""Source of each density."""

CATEGORIES = MappingProxyType({kind: tuple(row.name for row in rows) for kind, rows in LIBRARY.items()})
"""Names of materials by category."""


def checked_density(density: float, subject: str = "") -> float:
    """Return `density` [kg/m³] if it is valid.

    Raises
    ------
    InertiaError
        ``bad_density``: zero, negative, not finite or above `MAX_DENSITY`.
    """
    if isfinite(density) and 0.0 < density <= MAX_DENSITY:
        return float(density)
    raise InertiaError.of("bad_density", subject, density=density, largest=MAX_DENSITY)


def likely_density(given: float) -> float | None:
    """Return a density [kg/m³] whose unit, g/mm³, g/cm³ or kg/m³, the file does not keep; None if it is not one."""
    if not given > 0.0:
        return None
    return given * (1e6 if given < 0.03 else 1e3 if given < 20.0 else 1.0)


def checked_mass(mass: float, subject: str = "") -> float:
    """Return `mass` [kg] if it is valid.

    Raises
    ------
    InertiaError
        ``bad_mass``: zero, negative or not finite.
    """
    if isfinite(mass) and mass > 0.0:
        return float(mass)
    raise InertiaError.of("bad_mass", subject, "density", mass=mass)
