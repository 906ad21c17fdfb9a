# SPDX-License-Identifier: Apache-2.0
"""Checks the numbers of a link's inertial alone, whatever its geometry is."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

import numpy as np

from ..body.inertial import Inertial
from ..errors import PART_REFUSED, Finding, has_error
from ..formats.file_link import FileLink
from ..robot.resolve import LinkBody

NO_SIZE = 1e-7
"""A body with a radius of gyration [m] below this is a point: a tenth of a micrometre, smaller than any robot part."""

FOLLOW_A_ZERO = (
    "zero_moment",
    "bad_number",
    "default_inertial",
    "negative_moment",
    "triangle_inequality",
    "mujoco_refuses",
)
"""Findings that only follow from a zero or missing tensor."""

LIGHT = 1e-6
"""Maximum mass [kg] of a fixed frame without geometry, for tools that demand one above 0."""


HEAVIEST = 1e9
"""No machine that moves is as heavy [kg]: the largest ships, loaded, have 7e8, the largest excavator 1.4e7."""

FARTHEST = 1e6
"""No link reaches as far [m] from its frame: the Earth's radius is 6e6, and a robot's number in mm is far below."""


def check_numbers(link: FileLink, body: LinkBody, held: bool) -> list[Finding]:
    """Return what is wrong with a link by its numbers alone; severities depend on its place in the robot."""
    # The part's own finding says more than PART_REFUSED.
    findings = [finding for finding in body.all_findings() if finding.code != PART_REFUSED]
    if link.auto:
        return findings
    if not link.has_inertial:
        others = [finding for finding in findings if finding.code != "default_inertial"]
        return [*others, *_missing(link, held)]
    given, mass = link.inertial, link.mass
    if given is not None and has_error(given.findings()) and link.written is not None and link.written.is_slipped:
        findings.append(Finding.of("warning", "tensor_order", "", "repeated", six=link.written.six[1]))
    if mass == 0.0:
        findings = [finding for finding in findings if finding.code != "bad_mass"]
        if not any(finding.code in ("zero_mass", "mujoco_refuses") for finding in findings):
            findings.append(_massless(held, link.is_root, link.has_geometry))
        findings += _impossible_without_mass(given, {finding.code for finding in findings})
    if mass is None or not mass > 0.0:
        return findings
    if given is None and not link.has_tensor and body.inertial is not None:  # the format has a default
        if link.has_geometry and not link.static:
            findings.append(Finding.of("warning", "default_inertial", "", "no_tensor", mass=mass))
    elif given is not None and not link.has_geometry and not has_error(findings) and (absurd := _absurd(given)):
        findings.append(absurd)
    elif (given is None and not link.has_tensor) or (given is not None and is_zero(given)):
        findings = [finding for finding in findings if finding.code not in FOLLOW_A_ZERO]
        if link.has_geometry or not held:
            findings.append(zero_tensor(mass, link.has_tensor))
        elif mass <= LIGHT:
            findings.append(Finding.of("info", "zero_mass", "", "fixed", mass=mass))
    return findings


def _absurd(given: Inertial) -> Finding | None:
    """Return the finding for the first number that is beyond any robot; with geometry, that shows it sooner."""
    moment, away = float(np.abs(given.inertia).max()), float(np.abs(given.com).max())
    limits = {"mass": HEAVIEST, "centre": FARTHEST, "moment": HEAVIEST * FARTHEST**2}
    for (form, limit), number in zip(limits.items(), (given.mass, away, moment), strict=True):
        if number > limit:
            return Finding.of("warning", "absurd_number", "", form, number=number, limit=limit)
    return None


def _missing(link: FileLink, held: bool) -> Iterator[Finding]:
    if link.static or link.is_frame and held:
        return
    if link.has_geometry and held:
        yield Finding.of("warning", "default_inertial", "", "held_collision" if link.has_collision else "held")
    elif link.has_geometry:
        yield Finding.of("warning", "default_inertial", "", "moves")
    elif not held:
        yield Finding.of("info", "default_inertial", "", "bare")


def _impossible_without_mass(given: Inertial | None, known: set[str]) -> Iterator[Finding]:
    """Yield what no tensor can have, for a mass of 0: a frame has zeros, and engines test the tensor of each link."""
    if given is not None and given.is_finite():
        errors = (finding for finding in given.tensor_findings() if finding.severity == "error")
        yield from (error for error in errors if error.code not in known)


def _massless(held: bool, is_root: bool, has_geometry: bool) -> Finding:
    if held:
        return Finding.of("info", "zero_mass", "", "rigid")
    if is_root:
        return Finding.of("info", "massless_link", "", "root")
    return Finding.of("warning", "massless_link", "", "moves" if has_geometry else "empty")


def zero_tensor(mass: float, is_given: bool = True) -> Finding:
    """Return the finding for a body with a mass [kg] whose tensor is zero, or not given at all."""
    return Finding.of("error", "zero_tensor", "", "" if is_given else "missing", mass=mass)


def is_zero(inertial: Inertial) -> bool:
    """Return True if an inertial has a mass but hardly any extent."""
    if not (inertial.is_finite() and inertial.mass > 0.0):
        return False
    return sqrt(float(np.abs(np.diag(inertial.inertia)).sum()) / inertial.mass) < NO_SIZE
