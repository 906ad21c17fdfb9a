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
root, folder, *states = sys.argv[1:]
sys.path.insert(0, root)
import bpy
from tests.blender import panel_states, scenes

scenes.checkout().register()
bpy.ops.wm.read_homefile(use_empty=True)

def show(state):
    getattr(panel_states, state)()
    bpy.context.view_layer.update()
    bpy.context.scene.sdf_inertia_model.compared_format = "urdf"
    bpy.context.scene.sdf_inertia_model.for_pybullet = True
    if state != "nothing":  # its result is drawn
        compared_engines = scenes.module("sdf_inertia_addon.export.compared_engines")
        compared_engines.compare_engines(bpy.context.evaluated_depsgraph_get())
    bpy.context.window_manager.popup_menu(draw)

def drawn(menu):
    area = next(area for area in bpy.context.window.screen.areas if area.type == "VIEW_3D")
    region = next(region for region in area.regions if region.type == "UI")
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

# A copy of this process for each state.
for state in states:
    child = os.fork()
    if child == 0:
        try:
            for number, name in ((1, "out"), (2, "err")):
                os.dup2(os.open(f"{folder}/{state}.{name}", os.O_WRONLY | os.O_CREAT), number)
            show(state)
        finally:
            os._exit(2)
    with open(f"{folder}/{state}.status", "w") as status:
        status.write(str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])))
os._exit(0)
"""

STATE_NAMES = [state.__name__ for state in STATES]


@pytest.fixture(scope="module")
def drawings(tmp_path_factory):
    """Return the folder that holds what each drawing printed, and how it ended."""
    folder = tmp_path_factory.mktemp("drawings")
    subprocess.run(python("-c", DRAW, ROOT, folder, *STATE_NAMES), check=True, timeout=600)
    return folder


@pytest.fixture(scope="module", params=STATE_NAMES)
def drawing(request, drawings):
    """Return the state, and panel and active object of each drawing. How it looks is tests/gui's."""
    out, err, status = ((drawings / f"{request.param}.{name}").read_text() for name in ("out", "err", "status"))
    # A layout that is asked for its size looks for icons, which Blender has only in a window.
    said = [line for line in err.splitlines() if "no icon for icon ID" not in line]
    assert status == "0", err
    # Blender reports an unknown property, operator or icon there, and draws on.
    assert not [line for line in said if "SDF_INERTIA" in line or "rror" in line or "line " in line], err
    lines = [line.split(":") for line in out.splitlines() if line.startswith("drawn:")]
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
def test_every_panel_of_the_sidebar_is_in_the_list():
    there = {name.removeprefix("SDF_INERTIA_PT_") for name in dir(bpy.types) if name.startswith("SDF_INERTIA_PT_")}
    assert set(PANELS) <= there
    sidebar = {name for name in there if getattr(bpy.types, f"SDF_INERTIA_PT_{name}").bl_region_type == "UI"}
    assert sidebar == set(PANELS)
