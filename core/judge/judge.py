# SPDX-License-Identifier: Apache-2.0
"""The one judgement on a robot's file: a verdict with its plan for each link, which all commands and Blender share."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ..errors import Finding
from ..formats.robot_file import RobotFile
from .among_links import merged_findings
from .faults import find_faults, unread_geometry
from .joint_checks import OF_TREE, joint_findings
from .remedies import Remedies, engine_findings, needs_command
from .verdict import Verdict


def judge(file: RobotFile, strict: bool = False, verdicts: Sequence[Verdict] | None = None) -> list[Verdict]:
    """Return a verdict, with its plan, for each link of a file, in their order.

    A remedy names a command of `repair` only if the finding is gone after it: each is tried, in memory.

    Parameters
    ----------
    file : RobotFile
    strict : bool
        Apply stricter limits, and return infos too, which are often harmless.
    verdicts : sequence of Verdict, optional
        Those that are not strict, if they are known already.
    """
    shown = find_faults(file, strict) if strict or verdicts is None else verdicts
    plain = shown if not strict else verdicts
    if plain is None:
        needed = any(verdict.fault or any(map(needs_command, verdict.findings)) for verdict in shown)
        plain = find_faults(file) if needed else shown
    return Remedies(file, plain, shown).planned()


def judge_file(
    file: RobotFile,
    strict: bool = False,
    verdicts: Sequence[Verdict] | None = None,
    engines: Iterable[str] = (),
) -> list[Finding]:
    """Return all findings about a file and its links.

    Parameters
    ----------
    file : RobotFile
    strict : bool
        As in `judge`.
    verdicts : sequence of Verdict, optional
        Those of `judge`, if they are known already.
    engines : iterable of str
        Names in `ENGINES`; what these refuse, or simulate in their own way, is returned too.
    """
    verdicts = judge(file, strict) if verdicts is None else verdicts
    findings = [*file.findings, *merged_findings(file, verdicts), *file.engine_findings(), *unread_geometry(verdicts)]
    of_joints = joint_findings(file, strict)
    findings += of_joints
    read = {finding.subject for finding in findings if finding.code in ("bad_number", "bad_vector", "bad_boolean")}
    shown = (finding for finding in dict.fromkeys(findings) if strict or finding.severity != "info")
    findings = [finding for finding in shown if finding.code != "bad_value" or finding.subject not in read]
    others = engine_findings(file, engines, verdicts)
    others = [finding for finding in others if strict or finding.severity != "info"]
    more = {_about(finding) for finding in others if finding.code == "massless_link"}  # what the engine does about it
    findings = [finding for finding in findings if _about(finding) not in more]
    findings, others = _without_repeats(findings, others, {finding.subject for finding in of_joints})
    known = {*map(_about, findings)}
    return [*findings, *(finding for finding in others if _about(finding) not in known)]


def _without_repeats(
    findings: list[Finding], others: list[Finding], joints: Collection[str]
) -> tuple[list[Finding], list[Finding]]:
    """Return findings and those of engines without what is in both about the same joint.

    What Gazebo refuses is an error, and perhaps only a warning without it; MuJoCo's compiler says less of a joint.
    """
    of_gazebo = {finding.subject for finding in others if finding.code == "bad_urdf"} & {*joints}
    findings = [f for f in findings if f.code not in OF_TREE or f.subject not in of_gazebo]
    return findings, [f for f in others if f.code != "engine_refuses" or f.subject not in joints]


def _about(finding: Finding) -> tuple[str, str]:
    return finding.code, finding.subject
