# SPDX-License-Identifier: GPL-3.0-or-later
"""How the links of a scene are followed: nothing is done twice, and nothing is missed. More in tests/blender/life."""

import bmesh
import bpy
import numpy as np
import pytest

from ..scenes import add, assert_same, box_inertial, box_mesh, empty, live_model, module, tag, wedge_mesh

pytestmark = pytest.mark.usefixtures("scene")


def depsgraph():
    return bpy.context.evaluated_depsgraph_get()


def links():
    return {link.body.name: link for link in live_model().links}


def numbers(link):
    inertial = link.body.inertial
    return inertial.mass, inertial.com, inertial.inertia


def two_boxes():
    """Two links that carry a box of 2 x 3 x 4 m each, side by side below one parent."""
    frame = empty("frame")
    for name, x in (("left", -5.0), ("right", 5.0)):
        link = tag(empty(name, frame, location=(x, 0, 0)), "link", use_density=True, density=500)
        tag(add(box_mesh((2, 3, 4)), f"{name} box", link, location=(0, 0, 1)), "collision")
    return frame


BOX = box_inertial((2, 3, 4), 500, (0, 0, 1))


def test_while_nothing_changes_the_very_same_model_comes_back():
    two_boxes()
    first = live_model()
    assert len(first.links) == 2
    assert live_model() is first


def test_selecting_changes_nothing():
    frame = two_boxes()
    first = live_model()
    bpy.context.view_layer.objects.active = frame
    frame.select_set(True)
    assert live_model() is first


def test_a_moved_frame_carries_its_links_and_leaves_their_numbers():
    frame = two_boxes()
    before = links()
    frame.location, frame.rotation_euler = (1, 2, 3), (0, 0, np.pi / 2)
    after = links()
    for name, y in (("left", -5.0), ("right", 5.0)):
        assert after[name].body.inertial is before[name].body.inertial
        assert_same(numbers(after[name]), BOX, 1e-6)
        assert after[name].body.pose.p == pytest.approx([1, 2 + y, 3], abs=1e-5)
        assert pytest.approx(np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]]), abs=1e-6) == after[name].body.pose.R


def test_a_moved_part_changes_its_own_link_and_no_other():
    two_boxes()
    before = links()
    bpy.data.objects["left box"].location.z = 7
    after = links()
    assert after["right"] is before["right"]
    assert_same(numbers(after["left"]), box_inertial((2, 3, 4), 500, (0, 0, 7)), 1e-6)


def test_an_edited_mesh_changes_the_links_that_use_it_and_no_other():
    two_boxes()
    before = links()
    mesh = bpy.data.objects["left box"].data
    mesh.transform(np.diag([2.0, 1.0, 1.0, 1.0]))
    mesh.update()
    after = links()
    assert after["right"] is before["right"]
    assert_same(numbers(after["left"]), box_inertial((4, 3, 4), 500, (0, 0, 1)), 1e-6)


def test_a_density_changes_its_own_link_and_measures_nothing_again():
    two_boxes()
    before = links()
    surface = module("sdf_inertia_addon.scene.evaluated.evaluated_mesh").surface_of
    box = bpy.data.objects["left box"]
    first = surface(box.evaluated_get(depsgraph()))
    bpy.data.objects["left"].sdf_inertia.density = 1000
    box.sdf_inertia.use_density = False  # Blender evaluates the object again for it
    after = links()
    assert after["right"] is before["right"]
    assert after["left"].body.inertial.mass == pytest.approx(24000)
    assert surface(box.evaluated_get(depsgraph())) is first


def test_a_scaled_link_scales_its_parts():
    two_boxes()
    live_model()
    bpy.data.objects["left"].scale = (2, 1, 1)
    assert_same(numbers(links()["left"]), box_inertial((4, 3, 4), 500, (0, 0, 1)), 1e-6)


def test_a_part_moving_by_less_than_rounding_does_not_drift():
    two_boxes()
    left, box = bpy.data.objects["left"], bpy.data.objects["left box"]
    for _ in range(2000):
        left.location.x += 0.01
        box.location.z += 1e-6
        live_model()
    assert box.location.z == pytest.approx(1.002, abs=1e-4)
    assert links()["left"].body.inertial.com[2] == pytest.approx(box.location.z, abs=1e-4)


