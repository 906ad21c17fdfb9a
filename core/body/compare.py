# SPDX-License-Identifier: Apache-2.0
"""Differences between two bodies, or between the links of two files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Literal

import numpy as np

from ..arrays import FloatArray
from .inertial import READ_NOISE, Inertial
from .moments import Moments

RTOL = 1e-9
"""Smaller relative differences are ignored: rounding of a tensor that is rotated to other axes and back."""


UP = 1.0 + 64 * float(np.finfo(np.float64).eps)
"""Errors are rounded up, since a comparison with the true one also rounds."""

Body = Inertial | Moments
"""A body, or a solid, whose volume is used as its mass and whose central second moment as its tensor."""


@dataclass(frozen=True)
class Difference:
    """Relative differences of two bodies in one frame.

    Each is relative to the larger of the two, so that their order does not matter, or to the true one.

    Parameters
    ----------
    mass : float
        Over the mass.
    com : float
        Distance of the centres of mass over the radius of gyration.
    inertia : float
        Largest component of the tensors' difference over the trace.
    """

    mass: float
    com: float
    inertia: float

    @property
    def worst(self) -> float:
        """The largest of the three; NaN counts as infinite."""
        worst = max(self.mass, self.com, self.inertia)
        return float("inf") if np.isnan([self.mass, self.com, self.inertia]).any() else worst


def difference(a: Body, b: Body, true: Body | None = None) -> Difference:
    """Compare two bodies, or two solids, given in the same frame.

    Parameters
    ----------
    a, b : Inertial or Moments
        Both of one type.
    true : Inertial or Moments, optional
        The one to which differences are relative; by default the larger of the two, for each number.
    """
    (mass, com, tensor), (other_mass, other_com, other_tensor) = _numbers(a), _numbers(b)
    sizes = [_sizes(body) for body in ((a, b) if true is None else (true,))]
    whole, gyration, trace = (max(size) for size in zip(*sizes, strict=True))
    return Difference(
        _relative(abs(mass - other_mass), whole),
        _relative(float(np.linalg.norm(com - other_com)), gyration),
        _relative(float(np.abs(tensor - other_tensor).max()), trace),
    )


def differ_by_noise(a: Inertial, b: Inertial, far: float = 0.0) -> bool:
    """Return True if two bodies are the same but for float32, in which Blender keeps meshes, transforms and numbers.

    A part far from the origin loses digits of its place, and so of its shape.

    Parameters
    ----------
    a, b : Inertial
        In one frame.
    far : float
        Distance of that frame from the origin [m].
    """
    apart, (_, gyration, _) = difference(a, b), np.maximum(_sizes(a), _sizes(b))
    farthest = max(a.size, b.size, far)
    lost = READ_NOISE * max(1.0, farthest / gyration) if gyration > 0.0 else READ_NOISE
    return bool(apart.mass <= READ_NOISE and apart.com <= lost and apart.inertia <= lost)


def relative_error(measured: Moments, truth: Moments) -> float:
    """Return the relative error of a result.

    Returns
    -------
    float
        Of volume, of the centroid's coordinates (relative to the true radius of gyration) and of covariance (to its
        true trace), the worst; 1 if the truth has no volume or no extent.
    """
    trace = float(np.trace(truth.covariance))
    if not (truth.volume > 0.0 and trace > 0.0):
        return 1.0
    apart = difference(measured, truth, truth)
    # The worst coordinate, not the distance as in `apart.com`: reported errors, and limits on them, are defined so.
    centroid = float(np.abs(measured.centroid - truth.centroid).max()) / sqrt(trace / truth.volume)
    return UP * max(apart.mass, centroid, apart.inertia)


def mutual_error(a: Moments, b: Moments) -> float:
    """Return the relative error of either result if the other were true, the larger."""
    return max(relative_error(a, b), relative_error(b, a))


@dataclass(frozen=True, eq=False)
class LinkDifference:
    """A link of either file or of both, by its scoped name.

    Parameters
    ----------
    only_in : {"a", "b"} or None
        The only file that has it; None if both have it.
    a, b : Inertial or None
        In the link's frame; None if the file has no inertial for it or a simulator would refuse it.
    difference : Difference or None
        None unless both have numbers.
    """

    name: str
    only_in: Literal["a", "b"] | None
    a: Inertial | None
    b: Inertial | None
    difference: Difference | None

    def differs(self, rtol: float = RTOL) -> bool:
        """Return True if the link is in one file only, or any of its numbers differs by more than `rtol`."""
        if self.difference is None:
            return self.only_in is not None or (self.a is None) != (self.b is None)
        return self.difference.worst > rtol


def compare(a: Mapping[str, Inertial | None], b: Mapping[str, Inertial | None]) -> tuple[LinkDifference, ...]:
    """Compare the links of two files by name: first those of `a` in order, then those that only `b` has."""
    return tuple(
        LinkDifference(
            name,
            None if name in a and name in b else "a" if name in a else "b",
            ours := a.get(name),
            theirs := b.get(name),
            None if ours is None or theirs is None else difference(ours, theirs),
        )
        for name in (*a, *(name for name in b if name not in a))
    )


def _numbers(body: Body) -> tuple[float, FloatArray, FloatArray]:
    if isinstance(body, Moments):
        return body.volume, body.centroid, body.covariance
    return body.mass, body.com, body.inertia


def _sizes(body: Body) -> tuple[float, float, float]:
    """Return mass, radius of gyration and trace."""
    mass, _, tensor = _numbers(body)
    trace = float(np.trace(tensor))
    squared = trace / mass if mass > 0.0 else 0.0
    return abs(mass), squared**0.5 if squared > 0.0 else 0.0, abs(trace)


def _relative(absolute: float, scale: float) -> float:
    if absolute == 0.0:
        return 0.0
    return absolute / scale if scale > 0.0 else float("inf")
