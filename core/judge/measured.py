# SPDX-License-Identifier: Apache-2.0
"""Computes the body of a link's geometry for a repair, from the collisions or the visuals, whichever are better."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, cast, get_args

from ..body.density_map import DensityMap, Stated
from ..errors import InertiaError, first_error
from ..formats.file_link import SOURCES, FileLink, Source
from ..robot.calculators import params_for
from ..robot.model import Link, Mesh
from ..robot.part import is_rejected
from ..robot.resolve import LinkBody, resolve_link
from .verdict import REPAIRED

Com = Literal["keep", "geometry"]
COMS: tuple[Com, ...] = get_args(Com)

BOUNDING = 0.8
"""Collisions without a mesh are only bounding shapes if the visuals have less than this share of their volume."""


@dataclass(frozen=True)
class RepairOptions:
    """What to repair, and how.

    Parameters
    ----------
    what : frozenset of str
        From `verdict.REPAIRABLE`; or ``all``, for sound links too.
    keep_mass : bool
        Keep the mass in the file if it is possible: most masses were measured, few tensors were.
    com : {"keep", "geometry"}
        Keep the centre of mass in the file if it is in the geometry, or use that of the geometry.
    density : float or None
        [kg/m³] of all parts without a row in the map.
    densities : DensityMap or None
    source : {"auto", "collision", "visual"}
        The geometry to use; ``auto`` uses the collisions unless the visuals are better.
    links : frozenset of str or None
        Names of the links to repair, with or without the model's name; None for all.
    params : mapping of str to str
        The method and its lengths, as in ``auto_inertia_params``.
    included : bool
        Change inertials in files included by a xacro file, too.
    total_mass : float or None
        [kg] of the whole robot: masses that follow from densities are scaled by one factor to reach it.
    weighed : mapping of str to float
        Measured masses [kg] of links, by their names with or without the model's. These links are always repaired.
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
    weighed: Mapping[str, float] = field(default_factory=dict)

    def covers(self, link: FileLink) -> bool:
        """Return True if a link is among those to repair."""
        return self.links is None or not self.links.isdisjoint((link.local_name, link.name))

    def weighed_mass(self, link: FileLink) -> float | None:
        """Return the measured mass of a link [kg], None if it was not weighed."""
        return self.weighed.get(link.name, self.weighed.get(link.local_name))


def better_geometry(link: FileLink, options: RepairOptions, mass: float | None) -> tuple[Source, Link, LinkBody]:
    """Return the better geometry: its source, the link with only its parts, and the body of these."""
    wanted = SOURCES if options.source == "auto" else (cast(Source, options.source),)
    if options.source == "auto" and link.has_dummy_collision:
        wanted = ("visual",)
    # Collisions before visuals, which are read only if the collisions are doubtful or may be mere bounding shapes.
    bodies: list[tuple[Source, Link, LinkBody]] = []
    unknown: InertiaError | None = None
    for source in wanted:
        solid = _with_densities(link, options, source)
        if not solid.weighed:
            continue
        target = mass if solid.mass is None else solid.mass
        if target is None and not all_dense(solid):
            unknown = unknown or _mass_unknown(link, options)
            continue
        if bodies and any(is_rejected(part, solid) for part in solid.weighed):
            break  # of two errors the first is reported: what would help with this one takes seconds to try
        body = resolve_link(replace(solid, mass=target))
        bodies.append((source, solid, body))
        if not any(_faultiness(body)) and not _has_no_mesh(solid):
            break  # there is no better one
    good = [candidate for candidate in bodies if candidate[2].inertial is not None and not candidate[2].refused]
    if len(good) == 2 and _only_bounds(link, good[0][2], good[1][2]):
        return good[1]
    if good:
        return min(good, key=lambda candidate: _faultiness(candidate[2]))
    if unknown is not None:
        raise unknown
    if not bodies:
        what = "geometry" if options.source == "auto" else options.source
        raise InertiaError.of("no_collision", "", "file", geometry=what)
    source, _, body = bodies[0]
    findings = [*((f"{source} '{part.name}'", part.findings) for part in body.parts), ("", body.findings)]
    name, error = next((name, error) for name, of_part in findings if (error := first_error(of_part)) is not None)
    raise InertiaError(error.code, name, error.sentence, error.fix)


