# SPDX-License-Identifier: Apache-2.0
"""Findings that need a comparison of the links: copied tensors, mass spread beyond the robot, no inertials at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from math import inf, log, sqrt
from statistics import median

import numpy as np

from ..body.materials import WATER
from ..errors import Finding
from ..findings.remedy import OF_REPAIR, Remedy
from ..formats.file_link import FileLink
from ..formats.robot_file import RobotFile
from ..robot.extent import SeenBody, extent_of
from ..robot.model import WORLD, Joint, Unusable, Visual
from ..units import listed_text, numbers_text
from .geometry.plausibility import fits, is_stand_in
from .geometry.templates import shared_tensors
from .geometry.wrong_units import LENGTHS, unit_of_lengths
from .number_checks import LIGHT, is_zero
from .total_mass import densities_of
from .verdict import Verdict

OF_A_UNIT = ("small_tensor", "com_outside", "unit_suspicion", "geometry_unit", "radius_of_gyration", "implied_density")
"""Findings that a robot in another unit of length may have."""

EQUAL_MASS = 0.01
"""Links whose masses differ by less than this share are copies of one part."""

TOKEN = 0.1
"""A link with less than this share of the mass that is fixed to it has no mass of its own, only a token."""

DIGITS = 3
"""A number with fewer digits agrees with another one by chance."""

FOLLOW_A_COPY = ("radius_of_gyration", "impossible_spread", "small_tensor", "small_geometry", "tensor_mass")
"""Findings that only follow from the tensor of another link."""


def with_copies(verdicts: list[Verdict]) -> list[Verdict]:
    """Add a finding to links that share their tensor with links of other masses, if it does not fit their geometry."""
    given = [(number, verdict.link.inertial) for number, verdict in enumerate(verdicts) if not verdict.link.static]
    known = [(number, inertial) for number, inertial in given if inertial is not None and not is_zero(inertial)]
    for group in shared_tensors([inertial for _, inertial in known]):
        shared = [known[index] for index in group]
        masses = [inertial.mass for _, inertial in shared]
        sound = [inertial.mass for number, inertial in shared if verdicts[number].fault is None]
        are_equal = len(sound) > 1 and max(sound) <= min(sound) * (1.0 + EQUAL_MASS)
        for number, inertial in shared:
            verdict = verdicts[number]
            uniform = verdict.link.uniform_shown() if _may_be_copy(verdict, are_equal) else None
            if uniform is None or uniform.inertial is None or fits(inertial, uniform.inertial):
                continue
            others = [verdicts[other].link.local_name for other, _ in shared if other != number]
            moments = numbers_text(np.diag(uniform.inertial.scaled_to(inertial.mass).inertia))
            values = {"links": listed_text(others, 2), "least": min(masses), "most": max(masses), "moments": moments}
            copied = verdict.link.element.about(Finding.of("warning", "copied_tensor", **values))
            independent = (finding for finding in verdict.findings if finding.code not in FOLLOW_A_COPY)
            verdicts[number] = replace(verdict, findings=(*independent, copied), right=None)
    return verdicts


def _may_be_copy(verdict: Verdict, are_equal: bool) -> bool:
    """Return True unless another fault explains the tensor, or the geometry only marks a part that is not modelled.

    If several links share it rightly, as equal wheels do (`are_equal`), a link of another mass has a wrong mass.
    """
    if verdict.mistakes == ("mass",):
        return not are_equal
    if verdict.fault in ("impossible", "geometry", "mistake", "placeholder"):
        return False
    extent = verdict.link.extent
    return extent is None or not is_stand_in(extent)


def with_one_unit(verdicts: list[Verdict]) -> list[Verdict]:
    """Add one error to all links of a robot whose lengths are all in another unit, centres of mass and places too."""
    doubted = [verdict for verdict in verdicts if any(finding.code in OF_A_UNIT for finding in verdict.findings)]
    if len(doubted) < 2:
        return verdicts
    bodies = {
        verdict.link.name: (verdict.link.inertial, _seen(verdict.link))
        for verdict in verdicts
        if verdict.link.inertial is not None and verdict.link.inertial.mass > 0.0 and verdict.link.has_geometry
    }
    known = {name: (body, seen) for name, (body, seen) in bodies.items() if body is not None and seen is not None}
    # One unit must fit all links; None is among the units if none fits a link.
    units = {unit_of_lengths(body, seen) for body, seen in known.values()}
    (unit,) = units if len(units) == 1 else (None,)
    if unit is None or len(known) < 2:
        return verdicts
    body, seen = max(known.values(), key=lambda pair: pair[1].extent.longest)
    density = body.mass / seen.solid_volume
    document = doubted[0].link.document
    values = {"count": len(known), "density": density, "units": LENGTHS[unit], "scaled": density / unit**3}
    values |= {"longest": seen.extent.longest, "length": seen.extent.longest * unit, "factor": unit}
    finding = Finding.of("error", "geometry_unit", str(document.root), "robot", **values)
    return [
        replace(verdict, findings=(finding,), right=None) if verdict.link.name in known else verdict
        for verdict in verdicts
    ]


def _seen(link: FileLink) -> SeenBody | None:
    """Return the geometry of a link as it is compared with its inertial."""
    extent, uniform = link.extent, link.uniform_shown()
    if extent is None or uniform is None:
        return None
    return SeenBody(extent, uniform.volume, uniform.inertial)


def with_slips(verdicts: list[Verdict]) -> list[Verdict]:
    """Add the densities to findings about a mass and a tensor of another mass: the odd one shows which is wrong."""
    slips = [number for number, verdict in enumerate(verdicts) if verdict.slip is not None]
    if not slips:
        return verdicts
    densities = densities_of(verdict.link for verdict in verdicts)
    sound = [density for name, density in densities.items() if name not in {verdicts[n].link.name for n in slips}]
    others = median(sound) if sound else None
    for number in slips:
        verdict = verdicts[number]
        density, slip = densities.get(verdict.link.name), verdict.slip
        if density is None or slip is None or verdict.link.inertial is None:
            continue
        values = {"of_mass": density, "of_tensor": density * slip.mass / verdict.link.inertial.mass, "others": others}
        findings = tuple(_with_densities(finding, values) for finding in verdict.findings)
        verdicts[number] = replace(verdict, findings=findings)
    return verdicts


def _with_densities(finding: Finding, densities: Mapping[str, float | None]) -> Finding:
    """Return the finding with the densities; the remedy that makes that of the other links comes first."""
    others = densities["others"]
    if finding.code != "tensor_mass":
        return finding
    apart = {} if others is None else {name: abs(log(number / others)) for name, number in densities.items() if number}
    form = "scale" if apart and apart["of_mass"] < apart["of_tensor"] else ""
    values = {**finding.sentence.values, **densities}
    return Finding.of(finding.severity, finding.code, finding.subject, form, **values)


def with_empty_masses(verdicts: list[Verdict]) -> list[Verdict]:
    """Add a finding to links without geometry that weigh as much as all others: the whole robot's mass, pasted.

    A root or a torso that is not drawn may be as heavy: its mass is a mistake only if it is the sum of the others to
    all its digits. So is that of a leaf, whatever its digits, if most links are drawn; but the mass of the link that it
    is fixed to may stand in it.
    """
    empty = [number for number, verdict in enumerate(verdicts) if _is_shapeless(verdict)]
    for model in dict.fromkeys(verdicts[number].link.model for number in empty):
        links = [verdict.link for verdict in verdicts if verdict.link.model == model and not verdict.link.static]
        masses = {link.local_name: _mass(link) for link in links}
        drawn = {link.local_name for link in links if link.has_geometry and masses[link.local_name] > 0.0}
        parents = {link.parent for link in links}
        total, whole = sum(masses[name] for name in drawn), sum(masses.values())
        are_most = 2 * len(drawn) > sum(mass > LIGHT for mass in masses.values())
        for number in empty if len(drawn) > 1 else ():
            link = verdicts[number].link
            if link.model != model or link.inertial is None:
                continue
            mass = link.inertial.mass
            is_sum = any(_is_rounded(mass, exact) for exact in (total, whole - mass))
            has_holder = link.parent in drawn and masses[link.parent] > TOKEN * mass
            is_leaf = has_holder and link.local_name not in parents
            if is_sum or (is_leaf and are_most and mass >= total):
                finding = Finding.of("warning", "empty_mass", mass=mass, count=len(drawn), total=total)
                verdicts[number] = replace(verdicts[number], findings=(link.element.about(finding),))
    return verdicts


def _mass(link: FileLink) -> float:
    """Return the mass of a link [kg] that the file gives, or its simulator; 0 if it has none."""
    inertial = link.body.inertial if link.auto else link.inertial
    return inertial.mass if inertial is not None and 0.0 < inertial.mass < inf else 0.0


def _is_rounded(number: float, exact: float) -> bool:
    """Return True if a number is another one rounded to at least three digits."""
    digits = len(Decimal(repr(number)).normalize().as_tuple().digits)
    return digits >= DIGITS and float(f"{exact:.{digits}g}") == number


def with_default_density(verdicts: list[Verdict]) -> list[Verdict]:
    """Add an info to the few links that have water's density to all digits, unlike the others: nobody chose it."""
    water = [number for number, verdict in enumerate(verdicts) if verdict.by_itself.is_water]
    others = densities_of(verdict.link for verdict in verdicts if not verdict.by_itself.is_water) if water else {}
    differ = [density for density in others.values() if abs(density / WATER - 1.0) > EQUAL_MASS]
    if len(differ) < 2 * (len(water) + len(others) - len(differ)):
        return verdicts
    for number in water:
        finding = Finding.of("info", "default_density", "", "link", density=WATER, others=median(differ))
        verdict = verdicts[number]
        verdicts[number] = replace(verdict, findings=(*verdict.findings, verdict.link.element.about(finding)))
    return verdicts


