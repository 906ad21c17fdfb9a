# SPDX-License-Identifier: Apache-2.0
"""Repairs a file: carries out the plans for its links, and judges the result again until nothing changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from ..body.inertial import Inertial
from ..body.weighed_masses import weighed_masses
from ..document.document import Document
from ..errors import Finding, InertiaError, has_error
from ..formats.file_link import FileLink
from ..formats.robot_file import RobotFile
from ..formats.table import read_changed, write_files
from ..mesh.progress import unless_unwanted
from .faults import find_faults, unread_geometry
from .measured import RepairOptions
from .plan import plan_for, scaled
from .total_mass import mass_factor
from .verdict import Plan, Verdict, mistakes_in

SOUND = "sound"
"""Value of `fault` for a link without a fault, which only ``--what all`` repairs."""

WEIGHED = "weighed"
"""The same for a link whose mass was measured."""

ROUNDS = 5
"""A link is corrected at most this often: its unit or its tensor, its sign by its twin, and what follows from these."""


@dataclass(frozen=True, eq=False)
class RepairedLink:
    """A link that is to change, and what was done.

    Parameters
    ----------
    verdict : Verdict
        On the inertial in the file.
    plan : Plan
        What is written.
    weighed : bool
        True if its mass was measured.
    """

    verdict: Verdict
    plan: Plan
    weighed: bool = False

    @property
    def link(self) -> FileLink:
        return self.verdict.link

    @property
    def fault(self) -> str:
        """A `verdict.Fault`, `WEIGHED` or `SOUND`."""
        return self.verdict.fault or (WEIGHED if self.weighed else SOUND)

    @property
    def new(self) -> Inertial | None:
        """Its new inertial, in the link's frame; None if the link keeps its own."""
        return self.plan.new

    @property
    def why(self) -> tuple[Finding, ...]:
        """What is wrong with the inertial in the file."""
        return self.verdict.findings

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Why the link keeps its inertial, or what remains doubtful.

        An error only if it is impossible as it is, or does not get its weighed mass.
        """
        findings = self.plan.findings
        if has_error(self.why) or self.weighed:
            return findings
        return tuple(replace(finding, severity="warning") for finding in findings if finding.severity != "info")

    @property
    def kept(self) -> tuple[str, ...]:
        """Names of the values that stay as they are in the file: ``mass``, ``com``, both or neither."""
        if self.new is None:
            return ()
        com = self.link.com
        same = {"mass": self.link.mass == self.new.mass, "com": com is not None and np.array_equal(com, self.new.com)}
        return tuple(name for name, is_same in same.items() if is_same)

    @property
    def mistakes(self) -> tuple[str, ...]:
        """The names of the mistakes in the file's inertial, see `verdict.MISTAKES`."""
        return mistakes_in(self.why)


