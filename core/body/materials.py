# SPDX-License-Identifier: Apache-2.0
"""Densities by material name, and the checks of a density and of a mass."""

from __future__ import annotations

from math import isfinite
from types import MappingProxyType

from ..errors import InertiaError
from .material_library import LIBRARY

WATER = 1000.0
"""SDFormat's default density [kg/m³]."""

MAX_DENSITY = 1e6
"""A higher density [kg/m³] is a mistake: this is forty times osmium, the densest solid."""

_ALL = tuple(material for materials in LIBRARY.values() for material in materials)

MATERIALS = MappingProxyType({material.name: material.density for material in _ALL})
"""Density [kg/m³] by material name."""

SOURCES = MappingProxyType({material.name: material.source for material in _ALL})
"""Source of each density."""

CATEGORIES = MappingProxyType(
    {category: tuple(material.name for material in materials) for category, materials in LIBRARY.items()}
)
"""Names of materials by category, both in the order in which they are shown."""


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
