# SPDX-License-Identifier: GPL-3.0-or-later
"""What a click on Manual, or on a target mass, starts from: the link's present numbers, never over what was entered."""

from __future__ import annotations

import bpy
import numpy as np

from ...core.arrays import FloatArray
from ...core.body.inertial import Inertial
from ...core.errors import has_error
from ..names import PROPERTIES
from .begun import begun_on
from .settings import shortest

UPPER = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
"""Row and column in the tensor of each of the six numbers of ``manual_inertia``."""

FLOAT32 = 2.0**-23
"""The spacing of the numbers that a property keeps, relative to the number."""


def start_manual(ob: bpy.types.Object, present: Inertial | None, metres_per_unit: float) -> None:
    """Put a link's present numbers where none were entered by hand; zeros, which are refused, if there are none."""
    settings, begun = getattr(ob, PROPERTIES), begun_on(ob)
    numbers = Inertial.zero if present is None else present

    def is_open(name: str) -> bool:
        return begun.manual or not settings.is_property_set(name)

    fresh = [name for name in ("manual_mass", "manual_com", "manual_inertia") if is_open(name)]
    if "manual_mass" not in fresh and present is not None and present.mass > 0.0:
        numbers = numbers.scaled_to(settings.manual_mass)
    if "manual_mass" in fresh:
        settings.manual_mass = numbers.mass
    if "manual_com" in fresh:
        settings.manual_com = numbers.com / metres_per_unit
    if "manual_inertia" in fresh:
        settings.manual_inertia = as_kept(numbers)
    begun.manual = len(fresh) == 3


def start_mass(ob: bpy.types.Object, present: Inertial | None) -> None:
    """Make a link's present mass its target where none was entered; 0, which is refused, if there is none."""
    settings, begun = getattr(ob, PROPERTIES), begun_on(ob)
    if begun.mass or not settings.is_property_set("mass"):
        settings.mass = 0.0 if present is None else present.mass
        begun.mass = True


def as_kept(body: Inertial) -> FloatArray:
    """Return the six numbers of a tensor that stays possible when each is rounded to a property's float32.

    A flat body's largest moment is the sum of the others, and a rod's least is 0: what the rounding takes from them is
    added to all three, a ten-millionth of the largest.
    """
    numbers = np.array([body.inertia[place] for place in UPPER], dtype=np.float32).astype(np.float64)
    step = FLOAT32 * np.abs(numbers[:3]).max()
    while body.mass > 0.0 and step > 0.0 and has_error(Inertial(body.mass, body.com, _tensor_read(numbers)).findings()):
        numbers[:3] = (numbers[:3] + step).astype(np.float32)
        step *= 2.0
    return numbers


def _tensor_read(six: FloatArray) -> FloatArray:
    xx, yy, zz, xy, xz, yz = (shortest(number) for number in six)
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
