# SPDX-License-Identifier: GPL-3.0-or-later
"""How far two bodies, or the links of two files, are apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from .inertial import Inertial

RTOL = 1e-9
"""Relative differences up to this are none: what is left of rounding when a tensor is turned to other axes and back."""


@dataclass(frozen=True)
class Difference:
    """Relative differences of two bodies in one frame, each independent of which of them comes first.

    Parameters
    ----------
    mass : float
        Of the larger one.
    com : float
        Distance of the centres of mass over the larger radius of gyration.
    inertia : float
        Largest component of the tensors' difference over the larger trace.
    """

    mass: float
    com: float
    inertia: float

    @property
    def worst(self) -> float:
        """The largest of the three; NaN counts as infinite."""
        worst = max(self.mass, self.com, self.inertia)
        return float("inf") if np.isnan([self.mass, self.com, self.inertia]).any() else worst


def difference(a: Inertial, b: Inertial) -> Difference:
    """Compare two bodies given in the same frame."""
    trace = max(abs(float(np.trace(a.inertia))), abs(float(np.trace(b.inertia))))
    gyration = max(_gyration(a), _gyration(b))
    return Difference(
        _relative(abs(a.mass - b.mass), max(abs(a.mass), abs(b.mass))),
        _relative(float(np.linalg.norm(a.com - b.com)), gyration),
        _relative(float(np.abs(a.inertia - b.inertia).max()), trace),
    )


@dataclass(frozen=True, eq=False)
class LinkDifference:
    """A link of either file or of both, by its scoped name.

    Parameters
    ----------
    name : str
    only_in : {"a", "b"} or None
        The file that alone has it.
    a, b : Inertial or None
        In the link's frame; None where the file has none or a simulator would refuse it.
    difference : Difference or None
        None where only one of the two has numbers.
    """

    name: str
    only_in: Literal["a", "b"] | None
    a: Inertial | None
    b: Inertial | None
    difference: Difference | None

    def differs(self, rtol: float = RTOL) -> bool:
        """Say whether the link is in one file only, or anything of it differs by more than `rtol`."""
        if self.difference is None:
            return self.only_in is not None or (self.a is None) != (self.b is None)
        return self.difference.worst > rtol


def compare(a: Mapping[str, Inertial | None], b: Mapping[str, Inertial | None]) -> tuple[LinkDifference, ...]:
    """Compare the links of two files by name: those of `a` in their order, then those that only `b` has."""
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


def _gyration(body: Inertial) -> float:
    squared = float(np.trace(body.inertia)) / body.mass if body.mass > 0.0 else 0.0
    return squared**0.5 if squared > 0.0 else 0.0


def _relative(absolute: float, scale: float) -> float:
    if absolute == 0.0:
        return 0.0
    return absolute / scale if scale > 0.0 else float("inf")
