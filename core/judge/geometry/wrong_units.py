# SPDX-License-Identifier: Apache-2.0
"""Wrong units: a geometry in mm, cm or inches, a mass in g, a centre in mm, a tensor in g·m² and the like.

Each factor is tried. It is accepted if density, radius of gyration and centre fit with it, and the numbers of the file
are impossible or nearly so. Several independent numbers then agree, which no shell or core of lead can imitate.
"""

from __future__ import annotations

from math import inf, isclose, log, sqrt
from typing import NamedTuple

import numpy as np

from ...arrays import FloatArray
from ...body.inertial import Inertial
from ...errors import Finding
from ...robot.extent import Extent, SeenBody
from .templates import padded, template

LENGTHS = {0.001: "mm", 0.01: "cm", 0.0254: "inches"}
"""Metres per unit of a geometry that was read as metres."""

BY_CENTIMETRES = {1e-4: "kg·cm²", 1e-7: "g·cm²"}
"""kg·m² per unit of a tensor that is only ten times another one: it must give the uniform body's tensor."""

TENSORS = {1e-3: "g·m²", 1e-6: "kg·mm²", 1e-9: "g·mm²"} | BY_CENTIMETRES
"""kg·m² per unit of a tensor."""

USUAL = (100.0, 20_000.0)
"""Densities [kg/m³] of nearly all robot parts. One that becomes usual in another unit indicates that unit."""

HOLLOW = 20.0
"""Density [kg/m³] down to which a closed shell is likely, if the tensor fits too."""

HEAVIEST = 25_000.0
"""No body is denser [kg/m³]; osmium has 22,590."""

THINNEST = USUAL[1] * max(LENGTHS) ** 3
"""Lowest density [kg/m³] above which no factor of `LENGTHS` gives a usual one: 0.33, air has 1.2."""

GRAMS = 50.0
"""Lowest density [kg/m³] of a mass that is surely in g: read in kg, it is twice that of osmium."""

FILLED = 0.2
"""Collisions that fill a smaller share of their box may be contact points, whose volume is not that of the body."""

DENSE = 12_000.0
"""Highest mean density [kg/m³] of a part; lead has 11,340. If the tensor agrees in all digits, `USUAL` applies."""

VACUUM = 0.05
"""Lowest possible density [kg/m³], less than even an airship whose own tensor fits its geometry."""

WIDEST = 1.30
"""Radius of gyration over that of the uniform solid: a thin shell has at most the root of 5/3, which is 1.29."""

NARROWEST = 0.2
"""The same for a heavy motor in a light and wide cover."""

RIVAL = 0.9
"""Two factors explain a body equally well up to this difference of the logarithms of their radii of gyration: cm and
inches are 0.93 apart, less if one would need a shell and the other a core."""

SAME_SHAPE = 0.1
"""Tensors whose components differ by less than this share of their traces belong to bodies of similar proportions."""

SAME = 0.02
"""Radii of gyration, and tensors in units of their traces, that differ less are equal but for rounding."""

OUTSIDE = 0.1
"""A centre of mass may be outside the geometry's box by this share of its longest side."""

LANDED = 0.03
"""A centre is that of the geometry if it is this near to it, in longest sides."""

CLEAR = 0.1
"""A centre this far from the link's origin, in longest sides, is not that of the geometry just by being small."""

LONG = 10.0
"""If only the density shows a wrong unit, trust a round mass if the geometry is this long [m]."""


TINY = float(np.finfo(np.float64).tiny)
"""Divides instead of a zero."""


class UnitFault(NamedTuple):
    """A wrong unit: the finding ``geometry_unit`` or ``inertial_unit``, and the inertial in SI units.

    If the geometry is wrong, there is no better inertial than the file's, and `right` is None.
    """

    finding: Finding
    right: Inertial | None = None


@np.errstate(all="ignore")  # absurd numbers overflow, and fit nothing
def unit_fault(body: Inertial, seen: SeenBody) -> UnitFault | None:
    """Return which unit is wrong, if that is certain; `body` is in the link's frame, its mass above 0."""
    if template(body) is not None:  # the mass of a template was not chosen for this link
        return None
    if not 0.0 < seen.solid_volume < inf:
        return None
    return _geometry(body, seen) or _inertial(body, seen)


def may_be_geometry(body: Inertial, extent: Extent) -> bool:
    """Return True unless the box rules out a wrong unit of the geometry: no volume is larger."""
    return body.mass < THINNEST * extent.volume


def may_be_grams(body: Inertial, extent: Extent) -> bool:
    """Return True unless the box rules out a mass in g: no counted volume is a smaller share of it than `FILLED`."""
    return body.mass > HEAVIEST * FILLED * extent.volume


