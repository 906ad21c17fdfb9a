# SPDX-License-Identifier: Apache-2.0
"""Checks if a centre of mass has a wrong sign, and if mass in the geometry can be spread as the tensor states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import product
from math import sqrt

import numpy as np

from ...arrays import FloatArray
from ...body.inertial import Inertial, steiner
from ...errors import Finding
from ...mesh.topology.connected import alike
from ...robot.extent import SeenBody
from ...robot.model import Mesh
from ...units import numbers_text
from .written import FINEST, THREE_DIGITS, Written, six_of
from .wrong_tensors import CLEARLY, CODES, Mistakes, Piece, Solid
from .wrong_units import LANDED, OUTSIDE

ROUGH = 0.02
"""Inaccuracy of the geometry in a file, as a share of its extent."""

PLANAR = 1e-6
"""Geometry thinner than this share of its size has no thickness: it represents a plate that has one."""

FEW_DIGITS = 2, 3
"""Least and most significant digits of numbers: no fewer, since a round number may be exact; no more, since a tensor
that is rotated into the link's axes does not show how many it had."""


def turned_sign(body: Inertial, seen: SeenBody) -> FloatArray | None:
    """Return the centre of mass (3,) [m] that is meant if a sign of the given one is flipped.

    The given one is clearly outside the geometry's box. The one returned is at the uniform geometry's centre; of
    several it is the one with the fewest signs flipped.
    """
    if seen.uniform is None:
        return None
    longest = seen.extent.longest
    if not seen.extent.distance(body.com) > OUTSIDE * longest:
        return None
    for signs in sorted(product((1.0, -1.0), repeat=3), key=lambda signs: signs.count(-1.0)):
        com: FloatArray = body.com * signs
        if float(np.linalg.norm(com - seen.uniform.com)) <= LANDED * longest:
            return com
    return None


def vertex_mean(body: Inertial, written: Written, solids: Sequence[Solid]) -> Mistakes | None:
    """Return the mistake of a centre of mass that is the mean of a mesh's vertices; None if it is another point.

    Two numbers agree with it to three digits or more: coordinates that differ from the geometry's centre, or the tensor
    about the mean. The tensor may also be that about the right centre.
    """
    # A centre that is that of a geometry, even roughly, is not a mean of vertices.
    rounding = np.array([_half_unit(number) for number in body.com.tolist()])
    for solid in solids:
        if np.all(np.abs(body.com - solid.uniform.com) <= CLEARLY * (rounding + FINEST * solid.longest)):
            return None
    for solid in (candidate for candidate in solids if len(candidate.pieces) == 1):
        tolerance, centre = rounding + FINEST * solid.longest, solid.uniform.com
        right = solid.uniform.scaled_to(body.mass)
        # Coordinates that tell the mean from the centre, and have the digits to do so.
        off = (np.abs(body.com - centre) > CLEARLY * tolerance) & (rounding <= THREE_DIGITS * np.abs(body.com))
        for mean in _means(solid.pieces[0]) if off.any() else ():
            if not np.all(np.abs(body.com - mean) <= tolerance):
                continue
            # A tensor about the mean is one more proof of it. About the mean or the centre, it is right otherwise.
            moved = right.inertia + body.mass * steiner(mean - centre)
            about_mean, about_centre = (
                written.proves(six_of(written.R.T @ tensor @ written.R)) for tensor in (moved, right.inertia)
            )
            if int(off.sum()) + about_mean < 2:
                continue
            values = {"com": numbers_text(body.com), "centre": numbers_text(centre)}
            finding = Finding.of("warning", CODES["formula"], "", "vertices", **values)
            return Mistakes((finding,), right if about_mean or about_centre else None)
    return None


def _means(piece: Piece) -> Iterator[FloatArray]:
    """Yield the mean of a mesh's vertices in the link's frame: as in its file, with equal ones once, by its faces."""
    if not isinstance(piece.geometry, Mesh):
        return
    surface = piece.geometry.surface
    # How many corners of faces are at each vertex; then True at the first of equal vertices, compared bit by bit.
    used = np.bincount(surface.triangles.ravel(), minlength=len(surface.vertices))
    columns = np.ascontiguousarray(surface.vertices.T, dtype=np.float64) + 0.0  # without -0
    once = alike(*columns.view(np.int64)) == np.arange(len(used))
    for weight in (np.ones(len(used)), once, used):
        mean: FloatArray = piece.pose.R @ piece.geometry.stretch @ (columns @ weight / weight.sum()) + piece.pose.p
        yield mean


