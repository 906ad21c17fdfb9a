# SPDX-License-Identifier: GPL-3.0-or-later
"""From what OpenCASCADE answers for an assembly to links, tables and robots; tests/cad asks OpenCASCADE itself."""

import csv
import json
from io import StringIO

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


def tables_of(text):
    """The tables of each link in a report's Markdown, as rows of cells by the heads of their columns."""
    links = {}
    for section in text.split("\n## ")[1:]:
        name, *lines = section.splitlines()
        tables = [[]]
        for line in lines:
            if line.startswith("|"):
                tables[-1].append([cell.strip(" *") for cell in line.strip("|").split("|")])
            elif tables[-1]:
                tables.append([])
        links[name] = [[dict(zip(rows[0], row, strict=True)) for row in rows[2:]] for rows in tables if rows]
    return links


def test_a_part_has_one_row_in_each_link_that_has_it(capsys):
    """The bill of the example has 4 screws in the base, at its line 5, and 2 in the upper arm, at line 9."""
    assert main(["report", str(ARM), "--bom", str(BOM), "--links", "first", "--format", "md"]) == 0
    links = tables_of(capsys.readouterr().out)
    screws = {name: [row for row in tables[0] if row["part"] == "Screw M4x16"] for name, tables in links.items()}
    assert {name: [row["in this link"] for row in rows] for name, rows in screws.items()} == {
        "base": ["4"],
        "upper_arm": ["2"],
        "hand": [],
    }
    for (row,) in (screws["base"], screws["upper_arm"]):
        assert (row["in the assembly"], row["BOM line"]) == ("6", "5, 9")
        assert float(row["mass [kg]"]) == pytest.approx(int(row["in this link"]) * float(row["mass of one [kg]"]))
    for weights, *_ in links.values():
        *rows, total = weights
        assert sum(int(row["in this link"]) for row in rows) == int(total["in this link"])
        assert sum(float(row["mass [kg]"]) for row in rows) == pytest.approx(float(total["mass [kg]"]), rel=1e-6)


def test_all_six_components_of_the_parts_add_up_to_the_links(capsys):
    assert main(["report", str(ARM), "--bom", str(BOM), "--links", "first", "--format", "md"]) == 0
    links = tables_of(capsys.readouterr().out)
    exact = read_step(ARM, BOM, "first").links
    for name, (_, _, moved) in links.items():
        *parts, total = moved
        scale = np.trace(exact[name].inertia)
        for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)):
            column = f"I{'xyz'[i]}{'xyz'[j]}"
            assert float(total[column]) == pytest.approx(exact[name].inertia[i, j], rel=1e-6, abs=1e-15)
            assert sum(float(part[column]) for part in parts) == pytest.approx(float(total[column]), abs=1e-6 * scale)
    assert float(links["upper_arm"][2][-1]["Iyz"]) < -1e-6  # the screws are on one side: not all products are 0
    assert float(links["hand"][1][1]["Ixz"]) == -float(links["hand"][1][2]["Ixz"]) != 0.0  # mirrored fingers


def test_each_part_of_a_link_that_was_weighed_is_called_scaled(capsys):
    words = ["report", str(ARM), "--bom", str(BOM), "--links", "first", "--format", "md", "--weighed", "hand=0.5"]
    assert main(words) == 0
    links = tables_of(capsys.readouterr().out)
    for name, (weights, *_) in links.items():
        *parts, total = weights
        assert {row["from"].endswith(", scaled") for row in parts} == {name == "hand"}
    assert float(total["mass [kg]"]) == 0.5


def test_csv_names_the_part_of_each_placement(capsys):
    assert main(["report", str(ARM), "--bom", str(BOM), "--links", "first", "--format", "csv"]) == 0
    lines = [line for line in csv.DictReader(StringIO(capsys.readouterr().out)) if line["part"]]
    assert {line["product"] for line in lines if "Screw" in line["part"]} == {"Screw M4x16"}
    assert [line["bom_lines"] for line in lines if line["part"] == "upper_arm/Screw M4x16:5"] == ["5, 9"]


def test_one_finding_has_one_count_wherever_it_is_printed(capsys):
    """Seven parts, thirteen placements, none with a density."""
    assert main(["report", str(ARM), "--format", "md"]) == 1
    printed = capsys.readouterr()
    (listed,) = [line for line in printed.out.splitlines() if "[no_density]" in line]
    assert "(7 times" in listed and printed.err == ""
    main(["report", str(ARM)])
    assert capsys.readouterr().out.count("[no_density]") == 1
