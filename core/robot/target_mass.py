# SPDX-License-Identifier: GPL-3.0-or-later
"""Scales parts of a link to its target mass, except those that have a mass of their own."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ..body.inertial import Inertial
from ..errors import InertiaError
from .model import Link
from .part import PartBody


def beside_kept(link: Link, parts: list[PartBody], kept: Collection[str], target: float) -> list[PartBody]:
    """Scale the parts of a link that have no mass of their own, so that all together reach the target.

    Parameters
    ----------
    parts : list of PartBody
        None refused.
    kept : collection of str
        Names of parts that keep their mass, at least one.
    target : float
        [kg].

    Returns
    -------
    list of PartBody
        With their new densities.

    Raises
    ------
    InertiaError
        ``target_below_parts``.
    """
    masses = {part.name: part.inertial.mass for part in parts if part.inertial is not None}
    fixed = sum(mass for name, mass in masses.items() if name in kept)
    free = sum(mass for name, mass in masses.items() if name not in kept)
    weighed = f"its parts with a mass of their own weigh {fixed:.6g} kg"
    if not target > fixed:
        raise InertiaError.of("target_below_parts", link.name, "others", weighed=weighed, target=target)
    if not free > 0.0:
        raise InertiaError.of("target_below_parts", link.name, "alone", weighed=weighed, target=target)
    scale = (target - fixed) / free
    return [part if part.name in kept else replace(scaled(part, scale), density=_times(part, scale)) for part in parts]


def scaled(part: PartBody, scale: float) -> PartBody:
    """Return a part with its mass multiplied by a factor; the density stays the stated one, as in the file."""
    own = part.inertial
    return part if own is None else replace(part, inertial=Inertial(own.mass * scale, own.com, own.inertia * scale))


def _times(part: PartBody, scale: float) -> float | None:
    return None if part.density is None else part.density * scale
