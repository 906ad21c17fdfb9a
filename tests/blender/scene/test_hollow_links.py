# SPDX-License-Identifier: GPL-3.0-or-later
"""A link that holds nothing, such as a tool's frame, is left out with a warning and does not block the export."""

import bpy
import pytest
from lxml import etree

from ..scenes import add, box_link, box_mesh, empty, export, live_model, module, read, select, tag

pytestmark = pytest.mark.usefixtures("scene")


def robot():
    base = box_link("base", use_density=True)
    return base, tag(empty("tool", base), "link")


def findings_of(name="tool"):
    _model, bodies = read()
    (body,) = [body for body in bodies if body.name == name]
    return [(finding.code, finding.severity) for finding in body.all_findings()]


def test_it_is_left_out_of_the_file_with_a_warning(tmp_path):
    robot()
    assert findings_of() == [("no_collision", "warning")]
    result = export(tmp_path)
    assert not result.refused
    assert [link.get("name") for link in etree.parse(result.sdf).iter("link")] == ["base"]
    assert [finding.subject for finding in result.findings if finding.code == "no_collision"] == ["tool"]
    assert "left out" in next(str(finding) for finding in result.findings if finding.code == "no_collision")


def test_the_operator_says_what_it_wrote(tmp_path, capfd):
    robot()
    assert bpy.ops.sdf_inertia.export_sdf(filepath=str(tmp_path)) == {"FINISHED"}
    out = capfd.readouterr().out
    assert "Wrote 1 of 2 links" in out and "tool: No collision. It is a link without any part" in out


def test_one_link_alone_does_not_move_freely_beside_it():
    robot()
    assert "free_links" not in [finding.code for finding in read()[0].findings]


@pytest.mark.parametrize("holds", ["mesh", "visual", "link", "instances", "own mesh"])
def test_a_link_that_holds_something_is_still_refused(holds):
    _base, tool = robot()
    if holds == "mesh":
        add(box_mesh(), "forgotten", empty("group", tool))
    elif holds == "visual":
        tag(add(box_mesh(), "seen", tool), "visual")
    elif holds == "link":
        box_link("finger", tool)
    elif holds == "instances":
        tool.instance_type, tool.instance_collection = "COLLECTION", bpy.data.collections.new("parts")
    else:
        bpy.data.objects.remove(tool)
        tag(add(box_mesh(), "tool"), "link")
    assert ("no_collision", "error") in findings_of()


def test_a_lamp_or_an_empty_below_it_is_nothing():
    _base, tool = robot()
    add(bpy.data.lights.new("lamp", "POINT"), "lamp", empty("group", tool))
    assert findings_of() == [("no_collision", "warning")]


def test_where_no_link_holds_anything_there_is_no_model(tmp_path):
    tag(empty("tool"), "link")
    assert findings_of() == [("no_collision", "error")]
    with pytest.raises(RuntimeError, match="Nothing was written"):
        bpy.ops.sdf_inertia.export_sdf(filepath=str(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_an_inertia_entered_by_hand_is_something(tmp_path):
    _base, tool = robot()
    tag(tool, inertia="MANUAL")
    assert findings_of() == []
    assert len(list(etree.parse(export(tmp_path).sdf).iter("link"))) == 2


def test_the_panel_says_so_and_follows_what_is_done_about_it():
    base, tool = robot()
    texts = module("sdf_inertia_addon.panels.texts")
    units = module("sdf_inertia_addon.preferences").units()
    shown = texts.export_remarks(live_model().links)
    assert [remark.alert for remark in shown] == [False, False]
    assert "tool" in shown[1].text and "1 link" in shown[0].text
    assert texts.model_total(live_model(), units) == "1.000 t" or "1000" in texts.model_total(live_model(), units)
    tag(tool, inertia="MANUAL", manual_mass=1.0)
    assert [remark.text for remark in texts.export_remarks(live_model().links)][1:] == [
        "1 link cannot be seen: tool. Tag a visual"
    ]
    tool.sdf_inertia.inertia = "AUTO"
    assert live_model().links[1].left_out
    add(box_mesh(), "forgotten", tool)
    bpy.context.view_layer.update()
    assert not live_model().links[1].left_out
    bpy.data.objects["forgotten"].parent = base
    bpy.context.view_layer.update()
    assert live_model().links[1].left_out


def test_a_collections_exporter_leaves_it_out_too(tmp_path):
    base, tool = robot()
    collection = bpy.data.collections.new("arm")
    collection.objects.link(base)
    collection.objects.link(tool)
    bpy.ops.sdf_inertia.export_sdf(filepath=str(tmp_path / "arm.sdf"), collection="arm")
    assert [link.get("name") for link in etree.parse(tmp_path / "arm.sdf").iter("link")] == ["base"]
    select(tool)
