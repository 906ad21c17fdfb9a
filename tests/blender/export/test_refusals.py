# SPDX-License-Identifier: GPL-3.0-or-later
"""What has no right answer is refused, also where rounding or a default would hide it."""

import numpy as np
import pytest

from ..scenes import add, box_link, box_mesh, codes, empty, findings, only_link, read, tag

pytestmark = pytest.mark.usefixtures("scene")


@pytest.mark.parametrize("kind", ["MESH", "BOX"])
@pytest.mark.parametrize("seed", range(20))
def test_a_scale_of_zero_among_rotations_is_refused(seed, kind):
    rng = np.random.default_rng(seed)
    link = tag(empty("link", rotation_euler=rng.uniform(-3, 3, 3), scale=rng.uniform(0.3, 3, 3)), "link")
    flat = empty("flat", link, scale=(1, 1.3, 0), rotation_euler=rng.uniform(-3, 3, 3))
    tag(add(box_mesh(), "ob", flat, rotation_euler=rng.uniform(-3, 3, 3)), "collision", geometry=kind)
    assert "zero_scale" in findings()
    _model, (body,) = read()
    assert body.inertial is None


def test_a_tiny_scale_is_legal():
    ob = tag(add(box_mesh(), "ob", scale=(1, 1, 1e-6)), "link", "collision", use_density=True)
    assert ob.scale.z < 2e-6
    assert only_link().inertial.mass == pytest.approx(1e-3, rel=1e-6)


def test_an_unknown_material_is_an_error_that_names_near_ones():
    box_link("ob", material="Stell")
    found = findings()["unknown_material"]
    assert found.severity == "error" and "Steel" in found.remedy and "Stell" in found.message


def test_a_material_in_small_letters_is_that_material():
    ob = box_link("ob", material="steel")
    assert ob.sdf_inertia.material == "Steel" and ob.sdf_inertia.use_density
    assert only_link().inertial.mass == pytest.approx(7850)


def test_no_material_is_shown_whose_density_does_not_count():
    ob = box_link("ob", material="Steel")
    ob.sdf_inertia.use_density = False
    assert ob.sdf_inertia.material == ""


@pytest.mark.parametrize(
    ("setting", "code"),
    [({"use_density": True, "density": -5}, "bad_density"), ({"use_mass": True, "mass": -3}, "bad_mass")],
)
def test_a_negative_number_is_refused_as_it_was_given(setting, code):
    box_link("ob", **setting)
    assert f"{min(setting.values())}" in findings()[code].message


def test_a_negative_voxel_size_is_refused():
    box_link("ob", method="VOXEL", voxel_size=-0.01)
    assert "-0.01" in findings()["bad_voxel_size"].message


def test_a_link_that_is_not_evaluated_gets_no_second_finding():
    ob = box_link("ob")
    assert "not_evaluated" not in findings()
    ob.hide_viewport = True
    _model, (body,) = read()
    assert codes(body.all_findings()) == {"not_evaluated"}


def test_instances_and_numbered_names_are_renamed_with_an_info_only():
    for name in ("Cube.001", "Cube_001"):
        tag(add(box_mesh(), name), "link", "collision", "visual")
    model, _bodies = read()
    renamed = [finding for finding in model.findings if finding.code == "renamed"]
    assert {finding.severity for finding in renamed} == {"info"}
    assert len(renamed) == 2, renamed