def _geometry(body: Inertial, seen: SeenBody) -> UnitFault | None:
    density = body.mass / seen.solid_volume
    if not density < THINNEST:
        return None
    # First the unit in which mass, tensor and centre fit. If none does, the tensor may be computed from the geometry at
    # the wrong scale, or say nothing: then only the density shows the unit, if the mass is more than a guess.
    fitting = _fitting(body, seen)
    computed = False
    if not fitting:
        computed = _computed_from(body, seen) and density < VACUUM
        says_nothing = padded(body) or not float(np.trace(body.inertia)) > 0.0
        trusted = not _is_round(body.mass) or (not computed and seen.extent.longest >= LONG)
        if trusted and (computed or says_nothing):
            original = seen if computed else None
            fitting = [factor for factor in LENGTHS if _is_dense(body, seen.in_unit(factor), original)]
    if not fitting:
        return None
    return _of_geometry(body, seen, fitting, computed)


def unit_of_lengths(body: Inertial, seen: SeenBody) -> float | None:
    """Return the unit [m] of the geometry and the centre of mass if both are in it, and mass and tensor fit then."""
    if not 0.0 < seen.solid_volume < inf or not body.mass < THINNEST * seen.solid_volume:
        return None
    for factor in LENGTHS:
        if factor in _fitting(Inertial(body.mass, body.com * factor, body.inertia), seen):
            return factor
    return None


def _fitting(body: Inertial, seen: SeenBody) -> list[float]:
    """Return the factors for which density, radius of gyration and centre are those of a body in the geometry.

    Only the best one, unless the tensor's proportions make another one equally likely.
    """
    fitting = []
    for factor in LENGTHS if not padded(body) else ():
        # Size and proportions of the tensor, as ratios to those of the uniform body in the scaled geometry.
        scaled = seen.in_unit(factor)
        typical, density = scaled.typical, body.mass / max(scaled.solid_volume, TINY)
        radius, shape = _gyration(body) / max(_gyration(typical), TINY), shape_difference(body, typical)
        densest = USUAL[1] if abs(radius - 1.0) < SAME and shape < SAME else DENSE
        if NARROWEST < radius <= WIDEST and HOLLOW <= density <= densest and _holds(scaled.extent, body.com):
            fitting.append((abs(log(radius)) + shape, shape, factor))
    if not fitting:
        return []
    # The lowest score is the best. If even its proportions differ, units whose scores are near it may be meant, too.
    best, shape, factor = min(fitting)
    if shape <= SAME_SHAPE:
        return [factor]
    return [other for score, _, other in fitting if score <= best + RIVAL]


def _is_dense(body: Inertial, scaled: SeenBody, original: SeenBody | None) -> bool:
    """Return True if the density is usual; the centre may have been computed at the wrong scale, too."""
    extents = [seen.extent for seen in (scaled, original) if seen is not None]
    volume = scaled.solid_volume
    usual = USUAL[0] * volume <= body.mass <= USUAL[1] * volume
    return usual and any(_holds(extent, body.com) for extent in extents)


def _computed_from(body: Inertial, seen: SeenBody) -> bool:
    """Return True if the tensor is that of the geometry at the scale of the file."""
    typical = seen.typical
    if isclose(typical.mass, body.mass, rel_tol=1e-9):  # a density was given, and it is wrong
        return False
    radius, solid = _gyration(body), _gyration(typical)
    return abs(radius - solid) < SAME * solid and shape_difference(body, typical) < SAME_SHAPE


def _of_geometry(body: Inertial, seen: SeenBody, fitting: list[float], computed: bool) -> UnitFault:
    longest = seen.extent.longest
    values: dict[str, float | str] = {"longest": longest, "density": body.mass / seen.solid_volume}
    values["units"] = " or ".join(LENGTHS[factor] for factor in fitting)
    factor = fitting[0] if len(fitting) == 1 else None
    if factor is None:
        return UnitFault(Finding.of("error", "geometry_unit", **values))
    scaled = seen.in_unit(factor)
    values |= {"length": scaled.extent.longest, "scaled": body.mass / scaled.solid_volume, "factor": factor}
    form, of_computed = ("sizes", "sizes_computed") if seen.scaled is None else ("mesh", "mesh_computed")
    form = of_computed if computed else form
    return UnitFault(Finding.of("error", "geometry_unit", "", form, **values))


def _inertial(body: Inertial, seen: SeenBody) -> UnitFault | None:
    if sound(body) and seen.extent.distance(body.com) <= seen.extent.longest:
        return None
    # Factors to SI, 1 for a number that is right: of the mass, then with it of the centre, then of the tensor. Only one
    # unit of the tensor may fit.
    mass = _mass_factor(body, seen)
    com = None if mass is None else _com_factor(body, seen, mass)
    if mass is None or com is None:
        return None
    tensors = TENSORS if mass == com == 1.0 else (1.0, *TENSORS)  # something is wrong
    fitting = [tensor for tensor in tensors if _tensor_fits(body, seen, mass, com, tensor)]
    if mass == 1.0 and com != 1.0 and not fitting:
        fitting = [1.0]  # only the centre is certain
    if len(fitting) != 1:
        return None
    tensor = fitting[0]
    right = Inertial(body.mass * mass, body.com * com, body.inertia * tensor)
    rows = (
        ("the mass", mass, "g", "kg", f"{body.mass:.4g}", f"{right.mass:.4g}"),
        ("the centre of mass", com, "mm", "m", _vector(body.com), _vector(right.com)),
        ("the tensor", tensor, TENSORS.get(tensor), "kg·m²", _moments(body), _moments(right)),
    )
    wrong = [row for row in rows if row[1] != 1.0]
    quantities = "; ".join(
        f"{name} is {given} {si}, but {fits} fits (given in {unit}?)" for name, _, unit, si, given, fits in wrong
    )
    better = " and ".join(f"{name} in {si}" for name, _, _, si, *_ in wrong)
    return UnitFault(Finding.of("error", "inertial_unit", quantities=quantities, better=better), right)


