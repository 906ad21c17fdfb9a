# SPDX-License-Identifier: GPL-3.0-or-later
"""Every awkward mesh of our own is right or refused as the catalogue of faults says, and none is silently wrong.

The score is printed at the end: ``pytest -s tests/core/mesh/diagnosis/test_awkward_set.py``.
"""

from fractions import Fraction
from functools import cache

import pytest

from ...exact import TOLERANCE, assert_exact, integrate
from ...solids.awkward import cases
from .judged import Score

OURS = cases()

TRUTH = cache(lambda name: OURS[name].truth())

UNION = Fraction(1, 10**4)
"""What the policy asks of a union by columns."""

ROWS = [
    pytest.param("no faces", marks=pytest.mark.fault(1)),
    pytest.param("one face missing", marks=pytest.mark.fault(2)),
    pytest.param("tube without ends", marks=pytest.mark.fault(2)),
    pytest.param("one face missing, far", marks=pytest.mark.fault(3)),
    pytest.param("sheet", marks=pytest.mark.fault(4)),
    pytest.param("double-faced sheet", marks=pytest.mark.fault(5)),
    pytest.param("sheet beside a cube", marks=pytest.mark.fault(5)),
    pytest.param("all flipped, far", marks=pytest.mark.fault(6)),
    pytest.param("three faces flipped", marks=pytest.mark.fault(7)),
    pytest.param("half of the faces flipped", marks=pytest.mark.fault(7)),
    pytest.param("one shell of two flipped", marks=pytest.mark.fault(8)),
    pytest.param("one face of each shell flipped", marks=pytest.mark.fault(8)),
    pytest.param("hollow cube inside out", marks=pytest.mark.fault(8)),
    pytest.param("cavity mostly outside", marks=pytest.mark.fault(8)),
    pytest.param("cavity", marks=pytest.mark.fault(9)),
    pytest.param("part in a cavity", marks=pytest.mark.fault(9)),
    pytest.param("cavity, tilted", marks=pytest.mark.fault(9)),
    pytest.param("inner shell outward", marks=pytest.mark.fault(10)),
    pytest.param("three shells outward", marks=pytest.mark.fault(10)),
    pytest.param("cavity in a cavity", marks=pytest.mark.fault(10)),
    pytest.param("inner shell outward, tilted", marks=pytest.mark.fault(10)),
    pytest.param("cubes overlap", marks=pytest.mark.fault(11)),
    pytest.param("cubes overlap in a row", marks=pytest.mark.fault(11)),
    pytest.param("cubes overlap by a hair", marks=pytest.mark.fault(11)),
    pytest.param("a prism through a cube", marks=pytest.mark.fault(11)),
    pytest.param("cubes apart", marks=pytest.mark.fault(12)),
    pytest.param("cubes touch", marks=pytest.mark.fault(13)),
    pytest.param("cubes share an edge", marks=pytest.mark.fault(13)),
    pytest.param("cubes share a corner", marks=pytest.mark.fault(13)),
    pytest.param("cubes touch, tilted", marks=pytest.mark.fault(13)),
    pytest.param("snake bites its tail", marks=pytest.mark.fault(14)),
    pytest.param("bow-tie", marks=pytest.mark.fault(14)),
    pytest.param("bow-tie that cancels", marks=pytest.mark.fault(14)),
    pytest.param("cavity pokes out", marks=pytest.mark.fault(14)),
    pytest.param("everything twice", marks=pytest.mark.fault(15)),
    pytest.param("duplicate face", marks=pytest.mark.fault(15)),
    pytest.param("quad there three times", marks=pytest.mark.fault(15)),
    pytest.param("duplicate face, unwelded", marks=pytest.mark.fault(15)),
    pytest.param("face there and back", marks=pytest.mark.fault(16)),
    pytest.param("faces without area", marks=pytest.mark.fault(17)),
    pytest.param("T-junctions", marks=pytest.mark.fault(18)),
    pytest.param("T-junctions, tilted", marks=pytest.mark.fault(18)),
    pytest.param("non-manifold edges", marks=pytest.mark.fault(19)),
    pytest.param("Moebius strip", marks=pytest.mark.fault(20)),
    pytest.param("Klein bottle", marks=pytest.mark.fault(20)),
    pytest.param("soup", marks=pytest.mark.fault(21)),
    pytest.param("unwelded", marks=pytest.mark.fault(22)),
    pytest.param("zero and almost zero", marks=pytest.mark.fault(23)),
    pytest.param("not finite", marks=pytest.mark.fault(26)),
    pytest.param("index out of range", marks=pytest.mark.fault(27)),
    pytest.param("micrometre", marks=pytest.mark.fault(28)),
    pytest.param("a million metres", marks=pytest.mark.fault(28)),
    pytest.param("millimetres", marks=pytest.mark.fault(29)),
    pytest.param("far, 1e3", marks=pytest.mark.fault(30)),
    pytest.param("far, 1e4", marks=pytest.mark.fault(30)),
    pytest.param("far, 1e5", marks=pytest.mark.fault(30)),
    pytest.param("far, 1e6", marks=pytest.mark.fault(30)),
    pytest.param("far, 1e7", marks=pytest.mark.fault(30)),
    pytest.param("far and small in float32", marks=pytest.mark.fault(31)),
    pytest.param("loose vertices", marks=pytest.mark.fault(32)),
]
"""Each mesh, and the row of the catalogue that it is for."""

SCORE = Score()


@pytest.fixture(scope="module", autouse=True)
def tally():
    yield
    print(f"\n{SCORE}")


@pytest.mark.parametrize("name", ROWS)
def test_our_own_awkward_meshes_are_right_or_refused(name):
    case = OURS[name]
    truth = TRUTH(name)

    def right(measured):
        assert_exact(measured.moments, truth, UNION if case.union else TOLERANCE)
        assert measured.error < UNION
        assert (measured.error > 0) == case.union  # by columns: the others are united exactly
        assert (measured.method == "union") == ("overlapping_shells" in case.codes)
        if measured.surface is not None and not case.union:  # what an exporter writes says the same
            assert_exact(measured.moments, integrate(measured.surface.vertices, measured.surface.triangles))

    SCORE.judge(case.mesh, case.codes, None if truth is None else right)


def test_every_awkward_mesh_is_for_a_row():
    assert sorted(str(row.values[0]) for row in ROWS) == sorted(OURS)


def test_the_truth_of_our_own_set_is_not_the_products():
    # A union by rational arithmetic: three cubes' volumes, and the wall of a hollow one.
    volumes = {name: TRUTH(name).volume for name, case in OURS.items() if case.solid is not None}
    assert volumes["cubes overlap"] == Fraction(15, 8)
    assert volumes["cavity"] == 26
    assert volumes["part in a cavity"] == Fraction(209, 8)
    assert volumes["snake bites its tail"] == 8
    assert float(volumes["a prism through a cube"]) == pytest.approx(1 + 0.5 - 0.75 * 0.125, rel=1e-12)
