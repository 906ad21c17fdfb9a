# SPDX-License-Identifier: GPL-3.0-or-later
"""A tensor that is its geometry's but for one mistake: other axes, another mass, the link's origin, and the like.

Each mistake gives the six numbers that a file has with it. It counts if they agree with those of the file in at least
two independent numbers of three digits, and the right numbers do not fit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import NamedTuple

import numpy as np

from ...arrays import FloatArray
from ...body.inertial import Inertial, steiner
from ...errors import Finding
from .units import LANDED
from .written import APART, Written, count_apart, six_of

CODES = {
    "axes": "tensor_axes",
    "mass": "tensor_mass",
    "origin": "tensor_origin",
    "frame": "tensor_frame",
    "products": "tensor_products",
    "order": "tensor_order",
}
"""The code of the finding about each mistake."""

FINEST = 1e-5
"""Geometry in a file is not more exact, as a share of a tensor's trace: π/2 is written as 1.5708."""

CLEARLY = 10.0
"""A number is off if it is so by this many roundings; another is nearer if it is this many times as near."""

EQUAL = 0.01
"""Principal moments that differ by less than this share of their sum are equal: however such a body is filled, its
tensor is a multiple of the uniform one's."""

HOLLOW, CORED = 5.0 / 3.0, 0.55
"""Multiples of the uniform tensor that bodies with a hollow or a heavy core of the same shape may have. A thin shell
has 5/3; a core eleven times as dense, lead in water, at least 0.56."""

SHARP = 1e-3
"""A multiple known so well hits 1 kg or the default density by chance once in a thousand times."""

UNITS = (1e3, 1e4, 1e6, 1e9, 1.0 / 0.0254**2)
"""Multiples that point to a unit, not to a mass."""

NEAR, FAR, ALIKE = 0.01, 0.1, 5.0
"""Without the same digits, axes are perhaps exchanged if that makes the tensor's proportions right within `NEAR`, and
they are off by `FAR` as the file stands, in shares of the trace; its trace is right within a factor of `ALIKE`."""

TURNS = np.array(
    [
        np.eye(3)[list(axes)] * np.array(signs)
        for axes in permutations(range(3))
        if axes != (0, 1, 2)
        for signs in ((1, 1, 1), (-1, 1, 1), (1, -1, 1), (1, 1, -1))
    ]
)
"""What exchanges axes, with the signs that products may get."""

REPEATED = [axes for axes in product(range(3), repeat=3) if len(set(axes)) == 2]
"""Moments of which two are those about one axis."""

SIGNS = [np.array((1, 1, 1, *signs)) for signs in product((1, -1), repeat=3) if min(signs) < 0]
PRODUCTS = [[0, 1, 2, *order] for order in permutations((3, 4, 5)) if order != (3, 4, 5)]
ORDERS = [
    [0, 3, 4, 1, 5, 2],  # xx xy xz yy yz zz as ixx iyy izz ixy ixz iyz
    [0, 3, 5, 1, 2, 4],  # xx yy zz xy xz yz as ixx ixy ixz iyy iyz izz
    [0, 3, 1, 4, 5, 2],  # xx xy yy xz yz zz as ixx iyy izz ixy ixz iyz
    [0, 4, 2, 3, 1, 5],  # the same as ixx ixy ixz iyy iyz izz
    [0, 2, 5, 1, 3, 4],  # xx yy zz xy xz yz as ixx ixy iyy ixz iyz izz
    [0, 3, 5, 3, 4, 1],  # the first six of nine as ixx ixy ixz iyy iyz izz
]
"""Which component of the right tensor each of the file's is, where the numbers stand in another order."""


@dataclass(frozen=True, eq=False)
class Solid:
    """A geometry that an inertial is compared with.

    Parameters
    ----------
    uniform : Inertial
        Its uniform body at the density that is stated, in the link's frame.
    longest : float
        The longest side of its box [m].
    turns : sequence of ndarray, each of shape (3, 3)
        The rotations of its parts.
    """

    uniform: Inertial
    longest: float
    turns: Sequence[FloatArray] = ()


@dataclass(frozen=True, eq=False)
class Mistakes:
    """What explains a tensor: a finding for each mistake, and the right inertial if one is certain."""

    findings: tuple[Finding, ...] = ()
    right: Inertial | None = None


