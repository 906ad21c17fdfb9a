# SPDX-License-Identifier: GPL-3.0-or-later
"""The bodies whose sum is a surface with a thickness: slabs on faces, mitres at edges, bends at vertices."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

import numpy as np

from ...arrays import Bools, FloatArray, Ints
from ...body.moments import Moments
from ...cached import lockfree_cached_property
from ..topology.edges import Edges

SHARPEST = float(np.arcsin(0.25))
"""Half the angle below which a mitre is cut off, at four times h: the usual limit of stroked paths (SVG)."""

ROUNDING = 1e-12
"""A plate's second moment across itself may be negative by rounding, up to this share of the trace."""


@dataclass(frozen=True, eq=False)
class Faces:
    """Triangles with a normal.

    Parameters
    ----------
    corners : ndarray, shape (m, 3, 3)
        Their corners' coordinates [m].
    points : ndarray, shape (m, 3)
        Their corners' point numbers, equal for the same point.
    normal : ndarray, shape (m, 3)
        Unit vectors, on the side from which the corners wind counter-clockwise.
    area : ndarray, shape (m,)
        [m²].
    """

    corners: FloatArray
    points: Ints
    normal: FloatArray
    area: FloatArray

    def some(self, which: Bools | Ints) -> Faces:
        """Return some of the faces."""
        return Faces(self.corners[which], self.points[which], self.normal[which], self.area[which])

    @lockfree_cached_property
    def edges(self) -> Edges:
        """Their edges; every face must have three distinct points."""
        return Edges.around(self.points)


@dataclass(frozen=True, eq=False)
class Wedges:
    """The spaces between neighbouring faces around an edge: k in total, none at the rim, n around an edge of n faces.

    Parameters
    ----------
    edge : ndarray, shape (k,)
        The edge's number.
    opening : ndarray, shape (k,)
        The angle between the two faces, 0..2π; those around an edge add up to 2π.
    axis, toward : ndarray, shape (k, 3)
        Unit vectors along the edge, and from it into the space, half-way between the faces.
    middle, length : ndarray, shapes (k, 3) and (k,)
        The edge's middle and length [m].
    smaller, both : ndarray, shape (k,)
        The area of the smaller face and that of the two [m²].
    """

    edge: Ints
    opening: FloatArray
    axis: FloatArray
    toward: FloatArray
    middle: FloatArray
    length: FloatArray
    smaller: FloatArray
    both: FloatArray


@dataclass(frozen=True, eq=False)
class Bodies:
    """Parts of a solid, some of which are counted once too often.

    Parameters
    ----------
    volume : ndarray, shape (k,)
        Signed [m³].
    place : ndarray, shape (k, 3)
        Their centroids [m].
    spread : ndarray, shape (3, 3)
        Sum of their own central second moments [m⁵].
    doubt : ndarray, shape (k,)
        Uncertainty of each volume [m³].
    """

    volume: FloatArray
    place: FloatArray
    spread: FloatArray
    doubt: FloatArray


def wedges_between(faces: Faces) -> Wedges:
    """Return the wedges between faces of any winding, each of three distinct points."""
    edges, corners = faces.edges, faces.corners.transpose(1, 0, 2)
    start, end = corners.reshape(-1, 3), np.roll(corners, -1, axis=0).reshape(-1, 3)
    along, middle = end - start, (start + end) / 2.0
    length = np.linalg.norm(along, axis=1)
    axis = along / length[:, None]
    # From the edge into the face, for either winding.
    inward = np.cross(faces.normal[edges.face], along)
    inward /= np.linalg.norm(inward, axis=1)[:, None]
    across = np.cross(axis, inward)
    inner = np.flatnonzero(edges.count[edges.edge] > 1)
    edge = edges.edge[inner]
    angle = np.arctan2((inward[inner] * across[edge]).sum(axis=1), (inward[inner] * inward[edge]).sum(axis=1))

    order = np.lexsort((angle, edge))
    edge, angle, area = edge[order], angle[order], faces.area[edges.face[inner[order]]]
    last = np.flatnonzero(np.diff(edge, append=-1))
    following = np.arange(1, len(edge) + 1)
    following[last] = np.concatenate((np.zeros(1, dtype=np.int64), last[:-1] + 1))[: len(last)]
    opening = angle[following] - angle
    opening[last] += 2.0 * pi
    half_way = angle + opening / 2.0
    toward = np.cos(half_way)[:, None] * inward[edge] + np.sin(half_way)[:, None] * across[edge]
    smaller, both = np.minimum(area, area[following]), area + area[following]
    return Wedges(edge, opening, axis[edge], toward, middle[edge], length[edge], smaller, both)


