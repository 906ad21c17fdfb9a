# SPDX-License-Identifier: Apache-2.0
"""Checks if a file's inertial is plausible for its geometry: bounds that no body can break, and suspicious numbers.

No radius of gyration exceeds the distance from the centre of mass to the farthest point of the body. But the geometry
of a file is incomplete. By default there is a margin, and only certain faults are reported; with `strict` there is no
margin.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import log10, sqrt
from typing import Literal

import numpy as np

from ...arrays import FloatArray
from ...body.compare import difference
from ...body.inertial import Inertial
from ...errors import Finding
from ...robot.extent import Extent, SeenBody
from ...units import numbers_text
from .placement import spread, turned_sign
from .templates import padded, template
from .wrong_units import (
    HEAVIEST,
    OUTSIDE,
    SAME,
    SAME_SHAPE,
    USUAL,
    may_be_geometry,
    may_be_grams,
    shape_difference,
    sound,
    unit_fault,
)

LIGHTEST = 10.0
"""Hardly any body has a lower density [kg/m³]: foam and hollow shells."""

MARGIN = 1.5
"""A radius of gyration may exceed the geometry's bound by this factor, since geometry is simplified."""

TOO_SMALL = 100.0
"""Moments this many times below those of the uniform body are not explained by a heavy motor in a light tube."""

FITS, ALIKE = 0.3, 2.0
"""A tensor that was not computed for a body still fits it if it is this near to that of its uniform geometry: within
a share of the trace, and within a factor of the trace."""

EQUAL, ANY_FILLING = 0.01, 10.0
"""A geometry with moments this equal, such as a sphere, has them for any filling: only a larger factor distinguishes a
filler from a hollow or a heavy body."""

ON_BOX = 1e-6
"""A centre of mass this near to the geometry's box, in longest sides, is inside but for rounding."""

STAND_IN = 0.01
"""A cube or ball up to this size [m] that is too small for its mass represents a part that is not drawn."""

SLENDER, SAME_LENGTH = 2.0, 0.1
"""A body is long along an axis if it is this many times as long as along the others; lengths this close are equal."""

UNEQUAL = 4.0
"""Maximum spread of the factors by which a geometry is too small in its three directions, or its shape differs."""

WORTH_COMPARING = 0.1
"""In strict, a tensor that differs from that of the uniform collisions by this part is reported."""

UNITS = {3: "g·m²", 6: "kg·mm²", 9: "g·mm²"}
"""Powers of ten by which a tensor in another unit is too large."""


@np.errstate(all="ignore")  # absurd numbers are compared like any other, and found too large
def implausible(body: Inertial, seen: SeenBody, strict: bool = False) -> tuple[Finding, ...]:
    """Return what is doubtful about an inertial that is possible in itself.

    Parameters
    ----------
    body : Inertial
        In the link's frame, mass above 0, one that `Inertial.findings` has no error for.
    seen : SeenBody
    strict : bool
        Without margins, and with the findings that are often no fault.

    Returns
    -------
    tuple of Finding
        Warnings, in strict infos too; one for each cause.
    """
    if seen.uniform is not None:
        typical = seen.uniform.scaled_to(body.mass).inertia
        if not (np.all(np.isfinite(typical)) and np.trace(typical) > 0.0):  # absurd sizes overflow or underflow
            seen = SeenBody(seen.extent, along=seen.along)
    # A wrong unit, or geometry that stands for a part, explains whatever else is doubtful.
    fault = unit_fault(body, seen)
    if fault is not None:
        return (fault.finding,)
    if is_stand_in(seen.extent) and body.mass > HEAVIEST * seen.extent.volume:
        marker = Finding.of("info", "small_geometry", "", "stand_in", geometry=_sides(seen.extent), mass=body.mass)
        return (marker,) if strict else ()
    # What exceeds the geometry: by other axes, else by geometry that is too small for a sound body.
    density = _density(body, seen, strict)
    too_large = _too_large(body, seen.extent, strict)
    is_larger = sound(body) and _is_larger(body.equivalent_box(), seen.extent.sides)
    long_axis = _long_axis(body, seen) if too_large or is_larger else None
    if long_axis is not None:
        return (long_axis,)
    if is_larger and (too_large or (density and body.mass > HEAVIEST * seen.extent.volume)):
        sides = " x ".join(f"{side:.4g}" for side in body.equivalent_box())
        return (Finding.of("warning", "small_geometry", body=sides, geometry=_sides(seen.extent)),)
    # Else mass, centre and tensor have a finding each; that a tensor was never computed says more than its size.
    doubts = [finding for finding in (density, _centre(body, seen, strict)) if finding]
    tensor = too_large or _too_small(body, seen)
    filler = _never_computed(body, seen, tensor is not None)
    if filler is not None and not np.any(body.com):  # nor was the centre
        doubts = [finding for finding in doubts if finding.code != "com_outside"]
    tensor = filler or tensor
    if not tensor and all(finding.severity == "info" for finding in doubts):  # a wrong centre also causes a spread
        tensor = spread(body, seen)
    if tensor is not None and _is_impossible_there(tensor) and _is_isotropic(body):
        tensor = _never_computed(body, seen, True, filler=True)
    if tensor is not None:
        return (*doubts, tensor)
    return (*doubts, *(_strict(body, seen) if strict else ()))


