# SPDX-License-Identifier: GPL-3.0-or-later
"""What `check` and `repair` print names the thing, the cause and what to do, in the words of a file's author."""

import re
from contextlib import chdir

import numpy as np
import pytest

from core import Inertial, read_robot
from core.engines.compared import compared
from core.judge.measured import RepairOptions
from core.judge.repair import repair_file

from .generated_robots import Robot
from .robot_room import checked, run
from .robot_texts import FORMATS

BOX = '<collision><geometry><box size="0.1 0.2 0.3"/></geometry></collision>'
SOUND = (2, 0.0216667, 0.0166667, 0.00833333)
GEOM = '<geom type="box" size=".05 .1 .15"/>'


def inertial(mass, xx, yy, zz, com="0 0 0"):
    return (
        f'<inertial><origin xyz="{com}"/><mass value="{mass}"/>'
        f'<inertia ixx="{xx}" iyy="{yy}" izz="{zz}" ixy="0" ixz="0" iyz="0"/></inertial>'
    )


def urdf(folder, content, joint="continuous", more=""):
    """A sound base, and a link ``arm`` with this content."""
    path = folder / "robot.urdf"
    path.write_text(
        f'<robot name="r"><link name="base">{inertial(*SOUND)}{BOX}</link><link name="arm">{content}</link>'
        f'<joint name="j" type="{joint}"><parent link="base"/><child link="arm"/></joint>{more}</robot>'
    )
    return path


def sdf(folder, content):
    path = folder / "robot.sdf"
    path.write_text(f'<sdf version="1.12"><model name="m"><link name="arm">{content}</link></model></sdf>')
    return path


def mjcf(folder, content):
    path = folder / "robot.xml"
    mass, *moments = SOUND
    base = f'<inertial pos="0 0 0" mass="{mass}" diaginertia="{" ".join(map(str, moments))}"/>{GEOM}'
    path.write_text(f'<mujoco><worldbody><body name="base"><freejoint/>{base}{content}</body></worldbody></mujoco>')
    return path


def found(path, strict=False):
    """The findings of a file by their codes."""
    return {finding["code"]: finding for finding in checked(str(path), strict).findings}


def refused_links(file):
    return {one.subject.partition(" ")[2] for one in compared(file, ["mujoco"]).findings if one.severity == "error"}


@pytest.mark.fault(169)
@pytest.mark.parametrize("seed", range(0, 300, 10))
def test_a_repair_uncovers_no_refusal_of_mujoco(seed, tmp_path):
    file = read_robot(FORMATS["urdf"](Robot(seed), tmp_path)).file
    before = refused_links(file)
    assert refused_links(repair_file(file, RepairOptions(density=1000.0)).file) <= before


def test_each_refusal_of_mujoco_is_reported_at_once(tmp_path):
    more = '<link name="slide"/><joint name="k" type="continuous"><parent link="base"/><child link="slide"/></joint>'
    path = urdf(tmp_path, inertial(1, 0.1, 0.1, 1) + BOX, more=more)
    messages = [str(one) for one in compared(read_robot(path).file, ["mujoco"]).findings if one.severity == "error"]
    assert len(messages) == 2 and "triangle" in messages[0] and "body slide moves with 0 kg" in messages[1]


@pytest.mark.parametrize("moments", [(0.1, 0.1, 1), (-0.1, 0.1, 0.1)])
@pytest.mark.parametrize("joint", ["continuous", "fixed"])
def test_an_impossible_tensor_is_an_error_beside_a_mass_of_zero_too(moments, joint, tmp_path):
    codes = {"triangle_inequality", "negative_moment"}
    assert codes & {*found(urdf(tmp_path, inertial(0, *moments), joint))}
    assert codes & {*found(urdf(tmp_path, inertial(0, *moments) + BOX, joint))}
    body = f'<inertial pos="0 0 0" mass="0" diaginertia="{" ".join(map(str, moments))}"/>'
    assert codes & {*found(mjcf(tmp_path, f'<body name="arm">{"<joint/>" * (joint != "fixed")}{body}</body>'))}


@pytest.mark.parametrize("moment", [0, 0.01])
def test_a_frame_with_a_possible_tensor_and_no_mass_is_no_error(moment, tmp_path):
    assert found(urdf(tmp_path, inertial(0, moment, moment, moment), "fixed")) == {}


@pytest.mark.fault(230)
@pytest.mark.parametrize("mass", [0, -1])
def test_a_link_without_mass_names_the_command_that_gives_it_one(mass, tmp_path):
    path = urdf(tmp_path, inertial(mass, 0.01, 0.01, 0.01) + BOX)
    with chdir(tmp_path):
        (finding,) = found(path.name).values()
        command = re.search(r"`sdf-inertia ([^`]+)`", finding["remedy"])[1]
        assert run(*command.replace("KG_M3", "1000").split()).status == 0
        assert found(path.name) == {}


