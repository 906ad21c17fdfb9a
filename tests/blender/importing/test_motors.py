# SPDX-License-Identifier: GPL-3.0-or-later
"""Rotors, gears and joints that follow others pass through Blender, and Drake has the same robot."""

import bpy
import pytest

from core.formats.table import robots_of
from core.robot.model import Mimic
from tests.core.drake_motors import SDF, URDF, followed, motors

from ..scenes import export, module, read, tag

pytestmark = pytest.mark.usefixtures("scene")

FILES = {"gripper.urdf": URDF, "gripper.sdf": SDF}


def imported(path, text=URDF):
    path.write_text(text)
    bpy.ops.sdf_inertia.import_sdf(filepath=str(path))
    bpy.context.view_layer.update()
    return {ob.name: ob for ob in bpy.data.objects}


def test_an_import_sets_the_drive_of_joints(tmp_path):
    objects = imported(tmp_path / "gripper.urdf")
    finger, thumb = (objects[name].sdf_inertia for name in ("finger", "thumb"))
    assert finger.joint_rotor_inertia == pytest.approx(1.25e-05) and finger.joint_gear_ratio == 101.0
    assert (thumb.joint_mimic, thumb.joint_mimic_multiplier, thumb.joint_mimic_offset) == (
        objects["finger"],
        -0.5,
        0.25,
    )
    assert finger.joint_mimic is None


@pytest.mark.parametrize("end", ["urdf", "sdf"])
@pytest.mark.parametrize("name", FILES)
def test_drake_has_the_same_motors_and_followers(name, end, tmp_path):
    pytest.importorskip("pydrake", reason="Drake has no wheel for this Python or numpy")
    imported(tmp_path / name, FILES[name])
    new = export(tmp_path / f"out.{end}").sdf
    assert motors(new) == motors(tmp_path / name) == {"turn": (1.25e-05, 101.0), "slide": (0.0002, 1.0)}
    turn, slide = followed(new)
    assert abs(turn) > 0.1 and slide == pytest.approx(-0.5 * turn + 0.25, abs=1e-3)


def test_a_joint_follows_under_its_new_name(tmp_path):
    objects = imported(tmp_path / "gripper.urdf")
    objects["finger"].sdf_inertia.joint_name = "hinge"
    (slide,) = (one for one in read()[0].joints if one.name == "slide")
    assert slide.mimic == Mimic("hinge", -0.5, 0.25)


def test_a_leader_that_cannot_be_followed_is_a_warning(tmp_path):
    objects = imported(tmp_path / "gripper.urdf")
    assert "no_leader" not in [one.code for one in read()[0].findings]
    for change in (
        {"joint_mimic": objects["palm"]},
        {"joint_mimic": objects["thumb"]},
        {"joint_mimic": objects["finger"]},
    ):
        tag(objects["thumb"], **change)
        tag(objects["finger"], joint_type="FIXED" if change["joint_mimic"] == objects["finger"] else "REVOLUTE")
        model = read()[0]
        assert [one.severity for one in model.findings if one.code == "no_leader"] == ["warning"]
        assert [one.mimic for one in model.joints] == [None, None]


def test_a_ball_joint_has_no_motor(tmp_path):
    objects = imported(tmp_path / "gripper.urdf")
    tag(objects["finger"], joint_type="BALL")
    (turn,) = (one for one in read()[0].joints if one.name == "turn")
    assert (turn.rotor_inertia, turn.gear_ratio) == (0.0, 1.0)


def test_the_dummy_root_is_an_option_of_the_export(tmp_path):
    imported(tmp_path / "gripper.urdf")
    bpy.ops.sdf_inertia.export_sdf(filepath=str(tmp_path / "plain.urdf"))
    bpy.ops.sdf_inertia.export_sdf(filepath=str(tmp_path / "dummy.urdf"), dummy_root=True)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "gripper.blend"))
    run = module("sdf_inertia_addon.export.command").run
    assert run(["--output", str(tmp_path / "out"), "--format", "urdf", "--dummy-root"]) == 0
    plain, dummy = ((tmp_path / f"{name}.urdf").read_text() for name in ("plain", "dummy"))
    assert 'name="palm_root"' in dummy and 'name="palm_root"' not in plain
    assert 'name="palm_root"' in next((tmp_path / "out").glob("*/model.urdf")).read_text()
    assert "--dummy-root" in module("core.cli.batch.blender").FLAGS
    (again,) = robots_of(tmp_path / "dummy.urdf")
    assert [link.name for link in again.model.links] == ["palm", "finger", "thumb"]
