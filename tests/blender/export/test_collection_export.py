# SPDX-License-Identifier: GPL-3.0-or-later
"""A collection exports its own links as SDFormat: by Blender's collection exporters, or by the operator's option."""

import bpy
import pytest
from lxml import etree

from .. import panel_states
from ..scenes import add, box_link, box_mesh, module, tag

pytestmark = pytest.mark.usefixtures("scene")


def collection(name, *obs):
    made = bpy.data.collections.new(name)
    bpy.context.scene.collection.children.link(made)
    for ob in obs:
        made.objects.link(ob)
        bpy.context.scene.collection.objects.unlink(ob)
    return made


def two_robots():
    """Return a collection "left arm" with one link and its part, and one with a nested collection's link."""
    left = box_link("left", material="Steel")
    outside = tag(add(box_mesh(), "outside", left, location=(2, 0, 0)), "collision")  # in another collection
    right = box_link("right", material="Steel")
    first, second = collection("left arm", left), collection("right_arm")
    second.children.link(collection("nested", right))
    assert outside.users_collection == (bpy.context.scene.collection,)
    return first, second


def links(path):
    model = etree.parse(path).find("model")
    return model.get("name"), {
        link.get("name"): [part.get("name") for part in link.findall("collision")] for link in model.findall("link")
    }


def test_only_links_in_the_collection_are_exported_with_all_their_parts(tmp_path):
    two_robots()
    path = tmp_path / "arm.sdf"
    assert bpy.ops.sdf_inertia.export_sdf(filepath=str(path), collection="left arm") == {"FINISHED"}
    assert links(path) == ("left_arm", {"left": ["left", "outside"]})
    bpy.ops.sdf_inertia.export_sdf(filepath=str(path), collection="right_arm")  # by way of a collection in it
    assert links(path) == ("right_arm", {"right": ["right"]})
    bpy.ops.sdf_inertia.export_sdf(filepath=str(path))
    assert set(links(path)[1]) == {"left", "right"}


def test_what_is_wrong_elsewhere_does_not_hinder(tmp_path):
    two_robots()
    tag(add(box_mesh(), "orphan"), "collision")
    collection("bad", tag(add(bpy.data.meshes.new("none"), "broken"), "link", "collision"))
    path = tmp_path / "arm.sdf"
    with pytest.raises(RuntimeError, match="Nothing was written"):
        bpy.ops.sdf_inertia.export_sdf(filepath=str(path))
    bpy.ops.sdf_inertia.export_sdf(filepath=str(path), collection="left arm")
    assert path.exists()
    with pytest.raises(RuntimeError, match="Nothing was written"):
        bpy.ops.sdf_inertia.export_sdf(filepath=str(path), collection="bad")


def test_an_instanced_link_is_exported_with_the_collection_that_places_it(tmp_path):
    panel_states.instanced()
    collection("axle", *(bpy.data.objects[f"at {index}"] for index in range(2)))
    path = tmp_path / "axle.sdf"
    bpy.ops.sdf_inertia.export_sdf(filepath=str(path), collection="axle")
    assert len(links(path)[1]) == 2


def test_a_collection_without_links_or_that_is_not_there_is_refused(tmp_path):
    two_robots()
    collection("empty")
    for name, why in (("empty", "The collection empty has no link"), ("nobody", "no collection 'nobody'")):
        with pytest.raises(RuntimeError, match=why):
            bpy.ops.sdf_inertia.export_sdf(filepath=str(tmp_path / "x.sdf"), collection=name)
    assert not list(tmp_path.iterdir())


def test_blender_exports_a_collection_by_our_exporter(tmp_path):
    first, _second = two_robots()
    names = module("sdf_inertia_addon.names")
    layer = bpy.context.view_layer.layer_collection.children[first.name]
    bpy.context.view_layer.active_layer_collection = layer
    with bpy.context.temp_override(collection=first):
        assert bpy.ops.collection.exporter_add(name=names.FILE_HANDLER) == {"FINISHED"}
        (exporter,) = first.exporters
        exporter.export_properties.filepath = str(tmp_path / "exported.sdf")
        exporter.export_properties.inertia = "FILLED"
        bpy.ops.collection.exporter_export(index=0)  # says FINISHED whatever happens
    assert links(tmp_path / "exported.sdf") == ("left_arm", {"left": ["left", "outside"]})
    inertial = etree.parse(tmp_path / "exported.sdf").find("model/link/inertial")
    assert inertial.get("auto") is None and float(inertial.find("mass").text) == 2 * 7850.0


def test_blender_knows_our_file_handler():
    handler = getattr(bpy.types, module("sdf_inertia_addon.names").FILE_HANDLER)
    assert (handler.bl_export_operator, handler.bl_file_extensions) == ("sdf_inertia.export_sdf", ".sdf")
    assert not getattr(handler, "bl_import_operator", "")
    assert "PRESET" in bpy.ops.sdf_inertia.export_sdf.bl_options


def test_export_is_disabled_without_any_link_and_says_why(tmp_path):
    add(box_mesh(), "stranger")
    assert not bpy.ops.sdf_inertia.export_sdf.poll()
    with pytest.raises(RuntimeError, match="tag it as a link in the SDF tab"):
        bpy.ops.sdf_inertia.export_sdf(filepath=str(tmp_path / "x.sdf"))


def test_the_dialog_shows_every_option_once():
    operator = bpy.ops.sdf_inertia.export_sdf.get_rna_type()
    sections = module("sdf_inertia_addon.operators.files.export_sdf").SECTIONS
    shown = [name for names in sections.values() for name in names]
    own = {name for name, property in operator.properties.items() if not property.is_hidden}
    assert sorted(shown) == sorted(own - {"rna_type", "filepath", "check_existing"})
