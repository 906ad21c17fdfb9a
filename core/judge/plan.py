# SPDX-License-Identifier: Apache-2.0
"""Plans the new inertial of a link: computed from its geometry, or its own without the mistake; or nothing, and why."""

from __future__ import annotations

from dataclasses import replace
from math import isclose, isfinite

from ..body.few_digits import shortened
from ..body.inertial import Inertial
from ..errors import Finding, InertiaError, has_error
from ..formats.robot_file import SAME, RobotFile
from ..robot.resolve import LinkBody
from ..sdf.file_link import FileLink
from ..units import numbers_text
from .measured import RepairOptions, all_dense, better_geometry, is_in_map, states_mass
from .uniformity import is_inside, is_not_uniform
from .verdict import MASS_SLIP, Plan, Verdict, judge_inertial


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
    link, fault = verdict.link, verdict.fault
    every = "all" in options.what and not (again or link.auto or link.static or link.is_frame)
    chosen = bool(verdict.chosen_by & options.what) if fault is not None else False
    if not options.covers(link) or not (chosen or every or has_error(verdict.findings)):
        return None
    if link.auto or fault == "geometry" or not (chosen or every):
        return Plan(findings=tuple(finding for finding in verdict.findings if finding.severity == "error"))
    try:
        file.check_own(link, options.included)
        return _planned(verdict, options)
    except InertiaError as error:
        finding = error.finding()
        if finding.subject:  # the part that it is about
            finding = replace(finding, message=f"{finding.subject}: {finding.message}", subject="")
        return Plan(findings=(link.place.about(finding),))


def _planned(verdict: Verdict, options: RepairOptions) -> Plan:
    """Return the plan for a link that needs a new inertial.

    Raises
    ------
    InertiaError
        If no inertial can be computed.
    """
    link, right = verdict.link, verdict.right
    if MASS_SLIP in options.what and verdict.slip is not None:
        right = verdict.slip
    if "size" in verdict.mistakes:
        options = replace(options, com="geometry")  # it is at the wrong size, too
    if right is not None:
        doubts = judge_inertial(link, right).findings
        if {doubt.code for doubt in doubts} <= {finding.code for finding in verdict.findings}:  # no new doubt
            remaining = tuple(link.place.about(doubt) for doubt in doubts)
            return Plan(right, source="file", findings=remaining)
    keeps_mass = options.keep_mass and link.mass is not None and isfinite(link.mass) and link.mass > 0.0
    mass = link.mass if keeps_mass else None
    source, solid, body = better_geometry(link, options, mass)
    new = _assembled(link, body, options)
    doubts = judge_inertial(link, new).findings
    if doubts and mass is not None and all_dense(solid):
        mass = None  # the file's mass is implausible for this body: use the mass from the densities
        source, solid, body = better_geometry(link, options, mass)
        new = _assembled(link, body, options)
        doubts = judge_inertial(link, new).findings
    remaining = tuple(replace(link.place.about(doubt), severity="warning") for doubt in doubts)
    if has_error(doubts) or (remaining and not has_error(verdict.findings)):
        # The mass or the geometry is wrong: another tensor would hide that.
        named = (_of_mass(link, new, doubt) if doubt.code == "inertial_unit" else doubt for doubt in remaining)
        return Plan(findings=tuple(named))
    if options.densities is not None and not is_in_map(link, options.densities, source):
        remaining += (link.place.about(Finding.of("warning", "not_in_map", "", "repair")),)
    warnings = (link.place.about(finding) for finding in body.all_findings() if finding.severity == "warning")
    return Plan(
        new,
        source=source,
        body=body,
        findings=tuple(dict.fromkeys((*warnings, *remaining))),
        by_density=mass is None and not states_mass(solid),
    )


def _of_mass(link: FileLink, new: Inertial, doubt: Finding) -> Finding:
    """Return the doubt about the unit of a mass without the tensor that was computed with it: the file has another."""
    right = judge_inertial(link, new).right
    if right is None or right.mass == new.mass:
        return doubt
    fits = f"the mass is {new.mass:.4g} kg, but {right.mass:.4g} fits (given in g?)"
    return Finding.of("warning", doubt.code, doubt.subject, quantities=fits, better="the mass in kg")


def scaled(verdict: Verdict, plan: Plan, factor: float) -> Plan:
    """Return a plan with its inertial scaled, and the new doubts, if its mass was computed from densities."""
    link = verdict.link
    if not plan.by_density or link.static or plan.new is None:
        return plan
    new = Inertial(factor * plan.new.mass, plan.new.com, factor * plan.new.inertia)
    doubts = (replace(doubt, severity="warning") for doubt in judge_inertial(link, new).findings)
    findings = (*plan.findings, *(link.place.about(doubt) for doubt in doubts))
    return replace(plan, new=shortened(new), findings=tuple(dict.fromkeys(findings)))


def _assembled(link: FileLink, body: LinkBody, options: RepairOptions) -> Inertial:
    """Return the inertial of the geometry, with the digits of the file's mass, and its centre of mass if it is kept."""
    assert body.inertial is not None
    mass, com = body.inertial.mass, body.inertial.com
    if link.mass is not None and isclose(mass, link.mass, rel_tol=SAME):
        mass = link.mass
    geometry = [*link.link.collisions, *link.visuals_with_extent]
    if options.com == "keep" and link.com is not None and is_inside(link.com, geometry):
        several = len(body.parts) > 1 and "all" not in options.what
        if several and is_not_uniform(link.com, com, geometry):
            values = {"computed": numbers_text(com), "published": numbers_text(link.com)}
            raise InertiaError.of("not_uniform", count=len(body.parts), **values)
        com = link.com
    return shortened(Inertial(mass, com, body.inertial.inertia))
