# SPDX-License-Identifier: Apache-2.0
"""A tensor that is its geometry's but for one mistake: other axes, another mass, the link's origin, and the like.

A mistake is accepted if the numbers that it would give agree with the file's, two distinct ones of them in at least
three digits, and the right numbers do not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from ...arrays import FloatArray
from ...body.inertial import Inertial, steiner
from ...body.moments import Moments
from ...body.pose import Pose
from ...body.shapes import Cylinder
from ...errors import Finding
from ...robot.model import Geometry
from ...units import numbers_text
from .written import APART, FINEST, SIX, Written, six_of, size
from .wrong_units import CLEAR, LANDED

NOTHING: Mapping[str, Any] = MappingProxyType({})

CODES = {
    "axes": "tensor_axes",
    "size": "tensor_size",
    "mass": "tensor_mass",
    "origin": "tensor_origin",
    "frame": "tensor_frame",
    "products": "tensor_products",
    "order": "tensor_order",
    "formula": "tensor_formula",
}
"""The code of the finding about each mistake."""

CLEARLY = 10.0
"""A number is wrong if it is off by this many roundings; another is nearer if it is this many times as near."""

EQUAL = 0.01
"""Principal moments that differ by less than this share of their sum are equal: however such a body is filled, its
tensor is a multiple of the uniform one's."""

HOLLOW, CORED = 5.0 / 3.0, 0.55
"""Multiples of the uniform tensor that bodies with a hollow or a heavy core of the same shape may have. A thin shell
has 5/3; a core eleven times as dense, lead in water, at least 0.56."""

MOST = 20.0
"""A larger factor is not between two masses of one link: the geometry or a unit is wrong."""

NEAR, FAR, ALIKE = 0.01, 0.1, 5.0
"""Without agreement in digits, axes are perhaps exchanged if the exchange makes the tensor's proportions right within
`NEAR`, and the file's are off by `FAR`, in shares of the trace; its size is right within a factor of `ALIKE`."""

VOLUME_UNITS = {1.0: "m", 1e2: "cm", 1e3: "mm"}
"""Units of a mesh for which a program that knows no mass, such as MeshLab, gives the tensor: how many in a metre."""

ONE_WAY = [np.diag(signs) for signs in ((1, 1, 1), (-1, 1, 1), (1, -1, 1), (1, 1, -1))]
EXCHANGES = np.array([np.eye(3)[[*axes]] @ D for axes in permutations(range(3)) if axes != (0, 1, 2) for D in ONE_WAY])
"""Rotations that exchange axes, with the signs that products may get."""

REPEATED = [[*axes] for axes in product(range(3), repeat=3) if len(set(axes)) == 2]
"""Triples of axes in which one occurs twice: a moment is repeated in place of another."""

SIGNS = [np.array((1, 1, 1, *signs)) for signs in product((1, -1), repeat=3) if min(signs) < 0]
"""Factors of the six components if products have wrong signs."""

PRODUCTS = [[0, 1, 2, *order] for order in permutations((3, 4, 5)) if order != (3, 4, 5)]
"""For each of the file's components, the index in the right tensor, if products are exchanged."""

ORDERS = [
    [0, 3, 4, 1, 5, 2],  # xx xy xz yy yz zz as ixx iyy izz ixy ixz iyz
    [0, 3, 5, 1, 2, 4],  # xx yy zz xy xz yz as ixx ixy ixz iyy iyz izz
    [0, 3, 1, 4, 5, 2],  # xx xy yy xz yz zz as ixx iyy izz ixy ixz iyz
    [0, 4, 2, 3, 1, 5],  # the same as ixx ixy ixz iyy iyz izz
    [0, 2, 5, 1, 3, 4],  # xx yy zz xy xz yz as ixx ixy iyy ixz iyz izz
    [0, 3, 5, 3, 4, 1],  # the first six of nine as ixx ixy ixz iyy iyz izz
]
"""For each of the file's components, the index in the right tensor, if the numbers are in another order."""


