# SPDX-License-Identifier: Apache-2.0
"""The inertials of a model's links, scaled to the mass of the whole robot if it has one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ...body.materials import checked_mass
from ...errors import Finding, InertiaError, has_error
from ...robot.massless import holders_in, with_massless_refused
from ...robot.model import Link, Model
from ...robot.resolve import LinkBody, resolve_link, scaled
from .given_inertial import find_doubts, may_be_judged
from .written import as_written


def resolve_model(model: Model, strict_auto: bool = False) -> tuple[LinkBody, ...]:
    """Resolve every link of a model, see `resolve_link`; scale all to its mass, if it has one.

    A link without inertial that moves by itself is refused, see `with_massless_refused`.
    """
    holders = holders_in(model)
    bodies = tuple(_holding(link, model, holders, strict_auto) for link in model.links)
    bodies = with_massless_refused(bodies, model.joints, model.static)
    return bodies if model.mass is None else scale_to_model_mass(bodies, model.mass)


def _holding(link: Link, model: Model, holders: Mapping[str, str], strict_auto: bool) -> LinkBody:
    """Resolve a link; an AUTO link with the collisions of those without inertial that it holds: they have no mass."""
    held = [other for other in model.links if holders.get(other.name) == link.name] if link.mode == "auto" else []
    collisions = [
        replace(part, name=f"{other.name}/{part.name}", has_mass=False) for other in held for part in other.collisions
    ]
    body = judged_link(replace(link, collisions=(*link.collisions, *collisions)) if collisions else link, strict_auto)
    return replace(body, link=link) if collisions else body


def judged_link(link: Link, strict_auto: bool = False, quick: bool = False) -> LinkBody:
    """Resolve a link, see `resolve_link`, and check a manual inertial against the link's geometry."""
    body = resolve_link(link, strict_auto, quick=quick)
    if link.manual is None or not may_be_judged(body.findings):
        return body

    def uniform() -> LinkBody | None:
        filled = resolve_link(replace(link, mode="filled", manual=None, mass=None), quick=quick)
        return None if filled.refused else filled

    doubts = find_doubts(link.manual, link.parts, lambda: link.visuals, uniform, written=as_written(link.manual))
    findings = (*body.findings, *(finding.about(link.name) for finding in doubts.findings))
    inertial = None if has_error(findings) else body.inertial
    return replace(body, inertial=inertial, findings=findings, right=doubts.right)


def scale_to_model_mass(bodies: tuple[LinkBody, ...], mass: float) -> tuple[LinkBody, ...]:
    """Scale links by one factor, so that the whole robot has a given mass.

    Links with a target, a manual inertial or parts with a mass of their own stay; the finding ``model_mass`` of the
    others gives the factor.

    Parameters
    ----------
    mass : float
        Mass of the whole robot [kg].

    Returns
    -------
    tuple of LinkBody
        Unchanged if a link has no number. If the others already reach the mass, each link to be scaled has the error
        ``target_below_parts``; if the mass is invalid, all have ``bad_mass``.
    """
    with_parts = [body for body in bodies if not _is_empty(body) and body.mode != "none"]
    if any(body.inertial is None for body in with_parts):
        return bodies
    free = [body for body in with_parts if _is_free(body)]
    fixed = _mass([body for body in with_parts if body not in free])
    try:
        checked_mass(mass, "")
        if not (free and mass > fixed):
            raise InertiaError.of("target_below_parts", "", "robot", mass=mass, fixed=fixed)
    except InertiaError as error:
        refused = free or with_parts
        return tuple(
            _with_finding(body, error.about(body.name).finding()) if body in refused else body for body in bodies
        )
    scale = (mass - fixed) / _mass(free)
    return tuple(_scaled_link(body, scale, mass) if body in free else body for body in bodies)


def _mass(bodies: list[LinkBody]) -> float:
    return sum(body.inertial.mass for body in bodies if body.inertial is not None)


def _is_free(body: LinkBody) -> bool:
    link = body.link
    if link is None or body.mode == "manual" or link.mass is not None:
        return False
    return all(part.mass is None for part in link.weighed)


def _is_empty(body: LinkBody) -> bool:
    return body.link is not None and body.link.empty and not has_error(body.findings)


def _scaled_link(body: LinkBody, scale: float, mass: float) -> LinkBody:
    assert body.inertial is not None and body.link is not None
    scaled_mass = body.inertial.mass * scale
    finding = Finding.of("info", "model_mass", body.name, "scaled", scale=scale, own=scaled_mass, mass=mass)
    return replace(
        _with_finding(body, finding),
        inertial=body.inertial.scaled_to(scaled_mass),
        parts=tuple(scaled(part, scale) for part in body.parts),
        link=replace(body.link, mass=scaled_mass),
    )


def _with_finding(body: LinkBody, finding: Finding) -> LinkBody:
    return replace(body, findings=(*body.findings, finding))
