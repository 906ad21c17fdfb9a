# SPDX-License-Identifier: GPL-3.0-or-later
"""Robots in, and out again without a change; what was accepted, back into the file."""

import bpy
import numpy as np
import pytest

from core.cli.main import main

from ..scenes import ROOT, box_link, export, imported, module

pytestmark = pytest.mark.usefixtures("scene")

DATA = ROOT.parent / "shared" / "data" / "models"
MODELS = sorted(path for path in DATA.rglob("*") if path.suffix in (".sdf", ".urdf"))

ARM = """<?xml version="1.0"?>
<robot name="arm">
  <link name="base">
    <inertial><mass value="2.0"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="9"/></inertial>
    <visual name="look"><geometry><box size="0.2 0.2 0.1"/></geometry>
      <material name="red"><color rgba="1 0 0 1"/></material></visual>
    <collision name="hull"><geometry><box size="0.2 0.2 0.1"/></geometry></collision>
  </link>
  <link name="upper">
    <inertial><origin xyz="0 0 0.2"/><mass value="1.5"/>
      <inertia ixx="0.0206" ixy="0" ixz="0" iyy="0.0206" iyz="0" izz="0.0012"/></inertial>
    <collision><origin xyz="0 0 0.2"/><geometry><cylinder radius="0.04" length="0.4"/></geometry></collision>
  </link>
  <link name="tip"/>
  <joint name="shoulder" type="revolute"><origin xyz="0 0 0.05" rpy="0 0.3 0"/><parent link="base"/>
    <child link="upper"/><axis xyz="0 1 0"/><limit lower="-1" upper="2" effort="30" velocity="3"/></joint>
  <joint name="end" type="fixed"><origin xyz="0 0 0.4"/><parent link="upper"/><child link="tip"/></joint>
</robot>
"""


