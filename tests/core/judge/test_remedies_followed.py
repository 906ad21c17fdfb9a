# SPDX-License-Identifier: GPL-3.0-or-later
"""What `check` advises works: each command that a remedy names is run, and then its finding is gone."""

import json
from collections import Counter
from contextlib import chdir
from pathlib import Path

import pytest

from core.cli import repair
from core.cli.options.inputs import inputs_of
from tests.reference_data import DATA
from tests.versions import CHECKOUT

from . import remedies
from .generated_robots import FAULTS, Robot
from .remedies import follow, names_nothing
from .robot_room import Checked, Room, checked, copied, run
from .robot_texts import FORMATS

ROBOTS, EXAMPLES = DATA / "robot_faults", CHECKOUT / "examples"
LEFT_OUT = ("hostile", "cad")
SEEDS = range(300)
QUICK = SEEDS[::7]
"""They have all formats and all faults."""


def robots_in(folder):
    """Return the robots' files in a folder, as paths in it."""
    names = inputs_of("repair", [str(folder)], None).files if folder.is_dir() else []
    return [Path(name).relative_to(folder).as_posix() for name in names]


FAULTY = [name for name in robots_in(ROBOTS) if name.partition("/")[0] not in LEFT_OUT]


@pytest.fixture(scope="module")
def room(tmp_path_factory):
    """Return a function that copies a folder once."""
    rooms = {}

    def copy(folder):
        if folder not in rooms:
            rooms[folder] = Room(copied(folder, tmp_path_factory.mktemp("robots")))
        return rooms[folder]

    return copy


def no_dead_end(room, path, about=""):
    """Fail with all dead ends of a file."""
    dead_ends = follow(room, path).dead_ends
    assert not dead_ends, "\n".join([about, *map(str, dead_ends)])


@pytest.mark.every
@pytest.mark.fault(167, 168, 230)
@pytest.mark.parametrize("name", FAULTY)
def test_no_remedy_of_a_faulty_robot_is_a_dead_end(name, room):
    folder, _, path = name.partition("/")
    copy = room(ROBOTS / folder)
    no_dead_end(copy, copy.folder / path)


@pytest.mark.every
@pytest.mark.parametrize("name", robots_in(EXAMPLES))
def test_no_remedy_of_an_example_is_a_dead_end(name, room):
    copy = room(EXAMPLES)
    no_dead_end(copy, copy.folder / name)


def follow_generated(seed, folder, is_usd=False):
    robot = Robot(seed, is_usd=is_usd)
    path = robot.write(folder)
    no_dead_end(Room(folder), path, f"{robot.format}: {', '.join(robot.faults)}")


@pytest.mark.every
@pytest.mark.fault(168, 230, 231)
@pytest.mark.parametrize("seed", QUICK)
def test_no_remedy_of_a_generated_robot_is_a_dead_end(seed, tmp_path):
    follow_generated(seed, tmp_path)


@pytest.mark.every
@pytest.mark.parametrize("seed", QUICK[::3])
def test_no_remedy_of_a_generated_usd_is_a_dead_end(seed, tmp_path):
    follow_generated(seed, tmp_path, is_usd=True)


@pytest.mark.thorough
@pytest.mark.fault(168, 230, 231)
@pytest.mark.parametrize("seed", [seed for seed in SEEDS if seed not in QUICK])
def test_no_remedy_of_more_generated_robots_is_a_dead_end(seed, tmp_path):
    follow_generated(seed, tmp_path)


def test_the_quick_seeds_have_all_formats_and_all_faults():
    robots = [Robot(seed) for seed in QUICK]
    assert {robot.format for robot in robots} == {*FORMATS}
    assert {fault.rpartition(" in ")[0] for robot in robots for fault in robot.faults} == {*FAULTS}
    assert all(1 <= len(robot.faults) <= 3 for robot in map(Robot, SEEDS))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("is_usd", [False, True])
def test_a_sound_generated_robot_has_no_warning_and_stays(seed, is_usd, tmp_path):
    path = Robot(seed, faulty=False, is_usd=is_usd).write(tmp_path)
    room = Room(tmp_path)
    with chdir(tmp_path):
        findings = checked(path.name, strict=True).findings
        assert [finding for finding in findings if finding["severity"] != "info"] == []
        assert run("repair", "--in-place", path.name).status == 0
    assert room.files() == room.first
    no_dead_end(room, path)


ROBOT = """<robot name="r"><link name="base"><inertial><mass value="2"/><inertia ixx="0.0217" iyy="0.0167"
izz="0.00833" ixy="0" ixz="0" iyz="0"/></inertial><collision><geometry><box size="0.1 0.2 0.3"/></geometry></collision>
</link><link name="{name}">{content}</link>
<joint name="j" type="{joint}"><parent link="base"/><child link="{name}"/></joint></robot>"""
LIGHT = """<inertial><mass value="{mass}"/><inertia ixx="{moment}" iyy="{moment}" izz="{moment}" ixy="0" ixz="0"
iyz="0"/></inertial><collision><geometry><box size="0.2 0.1 0.12"/></geometry></collision>"""
TIP = '<collision><geometry><sphere radius="0.02"/></geometry></collision>'


