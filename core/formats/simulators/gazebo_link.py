# SPDX-License-Identifier: Apache-2.0
"""Checks if Gazebo computes our number for an auto link; if not, a finding gives both."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...body.compare import difference
from ...body.inertial import Inertial
from ...body.materials import WATER, checked_density
from ...errors import Finding, InertiaError
from ...robot.extent import mesh_box
from ...robot.model import Collision, Mesh, Unusable
from ..sdf.collision import MeshUse
from ..sdf.links import SdfLink
from .gazebo import Triangles, gazebo_mesh

AGREES = 1e-6
"""Relative difference up to which two numbers for a mesh agree: the rounding of float32 coordinates."""

HULLS = ("convex_hull", "convex_decomposition")
"""Optimizations for which Gazebo computes from its own hulls, which we do not build."""


def gazebo_inertial(link: SdfLink) -> Inertial | None:
    """Return what libsdformat with Gazebo's mesh calculator gets for an auto link.

    Returns
    -------
    Inertial or None
        In the link's frame; None if the link is not auto or Gazebo computes from hulls.

    Raises
    ------
    InertiaError
        ``gazebo_refuses``, or what refuses the link everywhere.
    """
    if not link.auto or any(use.optimization in HULLS for use in link.mesh_uses.values()):
        return None
    value = link.link
    total = Inertial.zero
    for collision in value.collisions:
        given = collision.density if collision.density is not None else value.density
        total += _part(collision, WATER if given is None else given, link)
    if total.mass > 0.0 and value.mass is not None:
        total = total.scaled_to(value.mass)
    if not (total.mass > 0.0 and total.is_finite()):
        raise InertiaError.of("zero_volume", str(link.element), "collisions")
    return total


def gazebo_findings(link: SdfLink, show: bool = False) -> Iterator[Finding]:
    """Yield ``gazebo_differs`` or ``gazebo_refuses`` if Gazebo does not get our number for an auto link of meshes.

    With `show`, an equal number is reported, too (``gazebo_agrees``, info).
    """
    if not link.auto or not link.mesh_uses:
        return
    ours = link.body.inertial if not link.body.refused else None
    if ours is not None and not show and all(_agrees_by_itself(link, one) for one in link.link.collisions):
        return
    try:
        with np.errstate(all="ignore"):  # an absurd size overflows, and ends in a tensor that Gazebo refuses
            theirs = gazebo_inertial(link)
    except InertiaError as error:
        if error.code == "gazebo_refuses" and ours is not None:  # otherwise the link's own findings report it
            yield Finding.of("error", "gazebo_refuses", str(link.element), numbers=_shown(ours))
        return
    if theirs is None:
        return
    if ours is None:
        yield Finding.of("warning", "gazebo_differs", str(link.element), "unsound", numbers=_shown(theirs))
    elif difference(ours, theirs).worst > AGREES:
        yield Finding.of(
            "warning", "gazebo_differs", str(link.element), "unequal", numbers=_shown(theirs), right=_shown(ours)
        )
    elif show:
        yield Finding.of("info", "gazebo_agrees", str(link.element), numbers=_shown(theirs))


def _part(collision: Collision, density: float, link: SdfLink) -> Inertial:
    geometry = collision.geometry
    if isinstance(geometry, Unusable):
        if geometry.error.code in ("unsupported_geometry", "no_geometry"):
            return Inertial.zero  # libsdformat reports it, and sums the rest
        raise geometry.error
    if isinstance(geometry, Mesh):
        use = link.mesh_uses.get(collision.name)
        if use is None:
            raise InertiaError.of("no_name", str(link.element), "mesh", name=collision.name)
        body = gazebo_mesh(_submeshes(use, link), use.scale, checked_density(density))
    else:
        body = geometry.moments().inertial(density)
    return body.transformed(collision.pose)


def _agrees_by_itself(link: SdfLink, collision: Collision) -> bool:
    """Return True if Gazebo surely gets our number: one closed submesh, wound outward, unmirrored, near its origin."""
    use, geometry = link.mesh_uses.get(collision.name), collision.geometry
    if not isinstance(geometry, Mesh) or use is None:
        return not isinstance(geometry, Mesh)
    part = next(part for part in link.body.parts if part.name == collision.name)
    if (
        part.method != "exact"
        or part.surface is not None
        or part.findings
        or len(link.meshes.file(use.path).submeshes) != 1
    ):
        return False
    low, high = mesh_box(geometry)
    near = float(np.abs(low + high).max()) <= 4.0 * float(np.linalg.norm(high - low))
    return near and float(np.prod(use.scale)) > 0.0


def _submeshes(use: MeshUse, link: SdfLink) -> Iterator[Triangles]:
    """Yield all submeshes of the file: without an optimization, Gazebo ignores ``<submesh>``.

    Its loaders keep single precision, except the one for COLLADA.
    """
    file = link.meshes.file(use.path)
    double = use.path.suffix.lower() == ".dae"
    vertices = file.surface.vertices if double else file.surface.vertices.astype(np.float32)
    return ((vertices, file.surface.triangles[submesh.triangles]) for submesh in file.submeshes)


def _shown(body: Inertial) -> str:
    com = ", ".join(f"{number + 0.0:.6g}" for number in body.com)
    moments = ", ".join(f"{moment:.6g}" for moment in body.principal().moments)
    return f"{body.mass:.6g} kg, centre of mass ({com}) m, principal moments {moments} kg·m²"
