# SPDX-License-Identifier: GPL-3.0-or-later
"""The first click on Link never turns the tab red, whatever was selected; the file is still refused."""

import bpy
import pytest

from ..scenes import add, box_link, box_mesh, empty, export, module, select, tag

pytestmark = pytest.mark.usefixtures("scene")


def nothing_below():
    return add(box_mesh(), "link")


def mesh_with_parts():
    ob = add(box_mesh(), "link")
    add(box_mesh(), "part", ob)
    return ob


def empty_with_parts():
    ob = empty("link")
    add(box_mesh(), "part", ob)
    return ob


def empty_alone():
    return empty("link")


SELECTED = (nothing_below, mesh_with_parts, empty_with_parts, empty_alone)


def alerts():
    """All that the tab would draw in red, with the link active."""
    panels = {
        name: module(f"sdf_inertia_addon.panels.{path}{name}")
        for path, name in (("", "rows"), ("", "texts"), ("", "link"), ("sections.", "findings"))
    }
    active = module("sdf_inertia_addon.panels.active").active_of(bpy.context)
    model = active.model
    remarks = [*panels["texts"].model_remarks(model), *panels["texts"].export_remarks(model.links)]
    if active.link.body.inertial is None:
        remarks.append(panels["link"].without_number(active.link))
    red = [remark.text for remark in remarks if remark.alert or remark.icon == "CANCEL"]
    red += [row.object for row in panels["rows"].rows_of(model).values() if row.severity == "error"]
    return red + [
        severity
        for severity, _ in panels["texts"].counted(panels["findings"].findings_of(active))
        if severity == "error"
    ]


@pytest.mark.parametrize("make", SELECTED)
@pytest.mark.parametrize("beside", [False, True])
def test_the_first_click_does_not_turn_the_tab_red(make, beside):
    if beside:
        box_link("other")
    select(make())
    bpy.ops.sdf_inertia.tag_link(own_collision=True)
    assert alerts() == []


@pytest.mark.parametrize("beside", [False, True])
def test_that_there_is_no_collision_yet_is_reported_once(beside):
    if beside:
        box_link("other")
    select(tag(empty_alone(), "link"))
    active = module("sdf_inertia_addon.panels.active").active_of(bpy.context)
    assert module("sdf_inertia_addon.panels.sections.findings").findings_of(active) == []
    said = module("sdf_inertia_addon.panels.link").without_number(active.link)
    assert "no collision yet" in said.text and ("left out" in said.text) == beside


def test_a_mesh_that_has_no_volume_does():
    tag(add(bpy.data.meshes.new("none"), "link"), "link", "collision")
    select(bpy.data.objects["link"])
    assert len(alerts()) > 2


@pytest.mark.parametrize("make", SELECTED[1:])
def test_what_is_unfinished_is_not_written(make, tmp_path):
    select(make())
    bpy.ops.sdf_inertia.tag_link(own_collision=True)
    result = export(tmp_path)
    assert result.refused and result.sdf is None
