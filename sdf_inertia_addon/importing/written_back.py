# SPDX-License-Identifier: GPL-3.0-or-later
"""Accepts what `repair` plans for imported links, and writes it into their files: from the file's own numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import bpy
import numpy as np

from ...core.body.compare import differ_by_noise
from ...core.body.few_digits import kept, shortened
from ...core.body.inertial import READ_NOISE, Inertial
from ...core.errors import Finding, InertiaError, has_error
from ...core.files.input_file import digest
from ...core.files.whole_files import write_several_atomic
from ...core.formats.file_link import FileLink
from ...core.formats.table import write_files
from ...core.formats.usd.override import merged
from ...core.judge.comparison import Comparison
from ...core.judge.verdict import Plan
from ...core.robot.resolve import LinkBody
from ..names import PROPERTIES
from ..scene.settings import shortest
from ..steps import Steps, run_to_end
from .accepted import accept_computed, accept_numbers, has_published, take_back, weighed_mass
from .judged import JudgedFile, far_of, judged_source
from .sources import check_unedited, note_written, source_of

DIGITS = READ_NOISE / 2.0
"""Share of itself by which a number of the scene is rounded: it and float32's noise are together below 1e-6."""


def planned_change(
    ob: bpy.types.Object, file: JudgedFile, new: Inertial, shown: Comparison, unit: float
) -> Callable[[], None] | None:
    """Return what gives a link what is planned for it in its file; None if it has no number after the user's edits.

    It is computed from the link's geometry where that has the planned numbers, or where the user has changed the
    geometry or the mass; otherwise the numbers of the plan are entered.

    Parameters
    ----------
    new : Inertial
        The planned one.
    shown : Comparison
        Of the link in the scene.
    unit : float
        Metres per unit of length of the scene.
    """
    computed, settings = shown.computed, getattr(ob, PROPERTIES)
    body = None if computed.refused else computed.inertial
    has_other_mass = settings.use_mass and abs(settings.mass - new.mass) > READ_NOISE * new.mass
    as_computed = partial(accept_computed, ob, new.mass)
    if has_other_mass or not file.is_as_imported(ob, shown):
        return None if body is None else as_computed
    if body is not None and differ_by_noise(body.scaled_to(new.mass), new, far_of(computed)):
        return as_computed
    return partial(accept_numbers, ob, new, unit)


def accept_plan(ob: bpy.types.Object, file: JudgedFile, new: Inertial, shown: Comparison, unit: float) -> bool:
    """Make the change of `planned_change`; return False if there is none."""
    change = planned_change(ob, file, new, shown, unit)
    if change is not None:
        change()
    return change is not None


def accept_by_hand(ob: bpy.types.Object, file: JudgedFile, shown: Comparison, unit: float) -> Finding | None:
    """Give a link the inertia of its geometry at the mass in its file; return why `repair` would leave it.

    The file may leave it because of a doubt, or because a mass, a density or a geometry are missing or wrong that the
    user has given in the scene: then the link is accepted with the number of the scene.
    """
    link, settings = file.link_of(ob), getattr(ob, PROPERTIES)
    plan = None if link is None else file.plan_by_hand(link)
    if plan is not None and plan.new is not None and accept_plan(ob, file, plan.new, shown, unit):
        return None
    reason = reason_of(plan, file, link)
    given = settings.use_mass or settings.use_density or not has_published(ob)
    may_compute = given or plan is None or not (has_error(plan.findings) or settings.missing)
    if not shown.computed.refused and (may_compute or not file.is_as_imported(ob, shown)):
        accept_computed(ob, settings.manual_mass if has_published(ob) else None)
    return None if given else reason


def judged_with_weighed(path: Path, links: Iterable[bpy.types.Object], threaded: bool = False) -> Steps[JudgedFile]:
    """Judge a file with the weighed masses that were accepted for those of these links that came from it.

    Raises
    ------
    InertiaError
        If nothing of the file can be read.
    """
    file = yield from judged_source(path, threaded)
    masses = {}
    for ob in links:
        mass = weighed_mass(ob)
        link = file.link_of(ob) if mass is not None and source_of(ob) == path else None
        if mass is not None and link is not None:
            masses[link.name] = mass
    return file.with_weighed(masses)


def accept_weighed(
    ob: bpy.types.Object, others: Iterable[bpy.types.Object], shown: Comparison, unit: float
) -> Plan | None:
    """Give a link its weighed mass as ``repair --weighed`` does, and return its plan, with what is doubtful about it.

    If the plan has nothing new, the link stays as it is, and the plan says why. If the file has right numbers for this
    mass, the link gets them again, and there is no plan.

    Parameters
    ----------
    others : iterable of bpy.types.Object
        Imported links, of which those that were weighed too count.
    shown, unit
        As in `accept_plan`.

    Raises
    ------
    InertiaError
        ``bad_mass``; if nothing of the file can be read.
    """
    settings, path = getattr(ob, PROPERTIES), source_of(ob)
    mass = shortest(settings.weighed_mass)
    file = run_to_end(judged_with_weighed(path, [other for other in others if other != ob]))
    link = file.link_of(ob)
    if link is None:
        return Plan()  # a bare frame
    plan = file.with_weighed({link.name: mass}).plan(link)
    if plan is None:
        take_back(ob)
        return None
    if plan.new is None:
        reason = reason_of(plan, file, link)
        return Plan(findings=() if reason is None else (reason,))
    if settings.use_mass:
        settings.mass = mass  # it was weighed since
    if not accept_plan(ob, file, plan.new, shown, unit):
        return Plan()
    settings.weighed = True
    return plan


