# SPDX-License-Identifier: GPL-3.0-or-later
"""Hostile MJCF files: MuJoCo opens no file, each ends within its limits, and the next file is untouched."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from core import InertiaError, read_robot
from core.child.child import Limits
from core.cli.main import main
from core.formats.mjcf import library
from tests.core import solids
from tools.house import CHECKOUT

from .mjcf_files import CUBE, compiled, mjcf, moving, write_mesh

NAMING = {
    "mesh": '<asset><mesh name="m" file="{}"/></asset>',
    "texture": '<asset><texture name="t" type="2d" file="{}"/></asset>',
    "cube texture": '<asset><texture name="c" type="cube" fileright="{}"/></asset>',
    "hfield": '<asset><hfield name="h" file="{}" size="1 1 1 1"/></asset>',
    "skin": '<deformable><skin name="s" file="{}"/></deformable>',
    "flexcomp": '<worldbody><body><flexcomp name="f" type="mesh" file="{}" mass="1"/></body></worldbody>',
}
"""Elements by which an MJCF names files."""


@pytest.mark.fault(205)
@pytest.mark.parametrize("element", NAMING)
@pytest.mark.parametrize("name", ["outside", "/dev/zero", "pipe", "link"])
def test_a_file_that_may_not_be_read_is_not_opened(tmp_path, element, name):
    robot = tmp_path / "robot"
    robot.mkdir()
    (tmp_path / "outside.stl").write_text("secret")
    os.mkfifo(robot / "pipe.stl")  # to open it would wait forever
    (robot / "link.stl").symlink_to(tmp_path / "outside.stl")
    given = {"outside": "../outside.stl", "pipe": "pipe.stl", "link": "link.stl"}.get(name, name)
    path = mjcf(robot, moving(CUBE), NAMING[element].format(given))
    try:
        findings = read_robot(path).check(engines=["mujoco"])
    except InertiaError as error:  # MuJoCo cannot parse a flexcomp without its file
        findings = (error.finding(),)
    assert re.search("outside of the folders|is not a regular file|is not found", " ".join(map(str, findings)))
    assert "secret" not in str(findings)


@pytest.mark.fault(205)
@pytest.mark.skipif(shutil.which("strace") is None, reason="there is no strace (tools/check_system.py --packages)")
def test_no_process_of_ours_opens_what_is_outside(tmp_path):
    robot = tmp_path / "robot"
    write_mesh(robot / "inside.obj", *solids.box())
    (tmp_path / "outside.stl").write_text("secret")
    assets = "".join(NAMING[name].format("../outside.stl") for name in NAMING if name != "flexcomp")
    inside = '<asset><mesh name="inside" file="inside.obj"/></asset>'
    path = mjcf(robot, moving('<geom type="mesh" mesh="inside"/>'), inside + assets)
    opened = tmp_path / "opened"
    words = ["strace", "-f", "-qq", "-e", "trace=open,openat,creat", "-o", str(opened)]
    check = [sys.executable, "-m", "core", "check", "--for", "mujoco", str(path)]
    done = subprocess.run([*words, *check], cwd=CHECKOUT, capture_output=True, text=True)
    if "PTRACE" in done.stderr or "Operation not permitted" in done.stderr:
        pytest.skip(f"strace may not look at processes here: {done.stderr[-200:]}")
    traced = opened.read_text()
    assert "robot.xml" in traced and "inside.obj" in traced and "mujoco_program" in traced
    assert "outside.stl" not in traced and "MUJOCO_LOG" not in traced


def test_mujoco_has_the_bytes_of_each_file_that_is_named(tmp_path):
    write_mesh(tmp_path / "meshes" / "part.obj", *solids.box((0.2, 0.2, 0.2)))
    before = '<compiler meshdir="meshes" strippath="true"/><asset><mesh file="other/part.obj"/></asset>'
    path = mjcf(tmp_path, moving('<geom type="mesh" mesh="part"/>'), before)
    robot = read_robot(path)
    assert robot.links["link"].inertial.mass == pytest.approx(8.0)
    assert not [finding for finding in robot.check(engines=["mujoco"]) if finding.severity == "error"]


COUNTED = {
    "replicate": f'<replicate count="1000"><replicate count="1000"><body>{CUBE}</body></replicate></replicate>',
    "flexcomp": '<body><flexcomp name="f" type="grid" count="1000 1000 1000" spacing=".1 .1 .1" dim="3"/></body>',
    "replicate with a sign": f'<replicate count="+200001"><body>{CUBE}</body></replicate>',
    "circle": '<body><flexcomp name="f" type="circle" count="999999999999 1 1" spacing=".1 .1 .1" dim="1"/></body>',
    "composite": '<body><composite prefix="c" type="cable" count="900000 1 1"><geom size=".1"/></composite></body>',
}


@pytest.mark.fault(208)
@pytest.mark.parametrize("case", COUNTED)
def test_copies_are_counted_before_mujoco_makes_them(tmp_path, case, monkeypatch):
    monkeypatch.setattr(library, "_child", None)  # MuJoCo is not asked
    with pytest.raises(InertiaError, match="copies that MuJoCo makes") as caught:
        read_robot(mjcf(tmp_path, COUNTED[case]))
    assert caught.value.code == "too_many_elements"


ENDLESS = '<mesh name="t" builtin="supersphere" params="{} 1 1"/>'
NOT_A_NUMBER = '<body pos="nan inf 1e308"><freejoint/><inertial pos="0 0 0" mass="nan" diaginertia="1 1 1"/></body>'
PLUGIN = '<extension><plugin plugin="mujoco.sdf.torus"/></extension>'


@pytest.mark.fault(207, 209)
@pytest.mark.parametrize(
    ("bodies", "before"),
    [
        (moving('<geom type="mesh" mesh="t"/>'), f"<asset>{ENDLESS.format(100000)}</asset>"),
        (moving('<geom type="mesh" mesh="t"/>'), f"<asset>{ENDLESS.format(5000)}</asset>"),
        (moving(CUBE), '<asset><hfield name="t" nrow="100000" ncol="100000" size="1 1 1 1"/></asset>'),
        (moving(CUBE), '<size nkey="2000000000"/>'),
        (moving(CUBE), '<size nuser_body="2000000000" nuserdata="2000000000"/>'),
        (moving('<geom type="sdf"><plugin plugin="mujoco.sdf.torus"/></geom>'), PLUGIN),
        (NOT_A_NUMBER, ""),
        (f'<body name="&#x1F600;" quat="0 0 0 0">{CUBE}</body>', ""),
    ],
)
def test_after_a_hostile_file_the_next_one_is_checked(tmp_path, capsys, monkeypatch, bodies, before):
    monkeypatch.setattr(library._child, "limits", Limits(seconds=1.0))
    bad, good = mjcf(tmp_path, bodies, before, "bad.xml"), mjcf(tmp_path, moving(CUBE), name="good.xml")
    assert main(["check", "--for", "mujoco", str(bad), str(good)]) in (0, 1)
    out = capsys.readouterr().out
    assert "good.xml: " in out and "Traceback" not in out


@pytest.mark.fault(209)
def test_a_name_that_is_not_utf_8_is_read(tmp_path):
    path = mjcf(tmp_path, moving(CUBE, "NAME"))
    path.write_bytes(path.read_bytes().replace(b"NAME", b"\xff\xfe"))
    try:
        assert len(read_robot(path).links) == 1
    except InertiaError as error:
        assert error.code == "bad_encoding"


@pytest.mark.fault(213)
def test_bodies_may_be_nested_as_deeply_as_mujoco_loads_them(tmp_path):
    heavy = CUBE.replace("/>", ' mass="1"/>')
    inside = f'<joint/>{heavy}<body pos="0 0 1">'
    robot = read_robot(mjcf(tmp_path, f"<body>{inside * 480}{heavy}{'</body>' * 480}</body>"))
    assert len(robot.links) == 481 and not robot.check(engines=["mujoco"])


COMPILERS = [
    '<compiler meshdir="m"/><compiler assetdir="n"/>',
    '<compiler assetdir="n"/><compiler meshdir="m"/>',
    '<compiler assetdir="n" meshdir="m"/>',
    '<compiler meshdir="m"/><compiler angle="radian"/>',
    '<compiler meshdir="m" strippath="true"/><compiler strippath="false"/>',
]


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("named", ['file="part.obj"', 'name="" file="part.obj"'])
def test_a_mesh_is_read_where_mujoco_reads_it(tmp_path, compiler, named):
    for number, folder in enumerate(("m", "n"), 1):
        write_mesh(tmp_path / folder / "part.obj", *solids.box((0.1 * number, 0.1, 0.1)))
    path = mjcf(tmp_path, moving('<geom type="mesh" mesh="part"/>'), f"{compiler}<asset><mesh {named}/></asset>")
    assert read_robot(path).links["link"].inertial.mass == pytest.approx(compiled(path)["link"].mass)


def test_a_body_may_have_thousands_of_geoms(tmp_path):
    path = mjcf(tmp_path, moving(CUBE * 3000))
    assert read_robot(path).links["link"].inertial.mass == pytest.approx(3000 * 8.0)


@pytest.mark.fault(209)
@pytest.mark.parametrize(
    "given", ['vertex="0 0 0 1 0 0 0 1 0 0 0 1 5"', 'vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 1 2 3"']
)
def test_a_mesh_that_is_not_in_threes_is_an_error(tmp_path, given):
    path = mjcf(tmp_path, moving('<geom type="mesh" mesh="m"/>'), f'<asset><mesh name="m" {given}/></asset>')
    with pytest.raises(InertiaError, match="not in threes"):
        read_robot(path).check()


HUGE = 'diaginertia="1e308 1e308 1e308"'
ODD = {
    "position": '<body name="a" pos="1e308 0 0"><body name="b" pos="1e308 0 0"><joint/><geom size=".1"/></body></body>',
    "no number": '<body name="a" pos="nan 0 0"><joint/><geom size=".1"/></body>',
    "quaternion": '<body name="a" quat="nan 0 0 1"><joint/><geom size=".1"/></body>',
    "ends": '<body name="a"><joint/><geom type="capsule" size=".1" fromto="nan 0 0 1 0 0"/></body>',
    "moments": f'<body name="a"><joint/><inertial pos="0 0 0" mass="1" {HUGE}/><geom size=".1"/></body>',
    "slip": '<body name="a"><joint/><inertial pos="0 0 0" mass="1" fullinertia="1e308 1 1 1e308 2 3"/></body>',
    "geom": '<body name="a"><joint/><geom size="1e120"/></body>',
    "no mass": '<body name="a"><geom size=".1" mass="0"/></body>',
}


@pytest.mark.fault(209)
@pytest.mark.parametrize("case", ODD)
@pytest.mark.filterwarnings("error")
def test_numbers_that_are_not_finite_end_in_a_finding_or_an_error(tmp_path, case):
    path = mjcf(tmp_path, ODD[case])
    try:
        robot = read_robot(path)
        robot.check(engines=["mujoco"], strict=True)
        robot.file.filled()
        robot.report()
    except InertiaError as error:
        assert error.code in ("bad_mjcf", "not_finite") and error.subject
