# SPDX-License-Identifier: Apache-2.0
"""Inertials that were never meant for a body: what editors and tutorials put in place of the real numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...body.inertial import Inertial

TEMPLATES = {
    "SDFormat's default of 1 kg and unit moments": (1.0, (1.0, 1.0, 1.0)),
    "Gazebo's template of a box with sides of 1 m": (1.0, (1 / 6, 1 / 6, 1 / 6)),
    "Gazebo's template of a sphere with radius 0.5 m": (1.0, (0.1, 0.1, 0.1)),
    "Gazebo's template of a cylinder with radius 0.5 m and length 1 m": (1.0, (0.125, 0.14583, 0.14583)),
}
"""Mass [kg] and ascending principal moments [kg·m²] that editors and tutorials put in place of the real ones."""


COPIES = 3
"""This many bodies of different masses with one tensor show that it was copied: two may be a coincidence of rounding,
unless two of its moments have many digits."""

DIGITS = 3


def template(body: Inertial) -> str | None:
    """Return what an inertial was copied from, if it is one of the known templates."""
    moments = np.linalg.eigvalsh(body.inertia)
    for name, (mass, known) in TEMPLATES.items():
        if abs(body.mass / mass - 1.0) < 1e-3 and np.allclose(moments, known, rtol=1e-2, atol=0.0):
            return name
    return None


def padded(body: Inertial) -> bool:
    """Return True if the tensor is one round number times the identity."""
    value = float(body.inertia[0, 0])
    same = np.array_equal(body.inertia, value * np.eye(3))
    return same and value > 0.0 and float(f"{value:.1e}") == value


def shared_tensors(bodies: Sequence[Inertial]) -> list[list[int]]:
    """Return by their numbers the bodies that share one tensor though their masses differ, group by group."""
    sharing: dict[bytes, list[int]] = {}
    for number, body in enumerate(bodies):
        if body.mass > 0.0:
            sharing.setdefault((body.inertia + 0.0).tobytes(), []).append(number)
    groups = []
    for numbers in sharing.values():
        masses = [bodies[number].mass for number in numbers]
        enough = 2 if _is_exact(bodies[numbers[0]]) else COPIES
        if len(numbers) >= enough and max(masses) > 1.5 * min(masses):
            groups.append(numbers)
    return groups


def _is_exact(body: Inertial) -> bool:
    """Return True if two different moments have at least three digits each: no two bodies share them by chance."""
    moments = {moment for moment in np.diag(body.inertia).tolist() if float(f"{moment:.{DIGITS - 2}e}") != moment}
    return len(moments) >= 2
