# SPDX-License-Identifier: GPL-3.0-or-later
"""Published robots: what check says of each by default, and why none of it is a false alarm; and fill, report, diff.

The models name their meshes by package; those folders are built from the data first.
"""

from importlib.util import find_spec

import pytest

from tests.core.command_line import run
from tests.core.model_packages import lay_out

from ...robot_files import check_path


@pytest.fixture(scope="module")
def roots(data, tmp_path_factory):
    root = tmp_path_factory.mktemp("packages")
    lay_out(data / "models", root)
    return [root]


EXPECTED = {
    # Gazebo's demo of auto inertia: the rod goes through bob and hub, and weighs in them a second time.
    "auto_inertia_pendulum/auto_inertia_pendulum.sdf": [
        ("model[@name='pendulum']/link[@name='upper_link']", "collisions_overlap"),
        ("model[@name='pendulum2']/link[@name='upper_link']", "collisions_overlap"),
    ],
    # KUKA's numbers are possible and plausible. Two velocity limits end in a stray quotation mark.
    "iiwa_description/iiwa14_polytope_collision.sdf": [
        ("iiwa_joint_6", "bad_value"),
        ("iiwa_joint_7", "bad_value"),
    ],
    # The body weighs 0.99 kg and measures 15 cm, but has the moments of one with a radius of gyration of 41 cm. The
    # fingers, 50 g and 8 cm, have 0.16 kg·m² about each axis: 1.8 m.
    "wsg_50_description/schunk_wsg_50_with_tip.sdf": [
        ("link[@name='body']", "radius_of_gyration"),
        ("link[@name='left_finger']", "padded_diagonal"),
        ("link[@name='right_finger']", "padded_diagonal"),
    ],
    # From CAD, by SolidWorks' exporter: all well.
    "double_pendulum/double_pendulum.urdf": [],
    # No geometry to compare with, and a possible tensor.
    "inertial_complete/inertial_complete.sdf": [],
    # libsdformat's own example of a wrong one: a mass of -1 kg.
    "inertial_invalid/inertial_invalid.sdf": [("model[@name='model']/link[@name='link']", "bad_mass")],
    # Cubes of 6 kg/m³, five times the weight of air: what the test of libsdformat needs, and no robot is made of.
    "inertial_stats/inertial_stats.sdf": [(f"link_{i}", "implied_density") for i in (1, 2, 3, 4)],
    "inertial_stats_auto/inertial_stats_auto.sdf": [(f"link_{i}", "implied_density") for i in (1, 2, 3, 4)],
    "inertial_stats_auto_mass/inertial_stats_auto_mass.sdf": [(f"link_{i}", "implied_density") for i in (1, 2, 3, 4)],
    # Its three included models are not part of the data.
    "mesh_inertia_calculation/mesh_inertia_calculation.sdf": [("include", "include_not_read")],
}


def test_every_model_of_the_data_is_listed_here(data):
    models = (data / "models").glob("*/*.*df")
    assert sorted(path.relative_to(data / "models").as_posix() for path in models) == sorted(EXPECTED)


def with_library(name):
    if ("wsg" in name or "double_pendulum" in name) and find_spec("trimesh") is None:
        pytest.skip("trimesh is not installed: STL and glTF cannot be read")


@pytest.mark.parametrize("name", EXPECTED)
def test_each_finding_is_a_fault_and_each_fault_is_found(name, data, roots):
    with_library(name)
    found = check_path(data / "models" / name, roots)
    expected = EXPECTED[name]
    assert [finding.code for finding in found] == [code for _, code in expected]
    for finding, (subject, _) in zip(found, expected, strict=True):
        assert subject in finding.subject


@pytest.mark.parametrize("name", [name for name in EXPECTED if name.endswith(".sdf")])
def test_a_robot_goes_through_fill_check_report_and_diff(name, data, roots, tmp_path, capsys):
    with_library(name)
    path, target = data / "models" / name, tmp_path / "filled.sdf"
    where = ("--path", roots[0], "--path", path.parent)
    invalid = name.startswith("inertial_invalid")
    assert run("fill", path, "-o", target, *where) == int(invalid)
    assert target.exists() != invalid
    assert run("fill", path, "-o", target, "--skip-invalid", *where) == int(invalid)
    assert run("check", target, *where) == int(invalid)
    assert run("report", target, "--format", "md", *where) == int(invalid)
    assert capsys.readouterr().out
    assert run("diff", path, target, *where) == int(invalid)
    # A second time changes nothing.
    again = tmp_path / "again.sdf"
    assert run("fill", target, "-o", again, "--skip-invalid", *where) == int(invalid)
    assert again.read_bytes() == target.read_bytes()