def _faultiness(body: LinkBody) -> tuple[bool, int, float]:
    """Return how faulty the geometry of a body is, as a key to sort by: refused, number of warnings, error."""
    warnings = sum(finding.severity == "warning" for finding in body.all_findings())
    return body.refused, warnings, max(body.error, body.error_inertia)


def _has_no_mesh(link: Link) -> bool:
    return not any(isinstance(part.geometry, Mesh) for part in link.weighed)


def _only_bounds(link: FileLink, collisions: LinkBody, visuals: LinkBody) -> bool:
    """Return True if the collisions are only bounding shapes of the body that the visuals show."""
    if not _has_no_mesh(link.link) or any(_faultiness(visuals)) or not (collisions.volume and visuals.volume):
        return False
    shows_mesh = any(isinstance(visual.geometry, Mesh) for visual in link.visuals)
    return visuals.volume < BOUNDING * collisions.volume and shows_mesh


def _with_densities(link: FileLink, options: RepairOptions, source: Source) -> Link:
    """Return the link with only one kind of part, with the densities and masses from the options and the file."""
    row = options.densities.find(link.name, link.local_name) if options.densities is not None else None
    density = row.density if row is not None and row.density is not None else options.density
    params = _printed(row) or options.params
    parts = []
    for part in link.parts(source):
        # In this order: the part's row of the map, the link's row or the option, what the file states.
        part_row = options.densities.find(*_names(link, source, part.name)) if options.densities is not None else None
        if part_row is not None and part_row is not row:  # a part's name contains the link's
            part_density = part.density if part_row.density is None else part_row.density
            part = replace(part, density=part_density, mass=part_row.mass)
        elif density is not None:
            part = replace(part, density=density)
        printed_part = _printed(part_row)
        parts.append(replace(part, params=printed_part or None) if printed_part or params else part)
    mass = options.weighed_mass(link)
    if mass is None and row is not None:
        mass = row.mass
    return replace(link.solid, collisions=tuple(parts), mass=mass, params=params or link.link.params)


def _printed(row: Stated | None) -> dict[str, str]:
    """Return the parameters of a print that a row of the map states, if it does."""
    if row is None or row.wall is None or row.infill is None:
        return {}
    return params_for("printed", {"wall": row.wall, "infill": row.infill})


def _names(link: FileLink, source: Source, part: str) -> tuple[str, ...]:
    """Return the names that a map of densities may have for a part."""
    return f"{link.local_name}/{part}", part, *link.part_names.get((source, part), ())


def is_in_map(link: FileLink, densities: DensityMap, source: Source) -> bool:
    """Return True if a map of densities has a row for a link or one of its parts."""
    parts = [_names(link, source, name) for kind, name in link.part_names if kind == source]
    return any(densities.find(*names) is not None for names in ((link.name, link.local_name), *parts))


def all_dense(link: Link) -> bool:
    """Return True if each part has a density or a mass."""
    return bool(link.weighed) and all(part.density is not None or part.mass is not None for part in link.weighed)


def states_mass(link: Link) -> bool:
    """Return True if the link, or one of its parts, has a given mass."""
    return link.mass is not None or any(part.mass is not None for part in link.weighed)


def _mass_unknown(link: FileLink, options: RepairOptions) -> InertiaError:
    if not options.keep_mass:
        return InertiaError.of("mass_unknown", "", "no_density")
    if link.mass is None:
        return InertiaError.of("mass_unknown", "", "no_mass")
    return InertiaError.of("mass_unknown", "", "impossible", mass=link.mass)
