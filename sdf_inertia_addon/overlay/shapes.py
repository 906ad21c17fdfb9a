# SPDX-License-Identifier: GPL-3.0-or-later
"""What is drawn of a link's inertia, and where: plain numpy, no GPU."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ...core.arrays import FloatArray
from ...core.inertial import Inertial
from ...core.pose import Pose

Color = tuple[float, float, float]

COLORS: tuple[Color, ...] = (
    (1.000, 0.560, 0.180),  # orange
    (0.290, 0.720, 0.940),  # blue
    (0.700, 0.500, 0.950),  # violet
    (0.360, 0.790, 0.430),  # green
    (0.960, 0.450, 0.620),  # pink
    (0.880, 0.780, 0.260),  # yellow
    (0.250, 0.780, 0.730),  # teal
    (0.930, 0.380, 0.330),  # red
    (0.620, 0.700, 0.880),  # steel
    (0.780, 0.600, 0.440),  # sand
    (0.850, 0.430, 0.880),  # magenta
    (0.680, 0.860, 0.480),  # lime
)
"""Told apart, and readable, on light and on dark; sRGB. Links take them in turn."""

EQUAL_MOMENTS = 1e-6
"""Principal moments this close, relative to the largest, leave their axes free: float32 meshes come to 1e-7."""

THINNEST = 1e-3
"""The least semi-axis drawn, relative to the largest: a plate's ellipsoid stays visible from its edge."""


@dataclass(frozen=True, eq=False)
class BodyView:
    """One body as it is shown.

    Parameters
    ----------
    name : str
        First line of the label.
    lines : tuple of str
        What stands below the name.
    frame : Pose
        The link's frame in the world [m].
    inertial : Inertial
        In that frame.
    color : tuple of 3 floats
        sRGB, of the ellipsoid and of the label's border.
    """

    name: str
    lines: tuple[str, ...]
    frame: Pose
    inertial: Inertial
    color: Color

    @classmethod
    def of_link(cls, name: str, frame: Pose, inertial: Inertial, exactness: str, index: int = 0) -> BodyView:
        """Show the `index`-th link of a model; `exactness` stands beside the mass, as `error_text` writes it."""
        return cls(name, (f"{mass_text(inertial.mass)}  {exactness}",), frame, inertial, COLORS[index % len(COLORS)])


@dataclass(frozen=True, eq=False)
class Ellipsoid:
    """The uniform solid with a body's mass and moments, in the world and in Blender units.

    ``axes[i]`` (unit, right-handed) is the principal axis nearest to the link's own axis i, so that red, green
    and blue mean here what they mean elsewhere in Blender; ``semi_axes[i]`` is the ellipsoid's along it.
    """

    center: FloatArray
    axes: FloatArray
    semi_axes: FloatArray

    def matrix(self) -> FloatArray:
        """Return the map (4, 4) that makes this ellipsoid from the unit sphere."""
        matrix = np.eye(4)
        matrix[:3, :3] = self.axes.T * self.semi_axes
        matrix[:3, 3] = self.center
        return matrix

    def drawn_matrix(self) -> FloatArray | None:
        """Return `matrix`, with no axis too thin to see; None for a point, which has no ellipsoid."""
        longest = float(self.semi_axes.max())
        if not np.isfinite(longest) or longest <= 0.0:
            return None
        return Ellipsoid(self.center, self.axes, np.maximum(self.semi_axes, THINNEST * longest)).matrix()

    def ends(self) -> FloatArray:
        """Return the principal axes as segments (3, 2, 3), from surface to surface through the centre."""
        reach = self.axes * self.semi_axes[:, None]
        return np.stack([self.center - reach, self.center + reach], axis=1)

    def mesh(self) -> tuple[FloatArray, FloatArray, npt.NDArray[np.int32]]:
        """Return vertices (n, 3), outward unit normals (n, 3) and triangles (m, 3)."""
        sphere, triangles = unit_sphere()
        normals = (sphere / np.maximum(self.semi_axes, THINNEST * self.semi_axes.max())) @ self.axes
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        return apply(self.matrix(), sphere), normals, triangles

    def rings(self, count: int = 64) -> FloatArray:
        """Return the three closed curves (3, count + 1, 3) that the principal planes cut out of the surface."""
        return apply(self.matrix(), unit_rings(count))


