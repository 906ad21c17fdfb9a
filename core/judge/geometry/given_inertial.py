# SPDX-License-Identifier: Apache-2.0
"""Checks if a given inertial is plausible for its link's geometry, for links of files and of scenes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ...body.inertial import Inertial
from ...body.materials import WATER
from ...body.moments import Moments
from ...body.shapes import Shape
from ...errors import Finding, InertiaError, has_error
from ...mesh.integrate import surface_moments
from ...robot.extent import Extent, SeenBody, extent_of
from ...robot.model import Link, Mesh, Part, Unusable, Visual
from ...robot.part import Body, resolve_part
from .placement import turned_sign, vertex_mean
from .plausibility import doubtful, implausible
from .written import Written
from .wrong_tensors import CODES, Piece, Solid, is_of_density, tensor_mistakes
from .wrong_units import may_be_geometry, unit_fault

Shown = Sequence[Part | Visual]

OF_UNITS = ("geometry_unit", "inertial_unit")

OF_TENSOR = (
    "radius_of_gyration",
    "impossible_spread",
    "small_tensor",
    "small_geometry",
    "unit_suspicion",
    "differs_from_collisions",
)
"""Findings that only follow from a mistake in the tensor."""


@dataclass(frozen=True, eq=False)
class Doubts:
    """Doubts about an inertial, as findings without a subject.

    `unread` is why its geometry could not be compared; `right` is the inertial that is meant, if a mistake is certain;
    `slip` is the one with the mass that its tensor is for, if mass and tensor differ so plainly; `is_water` is True if
    mass and tensor are those of the geometry at water's density, to all digits.
    """

    findings: tuple[Finding, ...] = ()
    unread: InertiaError | None = None
    right: Inertial | None = None
    slip: Inertial | None = None
    is_water: bool = False


def find_doubts(
    body: Inertial,
    collisions: Sequence[Part],
    visuals: Callable[[], Shown],
    uniform: Callable[[], Body | None],
    strict: bool = False,
    written: Written | None = None,
) -> Doubts:
    """Check an inertial against the solid parts; if they leave a doubt, or there are none, also against the visuals.

    Mistakes in the tensor are searched for in both.

    Parameters
    ----------
    body : Inertial
        In the link's frame, one that `may_be_judged`: for an impossible one, only mistakes in the tensor are reported.
    collisions : sequence of Part
        All that are solid, whether or not they collide.
    visuals : callable
        Returns the link's visuals; not called if the collisions are enough.
    uniform : callable
        Returns the collisions as a body by their densities, None if that is refused; not called if their box is enough.
    strict : bool
        As in `core.judge.geometry.plausibility.implausible`.
    written : Written or None
        The inertial as written; without it no mistakes in the tensor are searched for.
    """
    possible = not has_error(body.findings())
    doubts = _plausibility(body, collisions, visuals, uniform, strict) if possible else Doubts()
    if written is None or any(finding.code in OF_UNITS for finding in doubts.findings):
        return doubts  # units first: a wrong unit looks like a wrong mass
    if not (written.is_distinctive or doubts.findings):
        return doubts
    mistakes = _mistakes(body, written, collisions, visuals)
    if not mistakes.findings:
        return replace(doubts, is_water=mistakes.is_water)
    explained = {*OF_TENSOR, CODES["axes"]}
    if mistakes.right is not None and not _plausibility(mistakes.right, collisions, visuals, uniform, False).findings:
        explained.add("small_geometry")
    others = tuple(finding for finding in doubts.findings if finding.code not in explained)
    right = doubts.right or mistakes.right
    return replace(doubts, findings=(*others, *mistakes.findings), right=right, slip=mistakes.slip)


def _plausibility(
    body: Inertial,
    collisions: Sequence[Part],
    visuals: Callable[[], Shown],
    uniform: Callable[[], Body | None],
    strict: bool,
) -> Doubts:
    lost = _lost(collisions)
    extent, along = extent_of(collisions), partial(extent_of, collisions)
    if extent is not None and not lost and not strict and not doubtful(body, SeenBody(extent, along=along)):
        return Doubts()
    # With the volume and the tensor of the collisions, which cost time; then with the visuals, which may show more.
    known, doubts = uniform(), Doubts()
    volume, solid = (None, None) if known is None else (known.volume, known.inertial)
    if extent is not None and not lost:
        scaled = _scaled(collisions, collisions, solid is not None)
        doubts = _doubts(body, SeenBody(extent, volume, solid, scaled, along), strict)
        if not doubts.findings or any(finding.code == "geometry_unit" for finding in doubts.findings):
            return doubts  # no visual makes collisions smaller that are too large
    shown = visuals()
    lost += [visual.geometry.error for visual in shown if isinstance(visual.geometry, Unusable)]
    if lost:  # a box around half of the geometry would cause false positives
        return Doubts(unread=lost[0] if collisions or shown else None)
    whole = extent_of(shown)
    if whole is None:
        return doubts
    if extent is None and may_be_geometry(body, whole):  # the visuals' volume and tensor decide between cm and inches
        volume, solid = uniform_shown(shown)
    every = (*collisions, *shown)
    scaled = _scaled(collisions if extent is not None else shown, every, solid is not None)
    seen = SeenBody(whole | extent, volume, solid, scaled, partial(extent_of, every), readings_of(every))
    return _doubts(body, seen, strict)


def may_be_judged(findings: Sequence[Finding]) -> bool:
    """Return True if an inertial with these findings is possible, or impossible in a way that a mistake may explain."""
    errors = {finding.code for finding in findings if finding.severity == "error"}
    return errors <= {"negative_moment", "triangle_inequality"}


@np.errstate(all="ignore")  # absurd sizes overflow
def _mistakes(body: Inertial, written: Written, collisions: Sequence[Part], visuals: Callable[[], Shown]) -> Doubts:
    """Return the mistakes that explain a tensor, see `tensor_mistakes`; parameters are as in `find_doubts`.

    Meshes are integrated without a check, which would take most of the time: a mistake is proven
    by its agreement with the file.
    """
    # Meshes with y up may be rotated or not: solids of collisions and of what only visuals show, each in both ways.
    parts = (*collisions, *visuals())
    upright, turned = _both_ways(parts)
    solid = [_place(part) for part in collisions]
    kinds = solid, [place for place in upright if place not in solid]
    ways = (upright, turned) if len(upright) < len(parts) else (upright,)
    known = (_integrated([way[place] for place in kind]) for way in ways for kind in kinds)
    solids = [solid for solid in known if solid is not None]
    whole = extent_of(parts)
    box = None if whole is None else whole.filled(body.mass)
    findings, right, slip = vertex_mean(body, written, solids) or tensor_mistakes(body, written, solids, box)
    if not findings:
        return Doubts(is_water=any(is_of_density(WATER, body, written, solid) for solid in solids))
    return Doubts(findings, right=right, slip=slip) if len(ways) == 1 else Doubts(findings)


def _both_ways(parts: Shown) -> Sequence[dict[tuple[int, bytes], Part | Visual]]:
    """Return the parts as they are, and rotated as by some readers, by their places."""
    return [{_place(part): part for part in order} for order in (parts[::-1], parts)]


def readings_of(parts: Shown) -> tuple[Extent, Extent] | None:
    """Return the boxes around the parts as they are, and rotated as by some readers; None if all readers agree."""
    as_is, turned = _both_ways(parts)
    boxes = extent_of(as_is.values()), extent_of(turned.values())
    return None if len(as_is) == len(parts) or boxes[0] is None or boxes[1] is None else (boxes[0], boxes[1])


def _place(part: Part | Visual) -> tuple[int, bytes]:
    """Return a key that is equal for a geometry that is listed twice in two orientations."""
    return id(part.geometry), part.pose.p.tobytes()


def _integrated(parts: Shown) -> Solid | None:
    """Return the uniform body of parts, with their meshes unchecked; None if one of them has none."""
    extent, whole, pieces = extent_of(parts), Inertial.zero, []
    if extent is None or _lost(parts):
        return None
    for part in parts:
        try:
            if isinstance(part.geometry, Mesh):
                moments = surface_moments(part.geometry.surface).transformed(part.geometry.stretch)
            elif isinstance(part.geometry, Shape):
                moments = part.geometry.moments()
            else:
                continue
            if moments.volume < 0.0:  # inside out
                moments = Moments(-moments.volume, moments.centroid, -moments.covariance)
            body = moments.inertial((part.density if isinstance(part, Part) else None) or WATER)
        except InertiaError:
            return None
        if isinstance(part, Part) and part.mass:
            body = body.scaled_to(part.mass)
        placed = body.transformed(part.pose)
        whole += placed
        pieces.append(Piece(placed, moments, part.pose, part.geometry))
    if not whole.mass > 0.0 or not whole.is_finite():  # absurd sizes overflow
        return None
    return Solid(whole, extent.longest, [part.pose.R for part in parts], pieces)


@np.errstate(all="ignore")  # absurd sizes overflow, and fit nothing
def _doubts(body: Inertial, seen: SeenBody, strict: bool) -> Doubts:
    findings = implausible(body, seen, strict)
    if not findings:
        return Doubts()
    fault, com, right = unit_fault(body, seen), turned_sign(body, seen), None
    if fault is not None:
        right = fault.right
    elif com is not None:
        right = Inertial(body.mass, com, body.inertia)
    return Doubts(findings, right=None if right is None or implausible(right, seen) else right)


def not_compared(unread: Sequence[InertiaError]) -> Finding:
    """Return the finding for links (one or more) that could not be compared with their geometry, with the reason."""
    form = "links" if len(unread) > 1 else ""
    values = {"count": len(unread), "reason": unread[0].sentence, "remedy": unread[0].fix}
    return Finding.of("warning", "geometry_not_read", unread[0].subject, form, **values)


def uniform_link(link: Link) -> Link | None:
    """Return a link whose numbers `find_doubts` compares the manual ones with; None if their size already clears
    them."""
    body = link.manual
    if body is None or not body.mass > 0.0 or has_error(body.findings()) or _lost(link.parts):
        return None
    extent = extent_of(link.parts)
    if extent is None or not doubtful(body, SeenBody(extent, along=partial(extent_of, link.parts))):
        return None
    return replace(link, mode="filled", manual=None, mass=None)


def _lost(collisions: Shown) -> list[InertiaError]:
    """Return why collisions could not be read, for those whose geometry has a size."""
    lost = [part.geometry.error for part in collisions if isinstance(part.geometry, Unusable)]
    return [error for error in lost if error.code not in ("unsupported_geometry", "no_geometry")]


def _scaled(solid: Shown, shown: Shown, computed: bool) -> Callable[[float], SeenBody | None] | None:
    """Return the function that scales all meshes of `shown` that have no scale; None if there are none.

    If the uniform body is `computed`, that of the solid parts is computed again.
    """
    if not any(_is_unscaled(part) for part in shown):
        return None

    def scaled(factor: float) -> SeenBody | None:
        extent = extent_of([_in_unit(part, factor) for part in shown])
        volume, uniform = uniform_shown([_in_unit(part, factor) for part in solid]) if computed else (None, None)
        return None if extent is None else SeenBody(extent, volume, uniform)

    return scaled


def _is_unscaled(part: Part | Visual) -> bool:
    A = part.geometry.stretch if isinstance(part.geometry, Mesh) else np.zeros((3, 3))
    return bool(np.allclose(A.T @ A, np.eye(3)))


def _in_unit(part: Part | Visual, factor: float) -> Part | Visual:
    if not (isinstance(part.geometry, Mesh) and _is_unscaled(part)):
        return part
    return replace(part, geometry=Mesh(part.geometry.surface, part.geometry.stretch * factor))


def uniform_shown(parts: Shown) -> tuple[float | None, Inertial | None]:
    """Return volume [m³] and uniform body of parts; both None if a part has no result."""
    solid = [part if isinstance(part, Part) else Part(part.name, part.pose, part.geometry) for part in parts]
    bodies = [resolve_part(part, Link(""), quick=True) for part in solid if extent_of([part]) is not None]
    inertials = [body.inertial for body in bodies if body.inertial is not None]
    if not bodies or len(inertials) < len(bodies):
        return None, None
    whole = inertials[0]
    for other in inertials[1:]:
        whole += other
    return sum(body.volume for body in bodies if body.volume is not None), whole