@pytest.fixture
def arm(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(ARM)
    imported(path)
    return path


def robots(path):
    files = module("sdf_inertia_addon.importing.mesh_files").MeshFiles()
    try:
        return module("core.formats.table").robots_of(path, (path.parent,), files.loaders)
    finally:
        files.close()


def exported(folder, **options):
    """Export the scene, with no visuals but its own."""
    return export(folder, draw_collisions=False, **options)


def close(one, other, atol=2e-6):
    np.testing.assert_allclose(one.p, other.p, rtol=0, atol=atol)
    np.testing.assert_allclose(one.R, other.R, rtol=0, atol=atol)


def assert_same(before, after, origin=None):
    """Compare two models by structure: names, kinds, poses, axes, limits; and inertials to 1e-6.

    The frame of the first is at `origin` in that of the second.
    """
    assert [link.name for link in sorted(before.links, key=lambda one: one.name)] == sorted(
        link.name for link in after.links
    )
    there = {link.name: link for link in after.links}
    for link in before.links:
        other = there[link.name]
        close(link.pose if origin is None else origin @ link.pose, other.pose)
        assert link.mode == other.mode
        for kind in ("collisions", "visuals"):
            mine, theirs = ({part.name: part for part in getattr(one, kind)} for one in (link, other))
            assert mine.keys() == theirs.keys(), (link.name, kind)
            for name, part in mine.items():
                assert part.geometry.kind == theirs[name].geometry.kind
                assert getattr(part, "write_as", "") == getattr(theirs[name], "write_as", "")
                assert_same_place(part, theirs[name])
        if link.manual is not None:
            assert other.manual.mass == pytest.approx(link.manual.mass, rel=1e-6)
            np.testing.assert_allclose(other.manual.com, link.manual.com, rtol=1e-6, atol=1e-7)
            scale = 1e-6 * np.abs(link.manual.inertia).max()
            np.testing.assert_allclose(other.manual.inertia, link.manual.inertia, rtol=0, atol=scale)
    joints = {joint.name: joint for joint in after.joints}
    assert {joint.name for joint in before.joints} == joints.keys()
    for joint in before.joints:
        other = joints[joint.name]
        assert (joint.kind, joint.parent, joint.child) == (other.kind, other.parent, other.child)
        close(joint.pose, other.pose)
        if joint.kind not in ("fixed", "ball"):
            units = [np.array(one.axis) / np.linalg.norm(one.axis) for one in (joint, other)]
            np.testing.assert_allclose(units[0], units[1], atol=1e-6)
        for name in ("lower", "upper", "damping", "friction", "effort", "velocity"):
            mine, theirs = getattr(joint, name), getattr(other, name)
            if name in ("effort", "velocity"):
                mine = mine or None  # 0 is taken as no limit, and said so
            assert (mine is None) == (theirs is None) and (mine is None or theirs == pytest.approx(mine, rel=1e-6))
    frames = {frame.name: frame for frame in after.frames}
    assert {frame.name for frame in before.frames} == frames.keys()
    for frame in before.frames:
        assert frame.attached_to == frames[frame.name].attached_to
        close(frame.pose, frames[frame.name].pose)


def assert_same_place(part, other):
    """A mesh may be written about another origin: its corners say where it is."""
    if part.geometry.kind != "mesh":
        close(part.pose, other.pose)
        for mine, theirs in zip(part.geometry.values(), other.geometry.values(), strict=True):
            np.testing.assert_allclose(mine, theirs, rtol=1e-6)
        return
    mine, theirs = corners(part), corners(other)
    np.testing.assert_allclose(mine, theirs, rtol=0, atol=5e-6 * np.ptp(mine, axis=0).max())


def corners(part):
    points = part.geometry.baked.vertices[np.unique(part.geometry.baked.triangles)] @ part.pose.R.T + part.pose.p
    return np.stack([points.min(axis=0), points.max(axis=0)])


@pytest.mark.skipif(not MODELS, reason="there are no shared data")
@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.name)
def test_a_robot_imported_and_exported_is_the_same(path, tmp_path):
    InertiaError = module("core.errors").InertiaError
    try:
        read = robots(path)
    except InertiaError as error:
        with pytest.raises(RuntimeError, match="Error"):
            bpy.ops.sdf_inertia.import_sdf(filepath=str(path))
        assert error.code == "include_not_read"
        return
    imported(path)
    for robot in read:
        result = exported(
            tmp_path / "out.sdf" if len(read) == 1 else tmp_path, collection=bpy.data.collections[robot.model.name]
        )
        if result.sdf is None:
            assert path.name == "inertial_invalid.sdf"
            continue
        (again,) = [one for one in robots(result.sdf) if one.model.links]
        assert_same(robot.model, again.model, robot.pose if len(read) > 1 else None)
        assert robot.model.static == again.model.static or len(read) > 1
        assert main(["diff", str(path), str(result.sdf), "--rtol", "1e-6"]) == 0 or len(read) > 1


def test_links_joints_frames_and_parts_are_objects(arm):
    objects = bpy.data.objects
    base, upper, tip = (objects[name] for name in ("base", "upper", "tip"))
    assert upper.parent == base and tip.parent == upper and tip.sdf_inertia.is_frame
    own = upper.sdf_inertia
    assert (own.joint_type, own.joint_parent, tuple(own.joint_axis)) == ("REVOLUTE", base, (0.0, 1.0, 0.0))
    assert (own.joint_lower, own.joint_upper, own.joint_effort) == (-1.0, 2.0, 30.0)
    assert (objects["hull"].sdf_inertia.geometry, objects["hull"].display_type) == ("BOX", "WIRE")
    assert objects["look"].sdf_inertia.is_visual
    assert tuple(objects["look"].active_material.diffuse_color) == (1.0, 0.0, 0.0, 1.0)
    assert (base.sdf_inertia.inertia, base.sdf_inertia.manual_mass) == ("MANUAL", 2.0)


