# SPDX-License-Identifier: GPL-3.0-or-later
"""Engines side by side, in Python, in the terminal's table and in JSON."""

import json

import pytest

from core.api.robot import read_robot
from core.cli.main import main
from core.engines.known import ENGINES
from tests.engines.cases import CASES
from tools.engines_page import CHECKOUT, PAGE, page


@pytest.fixture
def written(tmp_path):
    def write(name, suffix=".urdf"):
        path = tmp_path / f"robot{suffix}"
        path.write_text(CASES[name])
        return path

    return write


def cases_of(comparison, body):
    (found,) = (one for one in comparison.bodies if one.name == body)
    return {case.engines: case for case in found.cases}


def test_a_tip_without_inertial_weighs_three_different_masses(written):
    cases = cases_of(read_robot(written("tip with a box alone")).compare_engines(), "body")
    assert {engines: round(case.inertial.mass, 6) for engines, case in cases.items()} == {
        ("gazebo", "drake", "pinocchio"): 2.0,
        ("mujoco", "newton"): 10.0,
        ("pybullet",): 3.0,
        ("pybullet-file",): 3.0,
    }


def test_engines_that_read_the_same_share_one_case(written):
    comparison = read_robot(written("sound")).compare_engines(["drake", "pinocchio", "pybullet-file", "newton"])
    assert comparison.agree and all(len(body.cases) == 1 for body in comparison.bodies)
    assert not read_robot(written("sound")).compare_engines(["drake", "pybullet"]).agree


@pytest.mark.parametrize("name", ["no tensor", "impossible", "moments below 1e-14"])
def test_check_fails_for_an_engine_that_refuses_the_file(name, written, capsys):
    path = written(name)
    assert main(["check", "--json", "--for", "mujoco", str(path)]) == 1
    (file,) = json.loads(capsys.readouterr().out)["files"]
    assert "engine_refuses" in {one["code"] for one in file["findings"] if one["severity"] == "error"}
    assert file["engines"]["refused"] == ["mujoco"] and file["engines"]["bodies"] == []


def test_an_engine_that_invents_numbers_is_a_warning_and_no_error(written):
    findings = read_robot(written("no inertial, box")).check(["pybullet", "newton"])
    texts = {str(one.message) for one in findings if one.code == "engine_differs" and one.severity == "warning"}
    assert any(text.startswith("PyBullet gives it 1 kg") for text in texts)
    assert any(text.startswith("Newton gives it 6 kg") for text in texts)
    assert "engine_differs" not in {one.code for one in read_robot(written("no inertial, box")).check()}


def test_what_engines_do_is_not_merged_with_what_others_do(written, capsys):
    assert main(["check", "--for", "mujoco,pybullet,newton", str(written("no inertial, box"))]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert all(f"{engine} gives it" in shown for engine in ("MuJoCo", "PyBullet", "Newton"))


def test_the_table_names_the_bodies_engines_and_versions(written, capsys):
    assert main(["check", "--for", "drake,mujoco,newton", str(written("tip with a box alone"))]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("body + tip  ") for line in lines)
    assert any("mujoco, newton" in line and "  10  " in line for line in lines)
    assert lines[-4] == "By the rules of Drake 1.51.1, MuJoCo 4.0.0, Newton 1.8.0."


def test_the_report_has_the_table_and_the_root_that_does_not_move(written, capsys):
    assert main(["report", "--format", "md", "--for", "mujoco,drake", str(written("sound"))]) == 0
    assert "|  | mujoco | does not move |" in capsys.readouterr().out


def test_a_held_link_of_0_kg_makes_engines_agree(written, tmp_path, capsys):
    path, alike = written("tip with a box alone"), tmp_path / "alike.urdf"
    engines = "gazebo,drake,pinocchio,pybullet-file,newton"
    assert not read_robot(path).compare_engines(engines.split(",")).agree
    assert main(["fill", "--for", engines, str(path), "-o", str(alike)]) == 0
    assert "1 link without inertial given 0 kg" in capsys.readouterr().err
    assert read_robot(alike).compare_engines(engines.split(",")).agree
    assert read_robot(path).fill(engines=engines.split(",")).data == alike.read_bytes()


def test_nothing_is_written_for_an_engine_that_still_refuses(written, tmp_path):
    alike = tmp_path / "alike.urdf"
    assert main(["fill", "--for", "mujoco", str(written("impossible, held")), "-o", str(alike)]) == 1
    assert not alike.exists()


def test_a_link_that_moves_by_itself_is_left_without_a_made_up_mass(written):
    filled = read_robot(written("no inertial, box")).fill(engines="newton")
    assert filled.changes == () and filled.data == CASES["no inertial, box"].encode()


def test_an_sdf_is_compared_where_the_engine_reads_it(written):
    comparison = read_robot(written("sdf impossible", ".sdf")).compare_engines()
    assert [name for name, view in comparison.views.items() if view.refused] == ["gazebo"]
    assert [name for name, view in comparison.views.items() if view.bodies] == ["drake"]
    unread = comparison.views["mujoco"].findings
    assert [one.code for one in unread] == ["engine_unread"] and "SDF" in unread[0].message


def test_options_for_mujoco_in_the_urdf_are_not_guessed(tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text(
        CASES["sound"].replace(
            "<robot name='r'>", "<robot name='r'><mujoco><compiler balanceinertia=\"true\"/></mujoco>"
        )
    )
    (finding,) = read_robot(path).compare_engines("mujoco").findings
    assert finding.code == "engine_unread" and "<mujoco>" in finding.message


def test_a_urdf_that_we_write_is_compared_for_mujoco(tmp_path):
    path = tmp_path / "robot.urdf"
    options = "<mujoco><compiler strippath='false'/></mujoco>"
    path.write_text(CASES["sound"].replace("<robot name='r'>", f"<robot name='r'>{options}"))
    assert read_robot(path).compare_engines("mujoco").views["mujoco"].bodies


def test_a_word_for_a_number_is_not_compared(tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text(CASES["sound"].replace("value='2'", "value='two'"))
    assert {one.code for one in read_robot(path).compare_engines("drake").findings} == {"engine_unread"}


def test_the_page_of_the_engines_is_what_was_recorded():
    assert (CHECKOUT / PAGE).read_text(encoding="utf-8") == page(), "run `make docs`"
    assert all(f"### {engine.title.split()[0]}" in page() for engine in ENGINES.values())


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("shape", ['<box size="1e100 1e100 1e100"/>', '<sphere radius="1e120"/>'])
def test_sizes_that_overflow_are_unknown_to_every_engine(tmp_path, shape):
    part = f"<collision><geometry>{shape}</geometry></collision>"
    joint = '<joint name="j" type="floating"><parent link="a"/><child link="b"/></joint>'
    path = tmp_path / "robot.urdf"
    path.write_text(f'<robot name="r"><link name="a"/><link name="b">{part}</link>{joint}</robot>')
    robot = read_robot(path)
    assert robot.check(engines=list(ENGINES), strict=True)
