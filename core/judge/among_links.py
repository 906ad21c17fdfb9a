# SPDX-License-Identifier: GPL-3.0-or-later
"""What only a comparison of the links shows: copied tensors, sizes beyond the robot's, no inertial at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import sqrt

import numpy as np

from ..body.templates import shared_tensors
from ..errors import Finding
from ..formats.robot_file import RobotFile
from ..robot.extent import extent_of
from ..robot.model import Unusable
from ..robot.plausibility import fits, is_stand_in
from ..sdf.file_link import FileLink
from ..units import numbers_text
from .numbers import LIGHT, is_zero
from .verdict import Verdict

FOLLOW_A_COPY = ("radius_of_gyration", "impossible_spread", "small_tensor", "small_geometry", "tensor_mass")
"""Findings that only follow from the tensor of another link."""


def with_copies(verdicts: list[Verdict]) -> list[Verdict]:
    """Add a finding to links that share a tensor with links of other masses, if it does not fit them."""
    given = [(number, one.link.inertial) for number, one in enumerate(verdicts) if not one.link.static]
    known = [(number, inertial) for number, inertial in given if inertial is not None and not is_zero(inertial)]
    for group in shared_tensors([inertial for _, inertial in known]):
        numbers = [known[one][0] for one in group]
        inertials = [known[one][1] for one in group]
        masses = [inertial.mass for inertial in inertials]
        for number, inertial in zip(numbers, inertials, strict=True):
            verdict = verdicts[number]
            has_other = verdict.fault in ("impossible", "geometry", "mistake", "placeholder")
            has_other &= verdict.mistakes != ("mass",)
            compared = not (has_other or _is_marker(verdict.link))
            uniform = verdict.link.uniform_shown() if compared else None
            if uniform is None or uniform.inertial is None or fits(inertial, uniform.inertial):
                continue
            others = [verdicts[other].link.local_name for other in numbers if other != number]
            names = f"{', '.join(others[:2])}{f' and {len(others) - 2} more' if others[2:] else ''}"
            moments = numbers_text(np.diag(uniform.inertial.scaled_to(inertial.mass).inertia))
            range_ = {"least": min(masses), "most": max(masses)}
            finding = Finding.of("warning", "copied_tensor", links=names, **range_, moments=moments)
            kept = (one for one in verdict.findings if one.code not in FOLLOW_A_COPY)
            verdicts[number] = replace(verdict, findings=(*kept, verdict.link.place.about(finding)), right=None)
    return verdicts


def _is_marker(link: FileLink) -> bool:
    """Return True if the geometry of a link stands for a part that is not drawn: its tensor is not to be compared."""
    extent = extent_of([*link.link.collisions, *link.shown])
    return extent is not None and is_stand_in(extent)


def with_shapeless(verdicts: list[Verdict]) -> list[Verdict]:
    """Add a finding to links without geometry whose mass is spread farther than the robot's size."""
    shapeless = [number for number, one in enumerate(verdicts) if _is_shapeless(one)]
    size = _size(verdicts) if shapeless else 0.0
    for number in shapeless if size else ():
        verdict = verdicts[number]
        inertial = verdict.link.inertial
        assert inertial is not None
        radius = sqrt(max(float(np.trace(inertial.inertia)), 0.0) / 2.0 / inertial.mass)
        if radius > size:
            finding = Finding.of(
                "warning", "radius_of_gyration", "", "alone", mass=inertial.mass, radius=radius, size=size
            )
            verdicts[number] = replace(verdict, findings=(verdict.link.place.about(finding),))
    return verdicts


def _is_shapeless(verdict: Verdict) -> bool:
    link = verdict.link
    if verdict.findings or link.has_geometry or link.auto or link.static:
        return False
    return link.inertial is not None and link.inertial.mass > LIGHT


def _size(verdicts: Sequence[Verdict]) -> float:
    """Return the diagonal [m] of the box around a robot, joints at zero; 0 if some of its geometry cannot be read."""
    links = [one.link for one in verdicts]
    shapes = [(link.link.pose, part) for link in links for part in (*link.link.collisions, *link.shown)]
    if any(isinstance(part.geometry, Unusable) for _, part in shapes):
        return 0.0
    robot = extent_of(replace(part, pose=X @ part.pose) for X, part in shapes)
    return 0.0 if robot is None else float(np.linalg.norm(robot.sides))


def merged(file: RobotFile, verdicts: Sequence[Verdict]) -> Iterable[Finding]:
    """Return the findings of the links; one for all without an inertial that are fixed, or if none of them has one."""
    findings = [finding for one in verdicts for finding in one.findings]
    without = {one: each.link for each in verdicts for one in each.findings if _is_without_inertial(one)}
    if any(link.has_inertial for link in file.links):
        held = {one: link.local_name for one, link in without.items() if _is_held(file, link)}
        return findings if len(held) < 2 else [*(one for one in findings if one not in held), _of_held(file, held)]
    if len(without) < 2:
        return findings
    shown = sum(link.has_geometry for link in file.links)
    form = "sdf" if file.format_name == "SDF" else ""
    whole = Finding.of("warning", "no_inertials", file.document.name, form, count=shown)
    whole = replace(whole, remedy=next(iter(without)).remedy)
    return [whole, *(one for one in findings if one.code != "default_inertial")]


def _is_without_inertial(finding: Finding) -> bool:
    return finding.code == "default_inertial" and finding.severity == "warning"


def _is_held(file: RobotFile, link: FileLink) -> bool:
    return link.name in file.held and not link.has_inertial


def _of_held(file: RobotFile, held: Mapping[Finding, str]) -> Finding:
    """Return one finding for all fixed links with geometry and without an inertial, by the names of the links."""
    names = list(held.values())
    more = f" and {len(names) - 3} more" if names[3:] else ""
    links = f"{', '.join(names[:3])}{more}"
    return Finding.of("warning", "default_inertial", file.document.name, "held_links", count=len(names), links=links)
