# SPDX-License-Identifier: GPL-3.0-or-later
"""What is drawn of a link's inertia, and where: plain numpy, no GPU."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Literal
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from ...core.arrays import FloatArray
from ...core.body.inertial import Inertial
from ...core.body.pose import Pose
from ...core.errors import Severity
from ..colors import Color
from .unit_shapes import apply, unit_rings, unit_sphere

EQUAL_MOMENTS = 1e-6
"""Principal moments this close, relative to the largest, leave their axes free: float32 meshes come to 1e-7."""

THINNEST = 1e-3
"""The least semi-axis drawn, relative to the largest: a plate's ellipsoid stays visible from its edge."""

BOX = sqrt(3.0 / 5.0)
"""Half a side of the box, relative to the semi-axis of the ellipsoid: a²/3 and a²/5 are their moments per mass."""

LEAD = 11340.0
"""Density of the balls that Gazebo shows centres of mass by [kg/m³] (gz-rendering, COMVisual)."""

Kind = Literal["link", "part", "total"]


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
    inertial : Inertial or None
        In that frame; None where there is no number: then only a label stands at the frame's origin.
    color : tuple of 3 floats
        sRGB, of the ellipsoid and of the label's border.
    kind : {"link", "part", "total"}
        A link, a part of the active link, or all links together.
    active, stale : bool
        It stands out; it is from before the last change.
    severity : {"error", "warning"} or None
        The sign that its label carries.
    labelled : bool
        It has a label.
    chosen : bool
        Its label stays however many others there are.
    """

    name: str
    lines: tuple[str, ...]
    frame: Pose
    inertial: Inertial | None
    color: Color
    kind: Kind = "link"
    active: bool = False
    stale: bool = False
    severity: Severity | None = None
    labelled: bool = True
    chosen: bool = False


@dataclass(frozen=True, eq=False)
class InertiaEllipsoid:
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
        return InertiaEllipsoid(self.center, self.axes, np.maximum(self.semi_axes, THINNEST * longest)).matrix()

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


def ellipsoid_of(view: BodyView, metres_per_unit: float = 1.0) -> InertiaEllipsoid:
    """Return the ellipsoid of a body; all semi-axes are 0 where there is no mass to divide by."""
    if view.inertial is None:
        return InertiaEllipsoid(view.frame.p / metres_per_unit, view.frame.R.T.copy(), np.zeros(3))
    axes, semi_axes = principal_of(view.inertial)
    center = view.frame.R @ view.inertial.com + view.frame.p
    return InertiaEllipsoid(center / metres_per_unit, axes @ view.frame.R.T, semi_axes / metres_per_unit)


_principal: WeakKeyDictionary[Inertial, tuple[FloatArray, FloatArray]] = WeakKeyDictionary()


def principal_of(inertial: Inertial) -> tuple[FloatArray, FloatArray]:
    """Return the principal axes as rows (3, 3), in the body's frame, and the ellipsoid's semi-axes (3,) [m].

    Found once for each inertial, which is known by its identity: to draw it again elsewhere costs nothing here.
    """
    found = _principal.get(inertial)
    if found is None:
        found = _principal[inertial] = _found(inertial)
    return found


def _found(inertial: Inertial) -> tuple[FloatArray, FloatArray]:
    own = np.eye(3)
    if not (np.isfinite(inertial.mass) and inertial.mass > 0.0 and np.all(np.isfinite(inertial.inertia))):
        return own, np.zeros(3)
    moments, axes = inertial.principal()
    order = _nearest_pairs(axes)
    return _aligned(axes[order], moments[order]), inertial.equivalent_ellipsoid()[order]


def _nearest_pairs(axes: FloatArray) -> list[int]:
    """Return which of the axes goes with each of the frame's: the closest pair first."""
    likeness = np.abs(axes).round(6)  # rounded: a tie must not hang on the last digit
    order = [0, 0, 0]
    for _ in range(3):
        principal, own = np.unravel_index(int(np.argmax(likeness)), likeness.shape)
        order[own] = int(principal)
        likeness[principal, :] = -1.0
        likeness[:, own] = -1.0
    return order


def _aligned(axes: FloatArray, moments: FloatArray) -> FloatArray:
    """Return right-handed axes that point along the frame's, and follow them where equal moments leave a choice."""
    axes = axes * np.where(np.diagonal(axes) < 0.0, -1.0, 1.0)[:, None]
    equal = [abs(moments[i - 2] - moments[i - 1]) <= EQUAL_MOMENTS * moments.max() for i in range(3)]
    if sum(equal) > 1:
        return np.eye(3)
    for alone in range(3):
        if equal[alone]:
            first, second = (alone + 1) % 3, (alone + 2) % 3
            along = np.eye(3)[first] - axes[alone] * axes[alone, first]
            axes[first] = along / np.linalg.norm(along)
            axes[second] = np.cross(axes[alone], axes[first])
    if np.linalg.det(axes) < 0.0:
        axes[2] *= -1.0
    return axes
