# SPDX-License-Identifier: GPL-3.0-or-later
"""The sum of a robot's masses against the one on its data sheet: boxes of 6 litres, 1 kg each unless stated."""

import pytest

from core.formats.table import read_robot_file
from tests.core.command_line import run, run_json
from tests.core.judge.test_summary import MOMENTS, link


def box(name, mass):
    return link(name, tuple(mass * moment for moment in MOMENTS), mass=mass)


def masses(path):
    return {one.local_name: one.mass for one in read_robot_file(path).links}


def test_a_sum_40_percent_below_is_a_warning(robot, capsys):
    path = robot(box("a", 2.0), box("b", 2.2), box("c", 3.0))
    status, answer = run_json(capsys, "check", path, "--json", "--total-mass", 12)
    (finding,) = answer["files"][0]["findings"]
    assert (status, finding["severity"], finding["code"]) == (0, "warning", "total_mass")
    assert finding["message"] == "the links add up to 7.2 kg, 40 % below the 12 kg given"
    total = answer["files"][0]["total_mass"]
    assert (total["sum"], total["difference"]) == (pytest.approx(7.2), pytest.approx(-0.4))
    assert total["models"] == {"robot": pytest.approx(7.2)} and total["odd"] == []


@pytest.mark.parametrize(("given", "warned"), [(7.2, False), (7.5, False), (6.9, False), (7.6, True), (6.8, True)])
def test_a_sum_within_5_percent_is_right(robot, capsys, given, warned):
    path = robot(box("a", 2.0), box("b", 2.2), box("c", 3.0))
    assert run("check", path, "--total-mass", given) == 0
    text = capsys.readouterr().out
    assert ("[total_mass]" in text) == warned and "the links add up to 7.2 kg" in text


def test_the_link_of_another_density_is_named_with_both_numbers(robot, capsys):
    path = robot(*(box(name, 6.0) for name in "abcd"), box("light", 0.6))  # 1000 and 100 kg/m³
    _, answer = run_json(capsys, "check", path, "--json", "--total-mass", 30)
    (odd,) = answer["files"][0]["total_mass"]["odd"]
    assert odd == {"name": "light", "density": pytest.approx(100.0), "median": pytest.approx(1000.0)}
    message = next(one["message"] for one in answer["files"][0]["findings"] if one["code"] == "total_mass")
    assert message.endswith("Odd densities: light with 100 kg/m³ (others 1000)")


def test_three_odd_links_are_named_at_most_the_farthest_first(robot, capsys):
    light = {"p": 0.6, "q": 0.3, "r": 0.9, "s": 0.4}
    path = robot(*(box(name, 6.0) for name in "abcdef"), *(box(*one) for one in light.items()))
    _, answer = run_json(capsys, "check", path, "--json", "--total-mass", 100)
    assert [one["name"] for one in answer["files"][0]["total_mass"]["odd"]] == ["q", "s", "p"]


def test_report_shows_the_difference(robot, capsys):
    path = robot(box("a", 2.0), box("b", 4.0))
    status, answer = run_json(capsys, "report", path, "--format", "json", "--total-mass", 8)
    assert (status, answer["total_mass"]["difference"]) == (0, -0.25)
    run("report", path, "--format", "md", "--total-mass", 8)
    assert "**Total mass**: the links add up to 6 kg, 25 % below the 8 kg given." in capsys.readouterr().out


MODEL = """<model name="{}">{}<link name="l"><inertial><mass>2</mass></inertial></link>{}</model>"""


@pytest.mark.parametrize("verb", [("check", "--json"), ("report", "--format", "json")])
def test_a_file_of_several_robots_is_refused(tmp_path, capsys, verb):
    path = tmp_path / "world.sdf"
    models = MODEL.format("a", "", "") + MODEL.format("b", "", "")
    path.write_text(f"<sdf version='1.11'><world name='w'>{models}</world></sdf>")
    status, answer = run_json(capsys, verb[0], path, *verb[1:], "--total-mass", 4)
    codes = [one["code"] for one in answer.get("files", [answer])[0]["findings"]]
    assert status == 1 and "several_robots" in codes


