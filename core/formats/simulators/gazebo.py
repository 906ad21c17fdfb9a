# SPDX-License-Identifier: Apache-2.0
"""What Gazebo's own mesh calculator gets, right or wrong, and whether it is our number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from ...arrays import FloatArray, TriangleArray, VertexArray
from ...body.compare import difference
from ...body.gz_validity import gz_accepts
from ...body.inertial import VALIDITY_EPS, Inertial
from ...body.materials import WATER, checked_density
from ...errors import Finding, InertiaError
from ...robot.extent import mesh_box
from ...robot.model import Collision, Mesh, Unusable
from ..sdf.collision import MeshUse
from ..sdf.links import SdfLink

MESHES = (".stl", ".obj", ".dae", ".gltf", ".glb", ".fbx")
"""Mesh formats that Gazebo reads (gz-common 7), by suffix."""

MAY_BEND = 0.05
"""Maximum relative excess of the largest principal moment over the sum of the others before a submesh is skipped."""

Triangles = tuple[VertexArray, TriangleArray]
"""Vertices (n, 3) [m] and, by their indices, triangles (m, 3); several submeshes may share the vertices."""

AGREES = 1e-6
"""Relative difference up to which two numbers for a mesh agree: the rounding of float32 coordinates."""

HULLS = ("convex_hull", "convex_decomposition")
"""Optimizations for which Gazebo computes from its own hulls, which we do not build."""


def gazebo_findings(link: SdfLink, show: bool = False) -> Iterator[Finding]:
    """Yield ``gazebo_differs`` or ``gazebo_refuses`` if Gazebo does not get our number for an auto link of meshes.

    With `show`, an equal number is reported, too (``gazebo_agrees``, info).
    """
    if not link.auto or not link.mesh_uses:
        return
    if unread := [use.path.name for use in link.mesh_uses.values() if use.path.suffix.lower() not in MESHES]:
        yield Finding.of("error", "gazebo_refuses", str(link.element), "format", name=unread[0])
        return
    ours = link.body.inertial if not link.body.refused else None
    if ours is not None and not show and all(_agrees_by_itself(link, collision) for collision in link.link.collisions):
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


def gazebo_mesh(submeshes: Iterable[Triangles], scale: Sequence[float], density: float) -> Inertial:
    """Compute a mesh collision as Gazebo does.

    Parameters
    ----------
    submeshes : iterable of (vertices, triangles)
        As Gazebo splits the file: by object and material.
    scale : sequence of float
        The SDF's three numbers, applied to each vertex with their signs.
    density : float
        [kg/m³]

    Returns
    -------
    Inertial
        In the mesh's frame.

    Raises
    ------
    InertiaError
        ``gazebo_refuses`` if Gazebo reports the errors 37 and 19 and the simulator does not start.
    """
    total = Inertial.zero
    for vertices, triangles in submeshes:
        body = _submesh(vertices[triangles].astype(np.float64) * np.array(scale), density)
        if body is not None and total.mass + body.mass > 0.0:
            total += body
    if not (total.mass > 0.0 and np.isfinite(total.inertia).all() and gz_accepts(total.inertia)):
        raise InertiaError.of("gazebo_refuses", numbers="")
    return total


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


def _submesh(corners: FloatArray, density: float) -> Inertial | None:
    """Return the body of one submesh, given by corners (m, 3, 3), as Gazebo uses it; None if it skips the submesh."""
    volume, first, second = _integrals(corners)
    if volume == 0.0:  # a plane through the origin: Gazebo divides by the volume and drops the result
        return None
    # The second moments about the centroid, and from them the tensor: tr(C) 1 - C.
    centroid = first / volume
    covariance = second - volume * np.outer(centroid, centroid)
    tensor = density * (np.trace(covariance) * np.eye(3) - covariance)
    body = Inertial(volume * density, centroid, tensor)
    if body.mass < 0.0 or not _leading_minors_positive(tensor):
        return None
    return body if gz_accepts(tensor) else _bent(body)


def _integrals(corners: FloatArray) -> tuple[float, FloatArray, FloatArray]:
    """Return ∫dV, ∫x dV and ∫x xᵀ dV as surface integrals, each over one component of the normal.

    By the divergence theorem ∫dV = ∮ x n_x dA, ∫x² dV = ∮ x³/3 n_x dA, ∫xy dV = ∮ x²/2 y n_x dA and so on by rotation
    of the axes. On a closed surface any choice gives the same result; on an open one this is Gazebo's choice.
    """
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    doubled = np.cross(b - a, c - a)  # twice the area, along the normal
    # All products of one, two and three corner coordinates, summed: the mean of x, x² or x³ over a triangle is h1 / 3,
    # h2 / 6 or h3 / 10.
    h1 = a + b + c
    h2 = a * a + b * b + c * c + a * b + b * c + c * a
    h3 = a**3 + b**3 + c**3 + a * a * (b + c) + b * b * (c + a) + c * c * (a + b) + a * b * c
    volume = float((doubled[:, 0] * h1[:, 0]).sum() / 6.0)
    first = (doubled * h2).sum(axis=0) / 24.0
    second = np.diag((doubled * h3).sum(axis=0) / 60.0)
    for axis, other in ((0, 1), (1, 2), (2, 0)):
        # ∫ u² v over a triangle is its area / 30 times the sum over the corners of v (h2 + u (h1 + u)).
        weight = h2[:, None, axis] + corners[:, :, axis] * (h1[:, None, axis] + corners[:, :, axis])
        mixed = float((doubled[:, axis] * (corners[:, :, other] * weight).sum(axis=1)).sum() / 120.0)
        second[axis, other] = second[other, axis] = mixed
    return volume, first, second


def _leading_minors_positive(tensor: FloatArray) -> bool:
    # Sylvester's criterion for a positive definite matrix, as gz-math has it.
    tolerance = VALIDITY_EPS * abs(float(np.trace(tensor)))
    return all(float(np.linalg.det(tensor[:size, :size])) + tolerance >= 0.0 for size in (1, 2, 3))


def _bent(body: Inertial) -> Inertial | None:
    """Return the body with its two smaller principal moments enlarged to satisfy the triangle inequality."""
    principal = body.principal()
    low, middle, high = principal.moments.tolist()
    if 1.0 - (low + middle) / high > MAY_BEND:
        return None
    # Both smaller moments by one factor, after which their sum is the largest.
    moments = np.array([low, middle, high]) * np.array([high / (low + middle)] * 2 + [1.0])
    return Inertial(body.mass, body.com, principal.axes.T @ np.diag(moments) @ principal.axes)
