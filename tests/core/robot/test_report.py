# SPDX-License-Identifier: GPL-3.0-or-later
"""The report tells what was stated and what was computed, and no number of what was refused."""

import csv
from io import StringIO

import numpy as np
import pytest

from core import Finding, InertiaError, Inertial, Pose
from core.body.shapes import Box
from core.judge.geometry.resolve_model import resolve_model
from core.robot.model import Collision, Joint, Link, Model, Unusable
from core.robot.report import csv_text, markdown, model_json

CUBE = Box((1, 1, 1))
FLAW = Finding("error", "flaw", "l", "it cannot be written", "fix it")
NUMBERS = ("mass", "com", "inertia", "volume", "principal")


def at(x, y=0.0, z=0.0):
    return Pose.from_sdf([x, y, z, 0, 0, 0])


def reported(link):
    """Return a link's part of the JSON, and of the Markdown its rows as cells by the name of the part."""
    model = Model("m", (link,))
    bodies = resolve_model(model)
    (data,) = model_json(model, bodies)["links"]
    text = markdown(model, bodies)
    rows = [[cell.strip(" *") for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]
    return data, {row[0]: dict(zip(rows[0], row, strict=True)) for row in rows}, text


def two_cubes(**options):
    return Link("l", collisions=(Collision("a", at(-1), CUBE, 2.0), Collision("b", at(1), CUBE)), **options)


def test_a_link_with_an_error_has_no_numbers_though_it_was_computed():
    data, table, _text = reported(two_cubes(density=1.0))
    assert data["mass"] == pytest.approx(3) and float(table["total"]["mass [kg]"]) == pytest.approx(3)
    data, table, text = reported(two_cubes(density=1.0, findings=(FLAW,)))
    assert [data[name] for name in NUMBERS] == [None] * 5
    assert [finding["code"] for finding in data["findings"]] == ["flaw"]
    assert table["total"]["mass [kg]"] == "refused" and "[flaw]" in text
    assert not any(table["total"][name] for name in table["total"] if name.startswith(("I", "com", "share")))


def test_the_fine_parts_of_a_refused_link_keep_their_own_numbers():
    bad = Collision("b", at(1), Unusable(InertiaError("open_mesh", "", "it is open", "close it")))
    for link in (two_cubes(density=1.0, findings=(FLAW,)), Link("l", collisions=(two_cubes().collisions[0], bad))):
        data, table, _text = reported(link)
        good = data["parts"][0]
        assert (good["mass"], good["com"]) == (pytest.approx(2), [-1, 0, 0])
        assert good["inertia_at_link_com"] is None
        assert float(table["a"]["Ixx"]) == pytest.approx(2 / 6, rel=1e-6)
        assert table["a"]["Ixx at link com"] == table["a"]["share"] == ""
    assert [data["parts"][1][name] for name in NUMBERS] == [None] * 5
    assert table["b"]["mass [kg]"] == "refused"


def test_a_part_with_an_error_has_no_numbers_though_it_was_computed():
    data, table, _text = reported(Link("l", collisions=(Collision("a", at(0), CUBE, 2.0, findings=(FLAW,)),)))
    assert [data["parts"][0][name] for name in NUMBERS] == [data[name] for name in NUMBERS] == [None] * 5
    assert table["a"]["mass [kg]"] == table["total"]["mass [kg]"] == "refused"


def test_a_target_mass_scales_masses_and_leaves_densities_as_stated():
    data, table, text = reported(two_cubes(density=1.0, mass=6.0))
    assert [part["mass"] for part in data["parts"]] == pytest.approx([4, 2], rel=1e-15)
    assert [part["density"] for part in data["parts"]] == [2, 1]
    assert [table[name]["density [kg/m³]"] for name in "ab"] == ["2", "1"]
    assert "scaled to the target mass of 6 kg" in text
    # SDFormat's default where none is stated, as the file says too.
    assert [part["density"] for part in reported(two_cubes(mass=6.0))[0]["parts"]] == [2, 1000]


def test_the_columns_at_the_links_centre_of_mass_add_up():
    _told, table, text = reported(two_cubes(density=1.0))
    assert "scaled" not in text
    for axis in ("Ixx", "Iyy", "Izz"):
        column = f"{axis} at link com"
        assert all("e" in table[name][column] for name in ("a", "b", "total"))
        total = sum(float(table[name][column]) for name in "ab")
        assert total == pytest.approx(float(table["total"][column]), rel=2e-6)  # seven digits each


def test_a_coordinate_that_is_rounding_is_shown_as_0():
    # The cube's radius of gyration is sqrt(1/6) = 0.41 m.
    zeros = ((x, "0") for x in (0.0, -0.0, 7e-8, 4e-7, -4e-7))
    for x, shown in (*zeros, (4.2e-7, "4.2000e-07"), (-0.5, "-5.0000e-01")):
        data, table, _text = reported(Link("l", density=1.0, collisions=(Collision("a", at(x), CUBE),)))
        assert table["a"]["com x y z [m]"] == f"{shown} 0 0"
        assert data["parts"][0]["com"][0] == x  # as it is, for machines


def test_a_manual_link_is_a_total_without_parts():
    manual = Inertial(2.0, [0.1, 0, 0], np.diag([1.0, 2.0, 2.5]))
    data, table, text = reported(Link("l", mode="manual", manual=manual, mass=9.0))
    assert (data["mass"], data["parts"]) == (2, [])
    assert table["total"]["com x y z [m]"] == "1.0000e-01 0 0"
    assert "scaled" not in text


@pytest.mark.parametrize(("count", "words"), [(1, "1 link"), (2, "2 links")])
def test_one_link_is_counted_in_the_singular(count, words):
    links = tuple(Link(name, manual=Inertial(1.0, np.zeros(3), np.eye(3)), mode="manual") for name in "ab"[:count])
    assert f"**Total** of {words}: {count} kg" in markdown(Model("m", links), resolve_model(Model("m", links)))


@pytest.mark.parametrize("kind", ["revolute", "prismatic"])
def test_a_rotor_is_reported_as_its_joint_feels_it(kind):
    joints = [
        Joint("driven", kind, "a", "b", rotor_inertia=1e-4, gear_ratio=100.0),
        Joint("geared", kind, "b", "c", gear_ratio=50.0),
    ]
    links = tuple(Link(name, manual=Inertial(1.0, np.zeros(3), np.eye(3)), mode="manual") for name in "abc")
    bare, driven = Model("m", links), Model("m", links, tuple(joints))
    bodies = resolve_model(driven)
    assert "joints" not in model_json(bare, bodies) and "## Joints" not in markdown(bare, bodies)
    (row,) = model_json(driven, bodies)["joints"]
    assert row == {
        "name": "driven",
        "rotor_inertia": 1e-4,
        "gear_ratio": 100.0,
        "reflected_inertia": pytest.approx(1.0),
    }
    unit = "kg" if kind == "prismatic" else "kg·m²"
    assert f"| driven | 0.0001 | 100 | 1 {unit} |" in markdown(driven, bodies)
    *_, last = csv.DictReader(StringIO(csv_text([("f", driven, bodies)])))
    assert (last["joint"], last["link"], float(last["reflected_inertia"])) == ("driven", "", pytest.approx(1.0))
