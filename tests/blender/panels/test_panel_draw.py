# SPDX-License-Identifier: GPL-3.0-or-later
"""Every panel draws in every state, whatever is active, into a real layout, and says nothing in the console."""

import subprocess

import bpy
import pytest

from ..panel_states import STATES
from ..scenes import ROOT, python

PANELS = ("model", "tags", "link", "joints", "published", "engines")

DRAW = """
import os, sys, traceback
sys.path.insert(0, sys.argv[1])
import bpy
from tests.blender import panel_states, scenes

scenes.checkout().register()
bpy.ops.wm.read_homefile(use_empty=True)
getattr(panel_states, sys.argv[2])()
bpy.context.view_layer.update()
bpy.context.scene.sdf_inertia_model.compared_format = "urdf"
bpy.context.scene.sdf_inertia_model.for_pybullet = True
if sys.argv[2] != "nothing":  # what came of it is drawn
    scenes.module("sdf_inertia_addon.export.compared_engines").compare_engines(bpy.context.evaluated_depsgraph_get())
area = next(area for area in bpy.context.window.screen.areas if area.type == "VIEW_3D")
region = next(region for region in area.regions if region.type == "UI")
def drawn(menu):
    link = scenes.module("sdf_inertia_addon.panels.link")
    active_of = scenes.module("sdf_inertia_addon.panels.active").active_of
    for ob in [None, *bpy.context.view_layer.objects]:
        bpy.context.view_layer.objects.active = ob
        with bpy.context.temp_override(area=area, region=region):
            context = bpy.context
            for name in ("model", "tags"):
                panel = getattr(bpy.types, f"SDF_INERTIA_PT_{name}")
                for method in ("draw_header_preset", "draw"):
                    getattr(panel, method, lambda *_: None)(menu, context)
                print("drawn", name, ob and ob.name, sep=":")
            for name in ("published", "joints", "engines"):
                panel = getattr(bpy.types, f"SDF_INERTIA_PT_{name}")
                if panel.poll(context):
                    panel.draw(menu, context)
                    print("drawn", name, ob and ob.name, sep=":")
            if bpy.types.SDF_INERTIA_PT_link.poll(context):
                active = active_of(context)
                link.draw_brief(context, menu.layout, active)
                print("drawn", "link", ob and ob.name, sep=":")
                for section in link.SECTIONS:  # which fold only in a panel of a window
                    if section.shown(active):
                        section.draw_header(context, menu.layout, active)
                        section.draw(context, menu.layout, active)
                        print("drawn", section.label.lower(), ob and ob.name, sep=":")

def draw(menu, context):
    status = 0
    try:
        drawn(menu)
        sys.stdout.flush()
    except BaseException:
        traceback.print_exc()
        status = 1
    sys.stderr.flush()
    os._exit(status)  # the wheel cannot open the menu that this layout is for

try:
    bpy.context.window_manager.popup_menu(draw)
finally:
    os._exit(2)
"""


@pytest.fixture(scope="module", params=[state.__name__ for state in STATES])
def drawing(request):
    """Return the state, and panel and active object of each drawing. How it looks is tests/gui's."""
    command = python("-c", DRAW, ROOT, request.param)
    run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    # A layout that is asked for its size looks for icons, which Blender has only in a window.
    said = [line for line in run.stderr.splitlines() if "no icon for icon ID" not in line]
    assert run.returncode == 0, run.stderr
    # Blender reports an unknown property, operator or icon there, and draws on.
    assert not [line for line in said if "SDF_INERTIA" in line or "rror" in line or "line " in line], run.stderr
    lines = [line.split(":") for line in run.stdout.splitlines() if line.startswith("drawn:")]
    return request.param, {(panel, ob) for _, panel, ob in lines}


def test_the_panels_draw_whatever_is_active(drawing):
    state, drawn = drawing
    panels = {panel for panel, _ob in drawn}
    assert {"model", "tags"} <= panels
    assert ("model", "None") in drawn
    if state in ("nothing", "untagged"):
        assert panels == {"model", "tags"}  # an empty scene has no clutter
    else:
        assert {"link", "density", "method"} <= panels


def test_joints_have_sliders_where_any_moves(drawing):
    state, drawn = drawing
    assert (("joints", "arm") in drawn) == (state == "robot")


def test_a_joint_with_one_axis_has_a_drive(drawing):
    state, drawn = drawing
    assert (("drive", "arm") in drawn) == (state == "robot")
    assert ("drive", "base") not in drawn


def test_findings_stand_where_there_are_any(drawing):
    state, drawn = drawing
    found = {ob for panel, ob in drawn if panel == "findings"}
    expected = {
        "robot": {"base", "part"},
        "by_hand": {"impossible"},
        "faulty": {"open_box", "open_box link", "sheet", "overlap", "one_face_turned"},
        "auto": {"shell", "coarse", "half"},
        "incomplete": {"no faces", "line"},
    }
    assert expected.get(state, set()) <= found
    assert "stranger" not in found and "None" not in found


@pytest.mark.usefixtures("addon")
@pytest.mark.parametrize("name", PANELS)
def test_the_panels_are_in_the_sdf_tab_of_the_sidebar(name):
    panel = getattr(bpy.types, f"SDF_INERTIA_PT_{name}")
    assert (panel.bl_category, panel.bl_space_type, panel.bl_region_type) == ("SDF", "VIEW_3D", "UI")


@pytest.mark.usefixtures("addon")
def test_all_panels_are_looked_at():
    there = {name.removeprefix("SDF_INERTIA_PT_") for name in dir(bpy.types) if name.startswith("SDF_INERTIA_PT_")}
    assert set(PANELS) <= there
    sidebar = {name for name in there if getattr(bpy.types, f"SDF_INERTIA_PT_{name}").bl_region_type == "UI"}
    assert sidebar == set(PANELS)
