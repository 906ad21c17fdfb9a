# SPDX-License-Identifier: GPL-3.0-or-later
"""Detects when an object that defines the frame of a joint has moved against the child link: then the joint is read
again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import bpy
import numpy as np
import numpy.typing as npt

from ...core.arrays import FloatArray
from ..names import PROPERTIES
from .transforms import NOISE, Indices


@dataclass(frozen=True, eq=False)
class JointFrames:
    """Pairs of a frame's object and the child's, by their places in Blender's list, and their poses when read."""

    frame: Indices
    child: Indices
    stood: FloatArray
    none: ClassVar[JointFrames]

    @classmethod
    def of_scene(cls, number: Mapping[str, int], matrices: npt.NDArray[np.float32]) -> JointFrames:
        """Find the pairs of all objects there are.

        Parameters
        ----------
        number : mapping of str to int
            The place of each object by its full name.
        matrices : ndarray, shape (n, 4, 4), float32
            Of all objects, to the world.
        """
        pairs = []
        for index, ob in enumerate(bpy.data.objects):
            settings = getattr(ob, PROPERTIES)
            if settings.joint_type == "NONE":
                continue
            if settings.is_link and settings.joint_frame is not None:
                pairs.append((number.get(settings.joint_frame.name_full, index), index))
            elif settings.is_joint and settings.joint_child is not None:
                pairs.append((index, number.get(settings.joint_child.name_full, index)))
        frame, child = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
        return cls(frame, child, _between(frame, child, matrices))

    def moved(self, matrices: npt.NDArray[np.float32]) -> bool:
        """Return True if any frame has moved against its link."""
        if not len(self.frame):
            return False
        if max(self.frame.max(), self.child.max()) >= len(matrices):
            return True
        now = _between(self.frame, self.child, matrices)
        size = np.maximum(np.abs(self.stood), np.abs(now)).max(axis=(1, 2))
        return bool((np.abs(now - self.stood).max(axis=(1, 2)) > 8.0 * NOISE * size).any())


JointFrames.none = JointFrames(np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp), np.zeros((0, 4, 4)))


def _between(frame: Indices, child: Indices, matrices: npt.NDArray[np.float32]) -> FloatArray:
    if not len(frame):
        return np.zeros((0, 4, 4))
    M = np.nan_to_num(matrices.astype(np.float64))
    between: FloatArray = np.linalg.pinv(M[child]) @ M[frame]
    return between
