# SPDX-License-Identifier: GPL-3.0-or-later
"""Inertials written into an MJCF: only their bytes change, and MuJoCo reads the new numbers."""

import re
from pathlib import Path

import numpy as np
import pytest

from core import InertiaError, read_robot
from core.cli.options.inputs import inputs_of
from core.formats.table import write_back
from tests.core.command_line import run
from tests.core.robot_files import repair

from .mjcf_files import CUBE, assert_same, compiled, mjcf, moving, read
from .test_findings import CHOSEN

BAD = '<inertial mass="8" pos="0 0 0" diaginertia=".01 .01 .06" euler="0 30 0" user="kept"/>'.replace(
    ' user="kept"', ""
)
ODD = "<!-- a comment -->\n\t<body   name='link' >\r\n\t\t{} <joint/>\r\n\t\t<geom  type='box' size='.1 .1 .1'/></body>"


def without_inertials(data: bytes) -> bytes:
    return re.sub(rb"<inertial[^>]*/>", b"", data)


def test_repair_changes_only_the_inertial(tmp_path):
    path = mjcf(tmp_path, ODD.format(BAD), CHOSEN)
    new = repair(path).data
    assert without_inertials(new) == without_inertials(path.read_bytes())
    path.write_bytes(new)
    assert compiled(path)["link"].inertia.diagonal() == pytest.approx([8 * 0.04 / 6] * 3)
    assert repair(path).data == new


def test_fill_writes_what_mujoco_computes(tmp_path):
    path = mjcf(tmp_path, ODD.format(""), CHOSEN)
    before, theirs = path.read_bytes(), compiled(path)["link"]
    filled = read_robot(path).fill()
    path.write_bytes(filled.data)
    assert re.sub(rb"\r\n\t\t <inertial[^>]*/>", b"", filled.data) == before
    assert_same(compiled(path)["link"], theirs)
    assert read_robot(path).fill().data == filled.data


def test_fill_gives_every_reader_the_number_of_a_hollow_mesh(tmp_path):
    from .test_findings import with_mesh
    from .test_numbers import hollow

    path = with_mesh(tmp_path, hollow())
    theirs = compiled(path)["link"]
    path.write_bytes(read_robot(path).fill().data)
    assert_same(read(path)["link"], theirs)
    assert not read_robot(path).links["link"].auto


def test_fill_refuses_where_mujoco_ignores_inertials(tmp_path):
    path = mjcf(tmp_path, moving(CUBE), '<compiler inertiafromgeom="true"/>\n')
    with pytest.raises(InertiaError, match='set it to "auto"'):
        read_robot(path).fill()


def test_a_turned_plate_loads_in_mujoco(tmp_path):
    """Its moments are exactly a + b = c, and MuJoCo allows no rounding."""
    rng = np.random.default_rng(7)
    for number in range(50):
        a, b, *turn = rng.uniform(0.1, 1.0, 5)
        euler = " ".join(f"{90 * value:.5f}" for value in turn)
        geom = f'<geom type="box" size="{a} {b} 1e-7" euler="{euler}" mass="1"/>'
        path = mjcf(tmp_path, moving(geom, f"plate_{number}"))
        theirs = compiled(path)[f"plate_{number}"]
        path.write_bytes(read_robot(path).fill().data)
        assert_same(compiled(path)[f"plate_{number}"], theirs)


@pytest.mark.parametrize("given", ['diaginertia="1 2 2.5" quat="1 2 3 4"', 'fullinertia="2 2 2 .1 .2 .3"', "mass_only"])
def test_a_new_inertial_is_what_mujoco_reads(tmp_path, given):
    tensor = "" if given == "mass_only" else given
    path = mjcf(tmp_path, f'<body name="link"><inertial pos="0 0 1" mass="2" {tensor}/>{CUBE}</body>')
    new = read_robot(mjcf(tmp_path, moving(CUBE.replace(".1 .1", ".2 .3")), name="other.xml")).links["link"].inertial
    path.write_bytes(write_back(read_robot(path).file, {"robot": {"link": new}}))
    assert_same(compiled(path)["link"], new)


