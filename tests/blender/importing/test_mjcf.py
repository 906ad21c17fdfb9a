# SPDX-License-Identifier: GPL-3.0-or-later
"""MJCF in Blender: poses and numbers are MuJoCo's, and what was accepted goes back into the file."""

import re
import sys

import bpy
import numpy as np
import pytest

from tests.mjcf_robot import ROBOT, compiled, inertial_of, lay_out_mjcf, pose_of

from ..scenes import imported, module

pytest.importorskip("mujoco", reason="MuJoCo has no wheel for this Python")
pytestmark = pytest.mark.usefixtures("scene")


@pytest.fixture
def bot(tmp_path):
    path = lay_out_mjcf(tmp_path)
    imported(path)
    return path


def named(name):
    return next(ob for ob in bpy.data.objects if ob.sdf_inertia.sdf_name == name)


def live(name):
    return module("sdf_inertia_addon.live").link_body(bpy.context.evaluated_depsgraph_get(), named(name)).inertial


def assert_mujocos(body, model, name):
    mass, com, tensor = inertial_of(model, name)
    assert body.mass == pytest.approx(mass, rel=1e-6)
    np.testing.assert_allclose(body.com, com, rtol=0, atol=1e-6)
    np.testing.assert_allclose(body.inertia, tensor, rtol=0, atol=1e-6 * tensor.max())


@pytest.mark.parametrize("name", ["base", "arm", "wheel", "camera", "mount", "target"])
def test_bodies_stand_where_mujoco_has_them(bot, name):
    R, p = pose_of(compiled(bot)[1], name)
    M = np.array(named(name).matrix_world, dtype=np.float64)
    np.testing.assert_allclose(M[:3, :3], R, atol=1e-6)
    np.testing.assert_allclose(M[:3, 3], p, atol=1e-6)


@pytest.mark.parametrize("name", ["base", "arm", "wheel", "target"])
def test_the_live_numbers_are_those_of_mujoco(bot, name):
    assert_mujocos(live(name), compiled(bot)[0], name)


def test_inertials_of_the_file_are_by_hand_and_the_others_filled(bot):
    modes = {name: named(name).sdf_inertia.inertia for name in ("base", "arm", "wheel")}
    assert modes == {"base": "FILLED", "arm": "MANUAL", "wheel": "FILLED"}
    assert named("arm").sdf_inertia.manual_mass == 2.0


def test_colours_are_those_of_mujoco(bot):
    assert tuple(named("skin").active_material.diffuse_color) == (1.0, 0.0, 0.0, 1.0)
    assert named("seen").active_material.diffuse_color[0] == 0.5
    assert named("hull").active_material.diffuse_color[2] == pytest.approx(0.3)


def test_write_back_changes_the_inertial_alone(bot):
    bpy.ops.sdf_inertia.accept_computed(target=named("arm").name)
    wanted = live("arm")
    assert bpy.ops.sdf_inertia.write_back() == {"FINISHED"}
    start, end = (re.search(pattern, ROBOT).start() for pattern in (r"<inertial", r'\n +<geom name="rod"'))
    after = bot.read_text()
    assert after != ROBOT and after.startswith(ROBOT[:start]) and after.endswith(ROBOT[end:])
    mass, com, tensor = inertial_of(compiled(bot)[0], "arm")
    assert mass == 2.0
    np.testing.assert_allclose(com, wanted.com, atol=1e-8)
    np.testing.assert_allclose(tensor, wanted.inertia, atol=1e-6 * tensor.max())  # the scene has float32


def test_write_back_adds_an_inertial_to_a_computed_body(bot):
    bpy.ops.sdf_inertia.accept_computed(target=named("base").name)
    model, _ = compiled(bot)
    assert bpy.ops.sdf_inertia.write_back() == {"FINISHED"}
    assert re.sub(r"\s*<inertial [^>]*fullinertia[^>]*>", "", bot.read_text()) == ROBOT
    before, after = (inertial_of(one, "base") for one in (model, compiled(bot)[0]))
    assert after[0] == pytest.approx(before[0], rel=1e-6)
    np.testing.assert_allclose(after[2], before[2], atol=1e-6 * before[2].max())


