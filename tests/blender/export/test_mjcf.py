# SPDX-License-Identifier: GPL-3.0-or-later
"""MJCF out of Blender: by the operator, a collection, the command line; in MuJoCo the bodies that Drake has."""

import re
import subprocess
import sys
from pathlib import Path

import bpy
import pytest
from lxml import etree

from core.cli.main import main
from tests.core.mujoco_bodies import assert_same_bodies, loaded

from ..scenes import add, box_mesh, module, tag
from .test_collection_export import two_robots
from .test_urdf import export, lever

mujoco = pytest.importorskip("mujoco", reason="MuJoCo has no wheel for this Python")
scene = pytest.mark.usefixtures("scene")

CHECKOUT = Path(__file__).parents[3]


@scene
def test_the_bodies_are_those_of_the_sdf_whatever_the_links_say(tmp_path):
    for ob in lever():
        tag(ob, inertia="AUTO")
    assert export(tmp_path / "robot.sdf", inertia="FILLED", uri_style="file") == {"FINISHED"}
    assert export(tmp_path / "robot.xml") == {"FINISHED"}
    assert_same_bodies((tmp_path / "robot.xml", tmp_path / "robot.sdf"), positions=100)


@scene
def test_mirrored_and_stretched_parts_load(tmp_path):
    base, bar = lever(joint_lower=-1.0, joint_upper=1.0)
    for number, scale in enumerate([(-1, 1, 1), (2, 1, 0.5), (-1, -2, -3)]):
        part = add(box_mesh((0.1, 0.2, 0.3)), f"part{number}", parent=bar, location=(number, 0, 1), scale=scale)
        tag(part, "collision", "visual", density=300.0)
    bpy.context.view_layer.update()
    export(tmp_path / "robot.sdf", inertia="FILLED", uri_style="file")
    export(tmp_path / "robot.mjcf")
    assert_same_bodies((tmp_path / "robot.mjcf", tmp_path / "robot.sdf"), positions=20)
    groups = loaded(tmp_path / "robot.mjcf").geom_group.tolist()
    # The ground; three visuals and one that is drawn by its collision; five collisions.
    assert [groups.count(group) for group in (0, 2, 3)] == [1, 4, 5]


@scene
def test_the_format_is_an_option_for_a_folder(tmp_path):
    lever()
    assert export(tmp_path, file_format="mjcf") == {"FINISHED"}
    assert loaded(tmp_path / "model" / "model.xml").nbody == 3


@scene
def test_a_collection_is_exported_as_mjcf_by_its_files_ending(tmp_path):
    two_robots()
    export(tmp_path / "left.xml", collection="left arm")
    model = loaded(tmp_path / "left.xml")
    assert (model.nbody, model.body(1).name) == (2, "left")


@scene
def test_the_command_line_writes_mjcf(tmp_path):
    lever()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "lever.blend"))
    run = module("sdf_inertia_addon.export.command").run
    assert run(["--output", str(tmp_path), "--format", "mjcf"]) == 0
    assert etree.parse(tmp_path / "lever" / "model.xml").getroot().get("model") == "lever"


@scene
def test_what_mjcf_cannot_hold_writes_nothing_and_is_reported(tmp_path):
    _base, bar = lever()
    tag(bar, joint_type="SCREW")
    with pytest.raises(RuntimeError, match="MJCF has no screw joint"):
        export(tmp_path / "robot.xml", skip_invalid=True)
    assert list(tmp_path.iterdir()) == []


def exported(name, folder, *formats):
    for file_format in formats:
        words = [sys.executable, CHECKOUT / "sdf_inertia_addon" / "headless.py", CHECKOUT / f"examples/{name}.blend"]
        words += ["--output", folder, "--format", file_format, "--uri", "file", "--inertia", "filled"]
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
    return folder / name


def test_the_tutorial_shows_the_report_of_the_urdf(tmp_path, capsys):
    urdf = exported("gripper", tmp_path, "urdf") / "model.urdf"
    urdf.write_text(urdf.read_text().replace(f"file://{urdf.parent}/", ""))
    assert main(["report", "--format", "md", "--for", "gazebo,drake,mujoco", str(urdf)]) == 0
    page = (CHECKOUT / "docs" / "three-simulators.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"^```text\n(\| body.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert shown in capsys.readouterr().out


def test_the_links_of_the_tutorials_mjcf_are_those_of_its_sdf(tmp_path, capsys):
    folder = exported("gripper", tmp_path, "sdf", "mjcf")
    assert main(["diff", str(folder / "model.sdf"), str(folder / "model.xml")]) == 0
    printed = capsys.readouterr().out.strip().splitlines()[-1]
    assert printed in (CHECKOUT / "docs" / "three-simulators.md").read_text(encoding="utf-8")


def test_the_tutorials_program_moves_the_elbow(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    exported("gripper", tmp_path / "out", "mjcf")
    page = (CHECKOUT / "docs" / "three-simulators.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    exec(program, {})  # noqa: S102
    assert float(capsys.readouterr().out.strip("[]\n")) == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize(("name", "root"), [("rover", "chassis"), ("gripper", "base")])
def test_the_examples_are_the_same_robots_in_mujoco_and_drake(name, root, tmp_path):
    folder = exported(name, tmp_path, "sdf", "mjcf")
    assert_same_bodies((folder / "model.xml", folder / "model.sdf"), positions=100, root=root)
