# SPDX-License-Identifier: GPL-3.0-or-later
"""The inertial of a link in a file, compared with that of its geometry at the same mass."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..body.compare import difference
from ..body.inertial import Inertial
from ..errors import Finding, has_error
from ..robot.given_inertial import find_doubts
from ..robot.mistakes.written import as_written
from ..robot.model import Link, Part
from ..robot.resolve import LinkBody, resolve_link


@dataclass(frozen=True, eq=False)
class Comparison:
    """One link.

    Parameters
    ----------
    name : str
    published : Inertial or None
        The file's inertial, in the link's frame; None if the file gives none.
    computed : LinkBody
        That of its collisions, or without collisions its visuals: of uniform density, with the published mass.
    apart : float or None
        The largest difference of centre of mass and tensor, relative to the computed ones; None if either has no
        number.
    findings : tuple of Finding
        What is wrong with the published numbers: an error if no body can have them, a warning if no body of this
        geometry would, as with a template.
    """

    name: str
    published: Inertial | None
    computed: LinkBody
    apart: float | None
    findings: tuple[Finding, ...]

    @property
    def density(self) -> float | None:
        """The density [kg/m³] at which the geometry has the mass of the computed inertial."""
        body = self.computed
        return None if body.inertial is None or not body.volume else body.inertial.mass / body.volume

    @property
    def impossible(self) -> bool:
        """True if no body can have the published numbers, or there are none."""
        return self.published is None or has_error(self.published.findings())


def compared(link: Link, published: Inertial | None, quick: bool = False) -> Comparison:
    """Compare a link's published inertial with its geometry.

    Parameters
    ----------
    link : Link
    published : Inertial or None
        In the link's frame.
    quick : bool
        As in `resolve_link`.
    """
    seen = tuple(Part(one.name, one.pose, one.geometry) for one in link.visuals)
    collisions, masses = (link.collisions, link.masses) if link.parts else ((), seen)
    mass = published.mass if published is not None and published.mass > 0.0 else link.mass
    own = replace(link, mode="filled", manual=None, mass=mass, collisions=collisions, masses=masses, findings=())
    body = resolve_link(own, quick=quick)
    findings = () if published is None else published.findings()
    apart = None
    if published is not None and not has_error(findings):
        if body.inertial is not None:
            apart = difference(body.inertial, published, body.inertial).worst
        uniform = None if body.refused else body
        numbers = as_written(published)
        findings += find_doubts(published, link.parts, lambda: link.visuals, lambda: uniform, written=numbers).findings
    return Comparison(link.name, published, body, apart, tuple(one.about(link.name) for one in findings))
