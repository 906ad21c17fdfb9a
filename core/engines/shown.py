# SPDX-License-Identifier: Apache-2.0
"""The table of a comparison, as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..units import numbers_text
from .compared import Case, ComparedBody, Comparison

COLUMNS = ("body", "engines", "mass [kg]", "centre of mass [m]", "Ixx, Iyy, Izz [kg·m²]")

NONE = {"welded": "does not move", "geometry": "not known"}
"""Instead of an inertial, by the form of the finding that explains it."""


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


def _name(body: ComparedBody) -> str:
    return " + ".join(body.members)


def _cells(case: Case) -> tuple[str, str, str]:
    if case.inertial is None:
        forms = (reason.sentence.form for reason in case.reasons)
        return next((NONE[form] for form in forms if form in NONE), "left out"), "", ""
    shown = case.inertial.as_read()
    return f"{shown.mass:.6g}", numbers_text(shown.com), numbers_text(shown.inertia.diagonal())
