# SPDX-License-Identifier: GPL-3.0-or-later
"""What other methods make of a part's mesh: measured by the other thread, for panels that offer the user a choice."""

from __future__ import annotations

from ...core.errors import Finding, InertiaError, has_error
from ...core.judge.geometry.pending import Task
from ...core.mesh.measurement import Measurement
from ...core.mesh.methods import METHODS
from ...core.robot.calculators import params_for
from ...core.robot.mesh_method import MeshMethod, Outcome
from ...core.robot.model import Link, Mesh
from ...core.robot.part import PartBody
from . import jobs
from .model import LiveLink

THIN = 0.01
"""A wall to try out, as a share of the longest side: which one it is, is asked on the click."""


class Alternatives:
    """What each method makes of one part, as far as that is known: lives no longer than one drawing.

    Parameters
    ----------
    mesh : Mesh
        The part's.
    title : str
        By which the status bar names it.
    """

    def __init__(self, mesh: Mesh, title: str) -> None:
        self._mesh, self._title = mesh, title
        self._tasks: dict[str, Task] = {}

    @property
    def wanted(self) -> tuple[Task, ...]:
        """Return the tasks that were requested, have no result yet, and were not cancelled by the user."""
        return tuple(task for task in self._tasks.values() if not jobs.given_up(task))

    def outcome(self, method: str) -> Outcome | None:
        """Return what a method gives, with its default for what it needs to know; None until that is known.

        Without another thread, as in the background, it is measured at once.
        """
        way = MeshMethod(self._mesh, self._params(method))
        if jobs.threaded() and way.known() is None:
            self._tasks[method] = Task(way, self._title)
            return None
        try:
            return way.measure()
        except InertiaError as error:
            return error

    def given_up(self, method: str) -> bool:
        """Return True if the user has cancelled finding out."""
        return method in self._tasks and jobs.given_up(self._tasks[method])

    def would_help(self, method: str, finding: Finding) -> bool | None:
        """Return True if a method gives a number without the finding, or without its error; None if unknown yet."""
        outcome = self.outcome(method)
        if outcome is None:
            return None
        if not isinstance(outcome, Measurement) or has_error(outcome.findings):
            return False
        same = next((other for other in outcome.findings if other.code == finding.code), None)
        return same is None or (finding.severity == "error" and same.severity != "error")

    def _params(self, method: str) -> dict[str, str]:
        surface = self._mesh.baked
        lengths = {
            length.name: length.default(surface) for length in METHODS[method].parameters if length.default is not None
        }
        if method == "shell":
            low, high = surface.bounds()
            lengths["thickness"] = THIN * float((high - low).max())
        return params_for(method, lengths)


def alternatives(link: LiveLink, part: PartBody) -> Alternatives | None:
    """Return what other methods make of a link's part; None where it has no mesh, or is not read as it is now."""
    read: Link | None = None if link.stale else link.body.link
    for weighed in () if read is None else read.weighed:
        if weighed.name == part.name and isinstance(weighed.geometry, Mesh):
            return Alternatives(weighed.geometry, f"{link.body.name}/{part.name}")
    return None
