# SPDX-License-Identifier: GPL-3.0-or-later
"""Robots that exist, repaired: what is impossible, copied or missing is computed again, and no other byte changes."""

import json
import re
from contextlib import chdir
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from core import mesh_moments
from core.body.density_map import DensityMap, Stated
from core.body.shapes import Box, Cylinder
from core.errors import InertiaError, has_error
from core.files.mesh_writers import obj_bytes
from core.formats.table import read_robot_file
from core.judge.measured import RepairOptions
from core.mesh.enclosed import with_remedies_that_work
from core.mesh.surface import Surface
from tests.core.command_line import run, run_json
from tests.core.drake_inertia import parsed
from tests.core.model_packages import lay_out
from tests.core.solids import box as solid_box

from ..robot_files import check_path, repair
from ..work import calls_of

INERTIAL = re.compile(rb"\s*<inertial.*?</inertial>|\s*<inertial */>", re.DOTALL)

ARM = """<?xml version="1.0"?>
<!-- an arm -->
<robot name="arm">
  <material name="Aluminium"><color rgba="0.8 0.8 0.8 1"/></material>
  <link name="base">
    <inertial>
      <origin xyz="0 0 0.05" rpy="0 0 0"/>
      <mass value="2.7"/>
      <inertia ixx="0.0045" ixy="0" ixz="0" iyy="0.0045" iyz="0" izz="0.0045"/>
    </inertial>
    <visual><origin xyz="0 0 0.05"/><geometry><box size="0.1 0.1 0.1"/></geometry><material name="Aluminium"/></visual>
    <collision><origin xyz="0 0 0.05"/><geometry><box size="0.1 0.1 0.1"/></geometry></collision>
  </link>
  <link name="rod">
    <inertial>
      <origin xyz="0 0 0.15"/>
      <mass value="0.6"/>
      <inertia ixx="0.0046" ixy="0" ixz="0" iyy="0.0046" iyz="0" izz="0.00012"/>
    </inertial>
    <collision><origin xyz="0 0 0.15"/><geometry><cylinder radius="0.02" length="0.3"/></geometry></collision>
  </link>
  <link name="tool_tip"/>
  <joint name="turns" type="revolute"><parent link="base"/><child link="rod"/><origin xyz="0 0 0.1"/>
    <axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="tip" type="fixed"><parent link="rod"/><child link="tool_tip"/><origin xyz="0 0 0.3"/></joint>
</robot>
"""

WEIGHT = '<inertial><mass value="1"/><inertia ixx="0.001" ixy="0" ixz="0" iyy="0.001" iyz="0" izz="0.001"/></inertial>'

CART = """<?xml version="1.0" ?>
<sdf version="1.11">
\t<model name="cart">
\t\t<link name="body">
\t\t\t<inertial>
\t\t\t\t<pose>0 0 0.1 0 0 0</pose>
\t\t\t\t<mass>12</mass>
\t\t\t\t<inertia><ixx>0.19</ixx><iyy>0.52</iyy><izz>0.65</izz></inertia>
\t\t\t</inertial>
\t\t\t<collision name="c"><pose>0 0 0.1 0 0 0</pose><geometry><box><size>0.6 0.4 0.2</size></box></geometry></collision>
\t\t</link>
\t\t<model name="caster"><link name="ball">
\t\t\t<inertial><mass>0.3</mass><inertia><ixx>1.2e-4</ixx><iyy>1.2e-4</iyy><izz>1.2e-4</izz></inertia></inertial>
\t\t\t<visual name="v"><geometry><sphere><radius>0.03</radius></sphere></geometry></visual>
\t\t</link></model>
\t\t<joint name="j" type="ball"><parent>body</parent><child>caster::ball</child></joint>
\t</model>
</sdf>
"""


BOX = "<box><size>0.6 0.4 0.2</size></box>"
"""The body of the cart."""


def writer(path, text):
    """Return a function that writes a text in which each second text stands for the one before it."""

    def write(*changes):
        new = text
        for old, other in zip(changes[::2], changes[1::2], strict=True):
            assert old in new
            new = new.replace(old, other)
        path.write_text(new)
        return path

    return write


@pytest.fixture
def arm(tmp_path):
    return writer(tmp_path / "arm.urdf", ARM)


