# SPDX-License-Identifier: Apache-2.0
"""Finds overlapping collisions of one link: their masses add up, as in libsdformat, and that is reported."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..body.shapes import Shape
from ..errors import Finding, InertiaError, Severity
from ..files.polygons import surface_of
from ..mesh.policy import READ_IN_FULL
from ..mesh.surface import Surface, joined
from ..mesh.topology.boxes import many_box_pairs
from ..mesh.voxels.columns import winding_volumes
from ..units import fitting_volume_text, rounded, share_text
from .extent import extent_of
from .model import Collision, Link, Mesh
from .part import PartBody

WORTH_A_WARNING = 1e-3
"""A smaller share of the link's mass is reported as info: screws in their holes, bearings on their shafts."""

NOTHING = 1e-6
"""A smaller share is rounding of poses and sizes: the parts touch."""

COLUMNS, MOST_COLUMNS = 32, 1024
"""Columns along the second longest side of the box in which two parts meet, and their maximum along the longest; they
run along the shortest, where heights are exact however thin the overlap is."""

MOST_PAIRS = 64
"""Maximum number of pairs: of more, those with the largest common boxes are checked. A robot's link has a few."""

SOLID = ("primitive", "exact", "union", "voxel")
"""Methods by which a part is the inside of its surface; hulls, thin walls and a user's calculators fill other space."""


def overlapping(link: Link, parts: Sequence[PartBody], mass: float, quick: bool = False) -> tuple[Finding, ...]:
    """Check which collisions of a link overlap, and which share of its mass is counted twice.

    Parameters
    ----------
    parts : sequence of PartBody
        Before they are scaled to a target mass.
    mass : float
        Their sum [kg].
    quick : bool
        Skip meshes of more than `READ_IN_FULL` faces.

    Returns
    -------
    tuple of Finding
        At most one, ``collisions_overlap``: the volume is an estimate by columns of voxels, and the mass is that of the
        lighter material, which is the minimum excess.
    """
    bodies = {part.name: part for part in parts if part.inertial is not None and part.method in SOLID}
    solid = [collision for collision in link.collisions if collision.has_mass and collision.name in bodies]
    surfaces: dict[str, Surface] = {}
    common = []
    pairs, complete = _meeting(solid)
    for pair in pairs:
        if quick and any(_is_large(collision) for collision in pair):
            continue
        try:
            for collision in pair:
                if collision.name not in surfaces:
                    surfaces[collision.name] = _in_link(collision, bodies[collision.name].surface)
            volume = _common(*(surfaces[collision.name] for collision in pair))
        except InertiaError:  # sizes whose powers overflow; the sum is still computed
            continue
        # The lighter material is counted twice at least.
        density = min(bodies[collision.name].density or 0.0 for collision in pair)
        if volume * density > NOTHING * mass:
            common.append((volume * density / mass, volume, pair[0].name, pair[1].name))
    return (_finding(link.name, common, complete),) if common else ()


def _finding(name: str, common: list[tuple[float, float, str, str]], complete: bool) -> Finding:
    _, _, first, second = max(common, key=lambda pair: rounded(pair[0]))
    shares, volumes, *_ = zip(*common, strict=True)
    share, volume = sum(shares), float(f"{sum(volumes):.1e}")
    severity: Severity = "warning" if share >= WORTH_A_WARNING else "info"
    values = {"one": first, "other": second, "about": "about" if complete else "at least"}
    values |= {"volume": fitting_volume_text(volume), "share": share_text(share)}
    form = "" if len(common) == 1 else "pairs"
    return Finding.of(severity, "collisions_overlap", name, form, count=len(common), **values)


def _is_large(collision: Collision) -> bool:
    return isinstance(collision.geometry, Mesh) and len(collision.geometry.surface.triangles) > READ_IN_FULL


def _in_link(collision: Collision, corrected: Surface | None) -> Surface:
    geometry = collision.geometry
    if isinstance(geometry, Shape):
        surface = surface_of(geometry)
    else:
        assert isinstance(geometry, Mesh)
        surface = corrected or geometry.baked
    return surface.stretched(collision.pose.R).moved(collision.pose.p)


def _meeting(collisions: Sequence[Collision]) -> tuple[list[tuple[Collision, Collision]], bool]:
    """Return the pairs whose boxes overlap, those with the largest common box first, and True if these are all."""
    boxed = [(collision, box) for collision in collisions if (box := extent_of((collision,))) is not None]
    if len(boxed) < 2:
        return [], True
    low, high = np.array([box.low for _, box in boxed]), np.array([box.high for _, box in boxed])
    # Boxes that touch have a common box without volume, which is left out.
    none = np.zeros((2, 0), dtype=np.int64)
    a, b = np.concatenate([none, *(np.stack(block) for block in many_box_pairs(low.T, high.T))], axis=1)
    sides = np.minimum(high[a], high[b]) - np.maximum(low[a], low[b])
    volume = np.maximum(sides, 0.0).prod(axis=1)
    order = np.argsort(-volume, kind="stable")[: np.count_nonzero(volume > 0.0)]
    return [(boxed[a[k]][0], boxed[b[k]][0]) for k in order[:MOST_PAIRS]], len(order) <= MOST_PAIRS


def _common(first: Surface, second: Surface) -> float:
    """Return the approximate volume [m³] in both; columns in which one of them is open are left out."""
    low = np.maximum(first.bounds()[0], second.bounds()[0])
    high = np.minimum(first.bounds()[1], second.bounds()[1])
    sides = high - low
    if not sides.min() > 0.0:
        return 0.0
    # Columns along the shortest side of the common box, of a width that is a share of the middle one.
    shortest, middle, longest = np.argsort(sides, kind="stable").tolist()
    width = max(float(sides[middle]) / COLUMNS, float(sides[longest]) / MOST_COLUMNS)
    return winding_volumes(joined([first, second]), width, shortest, (low, high)).overlap
