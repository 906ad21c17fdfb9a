# SPDX-License-Identifier: GPL-3.0-or-later
"""A centre of mass of which a coordinate has the wrong sign."""

from __future__ import annotations

from itertools import product

import numpy as np

from ...arrays import FloatArray
from ...body.inertial import Inertial
from ..extent import SeenBody
from .units import LANDED, OUTSIDE


def turned_sign(body: Inertial, seen: SeenBody) -> FloatArray | None:
    """Return the centre of mass (3,) [m] that is meant where the given one has a sign turned.

    The given one lies clearly outside the geometry's box; the one returned lands on the uniform geometry's centre, and
    of those that do it has the fewest signs turned.

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
