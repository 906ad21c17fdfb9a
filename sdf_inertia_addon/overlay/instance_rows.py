# SPDX-License-Identifier: GPL-3.0-or-later
"""The rows that the shaders read, for many bodies at once: plain numpy, no GPU, no loop over bodies.

Rows are made in double precision and for one camera: so a small model far from the origin does not shake.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ...core.arrays import FloatArray
from .camera import Camera

Rows = npt.NDArray[np.float32]


def glass_rows(matrices: FloatArray, colors: FloatArray, camera: Camera) -> Rows:
    """Return the rows of `glsl.GLASS_ROW` for solids under `matrices` (n, 4, 4) in `colors` (n, 4)."""
    half = np.sqrt(np.sum(matrices[:, :3, :3] ** 2, axis=1))
    eyes = _eyes(matrices, camera)
    scale = np.concatenate([half, np.zeros((len(half), 1))], axis=1)
    return _rows(_placed(matrices, camera), colors, eyes, scale)


def stroke_rows(matrices: FloatArray, colors: FloatArray, edges: FloatArray, half: FloatArray, camera: Camera) -> Rows:
    """Return the rows of `glsl.STROKE_ROW` for curves under `matrices` (n, 4, 4).

    Parameters
    ----------
    colors, edges : ndarray, shape (n, 4)
        Of the line and of its border.
    half : ndarray, shape (n, 2)
        Half the width of the line, and of the line with its border [px].
    """
    size = np.concatenate([half, np.zeros((len(half), 2))], axis=1)
    return _rows(_placed(matrices, camera), colors, edges, size)


def ball_rows(matrices: FloatArray, colors: FloatArray, rims: FloatArray, rim: FloatArray, camera: Camera) -> Rows:
    """Return the rows of `glsl.BALL_ROW`, without those of balls that are not all before the eye.

    Parameters
    ----------
    matrices : ndarray, shape (n, 4, 4)
        From the unit sphere to each ball; its axes bound the octants.
    colors, rims : ndarray, shape (n, 4)
    rim : ndarray, shape (n,)
        Width of the rims [px].
    """
    seen, discs, turn = _discs(matrices, camera)
    size = np.zeros((len(seen), 4))
    size[:, 0] = np.linalg.norm(matrices[seen, :3, 0], axis=1) / camera.units_per_pixels(matrices[seen, :3, 3])
    size[:, 1] = rim[seen]
    turned = np.zeros((3, len(seen), 4))
    turned[:, :, :3] = turn.transpose(1, 0, 2)
    return _rows(_placed(discs, camera), *turned, colors[seen], rims[seen], size)


def outlines(matrices: FloatArray, camera: Camera) -> tuple[npt.NDArray[np.intp], FloatArray]:
    """Return which of the ellipsoids under `matrices` are all before the eye, and where they seem to end.

    Returns
    -------
    seen : ndarray of int, shape (k,)
    circles : ndarray, shape (k, 4, 4)
        Maps from the unit circle in the plane of x and y to the curve on the ellipsoid that is its outline.
    """
    seen, discs, _turn = _discs(matrices, camera)
    return seen, discs


def segments(starts: FloatArray, ends: FloatArray) -> FloatArray:
    """Return the maps (n, 4, 4) from the segment from -1 to 1 on the x axis to those from starts to ends (n, 3)."""
    matrices = np.zeros((len(starts), 4, 4))
    matrices[:, :3, 0] = (ends - starts) / 2.0
    matrices[:, :3, 3] = (ends + starts) / 2.0
    matrices[:, 3, 3] = 1.0
    return matrices


def _eyes(matrices: FloatArray, camera: Camera) -> FloatArray:
    """Return the eye (n, 4) as seen from within each unit shape, homogeneous."""
    eye = camera.eye()
    columns = matrices[:, :3, :3]
    away = eye[:3] - eye[3] * matrices[:, :3, 3]
    # The columns are orthogonal: their transpose, over the squared lengths, is the inverse.
    eyes = np.einsum("nij,ni->nj", columns, away) / np.sum(columns * columns, axis=1)
    return np.concatenate([eyes, np.full((len(eyes), 1), eye[3])], axis=1)


def _discs(matrices: FloatArray, camera: Camera) -> tuple[npt.NDArray[np.intp], FloatArray, FloatArray]:
    # Of the unit sphere, an eye at e sees the points p up to p · e = 1: a circle, whose plane e stands on.
    eyes = _eyes(matrices, camera)
    squared = np.sum(eyes[:, :3] ** 2, axis=1)
    before = (matrices[:, :3, 3] @ camera.view[2, :3] + camera.view[2, 3] < 0.0) | (camera.eye()[3] == 0.0)
    seen = np.flatnonzero(before & ((squared > 1.0) | (eyes[:, 3] == 0.0)) & np.isfinite(squared) & (squared > 0.0))
    eyes, squared, matrices = eyes[seen], squared[seen], matrices[seen]
    back = eyes[:, :3] / np.sqrt(squared)[:, None]
    middle = eyes[:, 3:] * eyes[:, :3] / squared[:, None]
    radius = np.sqrt(1.0 - eyes[:, 3] / squared)
    least = np.eye(3)[np.argmin(np.abs(back), axis=1)]
    right = np.cross(least, back)
    right /= np.linalg.norm(right, axis=1, keepdims=True)
    turn = np.stack([right, np.cross(back, right), back], axis=1)
    local = np.zeros((len(seen), 4, 4))
    local[:, :3, :3] = (turn * radius[:, None, None]).transpose(0, 2, 1)
    local[:, :3, 3] = middle
    local[:, 3, 3] = 1.0
    return seen, matrices @ local, turn


def _placed(matrices: FloatArray, camera: Camera) -> FloatArray:
    placed = (camera.projection @ camera.view) @ matrices
    return placed.transpose(0, 2, 1).reshape(len(matrices), 16)  # the shader's matrices go by columns


def _rows(*parts: FloatArray) -> Rows:
    return np.concatenate(parts, axis=1).astype(np.float32)
