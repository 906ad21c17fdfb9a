# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of several numbers is wrong: mass or tensor, a unit or a mass, the whole robot's lengths, a filler."""

from dataclasses import replace

import numpy as np
import pytest

from core import read_robot
from core.judge.measured import RepairOptions
from tests.core.command_line import run, run_json

from ..robot_files import check_path, repair
from .generated_robots import Link
from .test_formulas import ASIDE, FORMS, NOWHERE, accused, assert_repaired, base, body, part

DENSITY = 1400.0
"""That of `body`, and so of the links that are right."""

SLIPS = {"digits swapped": 6.0, "point one place off": 0.1, "another": 2.3}


def arm_of(mass=1.0, tensor=1.0):
    """Return a link, and its right inertial; its mass and tensor are so many times the right ones."""
    beam = part("box", (0.04, 0.03, 0.16), ASIDE)
    right = body(beam)
    return Link("arm", [beam], replace(right, mass=mass * right.mass, six=tensor * right.six)), right


def others():
    beams = {"hip": part("box", (0.05, 0.06, 0.1)), "knee": part("cylinder", (0.02, 0.02, 0.1), ASIDE)}
    return [Link(name, [beam], body(beam)) for name, beam in beams.items()]


def printed_remedy(capsys, path):
    """Return the remedy of the only finding, as `check` prints it."""
    (finding,) = run_json(capsys, "check", path, "--json")[1]["files"][0]["findings"]
    return finding["remedy"]


@pytest.mark.fault(179)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("times", SLIPS.values(), ids=SLIPS)
def test_a_slip_of_the_mass_is_named_and_repaired_by_name_alone(times, form, write_links, capsys):
    link, right = arm_of(mass=times)
    path = write_links(base(), *others(), link, form=form)
    ((code, message),) = accused(path)
    assert code == "tensor_mass" and f"at {right.mass:.4g} kg, 1400 kg/m³" in message
    assert f"{DENSITY * times:.4g} kg/m³; the other links have 1400" in message
    remedy = printed_remedy(capsys, path)
    assert remedy.index("--what mass-slip") < remedy.index("--what tensor-scale")
    assert repair(path).data == path.read_bytes()
    assert_repaired(path, right, "mass-slip")


@pytest.mark.fault(179)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("times", SLIPS.values(), ids=SLIPS)
@pytest.mark.parametrize("word", ["tensor-scale", "mass"])
def test_a_tensor_of_another_mass_is_scaled_by_name_alone(word, times, form, write_links, capsys):
    """`mass` is what `tensor-scale` was called."""
    link, right = arm_of(tensor=times)
    path = write_links(base(), *others(), link, form=form)
    remedy = printed_remedy(capsys, path)
    assert remedy.index("--what tensor-scale") < remedy.index("--what mass-slip")
    assert repair(path).data == path.read_bytes()
    assert_repaired(path, right, word)


@pytest.mark.fault(229)
@pytest.mark.parametrize("kind", ["box", "cylinder", "capsule"])
@pytest.mark.parametrize("times", [1 / 60, 1 / 150])
def test_a_mass_that_would_explain_the_tensor_makes_its_unit_uncertain(times, kind, write_links):
    limb = part(kind, (0.03, 0.03, 0.08), ASIDE)
    right = body(limb, density=800.0)
    path = write_links(base(), Link("limb", [limb], replace(right, mass=times * right.mass)))
    assert {code for code, _ in accused(path)} & {"tensor_mass", "radius_of_gyration"}
    assert all(finding.severity == "warning" for finding in check_path(path))
    assert repair(path).data == path.read_bytes()


@pytest.mark.fault(229)
@pytest.mark.parametrize("kind", ["box", "cylinder"])
@pytest.mark.parametrize(("times", "unit"), [(1e3, "g·m²"), (1e4, "kg·cm²"), (1e7, "g·cm²")])
def test_a_unit_is_certain_where_no_mass_explains_the_tensor(times, unit, kind, write_links):
    limb = part(kind, (0.03, 0.03, 0.08), ASIDE)
    right = body(limb, density=800.0)
    path = write_links(base(), Link("limb", [limb], replace(right, six=times * right.six)))
    ((code, message),) = accused(path)
    assert code == "inertial_unit" and f"(given in {unit}?)" in message
    assert_repaired(path, right)


