# SPDX-License-Identifier: Apache-2.0
"""A link of a robot's file, for Python: its inertial, that of its geometry, and what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

from ..body.inertial import Inertial
from ..errors import PART_REFUSED, Finding
from ..judge.comparison import Comparison, compared
from ..judge.verdict import Fault, Verdict
from ..robot.resolve import LinkBody


@dataclass(frozen=True, eq=False)
class RobotLink:
    """A link of a `Robot`.

    Parameters
    ----------
    name : str
        Unique in the robot: with its model's if the file has several links of this name.
    inertial : Inertial or None
        The one in the file, or for an auto link the one that a simulator computes, in the link's frame, even if no
        body can have it; None if the file gives none.
    findings : tuple of Finding
        What is wrong or doubtful about it, infos too.
    line : int
        Its line in the file.
    auto : bool
        True if a simulator computes its inertial.
    fault : str or None
        The worst fault, such as ``impossible``, ``missing``, ``placeholder`` or ``doubtful``; None for a sound link.
    verdict : Verdict
        The judgement that all commands share: ``verdict.plan.new`` is the inertial that `repair` writes, with
        ``verdict.plan.options``, or None for the reasons in ``verdict.plan.findings``.

    Examples
    --------
    >>> from sdf_inertia import read_robot
    >>> base = read_robot("examples/arm.urdf").links["base"]
    >>> print(f"line {base.line}: {base.fault}, {base.findings[0].code}")
    line 8: impossible, triangle_inequality
    >>> print("its geometry has", base.computed.inertia.diagonal().round(4))
    its geometry has [0.0061 0.0061 0.0097]
    """

    name: str
    inertial: Inertial | None
    findings: tuple[Finding, ...]
    line: int
    auto: bool
    fault: Fault | None
    verdict: Verdict = field(repr=False)

    @classmethod
    def of(cls, name: str, verdict: Verdict, body: LinkBody) -> RobotLink:
        """Return the link that a verdict is on."""
        link = verdict.link
        inertial = body.inertial if link.auto else link.inertial
        line = link.element.line
        return cls(name, inertial, link_findings(verdict, body), line, link.auto, verdict.fault, verdict)

    @cached_property
    def comparison(self) -> Comparison:
        """The inertial in the file beside that of its geometry, of uniform density.

        The mass is that in the file; without one, the density is that of water.
        """
        return replace(compared(self.verdict.link.drawn, self.inertial), findings=self.verdict.findings)

    @property
    def computed(self) -> Inertial | None:
        """The inertial of its collisions, or of its visuals if it has none; None if its geometry has no answer."""
        return None if self.comparison.computed.refused else self.comparison.computed.inertial


@dataclass(frozen=True, eq=False)
class LinkChange:
    """What `Robot.repair` or `Robot.fill` did with a link.

    Parameters
    ----------
    name : str
        As in `Robot.links`.
    fault : str
        Why it was to be changed: its fault, ``weighed``, ``auto``, or ``sound`` with `what` "all".
    old : Inertial or None
        The inertial in the file; None if it gave none, or auto.
    new : Inertial or None
        The new one; None if the link stays as it is.
    findings : tuple of Finding
        What was wrong with the old one, or for `fill` what is doubtful about the new one.

    Examples
    --------
    >>> from sdf_inertia import read_robot
    >>> change = read_robot("examples/arm.urdf").repair(links=["upper_arm"]).changes[0]
    >>> print(f"{change.old.mass:g} kg, now {change.new.mass:g} kg")
    850 kg, now 0.85 kg
    """

    name: str
    fault: str
    old: Inertial | None
    new: Inertial | None
    findings: tuple[Finding, ...]


def judged(body: LinkBody, verdict: Verdict) -> LinkBody:
    """Return a body with the findings of its link's verdict; its parts keep their own."""
    of_parts = {finding for part in body.parts for finding in part.findings}
    refused = [finding for finding in body.findings if finding.code == PART_REFUSED]
    return replace(body, findings=(*refused, *(finding for finding in verdict.findings if finding not in of_parts)))


def link_findings(verdict: Verdict, body: LinkBody) -> tuple[Finding, ...]:
    """Return the findings about a link and its parts, each once."""
    return tuple(dict.fromkeys(judged(body, verdict).all_findings()))