@pytest.mark.parametrize("seed", range(0, 300, 60))
def test_a_weighed_link_is_changed_or_has_a_finding(seed, tmp_path):
    file = read_robot(Robot(seed).write(tmp_path)).file
    for link in file.links:
        for mass in (1e-4, 0.5, 1e4):
            repaired = repair_file(file, RepairOptions(weighed={link.name: mass}, links=frozenset({link.name})))
            (one,) = (one for one in repaired.links if one.link.name == link.name)
            assert one.new is not None or {*one.findings} & {*repaired.findings}


def test_repair_prints_what_it_looked_for(tmp_path):
    path = urdf(tmp_path, inertial(*SOUND) + BOX)
    assert (
        "nothing to repair: no inertial is of the kinds doubtful, twins"
        in run("repair", "--what", "twins,doubtful", str(path)).err
    )
    assert "no inertial in arm is of the kinds impossible, missing" in run("repair", str(path), "--links", "arm").err


@pytest.mark.fault(230)
@pytest.mark.parametrize("more", ["", "--what=twins"])
def test_repair_names_the_command_for_what_was_not_chosen(more, tmp_path):
    path = urdf(tmp_path, inertial(*SOUND, com="1 0 0") + BOX)
    with chdir(tmp_path):
        err = run("repair", "--dry-run", *more.split(), path.name).err
        assert "nothing to repair" in err and "1 other inertial is faulty or doubtful, and not chosen" in err
        command = re.search(r"`sdf-inertia ([^`]+)`", err)[1]
        assert run(*command.split()).status == 0 and found(path.name) == {}


def test_what_was_not_chosen_is_not_among_the_repaired(tmp_path):
    more = f'<link name="tip">{inertial(*SOUND, com="1 0 0")}{BOX}</link>'
    more += '<joint name="k" type="fixed"><parent link="base"/><child link="tip"/></joint>'
    lines = run("repair", "--dry-run", str(urdf(tmp_path, inertial(1, 0.1, 0.1, 1) + BOX, more=more))).err.splitlines()
    assert "1 of 1 listed inertials to be repaired" in lines[-2] and "1 other inertial is" in lines[-1]


def test_a_doubt_of_strict_alone_says_why_repair_leaves_it(tmp_path):
    path = urdf(tmp_path, inertial(*SOUND, com="0.052 0 0") + BOX)
    assert found(path) == {}
    remedy = found(path, strict=True)["com_outside"]["remedy"]
    assert remedy == "give it in the link's frame (`repair` leaves it: only --strict reports it)"


def test_a_light_body_is_described_by_its_numbers(tmp_path):
    light = '<inertial pos="0 0 0" mass="1e-16" diaginertia="1e-20 1e-20 1e-20"/>'
    finding = found(mjcf(tmp_path, f"<body><joint/>{light}</body>"))["mujoco_refuses"]
    assert "1e-16 kg" in finding["message"] and "give it a geom" not in finding["remedy"]
    assert finding["subject"].endswith("/body[@name='base']/body[@name='body_2']")  # as `report` calls it
    assert "neither it nor a body" in found(mjcf(tmp_path, "<body><joint/></body>"))["mujoco_refuses"]["message"]


@pytest.mark.parametrize("name", ["urdf", "mjcf"])
def test_the_sign_of_products_is_nobodys_own(name, tmp_path):
    robot = {
        "urdf": lambda: urdf(tmp_path, inertial(1, 0.1, 0.1, 1) + BOX),
        "mjcf": lambda: mjcf(
            tmp_path, '<body name="arm"><inertial pos="0 0 0" mass="1" diaginertia=".1 .1 1"/></body>'
        ),
    }
    remedy = found(robot[name]())["triangle_inequality"]["remedy"]
    assert "ixy = -∫xy dm" in remedy and "SDF" not in remedy


SHAPE = '<collision name="c"><geometry><box><size>0.1 0.2 0.3</size></box></geometry></collision>'


@pytest.mark.parametrize(
    ("content", "code", "remedy"),
    [
        ("<inertial auto='true'/>", "no_collision", "give it a collision, or an inertial with numbers"),
        (
            f"<inertial auto='true'><density>30000</density></inertial>{SHAPE}",
            "implied_density",
            "correct its mass or density, or the size of its geometry",
        ),
        (f"<inertial auto='true'><mass>300</mass></inertial>{SHAPE}", "inertial_unit", "give the mass in kg"),
    ],
)
def test_an_auto_link_of_a_file_is_spoken_of_in_words_of_the_file(content, code, remedy, tmp_path):
    finding = found(sdf(tmp_path, content))[code]
    assert finding["remedy"] == remedy and "tensor" not in finding["message"]


@pytest.mark.parametrize("mass", ["1", "1e308"])
def test_a_number_that_is_not_finite_is_named(mass, tmp_path):
    finding = found(urdf(tmp_path, inertial(mass, "1e308", "1e308", "1e308") + BOX))["not_finite"]
    assert finding["message"] == "its tensor is not finite, or too large to compute with"
    assert "give finite numbers for its tensor" in finding["remedy"]
    assert (
        "mass and tensor are not finite"
        in Inertial(float("inf"), np.zeros(3), np.full((3, 3), np.nan)).findings()[0].message
    )


def test_a_folder_is_named_as_one(tmp_path):
    assert "it is a folder" in run("diff", str(tmp_path), str(tmp_path)).err
