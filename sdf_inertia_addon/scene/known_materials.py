# SPDX-License-Identifier: GPL-3.0-or-later
"""Materials by name: the user's own, from the preferences, then the library's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy

from ...core.body.materials import ALIASES, CATEGORIES, MATERIALS
from ..preferences import preferences
from ..translations.words import iface_, n_

OWN = n_("My materials")
"""The category of the user's own."""

UNRELATED = 5
"""The rank of a material that a search does not find."""

SAME = 1e-6
"""Densities this close, relatively, are one: ten roundings of float32."""

_BY_CASE = {name.casefold(): name for name in MATERIALS}


def density_of(name: str) -> float | None:
    """Return the density [kg/m³] of a material known by exactly this name; the user's own wins over the library's."""
    for material, density in _own():
        if material == name:
            return density
    return MATERIALS.get(name)


def known_name(name: str) -> str | None:
    """Return a known material's name as it is spelt, whatever its case here; None if there is none."""
    folded = name.casefold()
    return next((material for material, _ in _own() if material.casefold() == folded), _BY_CASE.get(folded))


def all_names() -> list[str]:
    """Return all names, the user's own first."""
    return list(dict.fromkeys([*(material for material, _ in _own()), *MATERIALS]))


def same_density(a: float, b: float) -> bool:
    """Return True if two densities are one but for float32's rounding."""
    return abs(a - b) <= SAME * abs(b)


def by_category() -> dict[str, list[tuple[str, float]]]:
    """Return names and densities [kg/m³] by category, as menus show them; the user's own first, if there are any."""
    materials = list(_own())
    categories = {OWN: materials} if materials else {}
    hidden = {name for name, _ in materials}
    for category, members in CATEGORIES.items():
        categories[category] = [(name, MATERIALS[name]) for name in members if name not in hidden]
    return categories


def search(_owner: Any, _context: bpy.types.Context, text: str) -> list[tuple[str, str]]:
    """Return what a search field offers for `text`, each with its density.

    Names that it begins come first, then names that hold it, other names of a material, and all of a category.
    """
    ranked = [
        (_rank(text.casefold(), name, iface_(category)), name, f"{density:g} kg/m³, {iface_(category)}")
        for category, members in by_category().items()
        for name, density in members
    ]
    return [(name, about) for rank, name, about in sorted(ranked, key=lambda row: row[0]) if rank < UNRELATED]


def in_a_list(name: str, density: float) -> str:
    """Return a material as a narrow list has it: its name, its density and its other names, which may be cut."""
    return f"{name}, {density:g} kg/m³" + (f" ({ALIASES[name]})" if name in ALIASES else "")


def _rank(folded: str, name: str, category: str) -> int:
    """Return how well a material matches a search, 0 for best."""
    lower, aliases = name.casefold(), ALIASES.get(name, "").casefold()
    matches = (
        lower == folded,
        lower.startswith(folded),
        folded in lower,
        folded in aliases,
        folded in category.casefold(),
    )
    return next((rank for rank, match in enumerate(matches) if match), UNRELATED)


def _own() -> Iterator[tuple[str, float]]:
    settings = preferences()
    if settings is not None:
        for material in settings.materials:
            if material.name:
                yield material.name, material.density
