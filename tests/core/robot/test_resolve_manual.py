# SPDX-License-Identifier: GPL-3.0-or-later
import numpy as np
import pytest

from core import Inertial, Pose
from core.body.shapes import Box
from core.judge.geometry.resolve_model import judged_link
from core.mesh.surface import Surface
from core.robot.mesh_method import MeshMethod
from core.robot.model import Collision, Link, Mesh, Visual

from ..solids.crossings import ring

POSSIBLE = Inertial(2, [0.01, 0.02, 0.03], [[0.01, 0.001, 0], [0.001, 0.012, 0], [0, 0, 0.014]])
BLOCK = Box((0.2, 0.2, 0.2))  # 5 kg at the density below


def manual(inertial, **options):
    part = Collision("c", Pose.identity, BLOCK, 625.0)
    return judged_link(Link("l", mode="manual", manual=inertial, collisions=(part,), **options))


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
    part = Collision("c", Pose.identity, BLOCK, 625.0)
    link = Link("l", mode="manual", manual=Inertial(mass, np.zeros(3), tensor), collisions=(part,))
    body = judged_link(link, strict_auto=strict)
    assert codes(body) == [("error", code, "l")]
    assert body.refused
    assert body.inertial is None


def test_a_zero_moment_is_only_a_warning_and_missing_numbers_are_an_error():
    flat = manual(Inertial(1, np.zeros(3), np.diag([0, 0.01, 0.01])))
    assert codes(flat) == [("warning", "zero_moment", "l")]
    assert flat.inertial is not None and not flat.refused
    missing = manual(None)
    assert codes(missing) == [("error", "no_manual_inertia", "l")]
    assert missing.inertial is None and missing.refused


def test_no_mode_overrides_a_manual_inertial():
    part = Collision("c", Pose.identity, BLOCK, 625.0)
    for mode in ("auto", "filled"):
        body = judged_link(Link("l", mode=mode, manual=POSSIBLE, collisions=(part,)))
        assert body.inertial is POSSIBLE
        assert body.mode == "manual"
        expected = [("warning", "auto_not_possible", "l")] if mode == "auto" else []
        assert codes(body) == expected
    (finding,) = judged_link(Link("l", manual=POSSIBLE, collisions=(part,))).findings
    assert "2 kg" in finding.message and "5 kg" in finding.message
    assert judged_link(Link("l", manual=POSSIBLE, collisions=(part,)), strict_auto=True).refused


def test_numpys_warnings_are_as_before_after_a_manual_link():
    part = Collision("c", Pose.identity, Box((1e200, 1, 1)), 5.0)
    with np.errstate(all="raise"):
        before = np.geterr()
        body = judged_link(Link("l", mode="auto", manual=POSSIBLE, collisions=(part,)))
        assert np.geterr() == before
    assert "auto_not_possible" in [code for _, code, _ in codes(body)]


def warned(inertial, *visuals, **options):
    body = manual(inertial, visuals=visuals, **options)
    assert body.inertial is inertial and not body.refused
    return codes(body)


def test_manual_numbers_that_do_not_fit_the_links_size_are_warned_about():
    for body, code in (
        (Inertial(2, [0, 0, 0], np.eye(3)), "padded_diagonal"),
        (Inertial(2, [0, 0, 0], np.diag([1.01, 1.02, 1.03])), "radius_of_gyration"),
        (Inertial(2, [0, 0, 0], np.diag([1e-4, 1e-4, 1.1e-4])), "small_tensor"),
        (Inertial(2e-3, [0, 0, 0], 1e-5 * np.eye(3)), "implied_density"),
        (Inertial(2, [0.5, 0, 0], 0.01 * np.eye(3)), "com_outside"),
    ):
        assert warned(body) == [("warning", code, "l")]


def test_visuals_widen_what_a_manual_inertia_may_be():
    beyond = Visual("v", Pose(np.eye(3), [0.5, 0, 0]), BLOCK)
    assert warned(Inertial(2, [0.5, 0, 0], 0.02 * np.eye(3)), beyond) == []
    assert codes(judged_link(Link("l", mode="manual", manual=Inertial(2, [5, 0, 0], 80 * np.eye(3))))) == []


def test_a_quick_look_at_a_manual_link_measures_its_meshes_quickly():
    mesh = Mesh(Surface(*ring()), np.eye(3))
    assert MeshMethod(mesh, {}).quick_differs
    part = Collision("c", Pose.identity, mesh)
    link = Link("l", mode="manual", manual=Inertial(1, np.zeros(3), np.eye(3) * 1e3), collisions=(part,))
    quick = judged_link(link, quick=True)
    assert MeshMethod(mesh, {}).known(quick=True) is not None and MeshMethod(mesh, {}).known() is None
    assert codes(quick) == codes(judged_link(link)) != []
    assert MeshMethod(mesh, {}).known() is not None
