# SPDX-License-Identifier: Apache-2.0
"""Numbers as a table of HTML, and an ellipsoid and a box as a drawing, for notebooks."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import numpy as np

from ..arrays import FloatArray

SIZE = 160
"""Width and height of the drawing in pixels."""

VIEW = np.array([[-np.sqrt(0.5), np.sqrt(0.5), 0.0], [-np.sqrt(1 / 6), -np.sqrt(1 / 6), np.sqrt(2 / 3)]])
"""Maps a point to right and up on the picture, seen along (-1, -1, -1): x to the lower left, y to the lower right."""

COLORS = ("#d64545", "#4c9a2a", "#3b7dd8")
"""Of the principal axes, in the order of their moments."""


def as_html(rows: Iterable[tuple[str, str]], picture: str = "") -> str:
    """Return names with their values as a table, beside a picture."""
    rows = list(rows)
    cells = "".join(f'<tr><th style="text-align:left">{name}</th><td>{value}</td></tr>' for name, value in rows)
    beside = f'<tr><td rowspan="{len(rows) + 1}">{picture}</td></tr>' if picture else ""
    return f"<table>{beside}{cells}</table>"


def drawing(axes: FloatArray, ellipsoid: FloatArray, box: FloatArray) -> str:
    """Return an SVG of an ellipsoid and a box about their centre, with the axes.

    Parameters
    ----------
    axes : ndarray, shape (3, 3)
        ``axes[i]`` is a unit vector.
    ellipsoid, box : ndarray, shape (3,)
        Semi-axes and half sides along `axes`.
    """
    scale = 0.46 * SIZE / max(float(np.linalg.norm(box)), float(ellipsoid.max()))
    corners = {signs: scale * VIEW @ (box * signs @ axes) for signs in product((-1, 1), repeat=3)}
    pairs = [(a, b) for a in corners for b in corners if a < b and sum(x != y for x, y in zip(a, b, strict=True)) == 1]
    lines = [_line(corners[a], corners[b], 'stroke="#8888"') for a, b in pairs]
    # The outline of an ellipsoid with the semi-axes a is the ellipse whose matrix is that of the ellipsoid, projected.
    squares, columns = np.linalg.eigh(VIEW @ (axes.T * ellipsoid**2) @ axes @ VIEW.T)
    radii, (x, y) = scale * np.sqrt(np.maximum(squares, 0.0)), columns[:, 1]
    angle = -np.degrees(np.arctan2(y, x))  # up is negative in SVG
    lines.append(f'<ellipse rx="{radii[1]:.1f}" ry="{radii[0]:.1f}" transform="rotate({angle:.1f})" fill="#f5a62366"/>')
    for color, length, axis in zip(COLORS, ellipsoid, axes, strict=True):
        lines.append(_line(np.zeros(2), scale * VIEW @ (length * axis), f'stroke="{color}" stroke-width="2"'))
    half, shapes = SIZE / 2, "".join(lines)
    return f'<svg width="{SIZE}" height="{SIZE}" viewBox="{-half} {-half} {SIZE} {SIZE}">{shapes}</svg>'


def _line(start: FloatArray, end: FloatArray, style: str) -> str:
    (x1, y1), (x2, y2) = start.tolist(), end.tolist()
    return f'<line x1="{x1:.1f}" y1="{-y1:.1f}" x2="{x2:.1f}" y2="{-y2:.1f}" {style}/>'
