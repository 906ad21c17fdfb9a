# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of a file that Blender cannot have: twice, with spaces, too long; kept as long as nobody renames the object."""

import bpy
import pytest
from lxml import etree

from core.cli.main import main

from ..scenes import add, box_link, box_mesh, export, imported
from .test_import import assert_same, exported, robots

pytestmark = pytest.mark.usefixtures("scene")

LONG = "a_very_long_name_of_a_link_that_says_where_it_is_and_what_it_does_there"

PAIR = f"""<sdf version="1.11"><model name="a pair"><link name="{LONG}">
<inertial auto="true"><density>500</density></inertial>
<collision name="body"><geometry><box><size>1 1 1</size></box></geometry></collision>
<visual name="body"><geometry><box><size>1 1 1</size></box></geometry></visual></link>
<link name="b.001"><pose>2 0 0 0 0 0</pose>
<inertial><mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>9</izz></inertia>
</inertial><collision name="body"><geometry><box><size>1 1 1</size></box></geometry></collision>
<collision name="the box"><geometry><box><size>1 1 1</size></box></geometry></collision></link>
<link name="c"><pose>2 0 1 0 0 0</pose>
<inertial><mass>3</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia>
</inertial></link>
<frame name="tool tip" attached_to="c"/>
<joint name="j 1" type="fixed"><parent>{LONG}</parent><child>b.001</child></joint>
<joint name="second" type="revolute"><parent>b.001</parent><child>c</child><axis><xyz>0 0 1</xyz></axis></joint>
<joint name="loop" type="ball"><parent>{LONG}</parent><child>c</child></joint></model></sdf>"""


@pytest.fixture
def pair(tmp_path):
    path = tmp_path / "pair.sdf"
    path.write_text(PAIR.replace("<izz>9</izz>", "<izz>1</izz>"))  # what no body can have is not exported
    return path


def link(name):
    return next(ob for ob in bpy.data.objects if ob.sdf_inertia.is_link and ob.sdf_inertia.sdf_name == name)


def test_what_is_imported_comes_out_with_its_names(pair, tmp_path):
    imported(pair)
    result = exported(tmp_path / "out.sdf")
    (before,), (after,) = robots(pair), robots(result.sdf)
    assert after.model.name == "a pair"
    assert_same(before.model, after.model)
    assert main(["diff", str(pair), str(result.sdf), "--rtol", "1e-6"]) == 0


def test_imported_twice_each_collection_comes_out_with_its_names(pair, tmp_path):
    imported(pair)
    imported(pair)
    first, second = bpy.context.scene.collection.children
    assert {ob.name for ob in first.objects}.isdisjoint({ob.name for ob in second.objects})
    for collection in (first, second):
        result = exported(tmp_path / "out.sdf", collection=collection)
        assert_same(robots(pair)[0].model, robots(result.sdf)[0].model)
        assert main(["diff", str(pair), str(result.sdf), "--rtol", "1e-6"]) == 0


def test_a_name_of_the_scenes_own_is_no_obstacle(pair, tmp_path):
    add(box_mesh(), "b")
    box_link("c")
    imported(pair)
    collection = bpy.context.scene.collection.children["a pair"]
    result = exported(tmp_path / "out.sdf", collection=collection)
    assert_same(robots(pair)[0].model, robots(result.sdf)[0].model)


def test_what_the_user_renames_comes_out_renamed(pair, tmp_path):
    imported(pair)
    link("c").name = "hand"
    bpy.data.objects["the box"].name = "crate"
    (after,) = robots(exported(tmp_path / "out.sdf").sdf)
    assert {one.name for one in after.model.links} == {LONG, "b.001", "hand"}
    assert {one.name for one in next(o for o in after.model.links if o.name == "b.001").collisions} == {"body", "crate"}
    assert {joint.name: (joint.parent, joint.child) for joint in after.model.joints} == {
        "j 1": (LONG, "b.001"),
        "second": ("b.001", "hand"),
        "loop": (LONG, "hand"),
    }


NAMESAKES = """<robot name="dog"><link name="base"/>
<link name="trunk">
<inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
</link>
<link name="LF_roll"><inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
</link>
<link name="LF_knee"><inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
</link>
<link name="foot"/><joint name="mount" type="fixed"><parent link="base"/><child link="trunk"/></joint>
<joint name="LF_roll" type="continuous"><parent link="trunk"/><child link="LF_roll"/></joint>
<joint name="LF_knee" type="continuous"><parent link="LF_roll"/><child link="LF_knee"/></joint>
<joint name="LF_knee_to_foot" type="fixed"><parent link="LF_knee"/><child link="foot"/></joint></robot>"""
"""As in ANYmal, where joints have the names of links, and bare links are held by joints with names of their own."""


@pytest.mark.fault(217)
@pytest.mark.parametrize("suffix, path", [("urdf", "joint"), ("xml", "worldbody//joint"), ("sdf", "model/joint")])
def test_only_sdf_renames_the_joints_of_a_robot_and_says_so_once(suffix, path, tmp_path):
    (tmp_path / "dog.urdf").write_text(NAMESAKES)
    imported(tmp_path / "dog.urdf")
    assert {ob.sdf_inertia.joint_name for ob in bpy.data.objects} >= {"LF_roll", "LF_knee"}
    result = export(tmp_path / "out" / f"model.{suffix}")
    names = sorted(joint.get("name") for joint in etree.parse(result.sdf).findall(path))
    renamed = [finding.message for finding in result.findings if finding.code == "renamed"]
    if suffix == "sdf":
        assert names == ["LF_knee_2", "LF_roll_2"]
        (message,) = renamed
        assert "2 joints renamed" in message and message.endswith("LF_roll is now LF_roll_2, LF_knee is now LF_knee_2")
    else:
        fixed = ["LF_knee_to_foot", "mount"] if suffix == "urdf" else []
        assert (names, renamed) == (sorted(["LF_roll", "LF_knee", *fixed]), [])


def test_names_survive_saving_and_loading(pair, tmp_path):
    imported(pair)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "saved.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "saved.blend"))
    (after,) = robots(exported(tmp_path / "out.sdf").sdf)
    assert_same(robots(pair)[0].model, after.model)


def test_a_copy_of_a_link_has_a_name_of_its_own(pair, tmp_path):
    imported(pair)
    copy = link("b.001").copy()
    bpy.context.scene.collection.objects.link(copy)
    copy.sdf_inertia.joint_type = "NONE"
    bpy.context.view_layer.update()
    after = robots(exported(tmp_path / "out.sdf").sdf)[0].model
    assert {one.name for one in after.links} == {LONG, "b.001", "b.001_2", "c"}


@pytest.mark.parametrize("inertia, joints", [("MANUAL", True)])
def test_undo_takes_the_whole_robot_back(pair, inertia, joints):
    mine = add(box_mesh(), "mine")
    mine.select_set(True)
    bpy.ops.ed.undo_push(message="before")
    imported(pair)
    bpy.ops.ed.undo_push(message="Import Robot")
    assert link("c").sdf_inertia.inertia == inertia and ("loop" in bpy.data.objects) == joints
    bpy.ops.ed.undo()
    assert [ob.name for ob in bpy.data.objects] == ["mine"]
    assert not bpy.data.collections
    assert "UNDO" in bpy.types.SDF_INERTIA_OT_import_sdf.bl_options
