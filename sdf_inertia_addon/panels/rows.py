# SPDX-License-Identifier: GPL-3.0-or-later
"""The rows of the list: links, the solid parts below each, and what is tagged but belongs to no link."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from weakref import WeakKeyDictionary

from ...core.errors import Severity, worst_severity
from ...core.robot.joints import own_joints
from ...core.robot.part import Body, PartBody
from ..live import LiveLink, LiveModel
from ..live.model import worst_shown


@dataclass(frozen=True)
class Row:
    """What the list shows of one object.

    Parameters
    ----------
    object : str
        Full name.
    link : str
        Full name of its link's object; its own for a link, empty for one without.
    geometry : str
        The part's, such as ``mesh`` or ``box``; empty on a link.
    mass : float or None
        [kg]; of an instanced one, of all instances together.
    share : float or None
        A part's share of its link's mass.
    severity : {"info", "warning", "error"} or None
        The worst finding, of a link with its parts.
    mode : {"auto", "filled", "manual", "none", ""}
        How a link is written.
    count : int
        How often it stands in the scene.
    stale : bool
        Being computed.
    checking : bool
        Shown as read quickly, and being checked in full.
    only_collides : bool
        It has no mass.
    joint : str
        The kind of joint that a link hangs on; empty for none.
    """

    object: str
    link: str
    geometry: str = ""
    mass: float | None = None
    share: float | None = None
    severity: Severity | None = None
    mode: str = ""
    count: int = 1
    stale: bool = False
    checking: bool = False
    only_collides: bool = False
    joint: str = ""

    @property
    def is_link(self) -> bool:
        return self.object == self.link


_rows: WeakKeyDictionary[LiveModel, dict[str, Row]] = WeakKeyDictionary()


def rows_of(model: LiveModel) -> Mapping[str, Row]:
    """Return a model's rows by their objects in the order of the list, worked out once for each state of the model."""
    if model not in _rows:
        _rows[model] = {row.object: row for row in _made(model)}
    return _rows[model]


def _made(model: LiveModel) -> Iterable[Row]:
    instances: dict[str, list[LiveLink]] = {}
    for link in model.links:
        instances.setdefault(link.object, []).append(link)
    listed: set[str] = set()
    joints = own_joints(model.joints)
    for links in instances.values():
        joint = joints.get(links[0].body.name)
        yield _link_row(links, "" if joint is None else joint.kind)
        for row in _part_rows(links):
            if row.object not in instances:  # an object that is link and collision has the link's row
                listed.add(row.object)
                yield row
    for finding in model.findings:
        if finding.code == "no_link" and finding.subject not in listed:
            listed.add(finding.subject)
            yield Row(finding.subject, "", severity="error")


def _link_row(links: list[LiveLink], joint: str) -> Row:
    findings = [finding for link in links for finding in link.body.all_findings()]
    mass = _together([link.body for link in links])
    stale, checking = any(link.stale for link in links), any(link.checking for link in links)
    severity = worst_shown(findings)
    mode = links[0].body.mode
    return Row(
        links[0].object, links[0].object, "", mass, None, severity, mode, len(links), stale, checking, joint=joint
    )


def _part_rows(links: list[LiveLink]) -> Iterable[Row]:
    whole, stale = _together([link.body for link in links]), any(link.stale for link in links)
    by_object: dict[str, list[PartBody | None]] = {}
    weightless: dict[str, str] = {}
    for link in links:
        bodies = {part.name: part for part in link.body.parts}
        read = () if link.body.link is None else link.body.link.collisions
        weightless |= {
            link.parts.get(collision.name, ""): collision.geometry.kind for collision in read if not collision.has_mass
        }
        for name, owner in link.parts.items():
            by_object.setdefault(owner, []).append(bodies.get(name))
    for owner, parts in by_object.items():
        known = [part for part in parts if part is not None]
        mass = _together(parts)
        severity = worst_severity(finding for part in known for finding in part.findings)
        geometry = known[0].geometry if known else weightless.get(owner, "unknown")
        share = None if mass is None or whole is None or not whole > 0.0 else mass / whole
        only_collides = owner in weightless
        yield Row(owner, links[0].object, geometry, mass, share, severity, "", len(parts), stale, False, only_collides)


def _together(bodies: Sequence[Body | None]) -> float | None:
    """Return the mass of all instances of an object; None where one has no number."""
    masses = [body.inertial.mass for body in bodies if body is not None and body.inertial is not None]
    return sum(masses) if len(masses) == len(bodies) else None


def matching(rows: Collection[Row], text: str, only_findings: bool = False) -> list[str]:
    """Return the objects whose rows a search leaves, in the order of the list.

    Parameters
    ----------
    rows : collection of Row
    text : str
        As in `named`. A link that matches brings its collisions, a collision its link.
    only_findings : bool
        Leave only what has a warning or an error.
    """
    objects = {*named((row.object for row in rows), text)}
    shown = {row.object for row in rows if row.object in objects or row.link in objects}
    if only_findings:
        shown = {row.object for row in rows if row.object in shown and row.severity in ("error", "warning")}
    links = {row.link for row in rows if row.object in shown}
    return [row.object for row in rows if row.object in shown or row.object in links]


def named(names: Iterable[str], text: str) -> list[str]:
    """Return the names that a search finds, by a part or a pattern with ``*`` and ``?``; capitals do not matter."""
    pattern = text.casefold()
    if not any(sign in pattern for sign in "*?["):
        pattern = f"*{pattern}*"
    return [name for name in names if fnmatch(name.casefold(), pattern)]


def flags_and_order(shown: Iterable[str], names: Sequence[str], flag: int) -> tuple[list[int], list[int]]:
    """Return what a UIList wants to know of all objects: whether each is shown, and in which place.

    Parameters
    ----------
    shown : iterable of str
        Full names of the objects to show, in the order of the list.
    names : sequence of str
        Full names of all objects of the file.
    flag : int
        What marks an object that is shown.
    """
    place = {name: number for number, name in enumerate(shown)}
    flags, order = [0] * len(names), [0] * len(names)
    if place:
        for index, name in enumerate(names):
            if name in place:
                flags[index], order[index] = flag, place[name]
    return flags, order
