# SPDX-License-Identifier: GPL-3.0-or-later
"""``fill --auto``: explicit inertials become auto, with the density that gives the same mass."""

import numpy as np
import pytest

from core.document.document import Document
from core.files.mesh_writers import obj_bytes
from core.formats.sdf.fill import fill, make_auto
from core.formats.sdf.read import read_document
from core.mesh.surface import Surface
from core.robot.resolve import resolve_link

from ... import solids
from ...command_line import run

BOX = "<collision name='{name}'>{density}<geometry><box><size>1 2 3</size></box></geometry></collision>"
TENSOR = "<inertia><ixx>{ixx}</ixx><iyy>2500</iyy><izz>1250</izz></inertia>"
RIGHT = f"<mass>3000</mass>{TENSOR.format(ixx=3250)}"


def read(text):
    return read_document(Document.parse(text.encode(), "m.sdf"))


def model(inertial, collisions):
    link = f'<link name="l">\n    {inertial}\n    {collisions}\n  </link>'
    return f'<sdf version="1.11"><model name="m">\n  {link}</model></sdf>'


def box(name="c", density=""):
    return BOX.format(name=name, density=density)


def codes(changed):
    return [finding.code for finding in changed.findings]


def test_the_density_gives_the_mass_and_a_right_tensor_no_finding():
    text = model(f"<inertial><!-- a -->{RIGHT}</inertial>", box())
    changed = make_auto(read(text))
    assert changed.findings == ()
    assert changed.data.decode() == model('<inertial auto="true"><!-- a --><density>500</density></inertial>', box())


def test_it_is_the_reverse_of_fill():
    auto = '<inertial auto="true">\n      <density>512.25</density>\n    </inertial>'
    text = model(auto, box())
    assert make_auto(read(fill(read(text)).data.decode())).data.decode() == text


def test_a_second_run_changes_nothing():
    once = make_auto(read(model(f"<inertial>{RIGHT}</inertial>", box())))
    assert make_auto(read(once.data.decode())).data == once.data


def test_another_tensor_or_centre_of_mass_is_reported():
    other = RIGHT.replace("3250", "3000")
    for inertial in (f"<inertial>{other}</inertial>", f"<inertial><pose>0 0 0.1 0 0 0</pose>{RIGHT}</inertial>"):
        changed = make_auto(read(model(inertial, box())))
        assert codes(changed) == ["auto_differs"]
        assert not changed.refused
        assert changed.links[0].done
        assert changed.links[0].body.inertial.mass == pytest.approx(3000, rel=1e-15)


def test_collisions_keep_a_density_of_their_own():
    half = box("a", "<density>300</density>") + box("b")
    changed = make_auto(read(model(f"<inertial>{RIGHT}</inertial>", half)))
    assert b"<density>200</density></inertial>" in changed.data
    assert changed.links[0].body.inertial.mass == pytest.approx(3000, rel=1e-15)


def test_where_all_have_their_own_density_nothing_is_added():
    changed = make_auto(read(model(f"<inertial>{RIGHT}</inertial>", box("a", "<density>500</density>"))))
    assert b'<inertial auto="true"></inertial>' in changed.data
    assert changed.findings == ()


MASSES = "<fluid_added_mass><xx>1</xx></fluid_added_mass>"


@pytest.mark.parametrize(
    ("inertial", "collisions", "reason"),
    [
        (RIGHT, "", "no_collision"),
        (RIGHT + MASSES, box(), "fluid_added_mass"),
        (RIGHT, box("a", "<density>600</density>"), "densities_differ"),
        (RIGHT, box("a", "<density>600</density>") + box("b"), "densities_differ"),
        (RIGHT, "<collision name='c'><geometry><plane/></geometry></collision>", "unsupported_geometry"),
        (RIGHT.replace("3250", "9999"), box(), "triangle_inequality"),
        (RIGHT.replace("3000", "0"), box(), "bad_mass"),
    ],
)
def test_a_link_that_auto_cannot_say_keeps_its_numbers(inertial, collisions, reason):
    text = model(f"<inertial>{inertial}</inertial>", collisions)
    changed = make_auto(read(text))
    assert changed.data.decode() == text
    assert "stays_explicit" in codes(changed)
    assert reason in "".join(str(finding) for finding in changed.findings)