@np.errstate(all="ignore")  # absurd sizes overflow
def doubtful(body: Inertial, seen: SeenBody) -> bool:
    """Return True if `implausible` might have a finding by default once the collisions' volume is known, too.

    A volume is at most that of the box, and costs the integration of every mesh.
    """
    extent = seen.extent
    if padded(body) or may_be_geometry(body, extent) or may_be_grams(body, extent):
        return True
    return bool(implausible(body, replace(seen, volume=extent.volume)))


def is_stand_in(extent: Extent) -> bool:
    """Return True for a small cube or ball that represents a part that is not drawn."""
    longest = extent.longest
    return longest <= STAND_IN * (1.0 + SAME) and longest - extent.sides.min() <= SAME * longest


def _is_larger(sides: FloatArray, geometry: FloatArray) -> bool:
    """Return True if a box is larger than a geometry in all directions, by factors that a change of size explains."""
    ratios = np.sort(sides) / np.maximum(np.sort(geometry), 1e-300)
    return bool(ratios.prod() > 1.0 and ratios.min() > 1.0 - SAME and ratios.max() <= UNEQUAL * ratios.min())


def _density(body: Inertial, seen: SeenBody, strict: bool) -> Finding | None:
    # Too dense for the box, in strict for the collisions; or too light for the collisions.
    box = seen.extent.volume
    filled = seen.volume if strict and seen.volume else box
    density, of_box = 0.0, False
    if filled > 0.0 and body.mass / filled > HEAVIEST:
        density, of_box = body.mass / filled, filled != seen.volume
    elif seen.volume and body.mass / seen.volume < LIGHTEST and not sound(body):  # otherwise they are simplified
        density = body.mass / seen.volume
    if not density:
        return None
    values = {"mass": body.mass, "density": density, "least": LIGHTEST, "most": HEAVIEST}
    # The mass is in g if a thousandth of it is usual for a volume between that of the collisions and of the box.
    smallest = min(box, seen.volume or box) if body.mass > HEAVIEST * box else box
    if density > HEAVIEST and USUAL[0] * smallest <= body.mass / 1000.0 <= USUAL[1] * box:
        return Finding.of("warning", "unit_suspicion", "", "grams_in_box" if of_box else "grams", **values)
    return Finding.of("warning", "implied_density", "", "box" if of_box else "", **values)


def _centre(body: Inertial, seen: SeenBody, strict: bool) -> Finding | None:
    longest = seen.extent.longest
    # How far the centre is outside as `report` reads the geometry, and as readers that rotate meshes with y up.
    outside, rotated = (box.distance(body.com) for box in seen.readings or (seen.extent, seen.extent))
    values = {"com": numbers_text(body.com), "outside": outside, "rotated": None if rotated == outside else rotated}
    if min(outside, rotated) <= ON_BOX * longest:
        form = "inside" if outside < rotated else "rotated"
        is_ambiguous = strict and max(outside, rotated) > ON_BOX * longest
        return Finding.of("info", "com_outside", "", form, **values) if is_ambiguous else None
    if not strict and outside <= OUTSIDE * longest:
        return None
    if seen.extent.distance(body.com / 1000.0) == 0.0 and outside > 10.0 * longest:
        return Finding.of("warning", "unit_suspicion", "", "com", **values)
    turned = turned_sign(body, seen)
    if turned is not None:
        axes = " and ".join(name for name, a, b in zip("xyz", body.com, turned, strict=True) if a != b)
        return Finding.of("warning", "com_outside", "", "sign", **values, axes=axes, centre=numbers_text(turned))
    return Finding.of("warning", "com_outside", "", "" if np.any(body.com) else "default", **values)


