# SPDX-License-Identifier: GPL-3.0-or-later
"""A picture of the model with what was computed of it, made without a window."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path

import bpy
import numpy as np

from ..core.arrays import FloatArray
from ..core.errors import InertiaError
from .occurrences import Occurrence, Occurrences
from .overlay.backdrop import Ground, draw_backdrop
from .overlay.camera import Camera
from .overlay.draw import draw_bodies
from .overlay.labels import draw_labels
from .overlay.picture import Pixels, halved, picture, require_gpu, write_png
from .overlay.shapes import BodyView, apply, ellipsoid_of
from .overlay.solids import Solid

WIDTH, HEIGHT = 1120, 800

FINER = 2
"""Drawn so much larger and then reduced, since nothing is multisampled offscreen."""


def write_preview(
    path: str | PathLike[str],
    views: Sequence[BodyView],
    depsgraph: bpy.types.Depsgraph,
    metres_per_unit: float = 1.0,
) -> None:
    """Write a PNG of all tagged geometry as it stands in the evaluated scene, with the bodies' inertia on top.

    Parameters
    ----------
    path : path
        Replaced if it exists; written whole or not at all.
    views : sequence of BodyView
        What to draw of the links.
    depsgraph : bpy.types.Depsgraph
        Evaluated; what `read_model` read. Nothing of it is changed.
    metres_per_unit : float
        Length of a Blender unit [m].

    Raises
    ------
    InertiaError
        ``no_gpu``: nothing can be drawn here; ``nothing_to_show``: no body and no geometry.
    OSError
        The file cannot be written.
    """
    solids = solids_of(depsgraph)  # before the GPU is woken: that render evaluates anew
    require_gpu()
    write_png(Path(path), draw_preview(views, solids, metres_per_unit))


def draw_preview(views: Sequence[BodyView], solids: Sequence[Solid], metres_per_unit: float = 1.0) -> Pixels:
    """Return the picture, (HEIGHT, WIDTH, 4) from the top; wants a usable GPU."""
    ground, camera = framed(views, solids, metres_per_unit)

    def draw() -> None:
        draw_backdrop(solids, ground, camera)
        draw_bodies(views, camera, metres_per_unit)
        draw_labels(views, camera, metres_per_unit)

    return halved(picture(camera.width, camera.height, draw))


def framed(views: Sequence[BodyView], solids: Sequence[Solid], metres_per_unit: float = 1.0) -> tuple[Ground, Camera]:
    """Return the ground under the model and a camera that has all of it in the picture."""
    shapes = [ellipsoid_of(view, metres_per_unit) for view in views]
    points = np.concatenate(
        [np.zeros((0, 3)), *(solid.vertices for solid in solids), *(shape.mesh()[0] for shape in shapes)]
    )
    points = points[np.all(np.isfinite(points), axis=1)]
    if not len(points):
        raise InertiaError("nothing_to_show", "", "there is no body and no geometry to show", "tag some objects")
    if not np.ptp(points, axis=0).any():
        points = np.concatenate([points - 0.5, points + 0.5])
    ground = Ground.under(points)
    return ground, Camera.framing(points, ground.reach, FINER * WIDTH, FINER * HEIGHT, FINER)


def solids_of(depsgraph: bpy.types.Depsgraph) -> list[Solid]:
    """Return the geometry of all collisions and visuals that can be read; whoever computes says what cannot."""
    occurrences = Occurrences(depsgraph)
    parts = [part for link in occurrences.links for part in occurrences.parts[link]]
    return [solid for part in parts if (solid := _solid(part)) is not None]


def _solid(part: Occurrence) -> Solid | None:
    try:
        part.require()
        surface = part.surface()
    except InertiaError:
        return None
    to_world: FloatArray = np.array(part.matrix_world, dtype=np.float64)
    return Solid(apply(to_world, surface.vertices), surface.triangles)