def _half_unit(number: float) -> float:
    """Return half the unit of a number's last digit."""
    exponent = Decimal(repr(number)).as_tuple().exponent
    return 0.5 * 10.0**exponent if isinstance(exponent, int) else 0.0


def spread(body: Inertial, seen: SeenBody) -> Finding | None:
    """Return the finding for mass that is spread farther along a direction than the geometry allows."""
    if seen.extent.distance(body.com) > 0.0:  # a finding of its own
        return None
    worst = _beyond_bound(body, seen)
    if worst is None:
        return None
    direction, spread, possible = worst
    along = "xyz"[int(np.argmax(direction))] if direction.max() == 1.0 else f"({numbers_text(direction)})"
    centre = seen.typical.com
    values = {"spread": sqrt(spread), "along": along, "limit": sqrt(possible), "com": numbers_text(body.com)}
    if _beyond_bound(Inertial(body.mass, centre, body.inertia), seen) is not None:
        return Finding.of("warning", "impossible_spread", **values)
    return Finding.of("warning", "impossible_spread", "", "centre", **values, centre=numbers_text(centre))


def _beyond_bound(body: Inertial, seen: SeenBody) -> tuple[FloatArray, float, float] | None:
    """Return the direction (3,) along which mass is spread too far, its variance and the largest possible one [m²].

    Mass between lo and hi with its centre at c has a variance of at most (hi - c)(c - lo) (Bhatia & Davis 2000). The
    directions are the link's axes and the principal ones.
    """
    principal = np.linalg.eigh(body.inertia)[1].T
    turned = seen.along(principal) if seen.along is not None else None
    boxes = [(np.eye(3), seen.extent), *([(principal, turned)] if turned is not None else [])]
    if any(not box.sides.min() > PLANAR * box.sides.max() for _, box in boxes):
        return None
    # The variances of the mass, ∫x xᵀ dm / m about its centre. A direction counts if its variance is above the bound
    # for a geometry that is `ROUGH`, and by more than the digits of the tensor may be wrong.
    second = (np.trace(body.inertia) / 2.0 * np.eye(3) - body.inertia) / body.mass
    worst, over = None, 0.0
    for axes, box in boxes:
        for direction, low, high in zip(axes, box.low, box.high, strict=True):
            centre, margin, spread = direction @ body.com, ROUGH * (high - low), direction @ second @ direction
            possible = max((high - centre) * (centre - low), 0.0)
            excess = spread - max(possible, (high + margin - centre) * (centre - low + margin))
            if excess > over and spread - possible > _rounding(body.inertia, direction, principal) / body.mass:
                worst, over = (direction, float(spread), float(possible)), excess
    return worst


def _rounding(inertia: FloatArray, direction: FloatArray, principal: FloatArray) -> float:
    """Return by how much [kg·m²] rounding can change the second moment along a direction.

    For the tensor in the link's axes or in its principal ones, whichever has fewer digits: a file has one of them.
    """
    # The second moment along u is Σ (1/2 - uᵢ²) Iᵢᵢ - Σ uᵢ uⱼ Iᵢⱼ over i ≠ j: each number adds half its last unit.
    changes = []
    for basis in (np.eye(3), principal):
        tensor, u = basis @ inertia @ basis.T, np.abs(basis @ direction)
        units = np.array([_last_unit(number) for number in tensor.ravel().tolist()]).reshape(3, 3) / 2.0
        moments = np.diag(units)
        changes.append(float(np.abs(0.5 - u**2) @ moments + u @ (units - np.diag(moments)) @ u))
    return max(changes)


def _last_unit(number: float) -> float:
    """Return the unit of the last digit of a number, its second or third digit."""
    shown = Decimal(f"{number:.12g}")
    if not shown or not shown.is_finite():
        return 0.0
    first, last = shown.adjusted(), int(shown.as_tuple().exponent)
    return float(10.0 ** min(max(last, first - FEW_DIGITS[1] + 1), first - FEW_DIGITS[0] + 1))