def test_nothing_of_the_scene_is_changed(tmp_path):
    own = box_link("base")
    bpy.context.view_layer.update()
    before = own.matrix_world.copy(), own.name, set(bpy.data.objects)
    (tmp_path / "arm.urdf").write_text(ARM)
    bpy.ops.sdf_inertia.import_sdf(filepath=str(tmp_path / "arm.urdf"))
    assert (own.matrix_world, own.name) == before[:2]
    other = next(ob for ob in set(bpy.data.objects) - before[2] if ob.sdf_inertia.sdf_name == "base")
    assert other.name == "base.001"


def test_a_robot_may_be_imported_twice(arm, tmp_path):
    imported(arm)
    links = [ob for ob in bpy.data.objects if ob.sdf_inertia.sdf_name == "upper"]
    assert len(links) == 2
    assert {ob.sdf_inertia.joint_parent.users_collection[0] for ob in links} == {ob.users_collection[0] for ob in links}


def test_lengths_are_in_the_scenes_unit(tmp_path):
    bpy.context.scene.unit_settings.scale_length = 0.001
    (tmp_path / "arm.urdf").write_text(ARM)
    imported(tmp_path / "arm.urdf")
    assert bpy.data.objects["upper"].location.z == pytest.approx(50.0)
    assert_same(
        robots(tmp_path / "arm.urdf")[0].model,
        module("sdf_inertia_addon.scene.scene_read").read_model(bpy.context.evaluated_depsgraph_get()),
    )


def test_a_file_that_is_none_changes_nothing(tmp_path):
    (tmp_path / "bad.sdf").write_text("<sdf version='1.9'><model")
    before = set(bpy.data.objects), set(bpy.data.collections)
    with pytest.raises(RuntimeError, match=r"bad\.sdf"):
        bpy.ops.sdf_inertia.import_sdf(filepath=str(tmp_path / "bad.sdf"))
    assert (set(bpy.data.objects), set(bpy.data.collections)) == before


def accept(**options):
    return bpy.ops.sdf_inertia.accept_computed(**options)


def test_what_is_accepted_has_its_published_mass_and_the_computed_tensor(arm):
    assert accept(target="base") == {"FINISHED"}
    base = bpy.data.objects["base"].sdf_inertia
    assert (base.inertia, base.use_mass, base.mass) == ("FILLED", True, 2.0)
    body = module("sdf_inertia_addon.live").link_body(bpy.context.evaluated_depsgraph_get(), bpy.data.objects["base"])
    assert body.inertial.mass == pytest.approx(2.0)
    assert body.inertial.inertia[2, 2] == pytest.approx(2.0 / 12.0 * 2 * 0.2**2, rel=1e-6)
    accept(target="base", accepted=False)
    assert base.inertia == "MANUAL"


def test_write_back_changes_the_accepted_inertial_alone(arm):
    before = arm.read_text()
    accept(target="base")
    assert bpy.ops.sdf_inertia.write_back() == {"FINISHED"}
    after = arm.read_text()
    start, end = before.index("<inertial>"), before.index("</inertial>")
    assert after.startswith(before[:start]) and after.endswith(before[end:])
    (robot,) = robots(arm)
    assert robot.published["base"].mass == pytest.approx(2.0)
    assert robot.published["base"].inertia[2, 2] == pytest.approx(2.0 / 12.0 * 2 * 0.2**2, rel=1e-6)
    bpy.ops.sdf_inertia.write_back()
    assert arm.read_text() == after


def test_write_back_reports_the_hard_links_that_keep_the_old_content(arm, tmp_path, capfd):
    other = tmp_path / "other.urdf"
    other.hardlink_to(arm)
    accept(target="base")
    bpy.ops.sdf_inertia.write_back()
    assert other.read_bytes() != arm.read_bytes()
    assert "It is one of 2 hard links" in capfd.readouterr().out


