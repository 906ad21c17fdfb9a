# SPDX-License-Identifier: GPL-3.0-or-later
"""Inertials of a robot that exists, computed anew where they are impossible, a template's, or missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isclose, isfinite
from pathlib import Path
from typing import Literal, cast, get_args

from ...body.density_map import DensityMap
from ...body.inertial import Inertial
from ...errors import Finding, InertiaError, first_error, has_error
from ...robot.given_inertial import not_compared
from ...robot.model import Collision, Link, Part
from ...robot.resolve import LinkBody, resolve_link
from ..xml.document import Document
from .faults import FAULTS, Verdict, doubts_about, verdicts_of
from .links import links_of
from .published_link import PublishedLink
from .write_back import SAME, write_back

Source = Literal["collision", "visual"]
SOURCES: tuple[Source, ...] = get_args(Source)

SOUND = "sound"
"""What stands for a fault where a link has none."""


@dataclass(frozen=True)
class Wish:
    """What is to be repaired, and how.

    Parameters
    ----------
    what : frozenset of str
        Of `FAULTS`, and ``all``: sound ones too.
    keep_mass : bool
        Keep the published mass, where a body can have it: masses are mostly weighed, tensors mostly wrong.
    density : float or None
        [kg/m³] of all parts for which the map has no row.
    densities : DensityMap or None
    source : {"auto", "collision", "visual"}
        The geometry to compute from; ``auto`` takes the collisions unless the diagnosis has more against them.
    links : frozenset of str or None
        Names of those to look at, with or without their model's; None for all.
    params : mapping of str to str
        How to compute, as ``auto_inertia_params``.
    """

    what: frozenset[str] = frozenset(FAULTS)
    keep_mass: bool = True
    density: float | None = None
    densities: DensityMap | None = None
    source: str = "auto"
    links: frozenset[str] | None = None
    params: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class RepairedLink:
    """A link that is not sound.

    Parameters
    ----------
    link : PublishedLink
    fault : str
        Of `FAULTS`; ``sound`` where it was computed anew all the same.
    why : tuple of Finding
        What is wrong with the published inertial.
    body : LinkBody or None
        What was computed; None where the link keeps its own.
    source : str
        ``collision`` or ``visual``; empty without a body.
    findings : tuple of Finding
        Why it is refused, or what remains doubtful.
    """

    link: PublishedLink
    fault: str
    why: tuple[Finding, ...]
    body: LinkBody | None = None
    source: str = ""
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, eq=False)
class RepairedFile:
    """A file's new bytes, equal to the old ones where nothing was to do; `findings` are about all of it."""

    data: bytes
    links: tuple[RepairedLink, ...]
    findings: tuple[Finding, ...]

    @property
    def refused(self) -> bool:
        """True where a link that is not sound keeps its inertial for want of another, or the file is broken."""
        return has_error(self.findings) or any(one.body is None and one.fault != SOUND for one in self.links)


def repair(path: Path, wish: Wish | None = None, roots: Sequence[Path] = ()) -> RepairedFile:
    """Compute the inertials of a file anew where that is needed.

    A link whose inertial cannot be computed keeps its own, with a finding that says why. So does one for which the new
    numbers would be as doubtful as the old ones, since then it is the mass or the geometry that is wrong.

    Raises
    ------
    InertiaError
        Where nothing of the file can be read; ``unknown_link``.
    """
    wish = wish or Wish()
    document = Document.read(path)
    links, findings = links_of(document, roots)
    unknown = sorted((wish.links or frozenset()) - {name for one in links for name in (one.name, one.full_name)})
    if unknown:
        raise InertiaError("unknown_link", str(path), f"it has no link '{unknown[0]}'", "see report for their names")
    verdicts = list(verdicts_of(links))
    repaired = list(_repaired(document, zip(links, verdicts, strict=True), wish))
    unread = [
        link.place.led_to(one.unread) for link, one in zip(links, verdicts, strict=True) if one.unread is not None
    ]
    new: dict[str, dict[str, Inertial]] = {}
    for one in repaired:
        if one.body is not None and one.body.inertial is not None:
            new.setdefault(one.link.model, {})[one.link.name] = _at_mass(one.body.inertial, one.link.mass)
    told = [*findings, *(finding for one in repaired for finding in one.findings)]
    if unread:
        told.append(not_compared(unread))
    return RepairedFile(write_back(document, new), tuple(repaired), tuple(dict.fromkeys(told)))


def _at_mass(body: Inertial, published: float | None) -> Inertial:
    """Return a body with the digits of the published mass, where that is its own but for rounding."""
    if published is None or not isclose(body.mass, published, rel_tol=SAME):
        return body
    return replace(body, mass=published)


def _repaired(document: Document, links: Iterable[tuple[PublishedLink, Verdict]], wish: Wish) -> Iterator[RepairedLink]:
    for link, verdict in links:
        fault, chosen = verdict.fault, wish.links is None or not wish.links.isdisjoint((link.name, link.full_name))
        sound = "all" in wish.what and not (link.auto or link.static or link.is_frame)
        if not chosen or not (sound if fault is None else {fault, "all"} & wish.what):
            continue
        repaired = RepairedLink(link, fault or SOUND, verdict.why)
        if link.auto:
            yield replace(repaired, findings=tuple(link.place.about(finding) for finding in verdict.why))
            continue
        try:
            if link.document is not document:
                message = f"its inertial stands in {link.document.name}, which is included and is not changed"
                raise InertiaError("included_inertial", "", message, "repair that file")
            yield _computed(repaired, wish)
        except InertiaError as error:
            finding = error.finding("error" if fault else "warning")
            if finding.subject:  # the part that it is about
                finding = replace(finding, message=f"{finding.subject}: {finding.message}", subject="")
            yield replace(repaired, findings=(link.place.about(finding),))


