# SPDX-License-Identifier: GPL-3.0-or-later
"""Densities by material name, and what counts as a density at all."""

from __future__ import annotations

from math import isfinite
from types import MappingProxyType

from .errors import InertiaError

WATER = 1000.0
"""SDFormat's default density [kg/m³]."""

MAX_DENSITY = 1e6
"""Above this a density [kg/m³] is a mistake: forty times osmium, the densest solid."""

# Makers' data sheets and handbook values at room temperature, solid material without infill or pores.
# CRC: CRC Handbook of Chemistry and Physics. MatWeb: typical unfilled grade. Blender: its rigid-body presets.
_DENSITIES = {
    "Water": (1000.0, "SDFormat's default"),
    "Aluminium": (2700.0, "CRC, pure; alloys 2640-2810"),
    "Steel": (7850.0, "EN 1993-1-1, structural steel"),
    "Stainless steel": (8000.0, "EN 10088-1, 1.4401"),
    "Titanium": (4500.0, "CRC"),
    "Brass": (8500.0, "MatWeb, CuZn37 to CuZn39Pb3"),
    "Copper": (8960.0, "CRC"),
    "Lead": (11340.0, "CRC"),
    "PLA": (1240.0, "makers' data sheets, 100 % infill"),
    "ABS": (1040.0, "makers' data sheets, 100 % infill"),
    "PETG": (1270.0, "makers' data sheets, 100 % infill"),
    "Nylon": (1140.0, "MatWeb, PA 6 dry"),
    "POM": (1410.0, "makers' data sheets, copolymer"),
    "Polycarbonate": (1200.0, "MatWeb"),
    "Acrylic": (1190.0, "MatWeb, cast PMMA"),
    "Carbon fibre": (1600.0, "MatWeb, epoxy laminate at 60 % fibre"),
    "FR4": (1850.0, "IPC-4101 laminates"),
    "Rubber": (1100.0, "MatWeb, natural rubber, filled"),
    "Plywood": (680.0, "EN 636, birch"),
    "Glass": (2500.0, "CRC, soda-lime"),
}

MATERIALS = MappingProxyType({name: density for name, (density, _source) in _DENSITIES.items()})
"""Density [kg/m³] by material name."""

SOURCES = MappingProxyType({name: source for name, (_density, source) in _DENSITIES.items()})
"""Where each density is from."""


def checked_density(density: float, subject: str = "") -> float:
    """Return `density` [kg/m³] if it is one.

    Raises
    ------
    InertiaError
        ``bad_density``: zero, negative, not finite or above `MAX_DENSITY`.
    """
    if isfinite(density) and 0.0 < density <= MAX_DENSITY:
        return float(density)
    raise InertiaError(
        "bad_density",
        subject,
        f"a density of {density:g} kg/m³ is impossible: it must be above 0 and at most {MAX_DENSITY:g}",
        "give a density in kg/m³ (water 1000, PLA 1240, aluminium 2700, steel 7850)",
    )


def checked_mass(mass: float, subject: str = "") -> float:
    """Return `mass` [kg] if it is one.

    Raises
    ------
    InertiaError
        ``bad_mass``: zero, negative or not finite.
    """
    if isfinite(mass) and mass > 0.0:
        return float(mass)
    raise InertiaError("bad_mass", subject, f"a mass of {mass:g} kg is impossible", "give a mass above 0 kg")
