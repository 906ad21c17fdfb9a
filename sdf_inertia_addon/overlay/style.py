# SPDX-License-Identifier: GPL-3.0-or-later
"""How a model's inertia is to be shown: the scene's settings and the user's preferences as one plain value."""

from __future__ import annotations

from dataclasses import dataclass

from ..colors import COLORS, Color


@dataclass(frozen=True)
class OverlayStyle:
    """What is drawn, and how large.

    Parameters
    ----------
    scope : {"AUTO", "ALL", "SELECTED", "ACTIVE"}
        Which links; "AUTO": all, but most of a crowd are only marked.
    shape : {"ELLIPSOID", "BOX", "NONE"}
        The uniform solid with a body's mass and moments.
    center : {"CONSTANT", "LEAD", "NONE"}
        Centres of mass: of one size on the screen, or as balls of lead of the body's mass.
    show_axes, show_total, show_parts, show_voxels : bool
    labels : {"NONE", "ACTIVE", "ALL"}
    in_front : bool
        Drawn over the geometry; else what lies behind it is only hinted at.
    opacity : float
        What the solids' own is multiplied by.
    ball, line, label : float
        What sizes are multiplied by.
    units : {"SI", "GRAM"}
        Of the numbers on labels.
    show_faulty : bool
        Where the active part's mesh is faulty.
    palette : tuple of 3 floats each
        The links' colours, sRGB.
    show_joints : bool
        Axes and limits of joints.
    show_statics : bool
        Torques of gravity at the joints, and what the robot stands on.
    on_light : bool
        The ground is light: lines are darker than what they bound, not lighter.
    """

    scope: str = "AUTO"
    shape: str = "ELLIPSOID"
    center: str = "CONSTANT"
    show_axes: bool = True
    show_total: bool = False
    show_parts: bool = False
    show_voxels: bool = False
    labels: str = "ALL"
    in_front: bool = False
    opacity: float = 1.0
    ball: float = 1.0
    line: float = 1.0
    label: float = 1.0
    units: str = "SI"
    show_faulty: bool = True
    palette: tuple[Color, ...] = COLORS
    show_joints: bool = True
    show_statics: bool = False
    on_light: bool = False
