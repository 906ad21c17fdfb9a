# SPDX-License-Identifier: GPL-3.0-or-later
"""What is made of a closed surface whose faces pass through each other: the union, a refusal, or an error."""

from __future__ import annotations

from dataclasses import replace

from . import remarks
from .negligible import negligible
from .reading import Reading
from .self_crossing import sample_crossings


def crossed(reading: Reading) -> Reading:
    """Take steps 5 and 6 of the policy where faces pass through each other."""
    surface, windings = reading.watertight, reading.windings
    one, other = reading.found.passing_pairs(alone=windings.overlap > 0.0)  # then components have been looked between
    if not len(one):
        return reading
    crossing = sample_crossings(surface, one, other)
    least, share = negligible(surface, reading.moments)
    if crossing.negative > least:
        raise remarks.negative_winding(crossing.negative)
    wrong = crossing.negative + crossing.unseen
    if crossing.overlap > least:
        windings = replace(windings, overlap=max(windings.overlap, crossing.overlap))
    else:
        wrong += crossing.overlap
    error = max(reading.error, wrong * share)
    told = remarks.crossing(crossing, error)
    return replace(reading, windings=windings, error=error, findings=(*reading.findings, told), window=None)