def test_a_link_without_inertial_and_an_auto_one_are_none_of_its_business():
    for inertial in ("", '<inertial auto="true"/>'):
        text = model(inertial, box())
        changed = make_auto(read(text))
        assert changed.data.decode() == text and changed.links == ()


def test_the_command_line_does_it(tmp_path):
    path = tmp_path / "m.sdf"
    path.write_text(model(f"<inertial>{RIGHT}</inertial>", box()))
    assert run("fill", "--auto", path, "--in-place") == 0
    assert 'auto="true"' in path.read_text()
    assert run("fill", path, "--in-place") == 0
    (link,) = read(path.read_text()).links
    np.testing.assert_allclose(np.diag(link.manual.inertia), (3250, 2500, 1250), rtol=1e-14)


MOMENTS = "<pose>{x} 0.5 0.5 0 0 0</pose><mass>6</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia>"


@pytest.mark.parametrize("side, kept", [(1, False), (-1, True)])
def test_a_mirrored_mesh_that_gazebo_refuses_keeps_its_numbers(side, kept, tmp_path, capsys):
    (tmp_path / "cube.obj").write_bytes(obj_bytes(Surface(*solids.box())))
    path, out = tmp_path / "m.sdf", tmp_path / "out.sdf"
    mesh = f"<mesh><uri>cube.obj</uri><scale>{side} 1 1</scale></mesh>"
    collision = f"<collision name='c'><geometry>{mesh}</geometry></collision>"
    path.write_text(model(f"<inertial>{MOMENTS.format(x=0.5 * side)}</inertial>", collision))
    assert run("fill", "--auto", path, "-o", out) == 0
    assert ("stays_explicit" in capsys.readouterr().err) == kept
    assert (out.read_bytes() == path.read_bytes()) == kept
    # The other way round, numbers are what Gazebo takes: told, but no error.
    auto = tmp_path / "auto.sdf"
    auto.write_text(model("<inertial auto='true'><density>6</density></inertial>", collision))
    assert run("fill", auto, "-o", out, "--gazebo") == 0
    printed = capsys.readouterr().err
    assert ("gazebo_refuses" in printed, "gazebo_agrees" in printed) == (kept, not kept)
    assert run("fill", auto, "-o", tmp_path / "kept.sdf", "--gazebo", "--keep-auto") == int(kept)
    assert (tmp_path / "kept.sdf").exists() != kept


URDF = """<robot name="r"><link name="base"><inertial><origin xyz="0 0 0.5"/><mass value="{mass}"/>
<inertia ixx="3250" iyy="2500" izz="1250" ixy="0" ixz="0" iyz="0"/></inertial>
<collision name="c"><origin xyz="0 0 0.5"/><geometry><box size="1 2 3"/></geometry></collision></link>
<link name="tip"/><joint name="j" type="fixed"><parent link="base"/><child link="tip"/></joint></robot>"""


def test_a_urdf_becomes_an_sdf_with_auto_inertials(tmp_path):
    robot, made = tmp_path / "r.urdf", tmp_path / "r.sdf"
    robot.write_text(URDF.format(mass=3000))
    assert run("fill", "--auto", robot, "-o", made) == 0
    (link,) = read_document(Document.read(made)).links
    assert link.auto and link.link.density == 500
    assert resolve_link(link.link).inertial.mass == pytest.approx(3000)


def test_a_link_of_a_urdf_that_cannot_be_auto_names_its_own_line(tmp_path, capsys):
    robot = tmp_path / "r.urdf"
    robot.write_text(URDF.format(mass=-1))
    assert run("fill", "--auto", robot, "-o", tmp_path / "r.sdf") == 1
    assert f"error: {robot}:1 base: " in capsys.readouterr().err
