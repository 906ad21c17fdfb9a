# SPDX-License-Identifier: GPL-3.0-or-later
"""Left and right twins: links whose geometry is mirrored, while their inertials are copies of each other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ..arrays import FloatArray
from ..body.inertial import Inertial
from ..errors import Finding
from ..robot.resolve import LinkBody, resolve_link
from ..sdf.file_link import FileLink, as_parts
from .verdict import OF_CODE, Verdict

WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^A-Za-z]+")
"""The words of a link's name, with what is between them."""

LEFT_RIGHT = {
    "left": "right",
    "l": "r",
    **{f"{place}l": f"{place}r" for place in "fbhmr"},
    **{f"l{place}": f"r{place}" for place in "fbhmr"},
}
"""The word of the right twin for that of the left one: fl is front left, rl rear left, lh left hind."""

MIRRORS = tuple(np.array(signs) for signs in ((1.0, -1.0, 1.0), (-1.0, 1.0, 1.0), (1.0, 1.0, -1.0), (-1.0, -1.0, -1.0)))
"""Signs of the coordinates of the right twin, in the axes of its own frame, for those of the left one."""

EQUAL = 1e-6
"""Numbers of two links that differ less, relative to their size, are copies of each other."""

MIRRORED = 1e-3
"""Geometries are mirrored if they differ by less than this share of their size."""

ODD = 5e-3
"""Share of the radius of gyration, or of the trace, from which on it matters that a number was not mirrored."""

NEARER = 1.0 / 3.0
"""The twin whose numbers, of those that a mirror changes, are this much nearer to its geometry's has the right ones."""

FOLLOW_A_COPY = ("com_outside", "impossible_spread", "radius_of_gyration")
"""Findings that only follow from the inertial of the other side."""


class Copy(NamedTuple):
    """What of an inertial was copied and not mirrored: of the centre of mass (3,) and of the tensor (3, 3)."""

    signs: FloatArray
    com: bool
    tensor: bool

    def mirrored(self, inertial: Inertial) -> Inertial:
        com = inertial.com * self.signs if self.com else inertial.com
        tensor = inertial.inertia * np.outer(self.signs, self.signs) if self.tensor else inertial.inertia
        return Inertial(inertial.mass, com + 0.0, tensor + 0.0)


def with_twins(verdicts: list[Verdict]) -> list[Verdict]:
    """Add a finding to links whose inertial is that of their twin, not mirrored; with the right one if it is certain.

    The geometries are mirrored in the links' own axes, mass and numbers are equal. Without any geometry, the places of
    parallel frames count; it is uncertain then which of the twins is right.
    """
    for left, right in twins([one.link for one in verdicts]):
        pair = (verdicts[left], verdicts[right])
        if any(one.link.static for one in pair):
            continue
        inertials = [one.link.inertial for one in pair]
        if any(one is None or not (one.is_finite() and one.mass > 0.0) for one in inertials):
            continue
        for number, other in ((left, right), (right, left)):
            verdicts[number] = _with_twin_of_zero(verdicts[number], verdicts[other])
        findings = [one for verdict in pair for one in verdict.findings if one.severity != "info"]
        if all(OF_CODE.get(one.code) == "doubtful" for one in findings):
            verdicts[left], verdicts[right] = _judged(*pair)
    return verdicts


def twins(links: Sequence[FileLink]) -> Iterator[tuple[int, int]]:
    """Yield the left and the right link of each pair, by number."""
    numbers = {link.name: number for number, link in enumerate(links)}
    for number, link in enumerate(links):
        right = _right_name(link.local_name)
        other = None if right is None else numbers.get(f"{link.model}::{right}")
        if other is not None:
            yield number, other


def _right_name(name: str) -> str | None:
    """Return what the right twin of a left link is called; None if its name has no side, or two of them."""
    words = WORDS.findall(name)
    sides = [word for word in words if word.lower() in LEFT_RIGHT or word.lower() in LEFT_RIGHT.values()]
    if len(sides) != 1 or sides[0].lower() not in LEFT_RIGHT:
        return None
    return "".join(_like(word, LEFT_RIGHT[word.lower()]) if word is sides[0] else word for word in words)


def _like(word: str, other: str) -> str:
    """Return another word in the case of a word."""
    return other.upper() if word.isupper() else other.capitalize() if word[0].isupper() else other


def _with_twin_of_zero(verdict: Verdict, twin: Verdict) -> Verdict:
    """Name the sound twin of a link whose tensor is zero."""
    other = twin.link.inertial
    if twin.fault is not None or other is None:
        return verdict
    moments = ", ".join(f"{moment:.4g}" for moment in np.diag(other.inertia))
    hint = f"; its twin {twin.link.local_name} has ({moments}) at {other.mass:.4g} kg"
    return replace(
        verdict,
        findings=tuple(
            replace(one, message=one.message + hint) if one.code == "zero_tensor" else one for one in verdict.findings
        ),
    )


def _judged(left: Verdict, right: Verdict) -> tuple[Verdict, Verdict]:
    a, b = left.link.inertial, right.link.inertial
    assert a is not None and b is not None
    if not any(_copy(a, b, signs) for signs in MIRRORS):
        return left, right
    for geometry in _geometries(left.link, right.link):
        relations = [signs for signs in MIRRORS if _is_mirrored(*geometry, signs)]
        if len(relations) != 1 or _is_mirrored(*geometry, np.ones(3)):
            continue
        copy = _copy(a, b, relations[0])
        if copy is None:
            return left, right
        wrong = _wrong_side(a, geometry, copy)
        if wrong == "left":
            return _accused(left, right, copy), right
        if wrong == "right":
            return left, _accused(right, left, copy)
        return left, _in_doubt(right, left, copy)
    if not (left.link.has_geometry or right.link.has_geometry):
        signs = _by_places(left.link, right.link)
        copy = None if signs is None else _copy(a, b, signs)
        if copy is not None:
            return left, _in_doubt(right, left, copy)
    return left, right