@pytest.fixture
def cart(tmp_path):
    return writer(tmp_path / "cart.sdf", CART)


def times(factor, pattern):
    """Multiply the numbers that a pattern finds in an inertial."""

    def broken(inertial):
        return re.sub(
            pattern, lambda found: found[1] + b" ".join(b"%r" % (float(x) * factor) for x in found[2].split()), inertial
        )

    return broken


def template(inertial):
    text = re.sub(rb'((?:ixx|iyy|izz)(?:>|="))[^<"]*', rb"\g<1>1", inertial)
    text = re.sub(rb'((?:ixy|ixz|iyz)(?:>|="))[^<"]*', rb"\g<1>0", text)
    return re.sub(rb'(<mass>|<mass\s+value=")[^<"]*', rb"\g<1>1", text)


def in_millimetres(inertial):
    def broken(found):
        return found[1] + b" ".join(b"%r" % (1000.0 * float(number)) for number in found[2].split())

    return re.sub(rb'(<pose>|<origin\s+xyz=")((?:\s*[^\s"<]+){3})', broken, inertial)


BROKEN = {
    "triangle inequality": times(30.0, rb'(izz(?:>|="))([^<"]*)'),
    "template": template,
    "grams as kilograms": times(1000.0, rb'(<mass>|<mass\s+value=")([^<"]*)'),
    "millimetres": in_millimetres,
    "missing": lambda inertial: b"",
}


ROBOTS = ("arm.urdf", "cart.sdf", "double_pendulum.urdf", "schunk_wsg_50_with_tip.sdf")

UNITS = ("grams as kilograms", "millimetres")
"""The last robot of these shows nothing: its centres are 0, and its tensors are those of 30 times its masses."""

CASES = [(robot, fault) for robot in ROBOTS for fault in BROKEN if robot != ROBOTS[-1] or fault not in UNITS]


@pytest.fixture
def robot(request, tmp_path):
    """A sound robot's path, and where its meshes are."""
    root = tmp_path / "root"
    path = tmp_path / request.param
    if request.param == "arm.urdf":
        path.write_text(ARM)
    elif request.param == "cart.sdf":
        path.write_text(CART)
    else:
        models = request.getfixturevalue("data") / "models"
        lay_out(models, root)
        (found,) = models.glob(f"*/{request.param}")
        path.write_bytes(found.read_bytes())
    return path, [root]


def untouched(data):
    """Return a file's bytes but for inertials; those between two elements that an inertial stood between, without
    spaces."""
    return re.sub(rb"\s+", b" ", INERTIAL.sub(b"", data))


@pytest.mark.parametrize(("robot", "fault"), CASES, indirect=["robot"])
def test_a_robot_that_was_broken_on_purpose_is_sound_again(robot, fault):
    path, roots = robot
    broken = INERTIAL.sub(lambda found: BROKEN[fault](found[0]), path.read_bytes())
    assert broken != path.read_bytes()
    path.write_bytes(broken)
    repaired = repair(path, RepairOptions(density=2000.0), roots)
    assert not repaired.refused, repaired.findings
    assert len(repaired.links) >= 1 and all(one.why for one in repaired.links)
    path.write_bytes(repaired.data)
    findings = check_path(path, roots)
    assert not has_error(findings)
    assert untouched(repaired.data) == untouched(broken)
    again = repair(path, RepairOptions(density=2000.0), roots)
    assert again.data == repaired.data
    loads_in_drake(path, roots)
    if path.suffix == ".urdf":  # it reads no SDF
        loads_in_mujoco(path, roots)


def loads_in_drake(path, roots):
    pytest.importorskip("pydrake", reason="Drake has no wheel for this Python or numpy")
    plant, _ = parsed(path)
    for link in read_robot_file(path, roots).links:
        body = plant.GetBodyByName(link.local_name)
        assert body.default_mass() == pytest.approx(link.inertial.mass, rel=1e-12)
        assert body.default_spatial_inertia().IsPhysicallyValid()


def loads_in_mujoco(path, roots):
    mujoco = pytest.importorskip("mujoco")
    text = path.read_text().replace("package://", f"{roots[0]}/")  # which it does not look up
    with chdir(path.parent):  # it writes a log where it stands
        model = mujoco.MjSpec.from_string(text).compile()
    assert model.nbody > 1


