# SPDX-License-Identifier: GPL-3.0-or-later
"""The moments of solids in STEP files are those of closed forms, whatever the surface, schema, unit and placement."""

from itertools import pairwise

import numpy as np
import pytest

from core import InertiaError
from core.formats.step.assembly import read_assembly
from core.mesh.measure import measure_surface

from . import step_files
from .step_files import SOLIDS, part_file

MM = 1e-3


def error_of(moments, closed_form):
    """Return the relative errors of the volume and of the tensor."""
    volume, xx, zz = closed_form
    tensor = np.eye(3) * np.trace(moments.covariance) - moments.covariance
    seen = np.array([tensor[0, 0], tensor[2, 2]]) / moments.volume
    return abs(moments.volume / (volume * MM**3) - 1.0), np.abs(seen / (np.array([xx, zz]) * MM**2) - 1.0).max()


@pytest.mark.parametrize("name", SOLIDS)
def test_elementary_solids_are_right_to_rounding(tmp_path, name):
    shape, closed_form = SOLIDS[name]
    (part,) = read_assembly(part_file(tmp_path / "a.step", shape)).parts
    assert max(error_of(part.moments, closed_form)) < 1e-12
    assert part.error == 0.0


@pytest.mark.parametrize("name", ("cylinder", "torus", "sphere", "cone"))
def test_splines_are_right_to_1e_8_and_within_their_error(tmp_path, name):
    shape, closed_form = SOLIDS[name]
    (part,) = read_assembly(part_file(tmp_path / "a.step", step_files.as_splines(shape))).parts
    error = max(error_of(part.moments, closed_form))
    assert error < 1e-8 and error <= max(part.error, 1e-9)


def test_a_part_far_from_its_origin_keeps_its_digits(tmp_path):
    shape = step_files.box((1e4, -2e4, 3e4), (1, 2, 3))  # 1 mm at 37 m
    (part,) = read_assembly(part_file(tmp_path / "a.step", shape)).parts
    assert max(error_of(part.moments, (6.0, 13.0 / 12.0, 5.0 / 12.0))) < 1e-9


def placed(assembly):
    """Return mass, centre and tensor of all parts at 1000 kg/m³, one after the other."""
    each = [
        placement.part.moments.transformed(placement.A, placement.t).inertial(1000.0)
        for placement in assembly.placements
    ]
    return np.array([[body.mass, *body.com, *body.inertia.ravel()] for body in each])


def test_schemas_and_units_give_the_same_numbers(tmp_path):
    numbers = []
    for schema, unit in (("AP214IS", "MM"), ("AP242DIS", "INCH"), ("AP203", "MM"), ("AP214IS", "M")):
        path = step_files.write(step_files.nested(), tmp_path / f"{schema}-{unit}.step", schema, unit)
        numbers.append(placed(read_assembly(path)))
    for one, other in pairwise(numbers):
        scale = np.abs(one).max(axis=0)
        assert (np.abs(one - other) <= 1e-11 * scale).all()  # STEP files have twelve digits and more


def test_nested_and_mirrored_placements_are_exact(tmp_path):
    """The placements in the file, multiplied by hand, move the closed forms to where the reader puts the parts."""
    assembly = read_assembly(step_files.write(step_files.nested(), tmp_path / "a.step"))
    assert [placement.shown for placement in assembly.placements] == [
        *("middle/inner/pin", "middle/inner/ring", "middle/block"),
        *("middle:2/inner/pin", "middle:2/inner/ring", "middle:2/block"),
    ]
    determinants = [round(float(np.linalg.det(placement.A)), 9) for placement in assembly.placements]
    assert determinants == [1.0, 1.0, -1.0, -1.0, -1.0, 1.0]
    block = assembly.placements[2]
    turn = np.array([[np.cos(1.1), 0.0, np.sin(1.1)], [0.0, 1.0, 0.0], [-np.sin(1.1), 0.0, np.cos(1.1)]])
    centre = turn @ (np.array([-18.0, 29.0, 40.0]) + [40.0, 0.0, 0.0]) + [0.0, 0.0, 200.0]
    np.testing.assert_allclose(block.A @ block.part.moments.centroid + block.t, centre * MM, rtol=1e-12, atol=1e-15)


def test_the_mesh_of_a_part_converges_to_its_moments(tmp_path):
    path = step_files.write(step_files.nested(), tmp_path / "a.step")
    errors = []
    for tolerance in (1e-4, 1e-5):
        differences = []
        for part in read_assembly(path, tolerance=tolerance).parts:
            mesh = measure_surface(part.surface, "exact", {}, None).moments
            differences.append(abs(mesh.volume / part.moments.volume - 1.0))
            differences.append(np.abs(mesh.covariance - part.moments.covariance).max() / np.trace(mesh.covariance))
        errors.append(max(differences))
    assert errors[0] < 2e-2 and errors[1] < 2e-3 and errors[1] < errors[0] / 5.0


def test_several_solids_of_a_part_add_up(tmp_path):
    shape = step_files.together(step_files.box((0, 0, 0), (10, 10, 10)), step_files.box((20, 0, 0), (5, 5, 5)))
    (part,) = read_assembly(part_file(tmp_path / "a.step", shape)).parts
    assert part.moments.volume == pytest.approx(1125e-9, rel=1e-12)


@pytest.mark.parametrize(
    ("shape", "code", "words"),
    (
        (step_files.without_a_face(SOLIDS["box"][0]), "no_solid", "1 surface and no solid"),
        (
            step_files.together(SOLIDS["box"][0], step_files.without_a_face(step_files.box((99, 0, 0), (1, 2, 3)))),
            "surfaces_beside",
            "1 surface beside 1 solid,",
        ),
    ),
)
def test_a_part_that_lost_a_solid_is_an_error_with_its_name(tmp_path, shape, code, words):
    (part,) = read_assembly(part_file(tmp_path / "a.step", shape, "skin")).parts
    (finding,) = [one for one in part.findings if one.severity == "error"]
    assert part.moments is None
    assert (finding.subject, finding.code) == ("skin", code) and words in finding.message


def test_an_inverted_solid_counts_with_a_warning(tmp_path):
    (part,) = read_assembly(part_file(tmp_path / "a.step", SOLIDS["box"][0].Reversed())).parts
    assert part.moments.volume == pytest.approx(105000e-9)
    assert {one.code for one in part.findings} <= {"inverted_solid"}


def test_a_part_of_water_is_no_step_file(tmp_path):
    path = tmp_path / "a.step"
    path.write_text("solid cube")
    with pytest.raises(InertiaError) as caught:
        read_assembly(path)
    assert caught.value.code == "bad_step"
