# SPDX-License-Identifier: GPL-3.0-or-later
"""Which shape of a ``<geometry>`` counts, where it has several."""

from __future__ import annotations

from ...body.shapes import SHAPES
from ..xml.document import Element

LOADED = (*sorted([*SHAPES, "plane"]), "mesh", "heightmap", "polyline")
"""In the order in which libsdformat looks for them, whatever their order in the file."""

NOT_LOADED = ("image", "empty")
"""Those that its description has and it makes nothing of."""


def shape_of(geometry: Element | None) -> Element | None:
    """Return the shape that counts, or None where there is none."""
    if geometry is None:
        return None
    found: dict[str, Element] = {}
    for child in geometry.iterchildren("*"):
        found.setdefault(child.tag, child)
    return next((found[tag] for tag in (*LOADED, *NOT_LOADED) if tag in found), None)
