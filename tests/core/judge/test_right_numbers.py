# SPDX-License-Identifier: GPL-3.0-or-later
"""Right numbers stay right: what the judgement of existing robots is, and what repair may change."""

import json
import re

import numpy as np
import pytest

from core.body.shapes import Box
from core.judge.measured import RepairOptions
from tests.core.command_line import run, run_json

from ..robot_files import check_path, repair

SIDES = (0.1, 0.2, 0.3)
BOX = '<collision><geometry><box size="0.1 0.2 0.3"/></geometry></collision>'
SOUND = Box(SIDES).moments().inertial(1.0 / 0.006).inertia


def inertial(mass=1.0, com="0 0 0", moments=None, tensor=True):
    xx, yy, zz = np.diag(SOUND) * mass if moments is None else moments
    inertia = f'<inertia ixx="{xx:.9g}" ixy="0" ixz="0" iyy="{yy:.9g}" iyz="0" izz="{zz:.9g}"/>' if tensor else ""
    return f'<inertial><origin xyz="{com}"/><mass value="{mass}"/>{inertia}</inertial>'


def robot(**links):
    """A base and links that hang on it: by a fixed joint if the name begins with `fixed`."""
    made = [f'<link name="base">{inertial()}{BOX}</link>']
    for name, content in links.items():
        kind = "fixed" if name.startswith("fixed") else "continuous"
        made.append(f'<link name="{name}">{content}</link>')
        made.append(f'<joint name="j_{name}" type="{kind}"><parent link="base"/><child link="{name}"/></joint>')
    return f'<robot name="r">{"".join(made)}</robot>'


@pytest.fixture
def written(tmp_path):
    def write(name="r.urdf", **links):
        path = tmp_path / name
        path.write_text(robot(**links))
        return path

    return write


def found(path, **options):
    return [(one.severity, one.code) for one in check_path(path, **options)]


def test_a_sound_robot_is_good_and_stays(written):
    path = written(arm=inertial(2.0) + BOX)
    assert found(path) == [] and repair(path).data == path.read_bytes()


@pytest.mark.fault(103)
def test_exchanged_axes_are_seen_in_diff_and_repair(written, capsys):
    xx, yy, zz = np.diag(SOUND)
    a, b = written(arm=inertial() + BOX), written("b.urdf", arm=inertial(moments=(zz, yy, xx)) + BOX)
    assert run("diff", a, b) == 1
    shown = " ".join(capsys.readouterr().out.split())
    assert f"arm Ixx [kg·m²] {xx:.6g} {zz:.6g} 1/2.6 Izz [kg·m²] {zz:.6g} {xx:.6g} 2.6 times 1 of" in shown
    run("repair", b, "--what", "all", "--links", "arm", "--dry-run")
    old, new = capsys.readouterr().out.splitlines()[1:]
    assert f"{zz:.4g}, {yy:.4g}, {xx:.4g}" in old and f"{xx:.4g}, {yy:.4g}, {zz:.4g}" in new


@pytest.mark.fault(104)
def test_a_fixed_link_with_geometry_and_without_inertial_is_a_warning(written):
    assert found(written(fixed_tip=BOX)) == [("warning", "default_inertial")]
    assert found(written(fixed_frame="")) == []


@pytest.mark.fault(105)
def test_a_closing_frame_of_no_mass_is_good_to_check_and_repair(written):
    path = written(fixed_closing=inertial(1e-9, moments=(0, 0, 0)))
    assert found(path) == [] and found(path, strict=True) == [("info", "zero_mass")]
    assert not repair(path).refused and repair(path).data == path.read_bytes()


@pytest.mark.fault(106)
def test_a_fault_behind_a_fixed_joint_is_that_of_its_own_link(written):
    path = written(fixed_helper=inertial(1e-3, moments=(1e-3, 1e-3, 1e-3)))
    (finding,) = check_path(path)
    assert "link[@name='fixed_helper']" in finding.subject and "1.225 m" in finding.message
    path = written(fixed_ball=inertial() + '<collision><geometry><sphere radius="-0.04"/></geometry></collision>')
    (finding,) = check_path(path)
    assert "link[@name='fixed_ball']" in finding.subject and "-0.04" in finding.message