def test_every_published_robot_is_loadable_afterwards(data, tmp_path):
    lay_out(data / "models", tmp_path)
    for path in sorted((data / "models").glob("*/*.[su][dr][fd]*")):
        before = path.read_bytes()
        result = repair(path, roots=[tmp_path])
        assert untouched(result.data) == untouched(before)
        target = tmp_path / path.name
        target.write_bytes(result.data)
        errors = [one.code for one in check_path(target, [tmp_path, path.parent]) if one.severity == "error"]
        expected = {"inertial_invalid.sdf": {"bad_mass"}}  # it has no geometry at all
        assert set(errors) == expected.get(path.name, set())
        assert result.refused == (path.name in expected or any(one.new is None for one in result.links))
        assert repair(target, roots=[tmp_path, path.parent]).data == result.data


def test_the_tensor_is_that_of_the_geometry_at_the_published_mass(arm):
    path = arm('izz="0.0045"', 'izz="1"')
    (one,) = repair(path).links
    box = Box((0.1, 0.1, 0.1)).moments().inertial(2700.0)
    assert (one.fault, one.plan.source, one.link.local_name) == ("impossible", "collision", "base")
    assert one.new.mass == 2.7
    np.testing.assert_allclose(one.new.inertia, box.inertia, rtol=1e-12)
    np.testing.assert_allclose(one.new.com, [0.0, 0.0, 0.05], atol=1e-15)


