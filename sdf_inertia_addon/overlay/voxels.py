# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws the boxes that the voxel method sums: each a column of voxels, whose borders are lines on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import gpu
import numpy as np
from mathutils import Matrix

from ...core.arrays import FloatArray
from ...core.body.pose import Pose
from ...core.mesh.voxels.runs import Runs
from ..colors import Color
from ..translations.words import iface_, n_
from . import shaders
from .buffers import InstancedShape
from .camera import Camera

FRONT = 0.98
"""Voxels stand before everything: in the mesh that they stand for, half of them would be hidden. This share of the
depth is given up for that; in the rest they hide each other as ever."""

LIGHT = np.array([-0.45, 0.65, 0.62])
"""Where the light comes from, in the camera's axes."""

LINE = 0.9
"""Width of the lines between voxels [interface px]."""


@dataclass(frozen=True, eq=False)
class VoxelView:
    """The voxels of one collision: `frame` is the mesh's in the world [m]; `asked` is the voxel size set [m]."""

    name: str
    frame: Pose
    runs: Runs
    color: Color
    asked: float


class VoxelBoxes:
    """The boxes of one collision on the GPU: the same for every camera, and wherever the link goes.

    Parameters
    ----------
    view : VoxelView
    metres_per_unit : float
        Length of a Blender unit [m].
    before : VoxelBoxes, optional
        What was drawn of the collision before; its boxes are used again if they are the same.
    """

    def __init__(self, view: VoxelView, metres_per_unit: float, before: VoxelBoxes | None = None) -> None:
        self.view = view
        runs = view.runs
        # From the grid's middle: far from it float32 would shake.
        self._middle = runs.origin if not len(runs.low) else (runs.low.min(axis=0) + runs.high.max(axis=0)) / 2.0
        if before is not None and before.view.runs is runs:
            self._rows: InstancedShape = before._rows
        else:
            rows = np.zeros((len(runs.low), 8))
            rows[:, :3] = (runs.low + runs.high) / 2.0 - self._middle
            rows[:, 4:7] = (runs.high - runs.low) / 2.0
            self._rows = InstancedShape(shaders.run, "cube", rows.astype(np.float32))
        self._to_world = np.eye(4)
        self._to_world[:3, :3] = view.frame.R / metres_per_unit
        self._to_world[:3, 3] = (view.frame.R @ self._middle + view.frame.p) / metres_per_unit

    def draw(self, camera: Camera) -> None:
        """Draw into the framebuffer that is bound, over what is there; leaves blending as it was."""
        runs = self.view.runs
        placed: FloatArray = camera.projection @ camera.view @ self._to_world
        turn = camera.view[:3, :3] @ self.view.frame.R
        gpu.state.depth_test_set("LESS_EQUAL")
        gpu.state.depth_mask_set(True)
        gpu.state.face_culling_set("BACK")
        self._rows.draw(
            1.0,
            placed=Matrix(placed),
            color=(*self.view.color, 0.5 * LINE * camera.scale + 0.5),
            origin=(*(runs.origin - self._middle), runs.voxel_size),
            light=(*(turn.T @ (LIGHT / np.linalg.norm(LIGHT))), FRONT),
        )
        gpu.state.face_culling_set("NONE")
        gpu.state.depth_mask_set(False)


def note_of(views: Sequence[VoxelView]) -> str:
    """Return which voxels are drawn larger than they are, or not at all, in words."""
    notes = []
    for view in views:
        if view.runs.voxel_size > 1.5 * view.asked:
            times = round(view.runs.voxel_size / view.asked)
            text = n_("{name}: voxels drawn {times} times as large, {size} m")
            notes.append(iface_(text, name=view.name, times=times, size=f"{view.runs.voxel_size:.3g}"))
        if view.runs.open_columns:
            text = n_("{name}: {count} columns of voxels run into a hole")
            notes.append(iface_(text, name=view.name, count=view.runs.open_columns))
    return "    ".join(notes)
