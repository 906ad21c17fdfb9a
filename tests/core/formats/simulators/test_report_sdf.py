# SPDX-License-Identifier: GPL-3.0-or-later
"""``report``: what each link weighs, and what each of its collisions contributes, in three formats."""

import csv
import io
import json
import shutil

import pytest

from core.files.mesh_writers import obj_bytes
from core.mesh.surface import Surface

from ...command_line import run, run_json
from ...solids import box

SDF = """<sdf version="1.11"><model name="m">
<link name="l"><inertial auto="true"><density>100</density></inertial>
<collision name="a|b"><pose>0 0 1 0 0 0</pose><geometry><box><size>1 1 1</size></box></geometry></collision>
<collision name="c"><density>300</density><geometry><box><size>1 1 1</size></box></geometry></collision></link>
<link name="manual"><inertial><mass>2</mass></inertial></link>
{more}
</model></sdf>"""

BAD = """<link name="bad"><inertial auto="true"><density>1</density></inertial>
<collision name="p"><geometry><plane/></geometry></collision></link>"""


@pytest.fixture
def sdf(tmp_path):
    path = tmp_path / "m.sdf"
    path.write_text(SDF.format(more=""))
    return path


def test_json_has_the_parts_that_add_up_to_the_link(sdf, capsys):
    status, answer = run_json(capsys, "report", sdf, "--format", "json")
    assert status == 0
    assert answer["file"] == str(sdf) and answer["version"] and "blender" not in answer
    (model,) = answer["models"]
    assert [(link["name"], link["inertia_mode"]) for link in model["links"]] == [("l", "auto"), ("manual", "manual")]
    link = model["links"][0]
    assert link["mass"] == 400 and link["com"] == [0, 0, 0.25]
    # Two unit cubes a metre apart: m/6 each, and 75 kg m² of the parallel axis about x and y.
    assert link["inertia"]["ixx"] == pytest.approx(400 / 6 + 75)
    assert [part["mass"] for part in link["parts"]] == [100, 300]
    for name in ("ixx", "iyy", "izz"):
        assert sum(part["inertia_at_link_com"][name] for part in link["parts"]) == pytest.approx(link["inertia"][name])
    assert model["links"][1]["mass"] == 2


def test_csv_says_the_same_as_json(sdf, capsys):
    _, answer = run_json(capsys, "report", sdf, "--format", "json")
    assert run("report", sdf, "--format", "csv") == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["model"], row["link"], row["part"]) for row in rows] == [
        ("m", "l", "a|b"),
        ("m", "l", "c"),
        ("m", "l", ""),
        ("m", "manual", ""),
        ("m", "", ""),
    ]
    link = answer["models"][0]["links"][0]
    for row, body in zip(rows, (*link["parts"], link), strict=False):
        assert float(row["mass"]) == body["mass"]
        assert [float(row[f"com_{axis}"]) for axis in "xyz"] == body["com"]
        assert {name: float(row[name]) for name in body["inertia"]} == body["inertia"]
    assert [float(row["mass_percent"]) for row in rows[:-1]] == [25, 75, 100, 100]
    first, second, whole, _manual, total = rows
    assert float(total["mass"]) == 402
    assert float(first["ixx_percent"]) == pytest.approx(100 * (100 / 6 + 100 * 0.75**2) / (400 / 6 + 75))
    assert float(first["izz_percent"]) == pytest.approx(25)
    for name in ("ixx_percent", "iyy_percent", "izz_percent"):
        assert float(first[name]) + float(second[name]) == pytest.approx(float(whole[name]))
    assert float(rows[0]["ixx_at_link_com"]) == link["parts"][0]["inertia_at_link_com"]["ixx"]


def test_markdown_has_a_row_per_collision_whatever_its_name(sdf, capsys):
    assert run("report", sdf, "--format", "md") == 0
    table = [line for line in capsys.readouterr().out.splitlines() if line.startswith("|")]
    assert {line.replace(r"\|", "").count("|") for line in table} == {14}
    (row,) = [line for line in table if "a\\|b" in line]
    share = 100 * (100 / 6 + 100 * 0.75**2) / (400 / 6 + 75)  # a cube of 100 kg, 0.75 m from the common centre of mass
    cells = [cell.strip() for cell in row.replace(r"\|", "").strip("|").split("|")]
    assert cells[4] == "25.0%"
    assert cells[-1].split()[0] == f"{share:.1f}%" and cells[-1].split()[2] == "25.0%"


@pytest.mark.fault(65)
@pytest.mark.parametrize("format_", ["md", "csv", "json"])
def test_a_refused_link_is_reported_with_status_1(format_, sdf, capsys):
    sdf.write_text(SDF.format(more=BAD))
    assert run("report", sdf, "--format", format_) == 1
    printed = capsys.readouterr()
    assert "bad" in printed.out and "unsupported_geometry" in (printed.out if format_ == "md" else printed.err)
    if format_ == "json":
        bad = json.loads(printed.out)["models"][0]["links"][-1]
        assert (bad["mass"], bad["inertia"]) == (None, None)


def test_several_files_are_one_report(sdf, tmp_path, capsys):
    missing, copy = tmp_path / "none.sdf", shutil.copy(sdf, tmp_path / "copy.sdf")
    status, answer = run_json(capsys, "report", sdf, missing, copy, "--format", "json")
    assert status == 2
    assert [len(file["models"]) for file in answer["files"]] == [1, 0, 1]
    assert [finding["code"] for finding in answer["files"][1]["findings"]] == ["file_read"]
    assert run("report", sdf, copy, "--format", "csv") == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + 2 * 5


def test_a_urdf_is_reported_and_compared_as_the_sdf_of_the_same_robot(tmp_path, capsys):
    urdf = tmp_path / "r.urdf"
    urdf.write_text(
        '<robot name="m"><link name="l"><inertial><origin xyz="1 2 3"/><mass value="2"/>'
        '<inertia ixx="3" ixy="0.1" ixz="0" iyy="4" iyz="0" izz="5"/></inertial></link></robot>'
    )
    sdf = tmp_path / "r.sdf"
    sdf.write_text(
        '<sdf version="1.11"><model name="m"><link name="l"><inertial><pose>1 2 3 0 0 0</pose><mass>2</mass><inertia>'
        "<ixx>3</ixx><ixy>0.1</ixy><iyy>4</iyy><izz>5</izz></inertia></inertial></link></model></sdf>"
    )
    status, answer = run_json(capsys, "report", urdf, "--format", "json")
    assert status == 0 and answer["models"][0]["links"][0]["inertia"]["ixy"] == 0.1
    assert run("diff", urdf, sdf) == 0
    assert run("fill", urdf, "-o", tmp_path / "out.sdf") == 1, "fill writes SDF only"
    assert not (tmp_path / "out.sdf").exists()


def test_what_gazebo_gets_from_a_mesh_is_reported_where_asked(tmp_path, capsys):
    (tmp_path / "cube.obj").write_bytes(obj_bytes(Surface(*box(low=(1, 1, 1)))))
    path = tmp_path / "m.sdf"
    path.write_text(
        '<sdf version="1.11"><model name="m"><link name="l"><inertial auto="true"><density>1000</density></inertial>'
        '<collision name="c"><geometry><mesh><uri>cube.obj</uri></mesh></geometry></collision></link></model></sdf>'
    )
    for command in ("report", "fill"):
        assert run(command, path, "--gazebo") == 0
        assert "[gazebo_agrees]" in "".join(capsys.readouterr())
        assert run(command, path) == 0
        assert "[gazebo" not in "".join(capsys.readouterr())