def _mass_factor(body: Inertial, seen: SeenBody) -> float | None:
    """Return 0.001 if no material is so dense: in the box, or in collisions that are more than contact points."""
    box, volume, grams = seen.extent.volume, seen.solid_volume, body.mass / 1000.0
    if body.mass <= HEAVIEST * min(box, max(volume, FILLED * box)):
        return 1.0
    return 1e-3 if GRAMS * volume <= grams <= USUAL[1] * volume else None


def _com_factor(body: Inertial, seen: SeenBody, mass: float) -> float | None:
    """Return 0.001 if that moves the centre to the geometry's, or into its box if the mass is in g too."""
    longest, typical = seen.extent.longest, seen.typical
    if seen.extent.distance(body.com) <= longest:
        return 1.0
    if mass != 1.0 and seen.extent.distance(body.com / 1000.0) == 0.0:
        return 1e-3
    # From mm to the geometry's own centre, which must be clear of the origin: any centre / 1000 is near that.
    lands = float(np.linalg.norm(body.com / 1000.0 - typical.com)) <= LANDED * longest
    return 1e-3 if lands and float(np.linalg.norm(typical.com)) >= CLEAR * longest else None


def _tensor_fits(body: Inertial, seen: SeenBody, mass: float, com: float, tensor: float) -> bool:
    if mass == 1.0 and not _exceeds(body, seen.extent):
        return tensor == 1.0  # only the centre
    # `share` is the corrected tensor's size relative to the uniform body of the corrected mass.
    typical = seen.typical.scaled_to(body.mass * mass)
    share = tensor * float(np.trace(body.inertia)) / max(float(np.trace(typical.inertia)), TINY)
    if padded(body) or not shape_difference(body, typical) < SAME_SHAPE:
        return False
    meant = body.mass * share / tensor / seen.solid_volume  # the density for which the tensor is right as it is
    rival = mass == com == 1.0 and USUAL[0] <= meant <= USUAL[1]  # then the mass may be the wrong number, instead
    if tensor in BY_CENTIMETRES and shape_difference(body, typical) >= SAME:
        return False
    if rival or tensor in BY_CENTIMETRES or shape_difference(typical, BALL) < SAME_SHAPE:  # fillers are equal, too
        return abs(share - 1.0) < SAME
    return NARROWEST**2 < share < WIDEST**2 * (1.0 + SAME)


BALL = Inertial(1.0, np.zeros(3), np.eye(3))
"""A body with three equal moments."""


def _exceeds(body: Inertial, extent: Extent) -> bool:
    """Return True if a moment of the tensor is larger than for any distribution of the mass in the box."""
    # The largest variance along an axis is half the side, squared: half the mass at each end.
    squares = extent.reach(extent.centre) ** 2
    return bool(np.any(np.diag(body.inertia) / body.mass > squares.sum() - squares))


def sound(body: Inertial) -> bool:
    """Return True if mass and tensor are consistent: a box with the body's moments has a usual density.

    With a wrong unit it is not: a tensor a thousand times too large makes that box 30,000 times lighter.
    """
    volume = float(np.prod(body.equivalent_box()))
    return volume > 0.0 and USUAL[0] <= body.mass / volume <= USUAL[1]


def _holds(extent: Extent, com: FloatArray) -> bool:
    return extent.distance(com) <= OUTSIDE * extent.longest


def _gyration(body: Inertial) -> float:
    return sqrt(max(float(np.trace(body.inertia)), 0.0) / body.mass)


def shape_difference(a: Inertial, b: Inertial) -> float:
    """Return how different the proportions of two tensors are: the largest component, in units of their traces.

    A tensor of zeros has no proportions: it differs by infinity.
    """
    traces = [float(np.trace(body.inertia)) for body in (a, b)]
    if 0.0 in traces:
        return inf
    return float(np.abs(a.inertia / traces[0] - b.inertia / traces[1]).max())


def _is_round(mass: float) -> bool:
    """Return True if a mass has one digit, and so is as likely a guess as a measurement."""
    return float(f"{mass:.0e}") == mass


def _moments(body: Inertial) -> str:
    return _vector(np.diag(body.inertia))


def _vector(numbers: FloatArray) -> str:
    return f"({', '.join(f'{number + 0.0:.4g}' for number in numbers)})"
