# SPDX-License-Identifier: GPL-3.0-or-later
"""Calculators are chosen by name, and get what SDFormat's parameters say."""

import numpy as np
import pytest

from core import Finding, InertiaError, Measurement, Moments, Pose, register_calculator
from core.body.shapes import Box, Sphere
from core.mesh.methods import METHODS
from core.mesh.surface import Surface
from core.robot.calculators import calculate, chosen_method, lengths_of, params_for, unregister_calculator
from core.robot.model import Collision, Link, Mesh
from core.robot.resolve import resolve_link

from ..exact import assert_same
from ..solids import box


@pytest.mark.parametrize(
    ("params", "method"),
    [
        ({}, "exact"),
        ({"gz:voxel_size": "0.01"}, "voxel"),
        ({"sdf_inertia:method": "voxel"}, "voxel"),
        ({"sdf_inertia:method": "exact", "gz:voxel_size": "0.01"}, "exact"),
        ({"sdf_inertia:method": "shell", "sdf_inertia:thickness": "0.002"}, "shell"),
        ({"acme:method": "voxel"}, "exact"),
    ],
)
def test_the_method_is_named_or_follows_from_the_voxel_size(params, method):
    assert chosen_method(params) == method


@pytest.mark.parametrize("method", METHODS)
def test_the_params_for_a_method_choose_it_with_its_lengths(method):
    lengths = {parameter.name: 0.1 + 0.2 for parameter in METHODS[method].parameters}
    params = params_for(method, lengths)
    assert chosen_method(params) == method
    assert lengths_of(params) == lengths


def test_the_params_are_written_as_gazebo_and_our_own_files_have_them():
    assert params_for("exact", {}) == {}
    assert params_for("voxel", {"voxel_size": 0.01}) == {"gz:voxel_size": "0.01"}
    written = {"sdf_inertia:method": "shell", "sdf_inertia:thickness": "0.002"}
    assert params_for("shell", {"thickness": 0.002}) == written


def test_lengths_reach_the_voxels_and_the_shell():
    voxels = calculate(Surface(*box((1, 1, 0.9))), {"gz:voxel_size": "0.5"})
    assert voxels.method == "voxel"
    assert voxels.moments.volume == pytest.approx(0.9, rel=0.2)
    assert voxels.moments.volume != pytest.approx(0.9, rel=0.01)
    shell = calculate(Surface(*box()), {"sdf_inertia:method": "shell", "sdf_inertia:thickness": "0.001"})
    assert shell.method == "shell"
    assert shell.moments.volume == pytest.approx(6e-3, rel=1e-5)


def test_a_parameter_that_is_no_length_is_refused():
    def refusal(params):
        with pytest.raises(InertiaError) as error:
            calculate(Surface(*box()), params)
        return error.value

    for text in ("", "abc", "1,5", "0.1 0.2"):
        found = refusal({"gz:voxel_size": text})
        assert found.code == "bad_parameter"
        assert "voxel_size" in found.message and f"'{text}'" in found.message
    for text in ("0", "-1", "nan", "inf"):
        assert refusal({"gz:voxel_size": text}).code == "bad_voxel_size"
    assert refusal({"sdf_inertia:method": "shell"}).code == "bad_thickness"
    unknown = refusal({"sdf_inertia:method": "nobody"})
    assert unknown.code == "unknown_method" and "'nobody'" in unknown.message
    assert all(known in unknown.remedy for known in ("exact", "voxel", "hull", "shell"))


def test_our_own_prefix_wins_over_gazebos_and_that_over_any_other(spy):
    params = {"sdf_inertia:voxel_size": "1", "gz:voxel_size": "2", "acme:voxel_size": "3", "sdf_inertia:method": "spy"}
    for order in (params, dict(reversed(params.items()))):
        calculate(Surface(*box()), order)
    assert [seen[2]["voxel_size"] for seen in spy] == ["1", "1"]
    params = {"gz:voxel_size": "2", "acme:voxel_size": "3", "sdf_inertia:method": "spy"}
    calculate(Surface(*box()), params)
    assert spy[-1][2]["voxel_size"] == "2"


