# SPDX-License-Identifier: Apache-2.0
"""Compares what a simulator will compute for an AUTO link with our own numbers.

A simulator integrates each written mesh exactly, with its sign, and ignores the parameters. So AUTO is possible only if
that integral is our number too, by whichever method we got it. For a mesh with overlapping parts we write their union.
Voxels only differ in accuracy: for them we show the exact number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..body.compare import difference
from ..body.shapes import Shape
from ..errors import Finding, InertiaError
from ..files.polygons import surface_of
from ..findings.listed import title_of
from ..mesh.hull import convex_hull, simplified
from ..mesh.integrate import surface_moments
from ..mesh.methods import METHODS
from ..mesh.surface import Surface
from ..units import few_text
from .calculators import chosen_method
from .model import Collision, Link, Mesh
from .part import PartBody, params_of, resolve_part

NOT_LOADED = 1e-6
"""A simulator's number may differ from ours by this share; beyond it the link is written filled."""

WORTH_A_WARNING = 1e-2
"""From this relative difference on, report that a simulator may ignore the method."""


def as_loaded(
    link: Link, parts: list[PartBody], quick: bool = False, from_file: bool = False
) -> tuple[list[PartBody], list[Finding], list[str]]:
    """Compare the resolved parts of an AUTO link with what a simulator will compute.

    Parameters
    ----------
    parts : list of PartBody
        One for each part that has mass, none refused.
    quick, from_file : bool
        As in `resolve_link`. A simulator sees a file's own meshes, without any correction.

    Returns
    -------
    parts : list of PartBody
        As a simulator computes them.
    findings : list of Finding
        ``auto_ignores_method`` if voxels would give another number.
    obstacles : list of str
        Why the link cannot be AUTO, with both numbers; empty if it can.
    """
    apart = _mass_apart(link)
    if apart:
        return parts, [], [apart]
    loaded, findings, obstacles = [], [], []
    for part, collision in zip(parts, link.collisions, strict=True):
        params = params_of(collision, link)
        obstacle = _obstacle(part, collision, params, from_file)
        voxels = isinstance(collision.geometry, Mesh) and chosen_method(params) == "voxel"
        if voxels or obstacle:
            exact = resolve_part(replace(collision, params={}), link, quick)
            if voxels and exact.inertial is not None and not _obstacle(exact, collision, {}, from_file):
                findings += _ignored(link.name, part, exact)
                part, obstacle = exact, ""
            elif obstacle and exact.inertial is None:
                obstacle += f" ({title_of(exact.findings[-1].code)})"
        loaded.append(part)
        obstacles += [obstacle] if obstacle else []
    return loaded, findings, obstacles


def as_stated(link: Link, parts: Sequence[PartBody]) -> Link:
    """Return an AUTO link as its file gives it: a part's own mass becomes the density of its collision.

    A target mass goes into the densities, too: a simulator would scale all parts to it.
    """
    if all(collision.mass is None for collision in link.collisions):
        return link
    density = {part.name: part.density for part in parts}
    collisions = tuple(replace(collision, density=density[collision.name], mass=None) for collision in link.collisions)
    return replace(link, mass=None, collisions=collisions)


def written_surface(collision: Collision, corrected: Surface | None) -> Surface | None:
    """Return the surface [m] in a collision's mesh file, if it is not the mesh itself.

    Parameters
    ----------
    corrected : Surface or None
        The surface as measured, if it was corrected.

    Raises
    ------
    InertiaError
        ``not_simplified``, or what `convex_hull` raises.
    """
    if not isinstance(collision.geometry, Mesh) or collision.write_as in ("as_is", "decomposed"):
        return corrected
    surface = corrected or collision.geometry.baked
    if collision.write_as == "convex_hull":
        return convex_hull(surface)
    return simplified(surface, collision.simplify_tolerance)


def _mass_apart(link: Link) -> str:
    """Return which parts have mass without colliding, or the reverse: a simulator does not distinguish the two."""
    only_weigh = [part.name for part in link.masses]
    only_collide = [collision.name for collision in link.collisions if not collision.has_mass]
    groups = (
        (only_weigh, "has mass without colliding", "have mass without colliding"),
        (only_collide, "collides without having mass", "collide without having mass"),
    )
    stated = ((names, singular if len(names) == 1 else plural) for names, singular, plural in groups if names)
    reasons = [f"{few_text(names, 3)} {verb}" for names, verb in stated]
    return ", and ".join(reasons)


def _ignored(link: str, part: PartBody, exact: PartBody) -> list[Finding]:
    assert part.inertial is not None and exact.inertial is not None
    apart = difference(part.inertial, exact.inertial).worst
    if apart <= WORTH_A_WARNING:
        return []
    values = {"mass": part.inertial.mass, "exact": exact.inertial.mass, "percent": 100.0 * apart}
    return [Finding.of("warning", "auto_ignores_method", f"{link}/{part.name}", **values)]


def _obstacle(part: PartBody, collision: Collision, params: Mapping[str, str], from_file: bool) -> str:
    """Return why a simulator's number for a part differs from ours, with both; empty if they are equal."""
    geometry = collision.geometry
    if isinstance(geometry, Shape) and "sdf" not in geometry.formats:
        geometry = Mesh(surface_of(geometry), np.eye(3))
    if not isinstance(geometry, Mesh):
        return ""
    if collision.write_as == "decomposed" and not from_file:
        return f"{part.name} is to be decomposed by the simulator, which computes from the pieces"
    as_it_is = part.surface is None and not part.error and collision.write_as == "as_is"
    if chosen_method(params) == "exact" and part.method == "exact" and (as_it_is or from_file):
        return ""  # they are equal; `judge.gazebo_link` reports what Gazebo makes of a file's wrongly wound faces
    assert part.inertial is not None and part.density is not None
    name = "exact" if part.method == "union" else part.method
    method = METHODS[name].label if name in METHODS else name  # a user's own calculator
    ours = f"{part.name} by the method {method} has {part.inertial.mass:.6g} kg"
    try:
        written = None if from_file else written_surface(collision, part.surface)
        signed = surface_moments(written or geometry.baked)
        simulated = signed.inertial(part.density).transformed(collision.pose)
    except InertiaError as error:
        return f"{ours}, a simulator would refuse it ({title_of(error.code)})"
    if difference(part.inertial, simulated).worst <= NOT_LOADED:
        return ""
    return f"{ours}, a simulator computes {simulated.mass:.6g} kg from the mesh as written"
