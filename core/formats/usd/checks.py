# SPDX-License-Identifier: Apache-2.0
"""What engines make silently of the mass properties of a USD stage, and what they read differently."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from ...arrays import FloatArray
from ...errors import Finding
from ...robot.extent import extent_of
from ...robot.model import Mesh
from ...robot.part import resolve_part
from ...units import listed_text, numbers_text
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
    moving = [link for link in links if not link.static]
    nested = [link for link in moving if link.read.given["above"] is not None]
    if nested:
        yield Finding.of("warning", "nested_bodies", place, bodies=_counted(nested))
    scaled = [link for link in moving if (link.read.scale != 1.0).any()]
    if scaled:
        scale = numbers_text(scaled[0].read.scale)
        yield Finding.of("warning", "scaled_body", place, bodies=_counted(scaled), scale=scale)
    free = [link for link in moving if link.given.mass is None]
    light = [link for link in free if any(_is_unchosen(shape) for shape in link.read.colliders)]
    if light:
        yield Finding.of("warning", "unchosen_density", place, "usd", bodies=_counted(light))
    yield from _of_tensors(place, moving)
    yield from _of_centres(place, moving)
    yield from _of_hulls(place, free)


def _of_tensors(place: str, links: Sequence[UsdLink]) -> Iterator[Finding]:
    """Yield that a body has two tensors that differ."""
    differ = [link for link in links if link.given.disagree]
    if differ:
        given = differ[0].given
        newton, usual = (numbers_text(np.linalg.eigvalsh(tensor)) for tensor in given.tensors)
        yield Finding.of("warning", "two_tensors", place, bodies=_counted(differ), newton=newton, usual=usual)


def _of_centres(place: str, links: Sequence[UsdLink]) -> Iterator[Finding]:
    """Yield that engines take the centre, or the tensor, from the colliders, if only a part is given."""
    lacking = {link: com for link in links if (com := _assumed_centre(link)) is not None}
    if lacking:
        centre = numbers_text(next(iter(lacking.values())))
        yield Finding.of("warning", "usd_partial", place, "centre", bodies=_counted([*lacking]), centre=centre)
    for link in links:
        computed, body, given = link.computed.inertial, link.body.inertial, link.given
        if link.auto and given.mass is not None and given.com is not None and computed is not None and body is not None:
            ends = np.diag(body.inertia), np.diag(computed.scaled_to(body.mass).inertia)
            if np.abs(ends[0] - ends[1]).max() > NOTICEABLE * ends[1].max():
                moved, kept = map(numbers_text, ends)
                yield Finding.of("warning", "usd_partial", str(link.element), "tensor", moved=moved, same=kept)


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
        approximations = {shape.name: shape.given["approximation"] for shape in link.read.colliders}
        meshes = [part for part in link.link.collisions if isinstance(part.geometry, Mesh) and part.mass is None]
        meshes = [part for part in meshes if approximations[part.name] == "convexHull"]
        known = {part.name: part.inertial for part in link.body.parts}
        hulls = [resolve_part(replace(part, params=CONVEX), link.link, quick=True).inertial for part in meshes]
        solids = [known.get(part.name) for part in meshes]
        hull, solid = (sum(inertial.mass for inertial in some if inertial is not None) for some in (hulls, solids))
        if None not in (*hulls, *solids) and hull - solid > NOTICEABLE * max(hull, solid):
            differ[link] = hull, solid
    if differ:
        hull, solid = (sum(masses) for masses in zip(*differ.values(), strict=True))
        yield Finding.of("warning", "hull_mass", place, bodies=_counted([*differ]), hull=hull, solid=solid)


def _is_unchosen(shape: Shape) -> bool:
    return shape.own.mass is None and shape.chosen_density is None


def _counted(links: Sequence[UsdLink]) -> str:
    names = listed_text([link.local_name for link in links], 3)
    return f"body {names}" if len(links) == 1 else f"{len(links)} bodies ({names})"
