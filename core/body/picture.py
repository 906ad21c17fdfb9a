# SPDX-License-Identifier: GPL-3.0-or-later
"""An inertial as HTML for a notebook: a drawing of its equivalent ellipsoid and box, and its numbers."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from ..arrays import FloatArray
from ..errors import has_error
from ..units import numbers_text

if TYPE_CHECKING:
    from .inertial import Inertial

SIZE = 160
"""Width and height of the drawing in pixels."""

VIEW = np.array([[-np.sqrt(0.5), np.sqrt(0.5), 0.0], [-np.sqrt(1 / 6), -np.sqrt(1 / 6), np.sqrt(2 / 3)]])
"""Maps a point to right and up on the picture, seen along (-1, -1, -1): x to the lower left, y to the lower right."""

COLORS = ("#d64545", "#4c9a2a", "#3b7dd8")
"""Of the principal axes, in the order of their moments."""


def html(body: Inertial) -> str:
    """Return a table of the numbers, beside a drawing if a body can have them."""
    moments, axes = body.principal() if body.is_finite() else (np.full(3, np.nan), np.full((3, 3), np.nan))
    rows = [
        ("mass", f"{body.mass:.6g} kg"),
        ("centre of mass", f"{numbers_text(body.com)} m"),
        ("Ixx, Iyy, Izz", f"{numbers_text(np.diag(body.inertia))} kg·m²"),
        ("Ixy, Ixz, Iyz", f"{numbers_text(body.inertia[[0, 0, 1], [1, 2, 2]])} kg·m²"),
    ]
    rows += [
        (f'<span style="color:{color}">principal {i}</span>', f"{moment:.6g} kg·m² along {numbers_text(axis)}")
        for i, (color, moment, axis) in enumerate(zip(COLORS, moments.tolist(), axes, strict=True), 1)
    ]
    rows += [(one.severity, f"{one.message} [{one.code}]") for one in body.findings()]
    table = "".join(f'<tr><th style="text-align:left">{name}</th><td>{value}</td></tr>' for name, value in rows)
    picture = "" if has_error(body.findings()) else f'<td rowspan="{len(rows) + 1}">{svg(body)}</td>'
    return f"<table><tr>{picture}</tr>{table}</table>"


def svg(body: Inertial) -> str:
    """Return a drawing of the equivalent ellipsoid, box and principal axes of a possible body, from its centre."""
    moments, axes = body.principal()
    box, ellipsoid = body.equivalent_box() / 2.0, body.equivalent_ellipsoid()
    scale = 0.46 * SIZE / max(float(np.linalg.norm(box)), float(ellipsoid.max()))
    corners = {signs: scale * VIEW @ (box * signs @ axes) for signs in product((-1, 1), repeat=3)}
    edges = "".join(
        _line(corners[a], corners[b], 'stroke="#8888"')
        for a in corners
        for b in corners
        if a < b and sum(x != y for x, y in zip(a, b, strict=True)) == 1
    )
    shafts = "".join(
        _line(np.zeros(2), scale * VIEW @ (length * axis), f'stroke="{color}" stroke-width="2"')
        for color, length, axis in zip(COLORS, ellipsoid, axes, strict=True)
    )
    # The outline of an ellipsoid with the semi-axes a is the ellipse whose matrix is that of the ellipsoid, projected.
    squares, columns = np.linalg.eigh(VIEW @ (axes.T * ellipsoid**2) @ axes @ VIEW.T)
    radii, (x, y) = scale * np.sqrt(np.maximum(squares, 0.0)), columns[:, 1]
    angle = -np.degrees(np.arctan2(y, x))  # up is negative in SVG
    shape = f'<ellipse rx="{radii[1]:.1f}" ry="{radii[0]:.1f}" transform="rotate({angle:.1f})" fill="#f5a62366"/>'
    head = f'<svg width="{SIZE}" height="{SIZE}" viewBox="{-SIZE / 2:g} {-SIZE / 2:g} {SIZE} {SIZE}">'
    return f"{head}{edges}{shape}{shafts}</svg>"


def _line(start: FloatArray, end: FloatArray, style: str) -> str:
    (x1, y1), (x2, y2) = start.tolist(), end.tolist()
    return f'<line x1="{x1:.1f}" y1="{-y1:.1f}" x2="{x2:.1f}" y2="{-y2:.1f}" {style}/>'