def with_shapeless(verdicts: list[Verdict]) -> list[Verdict]:
    """Add a finding to links without geometry whose tensor needs mass farther out than the robot is large."""
    shapeless = [number for number, verdict in enumerate(verdicts) if _is_shapeless(verdict)]
    size = _robot_size(verdicts) if shapeless else 0.0
    for number in shapeless if size else ():
        link = verdicts[number].link
        assert link.inertial is not None
        mass = link.inertial.mass
        # The root of the mean squared distance from the centre: ∫r² dm is half the trace.
        radius = sqrt(max(float(np.trace(link.inertial.inertia)), 0.0) / 2.0 / mass)
        if radius > size:
            finding = Finding.of("warning", "radius_of_gyration", "", "alone", mass=mass, radius=radius, size=size)
            verdicts[number] = replace(verdicts[number], findings=(link.element.about(finding),))
    return verdicts


def _is_shapeless(verdict: Verdict) -> bool:
    link = verdict.link
    if verdict.findings or link.has_geometry or link.auto or link.static:
        return False
    return link.inertial is not None and link.inertial.mass > LIGHT


def _robot_size(verdicts: Sequence[Verdict]) -> float:
    """Return the diagonal [m] of the box around a robot, joints at zero; 0 if some of its geometry cannot be read."""
    links = [verdict.link for verdict in verdicts]
    shapes = [(link.link.pose, part) for link in links for part in (*link.link.collisions, *link.visuals_with_extent)]
    if any(isinstance(part.geometry, Unusable) for _, part in shapes):
        return 0.0
    robot = extent_of(replace(part, pose=X @ part.pose) for X, part in shapes)
    return 0.0 if robot is None else float(np.linalg.norm(robot.sides))


