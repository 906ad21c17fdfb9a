# SPDX-License-Identifier: Apache-2.0
"""Plans the new inertial of a link: computed from its geometry, or its own without the mistake; or nothing, and why."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from math import isclose, isfinite

import numpy as np

from ..arrays import FloatArray
from ..body.few_digits import shortened
from ..body.inertial import Inertial
from ..errors import Finding, InertiaError, has_error
from ..findings.message import Message
from ..formats.file_link import FileLink
from ..formats.robot_file import SAME, RobotFile
from ..robot.extent import Extent, extent_of
from ..robot.model import Part, Unusable, Visual
from ..robot.resolve import LinkBody
from ..units import numbers_text
from .geometry.given_inertial import readings_of
from .measured import RepairOptions, all_dense, better_geometry, is_in_map, states_mass
from .verdict import MASS_SLIP, REPAIRED, Plan, Verdict, judge_inertial, of_mass

INSIDE = 0.05
"""A centre of mass is kept if it is outside of the geometry's box by at most this share of its longest side."""

UNIFORM = 0.1
"""A link counts as uniform if its centre of mass is this near to that of its geometry, as a share of its longest
side."""


def plan_for(file: RobotFile, verdict: Verdict, options: RepairOptions, again: bool = False) -> Plan | None:
    """Return what a repair with these options writes for a link; None for a link that they are not about.

    Parameters
    ----------
    file : RobotFile
    verdict : Verdict
        On one of its links.
    options : RepairOptions
    again : bool
        The link was computed before in this run: ``all`` is done, only faults count.
    """
    link, fault, mass = verdict.link, verdict.fault, options.weighed_mass(verdict.link)
    what = options.what if options.covers(link) else frozenset[str]()
    if mass is not None:
        what |= REPAIRED
    # Computed if a fault of it is chosen, or all are; a geometry that is wrong gives no inertial.
    every = "all" in what and not (again or link.auto or link.static or link.is_frame)
    chosen = bool(verdict.chosen_by & what) if fault is not None else False
    computed = (chosen or every) and not link.auto and fault != "geometry"
    if mass is None and (not options.covers(link) or not (chosen or every or has_error(verdict.findings))):
        return None
    if mass is None and not computed:
        return Plan(findings=_errors(verdict))
    try:
        if mass is not None and link.auto:
            raise InertiaError.of("not_weighed", "", "auto")
        file.check_own(link, options.included)
        if mass is None or verdict.chosen_by & REPAIRED:
            return _planned(verdict, options)
        return _weighed(verdict, options, mass, computed)
    except InertiaError as error:
        finding = error.finding()
        if finding.subject:  # the part that it is about
            finding = replace(finding, sentence=Message.plain(f"{finding.subject}: {finding.message}"), subject="")
        return Plan(findings=(link.element.about(finding),))


def scaled(verdict: Verdict, plan: Plan, factor: float) -> Plan:
    """Return a plan with its inertial scaled, and the new doubts, if its mass was computed from densities."""
    link = verdict.link
    if not plan.by_density or link.static or plan.new is None:
        return plan
    new = Inertial(factor * plan.new.mass, plan.new.com, factor * plan.new.inertia)
    doubts = (replace(doubt, severity="warning") for doubt in judge_inertial(link, new).findings)
    findings = (*plan.findings, *(link.element.about(doubt) for doubt in doubts))
    return replace(plan, new=shortened(new), findings=tuple(dict.fromkeys(findings)))


def is_inside(com: FloatArray, geometry: Sequence[Part | Visual]) -> bool:
    """Return True if a centre of mass is in the box around a geometry, all of which can be read."""
    return _is_inside(com, geometry, extent_of(geometry))


def is_not_uniform(com: FloatArray, uniform: FloatArray, geometry: Sequence[Part | Visual]) -> bool:
    """Return True if a centre of mass is in the geometry, and plainly not the one of uniform density.

    Three zeros are the default of files and editors: that is not a stated centre.
    """
    if not np.any(com):
        return False
    extent = extent_of(geometry)
    apart = float(np.linalg.norm(uniform - com))
    return extent is not None and apart > UNIFORM * extent.longest and _is_inside(com, geometry, extent)


def _is_inside(com: FloatArray, geometry: Sequence[Part | Visual], extent: Extent | None) -> bool:
    if extent is None or any(isinstance(part.geometry, Unusable) for part in geometry):
        return False
    return bool(np.isfinite(com).all()) and extent.distance(com) <= INSIDE * extent.longest


def _errors(verdict: Verdict) -> tuple[Finding, ...]:
    return tuple(finding for finding in verdict.findings if finding.severity == "error")


def _weighed(verdict: Verdict, options: RepairOptions, mass: float, computed: bool) -> Plan | None:
    """Return the plan for a weighed link whose inertial is right for another mass; None if it is right for this one.

    Parameters
    ----------
    mass : float
        The weighed one [kg].
    computed : bool
        The user chose a tensor of the geometry, which it gets if there is one.

    Raises
    ------
    InertiaError
        If no inertial can be computed, or ``not_weighed``.
    """
    link = verdict.link
    if computed:
        with suppress(InertiaError):
            plan = _planned(verdict, options)
            if plan.new is not None:
                return plan
    given = verdict.slip or link.inertial  # the mass that the tensor is for, if the file gives another
    if given is None or not given.mass > 0.0 or has_error(given.findings()):
        return Plan(findings=_errors(verdict)) if verdict.fault == "geometry" else _planned(verdict, options)
    if verdict.slip is None and given.mass == mass:
        return None
    new = _at_mass(given, mass)
    doubts = _doubts_about(link, new, mass)
    known = {finding.code for finding in verdict.findings}
    errors = tuple(
        link.element.about(doubt) for doubt in doubts if doubt.severity == "error" and doubt.code not in known
    )
    if errors:
        return Plan(findings=errors)
    return Plan(new, source="file", findings=tuple(map(link.element.about, doubts)))