def slabs(faces: Faces, half: float) -> Bodies:
    """Return the slabs on the triangles.

    Parameters
    ----------
    half : float
        Half the thickness [m].
    """
    volume = 2.0 * half * faces.area
    place = faces.corners.mean(axis=1)
    arm = (faces.corners - place[:, None]).reshape(-1, 3)
    spread = (np.repeat(volume / 12.0, 3)[:, None] * arm).T @ arm
    across = (volume[:, None] * faces.normal).T @ faces.normal * (half**2 / 3.0)
    return Bodies(volume, place, spread + across, np.zeros(len(volume)))


def mitres(wedges: Wedges, half: float) -> Bodies:
    """Return the gaps between slabs up to the mitre, less the overlaps of slabs.

    Across the edge each is a kite with corners at the edge, at h on the normals of both faces, and where the offset
    faces meet, h / sin(φ/2) from the edge.

    Parameters
    ----------
    half : float
        Half the thickness [m].
    """
    angle = np.clip(wedges.opening / 2.0, SHARPEST, pi - SHARPEST)
    s, c = np.sin(angle), np.cos(angle)
    volume = -(half**2) * wedges.length * c / s
    distance = half / 3.0 * (s + 1.0 / s)
    place = wedges.middle + distance[:, None] * wedges.toward
    own = half**2 / 12.0 * (s**2 + 1.0 / s**2 + (s + 1.0 / s) ** 2) - distance**2
    spread = np.zeros((3, 3))
    across = np.cross(wedges.axis, wedges.toward)
    for direction, moment in (
        (wedges.axis, wedges.length**2 / 12.0),
        (wedges.toward, own),
        (across, half**2 * c**2 / 6.0),
    ):
        spread += ((volume * moment)[:, None] * direction).T @ direction
    # A gap may be filled up to the mitre or round; in an overlap, a cut mitre counts twice. Neither
    # is more than the smaller face has, which is little if that is a sliver with an arbitrary normal.
    round_gap = np.maximum(wedges.opening - pi, 0.0) / 2.0
    with np.errstate(divide="ignore"):
        uncut = np.where(wedges.opening < pi, 1.0 / np.tan(wedges.opening / 2.0), -c / s)
    doubt = half**2 * wedges.length * np.where(wedges.opening < pi, uncut - c / s, uncut - round_gap)
    doubt = np.clip(doubt, 0.0, 2.0 * half * wedges.smaller)
    return Bodies(volume, place, spread, doubt)


def at_vertices(faces: Faces, half: float) -> Bodies:
    """Return the bodies that the curvature of vertices adds: at those around which faces close, two at each edge.

    The curvature is 2π minus the angles of the faces there. A mitred corner of a cube has 1.9 times the volume given by
    that, π/2; a round one has just that.

    Parameters
    ----------
    half : float
        Half the thickness [m].
    """
    edges = faces.edges
    u = np.roll(faces.corners, -1, axis=1) - faces.corners
    v = np.roll(faces.corners, 1, axis=1) - faces.corners
    angle = np.arctan2(np.linalg.norm(np.cross(u, v), axis=2), (u * v).sum(axis=2))
    total = np.bincount(faces.points.ravel(), angle.ravel())
    rim = np.zeros(len(total), dtype=bool)
    odd = edges.count[edges.edge] != 2
    rim[edges.start[odd]] = rim[edges.end[odd]] = True
    points, at = np.unique(faces.points, return_index=True)
    off = ~rim[points]
    defect = 2.0 * pi - total[points[off]]
    volume = 2.0 / 3.0 * half**3 * defect
    place = faces.corners.reshape(-1, 3)[at[off]]
    return Bodies(volume, place, np.zeros((3, 3)), np.abs(volume * defect) * 2.0 / pi)


def summed(parts: list[Bodies], centre: FloatArray) -> tuple[Moments, float] | None:
    """Return the sum of all bodies, and the uncertain share of its volume or tensor; None if no body has such a sum.

    Parameters
    ----------
    centre : ndarray, shape (3,)
        The point that their places are relative to [m].
    """
    volume = np.concatenate([part.volume for part in parts])
    place = np.concatenate([part.place for part in parts])
    doubt = np.concatenate([part.doubt for part in parts])
    total = float(volume.sum())
    if not total > 0.0:
        return None
    centroid = volume @ place / total
    arm = place - centroid
    covariance = (volume[:, None] * arm).T @ arm + sum(part.spread for part in parts)
    trace = float(np.trace(covariance))
    if not np.linalg.eigvalsh(covariance)[0] > -ROUNDING * abs(trace):
        return None
    moments = Moments(total, centre + centroid, (covariance + covariance.T) / 2.0)
    spread = float((doubt * (arm * arm).sum(axis=1)).sum()) / trace
    return moments, max(float(doubt.sum()) / total, spread)
