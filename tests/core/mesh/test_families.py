# SPDX-License-Identifier: GPL-3.0-or-later
"""Generated meshes against exact rational truth: right, right with a warning, rightly refused, or within the error.

The outcomes are counted at the end: ``pytest -s tests/core/mesh/test_families.py``.
"""

from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from core import InertiaError, check_mesh, measure_mesh

from ...thorough import many, sample
from ..exact import integrate
from ..families import FAMILIES, generated
from ..families.case import REFUSED, RIGHT, STATED, WARNED

EACH = many(40, 3)
"""Of each of thirty families."""

counted: dict[str, Counter] = {}


@pytest.fixture(scope="module", autouse=True)
def tally():
    yield
    for family, outcomes in counted.items():
        print(f"\n{family}: {dict(outcomes)}", end="")


def farthest_off(moments, truth):
    """Return the largest error of volume, centroid and tensor, relative to volume, size and trace, as a fraction."""
    trace = sum(abs(truth.covariance[i][i]) for i in range(3))
    off = [abs(Fraction(moments.volume) - truth.volume) / abs(truth.volume)]
    for i in range(3):
        # Half an ulp is what it costs to write a coordinate down at all.
        half_ulp = Fraction(float(np.spacing(abs(float(truth.centroid[i]))))) / 2
        off.append((abs(Fraction(float(moments.centroid[i])) - truth.centroid[i]) - half_ulp) / truth.size)
        off += [abs(Fraction(float(moments.covariance[i, j])) - truth.covariance[i][j]) / trace for j in range(3)]
    return max(off)


def judge(case):
    """Return the outcome of measuring a generated mesh; raise AssertionError where it is none of the right ones."""
    copies = [array.copy() for array in case.mesh]
    found = check_mesh(*case.mesh)
    try:
        measured = measure_mesh(*case.mesh)
    except InertiaError as error:
        assert error.message and error.remedy, f"refused as {error.code} without a message or a remedy"
        assert error.code in {one.code for one in found if one.severity == "error"}, "check_mesh says otherwise"
        assert REFUSED in case.may, f"refused as {error.code}: {error.message}"
        assert error.code in case.refusals, f"refused as {error.code} instead of {set(case.refusals)}"
        return REFUSED
    for array, copy in zip(case.mesh, copies, strict=True):
        assert np.array_equal(array, copy), "the user's mesh was changed"
    assert "error" not in {one.severity for one in found}, "check_mesh refuses what is measured"
    codes = {one.code for one in measured.findings}
    assert codes <= {one.code for one in found}, "check_mesh does not say what measuring says"
    assert case.truth is not None, f"{measured.moments.volume:g} by {measured.method}, but there is no solid: {codes}"
    off = farthest_off(measured.moments, case.truth)
    report = f"off by {float(off):.1e}, error {measured.error:.1e} by {measured.method}, {sorted(codes)}"
    warned = any(one.severity == "warning" for one in measured.findings)
    if off <= case.tolerance:
        outcome = WARNED if warned else RIGHT
    else:
        assert off <= measured.error, report
        outcome = STATED
    assert not case.expected or codes & case.expected, report
    assert outcome in case.may, f"{outcome}: {report}"
    if measured.surface is not None and measured.method in ("exact", "union"):  # what an exporter writes
        written = integrate(measured.surface.vertices, measured.surface.triangles)
        allowed = max(case.tolerance, Fraction(measured.error), Fraction(1, 10**9))
        assert farthest_off(measured.moments, written) <= allowed, f"the corrected surface is another solid: {report}"
    return outcome


def test_every_generated_mesh_is_right_or_refused_or_within_its_error():
    wrong = []
    for family, number in product(FAMILIES, range(EACH)):
        try:
            counted.setdefault(family, Counter())[judge(generated(family, number))] += 1
        except AssertionError as error:
            wrong.append(f"{family} {number}: {str(error).splitlines()[0]}")
    assert not wrong, "\n" + "\n".join([f"{len(wrong)} of {EACH * len(FAMILIES)}", *wrong])


def test_a_family_is_the_same_twice_and_placing_it_keeps_its_truth():
    for family in sample(FAMILIES, 5):
        case = generated(family, 0)
        again = generated(family, 0)
        assert all(np.array_equal(a, b) for a, b in zip(case.mesh, again.mesh, strict=True))
    clean = generated("clean", 1)
    assert integrate(*clean.mesh).volume == clean.truth.volume
    assert integrate(*clean.mesh).covariance == clean.truth.covariance
