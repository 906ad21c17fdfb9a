# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers that only the other links, a limit, or the vertices of a mesh show to be wrong; and meshes with y up."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from core.judge.measured import RepairOptions

from ..robot_files import check_path, repair
from .generated_robots import Inertial, Link, tensor_of
from .robot_texts import FORMATS, NAMES, words, write_mesh
from .test_formulas import FORMS, NOWHERE, accused, base, body, part, six_of

SIDES = (0.05, 0.04, 0.2)
"""Half lengths [m] of an arm: 3.2 kg of water."""


def arms(count, density=1003.125):
    """Return links of 3.21 kg."""
    beam = part("box", SIDES, (0.0, 0.0, 0.2))
    return [Link(f"arm{number}", [beam], body(beam, density=density)) for number in range(count)]


def empty(name, mass, joint="revolute"):
    """Return a link without geometry."""
    return Link(name, [], Inertial(mass, NOWHERE, mass * np.array([0.01, 0.009, 0.005, 0, 0, 0])), joint=joint)


def codes(path, strict=False):
    return [finding.code for finding in check_path(path, strict=strict)]


@pytest.mark.fault(185)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("joint", ["fixed", "revolute"])
def test_the_mass_of_all_others_in_an_empty_link_is_named(joint, form, write_links):
    path = write_links(*arms(4), empty("imu", 12.84, joint), empty("camera", 12.84, joint), form=form)
    findings = check_path(path)
    assert [(finding.code, finding.severity) for finding in findings] == [("empty_mass", "warning")] * 2
    assert "12.84 kg, no less than the 4 links with geometry together (12.84 kg)" in findings[0].message
    assert repair(path).data == path.read_bytes()


@pytest.mark.fault(185)
@pytest.mark.parametrize("mass", [9.7, 10.0, 30.0])
def test_a_leaf_as_heavy_as_all_that_is_drawn_is_named(mass, write_links):
    assert codes(write_links(*arms(3), empty("camera", mass, "fixed"))) == ["empty_mass"]


@pytest.mark.fault(185)
@pytest.mark.parametrize("form", FORMS)
def test_a_dummy_base_with_the_sum_of_the_others_is_named(form, write_links):
    assert codes(write_links(empty("base", 9.63), *arms(3), form=form)) == ["empty_mass"]


@pytest.mark.fault(185)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("mass", [9.0, 9.64, 10.0, 25.0])
def test_a_heavy_base_that_is_not_drawn_is_not_a_fault(mass, form, write_links):
    assert codes(write_links(empty("base", mass), *arms(3), form=form)) == []


@pytest.mark.fault(185)
@pytest.mark.parametrize("form", FORMS)
def test_a_heavy_torso_that_is_not_drawn_is_not_a_fault(form, tmp_path):
    pelvis, *limbs = arms(4)
    torso = empty("torso", 40.0)
    torso.parent = pelvis
    for limb in limbs:
        limb.parent = torso
    robot = SimpleNamespace(links=[pelvis, torso, *limbs], digits=6, lost=set())
    assert codes(FORMATS[form](robot, tmp_path)) == []


@pytest.mark.fault(185)
def test_a_heavy_hand_of_a_robot_with_few_drawn_links_is_not_a_fault(write_links):
    bare = [empty(f"bare{number}", 1.5) for number in range(3)]
    assert codes(write_links(*arms(2), *bare, empty("hand", 7.0))) == []


@pytest.mark.fault(185)
@pytest.mark.parametrize("mass", [None, 0.001, 1.0])
def test_the_mass_of_a_root_in_a_link_fixed_to_it_is_not_a_fault(mass, write_links):
    """KDL takes no inertia of a root: ANYmal has it in a link of its own."""
    trunk = Link("trunk", [part("box", (0.3, 0.2, 0.1))], empty("", mass).inertial if mass else None)
    assert "empty_mass" not in codes(write_links(trunk, *arms(3), empty("trunk_inertia", 60.0, "fixed")))


