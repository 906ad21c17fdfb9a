# SPDX-License-Identifier: GPL-3.0-or-later
"""What is made of a closed surface whose faces pass through each other: the union, a refusal, or an error."""

from __future__ import annotations

from dataclasses import replace

from ..topology.weld import weld_size
from . import remarks
from .negligible import negligible
from .reading import Reading
from .self_crossing import crossing_pairs, look_closely
from .side_by_side import side_by_side


def crossed(reading: Reading) -> Reading:
    """Take steps 5 and 6 of the policy where faces pass through each other."""
    surface, windings = reading.watertight(), reading.windings
    alone, depth = surface, weld_size(surface)
    if windings.overlap > 0.0 and reading.label is not None:  # shells have been looked between
        alone, _ = side_by_side(surface, reading.label, depth)
    one, other = crossing_pairs(alone, depth=depth)
    if not len(one):
        return reading
    crossing = look_closely(surface, one, other)
    least, share = negligible(surface, reading.moments)
    if crossing.negative > least:
        raise remarks.negative_winding(crossing.negative, reading.moments.volume)
    wrong = crossing.negative + crossing.unseen
    if crossing.overlap > least:
        windings = replace(windings, overlap=max(windings.overlap, crossing.overlap))
    else:
        wrong += crossing.overlap
    error = max(reading.error, wrong * share)
    told = remarks.crossing(crossing, error)
    return replace(reading, windings=windings, error=error, findings=(*reading.findings, told), window=None)
