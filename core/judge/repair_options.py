# SPDX-License-Identifier: GPL-3.0-or-later
"""What is to be repaired, and how."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from ..body.density_map import DensityMap
from ..sdf.file_link import FileLink
from .verdict import MISTAKES

Source = Literal["collision", "visual"]
SOURCES: tuple[Source, ...] = get_args(Source)

Com = Literal["keep", "geometry"]
COMS: tuple[Com, ...] = get_args(Com)

REPAIRED = frozenset({"impossible", "placeholder", "missing", "mistake"})
"""Faults that are repaired unless the user chooses others."""

REPAIRABLE = (*sorted(REPAIRED), "doubtful", *sorted(MISTAKES.values()))
"""Faults, and mistakes by name: those that are not certain are repaired only if they are asked for."""


@dataclass(frozen=True)
class RepairOptions:
    """What to repair, and how.

    Parameters
    ----------
    what : frozenset of str
        Of `REPAIRABLE`, and ``all``: sound links too.
    keep_mass : bool
        Keep the published mass if a body can have it: most masses are measured, most wrong tensors are not.
    com : {"keep", "geometry"}
        Keep the published centre of mass if it is in the geometry, or take the geometry's.
    density : float or None
        [kg/m³] of all parts without a row in the map.
    densities : DensityMap or None
    source : {"auto", "collision", "visual"}
        The geometry to compute from; ``auto`` takes the collisions unless the visuals are the better geometry.
    links : frozenset of str or None
        Names of the links to look at, with or without their model's; None for all.
    params : mapping of str to str
        How to compute, as ``auto_inertia_params``.
    included : bool
        Change inertials in files that a xacro file includes too.
    total_mass : float or None
        [kg] of the whole robot: masses that follow from densities are scaled by one factor to reach it.
    """

    what: frozenset[str] = REPAIRED
    keep_mass: bool = True
    com: Com = "keep"
    density: float | None = None
    densities: DensityMap | None = None
    source: str = "auto"
    links: frozenset[str] | None = None
    params: Mapping[str, str] = field(default_factory=dict)
    included: bool = True
    total_mass: float | None = None

    def covers(self, link: FileLink) -> bool:
        """Return True if a link is among those to look at."""
        return self.links is None or not self.links.isdisjoint((link.local_name, link.name))
