# SPDX-License-Identifier: Apache-2.0
"""The largest torque of gravity at each joint over the limits of all joints, and the pose that has it.

The torque of a joint is ``a + b sin q + c (1 - cos q)`` in the position q of each hinge, and linear in that of each
slider, so a step along one joint finds the largest value exactly: at an end of its range or where the slope is zero.
Steps along all joints in turn, from many poses at once, reach a maximum that no single joint can raise.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

import numpy as np

from ..arrays import Bools, FloatArray
from .mechanism import GRAVITY, Mechanism, rotated

FIRST, SWEEPS = 4, 25
"""Steps along all joints: of all starts, and of the best at most."""

SETTLED = 1e-6
"""A sweep that raises no torque by more than this share is the last."""

SAME = 1e-10
"""Torques that differ by a smaller share are equal: then a joint does not matter to the largest."""

MANY = 2_000_000
"""Positions of joints that are tried at once, at most: beyond 125 joints there are fewer starts."""

BEST = 4
"""Starts that are followed to the end."""

SAMPLES = 17
"""Positions that are tried of a joint with followers or of a screw, for which the torque has no simple form: over its
range, and then twice between the neighbours of the best."""


@dataclass(frozen=True, eq=False)
class Largest:
    """The largest torques that were found.

    Parameters
    ----------
    torques : ndarray, shape (m,)
        Of each free joint [N·m, of a slider N], with its sign.
    positions : ndarray, shape (m, m)
        A row for each of them: the pose [rad or m]. Joints that do not matter are at 0, or at the limit next to it.
    """

    torques: FloatArray
    positions: FloatArray


def largest_torques(mechanism: Mechanism, starts: int = 64, seed: int = 0) -> Largest:
    """Return the largest torque of gravity of each free joint that was found over the limits.

    Parameters
    ----------
    mechanism : Mechanism
    starts : int
        Random poses, and as many corners of the limits, from which each joint's search begins.
    seed : int
        The same seed gives the same result.
    """
    lower, upper = mechanism.ranges
    m = len(lower)
    if m == 0:
        return Largest(np.zeros(0), np.zeros((0, 0)))
    rng = np.random.default_rng(seed)
    count = max(min(starts, MANY // (2 * m * m)), 1)
    inside = lower + rng.random((count, m)) * (upper - lower)
    corners = np.where(rng.random((count, m)) < 0.5, lower, upper)
    q = np.broadcast_to(np.concatenate([inside, corners]), (m, 2 * count, m)).copy()
    search = _Search(mechanism, lower, upper)
    value = search.settle(q, FIRST)
    best = np.argsort(-np.abs(value), axis=1)[:, :BEST]
    q = np.take_along_axis(q, best[:, :, None], axis=1)
    value = search.settle(q, SWEEPS)
    for _ in range(SWEEPS if search.sampled.any() else 0):
        before = np.abs(value)
        for column in np.flatnonzero(search.sampled):
            search.sample(q, int(column))
        value = search.settle(q, SWEEPS)
        if is_settled(before, value):
            break
    rows, best = np.arange(m), np.argmax(np.abs(value), axis=1)
    positions, largest = q[rows, best], value[rows, best]
    for column in range(m):  # a joint that does not matter is shown at rest
        calm = positions.copy()
        calm[:, column] = np.clip(0.0, lower[column], upper[column])
        same = np.abs(search.torques(calm)) >= np.abs(largest) * (1.0 - SAME)
        positions = np.where(same[:, None], calm, positions)
    return Largest(search.torques(positions), positions)


def is_settled(before: FloatArray, value: FloatArray) -> bool:
    """Return True if no |torque| rose, but for rounding."""
    least = SETTLED * np.maximum(before, before.max(initial=0.0) * SETTLED)
    return bool((np.abs(value) <= before + least).all())


@dataclass(eq=False)
class _Search:
    """Raises |torque| of joint t in poses q[t], for all free joints t at once; q has the shape (m, starts, m)."""

    mechanism: Mechanism
    lower: FloatArray
    upper: FloatArray

    def __post_init__(self) -> None:
        of, moved = self.mechanism, self.mechanism.reduction != 0.0
        self.column = np.argmax(moved, axis=1)  # of each joint: that of the free joint that moves it
        self.sampled: Bools = (moved.sum(axis=0) > 1) | (moved.T @ ((of.turn * of.slide) != 0.0))

    def torques(self, q: FloatArray) -> FloatArray:
        """Return the torque of joint t in poses q[t], of shape (m, ..., m)."""
        every = self.mechanism.gravity_torques(q.reshape(-1, q.shape[-1])).reshape(q.shape)
        return np.array([every[number, ..., number] for number in range(len(q))])

    def settle(self, q: FloatArray, sweeps: int) -> FloatArray:
        """Move poses until no single simple joint raises a torque, and return the torques (m, starts)."""
        value, reach = self.torques(q), np.full((*q.shape[:2], 1), 2.0)
        for _ in range(sweeps):
            before, start = np.abs(value), q.copy()
            self._sweep(q, value.copy())
            value = self.torques(q)
            # Along a ridge each sweep is a small step the same way, so go further that way while it helps.
            ahead = np.clip(q + reach * (q - start), self.lower, self.upper)
            torques = self.torques(ahead)
            better = (np.abs(torques) > np.abs(value))[..., None]
            q[...], reach = np.where(better, ahead, q), np.where(better, 2.0 * reach, 2.0)
            value = np.where(better[..., 0], torques, value)
            if is_settled(before, value):
                break
        return value

    def _sweep(self, q: FloatArray, value: FloatArray) -> None:
        """Take the best step along each simple joint, from the tips to the root, so that each sees those before it.

        The torque of t is a sum over the joints that t moves, by their weights. In the position of joint k it is
        ``above · s + up · v``, and constants: s is the first moment of what k moves, v the sum of ``axis x s`` of those
        weighted joints that are below k, up the vertical, and above the sum of ``up x axis`` of those at or above k.
        Only s and v turn with k.
        """
        of = self.mechanism
        weights = of.reduction.T[:, :, None, None]  # (m, n, 1, 1)
        every = q @ of.reduction.T + of.offset
        n, shape = len(of.joints), q.shape[:2]
        up = [np.broadcast_to([0.0, 0.0, 1.0], (*shape, 3))] * (n + 1)
        above = [np.zeros((*shape, 3))] * (n + 1)
        across = list[FloatArray]()
        for k, parent in enumerate(of.parent):
            angle = of.turn[k] * every[..., k, None]
            across.append(above[parent] + weights[:, k] * of.turn[k] * np.cross(up[parent], of.axis[k]))
            up[k] = rotated(up[parent], of.cross[k], -angle)
            above[k] = rotated(across[k], of.cross[k], -angle)
        s, v = of.moments(shape), [np.zeros((*shape, 3)) for _ in range(n + 1)]
        for k in reversed(range(n)):
            parent, axis, column = of.parent[k], of.axis[k], self.column[k]
            now = every[..., k]
            if not self.sampled[column]:
                if of.turn[k]:
                    turned = np.cross(axis, s[k]), np.cross(axis, v[k])
                    sine = _dot(across[k], turned[0]) + _dot(up[parent], turned[1])
                    versine = _dot(across[k], np.cross(axis, turned[0])) + _dot(up[parent], np.cross(axis, turned[1]))
                    new = self._best_angle(value, now, GRAVITY * sine, GRAVITY * versine, column)
                else:
                    slope = GRAVITY * of.masses_below[k] * of.slide[k] * (above[parent] @ axis)
                    new = self._best_travel(value, now, slope, column)
                q[..., column] = now = new
            angle = of.turn[k] * now[..., None]
            moved = rotated(s[k], of.cross[k], angle)
            s[parent] += moved + of.lever(k, now)
            arm = of.turn[k] * np.cross(axis, moved) + of.slide[k] * of.masses_below[k] * axis
            v[parent] += rotated(v[k], of.cross[k], angle) + weights[:, k] * arm

    def _best_angle(
        self, value: FloatArray, now: FloatArray, sine: FloatArray, versine: FloatArray, column: int
    ) -> FloatArray:
        """Return the best angle of a hinge, and set `value` to the torque there."""
        low, high = self.lower[column], self.upper[column]
        peak = np.arctan2(sine, -versine)
        peaks = [low + np.mod(peak + half - low, 2.0 * pi) for half in (0.0, pi)]
        angles = np.stack([now, np.full_like(now, low), np.full_like(now, high), *peaks])
        form = sine * np.sin(angles) + 2.0 * versine * np.sin(angles / 2.0) ** 2
        return _chosen(angles, value + form - form[0], (angles <= high) | (angles == now), value)

    def _best_travel(self, value: FloatArray, now: FloatArray, slope: FloatArray, column: int) -> FloatArray:
        ends = [np.full_like(now, end) for end in (self.lower[column], self.upper[column])]
        travels = np.stack([now, *ends])
        return _chosen(travels, value + slope * (travels - now), np.ones(travels.shape, dtype=bool), value)

    def sample(self, q: FloatArray, column: int) -> None:
        """Set a joint with followers, or a screw, to the best of many positions, for the torques it matters to."""
        rows = np.flatnonzero(self.mechanism.matters[:, column])
        some = q[rows]
        low, high = (np.full(some.shape[:2], end[column]) for end in (self.lower, self.upper))
        for _ in range(3):
            tried = np.linspace(low, high, SAMPLES, axis=-1)
            tried = np.concatenate([some[..., column, None], tried], axis=-1)
            poses = np.repeat(some[:, :, None], SAMPLES + 1, axis=2)
            poses[..., column] = tried
            flat = self.mechanism.gravity_torques(poses.reshape(-1, poses.shape[-1])).reshape(poses.shape)
            torques = np.abs(np.stack([flat[number, ..., row] for number, row in enumerate(rows)]))
            best = np.take_along_axis(tried, np.argmax(torques, axis=-1)[..., None], axis=-1)[..., 0]
            some[..., column] = best
            step = (high - low) / (SAMPLES - 1)
            low, high = np.maximum(best - step, low), np.minimum(best + step, high)
        q[rows] = some


def _chosen(positions: FloatArray, torques: FloatArray, allowed: Bools, value: FloatArray) -> FloatArray:
    """Return the allowed position of the largest |torque|, and set `value` to that torque."""
    best = np.argmax(np.where(allowed, np.abs(torques), -1.0), axis=0)[None]
    value[...] = np.take_along_axis(torques, best, axis=0)[0]
    new: FloatArray = np.take_along_axis(positions, best, axis=0)[0]
    return new


def _dot(a: FloatArray, b: FloatArray) -> FloatArray:
    total: FloatArray = np.sum(a * b, axis=-1)
    return total
