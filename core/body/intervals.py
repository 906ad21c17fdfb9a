# SPDX-License-Identifier: Apache-2.0
"""How far the numbers of an inertial may be off, and where that is known from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import degrees

import numpy as np

from ..arrays import FloatArray, readonly
from .inertial import Inertial
from .materials import RANGES


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

    def to_json(self) -> dict[str, object]:
        """Return it for JSON: shares, metres and radians."""
        values = {"mass": self.mass, "com": self.com.tolist(), "moments": self.moments, "axes": self.axes}
        return {"source": self.source} | values

    @property
    def is_zero(self) -> bool:
        """True if it leaves every number as it is."""
        return not (self.mass or self.com.any() or self.moments or self.axes)


def combined(intervals: Iterable[Interval]) -> Interval:
    """Return the interval of several causes together; one of zero width without any."""
    return sum(intervals, Interval(""))


def mesh_interval(body: Inertial, error: float, error_inertia: float, by_density: bool = True) -> Interval | None:
    """Return how far a body may be off that was measured on its geometry; None if the measurement is exact.

    Parameters
    ----------
    body : Inertial
    error, error_inertia : float
        Estimated relative errors of the volume and of the tensor.
    by_density : bool
        False if the mass is given, so that it does not follow from the volume.

    Notes
    -----
    A share e of the volume that is missing, or too much, is at most half the body's length from the middle: it moves
    the centre by at most e times that. The tensor's share is that of the spread.
    """
    if not (error or error_inertia):
        return None
    reach = float(body.equivalent_box().max()) / 2.0
    return Interval("mesh", error if by_density else 0.0, np.full(3, error * reach), error_inertia)


def material_interval(material: str) -> Interval | None:
    """Return how far a mass may be off by the usual range of its material's density; None if that has no range."""
    density, low, high = RANGES.get(material, (1.0, 1.0, 1.0))
    share = max(high - density, density - low) / density
    return Interval(f"material {material}", share) if share else None


INTERVAL_COLUMNS = ("link", "mass [kg]", "centre [mm]", "moments", "axes", "source")
"""Titles of `interval_rows`."""


def interval_rows(
    name: str, body: Inertial, intervals: Iterable[Interval], without: str = "not known"
) -> list[list[str]]:
    """Return the cells of a table for a link: a row for each interval, or one that says that there is none."""
    rows: list[list[str]] = []
    for interval in tuple(intervals) or (Interval(without),):
        com = interval.com * 1e3
        centre = f"{com[0]:.3g}" if (com == com[0]).all() else ", ".join(f"{along:.3g}" for along in com)
        rows.append(
            [
                name if not rows else "",
                f"{body.mass:.6g}{f' ± {100.0 * interval.mass:.3g} %' if interval.mass else ''}",
                f"± {centre}" if com.any() else "",
                f"± {100.0 * interval.moments:.3g} %" if interval.moments else "",
                f"± {degrees(interval.axes):.3g}°" if interval.axes else "",
                interval.source,
            ]
        )
    return rows
