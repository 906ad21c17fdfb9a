# SPDX-License-Identifier: Apache-2.0
"""Draws of all links of a robot together: twins, the total mass, and the geometry."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Bools, FloatArray
from ..body.compare import difference
from ..errors import Finding, InertiaError
from ..formats.robot_file import RobotFile
from ..judge.twins import SAME, SIGNS, mirror, twins
from ..judge.verdict import Verdict
from ..units import listed_text
from .draws import ATTEMPTS, COLUMNS, Draws, Twin, drawn, redrawn, uniforms
from .geometry import Inside
from .ranges import LinkRange, Ranges

REFUSED = ("impossible", "missing")
"""Faults of a link around whose inertial no draw is a body."""

MOST = 3_000_000
"""Draws of a link in all: about 2 GB."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """Draws of the links of a robot.

    Parameters
    ----------
    links : tuple of LinkRange
        All links with mass, also those that stay as they are.
    draws : tuple of Draws
        Of each.
    redrawn : mapping of str to int
        How many draws were refused and drawn again, by the link's name with the model's, and by "" for the total mass.
    findings : tuple of Finding
    """

    links: tuple[LinkRange, ...]
    draws: tuple[Draws, ...]
    redrawn: Mapping[str, int]
    findings: tuple[Finding, ...]


def link_ranges(file: RobotFile, verdicts: Sequence[Verdict], ranges: Ranges) -> list[LinkRange]:
    """Return each link with mass with its range.

    Raises
    ------
    InertiaError
        ``not_sampled`` for a link whose inertial is impossible or missing, or if nothing varies; ``bad_range`` for a
        pattern without a link.
    """
    file.check_settings()
    ranges.check(file.links)
    chosen = []
    for link, body, verdict in zip(file.links, file.bodies, verdicts, strict=True):
        if verdict.fault in REFUSED:
            raise _refused(verdict)
        if body.inertial is not None and body.inertial.mass > 0.0:
            chosen.append(LinkRange(link, body.inertial, ranges.of(link, body)))
    if not any(link.intervals for link in chosen):
        raise InertiaError.of("not_sampled", file.document.name, "no_range" if chosen else "none")
    return chosen


def sampled(
    links: Sequence[LinkRange],
    verdicts: Sequence[Verdict],
    count: int,
    seed: int,
    inside: bool = False,
    keep_total: bool = False,
    twins_equal: bool = True,
) -> Drawn:
    """Draw a robot's links many times.

    Parameters
    ----------
    links : sequence of LinkRange
    verdicts : sequence of Verdict
        Of the file, for the finding about doubtful links.
    count, seed : int
    inside : bool
        Draw again what is not possible inside a link's geometry.
    keep_total : bool
        Scale the masses that vary, so that the total stays; what leaves its range so is drawn again.
    twins_equal : bool
        Draw the left and the right link of a pair alike, mirrored, if their inertials are so within three digits.

    Raises
    ------
    InertiaError
        ``not_sampled``, ``nominal_outside``.
    """
    varied = sum(bool(link.intervals) for link in links)
    if count * varied > MOST:
        raise InertiaError.of("not_sampled", "", "many", count=count, links=varied, limit=MOST)
    pairs = dict(_mirrored(links)) if twins_equal else {}
    refused: dict[str, int] = {}
    shapes: dict[str, Draws] = {}
    for link in links:
        name = link.link.name
        if name not in pairs:  # a twin is drawn with the left link
            twins_of = [other for other in links if name == getattr(pairs.get(other.link.name), "name", "")]
            group = [link, *twins_of]
            of_group, again = _shapes(group, pairs, count, seed, inside)
            shapes |= {each.link.name: draws for each, draws in zip(group, of_group, strict=True)}
            refused |= {name: again} if again else {}
    if keep_total:
        groups = {pairs[name].name if name in pairs else name for name in _of_mass(links)}
        if len(groups) == 1:
            raise InertiaError.of("not_sampled", "", "one_mass", links=listed_text(_of_mass(links), 2))
        ordered = [shapes[link.link.name] for link in links]
        masses, again = _total_kept(links, ordered, lambda attempt: _masses(links, pairs, attempt, count, seed))
        for link, mass in zip(links, masses.T, strict=True):
            shapes[link.link.name] = replace(shapes[link.link.name], mass=mass)
        refused |= {"": again} if again else {}
    return Drawn(
        tuple(links), tuple(shapes[link.link.name] for link in links), refused, tuple(_doubts(links, verdicts))
    )


def _refused(verdict: Verdict) -> InertiaError:
    finding = next(iter(sorted(verdict.findings, key=lambda finding: finding.severity != "error")))
    values = {"fault": verdict.fault, "reason": finding.sentence, "remedy": finding.fix}
    return InertiaError.of("not_sampled", finding.subject or str(verdict.link.element), "fault", **values)


def _mirrored(links: Sequence[LinkRange]) -> list[tuple[str, Twin]]:
    """Return the right links whose draws mirror those of a left one, with that."""
    by_name = {link.link.name: link.inertial for link in links if link.intervals}
    pairs = []
    for first, second in twins(by_name):
        body = by_name[first]
        mirrored = [(np.ones(3), body), *((signs, mirror(body, axis)) for axis, signs in SIGNS.items())]
        apart = [difference(image, by_name[second]).worst for _, image in mirrored]
        if min(apart) < SAME:
            pairs.append((second, Twin(first, body, mirrored[int(np.argmin(apart))][0])))
    return pairs


def _of_mass(links: Sequence[LinkRange]) -> list[str]:
    """Return the names of the links whose mass varies."""
    return [link.link.name for link in links if link.interval.mass]


def _shapes(
    group: Sequence[LinkRange], pairs: Mapping[str, Twin], count: int, seed: int, inside: bool
) -> tuple[list[Draws], int]:
    """Return the draws of a link and of its twin, and how many were drawn again because a geometry does not allow them.

    What one of both refuses is drawn again for both, so that they stay alike.
    """

    def of(numbers: FloatArray) -> list[Draws]:
        return [drawn(link.inertial, link.interval, numbers, pairs.get(link.link.name)) for link in group]

    def attempt(number: int) -> list[Draws]:
        return of(uniforms(seed, group[0].link.name, number, count))

    if not group[0].intervals:
        return of(np.zeros((count, COLUMNS))), 0
    hulls = [Inside.of(link.link) for link in group] if inside else []

    def accepted(draws: Sequence[Draws]) -> Bools:
        good = np.ones(len(draws[0].mass), dtype=bool)
        for hull, of_link in zip(hulls, draws, strict=True):
            good &= True if hull is None else hull.accepts(of_link)
        return good

    if not any(hulls):
        return attempt(0), 0
    for link, hull, nominal in zip(group, hulls, of(np.zeros((1, COLUMNS))), strict=True):
        if hull is not None and not hull.accepts(nominal)[0]:
            raise InertiaError.of("nominal_outside", str(link.link.element))
    draws, again, good = redrawn(attempt(0), accepted, attempt)
    if not good.all():
        raise InertiaError.of("not_sampled", str(group[0].link.element), "inside", attempts=ATTEMPTS)
    return draws, again


def _masses(links: Sequence[LinkRange], pairs: Mapping[str, Twin], attempt: int, count: int, seed: int) -> FloatArray:
    """Return the masses (n, links) [kg] of an attempt."""
    columns = []
    for link in links:
        twin = pairs.get(link.link.name)
        name = link.link.name if twin is None else twin.name
        columns.append(link.inertial.mass * (1.0 + link.interval.mass * uniforms(seed, name, attempt, count)[:, 0]))
    return np.stack(columns, axis=1)


def _total_kept(
    links: Sequence[LinkRange], draws: Sequence[Draws], again: Callable[[int], FloatArray]
) -> tuple[FloatArray, int]:
    """Return masses (n, links) whose sum is the nominal one, each within its range, and how many were drawn again."""
    nominal = np.array([link.inertial.mass for link in links])
    share = np.array([link.interval.mass for link in links])
    varies = share > 0.0
    masses, refused = np.stack([of_link.mass for of_link in draws], axis=1), 0
    waiting = np.arange(len(masses))
    for attempt in range(1, ATTEMPTS + 1):
        tried = masses[waiting]
        tried[:, varies] *= (nominal[varies].sum() / tried[:, varies].sum(axis=1))[:, None]
        # Within its range but for the rounding of the scale.
        good = (np.abs(tried - nominal) <= (share + 1e-12) * nominal).all(axis=1)
        masses[waiting[good]] = tried[good]
        waiting = waiting[~good]
        refused += len(waiting)
        if not len(waiting):
            return masses, refused
        masses[waiting] = again(attempt)[waiting]
    raise InertiaError.of("not_sampled", "", "total", attempts=ATTEMPTS)


def _doubts(links: Sequence[LinkRange], verdicts: Sequence[Verdict]) -> list[Finding]:
    varied = {link.link for link in links if link.intervals}
    names = [verdict.link.local_name for verdict in verdicts if verdict.fault is not None and verdict.link in varied]
    return [Finding.of("warning", "faulty_nominal", count=len(names), links=listed_text(names, 5))] if names else []
