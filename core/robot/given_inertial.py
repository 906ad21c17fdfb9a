# SPDX-License-Identifier: GPL-3.0-or-later
"""Is an inertial that was given plausible for its link's geometry? Of a file's link and of a scene's alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ..body.inertial import Inertial
from ..errors import Finding, InertiaError, has_error
from .extent import Extent, extent_of
from .model import Link, Part, Unusable, Visual
from .part import Body
from .plausibility import SeenBody, doubtful, implausible

Shown = Sequence[Part | Visual]


@dataclass(frozen=True)
class Doubts:
    """What is doubtful about an inertial, without a subject.

    `unread` is why its geometry could not be compared; `right` is the inertial that is meant, if a mistake is certain.
    """

    findings: tuple[Finding, ...] = ()
    unread: InertiaError | None = None
    right: Inertial | None = None


def doubts_of(
    body: Inertial,
    collisions: Sequence[Part],
    visuals: Callable[[], Shown],
    uniform: Callable[[], Body | None],
    strict: bool = False,
) -> Doubts:
    """Judge by the solid parts, and where those leave a doubt or there are none, by the visuals too.

    Parameters
    ----------
    body : Inertial
        In the link's frame, one that `Inertial.findings` has no error for.
    collisions : sequence of Part
        All that are solid, whether or not they collide.
    visuals : callable
        Returns the link's visuals; not called where the collisions are enough.
    uniform : callable
        Returns the collisions as a body by their densities, None where that is refused; not called where their box is
        enough.
    strict : bool
        As of `core.robot.plausibility.implausible`.
    """
    lost = _lost(collisions)
    extent = extent_of(collisions)
    if extent is not None and not lost and not strict and not doubtful(body, extent):
        return Doubts()
    seen = _seen(extent, uniform())
    if extent is not None and not lost and not implausible(body, seen, strict):
        return Doubts()
    shown = visuals()
    lost += [one.geometry.error for one in shown if isinstance(one.geometry, Unusable)]
    if lost:  # a box round half of the geometry would accuse the innocent
        return Doubts(unread=lost[0] if collisions or shown else None)
    whole = extent_of(shown)
    return Doubts(implausible(body, replace(seen, extent=extent if whole is None else whole | extent), strict))


def not_compared(unread: Sequence[InertiaError]) -> Finding:
    """Return the finding for links whose inertials could not be compared with their geometry, and why; at least one."""
    links = f"{len(unread)} links" if len(unread) > 1 else "a link"
    geometry = "their geometry; the first" if len(unread) > 1 else "its geometry"
    message = f"{links} could not be compared with {geometry}: {unread[0].message}"
    return Finding("warning", "geometry_not_read", unread[0].subject, message, unread[0].remedy)


def uniform_link(link: Link) -> Link | None:
    """Return a link whose numbers `doubts_of` compares the manual ones with; None where their size clears them."""
    body = link.manual
    if body is None or not body.mass > 0.0 or has_error(body.findings()) or _lost(link.parts):
        return None
    extent = extent_of(link.parts)
    if extent is None or not doubtful(body, extent):
        return None
    return replace(link, mode="filled", manual=None, mass=None)


def _lost(collisions: Sequence[Part]) -> list[InertiaError]:
    """Return why collisions could not be read, of those that have a geometry with a size."""
    lost = [one.geometry.error for one in collisions if isinstance(one.geometry, Unusable)]
    return [error for error in lost if error.code not in ("unsupported_geometry", "no_geometry")]


def _seen(extent: Extent | None, uniform: Body | None) -> SeenBody:
    return SeenBody(extent) if uniform is None else SeenBody(extent, uniform.volume, uniform.inertial)