@pytest.fixture
def spy():
    """A calculator of the user's that notes what it is given."""
    seen = []

    def calculator(vertices, triangles, params):
        seen.append((np.array(vertices), np.array(triangles), dict(params)))
        return Measurement(Sphere(1.0).moments(), "spy")

    register_calculator("spy", calculator)
    yield seen
    unregister_calculator("spy")


PARAMS = {"sdf_inertia:method": "spy", "acme:wall": "0.002", "plain": "x"}


def link(stretch, density=7.0):
    vertices, triangles = box((1000, 2000, 3000))
    mesh = Mesh(Surface(vertices, triangles), stretch)
    part = Collision("c", Pose.identity, mesh, density=density, params=PARAMS)
    return Link("l", mode="filled", collisions=(part,))


def test_a_registered_calculator_gets_metres_and_local_names(spy):
    body = resolve_link(link(0.001 * np.eye(3)))
    ((vertices, triangles, params),) = spy
    assert params == {"method": "spy", "wall": "0.002", "plain": "x"}
    np.testing.assert_allclose(np.ptp(vertices, axis=0), [1, 2, 3], rtol=1e-15)
    assert triangles.shape == (12, 3)
    assert body.method == body.parts[0].method == "spy"
    # It measures the geometry alone; the density is applied afterwards.
    assert body.inertial.mass == pytest.approx(7 * 4 / 3 * np.pi, rel=1e-14)
    assert body.volume == pytest.approx(4 / 3 * np.pi, rel=1e-14)


def test_a_mirrored_mesh_reaches_a_calculator_wound_outward(spy):
    from core import mesh_moments

    resolve_link(link(np.diag([-0.001, 0.001, 0.001])))
    ((vertices, triangles, _),) = spy
    assert_same(mesh_moments(vertices, triangles), Box((1, 2, 3)).moments().transformed(np.eye(3), [-0.5, 1, 1.5]))


def test_an_unchanged_mesh_is_measured_once(spy):
    once = link(np.eye(3))
    for _ in range(3):
        resolve_link(once)
    assert len(spy) == 1


def test_a_calculator_registered_again_is_asked_again(spy):
    same = link(np.eye(3))
    assert resolve_link(same).volume == pytest.approx(4 / 3 * np.pi)
    register_calculator("spy", lambda vertices, triangles, params: Measurement(Sphere(2.0).moments(), "spy"))
    assert resolve_link(same).volume == pytest.approx(32 / 3 * np.pi)


def test_what_a_calculator_raises_refuses_the_part_by_name():
    def refuse(vertices, triangles, params):
        raise InertiaError("too_hard", "", "I cannot", "ask another")

    register_calculator("spy", refuse)
    try:
        body = resolve_link(link(np.eye(3)))
    finally:
        unregister_calculator("spy")
    assert body.refused
    (finding,) = body.parts[0].findings
    assert (finding.code, finding.subject, finding.remedy) == ("too_hard", "l/c", "ask another")


BALL = Sphere(1.0).moments()


def moments_with(volume=BALL.volume, centroid=(0, 0, 0), covariance=BALL.covariance):
    return Measurement(Moments(volume, centroid, covariance), "spy")


def returning(measurement):
    return lambda vertices, triangles, params: measurement


