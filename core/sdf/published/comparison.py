# SPDX-License-Identifier: GPL-3.0-or-later
"""What a robot's file says of each link, beside what the link's own geometry gives: for who repairs it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...body.compare import Difference
from ...body.inertial import Inertial
from ...errors import Finding
from .robot import PublishedRobot


@dataclass(frozen=True, eq=False)
class LinkComparison:
    """A link's two inertials.

    Parameters
    ----------
    name : str
    published : Inertial or None
        What the file gives, in the link's frame; None where it gives none, or leaves it to the simulator.
    computed : Inertial or None
        What the link's geometry gives, in the link's frame: its collisions, or its visuals where it has no collision,
        of one density, such that the mass is the published one; None where they give nothing.
    density : float or None
        That density [kg/m³].
    difference : Difference or None
        How far the two are apart, where there are two.
    findings : tuple of Finding
        What is impossible or doubtful about the published one, and why there is no computed one.
    """

    name: str
    published: Inertial | None
    computed: Inertial | None
    density: float | None
    difference: Difference | None
    findings: tuple[Finding, ...]


def compared(robot: PublishedRobot) -> Mapping[str, LinkComparison]:
    """Compare the links of a robot, by name, in the model's order. This may read mesh files, and takes their time."""
    raise NotImplementedError
