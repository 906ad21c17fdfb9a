# SPDX-License-Identifier: Apache-2.0
"""Draws of one link: the mass is scaled, and an affine map about the centre of mass stretches and turns the body.

A body that is stretched or turned is still a body, so each draw is possible; independent moments are not: of a thin rod
they are impossible in 9,999 of 10,000 draws at ±20 %. With Σ = ∫x xᵀ dm / m about the centre of mass, the tensor is
m (tr Σ 1 - Σ), and a map B gives B Σ Bᵀ. No Cholesky factor is needed, which a flat body does not have.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

import numpy as np

from ..arrays import Bools, FloatArray
from ..body.inertial import Inertial
from ..body.intervals import Interval

ATTEMPTS = 1000
"""How often a draw that a condition refuses is drawn again."""

ROUNDING = 1e-14
"""Share of the largest principal value of Σ below which another one is rounding."""

MASS, COM, STRETCH, TURN = 0, slice(1, 4), slice(4, 7), slice(7, 10)
"""The columns of the random numbers of a draw, each uniform in [-1, 1)."""

COLUMNS = 10


@dataclass(frozen=True, eq=False)
class Draws:
    """Draws of one link, in its frame, about the centre of mass of each.

    Parameters
    ----------
    mass : ndarray, shape (n,)
        [kg].
    com : ndarray, shape (n, 3)
        [m].
    second : ndarray, shape (n, 3, 3)
        Σ = ∫x xᵀ dm / m about the centre of mass [m²].
    """

    mass: FloatArray
    com: FloatArray
    second: FloatArray

    @property
    def inertia(self) -> FloatArray:
        """The tensors (n, 3, 3) [kg·m²]."""
        trace = np.trace(self.second, axis1=1, axis2=2)
        tensors: FloatArray = self.mass[:, None, None] * (trace[:, None, None] * np.eye(3) - self.second)
        return tensors

    def principal(self) -> tuple[FloatArray, FloatArray]:
        """Return the moments (n, 3) [kg·m²], ascending, and the axes (n, 3, 3) as columns, right-handed.

        No moment is larger than the sum of the others, not even by rounding.
        """
        values, columns = np.linalg.eigh(self.second)
        spread = self.mass[:, None] * np.maximum(values[:, ::-1], 0.0)  # descending, so that the moments ascend
        axes = columns[:, :, ::-1].copy()
        axes[:, :, 2] *= np.sign(np.linalg.det(axes))[:, None]
        return np.stack(
            [spread[:, 1] + spread[:, 2], spread[:, 0] + spread[:, 2], spread[:, 0] + spread[:, 1]], 1
        ), axes


@dataclass(frozen=True, eq=False)
class Twin:
    """The link on the other side, whose draws are mirrored; `signs` (3,) are the mirror's, in the axes of both."""

    name: str
    inertial: Inertial
    signs: FloatArray


def second_moment(body: Inertial) -> FloatArray:
    """Return Σ = ∫x xᵀ dm / m (3, 3) [m²] about the centre of mass; a body that is flat but for rounding is flat."""
    second: FloatArray = (np.trace(body.inertia) / 2.0 * np.eye(3) - body.inertia) / body.mass
    values, V = np.linalg.eigh(second)
    flat = values < ROUNDING * values[2]
    return (V * np.where(flat, 0.0, values)) @ V.T if flat.any() else second


def uniforms(seed: int, name: str, attempt: int, count: int) -> FloatArray:
    """Return random numbers (count, `COLUMNS`), which depend on the seed, the link's name and the attempt alone.

    So no link's draws depend on the other links, nor the first draws on how many follow.
    """
    key = int.from_bytes(sha256(name.encode()).digest()[:16], "big")
    generator = np.random.Generator(np.random.PCG64(np.random.SeedSequence([seed, key, attempt])))
    return 2.0 * generator.random((count, COLUMNS)) - 1.0


def drawn(body: Inertial, interval: Interval, numbers: FloatArray, twin: Twin | None = None) -> Draws:
    """Return the draws of a link within an interval.

    Parameters
    ----------
    body : Inertial
        Its nominal inertial.
    interval : Interval
    numbers : ndarray, shape (n, COLUMNS)
        As `uniforms` returns them; with a `twin` those of the twin, whose draws these mirror.
    """
    first = body if twin is None else twin.inertial
    stretch = _maps(second_moment(first), interval, numbers)
    offset = interval.com * numbers[:, COM]
    if twin is not None:
        stretch = twin.signs[:, None] * stretch * twin.signs
        offset = offset * twin.signs
    second = stretch @ second_moment(body) @ stretch.transpose(0, 2, 1)
    second = (second + second.transpose(0, 2, 1)) / 2.0
    return Draws(body.mass * (1.0 + interval.mass * numbers[:, MASS]), body.com + offset, second)


def redrawn(
    draws: Sequence[Draws],
    accepted: Callable[[Sequence[Draws]], Bools],
    again: Callable[[int], Sequence[Draws]],
) -> tuple[list[Draws], int, Bools]:
    """Draw again what a condition refuses; a link and its twin together.

    Parameters
    ----------
    draws : sequence of Draws
    accepted : callable
        Returns which draws (n,) are accepted.
    again : callable
        Returns all draws of an attempt, from 1 on.

    Returns
    -------
    draws : list of Draws
        Their masses are as they were.
    refused : int
        The number of draws that were refused.
    good : ndarray of bool, shape (n,)
        False where no attempt was accepted.
    """
    arrays = [(of_link.com.copy(), of_link.second.copy()) for of_link in draws]
    good, refused = accepted(draws), 0
    for attempt in range(1, ATTEMPTS):
        waiting = np.flatnonzero(~good)
        if not len(waiting):
            break
        refused += len(waiting)
        others = [Draws(each.mass[waiting], each.com[waiting], each.second[waiting]) for each in again(attempt)]
        passes = accepted(others)
        for (com, second), other in zip(arrays, others, strict=True):
            com[waiting[passes]], second[waiting[passes]] = other.com[passes], other.second[passes]
        good[waiting[passes]] = True
    new = [replace(of_link, com=com, second=second) for of_link, (com, second) in zip(draws, arrays, strict=True)]
    return new, refused, good


def _maps(second: FloatArray, interval: Interval, numbers: FloatArray) -> FloatArray:
    """Return the maps (n, 3, 3) that scale the principal values of Σ, and then turn the body about any axis."""
    _, V = np.linalg.eigh(second)
    factors = np.sqrt(1.0 + interval.moments * numbers[:, STRETCH])
    stretch: FloatArray = np.einsum("ij,nj,kj->nik", V, factors, V)
    if not interval.axes:
        return stretch
    # An axis of turn that is uniform on the sphere, as its height and its longitude; then Rodrigues' formula.
    height, longitude, angle = numbers[:, TURN].T * np.array([[1.0], [np.pi], [interval.axes]])
    across = np.sqrt(np.maximum(1.0 - height**2, 0.0))
    x, y, z = across * np.cos(longitude), across * np.sin(longitude), height
    zero = np.zeros_like(x)
    K = np.array([[zero, -z, y], [z, zero, -x], [-y, x, zero]]).transpose(2, 0, 1)
    sine, cosine = np.sin(angle)[:, None, None], np.cos(angle)[:, None, None]
    turns: FloatArray = (np.eye(3) + sine * K + (1.0 - cosine) * (K @ K)) @ stretch
    return turns
