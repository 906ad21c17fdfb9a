# SPDX-License-Identifier: Apache-2.0
"""Moments of a 3D-printed part: a solid wall inside its surface, and an infill within that.

With the wall's thickness t and the infill's share f of the density, the part is the solid less the share 1 - f of its
core, which is what lies deeper than t. The wall has no other side: all of it is inside the surface.

The core's surface is the part's, with every vertex moved inward until the planes of its faces have moved by t, mitred
at edges. For a polyhedron with three planes at each vertex, such as a box, a prism or a tube, that is exact. At other
vertices it is the best fit, and what its faces are off is in the error; so is the difference between a mitre and a
round at reentrant edges, which slicers treat differently.

Where the part is thinner than two walls, the moved faces fold over or pass through each other, and the part is solid.
Then columns of voxels measure the core: what is inside the surface, and in none of the bodies that faces sweep as they
move inward.
"""

from __future__ import annotations

from functools import reduce
from operator import add

import numpy as np

from ..arrays import FloatArray
from ..body.compare import relative_error
from ..body.moments import Moments
from ..errors import Finding, InertiaError, Severity
from ..units import share_text
from .diagnosis import remarks
from .enclosed import read_solid
from .integrate import surface_moments
from .measurement import Measurement, Request
from .policy import diagnose_surface
from .progress import interruptible
from .surface import SMALLEST, Surface
from .topology.connected import connected
from .topology.edges import Edges
from .voxels.columns import Columns

FLATTEST = 1e-4
"""The smallest spread of a vertex's normals that counts, relative to the largest. Smaller ones are those of planes less
than half a degree apart, which mostly comes from the rounding of their corners."""

SHARPEST = 4.0
"""A vertex moves by at most this many walls, the usual limit of mitres (SVG)."""

FOLDED, DOUBTFUL = 1e-3, 0.01
"""The share of the core that may be in doubt where moved faces fold over or cross, and an error worth a warning."""

ROUNDING = 1e-12
"""A smaller error is that of floating point."""

FLAT = 1.0 - 1e-6
"""Cosine of the turn below which two faces are in one plane, as float32 has it."""

MOST_TURNED = -0.95
"""Cosine of the largest turn at an edge, 162 degrees, of which a mitre is longer than `SHARPEST`."""

COLUMNS, EMPTY = (121, 149, 183), 1e-6
"""Columns along the longest side, for those along x, y and z: not the same, so that all do not miss the same part of a
wall. And the share of the solid below which no core is left."""


def measure_printed(surface: Surface, request: Request) -> Measurement:
    """Measure a part with a wall of the thickness ``wall`` [m] inside its surface, and in it ``infill``, a share of the
    density (0 to 1).

    Its volume is that of the material. It is at most the solid's, and exactly that with an infill of 1.

    Returns
    -------
    Measurement
        Its findings are those of the method exact, and ``solid_where_thin``.

    Raises
    ------
    InertiaError
        ``bad_wall``, ``bad_infill``, or as `measure_exact` does.
    """
    wall, infill = request.lengths.get("wall"), request.lengths.get("infill")
    if wall is None or not SMALLEST <= wall < np.inf:
        raise InertiaError.of("bad_wall", "", "none" if wall is None else "impossible", wall=wall)
    if infill is None:
        raise InertiaError.of("bad_infill", "", "none")
    checked_infill(infill)
    checked = read_solid(surface, request)
    if checked.united is not None:
        raise InertiaError.of("bad_wall", "", "united")
    findings = checked.findings + remarks.bent_quads(surface, checked.moments.volume)
    solid, closed, hollow = checked.moments, checked.watertight, 1.0 - infill

    def printed(core: Moments) -> Moments:
        return solid + _times(core, -hollow)

    cores, doubt, off = [Moments.zero], np.zeros(len(closed.triangles)), 0.0
    if hollow and 2.0 * wall < closed.extent().min():  # otherwise no place in it is deeper than a wall
        with interruptible(request.progress):
            inner, doubt, folded = _moved_inward(closed, wall)
            core, off = _core_within(inner, folded, request.quick)
            cores = [core] if core else _cores_by_columns(closed, inner)
    moments = printed(reduce(add, (_times(core, 1.0 / len(cores)) for core in cores)))
    off += max(relative_error(printed(core), moments) for core in cores) if len(cores) > 1 else 0.0
    arm = closed.vertices[closed.triangles].mean(axis=1) - moments.centroid
    off = off if off > ROUNDING else 0.0
    error = off + hollow * float(doubt.sum()) / moments.volume
    spread = float(doubt @ (arm**2).sum(axis=1)) / float(np.trace(moments.covariance))
    inertia = max(error, off + hollow * spread)
    if len(cores) > 1:
        severity: Severity = "warning" if inertia > DOUBTFUL else "info"
        findings += (Finding.of(severity, "solid_where_thin", wall=wall, error=share_text(inertia)),)
    # An error of the surface moves the solid and its core alike.
    error, inertia = error + checked.error, inertia + max(checked.error, checked.error_inertia)
    return Measurement(moments, "printed", error, findings, error_inertia=inertia)


def checked_infill(infill: float) -> float:
    """Return a share from 0 to 1; raises ``bad_infill`` otherwise."""
    if 0.0 <= infill <= 1.0:
        return infill
    raise InertiaError.of("bad_infill", "", "impossible", infill=infill)