def test_accept_all_is_for_all_imported_links(arm):
    own = box_link("own", inertia="MANUAL")
    accept()
    assert [bpy.data.objects[name].sdf_inertia.inertia for name in ("base", "upper")] == ["FILLED", "MANUAL"]
    assert own.sdf_inertia.inertia == "MANUAL"


def test_a_file_that_changed_meanwhile_is_not_written(arm):
    accept()
    arm.write_text(ARM + "<!-- another hand -->")
    with pytest.raises(RuntimeError, match="has changed since"):
        bpy.ops.sdf_inertia.write_back()
    assert arm.read_text() == ARM + "<!-- another hand -->"


def test_nothing_accepted_nothing_to_write(arm):
    assert not bpy.ops.sdf_inertia.write_back.poll()


CUBE = '<collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision>'
TWINS = f"""<sdf version="1.11"><world name="w"><model name="r"><link name="a"><inertial><mass>2</mass>
<inertia><ixx>1</ixx><iyy>1</iyy><izz>9</izz></inertia></inertial>{CUBE}</link></model>
<model name="s"><link name="a"><inertial><mass>3</mass></inertial>{CUBE}</link>
<link name="free"><inertial auto="true"/>{CUBE}</link></model></world></sdf>
"""


def test_links_of_one_name_in_two_models_are_each_their_own(tmp_path):
    path = tmp_path / "twins.sdf"
    path.write_text(TWINS)
    bpy.ops.sdf_inertia.import_sdf(filepath=str(path))
    of = {ob.sdf_inertia.source_model: ob for ob in bpy.data.objects if ob.sdf_inertia.sdf_name == "a"}
    accept(target=of["s"].name)
    assert bpy.ops.sdf_inertia.write_back() == {"FINISHED"}
    r, s = robots(path)
    assert (r.published["a"].inertia[2, 2], s.published["a"].inertia[2, 2]) == (9.0, pytest.approx(0.5))
    accept(target=of["r"].name)
    bpy.ops.sdf_inertia.write_back()
    r, s = robots(path)
    assert r.published["a"].inertia[2, 2] == pytest.approx(2.0 / 6.0)
    assert (s.published["a"].mass, s.published["free"]) == (pytest.approx(3.0), None)


def test_an_auto_inertial_of_the_file_is_written_only_once_accepted(tmp_path):
    path = tmp_path / "twins.sdf"
    path.write_text(TWINS)
    bpy.ops.sdf_inertia.import_sdf(filepath=str(path))
    free = bpy.data.objects["free"].sdf_inertia
    assert free.inertia == "AUTO" and not bpy.ops.sdf_inertia.write_back.poll()
    accept(target="free")
    accept(target="free", accepted=False)
    assert free.inertia == "AUTO" and not bpy.ops.sdf_inertia.write_back.poll()
    accept(target="free")
    assert bpy.ops.sdf_inertia.write_back() == {"FINISHED"}
    assert robots(path)[1].published["free"].mass == pytest.approx(1000.0)


def test_a_renamed_object_is_written_under_its_name_in_the_file(arm):
    bpy.data.objects["base"].name = "renamed"
    accept(target="renamed")
    bpy.ops.sdf_inertia.write_back()
    assert robots(arm)[0].published["base"].inertia[2, 2] < 0.1


def test_a_link_that_is_only_seen_is_computed_from_its_visuals(tmp_path):
    text = ARM.replace('<collision name="hull"><geometry><box size="0.2 0.2 0.1"/></geometry></collision>', "")
    (tmp_path / "arm.urdf").write_text(text)
    bpy.ops.sdf_inertia.import_sdf(filepath=str(tmp_path / "arm.urdf"))
    accept(target="base")
    assert bpy.data.objects["look"].sdf_inertia.is_mass
    bpy.ops.sdf_inertia.write_back()
    (robot,) = robots(tmp_path / "arm.urdf")
    assert robot.published["base"].inertia[2, 2] == pytest.approx(2.0 / 12.0 * 2 * 0.2**2, rel=1e-6)
