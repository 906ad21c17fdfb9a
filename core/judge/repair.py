# SPDX-License-Identifier: Apache-2.0
"""Computes new inertials for links whose inertial is impossible, missing, a placeholder or a known mistake.

Other faults are repaired if the options ask for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isclose, isfinite
from pathlib import Path

import numpy as np

from ..body.few_digits import shortened
from ..body.inertial import Inertial
from ..errors import Finding, InertiaError, Severity, has_error
from ..formats.robot_file import SAME, RobotFile
from ..formats.table import write_files
from ..robot.resolve import LinkBody
from ..sdf.file_link import FileLink
from ..units import numbers_text
from .judge import judge_links, unread_geometry
from .measured import RepairOptions, all_dense, better_geometry, is_in_map, states_mass
from .total_mass import mass_factor
from .uniformity import is_inside, is_not_uniform
from .verdict import Verdict, judge_inertial, mistakes_in

SOUND = "sound"
"""Value of `fault` for a link without a fault, which only ``--what all`` repairs."""


@dataclass(frozen=True, eq=False)
class RepairedLink:
    """A link with a fault, and its new inertial, if any.

    Parameters
    ----------
    link : FileLink
    fault : str
        A `verdict.Fault`, or `SOUND`.
    why : tuple of Finding
        What is wrong with the inertial in the file.
    new : Inertial or None
        Its new inertial, in the link's frame; None if the link keeps its own.
    body : LinkBody or None
        The body of the geometry, if it was computed.
    source : str
        ``collision``, ``visual``, or ``file`` if the file's own numbers were corrected; empty without a new inertial.
    kept : tuple of str
        Names of the values that stay as they are in the file: ``mass``, ``com``, both or neither.
    findings : tuple of Finding
        Why it was not repaired, or what remains doubtful.
    by_density : bool
        True if its new mass was computed from densities alone.
    """

    link: FileLink
    fault: str
    why: tuple[Finding, ...]
    new: Inertial | None = None
    body: LinkBody | None = None
    source: str = ""
    kept: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    by_density: bool = False

    @property
    def mistakes(self) -> tuple[str, ...]:
        """The names of the mistakes in the file's inertial, see `verdict.MISTAKES`."""
        return mistakes_in(self.why)


@dataclass(frozen=True, eq=False)
class RepairedFile:
    """A repaired file.

    Parameters
    ----------
    data : bytes
        Its new bytes, equal to the old ones if nothing was repaired.
    links : tuple of RepairedLink
        Its links with a fault that the options choose, or with an error.
    verdicts : tuple of Verdict
        On all its links, before the repair.
    findings : tuple of Finding
        About the file and the links.
    included : mapping of Path to bytes
        The new bytes of files that it includes and that change.
    factor : float or None
        The factor of masses from densities, if the total mass of the robot is given.
    """

    data: bytes
    links: tuple[RepairedLink, ...]
    verdicts: tuple[Verdict, ...]
    findings: tuple[Finding, ...]
    included: Mapping[Path, bytes] = field(default_factory=dict)
    factor: float | None = None

    @property
    def refused(self) -> bool:
        """True if an error is left: in the file, or in a link that was not repaired."""
        done = {one.link.name for one in self.links if one.new is not None}
        left = [one for one in self.verdicts if one.link.name not in done]
        return has_error(self.findings) or any(has_error(one.findings) for one in left)


def repair_file(
    file: RobotFile, options: RepairOptions | None = None, verdicts: Sequence[Verdict] | None = None
) -> RepairedFile:
    """Compute new inertials for the links of a file that need one.

    A link keeps its inertial, with a finding that gives the reason, if its geometry is wrong or in the wrong unit, if
    the new numbers would be as doubtful as the old ones, or if its parts have different densities. `verdicts` are those
    on its links, if they are known already.

    Raises
    ------
    InertiaError
        ``unknown_link``; as `mass_factor`.
    """
    options, path = options or RepairOptions(), file.document.name
    links = file.links
    unknown = sorted((options.links or frozenset()) - {name for one in links for name in (one.local_name, one.name)})
    if unknown:
        raise InertiaError.of("unknown_link", path, "repair", name=unknown[0])
    verdicts = judge_links(file) if verdicts is None else verdicts
    repaired = list(_repaired(file, verdicts, options))
    factor = None
    if options.total_mass is not None:
        new_masses = {one.link.name: one.new.mass for one in repaired if one.new is not None}
        by_density = {one.link.name for one in repaired if one.by_density}
        try:
            factor = mass_factor(options.total_mass, file, new_masses, by_density)
        except InertiaError as error:
            raise error.about(path) from None
        repaired = [_scaled(one, factor) for one in repaired]
    new: dict[str, dict[str, Inertial]] = {}
    for one in repaired:
        if one.new is not None:
            new.setdefault(one.link.model, {})[one.link.local_name] = one.new
    of_engines = [finding for finding in file.engine_findings() if finding.severity == "error"]
    of_links = (finding for one in repaired for finding in one.findings)
    findings = [*file.findings, *of_engines, *of_links, *unread_geometry(verdicts)]
    shown = tuple(one for one in dict.fromkeys(findings) if one.severity != "info")
    (_, data), *others = write_files(file, new).items()
    included = {document.path: changed for document, changed in others if document.path is not None}
    return RepairedFile(data, tuple(repaired), tuple(verdicts), shown, included, factor)


