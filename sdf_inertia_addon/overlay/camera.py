# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a picture is taken from, and where a point of the world lands in it: plain numpy, no GPU."""

from __future__ import annotations

from dataclasses import dataclass
from math import radians, tan

import numpy as np
import numpy.typing as npt

from ...core.arrays import FloatArray

HALF_WIDTH = tan(radians(17.0))
"""Half the picture's width at distance 1: the view of Blender's own 59 mm lens, long enough not to distort."""

FILLED = (0.80, 0.74)
"""How much of the picture's width and height the model takes; the rest is for the labels."""

NEAR = 0.05
"""The near clipping plane, relative to the distance of the nearest point."""


@dataclass(frozen=True, eq=False)
class Camera:
    """A view of the world, in Blender units.

    Parameters
    ----------
    view : ndarray, shape (4, 4)
        From the world to the camera, which looks along its -z (Blender's ``region_3d.view_matrix``); rigid.
    projection : ndarray, shape (4, 4)
        From the camera to clip space (``region_3d.window_matrix``).
    width, height : int
        Of the picture [px].
    scale : float
        Pixels per interface pixel: ``preferences.system.ui_scale``, or 2 where the picture is to be halved.
    """

    view: FloatArray
    projection: FloatArray
    width: int
    height: int
    scale: float = 1.0

    def key(self) -> tuple[object, ...]:
        """Return what two cameras that see the same have in common."""
        return self.view.tobytes(), self.projection.tobytes(), self.width, self.height, self.scale

    def clip(self, points: npt.ArrayLike) -> FloatArray:
        """Return the clip coordinates (n, 4) of points (n, 3)."""
        homogeneous = np.concatenate([np.atleast_2d(points), np.ones((len(np.atleast_2d(points)), 1))], axis=1)
        clipped: FloatArray = homogeneous @ (self.projection @ self.view).T
        return clipped

    def eye(self) -> FloatArray:
        """Return the eye (4,) in homogeneous coordinates: a point, or without perspective the direction to it."""
        R, t = self.view[:3, :3], self.view[:3, 3]
        perspective = self.projection[3, 3] == 0.0
        return np.append(-R.T @ t, 1.0) if perspective else np.append(R[2], 0.0)

    def project(self, points: npt.ArrayLike) -> FloatArray:
        """Return pixels (n, 2) from the bottom left; NaN for what lies behind the camera."""
        clip = self.clip(points)
        w = np.where(clip[:, 3:] > 0.0, clip[:, 3:], np.nan)
        pixels: FloatArray = (clip[:, :2] / w + 1.0) / 2.0 * [self.width, self.height]
        return pixels

    def units_per_pixel(self, point: npt.ArrayLike) -> float:
        """Return the length in the world that one pixel shows at `point`."""
        return float(self.units_per_pixels(point)[0])

    def units_per_pixels(self, points: npt.ArrayLike) -> FloatArray:
        """Return the lengths (n,) in the world that one pixel shows at points (n, 3)."""
        lengths: FloatArray = 2.0 * np.abs(self.clip(points)[:, 3]) / (self.height * self.projection[1, 1])
        return lengths

    def outlines(self, matrices: FloatArray) -> FloatArray:
        """Return the conics (k, 3, 3) that outline ellipsoids, negative inside; only of those all in front.

        The tangent planes of an ellipsoid project to the tangent lines of its outline, so the dual quadric projects
        as a whole (Hartley and Zisserman, Multiple View Geometry, 2nd ed., eq. 8.5).

        Parameters
        ----------
        matrices : ndarray, shape (n, 4, 4)
            Make the ellipsoids from the unit sphere.
        """
        pixels = np.array(
            [
                [self.width / 2.0, 0.0, 0.0, self.width / 2.0],
                [0.0, self.height / 2.0, 0.0, self.height / 2.0],
                [0, 0, 0, 1],
            ]
        )
        P = (pixels @ self.projection @ self.view) @ matrices
        dual = (P * [1.0, 1.0, 1.0, -1.0]) @ P.transpose(0, 2, 1)
        dual = dual[(dual[:, 2, 2] < 0.0) & (P[:, 2, 3] > 0.0)]
        conics = adjugate(dual)
        inside = np.einsum("ni,nij,nj->n", dual[:, 2], conics, dual[:, 2])  # the middle of the outline
        proper = inside != 0.0  # zero: seen edge on
        outlines: FloatArray = conics[proper] * -np.sign(inside[proper])[:, None, None]
        return outlines

    @classmethod
    def framing(cls, points: FloatArray, ground: float, width: int, height: int, scale: float = 1.0) -> Camera:
        """Return a camera that shows points (n, 3) three-quarter from above, as near as keeps them all in the picture.

        Parameters
        ----------
        points : ndarray, shape (n, 3)
        ground : float
            How far the far clipping plane lies behind the nearest point.
        width, height, scale
            As in `Camera`.
        """
        tangent = np.array([HALF_WIDTH, HALF_WIDTH * height / width])
        R = _three_quarter(np.ptp(points, axis=0))
        middle = (points.min(axis=0) + points.max(axis=0)) / 2.0
        seen = (points - middle) @ R.T  # x right, y up, z towards the eye
        # A point is in the picture if |x - x_eye| <= t (z_eye - z): take the least z_eye that allows an x_eye.
        t = tangent * FILLED
        upper = np.max(seen[:, :2] + t * seen[:, 2:], axis=0)
        lower = np.max(-seen[:, :2] + t * seen[:, 2:], axis=0)
        eye = np.append((upper - lower) / 2.0, np.max((upper + lower) / (2.0 * t)))
        view = np.eye(4)
        view[:3, :3] = R
        view[:3, 3] = -R @ middle - eye
        nearest = eye[2] - float(seen[:, 2].max())
        return cls(view, _perspective(tangent, NEAR * nearest, nearest + ground), width, height, scale)


def adjugate(matrices: FloatArray) -> FloatArray:
    """Return the inverses (n, 3, 3) of symmetric matrices, each times its determinant."""
    a, b, c = np.moveaxis(matrices, 1, 0)
    adjugates: FloatArray = np.stack([np.cross(b, c), np.cross(c, a), np.cross(a, b)], axis=1)
    return adjugates


def _three_quarter(extent: FloatArray) -> FloatArray:
    """Return the camera's rotation (3, 3): its rows are right, up and towards the eye.

    The longer horizontal side lies rather across the picture than into it; a flat thing is seen from higher up.
    """
    azimuth = radians(-62.0 if extent[0] >= extent[1] else -28.0)
    flatness = 1.0 - min(1.0, float(extent[2]) / (0.5 * max(float(extent[:2].max()), 1e-30)))
    elevation = radians(20.0 + 14.0 * flatness)
    back = np.array([np.cos(azimuth) * np.cos(elevation), np.sin(azimuth) * np.cos(elevation), np.sin(elevation)])
    right = np.array([-np.sin(azimuth), np.cos(azimuth), 0.0])
    return np.stack([right, np.cross(back, right), back])


def _perspective(tangent: FloatArray, near: float, far: float) -> FloatArray:
    projection = np.zeros((4, 4))
    projection[0, 0], projection[1, 1] = 1.0 / tangent
    projection[2, 2] = -(far + near) / (far - near)
    projection[2, 3] = -2.0 * far * near / (far - near)
    projection[3, 2] = -1.0
    return projection