def test_what_is_missing_needs_a_density_and_is_named_without(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_bytes(INERTIAL.sub(b"", ARM.encode()))
    result = repair(path)
    assert result.data == path.read_bytes() and not result.refused  # nothing impossible stays
    assert [(one.severity, one.code) for one in result.findings] == [("warning", "mass_unknown")] * 2
    assert "base" in result.findings[0].subject and "--densit" in result.findings[0].remedy


def test_densities_go_by_link_part_mesh_file_and_material(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_bytes(INERTIAL.sub(b"", ARM.encode()))
    rows = [Stated("aluminium", 2700.0), Stated("arm::rod", None, mass=0.25)]
    result = repair(path, RepairOptions(densities=DensityMap(rows), source="visual"))
    by_name = {one.link.local_name: one for one in result.links}
    assert by_name["base"].new.mass == pytest.approx(2.7)
    assert by_name["rod"].new is None  # it has no visual
    rod = {one.link.local_name: one for one in repair(path, RepairOptions(densities=DensityMap(rows))).links}["rod"].new
    cylinder = Cylinder(0.02, 0.3).moments().inertial(1.0).scaled_to(0.25)
    assert rod.mass == 0.25
    np.testing.assert_allclose(rod.inertia, cylinder.inertia, rtol=1e-12)


def test_a_row_fits_a_part_whose_name_has_spaces_around_it(tmp_path, cart):
    path = cart("<ixx>0.19", "<ixx>19", 'name="c"', 'name="c "', ">12<", ">0<")
    mesh = "<mesh><uri>crate.obj</uri></mesh>"
    (tmp_path / "crate.obj").write_bytes(obj_bytes(Surface(*solid_box((0.6, 0.4, 0.2)))))
    path.write_text(path.read_text().replace(BOX, mesh))
    result = repair(path, RepairOptions(densities=DensityMap([Stated("crate.obj", 250.0)])))
    assert [one.new.mass for one in result.links] == pytest.approx([12.0])
    assert not result.refused and "not_in_map" not in {one.code for one in result.findings}


@pytest.mark.parametrize("name", ["arm.urdf", "cart.sdf"])
def test_a_mass_of_0_is_one_that_the_file_states(tmp_path, name):
    path = tmp_path / name
    path.write_text(ARM.replace('value="0.6"', 'value="0"') if name == "arm.urdf" else CART.replace(">12<", ">0<"))
    (one,) = repair(path).links
    assert (one.link.mass, one.plan.body) == (0.0, None) and "its mass of 0 kg is impossible" in one.findings[0].message


def test_mass_by_density_leaves_the_published_one(arm):
    path = arm()
    result = repair(path, RepairOptions(frozenset({"all"}), keep_mass=False, density=1000.0))
    assert [one.fault for one in result.links] == ["sound", "sound"]
    assert [one.new.mass for one in result.links] == pytest.approx([1.0, 0.12 * np.pi])


def test_the_better_of_collision_and_visual_is_taken(tmp_path):
    path = tmp_path / "r.sdf"
    (tmp_path / "open.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n")
    (tmp_path / "closed.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n")

    def part(kind, mesh):
        return f'<{kind} name="p"><geometry><mesh><uri>{mesh}</uri></mesh></geometry></{kind}>'

    model = '<sdf version="1.11"><model name="m"><link name="l"><inertial><mass>{}</mass>{}</inertial>{}</link></model>'
    unit = "<inertia><ixx>1</ixx><iyy>1</iyy><izz>5</izz></inertia>"
    path.write_text((model + "</sdf>").format(3, unit, part("collision", "open.obj") + part("visual", "closed.obj")))
    (one,) = repair(path).links
    tetrahedron = mesh_moments(
        [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]
    )
    assert one.plan.source == "visual" and one.new.mass == 3.0
    np.testing.assert_allclose(one.new.inertia, tetrahedron.inertial(18.0).inertia, rtol=1e-12)
    (refused,) = repair(path, RepairOptions(source="collision")).links
    assert refused.new is None and refused.findings[0].code == "open_mesh"
    (voxels,) = repair(path, RepairOptions(params={"sdf_inertia:method": "hull"}, source="collision")).links
    np.testing.assert_allclose(voxels.new.inertia, tetrahedron.inertial(18.0).inertia, rtol=1e-9)


def test_remedies_are_tried_only_for_a_mesh_whose_refusal_is_reported(tmp_path):
    """To try them takes seconds. The mesh is a box without a side, as a visual beside a box, or alone."""
    vertices, triangles = solid_box()
    (tmp_path / "open.obj").write_bytes(obj_bytes(Surface(vertices, triangles[2:])))
    visual = '<visual><geometry><mesh filename="open.obj"/></geometry></visual>'
    tensor = '<inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/>'
    for box, count in (('<collision><geometry><box size="1 1 1"/></geometry></collision>', 0), ("", 1)):
        path = tmp_path / f"{count}.urdf"
        inertial = f'<inertial><mass value="900"/>{tensor}</inertial>'
        path.write_text(f'<robot name="r"><link name="a">{inertial}{visual}{box}</link></robot>')
        assert calls_of(with_remedies_that_work, partial(repair, path)) == count
        (link,) = repair(path).links
        assert (link.new is None) == bool(count)


def test_a_doubtful_mass_is_not_hidden_by_another_tensor(cart):
    path = cart("<mass>12</mass>", "<mass>1200000</mass>")
    result = repair(path)
    assert result.data == path.read_bytes() and not result.refused  # a doubt is left as it is
    (doubtful,) = (one for one in result.before if one.findings)
    assert doubtful.fault == "doubtful" and "implied_density" in {one.code for one in doubtful.findings}
    of_doubts = RepairOptions(frozenset({"doubtful"}), density=250.0)
    assert repair(path, of_doubts).links[0].new.mass == pytest.approx(12.0)


def test_what_a_simulator_computes_and_what_nothing_moves_is_left_alone(tmp_path):
    path = tmp_path / "r.sdf"
    path.write_text(
        '<sdf version="1.11"><world name="w"><model name="a"><link name="l"><inertial auto="true"/><collision name="c">'
        "<geometry><sphere><radius>1</radius></sphere></geometry></collision></link></model>"
        '<model name="b"><static>true</static><link name="l"/></model></world></sdf>'
    )
    result = repair(path, RepairOptions(frozenset({"all"})))
    assert result.data == path.read_bytes() and not result.links and not result.findings


def test_a_tensor_that_is_refused_in_a_static_model_is_repaired_too(cart):
    path = cart('<model name="cart">', '<model name="cart"><static>1</static>')
    assert repair(path).data == path.read_bytes()  # its masses weigh nothing, and need not be plausible
    path.write_text(path.read_text().replace("<ixx>0.19", "<ixx>19"))
    result = repair(path)
    assert [one.fault for one in result.links] == ["impossible"] and not result.refused
    path.write_bytes(result.data)
    assert not has_error(check_path(path))


@pytest.mark.parametrize(
    ("old", "new", "code", "place"),
    [
        (">12<", ">-12<", "bad_mass", "link[@name='body']"),
        (BOX, "<mesh><uri>none.obj</uri></mesh>", "uri_lookup", "collision[@name='c']"),
    ],
)
def test_an_auto_link_that_check_refuses_is_refused_and_stays(cart, old, new, code, place):
    path = cart("<inertial>\n\t\t\t\t<pose", '<inertial auto="1">\n\t\t\t\t<pose', old, new)
    result = repair(path)
    assert result.data == path.read_bytes() and result.refused
    errors = {one.code for one in check_path(path) if one.severity == "error"}
    assert {one.code for one in result.findings} == errors and code in errors
    assert place in result.findings[0].subject


def test_a_sound_link_that_has_no_other_answer_is_not_refused(arm):
    path = arm('<link name="tool_tip"/>', f'<link name="tool_tip">{WEIGHT}</link>')
    result = repair(path, RepairOptions(frozenset({"all"})))
    by_name = {one.link.local_name: one for one in result.links}
    assert by_name["tool_tip"].fault == "sound" and by_name["tool_tip"].new is None
    assert [(one.severity, one.code) for one in result.findings] == [("warning", "no_collision")] and not result.refused


def test_of_all_links_mere_frames_are_left_out(cart):
    path = cart("\t\t<model", '\t\t<link name="frame"/>\n\t\t<model')
    result = repair(path, RepairOptions(frozenset({"all"})))
    assert [one.link.local_name for one in result.links] == ["body", "ball"]
    assert not result.findings and not result.refused


def test_a_refused_mesh_is_named_by_its_part_with_options_that_exist(tmp_path, capsys):
    (tmp_path / "open.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n")
    path = tmp_path / "cart.sdf"
    mesh = "<mesh><uri>open.obj</uri></mesh>"
    path.write_text(CART.replace(BOX, mesh).replace("<ixx>0.19", "<ixx>19"))
    assert run("repair", path, "--dry-run") == 1
    result = capsys.readouterr().err
    assert (
        result.count("[open_mesh]") == 1
        and "collision 'c': " in result
        and "--method voxel" in result
        and "choose the method" not in result
    )


def test_a_row_for_a_link_is_not_one_for_its_parts_too(arm):
    path = arm('izz="0.0045"', 'izz="1"')
    result = repair(path, RepairOptions(densities=DensityMap([Stated("base", None, mass=3.0)])))
    assert [one.new.mass for one in result.links] == [3.0] and not result.refused


def test_comments_and_what_else_stands_in_an_inertial_stay(arm):
    path = arm('izz="0.0045"/>', 'izz="1"/> <!-- weighed --> <maker key="7"/>')
    data = repair(path).data
    assert b"<!-- weighed -->" in data and b'<maker key="7"/>' in data and b'<mass value="2.7"/>' in data


def test_the_digits_of_a_mass_that_is_kept_stay(cart):
    path = cart("<mass>0.3<", "<mass>0.065<", "1.2e-4", "3e-4")
    assert b"<mass>0.065</mass>" in repair(path).data and repair(path).data != path.read_bytes()


def test_what_could_not_be_compared_is_reported_and_not_called_sound(cart, capsys):
    path = cart(BOX, "<mesh><uri>none.obj</uri></mesh>")
    assert run("repair", path, "--dry-run") == 0
    result = capsys.readouterr().err
    assert "geometry_not_read" in result and "sound" not in result


def test_an_included_robot_is_refused_by_the_name_of_its_file(tmp_path):
    (tmp_path / "cart.sdf").write_text(CART.replace("<ixx>0.19", "<ixx>19"))
    path = tmp_path / "world.sdf"
    path.write_text('<sdf version="1.11"><world name="w"><include><uri>cart.sdf</uri></include></world></sdf>')
    result = repair(path)
    assert result.data == path.read_bytes() and result.refused
    assert result.findings[0].code == "included_inertial" and "cart.sdf" in result.findings[0].message


def test_unreadable_numbers_are_written_again_and_a_mass_is_kept(arm):
    path = arm('izz="0.0045"', 'izz="heavy"')
    (one,) = repair(path).links
    assert one.fault == "impossible" and one.new.mass == 2.7
    path.write_bytes(repair(path).data)
    assert b"heavy" not in path.read_bytes() and not has_error(check_path(path))


def test_links_are_chosen_by_name_and_an_unknown_one_is_reported(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_bytes(INERTIAL.sub(b"", ARM.encode()))
    result = repair(path, RepairOptions(density=1000.0, links=frozenset({"arm::rod"})))
    assert [one.link.local_name for one in result.links] == ["rod"] and result.data.count(b"<inertial>") == 1
    with pytest.raises(InertiaError, match="no link 'hand'"):
        repair(path, RepairOptions(links=frozenset({"hand"})))


def test_faults_are_chosen_by_kind(arm):
    path = arm('izz="0.0045"', 'izz="1"')
    assert repair(path, RepairOptions(frozenset({"missing", "placeholder"}))).data == path.read_bytes()


def test_the_command_writes_a_table_and_the_file_whole(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = Path("arm.urdf")
    path.write_text(ARM.replace('izz="0.0045"', 'izz="1"'))
    before = path.read_bytes()
    assert run("repair", path, "--dry-run") == 0
    result = capsys.readouterr()
    old, new = (line.split() for line in result.out.splitlines()[1:])
    assert old[:3] == ["base", "impossible", "2.7"] and new[:4] == ["→", "from", "collision", "2.7"]
    assert "1 of 1 listed inertials to be repaired" in result.err and path.read_bytes() == before
    assert run("repair", path) == 0
    result = capsys.readouterr()
    assert result.out.encode() == repair(path).data and "base  impossible " in result.err
    assert run("repair", path, "-o", "out.urdf") == 0 and run("repair", path, "--in-place") == 0
    assert path.read_bytes() == Path("out.urdf").read_bytes() == result.out.encode()
    capsys.readouterr()
    assert run("repair", path, "--in-place") == 0
    assert "nothing to repair" in capsys.readouterr().err


def test_the_json_has_old_new_and_why(arm, capsys):
    path = arm('izz="0.0045"', 'izz="1"')
    status, result = run_json(capsys, "repair", path, "--dry-run", "--json")
    (one,) = result["links"]
    assert status == 0 and one["name"] == "arm::base" and one["done"] and one["from"] == "collision"
    assert one["old"]["inertia"]["izz"] == 1.0 and one["new"]["inertia"]["izz"] == pytest.approx(0.0045)
    assert [finding["code"] for finding in one["why"]] == ["triangle_inequality"]
    json.dumps(result, allow_nan=False)


@pytest.mark.parametrize(
    "words", [("--what", "broken"), ("--mass", "density"), ("--method", "shell"), ("--json",), ("--density", "-1")]
)
def test_a_wrong_usage_ends_with_2(arm, words):
    path = arm()
    with pytest.raises(SystemExit) as end:
        run("repair", path, *words)
    assert end.value.code == 2


def test_a_map_that_cannot_be_read_ends_with_2(tmp_path, capsys, arm):
    path = arm()
    assert run("repair", path, "--dry-run", "--densities", tmp_path / "none.csv") == 2
    assert "bad_density_map" in capsys.readouterr().err


def test_what_a_map_does_not_know_is_reported(arm):
    path = arm('izz="0.0045"', 'izz="1"')
    result = repair(path, RepairOptions(densities=DensityMap([Stated("rod", 1000.0)])))
    assert [finding.code for finding in result.findings] == ["not_in_map"] and not result.refused


def test_meshes_of_visuals_that_nobody_needs_are_not_read(tmp_path):
    path = tmp_path / "r.urdf"
    mesh = '<visual><geometry><mesh filename="none.dae"/></geometry></visual>'
    path.write_text(ARM.replace('izz="0.0045"', 'izz="1"').replace("<collision>", mesh + "<collision>"))
    result = repair(path)
    assert [one.plan.source for one in result.links] == ["collision"] and not result.findings


def test_a_mass_in_grams_is_named_without_the_tensor_computed_from_it(tmp_path):
    path = tmp_path / "grams.urdf"
    path.write_text(
        '<robot name="r"><link name="l"><collision><geometry><box size="0.3 0.2 0.1"/></geometry></collision><inertial>'
        '<mass value="3500"/><inertia ixx=".02" iyy=".02" izz=".03" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>'
    )
    repaired = repair(path, RepairOptions(frozenset({"doubtful"})))
    (doubt,) = (one for one in repaired.findings if one.code == "inertial_unit")
    assert "the mass is 3500 kg, but 3.5 fits" in doubt.message and "tensor" not in doubt.message
    assert repaired.data == path.read_bytes()
