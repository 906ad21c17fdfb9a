# SPDX-License-Identifier: GPL-3.0-or-later
"""Tagged objects count whatever their selection, eye or render visibility; one not evaluated is an error."""

import bpy
import pytest

from ..scenes import add, box_link, box_mesh, empty, findings, only_link, read, select, tag

pytestmark = pytest.mark.usefixtures("scene")


def in_collection(ob, name="shelf"):
    """Move an object into a collection of its own; return the collection and its place in the view layer."""
    collection = bpy.data.collections.new(name)
    root = bpy.context.scene.collection
    root.children.link(collection)
    collection.objects.link(ob)
    root.objects.unlink(ob)
    return collection, bpy.context.view_layer.layer_collection.children[name]


def doubled():
    """Return a link of two cubes, the second of which only a modifier makes."""
    ob = box_link("ob")
    ob.modifiers.new("array", "ARRAY").count = 2
    return ob


@pytest.mark.fault(55)
def test_selection_does_not_matter():
    ob, other = doubled(), add(box_mesh(), "other")
    for chosen in ([ob], [other], [ob, other], []):
        select(*chosen)
        assert only_link().inertial.mass == pytest.approx(2000)


@pytest.mark.fault(55)
def test_an_object_hidden_by_its_eye_counts_with_its_modifiers():
    ob = doubled()
    assert ob.visible_get()
    ob.hide_set(True)
    assert not ob.visible_get()
    assert only_link().inertial.mass == pytest.approx(2000)
    ob.modifiers["array"].count = 3
    assert only_link().inertial.mass == pytest.approx(3000)


def test_an_object_hidden_by_its_eye_in_the_file_counts(tmp_path):
    ob = doubled()
    ob.hide_set(True)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "hidden.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "hidden.blend"))
    assert bpy.data.objects["ob"].hide_get()
    assert only_link().inertial.mass == pytest.approx(2000)


def test_the_eye_of_a_collection_does_not_matter():
    ob = doubled()
    _collection, layer = in_collection(ob)
    layer.hide_viewport = True
    assert not ob.visible_get()
    assert only_link().inertial.mass == pytest.approx(2000)


def test_render_visibility_does_not_matter():
    ob = doubled()
    collection, _layer = in_collection(ob)
    ob.hide_render = collection.hide_render = True
    assert only_link().inertial.mass == pytest.approx(2000)


def disable_object(ob):
    ob.hide_viewport = True


def disable_collection(ob):
    in_collection(ob)[0].hide_viewport = True


def exclude_collection(ob):
    in_collection(ob)[1].exclude = True


@pytest.mark.fault(55)
@pytest.mark.parametrize("disable", [disable_object, disable_collection, exclude_collection])
@pytest.mark.parametrize("eye", [False, True])
def test_what_blender_does_not_evaluate_is_an_error_that_names_it(disable, eye):
    ob = doubled()
    ob.hide_set(eye)
    assert "not_evaluated" not in findings()
    disable(ob)
    found = findings()["not_evaluated"]
    assert (found.severity, found.subject) == ("error", "ob")
    assert "untag" in found.remedy
    (body,) = read()[1]
    assert body.inertial is None


def test_a_disabled_part_refuses_its_link_and_no_other():
    base = box_link("base")
    part = tag(add(box_mesh(), "part", base), "collision")
    box_link("good")
    part.hide_viewport = True
    assert {body.name: body.refused for body in read()[1]} == {"base": True, "good": False}
    part.sdf_inertia.is_collision = False
    assert {body.name: body.refused for body in read()[1]} == {"base": False, "good": False}


def test_a_disabled_object_stays_refused_if_another_one_needs_it():
    # As the operand of a modifier it is evaluated after all; but the user has switched it off.
    cutter = box_link("cutter")
    boolean = add(box_mesh()).modifiers.new("cut", "BOOLEAN")
    boolean.object = cutter
    cutter.hide_viewport = True
    assert findings()["not_evaluated"].subject == "cutter"


def test_objects_of_another_scene_do_not_count():
    doubled()
    other = bpy.data.scenes.new("other")
    stranger = tag(bpy.data.objects.new("stranger", box_mesh()), "link", "collision")
    other.collection.objects.link(stranger)
    assert [link.name for link in read()[0].links] == ["ob"]


def test_local_view_and_a_hidden_parent_do_not_matter():
    parent = tag(empty(location=(0, 0, 1)), "link")
    tag(add(box_mesh(), parent=parent), "collision")
    parent.hide_set(True)
    assert only_link().pose.p.tolist() == [0, 0, 1]
    assert only_link().inertial.mass == pytest.approx(1000)
