# SPDX-License-Identifier: Apache-2.0
"""The inertial of a link of an assembly, by two passes over its parts, and the link with its meshes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from ...body.inertial import NORMAL, Inertial, steiner
from ...body.pose import Pose, rigid
from ...bom.weights import ALIKE, HEAVIEST, LIGHTEST
from ...errors import Finding, InertiaError
from ...robot.model import Collision, InertiaMode, Link, Look, Mesh, Visual
from ...robot.part import PartBody
from ...robot.resolve import LinkBody, scaled
from ..sdf.spec.names import UniqueNames
from .assembly import CadPart, Placement
from .links import PartsOfLink
from .weighed import WeighedPart

METHOD = "cad"
"""The method of a part: the integrals over the faces of its solids."""


def body_of(link: PartsOfLink, parts: Mapping[CadPart, WeighedPart], mass: float | None = None) -> LinkBody:
    """Return the inertial of a link in its frame; scaled to a measured mass [kg] if that is given.

    It is refused if a part has no number.
    """
    X_LA = link.pose.inverse()
    bodies = [_part_body(placement, parts[placement.part], X_LA) for placement in link.placements]
    inertial, findings = None, list[Finding]()
    if all(body.inertial is not None for body in bodies):  # else the findings of the parts say why
        inertial = together(body.inertial for body in bodies if body.inertial is not None)
        if mass is not None:
            bodies = [_weighed(body, mass / inertial.mass) for body in bodies]
            inertial = inertial.scaled_to(mass)
        inertial = inertial.without_noise()
        findings += [finding.about(link.name) for finding in inertial.findings()]
    volume, error = None, 0.0
    if inertial is not None:
        volume = sum([body.volume for body in bodies if body.volume is not None], 0.0)
        error = sum(body.error_inertia * body.inertial.mass for body in bodies if body.inertial) / inertial.mass
        if mass is not None and not LIGHTEST <= mass / volume <= HEAVIEST:
            values = {"mass": mass, "volume": volume, "density": mass / volume, "least": LIGHTEST, "most": HEAVIEST}
            findings.append(Finding.of("warning", "implied_density", link.name, "weighed", **values))
    mode: InertiaMode = "manual"
    numbers = inertial, volume, METHOD, 0.0, tuple(findings), mode, link.pose, tuple(bodies)
    return LinkBody(link.name, *numbers, error_inertia=error)


def together(inertials: Iterable[Inertial]) -> Inertial:
    """Return several bodies as one: the common centre of mass first, then each tensor moved there by Steiner's theorem.

    ``ixx += m (dy² + dz²)``, ``ixy -= m dx dy`` and so on, all six; the inputs stay.
    """
    bodies = tuple(inertials)
    mass = sum(body.mass for body in bodies)
    com = sum((body.mass * body.com for body in bodies), np.zeros(3)) / mass
    tensor = sum((body.inertia + body.mass * steiner(body.com - com) for body in bodies), np.zeros((3, 3)))
    return Inertial(mass, com, tensor)


def _weighed(body: PartBody, scale: float) -> PartBody:
    """Return a part of a link with a measured mass, which scales all of its parts alike."""
    origin = body.origin and replace(body.origin, source=f"{body.origin.source}, scaled")
    return replace(scaled(body, scale), density=body.density and body.density * scale, origin=origin)


def _part_body(placement: Placement, part: WeighedPart, X_LA: Pose) -> PartBody:
    """Return a placed part in the link's frame."""
    name, findings = placement.shown, part.findings
    if part.moments is not None and part.density is not None:
        A, t = X_LA.R @ placement.A, X_LA.R @ placement.t + X_LA.p
        try:
            moments = part.moments.transformed(A, t)
            size = abs(float(np.linalg.det(A))) ** (1.0 / 3.0)
            if part.has_mass and abs(size - 1.0) > ALIKE:
                raise InertiaError.of("bom_density", name, "scaled", scale=size)
            inertial = moments.inertial(part.density).without_noise()
            if not (inertial.is_finite() and min(inertial.mass, float(np.trace(inertial.inertia))) > NORMAL):
                raise InertiaError.of("not_finite", name, "part")
        except InertiaError as error:
            findings += (error.about(name).finding(),)
        else:
            values = inertial, moments.volume, METHOD, 0.0, findings, "solid", part.density
            return PartBody(name, *values, origin=part.origin, error_inertia=part.error)
    return PartBody(name, None, None, METHOD, 0.0, findings, "solid", part.density, origin=part.origin)


def link_of(link: PartsOfLink, body: LinkBody) -> Link:
    """Return a link with the inertial of its body, and with the meshes of its parts, which collide and are drawn."""
    X_LA, names = link.pose.inverse(), UniqueNames()
    collisions, visuals = [], []
    for placement in link.placements:
        surface = placement.part.surface
        if surface is None:
            continue
        pose, before = rigid(X_LA.R @ placement.A, X_LA.R @ placement.t + X_LA.p)
        mesh, name = Mesh(surface, before), names.give(placement.path[-1].shown)
        rgb = placement.color or placement.part.color
        color = None if rgb is None else (*rgb, 1.0)
        collisions.append(Collision(name, pose, mesh, look=Look(color)))
        visuals.append(Visual(f"{name}_visual", pose, mesh, color))
    return Link(
        link.name,
        link.pose,
        "manual",
        manual=body.inertial,
        collisions=tuple(collisions),
        visuals=tuple(visuals),
    )


def with_link(body: LinkBody, link: Link) -> LinkBody:
    """Return the inertial of a link that knows it, as writers need it."""
    return replace(body, link=link)