@pytest.mark.fault(229)
@pytest.mark.parametrize("times", [0.2, 0.5, 0.9, 1.1, 1.5])
def test_kg_cm2_is_not_certain_for_a_body_that_is_not_uniform(times, write_links):
    limb = part("box", (0.03, 0.05, 0.08), ASIDE)
    right = body(limb, density=800.0)
    path = write_links(base(), Link("limb", [limb], replace(right, six=times * 1e4 * right.six)))
    assert "kg·cm²" not in str(accused(path))


@pytest.mark.fault(178)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("moment", [0.05, 0.5, 0.0921])
def test_three_equal_moments_that_are_impossible_are_a_placeholder(moment, form, write_links):
    beam = part("box", (0.05, 0.04, 0.1), (0.1, 0, 0))
    right = body(beam)
    assert moment > 5.0 * right.six.max()
    path = write_links(base(), Link("beam", [beam], replace(right, six=np.array([moment] * 3 + [0.0] * 3))), form=form)
    ((code, message),) = accused(path)
    assert code == "padded_diagonal" and f"{moment:.4g} kg·m²" in message
    assert_repaired(path, right)


@pytest.mark.fault(178)
def test_equal_moments_that_differ_by_a_digit_are_only_doubtful(write_links):
    beam = part("box", (0.05, 0.04, 0.1), (0.1, 0, 0))
    path = write_links(base(), Link("beam", [beam], replace(body(beam), six=np.array([0.37, 0.37, 0.371, 0, 0, 0]))))
    (finding,) = check_path(path)
    assert finding.code == "radius_of_gyration" and repair(path).data == path.read_bytes()


@pytest.mark.fault(181)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("times", "unit"), [(1000.0, "mm"), (100.0, "cm")])
def test_a_whole_robot_in_another_unit_is_one_error(times, unit, form, write_links):
    """Sizes, centres and places are in it; masses and tensors are right."""
    links = [base(), *others(), arm_of()[0]]
    for link in links:
        link.parts = [replace(shape, size=times * shape.size, xyz=times * shape.xyz) for shape in link.parts]
        link.inertial, link.xyz = replace(link.inertial, com=times * link.inertial.com), times * np.array([0, 0, 0.3])
    path = write_links(*links, form=form)
    (finding,) = check_path(path)
    assert (finding.severity, finding.code) == ("error", "geometry_unit")
    assert f"with all lengths in {unit}" in finding.message and "its 4 links" in finding.message
    assert repair(path).data == path.read_bytes() and run("check", path) == 1


BARE = (
    '<link name="base">{0}</link><link name="slide"/><link name="turn"/><link name="tool">{0}</link><link name="mark"/>'
)
SHAPE = (
    '<inertial><mass value="2"/><inertia ixx="0.0217" iyy="0.0167" izz="0.00833" ixy="0" ixz="0" iyz="0"/></inertial>'
    '<collision><geometry><box size="0.1 0.2 0.3"/></geometry></collision>'
)
JOINT = '<joint name="{2}_joint" type="{0}"><parent link="{1}"/><child link="{2}"/></joint>'


@pytest.mark.fault(180)
@pytest.mark.parametrize("kind", ["prismatic", "continuous", "planar", "floating"])
def test_a_moving_link_with_nothing_in_it_is_a_warning(kind, tmp_path):
    joints = [(kind, "base", "slide"), ("revolute", "slide", "turn"), (kind, "turn", "tool"), ("fixed", "tool", "mark")]
    path = tmp_path / "robot.urdf"
    path.write_text(f'<robot name="r">{BARE.format(SHAPE)}{"".join(JOINT.format(*joint) for joint in joints)}</robot>')
    findings = check_path(path)
    assert [(finding.severity, finding.code) for finding in findings] == [("warning", "massless_link")] * 2
    assert "'slide'" in findings[0].subject and "'turn'" in findings[1].subject
    assert all("it moves, and has neither mass nor geometry" in finding.message for finding in findings)
    assert run("check", path) == 0 and repair(path).data == path.read_bytes()


@pytest.mark.fault(180)
def test_a_link_that_carries_what_is_fixed_to_it_is_not_empty(tmp_path):
    joints = [("continuous", "base", "slide"), ("fixed", "slide", "turn"), ("fixed", "turn", "tool")]
    joints.append(("fixed", "tool", "mark"))
    path = tmp_path / "robot.urdf"
    path.write_text(f'<robot name="r">{BARE.format(SHAPE)}{"".join(JOINT.format(*joint) for joint in joints)}</robot>')
    assert check_path(path) == []


