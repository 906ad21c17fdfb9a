# SPDX-License-Identifier: GPL-3.0-or-later
"""Moments of a surface with a thickness t: sheet metal, printed walls, open meshes.

The material is all points within h = t/2 of the surface along its normals, half on each side, cut off square at the
surface's rim and mitred at its edges. It is the sum of

* a slab on every triangle: t ∫x xᵀ dA + t³/12 A n nᵀ;
* a wedge in every angle φ between neighbouring faces around an edge. Where φ < π their slabs overlap, where φ > π
  they leave a gap up to the mitre; that kite has the area h² |cot(φ/2)|. Between two faces overlap and gap are equal,
  so the volume stays A t and material only moves outwards;
* the Gaussian curvature of every inner vertex: t³/12 times its angle defect.

For a smooth surface, wedges and vertices tend to the mean and Gaussian curvature in Steiner's and Weyl's formula, dV =
(1 - 2 H z + K z²) dA dz (Weyl 1939, On the volume of tubes, Am. J. Math. 61, p. 461), and the error is of order t⁵. It
needs neither a winding, nor a closed surface, nor two faces at an edge.
"""

from __future__ import annotations

from math import pi, sqrt

import numpy as np

from ..arrays import FloatArray
from ..body.moments import Moments
from ..errors import Finding, InertiaError
from ..units import fitting_volume_text, share_text
from .diagnosis.crossings import crossing_lines
from .measurement import Measurement, Request
from .progress import unless_cancelled
from .surface import FARTHEST, SMALLEST, Surface
from .thickness.bodies import Faces, Wedges, at_vertices, mitres, slabs, summed, wedges_between
from .thickness.doubles import PARALLEL, counted_once, side_by_side
from .topology.crossing_faces import face_pairs
from .topology.edges import degenerate
from .topology.merging import by_place

FLAT = 16 * float(np.finfo(np.float64).eps)
"""A triangle whose angle has a sine below the rounding of its cross product has no normal."""

SMOOTH = pi / 3.0
"""Faces that turn by less approximate a curved surface with a radius; others meet in a crease."""

DOUBTFUL = 0.01
"""An estimated error worth a warning."""

SAID = 1e-3
"""Walls that cross and count twice by this share are reported; less only adds to the error."""

MEET = 1e-9
"""Faces that pass through each other by no more than this share of the size touch."""


