# SPDX-License-Identifier: Apache-2.0
"""Replaces auto inertials by numbers, or numbers by auto inertials, in the file's own bytes; all other bytes stay.

Unlike ``gz sdf --expand-auto-inertials``, `fill` drops ``auto``, so that no simulator computes the written numbers
again, and keeps a given mass and ``<fluid_added_mass>``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from ...body.compare import difference
from ...body.gz_validity import loadable
from ...body.inertial import COMPONENTS, Inertial
from ...body.materials import WATER
from ...document.element import Element, child_of, children_of, text_of
from ...document.numbers import number
from ...document.splice import Editor, Splice, spliced
from ...errors import Finding, InertiaError, Severity, has_error
from ...robot.auto import NOT_LOADED
from ...robot.model import Link
from ...robot.resolve import LinkBody, resolve_link
from ..simulators.gazebo import gazebo_findings
from ..simulators.verdicts import link_verdicts
from .links import SdfLink
from .read import SdfFile


@dataclass(frozen=True, eq=False)
class RewrittenLink:
    """A link that was to be changed, its numbers, and True if its bytes now have the requested kind."""

    name: str
    done: bool
    body: LinkBody


@dataclass(frozen=True, eq=False)
class RewrittenFile:
    """A file's new bytes, equal to the old ones if nothing changed.

    `findings` are all about the file and the links that were to be changed, and the errors of its other links.
    `included` are the new bytes of files that it includes. `path` is that of the new bytes, if it is another one: a USD
    file keeps its own.
    """

    data: bytes
    links: tuple[RewrittenLink, ...]
    findings: tuple[Finding, ...]
    included: Mapping[Path, bytes] = field(default_factory=dict)
    path: Path | None = None

    @property
    def refused(self) -> bool:
        """True if there is an error: a simulator would refuse the new file."""
        return has_error(self.findings)


def fill(file: SdfFile, keep_auto: bool = False) -> RewrittenFile:
    """Write the numbers of every auto inertial of the file itself; an included file keeps its own.

    Parameters
    ----------
    keep_auto : bool
        Keep ``auto`` with the numbers. Simulators then compute them again, with a warning; Drake refuses.

    Returns
    -------
    RewrittenFile
        A link whose inertial cannot be computed stays unchanged, with its finding. So does a link that has numbers, or
        is in an included file, with what a simulator would refuse about it.
    """
    splices, links, findings = [], [], list(file.findings)
    for read, body in zip(file.links, link_verdicts(file), strict=True):
        if not read.auto or read.document is not file.document:
            findings += [_included(read)] if read.auto else []
            findings += errors_of(body)
            continue
        findings += body.all_findings()
        links.append(RewrittenLink(read.name, not body.refused, body))
        if body.inertial is not None and not body.refused:
            splices += filled_splices(read, body.inertial, keep_auto)
            if keep_auto:
                findings.append(_kept(read))
    return RewrittenFile(spliced(file.document.data, splices), tuple(links), tuple(dict.fromkeys(findings)))


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
    for read, current in zip(file.links, link_verdicts(file), strict=True):
        inertial = child_of(read.element, "inertial")
        if read.auto or inertial is None or read.document is not file.document:
            findings += errors_of(current)
            continue
        try:
            density, body = _as_auto(read)
        except InertiaError as reason:
            severity: Severity = "info" if reason.code == "no_collision" else "warning"
            findings += [
                *current.findings,
                Finding.of(severity, "stays_explicit", str(read.element), reason=reason.sentence, code=reason.code),
            ]
            links.append(RewrittenLink(read.name, False, current))
            continue
        findings += [*map(read.element.about, body.all_findings()), *_differs(read, body)]
        links.append(RewrittenLink(read.name, True, body))
        splices.append(_rewritten(read, density))
    return RewrittenFile(spliced(file.document.data, splices), tuple(links), tuple(dict.fromkeys(findings)))


def filled_splices(read: SdfLink, body: Inertial, keep_auto: bool = False) -> list[Splice]:
    """Return the edit that gives an existing ``<inertial>`` these numbers, in the link's frame."""
    inertial = child_of(read.element, "inertial")
    assert inertial is not None
    editor = Editor(inertial)
    if not keep_auto:
        editor.drop_attribute("auto")
    pose, tensor = loadable(body)
    wanted = {"mass": number(body.mass), "pose": " ".join(number(value) for value in pose.to_sdf())}
    new = []
    for tag, text in wanted.items():
        element = child_of(inertial, tag)
        if element is None:
            new.append(f"<{tag}>{text}</{tag}>")
        elif not _has_numbers(element, text):
            # A pose in degrees or as a quaternion is written again, whole.
            editor.replace(element, f"<{tag}>{text}</{tag}>")
    rows = tensor.tolist()
    texts = {name: number(rows[i][j]) for name, (i, j) in COMPONENTS.items()}
    new += _tensor(editor, inertial, texts)
    if new:
        editor.append(inertial, new)
    return [editor.splice()] if editor.changed else []


def errors_of(body: LinkBody) -> list[Finding]:
    """Return what a simulator would refuse about a link."""
    return [finding for finding in body.all_findings() if finding.severity == "error"]


def _tensor(editor: Editor, inertial: Element, texts: Mapping[str, str]) -> list[str]:
    """Write the six components into the ``<inertia>``; return it as text if there is none."""
    element = child_of(inertial, "inertia")
    if element is None:
        inner = editor.layout(inertial).deeper
        lines = "".join(f"{inner.before_child}<{name}>{text}</{name}>" for name, text in texts.items())
        return [f"<inertia>{lines}{inner.before_end}</inertia>"]
    missing = []
    for name, text in texts.items():
        child = child_of(element, name)
        if child is None:
            missing.append(f"<{name}>{text}</{name}>")
        elif not _has_numbers(child, text):
            editor.set_text(child, text)
    if missing:
        editor.append(element, missing)
    return []


def _has_numbers(element: Element, text: str) -> bool:
    """Return True if an element already has these numbers: then its own digits stay."""
    if element.attrib or len(element):
        return False
    try:
        return [float(word) for word in text_of(element).split()] == [float(word) for word in text.split()]
    except ValueError:
        return False


def _included(read: SdfLink) -> Finding:
    return Finding.of("info", "included_auto", str(read.element), file=read.document.name)


def _kept(read: SdfLink) -> Finding:
    return Finding.of("info", "auto_kept", str(read.element))


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
    has_density = [collision.density is not None for collision in link.collisions]
    given = sum(mass for mass, fixed in zip(masses, has_density, strict=True) if fixed)
    free = sum(mass for mass, fixed in zip(masses, has_density, strict=True) if not fixed)
    if all(has_density):
        if abs(given - manual.mass) > NOT_LOADED * manual.mass:
            raise InertiaError.of("densities_differ", str(read.element), "own_differ", given=given, mass=manual.mass)
        return None, _as_gazebo(read, link, trial)
    # The collisions without a density of their own share what the others leave of the mass.
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
        for finding in sorted(body.all_findings(), key=lambda finding: finding.code == "part_refused"):
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
    before, after = (inertial.principal().moments for inertial in (read.manual, body.inertial))
    return [
        Finding.of(
            "warning",
            "auto_differs",
            str(read.element),
            shift=apart.com,
            change=apart.inertia,
            before=", ".join(f"{moment:.6g}" for moment in before),
            after=", ".join(f"{moment:.6g}" for moment in after),
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