def reason_of(plan: Plan | None, file: JudgedFile, link: FileLink | None) -> Finding | None:
    """Return the finding for which nothing is planned for a link; None if nothing is wrong with it."""
    findings = [] if link is None else file.verdict(link).findings
    planned = () if plan is None else plan.findings
    return next((finding for finding in (*planned, *findings) if finding.severity != "info"), None)


class Written(NamedTuple):
    """For how many links of a file inertials were written, and which files have them: it, or those that it includes."""

    links: int
    files: tuple[Path, ...]


@dataclass(eq=False)
class _Writing:
    """The new inertials for one file, by model and link; `count` of links."""

    file: JudgedFile
    inertials: dict[str, dict[str, Inertial]] = field(default_factory=dict)

    def add(self, ob: bpy.types.Object, shown: Inertial, far: float) -> None:
        """Add the inertial that a link has in the scene, so `far` from the origin; the planned one, if it is that.

        Raises ``accepted_twice`` if another object gave the link another one.
        """
        settings, link = getattr(ob, PROPERTIES), self.file.link_of(ob)
        model, name = settings.source_model, settings.sdf_name
        new = shown
        if link is not None:
            model, name, new = link.model, link.local_name, self._exact(link, shown, far)
        others = self.inertials.setdefault(model, {})
        other = others.setdefault(name, new)
        if other is not new and not _equal(other, new):
            raise InertiaError.of("accepted_twice", ob.name, link=settings.sdf_name, file=source_of(ob).name)

    def _exact(self, link: FileLink, shown: Inertial, far: float) -> Inertial:
        for planned in (self.file.plan, self.file.plan_by_hand):
            plan = planned(link)
            if plan is not None and plan.new is not None and differ_by_noise(plan.new, shown, far):
                return plan.new
        if link.inertial is not None and differ_by_noise(link.inertial, shown, far):
            return link.inertial  # written before
        return _in_few_digits(link, shown)


def write_accepted(
    links: Iterable[tuple[bpy.types.Object, LinkBody]],
) -> tuple[dict[Path, Written], tuple[Finding, ...]]:
    """Write links' inertials, in their frames, into the files they came from; the first originals stay as FILE.bak.

    They are computed from the numbers in the file, as ``repair --in-place`` does; only what the user has changed since
    is taken from the scene.

    Returns
    -------
    written : dict of Path to Written
        By the files that the links came from.
    findings : tuple of Finding
        What the new files could not keep of the old ones, and where the originals are.

    Raises
    ------
    InertiaError
        ``source_changed`` where a file is not as it was when it was imported, ``accepted_twice`` where two objects
        give a link of a file two inertials, or what `write_files` raises: nothing is written then.
    OSError
        If a file cannot be written; where there is no room or permission for one, none is.
    """
    links = [*links]
    check_unedited(ob for ob, _ in links)
    writings: dict[Path, _Writing] = {}
    for ob, body in links:
        path = source_of(ob)
        if path not in writings:
            writings[path] = _Writing(run_to_end(judged_with_weighed(path, [other for other, _ in links])))
        if body.inertial is not None:
            writings[path].add(ob, body.inertial, far_of(body))
    data: dict[Path, bytes] = {}
    before: dict[Path, str] = {}
    reads: dict[str, str | None] = {}
    written = {}
    for source, writing in writings.items():
        contents = write_files(writing.file.file, writing.inertials)
        changed = []
        for document, new in contents.items():
            path = source if document is writing.file.file.document else document.path or source
            new = merged(new, path)  # a USD file keeps its bytes: the layer over it has those of earlier ones, too
            if data.setdefault(path, new) != new:  # two files include it, and each has other links in it
                raise InertiaError.of("accepted_twice", source.name, link=path.name, file=path.name)
            before[path] = sha256(document.data).hexdigest()
            changed += [path] if new != document.data else []
        reads |= writing.file.reads
        count = sum(map(len, writing.inertials.values()))
        written[source] = Written(count, tuple(changed) or (source,))
    try:
        findings = write_several_atomic(data, reads, backup=True)
    finally:  # if it fails halfway, some files are already written
        after = {path: sha256(new).hexdigest() for path, new in data.items()}
        note_written(before, {path: state for path, state in after.items() if digest(path) == state})
    return written, findings


def _equal(a: Inertial, b: Inertial) -> bool:
    return bool(a.mass == b.mass and np.array_equal(a.com, b.com) and np.array_equal(a.inertia, b.inertia))


def _in_few_digits(link: FileLink, shown: Inertial) -> Inertial:
    """Return a number of the scene in as few digits as its noise allows.

    Mass and centre of mass are those in the file where float32 cannot tell them from these.
    """
    rounded = shortened(shown.as_read(), DIGITS)
    if has_error(rounded.findings()):
        rounded = shown
    mass, com = shown.mass, rounded.com
    if link.mass is not None and np.float32(link.mass) == np.float32(mass):
        mass = link.mass
    elif shortest(mass) != mass:  # it was not entered as it is
        mass = kept(mass, share=DIGITS)
    if link.com is not None and np.abs(shown.com - link.com).max() <= READ_NOISE * shown.size:
        com = link.com
    return Inertial(mass, com, rounded.inertia)
