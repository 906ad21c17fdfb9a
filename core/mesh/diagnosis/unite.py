# SPDX-License-Identifier: GPL-3.0-or-later
"""The union of components that overlap: a surface by Manifold, or moments by columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...body.moments import Moments
from ..integrate import surface_moments
from ..manifold import NotUnited, union_seconds, united
from ..surface import Surface, joined
from ..winding.lines import union_moments
from .overlaps import Overlaps
from .reading import Reading

PATIENCE = 0.3
"""Manifold holds the interpreter lock while it works: limit during live use [s]."""

LONGEST = 2.0
"""Limit otherwise [s of CPU]: for three thousand tetrahedra that pierce each other a hundred times, columns are
accurate enough."""


@dataclass(frozen=True, eq=False)
class United:
    """The union of components that overlap.

    Parameters
    ----------
    error : float
        Estimated, relative.
    overlap : float
        Volume that they enclose too often [m³].
    surface : Surface or None
        The surface with these moments; None if columns found them.
    """

    moments: Moments
    error: float
    overlap: float
    surface: Surface | None


def by_manifold(reading: Reading, overlaps: Overlaps, quick: bool) -> United | None:
    """Unite the solids of each cluster exactly; return None if Manifold cannot, or would take too long."""
    surface, component, nesting = reading.watertight, reading.watertight_component, reading.nesting
    solids, cavity = nesting.solids(), nesting.volume < 0.0
    inner, outer = nesting.inner, nesting.outer
    if (cavity[inner] & cavity[outer] & (solids[inner] == solids[outer])).any():
        return None  # a cavity in a cavity would be subtracted where others count
    solid = solids[component]
    order = np.argsort(solid, kind="stable")
    faces_of = np.split(order, np.flatnonzero(np.diff(solid[order])) + 1)
    place = {int(solid[faces[0]]): faces for faces in faces_of}
    clusters = [[place.pop(number) for number in cluster.tolist()] for cluster in overlaps.clusters]
    united_faces, united_solids = sum(len(part) for parts in clusters for part in parts), sum(map(len, clusters))
    if union_seconds(united_faces, united_solids, overlaps.deep) > (PATIENCE if quick else LONGEST):
        return None
    try:
        parts = [united([surface.part(faces) for faces in cluster]) for cluster in clusters]
    except NotUnited:
        return None
    if place:
        parts.append(surface.part(np.sort(np.concatenate(list(place.values())))))
    result = joined(parts)
    moments = surface_moments(result)
    return United(moments, 0.0, reading.moments.volume - moments.volume, result)


def by_columns(reading: Reading, overlap: float) -> United:
    """Measure all space with a winding number that is not zero."""
    moments, error = union_moments(reading.watertight, reading.moments, overlap)
    return United(moments, error, reading.moments.volume - moments.volume, None)
