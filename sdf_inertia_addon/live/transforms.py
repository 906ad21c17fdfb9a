# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the matrices of objects with those at the last reading.

`Transforms`: which links and parts have moved, and which as one rigid body. `JointFrames`: if the frame of a joint has
moved against the child link, so that the joint must be read again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import bpy
import numpy as np
import numpy.typing as npt

from ...core.arrays import FloatArray
from ...core.body.pose import Pose
from ..names import PROPERTIES
from ..scene import geometry

Indices = npt.NDArray[np.intp]

NOISE = 16 * float(np.finfo(np.float32).eps)
"""What is left, relatively, of a product of a few float32 matrices: each number is a sum of a few rounded terms."""


class Transforms:
    """The matrices that links were read with.

    Parameters
    ----------
    roots : sequence of int
        The object of each link, by its place in Blender's list.
    parts : sequence of sequence of int
        The objects of each link's collisions and visuals.
    matrices : ndarray, shape (n, 4, 4), float32
        Of all objects, to the world [Blender units].
    placed : sequence of bool
        False for a link that Blender does not evaluate: changes of its matrix are ignored.
    """

    def __init__(
        self,
        roots: Sequence[int],
        parts: Sequence[Sequence[int]],
        matrices: npt.NDArray[np.float32],
        placed: Sequence[bool],
    ) -> None:
        self._placed = np.array(placed, dtype=bool)
        self.matrices = matrices
        self.root: Indices = np.array(roots, dtype=np.intp)
        self.part: Indices = np.array([part for indices in parts for part in indices], dtype=np.intp)
        self.owner: Indices = np.repeat(np.arange(len(roots)), [len(indices) for indices in parts])
        self._read = np.zeros((len(self.root), 4, 4))
        self._within = np.zeros((len(self.part), 4, 4))
        self._steady = np.zeros(len(self.root), dtype=bool)
        self.note_read(np.arange(len(self.root)))

    def note_read(self, links: Indices) -> None:
        """Record that these links were read with the present matrices."""
        self._read[links] = self.matrices[self.root[links]]
        M = self._read[links]
        # Only if its axes are at right angles and not mirrored does the frame of a link turn as its matrix does.
        self._steady[links] = [bool(np.isfinite(matrix).all()) and _upright(matrix[:3, :3]) for matrix in M]
        self._steady &= self._placed
        moving = np.isin(self.owner, links)
        moving &= self._steady[self.owner]
        if moving.any():
            self._within[moving] = np.linalg.inv(self._read[self.owner[moving]]) @ self.matrices[self.part[moving]]

    def move(self, matrices: npt.NDArray[np.float32]) -> tuple[Indices, Indices]:
        """Store the current matrices of all objects.

        Returns
        -------
        carried : ndarray of int
            Links that have moved with their parts as one rigid body: only their pose has changed.
        changed : ndarray of int
            Links whose parts have moved relative to them, or that were scaled: they must be read again.
        """
        moved = (matrices != self.matrices).any(axis=(1, 2))  # a NaN is always other than before, and read again
        self.matrices = matrices
        if not moved.any():
            nothing = np.zeros(0, dtype=np.intp)
            return nothing, nothing
        roots = moved[self.root]
        parts = np.zeros(len(self.root), dtype=bool)
        parts[self.owner[moved[self.part]]] = True
        changed = parts & ~roots  # the link has not moved at all, so its part did not move by rounding
        carried = np.flatnonzero(roots)
        rigid = self._rigid(carried)
        changed[carried[~rigid]] = True
        return carried[rigid], np.flatnonzero(changed)

    def poses(self, links: Indices, metres_per_unit: float) -> list[Pose]:
        """Return the frames of links, none of them mirrored, in the world: location and rotation of their matrices."""
        M = self.matrices[self.root[links]].astype(np.float64)
        axes = M[:, :3, :3]
        x = axes[:, :, 0] / _length(axes[:, :, 0])
        z = np.cross(x, axes[:, :, 1])
        z /= _length(z)
        return Pose.many(np.stack([x, np.cross(z, x), z], axis=2), metres_per_unit * M[:, :3, 3])

    def _rigid(self, links: Indices) -> npt.NDArray[np.bool_]:
        """Return which links have moved as one with their parts since they were read, except for rounding."""
        before, now = self._read[links], self.matrices[self.root[links]].astype(np.float64)
        with np.errstate(invalid="ignore", over="ignore"):
            old, new = before[:, :3, :3], now[:, :3, :3]
            length = np.sqrt((old * old).sum(axis=1))
            bends = np.abs(new.transpose(0, 2, 1) @ new - old.transpose(0, 2, 1) @ old)
            rigid: npt.NDArray[np.bool_] = (bends <= NOISE * length[:, :, None] * length[:, None, :]).all(axis=(1, 2))
            rigid &= self._steady[links] & (_handedness(before) * _handedness(now) > 0.0)
        place = np.full(len(self.root), -1)
        place[links[rigid]] = np.flatnonzero(rigid)
        parts = np.flatnonzero(place[self.owner] >= 0)
        link = place[self.owner[parts]]
        part = self.matrices[self.part[parts]].astype(np.float64)
        with np.errstate(invalid="ignore", over="ignore"):
            off = np.abs(now[link] @ self._within[parts] - part)
            size = np.sqrt((part * part).sum(axis=1))  # of each column
            size[:, 3] += np.sqrt((now[link, :3, 3] ** 2).sum(axis=1))
            apart = ~(off <= NOISE * size[:, None, :]).all(axis=(1, 2))
        rigid[link[apart]] = False
        return rigid


def _handedness(M: FloatArray) -> FloatArray:
    """Return the determinants (n,) of the axes of maps (n, 4, 4)."""
    volumes: FloatArray = (np.cross(M[:, :3, 0], M[:, :3, 1]) * M[:, :3, 2]).sum(axis=1)
    return volumes


def _length(vectors: FloatArray) -> FloatArray:
    length: FloatArray = np.sqrt((vectors * vectors).sum(axis=1, keepdims=True))
    return length


def _upright(axes: FloatArray) -> bool:
    upright = bool(np.linalg.norm(axes, axis=0).all()) and geometry.shear(axes) <= geometry.SHEAR
    return upright and bool(np.linalg.det(axes) > 0.0)


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
