# SPDX-License-Identifier: GPL-3.0-or-later
"""Registering and unregistering leave no trace, however often, and say nothing."""

import json
import subprocess

import bpy
import pytest

from ...thorough import THOROUGH
from ..scenes import HEADLESS, ROOT, python

CLASSES = {
    "SDF_INERTIA_OT_tag_link",
    "SDF_INERTIA_OT_tag_collision",
    "SDF_INERTIA_OT_tag_mass",
    "SDF_INERTIA_OT_tag_visual",
    "SDF_INERTIA_OT_untag",
    "SDF_INERTIA_OT_export_sdf",
    "SDF_INERTIA_OT_copy_inertial",
    "SDF_INERTIA_OT_paste_inertial",
    "SDF_INERTIA_OT_select_faulty",
    "SDF_INERTIA_OT_select_object",
    "SDF_INERTIA_OT_write_filled",
    "SDF_INERTIA_OT_use_exact",
    "SDF_INERTIA_FH_sdf",
    "SDF_INERTIA_UL_imported",
    "SDF_INERTIA_UL_rows",
    "SDF_INERTIA_PT_model",
    "SDF_INERTIA_PT_tags",
    "SDF_INERTIA_PT_link",
}

GIZMOS = {
    "SDF_INERTIA_GT_center",
    "SDF_INERTIA_GT_joint",
    "SDF_INERTIA_GT_manual_center",
    "SDF_INERTIA_GT_mass",
    "SDF_INERTIA_GGT_centers",
}

# A process of its own: the modules of the session's add-on are not to be dropped under other tests.
COUNT = """
import json, sys
sys.path.insert(0, sys.argv[1])
import bpy
from tests.blender import scenes
from tests.blender.traces import trace

package = scenes.checkout()
traces = {"before": trace()}
for i in range(int(sys.argv[2])):
    package.register()
    if i in (0, int(sys.argv[2]) - 1):
        traces[f"registered {i}"] = trace()
    package.unregister()
    if i == 0:
        traces["once"] = trace()
traces["after"] = trace()
print("TRACES" + json.dumps(traces))
"""

# Switched off while another thread computes for us, a timer waits for it, and a handler has seen changes.
PENDING = """
import sys, threading, time
sys.path.insert(0, sys.argv[1])
import bpy
from tests.blender import scenes
from tests.blender.live import watched
from tests.blender.traces import handlers

package = scenes.checkout()
before = handlers()
for i in range(int(sys.argv[2])):
    package.register()
    jobs = scenes.module("sdf_inertia_addon.live.jobs")
    resolver = scenes.module("sdf_inertia_addon.live.resolver")
    live = scenes.module("sdf_inertia_addon.live")
    jobs.use_thread(True)
    resolver.BUDGET = 0.0
    if i == 0:
        bpy.ops.wm.read_homefile(use_empty=True)
        mesh = watched.ball(60)
    ob = scenes.tag(scenes.add(mesh, "ball"), "link", "collision", method="SHELL", thickness=0.001)
    (link,) = live.model(bpy.context.evaluated_depsgraph_get()).links
    assert link.stale and jobs.status() is not None and bpy.app.timers.is_registered(jobs._tick)
    assert handlers() != before
    tick = jobs._tick
    package.unregister()
    assert not bpy.app.timers.is_registered(tick)
    assert handlers() == before
    bpy.data.objects.remove(ob)
end = time.monotonic() + 60
while any(thread.name == "SDF Inertia" for thread in threading.enumerate()):
    assert time.monotonic() < end
    time.sleep(0.01)
print("SWITCHED OFF", i + 1)
"""

TIMES, PENDING_TIMES = (100, 20) if THOROUGH else (10, 3)


@pytest.fixture(scope="module")
def run():
    run = subprocess.run(python("-c", COUNT, ROOT, TIMES), capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    return run


@pytest.fixture(scope="module")
def traces(run):
    (line,) = [line for line in run.stdout.splitlines() if line.startswith("TRACES")]
    return json.loads(line.removeprefix("TRACES"))


def test_the_classes_are_registered_under_their_names(traces):
    assert traces["before"]["names"] == []
    assert set(traces["registered 0"]["names"]) >= CLASSES
    assert set(traces["registered 0"]["operators"]) >= {
        "tag_link",
        "tag_collision",
        "tag_mass",
        "tag_visual",
        "untag",
        "export_sdf",
    }
    assert traces["registered 0"]["property"] and traces["registered 0"]["group"]
    assert traces["registered 0"]["menu"] > traces["before"]["menu"]


@pytest.mark.fault(70, 71)
def test_unregistering_leaves_everything_as_it_was(traces):
    assert traces["registered 0"] != traces["before"]
    # bpy.ops lists a name for as long as an operator of the kind is known, so it too must be empty again.
    for key in ("names", "classes", "group", "handlers", "property", "operators", "modules"):
        assert traces["after"][key] == traces["before"][key], key
    # The first append to a menu makes a list of its draw functions, which holds Blender's own as well.
    assert traces["after"]["menu"] == traces["once"]["menu"] <= traces["registered 0"]["menu"] - 1


def test_gizmos_and_their_groups_come_and_go(traces):
    assert traces["before"]["gizmos"] == traces["after"]["gizmos"] == []
    assert traces["registered 0"]["gizmos"] == sorted(GIZMOS)


@pytest.mark.fault(70, 71)
def test_doing_it_often_is_as_doing_it_once(traces):
    assert traces[f"registered {TIMES - 1}"] == traces["registered 0"]
    assert traces["after"] == traces["once"]


@pytest.mark.fault(71)
def test_it_can_be_switched_off_while_something_is_computed():
    run = subprocess.run(python("-c", PENDING, ROOT, PENDING_TIMES), capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    assert f"SWITCHED OFF {PENDING_TIMES}" in run.stdout
    assert "Traceback" not in run.stderr


@pytest.mark.fault(71)
def test_nothing_is_reported_meanwhile(run):
    # Blender's own remark on starting in a chroot without /etc/mtab is not about us.
    said = run.stderr.replace("could not get a list of mounted file-systems\n", "")
    assert said == ""


def test_a_bpy_process_that_does_nothing_exits_cleanly():
    run = subprocess.run(python(HEADLESS), capture_output=True, text=True, timeout=120)
    assert run.returncode == 2  # and not 139: nothing is left registered
    assert "Traceback" not in run.stderr


def test_importing_headless_touches_no_path_and_no_settings():
    code = (
        "import sys, runpy, bpy; before = list(sys.path);"
        "h = runpy.run_path(sys.argv[1]); h['import_checkout']();"
        "assert sys.path == before; assert 'core' not in sys.modules; print(hasattr(bpy.types.Object, 'sdf_inertia'))"
    )
    run = subprocess.run(python("-c", code, HEADLESS), capture_output=True, text=True, timeout=120)
    assert (run.returncode, run.stdout.split()[-1:]) == (0, ["False"]), run.stderr


@pytest.mark.usefixtures("addon")
@pytest.mark.parametrize("name", sorted(CLASSES))
def test_each_class_can_be_found(name):
    # Blender makes an operator's name from its bl_idname: one that does not fit the class is under another.
    assert hasattr(bpy.types, name)
    assert getattr(bpy.types, name).is_registered


@pytest.mark.usefixtures("addon")
def test_the_export_menu_has_our_entry():
    functions = [function.__module__ for function in bpy.types.TOPBAR_MT_file_export._dyn_ui_initialize()]
    assert [name for name in functions if name.endswith("sdf_inertia_addon.panels.menus")]