def _computed(repaired: RepairedLink, wish: Wish) -> RepairedLink:
    """Return a link with its new inertial; raises InertiaError where there is none."""
    link = repaired.link
    kept = link.mass if wish.keep_mass and link.mass is not None and isfinite(link.mass) and link.mass > 0.0 else None
    source, body = _measured(link, wish, kept)
    assert body.inertial is not None
    doubts = doubts_about(link, body.inertial).findings
    if doubts and kept is not None and _all_dense(_stated(link, wish, source)):
        source, body = _measured(link, wish, None)  # it is the mass that no such body has, and there is another
        assert body.inertial is not None
        doubts = doubts_about(link, body.inertial).findings
    told = tuple(replace(link.place.about(finding), severity="warning") for finding in doubts)
    if doubts and link.published is not None and not has_error(repaired.why):
        same = {finding.code for finding in doubts} & {finding.code for finding in repaired.why}
        if same:  # the mass or the geometry is at fault: another tensor would only hide that
            return replace(repaired, findings=told)
    if wish.densities is not None and not _is_in_map(link, wish.densities, source):
        message = "the map of densities has no row for it, nor for any of its parts"
        told += (link.place.about(Finding("warning", "not_in_map", "", message, "add its name, a glob or a category")),)
    warnings = tuple(link.place.about(one) for one in body.all_findings() if one.severity == "warning")
    return replace(repaired, body=body, source=source, findings=tuple(dict.fromkeys((*warnings, *told))))


def _measured(link: PublishedLink, wish: Wish, mass: float | None) -> tuple[Source, LinkBody]:
    """Return the geometry that is the better one, and the body that it gives."""
    wanted = SOURCES if wish.source == "auto" else (cast(Source, wish.source),)
    bodies: list[tuple[Source, LinkBody]] = []
    unknown: InertiaError | None = None
    for source in wanted:
        own = _stated(link, wish, source)
        if not own.weighed:
            continue
        target = mass if own.mass is None else own.mass
        if target is None and not _all_dense(own):
            unknown = unknown or _mass_unknown(link, wish, own)
            continue
        body = resolve_link(replace(own, mass=target))
        bodies.append((source, body))
        if not any(_objections(body)):
            break  # no better one is to be had
    good = [(source, body) for source, body in bodies if body.inertial is not None and not body.refused]
    if good:
        return min(good, key=lambda one: _objections(one[1]))
    if unknown is not None:
        raise unknown
    if not bodies:
        what = "geometry" if wish.source == "auto" else wish.source
        raise InertiaError("no_collision", "", f"it has no {what} to compute its inertia from", "give it one")
    source, body = bodies[0]
    told = [*((f"{source} '{part.name}'", part.findings) for part in body.parts), ("", body.findings)]
    name, error = next((name, error) for name, findings in told if (error := first_error(findings)) is not None)
    raise InertiaError(error.code, name, error.message, error.remedy)


def _objections(body: LinkBody) -> tuple[bool, int, float]:
    """Return what the diagnosis has against a body, the worst first."""
    warnings = sum(finding.severity == "warning" for finding in body.all_findings())
    return body.refused, warnings, body.error


def _stated(link: PublishedLink, wish: Wish, source: Source) -> Link:
    """Return the link of one geometry alone, with the densities and masses that the user and the file state."""
    parts: Sequence[Part] = link.link.parts
    if source == "visual":
        parts = [Part(one.name, one.pose, one.geometry) for one in link.visuals]
    said = wish.densities.find(link.full_name, link.name) if wish.densities is not None else None
    density = said.density if said is not None and said.density is not None else wish.density
    made = []
    for part in parts:
        own = wish.densities.find(*_names(link, source, part.name)) if wish.densities is not None else None
        if own is not None and own is not said:  # a part's name has the link's in it
            part = replace(part, density=own.density if own.density is not None else part.density, mass=own.mass)
        elif density is not None:
            part = replace(part, density=density)
        made.append(replace(part, params=None) if wish.params else part)
    solid = tuple(one for one in made if not isinstance(one, Collision))
    colliding = tuple(one for one in made if isinstance(one, Collision))
    mass = None if said is None else said.mass
    params = wish.params or link.link.params
    return replace(link.link, collisions=colliding, masses=solid, mass=mass, params=params, visuals=())


def _names(link: PublishedLink, source: Source, part: str) -> tuple[str, ...]:
    """Return what a part may be called in a map of densities."""
    return f"{link.name}/{part}", part, *link.names.get((source, part), ())


def _is_in_map(link: PublishedLink, densities: DensityMap, source: Source) -> bool:
    parts = [_names(link, source, name) for kind, name in link.names if kind == source]
    return any(densities.find(*names) is not None for names in ((link.full_name, link.name), *parts))


def _all_dense(link: Link) -> bool:
    """Say whether the mass of each part follows from what is stated."""
    return bool(link.weighed) and all(part.density is not None or part.mass is not None for part in link.weighed)


def _mass_unknown(link: PublishedLink, wish: Wish, own: Link) -> InertiaError:
    if not wish.keep_mass:
        why = "no density is known for it"
    elif link.mass is None:
        why = "the file gives it no mass that could be kept"
    else:
        why = f"no body has its mass of {link.mass:g} kg"
    names = ", ".join(part.name for part in own.weighed if part.density is None and part.mass is None)
    remedy = f"give --density, or a row for it or its parts ({names}) in --densities"
    return InertiaError("mass_unknown", "", why, remedy)
