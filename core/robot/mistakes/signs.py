# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds a coordinate of the centre of mass with the wrong sign."""

from __future__ import annotations

from itertools import product

import numpy as np

from ...arrays import FloatArray
from ...body.inertial import Inertial
from ..extent import SeenBody
from .units import LANDED, OUTSIDE


def turned_sign(body: Inertial, seen: SeenBody) -> FloatArray | None:
    """Return the centre of mass (3,) [m] that is meant if a sign of the given one is flipped.

    The given one is clearly outside the geometry's box. The one returned is at the uniform geometry's centre; of
    several it is the one with the fewest signs flipped.

    Parameters
    ----------
    body : Inertial
        In the link's frame.
    seen : SeenBody

    Returns
    -------
    ndarray, shape (3,), or None
    """
    if seen.extent is None or seen.uniform is None:
        return None
    longest = float(seen.extent.sides.max())
    if not seen.extent.distance(body.com) > OUTSIDE * longest:
        return None
    for signs in sorted(product((1.0, -1.0), repeat=3), key=lambda signs: signs.count(-1.0)):
        com: FloatArray = body.com * signs
        if float(np.linalg.norm(com - seen.uniform.com)) <= LANDED * longest:
            return com
    return None
