# SPDX-License-Identifier: Apache-2.0
"""The verdict on one link: its findings, and the worst fault among them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from ..body.inertial import Inertial
from ..errors import Finding, InertiaError
from ..formats.file_link import FileLink
from ..robot.extent import extent_of
from ..robot.model import Mesh, Unusable, Visual
from ..robot.resolve import LinkBody
from .geometry.given_inertial import Doubts, find_doubts
from .geometry.written import Written
from .geometry.wrong_tensors import CODES

Fault = Literal["impossible", "placeholder", "missing", "mistake", "doubtful", "twins", "geometry"]

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
    **dict.fromkeys(CODES.values(), "doubtful"),  # a mistake if one inertial is certain to be right
}
"""The fault that each code of a finding means; any other error means `impossible`."""

MISTAKES = {"inertial_unit": "units", "twin_not_mirrored": "twins"} | {code: name for name, code in CODES.items()}
"""The name of the mistake that each code of a finding means."""

REPAIRED = frozenset({"impossible", "placeholder", "missing", "mistake"})
"""Faults that are repaired unless the user chooses others."""

MASS_SLIP, TENSOR_SCALE = "mass-slip", "tensor-scale"
"""The two ways to make a mass and a tensor of another mass agree; the second was called ``mass``."""

REPAIRABLE = (*sorted(REPAIRED), "doubtful", *sorted({*MISTAKES.values(), MASS_SLIP, TENSOR_SCALE} - {"mass"}))
"""What the user can choose to repair: faults, and mistakes by name even if they are not certain."""

WORST_FIRST: tuple[Fault, ...] = ("geometry", "missing", "impossible", "mistake", "placeholder", "doubtful", "twins")


@dataclass(frozen=True, eq=False)
class Plan:
    """What `repair` writes for a link, or nothing and why.

    Parameters
    ----------
    new : Inertial or None
        The new inertial, in the link's frame; None if the link keeps its own.
    options : tuple of str
        What to add to ``repair --in-place``, such as ``--what doubtful``; ``KG_M3`` stands for a density.
    source : str
        ``collision``, ``visual``, or ``file`` if the file's own numbers are corrected; empty without a new inertial.
    body : LinkBody or None
        The body of the geometry, if it was computed.
    findings : tuple of Finding
        Why the link keeps its own, or what remains doubtful.
    by_density : bool
        True if the new mass is computed from densities alone.
    """

    new: Inertial | None = None
    options: tuple[str, ...] = ()
    source: str = ""
    body: LinkBody | None = None
    findings: tuple[Finding, ...] = ()
    by_density: bool = False


@dataclass(frozen=True)
class Verdict:
    """What is wrong with a link's inertial, and what `repair` makes of it.

    Parameters
    ----------
    link : FileLink
    findings : tuple of Finding
        About the link, at its place in the file; empty for a sound one.
    by_itself : Doubts
        Those of its inertial in its geometry, before the links are compared.
    right : Inertial or None
        The inertial without the mistake, if the mistake is certain or likely.
    certain : bool
        False if the mistake is only likely: then `right` is written only if the user names the mistake.
    plan : Plan or None
        None for a link that needs none, and before `judge` has made it.
    """

    link: FileLink
    findings: tuple[Finding, ...]
    by_itself: Doubts = Doubts()
    right: Inertial | None = None
    certain: bool = True
    plan: Plan | None = None

    @property
    def unread(self) -> InertiaError | None:
        """Why the inertial could not be compared with its geometry."""
        return self.by_itself.unread

    @property
    def slip(self) -> Inertial | None:
        """The inertial with the mass that its tensor is for, if either mass or tensor is wrong."""
        return self.by_itself.slip if "mass" in self.mistakes else None

    @property
    def fault(self) -> Fault | None:
        """The worst fault among its findings, None for a sound link."""
        if self.right is not None and self.certain:
            return "mistake"
        faults = {fault_of(finding) for finding in self.findings if finding.severity != "info"}
        return next((fault for fault in WORST_FIRST if fault in faults), None)

    @property
    def mistakes(self) -> tuple[str, ...]:
        """The names of the mistakes that its findings are about, as in `MISTAKES`."""
        return mistakes_in(self.findings)

    @property
    def chosen_by(self) -> frozenset[str]:
        """The words of ``repair --what`` that choose it; ``twins`` only if it is known which numbers are right."""
        words = {"all", *self.mistakes} | ({self.fault} if self.fault is not None else set())
        words |= {TENSOR_SCALE} if "mass" in self.mistakes else set()
        words |= {MASS_SLIP} if self.slip is not None else set()
        return frozenset(words if self.right is not None else words - {"twins"})


def mistakes_in(findings: Iterable[Finding]) -> tuple[str, ...]:
    """Return the names of the mistakes in findings, each once."""
    return tuple(dict.fromkeys(MISTAKES[finding.code] for finding in findings if finding.code in MISTAKES))


def fault_of(finding: Finding) -> Fault | None:
    """Return the fault that a finding means."""
    return OF_CODE.get(finding.code, "impossible" if finding.severity == "error" else None)


def judge_inertial(
    link: FileLink,
    inertial: Inertial,
    strict: bool = False,
    written: Written | None = None,
    around: Sequence[Visual] = (),
) -> Doubts:
    """Compare an inertial for which `may_be_judged` is true with the geometry of a link; return the doubts.

    `around` is what else may show what the link weighs, in its frame.
    """
    collisions = link.link.collisions
    flat = [part for part in collisions if not isinstance(part.geometry, Unusable) and extent_of([part]) is None]
    if flat and not link.auto:  # for an auto link it is an error among the link's own findings
        shapes = [(part.name, "a flat mesh" if isinstance(part.geometry, Mesh) else part.geometry) for part in flat]
        sizes = ", ".join(f"'{name}' is {shape}" for name, shape in shapes)
        return Doubts((Finding.of("warning", "bad_size", "", "collision", sizes=sizes),))
    uniform = (lambda: None if link.body.refused else link.body) if link.auto else link.uniform
    if link.has_dummy_collision:
        collisions, uniform = (), link.uniform_shown
    return find_doubts(inertial, collisions, lambda: [*link.visuals_with_extent, *around], uniform, strict, written)


def of_mass(doubt: Finding, body: Inertial, right: Inertial | None) -> Finding:
    """Return a doubt about the unit of a mass without the tensor that was computed with it: the file has another."""
    if doubt.code != "inertial_unit" or right is None or right.mass == body.mass:
        return doubt
    fits = f"the mass is {body.mass:.4g} kg, but {right.mass:.4g} fits (given in g?)"
    return Finding.of(doubt.severity, doubt.code, doubt.subject, quantities=fits, better="the mass in kg")
