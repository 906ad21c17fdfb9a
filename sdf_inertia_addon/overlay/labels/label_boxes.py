# SPDX-License-Identifier: GPL-3.0-or-later
"""The texts and sizes of labels, wherever they are; computed once for all that is shown."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf
from typing import NamedTuple

import blf
import numpy as np
import numpy.typing as npt

from ....core.arrays import FloatArray
from ...colors import ERROR, WARNING, Color, dimmed
from ..body_view import BodyView
from ..content import Content

FONT = 0

NAME, VALUE = 13.0, 11.0
"""Heights of the two fonts [interface px]."""

PADDING, LEADING, RADIUS, SHADOW, SIGN, BORDER, ACTIVE_BORDER, PART_BORDER = (
    (9.0, 7.0),
    1.45,
    4.5,
    7.0,
    15.0,
    1.3,
    2.4,
    0.9,
)

NAME_COLOR = (1.0, 1.0, 1.0, 1.0)
VALUE_COLOR = (0.82, 0.83, 0.86, 1.0)
SIGN_COLOR = (0.08, 0.08, 0.09, 1.0)
FILL = (0.10, 0.10, 0.11, 0.96)
SOUND = 3
"""The rank of a link that nothing is wrong with."""

SIGNS: dict[str, Color] = {"warning": WARNING, "error": ERROR}

Text = tuple[str, float, tuple[float, ...], float, float]
"""What, how high, in which colour, and where: from the label's lower left corner [px]."""


@dataclass(frozen=True, eq=False)
class LabelBoxes:
    """The labels of what is shown.

    Parameters
    ----------
    index : ndarray of int, shape (n,)
        Which of the views have one.
    names : tuple of str
        By which a label is known again.
    rank : ndarray of int, shape (n,)
        Who is placed first: the total, what is wrong; parts last. Who is selected or active is not asked.
    mass : ndarray, shape (n,)
        [kg].
    chosen : ndarray of bool, shape (n,)
        Whose label stays however many others there are.
    sizes : ndarray, shape (n, 2)
        [px].
    colors : ndarray, shape (n, 3)
        Of the links.
    texts : tuple of tuple of Text
    box_rows : ndarray, shape (n, 16)
        Rows of `glsl.BOX_ROW`, as if all corners were at 0.
    sign_rows : ndarray, shape (n, 16)
        The same of the signs of those that have one, else with no size.
    """

    index: npt.NDArray[np.intp]
    names: tuple[str, ...]
    rank: npt.NDArray[np.int64]
    mass: FloatArray
    chosen: npt.NDArray[np.bool_]
    sizes: FloatArray
    colors: FloatArray
    texts: tuple[tuple[Text, ...], ...]
    box_rows: FloatArray
    sign_rows: FloatArray


@lru_cache(maxsize=8)
def label_boxes(content: Content, scale: float, widest: float = inf) -> LabelBoxes:
    """Return the labels of what is shown, at `scale` pixels per interface pixel; with a width [px], names alone."""
    index = np.array([i for i, view in enumerate(content.views) if view.labelled], dtype=np.intp)
    views = [content.views[i] for i in index]
    boxes = [_label_box(view if widest == inf or view.chosen else _brief(view, scale, widest), scale) for view in views]
    return LabelBoxes(
        index,
        tuple(f"{view.kind} {view.name}" for view in views),
        np.array([_rank(view) for view in views], dtype=np.int64),
        content.bodies.mass[index],
        np.array([view.chosen or view.kind == "part" for view in views], dtype=bool),
        np.array([box.size for box in boxes]).reshape(-1, 2),
        np.array([_color(view) for view in views]).reshape(-1, 3),
        tuple(box.texts for box in boxes),
        np.array([box.row for box in boxes]).reshape(-1, 16),
        np.array([box.sign_row for box in boxes]).reshape(-1, 16),
    )


class _LabelBox(NamedTuple):
    size: tuple[float, float]
    texts: tuple[Text, ...]
    row: tuple[float, ...]
    sign_row: tuple[float, ...]