class _Guess(NamedTuple):
    """A mistake, the six numbers that a file has with it, and those without.

    `mass` [kg] is that of the tensor if it is another; `apart` is True if the mistake is another one even where an
    earlier one gives the same numbers.
    """

    name: str
    six: FloatArray
    right: FloatArray
    certain: bool = True
    mass: float = 0.0
    apart: bool = False


@np.errstate(all="ignore")  # absurd numbers fit nothing
def tensor_mistakes(body: Inertial, written: Written, solids: Sequence[Solid], box: Inertial | None) -> Mistakes:
    """Return the mistakes that explain a tensor; none if it fits any geometry as it stands.

    Parameters
    ----------
    body : Inertial
        In the link's frame, mass above 0; it need not be possible.
    written : Written
        The same as it is written.
    solids : sequence of Solid
    box : Inertial or None
        The uniform body in the box around the geometry: a tensor that fits it was not computed by mistake.
    """
    solids = [one for one in solids if not _is_ball(one.uniform)]
    uniform = [one.uniform for one in solids] + ([] if box is None else [box])
    standing = [six_of(written.R.T @ one.scaled_to(body.mass).inertia @ written.R) for one in uniform]
    if not solids or any(_fits(written, six, CLEARLY) for six in standing):
        return Mistakes()
    guesses: list[tuple[_Guess, Solid]] = []
    for solid, right in zip(solids, standing, strict=False):
        for guess in _guesses(body, written, solid, right):
            others = [other for other, _ in guesses]
            known = any(guess.name == one.name or (_same(guess.six, one.six) and not guess.apart) for one in others)
            if not known and _agrees(written, guess.six):
                guesses.append((guess, solid))
    if not guesses:
        guesses = _perhaps(written, solids, standing)
    findings = tuple(_finding(body, written, guess) for guess, _ in guesses)
    if len(guesses) == 1 and guesses[0][0].certain:
        uniform_body = guesses[0][1].uniform.scaled_to(body.mass)
        if np.linalg.norm(body.com - uniform_body.com) <= LANDED * guesses[0][1].longest:
            return Mistakes(findings, Inertial(body.mass, body.com, uniform_body.inertia))
    return Mistakes(findings)


def _guesses(body: Inertial, written: Written, solid: Solid, right: FloatArray) -> Iterator[_Guess]:
    """Yield what a file has with each mistake; `right` are the numbers without."""
    R, tensor = written.R, solid.uniform.scaled_to(body.mass).inertia
    turned = R.T @ tensor @ R
    for six in six_of(TURNS @ turned @ TURNS.transpose(0, 2, 1)):
        yield _Guess("axes", six, right)
    yield from _of_mass(body, written, solid, right)
    for com in (body.com, solid.uniform.com):
        if np.linalg.norm(body.com - com) <= LANDED * solid.longest:
            yield _Guess("origin", right + body.mass * six_of(R.T @ steiner(com) @ R), right)
    for six in (*(right * signs for signs in SIGNS), *(right[order] for order in PRODUCTS)):
        yield _Guess("products", six, right)
    for Q in (np.eye(3), R.T):
        yield _Guess("frame", six_of(Q.T @ tensor @ Q), right, apart=True)
    for Q in (*solid.turns, *(turn.T for turn in solid.turns)):
        yield _Guess("frame", six_of(Q.T @ tensor @ Q), right)
    for order in ORDERS:
        yield _Guess("order", right[order], right)
    for axes in REPEATED:
        yield _Guess("axes", np.array([*right[axes,], *right[3:]]), right, certain=False)


def _of_mass(body: Inertial, written: Written, solid: Solid, right: FloatArray) -> Iterator[_Guess]:
    """Yield the multiple of the right numbers that those of the file are, if it is not that of a hollow body."""
    low, high = _multiples(written, right)
    times = (low + high) / 2.0
    if not 0.0 < low <= high:
        return
    if any(abs(times / unit - 1.0) < APART or abs(times * unit - 1.0) < APART for unit in UNITS):
        return
    hollow = CORED <= times <= HOLLOW * (1.0 + APART)
    exact = high - low <= SHARP * times
    for mass in (1.0, solid.uniform.mass) if hollow and exact else ():  # what a tutorial takes; the default density
        yield _Guess("mass", right * mass / body.mass, right, False, mass)
    if not hollow:
        yield _Guess("mass", right * times, right, True, body.mass * times)


