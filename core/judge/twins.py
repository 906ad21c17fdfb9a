# SPDX-License-Identifier: GPL-3.0-or-later
"""Twins whose geometry is mirrored, but not their inertials: one is a copy of the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from ..body.compare import difference
from ..body.inertial import COMPONENTS, Inertial
from ..errors import Finding
from ..formats.robot_file import shortened
from ..robot.extent import extent_of
from ..robot.given_inertial import Doubts, uniform_shown
from ..robot.model import Part, Unusable
from ..sdf.file_link import FileLink, as_parts
from ..units import numbers_text
from .twin_names import twins
from .twin_numbers import Copied, copied_signs, mirror, which_fits
from .verdict import OF_CODE, Verdict

ALIKE, CLEAR = 0.02, 10.0
"""Geometries are mirrored if they differ by less than a share of their size once mirrored, and by this many times as
much unmirrored."""

Judge = Callable[[FileLink, Inertial], Doubts]
"""Returns what is doubtful about an inertial for the geometry of a link."""


@np.errstate(all="ignore")  # absurd numbers agree with nothing
def with_twins(verdicts: list[Verdict], judge: Judge) -> list[Verdict]:
    """Add a finding to links that have the inertial of their twin, though the two are mirrored.

    Of a link whose tensor is zero, the finding names the sound twin.
    """
    numbers = {one.link.name: number for number, one in enumerate(verdicts)}
    for names in twins(numbers):
        left, right = (numbers[name] for name in names)
        for number, twin in ((left, right), (right, left)):
            verdicts[number] = _with_sound_twin(verdicts[number], verdicts[twin])
        a, b = verdicts[left], verdicts[right]
        if _is_comparable(a) and _is_comparable(b):
            verdicts[left], verdicts[right] = _compared(a, b, judge)
    return verdicts


def _with_sound_twin(verdict: Verdict, twin: Verdict) -> Verdict:
    sound = twin.link.inertial
    if twin.fault is not None or sound is None:
        return verdict
    has = f"; its twin {twin.link.local_name} has ({numbers_text(np.diag(sound.inertia))}) kg·m²"
    findings = (
        replace(one, message=one.message + has) if one.code == "zero_tensor" and "twin" not in one.message else one
        for one in verdict.findings
    )
    return replace(verdict, findings=tuple(findings))


def _is_comparable(verdict: Verdict) -> bool:
    link = verdict.link
    has_numbers = link.inertial is not None and link.inertial.mass > 0.0 and not (link.auto or link.static)
    warnings = {OF_CODE.get(one.code) for one in verdict.findings if one.severity != "info"}
    return has_numbers and warnings <= {"doubtful", "twins"}


def _compared(a: Verdict, b: Verdict, judge: Judge) -> tuple[Verdict, Verdict]:
    """Return the verdicts on twins with a finding for the wrong one; for both if it is not known which."""
    assert a.link.inertial is not None and b.link.inertial is not None
    candidates = list(copied_signs(a.link.inertial, b.link.inertial))
    if candidates and not (a.link.has_geometry or b.link.has_geometry):
        axis = _axis_between(a.link, b.link)
        return next((_both(a, b, one) for one in candidates if one.axis == axis), (a, b))
    for of_a, of_b in _shapes(a.link, b.link) if candidates else ():
        apart = difference(of_a, of_b).worst
        mirrored = {one: difference(mirror(of_a, one.axis), of_b).worst for one in candidates}
        mirrors = [one for one, left in mirrored.items() if left < ALIKE <= apart and CLEAR * left < apart]
        if len(mirrors) == 1:
            return _decided(a, b, mirrors[0], of_a, judge)
        if mirrors or apart < ALIKE <= min(mirrored.values()):
            break  # they are alike, not mirrored: then equal inertials are right
    return a, b


def _shapes(a: FileLink, b: FileLink) -> Iterator[tuple[Inertial, Inertial]]:
    """Yield the collisions of twins, then their visuals, as uniform bodies of 1 kg; as boxes if they have no volume."""
    yield from _bodies(a.link.collisions, b.link.collisions)
    yield from _bodies(as_parts(a.visuals), as_parts(b.visuals))


def _bodies(a: Sequence[Part], b: Sequence[Part]) -> Iterator[tuple[Inertial, Inertial]]:
    boxes = extent_of(a), extent_of(b)
    if boxes[0] is None or boxes[1] is None or any(isinstance(one.geometry, Unusable) for one in (*a, *b)):
        return
    of_a, of_b = uniform_shown(a)[1], uniform_shown(b)[1]
    if of_a is None or of_b is None:
        of_a, of_b = boxes[0].filled(1.0), boxes[1].filled(1.0)
    yield of_a.scaled_to(1.0), of_b.scaled_to(1.0)


def _axis_between(a: FileLink, b: FileLink) -> int | None:
    """Return the axis of both links along which they are side by side on one parent and parallel, if any."""
    if a.parent is None or a.parent != b.parent:
        return None
    X, Y = a.link.pose, b.link.pose
    between = np.abs(X.R.T @ (Y.p - X.p))
    axis = int(np.argmax(between))
    aside = between[axis] > 0.0 and bool(np.all(np.delete(between, axis) <= 1e-6 * between[axis]))
    return axis if aside and np.allclose(X.R, Y.R, atol=1e-6) else None


def _decided(a: Verdict, b: Verdict, copied: Copied, of_a: Inertial, judge: Judge) -> tuple[Verdict, Verdict]:
    assert a.link.inertial is not None
    fits = which_fits(a.link.inertial, of_a, copied)
    if fits is None:
        return _both(a, b, copied)
    a_is_sound, certain = fits
    if (a if a_is_sound else b).mistakes:  # of two mistakes neither is certain
        return _both(a, b, copied)
    return (a, _wrong(b, a, copied, certain, judge)) if a_is_sound else (_wrong(a, b, copied, certain, judge), b)


def _wrong(verdict: Verdict, twin: Verdict, copied: Copied, certain: bool, judge: Judge) -> Verdict:
    """Return the verdict on the wrong twin, with the right inertial unless that is doubtful, too."""
    assert verdict.link.inertial is not None
    right = copied.mirrored(verdict.link.inertial)
    if judge(verdict.link, right).findings:
        return _with_finding(verdict, twin, copied, "copied")
    others = tuple(one for one in verdict.findings if OF_CODE.get(one.code) != "doubtful")  # those follow from it
    form = "certain" if certain else "likely"
    named = _with_finding(replace(verdict, findings=others), twin, copied, form)
    return replace(named, right=right, certain=certain)


def _both(a: Verdict, b: Verdict, copied: Copied) -> tuple[Verdict, Verdict]:
    return _with_finding(a, b, copied), _with_finding(b, a, copied)


def _with_finding(verdict: Verdict, twin: Verdict, copied: Copied, form: str = "") -> Verdict:
    """Return the verdict with the finding; without a form, that one of the two is wrong."""
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
    return replace(verdict, findings=(*verdict.findings, verdict.link.place.about(finding)))