@pytest.mark.fault(185)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("digits", [3, 6])
def test_one_link_of_water_among_others_is_an_info(digits, form, write_links):
    path = write_links(*arms(3, 2700.0), *(replace(one, name="last") for one in arms(1, 1000.0)), form=form)
    assert codes(path) == [] and codes(path, strict=True) == ["default_density"]
    (finding,) = check_path(path, strict=True)
    assert finding.severity == "info" and "the other links have about 2700 kg/m³" in finding.message


@pytest.mark.fault(185)
@pytest.mark.parametrize(
    "densities",
    [(1000, 1000, 1000, 1000), (1000, 1000, 2700, 2700), (1010, 2700, 2700, 2700), (1001, 1200, 800, 2700)],
    ids=["all", "half", "near", "plastic"],
)
def test_water_that_many_or_no_links_have_is_no_finding(densities, write_links):
    links = [replace(arms(1, float(density))[0], name=f"arm{n}") for n, density in enumerate(densities)]
    assert codes(write_links(*links), strict=True) == []


@pytest.mark.fault(185)
def test_a_round_mass_that_fits_water_by_chance_is_no_finding(write_links):
    """A motor of 3.2 kg in a housing of 3.2 litres: its tensor is not that of water."""
    motor = arms(1, 1000.0)[0]
    motor = replace(motor, name="motor", inertial=replace(motor.inertial, six=0.71 * motor.inertial.six))
    assert "default_density" not in codes(write_links(*arms(3, 2700.0), motor), strict=True)


@pytest.mark.fault(196)
@pytest.mark.parametrize("form", ["urdf", "sdf"])
@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"mass": 1e308}, "mass is 1e+308 kg; no robot has more than 1e+09 kg"),
        (
            {"com": np.array([0.0, -1e200, 0.0])},
            "centre of mass is 1e+200 m away; no robot reaches farther than 1e+06",
        ),
        ({"six": np.array([1e22, 1e22, 1e22, 0, 0, 0])}, "largest moment is 1e+22 kg·m²; no robot has more"),
    ],
    ids=["mass", "centre", "tensor"],
)
def test_a_number_beyond_any_robot_is_named_without_geometry(changed, text, form, write_links):
    link = empty("hand", 2.0)
    path = write_links(base(), replace(link, inertial=replace(link.inertial, **changed)), form=form)
    (finding,) = check_path(path)
    assert (finding.code, finding.severity) == ("absurd_number", "warning") and text in finding.message
    assert repair(path).data == path.read_bytes()


PEAK = np.array([0.0235, 0.0615, 0.317])
"""The apex of a pyramid on a base of 0.2 m x 0.1 m, whose corner is the origin."""

FLOOR = np.array([[0.0, 0.0, 0.0], [0.2, 0.0, 0.0], [0.2, 0.1, 0.0], [0.0, 0.1, 0.0]])
FACES = "1 3 2|1 4 3|1 2 5|2 3 5|3 4 5|4 1 5"


def pyramid():
    """Return the volume of the pyramid, its centre and its covariance: of two tetrahedra, by their closed form."""
    pieces = []
    for second, third in ((1, 2), (2, 3)):
        corners = np.array([FLOOR[0], FLOOR[second], FLOOR[third], PEAK])
        centre, volume = corners.mean(axis=0), abs(np.linalg.det(corners[1:] - corners[0])) / 6
        pieces.append((volume, centre, (corners - centre).T @ (corners - centre) / 20))
    whole = sum(volume for volume, _, _ in pieces)
    com = sum(volume * centre for volume, centre, _ in pieces) / whole
    spread = sum(volume * (cov + np.outer(at - com, at - com)) for volume, at, cov in pieces) / whole
    return whole, com, spread


def write_pyramid(folder, com, tensor, mass, digits=5, suffix=".obj"):
    """Write a robot with the pyramid as a mesh."""
    corners = np.array([*FLOOR, PEAK])
    write_mesh(folder / f"pyramid{suffix}", corners, [[int(n) - 1 for n in face.split()] for face in FACES.split("|")])
    six = " ".join(f'{name}="{words(value, digits)}"' for name, value in zip(NAMES, six_of(tensor), strict=True))
    (folder / "r.urdf").write_text(
        f'<robot name="r"><link name="l"><inertial><origin xyz="{words(com, digits)}"/><mass value="{words(mass)}"/>'
        f'<inertia {six}/></inertial><collision><geometry><mesh filename="pyramid{suffix}"/></geometry></collision>'
        "</link></robot>"
    )
    return folder / "r.urdf"


