# SPDX-License-Identifier: GPL-3.0-or-later
"""Which colour a link has, and that it keeps it while others come and go: plain numbers, sRGB."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress

from ..core.arrays import FloatArray

Color = tuple[float, float, float]

COLORS: tuple[Color, ...] = (
    (1.000, 0.560, 0.180),  # orange
    (0.290, 0.720, 0.940),  # blue
    (0.700, 0.500, 0.950),  # violet
    (0.360, 0.790, 0.430),  # green
    (0.960, 0.450, 0.620),  # pink
    (0.880, 0.780, 0.260),  # yellow
    (0.250, 0.780, 0.730),  # teal
    (0.930, 0.380, 0.330),  # red
    (0.620, 0.700, 0.880),  # steel
    (0.780, 0.600, 0.440),  # sand
    (0.850, 0.430, 0.880),  # magenta
    (0.680, 0.860, 0.480),  # lime
)
"""Told apart, and readable, on light and on dark. Links take them in turn."""

SAFE: tuple[Color, ...] = (
    (0.902, 0.624, 0.000),
    (0.337, 0.706, 0.914),
    (0.000, 0.620, 0.451),
    (0.941, 0.894, 0.259),
    (0.000, 0.447, 0.698),
    (0.835, 0.369, 0.000),
    (0.800, 0.475, 0.655),
)
"""Told apart by the colour-blind too: Okabe and Ito, Color Universal Design, 2008."""

PALETTES: dict[str, tuple[Color, ...]] = {"DISTINCT": COLORS, "SAFE": SAFE}

TOTAL: Color = (0.93, 0.94, 0.97)
TOTAL_ON_LIGHT: Color = (0.34, 0.35, 0.38)
"""Of all links together, on dark and on light ground."""

WARNING: Color = (1.00, 0.76, 0.12)
ERROR: Color = (0.96, 0.27, 0.25)
"""Of what is doubtful, and of what has no number."""


def lines_on(colors: FloatArray, on_light: bool = False) -> FloatArray:
    """Return the colours (n, 3) of lines on bodies of these colours: lighter, or on a light ground darker."""
    lines: FloatArray = 0.62 * colors if on_light else 0.55 * colors + 0.45
    return lines


def dimmed(color: Color) -> Color:
    """Return the colour of what is from before the last change: most of its hue gone."""
    grey = sum(color) / 3.0
    red, green, blue = (0.35 * part + 0.65 * grey for part in color)
    return red, green, blue


class ColorBook:
    """Remembers which of a palette's colours each link has.

    A new link takes the first colour that no other has; a renamed one, which is one that goes while another comes,
    keeps its own. So it is from one session to the next, where the scene keeps the book's text.
    """

    def __init__(self, text: str = "") -> None:
        self._index: dict[str, int] = {}
        with suppress(ValueError):  # a file may hold anything
            known = json.loads(text)
            if isinstance(known, dict):
                self._index = {name: n for name, n in known.items() if type(n) is int and n >= 0}

    @property
    def text(self) -> str:
        """Return the book as JSON, from which it can be made again."""
        return json.dumps(self._index)

    def indices(self, names: Sequence[str]) -> list[int]:
        """Return the number of each link's colour; where all are new they are 0, 1, 2 .."""
        present = set(names)
        gone = sorted(index for name, index in self._index.items() if name not in present)
        self._index = {name: index for name, index in self._index.items() if name in present}
        free = iter(sorted(set(range(len(names) + len(gone))) - set(self._index.values()) - set(gone)))
        vacant = iter(gone)
        for name in names:
            if name not in self._index:
                inherited = next(vacant, None)
                self._index[name] = next(free) if inherited is None else inherited
        return [self._index[name] for name in names]