def _copy(a: Inertial, b: Inertial, signs: FloatArray) -> Copy | None:
    """Return what of two inertials is equal and should be mirrored; None if they are no copies of each other."""
    gyration, trace = _sizes(a)
    if abs(a.mass - b.mass) > EQUAL * a.mass or not gyration > 0.0:
        return None
    mirrored = Copy(signs, True, True).mirrored(a)

    def copied(ours: FloatArray, theirs: FloatArray, wanted: FloatArray, size: float) -> bool | None:
        """True for a copy, False if it is mirrored or has nothing to mirror, None for neither."""
        if np.abs(theirs - wanted).max() <= ODD * size:
            return False
        return True if np.abs(theirs - ours).max() <= EQUAL * size else None

    com = copied(a.com, b.com, mirrored.com, gyration)
    tensor = copied(a.inertia, b.inertia, mirrored.inertia, trace)
    return None if com is None or tensor is None or not (com or tensor) else Copy(signs, com, tensor)


def _sizes(body: Inertial) -> tuple[float, float]:
    trace = float(np.trace(body.inertia))
    return float(np.sqrt(max(trace, 0.0) / body.mass)), trace


def _geometries(left: FileLink, right: FileLink) -> Iterator[tuple[Inertial, Inertial]]:
    """Yield the uniform bodies of the collisions, then of the visuals, if both links have them."""
    for ours, theirs in ((left.uniform(), right.uniform()), (_visible(left), _visible(right))):
        if ours is not None and theirs is not None and ours.inertial is not None and theirs.inertial is not None:
            yield ours.inertial, theirs.inertial


def _visible(link: FileLink) -> LinkBody | None:
    body = resolve_link(replace(link.solid, collisions=as_parts(link.visuals)), quick=True)
    return None if body.refused else body


def _is_mirrored(a: Inertial, b: Inertial, signs: FloatArray) -> bool:
    wanted = Copy(signs, True, True).mirrored(a)
    gyration, trace = _sizes(a)
    return bool(
        abs(a.mass - b.mass) <= MIRRORED * a.mass
        and np.abs(wanted.com - b.com).max() <= MIRRORED * gyration
        and np.abs(wanted.inertia - b.inertia).max() <= MIRRORED * trace
    )


def _wrong_side(given: Inertial, geometry: tuple[Inertial, Inertial], copy: Copy) -> str | None:
    """Return the side whose geometry the copied numbers do not fit; None if that cannot be decided."""
    shapes = [body.scaled_to(given.mass) for body in geometry]
    sides = set()
    for copied, signs, ours, theirs in (
        (copy.com, copy.signs, given.com, [body.com for body in shapes]),
        (copy.tensor, np.outer(copy.signs, copy.signs), given.inertia, [body.inertia for body in shapes]),
    ):
        left, right = (float(np.linalg.norm((ours - other)[signs < 0.0])) for other in theirs)
        if copied and left <= NEARER * right:
            sides.add("right")
        elif copied and right <= NEARER * left:
            sides.add("left")
    return sides.pop() if len(sides) == 1 else None


def _by_places(left: FileLink, right: FileLink) -> FloatArray | None:
    """Return the signs of the mirror between two parallel frames that are apart along one of their axes."""
    X, Y = left.link.pose, right.link.pose
    apart = np.abs(X.R.T @ (Y.p - X.p))
    axis = int(np.argmax(apart))
    others = np.delete(apart, axis)
    if not apart[axis] > 0.0 or others.max() > MIRRORED * apart[axis] or np.abs(X.R - Y.R).max() > MIRRORED:
        return None
    return np.where(np.arange(3) == axis, -1.0, 1.0)


def _accused(verdict: Verdict, twin: Verdict, copy: Copy) -> Verdict:
    inertial = verdict.link.inertial
    assert inertial is not None
    right = copy.mirrored(inertial)
    numbers = [f"the centre of mass ({_text(right.com)}) m"] if copy.com else []
    if copy.tensor:
        tensor = right.inertia
        numbers.append(f"Ixy, Ixz, Iyz ({_text(np.array([tensor[0, 1], tensor[0, 2], tensor[1, 2]]))})")
    message = (
        f"{_what(copy)} copied from its twin {twin.link.local_name}, but its geometry is mirrored:"
        f" {' and '.join(numbers)} would fit"
    )
    finding = Finding("warning", "twin_not_mirrored", "", message, "mirror them: repair")
    kept = (one for one in verdict.findings if one.code not in FOLLOW_A_COPY)
    return replace(verdict, findings=(*kept, verdict.link.place.about(finding)), right=right)


def _in_doubt(verdict: Verdict, twin: Verdict, copy: Copy) -> Verdict:
    axis = "".join(name for name, sign in zip("xyz", copy.signs, strict=True) if sign < 0.0)
    message = (
        f"{_what(copy)} the same as those of its twin {twin.link.local_name}, though the two are mirrored in {axis}:"
        " one of them is wrong"
    )
    finding = Finding("warning", "twin_not_mirrored", "", message, "mirror the wrong one")
    return replace(verdict, findings=(*verdict.findings, verdict.link.place.about(finding)))


def _what(copy: Copy) -> str:
    names = [name for name, copied in (("centre of mass", copy.com), ("products of inertia", copy.tensor)) if copied]
    return f"its {' and '.join(names)} {'is' if names == ['centre of mass'] else 'are'}"


def _text(numbers: FloatArray) -> str:
    return ", ".join(f"{number + 0.0:.4g}" for number in numbers)