@np.errstate(all="ignore")  # absurd masses overflow, which is reported
def _at_mass(given: Inertial, mass: float) -> Inertial:
    """Return an inertial with another mass [kg], its tensor scaled with it; its centre stays to the last digit."""
    inertia = mass / given.mass * given.inertia
    return Inertial(mass, given.com, shortened(Inertial(mass, given.com, inertia)).inertia)


def _doubts_about(link: FileLink, new: Inertial, weighed: float | None) -> tuple[Finding, ...]:
    """Return what is doubtful about a new inertial, and at a weighed mass what is wrong with it.

    Raises
    ------
    InertiaError
        ``not_weighed`` if the mass was weighed in g.
    """
    wrong = new.findings() if weighed is not None else ()
    if has_error(wrong) or (weighed is not None and link.static):
        return wrong
    doubts = judge_inertial(link, new)
    if weighed is not None and doubts.right is not None and doubts.right.mass != weighed:
        raise InertiaError.of("not_weighed", "", "grams", mass=weighed, right=doubts.right.mass)
    return (*wrong, *doubts.findings)


@np.errstate(over="ignore")  # absurd masses overflow, which is reported
def _planned(verdict: Verdict, options: RepairOptions) -> Plan:
    """Return the plan for a link that needs a new inertial.

    Raises
    ------
    InertiaError
        If no inertial can be computed.
    """
    link, right, weighed = verdict.link, verdict.right, options.weighed_mass(verdict.link)
    if MASS_SLIP in options.what and verdict.slip is not None:
        right = verdict.slip
    if "size" in verdict.mistakes:
        options = replace(options, com="geometry")  # it is at the wrong size, too
    # The file's own numbers without the mistake, if that brings no new doubt.
    if right is not None:
        right = right if weighed is None else _at_mass(right, weighed)
        doubts = _doubts_about(link, right, weighed)
        if {doubt.code for doubt in doubts} <= {finding.code for finding in verdict.findings}:  # no new doubt
            remaining = tuple(link.element.about(doubt) for doubt in doubts)
            return Plan(right, source="file", findings=remaining)
    # Else from the geometry: at the weighed mass, at the file's, or by the densities.
    keeps_mass = options.keep_mass and link.mass is not None and isfinite(link.mass) and link.mass > 0.0
    mass = weighed if weighed is not None else link.mass if keeps_mass else None
    source, solid, body = better_geometry(link, options, mass)
    new = _assembled(link, body, options)
    doubts = _doubts_about(link, new, weighed)
    in_unit = any(doubt.code == "inertial_unit" for doubt in doubts)  # the mass is known, in another unit
    if doubts and mass is not None and weighed is None and all_dense(solid) and not in_unit:
        mass = None  # the file's mass is implausible for this body: use the mass from the densities
        source, solid, body = better_geometry(link, options, mass)
        new = _assembled(link, body, options)
        doubts = judge_inertial(link, new).findings
    remaining = tuple(replace(link.element.about(doubt), severity="warning") for doubt in doubts)
    if has_error(doubts) or (remaining and weighed is None and not has_error(verdict.findings)):
        # The mass or the geometry is wrong: another tensor would hide that.
        right = judge_inertial(link, new).right
        named = (of_mass(doubt, new, right) for doubt in remaining)
        return Plan(findings=tuple(named))
    if options.densities is not None and not is_in_map(link, options.densities, source):
        remaining += (link.element.about(Finding.of("warning", "not_in_map", "", "repair")),)
    warnings = (link.element.about(finding) for finding in body.all_findings() if finding.severity == "warning")
    return Plan(
        new,
        source=source,
        body=body,
        findings=tuple(dict.fromkeys((*warnings, *remaining))),
        by_density=mass is None and not states_mass(solid),
    )


def _assembled(link: FileLink, body: LinkBody, options: RepairOptions) -> Inertial:
    """Return the inertial of the geometry, with the digits of the file's mass, and its centre of mass if it is kept."""
    assert body.inertial is not None
    # The mass as it was weighed or is in the file, to the last digit: a sum over parts may differ there.
    mass, com, weighed = body.inertial.mass, body.inertial.com, options.weighed_mass(link)
    if weighed is not None:
        mass = weighed
    elif link.mass is not None and isclose(mass, link.mass, rel_tol=SAME):
        mass = link.mass
    geometry = [*link.link.collisions, *link.visuals_with_extent]
    readings = readings_of(geometry)
    if readings is not None and link.com is not None and link.com.any():  # zero is a common default
        outside, rotated = (box.distance(link.com) for box in readings)
        if rotated < outside:
            values = {"com": numbers_text(link.com), "outside": outside, "rotated": rotated}
            raise InertiaError.of("mesh_axes", **values)
    if options.com == "keep" and link.com is not None and is_inside(link.com, geometry):
        several = len(body.parts) > 1 and "all" not in options.what
        if several and is_not_uniform(link.com, com, geometry):
            values = {"computed": numbers_text(com), "published": numbers_text(link.com)}
            raise InertiaError.of("not_uniform", count=len(body.parts), **values)
        com = link.com
    return shortened(Inertial(mass, com, body.inertial.inertia))
