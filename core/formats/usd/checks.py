# SPDX-License-Identifier: Apache-2.0
"""What engines make silently of the mass properties of a USD stage, and what they read differently."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from ...arrays import FloatArray
from ...body.materials import WATER
from ...errors import Finding
from ...robot.extent import extent_of
from ...robot.resolve import LinkBody, resolve_link
from ...units import numbers_text
from ..file_link import bodies_text
from .links import UsdLink
from .read import Shape, UsdRobot

NOTICEABLE = 0.01
"""A smaller share of a mass, or of a collider's size, is not reported."""

CONVEX = {"sdf_inertia:method": "hull"}
"""Measures the convex hull of a mesh."""


def file_findings(robot: UsdRobot, links: Sequence[UsdLink]) -> Iterator[Finding]:
    """Yield what engines do with the bodies of a stage: one finding for each cause."""
    place = str(robot.document.root)
    if not robot.stage["meters_authored"]:
        yield Finding.of("warning", "usd_units", place, meters=robot.units.meters)
    if not links:
        yield Finding.of("error", "no_link", place, "file")
    moving = [link for link in links if not link.static]
    nested = [link for link in moving if link.read.given["above"] is not None]
    if nested:
        yield Finding.of("warning", "nested_bodies", place, bodies=bodies_text(nested))
    scaled = [link for link in moving if (link.read.scale != 1.0).any()]
    if scaled:
        scale = numbers_text(scaled[0].read.scale)
        yield Finding.of("warning", "scaled_body", place, bodies=bodies_text(scaled), scale=scale)
    free = [link for link in moving if link.given.mass is None]
    for schema in sorted({schema for link in moving for schema in link.read.unapplied}):
        bodies = bodies_text([link for link in moving if schema in link.read.unapplied])
        yield Finding.of("warning", "usd_unapplied", place, bodies=bodies, schema=schema)
    light = [
        link for link in free if not link.read.unapplied and any(_is_unchosen(shape) for shape in link.read.colliders)
    ]
    if light:
        yield Finding.of("warning", "unchosen_density", place, "usd", bodies=bodies_text(light))
    yield from _of_tensors(place, moving)
    yield from _of_centres(place, moving)
    yield from _of_hulls(place, free)


def _of_tensors(place: str, links: Sequence[UsdLink]) -> Iterator[Finding]:
    """Yield that a body has two tensors that differ."""
    differ = [link for link in links if link.given.disagree]
    if differ:
        given = differ[0].given
        newton, usual = (numbers_text(np.linalg.eigvalsh(tensor)) for tensor in given.tensors)
        yield Finding.of("warning", "two_tensors", place, bodies=bodies_text(differ), newton=newton, usual=usual)


def _of_centres(place: str, links: Sequence[UsdLink]) -> Iterator[Finding]:
    """Yield that engines take the centre, or the tensor, from the colliders, if only a part is given."""
    lacking = {link: com for link in links if (com := _assumed_centre(link)) is not None}
    if lacking:
        centre = numbers_text(next(iter(lacking.values())))
        yield Finding.of("warning", "usd_partial", place, "centre", bodies=bodies_text([*lacking]), centre=centre)
    for link in links:
        if not (link.auto and link.given.mass is not None and link.given.com is not None):
            continue
        computed, body = link.computed.inertial, link.body.inertial
        if computed is not None and body is not None:
            moved, same = np.diag(body.inertia), np.diag(computed.scaled_to(body.mass).inertia)
            if np.abs(moved - same).max() > NOTICEABLE * same.max():
                values = {"moved": numbers_text(moved), "same": numbers_text(same)}
                yield Finding.of("warning", "usd_partial", str(link.element), "tensor", **values)


def _assumed_centre(link: UsdLink) -> FloatArray | None:
    """Return the centre of mass that engines take from the colliders, if that is not the origin of the body."""
    given, body = link.given, link.body.inertial
    if given.com is not None or (given.mass is None and given.tensor is None) or body is None:
        return None
    extent = extent_of(link.link.collisions)
    size = 0.0 if extent is None else NOTICEABLE * extent.longest
    return body.com if float(np.linalg.norm(body.com)) > size else None


def _of_hulls(place: str, links: Sequence[UsdLink]) -> Iterator[Finding]:
    """Yield that PhysX weighs the convex hulls of meshes, and their sum is not that of the meshes."""
    differ: dict[UsdLink, tuple[float, float]] = {}
    for link in links:
        if any(shape.given["approximation"] == "convexHull" for shape in link.read.colliders):
            hulls, solids = _with_hulls(link).inertial, link.computed.inertial
            if hulls is not None and solids is not None and hulls.mass - solids.mass > NOTICEABLE * solids.mass:
                differ[link] = hulls.mass, solids.mass
    if differ:
        hull, solid = (sum(masses) for masses in zip(*differ.values(), strict=True))
        yield Finding.of("warning", "hull_mass", place, bodies=bodies_text([*differ]), hull=hull, solid=solid)


def _with_hulls(link: UsdLink) -> LinkBody:
    """Return the colliders of a link with the convex hulls of those meshes that collide by them."""
    some = zip(link.solid.collisions, link.read.colliders, strict=True)
    hulls = (
        replace(part, params=CONVEX) if shape.given["approximation"] == "convexHull" else part for part, shape in some
    )
    return resolve_link(replace(link.solid, density=WATER, collisions=tuple(hulls)), quick=True)


def _is_unchosen(shape: Shape) -> bool:
    return shape.own.mass is None and shape.chosen_density is None
