# SPDX-License-Identifier: Apache-2.0
"""Rigid poses, and the two forms in which SDFormat writes them."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, cos, hypot, sin
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from ..arrays import IDENTITY, FloatArray, readonly, readonly_of

MIRROR: FloatArray = np.diag([-1.0, 1.0, 1.0])


@dataclass(frozen=True, eq=False)
class Pose:
    """The pose X_AB of a frame B in a frame A: a point p_B is at ``R @ p_B + p`` in A.

    Parameters
    ----------
    R : array_like, shape (3, 3)
        Rotation of B in A; its columns are B's axes.
    p : array_like, shape (3,)
        B's origin in A [m].

    Examples
    --------
    >>> from sdf_inertia import Pose, read_robot
    >>> hand = read_robot("examples/arm.urdf").links["hand"].inertial
    >>> print(hand.transformed(Pose.from_sdf([1, 2, 3, 0, 0, 0])).com)
    [1.   2.   3.03]
    """

    R: FloatArray
    p: FloatArray

    identity: ClassVar[Pose]

    def __post_init__(self) -> None:
        object.__setattr__(self, "R", readonly(self.R, (3, 3)))
        object.__setattr__(self, "p", readonly(self.p, (3,)))

    @classmethod
    def many(cls, R: FloatArray, p: FloatArray) -> list[Pose]:
        """Return the poses with the rotations R (n, 3, 3) and origins p (n, 3), and take over the arrays.

        Ten times faster than one by one: a drag moves a hundred at every step.
        """
        R.flags.writeable = p.flags.writeable = False
        poses = []
        for rotation, origin in zip(R, p, strict=True):
            pose = object.__new__(cls)
            pose.__dict__.update(R=rotation, p=origin)
            poses.append(pose)
        return poses

    def __matmul__(self, other: Pose) -> Pose:
        """Return X_AC, the composition of ``X_AB @ X_BC``."""
        return Pose(self.R @ other.R, self.R @ other.p + self.p)

    def inverse(self) -> Pose:
        """Return X_BA."""
        return Pose(self.R.T, -self.R.T @ self.p)

    @classmethod
    def from_sdf(cls, values: npt.ArrayLike) -> Pose:
        """Return the pose of SDFormat's six numbers.

        Parameters
        ----------
        values : array_like, shape (6,)
            x y z [m], then roll pitch yaw [rad] about the fixed x, y, z axes: R = Rz(yaw) Ry(pitch) Rx(roll).
        """
        x, y, z, roll, pitch, yaw = values if isinstance(values, list) else readonly(values, (6,)).tolist()
        if roll == pitch == yaw == 0.0:
            return cls(IDENTITY, readonly_of([x, y, z]))
        cr, sr, cp, sp, cy, sy = cos(roll), sin(roll), cos(pitch), sin(pitch), cos(yaw), sin(yaw)
        R = [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
        return cls(readonly_of(R), readonly_of([x, y, z]))

    def to_sdf(self) -> tuple[float, float, float, float, float, float]:
        """Return x y z [m] and roll pitch yaw [rad], the inverse of `from_sdf`.

        Near gimbal lock yaw is ill-determined, so roll is measured after yaw has been undone: whichever yaw was chosen,
        the three angles together give the rotation.
        """
        R = self.R
        x, y, z = self.p.tolist()
        # + 0.0 turns a negative zero into zero, which readers expect.
        if R is IDENTITY:
            return x + 0.0, y + 0.0, z + 0.0, 0.0, 0.0, 0.0
        pitch = atan2(-R[2, 0], hypot(R[0, 0], R[1, 0]))
        yaw = atan2(R[1, 0], R[0, 0])
        cy, sy = cos(yaw), sin(yaw)
        roll = atan2(sy * R[0, 2] - cy * R[1, 2], cy * R[1, 1] - sy * R[0, 1])
        return x + 0.0, y + 0.0, z + 0.0, roll + 0.0, pitch + 0.0, yaw + 0.0

    @classmethod
    def from_quaternion(cls, p: npt.ArrayLike, xyzw: npt.ArrayLike) -> Pose:
        """Return the pose of a position and a quaternion (x, y, z, w) of any length above zero."""
        q = readonly(xyzw, (4,))
        length = float(np.linalg.norm(q))
        if not np.isfinite(length) or length == 0.0:
            raise ValueError(f"a quaternion of length {length} is no rotation")
        x, y, z, w = (q / length).tolist()
        R = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
        return cls(np.array(R), readonly(p, (3,)))

    def to_quaternion(self) -> FloatArray:
        """Return the rotation as a unit quaternion (x, y, z, w) with w >= 0.

        The largest of the four squared components is found first and the others are divided by it, so that it never
        divides by a small number (Shepperd 1978, J. Guidance and Control 1(3)).
        """
        R = self.R
        trace = R[0, 0] + R[1, 1] + R[2, 2]
        # Row i is 4 q_i times the quaternion (x, y, z, w).
        rows = np.array(
            [
                [1 + 2 * R[0, 0] - trace, R[0, 1] + R[1, 0], R[0, 2] + R[2, 0], R[2, 1] - R[1, 2]],
                [R[0, 1] + R[1, 0], 1 + 2 * R[1, 1] - trace, R[1, 2] + R[2, 1], R[0, 2] - R[2, 0]],
                [R[0, 2] + R[2, 0], R[1, 2] + R[2, 1], 1 + 2 * R[2, 2] - trace, R[1, 0] - R[0, 1]],
                [R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1], 1 + trace],
            ]
        )
        q: FloatArray = rows[int(np.argmax(np.diag(rows)))]
        return q / np.linalg.norm(q) * (1.0 if q[3] >= 0 else -1.0)


Pose.identity = Pose(IDENTITY, readonly_of([0.0, 0.0, 0.0]))


def rigid(A: FloatArray, t: FloatArray) -> tuple[Pose, FloatArray]:
    """Return the map ``A p + t`` as a pose, and what it does to a part before that: a mirror, a scale (3, 3).

    The rotation is the nearest to A, by its singular values.
    """
    mirror = MIRROR if np.linalg.det(A) < 0.0 else np.eye(3)
    U, _, Vt = np.linalg.svd(A @ mirror)
    R = U @ Vt
    before = R.T @ A  # what is left beside the rotation
    exact = np.abs(before - mirror).max() < 1e-9  # digits of the file
    return Pose(R, t), mirror if exact else before
