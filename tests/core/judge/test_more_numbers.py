# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers beside the inertial: an added mass, a total, the density that a mass implies for a mesh."""

import json

import numpy as np
import pytest

from core.cli.main import main
from core.files.mesh_writers import obj_bytes
from core.mesh.surface import Surface
from tests.core.command_line import run
from tests.core.solids import box

from ..robot_files import check_path

BUOY = """<sdf version="1.11"><model name="buoy"><link name="hull"><inertial><mass>{mass}</mass><inertia><ixx>0.4</ixx>
<iyy>0.4</iyy><izz>0.4</izz></inertia><fluid_added_mass>{added}</fluid_added_mass></inertial>
<collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link></model></sdf>"""


def codes_of_added_mass(tmp_path, mass=500.0, **numbers):
    path = tmp_path / "buoy.sdf"
    added = "".join(f"<{name}>{number}</{name}>" for name, number in numbers.items())
    text = BUOY.replace(">0.4<", f">{mass / 6:.6g}<").format(mass=mass, added=added)
    path.write_text(text)
    return [finding.code for finding in check_path(path)]


@pytest.mark.fault(190)
def test_an_added_mass_that_makes_a_body_lighter_than_nothing_is_an_error(tmp_path):
    assert codes_of_added_mass(tmp_path, xx=-501.0) == ["added_mass"]
    assert codes_of_added_mass(tmp_path, xx=-499.0) == []
    assert codes_of_added_mass(tmp_path, pp=-84.0) == ["added_mass"]
    assert codes_of_added_mass(tmp_path, xy=1000.0) == ["added_mass"]


@pytest.mark.fault(190)
def test_a_positive_added_mass_is_not_a_fault(tmp_path):
    rng = np.random.default_rng(4)
    half = rng.normal(size=(6, 6))
    matrix = half @ half.T
    names = "xyzpqr"
    numbers = {names[i] + names[j]: matrix[i, j] for i in range(6) for j in range(i, 6)}
    assert codes_of_added_mass(tmp_path, **numbers) == []


@pytest.mark.fault(191)
@pytest.mark.parametrize(("mass", "doubtful"), [(1e-5, True), (0.5, False), (500.0, True)])
def test_the_density_that_a_mass_implies_for_a_mesh_is_judged(mass, doubtful, tmp_path, capsys):
    path = tmp_path / "part.obj"
    path.write_bytes(obj_bytes(Surface(*box((0.1, 0.1, 0.02)))))
    status = main(["mass", str(path), "--mass", str(mass), "--json"])
    answer = json.loads(capsys.readouterr().out)
    codes = [finding["code"] for finding in answer["findings"]]
    assert status == 0 and ("implied_density" in codes) == doubtful


@pytest.mark.fault(174)
def test_there_is_one_total_and_what_it_is_after_repair(tmp_path, capsys):
    cube = '<collision><geometry><box size="0.1 0.2 0.3"/></geometry></collision>'
    link = '<link name="{}"><inertial><mass value="{}"/><inertia ixx="{}" iyy="{}" izz="{}" ixy="0" ixz="0" iyz="0"/>'
    links = [("base", 2.0, 0.01, 0.01, 0.1), ("arm", 3000.0, 32.5, 25.0, 12.5)]
    text = "".join(link.format(*numbers) + f"</inertial>{cube}</link>" for numbers in links)
    joint = '<joint name="j" type="fixed"><parent link="base"/><child link="arm"/></joint>'
    path = tmp_path / "r.urdf"
    path.write_text(f'<robot name="r">{text}{joint}</robot>')
    run("report", path, "--format", "md", "--total-mass", "5")
    printed = capsys.readouterr().out
    assert "**Total** of 2 links: 3002 kg." in printed
    assert "add up to 3002 kg, 600 times the 5 kg given; after `repair` they add up to 5 kg" in printed


@pytest.mark.fault(196)
def test_a_number_beyond_all_floats_is_a_finding(tmp_path):
    path = tmp_path / "far.sdf"
    path.write_text(BUOY.format(mass="0x1p99999", added=""))
    assert "bad_number" in {finding.code for finding in check_path(path)}


@pytest.mark.fault(196)
@pytest.mark.parametrize(
    "words", [("check", "--json"), ("report", "--format", "json"), ("repair", "--dry-run", "--json")]
)
def test_json_has_null_in_place_of_what_overflows(words, tmp_path, capsys):
    inertial = (
        '<inertial><origin xyz="{} 0 0"/><mass value="{}"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
    )
    links = [("a", 1e200, 1), ("b", 0, 1e308)]
    text = "".join(f'<link name="{name}">{inertial.format(x, mass)}</inertial></link>' for name, x, mass in links)
    joint = '<joint name="j" type="fixed"><origin xyz="1e308 0 0"/><parent link="a"/><child link="b"/></joint>'
    path = tmp_path / "r.urdf"
    path.write_text(f'<robot name="r">{text}{joint}</robot>')
    assert run(words[0], path, *words[1:]) in (0, 1)
    json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
