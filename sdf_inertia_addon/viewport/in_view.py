# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a model a 3D view shows: which links, which faulty parts, and the voxels of the active link."""

from __future__ import annotations

from collections.abc import Iterable
from weakref import WeakKeyDictionary

import bpy

from ...core.errors import InertiaError
from ...core.mesh.surface import Surface
from ...core.mesh.voxel import default_voxel_size
from ...core.mesh.voxels.runs import Runs, voxel_runs
from ...core.robot.calculators import chosen_method, lengths_of
from ...core.robot.model import Mesh
from ...core.robot.part import params_of
from ...core.robot.resolve import LinkBody
from ..colors import Color
from ..live import LiveModel
from ..live.faulty_search import FaultyPart, SearchTask, faulty_parts
from ..overlay.content import VisibleLinks
from ..overlay.style import OverlayStyle
from ..overlay.voxels import VoxelView
from ..translations.words import iface_

_runs: WeakKeyDictionary[Surface, dict[tuple[bytes, float], Runs]] = WeakKeyDictionary()
"""The voxels of each mesh, by its scale and their size."""


def links_in_view(context: bpy.types.Context, model: LiveModel, style: OverlayStyle, hovered: str = "") -> VisibleLinks:
    """Return what is active, selected, visible and under the mouse in a 3D view, as numbers of links in `model`.

    `hovered` is a link's name; where not all links have a label, and the scope does not ask, nothing depends on what is
    selected.
    """
    active = None if context.active_object is None else model.number_of(context.active_object)
    selected: set[int] = set()
    if style.scope in ("AUTO", "SELECTED") or style.labels == "ALL":
        selected = _numbers(model, context.selected_objects)
    # A link is hidden if nothing of it can be seen in this view, because of the eye icon or of local view.
    visible = _numbers(model, context.visible_objects)
    if len(visible) < len(model.links):
        # A link without a place of its own, such as an instance, cannot be hidden.
        here = {ob.name_full for ob in context.view_layer.objects}
        visible |= {index for index, link in enumerate(model.links) if link.object not in here}
        first = {link.object: index for index, link in reversed(tuple(enumerate(model.links)))}
        visible |= {index for index, link in enumerate(model.links) if first[link.object] in visible}
    below = next((index for index, link in enumerate(model.links) if link.body.name == hovered), None)
    seen = None if len(visible) == len(model.links) else frozenset(visible)
    return VisibleLinks(active, frozenset(selected), seen, below)


def faults_of(ob: bpy.types.Object | None, model: LiveModel) -> tuple[list[FaultyPart], list[SearchTask]]:
    """Return where the meshes of the active object's part are faulty, or those of its link if it is not a part."""
    link = None if ob is None else model.link_of(ob)
    if link is None or ob is None or link.stale or not ob.visible_get():
        return [], []
    names = {name for name, owner in link.parts.items() if owner == ob.name_full}
    return faulty_parts(link.body, names or None)


def _numbers(model: LiveModel, objects: Iterable[bpy.types.Object]) -> set[int]:
    return {index for ob in objects if (index := model.number_of(ob)) is not None}


def read_voxels(body: LinkBody, color: Color) -> tuple[list[VoxelView], str]:
    """Return the voxels of a link's meshes whose method is voxels.

    What cannot be filled with voxels is reported in the text returned. Nothing is computed again while the mesh, its
    scale and the voxel size stay.
    """
    link = body.link
    if link is None:
        return [], ""
    views, problems = [], []
    for part in link.weighed:
        params = params_of(part, link)
        mesh = part.geometry
        if not isinstance(mesh, Mesh) or chosen_method(params) != "voxel":
            continue
        try:
            given = lengths_of(params).get("voxel_size")
            size = default_voxel_size(mesh.baked) if given is None else given
            runs = _runs_of(mesh, size)
        except InertiaError as error:
            problems.append(f"{part.name}: {error.message}")
            continue
        views.append(VoxelView(part.name, body.pose @ part.pose, runs, color, size))
    if not views and not problems:
        problems.append(iface_("{name}: no part is computed by voxels", name=link.name))
    return views, "    ".join(problems)


def _runs_of(mesh: Mesh, size: float) -> Runs:
    known = _runs.setdefault(mesh.surface, {})
    key = (mesh.stretch.tobytes(), size)
    if key not in known:
        known.clear()  # of one mesh, only the last size looked at is kept
        known[key] = voxel_runs(mesh.baked, size)
    return known[key]