def merged_findings(file: RobotFile, verdicts: Sequence[Verdict]) -> Iterable[Finding]:
    """Return the findings of the links, with one for all fixed links without an inertial.

    If no link of the file has an inertial, one finding for the whole file replaces those of its links.
    """
    findings = [finding for verdict in verdicts for finding in verdict.findings]
    without = {
        finding: verdict.link
        for verdict in verdicts
        for finding in verdict.findings
        if finding.code == "default_inertial" and finding.severity == "warning"
    }
    if any(link.has_inertial for link in file.links):
        fixed = {finding: link for finding, link in without.items() if link.name in file.held and not link.has_inertial}
        ((best, count),) = Counter(map(_best, fixed)).most_common(1) or (("", 0),)
        if count < 2:
            return findings
        merged = {finding: link for finding, link in fixed.items() if _best(finding) == best}
        names = listed_text([link.local_name for link in merged.values()], 3)
        whole = Finding.of("warning", "default_inertial", file.document.name, "held_links", count=count, links=names)
        others = whole.fix.without(OF_REPAIR)
        named = any(action in OF_REPAIR for finding in merged for action in finding.actions)
        whole = replace(whole, fix=Remedy(best, *others.alternatives) if named else others)
        return [*(finding for finding in findings if finding not in merged), whole]
    if len(without) < 2:
        return findings
    shown = sum(link.has_geometry for link in file.links)
    form = "sdf" if file.format_name == "SDF" else ""
    whole = Finding.of("warning", "no_inertials", file.document.name, form, count=shown)
    whole = replace(whole, fix=max(without, key=lambda finding: len(finding.actions)).fix)
    return [whole, *(finding for finding in findings if finding.code != "default_inertial")]


def _best(finding: Finding) -> str:
    """Return the first alternative of a remedy, with the options of its command."""
    return finding.fix.alternatives[0]


def drawn_by_fixed_links(link: FileLink, links: Iterable[FileLink], joints: Iterable[Joint]) -> list[Visual]:
    """Return what the links draw that fixed joints join to a link, directly or through others, in its frame."""
    fixed = [(joint.parent, joint.child) for joint in joints if joint.kind == "fixed"]
    joined, waiting = {link.local_name}, [link.local_name]
    while waiting:
        name = waiting.pop()
        near = {end for pair in fixed if name in pair for end in pair} - joined - {WORLD}
        joined |= near
        waiting += near
    shown = []
    for other in links:
        if other.model == link.model and other.local_name in joined and other is not link:
            X = link.link.pose.inverse() @ other.link.pose
            parts = (*other.link.collisions, *other.visuals_with_extent)
            shown += [Visual(part.name, X @ part.pose, part.geometry) for part in parts]
    return shown
