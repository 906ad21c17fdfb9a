# SPDX-License-Identifier: GPL-3.0-or-later
"""What each method gives for a refused part, one below the other: a click on one chooses it."""

from __future__ import annotations

from typing import Any

import bpy

from ....core.errors import InertiaError
from ....core.findings.listed import title_of
from ....core.mesh.methods import METHODS
from ....core.robot.mesh_method import Outcome
from ....core.robot.part import PartBody
from ....core.units import Units, error_text, mass_text, volume_text
from ...live import LiveLink
from ...live.alternatives import Alternatives
from ...mesh_tools.remedies import METHODS as CHOSEN_BY
from ...names import USE_EXACT, USE_HULL, USE_VOXELS
from ...preferences import units
from ...translations.words import iface_

COMPARED = (USE_EXACT, USE_VOXELS, USE_HULL)
"""What chooses the methods that need no length from the user."""

NAMES = 0.34
"""The share of the width that the methods' names take."""


def draw_comparison(
    layout: bpy.types.UILayout, target: str, part: PartBody, link: LiveLink, others: Alternatives
) -> None:
    """Lay out a button for each method beside its number; the one that was refused comes last."""
    column = layout.column(align=True)
    for operator in sorted(COMPARED, key=lambda each: CHOSEN_BY[each] == part.method):
        method = CHOSEN_BY[operator]
        row = column.split(factor=NAMES, align=True)
        choose: Any = row.operator(operator, text=iface_(METHODS[method].label), depress=method == part.method)
        choose.target = target
        outcome = others.outcome(method)
        result = row.row()
        result.alert = isinstance(outcome, InertiaError)
        cancelled = others.given_up(method)
        text = iface_("cancelled") if cancelled else outcome_text(outcome, part, link, units())
        result.label(text=text, translate=False)


def outcome_text(outcome: Outcome | None, part: PartBody, link: LiveLink, shown_in: Units) -> str:
    """Return what a method gives for a part: its mass, or volume if the link's mass is given; or why nothing."""
    if outcome is None:
        return "…"
    if isinstance(outcome, InertiaError):
        return iface_(title_of(outcome.code))
    volume, read = outcome.moments.volume, link.body.link
    given = part.density is None or (read is not None and read.mass is not None)
    number = volume_text(volume, shown_in) if given else mass_text((part.density or 0.0) * volume, shown_in)
    # Nobody shall think that a filled hollow is exact.
    method = METHODS.get(outcome.method)
    of_another = method is not None and method.instead and outcome.error == 0.0
    return number + ("" if of_another else f"  {error_text(outcome.error, iface_)}")
