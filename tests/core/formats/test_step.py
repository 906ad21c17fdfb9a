# SPDX-License-Identifier: GPL-3.0-or-later
"""From what OpenCASCADE answers for an assembly to links, tables and robots; tests/cad asks OpenCASCADE itself."""

import json

import numpy as np
import pytest

from core import read_robot, read_step
from core.cli.main import main

from .step_answers import ARM, BOM, answer_as_recorded


@pytest.fixture(autouse=True)
def recorded(monkeypatch):
    answer_as_recorded(monkeypatch)


def test_links_have_the_inertials_of_their_parts():
    """By hand: the palm is a plate of 60 × 40 × 12 mm of stainless steel with a hole of 6 mm radius, the fingers mirror
    each other."""
    hand = read_step(ARM, BOM, "first").links["hand"]
    plate, hole, finger = 28.8e-6 * 8000, np.pi * 36e-6 * 12e-3 * 8000, 8.704e-6 * 1240
    assert hand.mass == pytest.approx(plate - hole + 2 * finger, rel=1e-9)
    z = ((plate - hole) * 0.006 + 2 * finger * (7.68e-6 * 0.042 + 1.024e-6 * 0.068) / 8.704e-6) / hand.mass
    assert hand.com == pytest.approx([0.0, 0.0, z], abs=1e-12)
    assert np.abs(hand.inertia - np.diag(np.diag(hand.inertia))).max() < 1e-15  # symmetric about two planes


def test_the_robot_weighs_what_the_table_says(tmp_path):
    assert (
        main(["convert", str(ARM), "--bom", str(BOM), "--links", "first", "-o", str(tmp_path / "arm.urdf"), "-q"]) == 0
    )
    robot, links = read_robot(tmp_path / "arm.urdf"), read_step(ARM, BOM, "first").links
    assert [link.inertial.mass for link in robot.links.values()] == pytest.approx(
        [inertial.mass for inertial in links.values()], rel=1e-9
    )
    assert {joint.kind for joint in robot.joints.values()} == {"fixed"}


def test_json_has_where_each_number_is_from(capsys):
    assert main(["report", str(ARM), "--bom", str(BOM), "--format", "json"]) == 0
    (link,) = json.loads(capsys.readouterr().out)["models"][0]["links"]
    sources = {part["source"] for part in link["parts"]}
    assert sources == {"row's material", "row's mass"} and len(link["parts"]) == 13


def test_without_a_density_nothing_is_made_up():
    robot = read_step(ARM, links="first")
    assert set(robot.links.values()) == {None}
    assert {finding.code for finding in robot.check()} == {"no_density", "no_joints"}
