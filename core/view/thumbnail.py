# SPDX-License-Identifier: Apache-2.0
"""A small picture of a robot, as PNG with a transparent ground, drawn by numpy alone."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from struct import pack

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray
from ..body.shapes import Box
from ..files.polygons import surface_of
from .robot_scene import RobotScene, SceneLink, ShownPart

WIDTH, HEIGHT = 240, 180
MARGIN = 8
"""Pixels."""

GREY = (0.39, 0.42, 0.46)
"""Linear RGB of a part without a colour."""

EYE = np.array([1.1, -1.5, 0.8])
"""The direction from which the robot is seen, as the page does at first."""

Pixels = npt.NDArray[np.uint8]

MOST = 4_000_000
"""Samples at most: a few layers of the whole picture."""


def thumbnail(scene: RobotScene) -> bytes:
    """Return the picture of all visuals of a scene, or without any of its collisions; the joints are at 0."""
    corners, colors = _triangles(scene)
    pixels = np.zeros((HEIGHT, WIDTH, 4), dtype=np.uint8)
    if len(corners):
        seen = _projected(corners)
        _draw(pixels, seen, colors * _light(seen)[:, None])
    return _png(pixels)


def _triangles(scene: RobotScene) -> tuple[FloatArray, FloatArray]:
    """Return the corners (n, 3, 3) of all triangles in the world, and their linear RGB (n, 3)."""
    parts = [(link.pose, part) for link in scene.links for part in link.visuals]
    parts = parts or [(link.pose, part) for link in scene.links for part in link.collisions]
    parts = parts or [(link.pose, part) for link in scene.links for part in _boxes(link)]
    corners, colors = [np.zeros((0, 3, 3))], [np.zeros((0, 3))]
    for pose, part in parts:
        points = part.surface.vertices.astype(np.float64) @ part.placed[:3, :3].T + part.placed[:3, 3]
        corners.append((points @ pose.R.T + pose.p)[part.surface.triangles])
        colors.append(np.tile(_color(part), (len(part.surface.triangles), 1)))
    return np.concatenate(corners), np.concatenate(colors)


def _boxes(link: SceneLink) -> Iterator[ShownPart]:
    """Yield the uniform box with a link's mass and moments, which stands for a link without geometry."""
    inertial = link.published or link.computed
    if inertial is None or not inertial.mass > 0.0:
        return
    placed = np.eye(4)
    placed[:3, :3] = inertial.principal().axes.T * inertial.equivalent_box()
    placed[:3, 3] = inertial.com
    if np.isfinite(placed).all():
        yield ShownPart("", surface_of(Box((1.0, 1.0, 1.0))), placed)


def _color(part: ShownPart) -> FloatArray:
    color = GREY if part.color is None else part.color[:3]
    return np.clip(np.nan_to_num(np.array(color)), 0.0, 1.0)


def _projected(corners: FloatArray) -> FloatArray:
    """Return corners as column, row and distance [pixel], so that all of them are in the picture."""
    forward = -EYE / np.linalg.norm(EYE)
    right = np.cross(forward, (0.0, 0.0, 1.0))
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    seen: FloatArray = corners @ np.stack([right, down, forward], axis=-1)
    low, high = seen.min(axis=(0, 1)), seen.max(axis=(0, 1))
    room = np.array([WIDTH, HEIGHT]) - 2 * MARGIN
    scale = float((room / np.maximum(high - low, 1e-300)[:2]).min())
    middle = np.array([WIDTH / 2.0, HEIGHT / 2.0, 0.0])
    placed: FloatArray = (seen - (low + high) / 2.0) * scale + middle
    return placed


def _light(seen: FloatArray) -> FloatArray:
    """Return how bright each triangle (n, 3, 3) is, from a lamp at the upper left of the eye."""
    normals = np.cross(seen[:, 1] - seen[:, 0], seen[:, 2] - seen[:, 0])
    lamp = np.array([-0.35, -0.65, -0.68])
    length = np.linalg.norm(normals, axis=1)
    light: FloatArray = 0.35 + 0.65 * np.abs(normals @ lamp) / np.where(length > 0.0, length, 1.0)
    return light


def _draw(pixels: Pixels, seen: FloatArray, colors: FloatArray) -> None:
    points, shades = (np.concatenate(some) for some in zip(*_samples(seen, colors), strict=True))
    column, row = (np.clip(points[:, axis].astype(np.int64), 0, size - 1) for axis, size in ((0, WIDTH), (1, HEIGHT)))
    order = np.argsort(-points[:, 2], kind="stable")  # the nearest last, which wins
    srgb = np.where(shades <= 0.0031308, 12.92 * shades, 1.055 * np.maximum(shades, 0.0031308) ** (1 / 2.4) - 0.055)
    pixels[row[order], column[order], :3] = np.round(255.0 * srgb[order])
    pixels[row, column, 3] = 255


def _samples(seen: FloatArray, colors: FloatArray) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield middles of triangles; those longer than a pixel are cut in half across their longest side until all are
    small."""
    budget = MOST
    while len(seen):
        sides = np.square(seen[:, :, :2] - np.roll(seen[:, :, :2], -1, axis=1)).sum(axis=2)
        longest = sides.argmax(axis=1)
        small = sides.max(axis=1) <= 1.0 if 2 * len(seen) <= budget else np.ones(len(seen), dtype=bool)
        yield seen[small].mean(axis=1), colors[small]
        budget -= int(small.sum())
        seen, first, colors = seen[~small], longest[~small], colors[~small]
        row = np.arange(len(seen))
        a, b, c = (seen[row, (first + step) % 3] for step in range(3))
        middle = (a + b) / 2.0
        seen = np.concatenate([np.stack([a, middle, c], axis=1), np.stack([middle, b, c], axis=1)])
        colors = np.concatenate([colors, colors])


def _png(pixels: Pixels) -> bytes:
    rows = np.concatenate([np.zeros((HEIGHT, 1), dtype=np.uint8), pixels.reshape(HEIGHT, -1)], axis=1)
    header = pack(">2I5B", WIDTH, HEIGHT, 8, 6, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b""))
    chunks = (pack(">I", len(data)) + name + data + pack(">I", zlib.crc32(name + data)) for name, data in parts)
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)
