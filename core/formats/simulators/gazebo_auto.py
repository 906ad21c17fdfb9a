# SPDX-License-Identifier: Apache-2.0
"""Compares Gazebo's result for a link that is to be AUTO with the number that is shown for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from weakref import WeakKeyDictionary

from ...body.inertial import Inertial
from ...errors import InertiaError
from ...mesh.surface import Surface
from ...robot.model import Mesh
from ...robot.part import PartBody, resolve_part
from ...robot.resolve import LinkBody
from .gazebo import gazebo_mesh

Kind = Literal["same", "voxels", "differs", "refuses", "unknown"]

MOST_FACES = 300_000
"""Up to this number of faces Gazebo's number is computed during live use: some tenths of a second, once per mesh."""


@dataclass(frozen=True, eq=False)
class GazeboAuto:
    """Gazebo's result compared with ours.

    Parameters
    ----------
    kind : {"same", "voxels", "differs", "refuses", "unknown"}
        ``same``: it computes the number that is shown. ``voxels``: the same, but it ignores the chosen method, voxels.
        ``differs``: it would get another number, so ours is written. ``refuses``: it would not load the link, so ours
        is written. ``unknown``: ours is written; its own takes too long to compute.
    other : Inertial or None
        In the link's frame: for ``voxels`` what the voxels give, for ``differs`` what Gazebo would get.
    """

    kind: Kind
    other: Inertial | None = None


def gazebo_auto(body: LinkBody) -> GazeboAuto | None:
    """Compare a link's number with Gazebo's; None if Gazebo does not compute it, or there is no number."""
    link = body.link
    if link is None or link.mode != "auto" or body.inertial is None or body.mode == "manual":
        return None
    if body.mode == "auto":
        if all(finding.code != "auto_ignores_method" for finding in body.findings):
            return GazeboAuto("same")
        chosen = [resolve_part(part, link, quick=True).inertial for part in link.weighed]  # from the cache
        return GazeboAuto("voxels", _total([part for part in chosen if part is not None], link.mass))
    if link.weighed != link.collisions:
        return GazeboAuto("unknown")  # Gazebo cannot have mass apart from collisions
    try:
        parts = [_as_gazebo(part, k, body) for k, part in enumerate(body.parts)]
    except InertiaError:
        return GazeboAuto("refuses")
    known = [part for part in parts if part is not None]
    return GazeboAuto("differs", _total(known, link.mass)) if len(known) == len(parts) else GazeboAuto("unknown")


def _as_gazebo(part: PartBody, index: int, body: LinkBody) -> Inertial | None:
    assert body.link is not None and part.density is not None
    collision = body.link.collisions[index]
    if not isinstance(collision.geometry, Mesh):
        return collision.geometry.moments().inertial(part.density).transformed(collision.pose)
    surface = part.surface or collision.geometry.baked
    unit = _of_unit_density(surface)
    return None if unit is None else unit.scaled_to(unit.mass * part.density).transformed(collision.pose)


_computed: WeakKeyDictionary[Surface, Inertial | InertiaError] = WeakKeyDictionary()


def _of_unit_density(surface: Surface) -> Inertial | None:
    """Return Gazebo's number at 1 kg/m³, cached as long as the surface exists."""
    if len(surface.triangles) > MOST_FACES:
        return None
    if surface not in _computed:
        try:
            _computed[surface] = gazebo_mesh([(surface.vertices, surface.triangles)], (1.0, 1.0, 1.0), 1.0)
        except InertiaError as error:
            _computed[surface] = error
    known = _computed[surface]
    if isinstance(known, InertiaError):
        raise known
    return known


def _total(parts: list[Inertial], mass: float | None) -> Inertial:
    total = Inertial.zero
    for part in parts:
        total += part
    return total if mass is None else total.scaled_to(mass)
