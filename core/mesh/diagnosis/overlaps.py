# SPDX-License-Identifier: Apache-2.0
"""Finds where the winding of a closed surface is above one or below zero: by nesting, by faces that cross, and by
coarse columns; and unites components that overlap."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...arrays import Bools, Ints
from ...body.moments import Moments
from ...errors import Finding, InertiaError
from ..integrate import surface_moments
from ..manifold import NotUnited, union_seconds, united
from ..surface import Surface, joined
from ..topology.boxes import many_box_pairs
from ..topology.connected import connected
from ..topology.crossing_faces import face_pairs, too_many
from ..topology.merging import merging_size
from ..topology.vectors import face_corners
from ..voxels.columns import WindingVolumes, winding_volumes
from ..winding.lines import union_moments
from .checked_mesh import UNION_ERROR, CheckedMesh
from .crossings import crossing_pairs, doubt
from .remarks import NOT_CHECKED
from .single_patches import perhaps_crossing
from .star import star_components

COLUMNS = 64
"""Along the longest side, in a sample of the whole surface that costs about as much as the exact integral."""


PATIENCE = 0.3
"""Manifold holds the interpreter lock while it works: limit during live use [s]."""

LONGEST = 1.0
"""Limit otherwise [s of CPU]: for three thousand tetrahedra that pierce each other a hundred times, columns are
accurate enough."""


@dataclass(frozen=True, eq=False)
class Overlaps:
    """The overlaps of a surface.

    Parameters
    ----------
    overlap, negative : float
        Volume where the winding is above one, and below zero [m³].
    clusters : list of ndarray
        Solids, each by its outer component's number, that may overlap others of the same cluster.
    deep : int
        Pairs of faces of different solids that pass through each other, by more than a merging cell.
    crossing : ndarray, shape (k,), int64
        Faces, as given, that pass through others of their own solid.
    crossed : float
        Volume that these enclose more than once [m³].
    unseen : float
        Volume at such places that columns miss [m³].
    unchecked : tuple of Finding
        A finding that faces that pass through others were not searched for, and why.
    """

    overlap: float
    negative: float
    clusters: list[Ints]
    deep: int
    crossing: Ints
    crossed: float
    unseen: float
    unchecked: tuple[Finding, ...]


def find_overlaps(checked: CheckedMesh, in_full: bool) -> Overlaps:
    """Find where a consistent mesh encloses something twice, or negatively.

    Search for faces that pass through others if requested, or if columns find anything wrong.
    """
    surface, component = checked.watertight, checked.watertight_component
    perhaps = _perhaps_crossing(checked) if in_full and checked.nesting.complete else None
    # Columns find nothing where no face comes near another, and no component is inside another.
    apart = perhaps is not None and not len(perhaps) and not len(checked.nesting.inner)
    coarse = WindingVolumes() if apart else _coarsely(checked)
    in_full = in_full or max(coarse.overlap, coarse.negative) > checked.negligible
    solid = checked.nesting.solids() if checked.count > 1 else np.zeros(1, np.int64)
    # Link solids that overlap: first those that are wholly inside another.
    nesting, twice = checked.nesting, _twice(checked)
    swallowed = twice[nesting.inner] & (nesting.volume > 0.0)[nesting.outer]
    links = [np.stack([solid[nesting.inner[swallowed]], solid[nesting.outer[swallowed]]])]
    face = other = np.zeros(0, np.int64)
    deep = 0
    unchecked: tuple[Finding, ...] = () if in_full else (Finding.of("info", NOT_CHECKED),)
    try:
        if in_full and not checked.nesting.complete:
            raise too_many(len(surface.triangles))
        if in_full:
            face, other = crossing_pairs(surface, perhaps, solid[component])
            # Then those whose faces pass through each other; pairs within one solid are left for the columns.
            same = solid[component[face]] == solid[component[other]]
            links.append(np.stack([solid[component[face[~same]]], solid[component[other[~same]]]]))
            deep = int(np.count_nonzero(~same))
            face, other = face[same], other[same]
            if checked.count > 1:
                links.append(solid[_flush(checked, _labels(links, checked.count)[solid])])
    except InertiaError as error:  # overlaps_not_checked: if more than thin parts overlap, columns find the union
        links = []
        unchecked = (Finding("warning", error.code, "", error.sentence, error.fix),)
    crossed, negative, unseen = doubt(surface, face, other) if len(face) else (0.0, 0.0, 0.0)
    # Without the slivers of T-junctions, which the given mesh does not have.
    faces = np.unique(np.concatenate([face, other]))
    faces = faces[faces < len(checked.origin)]
    nested, below = _nested(checked)
    return Overlaps(
        overlap=max(coarse.overlap, nested),
        negative=max(coarse.negative, below, negative),
        clusters=_clusters(_labels(links, checked.count)),
        deep=deep,
        crossing=np.unique(checked.origin[faces]),
        crossed=crossed,
        unseen=unseen,
        unchecked=unchecked,
    )


def _perhaps_crossing(checked: CheckedMesh) -> Ints:
    """Return the faces that may cross others: not those of star-shaped components whose boxes are apart."""
    nesting, component = checked.nesting, checked.watertight_component
    if checked.count == 1 and not checked.corrected:  # then it is known not to be one
        return perhaps_crossing(checked.watertight)
    apart = star_components(checked.watertight, component, nesting.low, nesting.high)
    for pair in many_box_pairs(nesting.low, nesting.high):
        apart[np.stack(pair)] = False
    if apart.all():
        return np.zeros(0, dtype=np.int64)
    faces = perhaps_crossing(checked.watertight)
    return faces[~apart[component[faces]]] if apart.any() else faces


def rough_overlaps(checked: CheckedMesh) -> Overlaps:
    """Measure by nesting and coarse columns alone what a consistent mesh encloses twice, or negatively."""
    coarse, none = _coarsely(checked), np.zeros(0, np.int64)
    nested, below = _nested(checked)
    return Overlaps(max(coarse.overlap, nested), max(coarse.negative, below), [], 0, none, 0.0, 0.0, ())


def _nested(checked: CheckedMesh) -> tuple[float, float]:
    """Return the volume of components inside others where the winding is above one, and below zero [m³]."""
    volume, winding = checked.nesting.volume, checked.nesting.winding()
    return float(volume[_twice(checked)].sum()), float(np.abs(volume[winding < 0]).sum())


def _twice(checked: CheckedMesh) -> Bools:
    """Return the components that are inside a solid, and wound outward."""
    return (checked.nesting.winding() > 1) & (checked.nesting.volume > 0.0)


def _coarsely(checked: CheckedMesh) -> WindingVolumes:
    longest = float(checked.surface.extent().max())
    return winding_volumes(checked.watertight, longest / COLUMNS) if longest > 0.0 else WindingVolumes()


def _flush(checked: CheckedMesh, cluster: Ints) -> Ints:
    """Return pairs (2, k) of components of different clusters that may overlap with walls in one plane: their boxes
    overlap, and faces come nearer than a merging cell."""
    nesting, depth, component = checked.nesting, merging_size(checked.surface), checked.watertight_component
    # Only components whose boxes overlap by more than a merging cell.
    there = np.zeros(checked.count, dtype=bool)
    for pair in many_box_pairs(nesting.low + depth / 2.0, nesting.high - depth / 2.0):
        there[np.stack(pair)] = True
    faces = np.flatnonzero(there[component])
    corners, side = face_corners(checked.watertight, faces), cluster[component[faces]]
    pairs = [np.zeros((2, 0), np.int64), *map(np.stack, face_pairs(corners, -depth, side))]
    near: Ints = component[faces[np.concatenate(pairs, axis=1)]]
    return near


def _labels(links: list[Ints], count: int) -> Ints:
    component, other = np.concatenate([np.zeros((2, 0), np.int64), *links], axis=1)
    return connected(component, other, count)


def _clusters(label: Ints) -> list[Ints]:
    # Labels that occur more than once, split where the label changes.
    linked = np.flatnonzero(np.bincount(label)[label] > 1)
    order = linked[np.argsort(label[linked], kind="stable")]
    return np.split(order, np.flatnonzero(np.diff(label[order])) + 1) if len(order) else []


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


def by_manifold(checked: CheckedMesh, overlaps: Overlaps, quick: bool) -> United | None:
    """Unite the solids of each cluster exactly; return None if Manifold cannot, or would take too long."""
    surface, component, nesting = checked.watertight, checked.watertight_component, checked.nesting
    solids, cavity = nesting.solids(), nesting.volume < 0.0
    inner, outer = nesting.inner, nesting.outer
    if (cavity[inner] & cavity[outer] & (solids[inner] == solids[outer])).any():
        return None  # a cavity in a cavity would be subtracted where others count
    # The faces of each solid, with its cavities, by the number of its outer component.
    solid = solids[component]
    order = np.argsort(solid, kind="stable")
    faces_of = np.split(order, np.flatnonzero(np.diff(solid[order])) + 1)
    faces_by_solid = {int(solid[faces[0]]): faces for faces in faces_of}
    clusters = [[faces_by_solid.pop(number) for number in cluster.tolist()] for cluster in overlaps.clusters]
    united_faces, united_solids = sum(len(part) for parts in clusters for part in parts), sum(map(len, clusters))
    if union_seconds(united_faces, united_solids, overlaps.deep) > (PATIENCE if quick else LONGEST):
        return None
    try:
        parts = [united([surface.part(faces) for faces in cluster]) for cluster in clusters]
    except NotUnited:
        return None
    # Solids that overlap no other are added unchanged.
    if faces_by_solid:
        parts.append(surface.part(np.sort(np.concatenate(list(faces_by_solid.values())))))
    result = joined(parts)
    moments = surface_moments(result)
    return United(moments, 0.0, checked.moments.volume - moments.volume, result)


def by_columns(checked: CheckedMesh, overlap: float, enough: float = UNION_ERROR) -> United:
    """Measure all space with a winding number that is not zero, until the estimated error is `enough`."""
    moments, error = union_moments(checked.watertight, checked.moments, overlap, enough)
    return United(moments, error, checked.moments.volume - moments.volume, None)
