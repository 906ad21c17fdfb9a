# SPDX-License-Identifier: Apache-2.0
"""Newton: what the file lacks comes from the collisions, and moments that are too small are raised."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..arrays import FloatArray
from ..body.inertial import Inertial
from ..body.materials import WATER
from ..body.moments import Moments
from ..body.shapes import Capsule
from ..errors import Finding, InertiaError
from ..formats.robot_file import RobotFile
from ..mesh.integrate import surface_moments
from ..robot.model import Collision, Mesh, Unusable
from .engine import Engine, EngineView, differs, unread
from .urdf_links import GivenLink, checked_finite, made_up, urdf_view

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

SHOWN = 1e-3
"""A relative change of the moments that is worth a finding."""


def _view(file: RobotFile) -> EngineView:
    return urdf_view(NAME, file, lambda group: group.body(_rule))


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
    corrected = Inertial(max(body.mass, 0.0), body.com, _corrected(body))
    change = float(np.abs(corrected.inertia - body.inertia).max())
    if body.mass > 0.0 and change > SHOWN * float(np.abs(body.inertia).max()):
        reasons.append(differs(NAME, link.place, "raised", amount=change))
    return corrected, tuple(reasons)


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
