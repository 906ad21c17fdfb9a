# SPDX-License-Identifier: Apache-2.0
"""An engine: how it reads the inertials of a robot's file, and what it simulates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..body.inertial import Inertial
from ..errors import Finding, Severity, has_error
from ..formats.robot_file import RobotFile


@dataclass(frozen=True, eq=False)
class EngineBody:
    """A moving body of a robot as an engine simulates it.

    Parameters
    ----------
    name : str
        The first link of the body.
    members : tuple of str
        The links that fixed joints join to it, itself first.
    inertial : Inertial or None
        Of all its links together, in the frame of the first; None if the engine does not simulate it, or the number is
        unknown.
    reasons : tuple of Finding
        What the engine does with its links, wherever that is not what the file says.
    """

    name: str
    members: tuple[str, ...]
    inertial: Inertial | None
    reasons: tuple[Finding, ...] = ()


@dataclass(frozen=True, eq=False)
class EngineView:
    """A robot's file as an engine reads it.

    Parameters
    ----------
    bodies : tuple of EngineBody
        Those that move. Empty if the engine refuses the file.
    findings : tuple of Finding
        Why the engine refuses the file, or what is not known about it.
    """

    bodies: tuple[EngineBody, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def refused(self) -> bool:
        """True if the engine does not load the file."""
        return has_error(self.findings)

    @property
    def all_findings(self) -> tuple[Finding, ...]:
        """The findings of the file and of its bodies, each once."""
        reasons = (reason for body in self.bodies for reason in body.reasons)
        return tuple(dict.fromkeys([*self.findings, *reasons]))


@dataclass(frozen=True)
class Engine:
    """An engine whose rules are known.

    Parameters
    ----------
    name : str
        As in ``--for``.
    title : str
        As its makers write it, with the version that the rules are tested against.
    view : callable
        Returns the `EngineView` of a `RobotFile`.
    """

    name: str
    title: str
    view: Callable[[RobotFile], EngineView]


def differs(engine: str, place: str, form: str, severity: Severity = "warning", /, **values: Any) -> Finding:
    """Return the finding for what an engine does with a link; `form` is a rule in the catalogue."""
    return Finding.of(severity, "engine_differs", place, form, engine=engine, **values)


def refuses(engine: str, place: str, form: str, /, **values: Any) -> Finding:
    """Return the finding for why an engine does not load the file."""
    return Finding.of("error", "engine_refuses", place, form, engine=engine, **values)


def unread(engine: str, place: str, form: str, severity: Severity = "info", /, **values: Any) -> Finding:
    """Return the finding for a file, or a number of it, that the rules do not cover."""
    return Finding.of(severity, "engine_unread", place, form, engine=engine, **values)