def test_static_models_do_not_count_and_nested_ones_do(tmp_path, capsys):
    path = tmp_path / "world.sdf"
    models = MODEL.format("floor", "<static>true</static>", "") + MODEL.format("a", "", MODEL.format("arm", "", ""))
    path.write_text(f"<sdf version='1.11'><world name='w'>{models}</world></sdf>")
    _, answer = run_json(capsys, "check", path, "--json", "--total-mass", 4)
    total = answer["files"][0]["total_mass"]
    assert (total["sum"], total["models"]) == (4.0, {"a": 2.0, "a::arm": 2.0})


def test_repair_scales_only_masses_from_densities(robot, capsys, tmp_path):
    # a has 1 kg; b and c get 6 kg each at 1000 kg/m³, and 2 kg each of the 5 kg
    path, target = robot(box("a", 1.0), link("b", None), link("c", None)), tmp_path / "out.urdf"
    status, answer = run_json(capsys, "repair", path, "-o", target, "--density", 1000, "--total-mass", 5, "--json")
    assert status == 0 and answer["total_mass"]["factor"] == pytest.approx(1 / 3)
    assert answer["total_mass"]["scaled"] == ["robot::b", "robot::c"]
    assert masses(target) == {"a": 1.0, "b": pytest.approx(2.0), "c": pytest.approx(2.0)}
    inertial = read_robot_file(target).links[1].inertial
    assert inertial.inertia.diagonal() == pytest.approx([2.0 * moment for moment in MOMENTS], rel=1e-8)
    assert sum(masses(target).values()) == pytest.approx(5.0, rel=1e-9)


def test_a_second_repair_changes_nothing(robot, tmp_path):
    path, first, second = robot(box("a", 1.0), link("b", None)), tmp_path / "1.urdf", tmp_path / "2.urdf"
    options = "--density", 1000, "--total-mass", 3
    assert run("repair", path, "-o", first, *options) == run("repair", first, "-o", second, *options) == 0
    assert first.read_bytes() == second.read_bytes() != path.read_bytes()


def test_all_masses_can_be_scaled_if_all_are_from_densities(robot, tmp_path):
    path, target = robot(box("a", 1.0), box("b", 4.0)), tmp_path / "out.urdf"
    options = "--what", "all", "--mass", "density", "--density", 1000, "--total-mass", 6
    assert run("repair", path, "-o", target, *options) == 0
    assert masses(target) == {"a": pytest.approx(3.0), "b": pytest.approx(3.0)}


def test_a_mass_stated_in_the_map_is_measured(robot, tmp_path):
    path, target, rows = robot(link("a", None), link("b", None)), tmp_path / "out.urdf", tmp_path / "map.csv"
    rows.write_text("match,mass\na,2\n")
    assert run("repair", path, "-o", target, "--densities", rows, "--density", 1000, "--total-mass", 5) == 0
    assert masses(target) == {"a": 2.0, "b": pytest.approx(3.0)}


@pytest.mark.parametrize(
    ("links", "total", "code"),
    [
        ((box("a", 1.0), box("b", 1.0)), 3.0, "target_below_parts"),  # all are measured
        ((box("a", 4.0), link("b", None)), 3.0, "target_below_parts"),  # nothing is left
        ((box("a", 1.0), link("b", None)), 1.5, "total_mass_factor"),  # 0.5 kg of 6 kg
        ((box("a", 1.0), link("b", None)), 62.0, "total_mass_factor"),
    ],
)
def test_a_total_that_no_factor_reaches_is_refused(robot, capsys, tmp_path, links, total, code):
    path, target = robot(*links), tmp_path / "out.urdf"
    status, answer = run_json(capsys, "repair", path, "-o", target, "--density", 1000, "--total-mass", total, "--json")
    assert (status, [one["code"] for one in answer["findings"]]) == (1, [code])
    assert not target.exists()


def test_a_total_is_refused_while_a_link_has_no_mass(robot, capsys):
    assert run("repair", robot(box("a", 1.0), link("b", None)), "--total-mass", 3, "--dry-run") == 1
    assert "link 'b' has no mass" in capsys.readouterr().err