def test_a_scaled_tensor_keeps_its_axes(tmp_path):
    path = mjcf(tmp_path, moving('<inertial pos="0 0 0" mass="2" diaginertia="1 2 2.5" quat="1 2 3 4"/>' + CUBE))
    new = read(path)["link"].scaled_to(4.0)
    data = write_back(read_robot(path).file, {"robot": {"link": new}})
    assert b'mass="4" diaginertia="2 4 5" quat="1 2 3 4"' in data


@pytest.mark.fault(168)
def test_in_place_repairs_included_files(tmp_path):
    part = tmp_path / "arm.xml"
    part.write_text(f"<mujocoinclude>\n<body name='arm'>{BAD}<joint/>{CUBE}</body></mujocoinclude>")
    path = mjcf(tmp_path, '<include file="arm.xml"/>', CHOSEN)
    main, before = path.read_bytes(), part.read_bytes()
    assert run("repair", path, "-o", tmp_path / "out.xml") == 1  # the fault is in the other file
    assert part.read_bytes() == before
    assert run("repair", path, "--in-place") == 0
    assert path.read_bytes() == main
    assert without_inertials(part.read_bytes()) == without_inertials(before)
    assert compiled(path)["arm"].inertia.diagonal() == pytest.approx([8 * 0.04 / 6] * 3)


def test_in_place_fills_included_files(tmp_path):
    part = tmp_path / "arm.xml"
    part.write_text(f"<mujocoinclude>\n  <body name='arm'>\n    <joint/>\n    {CUBE}\n  </body>\n</mujocoinclude>")
    path = mjcf(tmp_path, '<include file="arm.xml"/>', CHOSEN)
    assert run("fill", path, "--in-place") == 0
    assert '<body name=\'arm\'>\n    <inertial pos="0 0 0" mass="8"' in part.read_text()


def test_bodies_that_replicate_makes_are_left_with_the_reason(tmp_path):
    path = mjcf(tmp_path, f'<replicate count="3" offset="1 0 0">{moving(BAD + CUBE)}</replicate>')
    repaired = repair(path)
    assert repaired.data == path.read_bytes()
    assert {"macro_inertial"} <= {finding.code for finding in repaired.findings}


def test_diff_compares_an_mjcf_with_the_urdf_of_the_robot(tmp_path):
    inertial = '<inertial pos="0 0 0" mass="8" diaginertia=".05 .06 .07"/>'
    path = mjcf(tmp_path, moving(inertial + CUBE))
    urdf = tmp_path / "arm.urdf"
    urdf.write_text(
        '<robot name="arm"><link name="link"><inertial><mass value="8"/>'
        '<inertia ixx=".05" iyy=".06" izz=".07" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>'
    )
    assert run("diff", path, urdf) == 0
    urdf.write_text(urdf.read_text().replace(".07", ".08"))
    assert run("diff", path, urdf) == 1


def test_a_folder_gives_the_mjcf_that_no_other_includes_and_no_other_xml(tmp_path):
    mjcf(tmp_path, moving(CUBE), CHOSEN)
    (tmp_path / "part.xml").write_text("<mujocoinclude><body/></mujocoinclude>")
    (tmp_path / "package.xml").write_text("<package><name>a</name></package>")
    (tmp_path / "scene.xml").write_text("\n<!-- <x> -->\n<mujoco><include file='robot.xml'/></mujoco>")
    inputs = inputs_of("check", [str(tmp_path)], None).files
    assert [Path(one).name for one in inputs] == ["scene.xml"]


def test_for_mujoco_is_what_it_compiles(tmp_path):
    inertial = '<inertial pos="0 0 0" mass="2" diaginertia=".05 .05 .05"/>'
    path = mjcf(tmp_path, moving(inertial + CUBE), '<compiler boundmass="3"/>\n')
    (body,) = read_robot(path).compare_engines(["mujoco"]).bodies
    assert body.cases[0].inertial.mass == 3.0
    assert read_robot(path).compare_engines(["drake"]).views["drake"].findings[0].code == "engine_unread"