class Piece(NamedTuple):
    """A part of a geometry: its body in the link's frame, its moments and its geometry in its own, and its pose."""

    body: Inertial
    moments: Moments
    pose: Pose
    geometry: Geometry


@dataclass(frozen=True, eq=False)
class Solid:
    """A geometry: its uniform body in the link's frame, its longest side [m], the rotations of its parts, these."""

    uniform: Inertial
    longest: float
    turns: Sequence[FloatArray] = ()
    pieces: Sequence[Piece] = ()

    @property
    def volume(self) -> float:
        """The sum of the volumes of its parts [m³]."""
        return sum(piece.moments.volume for piece in self.pieces)

    def holds(self, com: FloatArray) -> bool:
        """Return True if a centre of mass is about that of the uniform body."""
        return bool(np.linalg.norm(com - self.uniform.com) <= LANDED * self.longest)


class Mistakes(NamedTuple):
    """What explains a tensor: a finding for each mistake, the right inertial if one is certain, and `slip`.

    `slip` is the inertial with the mass that its tensor is for: either the mass is wrong or the tensor.
    """

    findings: tuple[Finding, ...] = ()
    right: Inertial | None = None
    slip: Inertial | None = None


class _Guess(NamedTuple):
    """A mistake, the six numbers with it, and the right ones, in the axes of the inertial's origin.

    `form` is that of its finding; `better` is True if it explains the numbers better than an earlier one that gives the
    same; `values` are more for the message.
    """

    name: str
    six: FloatArray
    right: FloatArray
    certain: bool = True
    better: bool = False
    form: str = ""
    values: Mapping[str, Any] = NOTHING


@np.errstate(all="ignore")  # absurd numbers fit nothing
def tensor_mistakes(body: Inertial, written: Written, solids: Sequence[Solid], box: Inertial | None) -> Mistakes:
    """Return the mistakes that explain a tensor.

    Parameters
    ----------
    body : Inertial
        In the link's frame, mass above 0; it need not be possible.
    written : Written
        The same as written in the file.
    solids : sequence of Solid
        A tensor that fits one of them unchanged has no mistake.
    box : Inertial or None
        The uniform body in the box around the geometry, which clears a tensor, too.
    """
    # What the file would state of each solid, and last of the box, without a mistake: if it does so, nothing is wrong.
    solids = [solid for solid in solids if not _is_ball(solid.uniform)]
    uniform = [solid.uniform for solid in solids] + ([] if box is None else [box])
    expected = [six_of(written.R.T @ uniform_body.scaled_to(body.mass).inertia @ written.R) for uniform_body in uniform]
    if not solids or any(written.fits(six, CLEARLY) for six in expected):
        return Mistakes()
    # Of guesses with the same numbers, and of one mistake, the first counts, unless a later one is better.
    explained: list[tuple[_Guess, Solid]] = []
    for solid, right in zip(solids, expected, strict=False):  # without the box
        guesses = [*_guesses(body, written, solid, right)]
        near = written.may_fit(np.array([guess.six for guess in guesses]))  # all at once: `proves` is slow
        for guess in (guess for guess, is_near in zip(guesses, near, strict=True) if is_near):
            if written.proves(guess.six) and not any(_is_known(guess, other) for other, _ in explained):
                explained = [pair for pair in explained if not (guess.better and _same_numbers(guess, pair[0]))]
                explained.append((guess, solid))
    if not explained:
        explained = _perhaps_exchanged(body, written, solids, expected)
    findings = tuple(_finding(body, written, guess) for guess, _ in explained)
    # Only a single explanation shows which inertial is right.
    if len(explained) != 1:
        return Mistakes(findings)
    guess, solid = explained[0]
    if guess.name == "mass":
        low, high = written.multiples(guess.right)
        return Mistakes(findings, slip=Inertial(shortest(body.mass * low, body.mass * high), body.com, body.inertia))
    if not (guess.certain and solid.holds(body.com)):
        return Mistakes(findings)
    return Mistakes(findings, Inertial(body.mass, body.com, solid.uniform.scaled_to(body.mass).inertia))


