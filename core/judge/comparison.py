# SPDX-License-Identifier: Apache-2.0
"""Compares the inertials in a file with those of the geometry at the same mass: of one link, or of all in one line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite

import numpy as np

from ..body.compare import Difference, difference
from ..body.inertial import Inertial
from ..errors import Finding, first_error, has_error
from ..formats.file_link import SOURCES, FileLink
from ..robot.model import Collision, Link, Part, Unusable
from ..robot.resolve import LinkBody, resolve_link
from .geometry.given_inertial import find_doubts
from .geometry.written import as_written
from .number_checks import is_zero, zero_tensor
from .verdict import Verdict, fault_of

AGREES = 0.05
"""Maximum relative difference of inertials that agree: a number with two digits can be off by 5 %."""

TIMES = 10.0
"""If a trace is this many times too large or too small, the factor is reported instead of a percentage."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """The inertial of a link in the file, and that of its geometry.

    Parameters
    ----------
    name : str
    published : Inertial or None
        The file's inertial, in the link's frame; None if the file gives none.
    computed : LinkBody
        The body of its collisions (its visuals, if it has no collisions), of uniform density and the mass in the file.
    difference : Difference or None
        Relative to the computed inertial; None if one of the two is missing or impossible.
    findings : tuple of Finding
        What is wrong with the numbers in the file; those of its verdict, if the file has been judged.
    """

    name: str
    published: Inertial | None
    computed: LinkBody
    difference: Difference | None
    findings: tuple[Finding, ...]

    @property
    def impossible(self) -> bool:
        """True if no body can have the numbers in the file, or there are none."""
        return self.published is None or any(fault_of(finding) == "impossible" for finding in self.findings)

    @property
    def apart(self) -> float | None:
        """The largest difference of centre of mass and tensor, relative to the computed ones, if both have numbers."""
        return None if self.difference is None else self.difference.worst

    @property
    def density(self) -> float | None:
        """The density [kg/m³] at which the geometry has the mass of the computed inertial."""
        body = self.computed
        return None if body.inertial is None or not body.volume else body.inertial.mass / body.volume


def compared(link: Link, published: Inertial | None, quick: bool = False) -> Comparison:
    """Compare a link's inertial in the file with its geometry.

    Parameters
    ----------
    link : Link
    published : Inertial or None
        In the link's frame.
    quick : bool
        As in `resolve_link`.
    """
    mass = published.mass if published is not None and published.mass > 0.0 else link.mass
    body = uniform_body(link, mass, quick)
    findings = () if published is None else published.findings()
    apart = None
    if published is not None and is_zero(published) and (link.parts or link.visuals):
        findings = (zero_tensor(published.mass),)
    if published is not None and not has_error(findings):
        if body.inertial is not None:
            apart = difference(body.inertial, published, body.inertial)
        uniform = None if body.refused else body
        numbers = as_written(published)
        findings += find_doubts(published, link.parts, lambda: link.visuals, lambda: uniform, written=numbers).findings
    about = tuple(finding.about(link.name) for finding in findings)
    return Comparison(link.name, published, body, apart, about)


def uniform_body(link: Link, mass: float | None, quick: bool = False) -> LinkBody:
    """Return the body of a link's collisions, or of its visuals if it has no collisions, of this mass [kg]."""
    visuals = tuple(Part(visual.name, visual.pose, visual.geometry) for visual in link.visuals)
    collisions, masses = (link.collisions, link.masses) if link.parts else ((), visuals)
    uniform_link = replace(
        link, mode="filled", manual=None, mass=mass, collisions=collisions, masses=masses, findings=()
    )
    return resolve_link(uniform_link, quick=quick)