@pytest.mark.parametrize(
    ("calculator", "reason"),
    [
        (lambda vertices, triangles, params: 1 / 0, "ZeroDivisionError: division by zero"),
        (lambda vertices, triangles, params: params["wall"].nothing, "AttributeError"),
        (lambda vertices, triangles: None, "TypeError"),
        (returning(None), "returned NoneType"),
        (returning(BALL), "returned Moments"),
        (returning(Measurement(None, "spy")), "instead of a Measurement with Moments"),
        (returning(moments_with(covariance=[[1, 0.5, 0], [0, 1, 0], [0, 0, 1]])), "not symmetric: 0.5 in row 0"),
        (returning(moments_with(volume=np.nan)), "a volume of nan"),
        (returning(moments_with(volume=np.inf)), "a volume of inf"),
        (returning(moments_with(volume=-1.0)), "a volume of -1 m³"),
        (returning(moments_with(volume=0.0)), "a volume of 0 m³"),
        (returning(moments_with(centroid=(0, np.nan, 0))), "not finite"),
        (returning(moments_with(covariance=np.full((3, 3), np.inf))), "not finite"),
        (returning(Measurement(BALL, "spy", np.nan)), "nan for the estimated relative error"),
        (returning(Measurement(BALL, "spy", -0.1)), "-0.1 for the estimated relative error"),
    ],
)
def test_a_calculator_that_fails_refuses_its_part_and_is_named(spy, calculator, reason):
    register_calculator("spy", calculator)
    body = resolve_link(link(np.eye(3)))
    assert body.refused and body.inertial is None
    (finding,) = body.parts[0].findings
    assert (finding.severity, finding.code, finding.subject) == ("error", "calculator_failed", "l/c")
    assert "'spy'" in finding.message and reason in finding.message


def test_what_float32_leaves_of_symmetry_is_made_good(spy):
    uneven = BALL.covariance + np.array([[0, 2e-7, 0], [0, 0, 0], [0, 0, 0]])
    register_calculator("spy", lambda *_: Measurement(Moments(BALL.volume, (0, 0, 0), uneven), "spy", np.float32(0.5)))
    found = calculate(Surface(*box()), PARAMS)
    assert type(found.error) is float and found.error == 0.5
    assert found.moments.covariance[0, 1] == found.moments.covariance[1, 0] == 1e-7


def test_findings_may_come_as_a_list(spy):
    finding = Finding("warning", "rough", "", "it is rough")
    register_calculator("spy", lambda *_: Measurement(BALL, "spy", findings=[finding]))
    assert resolve_link(link(np.eye(3))).parts[0].findings == (finding.about("l/c"),)


def test_a_calculator_cannot_write_into_what_calculate_was_given(spy):
    vertices, triangles = box()
    before = vertices.copy(), triangles.copy()
    for which in (0, 1):

        def spoil(*mesh, which=which):
            mesh[which][:] = 0

        register_calculator("spy", spoil)
        with pytest.raises(InertiaError, match="read-only"):
            calculate(Surface(vertices, triangles), PARAMS)
    np.testing.assert_array_equal(vertices, before[0])
    np.testing.assert_array_equal(triangles, before[1])
    vertices[0] = 1.0  # the caller's own array stays writable


def test_a_calculator_does_not_swallow_ctrl_c(spy):
    def stop(vertices, triangles, params):
        raise KeyboardInterrupt

    register_calculator("spy", stop)
    with pytest.raises(KeyboardInterrupt):
        resolve_link(link(np.eye(3)))


def test_a_calculator_is_a_function_with_a_name_of_its_own():
    for name in ("", " ", "two words", "a/b", "<a>", None, "exact", "voxel", "hull", "shell"):
        with pytest.raises(InertiaError) as error:
            register_calculator(name, lambda vertices, triangles, params: None)
        assert error.value.code == "bad_calculator"
    with pytest.raises(InertiaError) as error:
        register_calculator("acme", "voxel")
    assert error.value.code == "bad_calculator"


@pytest.mark.parametrize("name", ["exact", "acme"])
def test_only_a_registered_calculator_is_forgotten(name):
    with pytest.raises(InertiaError) as error:
        unregister_calculator(name)
    assert error.value.code == "unknown_method"
    assert calculate(Surface(*box()), {}).moments.volume == pytest.approx(1.0)


def test_a_forgotten_calculator_is_unknown(spy):
    assert not resolve_link(link(np.eye(3))).refused
    unregister_calculator("spy")
    try:
        assert resolve_link(link(np.eye(3))).parts[0].findings[0].code == "unknown_method"
    finally:
        register_calculator("spy", lambda vertices, triangles, params: None)