def is_of_density(density: float, body: Inertial, written: Written, solid: Solid) -> bool:
    """Return True if mass and tensor are those of a geometry of a density [kg/m³], to all their digits."""
    mass = density * solid.volume
    six = six_of(written.R.T @ solid.uniform.scaled_to(mass).inertia @ written.R)
    if not abs(mass - body.mass) <= (written.mass_rounding + FINEST) * mass:
        return False
    least, most = written.multiples(six)  # the mass may have few digits; then the tensor shows the density
    return least <= 1.0 <= most and written.proves(six)


def _guesses(body: Inertial, written: Written, solid: Solid, right: FloatArray) -> Iterator[_Guess]:
    """Yield what each mistake would make of a solid's tensor, whose six components without one are `right`."""
    R, tensor = written.R, solid.uniform.scaled_to(body.mass).inertia
    for six in _exchanged(R.T @ tensor @ R):
        yield _Guess("axes", six, right)
    # The centre shows the scale at which both were computed; at the same mass, moments grow with its square.
    scale = _scale(body.com, solid)
    if scale is not None:
        yield _Guess("size", right * scale**2, right, certain=False, values={"scale": scale})
    # Moments of another mass are a multiple of the right ones, which a shell or a core does not explain.
    low, high = written.multiples(right)
    times = (low + high) / 2.0
    if low <= high and 1.0 / MOST <= times <= MOST and not CORED <= times <= HOLLOW * (1.0 + APART):
        yield _Guess("mass", right * times, right)
    # About the link's origin instead of the centre of mass (Steiner's theorem).
    for com in (body.com, solid.uniform.com) if solid.holds(body.com) else ():
        yield _Guess("origin", right + body.mass * six_of(R.T @ steiner(com) @ R), right)
    yield from _formulas(body.mass, R, solid, right)
    for six in (*(right * signs for signs in SIGNS), *(right[order] for order in PRODUCTS)):
        yield _Guess("products", six, right)
    # In the link's axes, or rotated the other way. The file states this rotation, so these are better explanations than
    # the exchanges and signs above, which may give the same numbers.
    for Q in (np.eye(3), R.T):
        yield _Guess("frame", six_of(Q.T @ tensor @ Q), right, better=True)
    # In the axes of one of the parts, or rotated the other way.
    for Q in (*solid.turns, *(turn.T for turn in solid.turns)):
        yield _Guess("frame", six_of(Q.T @ tensor @ Q), right)
    for order in ORDERS:
        yield _Guess("order", right[order], right)
    for axes in REPEATED:
        yield _Guess("axes", np.array([*right[axes], *right[3:]]), right, certain=False, form="repeated")


def _formulas(mass: float, R: FloatArray, solid: Solid, right: FloatArray) -> Iterator[_Guess]:
    """Yield what wrong formulas give for a geometry of a mass [kg], in the axes R of the inertial's origin."""
    pieces, share = solid.pieces, mass / solid.uniform.mass
    volume = solid.volume
    if not volume > 0.0:
        return
    for per_metre, unit in VOLUME_UNITS.items():  # ∫ over the volume, which grows with the fifth power of the size
        six = right * (volume / mass * per_metre**5)
        yield _Guess("formula", six, right, form="volume", values={"unit": unit})
    if len(pieces) > 1:  # each about its own centre, not about that of all
        about_centres = sum((piece.body.inertia for piece in pieces), np.zeros((3, 3)))
        six = share * six_of(R.T @ about_centres @ R)
        yield _Guess("formula", six, right, form="steiner", values={"count": len(pieces)})
    elif isinstance(pieces[0].geometry, Cylinder):
        # ∫x² dm along the cylinder's own axes, of which the third is long. A thin rod has none of the radius across its
        # axis; a diameter in place of the radius makes what stems from it four times as large.
        spread = mass / volume * np.diag(pieces[0].moments.covariance)
        A = R.T @ pieces[0].pose.R
        for form, radial, across in (("rod", 1.0, 0.0), ("diameter", 4.0, 4.0)):
            around = 2.0 * radial * spread[0]
            moments = np.diag([across * spread[0] + spread[2]] * 2 + [around])
            yield _Guess("formula", six_of(A @ moments @ A.T), right, form=form)


