# SPDX-License-Identifier: GPL-3.0-or-later
"""A picture of the model with what was computed of it, made without a window."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import bpy
import numpy as np

from ...core.arrays import FloatArray
from ...core.errors import InertiaError
from ...core.files.whole_files import new_folder, write_atomic
from ...core.robot.resolve import LinkBody
from ..colors import ColorBook
from ..live.faulty_search import FaultyPart, faulty_parts
from ..overlay.bodies import Bodies
from ..overlay.body_view import BodyView
from ..overlay.camera import Camera
from ..overlay.content import views_of_bodies
from ..overlay.draw import draw_bodies, forget
from ..overlay.faulty_marks import FaultyMarks
from ..overlay.labels.draw_labels import draw_labels, draw_note
from ..overlay.unit_shapes import apply, unit_sphere
from ..scene import scene_read
from ..scene.evaluated.instances import TaggedInstance, TaggedInstances
from ..translations.words import iface_
from ..viewport import view_settings
from .backdrop import Ground, draw_backdrop
from .export_scene import Export
from .offscreen import NoGpuError, Pixels, halved, picture, png, require_gpu
from .shading import Solid

WIDTH, HEIGHT = 1120, 800

FINER = 2
"""Drawn so much larger and then reduced, since nothing is multisampled offscreen."""

INTERFACE = 1.2
"""Pixels of the picture per interface pixel: a picture is shown smaller than a screen."""


class PreviewError(Exception):
    """No picture can be drawn; the rest of an export does not depend on it."""


def write(result: Export, path: Path) -> None:
    """Write a picture of what was exported, and of refused links, whose labels give the reason.

    Raises
    ------
    PreviewError, OSError
        As `write_preview`.
    """
    depsgraph = bpy.context.evaluated_depsgraph_get()
    faulty = [part for body in result.bodies for part in faulty_parts(body, wait=True)[0]]
    views = views_of(result.bodies, depsgraph.scene)
    write_preview(path, views, depsgraph, scene_read.metres_per_unit(depsgraph.scene), faulty)


def views_of(bodies: Sequence[LinkBody], scene: bpy.types.Scene | None = None) -> list[BodyView]:
    """Return what to show of the links, refused ones too; each has the colour that it has in the scene's viewports."""
    book = ColorBook("" if scene is None else view_settings.of(scene).colors)
    return views_of_bodies(bodies, book.indices([body.name for body in bodies]))


def write_preview(
    path: Path,
    views: Sequence[BodyView],
    depsgraph: bpy.types.Depsgraph,
    metres_per_unit: float = 1.0,
    faulty: Sequence[FaultyPart] = (),
) -> None:
    """Write a PNG of all tagged geometry of the evaluated scene, with the inertia of the bodies on top.

    Parameters
    ----------
    path : path
        Replaced if it exists; written whole or not at all. Its folder is made.
    views : sequence of BodyView
        What to draw of the links.
    depsgraph : bpy.types.Depsgraph
        Evaluated; what `read_model` read. Nothing of it is changed.
    metres_per_unit : float
        Length of a Blender unit [m].
    faulty : sequence of FaultyPart
        Where meshes are faulty.

    Raises
    ------
    PreviewError
        Nothing can be drawn here, or there is nothing to draw.
    OSError
        The file cannot be written.
    """
    solids = solids_of(depsgraph)  # before the GPU is woken: that takes a render, which may evaluate again
    try:
        require_gpu()
    except NoGpuError as error:
        raise PreviewError(str(error)) from None
    try:
        pixels = draw_preview(views, solids, metres_per_unit, faulty)
    finally:
        forget()  # no shader outlives the add-on
    with new_folder(path.parent):
        write_atomic(path, png(pixels))


def draw_preview(
    views: Sequence[BodyView],
    solids: Sequence[Solid],
    metres_per_unit: float = 1.0,
    faulty: Sequence[FaultyPart] = (),
) -> Pixels:
    """Return the picture, (HEIGHT, WIDTH, 4) from the top; wants a usable GPU."""
    ground, camera = framed(views, solids, metres_per_unit)

    def draw() -> None:
        draw_backdrop(solids, ground, camera)
        marks = [FaultyMarks(part) for part in faulty]
        draw_bodies(views, camera, metres_per_unit, faulty=marks)
        left_out = draw_labels(views, camera, metres_per_unit)
        note = iface_("grid {length} m", length=f"{ground.spacing * metres_per_unit:.4g}")
        draw_note("    ".join(filter(None, (note, left_out))), camera)

    return halved(picture(camera.width, camera.height, draw))


def framed(views: Sequence[BodyView], solids: Sequence[Solid], metres_per_unit: float = 1.0) -> tuple[Ground, Camera]:
    """Return the ground under the model and a camera that has all of it in the picture.

    A body that is too large for its link would make that a dot: only its centre is in the picture.
    """
    bodies = Bodies.of(views, metres_per_unit)
    matrices = bodies.matrices(thick=False)
    matrices[[view.solid == 0.0 for view in views], :3, :3] = 0.0
    sphere, _triangles = unit_sphere()
    points = np.concatenate(
        [np.zeros((0, 3)), *(solid.vertices for solid in solids), *(apply(matrix, sphere) for matrix in matrices)]
    )
    points = points[np.all(np.isfinite(points), axis=1)]
    if not len(points):
        raise PreviewError("there is no body and no geometry to show")
    if not np.ptp(points, axis=0).any():
        points = np.concatenate([points - 0.5, points + 0.5])
    ground = Ground.under(points)
    return ground, Camera.framing(points, ground.reach, FINER * WIDTH, FINER * HEIGHT, FINER * INTERFACE)


def solids_of(depsgraph: bpy.types.Depsgraph) -> list[Solid]:
    """Return the geometry of all collisions and visuals that can be read; others are reported elsewhere."""
    instances = TaggedInstances(depsgraph)
    parts = [part for link in instances.links for part in instances.parts[link]]
    return [solid for part in parts if (solid := _solid(part)) is not None]


def _solid(part: TaggedInstance) -> Solid | None:
    try:
        part.require()
        surface = part.surface()
    except InertiaError:
        return None
    to_world: FloatArray = np.array(part.matrix_world, dtype=np.float64)
    return Solid(apply(to_world, surface.vertices), surface.triangles)
