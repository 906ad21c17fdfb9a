# SPDX-License-Identifier: GPL-3.0-or-later
"""The verdict on one link: its findings, and the fault that they stand for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from ..body.inertial import Inertial
from ..errors import Finding, InertiaError
from ..sdf.file_link import FileLink

Fault = Literal["impossible", "placeholder", "missing", "mistake", "doubtful", "twins", "geometry"]
FAULTS: tuple[Fault, ...] = get_args(Fault)

OF_CODE: dict[str, Fault] = {
    "geometry_unit": "geometry",
    "default_inertial": "missing",
    "massless_link": "missing",
    "template_tensor": "placeholder",
    "padded_diagonal": "placeholder",
    "copied_tensor": "placeholder",
    "zero_moment": "placeholder",
    "small_tensor": "doubtful",
    "implied_density": "doubtful",
    "radius_of_gyration": "doubtful",
    "impossible_spread": "doubtful",
    "small_geometry": "doubtful",
    "unit_suspicion": "doubtful",
    "com_outside": "doubtful",
    "inertial_unit": "mistake",
    "twin_not_mirrored": "twins",
}
"""The fault that a finding about an inertial stands for; any other error makes it impossible."""

WORST_FIRST: tuple[Fault, ...] = ("geometry", "missing", "impossible", "mistake", "placeholder", "doubtful", "twins")


@dataclass(frozen=True)
class Verdict:
    """What is wrong with a link's inertial.

    Parameters
    ----------
    link : FileLink
    findings : tuple of Finding
        About the link, at its place in the file; empty for a sound one.
    unread : InertiaError or None
        Why it could not be compared with its geometry.
    right : Inertial or None
        The inertial that the file means.
    certain : bool
        False if `right` is only likely: then it is written only if asked for by the name of the mistake.
    """

    link: FileLink
    findings: tuple[Finding, ...]
    unread: InertiaError | None = None
    right: Inertial | None = None
    certain: bool = True

    @property
    def fault(self) -> Fault | None:
        """The worst fault that its findings stand for, None for a sound link."""
        if self.right is not None and self.certain:
            return "mistake"
        faults = {_fault_of(one) for one in self.findings if one.severity != "info"}
        return next((fault for fault in WORST_FIRST if fault in faults), None)

    @property
    def chosen_by(self) -> frozenset[str]:
        """The words of ``repair --what`` that choose it: its fault, and a mistake by name if its remedy is known."""
        words = {"all", self.fault} - {"twins", None}
        by_name = {_fault_of(one) for one in self.findings} & {"twins"} if self.right is not None else set()
        return frozenset(word for word in (*words, *by_name) if word is not None)


def _fault_of(finding: Finding) -> Fault | None:
    return OF_CODE.get(finding.code, "impossible" if finding.severity == "error" else None)