def _scale(com: FloatArray, solid: Solid) -> float | None:
    """Return the factor by which the geometry's centre is scaled to the given one; None if that is not plain."""
    centre = solid.uniform.com
    far = float(np.linalg.norm(centre))
    if far < CLEAR * solid.longest or solid.holds(com):
        return None
    # Least squares of com = scale * centre.
    scale = float(com @ centre) / far**2
    exact = 1.0 / MOST <= scale <= MOST and bool(np.linalg.norm(com - scale * centre) <= LANDED * far * scale)
    return scale if exact else None


def shortest(low: float, high: float) -> float:
    """Return the number with the fewest digits between two positive ones."""
    middle = (low + high) / 2.0
    rounded = (float(f"{middle:.{digits}g}") for digits in range(1, 17))
    return next((number for number in rounded if low <= number <= high), middle)


def _exchanged(tensor: FloatArray) -> FloatArray:
    return six_of(EXCHANGES @ tensor @ EXCHANGES.transpose(0, 2, 1))


def _perhaps_exchanged(
    body: Inertial, written: Written, solids: Sequence[Solid], expected: Sequence[FloatArray]
) -> list[tuple[_Guess, Solid]]:
    """Return axes that are perhaps exchanged: the proportions nearly match those of the geometry about other axes."""
    as_is = min(_unlike(written.six, six) for six in expected)
    for solid, right in zip(solids, expected, strict=False):  # without the box
        for six in _exchanged(written.R.T @ solid.uniform.scaled_to(body.mass).inertia @ written.R):
            may_be = as_is > FAR and 1.0 / ALIKE < size(written.six) / size(six) < ALIKE
            if may_be and _unlike(written.six, six) <= min(as_is / CLEARLY, NEAR):
                return [(_Guess("axes", six, right, certain=False), solid)]
    return []


def _is_ball(uniform: Inertial) -> bool:
    moments = np.linalg.eigvalsh(uniform.inertia)
    return not moments[2] - moments[0] > EQUAL * moments.sum()


def _is_known(guess: _Guess, other: _Guess) -> bool:
    """Return True if another guess is of the same mistake, or gives the same numbers by a simpler one."""
    return guess.name == other.name or (_same_numbers(guess, other) and not guess.better)


def _same_numbers(guess: _Guess, other: _Guess) -> bool:
    return bool(np.abs(guess.six - other.six).max() <= FINEST * size(other.six))


def _unlike(a: FloatArray, b: FloatArray) -> float:
    """Return the largest difference between six components and six others, each in shares of its trace."""
    return float(np.abs(a / a[:3].sum() - b / b[:3].sum()).max())


def _finding(body: Inertial, written: Written, guess: _Guess) -> Finding:
    # Which moment repeats another; only the message about a repeated one names it.
    repeated = next((n for n in range(3) for m in range(3) if n != m and _repeats(written.six, guess.right, n, m)), 0)
    words: dict[str, Any] = {
        "given": numbers_text(written.six[:3]),
        "wrong": numbers_text(written.six[3:]),
        "moments": numbers_text(guess.right[:3]),
        "products": numbers_text(guess.right[3:]),
        "perhaps": "" if guess.certain else "perhaps ",
        "mass": body.mass,
        "other": body.mass * size(guess.six) / size(guess.right),
        "moment": SIX[repeated],
        "repeats": float(written.six[repeated]),
        "meant": float(guess.right[repeated]),
    }
    return Finding.of("warning", CODES[guess.name], "", guess.form, **words, **guess.values)


def _repeats(six: FloatArray, right: FloatArray, wrong: int, source: int) -> bool:
    """Return True if a moment repeats another one, which is right."""
    return bool(abs(six[source] - right[source]) < abs(six[wrong] - right[wrong]) and six[wrong] == six[source])
