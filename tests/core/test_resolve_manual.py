# SPDX-License-Identifier: GPL-3.0-or-later
import numpy as np
import pytest

from core import Inertial, Pose
from core.model import Box, Collision, Link
from core.resolve import resolve_link

POSSIBLE = Inertial(2, [1, 2, 3], [[1, 0.1, 0], [0.1, 2, 0], [0, 0, 2.5]])


def manual(inertial, **options):
    part = Collision("c", Pose.identity, Box((1, 1, 1)), 5.0)
    return resolve_link(Link("l", mode="manual", manual=inertial, collisions=(part,), **options))


def codes(body):
    return [(finding.severity, finding.code, finding.subject) for finding in body.all_findings()]


def test_a_manual_inertial_is_taken_as_it_is():
    body = manual(POSSIBLE)
    assert body.inertial is POSSIBLE
    assert (body.mode, body.method, body.error, body.volume, body.parts) == ("manual", "manual", 0, None, ())
    assert codes(body) == []
    assert not body.refused


@pytest.mark.parametrize(
    ("mass", "tensor", "code"),
    [
        (1, [[1, 0.9, 0], [0.9, 1, 0], [0, 0, 1]], "triangle_inequality"),
        (1, np.diag([1, 1, 5]), "triangle_inequality"),
        (1, np.diag([-1, 1, 1]), "negative_moment"),
        (0, np.eye(3), "bad_mass"),
        (-1, np.eye(3), "bad_mass"),
        (np.nan, np.eye(3), "not_finite"),
    ],
)
@pytest.mark.parametrize("strict", [False, True])
def test_an_impossible_manual_inertial_is_an_error(mass, tensor, code, strict):
    part = Collision("c", Pose.identity, Box((1, 1, 1)), 5.0)
    link = Link("l", mode="manual", manual=Inertial(mass, np.zeros(3), tensor), collisions=(part,))
    body = resolve_link(link, strict_auto=strict)
    assert codes(body) == [("error", code, "l")]
    assert body.refused
    assert body.inertial is None


def test_a_zero_moment_is_only_a_warning():
    body = manual(Inertial(1, np.zeros(3), np.diag([0, 1, 1])))
    assert codes(body) == [("warning", "zero_moment", "l")]
    assert body.inertial is not None
    assert not body.refused


def test_manual_without_numbers_is_an_error_not_a_default():
    body = manual(None)
    assert codes(body) == [("error", "no_manual_inertia", "l")]
    assert body.refused
    assert body.inertial is None


def test_no_mode_overrides_a_manual_inertial():
    part = Collision("c", Pose.identity, Box((1, 1, 1)), 5.0)
    for mode in ("auto", "filled"):
        body = resolve_link(Link("l", mode=mode, manual=POSSIBLE, collisions=(part,)))
        assert body.inertial is POSSIBLE
        assert body.mode == "manual"
        told = [("warning", "auto_not_possible", "l")] if mode == "auto" else []
        assert codes(body) == told
    (finding,) = resolve_link(Link("l", manual=POSSIBLE, collisions=(part,))).findings
    assert "2 kg" in finding.message
    assert "5 kg" in finding.message
    assert resolve_link(Link("l", manual=POSSIBLE, collisions=(part,)), strict_auto=True).refused


def test_numpys_warnings_are_as_before_though_a_manual_link_is_resolved_within_itself():
    part = Collision("c", Pose.identity, Box((1e200, 1, 1)), 5.0)
    with np.errstate(all="raise"):
        before = np.geterr()
        body = resolve_link(Link("l", mode="auto", manual=POSSIBLE, collisions=(part,)))
        assert np.geterr() == before
    assert "auto_not_possible" in [code for _, code, _ in codes(body)]
