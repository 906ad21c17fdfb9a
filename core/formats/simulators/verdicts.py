# SPDX-License-Identifier: Apache-2.0
"""The simulators' verdict on each link, by its own numbers, gz-math's formula, and its joints.

Every command uses it, so that none accepts what another refuses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

from ...arrays import FloatArray
from ...body.gz_validity import gz_accepts
from ...body.inertial import Inertial
from ...document.element import child_of
from ...errors import Finding, has_error
from ...robot.resolve import LinkBody
from ..sdf.links import SdfLink, written_tensor
from ..sdf.read import SdfFile
from ..sdf.scope import MODEL, WORLD
from ..sdf.spec.codes import with_sdf_codes

Body = TypeVar("Body", bound=Hashable)


def held_links(file: SdfFile) -> frozenset[str]:
    """Return the links, by scoped name, that are in one rigid group with another link with mass or with the world."""
    pairs = [pair for scope in file.scopes for pair in scope.fixed_pairs()]
    heavy = {link.body_key for link in file.links if link.manual is None or link.manual.mass > 0.0}
    heavy |= {body for pair in pairs for body in pair if body[1] in (WORLD, MODEL)}
    bodies = held(pairs, heavy)
    return frozenset(link.name for link in file.links if link.body_key in bodies)


def held(pairs: Iterable[tuple[Body, Body]], heavy: Collection[Body]) -> frozenset[Body]:
    """Return the bodies that are in one rigid group with a heavy one besides themselves.

    Parameters
    ----------
    pairs : iterable of (body, body)
        Bodies that are fixed to each other.
    heavy : collection of body
        Those with mass, and the world. Massless links of a group do not make it heavy.
    """
    group: dict[Body, Body] = {}

    def first(body: Body) -> Body:
        while group.setdefault(body, body) != body:
            group[body] = group[group[body]]  # path halving, for the next lookup
            body = group[body]
        return body

    for a, b in pairs:
        group[first(a)] = first(b)
    holders = Counter(first(body) for body in heavy if body in group)
    return frozenset(body for body in list(group) if holders[first(body)] > (body in heavy))


def link_verdicts(file: SdfFile) -> tuple[LinkBody, ...]:
    """Return the body of each link of a file, in order, with all findings about it.

    Adds to `SdfLink.body` what depends on other links or on gz-math:

    * ``zero_mass`` in place of ``bad_mass``: libsdformat accepts a mass of 0, and a simulator can use it if the link is
      fixed to a body with mass (info, and the link keeps its numbers). A link that moves by itself is refused.
    * ``gz_math_refuses`` (error): a tensor that is possible, but not by gz-math's formula.
    * ``default_inertial`` as a warning if the link moves and the default does not fit its geometry.
    """
    links = file.links
    held = held_links(file) if any(_massless(link) for link in links) else frozenset()
    return tuple(_verdict(link, link.static or link.name in held) for link in links)


def _massless(link: SdfLink) -> bool:
    return link.manual is not None and link.manual.mass == 0.0


def _verdict(link: SdfLink, held: bool) -> LinkBody:
    body = link.body
    if link.manual is None:
        return body
    findings = tuple(_of_explicit(link, link.manual, body, held))
    if findings == body.findings:
        return body
    return replace(body, inertial=None if has_error(findings) else link.manual, findings=findings)


def _of_explicit(link: SdfLink, manual: Inertial, body: LinkBody, held: bool) -> Iterator[Finding]:
    massless = _massless(link)
    for finding in body.findings:
        if finding.code == "default_inertial" and not link.static and link.has_geometry:
            finding = replace(finding, severity="warning")
        if not (finding.code == "bad_mass" and massless):
            yield finding
    if massless:
        yield _at(link, _zero_mass(held))
        # Without a mass, libsdformat still checks the tensor; a tensor of zeros is not a separate fault.
        doubts = replace(manual, mass=1.0).findings()
        yield from (_at(link, finding) for finding in doubts if finding.severity == "error")
    elif not has_error(body.findings) and not gz_accepts(_written(link, manual)):
        yield _at(link, Finding.of("error", "gz_math_refuses"))


def _zero_mass(held: bool) -> Finding:
    if held:
        return Finding.of("info", "zero_mass", "", "rigid")
    return Finding.of("error", "zero_mass", "", "alone")


def _written(link: SdfLink, manual: Inertial) -> FloatArray:
    """Return the tensor that gz-math checks: the file's, before it is rotated by the inertial's pose."""
    inertial = child_of(link.element, "inertial")
    return manual.inertia if inertial is None else written_tensor(inertial)


def _at(link: SdfLink, finding: Finding) -> Finding:
    return link.element.about(with_sdf_codes(finding))