@pytest.mark.fault(167)
@pytest.mark.parametrize(("mass", "moment"), [(0.001, 1e-4), (0.005, 5e-5), (0.01, 1e-3)])
def test_a_remedy_that_would_do_nothing_is_not_printed_but_the_reason_is(mass, moment, tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text(ROBOT.format(name="head", content=LIGHT.format(mass=mass, moment=moment), joint="fixed"))
    before = path.read_bytes()
    with chdir(tmp_path):
        remedy = next(
            finding["remedy"] for finding in checked(path.name, False).findings if finding["code"] == "padded_diagonal"
        )
        assert remedy.startswith("measure it on the real part (`repair` leaves it: ") and "kg/m³, outside" in remedy
        assert "sdf-inertia" not in remedy and run("repair", "--in-place", path.name).status == 0
    assert path.read_bytes() == before


@pytest.mark.fault(169)
@pytest.mark.parametrize(
    ("engine", "name", "content", "joint", "command"),
    [
        ("pybullet", "tool", "", "fixed", "fill --in-place --for pybullet"),
        ("newton", "tool", TIP, "fixed", "repair --in-place --density KG_M3"),
        ("pybullet", "hook", TIP, "continuous", "repair --in-place --density KG_M3"),
        ("mujoco", "slide", "", "continuous", ""),
    ],
)
def test_what_an_engine_does_differently_names_the_command_that_works(engine, name, content, joint, command, tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_text(ROBOT.format(name=name, content=content, joint=joint))

    def of_engine():
        findings = json.loads(run("check", "--for", engine, "--json", str(path)).out)["files"][0]["findings"]
        return [finding["remedy"] for finding in findings if finding["code"] in ("engine_differs", "engine_refuses")]

    (remedy,) = (remedy for remedy in of_engine() if "URDF_USE_INERTIA_FROM_FILE" not in remedy)
    other = "give it mass and moments above that" if engine == "mujoco" else "give it an inertial"
    assert remedy == (f"run `sdf-inertia {command} {path}`; or " if command else "") + other
    if command:
        assert run(*command.replace("KG_M3", "1000").split(), str(path)).status == 0
        assert remedy not in of_engine()


NUMBERS = {"com": [0.0] * 3, "inertia": dict(ixx=0.004, iyy=0.004, izz=0.004, ixy=0.0, ixz=0.0, iyz=0.0)}
SPHERE = """<robot name="r"><link name="a"><inertial><mass value="1"/>
<inertia ixx="0.004" iyy="0.004" izz="0.009" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><sphere radius="0.1"/></geometry></collision></link></robot>"""


@pytest.mark.every
@pytest.mark.parametrize(
    "remedy, happened",
    [
        ("run `sdf-inertia repair FILE`", "still there"),
        ("run `sdf-inertia repair -o new.urdf FILE`", "still there"),
        ("run `sdf-inertia repair --what nonsense FILE`", "exit 2"),
        ("list the links (`sdf-inertia report`)", "exit 2"),
        ("run `sdf-inertia mass MESH`", "exit 2"),
        ("correct it", "names nothing"),
    ],
)
def test_a_remedy_that_does_not_help_is_a_dead_end(remedy, happened, tmp_path, monkeypatch):
    path = tmp_path / "ball.urdf"
    path.write_text(SPHERE)
    finding = {"severity": "error", "code": "triangle_inequality", "subject": "ball.urdf:1 /robot/link[@name='a']"}
    finding |= {"message": "no body has it", "remedy": remedy}
    monkeypatch.setattr(remedies, "checked", lambda *_: Checked(1, [finding]))
    texts = [dead.happened for dead in follow(Room(tmp_path), path).dead_ends if dead.code == finding["code"]]
    assert len(texts) == 1 and happened in texts[0]
    assert path.read_text() == SPHERE


def test_a_remedy_that_helps_is_none(tmp_path):
    path = tmp_path / "ball.urdf"
    path.write_text(SPHERE)
    followed = follow(Room(tmp_path), path)
    assert followed.with_command and followed.commands and not followed.dead_ends


def test_an_error_that_is_new_is_a_dead_end(tmp_path, monkeypatch):
    (tmp_path / "ball.urdf").write_text(SPHERE)
    states = iter([["a"], ["a"], ["b"], ["b"], ["b"]])

    def check(*_):
        named = [{"severity": "error", "code": code, "subject": "ball.urdf", "message": ""} for code in next(states)]
        return Checked(1, [finding | {"remedy": "run `sdf-inertia repair FILE`"} for finding in named])

    monkeypatch.setattr(remedies, "checked", check)
    happened = Counter(dead.happened for dead in follow(Room(tmp_path), tmp_path / "ball.urdf").dead_ends)
    assert happened["new errors: b of ball.urdf"] == 1


def test_numbers_that_repair_lists_but_does_not_write_are_dead_ends(tmp_path, monkeypatch):
    (tmp_path / "ball.urdf").write_text(SPHERE)
    listed = repair._link_json
    monkeypatch.setattr(repair, "_link_json", lambda link: listed(link) | {"new": {**NUMBERS, "mass": 2.0}})
    (dead,) = follow(Room(tmp_path), tmp_path / "ball.urdf").dead_ends
    assert dead.code == "as_listed" and "mass is written as 1.0, but listed as 2.0" in dead.happened


@pytest.mark.every
@pytest.mark.parametrize("remedy, expected", [("correct it", True), ("", True), ("correct the URI", False)])
def test_a_remedy_names_a_thing(remedy, expected):
    assert names_nothing(remedy) is expected


@pytest.mark.fault(167)
def test_an_impossible_tensor_in_sdf_gets_the_command_too(tmp_path, capsys):
    tensor = "<inertia><ixx>0.001</ixx><iyy>0.001</iyy><izz>0.1</izz></inertia>"
    box = '<collision name="c"><geometry><box><size>0.2 0.1 0.1</size></box></geometry></collision>'
    link = f'<link name="l"><inertial><mass>1</mass>{tensor}</inertial>{box}</link>'
    path = tmp_path / "r.sdf"
    path.write_text(f'<sdf version="1.11"><model name="m">{link}</model></sdf>')
    (finding,) = checked(path, False).findings
    assert f"run `sdf-inertia repair --in-place {path}`" in finding["remedy"]
