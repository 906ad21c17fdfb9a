# SPDX-License-Identifier: Apache-2.0
"""Numbers as they are written into a file."""

from __future__ import annotations

from collections.abc import Iterable

from ..arrays import FloatArray
from ..body.few_digits import kept, shortened
from ..body.gz_validity import loadable
from ..body.inertial import Inertial
from ..body.pose import Pose


def number(value: float) -> str:
    """Return the shortest text that reads back the same float64, whole numbers without a point."""
    value = float(value) + 0.0
    text = repr(value)
    return text[:-2] if text.endswith(".0") and abs(value) < 1e15 else text


def few(value: float) -> str:
    """Return the shortest text that keeps 1e-9 of a number."""
    return number(kept(value))


def few_texts(values: Iterable[float], size: float = 0.0) -> list[str]:
    """Return the texts of a vector, which is as large as its largest component unless its size is given."""
    values = list(values)
    size = size or max(map(abs, values))
    return [number(kept(value, size)) for value in values]


def pose_texts(pose: Pose) -> list[str]:
    """Return the texts of x y z roll pitch yaw."""
    values = pose.to_sdf()
    return few_texts(values[:3]) + few_texts(values[3:], 1.0)


def inertial_to_write(body: Inertial) -> tuple[Pose, FloatArray]:
    """Return the pose and the tensor [kg·m²] to write for a body, in few digits that gz-math accepts."""
    pose, tensor = loadable(body)
    short = shortened(Inertial(body.mass, pose.p, tensor))
    return Pose(pose.R, short.com), short.inertia
