# SPDX-License-Identifier: Apache-2.0
"""The masses of a whole robot: their sum against its data sheet, and the factor at which they have that sum.

A mean density that is odd shows a wrong mass.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isclose, isfinite, log
from statistics import median

from ..errors import Finding, InertiaError
from ..formats.file_link import FileLink
from ..formats.robot_file import RobotFile
from .verdict import Verdict

ABSURD = 1e99
"""Densities [kg/m³] beyond this, or below its inverse, come from sizes that overflow."""

TOLERANCE = 0.05
"""Maximum relative difference between the sum and the given mass: two digits of a data sheet can be off by 5 %, and
cables and screws, which are in no link, add a few percent."""

ODD = 3.0
"""A density is odd if it is more than this many times the median of the other links', or that many times smaller: thin
shells and motors of one robot differ by up to this factor."""

TIMES = 2.0
"""From this factor on, the sum is given as so many times the mass."""

NAMED = 3
"""Maximum number of odd links that are named."""

FACTORS = (0.1, 10.0)
"""Bounds of the factor that scales masses from densities. Printed with a tenth of infill, a material has a tenth of its
density; lead has eleven times that of water. Beyond these, the mass or a density is wrong."""


@dataclass(frozen=True)
class OddLink:
    """A link, its mean density [kg/m³], and the median of those of the other links."""

    name: str
    density: float
    median: float


@dataclass(frozen=True)
class TotalMass:
    """The sum of a robot's masses and the mass that is given for it [kg].

    Parameters
    ----------
    given, sum : float
    difference : float
        ``sum / given - 1``.
    without_mass : int
        Links with geometry that have no mass.
    models : dict of str to float
        The sum of each model, without those of nested models.
    after : float or None
        The sum after `repair`, if that changes a mass.
    odd : tuple of OddLink
        The links farthest from the others in density, if the difference is larger than `TOLERANCE`.
    """

    given: float
    sum: float
    difference: float
    without_mass: int
    models: Mapping[str, float]
    odd: tuple[OddLink, ...]
    after: float | None = None

    @property
    def text(self) -> str:
        """The sum and the difference in words."""
        percent, times = abs(100.0 * self.difference), 1.0 + self.difference
        more = f"{_short(percent)} % {'above' if self.difference > 0.0 else 'below'}" if percent >= 0.05 else "equal to"
        more = f"{_short(times)} times" if times >= TIMES else more
        without = f", {self.without_mass} without a mass" * (self.without_mass > 0)
        after = "" if self.after is None else f"; after `repair` they add up to {self.after:.4g} kg"
        return f"the links add up to {self.sum:.4g} kg{without}, {more} the {self.given:.6g} kg given{after}"

    @property
    def findings(self) -> tuple[Finding, ...]:
        """A warning if the difference is larger than `TOLERANCE`."""
        if abs(self.difference) <= TOLERANCE:
            return ()
        names = ", ".join(
            f"{link.name} with {_short(link.density)} kg/m³ (others {_short(link.median)})" for link in self.odd
        )
        return (Finding.of("warning", "total_mass", "", "odd" if names else "", sums=self.text, links=names),)


def total_mass(file: RobotFile, given: float, verdicts: Iterable[Verdict] = ()) -> TotalMass:
    """Compare the sum of the masses in a file with the given mass of the robot.

    The robot is the one top-level model that is not static, with all models nested in it. With the `verdicts` of
    `judge`, the sum after a repair is given, too.

    Raises
    ------
    InertiaError
        ``several_robots``; ``bad_mass`` if the sum is not a number.
    """
    masses = masses_of(file)
    models = _sums(masses, lambda name: name.rpartition("::")[0])
    whole = sum(masses.values())
    if not isfinite(difference := whole / given - 1.0):
        raise InertiaError.of("bad_mass", "", "total", total=whole, given=given)
    without = sum(link.has_geometry and not masses[link.name] for link in file.links if link.name in masses)
    odd = _odd(file.links, masses) if abs(difference) > TOLERANCE else ()
    repaired = sum((masses | _planned(verdicts)).values())
    after = None if isclose(repaired, whole) else repaired
    return TotalMass(given, whole, difference, without, models, odd, after)


def mass_factor(given: float, file: RobotFile, new: Mapping[str, float], computed: Collection[str]) -> float:
    """Return the factor of the masses from densities at which the robot in a file has the given mass [kg].

    Parameters
    ----------
    new : mapping of str to float
        Masses [kg] that replace those in the file, by the names of the links.
    computed : collection of str
        Names of the links whose mass is computed from densities; the masses of the others are measured.

    Raises
    ------
    InertiaError
        ``mass_unknown`` if a link with geometry has no mass; ``target_below_parts`` if no mass is computed, or the
        measured ones already reach the given mass; ``total_mass_factor`` if the factor is outside of `FACTORS`; as
        `masses_of`.
    """
    masses = masses_of(file)
    masses |= {name: mass for name, mass in new.items() if name in masses}
    for link in file.links:
        if link.has_geometry and masses.get(link.name) == 0.0:
            raise InertiaError.of("mass_unknown", "", "share", link=link.local_name)
    free = sum(mass for name, mass in masses.items() if name in computed)
    measured = sum(mass for name, mass in masses.items() if name not in computed)
    if not free > 0.0:
        if isclose(measured, given):
            return 1.0  # as after a run with the same total
        raise InertiaError.of("target_below_parts", "", "nothing_computed", measured=measured)
    if not given > measured:
        raise InertiaError.of("target_below_parts", "", "total", measured=measured, given=given)
    # given = measured + factor * free
    factor = (given - measured) / free
    if not FACTORS[0] <= factor <= FACTORS[1]:
        raise InertiaError.of("total_mass_factor", factor=_short(factor), least=FACTORS[0], most=FACTORS[1])
    return factor


def masses_of(file: RobotFile) -> dict[str, float]:
    """Return the mass [kg] of each link of the one robot of a file; 0 if it has none. Raises ``several_robots``."""
    masses: dict[str, float] = {}
    for link, body in zip(file.links, file.bodies, strict=True):
        if not link.static:
            computed = None if body.inertial is None else body.inertial.mass
            mass = computed if link.auto else link.mass
            masses[link.name] = mass if mass is not None and isfinite(mass) and mass > 0.0 else 0.0
    robots = _sums(masses, lambda name: name.partition("::")[0])
    if len(robots) > 1:
        sums = ", ".join(f"{robot} {mass:.4g} kg" for robot, mass in robots.items())
        raise InertiaError.of("several_robots", count=len(robots), sums=sums)
    return masses


def densities_of(links: Iterable[FileLink]) -> dict[str, float]:
    """Return the density [kg/m³] of each link with mass and geometry, by its name."""
    densities = {}
    for link in links:
        uniform = link.uniform_shown() if link.mass is not None and link.mass > 0.0 else None
        density = link.mass / uniform.volume if link.mass and uniform is not None and uniform.volume else 0.0
        if 1.0 / ABSURD < density < ABSURD:
            densities[link.name] = density
    return densities


def _planned(verdicts: Iterable[Verdict]) -> dict[str, float]:
    """Return the masses that `repair` writes without options, by the names of the links."""
    plans = ((verdict.link.name, verdict.plan) for verdict in verdicts)
    return {
        name: plan.new.mass for name, plan in plans if plan is not None and plan.new is not None and not plan.options
    }


def _sums(masses: Mapping[str, float], model: Callable[[str], str]) -> dict[str, float]:
    sums: dict[str, float] = {}
    for name, mass in masses.items():
        sums[model(name)] = sums.get(model(name), 0.0) + mass
    return sums


def _odd(links: Sequence[FileLink], masses: Mapping[str, float]) -> tuple[OddLink, ...]:
    """Return the links whose density is farthest from the median of the others', the farthest first."""
    densities = densities_of(link for link in links if masses.get(link.name))
    names = {link.name: link.local_name for link in links}
    odd = []
    for name, density in densities.items():
        others = [other for key, other in densities.items() if key != name]
        # As a ratio, so that half and twice the density are equally far.
        if len(others) > 1 and abs(log(density / median(others))) > log(ODD):
            odd.append(OddLink(names[name], density, median(others)))
    return tuple(sorted(odd, key=lambda link: -abs(log(link.density / link.median)))[:NAMED])


def _short(number: float) -> str:
    """Return a number with two or three digits: 1190, not 1.19e+03."""
    return f"{float(f'{number:.3g}'):g}"
