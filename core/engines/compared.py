# SPDX-License-Identifier: Apache-2.0
"""Several engines side by side: which bodies they simulate alike, which not, and why; also as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..body.inertial import Inertial
from ..errors import Finding
from ..formats.robot_file import RobotFile
from ..robot.report import Json, finding_json, inertial_json
from ..units import numbers_text
from .engine import Engine, EngineBody, EngineView
from .known import ENGINES, view_of

AGREES = 1e-5
"""The relative difference up to which engines agree: Newton computes in float32."""


ROUNDING = 1e-12
"""Per m·r² of a body at the distance r from the link's origin: some engines keep the tensor about that."""

COLUMNS = ("body", "engines", "mass [kg]", "centre of mass [m]", "Ixx, Iyy, Izz [kg·m²]")

NONE = {"welded": "does not move", "geometry": "not known"}
"""Instead of an inertial, by the form of the finding that explains it."""


@dataclass(frozen=True, eq=False)
class Case:
    """Engines that give a body the same inertial, and why it is not that of the file."""

    engines: tuple[str, ...]
    inertial: Inertial | None
    reasons: tuple[Finding, ...]

    def to_dict(self) -> Json:
        """Return the case for JSON."""
        inertial = None if self.inertial is None else inertial_json(self.inertial)
        findings = [finding_json(reason) for reason in self.reasons]
        return {"engines": list(self.engines), "inertial": inertial, "findings": findings}


@dataclass(frozen=True, eq=False)
class ComparedBody:
    """A moving body in several engines.

    Parameters
    ----------
    name : str
        Its first link.
    members : tuple of str
        Its links.
    cases : tuple of Case
        One if all engines agree.
    """

    name: str
    members: tuple[str, ...]
    cases: tuple[Case, ...]


@dataclass(frozen=True, eq=False)
class Comparison:
    """A robot's file as several engines see it.

    Parameters
    ----------
    engines : tuple of Engine
    views : mapping of str to EngineView
        By the name of the engine.
    bodies : tuple of ComparedBody
        Those of the engines that load the file.
    """

    engines: tuple[Engine, ...]
    views: Mapping[str, EngineView]
    bodies: tuple[ComparedBody, ...]

    def to_dict(self) -> Json:
        """Return the engines and bodies for JSON, SI: a body is null in an engine that does not simulate it."""
        refused = [name for name, view in self.views.items() if view.refused]
        return {
            "rules": {engine.name: engine.title for engine in self.engines},
            "agree": self.agree,
            "refused": refused,
            "bodies": [
                {"name": body.name, "links": list(body.members), "cases": [case.to_dict() for case in body.cases]}
                for body in self.bodies
            ],
        }

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the engines refuse, or do in their own way; each once."""
        return tuple(dict.fromkeys(finding for view in self.views.values() for finding in view.all_findings))

    @property
    def agree(self) -> bool:
        """True if all engines load the file and give all bodies the same inertials."""
        refused = any(view.refused or not view.bodies for view in self.views.values())
        return not refused and all(len(body.cases) == 1 for body in self.bodies)


def compared(file: RobotFile, names: Iterable[str]) -> Comparison:
    """Return a file as the engines with these names see it."""
    engines = tuple(ENGINES[name] for name in dict.fromkeys(names))
    views = {engine.name: view_of(engine.name, file) for engine in engines}
    members: dict[str, tuple[str, ...]] = {}
    for view in views.values():
        for body in view.bodies:
            members.setdefault(body.name, body.members)
    bodies = {name: {body.name: body for body in view.bodies} for name, view in views.items()}
    rows = []
    for first, links in members.items():
        by_engine = {name: some[first] for name, some in bodies.items() if first in some}
        rows.append(ComparedBody(first, links, tuple(_cases(by_engine))))
    return Comparison(engines, views, tuple(rows))


def alike(a: Inertial | None, b: Inertial | None, tolerance: float = AGREES) -> bool:
    """Return True if two engines simulate the same; the centre of a body without mass does not matter."""
    if a is None or b is None:
        return a is b
    size = max(a.size, b.size)
    mass, trace = max(abs(a.mass), abs(b.mass)), max(abs(np.trace(a.inertia)), abs(np.trace(b.inertia)))
    apart = float(np.linalg.norm(a.com - b.com)) if mass else 0.0
    close = abs(a.mass - b.mass) <= tolerance * mass and apart <= tolerance * size
    return close and bool(np.abs(a.inertia - b.inertia).max() <= tolerance * trace + ROUNDING * mass * size**2)


def rows_of(comparison: Comparison) -> Iterator[Sequence[str]]:
    """Yield the rows of the table: for each body a row for each inertial that engines give it."""
    yield from rows_of_absent(comparison)
    for body in comparison.bodies:
        yield from rows_of_body(body)


def rows_of_absent(comparison: Comparison) -> Iterator[Sequence[str]]:
    """Yield a row for each engine without bodies."""
    for engine in comparison.engines:
        view = comparison.views[engine.name]
        if view.refused or not view.bodies:
            yield "", engine.name, "refuses the file" if view.refused else "not compared", "", ""


def rows_of_body(body: ComparedBody) -> Iterator[Sequence[str]]:
    """Yield a row for each inertial that engines give a body; the first has its name."""
    for number, case in enumerate(body.cases):
        yield "" if number else _name(body), ", ".join(case.engines), *_cells(case)


def rules_text(comparison: Comparison) -> str:
    """Return which rules were applied, with the versions that they are tested against."""
    return f"By the rules of {', '.join(engine.title for engine in comparison.engines)}."


def _cases(bodies: Mapping[str, EngineBody]) -> Sequence[Case]:
    """Return the bodies with those that agree joined, the largest case first."""
    cases: list[Case] = []
    for name, body in bodies.items():
        for number, case in enumerate(cases):
            if alike(case.inertial, body.inertial):
                reasons = tuple(dict.fromkeys([*case.reasons, *body.reasons]))
                cases[number] = Case((*case.engines, name), case.inertial, reasons)
                break
        else:
            cases.append(Case((name,), body.inertial, body.reasons))
    return sorted(cases, key=lambda case: -len(case.engines))


def _name(body: ComparedBody) -> str:
    return " + ".join(body.members)


def _cells(case: Case) -> tuple[str, str, str]:
    if case.inertial is None:
        forms = (reason.sentence.form for reason in case.reasons)
        return next((NONE[form] for form in forms if form in NONE), "left out"), "", ""
    shown = case.inertial.as_read()
    return f"{shown.mass:.6g}", numbers_text(shown.com), numbers_text(shown.inertia.diagonal())
