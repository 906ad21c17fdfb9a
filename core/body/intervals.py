# SPDX-License-Identifier: Apache-2.0
"""How far the numbers of an inertial may be off, and where that is known from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from ..arrays import FloatArray, readonly


def _nowhere() -> FloatArray:
    return np.zeros(3)


@dataclass(frozen=True, eq=False)
class Interval:
    """How far an inertial may be off to either side, from one source.

    Parameters
    ----------
    source : str
        Where it is known from: ``last digit``, ``mesh``, ``material PLA``, ``given``, or what a user's file says.
    mass : float
        A share of the mass.
    com : array_like, shape (3,)
        Of the centre of mass, along each axis of the link [m].
    moments : float
        A share of each principal value of the spread ∫x xᵀ dm / m about the centre of mass. Each moment of inertia per
        mass then stays within the same share, and no body becomes impossible.
    axes : float
        Largest angle by which the principal axes turn [rad].
    """

    source: str
    mass: float = 0.0
    com: FloatArray = field(default_factory=_nowhere)
    moments: float = 0.0
    axes: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "com", readonly(self.com, (3,)))

    def __add__(self, other: Interval) -> Interval:
        """Return the interval of both causes together, at their worst."""
        return Interval(
            " + ".join(dict.fromkeys(filter(None, (self.source, other.source)))),
            self.mass + other.mass,
            self.com + other.com,
            self.moments + other.moments,
            self.axes + other.axes,
        )

    @property
    def is_zero(self) -> bool:
        """True if it leaves every number as it is."""
        return not (self.mass or self.com.any() or self.moments or self.axes)


def combined(intervals: Iterable[Interval]) -> Interval:
    """Return the interval of several causes together; one of zero width without any."""
    return sum(intervals, Interval(""))