def _too_large(body: Inertial, extent: Extent, strict: bool) -> Finding | None:
    # A moment about an axis is the mass times the mean squares of the distances along the two others. `bounds` are the
    # largest of these squares, at most the farthest point's.
    bounds = extent.largest_spread(body.com) if strict else extent.reach(body.com) ** 2
    allowed = np.maximum(bounds.sum() - bounds, 0.0) * (1.0 + 1e-9 if strict else MARGIN**2)
    squared_radii = np.diag(body.inertia) / body.mass
    over = np.flatnonzero(squared_radii > allowed)
    if not len(over):
        return None
    worst = int(over[np.argmax(squared_radii[over] / np.maximum(allowed[over], 1e-300))])
    values = {"axis": "xyz"[worst], "radius": sqrt(squared_radii[worst]), "box": _sides(extent)}
    values["limit"] = sqrt(max(bounds.sum() - bounds[worst], 0.0))
    unit = _power_of_thousand(body, extent.filled(body.mass), 1)
    if unit is None:
        other = _mass_of_tensor(body, extent)
        form = "" if other is None else "mass"
        values |= {} if other is None else {"other": other, "density": other / extent.volume}
        return Finding.of("warning", "radius_of_gyration", "", form, **values)
    return Finding.of("warning", "unit_suspicion", "", "large_tensor", **values, power=unit, slip=UNITS[unit])


def _is_impossible_there(finding: Finding) -> bool:
    """Return True if no body in the geometry has the tensor, wherever its centre of mass is."""
    return finding.code in ("radius_of_gyration", "impossible_spread") and finding.sentence.form != "centre"


def _is_isotropic(body: Inertial) -> bool:
    """Return True if the tensor is a number times the identity, as a filler is; a computed one is rounded otherwise."""
    return np.array_equal(body.inertia, float(body.inertia[0, 0]) * np.eye(3))


def _mass_of_tensor(body: Inertial, extent: Extent) -> float | None:
    """Return the mass [kg] that the tensor fits, if a body of it has a usual density, and the given mass has not."""
    typical = extent.filled(body.mass)
    expected = float(np.trace(typical.inertia))
    if not (extent.volume > 0.0 and expected > 0.0):
        return None
    other = body.mass * float(np.trace(body.inertia)) / expected
    is_unusual = body.mass < USUAL[0] * extent.volume
    fits = USUAL[0] <= other / extent.volume <= USUAL[1] and shape_difference(body, typical) < SAME_SHAPE
    return other if is_unusual and fits else None


def _long_axis(body: Inertial, seen: SeenBody) -> Finding | None:
    """Return the finding for a body that is as long as its geometry, but along another axis."""
    moments = np.diag(body.inertia)
    if np.abs(body.inertia - np.diag(moments)).max() > SAME * moments.sum():  # it is long along no axis of the link
        return None
    # The sides of the box with these moments: ∫x² dm, half the trace less Ixx, is m side² / 12.
    body_sides = np.sqrt(6.0 * np.maximum(moments.sum() - 2.0 * moments, 0.0) / body.mass)
    sides = seen.extent.sides
    a, b = int(np.argmax(body_sides)), int(np.argmax(sides))
    if a == b or abs(body_sides[a] / sides[b] - 1.0) > SAME_LENGTH:
        return None
    if any(np.sort(lengths)[1] * SLENDER > lengths.max() for lengths in (body_sides, sides)):
        return None
    typical = np.diag(seen.typical.scaled_to(body.mass).inertia)
    return Finding.of("warning", "tensor_axes", "", "long", own="xyz"[a], axis="xyz"[b], moments=numbers_text(typical))