@pytest.mark.fault(171)
def test_a_zero_tensor_without_geometry_is_impossible_everywhere(tmp_path, capsys):
    zero = '<inertial><mass value="1.5"/><inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial>'
    sound = zero.replace('"0" iyy="0" izz="0"', '"0.02" iyy="0.03" izz="0.04"')
    links = f'<link name="base">{SHAPE}</link><link name="l_hand">{zero}</link><link name="r_hand">{sound}</link>'
    path = tmp_path / "robot.urdf"
    joints = "".join(JOINT.format("continuous", "base", name) for name in ("l_hand", "r_hand"))
    path.write_text(f'<robot name="r">{links}{joints}</robot>')
    hand = read_robot(path).links["l_hand"]
    assert hand.fault == "impossible" and hand.comparison.impossible
    (finding,) = hand.findings
    assert hand.comparison.findings == (finding,) and finding.code == "zero_tensor"
    assert "(0.02, 0.03, 0.04)" in finding.message and "thin line" not in finding.message
    assert run("check", path) == 1 and "1 invalid inertial" in capsys.readouterr().out


RING = """<robot name="r"><link name="base">{shape}</link><link name="ring"><inertial><mass value="0.4"/>
<inertia ixx="{moments[0]}" iyy="{moments[1]}" izz="{moments[2]}" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><geometry><cylinder radius="0.06" length="0.03"/></geometry></visual>
<collision><origin xyz="{at}"/><geometry><{dummy}/></geometry></collision></link>{joint}</robot>"""


@pytest.mark.fault(189)
@pytest.mark.parametrize("dummy", ['sphere radius="0.001"', 'box size="0.001 0.001 0.001"'])
@pytest.mark.parametrize("at", ["0 0 0", "0.02 0 0"])
@pytest.mark.parametrize("moments", [(2e-4, 2e-4, 9e-4), (0.1, 0.1, 0.1), (1.0, 1.0, 1.0)])
def test_a_point_inside_the_visual_is_not_the_shape_of_its_link(moments, dummy, at, tmp_path):
    path = tmp_path / "robot.urdf"
    joint = JOINT.format("continuous", "base", "ring")
    path.write_text(RING.format(shape=SHAPE, moments=moments, dummy=dummy, at=at, joint=joint))
    (link,) = repair(path).links
    across = 0.4 * (3 * 0.06**2 + 0.03**2) / 12
    assert link.plan.source == "visual" and link.new.mass == 0.4
    np.testing.assert_allclose(link.new.inertia, np.diag([across, across, 0.4 * 0.06**2 / 2]), rtol=1e-6)


@pytest.mark.fault(195)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("times", [2.2, 4.0])
def test_numbers_of_an_unseen_motor_may_be_kept(times, form, write_links):
    """A motor that is not in the geometry spreads the mass: numbers that were identified on the robot are right."""
    shell = part("box", (0.03, 0.025, 0.06), NOWHERE)
    right = body(shell)
    six = right.six * np.array([1.1, 0.97, 1.04, 1, 1, 1]) * times
    path = write_links(base(), Link("wrist", [shell], replace(right, six=six)), form=form)
    (finding,) = check_path(path)
    assert finding.code in ("impossible_spread", "radius_of_gyration")
    first = str(finding.remedy).partition("; or ")[0]
    assert first.startswith("if the numbers were measured on the robot, keep them and add what is missing")
    assert repair(path).data == path.read_bytes()
    assert repair(path, RepairOptions(frozenset({"doubtful"}))).links[0].new is not None


@pytest.mark.fault(179)
def test_of_equal_wheels_the_one_of_another_mass_is_a_slip(write_links):
    wheel = part("cylinder", (0.08, 0.08, 0.02))
    right = body(wheel)
    wheels = [Link(f"wheel_{number}", [wheel], right) for number in range(3)]
    path = write_links(base(), *wheels, Link("wheel_3", [wheel], replace(right, mass=10.0 * right.mass)), form="urdf")
    assert [code for code, _ in accused(path)] == ["tensor_mass"]
    assert repair(path).data == path.read_bytes()


@pytest.mark.fault(173)
@pytest.mark.parametrize("scale", [1e-3, 1e-6])
def test_what_all_is_done_in_one_run_after_a_unit_is_corrected(scale, write_links, tmp_path):
    beam = part("box", (0.04, 0.03, 0.16), ASIDE)
    right = body(beam)
    path = write_links(base(), Link("arm", [beam], replace(right, six=1.1 * right.six / scale)), form="urdf")
    options = RepairOptions(frozenset({"all"}))
    once = repair(path, options).data
    assert once != path.read_bytes()
    path.write_bytes(once)
    assert repair(path, options).data == once