def measure_thin_wall(surface: Surface, request: Request) -> Measurement:
    """Integrate a surface with a thickness, half of it on each side.

    The surface is closed or open, wound in any way, with any number of faces at an edge. Faces that lie on others (see
    `counted_once`) are counted once. Patches that are not neighbours and nearer than the thickness are counted twice
    where they overlap, which a finding reports: see `side_by_side`; and so are faces that cross: see `_crossing`.
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
    unless_cancelled(progress, 0.4)
    joined = faces.some(~degenerate(faces.points))
    wedges = wedges_between(joined)
    sides = " x ".join(f"{side:.4g}" for side in surface.extent())
    large = f"the wall of {thickness:.6g} m is thick for a part of {sides} m"
    unless_cancelled(progress, 0.8)
    total = summed([slabs(faces, half), mitres(wedges, half), at_vertices(joined, half)], centre)
    if total is None:
        raise InertiaError.of("bad_thickness", "", "part", thickness=thickness, sides=sides)
    moments, error = total
    reasons, overlap = _too_thick(faces, joined.edges.consistent, wedges, moments, half)
    beside, distance = side_by_side(faces, thickness)
    faces_crossing, crossed, share = _crossing(faces, moments, centre, thickness)
    error = share + max(error + overlap, beside / moments.volume)  # these are the same in a sharp bend or a thin solid
    if beside > DOUBTFUL * moments.volume:
        reasons.append(f"faces {distance:.3g} m apart have walls that overlap, which is counted twice")
    if error > DOUBTFUL and not reasons:
        reasons = ["much of its volume is at creases and corners, where it is uncertain"]
    if error >= 1.0:
        raise InertiaError.of(
            "bad_thickness", "", "thick", wall=large, reasons="; ".join(reasons), error=share_text(error)
        )
    if share > SAID:
        doubt = {"volume": fitting_volume_text(crossed), "share": share_text(share)}
        findings += (Finding.of("warning", "crossing_faces", "", "wall", count=faces_crossing, **doubt),)
    if reasons:
        findings += (
            Finding.of("warning", "thick_shell", wall=large, reasons="; ".join(reasons), error=share_text(error)),
        )
    return Measurement(moments, "shell", error, findings)


def _faces(surface: Surface) -> tuple[Faces, FloatArray, tuple[Finding, ...]]:
    """Return the faces that have an area, about the centre of their bounding box; duplicates once."""
    low, high = surface.bounds()
    centre = low + (high - low) / 2.0
    corners = surface.vertices.astype(np.float64)[surface.triangles] - centre
    u, v = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    normal = np.cross(u, v)
    length = np.linalg.norm(normal, axis=1)
    proper = length > FLAT * np.linalg.norm(u, axis=1) * np.linalg.norm(v, axis=1)
    if not proper.any():
        raise InertiaError.of("zero_area", count=len(corners))
    length = length[proper]
    every = Faces(corners[proper], by_place(surface).points[proper], normal[proper] / length[:, None], length / 2.0)
    faces = every.some(counted_once(every.points, every.corners))
    twice = len(every.area) - len(faces.area)
    if not twice:
        return faces, centre, ()
    before, after = every.area.sum(), faces.area.sum()
    counts = {"count": twice, "total": len(every.area)}
    return faces, centre, (Finding.of("warning", "duplicate_faces", "", "wall", **counts, after=after, before=before),)


def _crossing(faces: Faces, moments: Moments, centre: FloatArray, thickness: float) -> tuple[int, float, float]:
    """Return how many faces pass through others, the volume [m³] that their slabs share, and its share of the whole.

    Across the line where two slabs of thickness t cross at an angle θ, both hold a rhombus of t² / sin θ. The share is
    that of the volume or of the tensor, whichever is more. Nearly parallel slabs are left to `side_by_side`. Faces that
    only touch, such as sheets that end on others, share half of that, and are ignored.
    """
    corners = np.ascontiguousarray(faces.corners.transpose(2, 1, 0))
    size = float(np.ptp(corners, axis=(1, 2)).max())
    pairs = [np.zeros((2, 0), dtype=np.int64), *map(np.stack, face_pairs(corners, MEET * size))]
    one, other = np.concatenate(pairs, axis=1)
    sine = np.linalg.norm(np.cross(faces.normal[one], faces.normal[other]), axis=1)
    oblique = sine > sqrt(1.0 - PARALLEL**2)
    one, other, sine = one[oblique], other[oblique], sine[oblique]
    start, end = crossing_lines(corners[:, :, one], corners[:, :, other]).transpose(1, 2, 0)
    length = np.linalg.norm(end - start, axis=1)
    volume = length * thickness**2 / sine
    arm = (start + end) / 2.0 + centre - moments.centroid
    tensor = float(volume @ ((arm**2).sum(axis=1) + length**2 / 12.0)) / float(np.trace(moments.covariance))
    total = float(volume.sum())
    return len(np.union1d(one, other)), total, max(total / moments.volume, tensor)


def _too_thick(faces: Faces, closed: bool, wedges: Wedges, moments: Moments, half: float) -> tuple[list[str], float]:
    """Return why the thickness is too large for the surface, and the share of the volume that may count twice."""
    reasons, twice = [], 0.0
    turn = np.abs(pi - wedges.opening)
    two = np.bincount(wedges.edge)[wedges.edge] == 2
    curved = two & (turn > 0.0) & (turn < SMOOTH)
    with np.errstate(divide="ignore", over="ignore"):
        radius = np.where(curved, wedges.both / (wedges.length * turn), np.inf)
    tight = radius < half
    if tight.any():
        # Both wedges of an edge are in the sum; one of them is inside the bend.
        twice += float((wedges.length * turn * (half - np.where(tight, radius, half)) ** 2).sum()) / 4.0
        reasons.append(f"half of it is more than the smallest radius of curvature, {radius.min():.3g} m")
    area = float(faces.area.sum())
    if closed:
        corners = faces.corners.transpose(1, 0, 2)
        enclosed = abs(float((corners[0] * np.cross(corners[1], corners[2])).sum())) / 6.0
        if half * area > enclosed:
            twice += half * area - enclosed
            depth = enclosed / area
            reasons.append(f"half of it is more than the mean depth of the space it encloses, {depth:.3g} m")
    extent = np.ptp(faces.corners.reshape(-1, 3), axis=0)
    room = float(np.prod(extent + 2.0 * half))
    if moments.volume > room:
        twice += moments.volume - room
        sizes = (
            f"{fitting_volume_text(moments.volume)} are more than its bounding box holds, {fitting_volume_text(room)}"
        )
        reasons.append(f"its {sizes}")
    return reasons, twice / moments.volume