@dataclass(frozen=True, eq=False)
class RepairedFile:
    """A repaired file.

    Parameters
    ----------
    file : RobotFile
        As it is read again; the file itself if nothing was repaired.
    contents : mapping of Document to bytes
        The new bytes of the file, equal to the old ones if nothing was repaired, then those of files that it includes
        and that change too.
    links : tuple of RepairedLink
        Its links with a fault that the options choose, with an error, or with another mass than the weighed one.
    before, after : tuple of Verdict
        On all its links.
    factor : float or None
        The factor of masses from densities, if the total mass of the robot is given.
    """

    file: RobotFile
    contents: Mapping[Document, bytes]
    links: tuple[RepairedLink, ...]
    before: tuple[Verdict, ...]
    after: tuple[Verdict, ...]
    factor: float | None = None

    @property
    def data(self) -> bytes:
        """The new bytes of the file itself."""
        return next(iter(self.contents.values()))

    @property
    def included(self) -> dict[Path, bytes]:
        """The new bytes of files that it includes and that change."""
        others = [*self.contents.items()][1:]
        return {document.path: data for document, data in others if document.path is not None}

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """About the file and the links, no infos."""
        of_links = (finding for link in self.links for finding in link.findings)
        engine_errors = (finding for finding in self.file.engine_findings() if finding.severity == "error")
        findings = [*self.file.findings, *engine_errors, *of_links, *unread_geometry(self.before)]
        return tuple(finding for finding in dict.fromkeys(findings) if finding.severity != "info")

    @property
    def refused(self) -> bool:
        """True if an error is left in the file or in one of its links, or a weighed mass is not written."""
        not_weighed = any(link.weighed and link.new is None for link in self.links)
        return not_weighed or has_error(self.findings) or any(has_error(verdict.findings) for verdict in self.after)


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
        ``unknown_link``; as `weighed_masses` and `mass_factor`.
    """
    options = options or RepairOptions()
    names = [(name, link) for link in file.links for name in _names(link)]
    unknown = sorted({*(options.links or ()), *options.weighed} - {name for name, _ in names})
    if unknown:
        raise InertiaError.of("unknown_link", file.document.name, "repair", name=unknown[0])
    pairs = ((link.name, options.weighed[name]) for name, link in names if name in options.weighed)
    options = replace(options, weighed=weighed_masses(pairs))
    verdicts = find_faults(file) if verdicts is None else verdicts
    repaired = _Repair(file, options, verdicts)
    repaired.run()
    factor = None
    if options.total_mass is not None:
        factor = repaired.scale(options.total_mass)
    links = tuple(repaired.links.values())
    return RepairedFile(repaired.current, repaired.contents, links, tuple(verdicts), tuple(repaired.verdicts), factor)


def _names(link: FileLink) -> tuple[str, str]:
    return link.local_name, link.name


class _Repair:
    """A run over a file: `current` is the file with the new inertials of `links`, `verdicts` are those on its links."""

    def __init__(self, file: RobotFile, options: RepairOptions, verdicts: Sequence[Verdict]) -> None:
        self.file = self.current = file
        self.options = options
        self.verdicts = verdicts
        self.links: dict[str, RepairedLink] = {}
        self.planned: dict[str, Verdict] = {}
        self.contents = write_files(file, {})

    def run(self) -> None:
        """Correct links until nothing changes; a correction that makes a link impossible is taken back."""
        to_plan: Iterable[Verdict] = self.verdicts
        for number in range(ROUNDS):
            changed = self._plan(to_plan, again=number > 0)
            if not (changed and self._write()):
                return
            wrong = [name for name in changed if self._is_worse(name)]
            for name in wrong:
                errors = tuple(finding for finding in self._verdict(name).findings if finding.severity == "error")
                self.links[name] = replace(self.links[name], plan=Plan(findings=errors))
            if wrong:
                self._write()
            others = (after for after in self.verdicts if after.link.name not in wrong)
            to_plan = [after for after in others if self._is_news(after) or self._is_corrected(after)]

    def scale(self, total_mass: float) -> float:
        """Scale the masses from densities so that the robot has a total mass [kg]; return the factor."""
        new = {name: link.new.mass for name, link in self.links.items() if link.new is not None}
        by_density = {name for name, link in self.links.items() if link.plan.by_density}
        try:
            factor = mass_factor(total_mass, self.file, new, by_density)
        except InertiaError as error:
            raise error.about(self.file.document.name) from None
        for name, link in self.links.items():
            self.links[name] = replace(link, plan=scaled(link.verdict, link.plan, factor))
        self._write()
        return factor

    def _plan(self, verdicts: Iterable[Verdict], again: bool) -> list[str]:
        """Plan these links; return the names of those with a new inertial."""
        changed = []
        for verdict in verdicts:
            unless_unwanted()
            name = verdict.link.name
            self.planned[name] = verdict
            plan = plan_for(self.current, verdict, self.options, again and not self._is_corrected(verdict))
            before = self.links.get(name)
            if plan is None or (before is not None and before.new is not None and plan.new is None):
                continue  # the first correction stands
            weighed = self.options.weighed_mass(verdict.link) is not None
            self.links[name] = RepairedLink(before.verdict if before is not None else verdict, plan, weighed)
            changed += [name] if plan.new is not None else []
        return changed

    def _write(self) -> bool:
        """Judge the file with the new inertials; return False if its bytes are the same as before."""
        new: dict[str, dict[str, Inertial]] = {}
        for repaired in self.links.values():
            if repaired.new is not None:
                new.setdefault(repaired.link.model, {})[repaired.link.local_name] = repaired.new
        contents = write_files(self.file, new)
        if contents == self.contents:
            return False
        self.contents, self.current = contents, read_changed(self.file, contents)
        self.verdicts = find_faults(self.current, known=self.verdicts)
        return True

    def _verdict(self, name: str) -> Verdict:
        return next(verdict for verdict in self.verdicts if verdict.link.name == name)

    def _is_worse(self, name: str) -> bool:
        """Return True if a link has an error that it did not have."""
        old, new = (
            {finding.code for finding in verdict.findings if finding.severity == "error"}
            for verdict in (self.links[name].verdict, self._verdict(name))
        )
        return not new <= old

    def _is_corrected(self, verdict: Verdict) -> bool:
        """Return True if a link has its own numbers without the mistake, and ``all`` asks for those of the geometry."""
        repaired = self.links.get(verdict.link.name)
        if repaired is None or repaired.weighed or "all" not in self.options.what:
            return False
        return repaired.new is not None and repaired.plan.source == "file"

    def _is_news(self, after: Verdict) -> bool:
        """Return True if a link has a fault that is not the one for which it was planned last."""
        last = self.planned.get(after.link.name)
        return after.fault is not None and (last is None or _said(last) != _said(after))


def _said(verdict: Verdict) -> list[tuple[str, str]]:
    return [(finding.code, finding.message) for finding in verdict.findings if finding.severity != "info"]
