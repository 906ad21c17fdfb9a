# SPDX-License-Identifier: GPL-3.0-or-later
"""What is drawn of a link's inertia, and where: plain numpy, no GPU."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt
from typing import Literal
from weakref import WeakKeyDictionary

import numpy as np

from ...core.arrays import FloatArray
from ...core.body.inertial import Inertial
from ...core.body.pose import Pose
from ...core.errors import Severity
from ..colors import Color

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
        Lines of the label below the name.
    frame : Pose
        The link's frame in the world [m].
    inertial : Inertial or None
        In that frame; None if there is no number: then there is only a label, at the origin of the frame.
    color : tuple of 3 floats
        sRGB, of the ellipsoid and of the label's border.
    kind : {"link", "part", "total"}
        A link, a part of the active link, or all links together.
    active, stale : bool
        Drawn highlighted; computed before the last change.
    severity : {"error", "warning"} or None
        The sign that its label carries.
    labelled : bool
        It has a label.
    chosen : bool
        Its label stays however many others there are.
    solid : float
        How opaque its ellipsoid or box is, 1 as usual; 0: none, since it is too large for its link, or only marked.
    reach : float
        How far its axes reach from its centre at most [m]; 0 for a link that is only marked.
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
    solid: float = 1.0
    reach: float = inf


_principal: WeakKeyDictionary[Inertial, tuple[FloatArray, FloatArray]] = WeakKeyDictionary()


def principal_of(inertial: Inertial) -> tuple[FloatArray, FloatArray]:
    """Return the principal axes as rows (3, 3), in the body's frame, and the ellipsoid's semi-axes (3,) [m].

    Axis i (unit, right-handed) is the one nearest to the link's own axis i, so that red, green and blue mean here what
    they mean elsewhere in Blender. Found once for each inertial, which is known by its identity: to draw it again
    elsewhere costs nothing here.
    """
    if inertial not in _principal:
        _principal[inertial] = _axes_and_semi_axes(inertial)
    return _principal[inertial]


def _axes_and_semi_axes(inertial: Inertial) -> tuple[FloatArray, FloatArray]:
    if not (np.isfinite(inertial.mass) and inertial.mass > 0.0 and np.all(np.isfinite(inertial.inertia))):
        return np.eye(3), np.zeros(3)
    moments, axes = inertial.principal()
    order = _nearest_pairs(axes)
    return _aligned(axes[order], moments[order]), inertial.equivalent_ellipsoid()[order]


def _nearest_pairs(axes: FloatArray) -> list[int]:
    """Return the axis that belongs to each axis of the frame: the closest pair is chosen first."""
    likeness = np.abs(axes).round(6)  # rounded, so that the last digit does not decide a tie
    order = [0, 0, 0]
    for _ in range(3):
        principal, axis = np.unravel_index(int(np.argmax(likeness)), likeness.shape)
        order[axis] = int(principal)
        likeness[principal, :] = -1.0
        likeness[:, axis] = -1.0
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
