# SPDX-License-Identifier: Apache-2.0
"""The intervals of a link of a file: by the last digits of its numbers, or of the geometry that they follow from."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation

import numpy as np

from ..arrays import FloatArray
from ..body.inertial import Inertial
from ..body.intervals import Interval, mesh_interval
from ..formats.file_link import FileLink
from ..robot.resolve import LinkBody


def file_intervals(link: FileLink, body: LinkBody) -> tuple[Interval, ...]:
    """Return the intervals of a link's inertial; none if nothing is known about them.

    Parameters
    ----------
    link : FileLink
    body : LinkBody
        Of the same link, as `RobotFile.bodies` has it.

    Notes
    -----
    A number is off by at most half a unit of its last digit as it is written: 2.40 by 0.005, 2.4 by 0.05. A coordinate
    of 0 is taken as exact, since it is that of a plane of symmetry. Of the moments, the largest share counts. A number
    that a program computed has so many digits that they leave no range.
    """
    inertial = body.inertial
    if inertial is None or not inertial.mass > 0.0:
        return ()
    interval = _measured(body, inertial) if link.auto or link.inertial is None else _of_digits(link)
    return () if interval is None or interval.is_zero else (interval,)


def _measured(body: LinkBody, inertial: Inertial) -> Interval | None:
    given = body.link is not None and body.link.mass is not None
    return mesh_interval(inertial, body.error, body.error_inertia, by_density=not given)


def _of_digits(link: FileLink) -> Interval | None:
    written = link.written
    if written is None:
        return None
    moments, rounding = np.abs(written.six[:3]), written.rounding[:3]
    shares = rounding[moments > 0.0] / moments[moments > 0.0]
    share = float(shares.max()) if len(shares) else 0.0
    return Interval("last digit", written.mass_rounding, half_units(link.com_texts), share)


def half_units(texts: Sequence[str]) -> FloatArray:
    """Return half a unit of the last digit of three numbers as written; 0 for one that is 0, and without texts."""
    halves = [_half_unit(text) for text in texts]
    return np.array(halves) if len(halves) == 3 else np.zeros(3)


def _half_unit(text: str) -> float:
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        return 0.0
    exponent = number.as_tuple().exponent
    return 0.5 * 10.0 ** max(exponent, -300) if number and isinstance(exponent, int) else 0.0