@dataclass(frozen=True)
class Summary:
    """Counts of a file's links.

    Parameters
    ----------
    links : int
        All but bare frames; ``possible + links with an error``.
    possible : int
        Links without an error; ``agree + differ + not_compared``.
    agree, differ : int
        Links whose centre of mass and tensor differ from those of their uniform geometry by up to `AGREES`, or more.
    not_compared : int
        Links without inertial, mass or geometry, with a part that cannot be read, auto or static.
    largest_difference : float or None
        Of the links that differ, relative to the geometry's radius of gyration and trace; None if none differs.
    largest_factor : float or None
        The largest factor by which a trace is too large or too small, if it is at least `TIMES`; else None.
    reasons : mapping of str to int
        Why links were not compared, the most frequent reason first.
    """

    links: int
    possible: int
    agree: int
    differ: int
    not_compared: int
    largest_difference: float | None
    largest_factor: float | None
    reasons: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        links, invalid = self.links, self.links - self.possible
        head = f"{links} link{'s' * (links != 1)}: "
        wrong = f"{invalid} invalid inertial{'s' * (invalid != 1)}"
        texts = list(self._compared())
        if not texts:
            return head + (wrong if invalid else "none")
        if not invalid:
            return f"{head}no invalid inertial; {', '.join(texts)}"
        valid = f"of the {self.possible} valid ones" if self.possible > 1 else "of 1 valid one"
        return f"{head}{wrong}; {valid}, {', '.join(texts)}"

    def _compared(self) -> Iterator[str]:
        """Yield how the valid inertials compare with their geometry."""
        agree, differ = self.agree, self.differ
        if agree:
            yield f"{agree} agree{'s' * (agree == 1)} with {'its' if agree == 1 else 'their'} geometry within 5 %"
        if self.largest_difference is not None:
            most = "up to " * (differ > 1)
            if self.largest_factor is None:
                apart = f"{most}{float(f'{100.0 * self.largest_difference:.2g}'):g} %"
            else:
                apart = f"a factor of {most}{float(f'{self.largest_factor:.2g}'):g}"
            yield f"{differ} differ{'s' * (differ == 1)} by {apart}"
        if self.not_compared:
            why = ", ".join(
                f"{count} {reason}" if len(self.reasons) > 1 else reason for reason, count in self.reasons.items()
            )
            yield f"{self.not_compared} {'was' if self.not_compared == 1 else 'were'} not compared ({why})"


def summary_of(verdicts: Sequence[Verdict]) -> Summary:
    """Count the links of a file by their verdicts, and by how near they are to their geometry.

    Their geometry is measured roughly, to a percent or better, unless it was measured for a verdict: that is enough for
    a limit of 5 %, and saves most of the time for meshes with faces that pass through others.
    """
    possible = [verdict.link for verdict in verdicts if not has_error(verdict.findings)]
    distances = [_distance(link) for link in possible]
    apart = [distance for distance in distances if not isinstance(distance, str)]
    reasons = Counter(reason for reason in distances if isinstance(reason, str))
    differ = [(difference, factor) for difference, factor in apart if difference > AGREES]
    factors = [factor for _, factor in differ if factor >= TIMES]
    return Summary(
        len(verdicts),
        len(possible),
        len(apart) - len(differ),
        len(differ),
        len(possible) - len(apart),
        max((difference for difference, _ in differ), default=None),
        max(factors, default=None),
        dict(reasons.most_common()),
    )


@np.errstate(all="ignore")  # absurd sizes overflow, and are not compared
def _distance(link: FileLink) -> tuple[float, float] | str:
    """Return how far a link's inertial is from that of its collisions or visuals, whichever is nearer.

    The first number is the relative difference, the second the factor of the traces; or why they are not compared.
    """
    published = link.inertial
    if link.auto or link.static:
        return "computed by a simulator" if link.auto else "static"
    if published is None or not published.mass > 0.0:
        return "without inertial" if published is None else "without mass"
    # Collisions first, at the mass of the file; the visuals are read only if these do not agree.
    nearest: tuple[float, float] | None = None
    reason = "with a geometry that cannot be read" if link.has_geometry else "without geometry"
    for source in SOURCES:
        parts = tuple(Collision(part.name, part.pose, part.geometry) for part in link.parts(source))  # of one density
        if not parts or any(isinstance(part.geometry, Unusable) for part in parts):
            continue
        body = resolve_link(replace(link.solid, collisions=parts, mass=published.mass), rough=True)
        if body.inertial is not None and not body.refused:
            apart = _apart(body.inertial, published)
            nearest = apart if nearest is None else min(nearest, apart)
            if nearest[0] <= AGREES:
                break  # without reading the visuals
        elif (error := first_error(body.all_findings())) is not None:
            reason = f"with the finding {error.code}"
    return nearest if nearest is not None and isfinite(nearest[0]) else reason


def _apart(uniform: Inertial, published: Inertial) -> tuple[float, float]:
    """Return the relative difference, and the factor, above 1, between the traces of the tensors; 1 if one is 0."""
    small, large = sorted(float(np.trace(inertial.inertia)) for inertial in (uniform, published))
    return difference(uniform, published, uniform).worst, large / small if small > 0.0 else 1.0