@lru_cache(maxsize=1024)
def ellipsoid_of(view: BodyView, metres_per_unit: float = 1.0) -> Ellipsoid:
    """Return the ellipsoid of a body; all semi-axes are 0 where there is no mass to divide by.

    Found once for each view, which is known by its identity: to draw it again costs nothing here.
    """
    inertial = view.inertial.transformed(view.frame)
    center = inertial.com / metres_per_unit
    if not (np.isfinite(inertial.mass) and inertial.mass > 0.0 and np.all(np.isfinite(inertial.inertia))):
        return Ellipsoid(center, view.frame.R.T.copy(), np.zeros(3))
    moments, axes = inertial.principal()
    order = _nearest(axes, view.frame.R.T)
    semi_axes = inertial.equivalent_ellipsoid()[order] / metres_per_unit
    return Ellipsoid(center, _settled(axes[order], moments[order], view.frame.R.T), semi_axes)


def _nearest(axes: FloatArray, link_axes: FloatArray) -> list[int]:
    """Return which of the axes goes with each of the link's: the closest pair first."""
    likeness = np.abs(axes @ link_axes.T).round(6)  # rounded: a tie must not hang on the last digit
    order = [0, 0, 0]
    for _ in range(3):
        principal, link = np.unravel_index(int(np.argmax(likeness)), likeness.shape)
        order[link] = int(principal)
        likeness[principal, :] = -1.0
        likeness[:, link] = -1.0
    return order


def _settled(axes: FloatArray, moments: FloatArray, link_axes: FloatArray) -> FloatArray:
    """Return right-handed axes that point along the link's, and follow them where equal moments leave a choice."""
    axes = axes * np.where(np.sum(axes * link_axes, axis=1) < 0.0, -1.0, 1.0)[:, None]
    equal = [abs(moments[i - 2] - moments[i - 1]) <= EQUAL_MOMENTS * moments.max() for i in range(3)]
    if sum(equal) > 1:
        return link_axes.copy()
    for alone in range(3):
        if equal[alone]:
            first, second = (alone + 1) % 3, (alone + 2) % 3
            along = link_axes[first] - axes[alone] * (axes[alone] @ link_axes[first])
            axes[first] = along / np.linalg.norm(along)
            axes[second] = np.cross(axes[alone], axes[first])
    if np.linalg.det(axes) < 0.0:
        axes[2] *= -1.0
    return axes


def apply(matrix: FloatArray, points: npt.ArrayLike) -> FloatArray:
    """Return points (..., 3) mapped by an affine matrix (4, 4)."""
    mapped: FloatArray = np.asarray(points, dtype=np.float64) @ matrix[:3, :3].T + matrix[:3, 3]
    return mapped


def unit_sphere(around: int = 48, down: int = 24) -> tuple[FloatArray, npt.NDArray[np.int32]]:
    """Return vertices (n, 3) and outward triangles (m, 3) of the unit sphere; its six poles are among the vertices."""
    polar, azimuth = np.meshgrid(
        np.pi * np.arange(1, down) / down, 2 * np.pi * np.arange(around) / around, indexing="ij"
    )
    belt = np.stack([np.sin(polar) * np.cos(azimuth), np.sin(polar) * np.sin(azimuth), np.cos(polar)], axis=-1)
    vertices = np.concatenate([[[0.0, 0.0, 1.0]], belt.reshape(-1, 3), [[0.0, 0.0, -1.0]]])
    here = np.arange(around)
    after = (here + 1) % around
    first, last, south = 1, 1 + (down - 2) * around, len(vertices) - 1
    rows = (1 + around * np.arange(down - 2))[:, None]
    a, b, c, d = (corner.ravel() for corner in (rows + here, rows + after, rows + around + after, rows + around + here))
    triangles = (
        np.stack([np.zeros_like(here), first + here, first + after], axis=1),
        np.stack([a, d, c], axis=1),
        np.stack([a, c, b], axis=1),
        np.stack([np.full_like(here, south), last + after, last + here], axis=1),
    )
    return vertices, np.concatenate(triangles).astype(np.int32)


def unit_rings(count: int = 64) -> FloatArray:
    """Return three closed unit circles (3, count + 1, 3), each in the plane that the i-th axis stands on."""
    angle = 2 * np.pi * np.arange(count + 1) / count
    rings = np.zeros((3, count + 1, 3))
    for i in range(3):
        rings[i, :, i - 2] = np.cos(angle)
        rings[i, :, i - 1] = np.sin(angle)
    return rings


def lighter(color: Color) -> Color:
    """Return the colour of lines on a body of this colour."""
    red, green, blue = (0.55 * part + 0.45 for part in color)
    return red, green, blue


def mass_text(mass: float) -> str:
    """Write a mass with four significant digits: 12.40 kg."""
    if not np.isfinite(mass):
        return "no mass"
    rounded = float(f"{mass:.4g}")
    if abs(rounded) >= 1e3:
        return f"{rounded:.0f} kg"
    return f"{mass:#.4g} kg"


def error_text(error: float) -> str:
    """Write an estimated relative error: exact, or ±0.1 %."""
    return "exact" if error == 0.0 else f"±{100 * error:.2g} %"
