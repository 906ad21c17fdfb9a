# SPDX-License-Identifier: Apache-2.0
"""Newton: what the file lacks comes from the collisions, and moments that are too small are raised."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

import numpy as np

from ..arrays import FloatArray
from ..body.inertial import Inertial
from ..body.materials import WATER
from ..body.moments import Moments
from ..body.shapes import Capsule
from ..errors import Finding, InertiaError, first_error
from ..formats.robot_file import RobotFile
from ..mesh.integrate import surface_moments
from ..robot.model import Collision, Mesh, Unusable
from ..robot.resolve import resolve_link
from .engine import Engine, EngineBody, EngineView, differs, refuses, unread
from .urdf_links import GivenLink, checked_finite, made_up, urdf_view

if TYPE_CHECKING:
    from ..formats.usd.format import UsdRobotFile
    from ..formats.usd.links import UsdLink

NAME = "Newton"

RELATIVE = 1e-6
"""The least moment is this share of the largest."""

LEAST = 1e-10
"""And at least this [kg·m²]."""

EXTRA = 1e-6
"""What is added to all moments besides what they lack [kg·m²]."""

EPS = float(np.finfo(np.float32).eps)

CAPSULE = 1.0
"""The length [m] of any capsule: Newton looks for the attribute ``height``, which URDF does not have."""

BALL = 0.1
"""The radius [m] of the ball that a body of USD is without tensor and colliders."""

SHOWN = 1e-3
"""A relative change of the moments that is worth a finding."""


def _view(file: RobotFile) -> EngineView:
    if file.format_name == "USD":
        return _of_usd(cast("UsdRobotFile", file))
    return urdf_view(NAME, file, lambda group: group.body(_rule))


def _of_usd(file: UsdRobotFile) -> EngineView:
    """Newton reads a USD in metres and kilograms, refuses one with errors of composition, and joins no bodies by fixed
    joints."""
    if file.robot.units[:2] != (1.0, 1.0):
        return EngineView((), (unread(NAME, file.document.name, "units", "warning"),))
    codes = {finding.code for finding in file.findings}
    if "bad_composition" in codes:
        return EngineView((), (refuses(NAME, file.document.name, "composition"),))
    if "layer_not_read" in codes:
        return EngineView((), (unread(NAME, file.document.name, "layers"),))
    moving = [link for link in file.links if not link.static]
    return EngineView(tuple(EngineBody(link.local_name, (link.local_name,), *_of_body(link)) for link in moving))


def _of_body(link: UsdLink) -> tuple[Inertial | None, tuple[Finding, ...]]:
    """Newton prefers its own tensor in a USD, if that is positive. For a mass without a tensor it scales that of the
    colliders, by density and about their own centre, and without colliders it takes a ball of 0.1 m."""
    given, place, computed = link.given, str(link.element), link.computed.inertial
    body = link.body.inertial if link.auto else link.inertial
    is_positive = given.newton is not None and float(np.linalg.eigvalsh(given.newton).min()) >= 0.0
    negative = given.newton is not None if given.moments is None else float(given.moments.min()) < 0.0
    is_refused = negative and not is_positive
    if not np.isfinite([given.mass or 0.0, *(() if given.com is None else given.com)]).all():
        return None, ()
    if body is None and not link.has_collision:
        com, mass = np.zeros(3) if given.com is None else given.com, given.mass or 0.0
        moment = 0.4 * mass * BALL**2
        reason = differs(NAME, place, "small_ball", moment=moment) if mass else differs(NAME, place, "massless", "info")
        return Inertial(mass, com, moment * np.eye(3)), (reason,)
    if body is None or not body.is_finite() or (computed is None and (link.auto or is_refused)):
        error = first_error(link.computed.all_findings())
        return None, () if error is None else (unread(NAME, place, "geometry", reason=error.sentence),)
    if given.disagree and is_positive:
        body = replace(body, inertia=given.tensors[0])
    elif given.mass is not None and (link.auto or is_refused):
        light = tuple(replace(collision, mass=None) for collision in link.solid.collisions)
        computed = resolve_link(replace(link.solid, density=WATER, collisions=light)).inertial
        body = body if computed is None else replace(body, inertia=computed.scaled_to(body.mass).inertia)
    return _raised(body, place)


def _rule(link: GivenLink) -> tuple[Inertial | None, tuple[Finding, ...]]:
    """Newton takes what the inertial has, and the rest from the collisions at 1000 kg/m³."""
    body, reasons = Inertial.zero, list[Finding]()
    if "inertia" in link.missing or "mass" in link.missing or not link.has_inertial:
        try:
            body = _at_density(link.collisions)
        except InertiaError as error:
            return None, (unread(NAME, link.place, "geometry", reason=error.sentence),)
        if body.mass and any(isinstance(collision.geometry, Capsule) for collision in link.collisions):
            reasons.append(differs(NAME, link.place, "capsule"))
    if link.has_inertial:
        mass = body.mass if link.mass is None else link.mass
        tensor = body.inertia if link.components is None else link.tensor
        if body.mass and mass:
            reasons.append(differs(NAME, link.place, "mixed", lacking=", ".join(link.missing)))
        body = Inertial(mass, link.origin.p, tensor)
    else:
        reasons += made_up(NAME, link, body)
    corrected, raised = _raised(body, link.place)
    return corrected, (*reasons, *raised)


def _raised(body: Inertial, place: str) -> tuple[Inertial, tuple[Finding, ...]]:
    """Return a body with the moments that it has in the engine, and the finding if they are others."""
    corrected = Inertial(max(body.mass, 0.0), body.com, _corrected(body))
    change = float(np.abs(corrected.inertia - body.inertia).max())
    if body.mass > 0.0 and change > SHOWN * float(np.abs(body.inertia).max()):
        return corrected, (differs(NAME, place, "raised", amount=change),)
    return corrected, ()


def _at_density(collisions: tuple[Collision, ...]) -> Inertial:
    """Newton makes every capsule 1 m long, and integrates meshes exactly, even inside out, without those it lacks."""
    total = Inertial.zero
    for collision in collisions:
        geometry = collision.geometry
        if isinstance(geometry, Unusable) and geometry.error.code == "uri_lookup":
            continue
        if isinstance(geometry, Capsule):
            geometry = replace(geometry, length=CAPSULE)
        moments = _of_mesh(geometry) if isinstance(geometry, Mesh) else geometry.moments()
        total += moments.inertial(WATER).transformed(collision.pose)
    return checked_finite(total)


def _of_mesh(mesh: Mesh) -> Moments:
    moments = surface_moments(mesh.baked)
    return -moments if moments.volume < 0.0 else moments


def _corrected(body: Inertial) -> FloatArray:
    """Newton drops the tensor without mass, raises all moments until the least is positive, and again until the
    triangle inequality holds."""
    if body.mass <= 0.0:
        return np.zeros((3, 3))
    low, middle, high = np.linalg.eigvalsh(body.inertia).tolist()
    least = max(RELATIVE * high, LEAST)
    shift = least - low + EXTRA if low < least else 0.0
    deficit = high - low - middle - shift
    if deficit > max(EPS * (high + shift), LEAST):
        shift += deficit + EXTRA
    return body.inertia + shift * np.eye(3)


NEWTON = Engine("newton", "Newton 1.8.0", _view)
