# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the voxels of a link's parts, for the overlay."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from ...core.errors import InertiaError
from ...core.mesh.surface import Surface
from ...core.mesh.voxel import default_voxel_size
from ...core.mesh.voxels.runs import Runs, voxel_runs
from ...core.robot.calculators import chosen_method, lengths_of
from ...core.robot.model import Mesh
from ...core.robot.part import params_of
from ...core.robot.resolve import LinkBody
from ..colors import Color
from ..overlay.voxels import VoxelView
from ..translations.words import iface_

_runs: WeakKeyDictionary[Surface, dict[tuple[bytes, float], Runs]] = WeakKeyDictionary()


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
