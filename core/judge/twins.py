# SPDX-License-Identifier: Apache-2.0
"""Left and right links, by their names, whose geometry is mirrored but not their inertials; which of them is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np
import numpy.typing as npt

from ..arrays import FloatArray
from ..body.compare import difference
from ..body.few_digits import shortened
from ..body.inertial import COMPONENTS, Inertial
from ..errors import Finding
from ..formats.file_link import SOURCES, FileLink
from ..robot.extent import extent_of
from ..robot.model import Unusable
from ..units import numbers_text
from .geometry.given_inertial import uniform_shown
from .verdict import OF_CODE, Verdict, judge_inertial

SAME = 5e-3
"""Numbers this close, relatively, agree to three digits."""

SMALL = 1e-2
"""The sign does not matter for a coordinate below this share of the radius of gyration, or for a product below this
share of the trace."""

ROUNDINGS = 10.0
"""A wrong sign must change a number by at least this many rounding errors of the file's digits."""

CERTAIN, LIKELY = 3.0, 1.5
"""A sign is certain, or likely, if it brings the inertial this many times nearer to the geometry than the other sign.
Of 3,200 uniform bodies with a motor in one part, a tenth to a half of the mass, 3 was wrong for one."""

SIGNS = {axis: np.where(np.arange(3) == axis, -1.0, 1.0) for axis in range(3)}
"""Factors by which a mirror normal to each axis multiplies coordinates; their outer product multiplies the tensor."""

TINY = float(np.finfo(np.float64).tiny)
"""Added to a divisor that may be zero."""

LEFT = {
    **{"left": "right", "l": "r"},
    **{"fl": "fr", "rl": "rr", "bl": "br", "hl": "hr", "ml": "mr"},
    **{"lf": "rf", "lr": "rr", "lb": "rb", "lh": "rh", "lm": "rm"},
}
"""Words for left, alone or with front, rear, back, hind or middle, and the same for right."""

OPPOSITE = {right_word: left_word for left_word, right_word in LEFT.items()} | LEFT
"""For each word for a side, the one for the other side."""

_WORD = re.compile(r"(?i:left|right)|[A-Z]+(?![a-z])|[A-Z]?(?:(?!left|right)[a-z])+|.")
"""A word of a name: it ends before a sign, a digit, a capital letter, `left` or `right`."""

ALIKE, CLEAR = 0.02, 10.0
"""Geometries are mirrored if, after mirroring one, they differ by less than `ALIKE`, a share of their size, and without
mirroring by more than `CLEAR` times as much."""


@dataclass(frozen=True, eq=False)
class Copied:
    """The numbers that two inertials share although a mirror between them would change their signs.

    Parameters
    ----------
    axis : int
        The mirror's normal, in the axes of both links.
    com : ndarray of bool, shape (3,)
        True for each copied coordinate.
    inertia : ndarray of bool, shape (3, 3)
        True for each copied product.
    matters : tuple of bool
        Whether the copied coordinates, and the copied products, are large enough to matter.
    """

    axis: int
    com: npt.NDArray[np.bool_]
    inertia: npt.NDArray[np.bool_]
    matters: tuple[bool, bool]

    def mirrored(self, body: Inertial) -> Inertial:
        """Return a body with these signs reversed."""
        com, tensor = np.where(self.com, -body.com, body.com), np.where(self.inertia, -body.inertia, body.inertia)
        return Inertial(body.mass, com, tensor)


@np.errstate(all="ignore")  # absurd numbers agree with nothing
def with_twins(verdicts: list[Verdict]) -> list[Verdict]:
    """Add a finding to links that have the inertial of their twin, although the two are mirrored.

    The finding about a tensor of zero also gets the numbers of the sound twin.
    """
    numbers = {verdict.link.name: number for number, verdict in enumerate(verdicts)}
    for names in twins(numbers):
        first, second = (numbers[name] for name in names)
        for number, twin in ((first, second), (second, first)):
            verdicts[number] = _with_sound_twin(verdicts[number], verdicts[twin])
        a, b = verdicts[first], verdicts[second]
        if _is_comparable(a) and _is_comparable(b):
            verdicts[first], verdicts[second] = _compared(a, b)
    return verdicts


