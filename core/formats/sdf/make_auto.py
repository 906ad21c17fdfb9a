# SPDX-License-Identifier: Apache-2.0
"""Replaces explicit inertials by auto, the reverse of `fill`, with the density that keeps each link's mass."""

from __future__ import annotations

from dataclasses import replace

from ...body.compare import difference
from ...body.materials import WATER
from ...document.element import child_of, children_of
from ...document.numbers import number
from ...document.splice import Editor, Splice, spliced
from ...errors import Finding, InertiaError, Severity
from ...robot.auto import NOT_LOADED
from ...robot.model import Link
from ...robot.resolve import LinkBody, resolve_link
from ..simulators.gazebo_link import gazebo_findings
from ..simulators.verdicts import link_verdicts
from .fill import RewrittenFile, RewrittenLink, errors_of
from .links import SdfLink
from .read import SdfFile


def make_auto(file: SdfFile) -> RewrittenFile:
    """Replace every explicit inertial of the file itself by ``auto`` and a density.

    Returns
    -------
    RewrittenFile
        With the warning ``auto_differs`` if a link's mass is the same but its centre of mass or tensor is not. A link
        whose geometry does not support it keeps its numbers, with the finding ``stays_explicit``; so does one for which
        Gazebo would compute another number than we do. What a simulator would refuse about an unchanged link is
        reported.
    """
    splices, links, findings = [], [], list(file.findings)
    for read, own in zip(file.links, link_verdicts(file), strict=True):
        inertial = child_of(read.element, "inertial")
        if read.auto or inertial is None or read.document is not file.document:
            findings += errors_of(own)
            continue
        try:
            density, body = _as_auto(read)
        except InertiaError as reason:
            severity: Severity = "info" if reason.code == "no_collision" else "warning"
            findings += [
                *own.findings,
                Finding.of(severity, "stays_explicit", str(read.element), reason=reason.sentence, code=reason.code),
            ]
            links.append(RewrittenLink(read.name, False, own))
            continue
        findings += [*map(read.element.about, body.all_findings()), *_differs(read, body)]
        links.append(RewrittenLink(read.name, True, body))
        splices.append(_rewritten(read, density))
    return RewrittenFile(spliced(file.document.data, splices), tuple(links), tuple(dict.fromkeys(findings)))


def _as_auto(read: SdfLink) -> tuple[float | None, LinkBody]:
    """Return the density of the link, None if every collision has its own, and what a simulator will compute.

    Raises
    ------
    InertiaError
        If auto cannot give the file's numbers; its message is the reason.
    """
    if read.fluid_added_mass:
        raise InertiaError.of("fluid_added_mass", str(read.element))
    manual = read.manual
    for finding in read.findings if manual is None else manual.findings():
        if finding.severity == "error":
            raise InertiaError(finding.code, str(read.element), finding.sentence)
    assert manual is not None
    link = replace(read.link, mode="auto", manual=None, mass=None, density=WATER)
    trial = _loaded(resolve_link(link))
    masses = [0.0 if part.inertial is None else part.inertial.mass for part in trial.parts]
    own = [collision.density is not None for collision in link.collisions]
    given = sum(mass for mass, fixed in zip(masses, own, strict=True) if fixed)
    free = sum(mass for mass, fixed in zip(masses, own, strict=True) if not fixed)
    if all(own):
        if abs(given - manual.mass) > NOT_LOADED * manual.mass:
            raise InertiaError.of("densities_differ", str(read.element), "own_differ", given=given, mass=manual.mass)
        return None, _as_gazebo(read, link, trial)
    if given >= manual.mass:
        raise InertiaError.of("densities_differ", str(read.element), "own", given=given, mass=manual.mass)
    density = WATER * ((manual.mass - given) / free)
    link = replace(link, density=density)
    return density, _as_gazebo(read, link, _loaded(resolve_link(link)))


def _loaded(body: LinkBody) -> LinkBody:
    """Return a body, if a simulator computes it as we do.

    Raises
    ------
    InertiaError
        With the first finding that gives the reason why not.
    """
    if body.refused or body.mode != "auto":
        for finding in sorted(body.all_findings(), key=lambda one: one.code == "part_refused"):
            if finding.severity == "error" or finding.code == "auto_not_possible":
                raise InertiaError(finding.code, finding.subject, finding.sentence)
    return body


def _as_gazebo(read: SdfLink, link: Link, body: LinkBody) -> LinkBody:
    """Return a body, if Gazebo's own mesh calculator gets the same.

    Raises
    ------
    InertiaError
        With Gazebo's result.
    """
    for finding in gazebo_findings(read.with_inertial(link, body)):
        raise InertiaError(finding.code, str(read.element), finding.sentence)
    return body


def _differs(read: SdfLink, body: LinkBody) -> list[Finding]:
    assert read.manual is not None and body.inertial is not None
    apart = difference(read.manual, body.inertial)
    if apart.worst <= NOT_LOADED:
        return []
    before, after = (one.principal().moments for one in (read.manual, body.inertial))
    return [
        Finding.of(
            "warning",
            "auto_differs",
            str(read.element),
            shift=apart.com,
            change=apart.inertia,
            before=", ".join(f"{one:.6g}" for one in before),
            after=", ".join(f"{one:.6g}" for one in after),
        )
    ]


def _rewritten(read: SdfLink, density: float | None) -> Splice:
    inertial = child_of(read.element, "inertial")
    assert inertial is not None
    editor = Editor(inertial)
    editor.set_attribute("auto", "true")
    for tag in ("mass", "pose", "inertia"):
        for element in children_of(inertial, tag):
            editor.remove(element)
    if density is not None:
        given = child_of(inertial, "density")
        if given is None:
            editor.append(inertial, [f"<density>{number(density)}</density>"])
        else:
            editor.set_text(given, number(density))
    return editor.splice()