@pytest.mark.fault(107)
@pytest.mark.parametrize(
    "broken",
    [inertial(com="0.01 -0.02 0.03", moments=(1e-3, 1e-3, 1e-2)), inertial(com="0.01 -0.02 0.03", tensor=False)],
)
def test_mass_and_centre_are_kept_where_only_the_tensor_is_wrong(written, broken):
    path = written(arm=broken + BOX)
    (one,) = repair(path).links
    assert one.kept == ("mass", "com") and one.new.com.tolist() == [0.01, -0.02, 0.03]
    np.testing.assert_allclose(one.new.inertia, SOUND, rtol=1e-9)
    (one,) = repair(path, RepairOptions(com="geometry")).links
    assert one.kept == ("mass",) and not one.new.com.any()


def test_a_centre_outside_of_the_geometry_is_not_kept(written):
    path = written(arm=inertial(com="3 0 0", moments=(1e-3, 1e-3, 1e-2)) + BOX)
    (one,) = repair(path).links
    assert one.kept == ("mass",) and not one.new.com.any()


@pytest.mark.fault(107)
def test_a_mesh_is_preferred_to_a_box_that_only_bounds_it(tmp_path, written):
    half = "v 0 0 0\nv 0.1 0 0\nv 0 0.2 0\nv 0 0 0.3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"  # a sixth of the box
    (tmp_path / "part.obj").write_text(half)
    mesh = '<visual><geometry><mesh filename="part.obj"/></geometry></visual>'
    box = BOX.replace("<collision>", '<collision><origin xyz="0.05 0.1 0.15"/>')
    (one,) = repair(written(arm=inertial(com="0.025 0.05 0.075", moments=(1e-3, 1e-3, 1e-2)) + box + mesh)).links
    assert one.plan.source == "visual"


def test_parts_that_plainly_differ_in_density_are_not_made_uniform(written):
    far = BOX.replace("<collision>", '<collision><origin xyz="1 0 0"/>')
    path = written(arm=inertial(com="0.05 0 0", moments=(1e-3, 1e-3, 1e-2)) + BOX + far)
    assert repair(path).data == path.read_bytes() and repair(path).refused
    assert [one.code for one in repair(path).findings] == ["not_uniform"]
    assert repair(path, RepairOptions(com="geometry")).links[0].new is not None


@pytest.mark.fault(142)
def test_a_robot_without_any_inertial_is_one_warning(tmp_path):
    path = tmp_path / "planning.urdf"
    path.write_text(re.sub("<inertial>.*?</inertial>", "", robot(a=BOX, b=BOX, fixed_tool="")))
    (finding,) = check_path(path)
    assert (finding.severity, finding.code) == ("warning", "no_inertials") and "3 have geometry" in finding.message
    assert run("check", path) == 0


@pytest.mark.fault(143)
@pytest.mark.parametrize("twice", ["link", "joint"])
def test_names_given_twice_are_judged_for_gazebo_alone(written, twice):
    path = written(arm=inertial() + BOX)
    (element,) = re.findall(f'<{twice} name="(?:arm|j_arm)".*?</{twice}>', path.read_text())
    path.write_text(path.read_text().replace(element, element * 2))
    assert found(path) == []
    assert found(path, engines=("gazebo",)) == [("error", "bad_urdf")]
    assert run("check", path) == 0 and run("check", "--for", "gazebo", path) == 1


@pytest.mark.fault(148)
def test_of_a_shared_tensor_only_the_links_that_it_does_not_fit_change(written):
    moments = np.diag(SOUND) * 1.01
    path = written(**{name: inertial(mass, moments=moments) + BOX for name, mass in (("a", 1), ("b", 9), ("c", 0.2))})
    repaired = repair(path)
    assert [one.link.local_name for one in repaired.links if one.new is not None] == ["b", "c"]
    assert found(path) == [("warning", "copied_tensor")] * 2