@pytest.mark.fault(183)
@pytest.mark.parametrize("about_mean", [True, False])
@pytest.mark.parametrize("digits", [4, 5, 10])
@pytest.mark.parametrize(("suffix", "by_face"), [(".obj", False), (".obj", True), (".stl", False), (".stl", True)])
def test_the_mean_of_the_vertices_is_no_centre_of_mass(suffix, by_face, digits, about_mean, tmp_path):
    volume, com, spread = pyramid()
    corners = np.array([*FLOOR, PEAK])
    used = [int(n) - 1 for n in FACES.replace("|", " ").split()] if by_face else [0, 1, 2, 3, 4]
    mean = corners[used].mean(axis=0)
    right = 900.0 * volume * tensor_of(spread)
    arm = mean - com
    moved = 900.0 * volume * tensor_of(np.outer(arm, arm)) if about_mean else 0.0
    path = write_pyramid(tmp_path, mean, right + moved, 900.0 * volume, digits, suffix)
    ((code, message),) = accused(path)
    assert code == "tensor_formula" and "is the mean of the vertices of its mesh" in message
    (link,) = repair(path).links
    np.testing.assert_allclose(link.new.com, com, atol=1e-5)
    np.testing.assert_allclose(link.new.inertia, right, atol=1e-3 * np.trace(right))
    path.write_bytes(repair(path).data)
    assert accused(path) == []


@pytest.mark.fault(183)
@pytest.mark.parametrize("share", [0.0, 0.5, 0.98, 1.1])
def test_a_centre_that_is_near_the_mean_of_the_vertices_stays(share, tmp_path):
    volume, com, spread = pyramid()
    mean = np.array([*FLOOR, PEAK]).mean(axis=0)
    path = write_pyramid(tmp_path, com + share * (mean - com), 900.0 * volume * tensor_of(spread), 900.0 * volume)
    assert "tensor_formula" not in [code for code, _ in accused(path)]
    assert repair(path).data == path.read_bytes()


DAE = """<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><unit meter="1"/>
<up_axis>{up}</up_axis></asset><library_geometries><geometry id="g"><mesh><source id="p"><float_array id="a" count="24">
{corners}</float_array><technique_common><accessor source="#a" count="8" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source><vertices id="v">
<input semantic="POSITION" source="#p"/></vertices><triangles count="12"><input semantic="VERTEX" source="#v"
offset="0"/><p>1 3 0 4 1 0 0 3 2 2 4 0 1 7 3 5 1 4 5 7 1 3 7 2 6 4 2 2 7 6 6 5 4 7 5 6</p></triangles></mesh></geometry>
</library_geometries><library_visual_scenes><visual_scene id="s"><node id="n"><instance_geometry url="#g"/></node>
</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>"""


def write_upright(folder, z, up="Y_UP", use="collision"):
    """Write a robot whose mesh is a box of 1 m x 2 m x 3 m in its file's axes, and x 3 m x 2 m with y up."""
    corners = " ".join(f"{x} {y} {z}" for x in (-0.5, 0.5) for y in (-1, 1) for z in (-1.5, 1.5))
    (folder / "box.dae").write_text(DAE.format(up=up, corners=corners))
    (folder / "r.urdf").write_text(
        f'<robot name="r"><link name="l"><inertial><origin xyz="0 0 {z}"/><mass value="6000"/><inertia ixx="6500" '
        f'iyy="5000" izz="2500" ixy="0" ixz="0" iyz="0"/></inertial><{use}><geometry><mesh filename="box.dae"/>'
        f"</geometry></{use}></link></robot>"
    )
    return folder / "r.urdf"


def outside(path, strict):
    return [finding for finding in check_path(path, strict=strict) if finding.code == "com_outside"]