def test_visuals_keep_their_mass_when_no_longer_accepted(bot):
    before = live("target").mass
    for accepted in (True, False):
        bpy.ops.sdf_inertia.accept_computed(target=named("target").name, accepted=accepted)
        assert named("target").sdf_inertia.inertia == "FILLED"
        assert live("target").mass == before


def test_missing_meshes_are_found_in_the_folder_that_has_them(tmp_path):
    path = lay_out_mjcf(tmp_path)
    (tmp_path / "assets").rename(tmp_path / "elsewhere")
    imported(path)
    assert not any(ob.sdf_inertia.sdf_name == "seen" for ob in bpy.data.objects)
    assert bpy.ops.sdf_inertia.find_meshes(directory=str(tmp_path / "elsewhere")) == {"FINISHED"}
    (tmp_path / "elsewhere").rename(tmp_path / "assets")
    assert_mujocos(live("base"), compiled(path)[0], "base")


def test_exported_to_sdf_drake_has_the_masses_of_mujoco(tmp_path):
    pytest.importorskip("pydrake", reason="Drake has no wheel for this Python or numpy")
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import MultibodyPlant

    path = lay_out_mjcf(tmp_path, re.sub(r' *<joint name="lift"[^>]*>\n', "", ROBOT))
    imported(path)
    model, _ = compiled(path)
    bpy.ops.sdf_inertia.export_sdf(filepath=str(tmp_path / "out.sdf"))
    plant = MultibodyPlant(0.0)
    Parser(plant).AddModels(str(next(tmp_path.rglob("out.sdf"))))
    plant.Finalize()
    for name in ("base", "arm", "wheel", "target"):
        mass = plant.GetBodyByName(name).default_mass()
        assert mass == pytest.approx(inertial_of(model, name)[0], rel=1e-6)


def test_without_mujoco_the_command_for_this_blender_is_reported(tmp_path, monkeypatch):
    path = lay_out_mjcf(tmp_path)
    monkeypatch.setitem(sys.modules, "mujoco", None)  # as Python does if it is not installed
    with pytest.raises(RuntimeError, match=re.escape(f'Run `"{sys.executable}" -m pip install mujoco` in a terminal.')):
        bpy.ops.sdf_inertia.import_sdf(filepath=str(path))
    assert not bpy.data.objects


def test_an_xml_that_is_no_robot_is_refused_in_one_sentence(tmp_path):
    (tmp_path / "other.xml").write_text("<feed/>")
    with pytest.raises(RuntimeError, match="The root is <feed>"):
        bpy.ops.sdf_inertia.import_sdf(filepath=str(tmp_path / "other.xml"))


@pytest.mark.fault(207, 208)
def test_a_hostile_file_ends_with_an_error_and_the_next_is_imported(tmp_path):
    mesh = '<asset><mesh name="t" builtin="supersphere" params="100000 1 1"/></asset>'
    body = '<body><freejoint/><geom type="mesh" mesh="t"/></body>'
    (tmp_path / "endless.xml").write_text(f"<mujoco>{mesh}<worldbody>{body}</worldbody></mujoco>")
    many = '<replicate count="100000000"><body><geom size=".1"/></body></replicate>'
    (tmp_path / "many.xml").write_text(f"<mujoco><worldbody>{many}</worldbody></mujoco>")
    for name in ("endless.xml", "many.xml"):
        with pytest.raises(RuntimeError, match="MuJoCo"):
            bpy.ops.sdf_inertia.import_sdf(filepath=str(tmp_path / name))
        assert not bpy.data.objects
    bpy.ops.sdf_inertia.import_sdf(filepath=str(lay_out_mjcf(tmp_path)))
    assert bpy.data.objects