def twins(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield all pairs of a left and a right link, by their names with the model's.

    In the twin's name all words for a side are exchanged, as in left_hand_left_finger and right_hand_right_finger; if
    no link has that name, one of them.
    """
    known = dict.fromkeys(names)
    for name in known:
        model, scope, local = name.partition("::")
        words = [model, scope, *_WORD.findall(local)]
        sided = [number for number, word in enumerate(words) if number > 1 and word.lower() in OPPOSITE]
        whole = _turned(words, sided)
        if whole in known:
            choices = [sided] if sided and words[sided[0]].lower() in LEFT else []
        else:
            choices = [[number] for number in sided if words[number].lower() in LEFT]
        yield from ((name, twin) for choice in choices if (twin := _turned(words, choice)) in known)


def twin_name(name: str) -> str | None:
    """Return the name of a link's twin on the other side, such as right_foot of left_foot; None if it has no side."""
    words = _WORD.findall(name)
    sided = [number for number, word in enumerate(words) if word.lower() in OPPOSITE]
    return _turned(words, sided) if sided else None


def copied_signs(a: Inertial, b: Inertial) -> Iterator[Copied]:
    """Yield the numbers that one inertial copied from the other, for each possible mirror.

    A mirror is possible if all numbers agree whose signs it does not change.
    """
    if abs(a.mass - b.mass) > SAME * a.mass:
        return
    trace = float(np.trace(a.inertia))
    com, tensor = _shares(a.com, b.com, float(np.sqrt(trace / a.mass))), _shares(a.inertia, b.inertia, trace)
    if com is None or tensor is None:
        return
    # Shares are negative where the signs of the twins differ, and above 1 in magnitude where the sign matters. A number
    # whose sign the mirror changes is copied if the twins have the same sign; the others must not differ in sign.
    for axis, signs in SIGNS.items():
        turned = ((com, signs < 0.0), (tensor, np.outer(signs, signs) < 0.0))
        others_agree = all(np.all(shares[~of_mirror] > -1.0) for shares, of_mirror in turned)
        matters = [bool(np.any(shares[of_mirror] > 1.0)) for shares, of_mirror in turned]
        if others_agree and any(matters):
            of_com, of_tensor = (of_mirror & (shares > 0.0) for shares, of_mirror in turned)
            yield Copied(axis, of_com, of_tensor, (matters[0], matters[1]))


def which_fits(a: Inertial, shape: Inertial, copied: Copied) -> tuple[bool, bool] | None:
    """Return whether the first of two twins is the sound one, and whether that is certain; None if undecided.

    It is sound if its copied numbers are nearer to those of its uniform geometry, `shape` of 1 kg, as they are than
    with the other signs.
    """
    given = a.scaled_to(1.0)
    turned = copied.mirrored(given)
    # How many times nearer to the geometry the centre is as it is than with the other signs; then the products.
    times = []
    products = np.triu_indices(3, 1)
    numbers = [(body.com, body.inertia[products]) for body in (given, turned, shape)]
    for matters, as_is, mirrored, right in zip(copied.matters, *numbers, strict=True):
        if matters:
            off_as_is, off_mirrored = (float(np.linalg.norm(of_sign - right)) for of_sign in (as_is, mirrored))
            times.append((off_mirrored + TINY) / (off_as_is + TINY))
    if min(times) > LIKELY:
        return True, min(times) > CERTAIN
    if max(times) < 1.0 / LIKELY:
        return False, max(times) < 1.0 / CERTAIN
    return None


def mirror(body: Inertial, axis: int) -> Inertial:
    """Return a body mirrored across the plane through the origin that is normal to an axis."""
    signs = SIGNS[axis]
    return Inertial(body.mass, signs * body.com, np.outer(signs, signs) * body.inertia)


def _with_sound_twin(verdict: Verdict, twin: Verdict) -> Verdict:
    sound = twin.link.inertial
    if twin.fault is not None or sound is None:
        return verdict
    values = {"twin": twin.link.local_name, "moments": numbers_text(np.diag(sound.inertia))}
    return replace(verdict, findings=tuple(_beside(finding, values) for finding in verdict.findings))


def _beside(finding: Finding, twin: Mapping[str, str]) -> Finding:
    """Return a finding about a tensor of zero with the moments of the link's twin; any other as it is."""
    return finding.with_values(twin) if finding.code == "zero_tensor" else finding


def _is_comparable(verdict: Verdict) -> bool:
    link = verdict.link
    has_numbers = link.inertial is not None and link.inertial.mass > 0.0 and not (link.auto or link.static)
    warnings = {OF_CODE.get(finding.code) for finding in verdict.findings if finding.severity != "info"}
    return has_numbers and warnings <= {"doubtful", "twins"}


def _compared(a: Verdict, b: Verdict) -> tuple[Verdict, Verdict]:
    """Return the verdicts on twins, with a finding for the wrong one, or for both if it is not known which is wrong."""
    assert a.link.inertial is not None and b.link.inertial is not None
    candidates = list(copied_signs(a.link.inertial, b.link.inertial))
    if candidates and not (a.link.has_geometry or b.link.has_geometry):
        axis = _axis_between(a.link, b.link)
        return next((_both(a, b, signs) for signs in candidates if signs.axis == axis), (a, b))
    for of_a, of_b in _shapes(a.link, b.link) if candidates else ():
        apart = difference(of_a, of_b).worst
        mirrored = {signs: difference(mirror(of_a, signs.axis), of_b).worst for signs in candidates}
        mirrors = [
            signs for signs, residual in mirrored.items() if residual < ALIKE <= apart and CLEAR * residual < apart
        ]
        if len(mirrors) == 1:
            return _decided(a, b, mirrors[0], of_a)
        if mirrors or apart < ALIKE <= min(mirrored.values()):
            break  # the geometries are equal, not mirrored, so equal inertials are right
    return a, b


def _shapes(a: FileLink, b: FileLink) -> Iterator[tuple[Inertial, Inertial]]:
    """Yield the collisions of twins, then their visuals, as uniform bodies of 1 kg (boxes, if one has no volume)."""
    for source in SOURCES:
        parts = a.parts(source), b.parts(source)
        box_a, box_b = map(extent_of, parts)
        readable = not any(isinstance(part.geometry, Unusable) for of_link in parts for part in of_link)
        if box_a is not None and box_b is not None and readable:
            of_a, of_b = (uniform_shown(of_link)[1] for of_link in parts)
            if of_a is None or of_b is None:
                of_a, of_b = box_a.filled(1.0), box_b.filled(1.0)
            yield of_a.scaled_to(1.0), of_b.scaled_to(1.0)


def _axis_between(a: FileLink, b: FileLink) -> int | None:
    """Return the axis along which two parallel links of one parent are side by side; None if they are not."""
    if a.parent is None or a.parent != b.parent:
        return None
    X, Y = a.link.pose, b.link.pose
    between = np.abs(X.R.T @ (Y.p - X.p))
    axis = int(np.argmax(between))
    aside = between[axis] > 0.0 and bool(np.all(np.delete(between, axis) <= 1e-6 * between[axis]))
    return axis if aside and np.allclose(X.R, Y.R, atol=1e-6) else None


def _decided(a: Verdict, b: Verdict, copied: Copied, of_a: Inertial) -> tuple[Verdict, Verdict]:
    assert a.link.inertial is not None
    fits = which_fits(a.link.inertial, of_a, copied)
    if fits is None:
        return _both(a, b, copied)
    a_is_sound, certain = fits
    if (a if a_is_sound else b).mistakes:  # of two mistakes neither is certain
        return _both(a, b, copied)
    return (a, _wrong(b, a, copied, certain)) if a_is_sound else (_wrong(a, b, copied, certain), b)


def _wrong(verdict: Verdict, twin: Verdict, copied: Copied, certain: bool) -> Verdict:
    """Return the verdict on the wrong twin, with the right inertial unless that is doubtful too."""
    assert verdict.link.inertial is not None
    right = copied.mirrored(verdict.link.inertial)
    if judge_inertial(verdict.link, right).findings:
        return _with_finding(verdict, twin, copied, "copied")
    # Doubts follow from the wrong numbers.
    others = tuple(finding for finding in verdict.findings if OF_CODE.get(finding.code) != "doubtful")
    form = "certain" if certain else "likely"
    named = _with_finding(replace(verdict, findings=others), twin, copied, form)
    return replace(named, right=right, certain=certain)


def _both(a: Verdict, b: Verdict, copied: Copied) -> tuple[Verdict, Verdict]:
    return _with_finding(a, b, copied), _with_finding(b, a, copied)


def _with_finding(verdict: Verdict, twin: Verdict, copied: Copied, form: str = "") -> Verdict:
    """Return the verdict with the finding; without a form, it says that one of the two is wrong."""
    assert verdict.link.inertial is not None
    right = shortened(copied.mirrored(verdict.link.inertial))
    names = [
        name for name, matters in zip(("centre of mass", "products of inertia"), copied.matters, strict=True) if matters
    ]
    its = f"its {' and '.join(names)} {'is' if names == ['centre of mass'] else 'are'}"
    numbers = [f"{name} = {value:.6g} m" for name, value in zip("xyz", right.com.tolist(), strict=True)]
    shown = [text for text, is_copied in zip(numbers, copied.com, strict=True) if is_copied]
    products = [(name, right.inertia[at]) for name, at in COMPONENTS.items() if copied.inertia[at]]
    shown += [f"{name} = {value:.6g}" for name, value in products if value]
    values = {"its": its, "twin": twin.link.local_name, "axis": "xyz"[copied.axis], "numbers": ", ".join(shown)}
    finding = Finding.of("warning", "twin_not_mirrored", "", form, **values)
    return replace(verdict, findings=(*verdict.findings, verdict.link.element.about(finding)))


def _shares(a: FloatArray, b: FloatArray, size: float) -> FloatArray | None:
    """Return the magnitude of each number, relative to the smallest that matters; negative if the signs differ.

    None if the two differ in more than signs.
    """
    least = max(SMALL * size, ROUNDINGS / 2.0 * _rounding(np.vstack([a, b])))
    if np.any(np.abs(np.abs(a) - np.abs(b)) > SAME * np.maximum(np.abs(a), SMALL * size)):
        return None
    shares: FloatArray = np.sign(a * b) * np.minimum(np.abs(a), np.abs(b)) / least
    return shares


def _rounding(numbers: FloatArray) -> float:
    """Return half a unit of the last decimal that any of the numbers has."""
    return 0.5 * 10.0 ** min(int(Decimal(repr(number)).as_tuple().exponent) for number in numbers.ravel().tolist())


def _turned(words: list[str], chosen: list[int]) -> str:
    return "".join(_opposite(word) if number in chosen else word for number, word in enumerate(words))


def _opposite(word: str) -> str:
    other = OPPOSITE[word.lower()]
    return other.upper() if word.isupper() else other.capitalize() if word[0].isupper() else other