@pytest.mark.fault(188)
@pytest.mark.parametrize("use", ["collision", "visual"])
@pytest.mark.parametrize(("z", "strict"), [(1.6, True), (2.1, False)])
def test_a_centre_outside_has_the_distance_in_the_files_axes(z, strict, use, tmp_path):
    pytest.importorskip("collada", reason="pycollada is not installed: pip install sdf-inertia[mesh]")
    (finding,) = outside(write_upright(tmp_path, z, use=use), strict)
    assert finding.severity == "warning"
    assert f"lies {z - 1.5:.4g} m outside the bounding box of its geometry." in finding.message
    assert f"With its y-up mesh rotated it is {z - 1.0:.4g} m" in finding.message


@pytest.mark.fault(188)
def test_a_centre_inside_in_one_orientation_alone_is_an_info(tmp_path):
    pytest.importorskip("collada", reason="pycollada is not installed: pip install sdf-inertia[mesh]")
    path = write_upright(tmp_path, 1.25)
    (finding,) = outside(path, strict=True)
    assert finding.severity == "info" and outside(path, strict=False) == []
    assert "lies inside the bounding box" in finding.message and "lies 0.25 m outside" in finding.message


@pytest.mark.fault(188)
@pytest.mark.parametrize(("z", "count"), [(1.25, 0), (1.6, 1)])
def test_a_mesh_with_z_up_has_one_orientation(z, count, tmp_path):
    pytest.importorskip("collada", reason="pycollada is not installed: pip install sdf-inertia[mesh]")
    findings = outside(write_upright(tmp_path, z, "Z_UP"), strict=True)
    assert len(findings) == count and not any("rotated" in finding.message for finding in findings)


@pytest.mark.fault(188)
def test_repair_computes_a_mesh_with_y_up_as_its_file_has_it(tmp_path):
    pytest.importorskip("collada", reason="pycollada is not installed: pip install sdf-inertia[mesh]")
    path = write_upright(tmp_path, 0.0)
    text = path.read_text()
    path.write_text(text[: text.index("<inertial>")] + text[text.index("<collision>") :])
    (link,) = repair(path, RepairOptions(density=1000.0)).links
    np.testing.assert_allclose(np.diag(link.new.inertia), (6500.0, 5000.0, 2500.0))


@pytest.mark.fault(188)
def test_a_mesh_that_only_fits_when_rotated_is_not_computed(tmp_path):
    pytest.importorskip("collada", reason="pycollada is not installed: pip install sdf-inertia[mesh]")
    path = write_upright(tmp_path, 1.25)
    text = path.read_text().replace('xyz="0 0 1.25"', 'xyz="0 1.25 0"')  # inside only if the mesh is rotated
    path.write_text(text.replace('izz="', 'izz="-'))
    (link,) = repair(path).links
    assert link.new is None
    assert [finding.code for finding in link.plan.findings] == ["mesh_axes"]


COLUMN = """<robot name="r">
  <link name="base"/>
  <link name="torso">
    <inertial><origin xyz="0 0 0.4"/><mass value="14"/>
      <inertia ixx="0.4" ixy="0" ixz="0" iyy="0.4" iyz="0" izz="0.08"/></inertial>
    <collision><geometry><box size="0.3 0.3 0.1"/></geometry></collision>
  </link>
  <link name="column">
    <inertial><mass value="0.01"/><inertia ixx="1e-5" ixy="0" ixz="0" iyy="1e-5" iyz="0" izz="1e-5"/></inertial>
    <visual><origin xyz="0 0 0.4"/><geometry><box size="0.2 0.2 0.8"/></geometry></visual>
  </link>
  <joint name="a" type="revolute"><parent link="base"/><child link="torso"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="1" effort="1" velocity="1"/></joint>
  <joint name="b" type="{}"><parent link="torso"/><child link="column"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="1" effort="1" velocity="1"/></joint>
</robot>"""


@pytest.mark.parametrize(("kind", "count"), [("fixed", 0), ("revolute", 1)])
def test_a_centre_may_lie_in_a_link_that_is_fixed_to_its_own(tmp_path, kind, count):
    path = tmp_path / "robot.urdf"
    path.write_text(COLUMN.format(kind))
    found = [finding for finding in outside(path, strict=False) if "torso" in finding.subject]
    assert len(found) == count