def test_an_inertial_in_an_include_of_its_body_is_repaired_there(tmp_path):
    part = tmp_path / "in.xml"
    part.write_text(f"<mujocoinclude>{BAD}</mujocoinclude>")
    path = mjcf(tmp_path, f'<body name="a"><include file="in.xml"/><joint/>{CUBE}</body>', CHOSEN)
    before = path.read_bytes()
    assert {finding.code for finding in read_robot(path).check()} == {"triangle_inequality"}
    assert repair(path).data == before
    assert run("repair", path, "--in-place") == 0
    assert path.read_bytes() == before
    assert compiled(path)["a"].inertia.diagonal() == pytest.approx([8 * 0.04 / 6] * 3)


def test_fill_leaves_bodies_without_mass(tmp_path):
    weightless = CUBE.replace("/>", ' mass="0"/>')
    path = mjcf(tmp_path, moving(f'{CUBE}<body name="tip">{weightless}</body>'))
    theirs = compiled(path)
    path.write_bytes(read_robot(path).fill().data)
    assert_same(compiled(path)["link"], theirs["link"])
    assert path.read_text().count("<inertial") == 1


def test_fill_writes_the_masses_that_settotalmass_makes(tmp_path):
    given = '<inertial pos="0 0 0" mass="2" diaginertia=".05 .05 .05"/>'
    total = '<compiler settotalmass="5"/>\n'
    path = mjcf(tmp_path, moving(CUBE, "a") + moving(given, "b"), total)
    theirs = compiled(path)
    robot = read_robot(path)
    assert_same(robot.links["a"].inertial, theirs["a"])
    path.write_bytes(robot.fill().data.replace(total.encode(), b""))
    for name, inertial in compiled(path).items():
        assert_same(inertial, theirs[name])


@pytest.mark.parametrize("seed", range(6))
def test_small_boxes_load_in_mujoco_with_their_numbers(tmp_path, seed):
    rng = np.random.default_rng(seed)
    size = " ".join(f"{value:.6f}" for value in rng.uniform(2e-4, 3e-3, 3))
    euler = " ".join(f"{value:.3f}" for value in rng.uniform(-180.0, 180.0, 3))
    path = mjcf(tmp_path, moving(f'<geom type="box" size="{size}" euler="{euler}" density="777"/>'))
    theirs = compiled(path)["link"]
    path.write_bytes(read_robot(path).fill().data)
    assert_same(compiled(path)["link"], theirs)


def test_a_nameless_body_and_one_of_its_number_are_distinguished(tmp_path):
    path = mjcf(tmp_path, f"<body><joint/>{CUBE}</body><body name='body_1'><joint/>{CUBE}</body>", CHOSEN)
    data = read_robot(path).fill().data
    assert data.count(b"<inertial") == 2


def test_for_mujoco_keeps_the_frame_of_a_free_body(tmp_path):
    beside = CUBE.replace("/>", ' pos="1 0 0"/>')
    path = mjcf(tmp_path, f'<body name="a"><freejoint align="true"/>{beside}</body>')
    (body,) = read_robot(path).compare_engines(["mujoco"]).bodies
    assert body.cases[0].inertial.com == pytest.approx([1.0, 0.0, 0.0])


def test_a_backup_is_read_whatever_its_suffix(tmp_path):
    path = mjcf(tmp_path, moving(BAD + CUBE), CHOSEN)
    assert run("repair", path, "--in-place") == 0
    assert run("diff", f"{path}.bak", path) == 1
    assert [*read_robot(f"{path}.bak").links] == ["link"]


def test_a_file_that_fill_wrote_no_longer_needs_settotalmass(tmp_path):
    path = mjcf(tmp_path, moving(CUBE), '<compiler settotalmass="5"/>\n')
    assert "compiler_changes" in {finding.code for finding in read_robot(path).check()}
    path.write_bytes(read_robot(path).fill().data)
    assert "compiler_changes" not in {finding.code for finding in read_robot(path).check()}