@lru_cache(maxsize=1024)
def _label_box(view: BodyView, scale: float) -> _LabelBox:
    size = _size(view, scale)
    return _LabelBox(size, _texts(view, *size, scale), _box(view, *size, scale), _sign(view, *size, scale))


def _brief(view: BodyView, scale: float, widest: float) -> BodyView:
    """Return a view with its name alone, in two lines if it is wider than that [px]."""
    view = replace(view, lines=())
    if _size(view, scale)[0] <= widest:
        return view
    middle = len(view.name) // 2
    cut = view.name.rfind("_", 0, middle) + 1 or middle
    return replace(view, name=view.name[:cut], lines=(view.name[cut:],))


def _color(view: BodyView) -> Color:
    return dimmed(view.color) if view.stale else view.color


def forget() -> None:
    """Drop all that is remembered."""
    label_boxes.cache_clear()
    _label_box.cache_clear()


def _lines(view: BodyView) -> list[tuple[str, float, tuple[float, ...]]]:
    if view.kind == "part":
        return [("  ".join((view.name, *view.lines)), VALUE, VALUE_COLOR)]
    return [(view.name, NAME, NAME_COLOR), *((line, VALUE, VALUE_COLOR) for line in view.lines)]


def _has_sign(view: BodyView) -> bool:
    return view.severity is not None and view.kind != "part"


def _rank(view: BodyView) -> int:
    if view.kind == "part":
        return 4
    return 0 if view.kind == "total" else 1 if view.severity == "error" else 2 if view.severity == "warning" else SOUND


@lru_cache(maxsize=4096)
def _width(text: str, size: float) -> float:
    blf.size(FONT, size)
    return float(blf.dimensions(FONT, text)[0])


def _size(view: BodyView, scale: float) -> tuple[float, float]:
    width = height = 0.0
    for number, (text, size, _color) in enumerate(_lines(view)):
        sign = (SIGN + 5.0) * scale if number == 0 and _has_sign(view) else 0.0
        width = max(width, _width(text, size * scale) + sign)
        height += LEADING * size * scale
    return float(round(width + 2 * PADDING[0] * scale)), float(round(height + PADDING[1] * scale))


def _texts(view: BodyView, width: float, height: float, scale: float) -> tuple[Text, ...]:
    baseline = height - PADDING[1] * scale / 2.0
    texts: list[Text] = []
    for text, points, color in _lines(view):
        size = points * scale
        baseline -= LEADING * size
        ink = (*color[:3], 0.6) if view.stale else color
        texts.append((text, size, ink, PADDING[0] * scale, baseline + 0.38 * size))
    if _has_sign(view):
        x, y = _sign_middle(width, height, scale)
        size = NAME * scale
        texts.append(("!", size, SIGN_COLOR, x - _width("!", size) / 2.0, y - 0.36 * size))
    return tuple(texts)


def _box(view: BodyView, width: float, height: float, scale: float) -> tuple[float, ...]:
    border = PART_BORDER if view.kind == "part" else ACTIVE_BORDER if view.active else BORDER
    color = ERROR if view.severity == "error" else _color(view)
    half = (width / 2.0, height / 2.0)
    return (*half, *half, *color, 1.0, *FILL, RADIUS * scale, border * scale, SHADOW * scale, 0.0)


def _sign(view: BodyView, width: float, height: float, scale: float) -> tuple[float, ...]:
    if view.severity is None or not _has_sign(view):
        return (0.0,) * 16
    half, color = SIGN * scale / 2.0, SIGNS[view.severity]
    return (*_sign_middle(width, height, scale), half, half, *color, 1.0, *color, 1.0, half, 0.0, 0.0, 0.0)


def _sign_middle(width: float, height: float, scale: float) -> tuple[float, float]:
    """Return the position of a label's sign: at the right of its first line."""
    return width - (PADDING[0] - 2.0 + SIGN / 2.0) * scale, height - (PADDING[1] + LEADING * NAME) * scale / 2.0
