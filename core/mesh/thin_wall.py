# SPDX-License-Identifier: Apache-2.0
"""Moments of a surface with a thickness t: sheet metal, printed walls, open meshes.

The material is all points within h = t/2 of the surface along its normals, half on each side, cut off square at the
surface's rim and mitred at its edges. It is the sum of

* a slab on every triangle: t ∫x xᵀ dA + t³/12 A n nᵀ;
* a wedge in every angle φ between neighbouring faces around an edge. Where φ < π their slabs overlap, where φ > π
  they leave a gap up to the mitre; that kite has the area h² |cot(φ/2)|. Between two faces overlap and gap are equal,
  so the volume stays A t and material only moves outwards;
* the Gaussian curvature of every inner vertex: t³/12 times its angle defect.

For a smooth surface this tends to Steiner's and Weyl's formula, dV = (1 - 2 H z + K z²) dA dz (Weyl 1939, On the volume
of tubes, Am. J. Math. 61, p. 461). It needs neither a winding, nor a closed surface, nor two faces at an edge.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi, sqrt

import numpy as np

from ..arrays import Bools, FloatArray, Ints
from ..body.moments import Moments
from ..errors import Finding, InertiaError
from ..units import fitting_volume_text, share_text
from .measurement import Measurement, Request
from .progress import unless_cancelled
from .surface import FARTHEST, SMALLEST, Surface
from .topology.connected import alike
from .topology.crossing_faces import crossing_lines, face_pairs
from .topology.edges import Edges
from .topology.merging import by_place
from .topology.nesting import OBLIQUE
from .topology.vectors import crossings

SHARPEST = float(np.arcsin(0.25))
"""Half the angle below which a mitre is cut off, at four times h: the usual limit of stroked paths (SVG)."""

FLAT = 16 * float(np.finfo(np.float64).eps)
"""A triangle whose angle has a sine below the rounding of its cross product has no normal."""

FLAT_QUAD = 1e-9
"""The halves of a flat quad have normals whose cosine differs from 1 by less."""

SMOOTH = pi / 3.0
"""Faces that turn by less approximate a curved surface with a radius; others meet in a crease."""

DOUBTFUL, REPORTED, USELESS = 0.01, 1e-3, 0.9
"""Estimated errors worth a warning, of the whole and of faces that cross; and one that leaves no certain digit."""

ROUNDING, MEET = 1e-12, 1e-9
"""A plate's second moment across itself may be negative by the first share of the trace, by rounding. Faces that pass
through each other by no more than the second share of the size touch."""

PARALLEL = 0.875
"""Cosine of 29°, the angle of an edge below which a mitre is cut off: nearer patches at a smaller angle overlap side by
side, at a larger one they cross or the wedge between them counts."""

LINES = 32
"""Lines along each side of the bounding box."""


@dataclass(frozen=True, eq=False)
class _Faces:
    """Triangles with a normal, no two on the same points."""

    corners: FloatArray  # (m, 3, 3) [m]
    points: Ints  # (m, 3)
    normal: FloatArray  # (m, 3)
    area: FloatArray  # (m,) [m²]


@dataclass(frozen=True, eq=False)
class _Bodies:
    """Parts of a solid."""

    volume: FloatArray  # (k,) [m³], signed
    place: FloatArray  # centroids (k, 3) [m]
    spread: FloatArray  # the sum of their own second moments (3, 3) [m⁵]
    doubt: FloatArray  # the uncertainty of each volume (k,) [m³]


def measure_thin_wall(surface: Surface, request: Request) -> Measurement:
    """Integrate a surface with a thickness, half of it on each side.

    The surface is closed or open, wound in any way, with any number of faces at an edge. Repeated faces count once.
    Patches nearer than the thickness, and faces that cross, count twice where they overlap, which is in the error.
    Oblique patches (by more than 29°) that are only near, and parts narrower than a 32nd of the bounding box, are not
    detected.

    Returns
    -------
    Measurement
        Its error is that of creases and corners, which may be round or mitred, and of overlaps. Its findings are
        ``duplicate_faces``, ``crossing_faces``, ``thick_shell``.

    Raises
    ------
    InertiaError
        ``bad_thickness``, also if it is so large that no body has the result, or no digit of it is certain, or its
        powers overflow; ``zero_area`` if every face is degenerate.
    """
    thickness, progress = request.lengths.get("thickness"), request.progress
    if thickness is None or not SMALLEST <= thickness <= FARTHEST:
        form = "none" if thickness is None else "impossible"
        raise InertiaError.of("bad_thickness", "", form, thickness=thickness, least=SMALLEST, most=FARTHEST)
    half = thickness / 2.0
    faces, centre, findings = _faces(surface)
    edges = Edges.around(faces.points)
    unless_cancelled(progress, 0.4)
    mitres, bent, radius = _mitres(faces, edges, half)
    unless_cancelled(progress, 0.8)
    sides = " x ".join(f"{side:.4g}" for side in surface.extent())
    total = _summed([_slabs(faces, half), mitres, _at_vertices(faces, edges, half)], centre)
    if total is None:
        raise InertiaError.of("bad_thickness", "", "part", thickness=thickness, sides=sides)
    # What the sum cannot know: slabs that overlap side by side, and faces that cross.
    moments, error = total
    beside, distance = _side_by_side(faces, thickness)
    count, crossed, share = _crossing(faces, moments, centre, thickness)
    # Creases, tight bends and patches side by side are the same in a sharp bend or a thin solid.
    error = share + max(error + bent / moments.volume, beside / moments.volume)
    reasons = []
    if radius < half:
        reasons.append(f"half of it is more than the smallest radius of curvature, {radius:.3g} m")
    if beside > DOUBTFUL * moments.volume:
        reasons.append(f"faces {distance:.3g} m apart have walls that overlap, which is counted twice")
    if error > DOUBTFUL and not reasons:
        reasons = ["much of its volume is at creases and corners, where it is uncertain"]
    large = f"the wall of {thickness:.6g} m is thick for a part of {sides} m"
    values = {"wall": large, "reasons": "; ".join(reasons), "error": share_text(error)}
    if error >= USELESS:
        raise InertiaError.of("bad_thickness", "", "thick", **values)
    if share > REPORTED:
        doubt = {"volume": fitting_volume_text(crossed), "share": share_text(share)}
        findings += (Finding.of("warning", "crossing_faces", "", "wall", count=count, **doubt),)
    if reasons:
        findings += (Finding.of("warning", "thick_shell", **values),)
    return Measurement(moments, "shell", error, findings)


def _faces(surface: Surface) -> tuple[_Faces, FloatArray, tuple[Finding, ...]]:
    """Return the faces that have an area, about the centre of their bounding box; those of the same points once."""
    low, high = surface.bounds()
    centre = low + (high - low) / 2.0
    corners = surface.vertices.astype(np.float64)[surface.triangles] - centre
    # Normals; a face whose cross product is all rounding has none, and no area worth counting.
    u, v = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    normal = np.cross(u, v)
    length = np.linalg.norm(normal, axis=1)
    proper = np.flatnonzero(length > FLAT * np.linalg.norm(u, axis=1) * np.linalg.norm(v, axis=1))
    if not len(proper):
        raise InertiaError.of("zero_area", count=len(corners))
    points, normal = by_place(surface).points[proper], normal[proper] / length[proper, None]
    first = _counted_once(points, normal)
    used, area = proper[first], length / 2.0
    faces = _Faces(corners[used], points[first], normal[first], area[used])
    if first.all():
        return faces, centre, ()
    counts = {"count": len(proper) - len(used), "total": len(proper)}
    areas = {"after": area[used].sum(), "before": area[proper].sum()}
    return faces, centre, (Finding.of("warning", "duplicate_faces", "", "wall", **counts, **areas),)


def _counted_once(points: Ints, normal: FloatArray) -> Bools:
    """Return which triangles to use so that none is counted twice, nor a flat quad whose back is cut the other way."""
    # First of all the faces on the same three points.
    first: Bools = alike(*np.sort(points, axis=1).T) == np.arange(len(points))
    edges = Edges.around(points, np.flatnonzero(first))
    side, other = edges.pairs
    face, neighbour = edges.face[side], edges.face[other]
    along = np.where(edges.sign[side] == edges.sign[other], -1.0, 1.0)  # as if wound alike; below zero: folded over
    flat = along * (normal[face] * normal[neighbour]).sum(axis=1) > 1.0 - FLAT_QUAD
    # The other diagonal of a quad gives another pair of faces with the same four corners: keep one pair.
    face, neighbour, apex = (
        face[flat],
        neighbour[flat],
        points[neighbour].sum(axis=1)[flat] - (edges.start + edges.end)[side[flat]],
    )
    quads = np.sort(np.column_stack([points[face], apex]), axis=1)
    again = alike(*quads.T) != np.arange(len(quads))
    first[face[again]] = first[neighbour[again]] = False
    return first


def _slabs(faces: _Faces, half: float) -> _Bodies:
    # A slab's own second moment: that of its triangle (a twelfth of the arms to its corners), and h²/3 across.
    volume = 2.0 * half * faces.area
    place = faces.corners.mean(axis=1)
    arm = (faces.corners - place[:, None]).reshape(-1, 3)
    spread = (np.repeat(volume / 12.0, 3)[:, None] * arm).T @ arm
    across = (volume[:, None] * faces.normal).T @ faces.normal * (half**2 / 3.0)
    return _Bodies(volume, place, spread + across, np.zeros(len(volume)))


def _mitres(faces: _Faces, edges: Edges, half: float) -> tuple[_Bodies, float, float]:
    """Return the gaps between slabs up to the mitre, less the overlaps of slabs, for each angle φ around an edge.

    Across the edge each is a kite with corners at the edge, at h on the normals of both faces, and where the offset
    faces meet, h / sin(φ/2) from the edge. The other results are the volume [m³] that slabs share inside bends whose
    radius is smaller than h, and the smallest radius [m].
    """
    # For each side of each face: its unit vector, and the direction from it into the face.
    start = faces.corners.transpose(1, 0, 2).reshape(-1, 3)
    end = np.roll(start, -len(faces.area), axis=0)
    along = end - start
    length = np.linalg.norm(along, axis=1)
    axis = along / length[:, None]
    inward = np.cross(faces.normal[edges.face], axis)  # from the edge into the face, for either winding
    across = np.cross(axis, inward)
    # The faces at each edge in order of their angle around it, seen along its first side; each with the next one, and
    # the opening between the two.
    inner = np.flatnonzero(edges.count[edges.edge] > 1)
    edge = edges.edge[inner]
    angle = np.arctan2((inward[inner] * across[edge]).sum(axis=1), (inward[inner] * inward[edge]).sum(axis=1))
    order = np.lexsort((angle, edge))
    edge, angle, area = edge[order], angle[order], faces.area[edges.face[inner[order]]]
    last = np.flatnonzero(np.diff(edge, append=-1))
    following = np.arange(1, len(edge) + 1)
    following[last] = np.append(0, last + 1)[:-1]
    opening = angle[following] - angle
    opening[last] += 2.0 * pi
    middle = angle + opening / 2.0
    toward = np.cos(middle)[:, None] * inward[edge] + np.sin(middle)[:, None] * across[edge]
    axis, length = axis[edge], length[edge]

    # The kite's volume (below zero where slabs overlap), its centroid's distance from the edge, and its second moments
    # about that along three axes: the edge, the bisector, and across both.
    limited = np.clip(opening / 2.0, SHARPEST, pi - SHARPEST)
    s, c = np.sin(limited), np.cos(limited)
    volume = -(half**2) * length * c / s
    distance = half / 3.0 * (s + 1.0 / s)
    radial = half**2 / 12.0 * (s**2 + 1.0 / s**2 + (s + 1.0 / s) ** 2) - distance**2
    spread = np.zeros((3, 3))
    sideways = half**2 * c**2 / 6.0
    for direction, moment in ((axis, length**2 / 12.0), (toward, radial), (np.cross(axis, toward), sideways)):
        spread += ((volume * moment)[:, None] * direction).T @ direction
    # A gap may be filled up to the mitre or round; in an overlap, a cut mitre counts twice. Neither
    # is more than the smaller face has, which is little if that is a sliver with an arbitrary normal.
    with np.errstate(divide="ignore", over="ignore"):
        doubt = np.where(opening < pi, 1.0 / np.tan(opening / 2.0), (pi - opening) / 2.0) - c / s
        turn = np.abs(pi - opening)
        curved = (np.bincount(edge, minlength=1)[edge] == 2) & (turn > 0.0) & (turn < SMOOTH)
        radius = np.where(curved, (area + area[following]) / (length * turn), np.inf)
    doubt = np.clip(half**2 * length * doubt, 0.0, 2.0 * half * np.minimum(area, area[following]))
    place = (start + end)[edge] / 2.0 + distance[:, None] * toward
    # Both wedges of an edge are in the sum; one of them is inside the bend.
    bent = float((length * turn * (half - np.minimum(radius, half)) ** 2).sum()) / 4.0
    return _Bodies(volume, place, spread, doubt), bent, float(radius.min(initial=np.inf))


def _at_vertices(faces: _Faces, edges: Edges, half: float) -> _Bodies:
    """Return what the curvature of vertices adds: 2π minus the angles there, if two faces meet at each of their edges.

    A mitred corner of a cube has 1.9 times the volume given by that, π/2; a round one has just that.
    """
    points, corners = faces.points, faces.corners
    u, v = np.roll(corners, -1, axis=1) - corners, np.roll(corners, 1, axis=1) - corners
    # The angle of each face at each of its corners, and the sum of all at each point.
    angle = np.arctan2(np.linalg.norm(np.cross(u, v), axis=2), (u * v).sum(axis=2))
    total = np.bincount(points.ravel(), angle.ravel())
    # Points at an edge of more or fewer than two faces have no curvature.
    rim = edges.count[edges.edge] != 2
    points, at = np.unique(points, return_index=True)
    inner = ~np.isin(points, [edges.start[rim], edges.end[rim]])
    defect = 2.0 * pi - total[points[inner]]
    volume = 2.0 / 3.0 * half**3 * defect
    return _Bodies(volume, corners.reshape(-1, 3)[at[inner]], np.zeros((3, 3)), np.abs(volume * defect) * 2.0 / pi)


def _summed(parts: list[_Bodies], centre: FloatArray) -> tuple[Moments, float] | None:
    """Return the sum of all bodies, whose places are relative to `centre` (3,) [m], and the uncertain share of its
    volume or tensor; None if no body has such a sum."""
    names = "volume", "place", "doubt"
    volume, place, doubt = (np.concatenate([getattr(part, name) for part in parts]) for name in names)
    total = float(volume.sum())
    if not total > 0.0:
        return None
    centroid = volume @ place / total
    # Steiner's theorem: the bodies' second moments about their own centroids, and those of their places.
    arm = place - centroid
    covariance = (volume[:, None] * arm).T @ arm + sum(part.spread for part in parts)
    # The sum of signed bodies may be that of no body, with a principal moment below zero.
    trace = float(np.trace(covariance))
    if not np.linalg.eigvalsh(covariance)[0] > -ROUNDING * abs(trace):
        return None
    moments = Moments(total, centre + centroid, (covariance + covariance.T) / 2.0)
    return moments, max(float(doubt.sum()) / total, float(doubt @ (arm * arm).sum(axis=1)) / trace)


def _side_by_side(faces: _Faces, thickness: float) -> tuple[float, float]:
    """Estimate the volume [m³] that counts twice where patches are nearer than the thickness, and their smallest
    distance [m].

    32 x 32 lines along each axis cross the surface. Where a line meets two nearly parallel faces in succession, their
    slabs overlap by the thickness less their distance.
    """
    corners = np.ascontiguousarray(faces.corners.transpose(2, 1, 0))
    low, high = corners.min(axis=(1, 2)), corners.max(axis=(1, 2))
    cell = (high - low) / LINES
    volume, distance = 0.0, thickness
    for axis in range(3):
        second, third = (axis + 1) % 3, (axis + 2) % 3
        y = low[second] + (np.arange(LINES) + OBLIQUE[0]) * cell[second]
        z = low[third] + (np.arange(LINES) + OBLIQUE[1]) * cell[third]
        line, face, height, _ = crossings(corners, axis, np.repeat(y, LINES), np.tile(z, LINES))
        # Each face on a line with the next one above it: their distance across, if they are nearly parallel.
        order = np.lexsort((height, line))
        line, face, height = line[order], face[order], height[order]
        normal, above = faces.normal[face[:-1]], faces.normal[face[1:]]
        slope = np.abs(normal[:, axis])
        gap = np.diff(height) * slope
        here = (line[1:] == line[:-1]) & (gap < thickness) & (np.abs((normal * above).sum(axis=1)) >= PARALLEL)
        here &= slope >= np.abs(normal).max(axis=1)  # otherwise lines along another axis count it
        volume += float(((thickness - gap[here]) / slope[here]).sum() * cell[second] * cell[third])
        distance = min(distance, float(gap[here].min(initial=distance)))
    return volume, distance


def _crossing(faces: _Faces, moments: Moments, centre: FloatArray, thickness: float) -> tuple[int, float, float]:
    """Return how many faces pass through others, the volume [m³] that their slabs share, and its share of the whole.

    Across the line where two slabs of thickness t cross at an angle θ, both hold a rhombus of t² / sin θ. The share is
    that of the volume or of the tensor, whichever is more. Faces that only touch, such as sheets that end on others,
    share half of that, and are ignored.
    """
    corners = np.ascontiguousarray(faces.corners.transpose(2, 1, 0))
    size = float(np.ptp(corners, axis=(1, 2)).max())
    # Pairs of faces that pass through each other at an angle of more than 29°; others are side by side.
    pairs = [np.zeros((2, 0), dtype=np.int64), *map(np.stack, face_pairs(corners, MEET * size))]
    face, other = np.concatenate(pairs, axis=1)
    sine = np.linalg.norm(np.cross(faces.normal[face], faces.normal[other]), axis=1)
    oblique = np.flatnonzero(sine > sqrt(1.0 - PARALLEL**2))
    face, other, sine = face[oblique], other[oblique], sine[oblique]
    # A rhombus along each line: its volume, and its second moment about the centroid of the whole.
    start, end = crossing_lines(corners[:, :, face], corners[:, :, other]).transpose(1, 2, 0)
    length = np.linalg.norm(end - start, axis=1)
    volume = length * thickness**2 / sine
    arm = (start + end) / 2.0 + centre - moments.centroid
    tensor = float(volume @ ((arm**2).sum(axis=1) + length**2 / 12.0)) / float(np.trace(moments.covariance))
    total = float(volume.sum())
    return len(np.union1d(face, other)), total, max(total / moments.volume, tensor)
