# SPDX-License-Identifier: Apache-2.0
"""The mean density that a target mass implies for a link, and the material that has it."""

from __future__ import annotations

from math import inf, isclose, log
from typing import NamedTuple

from ...body.materials import BLENDER, DEVICES, LIBRARY, LIQUIDS, MATERIALS, PRINTED
from ...robot.resolve import LinkBody
from ...units import Translate, rounded

OSMIUM = 22590.0
"""The densest solid [kg/m³] (CRC Handbook of Chemistry and Physics)."""

LIGHTEST = 5.0
"""Minimum density [kg/m³]: less than any foam that a part is made of; the lightest of the library has 15."""

AGREES = 0.05
"""Densities this close, relatively, are of the same material: about the spread of one kind."""

SOLIDS = {
    material.name: material.density
    for category, materials in LIBRARY.items()
    if category not in (BLENDER, DEVICES, LIQUIDS)
    for material in materials
}
_PRINTED = frozenset(material.name for material in LIBRARY[PRINTED])


class ImpliedDensity(NamedTuple):
    """A mean density and what it compares to, such as ``312 kg/m³: 0.30 x ABS: hollow, or printed with 30 % infill?``.

    It is not `possible` if no solid has it.
    """

    text: str
    possible: bool = True


def implied_density(
    body: LinkBody, material: str = "", density: float | None = None, say: Translate = str
) -> ImpliedDensity | None:
    """Compare a link's mass with its volume.

    Parameters
    ----------
    body : LinkBody
        With its target mass, if any. Volumes of collisions are summed as masses are, overlaps twice.
    material : str
        The stated material of the link, in the library or not.
    density : float or None
        Its density [kg/m³], solid; by default that of the material of that name, else the library's nearest.
    say : callable
        Translates a text.

    Returns
    -------
    ImpliedDensity or None
        None without a volume or a mass.
    """
    if body.inertial is None or body.volume is None or not body.volume > 0.0:
        return None
    return in_words(body.inertial.mass / body.volume, material, density, say)


def in_words(implied: float, material: str = "", density: float | None = None, say: Translate = str) -> ImpliedDensity:
    """Describe a density [kg/m³] next to a material, see `implied_density`."""
    if density is None:
        density = MATERIALS.get(material)
    shown = f"{implied:.4g} kg/m³"
    if rounded(implied) > OSMIUM:
        text = say("{density}: denser than any solid (osmium {osmium}): check the mass and the unit of length")
        return ImpliedDensity(text.format(density=shown, osmium=f"{OSMIUM:g}"), possible=False)
    if rounded(implied) < LIGHTEST:
        text = say("{density}: lighter than any foam: check the mass and the unit of length")
        return ImpliedDensity(text.format(density=shown), possible=False)
    if density is None or not 0.0 < density < inf:  # a link whose parts all have their own density does not use its own
        material = _nearest(implied)
        if not _agrees(implied / SOLIDS[material]) and implied <= SOLIDS["PLA"]:
            material = "PLA"  # unlike any wood or foam: most likely a print with air in it
        density = SOLIDS[material]
    return ImpliedDensity(f"{shown}: {_compared(implied, material, implied / density, say)}")


def _nearest(density: float) -> str:
    """Return the solid material nearest by ratio: of those within a percent, the first, which is the most common."""
    return min(SOLIDS, key=lambda name: round(abs(log(SOLIDS[name] / density)), 2))


def _agrees(ratio: float) -> bool:
    return isclose(rounded(ratio, 9), 1.0, rel_tol=AGREES)


def _compared(implied: float, material: str, ratio: float, say: Translate) -> str:
    name = material or say("stated")
    if _agrees(ratio):
        return say("as {material}").format(material=name)
    times = f"{ratio:.2f} x {name}"
    if ratio < 1.0:
        if material not in _PRINTED and material:
            return say("{times}: hollow?").format(times=times)
        percent = f"{ratio:.0%}".replace("%", " %")
        return say("{times}: hollow, or printed with {percent} infill?").format(times=times, percent=percent)
    other = _nearest(implied)
    if other != material and _agrees(implied / SOLIDS[other]):
        return say("{times}: parts not modelled, or of {other}?").format(times=times, other=other)
    return say("{times}: parts not modelled?").format(times=times)
