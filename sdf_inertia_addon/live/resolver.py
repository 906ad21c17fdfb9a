# SPDX-License-Identifier: GPL-3.0-or-later
"""From links as read to links with numbers; what takes long is left to another thread.

A link whose numbers take long is stale meanwhile. One that has them is shown at once; large meshes in it, which were
only read quickly, are checked in full by the other thread.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ...core.errors import Finding
from ...core.judge.geometry.pending import Task, missing
from ...core.judge.geometry.resolve_model import judged_link
from ...core.robot.model import Link, Unusable
from ...core.robot.resolve import LinkBody
from ..scene.evaluated.instances import SCULPTING
from ..scene.scene_read import SceneLink
from . import jobs
from .model import CANCELLED, COMPUTING, SCULPTED, WAITING, LiveLink

BUDGET = 0.05
"""Seconds of measuring in the interface's thread at a time; what is beyond goes to the other one."""


class Resolver:
    """Gives links their numbers, within a budget of time, and knows which links wait for the rest.

    A follower's `pull` calls `start`, then `resolved` for each link that it has read and `updates` for those that wait,
    and `end`, which requests what is still missing from the other thread.
    """

    def __init__(self) -> None:
        self._waiting: dict[int, tuple[Task, ...]] = {}
        """What each waiting link needs, by its number in the model."""
        self._cancellations = jobs.cancellations()
        self._seconds_left = 0.0
        """Of this pull for measuring here; infinite if there is no other thread, or somebody waits."""
        self._wait = False

    def start(self, wait: bool) -> None:
        """Begin a pull: set its budget; with `wait`, everything is measured now."""
        self._wait = wait
        self._seconds_left = float("inf") if wait or not jobs.threaded() else BUDGET

    def drop(self, numbers: Iterable[int] | None = None) -> None:
        """Forget links that wait, or all of them: they are read again."""
        if numbers is None:
            self._cancellations = jobs.cancellations()  # nobody waits for them
        for number in list(self._waiting) if numbers is None else numbers:
            self._waiting.pop(number, None)

    def end(self) -> None:
        """End a pull: request the tasks that are still needed."""
        jobs.want(self, [task for tasks in self._waiting.values() for task in tasks])

    def resolved(self, number: int, read: SceneLink, before: LiveLink | None, touched: bool = True) -> LiveLink:
        """Return a link with its numbers, or with those from `before` while they are being computed.

        `touched` is False if nothing of the link is known to have changed: what the user has cancelled of it is not
        begun again.
        """
        if not self._wait and before is not None and before.body.inertial is not None and _sculpted(read.link):
            return _stale(read, before, SCULPTED)
        tasks = _missing(read.link, self._quick)
        seconds = sum(task.seconds or 0.0 for task in tasks)
        if seconds > self._seconds_left:
            if not touched and any(map(jobs.given_up, tasks)):
                return _stale(read, before, CANCELLED)
            self._waiting[number] = tuple(tasks)
            return _stale(read, before, COMPUTING)
        self._seconds_left -= seconds
        return self._measured(number, read, touched)

    @property
    def _quick(self) -> bool:
        """Return True if large meshes may be read quickly: not if somebody waits for the numbers."""
        return self._seconds_left < float("inf")

    def _measured(self, number: int, read: SceneLink, touched: bool) -> LiveLink:
        """Return a link with its numbers; if they were read quickly, it waits to be checked in full."""
        link = _judged(read, self._quick)
        tasks = _missing(read.link) if link.unchecked else []
        if not tasks or (not touched and any(map(jobs.given_up, tasks))):
            return link
        self._waiting[number] = tuple(tasks)
        return link.being_checked()

    def updates(self, read: list[SceneLink], links: list[LiveLink]) -> dict[int, LiveLink]:
        """Return the links that need not wait any longer: their measurements have come, or were cancelled."""
        cancelled = jobs.cancellations() != self._cancellations
        self._cancellations = jobs.cancellations()
        if not self._quick:
            ready = list(self._waiting)
        elif cancelled:
            self._waiting, given_up = {}, self._waiting
            return {number: _given_up(read[number], links[number]) for number in given_up}
        else:
            # What has come must not be asked for again while the link waits for the rest.
            self._waiting = {number: tuple(filter(jobs.wanted, tasks)) for number, tasks in self._waiting.items()}
            ready = [number for number, tasks in self._waiting.items() if not tasks]
        self.drop(ready)
        return {number: self._waited_for(number, read[number], links[number]) for number in ready}

    def _waited_for(self, number: int, read: SceneLink, link: LiveLink) -> LiveLink:
        """Return a link whose measurements have come; one that core has dropped meanwhile is measured here."""
        link_now = _judged(read, quick=False) if link.checking else self._measured(number, read, touched=False)
        return link_now.carried_to(link.body.pose)  # it may have moved since it was read


def _missing(link: Link, quick: bool = False) -> list[Task]:
    """Return what is still to be measured for a link, without what only this thread may measure."""
    return [task for task in missing(link, quick) if task.seconds is not None]


def _judged(read: SceneLink, quick: bool) -> LiveLink:
    return LiveLink(judged_link(read.link, quick=quick), read.object, read.parts)


def _given_up(read: SceneLink, link: LiveLink) -> LiveLink:
    """Return a link that the user does not want to wait for: with its old numbers, or as it was read quickly."""
    link_now = _judged(read, quick=True) if link.checking else _stale(read, link, CANCELLED)
    return link_now.carried_to(link.body.pose)


def _sculpted(link: Link) -> bool:
    """Return True if the numbers of a link are available only outside sculpt mode."""
    shapes = [part.geometry for part in link.weighed]
    return any(isinstance(shape, Unusable) and shape.error.code == SCULPTING for shape in shapes)


def _stale(read: SceneLink, before: LiveLink | None, finding: Finding) -> LiveLink:
    """Return a link with its numbers from before, if any, marked as old by a finding."""
    link = read.link
    reason = finding.about(link.name)
    if before is None or before.body.method == "" or before.body.mode == "none":
        return LiveLink(_placeholder(link, reason), read.object, read.parts, stale=True)
    old = [other for other in before.body.findings if other.code not in WAITING]
    body = replace(before.body, name=link.name, pose=link.pose, findings=(*old, reason), link=link)
    return LiveLink(body, read.object, before.parts, stale=True)


def _placeholder(link: Link, finding: Finding) -> LinkBody:
    """Return a body without numbers, which nobody takes for an answer."""
    return LinkBody(link.name, None, None, "", 0.0, (*link.findings, finding), link.mode, link.pose, (), link)