def _too_small(body: Inertial, seen: SeenBody) -> Finding | None:
    # The smaller of both tensors: that of collisions which are only contact points is too large.
    solids = [seen.extent.filled(1.0), *([] if seen.uniform is None else [seen.uniform])]
    typical = min((solid.scaled_to(body.mass) for solid in solids), key=lambda solid: float(np.trace(solid.inertia)))
    trace, expected = float(np.trace(body.inertia)), float(np.trace(typical.inertia))
    if trace * TOO_SMALL >= expected:
        return None
    unit = None if sound(body) else _power_of_thousand(body, typical, -1)
    if unit is None:
        return Finding.of("warning", "small_tensor", ratio=trace / expected)
    return Finding.of("warning", "unit_suspicion", "", "small_tensor", ratio=trace / expected, power=unit)


def fits(body: Inertial, uniform: Inertial) -> bool:
    """Return True if a tensor is about that of a uniform body, of any mass, in the same geometry."""
    typical = uniform.scaled_to(body.mass)
    trace = float(np.trace(typical.inertia))
    times = float(np.trace(body.inertia)) / trace
    # With equal moments only the size of the tensor can be compared, so its factor may be larger.
    moments = np.linalg.eigvalsh(typical.inertia)
    limit = ALIKE
    if moments[2] - moments[0] <= EQUAL * trace:
        limit, typical = ANY_FILLING, Inertial(body.mass, typical.com, typical.inertia * times)
    return 1.0 / limit <= times <= limit and difference(typical, body, typical).inertia <= FITS


def _never_computed(body: Inertial, seen: SeenBody, out_of_bounds: bool, filler: bool = False) -> Finding | None:
    """Return the finding for the default numbers of an editor or a tutorial, if they do not fit the geometry.

    A `filler` is known to be one: its moments are equal, and impossible in the geometry.
    """
    copied = template(body)
    if copied is None and not (filler or padded(body)):
        return None
    if not out_of_bounds and (seen.uniform is None or fits(body, seen.uniform)):
        return None
    typical = seen.typical.scaled_to(body.mass)
    form = "" if seen.uniform is not None else "box"
    values = {"mass": body.mass, "moments": numbers_text(np.diag(typical.inertia))}
    if copied is None:
        return Finding.of("warning", "padded_diagonal", "", form, moment=body.inertia[0, 0], **values)
    return Finding.of("warning", "template_tensor", "", form, template=copied, **values)


def _strict(body: Inertial, seen: SeenBody) -> Iterator[Finding]:
    """Yield what is often not a fault: a uniform body is a guess."""
    typical = seen.typical.scaled_to(body.mass)
    copied = template(body)
    if copied is not None:
        yield Finding.of("info", "template_tensor", "", "alone", template=copied)
    moments = np.linalg.eigvalsh(typical.inertia)
    if padded(body) and moments[2] > MARGIN * moments[0]:
        values = {"moment": body.inertia[0, 0], "moments": numbers_text(moments)}
        yield Finding.of("info", "padded_diagonal", "", "strict", **values)
    # Compare with the uniform collisions; the tensor may be that of the box around them instead.
    longest = seen.extent.longest
    if seen.uniform is None or not longest:  # a single point: nothing to compare with
        return
    tensor = difference(body, typical, typical).inertia
    box = seen.extent.filled(body.mass)
    if difference(body, box, box).inertia < 1e-2 < tensor:
        yield Finding.of("info", "bounding_box_tensor")
    centre = float(np.linalg.norm(body.com - typical.com)) / longest
    if max(tensor, centre) > WORTH_COMPARING:
        principal = np.linalg.eigvalsh(body.inertia)
        values = {"com": numbers_text(typical.com), "moments": numbers_text(moments)}
        published = {"own_com": numbers_text(body.com), "own_moments": numbers_text(principal)}
        yield Finding.of("info", "differs_from_collisions", **values, **published)


def _power_of_thousand(body: Inertial, typical: Inertial, sign: Literal[1, -1]) -> int | None:
    """Return the power of ten of a unit by which a tensor is too large or small; None if its shape differs."""
    trace, expected = float(np.trace(body.inertia)), float(np.trace(typical.inertia))
    if padded(body) or not (trace > 0.0 and expected > 0.0) or shape_difference(body, typical) >= SAME_SHAPE:
        return None
    exponent = sign * (log10(trace) - log10(expected))  # the quotient itself may underflow or overflow
    return next((power for power in UNITS if abs(exponent - power) < 0.5), None)


def _sides(extent: Extent) -> str:
    return " x ".join(f"{side:.4g}" for side in extent.sides)
