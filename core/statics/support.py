# SPDX-License-Identifier: Apache-2.0
"""The support polygon under a robot's feet, and how far the robot can be tilted before it tips over; z is up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import atan2, inf
from typing import NamedTuple

import numpy as np

from ..arrays import FloatArray
from ..body.pose import Pose
from ..body.shapes import Shape
from ..files.polygons import surface_of
from ..robot.model import Link, Mesh

SOLE = 1e-3
"""A foot stands on its points that are at most this share of its longest side above its lowest: a flat foot may be
tilted by a thousandth, and a wheel of 0.1 m stands on 1 cm."""

STANDING = 1e-2
"""Without given feet, a link stands on the ground if it is at most this share of the robot's height above it."""


class Edge(NamedTuple):
    """An edge of a support polygon, from one point to another (3,) [m]; the robot tips over it along `direction`."""

    begin: FloatArray
    end: FloatArray
    direction: FloatArray


@dataclass(frozen=True, eq=False)
class Support:
    """What a robot stands on.

    Parameters
    ----------
    polygon : ndarray, shape (m, 2)
        Seen from above, counterclockwise [m]; a line or a point if the feet span no area.
    height : float
        Of the centre of mass above the lowest point [m].
    angle : float
        The least angle [rad] by which the robot is tilted about an edge until its centre of mass is above the edge;
        not above 0 if it falls by itself.
    edge : Edge or None
        That edge; None on a single point.
    """

    polygon: FloatArray
    height: float
    angle: float
    edge: Edge | None

    @property
    def inside(self) -> bool:
        """True if the centre of mass is above the polygon."""
        return len(self.polygon) > 2 and self.angle > 0.0


def support(points: FloatArray, com: FloatArray) -> Support:
    """Return what a robot stands on, from the points (k, 3) of its feet and its centre of mass (3,) [m]."""
    corners = _hull(points)
    angle, edge = (inf, None) if len(corners) > 1 else (0.0, None)
    for begin, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        along = end - begin
        across = np.array([along[1], -along[0], 0.0])  # out of a polygon that runs counterclockwise
        if edge is None and not across.any():
            continue
        across /= np.linalg.norm(across)
        upright = np.cross(across, along / np.linalg.norm(along))
        tilt = atan2(-float((com - begin) @ across), float((com - begin) @ upright))
        if tilt < angle:
            angle, edge = tilt, Edge(begin, end, across[:2])
    return Support(corners[:, :2], float(com[2] - points[:, 2].min()), angle, edge)


def foot_points(link: Link, pose: Pose) -> FloatArray:
    """Return the points (k, 3) of a link's collisions, or of its visuals if it has none, at a pose of the link [m]."""
    points = [np.zeros((0, 3))]
    for part in link.collisions or link.visuals:
        placed = pose @ part.pose
        if isinstance(part.geometry, Mesh):
            points.append(part.geometry.surface.vertices @ (placed.R @ part.geometry.stretch).T + placed.p)
        elif isinstance(part.geometry, Shape) and (part.geometry.half_sizes(placed.R) > 0.0).all():
            points.append(surface_of(part.geometry).vertices @ placed.R.T + placed.p)
    return np.concatenate(points)


def lowest(points: FloatArray) -> FloatArray:
    """Return those points of a foot on which it stands."""
    above = points[:, 2] - points[:, 2].min()
    sole: FloatArray = points[above <= SOLE * float(np.ptp(points, axis=0).max())]
    return sole


def standing(points: Mapping[str, FloatArray]) -> Iterable[str]:
    """Return the links that stand on the ground, by the points of each."""
    lows = {name: float(of_link[:, 2].min()) for name, of_link in points.items() if len(of_link)}
    ground = min(lows.values(), default=0.0)
    top = max((float(points[name][:, 2].max()) for name in lows), default=0.0)
    return [name for name, low in lows.items() if low - ground <= STANDING * (top - ground)]


def _hull(points: FloatArray) -> FloatArray:
    """Return the corners of the convex hull of points seen from above, counterclockwise, by Andrew's chain."""
    _, first = np.unique(points[:, :2], axis=0, return_index=True)
    ordered = points[first]  # by x, then by y
    halves = []
    for half in (ordered, ordered[::-1]):
        chain: list[FloatArray] = []
        for point in half:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], point) <= 0.0:
                chain.pop()
            chain.append(point)
        halves += chain[:-1]
    return np.array(halves or [ordered[0]])


def _turn(a: FloatArray, b: FloatArray, c: FloatArray) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