def _times(moments: Moments, factor: float) -> Moments:
    """Return the moments of a solid of another density."""
    return Moments(factor * moments.volume, moments.centroid, factor * moments.covariance)


def _moved_inward(surface: Surface, wall: float) -> tuple[Surface, FloatArray, float]:
    """Return the surface with its faces a wall further in, for each face the volume that is in doubt [m³], and the
    volume behind faces that turned over on their way [m³]."""
    points, vertices = surface.triangles.astype(np.int64), surface.vertices.astype(np.float64)
    corners = vertices[points]
    after, before = np.roll(corners, -1, axis=1) - corners, np.roll(corners, 1, axis=1) - corners
    across = np.cross(after, before)
    size = np.linalg.norm(across, axis=2)
    area = size[:, 0] / 2.0
    normal = across[:, 0] / np.where(area > 0.0, size[:, 0], 1.0)[:, None]
    # Each vertex moves by the w with n · w = 1 for the normals of its faces, weighted by their angles there.
    angle = np.arctan2(size, (after * before).sum(axis=2))
    pull, spread = np.zeros((len(vertices), 3)), np.zeros((len(vertices), 3, 3))
    for corner in range(3):
        weighted = angle[:, corner, None] * normal
        np.add.at(pull, points[:, corner], weighted)
        np.add.at(spread, points[:, corner], weighted[:, :, None] * normal[:, None])
    way = (np.linalg.pinv(spread, FLATTEST, hermitian=True) @ pull[:, :, None])[:, :, 0]
    way *= np.minimum(SHARPEST / np.maximum(np.linalg.norm(way, axis=1), SHARPEST), 1.0)[:, None]
    off = np.abs((way[points] * normal[:, None]).sum(axis=2) - 1.0).clip(max=1.0)
    off[off < ROUNDING] = 0.0
    doubt = wall * area * off.mean(axis=1)
    # Between the faces at a reentrant edge, the mitre is t² (tan φ - φ) larger than a round, for half the turn φ.
    edges = Edges.around(points)
    side, other = edges.pairs
    face, neighbour, start = edges.face[side], edges.face[other], vertices[edges.start[side]]
    length = np.linalg.norm(vertices[edges.end[side]] - start, axis=1)
    half = np.arccos((normal[face] * normal[neighbour]).sum(axis=1).clip(MOST_TURNED, 1.0)) / 2.0
    reentrant = ((corners[neighbour].sum(axis=1) - 3.0 * start) * normal[face]).sum(axis=1) > 0.0
    np.add.at(doubt, face, np.where(reentrant, wall**2 * length * (np.tan(half) - half), 0.0))
    # A flat part may fold within its plane, which changes nothing; it must not turn over as a whole.
    a, b, c = (corners - wall * way[points]).transpose(1, 0, 2)
    flat = (normal[face] * normal[neighbour]).sum(axis=1) > FLAT
    part = connected(face[flat], neighbour[flat], len(points))
    turned = np.bincount(part, (np.cross(b - a, c - a) * normal).sum(axis=1))[part] < 0.0
    return Surface(vertices - wall * way, points), doubt, wall * float(area[turned].sum())


def _core_within(inner: Surface, folded: float, quick: bool) -> tuple[Moments | None, float]:
    """Return the moments of the core and their error; None if its surface folds over or crosses itself by more than
    `FOLDED`."""
    try:
        core, checked = surface_moments(inner), diagnose_surface(inner, quick)
    except InertiaError:  # none of it is left, or it is inside out
        return None, 0.0
    off = max(folded / abs(core.volume), checked.error) + relative_error(checked.moments, core)
    return (core, off) if core.volume > 0.0 and off <= FOLDED else (None, 0.0)


def _cores_by_columns(surface: Surface, inner: Surface) -> list[Moments]:
    """Return the moments of the core by columns along each axis.

    A face and where it moved are the ends of a prism. It is cut into three tetrahedra, with the same diagonals as its
    neighbours; each counts as wall, however it is turned.
    """
    a, b, c = np.sort(surface.triangles.astype(np.int64), axis=1).T
    in_a, in_b, in_c = (corner + len(surface.vertices) for corner in (a, b, c))
    swept = np.concatenate([(a, b, c, in_c), (a, b, in_b, in_c), (a, in_a, in_b, in_c)], axis=1).T
    vertices = np.concatenate([surface.vertices, inner.vertices])
    p, q, r, s = vertices[swept].transpose(1, 0, 2)
    turned = (np.cross(q - p, r - p) * (s - p)).sum(axis=1) > 0.0
    swept[turned] = swept[turned][:, [1, 0, 2, 3]]
    walls = swept[:, [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]]].reshape(-1, 3)
    both = Surface(vertices, np.concatenate([surface.triangles, walls]))
    cores = []
    for axis, count in enumerate(COLUMNS):
        columns = Columns.around(both, float(surface.extent().max()) / count, axis)
        whole = columns.union_sums(both.triangles)[0]
        core = whole - columns.union_sums(walls)[0]
        cores.append(columns.moments_of(core) if core[0, 0] > EMPTY * whole[0, 0] else Moments.zero)
    return cores