def test_a_link_in_edit_mode_is_followed_with_and_without_modifiers():
    ob = tag(add(box_mesh((2, 2, 2)), "box"), "link", "collision", use_density=True, density=1)
    assert links()["box"].body.inertial.mass == pytest.approx(8)
    for factor in (1, 2):
        bpy.context.view_layer.objects.active = ob
        bpy.ops.object.mode_set(mode="EDIT")
        for height in (3.0, 4.0):
            mesh = bmesh.from_edit_mesh(ob.data)
            for vertex in mesh.verts:
                if vertex.co.z > 0:
                    vertex.co.z = height - 1.0
            bmesh.update_edit_mesh(ob.data)
            assert links()["box"].body.inertial.mass == pytest.approx(4 * height * factor)
        bpy.ops.object.mode_set(mode="OBJECT")
        array = ob.modifiers.new("array", "ARRAY")
        array.relative_offset_displace = (1.5, 0, 0)


def test_a_driven_density_is_followed_though_nothing_announces_it():
    frame = two_boxes()
    left = bpy.data.objects["left"]
    driver = left.driver_add("sdf_inertia.density").driver
    variable = driver.variables.new()
    variable.type = "TRANSFORMS"
    variable.targets[0].id = frame
    variable.targets[0].transform_type = "LOC_X"
    driver.expression = "100 * var"
    for x in (1.0, 2.0, 3.0):
        frame.location.x = x
        assert links()["left"].body.inertial.mass == pytest.approx(24 * 100 * x)


def test_an_object_that_is_renamed_and_moved_at_once_has_its_new_name():
    two_boxes()
    live_model()
    left = bpy.data.objects["left"]
    left.name, left.location.x = "first", 3.0
    assert list(links()) == ["first", "right"]
    assert links()["first"].body.pose.p[0] == 3.0


def test_the_frame_of_an_animation_is_followed():
    two_boxes()
    left = bpy.data.objects["left"]
    left.location.x = 0
    left.keyframe_insert("location", frame=1)
    left.location.x = 10
    left.keyframe_insert("location", frame=11)
    for frame in (1, 11):
        bpy.context.scene.frame_set(frame)
        assert links()["left"].body.pose.p[0] == pytest.approx(frame - 1)


def test_another_scene_and_view_layer_have_links_of_their_own():
    two_boxes()
    first = live_model()
    other = bpy.data.scenes.new("other")
    ob = tag(bpy.data.objects.new("alone", wedge_mesh()), "link", "collision")
    other.collection.objects.link(ob)
    live = module("sdf_inertia_addon.live")
    there = live.model(depsgraph_of(other))
    assert [link.body.name for link in there.links] == ["alone"]
    for model in (live_model(), first):
        assert [link.body.name for link in model.links] == ["left", "right"]


def depsgraph_of(scene):
    with bpy.context.temp_override(scene=scene, view_layer=scene.view_layers[0]):
        return bpy.context.evaluated_depsgraph_get()


def test_scenes_that_are_gone_are_forgotten():
    live = module("sdf_inertia_addon.live")
    for number in range(3 * live.SCENES):
        live.model(depsgraph_of(bpy.data.scenes.new(f"scene {number}")))
    assert len(live._followers) == live.SCENES


def test_the_link_of_a_part_is_found_and_that_of_a_stranger_is_not():
    two_boxes()
    stranger = add(box_mesh(), "stranger")
    assert live_model().link_of(bpy.data.objects["left box"]).body.name == "left"
    assert live_model().link_of(stranger) is None


def test_the_findings_of_the_model_are_there():
    tag(add(box_mesh(), "lost"), "collision")
    assert [(finding.code, finding.subject) for finding in live_model().findings] == [("no_link", "lost")]


def test_an_unchanged_scene_is_not_read_even_if_blender_evaluates_it(monkeypatch):
    frame = two_boxes()
    live_model()
    scene_read = module("sdf_inertia_addon.scene.scene_read")
    read = []
    monkeypatch.setattr(scene_read, "read_scene_links", lambda *_: read.append("all"))
    monkeypatch.setattr(scene_read, "read_again", lambda *_: read.append("one"))
    for x in range(5):
        frame.location.x = x
        live_model()
    frame.update_tag()
    live_model()
    assert read == []


def test_findings_of_the_model_use_the_name_it_is_saved_under(tmp_path):
    def about_free_links():
        return [finding.subject for finding in live_model().findings if finding.code == "free_links"]

    two_boxes()
    tag(bpy.data.objects["left"], joint_type="FIXED", joint_world=True)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "first.blend"))
    assert about_free_links() == ["first"]
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "second.blend"))
    assert about_free_links() == ["second"]
    before = live_model()
    bpy.ops.wm.save_mainfile()
    assert live_model() is before
