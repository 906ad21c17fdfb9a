# SPDX-License-Identifier: GPL-3.0-or-later
"""The mean density that a target mass implies for a link, and the material that has it."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isclose, log

from ..body.material_library import BLENDER, DEVICES, LIBRARY, LIQUIDS, PRINTED
from ..body.materials import MATERIALS
from ..units import Say, rounded
from .resolve import LinkBody

OSMIUM = 22590.0
"""The densest solid [kg/m³] (CRC Handbook of Chemistry and Physics)."""

LIGHTEST = 5.0
"""Minimum density [kg/m³]: less than any foam that a part is made of; the lightest of the library has 15."""

AGREES = 0.05
"""Densities this close, relatively, are of the same material: about the spread of one kind."""

_SOLIDS = {
    material.name: material.density
    for category, materials in LIBRARY.items()
    if category not in (BLENDER, DEVICES, LIQUIDS)
    for material in materials
}
_PRINTED = frozenset(material.name for material in LIBRARY[PRINTED])


@dataclass(frozen=True)
class ImpliedDensity:
    """A mean density, and the material that it compares to.

    Parameters
    ----------
    density : float
        Mass over the volume of the collisions [kg/m³].
    material : str
        The material for comparison: the given one, else the nearest; empty if none is near.
    ratio : float
        Density in units of that material's; 0 without a material.
    text : str
        Both in words, such as ``312 kg/m³: 0.30 x ABS: hollow, or printed with 30 % infill?``
    """

    density: float
    material: str
    ratio: float
    text: str


def implied_density(
    body: LinkBody, material: str = "", density: float | None = None, say: Say = str
) -> ImpliedDensity | None:
    """Compare a link's mass with its volume.

    Parameters
    ----------
    body : LinkBody
        With its target mass, if any. Volumes of collisions are summed as masses are, overlaps twice.
    material : str
        The stated material of the link, in the library or not.
    density : float or None
        Its density [kg/m³], solid; by default that of the material of that name.
    say : callable
        Translates a text.

    Returns
    -------
    ImpliedDensity or None
        None without a volume or a mass.
    """
    if body.inertial is None or body.volume is None or not body.volume > 0.0:
        return None
    return compared(body.inertial.mass / body.volume, material, density, say)


def compared(implied: float, material: str = "", density: float | None = None, say: Say = str) -> ImpliedDensity:
    """Describe a density [kg/m³] next to a material, by name or by `density`, else next to the library's nearest."""
    if density is None:
        density = MATERIALS.get(material)
    if density is not None and not 0.0 < density < inf:  # a link whose parts all have their own density does not use it
        density = None
    shown = f"{implied:.4g} kg/m³"
    if rounded(implied) > OSMIUM:
        text = say("{density}: denser than any solid (osmium {osmium}): check the mass and the unit of length")
        text = text.format(density=shown, osmium=f"{OSMIUM:g}")
        return ImpliedDensity(implied, "", 0.0, text)
    if rounded(implied) < LIGHTEST:
        text = say("{density}: lighter than any foam: check the mass and the unit of length").format(density=shown)
        return ImpliedDensity(implied, "", 0.0, text)
    if density is None:
        material, density = _nearest(implied)
    ratio = implied / density
    return ImpliedDensity(implied, material, ratio, f"{shown}: {_in_words(implied, material, ratio, say)}")


def nearest_materials(density: float, count: int = 3) -> tuple[str, ...]:
    """Return the names of the solid materials nearest in density [kg/m³] by ratio, nearest first.

    Of those within a percent of each other, the first of the library, which is the most common.
    """
    return tuple(sorted(_SOLIDS, key=lambda name: round(abs(log(_SOLIDS[name] / density)), 2))[:count])


def _nearest(implied: float) -> tuple[str, float]:
    name = nearest_materials(implied, 1)[0]
    if _agrees(implied / _SOLIDS[name]) or implied > _SOLIDS["PLA"]:
        return name, _SOLIDS[name]
    # Lighter than solid plastic and unlike any wood or foam: most likely a print with air in it.
    return "PLA", _SOLIDS["PLA"]


def _agrees(ratio: float) -> bool:
    return isclose(rounded(ratio, 9), 1.0, rel_tol=AGREES)


def _in_words(implied: float, material: str, ratio: float, say: Say) -> str:
    name = material or say("stated")
    if _agrees(ratio):
        return say("as {material}").format(material=name)
    times = f"{ratio:.2f} x {name}"
    if ratio < 1.0:
        if material not in _PRINTED and material:
            return say("{times}: hollow?").format(times=times)
        percent = f"{ratio:.0%}".replace("%", " %")
        return say("{times}: hollow, or printed with {percent} infill?").format(times=times, percent=percent)
    other = nearest_materials(implied, 1)[0]
    if other != material and _agrees(implied / _SOLIDS[other]):
        return say("{times}: parts not modelled, or of {other}?").format(times=times, other=other)
    return say("{times}: parts not modelled?").format(times=times)
