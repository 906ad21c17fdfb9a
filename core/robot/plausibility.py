# SPDX-License-Identifier: GPL-3.0-or-later
"""Is a published inertial plausible for its geometry? Bounds that no body can break, and suspicious numbers.

No radius of gyration exceeds the distance from the centre of mass to the farthest point of the body. But the geometry
of a file is not the whole truth. By default there is a margin, and only what is certain is reported; with `strict`
there is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import log10, sqrt
from typing import Literal

import numpy as np

from ..arrays import FloatArray
from ..body.compare import difference
from ..body.inertial import Inertial
from ..body.templates import padded, template
from ..errors import Finding, Severity
from ..units import numbers_text
from .extent import Extent, SeenBody
from .mistakes.signs import turned_sign
from .mistakes.spread import spread
from .mistakes.units import (
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
"""Hardly a body has a lower density [kg/m³]: foam and hollow shells."""

MARGIN = 1.5
"""A radius of gyration may exceed what the geometry allows by this factor, for geometry is simplified."""

TOO_SMALL = 100.0
"""Moments this many times below those of the uniform body have no such cause as a heavy motor in a light tube."""

FITS, ALIKE = 0.3, 2.0
"""A tensor that was not computed for a body still fits it if it is this near to that of its uniform geometry: within
a share of the trace, and within a factor of the trace."""

EQUAL, HOLLOW = 0.01, 10.0
"""A geometry with moments this equal, such as a sphere's, has them however it is filled: only a factor above this
tells a filler from a hollow or a heavy one."""

STAND_IN = 0.01
"""A cube or ball up to this size [m] that is too small for its mass stands for a part that nobody has drawn."""

UNEQUAL = 4.0
"""Factors by which a geometry is too small in its three directions differ by at most this, or it is another shape."""

WORTH_COMPARING = 0.1
"""In strict, a tensor that differs from that of the uniform collisions by this part is told."""

UNITS = {3: "it were in g·m²", 6: "it were in kg·mm²", 9: "it were in g·mm²"}
"""Powers of ten by which a tensor in another unit is too large."""


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
    if seen.extent is None:
        return ()
    with np.errstate(all="ignore"):  # an absurd number is compared like any other, and found too large
        if seen.uniform is not None and not _comparable(seen.uniform.scaled_to(body.mass)):
            seen = SeenBody(seen.extent, along=seen.along)
        return _implausible(body, seen, strict)


def _comparable(uniform: Inertial) -> bool:
    """Say whether a tensor is one: of absurd sizes, nothing but zero or infinity is left."""
    return bool(np.all(np.isfinite(uniform.inertia))) and float(np.trace(uniform.inertia)) > 0.0


@np.errstate(all="ignore")  # as above
def doubtful(body: Inertial, seen: SeenBody) -> bool:
    """Return True if `implausible` might have a finding by default once the collisions' volume is known, too.

    A volume is at most that of the box, and costs the integration of every mesh.
    """
    extent = seen.extent
    if extent is None:
        return True
    if padded(body) or may_be_geometry(body, extent) or may_be_grams(body, extent):
        return True
    return bool(implausible(body, replace(seen, volume=_box_volume(extent))))


def _implausible(body: Inertial, seen: SeenBody, strict: bool) -> tuple[Finding, ...]:
    assert seen.extent is not None
    fault = unit_fault(body, seen)
    if fault is not None:
        code = "geometry_unit" if fault.what == "geometry" else "inertial_unit"
        return (_finding("error", code, fault.message, fault.remedy),)
    if is_stand_in(seen.extent) and body.mass > HEAVIEST * _box_volume(seen.extent):
        message = f"its geometry of {_sides(seen.extent)} m is too small for its {body.mass:.4g} kg"
        marker = _finding("info", "small_geometry", f"{message}: it stands for a part that is not drawn", "")
        return (marker,) if strict else ()
    density = _density(body, seen, strict)
    large = _too_large(body, seen.extent, strict)
    larger = sound(body) and _is_larger(body.equivalent_box(), seen.extent.sides)
    if larger and (large or (density and body.mass > HEAVIEST * _box_volume(seen.extent))):
        return (_small_geometry(body, seen.extent),)
    found = [finding for finding in (density, _centre(body, seen, strict)) if finding]
    tensor = large or _too_small(body, seen)
    filler = _never_computed(body, seen, tensor is not None)
    if filler is not None and not np.any(body.com):  # nor was the centre
        found = [finding for finding in found if finding.code != "com_outside"]
    tensor = filler or tensor
    if not (found or tensor):  # a spread follows from a wrong centre, too
        tensor = spread(body, seen)
    if tensor is not None:
        return (*found, tensor)
    return (*found, *(_strict(body, seen) if strict else ()))


def is_stand_in(extent: Extent) -> bool:
    """Return True for a small cube or ball, which stands for a part that is not drawn."""
    longest = float(extent.sides.max())
    return longest <= STAND_IN * (1.0 + SAME) and longest - extent.sides.min() <= SAME * longest


def _is_larger(sides: FloatArray, geometry: FloatArray) -> bool:
    """Return True if a box is larger than a geometry in all directions, by factors that a change of size explains."""
    ratios = np.sort(sides) / np.maximum(np.sort(geometry), 1e-300)
    return bool(ratios.prod() > 1.0 and ratios.min() > 1.0 - SAME and ratios.max() <= UNEQUAL * ratios.min())


def _small_geometry(body: Inertial, extent: Extent) -> Finding:
    sides = " x ".join(f"{side:.4g}" for side in body.equivalent_box())
    message = f"mass and tensor fit a body of {sides} m, but its geometry is {_sides(extent)} m"
    return _finding("warning", "small_geometry", message, "check the scale of the geometry, or whether it is complete")


def _density(body: Inertial, seen: SeenBody, strict: bool) -> Finding | None:
    assert seen.extent is not None
    box = _box_volume(seen.extent)
    small = seen.volume if strict and seen.volume else box
    density, what = 0.0, ""
    if small > 0.0 and body.mass / small > HEAVIEST:
        density, what = body.mass / small, "its collisions" if small == seen.volume else "the box around its geometry"
    elif seen.volume and body.mass / seen.volume < LIGHTEST and not sound(body):  # else they are simplified
        density, what = body.mass / seen.volume, "its collisions"
    if not density:
        return None
    message = f"{body.mass:.4g} kg in {what} is {density:.4g} kg/m³, outside of {LIGHTEST:g} to {HEAVIEST:g}"
    least = min(box, seen.volume or box) if body.mass > HEAVIEST * box else box
    if density > HEAVIEST and USUAL[0] * least <= body.mass / 1000.0 <= USUAL[1] * box:
        return _finding("warning", "unit_suspicion", f"{message} (g read as kg?)", "give the mass in kg")
    return _finding("warning", "implied_density", message, "weigh it, or correct the mass or the geometry")


def _centre(body: Inertial, seen: SeenBody, strict: bool) -> Finding | None:
    assert seen.extent is not None
    longest = float(seen.extent.sides.max())
    outside = seen.extent.distance(body.com)
    if outside <= (1e-6 if strict else OUTSIDE) * longest:
        return None
    message = (
        f"the centre of mass ({numbers_text(body.com)}) m lies {outside:.4g} m outside of the box around its geometry"
    )
    if seen.extent.distance(body.com / 1000.0) == 0.0 and outside > 10.0 * longest:
        message += " (mm read as m?)"
        return _finding("warning", "unit_suspicion", message, "give the inertial's pose in metres")
    turned = turned_sign(body, seen)
    if turned is not None:
        axes = " and ".join(name for name, a, b in zip("xyz", body.com, turned, strict=True) if a != b)
        message += f"; the sign of {axes} is flipped: ({numbers_text(turned)}) m is the centre of its geometry"
        return _finding("warning", "com_outside", message, f"change the sign of {axes}")
    remedy = "give it in the link's frame, or if the geometry is complete, compute it from the geometry"
    if not np.any(body.com):
        message += "; zero is the default of files and editors"
        remedy = _COMPUTE
    return _finding("warning", "com_outside", message, remedy)


def _too_large(body: Inertial, extent: Extent, strict: bool) -> Finding | None:
    bounds = extent.largest_spread(body.com) if strict else extent.reach(body.com) ** 2
    allowed = np.maximum(bounds.sum() - bounds, 0.0) * (1.0 + 1e-9 if strict else MARGIN**2)
    own = np.diag(body.inertia) / body.mass
    over = np.flatnonzero(own > allowed)
    if not len(over):
        return None
    worst = int(over[np.argmax(own[over] / np.maximum(allowed[over], 1e-300))])
    message = (
        f"the radius of gyration about {'xyz'[worst]} is {sqrt(own[worst]):.4g} m; the box of"
        f" {_sides(extent)} m around its geometry allows at most {sqrt(max(bounds.sum() - bounds[worst], 0.0)):.4g} m"
    )
    unit = _power_of_thousand(body, extent.filled(body.mass), 1)
    if unit is not None:
        message += f"; the tensor is about 1e{unit} times that of such a body: as if {UNITS[unit]}"
        return _finding("warning", "unit_suspicion", message, "give the tensor in kg·m²")
    return _finding("warning", "radius_of_gyration", message, _MEASURE)


def _too_small(body: Inertial, seen: SeenBody) -> Finding | None:
    assert seen.extent is not None
    solids = [seen.extent.filled(1.0), *([] if seen.uniform is None else [seen.uniform])]
    typical = min((one.scaled_to(body.mass) for one in solids), key=lambda one: float(np.trace(one.inertia)))
    own, expected = float(np.trace(body.inertia)), float(np.trace(typical.inertia))
    if own * TOO_SMALL >= expected:
        return None
    message = f"its moments are {own / expected:.2g} times those of a uniform body in its geometry"
    unit = None if sound(body) else _power_of_thousand(body, typical, -1)
    if unit is not None:
        message += f": about 1e-{unit}, as if it was converted twice"
        return _finding("warning", "unit_suspicion", message, "give the tensor in kg·m²")
    return _finding("warning", "small_tensor", message, _MEASURE)


def fits(body: Inertial, uniform: Inertial) -> bool:
    """Return True if a tensor is about that of a uniform body, of any mass, in the same geometry."""
    typical = uniform.scaled_to(body.mass)
    trace = float(np.trace(typical.inertia))
    times = float(np.trace(body.inertia)) / trace
    moments = np.linalg.eigvalsh(typical.inertia)
    limit = ALIKE
    if moments[2] - moments[0] <= EQUAL * trace:
        limit, typical = HOLLOW, Inertial(body.mass, typical.com, typical.inertia * times)
    return 1.0 / limit <= times <= limit and difference(typical, body, typical).inertia <= FITS


def _never_computed(body: Inertial, seen: SeenBody, out_of_bounds: bool) -> Finding | None:
    """Return the finding for the default numbers of an editor or a tutorial, if they do not fit the geometry."""
    assert seen.extent is not None
    copied = template(body)
    if copied is None and not padded(body):
        return None
    if not out_of_bounds and (seen.uniform is None or fits(body, seen.uniform)):
        return None
    typical = (seen.uniform or seen.extent.filled(1.0)).scaled_to(body.mass)
    numbers = f"mass and moments equal {copied}"
    if copied is None:
        numbers = f"all three moments are {body.inertia[0, 0]:.4g} kg·m²"
    shape = "a uniform body of its shape" if seen.uniform is not None else "a solid box around its geometry"
    message = f"{numbers}; {shape} and {body.mass:.4g} kg has {numbers_text(np.diag(typical.inertia))}"
    return _finding("warning", "template_tensor" if copied else "padded_diagonal", message, _COMPUTE)


def _strict(body: Inertial, seen: SeenBody) -> Iterator[Finding]:
    """Yield what is often no fault: a uniform body is a guess."""
    assert seen.extent is not None
    typical = seen.uniform or seen.extent.filled(body.mass)
    typical = typical.scaled_to(body.mass)
    copied = template(body)
    if copied is not None:
        yield _finding("info", "template_tensor", f"mass and moments equal {copied}", _COMPUTE)
    moments = np.linalg.eigvalsh(typical.inertia)
    if padded(body) and moments[2] > MARGIN * moments[0]:
        message = f"all three moments are {body.inertia[0, 0]:.4g} kg·m²"
        message += f"; a uniform body of this shape has {numbers_text(moments)}"
        yield _finding("info", "padded_diagonal", message, _COMPUTE)
    longest = float(seen.extent.sides.max())
    if seen.uniform is None or not longest:  # a point as a number: nothing to compare with
        return
    tensor = difference(body, typical, typical).inertia
    box = seen.extent.filled(body.mass)
    if difference(body, box, box).inertia < 1e-2 < tensor:
        message = "the tensor is that of a solid box around its geometry, not of the geometry itself"
        yield _finding("info", "bounding_box_tensor", message, _COMPUTE)
    centre = float(np.linalg.norm(body.com - typical.com)) / longest
    if max(tensor, centre) > WORTH_COMPARING:
        own = np.linalg.eigvalsh(body.inertia)
        message = (
            f"its collisions, uniform, would have the centre of mass ({numbers_text(typical.com)}) m and principal"
            f" moments {numbers_text(moments)} kg·m²; the file has ({numbers_text(body.com)}) and {numbers_text(own)}"
        )
        yield _finding("info", "differs_from_collisions", message, "no fault where the body is not uniform")


_COMPUTE = "compute it from the geometry"
_MEASURE = "measure it, or compute it from the geometry"


def _finding(severity: Severity, code: str, message: str, remedy: str) -> Finding:
    return Finding(severity, code, "", message, remedy)


def _power_of_thousand(body: Inertial, typical: Inertial, sign: Literal[1, -1]) -> int | None:
    """Return the power of ten of a unit by which a tensor is too large, or too small; None if it has another shape."""
    trace, expected = float(np.trace(body.inertia)), float(np.trace(typical.inertia))
    if padded(body) or not (trace > 0.0 and expected > 0.0) or shape_difference(body, typical) >= SAME_SHAPE:
        return None
    exponent = sign * (log10(trace) - log10(expected))  # their quotient may be 0, or too large for a number
    return next((power for power in UNITS if abs(exponent - power) < 0.5), None)


def _box_volume(extent: Extent) -> float:
    return float(np.prod(extent.sides))


def _sides(extent: Extent) -> str:
    return " x ".join(f"{side:.4g}" for side in extent.sides)