def _repaired(file: RobotFile, verdicts: Sequence[Verdict], options: RepairOptions) -> Iterator[RepairedLink]:
    for verdict in verdicts:
        link, fault = verdict.link, verdict.fault
        every = "all" in options.what and not (link.auto or link.static or link.is_frame)
        wanted = every if fault is None else verdict.chosen_by & options.what or has_error(verdict.findings)
        if not options.covers(link) or not wanted:
            continue
        kept = RepairedLink(link, fault or SOUND, verdict.findings)
        if link.auto or fault == "geometry" or not (verdict.chosen_by & options.what or every):
            yield replace(kept, findings=tuple(one for one in verdict.findings if one.severity == "error"))
            continue
        try:
            file.check_own(link, options.included)
            yield _new(kept, verdict.right, options)
        except InertiaError as error:
            severity: Severity = "error" if has_error(verdict.findings) else "warning"
            finding = error.finding(severity)
            if finding.subject:  # the part that it is about
                finding = replace(finding, message=f"{finding.subject}: {finding.message}", subject="")
            yield replace(kept, findings=(link.place.about(finding),))


def _new(repaired: RepairedLink, right: Inertial | None, options: RepairOptions) -> RepairedLink:
    """Return a link with its new inertial, or with the reason why it keeps its own.

    Raises
    ------
    InertiaError
        If no inertial can be computed.
    """
    link = repaired.link
    if right is not None:
        doubts = judge_inertial(link, right).findings
        if {one.code for one in doubts} <= {one.code for one in repaired.why}:  # no new doubt
            left = tuple(link.place.about(one) for one in doubts)
            return replace(repaired, new=right, source="file", kept=_kept(link, right), findings=left)
    is_kept = options.keep_mass and link.mass is not None and isfinite(link.mass) and link.mass > 0.0
    mass = link.mass if is_kept else None
    source, solid, body = better_geometry(link, options, mass)
    new = _assembled(link, body, options)
    doubts = judge_inertial(link, new).findings
    if doubts and mass is not None and all_dense(solid):
        mass = None  # the file's mass is implausible for this body: use the mass from the densities
        source, solid, body = better_geometry(link, options, mass)
        new = _assembled(link, body, options)
        doubts = judge_inertial(link, new).findings
    left = tuple(replace(link.place.about(finding), severity="warning") for finding in doubts)
    if has_error(doubts) or (left and not has_error(repaired.why)):
        left = tuple(_of_mass(link, new, one) if one.code == "inertial_unit" else one for one in left)
        return replace(repaired, findings=left)  # the mass or the geometry is wrong: another tensor would hide that
    if options.densities is not None and not is_in_map(link, options.densities, source):
        left += (link.place.about(Finding.of("warning", "not_in_map", "", "repair")),)
    warnings = (link.place.about(one) for one in body.all_findings() if one.severity == "warning")
    return replace(
        repaired,
        new=new,
        body=body,
        source=source,
        kept=_kept(link, new),
        findings=tuple(dict.fromkeys((*warnings, *left))),
        by_density=mass is None and not states_mass(solid),
    )


def _of_mass(link: FileLink, new: Inertial, doubt: Finding) -> Finding:
    """Return the doubt about the unit of a mass without the tensor that was computed with it: the file has another."""
    right = judge_inertial(link, new).right
    if right is None or right.mass == new.mass:
        return doubt
    fits = f"the mass is {new.mass:.4g} kg, but {right.mass:.4g} fits (given in g?)"
    return Finding.of("warning", doubt.code, doubt.subject, quantities=fits, better="the mass in kg")


def _scaled(repaired: RepairedLink, factor: float) -> RepairedLink:
    """Return a link with its inertial scaled, and the new doubts, if its mass was computed from densities."""
    if not repaired.by_density or repaired.link.static or repaired.new is None:
        return repaired
    new = Inertial(factor * repaired.new.mass, repaired.new.com, factor * repaired.new.inertia)
    doubts = (replace(one, severity="warning") for one in judge_inertial(repaired.link, new).findings)
    findings = (*repaired.findings, *(repaired.link.place.about(one) for one in doubts))
    return replace(repaired, new=shortened(new), findings=tuple(dict.fromkeys(findings)))


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


def _kept(link: FileLink, new: Inertial) -> tuple[str, ...]:
    kept = []
    if link.mass == new.mass:
        kept.append("mass")
    if link.com is not None and np.array_equal(link.com, new.com):
        kept.append("com")
    return tuple(kept)