def _perhaps(written: Written, solids: Sequence[Solid], standing: Sequence[FloatArray]) -> list[tuple[_Guess, Solid]]:
    """Return axes that are perhaps exchanged: the proportions are those of the geometry about others, nearly."""
    if not written.is_telling:
        return []
    as_is = min(_unlike(written.six, six) for six in standing)
    nearest = []
    for solid, right in zip(solids, standing, strict=False):
        tensor = np.array([[right[0], right[3], right[4]], [right[3], right[1], right[5]], [right[4], right[5], right[2]]])
        for six in six_of(TURNS @ tensor @ TURNS.transpose(0, 2, 1)):
            if 1.0 / ALIKE < _size(written.six) / _size(six) < ALIKE:
                nearest.append((_unlike(written.six, six), len(nearest), _Guess("axes", six, right, False), solid))
    if not nearest:
        return []
    off, _, guess, solid = min(nearest, key=lambda one: one[:2])
    return [(guess, solid)] if as_is > FAR and off <= min(as_is / CLEARLY, NEAR) else []


def _is_ball(uniform: Inertial) -> bool:
    moments = np.linalg.eigvalsh(uniform.inertia)
    return not moments[2] - moments[0] > EQUAL * moments.sum()


def _size(six: FloatArray) -> float:
    return float(np.abs(six).sum())


def _same(a: FloatArray, b: FloatArray) -> bool:
    return bool(np.abs(a - b).max() <= FINEST * _size(b))


def _unlike(a: FloatArray, b: FloatArray) -> float:
    return float(np.abs(a / a[:3].sum() - b / b[:3].sum()).max())


def _multiples(written: Written, six: FloatArray, roundings: float = 1.0) -> tuple[float, float]:
    """Return the smallest and the largest multiple of some numbers that agrees with those of the file.

    Each within so many roundings; the first is above the second if there is no such multiple.
    """
    margin = roundings * _tolerance(written, six)
    ends = np.sort([(written.six - margin) / six, (written.six + margin) / six], axis=0)
    zero = np.abs(six) <= FINEST * _size(six) / CLEARLY
    if np.any(np.abs(written.six[zero]) > margin[zero]):
        return 1.0, 0.0
    return float(ends[0, ~zero].max()), float(ends[1, ~zero].min())


def _fits(written: Written, six: FloatArray, roundings: float = 1.0) -> bool:
    """Return True if numbers agree with those of the file, whose mass may be rounded or cut."""
    low, high = _multiples(written, six, roundings)
    return max(low, 1.0 - written.mass_rounding) <= min(high, 1.0 + 2.0 * written.mass_rounding)


def _tolerance(written: Written, six: FloatArray) -> FloatArray:
    tolerance: FloatArray = written.rounding + FINEST * _size(six)
    return tolerance


def _agrees(written: Written, six: FloatArray) -> bool:
    exact = written.exact & (_tolerance(written, six) <= APART * np.abs(written.six))
    return count_apart(written.six[exact]) >= 2 and _fits(written, six)


def _finding(body: Inertial, written: Written, guess: _Guess) -> Finding:
    moments, products = _three(guess.right[:3]), _three(guess.right[3:])
    given = _three(written.six[:3])
    fit = f"({moments}) kg·m² fit"
    message, remedy = {
        "axes": (
            f"its moments ({given}) are {'' if guess.certain else 'perhaps '}those of its geometry about other axes:"
            f" {fit}",
            "exchange them",
        ),
        "mass": (
            f"its tensor is that of its geometry at {guess.mass:.4g} kg, but its mass is {body.mass:.4g} kg: moments of"
            f" {fit}",
            "compute the tensor for its mass, or correct the mass",
        ),
        "origin": (
            f"its tensor is about the link's origin, not about the centre of mass: moments of {fit}",
            "give it about the centre of mass",
        ),
        "frame": (
            f"its tensor is in other axes than its inertial's: moments of ({moments}) and products of ({products})"
            " kg·m² fit",
            "give it in the axes of the inertial's origin",
        ),
        "products": (
            f"its products ({_three(written.six[3:])}) have wrong signs or are exchanged: ({products}) kg·m² fit",
            "ixy is -∫xy dm, and so on: correct the products",
        ),
        "order": (
            f"the six numbers of its tensor are in another order: moments of ({moments}) and products of ({products})"
            " kg·m² fit",
            "give each number its own name",
        ),
    }[guess.name]
    return Finding("warning", CODES[guess.name], "", message, remedy)


def _three(numbers: FloatArray) -> str:
    return ", ".join(f"{number + 0.0:.4g}" for number in numbers)
