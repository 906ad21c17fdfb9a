# SPDX-License-Identifier: GPL-3.0-or-later
"""AUTO shows what a simulator computes from the file; where it would compute something else, the link is filled."""

from dataclasses import replace

import numpy as np
import pytest

from core import Measurement, Pose, measure_mesh, mesh_moments, register_calculator
from core.body.shapes import Box, Sphere
from core.mesh.surface import Surface
from core.robot import calculators
from core.robot.model import Collision, Link, Mesh
from core.robot.resolve import resolve_link

from ..solids import box, rotation

SLANTED = (box((0.4, 0.4, 1.7))[0] @ rotation(np.random.default_rng(0)).T, box()[1])
EXACT = 0.4 * 0.4 * 1.7
COARSE, FINE = {"gz:voxel_size": "0.35"}, {"gz:voxel_size": "0.01"}


def link(params, mode="auto", mass=None, mesh=SLANTED, pose=Pose.identity):
    part = Collision("c", pose, Mesh(Surface(*mesh), np.eye(3)), 1.0, params)
    other = Collision("d", Pose(np.eye(3), [20, 0, 0]), Box((1, 1, 1)), 1.0)
    return Link("l", mode=mode, mass=mass, collisions=(part, other))


def codes(body):
    return [(finding.severity, finding.code, finding.subject) for finding in body.all_findings()]


def test_auto_shows_the_exact_number_and_says_that_voxels_are_ignored():
    filled = resolve_link(link(COARSE, "filled"))
    assert (filled.mode, filled.parts[0].method) == ("filled", "voxel")
    assert 0 < filled.error < filled.parts[0].error
    assert codes(filled) == [("warning", "voxels_too_coarse", "l/c")]
    voxels = filled.parts[0].inertial.mass
    assert abs(voxels / EXACT - 1) > 0.01  # from 1 % on it is worth a word
    body = resolve_link(link(COARSE))
    assert body.mode == "auto" and not body.refused
    assert body.parts[0].inertial.mass == pytest.approx(EXACT, rel=1e-14)
    assert body.inertial.mass == pytest.approx(EXACT + 1, rel=1e-14)
    assert codes(body) == [("warning", "auto_ignores_method", "l/c")]
    assert f"{voxels:.6g} kg" in body.findings[0].message and f"{EXACT:.6g} kg" in body.findings[0].message


def test_auto_is_silent_about_voxels_that_are_fine_enough():
    body = resolve_link(link(FINE))
    assert (body.mode, codes(body)) == ("auto", [])
    assert body.parts[0].inertial.mass == pytest.approx(EXACT, rel=1e-14)


@pytest.fixture
def foam():
    """A calculator of another solid than the mesh: `factor` times as heavy."""
    factor = [2.0]

    def calculator(vertices, triangles, params):
        exact = mesh_moments(vertices, triangles)
        if factor[0] is None:
            return Measurement(Sphere(1.0).moments(), "foam")
        return Measurement(exact.transformed(factor[0] ** (1 / 3) * np.eye(3)), "foam")

    register_calculator("foam", calculator)
    yield factor
    del calculators._calculators["foam"]


FOAM = {"sdf_inertia:method": "foam"}


@pytest.mark.parametrize("strict", [False, True])
def test_auto_with_another_solid_is_written_filled(foam, strict):
    body = resolve_link(link(FOAM), strict_auto=strict)
    assert body.mode == "filled"
    assert body.parts[0].inertial.mass == pytest.approx(2 * EXACT, rel=1e-14)
    assert body.inertial.mass == pytest.approx(2 * EXACT + 1, rel=1e-14)
    (finding,) = body.all_findings()
    assert (finding.severity, finding.code) == ("error" if strict else "warning", "auto_not_possible")
    assert "method foam" in finding.message
    assert f"{2 * EXACT:.6g} kg" in finding.message
    assert f"{EXACT:.6g} kg" in finding.message
    assert body.refused == strict


def test_auto_stays_auto_where_another_calculator_agrees(foam):
    for factor, mode in ((1.0, "auto"), (1 + 1e-7, "auto"), (1 + 1e-5, "filled")):  # 1e-6 is the limit
        foam[0] = factor
        assert resolve_link(link(FOAM)).mode == mode
    foam[0] = 1.0  # wherever the part is
    assert resolve_link(link(FOAM, pose=Pose.from_sdf([1, 2, 3, 0.4, 0.5, 0.6]))).mode == "auto"


def test_auto_compares_the_surface_as_corrected():
    vertices, triangles = SLANTED
    register_calculator("mine", lambda *mesh: replace(measure_mesh(*mesh[:2]), method="mine"))
    try:
        body = resolve_link(link({"sdf_inertia:method": "mine"}, mesh=(vertices, triangles[:, ::-1])))
    finally:
        del calculators._calculators["mine"]
    assert body.mode == "auto"
    assert codes(body) == [("warning", "inside_out", "l/c")]


def test_the_tensor_alone_can_make_a_difference(foam):
    # A ball of the same mass is another solid.
    side = (4 / 3 * np.pi) ** (1 / 3)
    foam[0] = None
    body = resolve_link(link(FOAM, mesh=box((side, side, side))))
    assert body.mode == "filled"
    assert "auto_not_possible" in [finding.code for finding in body.all_findings()]


def test_the_place_alone_can_make_a_difference():
    def shifted(vertices, triangles, params):
        return Measurement(mesh_moments(vertices, triangles).transformed(np.eye(3), [0.01, 0, 0]), "shifted")

    register_calculator("shifted", shifted)
    try:
        body = resolve_link(link({"sdf_inertia:method": "shifted"}))
    finally:
        del calculators._calculators["shifted"]
    assert body.mode == "filled"
    assert [finding.code for finding in body.all_findings()] == ["auto_not_possible"]


def test_auto_of_a_mesh_that_a_simulator_gets_wrong_is_written_filled(foam):
    foam[0] = None
    vertices, triangles = SLANTED
    assert resolve_link(link({}, mesh=(vertices, triangles[1:]))).refused
    body = resolve_link(link(FOAM, mesh=(vertices, triangles[1:])))
    assert body.mode == "filled"
    (finding,) = body.all_findings()
    assert finding.code == "auto_not_possible"
    assert "a simulator computes" in finding.message


def test_filled_never_speaks_of_auto(foam):
    body = resolve_link(link(FOAM, "filled"), strict_auto=True)
    assert (body.mode, codes(body)) == ("filled", [])


def test_a_target_mass_scales_what_is_loaded(foam):
    assert resolve_link(link(COARSE, mass=5.0)).inertial.mass == 5
    body = resolve_link(link(FOAM, mass=5.0))
    assert body.inertial.mass == 5
    assert body.parts[0].inertial.mass == pytest.approx(5 * 2 * EXACT / (2 * EXACT + 1), rel=1e-14)
