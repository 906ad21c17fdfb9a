# SPDX-License-Identifier: GPL-3.0-or-later
"""The example package of a biped: what its script makes, wrong where it is meant to be, and right once repaired."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from core import read_robot
from core.cli.main import main
from core.formats.robot_file import same
from core.formats.table import robots_of
from core.judge.comparison import compared

from .robot_files import check_path

EXAMPLES = Path(__file__).parents[2] / "examples"
PACKAGE = EXAMPLES / "biped_description"
URDF = PACKAGE / "urdf" / "biped.urdf"

MISTAKES = {
    "right_thigh": "twin_not_mirrored",
    "left_shank": "padded_diagonal",
    "right_shank": "triangle_inequality",
    "right_foot": "inertial_unit",
}

DIGITS = 1e-3
"""Relative: the file has five digits of the tensor and four of the mass, which the radius of gyration divides."""


def content(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def repaired(tmp_path):
    path = tmp_path / "repaired.urdf"
    assert main(["repair", str(URDF), "-o", str(path), "--path", str(EXAMPLES)]) == 0
    (robot,) = robots_of(path, [EXAMPLES])
    return robot


def test_the_script_makes_the_committed_package(tmp_path):
    subprocess.run([sys.executable, str(EXAMPLES / "biped.py"), str(tmp_path)], check=True)
    assert content(tmp_path / PACKAGE.name) == content(PACKAGE)
    assert sum(map(len, content(PACKAGE).values())) < 300_000


def test_check_finds_each_mistake_and_nothing_else():
    findings = [finding for finding in check_path(URDF) if finding.severity != "info"]
    assert sorted(finding.code for finding in findings) == sorted(MISTAKES.values())
    for name, code in MISTAKES.items():
        assert [finding for finding in findings if finding.code == code and name in finding.subject]


def test_repair_changes_the_wrong_links_alone(repaired):
    (robot,) = robots_of(URDF)
    for link in robot.model.links:
        before, after = robot.published[link.name], repaired.published[link.name]
        assert same(before, after) == (link.name not in MISTAKES), link.name


def test_repaired_legs_fit_their_meshes_and_the_torso_differs(repaired):
    apart = {link.name: compared(link, repaired.published[link.name]).apart for link in repaired.model.links}
    assert apart.pop("torso") > 0.3
    assert max(apart.values()) < DIGITS, apart


@pytest.mark.fault(173)
@pytest.mark.parametrize("name", ["ixx", "iyy", "ixz"])
def test_a_link_with_two_faults_is_repaired_in_one_run(name, tmp_path):
    """An unreadable number hides that the centre of mass is that of the twin on the other side."""
    shutil.copytree(PACKAGE, tmp_path / PACKAGE.name)
    path = tmp_path / PACKAGE.name / "urdf" / "biped.urdf"
    before, mark, thigh = path.read_text().partition('<link name="right_thigh">')
    path.write_text(before + mark + re.sub(f'{name}="[^"]*"', f'{name}="world"', thigh, count=1))
    assert {finding.code for finding in check_path(path) if "right_thigh" in finding.subject} == {"bad_number"}
    assert main(["repair", "--in-place", str(path)]) == 0
    once, (left, right) = path.read_bytes(), (read_robot(path).links[f"{side}_thigh"] for side in ("left", "right"))
    np.testing.assert_allclose(right.inertial.com, left.inertial.com * [1, -1, 1], rtol=DIGITS)
    assert main(["repair", "--in-place", str(path)]) == 0
    assert path.read_bytes() == once and check_path(path) == []


def test_the_torso_hangs_on_a_stand(repaired):
    (stand,) = (joint for joint in repaired.model.joints if joint.kind == "fixed")
    assert (stand.name, stand.parent, stand.child) == ("stand", "world", "torso")
