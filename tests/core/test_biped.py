# SPDX-License-Identifier: GPL-3.0-or-later
"""The example package of a biped: what its script makes, wrong where it is meant to be, and right once repaired."""

import subprocess
import sys
from pathlib import Path

import pytest

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


def test_the_torso_hangs_on_a_stand(repaired):
    (stand,) = (joint for joint in repaired.model.joints if joint.kind == "fixed")
    assert (stand.name, stand.parent, stand.child) == ("stand", "world", "torso")
