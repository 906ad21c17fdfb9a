# SPDX-License-Identifier: GPL-3.0-or-later
"""What a link's geometry gives, as the options of a repair ask for it: of its collisions and visuals the better."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, cast, get_args

from ..body.density_map import DensityMap
from ..errors import InertiaError, first_error
from ..robot.model import Link, Mesh
from ..robot.resolve import LinkBody, resolve_link
from ..sdf.file_link import SOURCES, FileLink, Source
from .verdict import REPAIRED

Com = Literal["keep", "geometry"]
COMS: tuple[Com, ...] = get_args(Com)

BOUNDING = 0.8
"""Collisions without a mesh only bound the body if the visuals have less than this share of their volume."""


@dataclass(frozen=True)
class RepairOptions:
    """What to repair, and how.

    Parameters
    ----------
    what : frozenset of str
        Of `verdict.REPAIRABLE`, and ``all``: sound links too.
    keep_mass : bool
        Keep the mass in the file if a body can have it: most masses are measured, most wrong tensors are not.
    com : {"keep", "geometry"}
        Keep the centre of mass in the file if it is in the geometry, or take the geometry's.
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


def measured(link: FileLink, options: RepairOptions, mass: float | None) -> tuple[Source, Link, LinkBody]:
    """Return the better geometry, as a link with what is stated of it, and the body that it gives."""
    wanted = SOURCES if options.source == "auto" else (cast(Source, options.source),)
    bodies: list[tuple[Source, Link, LinkBody]] = []
    unknown: InertiaError | None = None
    for source in wanted:
        solid = _stated(link, options, source)
        if not solid.weighed:
            continue
        target = mass if solid.mass is None else solid.mass
        if target is None and not all_dense(solid):
            unknown = unknown or _mass_unknown(link, options)
            continue
        body = resolve_link(replace(solid, mass=target))
        bodies.append((source, solid, body))
        if not any(_objections(body)) and not _may_bound(solid):
            break  # there is no better one
    good = [one for one in bodies if one[2].inertial is not None and not one[2].refused]
    if len(good) == 2 and _bounds(link, good[0][2], good[1][2]):
        return good[1]
    if good:
        return min(good, key=lambda one: _objections(one[2]))
    if unknown is not None:
        raise unknown
    if not bodies:
        what = "geometry" if options.source == "auto" else options.source
        raise InertiaError.of("no_collision", "", "file", geometry=what)
    source, _, body = bodies[0]
    findings = [*((f"{source} '{part.name}'", part.findings) for part in body.parts), ("", body.findings)]
    name, error = next((name, error) for name, own in findings if (error := first_error(own)) is not None)
    raise InertiaError(error.code, name, error.message, error.remedy)


def _objections(body: LinkBody) -> tuple[bool, int, float]:
    """Return how faulty a body's geometry is, for comparison: refused, number of warnings, error."""
    warnings = sum(finding.severity == "warning" for finding in body.all_findings())
    return body.refused, warnings, body.error


def _may_bound(link: Link) -> bool:
    return not any(isinstance(part.geometry, Mesh) for part in link.weighed)


def _bounds(link: FileLink, collisions: LinkBody, visuals: LinkBody) -> bool:
    """Return True if the collisions, without a mesh, only bound the body that the visuals show."""
    if not _may_bound(link.link) or any(_objections(visuals)) or not (collisions.volume and visuals.volume):
        return False
    return visuals.volume < BOUNDING * collisions.volume and any(isinstance(one.geometry, Mesh) for one in link.visuals)


def _stated(link: FileLink, options: RepairOptions, source: Source) -> Link:
    """Return the link of one geometry alone, with the densities and masses that the user and the file state."""
    row = options.densities.find(link.name, link.local_name) if options.densities is not None else None
    density = row.density if row is not None and row.density is not None else options.density
    made = []
    for part in link.parts(source):
        own = options.densities.find(*_names(link, source, part.name)) if options.densities is not None else None
        if own is not None and own is not row:  # a part's name contains the link's
            part = replace(part, density=own.density if own.density is not None else part.density, mass=own.mass)
        elif density is not None:
            part = replace(part, density=density)
        made.append(replace(part, params=None) if options.params else part)
    mass = None if row is None else row.mass
    return replace(link.solid, collisions=tuple(made), mass=mass, params=options.params or link.link.params)


def _names(link: FileLink, source: Source, part: str) -> tuple[str, ...]:
    """Return the names of a part in a map of densities."""
    return f"{link.local_name}/{part}", part, *link.part_names.get((source, part), ())


def is_in_map(link: FileLink, densities: DensityMap, source: Source) -> bool:
    parts = [_names(link, source, name) for kind, name in link.part_names if kind == source]
    return any(densities.find(*names) is not None for names in ((link.name, link.local_name), *parts))


def all_dense(link: Link) -> bool:
    """Return True if the mass of each part follows from what is stated."""
    return bool(link.weighed) and all(part.density is not None or part.mass is not None for part in link.weighed)


def states_mass(link: Link) -> bool:
    """Return True if the mass of a link or of one of its parts is stated."""
    return link.mass is not None or any(part.mass is not None for part in link.weighed)


def _mass_unknown(link: FileLink, options: RepairOptions) -> InertiaError:
    if not options.keep_mass:
        return InertiaError.of("mass_unknown", "", "no_density")
    if link.mass is None:
        return InertiaError.of("mass_unknown", "", "no_mass")
    return InertiaError.of("mass_unknown", "", "impossible", mass=link.mass)