@pytest.mark.fault(150)
def test_what_is_only_doubtful_is_left_alone_unless_asked_for(written):
    path = written(arm=inertial(moments=np.diag(SOUND) * 40) + BOX)
    assert found(path) == [("warning", "radius_of_gyration")]
    assert repair(path).data == path.read_bytes() and not repair(path).refused
    (one,) = repair(path, RepairOptions(frozenset({"doubtful"}))).links
    np.testing.assert_allclose(one.new.inertia, SOUND, rtol=1e-9)


@pytest.mark.fault(152)
def test_diff_names_the_links_of_the_files_themselves(written, capsys):
    a = written(fixed_camera=inertial(0.5) + BOX)
    b = written("b.urdf", fixed_camera=inertial(0.6) + BOX)
    status, answer = run_json(capsys, "diff", a, b, "--json")
    assert status == 1 and [one["name"] for one in answer["links"]] == ["r::base", "r::fixed_camera"]
    assert [one["mass"][2] > 1e-9 for one in answer["links"]] == [False, True]


@pytest.mark.fault(155)
def test_forty_links_with_one_fault_are_a_paragraph(written, capsys):
    path = written(**{f"l{n}": inertial(moments=(5.0, 5.0, 5.0)) + BOX for n in range(40)})
    run("check", path)
    lines = capsys.readouterr().out.splitlines()
    assert sum("padded_diagonal]" in line for line in lines) == 1 and "and 31 more" in " ".join(lines)


@pytest.mark.fault(156, 175)
@pytest.mark.parametrize("verb", ["repair", "fill"])
def test_an_assembly_has_no_inertials_to_change(tmp_path, capsys, verb):
    path = tmp_path / "r.step"
    path.write_text("ISO-10303-21;")
    assert run(verb, path) == 2
    assert "STEP, which has parts and no inertials [unread_format]" in " ".join(capsys.readouterr().err.split())


def test_check_and_repair_end_alike_if_something_impossible_stays(written, capsys):
    path = written(arm=inertial(moments=(1, 1, 9)))  # no geometry to compute from
    assert run("check", path) == run("repair", path, "--dry-run") == 1
    json.dumps(capsys.readouterr().out)


CHAIN = """<robot name="r">
<link name="base">{0}</link><link name="mid"/><link name="arm">{0}</link><link name="camera"/>
<joint name="hip" type="continuous"><parent link="base"/><child link="mid"/></joint>
<joint name="knee" type="continuous"><parent link="mid"/><child link="arm"/></joint>
<joint name="mount" type="{1}"><parent link="arm"/><child link="camera"/></joint>
</robot>"""


@pytest.mark.parametrize(("kind", "severity"), [("continuous", "warning"), ("fixed", "error")])
def test_a_branch_that_gazebo_leaves_out_is_one_finding(tmp_path, kind, severity):
    """libsdformat 16 keeps the frames of fixed joints that it has lumped, and refuses those that hang on nothing."""
    path = tmp_path / "r.urdf"
    path.write_text(CHAIN.format(inertial(), kind))
    (finding,) = [one for one in check_path(path, engines=["gazebo"]) if "'camera'" not in one.subject]
    assert (finding.severity, finding.code) == (severity, "massless_link")
    assert "arm, camera" in finding.message and ("(mount)" in finding.message) == (kind == "fixed")


def test_a_flat_mesh_as_collision_is_named_without_its_vertices(written, tmp_path):
    (tmp_path / "flat.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    path = written(arm=inertial() + '<collision><geometry><mesh filename="flat.obj"/></geometry></collision>')
    (finding,) = check_path(path)
    assert finding.code == "bad_size" and "flat mesh" in finding.message and "array" not in finding.message
